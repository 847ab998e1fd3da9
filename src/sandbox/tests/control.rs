//! The sandbox in the hands of tests and scripts: lives, notifications, state files, knobs.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::*;
use super::*;

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
async fn orders_live_by_the_clock() {
    let life = Life {
        production_after: Duration::from_mins(1),
        fulfilled_after: Duration::from_mins(2),
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
    sandbox.advance_clock(Duration::from_mins(1));
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
    assert!(sandbox.set_cost("TEE-CLASSIC-BLK-S", Amount::cents(1000)));
    client.create("1").await.unwrap();
    assert_eq!(sandbox.orders()[0].total, Amount::cents(2689));
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
async fn a_service_that_is_away_refuses_connections_and_comes_back_as_it_was() {
    let (sandbox, client) = calm().await;
    client.create("1").await.unwrap();
    sandbox.go_away().await.unwrap();
    assert!(client.create("2").await.is_err());
    let refused = tokio::net::TcpStream::connect(sandbox.address())
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    sandbox.come_back().await.unwrap();
    client.create("3").await.unwrap();
    assert_eq!(names(&sandbox), ["1", "3"]);
}

#[test]
fn a_sandbox_on_a_thread_goes_away_and_comes_back() {
    let running = start_on_thread(Options::default()).unwrap();
    running.go_away_now().unwrap();
    assert!(std::net::TcpStream::connect(running.address()).is_err());
    running.come_back_now().unwrap();
    drop(std::net::TcpStream::connect(running.address()).unwrap());
}

#[test]
fn a_sandbox_on_a_thread_answers_and_ends_with_its_handle() {
    let running = start_on_thread(Options::default()).unwrap();
    let address = running.address();
    drop(std::net::TcpStream::connect(address).unwrap());
    drop(running);
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[test]
fn the_example_sheets_order_what_the_catalog_has() {
    use calamine::Reader;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/sheets");
    let mut csv = csv::Reader::from_path(folder.join("orders.csv")).unwrap();
    let mut rows: Vec<Vec<String>> = vec![csv.headers().unwrap().iter().map(str::to_owned).collect()];
    rows.extend(
        csv.records()
            .map(|row| row.unwrap().iter().map(str::to_owned).collect()),
    );
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(folder.join("orders.xlsx")).unwrap();
    let range = book.worksheet_range("Orders").unwrap();
    let book_rows = range
        .rows()
        .map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>())
        .collect();

    for (sheet, rows, unknown) in [
        ("csv", rows, vec!["TEE-CLASIC-BLK-M"]),
        ("xlsx", book_rows, vec![]),
    ] {
        let catalog = catalog::Catalog::built_in();
        let column = |name: &str| rows[0].iter().position(|header| header == name).unwrap();
        let (sku, location) = (column("item_sku"), column("made_in_location"));
        let mut missing = Vec::new();
        for row in &rows[1..] {
            let Some((_, variant)) = catalog.find(&row[sku]) else {
                missing.push(row[sku].as_str());
                continue;
            };
            assert!(variant.in_stock, "{sheet}: {}", row[sku]);
            let there = row[location].is_empty() || variant.cost_at(&row[location]).is_some();
            assert!(there, "{sheet}: {} in {}", row[sku], row[location]);
        }
        assert_eq!(missing, unknown, "{sheet}");
    }
}
