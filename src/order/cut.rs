//! Rows of separated text that a line break in a cell without quotation marks has cut: their cells are together as many as
//! a row has. What stands in the half that has the id would be sent alone.
//!
//! Cells that are not there say this only where every other row has all of its cells: in a sheet whose rows end with their
//! last text, nothing is told.

mod again;

use crate::finding::{Code, Finding};
use crate::sheet::Row;

use self::again::{BEGINNING, CutBefore, REST, end_of};
use super::cells::unsplit;
use super::columns::Field;
use super::layout::{Layout, column_ref};
use super::stated::{heads_what_has_ended, heads_what_is_open, ids_called_off, is_marked};
use super::sums::{is_count, is_numbered, is_sum};

/// The fields of which a text may have several lines, and says in all of them what is printed or where it goes.
const OF_LINES: [Field; 8] = [
    Field::ShippingName,
    Field::ShippingAddress1,
    Field::ShippingAddress2,
    Field::ShippingCity,
    Field::ShippingProvince,
    Field::ShippingCountry,
    Field::ProductName,
    Field::VariantNote,
];

/// What stands below the last row of a report.
const ENDS: [&str; 5] = ["end", "eof", "end of file", "end of report", "end of export"];

/// The rows of a sheet that were cut, in a few bytes each.
#[derive(Debug, Default)]
pub(super) struct CutRows {
    /// Whether missing cells say anything.
    is_told: bool,
    /// In the order of their rows.
    found: Vec<Cut>,
    /// Whether rows of one cell stand by themselves in the sheet, where they can be the rest of none.
    has_remarks: bool,
    /// The rows directly above, of which the next may be the rest.
    above: Option<Above>,
    /// Those that an earlier result calls so.
    before: CutBefore,
}

/// Rows that were one.
#[derive(Clone, Copy, Debug)]
struct Cut {
    first: u32,
    last: u32,
    /// Whether the first has all of its cells: the break is in its last one.
    is_whole: bool,
}

/// A row, and those below it that are its rest.
#[derive(Clone, Copy, Debug)]
struct Above {
    cut: Cut,
    /// How many cells it lacks.
    missing: usize,
    /// Whether its last cell has text.
    ends_in_text: bool,
}

/// What a row is of one that was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Its beginning.
    Beginning {
        /// Whether it has all of its cells.
        is_whole: bool,
    },
    /// The rest of the one that begins in this row.
    RestOf(u32),
}

impl CutRows {
    /// To look for in separated text.
    pub(super) fn of_text() -> Self {
        Self {
            is_told: true,
            ..Self::default()
        }
    }

    /// Notes a row that is not blank; `is_line` says whether it is one of an order.
    pub(super) fn note(&mut self, layout: &Layout, row: &Row, is_line: bool) {
        self.before.note(layout, row);
        if !self.is_told {
            return;
        }
        let above = self.above.take();
        if let Some(joined) = above.and_then(|above| above.with(layout, row)) {
            if joined.missing == 0 {
                self.found.pop_if(|found| found.first == joined.cut.first);
                self.found.push(joined.cut);
            }
            self.above = Some(joined);
            return;
        }
        let is_short = row.len() < layout.width();
        if above.is_some_and(|above| above.missing > 0) {
            self.leave();
        } else if is_short && is_apart(layout, row) {
            // Nothing is missing in it.
        } else if is_short && row.len() == 1 {
            self.has_remarks = true;
        } else if is_line {
            self.above = Some(Above::of(layout, row));
        } else if is_short {
            self.leave();
        }
    }

    /// What a row is of one that was cut; none where it is whole. Known once every row was noted.
    pub(super) fn piece(&self, row: u32) -> Option<Piece> {
        let cut = self.cut_here(row).or_else(|| self.before.with(row))?;
        Some(if cut.first == row {
            let is_whole = cut.is_whole;
            Piece::Beginning { is_whole }
        } else {
            Piece::RestOf(cut.first)
        })
    }

    /// The rows that were cut in this sheet, of which this is one.
    fn cut_here(&self, row: u32) -> Option<&Cut> {
        let is_unfinished = self.above.is_some_and(|above| above.missing > 0);
        let at = self.found.partition_point(|cut| cut.last < row);
        let cut = self.found.get(at).filter(|cut| cut.first <= row)?;
        let says_nothing = is_unfinished || (cut.is_whole && self.has_remarks);
        (!says_nothing).then_some(cut)
    }

    /// A row is short by itself.
    fn leave(&mut self) {
        *self = Self {
            before: std::mem::take(&mut self.before),
            ..Self::default()
        };
    }
}

impl Above {
    fn of(layout: &Layout, row: &Row) -> Self {
        let missing = layout.width().saturating_sub(row.len());
        let last = layout.width().saturating_sub(1);
        Self {
            cut: Cut {
                first: row.number(),
                last: row.number(),
                is_whole: missing == 0,
            },
            missing,
            ends_in_text: row.len() == layout.width() && row.has_text(last),
        }
    }

