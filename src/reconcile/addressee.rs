//! To whom an order goes, kept so that it can be compared and not read: the ledger holds no addresses.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::alike::folded;
use crate::order::Order;

/// The hexadecimal digits that are kept of a hash.
const KEPT_DIGITS: usize = 16;

/// What a service shows of a name, a street and a city, as hashes that are the same in any writing; none of what it does
/// not show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addressee {
    name: Option<String>,
    street: Option<String>,
    city: Option<String>,
    /// The street's second line is not shown: the first may hold both.
    #[serde(default)]
    is_cut: bool,
}

impl Addressee {
    /// From what a service shows: empty is what it does not show, and none a second line that it does not. How it cuts a
    /// street into two lines does not matter.
    pub fn new(name: &str, (first, second): (&str, Option<&str>), city: &str) -> Self {
        Self {
            name: hash(name),
            street: hash(&both(first, second.unwrap_or_default())),
            city: hash(city),
            is_cut: second.is_none(),
        }
    }

    /// What an order has otherwise: `street`, `city` or `name`. What is not shown is no difference.
    pub fn difference(&self, order: &Order) -> Option<&'static str> {
        let to = &order.ship_to;
        let differs = |shown: &Option<String>, text: &str| {
            let (shown, own) = (shown.as_ref(), hash(text));
            shown.is_some() && own.is_some() && shown != own.as_ref()
        };
        let differs_in_street = differs(&self.street, &both(&to.address1, &to.address2))
            && (!self.is_cut || differs(&self.street, &to.address1));
        [
            ("street", differs_in_street),
            ("city", differs(&self.city, &to.city)),
            ("name", differs(&self.name, &to.name)),
        ]
        .into_iter()
        .find_map(|(what, differs)| differs.then_some(what))
    }
}

fn both(first: &str, second: &str) -> String {
    format!("{first} {second}")
}

/// A hash of a text's letters and digits without their accents. A text with stars, or with the marks of lost characters,
/// is not the one that was sent, and shows nothing.
fn hash(text: &str) -> Option<String> {
    if text.contains(['*', '?', char::REPLACEMENT_CHARACTER]) {
        return None;
    }
    let plain = folded(text);
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
        let differs = |name, [first, second]: [&'static str; 2], city| {
            Addressee::new(name, (first, Some(second)), city).difference(&order)
        };
        let without_second = |first| Addressee::new("", (first, None), "").difference(&order);
        assert_eq!(without_second("12 Hill St"), None);
        assert_eq!(without_second("12 Hill St, Flat 4"), None, "both may be in one");
        assert_eq!(without_second("14 Hill St"), Some("street"));
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
