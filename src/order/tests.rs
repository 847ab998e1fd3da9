//! Rows for the tests of this room, and the facts about whole orders.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::finding::{Code, Finding};
use crate::sheet::{CellKind, Row};

/// Every native column, in the order of the interface.
pub(crate) const NATIVE: [&str; 25] = [
    "order_id",
    "shipping_name",
    "shipping_phone",
    "shipping_address1",
    "shipping_address2",
    "shipping_city",
    "shipping_province",
    "shipping_province_code",
    "shipping_zip",
    "shipping_country",
    "shipping_country_code",
    "shipping_service",
    "item_sku",
    "quantity",
    "product_name",
    "made_in_location",
    "variant_note",
    "mockup_url",
    "artwork_front",
    "artwork_back",
    "artwork_2",
    "artwork_3",
    "artwork_4",
    "artwork_5",
    "expected_total",
];

/// A row of text cells.
pub(crate) fn text_row(number: u32, cells: &[&str]) -> Row {
    let mut row = Row::default();
    row.start(number);
    for cell in cells {
        let kind = if cell.is_empty() {
            CellKind::Blank
        } else {
            CellKind::Text
        };
        row.push(cell, kind);
    }
    row
}

/// A row under [`NATIVE`] that passes every check.
pub(crate) fn good() -> Vec<String> {
    let filled = [
        ("order_id", "1001"),
        ("shipping_name", "Ann Example"),
        ("shipping_phone", "555-0100"),
        ("shipping_address1", "12 Main St"),
        ("shipping_city", "New York City"),
        ("shipping_province", "New York"),
        ("shipping_province_code", "NY"),
        ("shipping_zip", "10001"),
        ("shipping_country", "United States"),
        ("shipping_country_code", "US"),
        ("item_sku", "TEE-CLASSIC-BLK-S"),
        ("quantity", "2"),
        ("artwork_front", "https://example.com/a.png"),
    ];
    NATIVE
        .iter()
        .map(|name| {
            let value = filled.iter().find(|(column, _)| column == name);
            value.map_or_else(String::new, |(_, text)| (*text).to_owned())
        })
        .collect()
}

/// Reads rows, numbered from 2, under a header in row 1.
pub(crate) fn drafts(header: &[&str], rows: &[Vec<String>]) -> Vec<Draft> {
    let layout = Layout::read(&text_row(1, header)).unwrap();
    let rows: Vec<Row> = (2..)
        .zip(rows)
        .map(|(number, cells)| text_row(number, &cells.iter().map(String::as_str).collect::<Vec<_>>()))
        .collect();
    drafts_of(layout, &rows)
}

pub(crate) fn drafts_of(layout: Layout, rows: &[Row]) -> Vec<Draft> {
    let mut index = Index::default();
    for row in rows {
        index.note(&layout, row);
    }
    let mut grouper = Grouper::new(layout, index);
    rows.iter().filter_map(|row| grouper.push(row)).collect()
}

const HEADER: [&str; 6] = ["order_id", "action", "City", "SKU", "Qty", "expected_total"];

fn short(rows: &[[&str; 6]]) -> Vec<Draft> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|cells| cells.map(str::to_owned).to_vec())
        .collect();
    drafts(&HEADER, &rows)
}

fn codes(draft: &Draft) -> Vec<(Code, String)> {
    let place = |finding: &Finding| match finding.cell() {
        Some(cell) => cell.to_string(),
        None => finding.row.to_string(),
    };
    draft
        .findings()
        .iter()
        .map(|finding| (finding.code, place(finding)))
        .collect()
}

#[test]
fn a_draft_comes_out_at_its_last_row_with_all_its_lines() {
    let drafts = short(&[
        ["1001", "", "Albany", "A", "1", ""],
        ["1002", "", "Boston", "B", "1", ""],
        ["", "", "", "", "", ""],
        ["#1001", "", "", "C", "2", ""],
        ["", "", "Nowhere", "D", "1", ""],
    ]);
    let read: Vec<(&str, &[u32], Vec<&str>)> = drafts
        .iter()
        .map(|d| (d.order_id(), d.rows(), d.skus().collect()))
        .collect();
    assert_eq!(
        read,
        [
            ("1002", [3].as_slice(), vec!["B"]),
            ("1001", [2, 5].as_slice(), vec!["A", "C"]),
            ("", [6].as_slice(), vec!["D"]),
        ]
    );
    assert_eq!(drafts[1].value(Field::ShippingCity).text, "Albany");
}

