//! What tells an order of ours from another with its name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::plain;
use crate::order::Order;

/// What tells an order of ours from another with its name: pieces by SKU, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    items: BTreeMap<String, u64>,
    country: Option<String>,
}

impl Signature {
    /// The signature of an order that we send.
    pub fn of(order: &Order) -> Self {
        let items = order
            .lines
            .iter()
            .map(|line| (line.item_sku.as_str(), line.quantity));
        Self::new(items, Some(&order.ship_to.country_code))
    }

    /// A signature from items and a country. Lines of one SKU are added up: a service may join them.
    pub fn new<'a>(items: impl Iterator<Item = (&'a str, u32)>, country: Option<&str>) -> Self {
        let mut pieces = BTreeMap::new();
        for (sku, quantity) in items {
            *pieces.entry(sku.to_ascii_uppercase()).or_insert(0) += u64::from(quantity);
        }
        Self {
            items: pieces,
            country: country.filter(|c| !c.is_empty()).map(str::to_ascii_uppercase),
        }
    }

    /// Its SKUs, in upper case, with the pieces of each.
    pub fn items(&self) -> impl Iterator<Item = (&str, u64)> {
        self.items.iter().map(|(sku, pieces)| (sku.as_str(), *pieces))
    }

    /// Whether it tells what is in the order: a list may leave that out.
    pub fn is_told(&self) -> bool {
        !self.items.is_empty()
    }

    /// Whether both name the same pieces to the same country; what one side does not tell is no difference, nor are the
    /// zeros in front of a number: a service that writes SKUs as numbers drops them.
    pub fn matches(&self, other: &Self) -> bool {
        let countries = self.country.as_ref().zip(other.country.as_ref());
        let are_told = self.is_told() && other.is_told();
        (!are_told || self.items == other.items || self.without_zeros() == other.without_zeros())
            && countries.is_none_or(|(a, b)| a == b)
    }

    /// The pieces by SKU, of SKUs that are numbers without the zeros in front.
    fn without_zeros(&self) -> BTreeMap<String, u64> {
        let mut pieces = BTreeMap::new();
        for (sku, n) in self.items() {
            let is_number = sku.bytes().all(|byte| byte.is_ascii_digit());
            let sku = if is_number { plain(sku) } else { sku.to_owned() };
            *pieces.entry(sku).or_insert(0) += n;
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_lines_and_an_untold_country_are_no_difference() {
        let ours = Signature::new([("A", 1), ("b", 1), ("A", 2)].into_iter(), Some("us"));
        assert!(ours.matches(&Signature::new([("B", 1), ("A", 3)].into_iter(), None)));
        assert!(!ours.matches(&Signature::new([("B", 1), ("A", 3)].into_iter(), Some("CA"))));
        assert!(!ours.matches(&Signature::new([("B", 1), ("A", 2)].into_iter(), Some("US"))));
    }

    #[test]
    fn pieces_that_are_not_told_are_no_difference_and_another_country_is_one() {
        let ours = Signature::new([("A", 1)].into_iter(), Some("us"));
        let untold = |country| Signature::new([].into_iter(), country);
        assert!(ours.matches(&untold(None)) && untold(Some("US")).matches(&ours));
        assert!(!ours.matches(&untold(Some("CA"))));
    }

    #[test]
    fn a_sku_that_lost_its_zeros_as_a_number_is_the_same() {
        let of = |items: &[(&str, u32)]| Signature::new(items.iter().copied(), None);
        for (ours, theirs, same) in [
            ("00123", "123", true),
            ("123", "00123", true),
            ("000", "0", true),
            ("00123", "1230", false),
            ("A-00123", "A-123", false),
            ("00-123", "123", false),
        ] {
            assert_eq!(
                of(&[(ours, 2)]).matches(&of(&[(theirs, 2)])),
                same,
                "{ours} {theirs}"
            );
            assert!(!of(&[(ours, 2)]).matches(&of(&[(theirs, 1)])), "{ours} {theirs}");
        }
    }
}
