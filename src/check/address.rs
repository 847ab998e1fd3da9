//! Whether the address is complete and agrees with itself; what is missing of it but certain is filled.

mod pieces;
mod state;
mod zips;

use crate::finding::{Code, Finding};
use crate::order::{
    Country, Draft, Field, Province, ShipTo, is_example, is_unfilled, is_word_for_nothing, lost_in,
    points_elsewhere, quoted, restored_elsewhere, says_nothing,
};

use super::{ProvinceWhenBlank, Subject, phone, zip};

/// What the service demands of an address, beside a country and a province.
const REQUIRED: [Field; 4] = [
    Field::ShippingName,
    Field::ShippingAddress1,
    Field::ShippingCity,
    Field::ShippingZip,
];

const COUNTRY: [Field; 2] = [Field::ShippingCountryCode, Field::ShippingCountry];
const PROVINCE: [Field; 2] = [Field::ShippingProvinceCode, Field::ShippingProvince];

/// The address as it is sent.
pub(super) fn ship_to(subject: &Subject<'_>) -> ShipTo {
    let text = |field| subject.draft.value(field).text.to_owned();
    let country = subject.draft.destination();
    let (province, province_code) = province(subject);
    ShipTo {
        name: text(Field::ShippingName),
        phone: phone::as_sent(subject.draft.value(Field::ShippingPhone).text).to_owned(),
        address1: text(Field::ShippingAddress1),
        address2: text(Field::ShippingAddress2),
        city: text(Field::ShippingCity),
        province,
        province_code,
        zip: text(Field::ShippingZip),
        country: country_name(subject.draft.value(Field::ShippingCountry).text, country),
        country_code: country.map_or_else(
            || text(Field::ShippingCountryCode),
            |country| country.code.clone(),
        ),
    }
}

pub(super) fn is_complete(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    if let Some(why) = draft.no_address().filter(|_| has_no_place(draft)) {
        let message = format!("The order has no address, for it is {why}.");
        let hint = "Where it is to be printed, write the address that the parcel goes to, such as your shop's; otherwise nothing \
                    has to be done.";
        return vec![missing(draft, Field::ShippingAddress1, message, hint)];
    }
    let mut findings: Vec<Finding> = REQUIRED
        .into_iter()
        .filter(|field| is_missing(draft, *field))
        .map(|field| {
            let message = format!("{} is blank.", field.name());
            let hint = if field == Field::ShippingZip && has_no_zips(draft) {
                "The service asks for one in every country: where there are none, write what carriers do, `00000`."
            } else {
                "Write it on the order's first row."
            };
            missing(draft, field, message, hint)
        })
        .collect();
    findings.extend(REQUIRED.into_iter().filter_map(|field| placeholder(draft, field)));
    findings.extend(pieces::placeholders(draft));
    findings.extend(second_line_elsewhere(draft));
    if COUNTRY.iter().all(|field| is_missing(draft, *field)) {
        let message = "The country is blank.".to_owned();
        let hint = "Write its two-letter code or its name on the order's first row.";
        findings.push(missing(draft, present(draft, COUNTRY), message, hint));
    }
    if PROVINCE
        .iter()
        .all(|field| province_text(draft, *field).is_empty() && !draft.is_spoiled(*field))
        && subject.limits.province_when_blank.is_none()
    {
        let message = "The province is blank; the service asks for one in every country.".to_owned();
        let hint = "Write the state, province or region; or let the operator set `province_when_blank`.";
        findings.push(missing(draft, present(draft, PROVINCE), message, hint));
    }
    findings
}

/// Whether an order names no place at all.
fn has_no_place(draft: &Draft) -> bool {
    let place = [Field::ShippingAddress1, Field::ShippingCity, Field::ShippingZip];
    place.into_iter().all(|field| is_missing(draft, field))
}

/// Countries without zips that shops send to.
const WITHOUT_ZIPS: [&str; 20] = [
    "AE", "AG", "AO", "AW", "BO", "BS", "BW", "BZ", "CD", "CI", "FJ", "GH", "HK", "JM", "MO", "PA", "QA",
    "SC", "UG", "ZW",
];

