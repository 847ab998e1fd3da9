//! Names of columns that may mean something else than a field, by what stands beside them or in them.

use crate::sheet::Row;

use super::super::columns::{ADDRESSED_TO, Field, Fit, counts_last, normalized};
use super::beside::{OTHERS, PAYERS, Role, Twin, is_address_of};
use super::unread::is_first;
use super::{candidates, column_of};

/// Streets that may have their house number elsewhere: a column that names the whole is clearer.
const BARE_STREETS: [&str; 5] = ["straße", "strasse", "straat", "rue", "calle"];

/// What is the city in Australia, and elsewhere a part of one.
const IN_A_CITY: [&str; 2] = ["suburb", "locality"];

/// What is the province in Great Britain and Ireland, and in the United States a part of one.
const IN_A_PROVINCE: [&str; 1] = ["county"];

/// What has provinces in Italy, Spain and the Philippines, and is the province elsewhere; or where a merchant sells.
const OF_PROVINCES: [&str; 4] = ["region", "regioncode", "région", "región"];

/// How clear a name is that counts where there is no other.
pub(super) const LAST: u8 = 9;

/// Of columns that name a field equally well, which one is clearer, as a number that is the less the clearer it is: an
/// order's number beside a reference or a row's, an address beside a street, a state beside a county, artwork beside the
/// first of several.
pub(in crate::order) fn clarity(field: Field, fit: Fit, text: &str) -> u8 {
    let name = normalized(text);
    let is_one_of = |words: &[&str]| {
        let bare = ADDRESSED_TO.iter().filter_map(|to| name.strip_prefix(to));
        bare.chain([name.as_str()]).any(|word| words.contains(&word))
    };
    if counts_last(&name) {
        return LAST;
    }
    match field {
        Field::OrderId => u8::from(fit == Fit::Weak && name != "order"),
        Field::ShippingAddress1 => u8::from(BARE_STREETS.contains(&name.as_str())),
        Field::ArtworkFront => u8::from(is_first(text)),
        Field::ShippingCity => u8::from(is_one_of(&IN_A_CITY)),
        Field::ShippingProvince | Field::ShippingProvinceCode if is_one_of(&IN_A_PROVINCE) => 1,
        Field::ShippingProvince | Field::ShippingProvinceCode if is_one_of(&OF_PROVINCES) => 2,
        _ => 0,
    }
}

/// What is a state in Spanish and a status too.
const STATE_OR_STATUS: &str = "estado";

/// What is a province in Spanish, and an apartment or a department of a company too.
const DEPARTMENT: &str = "departamento";

/// Columns whose names may mean something else, with what each counts for; `has_two_addresses` is whether the header has those
/// of another address too.
pub(super) fn twins(
    header: &Row,
    columns: &[Option<usize>; Field::COUNT],
    has_two_addresses: bool,
) -> Vec<Twin> {
    let mut twins = within_the_city(header, columns);
    twins.extend(provinces(header, has_two_addresses));
    twins.extend(bare_streets(header, columns));
    twins
}

/// Columns that hold the province or something else, which each cell tells; none where the sheet has two addresses, of
/// which such a name says nothing.
fn provinces(header: &Row, has_two_addresses: bool) -> Vec<Twin> {
    let twin = |column: usize| {
        let name = normalized(header.text(column));
        let by_code = name == STATE_OR_STATUS;
        (by_code || name == DEPARTMENT).then_some(Twin {
            field: Field::ShippingProvince,
            column,
            role: Role::Province { by_code },
        })
    };
    let columns = (0..header.len()).filter(|_| !has_two_addresses);
    columns.filter_map(twin).collect()
}

