//! Headers that a profile knows, half knows, or is not meant for.

use super::*;

#[test]
fn an_export_that_lacks_a_column_is_refused_not_read_as_another_kind_of_sheet() {
    let address = "shipping_name,shipping_address1,shipping_city,shipping_zip,shipping_country_code";
    let native = format!("order_id,{address},sku,qty");
    for (lacking, signs, wanted) in [
        (
            "Financial Status",
            "Cancelled at,Lineitem requires shipping",
            "shopify",
        ),
        ("Sale Date", "Date Paid,Date Shipped", "etsy"),
        ("purchase-date", "quantity-to-ship,order-item-id", "amazon"),
        ("Sales Record Number", "Paid On Date,Shipped On Date", "ebay"),
        ("Seller SKU", "Order Substatus,Shipped Time", "tiktok"),
        ("status", "item_refunded_qty,refund_items", "woocommerce"),
    ] {
        let names = header(&format!("{native},{signs}"));
        let why = Profiles::default().layout(&names).unwrap_err();
        assert_eq!(why.code, Code::OtherExport);
        assert!(
            why.message.contains(wanted) && why.message.contains(lacking),
            "{why}"
        );
        assert!(Profiles::default().is_header(&names), "{wanted}");
        let one_sign = header(&format!("{native},{}", signs.split(',').next().unwrap()));
        let chosen = Profiles::default().choose("native").unwrap();
        for layout in [Profiles::default().layout(&one_sign), chosen.layout(&names)] {
            assert!(layout.unwrap().is_native(), "{wanted}");
        }
    }
    for (export, without) in [
        (SHOPIFY, "Lineitem name"),
        (ETSY, "Transaction ID"),
        (AMAZON, "order-item-id"),
    ] {
        let names: Vec<&str> = export
            .split(',')
            .map(str::trim)
            .filter(|name| *name != without)
            .collect();
        let layout = layout(&names.join(","));
        assert!(!layout.is_native(), "{without} is not needed");
    }
}

#[test]
fn a_sheet_of_ones_own_may_have_a_shops_numbers_of_products() {
    let own = "order_id,shipping_name,shipping_address1,shipping_city,shipping_zip,shipping_country_code,item_sku,quantity,\
               item_product_id,item_variation_id";
    assert!(layout(own).is_native());
}

#[test]
fn what_an_export_lacks_is_told_by_the_columns_that_it_comes_nearest_to() {
    let names = "order_id,order_status,shipping_first_name,shipping_address_1,shipping_postcode,sku,quantity,item_refunded_qty,\
                 refund_items";
    let why = Profiles::default().layout(&header(names)).unwrap_err();
    assert!(why.message.contains("it lacks item_quantity."), "{why}");
}

#[test]
fn a_file_of_orders_without_items_is_refused_with_the_name_of_the_one_that_works() {
    let names = "Sale Date,Order ID,Buyer User ID,Buyer,Full Name,First Name,Last Name,Number of Items";
    for profiles in [Profiles::default(), Profiles::default().choose("etsy").unwrap()] {
        let why = profiles.layout(&header(names)).unwrap_err();
        assert_eq!(why.code, Code::OtherExport);
        assert!(why.hint.contains("EtsySoldOrderItems"), "{why}");
    }
}

#[test]
fn a_profile_that_does_not_match_tells_the_columns_that_were_found() {
    let profiles = Profiles::default().choose("shopify").unwrap();
    let why = profiles.layout(&header(ETSY)).unwrap_err();
    assert!(why.message.contains("no column Name, Financial Status"), "{why}");
    assert!(
        why.message
            .contains("Its columns are: Sale Date, Item Name, Quantity"),
        "{why}"
    );
    assert!(Profiles::default().choose("shopfy").is_none());
}

#[test]
fn a_profile_of_ones_own_reads_what_a_built_in_one_knows_by_its_other_columns_alone() {
    let own = r#"
        recognise = ["order_number", "order_status", "item_quantity"]
        columns = { order_id = "order_number", quantity = "item_quantity" }
    "#;
    let read_as = |names: &str| {
        let own = Profile::new("myshop", toml::from_str(own).unwrap()).unwrap();
        let layout = Profiles::with(vec![own]).layout(&header(names)).unwrap();
        layout.read_as().unwrap()
    };
    let export = "order_id,order_number,order_status,shipping_first_name,shipping_last_name,shipping_address_1,shipping_city,\
                  shipping_postcode,shipping_country,item_sku,item_quantity";
    assert!(read_as(export).starts_with("myshop,"), "{}", read_as(export));
    assert!(layout(export).read_as().unwrap().starts_with("woocommerce,"));
    // Of two that know it by the columns that only their exports have, the one that knows more of it reads it.
    let both = format!("{export},status");
    assert!(read_as(&both).starts_with("woocommerce,"), "{}", read_as(&both));
}
