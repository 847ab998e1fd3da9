//! What would have a parcel go astray though every cell is filled.

use super::*;

/// Each of these cells alone, in a row that is good otherwise, is told by these codes.
fn each_is_told(cells: &[(&str, &str)], expected: &[Code]) {
    for (field, text) in cells {
        assert_eq!(codes(&[(field, text)]), expected, "{field} {text}");
    }
}

#[test]
fn what_stands_for_a_value_that_nobody_had_is_told_and_a_short_one_is_fine() {
    each_is_told(
        &[
            ("shipping_name", "-"),
            ("shipping_name", "0"),
            ("shipping_name", "??"),
            ("shipping_address1", "0"),
            ("shipping_address1", "--"),
            ("shipping_city", "0"),
            ("shipping_city", "43004"),
            ("shipping_city", "n/a"),
            ("shipping_name", "undefined undefined"),
            ("shipping_name", "NULL"),
            ("shipping_address1", "unknown"),
            ("shipping_address2", "ditto"),
            ("shipping_address2", "Same as billing"),
            ("shipping_address2", "see above"),
            ("shipping_address2", "\""),
        ],
        &[Code::MissingValue],
    );
    each_is_told(
        &[
            ("shipping_name", "J"),
            ("shipping_name", "王伟"),
            ("shipping_address1", "7"),
            ("shipping_city", "Å"),
            ("shipping_city", "None sul Po"),
            ("shipping_name", "Unknown Soldier"),
            ("shipping_address2", "-"),
            ("shipping_address2", "Same Day House"),
            ("shipping_address2", "c/o Idem Ltd"),
            ("shipping_address2", "Unknown"),
        ],
        &[],
    );
}

#[test]
fn letters_that_were_lost_are_told_where_the_parcel_needs_them() {
    each_is_told(
        &[
            ("shipping_name", "J?rg Example"),
            ("shipping_city", "M?nchen"),
            ("shipping_address1", "Hauptstra?e 5"),
            ("shipping_name", "A***a Example"),
            ("shipping_name", "***son"),
            ("shipping_address1", "1* M***e S****t"),
            ("shipping_name", "Anna ???????"),
            ("shipping_name", "????"),
            ("shipping_address1", "??. ??????? 12"),
            ("shipping_address1", "????? 5"),
            ("shipping_city", "Kim ???"),
            ("shipping_city", "12 ??????? ???????"),
        ],
        &[Code::BadCharacter],
    );
    each_is_told(
        &[
            ("shipping_name", "Who? Example"),
            ("shipping_name", "*Ada* Example"),
            ("shipping_address1", "12 Maple Street (2nd floor?)"),
            ("shipping_name", "c/o ?"),
            ("shipping_address2", "** gate?code **"),
            ("shipping_address2", "Floor ???"),
            ("shipping_address2", "ring***twice"),
        ],
        &[],
    );
}

#[test]
fn a_state_in_the_countrys_place_is_told_where_the_province_proves_it() {
    let at =
        |code: &'static str, country: &'static str, province_code: &'static str, province: &'static str| {
            let all = codes(&[
                ("shipping_country_code", code),
                ("shipping_country", country),
                ("shipping_province_code", province_code),
                ("shipping_province", province),
                ("shipping_zip", "46201"),
            ]);
            all.contains(&Code::CountryMismatch)
        };
    assert!(at("IN", "", "", "Indiana"));
    assert!(at("", "Georgia", "GA", ""));
    assert!(at("DE", "", "", "Delaware"));
    // The country's code in the province's place proves nothing, nor does a province of the country itself.
    assert!(!at("DE", "", "DE", ""));
    assert!(!at("", "Georgia", "", "Georgia"));
    assert!(!at("DE", "", "BE", "Berlin"));
    assert!(!at("US", "", "IN", "Indiana"));
    // A zip of the state does.
    let beside = |code: &'static str, zip: &'static str| {
        let cells = [
            ("shipping_country_code", code),
            ("shipping_country", ""),
            ("shipping_province_code", code),
            ("shipping_province", ""),
            ("shipping_zip", zip),
        ];
        codes(&cells).contains(&Code::CountryMismatch)
    };
    assert!(beside("GA", "39817") && beside("VA", "20170"));
    assert!(beside("IN", "46204") && beside("IL", "60601-1234") && beside("DE", "19801"));
    assert!(!beside("MO", "00000") && !beside("NE", "80001") && !beside("MD", "20012"));
    assert!(!beside("DE", "10115") && !beside("IN", "110001") && !beside("IL", "6100000"));
    // A spreadsheet takes the zero in front of it.
    assert!(beside("MA", "2108") && beside("ME", "4101") && beside("MA", "02108"));
    assert!(!beside("MA", "8108") && !beside("TN", "3700") && !beside("MA", "213"));
    // A territory is a state and a country.
    assert!(!at("PR", "", "", "Puerto Rico"));
    assert!(!at("", "Puerto Rico", "PR", ""));
    assert!(!at("GU", "", "", "Guam"));
}

#[test]
fn a_zip_of_a_state_tells_what_its_name_or_code_means_as_the_country_where_no_province_is() {
    let at = |country: &'static str, province: &'static str, city: &'static str, zip: &'static str| {
        let cells = [
            ("shipping_country_code", ""),
            ("shipping_country", country),
            ("shipping_province_code", ""),
            ("shipping_province", province),
            ("shipping_city", city),
            ("shipping_zip", zip),
        ];
        codes(&cells).contains(&Code::CountryMismatch)
    };
    assert!(at("Georgia", "Georgia", "Atlanta", "30301"));
    for (country, city, zip) in [
        ("Georgia", "Atlanta", "30301"),
        ("GA", "Atlanta", "30301"),
        ("PA", "Pittsburgh", "15222"),
        ("IL", "Chicago", "60601"),
        ("MA", "Boston", "2108"),
        ("DE", "Wilmington", "19801"),
        ("IN", "Indianapolis", "46204"),
        ("ID", "Boise", "83702"),
        ("SD", "Sioux Falls", "57104"),
    ] {
        assert!(at(country, "", city, zip), "{country} {city} {zip}");
    }
    for (country, province, city, zip) in [
        ("IL", "", "Tel Aviv", "61000"),
        ("IL", "", "Tel Aviv", "6100000"),
        ("IL", "Tel Aviv", "Chicago", "60601"),
        ("ID", "", "Mataram", "83237"),
        ("SD", "", "Khartoum", "57111"),
        ("Georgia", "", "Tbilisi", "0105"),
        ("Germany", "", "Schwerin", "19801"),
        ("DE", "", "Schwerin", "19053"),
        ("MA", "", "Rabat", "10000"),
        ("ME", "", "Podgorica", "81000"),
        ("GA", "", "Libreville", "00000"),
        ("PA", "", "Panama", "0801"),
        ("LA", "", "Vientiane", "01000"),
        ("VA", "", "Vatican City", "00120"),
        ("AL", "", "Tirana", "1001"),
        ("MN", "", "Ulaanbaatar", "14200"),
    ] {
        assert!(
            !at(country, province, city, zip),
            "{country} {province} {city} {zip}"
        );
    }
}
