//! What an export asks for that is not sent: the buyer's texts and a faster way of shipping, and orders that go nowhere.

use super::*;
use crate::order::{Grouper, Index, Profiles};
use crate::sheet::Row;

const SHOPIFY: &str = "Name,Email,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Lineitem requires shipping,Lineitem fulfillment \
     status,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Cancelled at";
const ETSY: &str = "Sale Date,Item Name,Quantity,Transaction ID,Listing ID,Date Paid,Date Shipped,Ship Name,Order ID,Variations";
const AMAZON: &str = "order-id,order-item-id,purchase-date,sku,product-name,quantity-purchased,quantity-to-ship,recipient-name";
const EBAY: &str = "Sales Record Number,Order Number,Ship To Name,Item Number,Item Title,Custom Label,Quantity,Sale Date,Paid On Date";
const TIKTOK: &str = "Order ID,Order Status,SKU ID,Seller SKU,Product Name,Quantity,Created Time,Shipped Time,Recipient,Detail Address";
const WOO: &str =
    "order_id,order_number,status,billing_first_name,shipping_first_name,shipping_address_1,line_item_1";

/// The drafts of rows given as `column=text` pairs, numbered from 2.
fn drafts_of(names: &str, rows: &[&[(&str, &str)]]) -> Vec<Draft> {
    let columns: Vec<&str> = names.split(',').map(str::trim).collect();
    let layout = Profiles::default().layout(&text_row(1, &columns)).unwrap();
    let row = |(number, pairs): (u32, &&[(&str, &str)])| -> Row {
        let text = |column: &&str| {
            pairs
                .iter()
                .find(|(name, _)| name == column)
                .map_or("", |(_, text)| *text)
        };
        assert!(pairs.iter().all(|(name, _)| columns.contains(name)), "{pairs:?}");
        let cells: Vec<&str> = columns.iter().map(text).collect();
        text_row(number, &cells)
    };
    let rows: Vec<Row> = (2..).zip(rows).map(row).collect();
    let mut index = Index::default();
    for row in &rows {
        index.note(&layout, row);
    }
    let mut grouper = Grouper::new(layout, index);
    rows.iter().filter_map(|row| grouper.push(row)).collect()
}

/// What the checks say of the order of such rows, in these codes.
fn told(names: &str, rows: &[&[(&str, &str)]], codes: &[Code]) -> Vec<String> {
    let drafts = drafts_of(names, rows);
    assert_eq!(drafts.len(), 1, "{drafts:?}");
    let checked = check(&drafts[0], &catalog(), &Limits::default());
    let told = checked.findings.into_iter();
    told.filter(|finding| codes.contains(&finding.code))
        .map(|finding| finding.message)
        .collect()
}

fn texts(names: &str, rows: &[&[(&str, &str)]]) -> usize {
    told(names, rows, &[Code::UnsentText]).len()
}

/// Exports with a column more, and an order in each.
const SHOPS: [(&str, &[(&str, &str)]); 6] = [
    (
        SHOPIFY,
        &[("Name", "#1"), ("Lineitem sku", "A"), ("Lineitem quantity", "1")],
    ),
    (
        ETSY,
        &[
            ("Order ID", "1"),
            ("Listing ID", "7"),
            ("Date Paid", "11/20/2026"),
            ("Quantity", "1"),
            ("Ship Name", "Ada"),
        ],
    ),
    (
        AMAZON,
        &[
            ("order-id", "1"),
            ("sku", "A"),
            ("quantity-purchased", "1"),
            ("quantity-to-ship", "1"),
        ],
    ),
    (
        EBAY,
        &[
            ("Order Number", "1"),
            ("Item Number", "110"),
            ("Custom Label", "A"),
            ("Quantity", "1"),
            ("Paid On Date", "Nov-20-26"),
        ],
    ),
    (
        TIKTOK,
        &[
            ("Order ID", "576460000000000001"),
            ("Order Status", "To ship"),
            ("SKU ID", "17"),
            ("Seller SKU", "A"),
            ("Quantity", "1"),
        ],
    ),
    (
        WOO,
        &[
            ("order_id", "1"),
            ("status", "processing"),
            ("shipping_first_name", "Ada"),
            ("line_item_1", "sku:A|quantity:1"),
        ],
    ),
];

fn name_of(names: &str) -> String {
    let columns: Vec<&str> = names.split(',').collect();
    let layout = Profiles::default().layout(&text_row(1, &columns)).unwrap();
    let read_as = layout.read_as().unwrap();
    read_as.split(',').next().unwrap().to_owned()
}

/// What is told in this code where a shop's export has this in one column more.
fn with(shop: &str, (column, text): (&str, &str), code: Code) -> Vec<String> {
    let (names, row) = SHOPS
        .into_iter()
        .find(|(names, _)| shop == name_of(names))
        .unwrap();
    let has = names.split(',').any(|name| name.trim() == column);
    let names = if has {
        names.to_owned()
    } else {
        format!("{names},{column}")
    };
    let row: Vec<(&str, &str)> = row
        .iter()
        .copied()
        .filter(|(name, _)| *name != column)
        .chain([(column, text)])
        .collect();
    told(&names, &[&row], &[code])
}

