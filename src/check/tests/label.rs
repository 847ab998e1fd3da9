//! What would have a parcel go astray though every cell is filled.

use super::*;

#[test]
fn what_stands_for_a_value_that_nobody_had_is_told_and_a_short_one_is_fine() {
    for (field, text) in [
        ("shipping_name", "-"),
        ("shipping_name", "0"),
        ("shipping_name", "??"),
        ("shipping_address1", "0"),
        ("shipping_address1", "--"),
        ("shipping_city", "0"),
        ("shipping_city", "43004"),
    ] {
        assert_eq!(codes(&[(field, text)]), [Code::MissingValue], "{field} {text}");
    }
    for (field, text) in [
        ("shipping_name", "J"),
        ("shipping_name", "王伟"),
        ("shipping_address1", "7"),
        ("shipping_city", "Å"),
        ("shipping_address2", "-"),
    ] {
        assert_eq!(codes(&[(field, text)]), [], "{field} {text}");
    }
}

#[test]
fn letters_that_were_lost_are_told_where_the_parcel_needs_them() {
    for (field, text) in [
        ("shipping_name", "J?rg Example"),
        ("shipping_city", "M?nchen"),
        ("shipping_address1", "Hauptstra?e 5"),
        ("shipping_name", "A***a Example"),
        ("shipping_name", "***son"),
        ("shipping_address1", "1* M***e S****t"),
    ] {
        assert_eq!(codes(&[(field, text)]), [Code::BadCharacter], "{field} {text}");
    }
    for (field, text) in [
        ("shipping_name", "Who? Example"),
        ("shipping_name", "*Ada* Example"),
        ("shipping_address1", "12 Maple Street (2nd floor?)"),
        ("shipping_address2", "** gate?code **"),
        ("shipping_address2", "ring***twice"),
    ] {
        assert_eq!(codes(&[(field, text)]), [], "{field} {text}");
    }
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
    // A territory is a state and a country.
    assert!(!at("PR", "", "", "Puerto Rico"));
    assert!(!at("", "Puerto Rico", "PR", ""));
    assert!(!at("GU", "", "", "Guam"));
}
