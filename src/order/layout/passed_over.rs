//! A recipient's columns that are passed over, because dropsheet's own names come first.

use std::collections::BTreeMap;

use crate::sheet::Row;

use super::super::columns::{ADDRESSED_TO, Field, Fit, normalized};
use super::another::names_somebody;
use super::{candidates, column_of};

/// The fields of which each by itself tells where a parcel goes. A state or a country has two writings, a name and a code.
const TELLING: [Field; 3] = [Field::ShippingAddress1, Field::ShippingCity, Field::ShippingZip];

/// Whether a field is read from a column of dropsheet's own name.
fn is_read_by_own_name(header: &Row, columns: &[Option<usize>; Field::COUNT], field: Field) -> bool {
    let read = column_of(columns, field).and_then(|column| Field::named(header.text(column)));
    read.is_some_and(|(named, fit)| named == field && fit < Fit::Alias)
}

/// The addresses that are passed over for one by dropsheet's own names, each by the word that its columns begin with: `Ship
/// To City` beside `shipping_city`.
pub(super) fn addresses(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<Vec<usize>> {
    let mut of_somebody: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for field in TELLING {
        if !is_read_by_own_name(header, columns, field) {
            continue;
        }
        // A suburb is none of another city.
        let found = candidates(header, field).into_iter();
        for found in found.filter(|found| found.fit == Fit::Alias && found.clarity == 0) {
            let name = normalized(header.text(found.column));
            let whose = ADDRESSED_TO.into_iter().find(|to| name.starts_with(to));
            of_somebody.entry(whose).or_default().push(found.column);
        }
    }
    of_somebody.into_values().collect()
}

/// The columns that are called by a word for somebody, and are passed over for a name by dropsheet's own.
pub(super) fn names(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<usize> {
    if !is_read_by_own_name(header, columns, Field::ShippingName) {
        return Vec::new();
    }
    let found = candidates(header, Field::ShippingName).into_iter();
    let columns = found.map(|found| found.column);
    columns
        .filter(|column| names_somebody(header.text(*column)))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::finding::Code;
    use crate::order::tests::drafts;

    /// Where a second address is told of in an order by dropsheet's own columns with these more, and these texts in them.
    fn told_beside_own(more: &str, texts: &str) -> Vec<Option<u16>> {
        const OWN: &str = "order_id,shipping_name,shipping_address1,shipping_address2,shipping_city,shipping_province_code,\
                           shipping_zip,shipping_country_code,item_sku,quantity";
        let cells =
            |text: &str, between: char| -> Vec<String> { text.split(between).map(str::to_owned).collect() };
        let header = [cells(OWN, ','), cells(more, ',')].concat();
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let order = cells("1|Ada|12 Maple Street|Apt 4|Columbus|OH|02134|US|TEE|1", '|');
        let draft = drafts(&header, &[[order, cells(texts, '|')].concat()]).remove(0);
        let findings = draft.findings().iter();
        let told = findings.filter(|finding| finding.code == Code::RepeatedColumn);
        told.map(|finding| finding.column).collect()
    }

    #[test]
    fn another_recipients_address_is_an_error_though_dropsheets_own_columns_are_read() {
        for whose in [
            "Ship To",
            "Shipment",
            "Recipient",
            "Delivery",
            "Deliver To",
            "Consignee",
        ] {
            let more = format!("{whose} Name,{whose} Address,{whose} Town,{whose} Postcode,{whose} Country");
            let told = |texts: &str| told_beside_own(&more, texts);
            assert_eq!(told("Gina|9 Oak Road|Portland|97205|US"), [Some(11)], "{whose}");
            assert_eq!(told("||Portland||"), [Some(12)], "{whose}");
            for same in [
                "||||",
                "Gina|||| ",
                "Ada|12 Maple Street|COLUMBUS|02134|United States",
                "Ada|12 Maple Street, Apt 4|Columbus|2134|USA",
                "Ada|12 Maple Street Apt 4, Columbus, Ohio 02134, United States|-|02134-1234|",
                "Ada|#N/A|#REF!|N/A|",
            ] {
                assert_eq!(told(same), [], "{whose} {same}");
            }
        }
        for (name, text) in [
            ("Shipping Address", "9 Oak Road"),
            ("Shipping Address", "12 Maple Street Apt 9, Columbus, OH 02134"),
            ("Shipping Street", "14 Maple Street"),
            ("Shipping Zip Code", "97205"),
            ("Ship To", "Gina Gift, 9 Oak Road, Portland, OR 97205"),
            ("Recipient", "Gina Gift\n9 Oak Road\nPortland, OR 97205"),
        ] {
            assert_eq!(told_beside_own(name, text), [Some(10)], "{name}: {text}");
        }
        for (name, text) in [
            ("Shipping Address", "12 maple street"),
            ("Shipping Zip Code", "2134"),
            ("Ship To", "Gina Gift"),
            ("Ship To", "Ada, 12 Maple Street, Apt 4, Columbus, Ohio 02134"),
            // A part of the city, or another's.
            ("Shipping Suburb", "Clintonville"),
            ("City", "Portland"),
            ("Billing Address", "9 Oak Road"),
            ("Ship To Country", "Canada"),
        ] {
            assert_eq!(told_beside_own(name, text), [], "{name}: {text}");
        }
        let later = told_beside_own("action,Ship To Town", "|Portland");
        assert_eq!(later, [Some(11)]);
    }
}
