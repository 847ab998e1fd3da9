//! What a product's detail says of one SKU: where it is made, at what cost, and how large it is printed (`Variant`,
//! `Location` and `PrintArea` in `schema/print-service.openapi.json`). Whatever the service leaves out, or writes in
//! another shape than the interface shows, is absent.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::money::Money;

/// The detail of one SKU.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// The SKU.
    pub sku: String,
    /// `in_stock`, or any other word the service uses; none where it says nothing.
    pub availability: Option<String>,
    /// Where it is made; empty where the service says nothing.
    pub locations: Vec<Location>,
    /// For example colour and size.
    pub attributes: Vec<Attribute>,
}

/// A production location of a SKU.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Its name, as `made_in_location` wants it.
    pub name: String,
    /// `base_cost`
    pub base_cost: Option<Money>,
    /// `tier_cost`: what the account pays, where that is another amount.
    pub tier_cost: Option<Money>,
    /// Where it can be printed.
    pub print_areas: Vec<PrintArea>,
}

/// A place on a product that can be printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintArea {
    /// `front`, `back`, …
    pub key: String,
    /// The unit of width and height is not shown by the interface.
    pub width: Option<Number>,
    /// In the unit of the width.
    pub height: Option<Number>,
    /// As the service writes it: `300 ppi`.
    pub resolution: Option<String>,
}

/// A property of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribute {
    /// `color`, `size`, …
    pub name: String,
    /// Its value.
    pub value: String,
    /// `#rrggbb`, for colours.
    pub hex_color: Option<String>,
}

impl Detail {
    /// The names of the locations that make it.
    pub fn location_names(&self) -> impl Iterator<Item = &str> {
        self.locations.iter().map(|location| location.name.as_str())
    }

    /// The least that it costs to make, over all locations; none where no cost is known.
    pub fn lowest_cost(&self) -> Option<Money> {
        self.locations.iter().filter_map(Location::cost).min()
    }
}

impl Location {
    /// What the account pays there: the tier's cost where one is told, else the base cost.
    pub fn cost(&self) -> Option<Money> {
        self.tier_cost.or(self.base_cost)
    }
}

impl PrintArea {
    /// Width and height, where both are told and above zero.
    pub fn size(&self) -> Option<(Decimal, Decimal)> {
        let length = |number: &Option<Number>| {
            let length = Decimal::from_str_exact(number.as_ref()?.as_str()).ok()?;
            (length > Decimal::ZERO).then_some(length)
        };
        Some((length(&self.width)?, length(&self.height)?))
    }

    /// Pixels per inch; none where the resolution is not of the form `<number> ppi`.
    pub fn ppi(&self) -> Option<Decimal> {
        let text = self.resolution.as_ref()?.trim().to_ascii_lowercase();
        let number = text.strip_suffix("ppi")?.trim();
        Decimal::from_str_exact(number)
            .ok()
            .filter(|ppi| *ppi > Decimal::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolution_is_a_number_of_ppi_or_nothing() {
        for (text, expected) in [
            ("300 ppi", Some(300)),
            (" 150PPI ", Some(150)),
            ("300", None),
            ("0 ppi", None),
            ("-3 ppi", None),
            ("ppi", None),
            ("300 dpi", None),
        ] {
            let area = PrintArea {
                key: "front".to_owned(),
                width: None,
                height: None,
                resolution: Some(text.to_owned()),
            };
            assert_eq!(area.ppi(), expected.map(Decimal::from), "{text}");
        }
    }

    #[test]
    fn the_lowest_cost_is_what_the_account_pays_where_that_is_told() {
        let location = |base, tier: Option<i64>| Location {
            name: "US".to_owned(),
            base_cost: Some(Money::from_hundredths(base)),
            tier_cost: tier.map(Money::from_hundredths),
            print_areas: Vec::new(),
        };
        let detail = Detail {
            locations: vec![location(900, Some(850)), location(870, None), Location::default()],
            ..Detail::default()
        };
        assert_eq!(detail.lowest_cost(), Some(Money::from_hundredths(850)));
        assert_eq!(Detail::default().lowest_cost(), None);
    }
}
