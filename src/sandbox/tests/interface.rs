//! What the interface says: who is let in, what is refused, what is shown.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::*;
use super::*;

#[tokio::test]
async fn every_operation_but_the_tokens_wants_a_token() {
    let sandbox = start(Options::default()).await.unwrap();
    let mut client = Client::new(&sandbox);
    for token in ["", "sbx-wrong"] {
        client.token = token.to_owned();
        for (method, path) in [
            ("GET", "products/list"),
            ("GET", "products/detail"),
            ("GET", "products/list-sku-catalogs"),
            ("GET", "orders/list"),
            ("GET", "orders/detail"),
            ("POST", "orders/calculate-price-order"),
            ("POST", "orders/create-new-order"),
            ("POST", "orders/cancel-order"),
            ("GET", "webhook/tracking"),
            ("DELETE", "webhook/status-order-pending"),
        ] {
            let (status, answer) = client.call(method, path, &Value::Null).await.unwrap();
            assert_eq!((status, &answer["status"]), (401, &json!(401)), "{method} {path}");
            assert!(answer["message"].is_string());
        }
    }
}

#[tokio::test]
async fn credentials_are_read_from_a_body_and_must_be_right() {
    let (_sandbox, client) = calm().await;
    for method in ["GET", "POST", "PUT"] {
        let (status, answer) = client.call(method, "auth/token", &credentials()).await.unwrap();
        assert_eq!((status, &answer["status"]), (200, &json!(200)), "{method}");
    }
    let wrong = json!({"email": "shop@example.com", "password": "guess"});
    assert_eq!(client.call("POST", "auth/token", &wrong).await.unwrap().0, 401);
    let half = json!({"email": "shop@example.com"});
    assert_eq!(client.call("POST", "auth/token", &half).await.unwrap().0, 400);
    let query = "auth/token?email=shop@example.com&password=sandbox";
    assert_eq!(client.call("GET", query, &Value::Null).await.unwrap().0, 400);
}

#[tokio::test]
async fn tokens_end_by_update_by_age_and_by_option() {
    let lifetime = Some(Duration::from_mins(1));
    let (sandbox, mut client) = with(Options {
        token_lifetime: lifetime,
        ..Options::default()
    })
    .await;
    client.listed("").await;
    sandbox.advance_clock(Duration::from_secs(61));
    assert_eq!(client.create("1").await.unwrap().0, 401, "its time has passed");
    client.log_in().await;
    client.call("PUT", "auth/token", &credentials()).await.unwrap();
    assert_eq!(
        client.create("1").await.unwrap().0,
        401,
        "an update ends older tokens"
    );

    let (_sandbox, first) = with(Options {
        single_token: true,
        ..Options::default()
    })
    .await;
    first.call("POST", "auth/token", &credentials()).await.unwrap();
    assert_eq!(first.create("1").await.unwrap().0, 401, "a new login ended it");
}

#[tokio::test]
async fn the_catalog_is_listed_searched_and_shown() {
    let (_sandbox, client) = calm().await;
    let (_, skus) = client
        .call("GET", "products/list-sku-catalogs", &Value::Null)
        .await
        .unwrap();
    assert!(skus["products"].as_array().unwrap().len() >= 40);
    assert_eq!(skus["products"][0]["variants"][0]["sku"], "TEE-CLASSIC-BLK-S");

    let (_, found) = client
        .call("GET", "products/list?search=hoodie&limit=20", &Value::Null)
        .await
        .unwrap();
    assert_eq!(found["length"], json!(4));

    let (_, detail) = client
        .call("GET", "products/detail", &json!({"code": "TEE-CLASSIC"}))
        .await
        .unwrap();
    let variant = &detail["product"]["variants"][0];
    assert_eq!(variant["item_sku"], "TEE-CLASSIC-BLK-S");
    assert_eq!(
        variant["attributes"][0],
        json!({"name": "color", "value": "Black", "hexColor": "#000000"})
    );
    assert_eq!(variant["attributes"][1]["hexColor"], Value::Null);
    assert_eq!(variant["locations"][0]["base_cost"].to_string(), "8.95");
    assert_eq!(variant["locations"][0]["print_areas"][0]["resolution"], "300 ppi");
    let (status, _) = client
        .call("GET", "products/detail", &json!({"code": "NONE"}))
        .await
        .unwrap();
    assert_eq!(status, 400);
}