#[test]
fn differing_values_are_found_at_the_differing_cell() {
    let same = short(&[["1", "", "Albany", "A", "1", ""], ["1", "", "", "B", "1", ""]]);
    assert_eq!(codes(&same[0]), []);
    let differing = short(&[
        ["1", "", "Albany", "A", "1", ""],
        ["1", "", "Boston", "B", "1", ""],
    ]);
    assert_eq!(codes(&differing[0]), [(Code::DifferingValues, "C3".to_owned())]);
    let message = &differing[0].findings()[0].message;
    assert_eq!(message, "shipping_city is `Boston` here, but `Albany` in C2.");
}

#[test]
fn an_expected_total_may_be_written_in_another_way_on_each_row() {
    let rows = |second: &str| {
        short(&[
            ["1", "", "Albany", "A", "1", "17.80"],
            ["1", "", "Albany", "B", "1", second],
        ])
    };
    for same in ["17.80", "17.8", "17,80", "$17.80", ""] {
        assert!(
            !codes(&rows(same)[0])
                .iter()
                .any(|(code, _)| *code == Code::DifferingValues),
            "{same}"
        );
    }
    for other in ["17.81", "178", "about 17.80"] {
        let found = codes(&rows(other)[0]);
        assert!(
            found.contains(&(Code::DifferingValues, "F3".to_owned())),
            "{other}: {found:?}"
        );
    }
}

#[test]
fn rows_whose_id_lost_its_digits_need_not_agree() {
    let lost = short(&[
        ["1E+12", "", "Albany", "A", "1", ""],
        ["1E+12", "", "Boston", "A", "1", ""],
    ]);
    assert_eq!(
        codes(&lost[0]),
        [
            (Code::LostDigits, "A2".to_owned()),
            (Code::LostDigits, "A3".to_owned())
        ]
    );
}

#[test]
fn rows_equal_in_every_cell_are_a_note_that_holds_the_order() {
    let pasted = short(&[
        ["1", "", "Albany", "A", "1", ""],
        ["1", "", "Albany", "A", "1", ""],
    ]);
    assert_eq!(codes(&pasted[0]), [(Code::RepeatedRow, "3".to_owned())]);
    assert!(pasted[0].repeated_rows());
    let two_lines = short(&[
        ["1", "", "Albany", "A", "1", ""],
        ["1", "", "Albany", "A", "2", ""],
    ]);
    assert_eq!(codes(&two_lines[0]), []);
    assert!(!two_lines[0].repeated_rows());
    // What a spreadsheet makes of a cell on the way makes no other line of it.
    for again in [
        ["1.0", "", "Albany", "A", "1", ""],
        ["#1", "", "Albany", "A", "1", ""],
        ["'1", "", "Albany", "a", "1.0", ""],
    ] {
        let written = short(&[["1", "", "Albany", "A", "1", ""], again]);
        assert!(written[0].repeated_rows(), "{again:?}");
    }
}

#[test]
fn a_row_that_repeats_the_header_is_no_order() {
    let joined = short(&[
        ["1", "", "Albany", "A", "1", ""],
        HEADER,
        ["1", "", "", "B", "1", ""],
        HEADER,
    ]);
    let [again, order, last] = &joined[..] else {
        panic!("{joined:?}")
    };
    for (repeated, row) in [(again, 3), (last, 5)] {
        assert!(repeated.is_no_order());
        assert_eq!((repeated.rows(), codes(repeated)), (&[row][..], vec![]));
    }
    assert_eq!(order.rows(), [2, 4]);
    assert_eq!(codes(order), []);
    let layout = Layout::read(&text_row(1, &HEADER)).unwrap();
    assert_eq!(layout.skus(&text_row(3, &HEADER)), Vec::<String>::new());
}

