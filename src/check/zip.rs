//! The forms of zips in the countries that dropsheet knows them of.

use crate::order::is_digits;

/// An example of the right form, where `zip` has another; none where it is right, or the form is not known.
pub(super) fn expected_form(country: &str, zip: &str) -> Option<&'static str> {
    let (right, example) = match country {
        "US" => (is_us(zip), "12345 or 12345-6789"),
        "CA" => (is_canadian(zip), "K1A 0B1"),
        "AU" => (is_four_digits(zip), "2000"),
        "GB" => (is_british(zip), "SW1A 1AA"),
        // Five digits, some with a zero in front: four are what a spreadsheet has left of those.
        "DE" => (!is_four_digits(zip), "01067"),
        "ES" => (!is_four_digits(zip), "08001"),
        "FI" => (!is_four_digits(zip), "00100"),
        "FR" => (!is_four_digits(zip), "06000"),
        "IT" => (!is_four_digits(zip), "00118"),
        "MX" => (!is_four_digits(zip), "01000"),
        _ => return None,
    };
    (!right).then_some(example)
}

fn is_four_digits(zip: &str) -> bool {
    zip.len() == 4 && is_digits(zip)
}

fn is_us(zip: &str) -> bool {
    matches!(
        shape(zip).as_str(),
        "99999" | "99999-9999" | "99999 9999" | "999999999"
    )
}

fn is_canadian(zip: &str) -> bool {
    let compact = without_gap(zip);
    let never = |c: char| "DFIOQU".contains(c);
    shape(&compact) == "A9A9A9" && !compact.contains(never) && !compact.starts_with(['W', 'Z'])
}

fn is_british(zip: &str) -> bool {
    let compact = without_gap(zip);
    let shape = shape(&compact);
    let outward = shape.strip_suffix("9AA");
    matches!(outward, Some("A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A")) || compact == "GIR0AA"
}

/// Digits as `9`, capital letters as `A`, anything else as it is.
fn shape(zip: &str) -> String {
    zip.chars()
        .map(|c| match c {
            '0'..='9' => '9',
            'A'..='Z' => 'A',
            other => other,
        })
        .collect()
}

/// Without the one space or hyphen before the last three characters.
fn without_gap(zip: &str) -> String {
    match zip.rsplit_once([' ', '-']) {
        Some((out, inward)) if inward.len() == 3 => format!("{}{inward}", out.trim_end()),
        _ => zip.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_country_has_its_form_and_no_other() {
        for (country, right, wrong) in [
            (
                "US",
                vec!["02134", "90210-1234", "902101234"],
                vec!["2134", "9021", "902100", "K1A 0B1", "90210-12", "9021O"],
            ),
            (
                "CA",
                vec!["K1A 0B1", "K1A0B1", "V6B-1A1"],
                vec!["K1A 0B", "90210", "D1A 0B1", "K1A  0O1", "W1A 0B1"],
            ),
            ("AU", vec!["2000", "0800"], vec!["800", "20000", "200A"]),
            (
                "GB",
                vec![
                    "SW1A 1AA", "M1 1AE", "B33 8TH", "CR2 6XH", "DN55 1PT", "EC1A1BB", "GIR 0AA", "W1A 0AX",
                ],
                vec!["SW1A", "SW1A 1A", "12345", "SW1A 1AAA", "1SW 1AA"],
            ),
            ("DE", vec!["10115", "01067", "anything"], vec!["1067"]),
            ("FR", vec!["06000", "CEDEX 9"], vec!["6000"]),
            ("AT", vec!["1010", "anything"], vec![]),
        ] {
            for zip in right {
                assert_eq!(expected_form(country, zip), None, "{country} {zip}");
            }
            for zip in wrong {
                assert!(expected_form(country, zip).is_some(), "{country} {zip}");
            }
        }
    }
}
