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
        ("Sale Date", "Listing ID,Date Shipped", "etsy"),
        ("purchase-date", "quantity-to-ship,order-item-id", "amazon"),
        ("Sales Record Number", "Custom Label,Shipped On Date", "ebay"),
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
fn columns_that_an_own_sheet_may_well_have_are_one_sign_together() {
    let native =
        "order_id,shipping_name,shipping_address1,shipping_city,shipping_zip,shipping_country_code,sku,qty";
    for (own, more, wanted) in [
        ("Date Paid,Date Shipped", "Listing ID", "etsy"),
        ("Quantity To Ship,Quantity Shipped", "order-item-id", "amazon"),
        ("Paid On Date,Shipped On Date", "Buyer Username", "ebay"),
        ("Detail Address,Shipped Time", "Order Substatus", "tiktok"),
        (
            "Financial Status,Fulfillment Status,Cancelled at",
            "Lineitem price",
            "shopify",
        ),
    ] {
        assert!(layout(&format!("{native},{own}")).is_native(), "{own}");
        let export = header(&format!("{native},{own},{more}"));
        let why = Profiles::default().layout(&export).unwrap_err();
        assert!(why.message.contains(wanted), "{why}");
        for name in own.split(',') {
            let told = why.message.to_lowercase().replace('-', " ");
            assert!(told.contains(&name.to_lowercase()), "{why}");
        }
    }
}

#[test]
fn a_sheet_of_ones_own_may_have_a_status_and_a_name_in_two_columns() {
    for names in [
        "Order ID,Status,Shipping First Name,Shipping Last Name,Shipping Address 1,Shipping City,Shipping State,Shipping Zip,\
         Shipping Country,SKU,Qty,Artwork Front",
        "Order ID,Status,Shipping First Name,Shipping Last Name,Shipping Address 1,Shipping City,Shipping State,\
         Shipping Postcode,Shipping Country,SKU,Quantity,Artwork Front",
        "Order ID,Status,Shipping First Name,Shipping Last Name,Shipping Address 1,Shipping City,Shipping State,Shipping Zip,\
         Shipping Country,Item SKU,Item Quantity,Artwork Front",
    ] {
        assert!(layout(names).is_native(), "{names}");
        let columns: Vec<&str> = names.split(',').map(str::trim).collect();
        let named = |part: &str| *columns.iter().find(|name| name.contains(part)).unwrap();
        let zip = if names.contains("Zip") { "Zip" } else { "Postcode" };
        let quantity = if names.contains("Qty") { "Qty" } else { "Quantity" };
        for status in ["New", "Paid", "To print", "Pending", "processing", ""] {
            let cells = [
                ("Order ID", "1001"),
                ("Status", status),
                ("Shipping First Name", "Ada"),
                ("Shipping Last Name", "Example"),
                (named(zip), "43004"),
                (named(quantity), "2"),
            ];
            let order = drafts(names, &[&cells]).remove(0);
            let read = [Field::ShippingName, Field::ShippingZip].map(|field| value(&order, field));
            assert_eq!(read, ["Ada Example", "43004"], "{names}");
            assert_eq!(order.lines()[0].text(Field::Quantity), "2", "{names}");
            let is_printed = order.has_lines() && order.unpaid().is_none() && order.shop_holds().is_empty();
            assert!(is_printed, "{status}: {order:?}");
        }
    }
}

#[test]
fn a_woocommerce_export_is_known_by_its_items_or_by_what_else_it_has() {
    let order = "order_id,status,shipping_first_name,shipping_last_name,shipping_address_1,shipping_city,shipping_country";
    for more in [
        "shipping_postcode,item_sku,item_quantity",
        "shipping_postcode,line_item_sku,line_item_quantity",
        "item_name,item_quantity,item_product_id",
        "line_item_1",
        "order_key,sku,quantity",
        "order_number,shipping_postcode,sku,quantity",
        "billing_first_name,billing_postcode,sku,quantity",
        "shipping_postcode,sku,quantity",
    ] {
        let read_as = layout(&format!("{order},{more}")).read_as().unwrap_or_default();
        assert!(read_as.starts_with("woocommerce,"), "{more}: {read_as}");
    }
    // Nobody calls the columns of a sheet of his own just so.
    let few = "order_id,status,shipping_first_name,shipping_address_1,shipping_postcode,sku,quantity";
    let by = layout(few).read_as().unwrap();
    assert!(
        by.ends_with("order_id, status, shipping_first_name, shipping_address_1, shipping_postcode"),
        "{by}"
    );
    let own = "Order ID,Status,Shipping First Name,Shipping Last Name,Shipping Address 1,Shipping City,Shipping State,\
               Shipping Postcode,Shipping Country,SKU,Quantity,Artwork Front";
    assert_eq!(layout(own).read_as(), None);
}

#[test]
fn of_a_list_within_the_columns_of_a_profile_one_is_enough() {
    let own = r#"
        recognise = ["Ref", ["Pieces", "Units"]]
        columns = { order_id = "Ref", quantity = ["Pieces", "Units"] }
    "#;
    let read_as = |names: &str| {
        let own = Profile::new("own", toml::from_str(own).unwrap()).unwrap();
        let chosen = Profiles::with(vec![own]).choose("own").unwrap();
        chosen
            .layout(&header(names))
            .map(|layout| layout.read_as().unwrap())
    };
    for (names, by) in [
        ("Ref,Code,Units", "Ref, Units"),
        ("Ref,Pieces,Units", "Ref, Pieces"),
    ] {
        assert_eq!(
            read_as(names).unwrap(),
            format!("own, because it has the columns {by}")
        );
    }
    let why = read_as("Ref,Code").unwrap_err();
    assert!(why.message.contains("it has no column Pieces."), "{why}");
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
