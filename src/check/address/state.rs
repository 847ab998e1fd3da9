//! A state of the United States in the country's column, which would have the parcel go abroad: `IN` for Indiana is not
//! India, and Georgia beside `GA` not Georgia.

use crate::finding::{Code, Finding};
use crate::order::{Country, Draft, Field, Province, quoted};

use super::super::zip;
use super::{COUNTRY, PROVINCE, province_text};

/// What ISO 3166 has both as countries and as states of the United States.
const TERRITORIES: [&str; 6] = ["AS", "GU", "MP", "PR", "UM", "VI"];

/// How the zips begin of the states whose code is a country's too.
const ZIPS: [(&str, u32, u32); 28] = [
    ("AL", 350, 369),
    ("AR", 716, 729),
    ("AZ", 850, 865),
    ("CA", 900, 961),
    ("CO", 800, 816),
    ("DE", 197, 199),
    ("GA", 300, 319),
    ("GA", 398, 399),
    ("ID", 832, 838),
    ("IL", 600, 629),
    ("IN", 460, 479),
    ("KY", 400, 427),
    ("LA", 700, 714),
    ("MA", 10, 27),
    ("MD", 206, 219),
    ("ME", 39, 49),
    ("MN", 550, 567),
    ("MO", 630, 658),
    ("MS", 386, 397),
    ("MT", 590, 599),
    ("NC", 270, 289),
    ("NE", 680, 693),
    ("PA", 150, 196),
    ("SC", 290, 299),
    ("SD", 570, 577),
    ("TN", 370, 385),
    ("VA", 201, 201),
    ("VA", 220, 246),
];

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
    COUNTRY.into_iter().find_map(|field| {
        let value = draft.value(field);
        let state = states.province(value.text)?;
        let zip = draft.value(Field::ShippingZip).text;
        let has_its_zip = zips_of(state.code, zip);
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

/// Whether a zip is one of a state of the United States, be it without the zero in front that a spreadsheet takes.
fn zips_of(state: &str, zip: &str) -> bool {
    const ALL: usize = 5;
    let digits = zip.split('-').next().unwrap_or(zip);
    let is_one = (ALL - 1..=ALL).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let whole = format!("{digits:0>ALL$}");
    let begins = whole.get(..3).and_then(|begin| begin.parse::<u32>().ok());
    let is_in = |(code, from, to): &(&str, u32, u32)| {
        *code == state && begins.is_some_and(|begins| (*from..=*to).contains(&begins))
    };
    is_one && ZIPS.iter().any(is_in)
}
