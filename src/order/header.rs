//! The texts of a sheet's header, to know a row that repeats them: sheets that were put together from several have each
//! one's header between the orders.

use crate::sheet::Row;

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
            let cell = row.text(*column).trim();
            if cell.eq_ignore_ascii_case(text) {
                same += 1;
            } else if !cell.is_empty() {
                return false;
            }
        }
        same >= AT_LEAST
    }
}

impl Layout {
    /// Whether a row below the header says the same again.
    pub(crate) fn repeats_header(&self, row: &Row) -> bool {
        self.header.is_repeated_by(row)
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
        ] {
            assert_eq!(header.is_repeated_by(&row(cells)), repeats, "{cells:?}");
        }
    }
}