/// Bare streets beside a street that says whose it is, as `Lieferadresse`, where the city or the zip does not say that: these
/// may be of the bare one, and to another address a street of it is none.
fn bare_streets(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<Twin> {
    let field = Field::ShippingAddress1;
    let fit = |field: Field| {
        let text = header.text(column_of(columns, field)?);
        Field::named(text).map(|(_, fit)| fit)
    };
    let says_whose = fit(field).is_some_and(|fit| fit != Fit::Weak);
    let is_anybodys = |field: Field| fit(field) == Some(Fit::Weak);
    if !says_whose
        || ![Field::ShippingCity, Field::ShippingZip]
            .into_iter()
            .any(is_anybodys)
    {
        return Vec::new();
    }
    let is_bare = |column: &usize| BARE_STREETS.contains(&normalized(header.text(*column)).as_str());
    let twin = |column| Twin {
        field,
        column,
        role: Role::OfAnother,
    };
    (0..header.len()).filter(is_bare).map(twin).collect()
}

/// Columns of a part of the city beside a city whose name says better whose it is: `Shipping Suburb`, or a bare `Suburb`,
/// beside `shipping_city`. A bare one is of the same address where the sheet has no other.
fn within_the_city(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<Twin> {
    let field = Field::ShippingCity;
    let found = candidates(header, field);
    let read = column_of(columns, field);
    let Some(city) = found
        .iter()
        .find(|found| Some(found.column) == read && found.clarity == 0)
    else {
        return Vec::new();
    };
    let is_another = |field: &Field| {
        let found = candidates(header, *field);
        let mut bare = found
            .iter()
            .filter(|found| found.fit == Fit::Weak && found.clarity == 0);
        bare.any(|found| Some(found.column) != column_of(columns, *field))
    };
    let has_another = || {
        let whose = [&PAYERS[..], &OTHERS].concat();
        let places = [Field::ShippingAddress1, field, Field::ShippingZip];
        places.iter().any(is_another)
            || (0..header.len()).any(|column| is_address_of(&whose, header.text(column)))
    };
    let is_part = |text: &str| {
        let name = normalized(text);
        IN_A_CITY.iter().any(|part| name.ends_with(part))
    };
    let parts = found.iter().filter(|found| {
        is_part(header.text(found.column))
            && found.fit > city.fit
            && (found.fit != Fit::Weak || !has_another())
    });
    let twin = |found: &super::Found| Twin {
        field,
        column: found.column,
        role: Role::Within,
    };
    parts.map(twin).collect()
}

#[cfg(test)]
mod tests {
    use crate::finding::Code;
    use crate::order::tests::drafts;

    /// Where a second street is told of in an order with these columns, and these texts in them.
    fn told(header: &str, row: &str) -> Vec<Option<u16>> {
        let header: Vec<&str> = header.split('|').collect();
        let row: Vec<String> = row.split('|').map(str::to_owned).collect();
        let draft = drafts(&header, &[row]).remove(0);
        let findings = draft.findings().iter();
        let told = findings.filter(|finding| finding.code == Code::RepeatedColumn);
        told.map(|finding| finding.column).collect()
    }

    #[test]
    fn a_street_of_the_delivery_is_not_sent_with_the_zip_and_the_city_of_another_street() {
        let streets = ["Straße", "Strasse", "Straat", "Rue", "Calle"];
        let wholes = [
            "Lieferadresse",
            "Lieferanschrift",
            "Delivery Street",
            "Ship To Address",
        ];
        let headers = streets.iter().flat_map(|street| {
            wholes.map(|whole| format!("Order|SKU|Qty|Name|{street}|PLZ|Ort|Land|{whole}"))
        });
        let order = "1|TEE|1|Bill Payer|Musterweg 3|10115|Berlin|DE|";
        for header in headers {
            let told = |text: &str| told(&header, &format!("{order}{text}"));
            for another in ["Ada Recv, Hauptstr. 5, 50667 Köln", "Hauptstr. 5"] {
                assert_eq!(told(another), [Some(4)], "{header}: {another}");
            }
            // Without one at all it is blank, which is told anyway.
            for same in ["Musterweg 3", "musterweg 3, 10115 Berlin", ""] {
                assert_eq!(told(same), [], "{header}: {same}");
            }
        }
    }

    #[test]
    fn a_bare_street_is_no_second_one_where_it_is_a_part_of_the_first_or_somebodys() {
        let parts = "Order|SKU|Qty|Name|Lieferadresse|Straße|Hausnummer|PLZ|Ort|Land";
        assert_eq!(
            told(parts, "1|TEE|1|Ada|Musterweg 3|Musterweg|3|10115|Berlin|DE"),
            []
        );
        let payers = "Order|SKU|Qty|Name|Straße|PLZ|Ort|Lieferadresse|Liefer-PLZ|Lieferort|Land";
        let row = "1|TEE|1|Ada|Musterweg 3|10115|Berlin|Hauptstr. 5|50667|Köln|DE";
        assert_eq!(told(&payers.replace("|Land", "|Lieferland"), row), []);
        let native = "order_id|item_sku|quantity|shipping_name|shipping_address1|shipping_city|shipping_zip|\
                      shipping_country_code|Straße";
        assert_eq!(
            told(native, "1|TEE|1|Ada|Hauptstr. 5|Köln|50667|DE|Musterweg 3"),
            []
        );
    }

    #[test]
    fn a_recipients_name_is_not_sent_to_the_customers_street() {
        let header = "Order|SKU|Qty|Kunde|Straße|PLZ|Ort|Land|Empfänger|Empfängeradresse";
        let row = "1|TEE|1|Bill Payer|Musterweg 3|10115|Berlin|DE|Ada Recv|";
        assert_eq!(told(header, &format!("{row}Hauptstr. 5, 50667 Köln")), [Some(9)]);
    }
}
