//! Separated text as rows: recognised once, then read from the file each time.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord, Terminator};

use super::dialect::{self, DELIMITERS, Dialect};
use super::encoding::{self, Decoder, Encoding};
use super::reject::{
    cell_too_long, empty, ends_in_quotes, no_header, not_a_sheet, too_many_columns, too_many_rows, unreadable,
};
use super::source::Source;
use super::write::without_guard;
use super::{CellKind, HEADER_ROWS, MAX_CELL_UNITS, MAX_COLUMNS, Row};
use crate::finding::Rejection;

/// A row longer than this is not read to its end: a forgotten quotation mark would make a cell of the whole file.
const MAX_ROW_BYTES: u64 = 4 * 1024 * 1024;
/// The text at the start of a file in which the separator is looked for.
const SAMPLE_BYTES: u64 = 1024 * 1024;

/// A recognised text file.
#[derive(Clone, Debug)]
pub(super) struct Delimited {
    file: Arc<File>,
    encoding: Encoding,
    dialect: Dialect,
    max_rows: u32,
}

impl Delimited {
    /// Finds the encoding, the separator and the header row.
    pub(super) fn recognise(
        file: &Arc<File>,
        max_rows: u32,
        is_header: &dyn Fn(&Row) -> bool,
    ) -> Result<(Self, Row), Rejection> {
        let encoding = encoding::detect(Source::new(file))
            .map_err(|error| unreadable(&error))?
            .ok_or_else(|| not_a_sheet("it holds bytes that no text has"))?;
        let sample = sample(file, encoding)?;
        if sample.contains('\0') {
            return Err(not_a_sheet("it holds bytes that no text has"));
        }
        if sample.trim().is_empty() {
            return Err(empty());
        }
        let Some(dialect) = find_dialect(&sample, is_header) else {
            return Err(refuse_headerless(&sample));
        };
        let mut found = Self {
            file: Arc::clone(file),
            encoding,
            dialect,
            max_rows,
        };
        if dialect.delimiter == b'\t' {
            let text = Decoder::new(Source::new(file), encoding);
            found.dialect.quoting = dialect::tabs_quote(text).map_err(|error| unreadable(&error))?;
        }
        if let Some(header) = find_header(found.rows()?, is_header)? {
            return Ok((found, header));
        }
        // A header that is only one without its quotation marks, in a file that does not quote well throughout.
        found.dialect = dialect;
        let header = find_header(found.rows()?, is_header)?.ok_or_else(|| refuse_headerless(&sample))?;
        Ok((found, header))
    }

    pub(super) fn delimiter(&self) -> u8 {
        self.dialect.delimiter
    }

    /// Starts at the first row.
    pub(super) fn rows(&self) -> Result<DelimitedRows, Rejection> {
        let text = Decoder::new(Source::new(&self.file), self.encoding);
        let mut rows = DelimitedRows::new(text, self.dialect)?;
        rows.whole = Some(self.clone());
        rows.max_rows = self.max_rows;
        Ok(rows)
    }

    fn ends_in_quotes(&self) -> Result<bool, Rejection> {
        let text = Decoder::new(Source::new(&self.file), self.encoding);
        let scan = dialect::scan(text, self.dialect.delimiter).map_err(|error| unreadable(&error))?;
        Ok(self.dialect.quoting && scan.ends_inside())
    }
}

/// Whether a text file does not end inside a quoted cell. Of text separated by tabs it is never asked.
pub(super) fn is_complete(file: &Arc<File>, name: &str) -> Result<bool, Rejection> {
    let Some(encoding) = encoding::detect(Source::new(file)).map_err(|error| unreadable(&error))? else {
        return Ok(true);
    };
    let sample = sample(file, encoding)?;
    let delimiter = dialect::sep_line(&sample).unwrap_or_else(|| dialect::guess(&sample));
    if delimiter == b'\t' || name.to_ascii_lowercase().ends_with(".tsv") {
        return Ok(true);
    }
    let text = Decoder::new(Source::new(file), encoding);
    let scan = dialect::scan(text, delimiter).map_err(|error| unreadable(&error))?;
    Ok(!scan.ends_inside())
}

