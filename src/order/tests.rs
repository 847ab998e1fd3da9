//! Rows for the tests of this room, and the facts about whole orders.

use crate::sheet::{CellKind, Row};

/// Every native column, in the order of the interface.
pub(crate) const NATIVE: [&str; 25] = [
    "order_id",
    "shipping_name",
    "shipping_phone",
    "shipping_address1",
    "shipping_address2",
    "shipping_city",
    "shipping_province",
    "shipping_province_code",
    "shipping_zip",
    "shipping_country",
    "shipping_country_code",
    "shipping_service",
    "item_sku",
    "quantity",
    "product_name",
    "made_in_location",
    "variant_note",
    "mockup_url",
    "artwork_front",
    "artwork_back",
    "artwork_2",
    "artwork_3",
    "artwork_4",
    "artwork_5",
    "expected_total",
];

/// A row of text cells.
pub(crate) fn text_row(number: u32, cells: &[&str]) -> Row {
    let mut row = Row::default();
    row.start(number);
    for cell in cells {
        let kind = if cell.is_empty() {
            CellKind::Blank
        } else {
            CellKind::Text
        };
        row.push(cell, kind);
    }
    row
}
