//! Every code of the checks, by a row that raises it and its neighbour that does not.

mod joined;
mod label;
mod links;
mod nothing;
mod places;
mod phone;
mod sku;
mod unheeded;
mod unreadable;

use jiff::Timestamp;

use super::*;
use crate::catalog::{Detail, Entry, Location};
use crate::finding::Code;
use crate::order::tests::{NATIVE, drafts, good, text_row};

fn location(name: &str) -> Location {
    Location {
        name: name.to_owned(),
        ..Location::default()
    }
}

fn catalog() -> Snapshot {
    let entry = |sku: &str| Entry {
        sku: sku.to_owned(),
        product_code: "TEE".to_owned(),
        product_name: "Classic Tee".to_owned(),
        title: format!("Black / {sku}"),
        variant_id: "TEE-1".to_owned(),
    };
    let detail = |sku: &str, availability: &str| Detail {
        sku: sku.to_owned(),
        availability: Some(availability.to_owned()),
        locations: ["US", "Leeds"].map(location).to_vec(),
        attributes: Vec::new(),
    };
    Snapshot::new(
        Timestamp::UNIX_EPOCH,
        vec![
            entry("TEE-CLASSIC-BLK-S"),
            entry("TEE-CLASSIC-BLK-M"),
            entry("NO-DETAIL"),
        ],
        vec![
            detail("TEE-CLASSIC-BLK-S", "in_stock"),
            detail("TEE-CLASSIC-BLK-M", "sold_out"),
        ],
    )
}

/// The good row with some cells changed.
fn row(changes: &[(&str, &str)]) -> Vec<String> {
    let mut cells = good();
    for (name, text) in changes {
        let at = NATIVE.iter().position(|native| native == name).unwrap();
        cells[at] = (*text).to_owned();
    }
    cells
}

fn checked_with(rows: &[Vec<String>], limits: &Limits) -> Vec<Checked> {
    drafts(&NATIVE, rows)
        .iter()
        .map(|draft| check(draft, &catalog(), limits))
        .collect()
}

