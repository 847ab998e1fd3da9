//! Which of a sheet's columns a result keeps, and where they stand in it.
//!
//! A result keeps row numbers, and column letters too as long as the sheet's own columns stand together at its left.
//! `result_*` columns of an earlier result are left out, and new ones stand at the right of the own columns.

use std::borrow::Cow;

use crate::finding::{CellRef, Finding};
use crate::order::{Field, Layout, is_digits};
use crate::sheet::{CellKind, Look, Row};

use super::columns::Column;

/// The most columns that a spreadsheet shows.
const MAX_COLUMNS: usize = 16_384;

/// The last column, counted from 0, that is held in view with all that stands at its left.
const MOST_HELD: usize = 2;

/// A cell of the sheet as a result keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept<'a> {
    /// The text to write.
    pub(super) text: Cow<'a, str>,
    /// What the cell was.
    pub(super) kind: CellKind,
    /// A number in it stays one: it is a count or an amount, or the merchant's own, and no id or zip.
    pub(super) keeps_numbers: bool,
    /// How a number looks that stays one.
    pub(super) look: Option<Look>,
    /// A date or a truth in it is none: a spreadsheet has made it of an id or of a line of the address, and where it can
    /// only be written as text, the text must not look whole.
    is_spoiled: bool,
}

impl Kept<'_> {
    /// What is written where there is text alone.
    pub(super) fn as_text(&self) -> &str {
        if self.is_spoiled { NO_VALUE } else { &self.text }
    }
}

/// What a spreadsheet shows for a value that is lost.
const NO_VALUE: &str = "#VALUE!";

/// A sheet's own columns and their places in the result.
#[derive(Debug)]
pub(super) struct Shape {
    own: Vec<usize>,
    /// Those of them that are no field of an order.
    foreign: Vec<usize>,
    /// Those of them that hold counts and amounts.
    counts: Vec<usize>,
    /// Those of them in which nothing is a date.
    dateless: Vec<usize>,
    /// Fields of an order, and their places among the own columns.
    fields: Vec<(Field, usize)>,
    header: Row,
}

impl Shape {
    /// The shape of the result of a sheet with this header; the own columns are counted from 0.
    pub(super) fn new(own_columns: &[usize], foreign: &[usize], header: &Row) -> Self {
        let room = MAX_COLUMNS - Column::ALL.len();
        Self {
            own: own_columns.iter().copied().take(room).collect(),
            foreign: foreign.to_vec(),
            counts: Vec::new(),
            dateless: Vec::new(),
            fields: Vec::new(),
            header: header.clone(),
        }
    }

    /// Says which of the own columns hold counts and amounts: a number in them stays one.
    pub(super) fn counting(mut self, columns: Vec<usize>) -> Self {
        self.counts = columns;
        self
    }

    /// The shape of the result of a sheet with this layout.
    pub(super) fn of(layout: &Layout, header: &Row) -> Self {
        let mut shape = Self::new(layout.own_columns(), &layout.foreign_columns(), header)
            .counting(layout.count_columns());
        let dateless = Field::ALL.into_iter().filter(|field| field.is_no_date());
        shape.dateless = dateless.filter_map(|field| layout.column(field)).collect();
        shape.fields = Field::ALL
            .into_iter()
            .filter_map(|field| {
                let column = layout.column(field)?;
                Some((field, shape.own.iter().position(|own| *own == column)?))
            })
            .collect();
        shape
    }

    /// Where a field stands in the result, counted from 0.
    pub(super) fn place_of(&self, field: Field) -> Option<usize> {
        let found = self.fields.iter().find(|(own, _place)| *own == field);
        found.map(|(_field, place)| *place)
    }

    /// The last column, counted from 0, that stays in view when a page is scrolled to the right: the order's id, where
    /// that stands near the left.
    pub(super) fn held_column(&self) -> u16 {
        let id = self.place_of(Field::OrderId).filter(|place| *place <= MOST_HELD);
        id.and_then(|place| u16::try_from(place).ok()).unwrap_or(0)
    }

    /// How many own columns there are: the first `result_*` column stands there.
    pub(super) fn own_width(&self) -> usize {
        self.own.len()
    }

    /// How many columns have a header.
    pub(super) fn width(&self) -> usize {
        self.own.len() + Column::ALL.len()
    }

