//! US zips that lost their leading zeros in a spreadsheet.

use super::columns::Field;
use super::draft::Draft;
use super::mend::is_digits;

/// States whose zips begin with one zero, and those whose zips begin with two.
const ONE_ZERO: [&str; 10] = ["CT", "MA", "ME", "NH", "NJ", "PR", "RI", "VT", "VI", "AE"];
const TWO_ZEROS: [&str; 2] = ["PR", "VI"];

/// The zip with its zeros back, where the order goes to the US, its state (where it is known) has such zips, and
/// nothing else could be meant.
pub(crate) fn restored(draft: &Draft, zip: &str) -> Option<String> {
    let (five, plus_four) = zip.split_once('-').unwrap_or((zip, ""));
    if !is_digits(five) || !matches!(five.len(), 3 | 4) || !(plus_four.is_empty() || plus_four.len() == 4) {
        return None;
    }
    let country = draft.destination().filter(|country| country.code == "US")?;
    let state = [Field::ShippingProvinceCode, Field::ShippingProvince]
        .into_iter()
        .find_map(|field| country.province(draft.value(field).text))
        .map(|province| province.code);
    let certain = match (five.len(), state) {
        (4, None) => true,
        (4, Some(state)) => ONE_ZERO.contains(&state),
        (_, Some(state)) => TWO_ZEROS.contains(&state),
        (_, None) => false,
    };
    let zeros = if five.len() == 4 { "0" } else { "00" };
    certain.then(|| format!("{zeros}{zip}"))
}
