//! What is asked and what is read of the answers.

use jiff::civil::date;
use secrecy::ExposeSecret;
use serde_json::json;

use super::super::{
    Client, ClientError, GetParams, Heard, ListOrders, TokenRequest, Verdict, Webhook, WebhookKind,
};
use super::stub::{Act, Stub, fine, order, settings_at};

/// A service that answers everything but logins with one body.
pub(super) async fn saying(body: &str) -> Stub {
    let body = body.to_owned();
    Stub::start(move |seen| {
        if seen.line.contains("auth/token") {
            fine(seen)
        } else {
            Act::Answer(200, body.clone())
        }
    })
    .await
}

#[tokio::test]
async fn get_parameters_travel_as_the_config_says() {
    for (get_params, in_query, in_body) in [
        (GetParams::Body, false, true),
        (GetParams::Query, true, false),
        (GetParams::Both, true, true),
    ] {
        let stub = Stub::start(fine).await;
        let mut settings = stub.settings();
        settings.get_params = get_params;
        let client = Client::new(settings).unwrap();
        client.list_products(Some("a&b"), 20, 3).await.unwrap();
        client.ask_token(TokenRequest::Read).await.unwrap();
        let list = &stub.seen("products/list")[0];
        assert_eq!(
            list.line.contains("?search=a%26b&limit=20&page=3 "),
            in_query,
            "{}",
            list.line
        );
        let body = if in_body {
            json!({"search": "a&b", "limit": 20, "page": 3})
        } else {
            json!(null)
        };
        assert_eq!(list.json(), body);
        assert_eq!(list.header("pw-access-token"), "T1");
        assert!(list.header("user-agent").starts_with("dropsheet/"));
        let token = &stub.seen("GET /api/v2/auth/token")[0];
        assert!(!token.line.contains('?'), "a password never stands in a query");
        assert_eq!(token.json()["email"], "shop@example.com");
    }
}

#[tokio::test]
async fn a_quote_is_read_to_the_digit_and_matched_to_its_lines() {
    let stub = saying(
        r#"{"status":200,"data":{"discountApplied":[],"quantity":1,"baseFee":10.10,"shippingFee":4.5,"taxFee":0,
        "totalFee":14.6,"discountFee":1.10,"discountShipping":-0.5,"totalPrice":13.00,"new":1,"orderItems":[
        {"variantId":"v","sku":"TEE-M","quantity":1,"baseFee":10.10,"shippingFee":4.5,"taxFee":0,
        "discountFee":1.10,"totalFee":13.50}]}}"#,
    )
    .await;
    let quote = stub.client().quote(&order("1")).await.unwrap();
    assert_eq!(quote.total.to_string(), "13.00");
    assert_eq!(quote.discount.to_string(), "-1.10");
    assert_eq!(quote.shipping_discount.to_string(), "-0.50");
    assert!(quote.other().unwrap().is_zero());
    assert_eq!(quote.lines[0].as_ref().unwrap().total.to_string(), "13.50");
    let sent = &stub.seen("calculate-price-order")[0];
    assert_eq!(
        sent.json(),
        json!({"shipping_province_code": "", "shipping_country_code": "US", "shipping_service": null,
            "order_items": [{"made_in_location": "", "product_name": "", "quantity": 1, "item_sku": "TEE-M"}]})
    );
}

