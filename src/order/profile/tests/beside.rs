//! What an export says in columns that no rule of its profile looks at.

use super::*;
use crate::order::sku_map::{MapLayout, SkuMap};

#[test]
fn what_no_rule_of_a_profile_looks_at_holds_an_order_by_what_its_name_says() {
    let holds = |names: &str, cells: &[(&str, &str)]| drafts(names, &[cells])[0].shop_holds().len();
    let order = [("Name", "#1"), ("Lineitem sku", "A"), ("Lineitem quantity", "1")];
    let with = |more: (&'static str, &'static str)| [&order[..], &[more]].concat();
    let own = format!("{SHOPIFY},Storniert am,Status");
    assert_eq!(holds(&own, &with(("Storniert am", "2026-11-20"))), 1);
    assert_eq!(holds(&own, &with(("Status", "Canceled"))), 1);
    assert_eq!(holds(&own, &with(("Status", "new"))), 0);
    // Of a row that is not printed nothing holds those that are.
    let sent = [
        ("Lineitem fulfillment status", "fulfilled"),
        ("Status", "shipped"),
    ];
    let both = [[&order[..], &sent].concat(), with(("Status", "new"))];
    let rows: Vec<&[(&str, &str)]> = both.iter().map(Vec::as_slice).collect();
    assert!(drafts(&own, &rows)[0].shop_holds().is_empty());
    let woo = format!("{WOO},item_sku,item_quantity,item_refunded_qty");
    let line = |taken_back| {
        holds(
            &woo,
            &[
                ("order_id", "1"),
                ("status", "processing"),
                ("item_sku", "A"),
                ("item_refunded_qty", taken_back),
            ],
        )
    };
    assert_eq!([line("-2"), line("1"), line("0"), line("")], [1, 1, 0, 0]);
    let packed = |cell| {
        holds(
            WOO,
            &[("order_id", "1"), ("status", "processing"), ("line_item_1", cell)],
        )
    };
    assert_eq!(packed("name:Tee|sku:A|quantity:2|refunded_qty:2"), 1);
    assert_eq!(packed("name:Tee|sku:A|quantity:2|refunded_qty:0"), 0);
}

#[test]
fn pieces_that_are_sent_hold_an_order_unless_those_that_are_left_are_read() {
    let holds = |names: &str, left: &'static str| {
        let cells = [
            ("order-id", "1"),
            ("sku", "A"),
            ("quantity-purchased", "3"),
            ("quantity-shipped", "1"),
            ("quantity-to-ship", left),
        ];
        let cells = if left.is_empty() { &cells[..4] } else { &cells[..] };
        drafts(names, &[cells])[0].shop_holds().len()
    };
    let unshipped = format!("{AMAZON},quantity-shipped");
    assert_eq!(holds(&unshipped, "2"), 0);
    assert_eq!(holds(&unshipped.replace("quantity-to-ship,", ""), ""), 1);
    // So it is with a profile of one's own that reads what is left.
    for (quantity, held) in [("Qty to ship", 0), ("Open qty", 0), ("Qty", 1)] {
        let own = format!(
            "recognise = [\"Ref\", \"{quantity}\"]\n[columns]\norder_id = \"Ref\"\nquantity = \"{quantity}\"\nitem_sku = \"Code\""
        );
        let own = Profile::new("own", toml::from_str(&own).unwrap()).unwrap();
        let names = header(&format!("Ref,Code,{quantity},Qty Shipped"));
        let layout = Profiles::with(vec![own]).layout(&names).unwrap();
        let read = crate::order::tests::drafts_of(layout, &[text_row(2, &["1", "A", "2", "1"])]);
        assert_eq!(read[0].shop_holds().len(), held, "{quantity}");
    }
    let woo = format!("{WOO},refunded_total");
    for (refunded, held) in [("12.00", 1), ("0.00", 0), ("", 0)] {
        let cells = [
            ("order_id", "1"),
            ("status", "processing"),
            ("line_item_1", "sku:A|quantity:1"),
            ("refunded_total", refunded),
        ];
        assert_eq!(drafts(&woo, &[&cells])[0].shop_holds().len(), held, "{refunded}");
    }
}

