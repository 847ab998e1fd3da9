//! Writing separated text as results need it: marked as UTF-8, CRLF line ends, no cell that runs as a formula.
//!
//! A spreadsheet of another country takes a separator of its own for the end of a cell, inside quotation marks that it
//! does not see too: `;=1+1` in a cell between commas. What it would run there is guarded as well.
//!
//! What is written here reads back as the same rows: [`without_guard`] is what the reader of rows applies. Only a
//! carriage return inside a cell comes back as a line feed.

use std::borrow::Cow;
use std::io::{self, Write};

/// What a spreadsheet takes for the sign that a cell is text.
const GUARD: char = '\'';

/// What ends a cell, by where in the world the spreadsheet is.
const ENDS_A_CELL: [char; 2] = [',', ';'];

/// Rows of separated text being written: UTF-8 with a byte order mark, CRLF line ends, cells quoted where needed.
pub struct Writer<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> std::fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// Starts a file in the separator given, with its byte order mark.
    ///
    /// # Errors
    /// Whatever the disk says.
    pub fn new(mut to: W, delimiter: u8) -> io::Result<Self> {
        to.write_all(b"\xEF\xBB\xBF")?;
        let writer = csv::WriterBuilder::new()
            .delimiter(delimiter)
            .terminator(csv::Terminator::CRLF)
            .flexible(true)
            .from_writer(to);
        Ok(Self { writer })
    }

    /// Writes a row. One without any cell is written as one blank cell, which keeps the row numbers.
    ///
    /// # Errors
    /// Whatever the disk says.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        for cell in cells {
            self.writer.write_field(with_guard(cell).as_bytes())?;
        }
        self.writer.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Ends the file and gives back what it was written to.
    ///
    /// # Errors
    /// Whatever the disk says.
    pub fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// The text of a cell as it is written: behind an apostrophe where a spreadsheet would run it as a formula.
///
/// Numbers (`-3.50`) and telephone numbers that no spreadsheet can calculate (`+1 555 0100`) stay as they are; one that
/// it can (`+1-555-0100` is −654) is guarded. A text that looks guarded already gets one apostrophe more, so that
/// nothing is lost in [`without_guard`].
pub fn with_guard(text: &str) -> Cow<'_, str> {
    let mut guarded = String::new();
    let mut done = 0;
    for at in formulas_inside(text) {
        guarded.push_str(text.get(done..at).unwrap_or_default());
        guarded.push(GUARD);
        done = at;
    }
    let inside = if done == 0 {
        Cow::Borrowed(text)
    } else {
        guarded.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(guarded)
    };
    if runs(inside.trim_start_matches(GUARD)) {
        Cow::Owned(format!("{GUARD}{inside}"))
    } else {
        inside
    }
}

/// The text of a cell without the apostrophes that [`with_guard`] gave it; any other apostrophe stays.
pub fn without_guard(text: &str) -> Cow<'_, str> {
    let text = match text.strip_prefix(GUARD) {
        Some(rest) if runs(rest.trim_start_matches(GUARD)) => rest,
        _ => text,
    };
    let mut plain = String::new();
    let mut done = 0;
    let is_guarded = |at: &usize| text.get(*at..).is_some_and(|rest| rest.starts_with(GUARD));
    for at in formulas_inside(text).filter(is_guarded) {
        plain.push_str(text.get(done..at).unwrap_or_default());
        done = at.saturating_add(GUARD.len_utf8());
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    plain.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(plain)
}

/// Where a formula would begin directly behind what ends a cell elsewhere: before its apostrophes and quotation marks.
fn formulas_inside(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(ENDS_A_CELL).filter_map(|(at, end)| {
        let begin = at.saturating_add(end.len());
        let rest = text.get(begin..)?.trim_start_matches([GUARD, '"']);
        is_surely_a_formula(rest).then_some(begin)
    })
}

/// Whether nothing but a formula begins so. `12,-`, `;-)` and `S,-M` are ordinary text: behind another sign than that of a
/// formula something has to be called.
fn is_surely_a_formula(text: &str) -> bool {
    let mut rest = text.chars();
    match rest.next() {
        Some('=' | '＝') => true,
        Some('+' | '-' | '@') => rest.next().is_some_and(char::is_alphanumeric) && text.contains(['(', '|']),
        _ => false,
    }
}

/// Whether a spreadsheet would run the text as a formula. Some drop the blanks before one.
fn runs(text: &str) -> bool {
    let meant = text.trim_start();
    if meant.is_empty() {
        return false;
    }
    if text.starts_with(['\t', '\r', '\n']) {
        return true;
    }
    let mut rest = meant.chars();
    match rest.next() {
        Some('=' | '@' | '＝' | '＋' | '－' | '＠') => true,
        Some('+' | '-') => !is_number(rest.as_str()) && !is_telephone(rest.as_str()),
        _ => false,
    }
}

/// Digits with one decimal sign at most.
fn is_number(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let signs = text.bytes().filter(|byte| matches!(byte, b'.' | b',')).count();
    digits > 0 && signs <= 1 && digits.saturating_add(signs) == text.len()
}

