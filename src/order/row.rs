//! What a row says by itself, before it is read as a part of its order. What is to be said of its cells is said then.

use crate::sheet::Row;

use super::cells::Cells;
use super::columns::Field;
use super::layout::Layout;

impl Layout {
    /// The id of a row's order as in the sheet, mended; empty where it has none.
    pub fn order_id(&self, row: &Row) -> String {
        let lines = Cells::read_lines(self, row, &mut Vec::new());
        lines
            .first()
            .map_or_else(String::new, |line| line.text(Field::OrderId).to_owned())
    }

    /// Whether a row, the first of its order, asks to cancel it.
    pub fn asks_to_cancel(&self, row: &Row) -> bool {
        self.column(Field::Action)
            .is_some_and(|column| row.text(column).trim().eq_ignore_ascii_case("cancel"))
    }

    /// The SKUs that a row names, in the merchant's own words.
    pub fn skus(&self, row: &Row) -> Vec<String> {
        if self.repeats_header(row) {
            return Vec::new();
        }
        if self.shop().is_none() {
            let column = self.sku_column();
            return column
                .map(|column| row.text(column).trim().to_owned())
                .into_iter()
                .collect();
        }
        let lines = Cells::read_lines(self, row, &mut Vec::new());
        lines
            .iter()
            .map(|line| line.text(Field::ItemSku).to_owned())
            .collect()
    }
}
