//! Which field a header names.

use super::*;

#[test]
fn headers_match_without_case_spaces_and_punctuation_and_by_aliases() {
    for (header, field) in [
        ("order_id", Field::OrderId),
        (" Order ID ", Field::OrderId),
        ("Order #", Field::OrderId),
        ("Order Number", Field::OrderId),
        ("Ship To Name", Field::ShippingName),
        ("Ship-to: Name*", Field::ShippingName),
        ("Recipient", Field::ShippingName),
        ("Recipient Phone", Field::ShippingPhone),
        ("Phone #", Field::ShippingPhone),
        ("Address 1", Field::ShippingAddress1),
        ("Shipping Address Line 2", Field::ShippingAddress2),
        ("Ship To Unit", Field::ShippingAddress2),
        ("Ship To City", Field::ShippingCity),
        ("State", Field::ShippingProvince),
        ("State Code", Field::ShippingProvinceCode),
        ("Postcode", Field::ShippingZip),
        ("ZIP", Field::ShippingZip),
        ("ZIP/Postal Code", Field::ShippingZip),
        ("Country", Field::ShippingCountry),
        ("Country Code", Field::ShippingCountryCode),
        ("SKU", Field::ItemSku),
        ("Qty", Field::Quantity),
        ("Qty.", Field::Quantity),
        ("Artwork URL", Field::ArtworkFront),
        ("ARTWORK-2", Field::Artwork2),
        ("Design 1", Field::ArtworkFront),
        ("Print File 1", Field::ArtworkFront),
        ("Ｑｔｙ", Field::Quantity),
        ("Bestellnummer", Field::OrderId),
        ("Bestell-Nr.", Field::OrderId),
        ("Empfänger", Field::ShippingName),
        ("Straße und Hausnummer", Field::ShippingAddress1),
        ("Liefer-PLZ", Field::ShippingZip),
        ("Menge", Field::Quantity),
        ("Straße", Field::ShippingAddress1),
        ("Rue", Field::ShippingAddress1),
        ("Qty (pcs)", Field::Quantity),
        ("SKU (required)", Field::ItemSku),
        ("N° de commande", Field::OrderId),
        ("Apartment, suite, etc. (optional)", Field::ShippingAddress2),
        ("Numéro de commande", Field::OrderId),
        ("Quantité", Field::Quantity),
        ("Código postal", Field::ShippingZip),
        ("Région", Field::ShippingProvince),
        ("Aantal", Field::Quantity),
    ] {
        assert_eq!(Field::named(header).map(|found| found.0), Some(field), "{header}");
    }
    for header in [
        "Colour",
        "Billing Name",
        "Billing Zip",
        "",
        "result_status",
        "Hausnummer",
        "Rechnungs-PLZ",
        "Unit",
        "Print Location",
        "Estado",
        "Departamento",
    ] {
        assert_eq!(Field::named(header), None, "{header}");
    }
}

#[test]
fn no_header_names_two_fields() {
    let mut seen: HashMap<String, Field> = HashMap::new();
    for (header, field, _) in Field::ALL.into_iter().flat_map(headers_of) {
        assert_eq!(header, normalized(&header), "aliases are written normalized");
        let first = *seen.entry(header.clone()).or_insert(field);
        assert_eq!(first, field, "{header}");
    }
}

#[test]
fn a_header_in_ascii_letters_is_read_as_one_in_any() {
    let every = String::from_utf8((0..=127).collect()).unwrap();
    for header in ["Ship-To: City*", "result_status", " E-Mail ", "", every.as_str()] {
        assert_eq!(normalized(header), composed(header), "{header:?}");
    }
}

#[test]
fn only_result_columns_are_results() {
    assert!(is_result("result_status"));
    assert!(is_result(" Result_Line_Total"));
    assert!(!is_result("results"));
    assert!(!is_result("result"));
    assert!(!is_result("réséau_x"));
    for own in [
        "result_expected",
        "result_",
        "result_status_of_mine",
        "result_line",
    ] {
        assert!(!is_result(own), "{own}");
    }
}