/// Digits and what people put between them, with two groups of digits that no operator joins: no formula has that.
fn is_telephone(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '.' | '-' | '(' | ')' | '/');
    let mut last = ' ';
    let mut gap = false;
    let mut apart = false;
    for c in text.chars() {
        apart |= gap && (last.is_ascii_digit() || last == ')') && (c.is_ascii_digit() || c == '(');
        gap = c == ' ';
        if !gap {
            last = c;
        }
    }
    apart && text.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::super::dialect::DELIMITERS;
    use super::super::tests::{open, rows_of};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_runs_as_a_formula_is_guarded_and_nothing_else() {
        for text in [
            "=1+1",
            "+cmd|' /C calc'!A0",
            "-2+3",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "-",
            "+",
            "-A1",
            "+1-555-0100",
            "－1",
            "'=1",
            "  =1+1",
            "\u{a0}@SUM(A1)",
            " \t-2+3",
            "' =1",
        ] {
            assert_eq!(with_guard(text), format!("'{text}"));
        }
        for text in [
            "",
            "-3.50",
            "+3,5",
            "-1",
            "+15550100",
            "+1 555 0100",
            "+1 (555) 555-0100",
            "+49 30 555-01 00",
            "'75008",
            "\t",
            "a=b",
            "5-3",
            " a=b",
            " -3.50",
            " +1 555 0100",
            "  ",
            "''",
            " '=1",
        ] {
            assert_eq!(with_guard(text), text);
            assert_eq!(without_guard(text), text);
        }
    }

    #[test]
    fn what_runs_as_a_formula_behind_the_separator_of_another_country_is_guarded_and_no_ordinary_text() {
        for (text, guarded) in [
            (";=1+1", ";'=1+1"),
            ("a,=1+1", "a,'=1+1"),
            ("a;;=1", "a;;'=1"),
            (";'=1", ";''=1"),
            (";\"=1", ";'\"=1"),
            (
                "note;=HYPERLINK(\"http://x.example.com\")",
                "note;'=HYPERLINK(\"http://x.example.com\")",
            ),
            ("a;+cmd|' /C calc'!A0", "a;'+cmd|' /C calc'!A0"),
            ("a;-1+cmd|' /C calc'!A0", "a;'-1+cmd|' /C calc'!A0"),
            ("a,@SUM(A1)", "a,'@SUM(A1)"),
            ("=1;=1", "'=1;'=1"),
        ] {
            assert_eq!(with_guard(text), guarded);
            assert_eq!(without_guard(guarded), text);
        }
        for text in [
            "; see note",
            "thanks ;-)",
            ";-D",
            "12,-",
            "12,-- EUR",
            "S,-M",
            "Adalbertstr. 5,-7",
            "3,-4",
            "1,+2",
            "a, =b",
            "follow @a,@b",
            "O'Brien, 'Ada'",
            "d'Arc;'x'",
            "https://example.com/a.png?x=1;y=2,z=3",
            "Gift note: I love you, (really)",
        ] {
            assert_eq!(with_guard(text), text);
            assert_eq!(without_guard(text), text);
        }
    }

    fn written(delimiter: u8, rows: &[Vec<String>]) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), delimiter).unwrap();
        for row in rows {
            writer.row(row.iter().map(String::as_str)).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn it_is_marked_as_utf_8_and_ends_its_lines_as_spreadsheets_do() {
        let rows = [
            vec!["order_id".to_owned(), "é".to_owned()],
            vec!["=1".to_owned(), "a\"b;".to_owned()],
        ];
        assert_eq!(
            written(b';', &rows),
            "\u{FEFF}order_id;é\r\n'=1;\"a\"\"b;\"\r\n".as_bytes()
        );
    }

    #[test]
    fn a_row_without_cells_keeps_its_row_number() {
        let rows = [vec!["order_id".to_owned()], vec![], vec!["1".to_owned()]];
        let read = rows_of(&open(&written(b',', &rows)).unwrap()).unwrap();
        assert_eq!(read[2], (3, vec!["1".to_owned()]));
    }

    fn cell() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ -~é€\n\t]{0,12}",
            "['=+@\t -]{1,4}[a-z0-9 -]{0,6}",
            "[a;,]{0,2}['\"]{0,2}[=+@-]{0,2}[a-z0-9(|;,']{0,6}",
            Just("\"".to_owned()),
            Just(String::new()),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_as_the_same_rows(
            rows in prop::collection::vec(prop::collection::vec(cell(), 3), 0..8),
            delimiter in prop::sample::select(DELIMITERS.to_vec()),
        ) {
            // Between tabs, a line break in a row with a tab in a cell may look like whole lines with stray quotation
            // marks, and is read as such: an unquoted report is not to lose an order.
            let has = |row: &Vec<String>, wanted| row.iter().any(|text: &String| text.contains(wanted));
            let is_ambiguous = |row: &Vec<String>| has(row, '\n') && has(row, '\t');
            prop_assume!(delimiter != b'\t' || !rows.iter().any(is_ambiguous));
            let header = ["order_id", "name", "note"].map(str::to_owned).to_vec();
            let mut all = vec![header];
            all.extend(rows);
            let bytes = written(delimiter, &all);
            // Rows after the last one with text are not given.
            while all.last().is_some_and(|row| row.iter().all(|text| text.trim().is_empty())) {
                all.pop();
            }
            let sheet = open(&bytes).unwrap();
            let read: Vec<Vec<String>> = rows_of(&sheet).unwrap().into_iter().map(|(_, cells)| cells).collect();
            prop_assert_eq!(read, all);
        }
    }
}
