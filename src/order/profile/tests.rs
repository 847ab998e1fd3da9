mod abroad;
mod advanced;
mod beside;
mod days;
mod exports;
mod header;

use super::*;
use crate::finding::Finding;
use crate::order::tests::text_row;
use crate::order::{Draft, Grouper, Index, Why};
use crate::sheet::Row;

/// Headers as the shops write them, as far as the profiles look at them.
const SHOPIFY: &str = "Name,Email,Financial Status,Created at,Lineitem quantity,Lineitem name,Lineitem sku,Lineitem requires shipping,\
     Lineitem fulfillment status,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Cancelled at";
const ETSY: &str = "Sale Date,Item Name,Quantity,Transaction ID,Listing ID,Date Paid,Date Shipped,Ship Name,Ship Address1,Ship City,Ship State,\
     Ship Zipcode,Ship Country,Order ID,Variations";
const AMAZON: &str = "order-id,order-item-id,purchase-date,sku,product-name,quantity-purchased,quantity-to-ship,recipient-name,ship-address-1,\
     ship-address-2,ship-address-3,ship-city,ship-state,ship-postal-code,ship-country";
const EBAY: &str = "Sales Record Number,Order Number,Ship To Name,Ship To Address 1,Ship To City,Ship To State,Ship To Zip,Ship To Country,\
     Item Number,Item Title,Custom Label,Quantity,Sale Date,Paid On Date,Shipped On Date,Transaction ID";
const TIKTOK: &str = "Order ID,Order Status,SKU ID,Seller SKU,Product Name,Quantity,Created Time,Shipped Time,Recipient,Country,Province,District,\
     Commune,Detail Address,Additional address information";
const WOO: &str = "order_id,order_number,order_date,status,billing_first_name,billing_last_name,billing_address_1,billing_city,billing_country,\
     shipping_first_name,shipping_last_name,shipping_address_1,shipping_city,shipping_country,line_item_1,line_item_2";

fn header(names: &str) -> Row {
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    text_row(1, &names)
}

fn layout(names: &str) -> Layout {
    Profiles::default().layout(&header(names)).unwrap()
}

/// The drafts of rows given as `column=text` pairs, numbered from 2.
fn drafts(names: &str, rows: &[&[(&str, &str)]]) -> Vec<Draft> {
    let layout = layout(names);
    let columns: Vec<&str> = names.split(',').map(str::trim).collect();
    let rows: Vec<Row> = (2..)
        .zip(rows)
        .map(|(number, pairs)| {
            for (name, _) in *pairs {
                assert!(columns.contains(name), "{name} is a column");
            }
            let cells: Vec<&str> = columns
                .iter()
                .map(|name| {
                    pairs
                        .iter()
                        .find(|(column, _)| column == name)
                        .map_or("", |(_, text)| text)
                })
                .collect();
            text_row(number, &cells)
        })
        .collect();
    let mut index = Index::default();
    for row in &rows {
        index.note(&layout, row);
    }
    let mut grouper = Grouper::new(layout, index);
    rows.iter().filter_map(|row| grouper.push(row)).collect()
}

fn skus(draft: &Draft) -> Vec<&str> {
    draft.skus().collect()
}

fn value(draft: &Draft, field: Field) -> &str {
    draft.value(field).text
}

