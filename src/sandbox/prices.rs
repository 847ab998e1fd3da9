//! What an order costs: production by location and tier, shipping by kind and distance, tax by country, a surcharge
//! for express services, and two discounts. Exact to the cent: every line is rounded by itself, sums are of lines.

use super::amount::Amount;
use super::catalog::{Cost, Kind};

/// A line of so many pieces or more is charged the tier cost.
pub(crate) const TIER_FROM: u32 = 10;
/// Production of this much or more is discounted…
const VOLUME_FROM: Amount = Amount::cents(10_000);
/// …by so many hundredths, line by line.
const VOLUME_PERCENT: u32 = 5;
/// Orders of so many pieces or more…
const BUNDLE_FROM: u32 = 5;
/// …pay this much less for shipping.
const BUNDLE_OFF: Amount = Amount::cents(150);

/// Countries that are near to the location `EU`.
const EUROPE: [&str; 27] = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT",
    "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
];
/// States that are served from `US-WEST`.
const WEST: [&str; 13] = [
    "AK", "AZ", "CA", "CO", "HI", "ID", "MT", "NM", "NV", "OR", "UT", "WA", "WY",
];

/// Where an order goes, as far as the price depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination<'a> {
    pub(crate) country: &'a str,
    pub(crate) province: &'a str,
}

/// A shipping service (`ShippingService` in `schema/print-service.openapi.json`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Express {
    Australia,
    UsTwoDays,
    UsGround,
}

/// A line to be priced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineToPrice {
    pub(crate) kind: Kind,
    pub(crate) cost: Cost,
    pub(crate) quantity: u32,
}

/// What a line costs; the total is the other three less the discount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinePrice {
    pub(crate) base: Amount,
    pub(crate) shipping: Amount,
    pub(crate) tax: Amount,
    pub(crate) discount: Amount,
}

/// What an order costs; discounts are positive here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Price {
    pub(crate) lines: Vec<LinePrice>,
    pub(crate) base: Amount,
    pub(crate) shipping: Amount,
    pub(crate) tax: Amount,
    pub(crate) surcharge: Amount,
    pub(crate) discount: Amount,
    pub(crate) shipping_discount: Amount,
}

impl Express {
    /// The service of a code.
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        match code {
            "AUEX" => Some(Self::Australia),
            "US2DAYS" => Some(Self::UsTwoDays),
            "USGR" => Some(Self::UsGround),
            _ => None,
        }
    }

    /// The only country it goes to.
    pub(crate) const fn country(self) -> &'static str {
        match self {
            Self::Australia => "AU",
            Self::UsTwoDays | Self::UsGround => "US",
        }
    }

    const fn surcharge(self) -> Amount {
        match self {
            Self::Australia => Amount::cents(650),
            Self::UsTwoDays => Amount::cents(990),
            Self::UsGround => Amount::cents(235),
        }
    }
}

impl LinePrice {
    /// What the line comes to.
    pub(crate) fn total(&self) -> Amount {
        self.base + self.shipping + self.tax - self.discount
    }
}

impl Price {
    /// What is charged.
    pub(crate) fn total(&self) -> Amount {
        self.base + self.shipping + self.tax + self.surcharge - self.discount - self.shipping_discount
    }
}

/// The location that the service suggests, of those that make something.
pub(crate) fn suggest(costs: &[Cost], to: Destination<'_>) -> Option<Cost> {
    let wished = match to.country {
        "US" if WEST.contains(&to.province) => "US-WEST",
        "AU" => "US-WEST",
        "GB" => "EU",
        country if EUROPE.contains(&country) => "EU",
        _ => "US-EAST",
    };
    let there = costs.iter().find(|cost| cost.location == wished);
    there.or_else(|| costs.first()).copied()
}

/// Prices an order's lines.
pub(crate) fn price(to: Destination<'_>, express: Option<Express>, lines: &[LineToPrice]) -> Price {
    let base: Amount = lines.iter().map(production).sum();
    let discount_percent = if base >= VOLUME_FROM { VOLUME_PERCENT } else { 0 };
    let lines_priced: Vec<LinePrice> = lines
        .iter()
        .map(|line| {
            let base = production(line);
            let shipping = shipping(line, to);
            let discount = base.percent(discount_percent);
            let tax = (base + shipping - discount).percent(tax_percent(to.country));
            LinePrice {
                base,
                shipping,
                tax,
                discount,
            }
        })
        .collect();
    let shipping: Amount = lines_priced.iter().map(|line| line.shipping).sum();
    let pieces: u32 = lines
        .iter()
        .fold(0, |sum, line| sum.saturating_add(line.quantity));
    let bundle_off = if pieces >= BUNDLE_FROM {
        BUNDLE_OFF
    } else {
        Amount::ZERO
    };
    Price {
        base,
        shipping,
        tax: lines_priced.iter().map(|line| line.tax).sum(),
        surcharge: express.map_or(Amount::ZERO, Express::surcharge),
        discount: lines_priced.iter().map(|line| line.discount).sum(),
        shipping_discount: bundle_off.min(shipping),
        lines: lines_priced,
    }
}

fn production(line: &LineToPrice) -> Amount {
    let piece = if line.quantity >= TIER_FROM {
        line.cost.tier
    } else {
        line.cost.base
    };
    piece.times(line.quantity)
}

