//! Parts of an address that stand apart from its columns, as in one that was added at the end of a sheet.

use super::{Field, Part, Texts, normalized};

/// What the text below a header is a part of, wherever it stands: nobody but a recipient is written to in care of somebody,
/// and a `Unit` or a `Room`, which a product may have as well, is one by how its text is written.
pub(in crate::order) fn part_apart(header: &str) -> Option<Part> {
    let texts = match normalized(header).as_str() {
        "careof" => Texts::All,
        // A bare `Co` may be a company, the merchant's own.
        "co" if header.contains('/') => Texts::All,
        "unit" => Texts::OfAUnit,
        "room" => Texts::OfARoom,
        _ => return None,
    };
    Some(Part {
        field: Field::ShippingAddress2,
        texts,
        beside: None,
        is_between: false,
    })
}

/// What stands before the number of a unit.
const UNITS: [&str; 11] = [
    "unit",
    "apt",
    "apartment",
    "suite",
    "ste",
    "flat",
    "room",
    "rm",
    "no",
    "wohnung",
    "zimmer",
];

/// Whether a text is written as the number of a room: the same, or a number alone. `2 rooms` are counted.
pub(in crate::order) fn is_of_a_room(text: &str) -> bool {
    is_of_a_unit(text) || (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a text is written as the number of a unit: `5B`, `#12`, `Apt 5`, `A-12`, `B101`; and not as a measure, `11oz`, or a
/// number of pieces. `A4` and `B5` are sizes of paper.
pub(in crate::order) fn is_of_a_unit(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(number) = text.strip_prefix('#') {
        return number
            .trim_start()
            .starts_with(|c: char| c.is_ascii_alphanumeric());
    }
    let named = text
        .split_once([' ', '.'])
        .filter(|(first, _)| UNITS.contains(first));
    if let Some((_, number)) = named {
        return number.contains(|c: char| c.is_ascii_digit());
    }
    // Behind these there is a measure: `5L`, `5g`, `6M`.
    let in_front = text.strip_suffix(|c: char| ('a'..='f').contains(&c));
    let behind = text.strip_prefix(|c: char| c.is_ascii_lowercase());
    let is_behind = |rest: &str| match rest.strip_prefix('-') {
        Some(number) => is_number(number),
        None => is_number(rest) && rest.len() > 1,
    };
    in_front.is_some_and(|number| is_number(number.trim_end_matches([' ', '-'])))
        || behind.is_some_and(is_behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_unit_is_told_from_a_measure_and_a_count() {
        for unit in [
            "5B",
            "5 b",
            "12-A",
            "#12",
            "# 5",
            "Apt 5",
            "Unit 12",
            "Apt. 5",
            "B101",
            "A-12",
            "Suite 200",
        ] {
            assert!(is_of_a_unit(unit), "{unit}");
            assert!(is_of_a_room(unit), "{unit}");
        }
        for other in [
            "", "#", "12", "1", "pcs", "11oz", "11 oz", "5L", "500g", "6M", "A4", "B5", "XL", "2XL", "each",
            "set of 2", "Unit", "12.00", "3T",
        ] {
            assert!(!is_of_a_unit(other), "{other}");
        }
        assert!(is_of_a_room("12") && is_of_a_room("214"));
        for other in ["2 rooms", "Nursery", "living room", "", "2.5"] {
            assert!(!is_of_a_room(other), "{other}");
        }
    }
}
