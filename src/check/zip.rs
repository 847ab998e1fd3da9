//! The forms of zips in the countries that dropsheet knows them of.

use crate::order::is_digits;

/// Countries whose zips all have so many digits, some with zeros in front: how many of those a spreadsheet can have
/// taken, and an example. Countries where fewer digits can be right are not among them.
const WITH_ZEROS: &[(&str, usize, usize, &str)] = &[
    ("BR", 8, 1, "01310-100"),
    ("CN", 6, 1, "010000"),
    ("CO", 6, 1, "050021"),
    ("DE", 5, 1, "01067"),
    ("DZ", 5, 1, "01000"),
    ("EC", 6, 1, "010101"),
    ("ES", 5, 1, "08001"),
    ("FI", 5, 3, "00100"),
    ("FR", 5, 2, "06000"),
    ("GE", 4, 1, "0105"),
    ("GT", 5, 1, "01001"),
    ("IT", 5, 3, "00118"),
    ("JP", 7, 2, "060-0001"),
    ("KE", 5, 2, "00100"),
    ("KR", 5, 1, "04524"),
    ("KZ", 6, 1, "010000"),
    ("LK", 5, 2, "00100"),
    ("LT", 5, 1, "01100"),
    ("MX", 5, 1, "01000"),
    ("MY", 5, 1, "01000"),
    ("NO", 4, 3, "0150"),
    ("NZ", 4, 1, "0600"),
    ("PE", 5, 1, "01001"),
    ("PH", 4, 1, "0700"),
    ("PL", 5, 4, "00-001"),
    ("PR", 5, 2, "00901"),
    ("RO", 6, 1, "010011"),
    ("SG", 6, 1, "018956"),
    ("SK", 5, 1, "010 01"),
    ("TR", 5, 1, "01010"),
    ("UA", 5, 1, "01001"),
    ("VA", 5, 2, "00120"),
    ("VI", 5, 2, "00802"),
    ("ZA", 4, 3, "0001"),
];

/// An example of the right form, where `zip` has another; none where it is right, or the form is not known.
pub(super) fn expected_form(country: &str, zip: &str) -> Option<&'static str> {
    let (right, example) = match country {
        "US" => (is_us(zip), "12345 or 12345-6789"),
        "CA" => (is_canadian(zip), "K1A 0B1"),
        "AU" => (zip.len() == 4 && is_digits(zip), "2000"),
        "GB" => (is_british(zip), "SW1A 1AA"),
        _ => {
            let (_, digits, zeros, example) = WITH_ZEROS.iter().find(|(code, ..)| *code == country)?;
            (!lacks_zeros(zip, *digits, *zeros), *example)
        }
    };
    (!right).then_some(example)
}

/// Whether digits are written as an amount is, in thousands or with decimals of zeros alone: no country writes zips so.
pub(super) fn is_amount(zip: &str) -> bool {
    let Some((first, rest)) = zip.split_once(['.', ',']) else {
        return false;
    };
    let is_thousands = first.len() <= 3
        && rest
            .split(['.', ','])
            .all(|group| group.len() == 3 && is_digits(group));
    is_digits(first)
        && (is_thousands || (1..=2).contains(&rest.len()) && rest.bytes().all(|digit| digit == b'0'))
}

/// Nothing but digits, and fewer than `digits` by no more than the `zeros` that can have stood in front.
fn lacks_zeros(zip: &str, digits: usize, zeros: usize) -> bool {
    let lost = digits.saturating_sub(zip.len());
    is_digits(zip) && (1..=zeros).contains(&lost)
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
    matches!(outward, Some("A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A"))
        || compact == "GIR0AA"
        || is_of_british_forces(zip)
}

/// The number that the British forces' post has abroad: `BFPO 801`.
fn is_of_british_forces(zip: &str) -> bool {
    let number = zip.strip_prefix("BFPO").map(str::trim_start);
    number.is_some_and(|number| (1..=4).contains(&number.len()) && is_digits(number))
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
    use crate::finding::Code;
    use crate::order::countries;

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
                    "BFPO 801", "BFPO 5", "BFPO1234", "BF1 4FB",
                ],
                vec![
                    "SW1A",
                    "SW1A 1A",
                    "12345",
                    "SW1A 1AAA",
                    "1SW 1AA",
                    "BFPO",
                    "BFPO 12345",
                    "BFPO 8O1",
                ],
            ),
            ("DE", vec!["10115", "01067", "anything"], vec!["1067"]),
            ("FR", vec!["06000", "CEDEX 9"], vec!["6000"]),
            ("IT", vec!["00118", "20121"], vec!["118", "40", "1118"]),
            ("FI", vec!["00100"], vec!["100", "20"]),
            ("NO", vec!["0150", "N-0150"], vec!["150", "10", "1"]),
            ("KR", vec!["04524", "135-080"], vec!["4524"]),
            ("TR", vec!["01010"], vec!["1010"]),
            ("JP", vec!["0600001", "060-0001"], vec!["600001", "10021"]),
            ("BR", vec!["01310-100", "01310"], vec!["1310100"]),
            ("PL", vec!["00-001", "00001"], vec!["1", "950", "2123"]),
            ("PR", vec!["00901", "00901-1234"], vec!["901", "9011"]),
            ("VI", vec!["00802"], vec!["802"]),
            ("CO", vec!["050021", "110111"], vec!["50021"]),
            ("DK", vec!["0800", "100"], vec![]),
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

    #[test]
    fn a_zip_that_was_made_an_amount_is_one_nowhere() {
        for zip in ["1.067", "10,115", "10115,00", "10115.0", "1.310.100", "1,010"] {
            assert!(is_amount(zip), "{zip}");
        }
        for zip in [
            "10115",
            "01.310-100",
            "1.2",
            "12.34",
            "1234.567",
            ".",
            "1.",
            "K1A.0B1",
            "10.11",
            "",
        ] {
            assert!(!is_amount(zip), "{zip}");
        }
    }

    #[test]
    fn the_explanation_names_the_countries_whose_zips_are_known() {
        let probes: Vec<String> = (1..=9).map(|digits| "9".repeat(digits)).collect();
        let is_known = |code: &str| probes.iter().any(|probe| expected_form(code, probe).is_some());
        let mut known: Vec<&str> = countries().into_iter().map(|(code, _name)| code).collect();
        known.retain(|code| is_known(code));
        known.sort_unstable();
        let mut named: Vec<&str> = Code::BadZip.page().meaning.split([' ', ',', '.']).collect();
        named.retain(|word| shape(word) == "AA");
        named.sort_unstable();
        assert_eq!(named, known);
    }

    #[test]
    fn an_example_has_the_form_that_it_shows() {
        for (country, digits, zeros, example) in WITH_ZEROS {
            assert_eq!(expected_form(country, example), None, "{country}");
            let bare = example.replace([' ', '-'], "");
            assert_eq!(bare.len(), *digits, "{country}");
            assert!(bare.starts_with('0'), "{country} has lost {zeros}");
        }
    }
}