#[test]
fn actions_agree_or_are_an_error() {
    let unknown = |row: u32| (Code::UnknownAction, format!("B{row}"));
    let mixed = |row: u32| (Code::MixedActions, format!("B{row}"));
    for (first, second, action, expected) in [
        ("", "", Action::Create, vec![]),
        ("Create", "", Action::Create, vec![]),
        ("cancel", "CANCEL", Action::Cancel, vec![]),
        ("cancel", "", Action::Cancel, vec![]),
        ("", "cancel", Action::Create, vec![mixed(3)]),
        ("cancel", "create", Action::Cancel, vec![mixed(3)]),
        ("storno", "", Action::Create, vec![unknown(2)]),
    ] {
        let draft = short(&[["1", first, "", "A", "1", ""], ["1", second, "", "B", "1", ""]]).remove(0);
        assert_eq!(
            (draft.action(), codes(&draft)),
            (action, expected),
            "{first} {second}"
        );
    }
}

#[test]
fn an_expected_total_that_is_a_number_to_the_workbook_is_read_in_one_way() {
    let total = |kind: CellKind| {
        let header = text_row(1, &HEADER);
        let layout = Layout::read(&header).unwrap();
        let mut row = Row::default();
        row.start(2);
        for cell in ["1001", "", "Albany", "A", "1"] {
            row.push(cell, CellKind::Text);
        }
        row.push("13.015", kind);
        let mut index = Index::default();
        index.note(&layout, &row);
        let draft = Grouper::new(layout, index).push(&row).unwrap();
        (draft.expected_total(), codes(&draft))
    };
    let amount = "13.015".parse().unwrap();
    assert_eq!(total(CellKind::Number), (Some(amount), vec![]));
    assert_eq!(
        total(CellKind::Text),
        (None, vec![(Code::BadTotal, "F2".to_owned())])
    );
}

#[test]
fn an_expected_total_is_exact() {
    let draft = short(&[["1", "", "", "A", "1", "12,10"], ["1", "", "", "B", "1", ""]]).remove(0);
    assert_eq!(draft.expected_total(), Some("12.10".parse().unwrap()));
}

#[test]
fn what_is_wrong_in_a_cell_that_other_rows_of_the_order_have_too_is_to_be_corrected_in_each() {
    let hint = |rows: &[[&str; 6]], code, field| {
        let draft = short(rows).remove(0);
        let row = draft.value(field).row;
        draft
            .finding(code, (field, row), String::new(), "Correct it.")
            .hint
    };
    let each = "Correct it. Other rows of the order say the same: correct it there too.";
    let [first, same, blank] = ["Nowhere", "Nowhere", ""].map(|city| ["1", "", city, "A", "1", ""]);
    let other = ["2", "", "Nowhere", "A", "1", ""];
    let alone = "Correct it.";
    for (rows, code, field, said) in [
        (&[first, same][..], Code::BadZip, Field::ShippingCity, each),
        (&[first, blank, same], Code::BadZip, Field::ShippingCity, each),
        (&[blank, first], Code::BadZip, Field::ShippingCity, alone),
        (&[first, blank], Code::BadZip, Field::ShippingCity, alone),
        (&[first, other], Code::BadZip, Field::ShippingCity, alone),
        // A line speaks for itself, and a warning is nothing to correct.
        (&[first, same], Code::UnknownSku, Field::ItemSku, alone),
        (&[first, same], Code::FixedZip, Field::ShippingCity, alone),
        (&[blank, blank], Code::MissingValue, Field::ShippingCity, alone),
    ] {
        assert_eq!(hint(rows, code, field), said, "{rows:?}");
    }
}

#[test]
fn a_row_longer_than_its_header_is_ragged() {
    let row = |extra: &str| {
        vec![
            vec!["1", "", "12 Main", " Albany", "1", "", extra]
                .into_iter()
                .map(str::to_owned)
                .collect(),
        ]
    };
    assert_eq!(
        codes(&drafts(&HEADER, &row("x"))[0]),
        [(Code::RaggedRow, "G2".to_owned())]
    );
    assert_eq!(codes(&drafts(&HEADER, &row(""))[0]), []);
}

