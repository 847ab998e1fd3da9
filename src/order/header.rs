//! The texts of a sheet's header, to know a row that repeats them: sheets that were put together from several have each
//! one's header between the orders.

use crate::sheet::Row;

use super::columns::Field;
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
    /// Whether a row below the header says the same again.
    pub(crate) fn repeats_header(&self, row: &Row) -> bool {
        self.header.is_repeated_by(row)
    }

    /// Whether a row below the header is another header, with the same names in other columns.
    pub(crate) fn is_other_header(&self, row: &Row) -> bool {
        self.column(Field::OrderId)
            .is_some_and(|column| self.header.is_said_otherwise_by(row, column))
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
}