#[test]
fn every_built_in_profile_is_sound_and_known_by_its_header() {
    for (name, text) in built_in() {
        let written: Written = toml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Profile::new(name, written).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    for (name, names) in [
        ("shopify", SHOPIFY),
        ("etsy", ETSY),
        ("amazon", AMAZON),
        ("ebay", EBAY),
        ("tiktok", TIKTOK),
        ("woocommerce", WOO),
    ] {
        assert!(Profiles::default().is_header(&header(names)), "{name}");
        let read_as = layout(names).read_as().unwrap();
        assert!(
            read_as.starts_with(&format!("{name}, because it has the columns ")),
            "{read_as}"
        );
    }
    let native = crate::order::tests::NATIVE.join(",");
    assert_eq!(layout(&native).read_as(), None);
}

#[test]
fn columns_are_found_by_name_wherever_they_stand() {
    let mut names: Vec<&str> = ETSY.split(',').map(str::trim).collect();
    names.reverse();
    names.insert(3, "A column of next year");
    let names = names.join(",");
    let drafts = drafts(
        &names,
        &[&[("Order ID", "7"), ("Quantity", "2"), ("Ship Name", "Ada Example")]],
    );
    assert_eq!(drafts[0].order_id(), "7");
    assert_eq!(value(&drafts[0], Field::ShippingName), "Ada Example");
}

#[test]
fn order_cells_of_the_first_row_count_for_the_later_ones() {
    let drafts = drafts(
        SHOPIFY,
        &[
            &[
                ("Name", "#1001"),
                ("Financial Status", "paid"),
                ("Lineitem sku", "A"),
                ("Lineitem quantity", "1"),
                ("Shipping Zip", "'75008"),
                ("Shipping City", "Paris"),
            ],
            &[
                ("Name", "#1001"),
                ("Lineitem sku", "B"),
                ("Lineitem quantity", "2"),
            ],
        ],
    );
    let [draft] = &drafts[..] else { panic!("one order") };
    assert_eq!((draft.order_id(), draft.shop_order()), ("1001", "#1001"));
    assert_eq!(skus(draft), ["A", "B"]);
    assert_eq!(value(draft, Field::ShippingZip), "75008");
    assert_eq!((draft.canceled(), draft.unpaid()), (None, None));
}

#[test]
fn rows_that_are_not_printed_are_set_aside_with_the_reason() {
    let line = |status: &'static str, ships: &'static str| {
        [
            ("Name", "#1"),
            ("Lineitem sku", "A"),
            ("Lineitem quantity", "1"),
            ("Lineitem fulfillment status", status),
            ("Lineitem requires shipping", ships),
        ]
    };
    let drafts = drafts(
        SHOPIFY,
        &[
            &line("fulfilled", "true"),
            &line("pending", "false"),
            &line("pending", "true"),
        ],
    );
    let aside: Vec<(u32, Why)> = drafts[0].aside().map(|(row, why, _)| (row, why)).collect();
    assert_eq!(aside, [(2, Why::Fulfilled), (3, Why::NotPhysical)]);
    assert_eq!(drafts[0].printed_rows(), [4]);
}

#[test]
fn what_the_shop_says_of_the_order_is_told_by_its_first_row_that_says_something() {
    for (column, text, canceled, unpaid, holds) in [
        ("Cancelled at", "2026-11-20", true, false, 0),
        ("Financial Status", "Refunded", true, false, 0),
        ("Financial Status", "voided", true, false, 0),
        ("Financial Status", "pending", false, true, 0),
        ("Financial Status", "partially_refunded", false, false, 1),
        ("Financial Status", "authorized", false, false, 0),
        ("Lineitem fulfillment status", "partial", false, false, 1),
        ("Lineitem fulfillment status", "unfulfilled", false, false, 0),
        ("Lineitem fulfillment status", "restocked", false, false, 1),
        ("Financial Status", "a new word", false, false, 1),
    ] {
        let first = [("Name", "#1"), ("Lineitem sku", "A"), ("Lineitem quantity", "1")];
        let second = [
            ("Name", "#1"),
            ("Lineitem sku", "B"),
            ("Lineitem quantity", "1"),
            (column, text),
        ];
        let draft = &drafts(SHOPIFY, &[&first, &second])[0];
        let said = (
            draft.canceled().is_some(),
            draft.unpaid().is_some(),
            draft.shop_holds().len(),
        );
        assert_eq!(said, (canceled, unpaid, holds), "{column} {text}");
    }
}

#[test]
fn an_order_of_which_a_part_was_given_back_waits_and_says_that() {
    let holds = |status: &'static str| {
        let row = [
            ("Name", "#1"),
            ("Lineitem sku", "A"),
            ("Lineitem quantity", "1"),
            ("Financial Status", status),
        ];
        drafts(SHOPIFY, &[&row])[0].shop_holds().to_vec()
    };
    let refunded =
        "partly refunded in the shop, and the export does not say which of its lines were given back";
    assert_eq!(holds("partially_refunded"), [refunded]);
    assert_eq!(holds("Partially_Refunded"), [refunded]);
    assert_eq!(holds("partially_paid"), ["partly paid in the shop"]);
    for ordinary in ["paid", "authorized", ""] {
        assert!(holds(ordinary).is_empty(), "{ordinary}");
    }
}

#[test]
fn what_the_shop_does_with_an_order_is_no_other_content() {
    let line = |sku: &'static str, more: &[(&'static str, &'static str)]| -> Vec<(&str, &str)> {
        let mut pairs = vec![("Name", "#1"), ("Lineitem sku", sku), ("Lineitem quantity", "1")];
        pairs.extend(more);
        pairs
    };
    let fingerprint = |rows: &[Vec<(&str, &str)>]| {
        let rows: Vec<&[(&str, &str)]> = rows.iter().map(Vec::as_slice).collect();
        drafts(SHOPIFY, &rows)[0].fingerprint()
    };
    let before = fingerprint(&[line("A", &[("Shipping City", "Paris")]), line("B", &[])]);
    for more in [
        ("Lineitem fulfillment status", "fulfilled"),
        ("Cancelled at", "2026-11-20"),
        ("Financial Status", "refunded"),
    ] {
        let rows = [line("A", &[("Shipping City", "Paris"), more]), line("B", &[more])];
        assert_eq!(fingerprint(&rows), before, "{more:?}");
    }
    let elsewhere = [line("A", &[("Shipping City", "Lyon")]), line("B", &[])];
    assert_ne!(fingerprint(&elsewhere), before);
}

