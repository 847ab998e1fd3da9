//! What stands in a cell that may be blank for a value that nobody had.

use super::*;

#[test]
fn a_word_for_nothing_is_sent_as_nothing_and_where_something_is_needed_it_is_none() {
    let blank = order(&[("shipping_phone", "")]);
    for (column, words) in [
        (
            "shipping_address2",
            &[
                "nan",
                "NaN",
                "null",
                "NULL",
                "N/A",
                "n.a.",
                "-",
                "0",
                "none",
                "undefined",
            ][..],
        ),
        ("shipping_phone", &["nan", "-", "0", "N/A", "none"]),
        ("variant_note", &["nan", "-", "N/A", "none"]),
        ("product_name", &["nan", "-", "0", "none"]),
        ("artwork_back", &["none", "-", "n/a", "no", "kein", "0", "leer"]),
        ("artwork_2", &["none", "-"]),
        ("mockup_url", &["none", "-", "n/a", "no"]),
        ("made_in_location", &["-", "any", "null"]),
        ("shipping_service", &["-", "n/a", "nan"]),
        ("expected_total", &["-", "n/a"]),
    ] {
        for word in words {
            assert_eq!(
                order(&[("shipping_phone", ""), (column, word)]),
                blank,
                "{column} {word}"
            );
        }
    }
    for (column, text) in [
        ("artwork_front", "-"),
        ("artwork_back", "tbd"),
        ("artwork_back", "see above"),
        ("made_in_location", "NO"),
    ] {
        assert_eq!(checked(&[(column, text)]).order, None, "{column} {text}");
    }
    assert_eq!(codes(&[("artwork_front", "-")]), [Code::BadUrl]);
    let back = ("artwork_back", "https://example.com/back.png");
    assert_eq!(
        order(&[("artwork_front", "-"), back]).lines[0].artwork_front,
        None
    );
    let of_two_rows = checked_with(
        &[
            row(&[("shipping_address2", "N/A")]),
            row(&[("shipping_address2", "Apt 5")]),
        ],
        &Limits::default(),
    );
    let sent = of_two_rows[0].order.as_ref().unwrap();
    assert_eq!(sent.ship_to.address2, "Apt 5");
}

#[test]
fn a_link_that_is_wrong_may_be_left_out_where_none_is_needed() {
    let hint = |column| checked(&[(column, "tbd")]).findings[0].hint.clone();
    assert!(hint("artwork_back").ends_with("or leave the cell blank."));
    assert!(!hint("artwork_front").contains("blank"));
}

#[test]
fn what_a_program_writes_for_no_country_is_no_namibia() {
    let told = |code: &'static str, name: &'static str, province: &'static str, zip: &'static str| {
        let cells = [
            ("shipping_country_code", code),
            ("shipping_country", name),
            ("shipping_province_code", province),
            ("shipping_province", ""),
            ("shipping_zip", zip),
        ];
        let told = codes(&cells).into_iter();
        told.filter(|code| matches!(code, Code::UnknownCountry | Code::CountryMismatch))
            .collect::<Vec<_>>()
    };
    for none in ["N/A", "n/a", "N.A.", "n.a", "(NA)", "<NA>", "N\\A"] {
        assert_eq!(told("", none, "OH", "43004"), [Code::UnknownCountry], "{none}");
        assert_eq!(told(none, "", "OH", "43004"), [Code::UnknownCountry], "{none}");
        assert_eq!(told("US", none, "OH", "43004"), [], "{none}");
    }
    assert_eq!(told("NA", "", "OH", "43004"), [Code::CountryMismatch]);
    assert_eq!(told("", "NA", "OH", "43004"), [Code::CountryMismatch]);
    // Windhoek is in Khomas; Ohangwena has the code of Ohio less a letter.
    assert_eq!(told("NA", "", "KH", "10005"), []);
    assert_eq!(told("NA", "", "OW", "12001"), []);
    assert_eq!(told("NA", "Namibia", "OH", "43004"), []);
    let sent = order(&[("shipping_country_code", "US"), ("shipping_country", "n.a.")]);
    assert_eq!(sent.ship_to.country, "United States");
}

#[test]
fn what_a_program_writes_for_a_blank_cell_is_no_name_no_street_and_no_city() {
    let missing = |field: &'static str, text: &'static str, country: &'static str| {
        let cells = [
            (field, text),
            ("shipping_country_code", country),
            ("shipping_country", ""),
        ];
        codes(&cells).contains(&Code::MissingValue)
    };
    for field in ["shipping_name", "shipping_address1", "shipping_city"] {
        for text in ["None", "none", "nan", "NaN", "<NA>", "(null)", "\\N"] {
            assert!(missing(field, text, "US"), "{field} {text}");
        }
    }
    for (field, text, country) in [
        ("shipping_city", "None", "IT"),
        ("shipping_city", "Nan", "TH"),
        ("shipping_city", "nan", "TH"),
        ("shipping_name", "Nan", "US"),
        ("shipping_name", "Na", "KR"),
        ("shipping_name", "None Such", "US"),
        ("shipping_address1", "Nonestraat 1", "NL"),
    ] {
        assert!(!missing(field, text, country), "{field} {text}");
    }
}

#[test]
fn what_says_where_a_part_of_the_address_is_written_is_none() {
    for text in [
        "same",
        "see email",
        "See message",
        "as before",
        "on file",
        "ditto",
        "wie gehabt",
    ] {
        for column in ["shipping_name", "shipping_address1", "shipping_address2"] {
            assert_eq!(codes(&[(column, text)]), [Code::MissingValue], "{column} {text}");
        }
    }
    assert_eq!(codes(&[("shipping_city", "see email")]), [Code::MissingValue]);
    assert_eq!(codes(&[("shipping_city", "Same")]), [], "a town");
    for street in ["On File Road 1", "1 Same Street", "12 Email Lane"] {
        assert_eq!(codes(&[("shipping_address1", street)]), [], "{street}");
    }
}
