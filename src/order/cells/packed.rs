//! Items that stand together in one cell, of which not each would be sent.

use super::Cells;
use crate::finding::{Code, Finding};
use crate::order::columns::Field;
use crate::order::layout::{Layout, column_ref};
use crate::order::mend::quoted;
use crate::order::shop::Shop;
use crate::sheet::Row;

impl Cells {
    /// What is said of items that are packed otherwise than one into each of the cells that are read.
    pub(super) fn packed_wrongly(&mut self, layout: &Layout, shop: &Shop, row: &Row) -> Vec<Finding> {
        let together = shop.packed_together(row).into_iter();
        let mut findings: Vec<Finding> = together
            .map(|(column, part)| several(shop, (row.number(), column), part))
            .collect();
        let needed = [Field::ItemSku, Field::Quantity];
        if !self.text(Field::ItemSku).is_empty() || self.is_spoiled(Field::ItemSku) {
            return findings;
        }
        if let Some(column) = shop.packed_elsewhere(row) {
            let is_blank = |field: &Field| self.text(*field).is_empty();
            let blank: Vec<Field> = needed.into_iter().filter(is_blank).collect();
            for field in blank {
                self.spoil(field);
            }
            findings.push(unread(shop, (row.number(), column), layout.header.text(column)));
        }
        findings
    }
}

/// Several items in one cell.
fn several(shop: &Shop, (row, column): (u32, usize), part: &str) -> Finding {
    Finding {
        code: Code::PartLeftOut,
        row,
        column: column_ref(column),
        message: format!(
            "The cell holds more than one item, for {} stands in it twice: only the first would be sent.",
            quoted(part)
        ),
        hint: one_each(shop),
    }
}

/// Items in a column that is not read.
fn unread(shop: &Shop, (row, column): (u32, usize), name: &str) -> Finding {
    Finding {
        code: Code::MissingValue,
        row,
        column: column_ref(column),
        message: format!(
            "The items stand in {}, a column that is not read: it may hold several in one cell.",
            quoted(name)
        ),
        hint: one_each(shop),
    }
}

fn one_each(shop: &Shop) -> String {
    let name = shop.packed_name();
    format!(
        "Export the orders with each item in a cell of its own (`{name}1`, `{name}2`, …) or in a row of its own."
    )
}
