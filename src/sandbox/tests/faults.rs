//! What goes wrong on purpose, and what it leaves behind.

use std::time::Duration;

use serde_json::json;

use super::super::*;
use super::*;

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
    let late = Duration::from_mins(1);
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
        ("redirect", Some(307)),
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
        per: Duration::from_hours(1),
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
    let list_lag = Duration::from_mins(2);
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
    sandbox.advance_clock(Duration::from_hours(1));
    assert_eq!(client.listed("").await, ["1"]);
    sandbox.freeze_list(false);
    assert_eq!(client.listed("").await, ["2", "1"]);
}

#[tokio::test]
async fn an_order_that_is_left_out_is_not_listed_though_its_name_is_taken() {
    let (sandbox, client) = with(Options {
        repeated_create: Repeated::Refused,
        ..Options::default()
    })
    .await;
    sandbox.leave_out_of_list(Some("1"));
    client.create("1").await.unwrap();
    client.create("2").await.unwrap();
    assert_eq!(client.listed("").await, ["2"]);
    assert!(!sandbox.orders()[0].visible);
    assert_eq!(client.create("1").await.unwrap().0, 400);
    sandbox.leave_out_of_list(None);
    assert_eq!(client.listed("").await, ["2", "1"]);
}

#[tokio::test]
async fn a_wrong_order_id_is_that_of_another_order() {
    let (sandbox, client) = calm().await;
    client.create("1001").await.unwrap();
    sandbox.set_fault("wrong-order-id=1").unwrap();
    let (_, answer) = client.create("1002").await.unwrap();
    assert_eq!(
        answer["data"],
        json!({"pwOrderId": "PW-100001", "orderId": "1001"})
    );
    assert_eq!(names(&sandbox), ["1001", "1002"]);
}

#[tokio::test]
async fn another_id_is_one_that_the_list_does_not_show() {
    let (sandbox, client) = calm().await;
    sandbox.set_fault("other-id=1").unwrap();
    let (_, answer) = client.create("1001").await.unwrap();
    assert_eq!(
        answer["data"],
        json!({"pwOrderId": "internal/PW-100001", "orderId": "1001"})
    );
    assert_eq!(sandbox.orders()[0].pw_order_id, "PW-100001");
}

#[tokio::test]
async fn a_former_id_is_that_of_the_order_before() {
    let (sandbox, client) = calm().await;
    sandbox.set_fault("former-id=1").unwrap();
    for (name, id) in [
        ("1001", "PW-100001"),
        ("1002", "PW-100001"),
        ("1003", "PW-100002"),
    ] {
        let (_, answer) = client.create(name).await.unwrap();
        assert_eq!(answer["data"], json!({"pwOrderId": id, "orderId": name}));
    }
    assert_eq!(names(&sandbox), ["1001", "1002", "1003"]);
}

#[tokio::test]
async fn a_slow_answer_comes_after_its_order() {
    let slow = Duration::from_hours(1);
    let (sandbox, client) = with(Options {
        slow,
        ..Options::default()
    })
    .await;
    sandbox.set_fault("slow-create=1").unwrap();
    let asked = tokio::spawn(async move { client.create("1").await });
    while sandbox.orders().is_empty() {
        tokio::task::yield_now().await;
    }
    assert!(!asked.is_finished());
    asked.abort();
}

#[tokio::test]
async fn retry_after_says_what_it_was_told() {
    let date = RetryAfter::DateIn(60);
    for (retry_after, expected) in [
        (RetryAfter::Text("soon".to_owned()), Some("soon")),
        (RetryAfter::Absent, None),
        (date, Some("GMT")),
    ] {
        let (sandbox, client) = with(Options {
            retry_after,
            ..Options::default()
        })
        .await;
        sandbox.set_fault("rate-limit=1").unwrap();
        let response = client
            .send("POST", "orders/create-new-order", &order("1"))
            .await
            .unwrap();
        let header = response
            .headers()
            .get("retry-after")
            .map(|value| value.to_str().unwrap());
        assert_eq!(header.is_some(), expected.is_some());
        assert!(
            header.unwrap_or_default().ends_with(expected.unwrap_or_default()),
            "{header:?}"
        );
    }
}
