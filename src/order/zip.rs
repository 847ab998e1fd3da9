//! Zips of the US and its territories that lost their leading zeros in a spreadsheet, or have the hyphen of a part that is
//! blank.

use std::ops::RangeInclusive;

use super::columns::Field;
use super::draft::Draft;
use super::mend::is_digits;

/// States whose zips begin with one zero, and the two digits that may follow it there: any others were mistyped.
const ONE_ZERO: [(&str, &[RangeInclusive<&str>]); 9] = [
    ("MA", &["10"..="27", "55"..="55"]),
    ("RI", &["28"..="29"]),
    ("NH", &["30"..="38"]),
    ("ME", &["39"..="49"]),
    ("VT", &["50"..="54", "56"..="59"]),
    ("CT", &["60"..="69"]),
    // Fishers Island, an island of New York that its post reaches from Connecticut.
    ("NY", &["63"..="63"]),
    ("NJ", &["70"..="89"]),
    ("AE", &["90"..="98"]),
];

/// Without the hyphen of a ZIP+4 whose four digits are blank, which says nothing: `43004-`.
pub(super) fn without_blank_part(zip: &str) -> &str {
    let digits = zip.strip_suffix('-').map(str::trim_end);
    digits.filter(|digits| is_digits(digits)).unwrap_or(zip)
}

/// The zip with its zeros back, where the order goes to the US, Puerto Rico or the Virgin Islands, its state (where
/// there is one) has such zips, and nothing else could be meant. ZIP+4 may be written without its hyphen: 21340012 is
/// 02134-0012.
pub(crate) fn restored(draft: &Draft, zip: &str) -> Option<String> {
    restored_in(&state(draft)?, zip)
}

/// The same where the order's state alone speaks against it: that state, and the zip that it would be in another.
pub(crate) fn restored_elsewhere(draft: &Draft, zip: &str) -> Option<(String, String)> {
    let state = state(draft).filter(|state| !state.is_empty())?;
    Some((state, restored_in("", zip)?))
}

fn restored_in(state: &str, zip: &str) -> Option<String> {
    let (five, plus_four) = match zip.split_once('-') {
        Some((five, plus_four)) if plus_four.len() == 4 && is_digits(plus_four) => (five, plus_four),
        Some(_) => return None,
        None if zip.len() > 5 => zip.split_at_checked(zip.len().saturating_sub(4))?,
        None => (zip, ""),
    };
    let is_short = (3..=4).contains(&five.len());
    if !is_short || !is_digits(five) || !(plus_four.is_empty() || is_digits(plus_four)) {
        return None;
    }
    let zeros = zeros_for(five, state)?;
    let hyphen = if plus_four.is_empty() { "" } else { "-" };
    Some(format!("{zeros}{five}{hyphen}{plus_four}"))
}

/// The zeros that a zip has lost in a state; a blank state contradicts nothing but the rare two.
fn zeros_for(zip: &str, state: &str) -> Option<&'static str> {
    let after_two = after_two_zeros(state);
    match zip.len() {
        4 if follows_one_zero(zip.get(..2)?, state) => Some("0"),
        4 if zip.strip_prefix('0')?.starts_with(after_two) => Some("0"),
        3 if zip.starts_with(after_two) => Some("00"),
        _ => None,
    }
}

/// Whether these two digits follow one zero in a state, or in any where it is blank.
fn follows_one_zero(two: &str, state: &str) -> bool {
    let states = ONE_ZERO
        .iter()
        .filter(|(code, _)| state.is_empty() || *code == state);
    states
        .flat_map(|(_, ranges)| *ranges)
        .any(|range| range.contains(&two))
}

/// The digits that follow two zeros in a state; none where its zips do not begin with two.
fn after_two_zeros(state: &str) -> &'static [char] {
    match state {
        "PR" => &['6', '7', '9'],
        "VI" => &['8'],
        // The tax office in Holtsville.
        "NY" => &['5'],
        _ => &[],
    }
}

/// The code of the order's state, blank where it names none that the US have; none where the order goes elsewhere. Shops name
/// a territory as a state, or as a country.
fn state(draft: &Draft) -> Option<String> {
    let country = draft.destination()?;
    match country.code.as_str() {
        "US" => {}
        territory if !after_two_zeros(territory).is_empty() => return Some(territory.to_owned()),
        _ => return None,
    }
    let named = [Field::ShippingProvinceCode, Field::ShippingProvince].map(|field| draft.value(field).text);
    let found = named.iter().find_map(|text| country.province(text));
    Some(found.map_or_else(String::new, |state| state.code.to_owned()))
}
