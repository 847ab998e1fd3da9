//! Columns that correct what another one says, or say where a parcel goes instead: `New address`, `SKU (corrected)`, `Forward
//! to`. They are not read; what they say otherwise would be lost.

use crate::sheet::Row;

use super::super::columns::{Field, Fit, is_result, normalized};
use super::unread::words_of;

/// What says before a column's name that it corrects that one.
const BEFORE: [&str; 29] = [
    "new",
    "correct",
    "corrected",
    "correction",
    "updated",
    "revised",
    "changed",
    "amended",
    "replacement",
    "substitute",
    "neue",
    "neuer",
    "neues",
    "korrigierte",
    "korrigierter",
    "richtige",
    "geänderte",
    "nouvelle",
    "nouveau",
    "nueva",
    "nuevo",
    "nuova",
    "nuovo",
    "nova",
    "novo",
    "nieuw",
    "nieuwe",
    "gecorrigeerde",
    "gewijzigde",
];

/// The same behind it. What is done to it may have a day there: `Address updated`.
const BEHIND: [&str; 14] = [
    "new",
    "correction",
    "neu",
    "korrektur",
    "korrigiert",
    "nouvelle",
    "corrigée",
    "corrigee",
    "nueva",
    "corregida",
    "nuova",
    "corretta",
    "nieuw",
    "gecorrigeerd",
];

/// What says so before a `to`.
const CHANGED: [&str; 5] = ["changed", "corrected", "updated", "change", "moved"];

/// Of those before it, what may be of a second piece: its number says nothing of the first's.
const OF_ANOTHER: [&str; 2] = ["replacement", "substitute"];

/// What says by itself where a parcel goes instead, without spaces.
const INSTEAD: [&str; 16] = [
    "forwardto",
    "forwardingto",
    "forwardingaddress",
    "redirectto",
    "rerouteto",
    "divertto",
    "movedto",
    "weiterleitenan",
    "nachsendenan",
    "nachsendeadresse",
    "giftrecipientaddress",
    "changeofaddress",
    "addresschange",
    "changeaddressto",
    "adressänderung",
    "adressaenderung",
];

/// The columns that correct the address, with what they are of: its street, which may be all of it, or its zip. Not those of
/// the `others`, which are told of already.
pub(super) fn of_the_address(header: &Row, others: &[Vec<usize>]) -> Vec<(Field, usize)> {
    let field = |column: usize| {
        let text = header.text(column);
        if is_result(text) || others.iter().any(|columns| columns.contains(&column)) {
            return None;
        }
        let is_instead = INSTEAD.contains(&normalized(text).as_str());
        let field = is_instead
            .then_some(Field::ShippingAddress1)
            .or_else(|| corrected(text));
        field.filter(|field| matches!(field, Field::ShippingAddress1 | Field::ShippingZip))
    };
    (0..header.len())
        .filter_map(|column| Some((field(column)?, column)))
        .collect()
}

/// The item's field that a column corrects.
pub(super) fn of_the_item(header: &str) -> Option<Field> {
    corrected(header).filter(|field| matches!(field, Field::ItemSku | Field::Quantity))
}