#[test]
fn a_fingerprint_names_what_differs_and_nothing_else_changes_it() {
    let of = |rows: &[[&str; 6]]| short(rows).remove(0).fingerprint();
    let first = of(&[["1", "", "Albany", "A", "1", ""], ["1", "", "", "B", "2", ""]]);
    assert!(first.whole.starts_with("5:"));
    for same in [
        of(&[
            ["#1", "create", "Albany", "b", "2.0", "12.10"],
            ["1", "", "Albany", "A", "1", ""],
        ]),
        drafts(
            &[
                "Qty",
                "unknown",
                "SKU",
                "City",
                "Order ID",
                "action",
                "result_status",
            ],
            &[
                ["1", "x", "A", "Albany", "1", "", "invalid"]
                    .map(str::to_owned)
                    .to_vec(),
                ["2", "y", "B", "", "1", "", ""].map(str::to_owned).to_vec(),
            ],
        )
        .remove(0)
        .fingerprint(),
    ] {
        assert_eq!(same, first);
        assert_eq!(same.differing(&first), [""; 0]);
    }
    for (rows, names) in [
        (
            [["1", "", "Boston", "A", "1", ""], ["1", "", "", "B", "2", ""]],
            vec!["shipping_city"],
        ),
        (
            [["1", "", "", "A", "1", ""], ["1", "", "", "B", "2", ""]],
            vec!["shipping_city"],
        ),
        (
            [["1", "", "Albany", "A", "1", ""], ["1", "", "", "B", "3", ""]],
            vec!["quantity"],
        ),
        (
            [["1", "", "Albany", "A", "2", ""], ["1", "", "", "B", "1", ""]],
            vec!["order lines"],
        ),
    ] {
        let other = of(&rows);
        assert_ne!(other.whole, first.whole);
        assert_eq!(first.differing(&other), names);
        assert_eq!(other.differing(&first), names);
    }
    assert_ne!(
        of(&[["2", "", "Albany", "A", "1", ""]]).whole,
        of(&[["1", "", "Albany", "A", "1", ""]]).whole
    );
}

#[test]
fn a_place_written_another_way_is_the_same_content() {
    let of = |changes: &[(&str, &str)]| {
        let mut row = good();
        for (name, text) in changes {
            let at = NATIVE.iter().position(|native| native == name).unwrap();
            row[at] = (*text).to_owned();
        }
        drafts(&NATIVE, &[row]).remove(0).fingerprint()
    };
    let (code, name) = ("shipping_country_code", "shipping_country");
    let (province_code, province) = ("shipping_province_code", "shipping_province");
    let first = of(&[]);
    for same in [
        vec![(name, "USA")],
        vec![(name, ""), (code, "usa")],
        vec![(code, "")],
        vec![(code, ""), (name, "United States of America")],
        vec![(province, "")],
        vec![(province_code, ""), (province, "new york")],
    ] {
        assert_eq!(of(&same), first, "{same:?}");
    }
    for (other, differing) in [
        (vec![(name, "Canada"), (code, "CA")], vec![code, province]),
        (
            vec![(province, "Ohio"), (province_code, "OH")],
            vec![province_code],
        ),
        (vec![(province, ""), (province_code, "")], vec![province_code]),
    ] {
        let other_print = of(&other);
        let mut names = other_print.differing(&first);
        names.sort_unstable();
        let mut differing = differing;
        differing.sort_unstable();
        assert_eq!(names, differing, "{other:?}");
    }
}

#[test]
fn an_order_kept_in_the_first_version_is_compared_in_it() {
    let draft = short(&[["1", "", "Albany", "A", "1", ""]]).remove(0);
    // What the first version kept of this order.
    let kept = draft.fingerprint_like("1:");
    assert!(kept.whole.starts_with("1:"));
    assert_eq!(kept.fields.last().unwrap().0, "order lines");
    assert_eq!(draft.fingerprint_like(&kept.whole), kept);
    assert_eq!(draft.fingerprint_like("5:0"), draft.fingerprint());
}