fn has_no_zips(draft: &Draft) -> bool {
    draft
        .destination()
        .is_some_and(|country| WITHOUT_ZIPS.contains(&country.code.as_str()))
}

/// Words that stand in the street's place where there is none: what the row waits for, or why it has none.
const NO_STREET: [&str; 16] = [
    "address to follow",
    "awaiting address",
    "canceled",
    "cancelled",
    "collection",
    "digital",
    "in store pickup",
    "local pickup",
    "no address",
    "pick up",
    "pickup",
    "tbc",
    "to be confirmed",
    "to follow",
    "void",
    "waiting for address",
];

/// Whether a text is none in that field, though it may be one elsewhere: what programs write for a blank cell, or that
/// there is no street.
fn is_nothing_there(draft: &Draft, field: Field, text: &str) -> bool {
    let is_to = |code: &str| draft.destination().is_some_and(|country| country.code == code);
    let is_none = text.eq_ignore_ascii_case("none");
    match field {
        // Both are towns.
        Field::ShippingCity => matches!(text, "nan" | "NaN") && !is_to("TH") || is_none && !is_to("IT"),
        Field::ShippingAddress1 if NO_STREET.iter().any(|word| text.eq_ignore_ascii_case(word)) => true,
        _ => matches!(text, "nan" | "NaN" | "NA") || is_none,
    }
}

/// What stands in a cell for a value that nobody had: `-`, the 0 of a formula, or a word for nothing.
fn placeholder(draft: &Draft, field: Field) -> Option<Finding> {
    let value = draft.value(field);
    let (what, is_one): (_, fn(char) -> bool) = match field {
        Field::ShippingName => ("name", |c| c.is_alphanumeric() && c != '0'),
        Field::ShippingAddress1 => ("street", |c| c.is_alphanumeric() && c != '0'),
        Field::ShippingCity => ("city", char::is_alphabetic),
        // Where a country has no zips, something has to stand there.
        _ => return None,
    };
    // What stands for letters that were lost is told as that.
    let is_lost = value.text.contains(char::REPLACEMENT_CHARACTER) || lost_in(field, value.text).is_some();
    let is_nothing = |text| {
        is_word_for_nothing(text)
            || (points_elsewhere(text) && !is_town(field, text))
            || is_example(text)
            || is_unfilled(text)
            || is_nothing_there(draft, field, text)
    };
    let says_something = value.text.contains(is_one) && !is_nothing(value.text);
    if value.text.is_empty() || draft.is_spoiled(field) || is_lost || says_something {
        return None;
    }
    let message = format!("{} is {}, which is no {what}.", field.name(), quoted(value.text));
    Some(draft.finding(
        Code::MissingValue,
        (field, value.row),
        message,
        "Write it on the order's first row.",
    ))
}

/// Whether a text that points elsewhere may be the name of a town.
fn is_town(field: Field, text: &str) -> bool {
    field == Field::ShippingCity && text.eq_ignore_ascii_case("same")
}

/// A second line that stands elsewhere: of what is printed on the label nobody would find the door.
fn second_line_elsewhere(draft: &Draft) -> Option<Finding> {
    let (field, value) = (Field::ShippingAddress2, draft.value(Field::ShippingAddress2));
    if draft.is_spoiled(field) || !points_elsewhere(value.text) {
        return None;
    }
    let message = format!(
        "{} is {}, which is no line of an address.",
        field.name(),
        quoted(value.text)
    );
    let hint = "Write it, or leave it blank, on the order's first row.";
    Some(draft.finding(Code::MissingValue, (field, value.row), message, hint))
}

