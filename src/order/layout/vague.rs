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

/// Columns that hold the province or something else, which each cell tells; none where the sheet has two addresses, of
/// which such a name says nothing.
pub(super) fn provinces(header: &Row, has_two_addresses: bool) -> Vec<Twin> {
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

/// Columns of a part of the city beside a city whose name says better whose it is: `Shipping Suburb`, or a bare `Suburb`,
/// beside `shipping_city`. A bare one is of the same address where the sheet has no other.
pub(super) fn within_the_city(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<Twin> {
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
