//! A state of the United States in the country's column, which would have the parcel go abroad: `IN` for Indiana is not
//! India, and Georgia beside `GA` not Georgia.

use crate::finding::{Code, Finding};
use crate::order::{Country, Draft, Field, Province, quoted};

use super::super::zip;
use super::zips::is_of_state;
use super::{COUNTRY, PROVINCE, province_text};

/// What ISO 3166 has both as countries and as states of the United States.
const TERRITORIES: [&str; 6] = ["AS", "GU", "MP", "PR", "UM", "VI"];

/// The states of which the zips may be those of the country with their code, as `61000` is one of Tel Aviv, with the towns
/// that tell, in small letters.
const BY_TOWN: [(&str, &[&str]); 3] = [
    (
        "ID",
        &[
            "boise",
            "meridian",
            "nampa",
            "caldwell",
            "idaho falls",
            "pocatello",
            "twin falls",
            "coeur d'alene",
            "post falls",
            "lewiston",
            "rexburg",
            "moscow",
        ],
    ),
    (
        "IL",
        &[
            "chicago",
            "aurora",
            "naperville",
            "joliet",
            "rockford",
            "springfield",
            "elgin",
            "peoria",
            "champaign",
            "waukegan",
            "cicero",
            "bloomington",
            "evanston",
            "arlington heights",
            "schaumburg",
            "decatur",
            "bolingbrook",
            "palatine",
            "skokie",
            "des plaines",
            "oak park",
            "oak lawn",
            "berwyn",
            "wheaton",
            "orland park",
            "normal",
            "urbana",
        ],
    ),
    (
        "SD",
        &[
            "sioux falls",
            "rapid city",
            "aberdeen",
            "brookings",
            "watertown",
            "mitchell",
            "yankton",
            "huron",
            "pierre",
        ],
    ),
];

/// What is said of such a state. Only one that is written in two ways proves it, or a zip of that state: where there are no
/// provinces, people write the country's code in their place.
pub(super) fn for_a_country(draft: &Draft) -> Option<Finding> {
    let is_abroad = |country: &&Country| country.code != "US" && !TERRITORIES.contains(&&*country.code);
    let destination = draft.destination().filter(is_abroad)?;
    let states = crate::order::country("US")?;
    if let Some(finding) = for_no_country(draft, destination, states) {
        return Some(finding);
    }
    COUNTRY.into_iter().find_map(|field| {
        let value = draft.value(field);
        let state = states.province(value.text)?;
        let zip = draft.value(Field::ShippingZip).text;
        let has_its_zip = is_of_state(zip, state.code);
        let province = PROVINCE.map(|field| draft.value(field).text).into_iter().find(|text| {
            (!text.eq_ignore_ascii_case(value.text) || has_its_zip)
                && destination.province(text).is_none()
                && states.province(text).is_some_and(|named| named.code == state.code)
        });
        let (proof, hint) = match province {
            Some(province) => (
                format!(
                    "beside the province {} it is {}, a state of the United States{}",
                    quoted(province),
                    state.name,
                    if has_its_zip { ", where the zip is" } else { "" }
                ),
                "Write US as the country; or correct the province.",
            ),
            None if has_its_zip && is_told_by_zip(draft, destination, (states, state)) => (
                format!(
                    "the zip {} is one of {}, a state of the United States",
                    quoted(zip),
                    state.name
                ),
                "Write US as the country, and the state as the province; or, if the country is right, write its province.",
            ),
            None => return None,
        };
        let (text, name) = (quoted(value.text), destination.name);
        let message = format!("The country {text} means {name}, but {proof}.");
        Some(draft.finding(Code::CountryMismatch, (field, value.row), message, hint))
    })
}

/// What is said of `NA` in the country's place, which programs write where nobody gave one, and which is Namibia's code: a
/// state beside it with a zip of its own proves it.
fn for_no_country(draft: &Draft, destination: &Country, states: &Country) -> Option<Finding> {
    let is_none = |text: &str| text.eq_ignore_ascii_case("NA");
    let mut said = COUNTRY
        .into_iter()
        .filter(|field| !draft.value(*field).text.is_empty());
    let field = said.clone().next().filter(|_| destination.code == "NA")?;
    let zip = draft.value(Field::ShippingZip).text;
    let state = PROVINCE.into_iter().find_map(|field| {
        let named = states.province(draft.value(field).text)?;
        is_of_state(zip, named.code).then_some(named)
    })?;
    let value = draft.value(field);
    said.all(|field| is_none(draft.value(field).text)).then(|| {
        let message = format!(
            "The country {} means {}, but the zip {} is one of {}, a state of the United States.",
            quoted(value.text),
            destination.name,
            quoted(zip),
            state.name
        );
        let hint = "Write US as the country; or, if the country is right, correct the province.";
        draft.finding(Code::CountryMismatch, (field, value.row), message, hint)
    })
}

/// Whether a zip of a state tells by itself that this is meant: no province is given, no other word for the country, and the
/// country has no such zips, or the town is the state's. Where it is no zip of the country, that is said already.
fn is_told_by_zip(draft: &Draft, destination: &Country, (states, state): (&Country, &Province)) -> bool {
    let is_blank = |field| province_text(draft, field).is_empty() && !draft.is_spoiled(field);
    let is_of_it = |text: &str| {
        states
            .province(text)
            .is_some_and(|named| named.code == state.code)
    };
    let said = COUNTRY.map(|field| draft.value(field).text);
    let is_only_word = said.into_iter().all(|text| text.is_empty() || is_of_it(text));
    let town = draft.value(Field::ShippingCity).text.to_lowercase();
    let towns = BY_TOWN.iter().find(|(of, _)| *of == destination.code);
    let is_none_of_the_country = towns.is_none_or(|(_, towns)| towns.contains(&town.as_str()));
    let zip = draft.value(Field::ShippingZip).text;
    let is_said_already = zip::expected_form(&destination.code, zip).is_some();
    PROVINCE.into_iter().all(is_blank) && is_only_word && is_none_of_the_country && !is_said_already
}
