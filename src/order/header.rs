//! The texts of a sheet's header, to know a row that repeats them: sheets that were put together from several have each
//! one's header between the orders.

use crate::sheet::Row;

use super::columns::{Field, is_result};
use super::layout::Layout;

/// So many cells of a row must be as in the header; fewer may be so by chance.
const AT_LEAST: usize = 3;

/// The texts of a header, each with its column, counted from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Header(Vec<(usize, String)>);

impl Header {
    /// Of the columns that are the sheet's own.
    pub(super) fn of(header: &Row, own: &[usize]) -> Self {
        let texts = own
            .iter()
            .map(|column| (*column, header.text(*column).trim().to_owned()));
        Self(texts.filter(|(_, text)| !text.is_empty()).collect())
    }

    /// Whether each cell of the row that is not blank says what the header says there.
    pub(super) fn is_repeated_by(&self, row: &Row) -> bool {
        let mut same = 0_usize;
        for (column, text) in &self.0 {
            let cell = bare(row.text(*column));
            if cell.eq_ignore_ascii_case(text) {
                same += 1;
            } else if !cell.is_empty() {
                return false;
            }
        }
        same >= AT_LEAST
    }

    /// Whether at least half of a row's cells say what the header says there.
    fn is_mostly(&self, row: &Row) -> bool {
        let is_same = |(column, text): &&(usize, String)| bare(row.text(*column)).eq_ignore_ascii_case(text);
        let same = self.0.iter().filter(is_same).count();
        let cells = row.iter().filter(|cell| !bare(cell).is_empty()).count();
        same.saturating_mul(2) >= cells
    }

    /// Whether a row holds the header's texts in other columns: what stands below it would be read by the first header all
    /// the same, and a city be taken for a street. Where its id stands, such a row has one of the texts.
    fn is_said_otherwise_by(&self, row: &Row, id_column: usize) -> bool {
        let is_text = |cell: &str| self.0.iter().any(|(_, text)| cell.eq_ignore_ascii_case(text));
        if !is_text(bare(row.text(id_column))) || self.is_repeated_by(row) {
            return false;
        }
        // One header may have a column renamed that the other has in the same place.
        let own = |column: usize| self.0.iter().find(|(own, _)| *own == column);
        let is_elsewhere = |(column, cell): (usize, &str)| {
            let stays = own(column).is_some_and(|(_, text)| cell.eq_ignore_ascii_case(text));
            !stays && is_text(cell)
        };
        if !row.iter().map(bare).enumerate().any(is_elsewhere) {
            return false;
        }
        let texts = row.iter().map(bare).filter(|cell| is_text(cell));
        let others = row.iter().map(bare).filter(|cell| !cell.is_empty());
        let (texts, cells) = (texts.count(), others.count());
        texts >= AT_LEAST && texts.saturating_mul(2) > cells
    }
}

/// A cell without what stands around it: a file that was put behind another one begins with a mark of its own.
fn bare(cell: &str) -> &str {
    cell.trim_start_matches('\u{feff}').trim()
}

impl Layout {
    /// Whether a row below the header says the same again, in whatever writing.
    pub(crate) fn repeats_header(&self, row: &Row) -> bool {
        let is_like = || self.is_native() && self.named(row).is_some_and(|named| self.has_all(&named));
        self.header.is_repeated_by(row) || is_like()
    }

    /// Whether a row below the header is another header, with the same names in other columns, or with other names.
    pub(crate) fn is_other_header(&self, row: &Row) -> bool {
        let moved = self
            .column(Field::OrderId)
            .is_some_and(|column| self.header.is_said_otherwise_by(row, column));
        // A shop names its columns as it likes: one of them may be called otherwise in another export.
        let is_own = || !self.is_native() && self.header.is_mostly(row);
        moved || (self.named(row).is_some_and(|named| !self.has_all(&named)) && !is_own())
    }