    /// The same with the row below it, where that is its rest.
    fn with(self, layout: &Layout, row: &Row) -> Option<Self> {
        // The first of its cells goes on with the last one above.
        let more = row.len().checked_sub(1)?;
        let missing = self.missing.checked_sub(more)?;
        let goes_on = self.missing > 0 || (self.ends_in_text && ends_in_lines(layout));
        let is_below = self.cut.last.checked_add(1) == Some(row.number());
        if !goes_on || !is_below || is_apart(layout, row) || is_a_line(layout, row) {
            return None;
        }
        let cut = Cut {
            last: row.number(),
            ..self.cut
        };
        Some(Self { cut, missing, ..self })
    }
}

impl Piece {
    /// What is said of the row.
    pub(super) fn finding(self, layout: &Layout, row: &Row) -> Finding {
        let (column, message) = match self {
            Self::Beginning { .. } => (
                end_of(layout, row).saturating_sub(1),
                format!(
                    "{BEGINNING} {}: a line break in a cell without quotation marks ends a row.",
                    row.number().saturating_add(1)
                ),
            ),
            Self::RestOf(first) => (
                layout.own_columns().first().copied().unwrap_or_default(),
                format!("{REST} {first}, which a line break in a cell without quotation marks has cut."),
            ),
        };
        let mut hint = "Put the cell with the line break into quotation marks, or bring what stands in both rows into the \
                        first one and delete the other, and drop the sheet again."
            .to_owned();
        if self == (Self::Beginning { is_whole: true }) {
            hint.push_str(" If the next row is a remark of its own, leave a row blank above it.");
        }
        Finding {
            code: Code::RaggedRow,
            row: row.number(),
            column: column_ref(column),
            message,
            hint,
        }
    }
}

/// The fields that a row ends before: what is in them stands in the row below it, where it was cut.
pub(super) fn fields_behind(layout: &Layout, row: &Row) -> impl Iterator<Item = Field> {
    let end = end_of(layout, row);
    let is_behind = move |field: &Field| layout.column(*field).is_some_and(|column| column >= end);
    Field::ALL.into_iter().filter(is_behind)
}

/// Whether the sheet's last column is one of those texts.
fn ends_in_lines(layout: &Layout) -> bool {
    let last = layout.width().checked_sub(1);
    let parts = layout.parts().iter();
    last.is_some()
        && (OF_LINES.into_iter().any(|field| layout.column(field) == last)
            || parts
                .map(|(_, column)| Some(*column))
                .any(|column| column == last))
}

/// Whether a short row is a sum, a footer, a heading, a drawn line, or a whole row in one cell.
fn is_apart(layout: &Layout, row: &Row) -> bool {
    let text = row.text(0).trim();
    let is_footer = || text.ends_with(':') || is_sum(text) || is_count(text) || is_numbered(text);
    let is_bare = || !row.iter().any(|cell| cell.contains(char::is_alphanumeric));
    let is_end = || ENDS.contains(&text.to_lowercase().as_str());
    let is_heading = || {
        let speaks_of_orders = is_marked(text) || !ids_called_off(text).is_empty();
        speaks_of_orders || heads_what_has_ended(text) || heads_what_is_open(text)
    };
    is_footer()
        || is_bare()
        || unsplit(layout, row).is_some()
        || (row.len() == 1 && (is_end() || is_heading()))
}

