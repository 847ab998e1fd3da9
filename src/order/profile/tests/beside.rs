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
    // Money may be paid back without a word of pieces.
    assert_eq!(
        packed("name:Tee|sku:A|quantity:2|refunded:40.00|refunded_qty:0"),
        1
    );
    assert_eq!(packed("name:Tee|sku:A|quantity:2|refunded:-40.00"), 1);
    assert_eq!(packed("name:Tee|sku:A|quantity:2|refunded:0.00"), 0);
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

#[test]
fn a_word_for_no_artwork_is_none_beside_the_maps_and_an_error_where_the_map_has_one() {
    let mut map = SkuMap::default();
    let columns = ["sku", "item_sku", "artwork_front", "artwork_back"];
    let columns = MapLayout::read(&text_row(1, &columns)).unwrap();
    let (front, back) = ("https://example.com/front.png", "https://example.com/back.png");
    map.note(&columns, &text_row(2, &["A", "TEE", front, ""]));
    map.note(&columns, &text_row(3, &["B", "TEE", front, back]));
    let of_back = |sku: &'static str, added_front: &'static str, text: &'static str| {
        let order = [
            ("Name", "#1"),
            ("Lineitem sku", sku),
            ("Lineitem quantity", "1"),
            ("artwork_front", added_front),
            ("artwork_back", text),
        ];
        let mut read = drafts(&format!("{SHOPIFY},artwork_front,artwork_back"), &[&order]).remove(0);
        let before = read.fingerprint();
        read.map(&map);
        assert_eq!(read.fingerprint(), before);
        read.lines()[0].text(Field::ArtworkBack).to_owned()
    };
    for added_front in ["", "https://example.com/own.png"] {
        assert_eq!(of_back("A", added_front, "none"), "");
        // Whether it is to be printed is a person's to say.
        assert_eq!(of_back("B", added_front, "none"), "none");
        assert_eq!(of_back("B", added_front, ""), back);
    }
}

/// An order of an export with one column more at its right, under a name that may be there already.
fn with_one_more(names: &str, cells: &str, (name, text): (&str, &str)) -> Draft {
    let names = header(&format!("{names},{name}"));
    let layout = Profiles::default().layout(&names).unwrap();
    let cells: Vec<&str> = cells.split(',').chain([text]).collect();
    crate::order::tests::drafts_of(layout, &[text_row(2, &cells)]).remove(0)
}

const SHOPIFY_ORDER: &str =
    "#1,,paid,,1,Tee,TEE-S,true,pending,Ada Example,12 Maple Street,Columbus,43004,OH,US,";
const ETSY_ORDER: &str =
    "11/20/26,Tee,1,5,6,11/20/26,,Ada Example,12 Maple Street,Columbus,OH,43004,United States,1001,";

#[test]
fn a_column_that_an_export_has_twice_or_under_two_names_is_an_error_where_the_two_differ() {
    let woo = format!("{WOO},shipping_postcode,item_sku,item_quantity");
    let woo_order = "1,1,2026-11-20,processing,Bob,Buyer,7 Oak Road,Albany,US,Ada,Example,12 Maple Street,Columbus,US,,,43004,TEE-S,1";
    for (names, order, name, same, other) in [
        (SHOPIFY, SHOPIFY_ORDER, "Lineitem quantity", "1.0", "3"),
        (SHOPIFY, SHOPIFY_ORDER, "quantity", "1", "3"),
        (
            SHOPIFY,
            SHOPIFY_ORDER,
            "Shipping Address1",
            "12 MAPLE STREET",
            "9 Oak Road",
        ),
        (
            SHOPIFY,
            SHOPIFY_ORDER,
            "shipping_name",
            "Ada Example",
            "Gina Gift",
        ),
        (SHOPIFY, SHOPIFY_ORDER, "item_sku", "TEE-S", "TEE-XL"),
        (ETSY, ETSY_ORDER, "Quantity", "1", "3"),
        (ETSY, ETSY_ORDER, "quantity", "1", "3"),
        (ETSY, ETSY_ORDER, "Ship Name", "Ada Example", "Gina Gift"),
        (ETSY, ETSY_ORDER, "shipping_name", "Ada Example", "Gina Gift"),
        (&woo, woo_order, "shipping_name", "Ada Example", "Gina Gift"),
        (&woo, woo_order, "shipping_last_name", "Example", "Gift"),
        (&woo, woo_order, "item_quantity", "1", "2"),
    ] {
        let codes = |text: &str| -> Vec<Code> {
            let draft = with_one_more(names, order, (name, text));
            assert!(draft.has_lines(), "{name}");
            draft.findings().iter().map(|finding| finding.code).collect()
        };
        assert_eq!(codes(other), [Code::RepeatedColumn], "{name}");
        assert_eq!(codes(same), [], "{name}");
        assert_eq!(codes(""), [], "{name}");
        assert_eq!(codes("-"), [], "{name}");
    }
}

#[test]
fn what_an_export_calls_alike_and_means_otherwise_is_no_error() {
    let full = format!("{SHOPIFY},Shipping Province Name,Notes,Id");
    for (name, text) in [
        ("shipping_province", "Ohio"),
        ("order_id", "5123456789"),
        ("Quantity", "12"),
        ("Shipping Method", "Standard"),
    ] {
        let draft = with_one_more(&full, &format!("{SHOPIFY_ORDER},Ohio,,5123456789"), (name, text));
        assert_eq!(draft.findings(), [], "{name}");
    }
    // A profile of one's own says which column counts.
    let own = "recognise = [\"Ref\", \"Picks\"]\n[columns]\norder_id = \"Ref\"\nquantity = \"Picks\"\nitem_sku = \"Code\"";
    let own = Profile::new("own", toml::from_str(own).unwrap()).unwrap();
    let told = |name: &str| {
        let names = header(&format!("Ref,Code,Picks,{name}"));
        let layout = Profiles::with(vec![own.clone()]).layout(&names).unwrap();
        let read = crate::order::tests::drafts_of(layout, &[text_row(2, &["1", "A", "2", "1"])]);
        read[0].findings().len()
    };
    assert_eq!(told("quantity"), 0);
    assert_eq!([told("Picks"), told("Qty to ship")], [1, 1]);
}

#[test]
fn pieces_that_an_export_says_are_left_to_send_are_an_error_where_they_are_fewer() {
    for name in ["Qty to ship", "Qty to print"] {
        let order = SHOPIFY_ORDER.replace(",,1,Tee", ",,3,Tee");
        let told = |left| with_one_more(SHOPIFY, &order, (name, left)).findings().len();
        assert_eq!(["1", "0", "3", "", "40"].map(told), [1, 1, 0, 0, 0], "{name}");
    }
}

#[test]
fn what_a_shops_column_leaves_blank_is_read_from_the_one_that_holds_it_once_more() {
    let order = SHOPIFY_ORDER.replace("TEE-S", "");
    let draft = with_one_more(SHOPIFY, &order, ("item_sku", "TEE-S"));
    assert_eq!((skus(&draft), draft.findings()), (vec!["TEE-S"], &[][..]));
    let draft = with_one_more(SHOPIFY, &order, ("item_sku", ""));
    assert_eq!(skus(&draft), ["Tee"]);
}
