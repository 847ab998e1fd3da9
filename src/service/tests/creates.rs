//! A create leaves at most once, whatever the connection does.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::super::{Client, Verdict};
use super::stub::{Act, Seen, Stub, created, fine, order, refusing};

const CREATE: &str = "create-new-order";

/// How often each order came, and that no client was told more than the server knows.
async fn rounds(client: Client, stub: &Stub, rounds: usize, at_once: usize) -> usize {
    let client = Arc::new(client);
    let mut answered = 0;
    for round in 0..rounds {
        // A read first, so that there is a kept connection to be closed under the create.
        drop(client.list_products(None, 20, 0).await);
        let creates: Vec<_> = (0..at_once)
            .map(|n| {
                let (client, id) = (Arc::clone(&client), format!("{round}-{n}"));
                tokio::spawn(async move { (client.create(&order(&id)).await, id) })
            })
            .collect();
        for create in creates {
            let (result, id) = create.await.unwrap();
            if let Ok(answer) = result {
                assert_eq!(answer.value.pw_order_id, format!("PW-{id}"));
                answered += 1;
            }
        }
    }
    let calls = rounds * at_once;
    assert!(stub.seen(CREATE).len() <= calls, "more creates than calls");
    let mut by_id: HashMap<String, usize> = HashMap::new();
    for seen in stub.seen(CREATE) {
        let id = seen.json()["order_id"].as_str().unwrap_or("cut").to_owned();
        *by_id.entry(id).or_default() += 1;
    }
    by_id.remove("cut");
    assert!(by_id.values().all(|times| *times == 1), "{by_id:?}");
    answered
}

async fn with_creates(act: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Stub {
    Stub::start(move |seen| {
        if seen.line.contains(CREATE) {
            act(seen)
        } else {
            fine(seen)
        }
    })
    .await
}

#[tokio::test]
async fn a_create_whose_connection_closes_is_not_sent_again() {
    type Script = fn(&Seen) -> Act;
    let moments: [(&str, Script); 4] = [
        ("at its first line", |_| Act::CloseAtFirstLine),
        ("before its answer", |_| Act::Close),
        ("within its answer", |seen| Act::Cut(200, created(seen))),
        ("after an early answer", |_| Act::AnswerEarly(500, "{}".into())),
    ];
    for (moment, act) in moments {
        let stub = with_creates(act).await;
        let client = stub.client();
        drop(client.list_products(None, 20, 0).await.unwrap());
        let failure = client.create(&order("1")).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Unknown, "closed {moment}: {failure}");
        assert_eq!(stub.seen(CREATE).len(), 1, "closed {moment}");
    }
}

#[tokio::test]
async fn a_kept_connection_that_closes_under_the_next_create_sends_nothing_twice() {
    // Every answer but a login's is followed by a close that was not announced: each next request races with it.
    let stub = Stub::start(|seen| match fine(seen) {
        Act::Answer(status, body) if !seen.line.contains("auth/") => Act::AnswerAndClose(status, body),
        other => other,
    })
    .await;
    let answered = rounds(stub.client(), &stub, 60, 4).await;
    assert!(answered > 0, "the race is not lost every time");
}

#[tokio::test]
async fn a_connection_that_closes_before_every_second_request_sends_nothing_twice() {
    let count = Arc::new(AtomicUsize::new(0));
    let stub = with_creates(move |seen| {
        if seen.body.is_empty() {
            return Act::Answer(200, String::new());
        }
        match count.fetch_add(1, Ordering::SeqCst) % 3 {
            0 => Act::Answer(200, created(seen)),
            1 => Act::AnswerAndClose(200, created(seen)),
            _ => Act::Close,
        }
    })
    .await;
    let answered = rounds(stub.client(), &stub, 30, 6).await;
    assert!(answered >= 60, "{answered}");
}

#[tokio::test]
async fn a_second_answer_is_never_taken_for_the_next_order_s() {
    let stub = with_creates(|seen| Act::AnswerTwice(200, created(seen))).await;
    let answered = rounds(stub.client(), &stub, 40, 2).await;
    assert!(answered > 0, "some answers are believed");
}

#[tokio::test]
async fn a_refused_connection_is_certainly_not_sent() {
    let stub = Stub::start(fine).await;
    let mut settings = stub.settings();
    let (_socket, base_url) = refusing();
    settings.base_url = base_url;
    let client = Client::new(settings).unwrap();
    let failure = client.create(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::NotSent);
    assert_eq!(failure.operation, CREATE);
}

#[tokio::test]
async fn a_create_that_is_not_answered_in_time_is_unknown() {
    let stub = with_creates(|_| Act::Hang).await;
    let mut settings = stub.settings();
    settings.timeout = std::time::Duration::from_millis(300);
    let client = Client::new(settings).unwrap();
    let failure = client.create(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Unknown);
    assert_eq!(stub.seen(CREATE).len(), 1);
}

#[tokio::test]
async fn a_redirect_of_a_create_is_not_followed() {
    for code in [301, 302, 303, 307, 308] {
        let stub =
            with_creates(move |_| Act::AnswerWith(code, "location: /elsewhere?key=s3cret", "{}".into()))
                .await;
        let failure = stub.client().create(&order("1")).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Unknown);
        assert!(stub.seen("elsewhere").is_empty());
        let told = format!(
            "HTTP {code}, moved to {}/elsewhere, which is not followed",
            stub.base_url
        );
        assert!(failure.detail.starts_with(&told), "{failure}");
        assert!(!failure.to_string().contains("s3cret"), "{failure}");
    }
}

