//! The interface as a contract: what the client sends and what the sandbox answers, both held to
//! `schema/print-service.openapi.json`, which neither of them is made from.

mod document;
mod recorder;

use std::collections::BTreeSet;
use std::time::Duration;

use dropsheet::clock::Clock;
use dropsheet::order::{Line, Order, ShipTo};
use dropsheet::sandbox::{Options, start_on_thread};
use dropsheet::service::{Client, GetParams, ListOrders, Settings, TokenRequest, Webhook, WebhookKind};

use document::Document;
use recorder::{Exchange, Recorder};

fn settings(base_url: String, get_params: GetParams) -> Settings {
    Settings {
        base_url,
        email: "shop@example.com".into(),
        password: "sandbox".into(),
        max_in_flight: 4,
        rate_limit: None,
        timeout: Duration::from_secs(20),
        get_params,
        token_file: None,
        clock: Clock::system(),
    }
}

fn order() -> Order {
    let line = |sku: &str, quantity| Line {
        item_sku: sku.into(),
        quantity,
        product_name: "Classic Tee".into(),
        artwork_front: Some("https://example.com/art/fox.png".into()),
        ..Line::default()
    };
    Order {
        order_id: "1001".into(),
        ship_to: ShipTo {
            name: "Ada Example".into(),
            address1: "12 Maple Street".into(),
            city: "Columbus".into(),
            province: "Ohio".into(),
            province_code: "OH".into(),
            zip: "43004".into(),
            country: "United States".into(),
            country_code: "US".into(),
            ..ShipTo::default()
        },
        shipping_service: None,
        lines: vec![line("TEE-CLASSIC-BLK-S", 2), line("TEE-CLASSIC-BLK-M", 1)],
        expected_total: None,
    }
}

/// Asks the service everything that the client can ask.
async fn ask_everything(client: &Client) {
    for request in [TokenRequest::Read, TokenRequest::Generate, TokenRequest::Update] {
        client.ask_token(request).await.unwrap();
    }
    client.log_in().await.unwrap();
    client.list_products(Some("tee"), 20, 1).await.unwrap();
    let skus = client.sku_catalog().await.unwrap();
    client.product(&skus[0].product_code).await.unwrap();
    let express = Order {
        order_id: "1002".into(),
        shipping_service: Some("US2DAYS".into()),
        ..order()
    };
    for order in [order(), express] {
        client.quote(&order).await.unwrap();
        let ids = client.create(&order).await.unwrap().value;
        client.order(&ids.pw_order_id, &order.order_id).await.unwrap();
        if order.order_id == "1002" {
            client.cancel(&ids.pw_order_id, &order.order_id).await.unwrap();
        }
    }
    for search in [None, Some("1001")] {
        let query = ListOrders {
            from: "2026-01-01T00:00:00".parse().unwrap(),
            to: "2099-12-31T23:59:59".parse().unwrap(),
            search,
            limit: 200,
            page: 1,
        };
        client.list_orders(&query).await.unwrap();
    }
    for kind in [WebhookKind::OrderProblem, WebhookKind::Tracking] {
        let hook = Webhook {
            endpoint: "https://shop.example.com/hook".into(),
            access_key: "a-key-that-nobody-guesses".into(),
            access_token: "".into(),
        };
        assert!(client.webhook(kind).await.unwrap().is_none());
        client.register_webhook(kind, &hook).await.unwrap();
        client.replace_webhook(kind, &hook).await.unwrap();
        assert_eq!(
            client.webhook(kind).await.unwrap().unwrap().endpoint,
            hook.endpoint
        );
        client.remove_webhook(kind).await.unwrap();
    }
}

async fn exchanges(get_params: GetParams) -> Vec<Exchange> {
    let sandbox = start_on_thread(Options::default()).unwrap();
    let recorder = Recorder::before(sandbox.base_url()).await;
    let client = Client::new(settings(recorder.base_url.clone(), get_params)).unwrap();
    ask_everything(&client).await;
    recorder.exchanges()
}

#[tokio::test]
async fn client_and_sandbox_keep_to_the_interface_in_every_operation() {
    let document = Document::read();
    let mut seen = BTreeSet::new();
    for get_params in [GetParams::Both, GetParams::Body, GetParams::Query] {
        for exchange in exchanges(get_params).await {
            let operation = document.operation(&exchange);
            let sent = document.faults_of_request(&exchange);
            assert_eq!(
                sent, [""; 0],
                "sent to {operation} by {get_params:?}: {exchange:?}"
            );
            let answered = document.faults_of_answer(&exchange);
            assert_eq!(answered, [""; 0], "answered by {operation}: {exchange:?}");
            seen.insert(operation);
        }
    }
    assert_eq!(seen, document.operations(), "not every operation was asked");
}

#[test]
fn what_breaks_the_contract_is_found() {
    let document = Document::read();
    let good = Exchange {
        method: "POST".into(),
        path: "/api/v2/orders/cancel-order".into(),
        body: r#"{"pw_order_id":"PW1","order_name":"1"}"#.into(),
        has_token: true,
        status: 200,
        answer: r#"{"status":200,"message":"canceled"}"#.into(),
        ..Exchange::default()
    };
    assert_eq!(document.faults_of_request(&good).len(), 0);
    for broken in [
        Exchange {
            body: r#"{"pw_order_id":"PW1"}"#.into(),
            ..good.clone()
        },
        Exchange {
            body: r#"{"pw_order_id":"PW1","order_name":1}"#.into(),
            ..good.clone()
        },
        Exchange {
            body: r#"{"pw_order_id":"PW1","order_name":"1","x":1}"#.into(),
            ..good.clone()
        },
        Exchange {
            body: String::new(),
            ..good.clone()
        },
        Exchange {
            has_token: false,
            ..good.clone()
        },
        Exchange {
            query: "limit=10".into(),
            ..good.clone()
        },
    ] {
        assert_ne!(document.faults_of_request(&broken).len(), 0, "{broken:?}");
    }
    let silent = Exchange {
        answer: r#"{"message":"canceled"}"#.into(),
        ..good
    };
    assert_ne!(document.faults_of_answer(&silent).len(), 0);
}
