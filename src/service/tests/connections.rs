//! Connections that the service closes without a word, and what becomes of the requests that meet it.

use std::collections::HashSet;
use std::time::Duration;

use super::super::{Client, Verdict};
use super::stub::{Act, Seen, Stub, fine, order};

const CREATE: &str = "create-new-order";
const PRODUCTS: &str = "products/list?";

/// A service that closes a connection when its second request comes, and never looks at it.
async fn closing_at_the_second() -> Stub {
    Stub::start(|seen| {
        if seen.nth > 1 {
            Act::CloseAtFirstLine
        } else {
            fine(seen)
        }
    })
    .await
}

/// Those that came first on their connections, which alone are answered.
fn answered(seen: &[Seen]) -> usize {
    seen.iter().filter(|seen| seen.nth == 1).count()
}

#[tokio::test]
async fn a_service_that_closes_at_the_second_request_of_a_connection_answers_all_that_only_reads() {
    let stub = closing_at_the_second().await;
    let client = stub.client();
    for n in 0..6 {
        client.list_products(None, 20, n).await.unwrap();
        // What a longer answer would come over.
        drop(client.sku_catalog().await);
    }
    let lists = stub.seen(PRODUCTS);
    assert_eq!(answered(&lists), 6);
    let broken = stub.seen("").len() - answered(&stub.seen(""));
    assert_eq!(broken, 1, "after the first one each has its own connection");
}

#[tokio::test]
async fn a_create_that_meets_a_close_is_not_sent_again_and_those_after_it_have_their_own_connections() {
    let stub = closing_at_the_second().await;
    let client = stub.client();
    // The login has left a kept connection, which closes under the create.
    let failure = client.create(&order("0")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Unknown, "{failure}");
    for n in 1..6 {
        client.create(&order(&n.to_string())).await.unwrap();
    }
    let creates = stub.seen(CREATE);
    assert_eq!(creates.len(), 6, "none twice");
    assert_eq!(answered(&creates), 5);
    let own: HashSet<usize> = creates[1..].iter().map(|seen| seen.connection).collect();
    assert_eq!(own.len(), 5);
}

#[tokio::test]
async fn at_a_service_that_closes_after_each_answer_few_creates_break_and_none_goes_twice() {
    let stub = Stub::start(|seen| match fine(seen) {
        Act::Answer(status, body) => Act::AnswerAndClose(status, body),
        other => other,
    })
    .await;
    let client = stub.client();
    let mut broken = 0;
    for n in 0..60 {
        broken += u32::from(client.create(&order(&n.to_string())).await.is_err());
    }
    assert!(broken <= 1, "{broken}");
    let names: Vec<String> = stub
        .seen(CREATE)
        .iter()
        .map(|seen| seen.json()["order_id"].to_string())
        .collect();
    let once: HashSet<&String> = names.iter().collect();
    assert_eq!(names.len(), once.len());
}

#[tokio::test]
async fn a_read_that_breaks_on_its_own_connection_too_is_not_repeated() {
    let stub = Stub::start(|seen| {
        if seen.line.contains(PRODUCTS) {
            Act::Close
        } else {
            fine(seen)
        }
    })
    .await;
    let client = stub.client();
    let failure = client.list_products(None, 20, 0).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Unknown);
    assert_eq!(stub.seen(PRODUCTS).len(), 2, "once more at once");
    client.list_products(None, 20, 0).await.unwrap_err();
    assert_eq!(stub.seen(PRODUCTS).len(), 3);
}

#[tokio::test]
async fn connections_are_kept_where_an_answer_only_comes_too_late() {
    let stub = Stub::start(|seen| {
        if seen.line.contains(CREATE) {
            Act::Hang
        } else {
            fine(seen)
        }
    })
    .await;
    let mut settings = stub.settings();
    settings.timeout = Duration::from_millis(300);
    let client = Client::new(settings).unwrap();
    client.create(&order("1")).await.unwrap_err();
    for n in 0..3 {
        client.list_products(None, 20, n).await.unwrap();
    }
    assert_eq!(stub.seen(CREATE).len(), 1);
    assert!(answered(&stub.seen(PRODUCTS)) <= 1);
}
