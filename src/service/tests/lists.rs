//! A page of the order list that shows no order.

use super::super::{Heard, Verdict};
use super::answers::{saying, two_days};

#[tokio::test]
async fn an_empty_list_that_names_an_error_proves_nothing() {
    for (body, is_empty) in [
        (r#"{"status":200,"orders":[],"length":0}"#, true),
        (
            r#"{"status":200,"message":"no orders","error":null,"errors":[],"orders":[],"length":0}"#,
            true,
        ),
        (
            r#"{"status":200,"error":"index rebuilding","orders":[],"length":0}"#,
            false,
        ),
        (
            r#"{"status":200,"errors":["index rebuilding"],"orders":null,"length":0}"#,
            false,
        ),
    ] {
        let page = saying(body).await.client().list_orders(&two_days()).await;
        match page {
            Ok(page) => assert!(is_empty && page.value.shown() == 0, "{body}"),
            Err(failure) => {
                assert!(!is_empty, "{body}: {failure}");
                assert_eq!(
                    (failure.verdict, failure.heard),
                    (Verdict::Unknown, Heard::Odd(200))
                );
            }
        }
    }
}

#[tokio::test]
async fn an_order_that_is_shown_is_there_whatever_error_is_named_beside_it() {
    let stub = saying(r#"{"status":200,"error":"two are missing","orders":[{"pw_order_id":"P1"}]}"#).await;
    let page = stub.client().list_orders(&two_days()).await.unwrap();
    assert_eq!(page.value.orders[0].pw_order_id, "P1");
}
