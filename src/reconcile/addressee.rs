//! To whom an order goes, kept so that it can be compared and not read: the ledger holds no addresses.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::order::Order;

/// The hexadecimal digits that are kept of a hash.
const KEPT_DIGITS: usize = 16;

/// Hashes of a name, a street and a city, as they are in any writing of them; none of what is not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addressee {
    name: Option<String>,
    street: Option<String>,
    /// The first line of the street, where the second is not shown.
    first_line: Option<String>,
    city: Option<String>,
}

impl Addressee {
    /// The addressee of an order of a sheet.
    pub fn of(order: &Order) -> Self {
        let to = &order.ship_to;
        Self {
            first_line: hash(&to.address1),
            ..Self::new(&to.name, (&to.address1, Some(&to.address2)), &to.city)
        }
    }

    /// From what a service shows: empty is what it does not show, and none a second line that it does not. How it cuts a
    /// street into two lines does not matter.
    pub fn new(name: &str, (first, second): (&str, Option<&str>), city: &str) -> Self {
        let street = second.map_or_else(String::new, |second| format!("{first} {second}"));
        Self {
            name: hash(name),
            street: hash(&street),
            first_line: second.map_or_else(|| hash(first), |_shown| None),
            city: hash(city),
        }
    }

    /// What another addressee has otherwise: `name`, `street` or `city`. What one of both does not show is no difference.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let differ =
            |one: &Option<String>, other: &Option<String>| one.is_some() && other.is_some() && one != other;
        let is_cut = self.street.is_none() || other.street.is_none();
        let first_lines = (&self.first_line, &other.first_line);
        let streets = if is_cut {
            first_lines
        } else {
            (&self.street, &other.street)
        };
        [
            ("street", streets.0, streets.1),
            ("city", &self.city, &other.city),
            ("name", &self.name, &other.name),
        ]
        .into_iter()
        .find_map(|(what, one, other)| differ(one, other).then_some(what))
    }
}

/// A hash of a text's letters and digits without their accents. A text with stars, or with the marks of lost characters,
/// is not the one that was sent, and shows nothing.
fn hash(text: &str) -> Option<String> {
    if text.contains(['*', '?', char::REPLACEMENT_CHARACTER]) {
        return None;
    }
    let plain: String = html_escape::decode_html_entities(text)
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect();
    if plain.is_empty() {
        return None;
    }
    let mut hash = HEXLOWER.encode(&Sha256::digest(plain.replace('ß', "ss")));
    hash.truncate(KEPT_DIGITS);
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_street_city_or_name_is_a_difference_and_another_writing_is_none() {
        let mut order = Order {
            order_id: "1001".to_owned(),
            ship_to: crate::order::ShipTo::default(),
            shipping_service: None,
            lines: Vec::new(),
            expected_total: None,
        };
        order.ship_to.name = "Zoë O'Neil".to_owned();
        order.ship_to.address1 = "12 Hill St.".to_owned();
        order.ship_to.address2 = "Flat 4".to_owned();
        order.ship_to.city = "Großstadt".to_owned();
        let ours = Addressee::of(&order);
        let differs = |name, [first, second]: [&'static str; 2], city| {
            ours.difference(&Addressee::new(name, (first, Some(second)), city))
        };
        let without_second = |first| ours.difference(&Addressee::new("", (first, None), ""));
        assert_eq!(
            (without_second("12 Hill St"), without_second("14 Hill St")),
            (None, Some("street"))
        );
        assert_eq!(
            differs("ZOE O&#39;NEIL", ["12 hill st, flat 4", ""], "GROSSSTADT"),
            None
        );
        assert_eq!(differs("", ["", ""], ""), None);
        assert_eq!(
            differs("Z** O******", ["12 Hill St. Flat ?", ""], "Gro\u{FFFD}stadt"),
            None
        );
        assert_eq!(
            differs("Zoe O'Neil", ["14 Hill St.", "Flat 4"], ""),
            Some("street")
        );
        assert_eq!(
            differs("Zoe O'Neil", ["12 Hill St.", ""], "Großstadt"),
            Some("street")
        );
        assert_eq!(
            differs("Zoe O'Neil", ["12 Hill St.", "Flat 4"], "Kleinstadt"),
            Some("city")
        );
        assert_eq!(
            differs("Max Mustermann", ["12 Hill St.", "Flat 4"], ""),
            Some("name")
        );
    }
}
