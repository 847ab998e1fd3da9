//! What the merchant's own cells of an order come to, as hashes: to know the same order when it comes again, and to
//! name what differs after the content itself is erased.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::cells::Cells;
use super::columns::{Field, Level};
use super::draft::Draft;

/// The version of the method. A ledger holds fingerprints of every version that ever was.
const VERSION: &str = "1";

/// The name under which the lines count as one field.
const LINES: &str = "order lines";

/// A versioned hash of the merchant's own cells after mending (address, every line's SKU, quantity, artwork),
/// independent of the order of the rows, with a hash a field so that a difference can be named after the content
/// itself is erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The hash of everything, with the version of the method in front: `1:9f86d0…`.
    pub whole: String,
    /// A field's name and the hash of its value; the lines count as one field, `order lines`. Blank fields are
    /// left out, so that a column more or less makes no difference.
    pub fields: Vec<(String, String)>,
}

impl Fingerprint {
    pub(crate) fn of(draft: &Draft) -> Self {
        let id = draft.order_id();
        let mut fields: Vec<(String, String)> = Field::ALL
            .into_iter()
            .filter(|field| is_content(*field) && field.column().level == Level::Order)
            .map(|field| (field, draft.value(field).text))
            .filter(|(_, text)| !text.is_empty())
            .map(|(field, text)| (field.name().to_owned(), hash(&[id, field.name(), text])))
            .collect();
        let mut lines: Vec<String> = draft.content_lines().map(line_hash).collect();
        lines.sort_unstable();
        let mut parts = vec![id, LINES];
        parts.extend(lines.iter().map(String::as_str));
        fields.push((LINES.to_owned(), hash(&parts)));
        let mut parts = vec![id];
        parts.extend(
            fields
                .iter()
                .flat_map(|(name, hash)| [name.as_str(), hash.as_str()]),
        );
        let whole = format!("{VERSION}:{}", hash(&parts));
        Self { whole, fields }
    }

    /// The names of the fields that differ, as the sheet's columns are named; `order lines` for the lines.
    pub fn differing(&self, other: &Self) -> Vec<String> {
        let has = |of: &Self, field: &(String, String)| of.fields.contains(field);
        let mut names: Vec<String> = Vec::new();
        for field in self.fields.iter().filter(|field| !has(other, field)) {
            names.push(field.0.clone());
        }
        for field in other.fields.iter().filter(|field| !has(self, field)) {
            if !names.contains(&field.0) {
                names.push(field.0.clone());
            }
        }
        names
    }
}

/// What is asked of dropsheet itself, and the id, are not what is printed.
fn is_content(field: Field) -> bool {
    !matches!(field, Field::OrderId | Field::ExpectedTotal | Field::Action)
}

/// The hash of a line of the merchant's own: as it was before the SKU map, and as it was ordered, whatever of it is
/// left to send.
pub(super) fn line_hash(line: &Cells) -> String {
    if let Some(own) = line.own() {
        return own.hash.clone();
    }
    let ordered = line.says().map_or("", |says| says.ordered.as_str());
    // The catalog writes a SKU in its own case: the merchant's case is not content.
    let sku = line.text(Field::ItemSku).to_lowercase();
    let mut parts = vec![Field::ItemSku.name(), &sku];
    for field in Field::ALL {
        let of_the_line = field.column().level == Level::Line && field != Field::ItemSku;
        let text = match field {
            Field::Quantity if !ordered.is_empty() => ordered,
            _ => line.text(field),
        };
        if of_the_line && !text.is_empty() {
            parts.extend([field.name(), text]);
        }
    }
    hash(&parts)
}

/// The SHA-256 of texts, each told from the next, as 64 hexadecimal digits.
fn hash(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
        // No UTF-8 text holds this byte.
        hasher.update([0xff]);
    }
    hasher
        .finalize()
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}
