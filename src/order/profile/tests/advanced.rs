//! The orders of `WooCommerce` as the plug-in `Advanced Order Export` writes them.

use super::*;

fn aside(draft: &Draft) -> Vec<(u32, Why)> {
    draft.aside().map(|(row, why, _reason)| (row, why)).collect()
}

/// As `Advanced Order Export` writes it, unless other columns are chosen.
const ADVANCED: &str = "Order Number,Order Status,Order Date,Customer Note,First Name (Billing),Last Name (Billing),Company (Billing),\
     Address 1&2 (Billing),City (Billing),State Code (Billing),Postcode (Billing),Country Code (Billing),Email (Billing),\
     Phone (Billing),First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping),State Code (Shipping),\
     Postcode (Shipping),Country Code (Shipping),Payment Method Title,Cart Discount Amount,Order Subtotal Amount,\
     Shipping Method Title,Order Shipping Amount,Order Refund Amount,Order Total Amount,Order Total Tax Amount,SKU,Item #,\
     Item Name,Quantity (- Refund),Item Cost,Coupon Code,Discount Amount,Discount Amount Tax";

/// An order of it with one line.
const ADVANCED_ORDER: [(&str, &str); 16] = [
    ("Order Number", "7001"),
    ("Order Status", "Processing"),
    ("Order Date", "2026-11-21 09:14"),
    ("First Name (Billing)", "Bob"),
    ("Last Name (Billing)", "Payer"),
    ("Address 1&2 (Billing)", "9 Oak Avenue"),
    ("Phone (Billing)", "+1 555 010 0101"),
    ("First Name (Shipping)", "Ada"),
    ("Last Name (Shipping)", "Example"),
    ("Address 1&2 (Shipping)", "12 Maple Street, Apt 5"),
    ("City (Shipping)", "Columbus"),
    ("State Code (Shipping)", "OH"),
    ("Postcode (Shipping)", "43004"),
    ("Country Code (Shipping)", "US"),
    ("SKU", "TEE"),
    ("Quantity (- Refund)", "2"),
];

fn advanced(other: &[(&'static str, &'static str)]) -> Draft {
    let is_other = |name: &str| other.iter().any(|(other, _)| *other == name);
    let own = ADVANCED_ORDER.into_iter().filter(|(name, _)| !is_other(name));
    let cells: Vec<(&str, &str)> = own.chain(other.iter().copied()).collect();
    drafts(ADVANCED, &[&cells]).remove(0)
}

#[test]
fn woocommerce_s_advanced_order_export_is_read_with_all_that_the_shop_says() {
    assert!(layout(ADVANCED).read_as().unwrap().starts_with("woocommerce,"));
    let order = advanced(&[]);
    for (field, text) in [
        (Field::OrderId, "7001"),
        (Field::ShippingName, "Ada Example"),
        (Field::ShippingPhone, "+1 555 010 0101"),
        (Field::ShippingAddress1, "12 Maple Street, Apt 5"),
        (Field::ShippingAddress2, ""),
        (Field::ShippingCity, "Columbus"),
        (Field::ShippingProvinceCode, "OH"),
        (Field::ShippingZip, "43004"),
        (Field::ShippingCountryCode, "US"),
    ] {
        assert_eq!(value(&order, field), text, "{field:?}");
    }
    assert_eq!(order.lines()[0].text(Field::Quantity), "2");
    assert!(order.is_open(), "{order:?}");
    assert_eq!(
        order.day(),
        &crate::order::Day::Read(vec![jiff::civil::date(2026, 11, 21)])
    );
    for status in ["Cancelled", "Refunded", "Failed"] {
        assert!(
            advanced(&[("Order Status", status)]).canceled().is_some(),
            "{status}"
        );
    }
    for status in ["Pending payment", "On hold", "Draft"] {
        assert!(
            advanced(&[("Order Status", status)]).unpaid().is_some(),
            "{status}"
        );
    }
    assert_eq!(
        aside(&advanced(&[("Order Status", "Completed")])),
        [(2, Why::Fulfilled)]
    );
    assert_eq!(
        aside(&advanced(&[("Quantity (- Refund)", "0")])),
        [(2, Why::Canceled)]
    );
    let held = advanced(&[("Order Refund Amount", "12.50")]);
    assert_eq!(held.shop_holds(), ["partly refunded in the shop"]);
    assert!(advanced(&[("Order Refund Amount", "0.00")]).is_open());
    let without_address = advanced(&[
        ("First Name (Shipping)", ""),
        ("Last Name (Shipping)", ""),
        ("Address 1&2 (Shipping)", ""),
        ("City (Shipping)", ""),
        ("Postcode (Shipping)", ""),
    ]);
    assert_eq!(value(&without_address, Field::ShippingName), "Bob Payer");
    assert_eq!(value(&without_address, Field::ShippingAddress1), "9 Oak Avenue");
}

#[test]
fn woocommerce_s_advanced_order_export_with_other_columns_is_known_or_said_to_be_cut() {
    let chosen = "Order Number,Order Status,First Name (Shipping),Last Name (Shipping),Company (Shipping),Address 1 (Shipping),\
                  Address 2 (Shipping),City (Shipping),Postcode (Shipping),Country Code (Shipping),SKU,Item Name,Quantity";
    let order = drafts(
        chosen,
        &[&[
            ("Order Number", "7001"),
            ("Order Status", "Processing"),
            ("First Name (Shipping)", "Ada"),
            ("Company (Shipping)", "Example Ltd"),
            ("Address 1 (Shipping)", "12 Maple Street"),
            ("Address 2 (Shipping)", "Apt 5"),
            ("SKU", "TEE"),
            ("Quantity", "1"),
        ]],
    )
    .remove(0);
    assert_eq!(value(&order, Field::ShippingAddress1), "12 Maple Street");
    assert_eq!(value(&order, Field::ShippingAddress2), "Example Ltd, Apt 5");
    assert!(layout(chosen).read_as().unwrap().starts_with("woocommerce,"));
    let cut = ADVANCED.replace("Order Status,", "");
    let why = Profiles::default().layout(&header(&cut)).unwrap_err();
    assert_eq!(why.code, Code::OtherExport);
    assert!(why.message.contains("order_status"), "{why:?}");
    // A sheet of one's own may well call its columns like this.
    let own = "Order Number,Status,Name,Address 1,Address 2,City,State,Postcode,Country,SKU,Quantity";
    assert!(layout(own).is_native());
}