    /// A row's own cells, in order.
    pub(super) fn own_cells<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = Kept<'a>> {
        self.own.iter().map(|column| {
            let text = row.text(*column);
            let kind = match row.kind(*column) {
                CellKind::NoValue if self.foreign.contains(column) => CellKind::Blank,
                // A CSV has the text of a count alone, and a column of texts sums to nothing.
                CellKind::Text if self.counts.contains(column) && is_count(text) => CellKind::Number,
                kind => kind,
            };
            let is_below = row.number() > self.header.number();
            let is_foreign = self.foreign.contains(column);
            Kept {
                keeps_numbers: self.counts.contains(column) || is_foreign,
                look: row.look(*column).filter(|_| is_foreign),
                is_spoiled: matches!(kind, CellKind::Date | CellKind::Bool)
                    && !text.is_empty()
                    && is_below
                    && self.dateless.contains(column),
                ..self.kept(*column, text, kind)
            }
        })
    }

    /// A long number in a column that is no field of an order is carried whole: nothing is wrong with it there.
    fn kept<'a>(&self, column: usize, text: &'a str, kind: CellKind) -> Kept<'a> {
        let whole = kind == CellKind::LostDigits && self.foreign.contains(&column);
        kept(text, if whole { CellKind::Number } else { kind })
    }

    /// The cells that a row has beyond the header. They are kept at the right of everything: a row that was too long
    /// stays too long when the result is dropped again, rather than turn into a whole row with its cells shifted.
    pub(super) fn overhang<'a>(&self, row: &'a Row) -> impl Iterator<Item = Kept<'a>> {
        let room = MAX_COLUMNS.saturating_sub(self.width());
        let last = (self.header.len()..row.len())
            .rev()
            .find(|column| !row.text(*column).is_empty());
        let end = last.map_or(self.header.len(), |last| last + 1);
        (self.header.len()..end)
            .take(room)
            .map(|column| kept(row.text(column), row.kind(column)))
    }

    /// Where a finding's cell stands in the result; none where it speaks of a whole row or of a column left out.
    pub(super) fn cell(&self, finding: &Finding) -> Option<CellRef> {
        let column = usize::from(finding.column?);
        let place = self.own.iter().position(|own| *own == column)?;
        Some(CellRef {
            row: finding.row,
            column: u16::try_from(place).unwrap_or(u16::MAX),
        })
    }
}

fn is_count(text: &str) -> bool {
    const DIGITS: usize = 9;
    is_digits(text) && text.len() <= DIGITS && !text.starts_with('0')
}

/// What is wrong with a cell must still be wrong with it when the result is dropped again unchanged: a value that was
/// lost is never written as text that looks whole. In a column that is no field of an order nothing is wrong: what was
/// never stored stays blank.
fn kept(text: &str, kind: CellKind) -> Kept<'_> {
    let text = match kind {
        CellKind::LostDigits => scientific(text).map_or(Cow::Borrowed(text), Cow::Owned),
        CellKind::NoValue => Cow::Borrowed(NO_VALUE),
        CellKind::Blank
        | CellKind::Text
        | CellKind::Number
        | CellKind::Date
        | CellKind::Bool
        | CellKind::Error => Cow::Borrowed(text),
    };
    Kept {
        text,
        kind,
        keeps_numbers: false,
        look: None,
        is_spoiled: false,
    }
}

