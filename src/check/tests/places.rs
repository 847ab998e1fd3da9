//! Countries, provinces and zips as shops write them.

use super::*;

/// What is told of the province of a row that goes to a country, by the province's code and name.
fn told(country: &str, code: &str, name: &str) -> Vec<Code> {
    let mut told = codes(&[
        ("shipping_country_code", country),
        ("shipping_country", ""),
        ("shipping_province_code", code),
        ("shipping_province", name),
    ]);
    told.retain(|code| matches!(code, Code::UnknownProvince | Code::ProvinceMismatch));
    told
}

#[test]
fn a_name_beside_the_code_of_a_province_may_be_the_shops_own() {
    for (country, code, name) in [
        ("IT", "MI", "Milan"),
        ("PT", "PT-11", "Lisbon District"),
        ("RO", "B", "Bucharest City"),
        ("PH", "PH-00", "Manila Metro"),
        ("CL", "RM", "Santiago Metropolitan"),
        ("AR", "C", "Buenos Aires (Autonomous City)"),
        ("PE", "LMA", "Lima (Metropolitan)"),
    ] {
        assert_eq!(told(country, code, name), [], "{country} {code} {name}");
    }
    assert_eq!(told("IT", "MI", "Torino"), [Code::ProvinceMismatch]);
    assert_eq!(told("US", "OH", "Ohoi"), [Code::UnknownProvince]);
    assert_eq!(told("IT", "", "Milna"), [Code::UnknownProvince]);
    assert_eq!(told("IT", "ZZ", "Milna"), [Code::UnknownProvince; 2]);
}

#[test]
fn a_code_beside_the_name_of_its_province_may_be_the_shops_own() {
    for (country, code, name) in [
        ("IN", "OR", "Odisha"),
        ("ZA", "GT", "Gauteng"),
        ("ZA", "NL", "KwaZulu-Natal"),
        ("GT", "GUA", "Guatemala"),
        ("GT", "QUI", "Quiché"),
    ] {
        assert_eq!(told(country, code, name), [], "{country} {code} {name}");
    }
    for (country, code, name) in [
        ("IN", "OR", "Punjab"),
        ("ZA", "NL", "Gauteng"),
        ("IT", "GT", "Milano"),
    ] {
        let found = told(country, code, name);
        assert_eq!(found, [Code::UnknownProvince], "{country} {code} {name}");
    }
}

#[test]
fn the_hyphen_of_a_zips_blank_part_is_taken_away() {
    for (zip, sent) in [
        ("10001-", "10001"),
        ("10001 -", "10001"),
        ("10001-0001", "10001-0001"),
    ] {
        assert_eq!(codes(&[("shipping_zip", zip)]), [], "{zip}");
        assert_eq!(order(&[("shipping_zip", zip)]).ship_to.zip, sent);
    }
    let massachusetts = [
        ("shipping_province", "MA"),
        ("shipping_province_code", ""),
        ("shipping_zip", "2134-"),
    ];
    assert_eq!(codes(&massachusetts), [Code::FixedZip]);
    assert_eq!(order(&massachusetts).ship_to.zip, "02134");
    for wrong in ["4300-", "-43004", "43004-00", "43004--"] {
        assert_eq!(codes(&[("shipping_zip", wrong)]), [Code::BadZip], "{wrong}");
    }
}

#[test]
fn a_province_that_is_certainly_meant_is_sent_by_its_code() {
    for (country, code, name, zip, sent, named) in [
        ("US", "Washington DC", "", "20001", "DC", "District of Columbia"),
        ("US", "", "Washington D.C.", "20001", "DC", "Washington D.C."),
        ("US", "DC", "Washington DC", "20001", "DC", "Washington DC"),
        ("CA", "P.E.I.", "", "C1A 1A1", "PE", "Prince Edward Island"),
        ("DE", "", "NRW", "50667", "NW", "NRW"),
        ("IE", "", "Co. Cork", "T12 AB12", "CO", "Co. Cork"),
        ("JP", "", "東京都", "100-0001", "13", "東京都"),
        ("NL", "", "North Holland", "1011 AB", "NH", "North Holland"),
        (
            "GB",
            "",
            "Greater London",
            "SW1A 1AA",
            "Greater London",
            "Greater London",
        ),
    ] {
        let place = [
            ("shipping_country_code", country),
            ("shipping_country", ""),
            ("shipping_province_code", code),
            ("shipping_province", name),
            ("shipping_zip", zip),
        ];
        assert_eq!(codes(&place), [], "{country} {code} {name}");
        let to = order(&place).ship_to;
        assert_eq!(
            (&*to.province_code, &*to.province),
            (sent, named),
            "{country} {code} {name}"
        );
    }
    assert_eq!(told("US", "", "Calif."), [Code::UnknownProvince]);
}