#[test]
fn fingerprints_stay_what_ledgers_have_kept() {
    let mut second = vec![String::new(); NATIVE.len()];
    for (at, text) in [(0, "1001"), (12, "mug-11oz"), (13, "2")] {
        second[at] = text.to_owned();
    }
    let draft = drafts(&NATIVE, &[good(), second]).remove(0);
    // Made from the definition by another program: where they change, every known order comes back as `changed`.
    for kept in [
        "5:afe6947e95d08057082d0d582c3573c92d2bf68627a76c5df751dece185d8e50",
        "4:afe6947e95d08057082d0d582c3573c92d2bf68627a76c5df751dece185d8e50",
        "3:16f305253221e0498541868bf371570d61bcf40b9849825ebd103a8dc73514b5",
        "2:16f305253221e0498541868bf371570d61bcf40b9849825ebd103a8dc73514b5",
        "1:ce79d146695e4192808dc5cfd25510a7a0950659848501ec4b350f910ce640d4",
    ] {
        assert_eq!(draft.fingerprint_like(kept).whole, kept);
    }
}

#[test]
fn hashes_that_were_kept_whole_are_compared_by_what_is_kept_of_them_now() {
    let of = |city| short(&[["1", "", city, "A", "1", ""]]).remove(0).fingerprint();
    let now = of("Albany");
    let mut whole = now.clone();
    for (_field, hash) in &mut whole.fields {
        hash.push_str("0123456789abcdef0123456789abcdef0123456789abcdef");
    }
    assert_eq!(now.differing(&whole), [""; 0]);
    assert_eq!(whole.differing(&now), [""; 0]);
    assert_eq!(of("Boston").differing(&whole), ["shipping_city"]);
}

/// What rows in any order must agree on.
fn essence(drafts: &[Draft]) -> BTreeSet<(String, String, usize)> {
    drafts
        .iter()
        .map(|draft| {
            (
                draft.order_id().to_owned(),
                draft.fingerprint().whole,
                draft.rows().len(),
            )
        })
        .collect()
}

proptest! {
    #[test]
    fn rows_in_any_order_give_the_same_orders(
        (rows, permuted) in vec((0..6_u8, 0..3_u8, 1..4_u8), 1..24)
            .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))
    ) {
        let sheet = |rows: &[(u8, u8, u8)]| {
            let cells: Vec<Vec<String>> = rows
                .iter()
                .map(|(order, sku, pieces)| {
                    let text = [format!("A{order}"), String::new(), format!("City {order}")];
                    let line = [format!("SKU-{sku}"), pieces.to_string(), String::new()];
                    text.into_iter().chain(line).collect()
                })
                .collect();
            drafts(&HEADER, &cells)
        };
        prop_assert_eq!(essence(&sheet(&rows)), essence(&sheet(&permuted)));
    }

    #[test]
    fn every_row_with_text_is_in_exactly_one_draft(ids in vec("[0-3]?", 0..30)) {
        let cells: Vec<Vec<String>> = ids
            .iter()
            .map(|id| [id.as_str(), "", "", "A", "1", ""].map(str::to_owned).to_vec())
            .collect();
        let mut rows: Vec<u32> = drafts(&HEADER, &cells).iter().flat_map(|d| d.rows().to_vec()).collect();
        rows.sort_unstable();
        prop_assert_eq!(rows, (2..).take(ids.len()).collect::<Vec<u32>>());
    }
}

#[test]
fn a_part_of_the_address_in_a_column_of_its_own_is_not_lost() {
    let header = "Order,Name,Surname,Street,House Number,Address 3,Town,State,Zip,Country,SKU,Qty";
    let lost = |row: &str| -> Vec<String> {
        let header: Vec<&str> = header.split(',').collect();
        let row: Vec<&str> = row.split(',').collect();
        let layout = Layout::read(&text_row(1, &header)).unwrap();
        let mut findings = Vec::new();
        Cells::read(&layout, &text_row(2, &row), &mut findings);
        let told = findings
            .iter()
            .filter(|finding| finding.code == Code::PartLeftOut);
        told.map(|finding| finding.cell().unwrap().to_string()).collect()
    };
    let rest = "Columbus,OH,43004,US,TEE-S,1";
    assert_eq!(
        lost(&format!("1,Ada,Example,Maple Street,12,Flat 7,{rest}")),
        ["C2", "E2", "F2"]
    );
    assert!(lost(&format!("1,Ada Example,EXAMPLE,12 Maple Street,12,,{rest}")).is_empty());
    assert!(
        lost(&format!("1,,Example,,12,Flat 7,{rest}")).is_empty(),
        "a later row"
    );
}