/// A whole number as spreadsheets write a long one: `12345678901234568` is `1.23456789012345E+16`.
fn scientific(text: &str) -> Option<String> {
    /// The digits that a spreadsheet keeps.
    const DIGITS: usize = 15;
    let is_whole = text.len() > DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    let (first, rest) = text.split_at_checked(1).filter(|_| is_whole)?;
    let decimals = rest.get(..DIGITS - 1)?;
    Some(format!("{first}.{decimals}E+{}", rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::result::samples::{finding, row};

    #[test]
    fn old_result_columns_are_left_out_and_findings_follow_their_columns() {
        let header = row(1, &["order_id", "result_status", "SKU", "Colour"]);
        let shape = Shape::new(&[0, 2, 3], &[], &header);
        let cells: Vec<String> = shape
            .own_cells(&row(2, &["1001", "created", "TEE-S"]))
            .map(|cell| cell.text.into_owned())
            .collect();
        assert_eq!(cells, ["1001", "TEE-S", ""]);
        for (column, cell) in [
            (Some(0), Some("A7")),
            (Some(2), Some("B7")),
            (Some(1), None),
            (None, None),
        ] {
            let finding = finding(Code::UnknownSku, 7, column, "");
            assert_eq!(shape.cell(&finding).map(|cell| cell.to_string()).as_deref(), cell);
        }
    }

    #[test]
    fn numbers_stay_numbers_but_in_ids_and_zips() {
        let header = row(1, &["order_id", "quantity", "Price"]);
        let shape = Shape::new(&[0, 1, 2], &[2], &header).counting(vec![1]);
        let cells = row(2, &["1001", "2", "12.5"]);
        let keeps: Vec<bool> = shape.own_cells(&cells).map(|cell| cell.keeps_numbers).collect();
        assert_eq!(keeps, [false, true, true]);
        let kinds = |quantity: &str| -> Vec<CellKind> {
            let cells = row(2, &["1001", quantity, "12.5"]);
            shape.own_cells(&cells).map(|cell| cell.kind).collect()
        };
        let (text, number) = (CellKind::Text, CellKind::Number);
        assert_eq!(kinds("2"), [text, number, text]);
        for other in ["02", "2.0", "two", ""] {
            assert_ne!(kinds(other)[1], number, "{other}");
        }
    }

    #[test]
    fn a_long_number_stays_whole_where_it_is_no_field_of_an_order() {
        let header = row(1, &["order_id", "quantity", "Barcode"]);
        let shape = Shape::new(&[0, 1, 2], &[2], &header).counting(vec![1]);
        let mut numbers = Row::default();
        numbers.start(2);
        for _ in 0..3 {
            numbers.push("5551234567890123", CellKind::LostDigits);
        }
        let cells: Vec<Kept<'_>> = shape.own_cells(&numbers).collect();
        let texts: Vec<&str> = cells.iter().map(Kept::as_text).collect();
        let lost = "5.55123456789012E+15";
        assert_eq!(texts, [lost, lost, "5551234567890123"]);
        assert_eq!((cells[2].kind, cells[2].keeps_numbers), (CellKind::Number, true));
    }

    #[test]
    fn a_formula_without_result_stays_blank_where_it_is_no_field_of_an_order() {
        let header = row(1, &["order_id", "Margin"]);
        let shape = Shape::new(&[0, 1], &[1], &header);
        let mut formulas = Row::default();
        formulas.start(2);
        formulas.push("", CellKind::NoValue);
        formulas.push("", CellKind::NoValue);
        let texts: Vec<String> = shape
            .own_cells(&formulas)
            .map(|cell| cell.text.into_owned())
            .collect();
        assert_eq!(texts, ["#VALUE!", ""]);
    }

    #[test]
    fn cells_beyond_the_header_are_kept() {
        let header = row(1, &["order_id", "SKU"]);
        let shape = Shape::new(&[0, 1], &[], &header);
        let beyond = |cells: &[&str]| -> Vec<String> {
            let row = row(2, cells);
            shape.overhang(&row).map(|cell| cell.text.into_owned()).collect()
        };
        assert_eq!(beyond(&["1", "2", "", "x", ""]), ["", "x"]);
        assert_eq!(beyond(&["1", "2", ""]), [""; 0]);
        assert_eq!(beyond(&["1"]), [""; 0]);
    }

    #[test]
    fn a_date_that_was_an_id_does_not_look_whole_as_text() {
        let header = row(1, &["order_id", "shipping_address1", "Due"]);
        let layout = Layout::read(&row(
            1,
            &[
                "order_id",
                "shipping_name",
                "shipping_address1",
                "shipping_city",
                "shipping_zip",
                "shipping_country_code",
                "item_sku",
                "quantity",
                "Due",
            ],
        ));
        let shape = Shape::of(&layout.unwrap(), &header);
        let dates = |number: u32| {
            let mut dates = Row::default();
            dates.start(number);
            for _ in 0..9 {
                dates.push("2026-04-03", CellKind::Date);
            }
            let cells: Vec<String> = shape
                .own_cells(&dates)
                .map(|cell| cell.as_text().to_owned())
                .collect();
            cells
        };
        let lost = "#VALUE!";
        let date = "2026-04-03";
        assert_eq!(dates(2), [lost, lost, lost, lost, lost, date, lost, date, date]);
        assert_eq!(dates(1), [date; 9], "above the rows nothing is an id");
    }

    #[test]
    fn a_lost_value_does_not_look_whole_when_it_is_dropped_again() {
        for (text, kind, shown) in [
            ("12345678901234568", CellKind::LostDigits, "1.23456789012345E+16"),
            ("", CellKind::NoValue, "#VALUE!"),
            ("#N/A", CellKind::Error, "#N/A"),
            ("12345678901234568", CellKind::Text, "12345678901234568"),
        ] {
            assert_eq!(kept(text, kind).text, shown);
        }
    }
}