fn shipping(line: &LineToPrice, to: Destination<'_>) -> Amount {
    let (first, further) = shipping_fees(line.kind);
    // Hundredths of the domestic fee.
    let distance = match (line.cost.location, to.country) {
        ("US-EAST" | "US-WEST", "US") => 100,
        ("EU", country) if EUROPE.contains(&country) => 110,
        ("EU", "GB") | ("US-EAST" | "US-WEST", "CA") => 160,
        _ => 240,
    };
    (first + further.times(line.quantity.saturating_sub(1))).percent(distance)
}

/// For the first piece of a line and for each further one, within the United States.
const fn shipping_fees(kind: Kind) -> (Amount, Amount) {
    let (first, further) = match kind {
        Kind::Garment => (469, 220),
        Kind::Warm => (849, 250),
        Kind::Mug => (699, 390),
        Kind::Poster => (519, 45),
        Kind::Canvas => (999, 475),
        Kind::Bag => (439, 195),
        Kind::Cap => (399, 200),
        Kind::Case => (349, 110),
        Kind::Blanket => (1049, 599),
        Kind::Paper => (289, 35),
    };
    (Amount::cents(first), Amount::cents(further))
}

/// Hundredths, on production and shipping after the volume discount.
fn tax_percent(country: &str) -> u32 {
    match country {
        "CA" => 5,
        "AU" => 10,
        "DE" => 19,
        "GB" => 20,
        country if EUROPE.contains(&country) => 21,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OHIO: Destination<'_> = Destination {
        country: "US",
        province: "OH",
    };
    const BERLIN: Destination<'_> = Destination {
        country: "DE",
        province: "BE",
    };

    fn tee(quantity: u32, location: &'static str) -> LineToPrice {
        let cost = Cost {
            location,
            base: Amount::cents(895),
            tier: Amount::cents(795),
        };
        LineToPrice {
            kind: Kind::Garment,
            cost,
            quantity,
        }
    }

    #[test]
    fn a_plain_order_is_production_and_shipping() {
        let price = price(OHIO, None, &[tee(2, "US-EAST")]);
        assert_eq!(price.base, Amount::cents(1790));
        assert_eq!(price.shipping, Amount::cents(689));
        assert_eq!(price.total(), Amount::cents(2479));
    }

    #[test]
    fn ten_pieces_are_charged_the_tier_cost() {
        assert_eq!(price(OHIO, None, &[tee(9, "US-EAST")]).base, Amount::cents(8055));
        assert_eq!(price(OHIO, None, &[tee(10, "US-EAST")]).base, Amount::cents(7950));
    }

    #[test]
    fn express_adds_its_surcharge_and_nothing_else() {
        let plain = price(OHIO, None, &[tee(1, "US-EAST")]);
        let express = price(OHIO, Some(Express::UsTwoDays), &[tee(1, "US-EAST")]);
        assert_eq!(express.surcharge, Amount::cents(990));
        assert_eq!(express.total(), plain.total() + Amount::cents(990));
    }

    #[test]
    fn discounts_start_where_they_start() {
        let below = price(OHIO, None, &[tee(4, "US-EAST")]);
        assert_eq!(
            (below.discount, below.shipping_discount),
            (Amount::ZERO, Amount::ZERO)
        );
        let bundle = price(OHIO, None, &[tee(4, "US-EAST"), tee(1, "US-EAST")]);
        assert_eq!(
            (bundle.discount, bundle.shipping_discount),
            (Amount::ZERO, Amount::cents(150))
        );
        let volume = price(OHIO, None, &[tee(13, "US-EAST")]);
        assert_eq!(volume.base, Amount::cents(10_335));
        assert_eq!(volume.discount, Amount::cents(517));
    }

    #[test]
    fn tax_is_on_what_is_paid_before_it() {
        let price = price(BERLIN, None, &[tee(1, "EU")]);
        assert_eq!(price.shipping, Amount::cents(516));
        assert_eq!(price.tax, Amount::cents(268), "19 % of 14.11");
    }

    #[test]
    fn an_order_without_volume_discount_is_the_sum_of_its_lines() {
        let price = price(BERLIN, None, &[tee(1, "EU"), tee(3, "US-EAST")]);
        let lines: Amount = price.lines.iter().map(LinePrice::total).sum();
        assert_eq!(price.total(), lines);
    }

    #[test]
    fn the_nearest_location_is_suggested() {
        let at = |location| Cost {
            location,
            base: Amount::ZERO,
            tier: Amount::ZERO,
        };
        let all = [at("US-EAST"), at("US-WEST"), at("EU")];
        for (country, province, location) in [
            ("US", "OR", "US-WEST"),
            ("US", "OH", "US-EAST"),
            ("DE", "BE", "EU"),
            ("GB", "ENG", "EU"),
            ("CA", "ON", "US-EAST"),
        ] {
            let suggested = suggest(&all, Destination { country, province }).unwrap();
            assert_eq!(suggested.location, location, "{country} {province}");
        }
        let only_east = suggest(&[at("US-EAST")], BERLIN).unwrap();
        assert_eq!(only_east.location, "US-EAST");
    }
}
