//! Columns called `State`, which is a part of an address, and in another sheet how its order stands.

use super::alone::is_all_of_an_end;
use super::ends::{ENDED, FALLEN_THROUGH, WAITS};
use super::paid::says_unpaid;
use super::{clauses, first_clause, is_complete};
use crate::order::columns::Field;

/// How places begin that begin like a word for an end. The data's provinces do not; people write towns in their place.
const PLACES: [&str; 5] = ["stornoway", "stornar", "cancello", "cancellar", "retournac"];

/// Whether a column is one of a province, by its heading.
pub(super) fn is_headed_so(heading: &str) -> bool {
    let field = Field::named(heading).map(|(field, _fit)| field);
    matches!(field, Some(Field::ShippingProvince | Field::ShippingProvinceCode))
}

/// Whether a text, in small letters, is no province, but says as a whole that its order has ended, waits or is not paid.
pub(super) fn is_a_standing(text: &str) -> bool {
    // Most are codes of two or three letters.
    const LEAST: usize = 4;
    if text.len() < LEAST || PLACES.iter().any(|place| text.starts_with(place)) {
        return false;
    }
    let is_phrase = || {
        let said = first_clause(text).join(" ");
        let phrases = [&ENDED[..], &FALLEN_THROUGH, &WAITS];
        phrases.iter().any(|phrases| phrases.contains(&said.as_str()))
    };
    let is_done = || is_complete(text) && clauses(text).concat().len() == 1;
    is_all_of_an_end(text) || is_phrase() || is_done() || says_unpaid(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::drafts;

    #[test]
    fn a_word_for_how_an_order_stands_is_no_province_and_no_listed_province_is_such_a_word() {
        for standing in [
            "canceled",
            "cancelled by customer",
            "shipped",
            "refunded",
            "on hold",
            "not paid",
            "storniert",
            "do not print",
            "complete",
            "done",
            "declined",
            "expédié",
        ] {
            assert!(is_a_standing(standing), "{standing}");
        }
        for other in [
            "oh",
            "stornoway",
            "cancellara",
            "paid",
            "new",
            "shropshire",
            "new south wales",
            "",
        ] {
            assert!(!is_a_standing(other), "{other}");
        }
        let countries = keshvar::SUPPORTED_ALPHA2_LIST
            .iter()
            .map(keshvar::Alpha2::to_country);
        let provinces =
            countries.flat_map(|country| country.subdivisions().values().cloned().collect::<Vec<_>>());
        let names = provinces.flat_map(|province| {
            let names = province.unofficial_name_list().to_vec();
            [names, vec![province.name(), province.code()]].concat()
        });
        for name in names {
            assert!(!is_a_standing(&name.to_lowercase()), "{name}");
        }
    }

    #[test]
    fn a_column_called_state_holds_an_order_where_it_says_how_that_stands() {
        let holds = |name: &str, text: &str| {
            let header = [
                "Order", name, "SKU", "Qty", "Name", "Address", "City", "Zip", "Country",
            ];
            let row = [
                "1",
                text,
                "TEE",
                "1",
                "Ann",
                "1 High St",
                "London",
                "SW1A 1AA",
                "GB",
            ];
            let row = row.map(str::to_owned).to_vec();
            drafts(&header, &[row]).remove(0).shop_holds().to_vec()
        };
        for name in ["State", "Province", "Shipping State", "Region"] {
            assert_eq!(
                holds(name, "canceled"),
                [format!("`{name}` says `canceled`")],
                "{name}"
            );
            for province in ["IL", "Greater London", "Hampshire", "-", ""] {
                assert_eq!(holds(name, province), [""; 0], "{name}: {province}");
            }
        }
    }
}