#[test]
fn what_is_left_to_send_is_sent_and_what_was_ordered_is_the_content() {
    let row = |left: &'static str| {
        [
            ("order-id", "1"),
            ("sku", "A"),
            ("quantity-purchased", "3"),
            ("quantity-to-ship", left),
        ]
    };
    let [two, none] = ["2", "0"].map(|left| drafts(AMAZON, &[&row(left)]).remove(0));
    assert_eq!(two.lines()[0].text(Field::Quantity), "2");
    assert_eq!(
        none.aside().map(|(_, why, _)| why).collect::<Vec<_>>(),
        [Why::Fulfilled]
    );
    assert_eq!(two.fingerprint(), none.fingerprint());
    for none in ["0.0", "0,00"] {
        let none = drafts(AMAZON, &[&row(none)]).remove(0);
        assert_eq!(none.aside().count(), 1);
        assert_eq!(none.findings(), two.findings());
    }
}

#[test]
fn cells_that_belong_together_are_joined() {
    let amazon = drafts(
        AMAZON,
        &[&[
            ("order-id", "1"),
            ("ship-address-2", "Floor 2"),
            ("ship-address-3", "Unit 5"),
            ("order-item-id", "600"),
            ("quantity-to-ship", "1"),
        ]],
    );
    assert_eq!(value(&amazon[0], Field::ShippingAddress2), "Floor 2, Unit 5");
    let tiktok = drafts(
        TIKTOK,
        &[&[
            ("Order ID", "577000000000000001\t"),
            ("Commune", "Phường Ví Dụ"),
            ("District", "Quận Mẫu"),
            ("Province", "Hà Nội"),
            ("Quantity", "1"),
        ]],
    );
    assert_eq!(tiktok[0].order_id(), "577000000000000001");
    assert_eq!(value(&tiktok[0], Field::ShippingAddress2), "Phường Ví Dụ");
    assert_eq!(value(&tiktok[0], Field::ShippingCity), "Quận Mẫu");
}

#[test]
fn packed_cells_are_lines_and_a_blank_ship_to_is_the_billing_address() {
    let drafts = drafts(
        WOO,
        &[&[
            ("order_id", "801"),
            ("order_number", "W-801"),
            ("billing_first_name", "Bob"),
            ("billing_last_name", "Example"),
            ("billing_city", "Columbus"),
            (
                "line_item_1",
                "name:Tee|product_id:12|sku:AB-1|quantity:2|total:24.00",
            ),
            ("line_item_2", "name:Mug|product_id:13|sku:|quantity:1"),
        ]],
    );
    let draft = &drafts[0];
    assert_eq!((draft.order_id(), draft.shop_order()), ("801", "W-801"));
    assert_eq!(skus(draft), ["AB-1", "13 / Mug"]);
    assert_eq!(draft.rows(), [2]);
    assert_eq!(value(draft, Field::ShippingName), "Bob Example");
    assert_eq!(value(draft, Field::ShippingCity), "Columbus");
}

#[test]
fn several_items_in_one_packed_cell_are_an_error_and_so_are_packed_items_in_a_column_that_is_not_read() {
    let read = |names: &str, name: &'static str, cell: &'static str| {
        let row = [("order_id", "801"), ("status", "processing"), (name, cell)];
        let draft = drafts(names, &[&row]).remove(0);
        let findings = draft.findings().iter();
        let said = findings.map(|finding| (finding.code, finding.cell().unwrap().to_string()));
        (said.collect::<Vec<_>>(), draft.is_spoiled(Field::ItemSku))
    };
    let one = "name:Tee|product_id:12|sku:A|quantity:2|meta:Size=M|meta:Ink=red";
    assert_eq!(read(WOO, "line_item_1", one), (vec![], false));
    for both in [
        "name:Tee|sku:A|quantity:2;name:Mug|sku:B|quantity:1",
        "name:Tee|sku:A|quantity:2\nname:Mug|sku:B|quantity:1",
        "name:Tee|sku:A|quantity:2||name:Mug|sku:B|quantity:1",
        "name:Tee|sku:|quantity:2, name:Mug|sku:|quantity:1",
    ] {
        for (name, cell) in [("line_item_1", "O2"), ("line_item_2", "P2")] {
            let told = vec![(Code::PartLeftOut, cell.to_owned())];
            assert_eq!(read(WOO, name, both), (told, false), "{both}");
        }
    }
    let unnumbered = WOO.replace("line_item_1,line_item_2", "line_items,shipping_postcode");
    let told = vec![(Code::MissingValue, "O2".to_owned())];
    assert_eq!(read(&unnumbered, "line_items", one), (told, true));
    assert_eq!(read(&unnumbered, "line_items", "2"), (vec![], false));
    let beside = format!("{WOO},line_items");
    assert_eq!(read(&beside, "line_items", "2").0, []);
}