pub(super) fn country_exists(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let [code, name] = COUNTRY.map(|field| draft.value(field));
    let (by_code, by_name) = (crate::order::country(code.text), crate::order::country(name.text));
    let unknown = |field: Field, text: &str, row| {
        let message = format!("{} is not a country that dropsheet knows.", quoted(text));
        let hint = "Write the two-letter code, like US, CA, GB or DE.";
        draft.finding(Code::UnknownCountry, (field, row), message, hint)
    };
    match (by_code, by_name) {
        (None, _) if !code.text.is_empty() => vec![unknown(Field::ShippingCountryCode, code.text, code.row)],
        // A name in another language is fine beside a code that says which country is meant.
        (None, None) if !name.text.is_empty() => vec![unknown(Field::ShippingCountry, name.text, name.row)],
        (Some(by_code), Some(by_name)) if by_code.code != by_name.code => {
            let (one, other) = (quoted(code.text), quoted(name.text));
            let message = format!(
                "The country code {one} means {}, but the country {other} means {}.",
                by_code.name, by_name.name
            );
            let hint = "Correct the one that is wrong, or leave it blank.";
            let at = (Field::ShippingCountryCode, code.row);
            vec![draft.finding(Code::CountryMismatch, at, message, hint)]
        }
        _ => state::for_a_country(draft).into_iter().collect(),
    }
}

pub(super) fn province_is_of_the_country(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let Some(country) = draft.destination().filter(|country| country.has_provinces()) else {
        return Vec::new();
    };
    let [code, name] = PROVINCE.map(|field| draft.value(field));
    let (by_code, by_name) = (
        country.province_meant(code.text),
        country.province_meant(name.text),
    );
    if let (Some(by_code), Some(by_name)) = (by_code, by_name)
        && by_code.contradicts(by_name)
    {
        let (one, other) = (quoted(code.text), quoted(name.text));
        let message = format!(
            "The province code {one} means {}, but the province {other} means {}.",
            by_code.name, by_name.name
        );
        let hint = "Correct the one that is wrong, or leave it blank.";
        let at = (Field::ShippingProvinceCode, code.row);
        return vec![draft.finding(Code::ProvinceMismatch, at, message, hint)];
    }
    // Shops have codes of their own beside a name that says which province is meant, and English names of their own beside
    // a code that does.
    let is_in_english = by_code.is_some() && !country.lists_english_names();
    let is_said = [country.is_shops_code(code.text, name.text), is_in_english];
    PROVINCE
        .into_iter()
        .zip([code, name])
        .zip(is_said)
        .filter(|((field, value), is_said)| {
            let is_known =
                country.knows_province(value.text) || country.province_by_number(value.text).is_some();
            !is_said && !province_text(draft, *field).is_empty() && !is_known
        })
        .map(|((field, value), _is_said)| {
            let message = format!(
                "{} is not a listed province of {}.",
                quoted(value.text),
                country.name
            );
            let hint = "It is sent as it is; check the spelling.";
            draft.finding(Code::UnknownProvince, (field, value.row), message, hint)
        })
        .collect()
}

pub(super) fn zip_has_its_form(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let value = draft.value(Field::ShippingZip);
    let Some(country) = draft.destination() else {
        return Vec::new();
    };
    if value.text.is_empty() || draft.is_spoiled(Field::ShippingZip) {
        return Vec::new();
    }
    let shown = quoted(value.text);
    let (message, hint) = match zip::expected_form(&country.code, value.text) {
        Some(form) => (
            format!(
                "{shown} is no zip of {}{}.",
                country.name,
                of_another_state(draft, value.text)
            ),
            format!("Write it like {form}; format the column as text so that zeros stay."),
        ),
        None if zip::is_amount(value.text) => (
            format!("{shown} is no zip, but an amount that a spreadsheet has made of it."),
            "Write its digits alone, with the zeros before them; format the column as text so that they stay."
                .to_owned(),
        ),
        None => return Vec::new(),
    };
    vec![draft.finding(Code::BadZip, (Field::ShippingZip, value.row), message, &hint)]
}

/// Whether the zip is one of the province, where it is known which it is one of.
pub(super) fn zip_is_of_the_province(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let value = draft.value(Field::ShippingZip);
    let Some(country) = draft.destination() else {
        return Vec::new();
    };
    let is_unknown =
        draft.is_spoiled(Field::ShippingZip) || zip::expected_form(&country.code, value.text).is_some();
    let named = PROVINCE.map(|field| country.province_meant(province_text(draft, field)));
    let province = match named {
        [Some(one), Some(other)] if one.code != other.code => None,
        [one, other] => one.or(other),
    };
    let Some(province) = province.filter(|_| !is_unknown) else {
        return Vec::new();
    };
    let elsewhere = zips::elsewhere(&country.code, value.text, province.code);
    let Some(other) = elsewhere.and_then(|code| country.province(code)) else {
        return Vec::new();
    };
    let message = format!(
        "The zip {} is one of {}, but the province is {}.",
        quoted(value.text),
        other.name,
        province.name
    );
    let hint = "It is sent as it is; check both.";
    vec![draft.finding(Code::ZipMismatch, (Field::ShippingZip, value.row), message, hint)]
}

