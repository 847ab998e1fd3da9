//! Amazon's shipping confirmation: separated by tabs, a line an item of an order, with the parcel that brings it.

use std::collections::HashSet;

use jiff::civil::Date;

use crate::ledger::record::ParcelRecord;

const HEADER: &str =
    "order-id\torder-item-id\tquantity\tship-date\tcarrier-code\tcarrier-name\ttracking-number\tship-method";

/// Carriers by the beginning of their name without case and punctuation, with the code that Amazon has for them.
const CARRIERS: [(&str, &str); 12] = [
    ("usps", "USPS"),
    ("unitedstatespostalservice", "USPS"),
    ("upsmailinnovations", "UPS Mail Innovations"),
    ("ups", "UPS"),
    ("unitedparcelservice", "UPS"),
    ("fedex", "FedEx"),
    ("dhlecommerce", "DHL eCommerce"),
    ("dhl", "DHL"),
    ("ontrac", "OnTrac"),
    ("canadapost", "Canada Post"),
    ("royalmail", "Royal Mail"),
    ("australiapost", "Australia Post"),
];

/// What Amazon calls a carrier that it has no code for: its name stands beside it.
const OTHER: &str = "Other";

/// The confirmation of a day's parcels; none where no order came from an Amazon report. An order of several parcels is
/// confirmed with the first that has a number: which item is in which parcel is not known. Where the service has put
/// another number in the place of that one, the order is confirmed with the other, and once more where an earlier day's
/// file has the old one: the later confirmation counts at Amazon.
pub(super) fn confirmation(parcels: &[ParcelRecord], day: Date) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut told: HashSet<&str> = HashSet::new();
    let is_to_tell = |record: &&ParcelRecord| {
        !record.at_shop.items.is_empty() && !record.is_followed && record.parcel.number.is_some()
    };
    let to_tell = || parcels.iter().filter(is_to_tell);
    for first in to_tell() {
        let order = name_of(first);
        if !told.insert(order) {
            continue;
        }
        let still = to_tell().find(|record| name_of(record) == order && !record.is_replaced);
        let record = still.unwrap_or(first);
        let number = record.parcel.number.as_deref().unwrap_or_default();
        let name = record.parcel.carrier.as_deref().unwrap_or_default();
        let code = code_of(name);
        for item in &record.at_shop.items {
            let quantity = item.quantity.to_string();
            let day = day.to_string();
            let cells = [order, &item.id, &quantity, &day, code, name, number, ""];
            lines.push(cells.map(one_cell).join("\t"));
        }
    }
    if lines.is_empty() {
        return None;
    }
    lines.insert(0, HEADER.to_owned());
    lines.push(String::new());
    Some(lines.join("\r\n"))
}

/// The order's name at its shop.
fn name_of(record: &ParcelRecord) -> &str {
    if record.at_shop.order.is_empty() {
        &record.sheet_order_id
    } else {
        &record.at_shop.order
    }
}

fn code_of(carrier: &str) -> &'static str {
    let plain: String = carrier
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    let known = CARRIERS.iter().find(|(start, _)| plain.starts_with(start));
    known.map_or(OTHER, |(_, code)| code)
}

/// Nothing that would end a cell or a line.
fn one_cell(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::ledger::record::{AtShop, AtShopItem};
    use crate::tracking::Parcel;

    fn record(order: &str, items: &[(&str, u32)], carrier: &str, number: &str) -> ParcelRecord {
        let items = items.iter().map(|(id, quantity)| AtShopItem {
            id: (*id).to_owned(),
            quantity: *quantity,
        });
        ParcelRecord {
            sheet_order_id: "sheet".to_owned(),
            at_shop: AtShop {
                order: order.to_owned(),
                items: items.collect(),
            },
            pw_order_id: "PW-1".to_owned(),
            parcel: Parcel {
                number: Some(number.to_owned()),
                carrier: Some(carrier.to_owned()),
                ..Parcel::default()
            },
            known_at: Timestamp::UNIX_EPOCH,
            is_followed: false,
            is_replaced: false,
        }
    }

    #[test]
    fn an_order_is_confirmed_with_its_first_number_and_not_without_one() {
        let items = [("71", 2)];
        let with_link = |order: &str| {
            let mut record = record(order, &items, "UPS", "");
            record.parcel.number = None;
            record.parcel.link = Some("https://t.example.com/1".to_owned());
            record
        };
        let day = jiff::civil::date(2026, 11, 21);
        let parcels = [
            with_link("113-1"),
            record("113-1", &items, "UPS", "1Z9"),
            with_link("113-2"),
        ];
        assert_eq!(
            confirmation(&parcels, day).unwrap(),
            format!("{HEADER}\r\n113-1\t71\t2\t2026-11-21\tUPS\tUPS\t1Z9\t\r\n")
        );
        assert_eq!(confirmation(&parcels[2..], day), None);
    }

    #[test]
    fn an_order_is_confirmed_with_the_number_that_has_come_in_the_place_of_its_first() {
        let day = jiff::civil::date(2026, 11, 21);
        let items = [("71", 2)];
        let (mut wrong, right) = (
            record("113-1", &items, "UPS", "1ZWRONG1"),
            record("113-1", &items, "UPS", "1ZRIGHT2"),
        );
        let line = |number: &str| format!("{HEADER}\r\n113-1\t71\t2\t2026-11-21\tUPS\tUPS\t{number}\t\r\n");
        let told = |parcels: &[ParcelRecord]| confirmation(parcels, day);
        assert_eq!(
            told(&[wrong.clone(), right.clone()]),
            Some(line("1ZWRONG1")),
            "a second parcel"
        );
        wrong.is_replaced = true;
        assert_eq!(told(&[wrong.clone(), right]), Some(line("1ZRIGHT2")));
        assert_eq!(
            told(&[wrong]),
            Some(line("1ZWRONG1")),
            "the other is told on another day"
        );
    }

    #[test]
    fn each_item_has_a_line_and_an_order_of_another_shop_has_none() {
        let parcels = [
            record("113-1", &[("71", 2), ("72", 1)], "U.P.S.", "1Z9"),
            record("113-1", &[("71", 2), ("72", 1)], "U.P.S.", "1Z10"),
            record("1001", &[], "UPS", "1Z8"),
            record("", &[("73", 1)], "Example\tParcel", "T7"),
        ];
        let text = confirmation(&parcels, jiff::civil::date(2026, 11, 21)).unwrap();
        assert_eq!(
            text,
            format!(
                "{HEADER}\r\n113-1\t71\t2\t2026-11-21\tUPS\tU.P.S.\t1Z9\t\r\n113-1\t72\t1\t2026-11-21\tUPS\tU.P.S.\t1Z9\t\r\n\
                 sheet\t73\t1\t2026-11-21\tOther\tExample Parcel\tT7\t\r\n"
            )
        );
        assert_eq!(
            confirmation(&parcels[2..3], jiff::civil::date(2026, 11, 21)),
            None
        );
    }
}
