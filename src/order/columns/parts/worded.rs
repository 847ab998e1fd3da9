//! Parts of an address that the words of a header tell of, however they are put together: `Flat/Unit`, `Extra address line`,
//! `Rue 3`. A word that is none of these makes it something else: `Unit price`, `Address verified`.

use super::{Part, Texts, WHERE, WHO};
use crate::order::columns::{Field, Fit, counts_last, normalized};

/// What is a part of a house.
const UNITS: [&str; 31] = [
    "flat",
    "apartment",
    "apt",
    "unit",
    "suite",
    "ste",
    "floor",
    "room",
    "door",
    "building",
    "bldg",
    "block",
    "appartement",
    "appt",
    "étage",
    "etage",
    "bâtiment",
    "batiment",
    "bât",
    "escalier",
    "porte",
    "wohnung",
    "stockwerk",
    "stiege",
    "tür",
    "piso",
    "puerta",
    "portal",
    "bloque",
    "escalera",
    "verdieping",
];

/// What stands beside such a word: that it has a number, or that another one follows.
const OF_UNITS: [&str; 22] = [
    "no", "nr", "n", "num", "number", "nummer", "numéro", "numero", "número", "or", "and", "oder", "und",
    "ou", "et", "y", "o", "of", "en", "d", "de", "etc",
];

/// What says of an address that there is more of it.
const MORE: [&str; 15] = [
    "extra",
    "more",
    "additional",
    "second",
    "secondary",
    "cont",
    "continued",
    "suite",
    "complémentaire",
    "complementaire",
    "adicional",
    "zusätzliche",
    "weitere",
    "tweede",
    "2",
];

/// What may say more of it or of what was found out about it.
const ABOUT: [&str; 6] = [
    "info",
    "infos",
    "information",
    "informations",
    "details",
    "detail",
];

/// What a line is called.
const LINES: [&str; 7] = ["line", "lines", "ligne", "zeile", "regel", "línea", "linea"];

/// What says that it is the recipient's, in words of their own.
const TO: [&str; 5] = ["shipping", "ship", "to", "delivery", "recipient"];

/// What the text below a header is a part of, by its words.
pub(super) fn part_of(header: &str) -> Option<Part> {
    if Field::named(header).is_some() {
        return None;
    }
    let words: Vec<String> = header
        .split(|c: char| !c.is_alphanumeric())
        .map(normalized)
        .filter(|word| !word.is_empty())
        .collect();
    numbered(&words.concat()).or_else(|| {
        let is_to = |word: &String| TO.contains(&word.as_str());
        let (to, words): (Vec<String>, Vec<String>) = words.into_iter().partition(is_to);
        let is_between = is_more(&words).or_else(|| is_of_a_house(&words).then_some(false))?;
        Some(Part {
            is_between,
            beside: (is_between || to.is_empty()).then_some(&WHERE),
            ..LINE_TWO
        })
    })
}

/// What belongs into the second line, wherever it stands.
const LINE_TWO: Part = Part {
    field: Field::ShippingAddress2,
    texts: Texts::All,
    beside: None,
    is_between: false,
};

/// A line of an address from the third on, or one of its second line or of a name from the second on, which a table has
/// numbered.
fn numbered(name: &str) -> Option<Part> {
    let number = name.chars().next_back()?.to_digit(10)?;
    let before = name.strip_suffix(|c: char| c.is_ascii_digit())?;
    let is_named = |name: &str, wanted| Field::named(name).is_some_and(|(field, _)| field == wanted);
    let is_second = |name: &str| is_named(name, Field::ShippingAddress2);
    let (is_part, beside): (bool, Option<&[Field]>) = match Field::named(before) {
        Some((Field::ShippingName, fit)) => {
            let is_a_buyers = Field::ShippingName.column().weak.contains(&before) || counts_last(before);
            (number > 1 && !is_a_buyers, (fit == Fit::Weak).then_some(&WHO))
        }
        Some((Field::ShippingAddress1, _)) => (number > 2, None),
        Some((Field::ShippingAddress2, _)) => (number > 0 && !before.ends_with('2'), None),
        _ => (number > 2 && is_second(&format!("{before}2")), None),
    };
    is_part.then_some(Part { beside, ..LINE_TWO })
}

/// Whether words tell of parts of a house, by two words at least: one alone may mean something else.
fn is_of_a_house(words: &[String]) -> bool {
    let is_unit = |word: &String| UNITS.contains(&word.as_str());
    let is_of_one = |word: &String| is_unit(word) || OF_UNITS.contains(&word.as_str());
    words.len() > 1 && words.iter().any(is_unit) && words.iter().all(is_of_one)
}

/// Whether words tell of more of an address; and whether only in the midst of one, as elsewhere they may tell of something
/// about it.
fn is_more(words: &[String]) -> Option<bool> {
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    let is_address = |word: &String| {
        let is_one = |name: &str| matches!(Field::named(name), Some((Field::ShippingAddress1, _)));
        !is_in(&LINES, word) && (is_one(word) || is_one(&format!("{word}1")))
    };
    let says_more = words.iter().any(|word| is_in(&MORE, word));
    let is_about = words.iter().any(|word| is_in(&ABOUT, word));
    let is_known =
        |word: &String| is_address(word) || is_in(&MORE, word) || is_in(&ABOUT, word) || is_in(&LINES, word);
    let is_of_one = words.iter().any(is_address) && words.iter().all(is_known);
    (is_of_one && (says_more || is_about)).then_some(is_about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_header_of_a_part_says_is_known_by_its_words() {
        for header in [
            "Flat/Unit",
            "Floor / Unit",
            "Suite & Floor",
            "Apt, suite, unit, building, floor, etc.",
            "Delivery Floor/Unit",
            "Numéro d'appartement",
            "N° d’étage",
            "Piso/Puerta",
            "Etage / Wohnung",
            "Secondary address",
            "Extra address line",
            "Extra adresregel",
            "more_address",
            "Adresse complémentaire",
            "Zusätzliche Adresszeile",
            "Address info",
            "Shipping address details",
            "Address 3",
            "Ship To Address Line 4",
            "Rue 3",
            "Calle 3",
            "Adresszeile 3",
            "Adresszusatz 2",
            "Apt 2",
            "Name 2",
            "Ship To Name 2",
            "Nom 2",
            "Naam 2",
            "Nombre 2",
        ] {
            let part = part_of(header);
            assert_eq!(
                part.map(|part| part.field),
                Some(Field::ShippingAddress2),
                "{header}"
            );
        }
    }

    #[test]
    fn a_header_with_any_other_word_is_of_something_else() {
        for header in [
            "Address 2",
            "Rue 2",
            "Address",
            "Address line",
            "Email address",
            "IP address",
            "Address verified",
            "Address type",
            "Address ID",
            "Billing address 2",
            "Billing address 3",
            "Billing address details",
            "Customer name 2",
            "Buyer 2",
            "Kunde 2",
            "Name 1",
            "Unit price",
            "Unit of measure",
            "Building type",
            "Unit",
            "Phone 2",
            "Zip 4",
            "Order line",
            "Second line",
            "More info",
            "Line details",
            "Delivery details",
            "Order number",
            "No. of units",
            "Design 6",
            "Item 2",
            "2",
            "",
        ] {
            assert_eq!(part_of(header), None, "{header}");
        }
    }
}