#[test]
fn a_text_that_the_buyer_wrote_for_the_print_is_told() {
    for (shop, column, text) in [
        ("etsy", "SKU", ""),
        ("etsy", "Personalization", "Ada"),
        ("amazon", "customized-url", "https://zme-caps.amazon.com/t/abc"),
        ("amazon", "customization", "Ada"),
        ("woocommerce", "meta:Personalization", "Ada"),
        ("woocommerce", "item_meta", "Size: S | Engraving: Ada"),
        (
            "woocommerce",
            "line_item_1",
            "name:Tee|sku:A|quantity:1|meta:Personalization=Happy day",
        ),
        ("woocommerce", "customer_note", "Please write Ada on it"),
        ("tiktok", "Buyer Message", "PLEASE personalise with Ada"),
        ("ebay", "Buyer Note", "The name is Ada"),
        ("ebay", "Variation Details", "[Color:Black,Personalisation:Ada]"),
        ("shopify", "Notes", "The name is Ada"),
        ("shopify", "Note Attributes", "Engraving: Ada\ngclid: abc"),
        ("shopify", "Monogram", "AB"),
    ] {
        let told = with(shop, (column, text), Code::UnsentText);
        assert_eq!(
            told.len(),
            usize::from(!text.is_empty()),
            "{shop} {column}: {told:?}"
        );
    }
}

#[test]
fn what_is_no_text_for_the_print_is_not_told() {
    for (shop, column, text) in [
        ("etsy", "Personalization", "Not requested on this item."),
        ("etsy", "Variations", "Size:S,Color:Black"),
        ("amazon", "customized-url", ""),
        ("amazon", "is-customized", "false"),
        ("amazon", "delivery-Instructions", "Leave it at the door"),
        ("woocommerce", "meta:Personalization", "No"),
        (
            "woocommerce",
            "line_item_1",
            "name:Personalised Tee: blue|sku:A|quantity:1",
        ),
        ("woocommerce", "meta:_personalization_fee", "5.00"),
        ("tiktok", "Buyer Message", "-"),
        ("tiktok", "Variation", "Black, S"),
        ("ebay", "Buyer Note", ""),
        ("ebay", "My Item Note", "shelf 4"),
        (
            "shopify",
            "Note Attributes",
            "gclid: abc\ndelivery_date: 2026-12-01",
        ),
        ("shopify", "Lineitem name", "Personalised Mug: blue"),
        ("shopify", "Tags", "personalized"),
        ("shopify", "variant_note", "Ada"),
    ] {
        let told = with(shop, (column, text), Code::UnsentText);
        assert!(told.is_empty(), "{shop} {column}: {told:?}");
    }
}

#[test]
fn a_text_is_told_once_where_rows_repeat_it_and_not_where_it_is_sent_or_nothing_is_printed() {
    let names = format!("{ETSY},SKU,variant_note,Note from buyer,Personalization");
    let row = |transaction: &'static str, besides: &[(&'static str, &'static str)]| {
        let own = [
            ("Order ID", "1"),
            ("Transaction ID", transaction),
            ("SKU", "A"),
            ("Quantity", "1"),
            ("Date Paid", "11/20/2026"),
        ];
        own.iter().chain(besides).copied().collect::<Vec<_>>()
    };
    let asked = ("Variations", "Size:S,Personalization:Happy Birthday, Ada!");
    let plain = row("2", &[]);
    assert_eq!(texts(&names, &[&row("1", &[asked]), &plain]), 1);
    let told = told(&names, &[&row("1", &[asked])], &[Code::UnsentText]);
    assert!(
        told[0].contains("`Personalization` says `Happy Birthday, Ada!`, which is not sent"),
        "{told:?}"
    );
    // Each line has its own.
    assert_eq!(texts(&names, &[&row("1", &[asked]), &row("2", &[asked])]), 2);
    assert_eq!(
        texts(
            &names,
            &[&row(
                "1",
                &[asked, ("variant_note", "Print: Happy Birthday, Ada!")]
            )]
        ),
        0
    );
    let sent = row("1", &[asked, ("Date Shipped", "11/21/2026")]);
    assert_eq!(texts(&names, &[&sent, &plain]), 0);
    // What stands for the SKU is asked of a person by the map.
    let mapped = row("1", &[asked]);
    let mapped: Vec<(&str, &str)> = mapped
        .into_iter()
        .filter(|(name, _)| *name != "SKU")
        .chain([("Listing ID", "7")])
        .collect();
    assert_eq!(texts(&names, &[&mapped]), 0);
    let message = format!("{TIKTOK},Buyer Message");
    let line = |sku: &'static str| {
        [
            ("Order ID", "576460000000000001"),
            ("Order Status", "To ship"),
            ("Seller SKU", sku),
            ("Quantity", "1"),
            ("Buyer Message", "Ada, please"),
        ]
    };
    assert_eq!(texts(&message, &[&line("A"), &line("B")]), 1);
}