/// Why a zip does not get its zero back that would have it in another state; empty where it would have it in none.
fn of_another_state(draft: &Draft, zip: &str) -> String {
    restored_elsewhere(draft, zip).map_or_else(String::new, |(state, restored)| {
        format!("; with the zero that a spreadsheet takes it would be {restored}, which is not in {state}")
    })
}

/// The name that is sent: the sheet's, unless it is no more than a code.
fn country_name(text: &str, country: Option<&Country>) -> String {
    match country {
        Some(country) if text.len() <= 3 || is_word_for_nothing(text) => country.name.to_owned(),
        Some(_) | None => text.to_owned(),
    }
}

/// The province's name and code as they are sent: each from the other where only one is given or one stands in the
/// other's column; as given where the data does not list it.
fn province(subject: &Subject<'_>) -> (String, String) {
    let draft = subject.draft;
    let [code, name] = PROVINCE.map(|field| province_text(draft, field));
    if code.is_empty() && name.is_empty() {
        let text = match &subject.limits.province_when_blank {
            None => "",
            Some(ProvinceWhenBlank::City) => draft.value(Field::ShippingCity).text,
            Some(ProvinceWhenBlank::Text(text)) => text,
        };
        return (text.to_owned(), text.to_owned());
    }
    let listed = |text| draft.destination()?.province_meant(text);
    let (by_code, by_name) = (listed(code), listed(name));
    let code_sent = match (by_code, by_name) {
        (Some(province), _) => province.code,
        (None, Some(province)) if code.is_empty() => province.code,
        (None, _) => first_filled(code, name),
    };
    let name_sent = match (by_name, by_code) {
        (Some(province), _) if is_code_of(province, name) || is_numbered(draft, name) => province.name,
        (None, Some(province)) if name.is_empty() => province.name,
        (Some(_) | None, _) => first_filled(name, code),
    };
    (name_sent.to_owned(), code_sent.to_owned())
}

/// What the order says of its province; nothing where that holds the place of one: `-`, `0`, `N/A`, or the `default` of a
/// marketplace.
fn province_text(draft: &Draft, field: Field) -> &str {
    let text = draft.value(field).text;
    let is_listed = || {
        draft
            .destination()
            .is_some_and(|country| country.province(text).is_some())
    };
    if says_nothing(text) && !is_listed() {
        ""
    } else {
        text
    }
}

fn is_code_of(province: &Province, text: &str) -> bool {
    text.rsplit('-')
        .next()
        .is_some_and(|code| code.eq_ignore_ascii_case(province.code))
}

/// Whether a text is a shop's own code of a province, and nothing that anyone calls it.
fn is_numbered(draft: &Draft, text: &str) -> bool {
    draft
        .destination()
        .is_some_and(|country| country.province(text).is_none() && country.province_by_number(text).is_some())
}

fn first_filled<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}

fn is_missing(draft: &Draft, field: Field) -> bool {
    draft.value(field).text.is_empty() && !draft.is_spoiled(field)
}

/// The first of two columns that the sheet has.
fn present(draft: &Draft, [first, second]: [Field; 2]) -> Field {
    if draft.has_column(first) || !draft.has_column(second) {
        first
    } else {
        second
    }
}

fn missing(draft: &Draft, field: Field, message: String, hint: &str) -> Finding {
    let at = (field, draft.value(field).row);
    if draft.has_column(field) {
        return draft.finding(Code::MissingValue, at, message, hint);
    }
    // There is no cell to point at, and a shop's export may never have one.
    let hint = format!(
        "The sheet has no column for it: add one with the header `{}`. {hint}",
        field.name()
    );
    draft.finding(Code::MissingValue, at, message, &hint)
}
