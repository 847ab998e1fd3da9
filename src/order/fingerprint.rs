//! What the merchant's own cells of an order come to, as hashes: to know the same order when it comes again, and to
//! name what differs after the content itself is erased.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::cells::Cells;
use super::columns::{Field, Level};
use super::draft::Draft;

/// The version of the method. A ledger holds fingerprints of every version that ever was, and an order is compared in
/// the version in which it was kept.
const VERSION: &str = "2";

/// The first version: places as they were written, and the lines as one field.
const FIRST: &str = "1";

/// The hexadecimal digits that are kept of a field's hash: enough to name what differs, and a ledger keeps some twenty
/// an order.
const KEPT_DIGITS: usize = 16;

/// The name under which the lines count as one field: all there was of them in the first version, and what is left to
/// name where every value is the same and only the lines that they stand in differ.
const LINES: &str = "order lines";

/// A versioned hash of the merchant's own cells after mending (address, every line's SKU, quantity, artwork),
/// independent of the order of the rows and of how a place is written (`USA`, `United States`), with a hash a field so
/// that a difference can be named after the content itself is erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The hash of everything, with the version of the method in front: `2:9f86d0…`.
    pub whole: String,
    /// A field's name and the beginning of the hash of its value, or of the values on all lines. Blank fields are left
    /// out, so that a column more or less makes no difference.
    pub fields: Vec<(String, String)>,
}

impl Fingerprint {
    pub(crate) fn of(draft: &Draft) -> Self {
        let mut fields = of_the_order(draft, |field| place(draft, field));
        for field in Field::ALL.into_iter().filter(|field| of_the_line(*field)) {
            let mut values: Vec<String> = draft
                .content_lines()
                .map(|line| line_value(line, field))
                .collect();
            if values.iter().any(|value| !value.is_empty()) {
                values.sort_unstable();
                fields.push(hashed(draft, field.name(), &values));
            }
        }
        fields.push(lines(draft));
        Self::whole(VERSION, draft, fields)
    }

    /// The same in the version of a fingerprint that was kept, so that both can be compared.
    pub(crate) fn like(kept: &str, draft: &Draft) -> Self {
        match kept.split_once(':') {
            Some((FIRST, _)) => {
                let mut fields = of_the_order(draft, |_| None);
                fields.push(lines(draft));
                Self::whole(FIRST, draft, fields)
            }
            _ => Self::of(draft),
        }
    }

    /// Whether it is of the version of one that was kept.
    pub(crate) fn is_like(&self, kept: &str) -> bool {
        let version = |whole: &str| whole.split_once(':').map(|(version, _)| version.to_owned());
        version(&self.whole) == version(kept)
    }

    fn whole(version: &str, draft: &Draft, mut fields: Vec<(String, String)>) -> Self {
        let mut parts = vec![draft.order_id()];
        parts.extend(
            fields
                .iter()
                .flat_map(|(name, hash)| [name.as_str(), hash.as_str()]),
        );
        let whole = format!("{version}:{}", hash(&parts));
        for (_name, hash) in &mut fields {
            hash.truncate(KEPT_DIGITS);
        }
        Self { whole, fields }
    }

    /// The names of the fields that differ, as the sheet's columns are named.
    pub fn differing(&self, other: &Self) -> Vec<String> {
        // Of one that was kept long ago the hashes may be whole.
        let is_same = |a: &(String, String), b: &(String, String)| {
            a.0 == b.0 && (a.1.starts_with(&b.1) || b.1.starts_with(&a.1))
        };
        let has = |of: &Self, field| of.fields.iter().any(|known| is_same(known, field));
        let mut names: Vec<String> = Vec::new();
        for field in self.fields.iter().filter(|field| !has(other, field)) {
            names.push(field.0.clone());
        }
        for field in other.fields.iter().filter(|field| !has(self, field)) {
            if !names.contains(&field.0) {
                names.push(field.0.clone());
            }
        }
        // It differs with every value of a line: it is worth a word only where nothing else does.
        if names.len() > 1 {
            names.retain(|name| name != LINES);
        }
        names
    }
}