#[test]
fn artwork_in_a_column_of_an_export_that_is_not_read_is_told() {
    let back = "https://example.com/back.png";
    for name in ["Back Design", "Left sleeve", "artwork_6", "Design 1"] {
        let names = format!("{SHOPIFY},artwork_front,{name}");
        let told = |text: &'static str| {
            let order = [
                ("Name", "#1"),
                ("Lineitem sku", "A"),
                ("Lineitem quantity", "1"),
                ("artwork_front", "https://example.com/front.png"),
                (name, text),
            ];
            let read = drafts(&names, &[&order]).remove(0);
            let codes: Vec<Code> = read.findings().iter().map(|finding| finding.code).collect();
            codes
        };
        assert_eq!(told(back), [Code::PartLeftOut], "{name}");
        assert!(told("yes").is_empty() && told("").is_empty(), "{name}");
    }
}

#[test]
fn artwork_in_a_column_that_could_mean_something_else_is_told_where_a_person_may_have_added_it() {
    let own = "order_id,order_status,shipping_first_name,shipping_last_name,shipping_address_1,shipping_city,shipping_postcode,\
               shipping_country,item_sku,item_quantity,artwork_front";
    let shop = format!("{WOO},item_sku,item_quantity");
    let added = format!("{shop},Artwork Front");
    for (names, name, told) in [
        (own, "Back", 1),
        (own, "Print URL", 0),
        (&own.replace(",artwork_front", ""), "Print URL", 1),
        (own, "Design", 0),
        (&shop, "Back", 0),
        (&shop, "Design", 0),
        (&added, "Back", 1),
        (&added, "Design", 0),
        (&added, "Preview", 0),
    ] {
        let is_shops = names.starts_with(WOO);
        let status = if is_shops { "status" } else { "order_status" };
        let order = [
            ("order_id", "1"),
            (status, "processing"),
            ("item_sku", "A"),
            ("item_quantity", "1"),
            (name, "https://example.com/1.png"),
        ];
        let read = drafts(&format!("{names},{name}"), &[&order]).remove(0);
        let codes: Vec<Code> = read.findings().iter().map(|finding| finding.code).collect();
        assert_eq!(codes, vec![Code::PartLeftOut; told], "{name}");
    }
}

#[test]
fn artwork_in_a_column_that_is_not_read_is_asked_about_where_the_sku_map_has_none_for_its_place() {
    let mut map = SkuMap::default();
    let columns = MapLayout::read(&text_row(1, &["sku", "item_sku", "artwork_front"])).unwrap();
    map.note(
        &columns,
        &text_row(2, &["A", "TEE", "https://example.com/front.png"]),
    );
    map.note(&columns, &text_row(3, &["B", "TEE", ""]));
    let hints = |name: &'static str, sku: &'static str| {
        let order = [
            ("Name", "#1"),
            ("Lineitem sku", sku),
            ("Lineitem quantity", "1"),
            (name, "https://example.com/preview.png"),
        ];
        let mut read = drafts(&format!("{SHOPIFY},{name}"), &[&order]).remove(0);
        read.map(&map);
        let findings = read.findings().iter();
        let hints: Vec<String> = findings.map(|finding| finding.hint.clone()).collect();
        hints
    };
    assert_eq!(hints("Front Design", "A"), [""; 0]);
    assert_eq!(hints("Design 1", "A"), [""; 0]);
    for (name, sku, field) in [
        ("Front Design", "B", "artwork_front"),
        ("Front Design", "C", "artwork_front"),
        ("Design 1", "B", "artwork_front"),
        ("Design Back", "A", "artwork_back"),
        ("Left sleeve", "A", "artwork_2` to `artwork_5"),
    ] {
        let hints = hints(name, sku);
        assert_eq!(hints.len(), 1, "{name} {sku}");
        assert!(hints[0].contains(&format!("`{field}`")), "{}", hints[0]);
    }
}
