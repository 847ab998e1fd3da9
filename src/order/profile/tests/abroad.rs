//! The same shop's export in another country's words.

use super::*;

/// eBay's report as its sites have it that say `post` for `ship`.
const POSTED: &str = "Sales record number,Order number,Buyer username,Buyer name,Buyer note,Buyer address 1,Buyer city,Buyer county,Buyer postcode,\
     Buyer country,Post to name,Post to phone,Post to address 1,Post to address 2,Post to city,Post to county,Post to postcode,\
     Post to country,Item number,Item title,Custom label,Quantity,Sold for,Postage and packaging,Sale date,Paid on date,Post by date,\
     Dispatched on date,My item note,Delivery service,Tracking number,Transaction ID,Variation details";

const OF_AN_ORDER: [(&str, &str); 13] = [
    ("Sales record number", "1"),
    ("Order number", "01-20001-00001"),
    ("Post to name", "Ada Example"),
    ("Post to phone", "+44 20 7946 0000"),
    ("Post to address 1", "1 High Street"),
    ("Post to address 2", "Flat 2"),
    ("Post to city", "London"),
    ("Post to county", "Greater London"),
    ("Post to postcode", "SW1A 1AA"),
    ("Post to country", "United Kingdom"),
    ("Item number", "395000000001"),
    ("Quantity", "2"),
    ("Paid on date", "27-Nov-26"),
];

fn posted(names: &str, besides: &[(&'static str, &'static str)]) -> Draft {
    let row: Vec<(&str, &str)> = OF_AN_ORDER.iter().chain(besides).copied().collect();
    drafts(names, &[&row]).remove(0)
}

#[test]
fn an_order_of_a_site_that_says_post_for_ship_is_read_with_its_whole_address() {
    let order = posted(POSTED, &[("Custom label", "FOX-S"), ("Sale date", "27-Nov-26")]);
    for (field, text) in [
        (Field::OrderId, "01-20001-00001"),
        (Field::ShippingName, "Ada Example"),
        (Field::ShippingPhone, "+44 20 7946 0000"),
        (Field::ShippingAddress1, "1 High Street"),
        (Field::ShippingAddress2, "Flat 2"),
        (Field::ShippingCity, "London"),
        (Field::ShippingProvince, "Greater London"),
        (Field::ShippingZip, "SW1A 1AA"),
        (Field::ShippingCountry, "United Kingdom"),
    ] {
        assert_eq!(value(&order, field), text, "{field:?}");
    }
    assert_eq!(skus(&order), ["FOX-S"]);
    assert!(order.shop_holds().is_empty(), "{:?}", order.shop_holds());
    let labelled = POSTED.replace("Custom label", "Custom label (SKU)");
    let order = posted(&labelled, &[("Custom label (SKU)", "FOX-S")]);
    assert_eq!(skus(&order), ["FOX-S"]);
}

#[test]
fn what_such_a_site_says_of_an_order_counts_as_elsewhere() {
    let sent = posted(
        POSTED,
        &[("Dispatched on date", "28-Nov-26"), ("Custom label", "A")],
    );
    assert!(!sent.has_lines());
    for (column, text) in [
        ("My item note", "cancelled"),
        ("Buyer note", "please cancel"),
        ("Delivery service", "Click & Collect"),
        ("Delivery service", "Collection in person"),
    ] {
        let order = posted(POSTED, &[(column, text), ("Custom label", "A")]);
        assert_eq!(order.shop_holds().len(), 1, "{column}: {text}");
    }
    for (column, text) in [
        ("My item note", "shelf 4, regular customer"),
        ("Delivery service", "Royal Mail Tracked 48"),
    ] {
        let order = posted(POSTED, &[(column, text), ("Custom label", "A")]);
        assert!(order.shop_holds().is_empty(), "{column}: {text}");
    }
    // Its Australian site has states.
    let states = POSTED.replace("county", "state");
    let row: Vec<(&str, &str)> = OF_AN_ORDER
        .iter()
        .map(|(name, text)| match *name {
            "Post to county" => ("Post to state", "NSW"),
            name => (name, *text),
        })
        .collect();
    let order = drafts(&states, &[&row]).remove(0);
    assert_eq!(value(&order, Field::ShippingProvince), "NSW");
}
