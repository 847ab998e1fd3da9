//! What stands for a SKU that a line of a shop's export does not have: its listing's number, its product's name.

use super::Cells;
use crate::finding::Finding;
use crate::order::columns::Field;
use crate::order::layout::column_ref;
use crate::order::mend::mend;
use crate::order::shop::Shop;
use crate::sheet::{CellKind, Row};

impl Cells {
    /// Reads what stands for a SKU that is not given. What was lost is looked for in each of its cells: listings whose number
    /// a spreadsheet has rounded are one and the same.
    pub(super) fn read_key(&mut self, shop: &Shop, row: &Row, findings: &mut Vec<Finding>) {
        let field = Field::ItemSku;
        self.replace(field, mend(field, &shop.key(row), CellKind::Text).text);
        let read = shop.key_columns().filter(|column| row.has_text(*column));
        self.key_columns = read.filter_map(column_ref).collect();
        for column in shop.key_columns() {
            let mended = mend(field, row.text(column), row.kind(column));
            if mended.is_lost() {
                self.spoil(field);
                let remark = mended.remark.into_iter();
                findings.extend(remark.map(|remark| remark.at(self.row, column_ref(column))));
            }
        }
    }

    /// The cells of what stands for a SKU that is not given, by their columns.
    pub(crate) fn key_columns(&self) -> &[u16] {
        &self.key_columns
    }
}
