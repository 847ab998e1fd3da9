//! Columns beside those that are read.

use super::*;
use crate::finding::Code;
use crate::order::cells::Cells;
use crate::order::layout::Layout;
use crate::order::tests::text_row;

#[test]
fn pieces_that_are_left_to_send_are_counted_in_a_column_that_says_so() {
    for left in [
        "Quantity To Ship",
        "qty_to_ship",
        "Qty Remaining",
        "Qty Left",
        "Quantity Unfulfilled",
        "Open Qty",
        "fulfillable_quantity",
        "Offene Menge",
    ] {
        assert!(counts_what_is_left(left), "{left}");
    }
    for other in [
        "Qty",
        "Quantity Shipped",
        "Qty left chest",
        "Left Qty",
        "Qty left in stock",
        "Left",
        "To ship",
        "Opening quantity",
    ] {
        assert!(!counts_what_is_left(other), "{other}");
    }
}

/// How many parts of the address an order with these columns and texts would leave out.
fn lost(names: &str, cells: &str) -> usize {
    let names: Vec<&str> = names.split(',').collect();
    let layout = Layout::read(&text_row(1, &names)).unwrap();
    let cells: Vec<&str> = cells.split(',').collect();
    let mut findings = Vec::new();
    Cells::read(&layout, &text_row(2, &cells), &mut findings);
    let lost = findings
        .iter()
        .filter(|finding| finding.code == Code::PartLeftOut);
    lost.count()
}

#[test]
fn what_a_product_may_have_as_well_is_a_part_of_the_address_beside_its_columns_alone() {
    for (name, text) in [
        ("Unit", "11oz"),
        ("Block", "2"),
        ("Room", "2 rooms"),
        ("Door", "1"),
        ("Floor", "3"),
    ] {
        for (names, cells) in [
            (
                "action,order_id,name,address,city,zip,country,sku,*,qty",
                ",1,Ada,12 Maple,Columbus,43004,US,MUG,*,1",
            ),
            (
                "action,order_id,sku,qty,*,name,address,city,zip,country",
                ",1,MUG,1,*,Ada,12 Maple,Columbus,43004,US",
            ),
            (
                "action,order_id,address,phone,*,note,city",
                ",1,12 Maple,555 0100,*,,Columbus",
            ),
        ] {
            assert_eq!(
                lost(&names.replace('*', name), &cells.replace('*', text)),
                0,
                "{name}: {names}"
            );
        }
        for (names, cells) in [
            ("action,order_id,address,*,city,sku", ",1,12 Maple,*,Columbus,MUG"),
            (
                "action,order_id,address,city,zip,country,*,sku",
                ",1,12 Maple,Columbus,43004,US,*,MUG",
            ),
            ("action,order_id,*,address,city,sku", ",1,*,12 Maple,Columbus,MUG"),
        ] {
            assert_eq!(
                lost(&names.replace('*', name), &cells.replace('*', text)),
                1,
                "{name}: {names}"
            );
        }
    }
    let many = "action,order_id,Street,House Number,Floor,Door,Room,Phone,City";
    assert_eq!(lost(many, ",1,12 Maple,12,3,7,9,,Columbus"), 3);
    // Those say by themselves whose they are.
    for name in ["Ship To Floor", "Flat No", "PO Box"] {
        let names = format!("action,order_id,address,city,sku,{name}");
        assert_eq!(lost(&names, ",1,12 Maple,Columbus,MUG,7"), 1, "{name}");
    }
    let company = "action,order_id,address,Floor,Company,city";
    assert_eq!(lost(company, ",1,12 Maple,,ACME,Columbus"), 0);
}

#[test]
fn who_is_in_care_of_whom_and_the_number_of_a_unit_are_parts_wherever_they_stand() {
    let order = "action,order_id,name,address,city,zip,country,sku,qty";
    let cells = ",1,Ada,12 Maple,Columbus,43004,US,MUG,1";
    for (name, text, parts) in [
        ("Care of", "Bob Builder", 1),
        ("c/o", "Bob", 1),
        ("Unit", "5B", 1),
        ("Unit", "#14", 1),
        ("Room", "14", 1),
        ("Care of", "", 0),
        ("Care of", "Ada", 0),
        ("Co", "ACME", 0),
        ("Unit", "11oz", 0),
        ("Unit", "1", 0),
        ("Unit", "#N/A", 0),
        ("Room", "Nursery", 0),
    ] {
        assert_eq!(
            lost(&format!("{order},{name}"), &format!("{cells},{text}")),
            parts,
            "{name} {text}"
        );
        let payers = format!("{order},Billing Address,Billing City,{name}");
        assert_eq!(
            lost(&payers, &format!("{cells},9 Oak,Dallas,{text}")),
            0,
            "{name} {text}"
        );
    }
}

#[test]
fn a_shipping_company_is_the_recipients_beside_the_name_where_it_names_no_carrier() {
    for name in [
        "Shipping Company",
        "Shipping Company Name",
        "Delivery Company",
        "Shipping Organization",
        "Shipping c/o",
    ] {
        let beside = format!("action,order_id,Shipping Name,{name},Shipping Address 1,Shipping City");
        assert_eq!(lost(&beside, ",1,Ada,ACME GmbH,12 Maple,Columbus"), 1, "{name}");
        for none in [
            "",
            "UPS",
            "DHL Express",
            "Royal Mail Tracked 48",
            "Standard",
            "-",
            "Ada",
        ] {
            let row = format!(",1,Ada,{none},12 Maple,Columbus");
            assert_eq!(lost(&beside, &row), 0, "{name}: {none}");
        }
        let apart = format!("action,order_id,Shipping Name,Shipping Address 1,Shipping City,sku,{name}");
        assert_eq!(lost(&apart, ",1,Ada,12 Maple,Columbus,MUG,ACME"), 0, "{name}");
    }
}
