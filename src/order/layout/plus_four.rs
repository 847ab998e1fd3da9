//! The four digits behind a US zip, where a sheet has them in a column of their own: `Zip+4` beside `Zip`.

use crate::sheet::Row;

use super::super::columns::{ADDRESSED_TO, Field, normalized};
use super::super::mend::is_digits;
use super::beside::{Role, Twin};

/// What such a column is called, with or without whose address it is of.
const NAMES: [&str; 8] = [
    "zip4",
    "zipplus4",
    "plus4",
    "zipcode4",
    "zipcodeplus4",
    "zipext",
    "zipextension",
    "zip4code",
];

/// The columns with the four digits of the zip that is read: those that are called as that is, or stand right of it.
pub(super) fn plus_four(header: &Row, zip: Option<usize>) -> Option<Twin> {
    let zip = zip?;
    let (whose, _name) = split(header.text(zip));
    let is_one = |column: &usize| {
        let text = header.text(*column);
        let (of, name) = split(text);
        let is_named = NAMES.contains(&name.as_str()) && Field::named(text).is_none();
        is_named && (of == whose || *column == zip + 1)
    };
    let column = (0..header.len()).find(is_one)?;
    Some(Twin {
        field: Field::ShippingZip,
        column,
        role: Role::PlusFour,
    })
}

/// Whose address a column is of by its name, and what of it.
fn split(header: &str) -> (&'static str, String) {
    let name = normalized(header);
    let whose = ADDRESSED_TO.into_iter().find(|to| name.starts_with(to));
    let whose = whose.unwrap_or_default();
    (whose, name.get(whose.len()..).unwrap_or_default().to_owned())
}

/// A zip with the four digits behind it; none where one of the two is something else. Either may have lost its zeros.
pub(in crate::order) fn with_plus_four(zip: &str, four: &str) -> Option<String> {
    if !(3..=5).contains(&zip.len()) || !is_digits(zip) {
        return None;
    }
    let four = match four.split_once('-') {
        Some((five, four)) if five == zip => four,
        Some(_) => return None,
        None => four,
    };
    let is_four = four.len() <= 4 && is_digits(four) && four.contains(|digit| digit != '0');
    is_four.then(|| format!("{zip}-{four:0>4}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::{drafts, text_row};

    #[test]
    fn a_column_of_four_digits_is_known_by_its_name_beside_the_zip() {
        let found = |names: &[&str], zip| plus_four(&text_row(1, names), Some(zip)).map(|twin| twin.column);
        for (names, zip, column) in [
            (&["Zip", "Zip+4"][..], 0, Some(1)),
            (&["ZIP+4", "City", "ZIP"], 2, Some(0)),
            (&["Ship To Zip", "Ship To Zip +4"], 0, Some(1)),
            (&["Shipping Zip", "Plus 4"], 0, Some(1)),
            (&["Shipping Zip", "City", "Zip+4"], 0, None),
            (&["Zip", "Billing Zip+4"], 0, None),
            (&["Zip", "Zip 2"], 0, None),
            (&["Zip", "Extension"], 0, None),
        ] {
            assert_eq!(found(names, zip), column, "{names:?}");
        }
    }

    #[test]
    fn the_four_digits_are_sent_behind_the_zip() {
        let zip_in = |country: &str, zip: &str, four: &str| {
            let header = ["action", "order_id", "State", "Zip", "Zip+4", "Country"];
            let row = ["", "1", "", zip, four, country].map(str::to_owned).to_vec();
            let draft = drafts(&header, &[row]).remove(0);
            draft.value(Field::ShippingZip).text.to_owned()
        };
        let zip = |five: &str, four: &str| zip_in("US", five, four);
        for (five, four, read) in [
            ("43004", "1234", "43004-1234"),
            ("43004", "12", "43004-0012"),
            ("43004", "43004-1234", "43004-1234"),
            ("2134", "1234", "02134-1234"),
            ("43004", "", "43004"),
            ("43004", "0", "43004"),
            ("43004", "0000", "43004"),
            ("43004", "n/a", "43004"),
            ("43004-1234", "1234", "43004-1234"),
            ("43004", "12345", "43004"),
            ("43004", "55555-1234", "43004"),
            ("K1A 0B1", "1234", "K1A 0B1"),
            ("", "1234", ""),
        ] {
            assert_eq!(zip(five, four), read, "{five} {four}");
        }
        for country in ["USA", "Puerto Rico", ""] {
            assert_eq!(zip_in(country, "43004", "1234"), "43004-1234", "{country}");
        }
        for country in ["DE", "France", "Nowhere"] {
            assert_eq!(zip_in(country, "10115", "1234"), "10115", "{country}");
        }
    }
}