    /// The fields that a row names, each with the column that names it best; none where the row is no header.
    fn named(&self, row: &Row) -> Option<[Option<usize>; Field::COUNT]> {
        // No name of a column begins with a digit, and few orders have three cells that do not.
        let begins_with_digit = |field| {
            let text = self.column(field).map(|column| bare(row.text(column)));
            text.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
        };
        let data = [Field::Quantity, Field::ShippingZip, Field::OrderId];
        if self.is_sku_map() || data.into_iter().any(begins_with_digit) {
            return None;
        }
        let mut best = [None; Field::COUNT];
        let (mut known, mut cells) = (0_usize, 0_usize);
        for (column, text) in row.iter().map(bare).enumerate() {
            if text.is_empty() || is_result(text) {
                continue;
            }
            cells += 1;
            let Some((field, fit)) = Field::named(text) else {
                continue;
            };
            known += 1;
            if let Some(slot) = best.get_mut(field.index())
                && slot.is_none_or(|(other, _)| fit < other)
            {
                *slot = Some((fit, column));
            }
        }
        let fields = best.iter().flatten().count();
        (fields >= AT_LEAST && known.saturating_mul(2) > cells)
            .then(|| best.map(|found| found.map(|(_, column)| column)))
    }

    /// Whether each of these fields is read from the column that names it.
    fn has_all(&self, named: &[Option<usize>; Field::COUNT]) -> bool {
        let mut all = Field::ALL.into_iter().zip(named);
        all.all(|(field, named)| named.is_none() || self.column(field) == *named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::text_row;

    fn row(cells: &[&str]) -> Row {
        text_row(1, cells)
    }

    #[test]
    fn a_row_repeats_the_header_where_every_cell_does() {
        let names = row(&["Order ID", "SKU", "", "Qty", "Note"]);
        let header = Header::of(&names, &[0, 1, 2, 3, 4]);
        for (cells, repeats) in [
            (&["Order ID", "SKU", "", "Qty", "Note"][..], true),
            (&["order id ", "sku", "", "qty"], true),
            (&["Order ID", "SKU"], false),
            (&["1001", "SKU", "", "Qty", "Note"], false),
            (&["Order ID", "SKU", "", "2", "Note"], false),
            (&["", "", "", "", ""], false),
            (&["\u{feff}Order ID", "SKU", "", "Qty", "Note"], true),
        ] {
            assert_eq!(header.is_repeated_by(&row(cells)), repeats, "{cells:?}");
        }
    }

    #[test]
    fn a_row_that_has_the_names_in_other_columns_is_another_header() {
        let names = row(&["Order ID", "SKU", "City", "Qty", "Note"]);
        let header = Header::of(&names, &[0, 1, 2, 3, 4]);
        for (cells, is_other) in [
            (&["Order ID", "City", "SKU", "Qty", "Note"][..], true),
            (&["SKU", "Order ID", "Qty", "Colour"], true),
            (&["Order ID", "SKU", "City", "Qty", "Note"], false),
            (&["1001", "City", "SKU", "Qty", "Note"], false),
            (&["Order ID", "SKU", "City", "Qty", "Notes"], false),
            (&["Note", "Qty"], false),
            (&["Note", "A", "B", "C", "D", "Qty", "City", "E"], false),
        ] {
            assert_eq!(header.is_said_otherwise_by(&row(cells), 0), is_other, "{cells:?}");
        }
    }

    #[test]
    fn another_header_is_known_in_any_writing_and_one_that_says_the_same_is_skipped() {
        let cells = |text: &'static str| row(&text.split(',').collect::<Vec<_>>());
        let layout = Layout::read(&cells(
            "order_id,name,address,city,zip,country,sku,qty,artwork,Weight",
        ))
        .unwrap();
        let (same, other, none) = ((true, false), (false, true), (false, false));
        for (text, expected) in [
            (
                "Order No,Recipient,Street Address,Town,Postcode,Country,SKU,Quantity",
                same,
            ),
            (
                "Order No,Recipient,Town,Street Address,Postcode,Country,SKU,Quantity",
                other,
            ),
            (",Name,City,Address,Zip,Country,SKU,Qty,Artwork", other),
            (
                "Order No,Name,Address,City,Zip,Country,SKU,Weight,Artwork,Qty",
                other,
            ),
            (
                "Bestellnummer,Empfänger,Ort,Straße und Hausnummer,PLZ,Land,SKU,Menge",
                other,
            ),
            ("1001,Name,City,Address,Zip,Country,SKU,Qty,Artwork", none),
            ("A-1,Ada,Front 1,City,43004,US,TEE,1,", none),
            ("A-1,,,,,,,,,Note", none),
        ] {
            let row = cells(text);
            assert_eq!(
                (layout.repeats_header(&row), layout.is_other_header(&row)),
                expected,
                "{text}"
            );
        }
    }
}