/// The fields that speak of the whole order and are not blank; `instead` gives another text for one.
fn of_the_order(draft: &Draft, instead: impl Fn(Field) -> Option<String>) -> Vec<(String, String)> {
    Field::ALL
        .into_iter()
        .filter(|field| is_content(*field) && field.column().level == Level::Order)
        .map(|field| {
            let text = instead(field).unwrap_or_else(|| draft.value(field).text.to_owned());
            (field, text)
        })
        .filter(|(_, text)| !text.is_empty())
        .map(|(field, text)| hashed(draft, field.name(), &[text]))
        .collect()
}

/// A country or province by its code alone, whether code, name or both say it: the name's field is then blank.
fn place(draft: &Draft, field: Field) -> Option<String> {
    let country = draft.destination();
    let province = || {
        let texts =
            [Field::ShippingProvinceCode, Field::ShippingProvince].map(|field| draft.value(field).text);
        let found: Vec<_> = texts.iter().filter_map(|text| country?.province(text)).collect();
        // Two that disagree, or words of which one is not known, are what is written.
        let said = texts.iter().filter(|text| !text.is_empty()).count();
        let agree = found.len() == said && found.windows(2).all(|pair| matches!(pair, [a, b] if a == b));
        found
            .first()
            .filter(|_| agree)
            .map(|province| province.code.to_owned())
    };
    match field {
        Field::ShippingCountryCode => country.map(|country| country.code.clone()),
        Field::ShippingCountry => country.map(|_| String::new()),
        Field::ShippingProvinceCode => province(),
        Field::ShippingProvince => province().map(|_| String::new()),
        _ => None,
    }
}

fn hashed(draft: &Draft, name: &str, values: &[String]) -> (String, String) {
    let mut parts = vec![draft.order_id(), name];
    parts.extend(values.iter().map(String::as_str));
    (name.to_owned(), hash(&parts))
}

/// The lines as one field, whatever their order.
fn lines(draft: &Draft) -> (String, String) {
    let mut lines: Vec<String> = draft.content_lines().map(line_hash).collect();
    lines.sort_unstable();
    hashed(draft, LINES, &lines)
}

fn of_the_line(field: Field) -> bool {
    field.column().level == Level::Line
}

/// What a line says of a field. The catalog writes a SKU in its own case: the merchant's case is not content.
fn line_value(line: &Cells, field: Field) -> String {
    let text = own_text(line, field);
    if field == Field::ItemSku {
        text.to_lowercase()
    } else {
        text.to_owned()
    }
}

/// A line of the merchant's own: as it was before the SKU map, and as it was ordered, whatever of it is left to send.
fn own_text(line: &Cells, field: Field) -> &str {
    if let Some(own) = line.own() {
        let said = own.texts.iter().find(|(known, _)| *known == field);
        return said.map_or("", |(_, text)| text);
    }
    let ordered = line.says().map_or("", |says| says.ordered.as_str());
    match field {
        Field::Quantity if !ordered.is_empty() => ordered,
        _ => line.text(field),
    }
}

/// What a line says of each of its fields, to be kept before the SKU map replaces some.
pub(super) fn line_texts(line: &Cells) -> Vec<(Field, String)> {
    Field::ALL
        .into_iter()
        .filter(|field| of_the_line(*field))
        .map(|field| (field, own_text(line, field).to_owned()))
        .filter(|(_, text)| !text.is_empty())
        .collect()
}

/// What is asked of dropsheet itself, and the id, are not what is printed.
fn is_content(field: Field) -> bool {
    !matches!(field, Field::OrderId | Field::ExpectedTotal | Field::Action)
}

/// A line of the merchant's own as one hash.
fn line_hash(line: &Cells) -> String {
    let sku = line_value(line, Field::ItemSku);
    let mut parts = vec![Field::ItemSku.name(), &sku];
    for field in Field::ALL.into_iter().filter(|field| of_the_line(*field)) {
        let text = own_text(line, field);
        if field != Field::ItemSku && !text.is_empty() {
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
    HEXLOWER.encode(&hasher.finalize())
}