#[tokio::test]
async fn of_a_login_that_is_redirected_the_place_is_told_and_nobody_asks_there() {
    let other = Stub::start(|_seen| Act::Answer(200, "{}".into())).await;
    for location in [
        "location: https://new.example.com/api/v2/auth/token",
        "location: ::",
    ] {
        let stub = Stub::start(move |_seen| Act::AnswerWith(308, location, "moved".into())).await;
        let failure = stub.client().sku_catalog().await.unwrap_err();
        let told = failure.to_string();
        assert!(told.contains("cannot log in: HTTP 308"), "{told}");
        assert_eq!(
            told.contains("set base_url = \"https://new.example.com\""),
            location.contains("new"),
            "{told}"
        );
        assert_eq!(stub.seen("").len(), 1);
    }
    let to_other: &'static str = format!("location: {}/api/v2/auth/token", other.base_url).leak();
    let stub = Stub::start(move |_seen| Act::AnswerWith(307, to_other, "{}".into())).await;
    let failure = stub.client().log_in().await.unwrap_err();
    assert!(failure.detail.contains(&other.base_url), "{failure}");
    assert!(other.seen("").is_empty());
}

#[tokio::test]
async fn an_answer_about_another_order_is_unknown() {
    for data in [
        r#"{"pwOrderId":"PW1","orderId":"other"}"#,
        r#"{"pwOrderId":"","orderId":"1"}"#,
        r#"{"orderId":"1"}"#,
        "null",
    ] {
        let body = format!(r#"{{"status":200,"message":"ok","data":{data}}}"#);
        let stub = with_creates(move |_| Act::Answer(200, body.clone())).await;
        let failure = stub.client().create(&order("1")).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Unknown, "{data}");
    }
}

#[tokio::test]
async fn our_own_id_may_come_back_as_a_number_and_one_that_lost_its_zeros_is_no_other_order_s() {
    for (own, repeated, is_created, is_another) in [
        ("1001", "1001", true, false),
        ("007", "7", false, false),
        ("007", r#""7""#, false, true),
    ] {
        let body = format!(r#"{{"status":200,"data":{{"pwOrderId":"PW1","orderId":{repeated}}}}}"#);
        let stub = with_creates(move |_| Act::Answer(200, body.clone())).await;
        let answer = stub.client().create(&order(own)).await;
        assert_eq!(answer.is_ok(), is_created, "{own} {repeated}");
        let made = answer.err().and_then(|failure| {
            assert_eq!(failure.verdict, Verdict::Unknown);
            failure.made
        });
        assert_eq!(made.is_some(), is_another, "{own} {repeated}");
    }
}

#[tokio::test]
async fn the_same_order_is_the_same_bytes() {
    let stub = Stub::start(fine).await;
    let client = stub.client();
    for _ in 0..2 {
        client.create(&order("1")).await.unwrap();
    }
    let seen = stub.seen(CREATE);
    assert_eq!(seen[0].body, seen[1].body);
}

#[tokio::test]
async fn what_is_no_answer_of_the_interface_is_unknown_and_sends_nothing_again() {
    for (status, body) in [
        (401, ""),
        (403, "<html>who are you?</html>"),
        (400, "<html>a proxy's word</html>"),
        (408, r#"{"status":408}"#),
        (409, r#"{"status":409}"#),
        (500, r#"{"status":400}"#),
        (503, ""),
        (200, "<html>try again later</html>"),
    ] {
        let stub = with_creates(move |_| Act::Answer(status, body.to_owned())).await;
        let failure = stub.client().create(&order("1")).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Unknown, "{status} {body}: {failure}");
        assert_eq!(stub.seen(CREATE).len(), 1, "{status} {body}");
    }
}

#[tokio::test]
async fn what_is_said_to_a_create_in_no_form_of_the_interface_is_passed_on() {
    for (status, body, says) in [
        (400, "Insufficient balance\n", Some("Insufficient balance")),
        (
            402,
            "<html><body><h1>Payment required</h1></body></html>",
            Some("Payment required"),
        ),
        (402, r#"{"status":402,"message":"Top up"}"#, Some("Top up")),
        (502, "<html><body>Bad gateway</body></html>", None),
        (400, "", None),
    ] {
        let stub = with_creates(move |_| Act::Answer(status, body.to_owned())).await;
        let failure = stub.client().create(&order("1")).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Unknown, "{status} {body}: {failure}");
        assert_eq!(failure.service_message.as_deref(), says, "{status} {body}");
        assert!(
            !failure.to_string().contains("nsufficient"),
            "{failure}: the log has none of it"
        );
    }
}

#[tokio::test]
async fn a_create_that_is_refused_with_the_name_of_an_order_may_be_there() {
    for (code, named, is_other) in [
        (200, "1", false),
        (400, "1", false),
        (400, "2", true),
        (422, "1", false),
    ] {
        let stub = with_creates(move |_seen| {
            let data = json!({"pwOrderId": "PW-9", "orderId": named});
            let body =
                json!({"status": if code == 200 { 400 } else { code }, "message": "exists", "data": data});
            Act::Answer(code, body.to_string())
        })
        .await;
        let failure = stub.client().create(&order("1")).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Unknown, "{code} {named}");
        assert_eq!(failure.made.is_some(), is_other, "{code} {named}");
    }
    for data in [
        json!({"pwOrderId": null, "orderId": "1"}),
        json!({"pwOrderId": "", "orderId": "1"}),
        json!([]),
    ] {
        let stub = with_creates(move |_seen| {
            Act::Answer(
                400,
                json!({"status": 400, "message": "no", "data": data}).to_string(),
            )
        })
        .await;
        let failure = stub.client().create(&order("1")).await.unwrap_err();
        assert_eq!(
            (failure.verdict, failure.made.is_some()),
            (Verdict::Refused, false)
        );
    }
}
