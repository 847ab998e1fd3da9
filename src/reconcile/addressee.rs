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
    city: Option<String>,
}

impl Addressee {
    /// The addressee of an order of a sheet.
    pub fn of(order: &Order) -> Self {
        let to = &order.ship_to;
        Self::new(&to.name, [&to.address1, &to.address2], &to.city)
    }

    /// From what a service shows: empty is what it does not show. How it cuts a street into two lines does not matter.
    pub fn new(name: &str, street: [&str; 2], city: &str) -> Self {
        Self {
            name: hash(name),
            street: hash(&street.join(" ")),
            city: hash(city),
        }
    }

    /// What another addressee has otherwise: `name`, `street` or `city`. What one of both does not show is no difference.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let differ =
            |one: &Option<String>, other: &Option<String>| one.is_some() && other.is_some() && one != other;
        [
            ("street", &self.street, &other.street),
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
        let ours = Addressee::new("Zoë O'Neil", ["12 Hill St.", "Flat 4"], "Großstadt");
        let differs = |name, street, city| ours.difference(&Addressee::new(name, street, city));
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
