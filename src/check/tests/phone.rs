//! A phone that the shop no longer shows, and one that was calculated.

use super::*;

#[test]
fn a_phone_with_stars_in_place_of_digits_is_left_out_and_told() {
    for phone in ["(+1)555010****", "+1*******89", "155-****-1234", "**********"] {
        let checked = checked(&[("shipping_phone", phone)]);
        let codes: Vec<Code> = checked.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::PhoneLeftOut], "{phone}");
        assert_eq!(checked.order.unwrap().ship_to.phone, "", "{phone}");
    }
    for phone in [
        "+1 555-010-0101 ext. 12345",
        "555 0101 *12",
        "(555) 010-0101",
        "#31#5550101",
    ] {
        let checked = checked(&[("shipping_phone", phone)]);
        assert_eq!(findings(&checked), [], "{phone}");
        assert_eq!(checked.order.unwrap().ship_to.phone, phone, "{phone}");
    }
}

#[test]
fn a_phone_that_a_spreadsheet_has_calculated_is_left_out_and_told() {
    for phone in [
        "-665",
        "-7",
        "-2071234523",
        "-665.00",
        "-1.234.567,00",
        "\u{2212}665",
    ] {
        let checked = checked(&[("shipping_phone", phone)]);
        let codes: Vec<Code> = checked.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::PhoneLeftOut], "{phone}");
        assert!(checked.findings[0].message.contains("calculated"), "{phone}");
        assert_eq!(checked.order.unwrap().ship_to.phone, "", "{phone}");
    }
    for phone in ["665", "555-0101", "-555-0101", "- 555 0101", "+1-555-010-0101"] {
        let checked = checked(&[("shipping_phone", phone)]);
        assert_eq!(findings(&checked), [], "{phone}");
        assert_eq!(checked.order.unwrap().ship_to.phone, phone, "{phone}");
    }
}
