//! The service through a real socket, as a client meets it.

use std::time::Duration;

use serde_json::{Value, json};

use super::*;

const NEVER: &str = "2000-01-01 00:00:00";
const EVER: &str = "2100-01-01 00:00:00";

/// A client with a token.
struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Client {
    fn new(sandbox: &Sandbox) -> Self {
        Self {
            http: notify::client().unwrap(),
            base: sandbox.base_url(),
            token: String::new(),
        }
    }

    async fn logged_in(sandbox: &Sandbox) -> Self {
        let mut client = Self::new(sandbox);
        client.log_in().await;
        client
    }

    async fn log_in(&mut self) {
        let (status, answer) = self.call("POST", "auth/token", &credentials()).await.unwrap();
        assert_eq!(status, 200, "{answer}");
        self.token = answer["result"]["access_token"].as_str().unwrap().to_owned();
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> reqwest::Result<reqwest::Response> {
        let url = format!("{}/api/v2/{path}", self.base);
        let mut request = self
            .http
            .request(method.parse().unwrap(), url)
            .header("PW-ACCESS-TOKEN", &self.token);
        if !body.is_null() {
            request = request.body(body.to_string());
        }
        request.send().await
    }

    async fn text(&self, method: &str, path: &str, body: &Value) -> reqwest::Result<(u16, String)> {
        let response = self.send(method, path, body).await?;
        Ok((response.status().as_u16(), response.text().await?))
    }

    async fn call(&self, method: &str, path: &str, body: &Value) -> reqwest::Result<(u16, Value)> {
        let (status, text) = self.text(method, path, body).await?;
        Ok((status, serde_json::from_str(&text).unwrap()))
    }

    async fn create(&self, order_id: &str) -> reqwest::Result<(u16, Value)> {
        self.call("POST", "orders/create-new-order", &order(order_id))
            .await
    }

    /// The names that the list shows.
    async fn listed(&self, search: &str) -> Vec<String> {
        let window = json!({"created_at_min": NEVER, "created_at_max": EVER, "search": search});
        let (status, answer) = self.call("GET", "orders/list", &window).await.unwrap();
        assert_eq!(status, 200, "{answer}");
        let orders = answer["orders"].as_array().unwrap();
        orders
            .iter()
            .map(|order| order["order_name"].as_str().unwrap().to_owned())
            .collect()
    }
}

fn credentials() -> Value {
    json!({"email": "shop@example.com", "password": "sandbox"})
}

fn order(order_id: &str) -> Value {
    json!({
        "order_id": order_id,
        "shipping_name": "Ada Example",
        "shipping_phone": "+1 555 0100",
        "shipping_address1": "1 Main St",
        "shipping_address2": "",
        "shipping_city": "Columbus",
        "shipping_province": "Ohio",
        "shipping_province_code": "OH",
        "shipping_zip": "43004",
        "shipping_country": "United States",
        "shipping_country_code": "US",
        "shipping_service": null,
        "order_items": [{
            "made_in_location": "",
            "product_name": "Classic Tee",
            "item_sku": "TEE-CLASSIC-BLK-S",
            "quantity": 2,
            "variant_note": "",
            "mockup_url": null,
            "artwork_front": "https://example.com/a.png"
        }]
    })
}

/// An order request with one field set to another value, by JSON pointer.
fn order_with(pointer: &str, value: Value) -> Value {
    let mut order = order("X-1");
    *order.pointer_mut(pointer).unwrap() = value;
    order
}

fn names(sandbox: &Sandbox) -> Vec<String> {
    sandbox
        .orders()
        .into_iter()
        .map(|placed| placed.order_name)
        .collect()
}

async fn calm() -> (Sandbox, Client) {
    with(Options::default()).await
}

async fn with(options: Options) -> (Sandbox, Client) {
    let sandbox = start(options).await.unwrap();
    let client = Client::logged_in(&sandbox).await;
    (sandbox, client)
}

#[tokio::test]
async fn an_address_beyond_loopback_is_refused() {
    let listen = "0.0.0.0:0".parse().unwrap();
    let error = start(Options {
        listen,
        ..Options::default()
    })
    .await
    .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

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
    let lifetime = Some(Duration::from_secs(60));
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
async fn a_dropped_connection_gives_no_answer_before_or_after_the_order_exists() {
    let (sandbox, client) = calm().await;
    sandbox.set_fault("drop-before-create=on:1").unwrap();
    sandbox.set_fault("drop-after-create=on:2").unwrap();
    assert!(client.create("before").await.is_err());
    assert!(sandbox.orders().is_empty());
    assert!(client.create("after").await.is_err());
    assert_eq!(names(&sandbox), ["after"]);
    client.create("calm").await.unwrap();
    assert_eq!(
        sandbox.calls().of("create-new-order"),
        3,
        "the client's own layers sent nothing twice"
    );
}

#[tokio::test]
async fn a_late_order_comes_by_the_service_clock() {
    let late = Duration::from_secs(60);
    let (sandbox, client) = with(Options {
        late,
        ..Options::default()
    })
    .await;
    sandbox.set_fault("late-create=on:1").unwrap();
    assert!(client.create("1").await.is_err());
    assert!(sandbox.orders().is_empty());
    sandbox.advance_clock(Duration::from_secs(59));
    assert!(sandbox.orders().is_empty());
    sandbox.advance_clock(Duration::from_secs(1));
    assert_eq!(names(&sandbox), ["1"]);
}

#[tokio::test]
async fn a_spoiled_answer_leaves_the_order_behind() {
    let (sandbox, client) = calm().await;
    let create = |id: &str| {
        let (client, order) = (&client, order(id));
        async move { client.text("POST", "orders/create-new-order", &order).await }
    };
    for (nth, (fault, expected)) in [
        ("error-500-after-create", Some(500)),
        ("error-502-after-create", Some(502)),
        ("html-after-create", Some(200)),
        ("cut-body", None),
        ("wrong-order-id", Some(200)),
        ("redirect", Some(302)),
        ("empty-200", Some(200)),
    ]
    .into_iter()
    .enumerate()
    {
        sandbox.clear_faults();
        sandbox.set_fault(&format!("{fault}=1")).unwrap();
        let answer = create(fault).await;
        assert_eq!(
            answer.as_ref().ok().map(|(status, _)| *status),
            expected,
            "{fault}"
        );
        if let Ok((_, text)) = answer {
            assert!(!text.contains(fault), "{fault}: {text}");
        }
        assert_eq!(sandbox.orders().len(), nth + 1, "{fault}");
    }
}

#[tokio::test]
async fn a_cut_body_begins_like_an_answer() {
    let (sandbox, client) = calm().await;
    sandbox.set_fault("cut-body-list=1").unwrap();
    let window = json!({"created_at_min": NEVER, "created_at_max": EVER});
    let mut response = client.send("GET", "orders/list", &window).await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    let mut came = Vec::new();
    let broken = loop {
        match response.chunk().await {
            Ok(Some(chunk)) => came.extend_from_slice(&chunk),
            Ok(None) => break false,
            Err(_cut) => break true,
        }
    };
    assert!(broken, "the body must end amid itself");
    assert!(
        came.is_empty() || came.starts_with(b"{\"status\":200"),
        "{came:?}"
    );
}

#[tokio::test]
async fn what_is_turned_away_is_not_done() {
    let (sandbox, mut client) = calm().await;
    for (fault, http, envelope) in [
        ("error-500-create", 500, 500),
        ("envelope-refusal", 200, 400),
        ("refuse", 400, 400),
        ("rate-limit", 429, 429),
        ("unavailable", 503, 503),
        ("expire-token", 401, 401),
    ] {
        sandbox.clear_faults();
        sandbox.set_fault(&format!("{fault}=1")).unwrap();
        let (status, answer) = client.create(fault).await.unwrap();
        assert_eq!((status, &answer["status"]), (http, &json!(envelope)), "{fault}");
    }
    assert!(sandbox.orders().is_empty());
    sandbox.clear_faults();
    assert_eq!(
        client.create("1").await.unwrap().0,
        401,
        "the token has ended for good"
    );
    client.log_in().await;
    assert_eq!(client.create("1").await.unwrap().0, 200);
}

#[tokio::test]
async fn too_many_requests_are_told_when_to_come_back() {
    let limit = Some(Limit {
        requests: 3,
        per: Duration::from_secs(3600),
    });
    let (sandbox, client) = with(Options {
        limit,
        ..Options::default()
    })
    .await;
    client.create("1").await.unwrap();
    client.create("2").await.unwrap();
    let response = client
        .send("POST", "orders/create-new-order", &order("3"))
        .await
        .unwrap();
    assert_eq!(response.status().as_u16(), 429);
    let wait: u64 = response.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((3590..=3600).contains(&wait), "{wait}");
    assert_eq!(names(&sandbox), ["1", "2"]);
}

#[tokio::test]
async fn a_lagging_list_shows_an_order_later_and_a_frozen_one_never() {
    let list_lag = Duration::from_secs(120);
    let (sandbox, client) = with(Options {
        list_lag,
        ..Options::default()
    })
    .await;
    client.create("1").await.unwrap();
    assert!(client.listed("").await.is_empty());
    assert!(!sandbox.orders()[0].visible);
    sandbox.advance_clock(Duration::from_secs(121));
    assert_eq!(client.listed("").await, ["1"]);
    sandbox.freeze_list(true);
    client.create("2").await.unwrap();
    sandbox.advance_clock(Duration::from_secs(3600));
    assert_eq!(client.listed("").await, ["1"]);
    sandbox.freeze_list(false);
    assert_eq!(client.listed("").await, ["2", "1"]);
}

#[tokio::test]
async fn orders_live_by_the_clock() {
    let life = Life {
        production_after: Duration::from_secs(60),
        fulfilled_after: Duration::from_secs(120),
        problem_every: 2,
    };
    let (sandbox, client) = with(Options {
        life: Some(life),
        ..Options::default()
    })
    .await;
    client.create("1").await.unwrap();
    client.create("2").await.unwrap();
    let states = || {
        sandbox
            .orders()
            .iter()
            .map(|placed| placed.status)
            .collect::<Vec<_>>()
    };
    assert_eq!(states(), [Status::Waiting, Status::Waiting]);
    sandbox.advance_clock(Duration::from_secs(61));
    assert_eq!(states(), [Status::InProduction, Status::InProduction]);
    sandbox.advance_clock(Duration::from_secs(60));
    assert_eq!(states(), [Status::Fulfilled, Status::Problem]);
    assert_eq!(sandbox.orders()[0].order.trackings.len(), 1);
}

#[tokio::test]
async fn a_registered_endpoint_is_notified_with_its_key() {
    use axum::http::HeaderMap;
    let (heard_in, mut heard_out) = tokio::sync::mpsc::unbounded_channel();
    let receiver = axum::Router::new().route(
        "/hook",
        axum::routing::post(move |headers: HeaderMap, body: String| {
            let sent = heard_in.send((headers["pw-access-key"].to_str().unwrap().to_owned(), body));
            async move { sent.unwrap() }
        }),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, receiver).await });

    let (sandbox, client) = calm().await;
    let hook = json!({"endpoint": endpoint, "access_key": "k-1"});
    for path in ["webhook/tracking", "webhook/status-order-pending"] {
        let (status, _) = client.call("POST", path, &hook).await.unwrap();
        assert_eq!(status, 200);
        let (_, read) = client.call("GET", path, &Value::Null).await.unwrap();
        assert_eq!(
            read["result"],
            json!({"endpoint": endpoint, "access_key": "k-1", "access_token": ""})
        );
    }
    client.create("1").await.unwrap();
    client.create("2").await.unwrap();
    assert!(sandbox.trouble("PW-100001"));
    assert!(sandbox.fulfil("PW-100002"));
    let (key, problem) = heard_out.recv().await.unwrap();
    assert_eq!(key, "k-1");
    assert!(problem.contains(r#""order_status":"problem""#), "{problem}");
    let (_, tracking) = heard_out.recv().await.unwrap();
    assert!(tracking.contains("TRK000000100002"), "{tracking}");

    client
        .call("DELETE", "webhook/tracking", &Value::Null)
        .await
        .unwrap();
    let (_, read) = client
        .call("GET", "webhook/tracking", &Value::Null)
        .await
        .unwrap();
    assert_eq!(read["result"]["endpoint"], "");
}

#[tokio::test]
async fn the_state_file_outlives_the_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let options = || Options {
        state: Some(folder.path().join("sandbox.state")),
        ..Options::default()
    };
    let (sandbox, client) = with(options()).await;
    client.create("1").await.unwrap();
    client.create("2").await.unwrap();
    sandbox.fulfil("PW-100001");
    let token = client.token.clone();
    sandbox.shutdown().await.unwrap();

    let again = start(options()).await.unwrap();
    let mut client = Client::new(&again);
    client.token = token;
    assert_eq!(client.listed("").await, ["2", "1"]);
    assert_eq!(again.orders()[0].status, Status::Fulfilled);
    client.create("3").await.unwrap();
    assert_eq!(again.orders()[2].pw_order_id, "PW-100003");
}

#[tokio::test]
async fn prices_may_change_between_a_quote_and_its_order() {
    let (sandbox, client) = calm().await;
    let (_, quote) = client
        .call("POST", "orders/calculate-price-order", &order("1"))
        .await
        .unwrap();
    assert_eq!(quote["data"]["totalPrice"].to_string(), "24.79");
    assert!(sandbox.set_cost("TEE-CLASSIC-BLK-S", Amount::cents(10_00)));
    client.create("1").await.unwrap();
    assert_eq!(sandbox.orders()[0].total, Amount::cents(26_89));
}

#[tokio::test]
async fn scripts_look_behind_the_interface() {
    let (sandbox, client) = calm().await;
    client.create("1").await.unwrap();
    let url = |path: &str| format!("{}/sandbox/{path}", sandbox.base_url());
    let orders: Value = serde_json::from_str(
        &client
            .http
            .get(url("orders"))
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap(),
    )
    .unwrap();
    assert_eq!(orders[0]["order_name"], "1");
    assert_eq!(orders[0]["visible"], json!(true));
    let fulfil = client
        .http
        .post(url("orders/PW-100001/fulfil"))
        .send()
        .await
        .unwrap();
    assert_eq!(fulfil.status().as_u16(), 200);
    assert_eq!(sandbox.orders()[0].status, Status::Fulfilled);
    let faults = client
        .http
        .post(url("faults"))
        .body(r#"{"faults":["unavailable=1"]}"#)
        .send()
        .await
        .unwrap();
    assert_eq!(faults.status().as_u16(), 200);
    assert_eq!(client.create("2").await.unwrap().0, 503);
    let calls = client
        .http
        .get(url("calls"))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let calls: Value = serde_json::from_str(&calls).unwrap();
    assert_eq!(calls["counts"]["create-new-order"], json!(2));
    assert_eq!(calls["log"][2]["order_id"], "2");
    assert_eq!(calls["log"][2]["fault"], "unavailable");
}

#[tokio::test]
async fn unknown_paths_and_methods_answer_in_json_too() {
    let (_sandbox, client) = calm().await;
    let (status, answer) = client.call("GET", "orders/none", &Value::Null).await.unwrap();
    assert_eq!((status, &answer["status"]), (404, &json!(404)));
    let (status, answer) = client.call("DELETE", "orders/list", &Value::Null).await.unwrap();
    assert_eq!((status, &answer["status"]), (405, &json!(405)));
}

#[test]
fn a_sandbox_on_a_thread_answers_and_ends_with_its_handle() {
    let running = start_on_thread(Options::default()).unwrap();
    let address = running.address();
    drop(std::net::TcpStream::connect(address).unwrap());
    drop(running);
    assert!(std::net::TcpStream::connect(address).is_err());
}