/// The field that a header says to be corrected.
fn corrected(header: &str) -> Option<Field> {
    if Field::named(header).is_some() {
        return None;
    }
    let words: Vec<String> = words_of(header)
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_in_brackets = header.trim_end().ends_with(')');
    let (mark, name) = match words.as_slice() {
        [first, name @ ..] if BEFORE.contains(first) => (first, name),
        [name @ .., last, "to"] if CHANGED.contains(last) => (last, name),
        [name @ .., last] if BEHIND.contains(last) || (is_in_brackets && BEFORE.contains(last)) => {
            (last, name)
        }
        _ => return None,
    };
    let (field, fit) = Field::named(&name.concat())?;
    match field {
        Field::ShippingAddress1 | Field::ShippingZip | Field::ItemSku => Some(field),
        Field::Quantity if fit != Fit::Weak && !OF_ANOTHER.contains(mark) => Some(field),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::order::tests::drafts;

    #[test]
    fn a_header_says_what_it_corrects() {
        let (street, zip) = (Some(Field::ShippingAddress1), Some(Field::ShippingZip));
        let (sku, quantity) = (Some(Field::ItemSku), Some(Field::Quantity));
        for (header, field) in [
            ("New address", street),
            ("Neue Adresse", street),
            ("Nouvelle adresse", street),
            ("Correct address", street),
            ("Corrected Shipping Address", street),
            ("Address (new)", street),
            ("Address changed to", street),
            ("Address correction", street),
            ("New zip", zip),
            ("New SKU", sku),
            ("Replacement SKU", sku),
            ("SKU (corrected)", sku),
            ("New qty", quantity),
            ("Corrected Quantity", quantity),
            ("Replacement qty", None),
            ("New count", None),
            ("Address updated", None),
            ("Address changed", None),
            ("Old address", None),
            ("New customer", None),
            ("New", None),
            ("Address", None),
            ("Changed to", None),
            ("", None),
        ] {
            assert_eq!(corrected(header), field, "{header}");
        }
    }

    /// How often a second address or item is told of beside an order's columns.
    fn told(name: &str, text: &str) -> usize {
        let header = [
            "Order ID",
            "Shipping Name",
            "Shipping Address 1",
            "Shipping City",
            "Shipping State",
            "Shipping Zip",
            "Shipping Country",
            "SKU",
            "Quantity",
            name,
        ];
        let row = [
            "1",
            "Ann Lee",
            "1 Main St",
            "Springfield",
            "IL",
            "62701",
            "US",
            "TEE-BLK-M",
            "1",
            text,
        ];
        let draft = drafts(&header, &[row.map(str::to_owned).to_vec()]).remove(0);
        let findings = draft.findings().iter();
        findings
            .filter(|finding| finding.code == Code::RepeatedColumn)
            .count()
    }

    #[test]
    fn what_corrects_the_order_is_an_error_where_it_says_something_else() {
        for (name, text) in [
            ("New address", "5 Oak Ave, Austin, TX 78701"),
            ("Neue Adresse", "Eichenweg 5, 80331 München"),
            ("Corrected address", "5 Oak Ave"),
            ("Correct address", "1 Main St, Chicago, IL 60601"),
            ("Forward to", "5 Oak Ave, Austin TX"),
            ("Change of address", "5 Oak Ave, Austin TX 78701"),
            ("Address change", "5 Oak Ave, Austin TX 78701"),
            ("Adressänderung", "Eichenweg 5, 80331 München"),
            ("Alt address", "5 Oak Ave, Austin TX 78701"),
            ("Alt. shipping address", "5 Oak Ave, Austin TX 78701"),
            ("Alternative address", "5 Oak Ave, Austin TX 78701"),
            ("Gift recipient address", "5 Oak Ave, Austin, TX 78701"),
            ("New address", "1 Main St, Apt 4, Springfield, IL 62701"),
            ("Corrected zip", "78701"),
            ("New SKU", "TEE-BLK-L"),
            ("Replacement SKU", "TEE-BLK-L"),
            ("New qty", "2"),
        ] {
            assert_eq!(told(name, text), 1, "{name}: {text}");
        }
        for (name, text) in [
            ("New address", ""),
            ("New address", "no"),
            ("New address", "x"),
            ("New address?", "yes"),
            ("New address", "2026-11-20"),
            ("Change of address", ""),
            ("Change of address", "no"),
            ("Change of address", "2026-11-20"),
            ("Change of address", "1 Main St, Springfield, IL 62701"),
            ("Alt address", "-"),
            ("Alt address", "1 Main St, Springfield, IL 62701"),
            ("New address", "ann2@example.com"),
            ("New address", "1 Main St, Springfield, IL 62701"),
            ("Corrected address", "1 MAIN STREET SPRINGFIELD IL 62701-1234"),
            ("Correct address", "1 Main Street"),
            ("Forward to", "production"),
            ("Corrected zip", "62701-1234"),
            ("Corrected zip", "yes"),
            ("New SKU", "tee-blk-m"),
            ("Correct SKU", "yes"),
            ("New qty", "1"),
            ("New qty", "see note"),
            ("New qty", "-"),
            ("New customer", "yes"),
            ("New in stock", "5"),
        ] {
            assert_eq!(told(name, text), 0, "{name}: {text}");
        }
    }
}
