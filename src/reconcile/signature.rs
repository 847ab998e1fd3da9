//! What tells an order of ours from another with its name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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

    /// Whether both name the same pieces to the same country; a country that one side does not tell is no difference.
    pub fn matches(&self, other: &Self) -> bool {
        let countries = self.country.as_ref().zip(other.country.as_ref());
        self.items == other.items && countries.is_none_or(|(a, b)| a == b)
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
}
