//! Fields of an answer that are written in another type than the interface says.

use serde_json::Value;

use super::super::ListedOrder;
use super::answers::{saying, two_days};
use super::stub::order;
use crate::tracking;

/// The orders of a list as it is written.
async fn listed(orders: &str) -> Vec<ListedOrder> {
    let stub = saying(&format!(r#"{{"status":200,"orders":[{orders}]}}"#)).await;
    stub.client().list_orders(&two_days()).await.unwrap().value.orders
}

#[tokio::test]
async fn skus_and_zips_may_be_written_as_numbers() {
    let orders = listed(
        r#"{"pw_order_id":"P1","shipping_zip":2134,"order_items":[{"item_sku":100234,"quantity":2},
        {"item_sku":100235.0,"quantity":1},{"item_sku":null,"quantity":1}]}"#,
    )
    .await;
    let listed = &orders[0];
    assert_eq!(listed.zip.as_deref(), Some("2134"));
    let skus: Vec<&str> = listed.items.iter().map(|item| item.sku.as_str()).collect();
    assert_eq!(skus, ["100234", "100235", ""]);

    let mut wanted = order("1");
    for (ours, theirs) in [
        ("100234", "100234"),
        ("00100234", "100234"),
        ("TEE-M", r#""TEE-M""#),
    ] {
        wanted.lines[0].item_sku = ours.to_owned();
        let stub = saying(&format!(
            r#"{{"status":200,"data":{{"totalPrice":2,"orderItems":[{{"sku":{theirs},"quantity":1,"baseFee":1,
            "shippingFee":1,"taxFee":0,"discountFee":0,"totalFee":2}}]}}}}"#
        ))
        .await;
        let quote = stub.client().quote(&wanted).await.unwrap();
        let line = quote.lines[0].as_ref().unwrap();
        assert_eq!(
            (line.sku.as_str(), line.total.to_string().as_str()),
            (ours, "2.00")
        );
    }

    let stub = saying(
        r#"{"status":200,"product":{"variants":[{"item_sku":100234,"locations":[],"attributes":[]}]}}"#,
    )
    .await;
    let details = stub.client().product("100").await.unwrap();
    assert_eq!(details[0].sku, "100234");
}

#[tokio::test]
async fn a_tracking_that_is_no_list_is_one_of_one() {
    for (trackings, shown) in [
        (r#"[{"tracking_number":"TRK1"}]"#, Some("TRK1")),
        (r#"{"tracking_number":"TRK1","carrier":"UPS"}"#, Some("TRK1 UPS")),
        (r#""TRK1""#, Some("TRK1")),
        (r#""https://t.example.com/1""#, Some("https://t.example.com/1")),
        ("92001234567890123456789012", Some("92001234567890123456789012")),
        ("[]", None),
        ("null", None),
        (r#"" ""#, None),
        ("{}", None),
        ("false", None),
    ] {
        let orders = listed(&format!(r#"{{"pw_order_id":"P1","trackings":{trackings}}}"#)).await;
        let all = orders[0].trackings.clone();
        assert_eq!(all.is_empty(), shown.is_none(), "{trackings}");
        let read = tracking::shown(&Value::Array(all).to_string());
        assert_eq!(read.as_deref(), shown, "{trackings}");
    }
}

#[tokio::test]
async fn a_part_that_a_quotes_line_lacks_takes_no_other_from_it() {
    let line = r#""sku":"TEE-M","quantity":1,"baseFee":8.1,"shippingFee":3.05,"discountFee":null"#;
    let answer = |line: &str| {
        format!(r#"{{"status":200,"data":{{"baseFee":8.1,"totalPrice":11.22,"orderItems":[{{{line}}}]}}}}"#)
    };
    let stub = saying(&answer(&format!(r#"{line},"totalFee":8.1"#))).await;
    let quote = stub.client().quote(&order("1")).await.unwrap();
    let of_line = quote.lines[0].as_ref().unwrap();
    assert_eq!(
        (of_line.base_fee.to_string(), of_line.total.to_string()),
        ("8.10".to_owned(), "8.10".to_owned())
    );
    assert!(of_line.discount.is_zero() && of_line.tax_fee.is_zero());
    let stub = saying(&answer(line)).await;
    assert_eq!(stub.client().quote(&order("1")).await.unwrap().lines, [None]);
}

#[tokio::test]
async fn a_date_that_stands_for_none_is_none() {
    for (entered, expected) in [
        (r#""2026-11-21T09:00:00+01:00""#, Some("2026-11-21T08:00:00Z")),
        (r#""2001-02-03T00:00:00Z""#, Some("2001-02-03T00:00:00Z")),
        (r#""1970-01-01T00:00:00.000000+00:00""#, None),
        (r#""1970-01-01T00:00:00-08:00""#, None),
        (r#""0001-01-01T00:00:00+00:00""#, None),
        (r#""1899-12-30 00:00:00Z""#, None),
        (r#""""#, None),
        ("null", None),
    ] {
        let answer =
            format!(r#"{{"status":200,"orders":[{{"pw_order_id":"P1","dtime_entered":{entered}}}]}}"#);
        let page = saying(&answer)
            .await
            .client()
            .list_orders(&two_days())
            .await
            .unwrap()
            .value;
        let told = page.orders[0].entered_at.map(|at| at.to_string());
        assert_eq!(told.as_deref(), expected, "{entered}");
    }
}
