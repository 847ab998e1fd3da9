//! US zips that lost their leading zeros in a spreadsheet.

use super::columns::Field;
use super::draft::Draft;
use super::mend::is_digits;

/// States whose zips begin with one zero, and those whose zips begin with two.
const ONE_ZERO: [&str; 10] = ["CT", "MA", "ME", "NH", "NJ", "PR", "RI", "VT", "VI", "AE"];
const TWO_ZEROS: [&str; 2] = ["PR", "VI"];

/// The zip with its zeros back, where the order goes to the US, its state (where there is one) has such zips, and
/// nothing else could be meant. ZIP+4 may be written without its hyphen: 21340012 is 02134-0012.
pub(crate) fn restored(draft: &Draft, zip: &str) -> Option<String> {
    let (five, plus_four) = match zip.split_once('-') {
        Some((five, plus_four)) if plus_four.len() == 4 && is_digits(plus_four) => (five, plus_four),
        Some(_) => return None,
        None if zip.len() > 5 => zip.split_at_checked(zip.len().saturating_sub(4))?,
        None => (zip, ""),
    };
    if !is_digits(five) || !(plus_four.is_empty() || is_digits(plus_four)) {
        return None;
    }
    draft.destination().filter(|country| country.code == "US")?;
    let zeros = zeros_for(five.len(), &state(draft)?)?;
    let hyphen = if plus_four.is_empty() { "" } else { "-" };
    Some(format!("{zeros}{five}{hyphen}{plus_four}"))
}

/// The zeros that a zip of so many digits has lost in a state; a blank state contradicts nothing but the rare two.
fn zeros_for(digits: usize, state: &str) -> Option<&'static str> {
    match digits {
        4 if state.is_empty() || ONE_ZERO.contains(&state) => Some("0"),
        3 if TWO_ZEROS.contains(&state) => Some("00"),
        _ => None,
    }
}

/// The code of the order's state, blank where it names none; none where it names one that the US do not have.
fn state(draft: &Draft) -> Option<String> {
    let country = draft.destination()?;
    let named: Vec<&str> = [Field::ShippingProvinceCode, Field::ShippingProvince]
        .into_iter()
        .map(|field| draft.value(field).text)
        .filter(|text| !text.is_empty())
        .collect();
    if named.is_empty() {
        return Some(String::new());
    }
    let found = named.iter().find_map(|text| country.province(text))?;
    Some(found.code.to_owned())
}
