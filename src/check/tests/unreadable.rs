//! Formulas without a result, and errors, in columns beside those that are read.

use super::*;
use crate::order::Layout;
use crate::order::tests::drafts_of;
use crate::sheet::{CellKind, Row};

/// The good row with some cells changed, and one column more behind another, in which this cell stands: what is said of its
/// order, and why it is held.
fn told(
    (heading, behind): (&str, &str),
    changes: &[(&str, &str)],
    (text, kind): (&str, CellKind),
) -> (Vec<(Code, String)>, Vec<String>) {
    let at = NATIVE.iter().position(|name| *name == behind).unwrap() + 1;
    let mut header = NATIVE.to_vec();
    header.insert(at, heading);
    let mut cells = row(changes);
    cells.insert(at, String::new());
    let mut row = Row::default();
    row.start(2);
    for (column, cell) in cells.iter().enumerate() {
        match cell.as_str() {
            _ if column == at => row.push(text, kind),
            "" => row.push("", CellKind::Blank),
            cell => row.push(cell, CellKind::Text),
        }
    }
    let layout = Layout::read(&text_row(1, &header)).unwrap();
    let draft = drafts_of(layout, &[row]).remove(0);
    let checked = check(&draft, &catalog(), &Limits::default());
    let cell = |column: usize| format!("{}2", crate::finding::column_letters(column.try_into().unwrap()));
    let findings = findings(&checked);
    assert!(
        findings.iter().all(|(_, told)| *told == cell(at)),
        "{heading}: {findings:?}"
    );
    (findings, draft.shop_holds().to_vec())
}

const UNREADABLE: [(&str, CellKind, Code); 3] = [
    ("", CellKind::NoValue, Code::NoCachedValue),
    ("#N/A", CellKind::Error, Code::CellError),
    ("#BEZUG!", CellKind::Text, Code::CellError),
];

#[test]
fn what_would_have_changed_the_address_or_the_print_is_an_error_where_its_formula_has_no_result() {
    for column in [
        ("House number", "shipping_address1"),
        ("No", "shipping_address1"),
        ("Apartment", "shipping_address2"),
        ("Floor", "shipping_address2"),
        ("Company", "shipping_name"),
        ("Shipping Company", "shipping_name"),
        ("Name 2", "shipping_name"),
        ("Address 3", "shipping_address2"),
        ("Extra address line", "shipping_address2"),
        ("Suburb", "shipping_city"),
        ("Qty to ship", "quantity"),
        ("Qty", "quantity"),
        ("City2", "shipping_city"),
        ("Corrected qty", "quantity"),
        ("Back Artwork File", "artwork_front"),
        ("Print Position", "artwork_front"),
    ] {
        let street = [(
            "shipping_address1",
            if column.0 == "No" { "Main St" } else { "12 Main St" },
        )];
        for (text, kind, code) in UNREADABLE {
            let (codes, holds) = told(column, &street, (text, kind));
            let codes: Vec<Code> = codes.into_iter().map(|(code, _)| code).collect();
            assert_eq!((codes, holds), (vec![code], vec![]), "{column:?} {text}");
        }
        let blank = told(column, &street, ("", CellKind::Blank));
        assert_eq!(blank, (vec![], vec![]), "{column:?}");
    }
}

#[test]
fn a_formula_without_a_result_may_be_another_address_and_the_error_of_a_look_up_is_none() {
    for heading in [
        "New address",
        "Corrected zip",
        "Ship To City",
        "Shipping Address (if different)",
    ] {
        let column = (heading, "artwork_5");
        let (codes, _) = told(column, &[], ("", CellKind::NoValue));
        assert_eq!(codes, [(Code::NoCachedValue, "Y2".to_owned())], "{heading}");
        assert_eq!(told(column, &[], ("", CellKind::Blank)), (vec![], vec![]));
    }
    for heading in ["New address", "Corrected zip", "Ship To City"] {
        let column = (heading, "artwork_5");
        assert_eq!(told(column, &[], ("#N/A", CellKind::Error)), (vec![], vec![]));
    }
    let (codes, _) = told(("", "shipping_city"), &[], ("", CellKind::NoValue));
    assert_eq!(codes, [(Code::NoCachedValue, "G2".to_owned())]);
}

#[test]
fn what_would_have_had_the_order_wait_has_it_wait_where_its_formula_has_no_result() {
    let of_no_result = |heading: &str| format!("`{heading}` has a formula without a stored result");
    for heading in [
        "Hold until",
        "Status",
        "Paid",
        "Payment status",
        "Cancelled at",
        "Tags",
        "Internal note",
        "Print?",
        "Tracking number",
        "Qty shipped",
    ] {
        let column = (heading, "artwork_5");
        let (codes, holds) = told(column, &[], ("", CellKind::NoValue));
        assert_eq!((codes, holds), (vec![], vec![of_no_result(heading)]), "{heading}");
        assert_eq!(told(column, &[], ("", CellKind::Blank)), (vec![], vec![]));
        for error in ["#REF!", "#N/A"] {
            let is_sent = ["Tracking number", "Qty shipped"].contains(&heading);
            let (_, holds) = told(column, &[], (error, CellKind::Error));
            let expected = if is_sent && error == "#N/A" {
                vec![]
            } else {
                vec![format!("`{heading}` says `{error}`")]
            };
            assert_eq!(holds, expected, "{heading} {error}");
        }
    }
}

#[test]
fn a_formula_without_a_result_does_no_harm_where_nothing_is_heeded() {
    for column in [
        ("Margin", "artwork_5"),
        ("Region", "shipping_province"),
        ("County", "shipping_province"),
        ("No", "shipping_address1"),
        ("Weight", "quantity"),
    ] {
        for (text, kind, _) in UNREADABLE {
            assert_eq!(
                told(column, &[], (text, kind)),
                (vec![], vec![]),
                "{column:?} {text}"
            );
        }
    }
}
