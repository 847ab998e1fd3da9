//! A cell that holds a whole line: `name:Tee|sku:AB-1|quantity:2`.

use super::columns::Field;
use super::profile::written::Packed;
use crate::sheet::Row;

/// What stands between the parts of a key that stands for a missing SKU: `1234567890 / Size: M`.
pub(super) const BETWEEN_KEYS: &str = " / ";

/// What a packed line calls its pieces that were taken back.
const REFUNDED_PIECES: [&str; 3] = ["refunded_qty", "qty_refunded", "refunded_quantity"];

/// What it calls the amount that was paid back for it: a shop may do so without a word of pieces.
const REFUNDED_AMOUNTS: [&str; 4] = ["refunded", "refunded_total", "total_refunded", "refunded_amount"];

/// A line in a packed cell.
#[derive(Clone, Debug)]
pub(crate) struct PackedLine {
    pub(crate) column: usize,
    pub(crate) texts: [(Field, String); 3],
}

/// The parts of a cell by name, lower case. What has no name belongs to the part before it: names hold separators.
pub(super) fn parts(cell: &str, between: &str, after_name: &str) -> Vec<(String, String)> {
    let mut parts: Vec<(String, String)> = Vec::new();
    for piece in cell.split(between) {
        match piece.split_once(after_name).filter(|(name, _)| is_name(name)) {
            Some((name, text)) => parts.push((name.trim().to_lowercase(), text.to_owned())),
            None => {
                if let Some((_, text)) = parts.last_mut() {
                    text.push_str(between);
                    text.push_str(piece);
                }
            }
        }
    }
    for (_, text) in &mut parts {
        *text = text.trim().to_owned();
    }
    parts
}

/// The part of a line that a cell has twice: then it holds more than one.
pub(super) fn stands_twice<'p>(packed: &'p Packed, cell: &str) -> Option<&'p str> {
    let parts = parts(cell, &packed.between, &packed.after_name);
    let is_twice = |name: &&str| parts.iter().filter(|(known, _)| known == name).count() > 1;
    let mut names = [packed.item_sku.as_str(), packed.quantity.as_str()].into_iter();
    names.find(is_twice)
}

/// Whether a cell holds a line, whatever its column is called.
pub(super) fn holds_a_line(packed: &Packed, cell: &str) -> bool {
    let parts = parts(cell, &packed.between, &packed.after_name);
    let has = |name: &str| parts.iter().any(|(known, _)| known == name);
    has(&packed.quantity) && (has(&packed.item_sku) || packed.sku_key.iter().any(|name| has(name)))
}

/// What a packed cell tells of what was taken back, as the end of a sentence.
pub(super) fn taken_back(packed: &Packed, cell: &str) -> Option<&'static str> {
    let parts = parts(cell, &packed.between, &packed.after_name);
    let is_number = |text: &str| text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    let is_told = |names: &[&str]| {
        let mut told = parts.iter().filter(|(name, _)| names.contains(&name.as_str()));
        told.any(|(_, text)| is_number(text))
    };
    if is_told(&REFUNDED_PIECES) {
        Some("pieces of it are refunded in the shop")
    } else {
        is_told(&REFUNDED_AMOUNTS).then_some("a part of it is refunded in the shop")
    }
}

/// The line in a packed cell of a row.
pub(super) fn line_of(packed: &Packed, row: &Row, column: usize) -> PackedLine {
    let parts = parts(row.text(column), &packed.between, &packed.after_name);
    let part = |name: &str| {
        parts
            .iter()
            .find(|(known, _)| known == name)
            .map_or("", |(_, text)| text.as_str())
    };
    let mut sku = part(&packed.item_sku).to_owned();
    if sku.is_empty() {
        let keys: Vec<&str> = packed
            .sku_key
            .iter()
            .map(|name| part(name))
            .filter(|text| !text.is_empty())
            .collect();
        sku = keys.join(BETWEEN_KEYS);
    }
    let name = packed.product_name.as_deref().map_or("", part);
    let texts = [
        (Field::ItemSku, sku),
        (Field::Quantity, part(&packed.quantity).to_owned()),
        (Field::ProductName, name.to_owned()),
    ];
    PackedLine { column, texts }
}

/// Names are words of small letters: `Size: M` within a product's name is none.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_taken_apart_by_its_names() {
        for (cell, wanted) in [
            (
                "name:Tee|product_id:12|sku:AB-1|quantity:2|total:24.00",
                vec![
                    ("name", "Tee"),
                    ("product_id", "12"),
                    ("sku", "AB-1"),
                    ("quantity", "2"),
                    ("total", "24.00"),
                ],
            ),
            (
                "name:Tee | Size: M|sku:|quantity:1",
                vec![("name", "Tee | Size: M"), ("sku", ""), ("quantity", "1")],
            ),
            (
                "name:Print 3:2|quantity:1",
                vec![("name", "Print 3:2"), ("quantity", "1")],
            ),
            ("nothing at all", vec![]),
        ] {
            let parts = parts(cell, "|", ":");
            let parts: Vec<(&str, &str)> = parts
                .iter()
                .map(|(name, text)| (name.as_str(), text.as_str()))
                .collect();
            assert_eq!(parts, wanted, "{cell}");
        }
    }
}