#[tokio::test]
async fn money_has_two_decimals_on_the_wire() {
    let (_sandbox, client) = calm().await;
    let (_, text) = client
        .text("POST", "orders/calculate-price-order", &order("1"))
        .await
        .unwrap();
    assert!(text.contains(r#""baseFee":17.90"#), "{text}");
    assert!(text.contains(r#""discountFee":0.00"#), "{text}");
}

#[tokio::test]
async fn an_order_is_charged_what_was_quoted() {
    let (_sandbox, client) = calm().await;
    let mut wished = order_with("/shipping_service", json!("US2DAYS"));
    wished["order_items"][0]["quantity"] = json!(14);
    let (_, price) = client
        .call("POST", "orders/calculate-price-order", &wished)
        .await
        .unwrap();
    let (_, created) = client
        .call("POST", "orders/create-new-order", &wished)
        .await
        .unwrap();
    let ids = json!({"pw_order_id": created["data"]["pwOrderId"], "order_name": created["data"]["orderId"]});
    let (_, detail) = client.call("GET", "orders/detail", &ids).await.unwrap();
    let order = &detail["order"];
    assert_eq!(order["total_price"], price["data"]["totalPrice"]);
    assert_eq!(order["surcharge"].to_string(), "9.90");
    assert_eq!(order["order_items"][0]["order_status"], "waiting");
    assert_eq!(order["order_items"][0]["payment_status"], "unpaid");
    assert!(order["dtime_entered"].as_str().unwrap().ends_with("+00:00"));
}

#[tokio::test]
async fn what_the_interface_refuses_is_refused() {
    let (sandbox, client) = calm().await;
    let wrong = [
        order_with("/order_id", json!("")),
        order_with("/shipping_name", Value::Null),
        order_with("/shipping_zip", json!(" ")),
        order_with("/shipping_country_code", json!("USA")),
        order_with("/shipping_service", json!("AUEX")),
        order_with("/shipping_service", json!("FAST")),
        order_with("/order_items", json!([])),
        order_with("/order_items/0/item_sku", json!("TEE-CLASIC-BLK-S")),
        order_with("/order_items/0/quantity", json!(0)),
        order_with("/order_items/0/quantity", json!("2")),
        order_with("/order_items/0/quantity", json!(1.5)),
        order_with("/order_items/0/made_in_location", json!("MOON")),
        json!("no object"),
    ];
    for body in wrong {
        let (status, answer) = client
            .call("POST", "orders/create-new-order", &body)
            .await
            .unwrap();
        assert_eq!((status, &answer["status"]), (400, &json!(400)), "{body}");
    }
    assert!(sandbox.set_stock("TEE-CLASSIC-BLK-S", false));
    let (status, answer) = client.create("1").await.unwrap();
    assert_eq!(status, 400);
    assert!(answer["message"].as_str().unwrap().contains("out of stock"));
    assert!(sandbox.orders().is_empty());
}

#[tokio::test]
async fn a_refusal_may_hide_in_the_envelope() {
    let options = Options {
        refusals: Refusals::Envelope,
        ..Options::default()
    };
    let (_sandbox, client) = with(options).await;
    let body = order_with("/shipping_name", json!(""));
    let (status, answer) = client
        .call("POST", "orders/create-new-order", &body)
        .await
        .unwrap();
    assert_eq!((status, &answer["status"]), (200, &json!(400)));
}

#[tokio::test]
async fn a_second_create_makes_a_second_order() {
    let (sandbox, client) = calm().await;
    let (_, first) = client.create("1001").await.unwrap();
    let (_, second) = client.create("1001").await.unwrap();
    assert_eq!(first["data"]["pwOrderId"], "PW-100001");
    assert_eq!(second["data"]["pwOrderId"], "PW-100002");
    assert_eq!(names(&sandbox), ["1001", "1001"]);
}

#[tokio::test]
async fn the_order_list_wants_its_dates_in_its_format() {
    let (_sandbox, client) = calm().await;
    let good = json!(NEVER);
    for (from, to, limit, status) in [
        (good.clone(), json!(EVER), 20, 200),
        (good.clone(), Value::Null, 20, 400),
        (Value::Null, json!(EVER), 20, 400),
        (good.clone(), json!("2026-11-21T10:00:00"), 20, 400),
        (good.clone(), json!("2026-11-21"), 20, 400),
        (good.clone(), json!("2026-1-2 10:00:00"), 20, 400),
        (good.clone(), json!("2026-13-21 10:00:00"), 20, 400),
        (good.clone(), json!(EVER), 19, 400),
        (good, json!(EVER), 201, 400),
    ] {
        let query = json!({"created_at_min": from, "created_at_max": to, "limit": limit});
        let (answered, answer) = client.call("GET", "orders/list", &query).await.unwrap();
        assert_eq!(answered, status, "{query} {answer}");
    }
}

#[tokio::test]
async fn the_list_has_pages_searches_parts_and_counts_as_told() {
    for (length, expected) in [(Length::Page, 5), (Length::All, 25)] {
        let (_sandbox, client) = with(Options {
            length,
            ..Options::default()
        })
        .await;
        for nth in 0..25 {
            client.create(&format!("A-{nth:02}")).await.unwrap();
        }
        let query = json!({"created_at_min": NEVER, "created_at_max": EVER, "limit": 20, "page": 2});
        let (_, second) = client.call("GET", "orders/list", &query).await.unwrap();
        assert_eq!(second["length"], json!(expected));
        assert_eq!((&second["page"], &second["limit"]), (&json!(2), &json!(20)));
        assert_eq!(
            second["orders"][0]["order_name"], "A-04",
            "the newest are on the first page"
        );
        assert_eq!(
            client.listed("-2").await,
            ["A-24", "A-23", "A-22", "A-21", "A-20"]
        );
        assert_eq!(client.listed("PW-100003").await, ["A-02"]);
    }
}

#[tokio::test]
async fn dates_are_read_in_the_offset_of_the_service() {
    let utc_offset = jiff::tz::offset(7);
    let (sandbox, client) = with(Options {
        utc_offset,
        ..Options::default()
    })
    .await;
    client.create("1").await.unwrap();
    let here = sandbox.orders()[0].created_at.to_zoned(utc_offset.to_time_zone());
    let format = |hours: i64| {
        let at = here.checked_add(jiff::SignedDuration::from_hours(hours)).unwrap();
        at.strftime("%Y-%m-%d %H:%M:%S").to_string()
    };
    for (from, to, count) in [(-1, 1, 1), (-8, -6, 0)] {
        let query = json!({"created_at_min": format(from), "created_at_max": format(to)});
        let (_, answer) = client.call("GET", "orders/list", &query).await.unwrap();
        assert_eq!(answer["orders"].as_array().unwrap().len(), count, "{query}");
    }
}

#[tokio::test]
async fn detail_wants_both_ids_and_they_must_belong_together() {
    let (_sandbox, client) = calm().await;
    client.create("1001").await.unwrap();
    for (id, name, status) in [
        (json!("PW-100001"), json!("1001"), 200),
        (json!("PW-100001"), json!("1002"), 400),
        (json!("PW-100001"), Value::Null, 400),
        (Value::Null, json!("1001"), 400),
    ] {
        let query = json!({"pw_order_id": id, "order_name": name});
        assert_eq!(
            client.call("GET", "orders/detail", &query).await.unwrap().0,
            status,
            "{query}"
        );
    }
}

#[tokio::test]
async fn only_a_pending_order_is_canceled() {
    let (sandbox, client) = calm().await;
    client.create("1").await.unwrap();
    client.create("2").await.unwrap();
    assert!(sandbox.produce("PW-100002"));
    let cancel = |id: &str, name: &str| json!({"pw_order_id": id, "order_name": name});
    for (body, status) in [
        (cancel("PW-100001", "2"), 400),
        (cancel("PW-100002", "2"), 400),
        (cancel("PW-100001", "1"), 200),
        (cancel("PW-100001", "1"), 400),
    ] {
        let (answered, answer) = client.call("POST", "orders/cancel-order", &body).await.unwrap();
        assert_eq!(answered, status, "{answer}");
    }
    assert_eq!(sandbox.orders()[0].status, Status::Canceled);
    assert_eq!(sandbox.orders()[1].status, Status::InProduction);
}

#[tokio::test]
async fn unknown_paths_and_methods_answer_in_json_too() {
    let (_sandbox, client) = calm().await;
    let (status, answer) = client.call("GET", "orders/none", &Value::Null).await.unwrap();
    assert_eq!((status, &answer["status"]), (404, &json!(404)));
    let (status, answer) = client.call("DELETE", "orders/list", &Value::Null).await.unwrap();
    assert_eq!((status, &answer["status"]), (405, &json!(405)));
}