#[test]
fn the_phone_is_read_from_the_first_of_its_columns_in_which_the_order_has_something() {
    let names = format!("{WOO},shipping_phone,billing_phone");
    let phone = |rows: &[[&'static str; 2]]| {
        let rows: Vec<[(&str, &str); 6]> = rows
            .iter()
            .map(|[shipping, billing]| {
                [
                    ("order_id", "801"),
                    ("status", "processing"),
                    ("billing_first_name", "Bea"),
                    ("line_item_1", "name:Tee|sku:AB-1|quantity:2"),
                    ("shipping_phone", shipping),
                    ("billing_phone", billing),
                ]
            })
            .collect();
        let rows: Vec<&[(&str, &str)]> = rows.iter().map(<[_; 6]>::as_slice).collect();
        let draft = drafts(&names, &rows).remove(0);
        let finding = draft.finding(
            Code::TooLong,
            (Field::ShippingPhone, draft.value(Field::ShippingPhone).row),
            String::new(),
            "",
        );
        let phone = value(&draft, Field::ShippingPhone).to_owned();
        let found: Vec<Code> = draft.findings().iter().map(|finding| finding.code).collect();
        (phone, finding.cell().unwrap().to_string(), found)
    };
    let said = |phone: &str, cell: &str, found: &[Code]| (phone.to_owned(), cell.to_owned(), found.to_vec());
    assert_eq!(phone(&[["555 01", "555 02"]]), said("555 01", "Q2", &[]));
    assert_eq!(phone(&[["", "555 02"]]), said("555 02", "R2", &[]));
    assert_eq!(phone(&[["", ""]]), said("", "Q2", &[]));
    assert_eq!(
        phone(&[["", "555 02"], ["555 01", ""]]),
        said("555 01", "Q3", &[])
    );
    assert_eq!(phone(&[["", ""], ["", "555 02"]]), said("555 02", "R3", &[]));
    let differing = [Code::DifferingValues];
    assert_eq!(
        phone(&[["", "555 02"], ["", "555 03"]]),
        said("555 02", "R2", &differing)
    );
    assert_eq!(phone(&[["555 01", "1.23E+12"]]), said("555 01", "Q2", &[]));
    assert_eq!(phone(&[["", "#N/A"]]), said("", "R2", &[Code::CellError]));
    assert_eq!(phone(&[["#N/A", "555 02"]]), said("", "Q2", &[Code::CellError]));
}

#[test]
fn a_finding_points_at_the_cell_that_the_text_was_read_from() {
    let names = format!("{WOO},shipping_postcode,billing_postcode");
    let row = |first: &'static str, second: &'static str| {
        [
            ("order_id", first),
            ("billing_first_name", "Ada"),
            (
                "billing_last_name",
                if first == "801" { "Example" } else { "#N/A" },
            ),
            ("billing_address_1", "1 Maple Street"),
            ("billing_postcode", second),
            ("line_item_1", "name:Tee|sku:AB-1|quantity:2"),
            ("line_item_2", "name:Mug|sku:1.23E+12|quantity:1"),
        ]
    };
    let drafts = drafts(&names, &[&row("801", "43004"), &row("802", "1.23E+12")]);
    let cell = |finding: &Finding| finding.cell().map(|cell| cell.to_string());
    let at_line = |number: usize| {
        let line = &drafts[0].lines()[number];
        cell(&drafts[0].finding(Code::BadQuantity, (Field::Quantity, line), String::new(), ""))
    };
    assert_eq!(
        (at_line(0), at_line(1)),
        (Some("O2".to_owned()), Some("P2".to_owned()))
    );
    let zip = drafts[0].finding(Code::BadZip, (Field::ShippingZip, 2), String::new(), "");
    assert_eq!(cell(&zip), Some("R2".to_owned()));
    let lost = |draft: &Draft| draft.findings().iter().filter_map(cell).collect::<Vec<_>>();
    assert_eq!(lost(&drafts[0]), ["P2"]);
    assert_eq!(lost(&drafts[1]), ["F3", "R3", "P3"]);
    assert!(drafts[1].is_spoiled(Field::ShippingName) && drafts[1].is_spoiled(Field::ShippingZip));
}

#[test]
fn a_summary_row_gives_the_address_and_is_no_line() {
    let drafts = drafts(
        EBAY,
        &[
            &[
                ("Order Number", "05-1"),
                ("Ship To Name", "Ada Example"),
                ("Quantity", "3"),
                ("Paid On Date", "Nov-20-26"),
            ],
            &[
                ("Order Number", "05-1"),
                ("Item Number", "110"),
                ("Custom Label", "A"),
                ("Quantity", "1"),
            ],
            &[
                ("Order Number", "05-1"),
                ("Item Number", "111"),
                ("Quantity", "2"),
            ],
            &[
                ("Sales Record Number", "3"),
                ("Order Number", "record(s) downloaded"),
            ],
            &[("Sales Record Number", "Seller ID : example")],
        ],
    );
    let [order, count, seller] = &drafts[..] else {
        panic!("{drafts:?}")
    };
    assert_eq!(
        skus(order),
        ["A", "111"],
        "the item's number stands for a missing SKU"
    );
    assert_eq!(value(order, Field::ShippingName), "Ada Example");
    assert_eq!((order.rows(), order.printed_rows()), (&[2, 3, 4][..], vec![3, 4]));
    assert!(count.is_no_order());
    assert!(seller.is_footer());
}

#[test]
fn rows_without_an_id_belong_to_the_order_above_where_the_export_leaves_it_out() {
    let names = WOO.replace("line_item_1,line_item_2", "item_name,item_sku,item_quantity");
    let drafts = drafts(
        &names,
        &[
            &[
                ("order_id", "901"),
                ("status", "processing"),
                ("item_sku", "A"),
                ("item_quantity", "1"),
            ],
            &[("item_sku", "B"), ("item_quantity", "2")],
            &[("order_id", "902"), ("item_sku", "C"), ("item_quantity", "1")],
        ],
    );
    assert_eq!(
        drafts.iter().map(skus).collect::<Vec<_>>(),
        [vec!["A", "B"], vec!["C"]]
    );
}

#[test]
fn a_profile_that_cannot_be_is_refused_with_its_key() {
    let base = "recognise = [\"A\", \"B\"]\n";
    for (text, key) in [
        (
            "recognise = [\"A\"]\n[columns]\norder_id = \"A\"\nquantity = \"B\"\n".to_owned(),
            "recognise",
        ),
        (format!("{base}[columns]\norder_id = \"A\"\n"), "columns.quantity"),
        (
            format!("{base}[columns]\norder_id = \"A\"\nquantity = \"B\"\nprice = \"C\"\n"),
            "columns.price",
        ),
        (
            format!("{base}[columns]\norder_id = \"A\"\nquantity = \"B\"\n[instead]\nquantity = \"C\"\n"),
            "instead.quantity",
        ),
        (
            format!(
                "{base}[columns]\norder_id = \"A\"\nquantity = \"B\"\n[date]\ncolumn = \"D\"\nformats = [\"dd.mm\"]\n"
            ),
            "date.formats",
        ),
        (
            format!("{base}[columns]\norder_id = {{ join = [\"A\", \"C\"] }}\nquantity = \"B\"\n"),
            "columns.order_id",
        ),
    ] {
        let written: Written = toml::from_str(&text).unwrap();
        assert_eq!(Profile::new("own", written).unwrap_err().key, key, "{text}");
    }
}

#[test]
fn the_profile_that_knows_most_of_a_header_reads_it_and_of_equals_the_users_own() {
    let own = |extra: &str| {
        let text = format!(
            "recognise = [\"Name\", \"Financial Status\", \"Lineitem quantity\", \"Lineitem name\"]\n\
             [columns]\norder_id = \"Name\"\nquantity = \"Lineitem quantity\"\n{extra}"
        );
        Profile::new("own", toml::from_str(&text).unwrap()).unwrap()
    };
    let read_as = |profile: Profile| {
        let layout = Profiles::with(vec![profile]).layout(&header(SHOPIFY)).unwrap();
        layout.read_as().unwrap().split(',').next().unwrap().to_owned()
    };
    assert_eq!(read_as(own("")), "shopify");
    let shopify: Written = toml::from_str(built_in()[0].1).unwrap();
    assert_eq!(read_as(Profile::new("own", shopify).unwrap()), "own");
}