#[tokio::test]
async fn a_quote_does_without_lines_but_not_without_a_total() {
    let fees = r#""baseFee":1,"shippingFee":1,"taxFee":0,"discountFee":0,"discountShipping":0"#;
    let stub = saying(&format!(r#"{{"status":200,"data":{{{fees},"totalPrice":2}}}}"#)).await;
    assert_eq!(stub.client().quote(&order("1")).await.unwrap().lines, [None]);
    let stub = saying(&format!(r#"{{"status":200,"data":{{{fees}}}}}"#)).await;
    let failure = stub.client().quote(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Unknown);
    assert_eq!(
        failure.to_string(),
        "calculate-price-order: the answer lacks `data.totalPrice`"
    );
}

#[tokio::test]
async fn a_refused_quote_quotes_the_service() {
    let stub = saying(r#"{"status":422,"message":"Unknown SKU TEE-M"}"#).await;
    let failure = stub.client().quote(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Refused);
    assert_eq!(failure.service_message.as_deref(), Some("Unknown SKU TEE-M"));
}

#[tokio::test]
async fn of_a_listed_order_only_its_ids_are_demanded() {
    let stub = saying(
        r#"{"status":200,"orders":[{"pw_order_id":"P1","order_name":"1","dtime_entered":"2026-11-21 09:00:00.123+01:00",
        "total_price":12.10,"discount":2,"shipping_country_code":"US","shipping_zip":null,"surcharge":"odd",
        "trackings":[{"any":1}],"order_items":[{"item_sku":"A","quantity":2.0,"order_status":"waiting"},
        {"quantity":"odd","order_status":17,"payment_status":"un\u0007paid"}]},{"pw_order_id":"P2","order_name":"2","order_items":null}]}"#,
    )
    .await;
    let query = ListOrders {
        from: date(2026, 11, 20).at(0, 0, 0, 0),
        to: date(2026, 11, 22).at(0, 0, 0, 0),
        search: Some("1"),
        limit: 200,
        page: 1,
    };
    let page = stub.client().list_orders(&query).await.unwrap().value;
    let [first, second] = &page.orders[..] else {
        panic!("two orders")
    };
    assert_eq!(first.entered_at.unwrap().to_string(), "2026-11-21T08:00:00.123Z");
    let amounts = first.amounts.as_ref().unwrap();
    assert_eq!(amounts.total.to_string(), "12.10");
    assert_eq!(amounts.discount.unwrap().to_string(), "-2.00");
    assert_eq!(amounts.surcharge, None);
    assert_eq!((first.items[0].sku.as_str(), first.items[0].quantity), ("A", 2));
    assert_eq!((first.items[1].sku.as_str(), first.items[1].quantity), ("", 0));
    let words = [&first.items[1].order_status, &first.items[1].payment_status].map(Option::as_deref);
    assert_eq!(words, [Some("17"), Some("un paid")]);
    assert_eq!(
        (first.country_code.as_deref(), first.zip.as_deref()),
        (Some("US"), None)
    );
    assert_eq!(first.trackings.len(), 1);
    assert!(second.items.is_empty() && second.amounts.is_none());
    let stub = saying(r#"{"status":200,"orders":[{"order_name":"1"},{"order_name":"2"}]}"#).await;
    let failure = stub.client().list_orders(&two_days()).await.unwrap_err();
    assert_eq!(failure.detail, "the answer lacks `orders[0].pw_order_id`");
}

/// The first page of a list.
pub(super) fn two_days() -> ListOrders<'static> {
    ListOrders {
        from: date(2026, 11, 20).at(0, 0, 0, 0),
        to: date(2026, 11, 22).at(0, 0, 0, 0),
        search: None,
        limit: 200,
        page: 1,
    }
}

#[tokio::test]
async fn an_order_without_a_name_is_listed_without_one() {
    for (name, read) in [
        (r#""order_name":" 7","#, " 7"),
        (r#""order_name":7,"#, "7"),
        (r#""order_name":7.0,"#, "7"),
        (r#""order_name":7.5,"#, ""),
        (r#""order_name":null,"#, ""),
        (r#""order_name":" ","#, ""),
        ("", ""),
    ] {
        let stub = saying(&format!(
            r#"{{"status":200,"orders":[{{{name}"pw_order_id":"P1"}}]}}"#
        ))
        .await;
        let page = stub.client().list_orders(&two_days()).await.unwrap().value;
        assert_eq!(page.orders[0].order_name, read, "{name}");
    }
}

#[tokio::test]
async fn a_blank_id_is_none_for_two_orders_that_have_it_are_not_one() {
    let stub = saying(
        r#"{"status":200,"orders":[{"pw_order_id":"","order_name":"1"},{"pw_order_id":" ","order_name":"2"},
            {"pw_order_id":"P3","order_name":"3"}]}"#,
    )
    .await;
    let page = stub.client().list_orders(&two_days()).await.unwrap().value;
    assert_eq!((page.orders.len(), page.without_id), (1, 2));
}

#[tokio::test]
async fn a_list_of_several_orders_of_which_none_has_an_id_is_no_list_but_what_a_search_finds() {
    let one = r#"{"order_id":"P1","order_name":"1"}"#;
    for (orders, search, without_id) in [
        (format!("{one},{one}"), None, None),
        (one.to_owned(), None, Some(1)),
        (format!("{one},{one}"), Some("1"), Some(2)),
        (
            r#"{"pw_order_id":null},{"pw_order_id":" ","order_name":"2"}"#.to_owned(),
            None,
            Some(2),
        ),
    ] {
        let stub = saying(&format!(r#"{{"status":200,"orders":[{orders}]}}"#)).await;
        let query = ListOrders { search, ..two_days() };
        let page = stub.client().list_orders(&query).await;
        let page = page.map(|page| page.value.without_id).ok();
        assert_eq!(page, without_id, "{orders} {search:?}");
    }
}

#[tokio::test]
async fn an_amount_may_be_a_text_and_a_quote_may_lack_its_parts() {
    let stub = saying(
        r#"{"status":200,"data":{"baseFee":"10.10","shippingFee":null,"taxFee":"none","totalPrice":" 12.50 "}}"#,
    )
    .await;
    let quote = stub.client().quote(&order("1")).await.unwrap();
    assert_eq!(quote.total.to_string(), "12.50");
    assert_eq!(quote.base_fee.to_string(), "10.10");
    assert!(quote.shipping_fee.is_zero() && quote.tax_fee.is_zero() && quote.discount.is_zero());
    assert_eq!(quote.other().unwrap().to_string(), "2.40", "the rest ties out");
    for total in [r#""12,50""#, r#""1e3""#, r#""""#, "null", "true"] {
        let stub = saying(&format!(
            r#"{{"status":200,"data":{{"baseFee":1,"totalPrice":{total}}}}}"#
        ))
        .await;
        let failure = stub.client().quote(&order("1")).await.unwrap_err();
        assert_eq!(
            failure.to_string(),
            "calculate-price-order: `data.totalPrice` in the answer is not what the interface says",
            "{total}"
        );
    }
}

#[tokio::test]
async fn an_amount_that_no_order_can_cost_is_none() {
    for (amount, is_read) in [
        ("999999999999.99", true),
        ("1000000000000", false),
        ("-1000000000000", false),
        ("1e12", false),
        ("79228162514264337593543950335", false),
    ] {
        let stub = saying(&format!(r#"{{"status":200,"data":{{"totalPrice":{amount}}}}}"#)).await;
        assert_eq!(
            stub.client().quote(&order("1")).await.is_ok(),
            is_read,
            "{amount}"
        );
        let listed = format!(r#"{{"pw_order_id":"P","order_name":"1","total_price":{amount}}}"#);
        let stub = saying(&format!(r#"{{"status":200,"order":{listed}}}"#)).await;
        let listed = stub.client().order("P", "1").await.unwrap();
        assert_eq!(listed.amounts.is_some(), is_read, "{amount}");
    }
}

#[tokio::test]
async fn an_odd_product_leaves_the_others_in_the_catalog() {
    let fine = r#"{"product_name":"Tee","code":"TEE","variants":[{"sku":"TEE-M"}]}"#;
    for odd in [
        r#"{"code":"NEW","variants":null}"#,
        r#"{"code":"NEW"}"#,
        r#"{"code":null,"variants":[{"sku":"NEW-M"}]}"#,
        r#"{"code":"NEW","variants":[{"sku":null}]}"#,
        r#"{"code":"NEW","variants":[{"sku":""}]}"#,
    ] {
        let stub = saying(&format!(r#"{{"status":200,"products":[{odd},{fine}]}}"#)).await;
        let entries = stub.client().sku_catalog().await.unwrap();
        assert_eq!(entries.len(), 1, "{odd}");
        assert_eq!(entries[0].sku, "TEE-M", "{odd}");
        let stub = saying(&format!(r#"{{"status":200,"products":[{odd}]}}"#)).await;
        let failure = stub.client().sku_catalog().await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Unknown, "{odd}");
    }
    let stub = saying(r#"{"status":200,"products":[{"code":77,"variants":[{"sku":7701}]}]}"#).await;
    let entries = stub.client().sku_catalog().await.unwrap();
    assert_eq!(
        (entries[0].product_code.as_str(), entries[0].sku.as_str()),
        ("77", "7701")
    );
}

#[tokio::test]
async fn the_catalog_does_without_names() {
    let stub = saying(
        r#"{"status":200,"length":1,"products":[{"product_name":null,"code":"TEE","variants":
        [{"title":"M","sku":"TEE-M","variant_id":"TEE-1"},{"sku":"TEE-L"}]}]}"#,
    )
    .await;
    let entries = stub.client().sku_catalog().await.unwrap();
    let skus: Vec<&str> = entries.iter().map(|entry| entry.sku.as_str()).collect();
    assert_eq!(skus, ["TEE-M", "TEE-L"]);
    assert_eq!(entries[1].product_code, "TEE");
}

#[tokio::test]
async fn what_is_no_product_or_no_variant_is_left_out_alone() {
    for odd in ["null", "5", "[]", r#""x""#] {
        let stub = saying(&format!(
            r#"{{"status":200,"products":[{odd},{{"code":"TEE","variants":[{{"sku":"TEE-M"}},{odd},{{"sku":"TEE-L"}}]}},
            {odd}]}}"#
        ))
        .await;
        let entries = stub.client().sku_catalog().await.unwrap();
        let skus: Vec<&str> = entries.iter().map(|entry| entry.sku.as_str()).collect();
        assert_eq!(skus, ["TEE-M", "TEE-L"], "{odd}");
    }
}

#[tokio::test]
async fn what_is_compared_with_a_sheet_s_cells_is_read_without_blanks_around_it() {
    let stub = saying(
        r#"{"status":200,"products":[{"product_name":" T-shirt ","code":" T ","variants":
        [{"title":"M ","sku":" TEE-M "}]}],"product":{"variants":[{"item_sku":" TEE-M","locations":
        [{"name":"US ","print_areas":[{"key":" front "}]}]}]}}"#,
    )
    .await;
    let client = stub.client();
    let entries = client.sku_catalog().await.unwrap();
    let entry = &entries[0];
    let read = [&entry.sku, &entry.product_name, &entry.title];
    assert_eq!(read, ["TEE-M", "T-shirt", "M"]);
    assert_eq!(entry.product_code, " T ", "its detail is asked for by it");
    let detail = &client.product(" T ").await.unwrap()[0];
    assert_eq!(detail.sku, "TEE-M");
    assert_eq!(detail.locations[0].name, "US");
    assert_eq!(detail.locations[0].print_areas[0].key, "front");
}

/// A service that refuses whatever it is asked, with these words.
async fn refusing(words: &'static str) -> Stub {
    Stub::start(move |seen| match fine(seen) {
        login if seen.line.contains("auth/token") => login,
        _ => Act::Answer(400, json!({"status": 400, "message": words}).to_string()),
    })
    .await
}

#[tokio::test]
async fn a_get_whose_parameters_are_refused_quotes_the_service_and_names_the_setting() {
    let stub = refusing("GET with body refused").await;
    for (get_params, name) in [
        (GetParams::Body, "body"),
        (GetParams::Query, "query"),
        (GetParams::Both, "both"),
    ] {
        let mut settings = stub.settings();
        settings.get_params = get_params;
        let client = Client::new(settings).unwrap();
        let failure = client.list_products(None, 20, 1).await.unwrap_err();
        assert_eq!(
            failure.to_string(),
            format!(
                "products/list: HTTP 400, “GET with body refused”; should GET parameters travel otherwise than \
                 get_params = \"{name}\" says?"
            )
        );
        // What has no such parameters does not travel by them.
        for failure in [
            client.create(&order("1")).await.unwrap_err(),
            client.webhook(WebhookKind::Tracking).await.unwrap_err(),
        ] {
            assert_eq!(failure.detail, "HTTP 400");
        }
    }
    let client = refusing("").await.client();
    let failure = client.list_products(None, 20, 1).await.unwrap_err();
    assert!(failure.detail.starts_with("HTTP 400; should GET"), "{failure}");
}

#[tokio::test]
async fn a_product_s_detail_names_its_locations() {
    let stub = saying(
        r#"{"status":200,"product":{"variants":[{"item_sku":"A","availability":"in_stock","locations":[{"name":"US"}]},
        {"item_sku":"B"}]}}"#,
    )
    .await;
    let details = stub.client().product("TEE").await.unwrap();
    assert_eq!(details[0].locations[0].name, "US");
    assert_eq!(details[0].availability.as_deref(), Some("in_stock"));
    assert!(details[1].locations.is_empty() && details[1].availability.is_none());
}

#[tokio::test]
async fn an_answer_without_an_end_is_left() {
    let of = |mebibytes: usize| {
        let long = "x".repeat(mebibytes * 1024 * 1024);
        format!(r#"{{"status":200,"product":{{"variants":[],"description":"{long}"}}}}"#)
    };
    let (small, large) = (saying(&of(2)).await, saying(&of(9)).await);
    assert!(
        small.client().product("TEE").await.is_ok(),
        "a product with many variants"
    );
    for failure in [
        large.client().product("TEE").await.unwrap_err(),
        small.client().order("P", "1").await.unwrap_err(),
    ] {
        assert_eq!(failure.verdict, Verdict::Unknown);
        assert!(failure.detail.contains("too large"), "{failure}");
        assert_eq!(failure.heard, Heard::Unread, "{failure}");
    }
}

#[tokio::test]
async fn a_registration_without_an_endpoint_is_none() {
    for (result, there) in [
        (
            r#"{"endpoint":"https://example.com/h","access_key":"K","access_token":""}"#,
            true,
        ),
        (r#"{"endpoint":"","access_key":"","access_token":""}"#, false),
        ("null", false),
    ] {
        let stub = saying(&format!(r#"{{"status":200,"message":"","result":{result}}}"#)).await;
        let found = stub.client().webhook(WebhookKind::Tracking).await.unwrap();
        assert_eq!(found.is_some(), there, "{result}");
    }
}

#[tokio::test]
async fn a_registration_that_is_not_found_is_none_and_a_page_that_is_not_found_is_no_answer() {
    for (body, is_answer) in [(r#"{"status":404,"message":"none"}"#, true), ("<html>", false)] {
        let stub = Stub::start(move |seen| match fine(seen) {
            login if seen.line.contains("auth/") => login,
            _ => Act::Answer(404, body.to_owned()),
        })
        .await;
        let found = stub.client().webhook(WebhookKind::Tracking).await;
        assert_eq!(matches!(found, Ok(None)), is_answer, "{body}: {found:?}");
    }
}

#[tokio::test]
async fn a_registration_travels_with_its_secrets() {
    let stub = saying("").await;
    let client = stub.client();
    let hook = Webhook {
        endpoint: "https://example.com/h".into(),
        access_key: "K".into(),
        access_token: "A".into(),
    };
    client
        .register_webhook(WebhookKind::OrderProblem, &hook)
        .await
        .unwrap();
    client
        .replace_webhook(WebhookKind::Tracking, &hook)
        .await
        .unwrap();
    client.remove_webhook(WebhookKind::Tracking).await.unwrap();
    let body = json!({"endpoint": "https://example.com/h", "access_key": hook.access_key.expose_secret(),
        "access_token": "A"});
    assert_eq!(
        stub.seen("POST /api/v2/webhook/status-order-pending")[0].json(),
        body
    );
    assert_eq!(stub.seen("PUT /api/v2/webhook/tracking")[0].json(), body);
    assert_eq!(stub.seen("DELETE /api/v2/webhook/tracking")[0].body, "");
}

#[tokio::test]
async fn everybody_keeps_a_pause_that_one_was_asked_for() {
    let stub = Stub::start(|seen| match fine(seen) {
        login if seen.line.contains("auth/") => login,
        _ => Act::AnswerWith(429, "retry-after: 600", r#"{"status":429}"#.into()),
    })
    .await;
    let client = stub.client();
    let first = client.quote(&order("1")).await.unwrap_err();
    assert_eq!(
        first.verdict,
        Verdict::TryLater(std::time::Duration::from_mins(10))
    );
    let second = client.create(&order("1")).await.unwrap_err();
    assert!(matches!(second.verdict, Verdict::TryLater(_)));
    assert!(stub.seen("create-new-order").is_empty(), "it was not even sent");
}

#[test]
fn a_base_url_is_https_or_this_machine() {
    let client = |base_url: &str| Client::new(settings_at(base_url));
    for fine in ["http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:1"] {
        assert!(client(fine).is_ok(), "{fine}");
    }
    for wrong in [
        "http://example.com",
        "ftp://localhost",
        "example.com",
        "https://u:p@example.com",
        "https://e.com/?a=1",
    ] {
        assert!(matches!(client(wrong), Err(ClientError::BaseUrl(_))), "{wrong}");
    }
}