#[test]
fn a_dash_within_a_zip_is_a_hyphen() {
    for (country, zip, sent) in [
        ("US", "10001\u{2013}1234", "10001-1234"),
        ("US", "10001\u{2011}1234", "10001-1234"),
        ("BR", "01310\u{2013}100", "01310-100"),
        ("JP", "100\u{30fc}0001", "100-0001"),
        ("JP", "100\u{2212}0001", "100-0001"),
        ("PL", "00\u{2014}001", "00-001"),
        ("PT", "1100\u{2013}148", "1100-148"),
        ("CA", "K1A\u{2013}0B1", "K1A-0B1"),
    ] {
        let place = [
            ("shipping_country_code", country),
            ("shipping_country", ""),
            ("shipping_zip", zip),
        ];
        let mut told = codes(&place);
        told.retain(|code| *code != Code::UnknownProvince);
        assert_eq!(told, [], "{country} {zip}");
        assert_eq!(order(&place).ship_to.zip, sent, "{country} {zip}");
    }
    assert_eq!(codes(&[("shipping_zip", "43004\u{2013}12")]), [Code::BadZip]);
    assert_eq!(codes(&[("shipping_zip", "\u{2013}43004")]), [Code::BadZip]);
}

#[test]
fn a_shops_own_number_of_a_province_is_sent_as_what_it_stands_for() {
    let sent = |country: &'static str, code: &'static str, name: &'static str, zip: &'static str| {
        let place = [
            ("shipping_country_code", country),
            ("shipping_country", ""),
            ("shipping_province_code", code),
            ("shipping_province", name),
            ("shipping_zip", zip),
        ];
        assert_eq!(codes(&place), [], "{country} {code}");
        let to = order(&place).ship_to;
        (to.province_code, to.province)
    };
    let pair = |code: &str, name: &str| (code.to_owned(), name.to_owned());
    assert_eq!(sent("JP", "JP13", "", "100-0001"), pair("13", "Tokyo"));
    assert_eq!(sent("JP", "", "JP13", "100-0001"), pair("13", "Tokyo"));
    assert_eq!(sent("TR", "TR34", "", "34000"), pair("34", "İstanbul"));
    assert_eq!(sent("CN", "CN2", "", "100000"), pair("BJ", "Beijing"));
    assert_eq!(sent("CN", "CN32", "", "830000").0, "XJ");
    assert_eq!(told("JP", "JP99", ""), [Code::UnknownProvince]);
    assert_eq!(told("CN", "CN33", ""), [Code::UnknownProvince]);
    assert_eq!(told("CN", "CN0", ""), [Code::UnknownProvince]);
}

#[test]
fn a_zip_of_another_state_or_province_is_told_and_sent() {
    let told = |country: &'static str, code: &'static str, name: &'static str, zip: &'static str| {
        let checked = checked(&[
            ("shipping_country_code", country),
            ("shipping_country", ""),
            ("shipping_province_code", code),
            ("shipping_province", name),
            ("shipping_zip", zip),
        ]);
        let mismatch = checked
            .findings
            .iter()
            .find(|finding| finding.code == Code::ZipMismatch);
        mismatch.map(|finding| (finding.message.clone(), checked.order.is_some()))
    };
    let (message, is_sent) = told("US", "OH", "", "90210").unwrap();
    assert_eq!(
        message,
        "The zip `90210` is one of California, but the province is Ohio."
    );
    assert!(is_sent);
    assert!(told("US", "", "Ohio", "90210-1234").is_some());
    assert!(told("US", "WA", "Washington", "20001").is_some());
    assert!(told("US", "CA", "", "00901").is_some());
    assert!(told("CA", "ON", "", "V6B 1A1").is_some());
    for (country, code, name, zip) in [
        ("US", "OH", "Ohio", "43004"),
        ("US", "NY", "", "06390"),
        ("US", "NY", "", "10001"),
        ("US", "DC", "", "20500"),
        ("US", "MA", "", "2134"),
        ("US", "AE", "", "09012"),
        ("US", "PR", "", "00901"),
        ("US", "GU", "", "96910"),
        ("US", "HI", "", "96815"),
        // No zip of any state, and one that is wrong itself.
        ("US", "OH", "", "00000"),
        ("US", "OH", "", "9021"),
        // Two states are told already.
        ("US", "OH", "California", "90210"),
        ("US", "", "Nowhere", "90210"),
        ("CA", "ON", "", "K1A 0B1"),
        ("CA", "QC", "", "H2X 1Y4"),
        ("CA", "NU", "", "X0A 0H0"),
        ("DE", "BE", "", "90210"),
        ("GB", "", "Kent", "SW1A 1AA"),
    ] {
        assert_eq!(
            told(country, code, name, zip),
            None,
            "{country} {code}{name} {zip}"
        );
    }
}