#[test]
fn in_a_sheet_of_ones_own_a_text_is_told_beside_a_line_without_artwork_of_its_own() {
    let names = "order_id,shipping_name,shipping_address1,shipping_city,shipping_zip,shipping_country,item_sku,quantity,artwork_front,\
                 Personalization";
    let row = |artwork: &'static str, text: &'static str| {
        [
            ("order_id", "1"),
            ("item_sku", "A"),
            ("quantity", "1"),
            ("artwork_front", artwork),
            ("Personalization", text),
        ]
    };
    assert_eq!(texts(names, &[&row("", "Ada")]), 1);
    assert_eq!(texts(names, &[&row("", "none")]), 0);
    assert_eq!(texts(names, &[&row("https://example.com/ada.png", "Ada")]), 0);
}

#[test]
fn a_speed_that_was_paid_for_is_told_where_the_order_goes_as_any_other() {
    for (shop, column, text, is_told) in [
        ("amazon", "ship-service-level", "Expedited", true),
        ("amazon", "ship-service-level", "SecondDay", true),
        ("amazon", "ship-service-level", "Standard", false),
        ("amazon", "ship-service-level", "FreeEconomy", false),
        ("shopify", "Shipping Method", "Express", true),
        ("shopify", "Shipping Method", "Free shipping", false),
        ("shopify", "Shipping Method", "", false),
        ("ebay", "Shipping Service", "USPS Priority Mail", true),
        ("ebay", "Shipping Service", "USPS Ground Advantage", false),
        ("ebay", "Delivery Service", "DPD Next Day", true),
        ("tiktok", "Delivery Option", "Express Shipping", true),
        ("tiktok", "Shipping Provider Name", "J&T Express", false),
        ("woocommerce", "shipping_method", "Expressversand", true),
        ("woocommerce", "shipping_method", "Flat rate", false),
        ("etsy", "Shipping Upgrade", "Overnight", true),
    ] {
        let told = with(shop, (column, text), Code::SlowerService);
        assert_eq!(!told.is_empty(), is_told, "{shop} {column} {text}: {told:?}");
    }
    let names = format!("{SHOPIFY},Shipping Method,shipping_service");
    for (service, is_told) in [("", 1), ("US2DAYS", 0), ("standard", 0)] {
        let row = [
            ("Name", "#1"),
            ("Lineitem sku", "A"),
            ("Lineitem quantity", "1"),
            ("Shipping Method", "Express"),
            ("shipping_service", service),
        ];
        assert_eq!(
            told(&names, &[&row], &[Code::SlowerService]).len(),
            is_told,
            "{service}"
        );
    }
}

#[test]
fn an_order_that_is_picked_up_or_was_sold_over_the_counter_is_told_as_that_where_it_has_no_address() {
    let names = format!("{SHOPIFY},Shipping Method,Source");
    let order = |method: &'static str, source: &'static str, address: &[(&'static str, &'static str)]| {
        let own = [
            ("Name", "#1"),
            ("Lineitem sku", "A"),
            ("Lineitem quantity", "1"),
            ("Shipping Method", method),
            ("Source", source),
        ];
        let row: Vec<(&str, &str)> = own.iter().chain(address).copied().collect();
        let holds = drafts_of(&names, &[&row])[0].shop_holds().len();
        (told(&names, &[&row], &[Code::MissingValue]), holds)
    };
    for (method, source, name, said) in [
        ("Local pickup", "web", "", "it is picked up by the buyer"),
        (
            "Pick up at Main Street",
            "web",
            "Ada Example",
            "it is picked up by the buyer",
        ),
        ("", "pos", "", "it is sold over the counter"),
    ] {
        let (told, _) = order(method, source, &[("Shipping Name", name)]);
        let of_address: Vec<&String> = told.iter().filter(|told| !told.contains("artwork")).collect();
        assert_eq!(of_address.len(), 1, "{told:?}");
        assert!(of_address[0].contains(said), "{told:?}");
    }
    let address = [
        ("Shipping Name", "Ada Example"),
        ("Shipping Address1", "12 Maple Street"),
        ("Shipping City", "Columbus"),
        ("Shipping Zip", "43004"),
        ("Shipping Province", "OH"),
        ("Shipping Country", "US"),
    ];
    assert_eq!(order("Standard", "pos", &address).1, 0, "sent from the till");
    assert_eq!(order("Local pickup", "web", &address).1, 1);
    let (told, _) = order("Standard", "web", &[]);
    assert!(
        told.iter().filter(|told| told.contains("is blank")).count() > 3,
        "{told:?}"
    );
}