fn checked(changes: &[(&str, &str)]) -> Checked {
    let mut all = checked_with(&[row(changes)], &Limits::default());
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// The codes and cells of a checked order's findings.
fn findings(checked: &Checked) -> Vec<(Code, String)> {
    checked
        .findings
        .iter()
        .map(|f| (f.code, f.cell().map_or_else(String::new, |cell| cell.to_string())))
        .collect()
}

fn codes(changes: &[(&str, &str)]) -> Vec<Code> {
    checked(changes)
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect()
}

fn order(changes: &[(&str, &str)]) -> Order {
    let checked = checked(changes);
    checked.order.unwrap_or_else(|| panic!("{:?}", checked.findings))
}

#[test]
fn a_good_row_is_sent_as_it_stands() {
    let checked = checked(&[]);
    assert_eq!(findings(&checked), []);
    let order = checked.order.unwrap();
    assert_eq!(order.order_id, "1001");
    assert_eq!(order.ship_to.province, "New York");
    assert_eq!(order.ship_to.province_code, "NY");
    assert_eq!(order.ship_to.zip, "10001");
    assert_eq!(order.lines[0].quantity, 2);
    assert_eq!(order.lines[0].product_name, "Classic Tee");
    assert_eq!(order.shipping_service, None);
}

#[test]
fn an_order_with_a_row_that_has_an_item_and_no_id_is_not_printed_by_half() {
    let bare = NATIVE.map(|name| match name {
        "item_sku" => "MUG-CERAMIC-WHT-11OZ".to_owned(),
        "quantity" => "1".to_owned(),
        _ => String::new(),
    });
    let all = checked_with(&[row(&[]), bare.to_vec()], &Limits::default());
    assert_eq!(all.len(), 1);
    assert!(all[0].order.is_none());
    let told = findings(&all[0]);
    assert!(told.contains(&(Code::MissingValue, "A3".to_owned())), "{told:?}");
    let alone = "Write the order's id on each of its rows; remove the row if it is no order line.";
    let is_blank_id = |finding: &&Finding| finding.code == Code::MissingValue && finding.row == 3;
    let hints = |checked: &Checked| -> Vec<String> {
        let found = checked.findings.iter().filter(is_blank_id);
        found.map(|finding| finding.hint.clone()).collect()
    };
    assert_eq!(hints(&all[0]), [alone], "no other row has such an id");
    let mut marked = bare.to_vec();
    marked[0] = "ditto".to_owned();
    let below = checked_with(&[row(&[]), marked.clone()], &Limits::default()).remove(0);
    assert!(below.order.is_none());
    let told: Vec<&str> = below
        .findings
        .iter()
        .map(|finding| finding.message.as_str())
        .collect();
    let message = "order_id is `ditto`, which stands for none, below order `1001`, and the row has an item: it may be a line \
                   of that order.";
    assert!(told.contains(&message), "{told:?}");
    assert_eq!(hints(&below), [alone], "no other row has such an id");
    let alone = checked_with(&[marked], &Limits::default()).remove(0);
    assert_eq!(
        alone.findings[0].message,
        "order_id is `ditto`, which stands for none."
    );
}

/// A column, a wrong value, its code, and a right value.
const NEIGHBOURS: &[(&str, &str, Code, &str)] = &[
    ("order_id", "", Code::MissingValue, "1002"),
    ("order_id", "1.23457E+12", Code::LostDigits, "1234567890123"),
    ("order_id", "10\n02", Code::BadCharacter, "1002"),
    ("shipping_name", "", Code::MissingValue, "Bo Example"),
    ("shipping_address1", "", Code::MissingValue, "1 Main St"),
    ("shipping_address1", "ditto", Code::MissingValue, "1 Ditto Lane"),
    (
        "shipping_address1",
        "same as billing",
        Code::MissingValue,
        "1 Billing St",
    ),
    ("shipping_address1", "nan", Code::MissingValue, "Nan"),
    ("shipping_address1", "Pickup", Code::MissingValue, "1 Pickup Lane"),
    ("shipping_address1", "VOID", Code::MissingValue, "Void 1"),
    (
        "shipping_address1",
        "{{shipping.address1}}",
        Code::MissingValue,
        "{1} Main St",
    ),
    ("shipping_name", "nan", Code::MissingValue, "Nan"),
    ("shipping_name", "[REDACTED]", Code::MissingValue, "Red Acted"),
    ("shipping_city", "Loading...", Code::MissingValue, "Nan"),
    ("shipping_name", "e.g. Jane Doe", Code::MissingValue, "E.G. Doe"),
    ("shipping_city", "", Code::MissingValue, "Albany"),
    ("shipping_city", "same as above", Code::MissingValue, "Same"),
    ("shipping_city", "Alb\u{fffd}ny", Code::BadCharacter, "Albány"),
    ("shipping_city", "Alb\u{7}any", Code::BadCharacter, "Albany"),
    ("shipping_name", "????? ????", Code::BadCharacter, "Who? Me?"),
    ("shipping_address1", "???", Code::BadCharacter, "12 Main St ??"),
    ("shipping_city", "#REF!", Code::CellError, "#REF"),
    ("shipping_zip", "", Code::MissingValue, "12207"),
    ("shipping_zip", "1220", Code::BadZip, "12207-0001"),
    ("shipping_zip", "K1A 0B1", Code::BadZip, "12207"),
    ("shipping_country_code", "XX", Code::UnknownCountry, "us"),
    ("shipping_country", "Canada", Code::CountryMismatch, "USA"),
    (
        "shipping_province",
        "California",
        Code::ProvinceMismatch,
        "new york",
    ),
    ("shipping_province", "Nowhere", Code::UnknownProvince, "NY"),
    ("shipping_province_code", "ZZ", Code::UnknownProvince, "ny"),
    ("shipping_service", "FAST", Code::UnknownService, "Standard"),
    ("shipping_service", "AUEX", Code::ServiceCountry, "US2DAYS"),
    ("item_sku", "", Code::MissingValue, "TEE-CLASSIC-BLK-S"),
    (
        "item_sku",
        "TEE-CLASIC-BLK-S",
        Code::UnknownSku,
        "tee-classic-blk-s",
    ),
    ("item_sku", "TEE-CLASSIC-BLK-M", Code::NotInStock, "NO-DETAIL"),
    ("quantity", "", Code::MissingValue, "1"),
    ("quantity", "0", Code::BadQuantity, "01"),
    ("quantity", "-1", Code::BadQuantity, "1"),
    ("quantity", "1.5", Code::BadQuantity, "1.0"),
    ("quantity", "two", Code::BadQuantity, "2"),
    ("quantity", "1001", Code::QuantityTooLarge, "1000"),
    ("quantity", "99999999999", Code::QuantityTooLarge, "2,0"),
    ("made_in_location", "Paris", Code::UnknownLocation, "leeds"),
    (
        "artwork_front",
        "",
        Code::MissingArtwork,
        "http://example.com/a.png",
    ),
    (
        "artwork_front",
        "ftp://example.com/a.png",
        Code::BadUrl,
        "HTTPS://example.com",
    ),
    (
        "artwork_front",
        "C:\\art\\a.png",
        Code::BadUrl,
        "https://example.com/a%20b.png",
    ),
    (
        "artwork_back",
        "https://",
        Code::BadUrl,
        "https://example.com/a?b=c#d",
    ),
    (
        "mockup_url",
        "https://example.com/a b.png",
        Code::BadUrl,
        "https://user@example.com:8443/a",
    ),
    ("expected_total", "1,234", Code::BadTotal, "12,10"),
];

#[test]
fn each_wrong_cell_has_its_code_and_its_neighbour_has_none() {
    for (column, wrong, code, right) in NEIGHBOURS {
        let cell = NATIVE.iter().position(|native| native == column).unwrap();
        let cell = crate::finding::column_letters(u16::try_from(cell).unwrap()) + "2";
        // Two cells that contradict are shown at the code's.
        let expected = match code {
            Code::ProvinceMismatch => "H2".to_owned(),
            Code::CountryMismatch => "K2".to_owned(),
            _ => cell,
        };
        let found = checked(&[(column, wrong)]);
        assert_eq!(findings(&found), [(*code, expected)], "{column} {wrong:?}");
        assert_eq!(found.order.is_none(), code.level() == Level::Error, "{code}");
        assert!(!found.findings[0].hint.is_empty() && found.findings[0].message.ends_with('.'));
        assert_eq!(codes(&[(column, right)]), [], "{column} {right:?}");
    }
}

#[test]
fn a_value_fits_up_to_its_limit() {
    for (column, most) in [("order_id", 64), ("shipping_address1", 200), ("shipping_zip", 20)] {
        let (fits, long) = ("9".repeat(most), "9".repeat(most + 1));
        assert!(!codes(&[(column, &fits)]).contains(&Code::TooLong), "{column}");
        assert!(codes(&[(column, &long)]).contains(&Code::TooLong), "{column}");
        // Not all of it is held.
        let huge = "ü".repeat(most * 100);
        let told = checked(&[(column, &huge)]).findings;
        let told = told.iter().find(|finding| finding.code == Code::TooLong).unwrap();
        assert!(
            told.message.contains(" characters; ") && !told.message.contains(&(most * 100).to_string()),
            "{told:?}"
        );
    }
}

#[test]
fn an_express_service_goes_to_its_own_country() {
    let to_australia = |service| {
        codes(&[
            ("shipping_country_code", "AU"),
            ("shipping_country", ""),
            ("shipping_zip", "2000"),
            ("shipping_province_code", "NSW"),
            ("shipping_province", ""),
            ("shipping_service", service),
        ])
    };
    assert_eq!(to_australia("auex"), []);
    assert_eq!(to_australia("USGR"), [Code::ServiceCountry]);
}

#[test]
fn all_findings_of_an_order_are_reported_at_once() {
    let found = checked(&[("shipping_name", ""), ("item_sku", "NOPE"), ("quantity", "x")]);
    let cells: Vec<String> = findings(&found).into_iter().map(|(_, cell)| cell).collect();
    assert_eq!(cells, ["B2", "M2", "N2"]);
}

#[test]
fn an_unknown_sku_comes_with_the_nearest_ones() {
    let found = checked(&[("item_sku", "TEE-CLASIC-BLK-S")]);
    assert_eq!(
        found.findings[0].message,
        "`TEE-CLASIC-BLK-S` is not in the catalog."
    );
    let hint = &found.findings[0].hint;
    assert!(
        hint.starts_with("Did you mean TEE-CLASSIC-BLK-S (Classic Tee, Black / TEE-CLASSIC-BLK-S)"),
        "{hint}"
    );
}

#[test]
fn what_is_certain_of_an_address_is_filled() {
    for (province, code, country, country_code, sent) in [
        ("", "NY", "", "US", ("New York", "NY", "United States", "US")),
        (
            "New York",
            "",
            "",
            "US",
            ("New York", "NY", "United States", "US"),
        ),
        ("NY", "", "USA", "", ("New York", "NY", "United States", "US")),
        (
            "",
            "new york",
            "United States",
            "",
            ("New York", "NY", "United States", "US"),
        ),
        ("NY", "NY", "US", "US", ("New York", "NY", "United States", "US")),
    ] {
        let ship_to = order(&[
            ("shipping_province", province),
            ("shipping_province_code", code),
            ("shipping_country", country),
            ("shipping_country_code", country_code),
        ])
        .ship_to;
        let filled = (
            ship_to.province.as_str(),
            ship_to.province_code.as_str(),
            ship_to.country.as_str(),
            ship_to.country_code.as_str(),
        );
        assert_eq!(filled, sent, "{province} {code} {country} {country_code}");
    }
}

#[test]
fn an_unlisted_province_is_sent_as_given_with_a_warning() {
    let changes = [("shipping_province", "Nowhere"), ("shipping_province_code", "")];
    assert_eq!(codes(&changes), [Code::UnknownProvince]);
    let ship_to = order(&changes).ship_to;
    assert_eq!(
        (ship_to.province.as_str(), ship_to.province_code.as_str()),
        ("Nowhere", "Nowhere")
    );
}

#[test]
fn a_blank_province_is_an_error_unless_the_config_says_what_to_send() {
    let blank = [row(&[("shipping_province", ""), ("shipping_province_code", "")])];
    for (when_blank, sent) in [
        (None, None),
        (Some(ProvinceWhenBlank::City), Some("New York City")),
        (Some(ProvinceWhenBlank::Text("-".to_owned())), Some("-")),
    ] {
        let limits = Limits {
            province_when_blank: when_blank,
            ..Limits::default()
        };
        let checked = checked_with(&blank, &limits).remove(0);
        let provinces = checked
            .order
            .map(|order| order.ship_to)
            .map(|to| (to.province, to.province_code));
        assert_eq!(provinces, sent.map(|text| (text.to_owned(), text.to_owned())));
        if sent.is_none() {
            assert_eq!(findings_of(&checked.findings), [Code::MissingValue]);
        }
    }
}

fn findings_of(findings: &[Finding]) -> Vec<Code> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn a_us_zip_gets_its_zero_back_where_the_state_has_such_zips() {
    for (state, zip, sent, code) in [
        ("MA", "2134", Some("02134"), Code::FixedZip),
        ("Massachusetts", "2134-0001", Some("02134-0001"), Code::FixedZip),
        ("PR", "601", Some("00601"), Code::FixedZip),
        ("MA", "213", None, Code::BadZip),
        // What begins with a zero has lost a digit elsewhere; 09021 is no zip of Massachusetts.
        ("MA", "0213", None, Code::BadZip),
        ("MA", "0000", None, Code::BadZip),
        ("MA", "9021", None, Code::BadZip),
        ("NJ", "7030", Some("07030"), Code::FixedZip),
        ("NJ", "2134", None, Code::BadZip),
        ("NY", "2134", None, Code::BadZip),
        ("NY", "6390", Some("06390"), Code::FixedZip),
        ("NY", "501", Some("00501"), Code::FixedZip),
    ] {
        let found = checked(&[
            ("shipping_province", state),
            ("shipping_province_code", ""),
            ("shipping_zip", zip),
        ]);
        assert_eq!(findings(&found), [(code, "I2".to_owned())], "{state} {zip}");
        assert_eq!(found.order.map(|order| order.ship_to.zip).as_deref(), sent);
    }
}

#[test]
fn a_misspelt_state_speaks_against_no_zip_and_another_one_is_told() {
    let of = |state: &str| {
        checked(&[
            ("shipping_province", state),
            ("shipping_province_code", ""),
            ("shipping_zip", "2134"),
        ])
    };
    let misspelt = of("Massachusets");
    assert_eq!(
        findings_of(&misspelt.findings),
        [Code::UnknownProvince, Code::FixedZip]
    );
    assert_eq!(misspelt.order.map(|order| order.ship_to.zip).unwrap(), "02134");
    let other = of("Illinois");
    assert_eq!(
        other.findings[0].message,
        "`2134` is no zip of United States; with the zero that a spreadsheet takes it would be 02134, which is not in IL."
    );
}

#[test]
fn a_zip_of_a_territory_gets_its_two_zeros_back_and_elsewhere_a_short_one_is_reported() {
    for (country, zip, sent, code) in [
        ("PR", "901", Some("00901"), Code::FixedZip),
        ("PR", "9011234", Some("00901-1234"), Code::FixedZip),
        ("PR", "0901", Some("00901"), Code::FixedZip),
        ("PR", "801", None, Code::BadZip),
        ("PR", "9010", None, Code::BadZip),
        ("VI", "802", Some("00802"), Code::FixedZip),
        ("IT", "118", None, Code::BadZip),
        ("FI", "100", None, Code::BadZip),
    ] {
        let found = checked(&[
            ("shipping_country_code", country),
            ("shipping_country", ""),
            ("shipping_zip", zip),
        ]);
        let of_zips = |(code, _): &(Code, String)| matches!(code, Code::FixedZip | Code::BadZip);
        let mut findings = findings(&found);
        findings.retain(of_zips);
        assert_eq!(findings, [(code, "I2".to_owned())], "{country} {zip}");
        let order = found.order.map(|order| order.ship_to.zip);
        assert_eq!(order.as_deref(), sent, "{country} {zip}");
    }
}

#[test]
fn the_prefix_is_sent_and_counts() {
    let limits = Limits {
        order_prefix: "shop-".to_owned(),
        ..Limits::default()
    };
    let sent = checked_with(&[row(&[])], &limits).remove(0).order.unwrap();
    assert_eq!(sent.order_id, "shop-1001");
    let at_most = "x".repeat(64);
    assert_eq!(codes(&[("order_id", &at_most)]), []);
    let with_prefix = checked_with(&[row(&[("order_id", &at_most)])], &limits).remove(0);
    assert_eq!(findings_of(&with_prefix.findings), [Code::TooLong]);
}

#[test]
fn an_order_has_at_most_so_many_lines() {
    let rows: Vec<Vec<String>> = ["1", "2", "3"]
        .map(|pieces| row(&[("quantity", pieces)]))
        .to_vec();
    for (max_lines, expected) in [(3, vec![]), (2, vec![Code::RowsPerOrder])] {
        let limits = Limits {
            max_lines,
            ..Limits::default()
        };
        assert_eq!(
            findings_of(&checked_with(&rows, &limits).remove(0).findings),
            expected
        );
    }
}

#[test]
fn a_cancel_needs_no_more_than_its_id() {
    let header = ["order_id", "action", "quantity"];
    for (cells, expected) in [
        (["1001", "cancel", "#REF!"], vec![]),
        (["1001", "Cancel", ""], vec![]),
        (["", "cancel", ""], vec![Code::MissingValue]),
        (["1E+12", "cancel", ""], vec![Code::LostDigits]),
    ] {
        let rows = [cells.map(str::to_owned).to_vec()];
        let draft = drafts(&header, &rows).remove(0);
        let checked = check(&draft, &catalog(), &Limits::default());
        assert_eq!(draft.action(), Action::Cancel);
        assert_eq!(findings_of(&checked.findings), expected, "{cells:?}");
        assert_eq!(checked.order, None);
    }
    let create = drafts(&header, &[["1001", "", ""].map(str::to_owned).to_vec()]).remove(0);
    let missing = check(&create, &catalog(), &Limits::default()).findings;
    assert!(
        missing.iter().filter(|f| f.code == Code::MissingValue).count() >= 7,
        "{missing:?}"
    );
}

#[test]
fn an_action_that_is_not_clear_is_all_that_is_said_of_a_row_without_an_order() {
    let header: Vec<&str> = NATIVE.into_iter().chain(["action"]).collect();
    let filled = |cells: &[(&str, &str)], action: &str| -> Vec<String> {
        let text = |name: &&str| cells.iter().find(|(column, _)| column == name);
        let row = NATIVE.iter().map(|name| text(name).map_or("", |(_, text)| text));
        row.chain([action]).map(str::to_owned).collect()
    };
    let only = |action| filled(&[("order_id", "1001")], action);
    let order: Vec<String> = row(&[("shipping_city", "")])
        .into_iter()
        .chain([String::new()])
        .collect();
    let said = |rows: &[&Vec<String>]| -> Vec<(Code, u32)> {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| (*row).clone()).collect();
        let checked = check(&drafts(&header, &rows).remove(0), &catalog(), &Limits::default());
        assert_eq!(checked.order, None);
        let said = checked.findings.iter().map(|finding| (finding.code, finding.row));
        said.collect()
    };
    let city = |row| (Code::MissingValue, row);
    assert_eq!(said(&[&only("cancle")]), [(Code::UnknownAction, 2)]);
    for (action, code) in [("cancle", Code::UnknownAction), ("cancel", Code::MixedActions)] {
        // What the order itself lacks is said all the same.
        assert_eq!(said(&[&order, &only(action)]), [city(2), (code, 3)], "{action}");
    }
    assert_eq!(
        said(&[&only("cancle"), &order]),
        [(Code::UnknownAction, 2), city(3)]
    );
    let named = filled(&[("order_id", "1001"), ("product_name", "Tee")], "cancel");
    assert_eq!(said(&[&order, &named]), [city(2), (Code::MixedActions, 3)]);
    let begun = filled(&[("order_id", "1001"), ("item_sku", "NO-SUCH")], "creat");
    assert!(said(&[&begun]).len() > 5, "the row has an order's fields");
}

#[test]
fn a_header_like_row_is_only_a_row_of_errors() {
    let header = text_row(1, &NATIVE);
    assert!(crate::order::Layout::is_header(&header));
    let again: Vec<String> = NATIVE.map(str::to_owned).to_vec();
    let checked = checked_with(&[again], &Limits::default()).remove(0);
    assert_eq!(checked.order, None);
}