/// Whether a short row says by itself what a line says: a number of pieces beside a SKU, or an action.
fn is_a_line(layout: &Layout, row: &Row) -> bool {
    let text = |field| layout.column(field).map(|column| row.text(column).trim());
    let is_counted = text(Field::Quantity).is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
    let has_item = text(Field::ItemSku).is_none_or(|sku| !sku.is_empty());
    (is_counted && has_item) || text(Field::Action).is_some_and(|action| !action.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::text_row;
    use crate::order::{Draft, Grouper, Index};

    const HEADER: &str = "order_id,Name,Address,City,State,Zip,Country,SKU,Qty,artwork_front,variant_note";
    const ORDER: &str = "Ada,12 Maple,Columbus,OH,43004,US,TEE,1,https://example.com/a.png";

    /// The orders of a text in which nothing is quoted, as `check` and `run` read them.
    fn read(header: &str, lines: &str) -> Vec<Draft> {
        let cells = |line: &'static str| line.split(',').collect::<Vec<_>>();
        let header: &'static str = header.to_owned().leak();
        let lines: &'static str = lines.to_owned().leak();
        let layout = Layout::read(&text_row(1, &cells(header))).unwrap();
        let rows: Vec<Row> = (2..)
            .zip(lines.lines())
            .map(|(number, line)| text_row(number, &cells(line)))
            .collect();
        let mut index = Index::of_text();
        for row in &rows {
            index.note(&layout, row);
        }
        let mut grouper = Grouper::new(layout, index);
        rows.iter().filter_map(|row| grouper.push(row)).collect()
    }

    /// The rows that are said to be cut.
    fn cut(header: &str, lines: &str) -> Vec<u32> {
        let drafts = read(header, lines);
        let found = drafts.iter().flat_map(|draft| draft.findings());
        let ragged = found.filter(|finding| finding.code == Code::RaggedRow);
        ragged.map(|finding| finding.row).collect()
    }

    /// Lines of orders, of which `{}` stands for what every one of them says.
    fn lines(text: &str) -> String {
        text.replace("{}", ORDER)
    }

    #[test]
    fn a_line_break_without_quotation_marks_is_an_error_of_both_halves() {
        let with_more = format!("{HEADER},Internal ref");
        let address_last = "order_id,Name,SKU,Qty,artwork_front,City,State,Zip,Country,Address,address2";
        let order = "Ada,TEE,1,https://example.com/a.png,Columbus,OH,43004,US,12 Maple St";
        for (header, text, rows) in [
            (
                HEADER,
                "1001,{},Happy birthday\nfrom all of us\n1002,{},x",
                vec![2, 3],
            ),
            (
                HEADER,
                "1001,{},x\n1002,{},Happy birthday\nfrom\nall of us",
                vec![3, 4, 5],
            ),
            (
                HEADER,
                "1001,{},Happy birthday\n\n1002,{},Hello\nyou\nTotal 2",
                vec![4, 5],
            ),
            (
                &with_more,
                "1001,{},Happy birthday\nfrom all of us,R7\n1002,{},x,R8",
                vec![2, 3],
            ),
            (
                &with_more,
                "1001,{},Happy\nbirthday\nto you,R7\n1002,{},x,R8\nTotal,2",
                vec![2, 3, 4],
            ),
            (
                &with_more,
                "1001,Ada\nExample,12 Maple,Columbus,OH,43004,US,TEE,1,,x,R7\n1002,{},x,R8",
                vec![2, 3],
            ),
            (address_last, "1001,<>\nBuilding C,Apt 4\n1002,<>,", vec![2, 3]),
            (address_last, "1001,<>,Building C\nApt 4\n1002,<>,", vec![2, 3]),
        ] {
            let text = lines(text).replace("<>", order);
            assert_eq!(cut(header, &text), rows, "{text}");
        }
    }

    #[test]
    fn the_half_without_the_id_is_no_order_and_no_footer() {
        let drafts = read(
            HEADER,
            &lines("1001,{},Happy birthday\nfrom all of us\n1002,{},x"),
        );
        let ids: Vec<(&str, bool)> = drafts
            .iter()
            .map(|draft| (draft.order_id(), draft.is_footer()))
            .collect();
        assert_eq!(ids, [("1001", false), ("", false), ("1002", false)]);
        let said: Vec<String> = drafts[..2]
            .iter()
            .map(|draft| format!("{:?} {}", draft.findings()[0].cell(), draft.findings()[0].message))
            .collect();
        assert!(said[0].contains("goes on in row 3"), "{said:?}");
        assert!(said[1].contains("rest of row 2"), "{said:?}");
        // Where its text is the id of another order, that one is not lost, and not sent.
        let drafts = read(HEADER, &lines("1002,{},x\n1001,{},see order\n1002"));
        let codes = |draft: &Draft| {
            draft
                .findings()
                .iter()
                .any(|finding| finding.code == Code::RaggedRow)
        };
        let told: Vec<(&str, bool)> = drafts
            .iter()
            .map(|draft| (draft.order_id(), codes(draft)))
            .collect();
        assert_eq!(told, [("1001", true), ("1002", true)]);
    }

    #[test]
    fn what_stands_in_the_other_half_is_lost_and_not_missing() {
        let with_more = format!("{HEADER},Internal ref");
        let text = lines("1001,Ada\nExample,12 Maple,Columbus,OH,43004,US,TEE,1,,x,R7\n1002,{},x,R8");
        let drafts = read(&with_more, &text);
        let is_lost = |draft: &Draft, field| draft.is_spoiled(field);
        assert!(is_lost(&drafts[0], Field::ItemSku) && is_lost(&drafts[0], Field::VariantNote));
        assert!(!is_lost(&drafts[0], Field::OrderId) && !is_lost(&drafts[2], Field::ItemSku));
    }

    #[test]
    fn rows_that_end_with_their_last_text_headings_and_footers_are_not_cut() {
        let with_more = format!("{HEADER},Internal ref");
        let with_action = "order_id,action,reason";
        for (header, text) in [
            // Rows without blanks at their ends.
            (HEADER, "1001,{}\n1002,{},x\n1003,{},y\nfrom all of us"),
            (&with_more, "1001,{}\n1002,{}\n1003,{},x,R8"),
            (&with_more, "1001,{},x,R8\n1002,{},x\nPrinted:,today"),
            (&with_more, "1001,{},x,R8\n1002,{},x\nTotal,1"),
            (
                &with_more,
                "1001,Ada\nExample,12 Maple,Columbus,OH,43004,US,TEE,1,,x,R7\n1002,{},x",
            ),
            (with_action, "1001,cancel\n1002,cancel\n1003,cancel,late"),
            // Headings and remarks.
            (HEADER, "1001,{},x\nCANCELED\n1002,{},y"),
            (HEADER, "1001,{},x\nOPEN ORDERS\n1002,{},y"),
            (HEADER, "Store Berlin\n1001,{},x\nStore Ulm\n1002,{},y"),
            (HEADER, "1001,{},\nStore Ulm\n1002,{},y\nStore Bonn\n1003,{},z"),
            (HEADER, "1001,{},x\nTotal 1"),
            (HEADER, "1001,{},x\nNext batch:\n1002,{},x"),
            (HEADER, "1001,{},x\nPage 1\n1002,{},x\nend of file"),
            (HEADER, "1001,{},x\n-----\n1002,{},x"),
            (HEADER, "1001,{},x\n\nThank you"),
            (HEADER, "1001,{},x\n1000 canceled\n1002,{},x"),
            // The last column says nothing of what is sent.
            (&with_more, "1001,{},x,R7\nof Ann\n1002,{},x,R8"),
        ] {
            let text = lines(text);
            assert_eq!(cut(header, &text), [0; 0], "{text}");
        }
    }

    #[test]
    fn nothing_is_told_of_a_workbook() {
        let header = ["order_id", "action", "variant_note"];
        let layout = Layout::read(&text_row(1, &header)).unwrap();
        let rows = [
            text_row(2, &["1001", "cancel", "Happy"]),
            text_row(3, &["birthday"]),
        ];
        for (mut index, told) in [
            (Index::default(), None),
            (Index::of_text(), Some(Piece::RestOf(2))),
        ] {
            for row in &rows {
                index.note(&layout, row);
            }
            assert_eq!(index.piece(3), told);
        }
    }

    /// The rows that are said to be cut in a workbook of these rows, each with what a result said of it.
    fn cut_again(header: &str, rows: &[(&str, u32, &str)]) -> Vec<u32> {
        let header: Vec<&str> = header.split(',').chain(["result_message"]).collect();
        let layout = Layout::read(&text_row(1, &header)).unwrap();
        let rows: Vec<Row> = rows
            .iter()
            .map(|(line, number, said)| {
                let line = lines(line);
                let mut cells: Vec<&str> = line.split(',').collect();
                cells.resize(header.len() - 1, "");
                cells.push(said);
                text_row(*number, &cells)
            })
            .collect();
        let mut index = Index::default();
        for row in &rows {
            index.note(&layout, row);
        }
        let mut grouper = Grouper::new(layout, index);
        let drafts: Vec<Draft> = rows.iter().filter_map(|row| grouper.push(row)).collect();
        let found = drafts.iter().flat_map(|draft| draft.findings());
        let ragged = found.filter(|finding| finding.code == Code::RaggedRow);
        ragged.map(|finding| finding.row).collect()
    }

    #[test]
    fn rows_that_a_result_calls_cut_are_so_again_until_one_of_them_is_gone() {
        let (beginning, rest) = (format!("K2: {BEGINNING} 3: …"), format!("A3: {REST} 2, …"));
        let (beginning, rest) = (beginning.as_str(), rest.as_str());
        let (first, second) = ("1001,{},Happy birthday", "from all of us");
        let other = ("1002,{},x", 5, "");
        assert_eq!(
            cut_again(HEADER, &[(first, 2, beginning), (second, 3, rest), other]),
            [2, 3]
        );
        let three = [
            (first, 2, beginning),
            (second, 3, rest),
            ("and Ann", 4, rest),
            other,
        ];
        assert_eq!(cut_again(HEADER, &three), [2, 3, 4]);
        for mended in [
            &[(first, 2, beginning), other][..],
            &[(first, 2, beginning), (second, 3, ""), other],
            &[(first, 2, beginning), (second, 4, rest), other],
            &[(first, 2, ""), (second, 3, rest), other],
            &[(first, 2, beginning), ("1003,{},y", 3, ""), (second, 4, rest)],
        ] {
            assert_eq!(cut_again(HEADER, mended), [0; 0], "{mended:?}");
        }
    }

    #[test]
    fn a_cut_in_every_row_takes_a_few_bytes_each() {
        assert!(size_of::<Cut>() <= 12);
    }
}