fn sample(file: &Arc<File>, encoding: Encoding) -> Result<String, Rejection> {
    let mut bytes = Vec::new();
    Decoder::new(Source::new(file), encoding)
        .take(SAMPLE_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    // The sample's end may cut a character.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The separator with which one of the first rows is a header; of several the one with the most columns.
fn find_dialect(sample: &str, is_header: &dyn Fn(&Row) -> bool) -> Option<Dialect> {
    let declared = dialect::sep_line(sample);
    let tried: Vec<u8> = declared.map_or_else(|| DELIMITERS.to_vec(), |one| vec![one]);
    let mut best: Option<(usize, Dialect)> = None;
    for delimiter in tried {
        // Whether tabs quote is only known from the whole file.
        for quoting in [true, false] {
            if !quoting && delimiter != b'\t' {
                continue;
            }
            let dialect = Dialect {
                delimiter,
                quoting,
                sep_line: declared.is_some(),
            };
            let header = DelimitedRows::new(sample.as_bytes(), dialect)
                .ok()
                .and_then(|rows| find_header(rows, is_header).ok().flatten());
            let columns = header.map_or(0, |row| row.len());
            if columns > best.as_ref().map_or(0, |best| best.0) {
                best = Some((columns, dialect));
            }
        }
    }
    best.map(|best| best.1)
}

fn find_header<R: Text>(
    mut rows: DelimitedRows<R>,
    is_header: &dyn Fn(&Row) -> bool,
) -> Result<Option<Row>, Rejection> {
    let mut row = Row::default();
    while rows.next(&mut row)? && row.number() <= HEADER_ROWS {
        if is_header(&row) {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

fn refuse_headerless(sample: &str) -> Rejection {
    let delimiter = dialect::sep_line(sample).unwrap_or_else(|| dialect::guess(sample));
    let line = sample.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    no_header(
        line.split(char::from(delimiter))
            .map(|cell| cell.trim_matches('"')),
    )
}

/// Text that says how much of it was taken.
pub(super) trait Text: Read {
    /// Bytes given so far; 0 where the whole is small anyway.
    fn taken(&self) -> u64;
}

impl Text for Decoder {
    fn taken(&self) -> u64 {
        self.fed()
    }
}

impl Text for &[u8] {
    fn taken(&self) -> u64 {
        0
    }
}

/// Ends a row that is too long: the reader of rows would keep all of it.
struct Bounded<R> {
    text: R,
    row_start: u64,
}

impl<R: Text> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.text.taken().saturating_sub(self.row_start) > MAX_ROW_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.text.read(buffer)
    }
}

/// One reading of a text file's rows.
pub(super) struct DelimitedRows<R = Decoder> {
    reader: csv::Reader<Bounded<R>>,
    record: StringRecord,
    /// The number of the last row given.
    number: u32,
    /// Rows without text that are given only if one with text follows; equal ones are counted, not kept.
    blanks: VecDeque<(u64, Row)>,
    /// Whether `record` is a row with text that waits for the blank ones.
    waiting: bool,
    /// The last row ended in a line feed of its own, as it does where a quotation mark is never closed.
    suspicious: bool,
    max_rows: u32,
    whole: Option<Delimited>,
}

impl<R: Text> DelimitedRows<R> {
    fn new(text: R, dialect: Dialect) -> Result<Self, Rejection> {
        let bounded = Bounded { text, row_start: 0 };
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(dialect.delimiter)
            .quoting(dialect.quoting)
            .terminator(Terminator::Any(b'\n'))
            .buffer_capacity(64 * 1024)
            .from_reader(bounded);
        let mut rows = Self {
            reader,
            record: StringRecord::new(),
            number: 0,
            blanks: VecDeque::new(),
            waiting: false,
            suspicious: false,
            max_rows: u32::MAX,
            whole: None,
        };
        if dialect.sep_line {
            rows.read()?;
        }
        Ok(rows)
    }

    /// See [`super::Rows::next`].
    pub(super) fn next(&mut self, row: &mut Row) -> Result<bool, Rejection> {
        while !self.waiting {
            let Some(empty_lines) = self.read()? else {
                return self.end();
            };
            let blank = self.record.as_slice().trim().is_empty();
            if empty_lines == 0 && !blank && self.blanks.is_empty() {
                return self.give(row);
            }
            self.hold(empty_lines, Row::default());
            if blank {
                let mut held = Row::default();
                self.fill(&mut held)?;
                self.hold(1, held);
            } else {
                self.waiting = true;
            }
        }
        let Some((count, blank)) = self.blanks.front_mut() else {
            self.waiting = false;
            return self.give(row);
        };
        row.clone_from(blank);
        *count = count.saturating_sub(1);
        if *count == 0 {
            self.blanks.pop_front();
        }
        row.number = self.count()?;
        Ok(true)
    }

    fn hold(&mut self, count: u64, row: Row) {
        match self.blanks.back_mut() {
            _ if count == 0 => {}
            Some((held, last)) if last.text == row.text && last.cells == row.cells => {
                *held = held.saturating_add(count);
            }
            _ => self.blanks.push_back((count, row)),
        }
    }

    fn give(&mut self, row: &mut Row) -> Result<bool, Rejection> {
        self.count()?;
        self.fill(row)?;
        Ok(true)
    }

    fn count(&mut self) -> Result<u32, Rejection> {
        if self.number >= self.max_rows {
            return Err(too_many_rows(self.max_rows));
        }
        self.number = self.number.saturating_add(1);
        Ok(self.number)
    }

    fn fill(&self, row: &mut Row) -> Result<(), Rejection> {
        row.start(self.number);
        if self.record.len() > MAX_COLUMNS {
            return Err(too_many_columns(self.number));
        }
        for text in &self.record {
            if text.len() > MAX_CELL_UNITS && text.encode_utf16().count() > MAX_CELL_UNITS {
                return Err(cell_too_long(self.number));
            }
            let kind = if text.is_empty() {
                CellKind::Blank
            } else {
                CellKind::Text
            };
            row.push(without_guard(text), kind);
        }
        Ok(())
    }

    /// Reads a record and gives the number of empty lines before it; none at the end.
    fn read(&mut self) -> Result<Option<u64>, Rejection> {
        let before = self.reader.position().line();
        let row_start = self.reader.get_ref().text.taken();
        self.reader.get_mut().row_start = row_start;
        match self.reader.read_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => return Err(self.failed(&error)),
        }
        let within = self
            .record
            .as_slice()
            .bytes()
            .filter(|byte| *byte == b'\n')
            .count();
        let within = u64::try_from(within).unwrap_or(u64::MAX);
        self.suspicious = self
            .record
            .iter()
            .next_back()
            .is_some_and(|last| last.ends_with('\n'));
        let lines = self.reader.position().line().saturating_sub(before);
        Ok(Some(lines.saturating_sub(within).saturating_sub(1)))
    }

    fn end(&self) -> Result<bool, Rejection> {
        match &self.whole {
            Some(whole) if self.suspicious && whole.ends_in_quotes()? => Err(ends_in_quotes()),
            _ => Ok(false),
        }
    }

    fn failed(&self, error: &csv::Error) -> Rejection {
        match error.kind() {
            csv::ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                match &self.whole {
                    Some(whole) => match whole.ends_in_quotes() {
                        Ok(true) => ends_in_quotes(),
                        Ok(false) => cell_too_long(self.number.saturating_add(1)),
                        Err(rejection) => rejection,
                    },
                    None => cell_too_long(self.number.saturating_add(1)),
                }
            }
            csv::ErrorKind::Io(error) => unreadable(error),
            other => not_a_sheet(&format!(
                "row {} is not text ({other:?})",
                self.number.saturating_add(1)
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{LIMITS, open, open_within, rejected, rows_of, shown};
    use super::super::{Format, Limits};
    use crate::finding::Code;

    #[test]
    fn the_separator_is_the_one_that_makes_a_header() {
        for (text, delimiter) in [
            ("order_id,a;b\n1,2;3\n", b','),
            ("order_id;a,b\n1;2,3\n", b';'),
            ("order_id\ta,b,c\n1\t2\n", b'\t'),
            ("order_id|a\n1|2\n", b'|'),
            ("sep=;\norder_id;a\n1;2\n", b';'),
            ("\"SEP=|\"\norder_id|a\n1|2\n", b'|'),
            ("order_id\n1\n", b','),
            ("a,b,c\nOrders of May\norder_id;x\n", b';'),
        ] {
            let sheet = open(text.as_bytes()).unwrap();
            assert_eq!(sheet.format(), Format::Csv { delimiter }, "{text}");
        }
    }

    #[test]
    fn row_numbers_are_those_that_a_spreadsheet_shows() {
        for (text, rows) in [
            ("order_id,a\n1,2", vec!["1:order_id/a", "2:1/2"]),
            (
                "\n\norder_id,a\n\n1,2\n\n\n",
                vec!["1:", "2:", "3:order_id/a", "4:", "5:1/2"],
            ),
            (
                "order_id,a\n1,\"x\ny\"\n2,z\n",
                vec!["1:order_id/a", "2:1/x\ny", "3:2/z"],
            ),
            (
                "order_id,a\n1,\"\n\n\"\n\n2,z\n",
                vec!["1:order_id/a", "2:1/\n\n", "3:", "4:2/z"],
            ),
            (
                "order_id,a\n,\n,\n \n3,z\n,\n,,\n",
                vec!["1:order_id/a", "2:/", "3:/", "4: ", "5:3/z"],
            ),
            ("sep=,\norder_id,a\n1,2\n", vec!["1:order_id/a", "2:1/2"]),
            ("order_id,a\n1\n2,3,4\n", vec!["1:order_id/a", "2:1", "3:2/3/4"]),
        ] {
            for end in ["\n", "\r\n", "\r"] {
                assert_eq!(
                    shown(text.replace('\n', end).as_bytes()),
                    rows,
                    "{text:?} with {end:?}"
                );
            }
        }
    }

    #[test]
    fn the_encoding_is_found_from_the_content() {
        let text = "order_id,name\n1,Zoë\n2,\u{2018}é\n";
        let expected = vec!["1:order_id/name", "2:1/Zoë", "3:2/\u{2018}é"];
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let windows = b"order_id,name\n1,Zo\xEB\n2,\x91\xE9\n".to_vec();
        for bytes in [
            text.as_bytes().to_vec(),
            [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            little.clone(),
            big.clone(),
            [b"\xFF\xFE", &*little].concat(),
            [b"\xFE\xFF", &*big].concat(),
            windows,
        ] {
            assert_eq!(shown(&bytes), expected);
        }
    }

    #[test]
    fn what_decodes_to_nothing_is_kept_as_a_mark() {
        assert_eq!(shown(b"order_id,a\n1,\x81\xE9\n")[1], "2:1/\u{FFFD}é");
        let damaged = "order_id,a\n1,Zoë Äö\n"
            .bytes()
            .chain(*b"2,\xFF\n")
            .collect::<Vec<u8>>();
        assert_eq!(shown(&damaged)[1..], ["2:1/Zoë Äö", "3:2/\u{FFFD}"]);
    }

    #[test]
    fn characters_and_line_ends_may_lie_across_chunks() {
        for shift in 0..4 {
            let mut text = String::from("order_id,a\r\n");
            text.push_str(&"x".repeat(shift));
            text.push_str(&"7,é€𝄞\r\n".repeat(9_000));
            let sheet = open(text.as_bytes()).unwrap();
            let rows = rows_of(&sheet).unwrap();
            assert_eq!(rows.len(), 9_001);
            assert!(rows.iter().skip(1).all(|(_, cells)| cells[1] == "é€𝄞"));
            let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(rows_of(&open(&utf16).unwrap()).unwrap(), rows);
        }
    }

    #[test]
    fn a_lone_quotation_mark_between_tabs_is_text() {
        for (text, rows) in [
            (
                "order_id\tname\n1\t\"Best\n2\t5\" x\n",
                vec!["1:order_id/name", "2:1/\"Best", "3:2/5\" x"],
            ),
            // Paired by chance: the lines are even as they are.
            (
                "order_id\tname\tx\n1\t\"Best\t\n2\tDad\"\t\n",
                vec!["1:order_id/name/x", "2:1/\"Best/", "3:2/Dad\"/"],
            ),
            (
                "order_id\tname\tx\n1\t\"a\t\n2\tb\t\n3\t\"\tc\n",
                vec!["1:order_id/name/x", "2:1/\"a/", "3:2/b/", "4:3/\"/c"],
            ),
            // Quoted by whoever wrote it.
            (
                "\"order_id\"\t\"na\"\"me\"\n\"1\"\t\"a\tb\"\n",
                vec!["1:order_id/na\"me", "2:1/a\tb"],
            ),
            (
                "order_id\tname\n1\t\"a\nb\"\n2\tc\n",
                vec!["1:order_id/name", "2:1/a\nb", "3:2/c"],
            ),
            ("order_id\tname\n1\t\"a", vec!["1:order_id/name", "2:1/\"a"]),
            (
                "\"order_id\"\tname\n1\t5\" x\n",
                vec!["1:order_id/name", "2:1/5\" x"],
            ),
        ] {
            assert_eq!(shown(text.as_bytes()), rows, "{text}");
        }
    }

    #[test]
    fn a_file_that_ends_inside_a_quoted_cell_is_incomplete() {
        for text in [
            "order_id,a\n1,\"x",
            "order_id,a\n1,\"x\n",
            "order_id,a\n\n\n1,\"x\n2,y\n",
            "order_id,a\n1,\"x\"\"",
            "order_id,a\n1,\"",
        ] {
            assert_eq!(rejected(text.as_bytes()), Code::IncompleteSheet, "{text}");
        }
        let swallowed = format!("order_id,a\n1,\"{}", "x,y\n".repeat(2_000_000));
        assert_eq!(rejected(swallowed.as_bytes()), Code::IncompleteSheet);
    }

    #[test]
    fn a_quoted_cell_may_end_in_a_line_feed() {
        assert_eq!(shown(b"order_id,a\n1,\"x\n\""), ["1:order_id/a", "2:1/x\n"]);
    }

    #[test]
    fn limits_are_named() {
        let wide = format!("order_id{}\n1\n", ",x".repeat(1024));
        assert_eq!(rejected(wide.as_bytes()), Code::NoHeader);
        let wide = format!("order_id,a\n1{}\n", ",x".repeat(1024));
        assert_eq!(rejected(wide.as_bytes()), Code::TooManyColumns);
        let long = format!("order_id,a\n1,{}\n", "é".repeat(32_768));
        assert_eq!(rejected(long.as_bytes()), Code::CellTooLong);
        let fits = format!("order_id,a\n1,{}\n", "é".repeat(32_767));
        assert_eq!(shown(fits.as_bytes()).len(), 2);
        let limits = Limits {
            max_rows: 2,
            ..LIMITS
        };
        let at_limit = open_within(b"order_id,a\n1,2\n\n,\n", limits).unwrap();
        assert_eq!(rows_of(&at_limit).unwrap().len(), 2);
        let over = open_within(b"order_id,a\n1,2\n3,4\n", limits).unwrap();
        assert_eq!(rows_of(&over).unwrap_err().code, Code::TooManyRows);
    }
}
