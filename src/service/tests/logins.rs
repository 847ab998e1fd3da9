//! One login for everybody, and none without need.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::super::token::Tokens;
use super::super::{Client, Heard, Verdict};
use super::stub::{Act, Seen, Stub, fine, order, refusing};

const LOGIN: &str = "auth/token";

/// A service whose tokens are `T1`, `T2`, … by login, and which takes only the newest.
async fn with_tokens() -> (Stub, Arc<AtomicUsize>) {
    let newest = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&newest);
    let stub = Stub::start(move |seen: &Seen| {
        if seen.line.contains(LOGIN) {
            if seen.body.is_empty() {
                return Act::Answer(200, String::new());
            }
            let n = counter.fetch_add(1, Ordering::SeqCst) + 1;
            return Act::Answer(
                200,
                format!(r#"{{"status":200,"result":{{"access_token":"T{n}"}}}}"#),
            );
        }
        if seen.header("pw-access-token") == format!("T{}", counter.load(Ordering::SeqCst)) {
            return fine(seen);
        }
        Act::Answer(401, r#"{"status":401,"message":"token expired"}"#.into())
    })
    .await;
    (stub, newest)
}

#[tokio::test]
async fn a_token_that_expires_among_sixteen_requests_is_one_login() {
    let (stub, newest) = with_tokens().await;
    let client = Arc::new(stub.client());
    client.create(&order("0")).await.unwrap();
    // Another client of the account logs in, and ours ends.
    newest.fetch_add(1, Ordering::SeqCst);
    let creates: Vec<_> = (1..=16)
        .map(|n| {
            let client = Arc::clone(&client);
            tokio::spawn(async move { client.create(&order(&n.to_string())).await.map(drop) })
        })
        .collect();
    for create in creates {
        create.await.unwrap().unwrap();
    }
    let logins = stub.seen(LOGIN);
    assert_eq!(logins.len(), 2, "the first, and one for all sixteen");
    assert!(
        logins.iter().all(|seen| seen.line.starts_with("POST ")),
        "never by PUT"
    );
}

#[tokio::test]
async fn a_token_turned_away_after_a_new_login_stops_the_account() {
    let stub = Stub::start(|seen| match fine(seen) {
        login if seen.line.contains(LOGIN) => login,
        _ => Act::Answer(403, r#"{"status":403,"message":"no"}"#.into()),
    })
    .await;
    let failure = stub.client().create(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Credentials);
    assert_eq!(failure.service_message.as_deref(), Some("no"));
    assert_eq!(stub.seen("create-new-order").len(), 2);
}

#[tokio::test]
async fn a_new_token_is_a_refusal_only_until_the_service_has_taken_it() {
    let tokens = Tokens::new(&Stub::start(fine).await.settings());
    let first = tokens.current(async || Ok("T1".into())).await.unwrap();
    tokens.note_good(&first);
    let second = tokens.other_than(&first, async || Ok("T2".into())).await.unwrap();
    assert!(
        tokens.is_turned_away(&second),
        "what was taken before says nothing of it"
    );
    tokens.note_good(&second);
    assert!(
        !tokens.is_turned_away(&second),
        "it was good, and has ended since"
    );
}

/// A service that takes only the token of the newest login, once `ended` more logins were made, and answers any other
/// 401 with this body.
async fn ending_with(body: &'static str, ended: usize) -> (Stub, Arc<AtomicUsize>) {
    let newest = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&newest);
    let stub = Stub::start(move |seen: &Seen| {
        if seen.line.contains(LOGIN) {
            if seen.body.is_empty() {
                return Act::Answer(200, String::new());
            }
            let n = counter.fetch_add(1, Ordering::SeqCst) + 1;
            return Act::Answer(
                200,
                json!({"status": 200, "result": {"access_token": format!("T{n}")}}).to_string(),
            );
        }
        let newest = counter.load(Ordering::SeqCst);
        if newest > ended && seen.header("pw-access-token") == format!("T{newest}") {
            return fine(seen);
        }
        Act::Answer(401, body.into())
    })
    .await;
    (stub, newest)
}

/// What comes with a 401 that no interface writes.
const ODD_BODIES: [&str; 4] = [
    "<html>Unauthorized</html>",
    "",
    r#"{"status":0}"#,
    r#"{"status":false}"#,
];

#[tokio::test]
async fn a_read_whose_token_has_ended_is_asked_again_whatever_comes_with_the_401() {
    for body in ODD_BODIES {
        let (stub, _newest) = ending_with(body, 1).await;
        let client = stub.client();
        client.list_products(None, 20, 1).await.unwrap();
        assert_eq!(stub.seen(LOGIN).len(), 2, "{body}");
        assert_eq!(stub.seen("products/list").len(), 2, "{body}");
    }
}

#[tokio::test]
async fn a_create_whose_401_is_not_the_interface_s_stays_unknown_and_the_next_one_logs_in() {
    for body in ODD_BODIES {
        let (stub, _newest) = ending_with(body, 1).await;
        let folder = tempfile::tempdir().unwrap();
        let mut settings = stub.settings();
        settings.token_file = Some(folder.path().join("token"));
        let client = Client::new(settings.clone()).unwrap();
        let failure = client.create(&order("1")).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Unknown, "{body}");
        assert_eq!(stub.seen("create-new-order").len(), 1, "{body}");
        client.create(&order("2")).await.unwrap();
        assert_eq!(stub.seen(LOGIN).len(), 2, "{body}");
        // The one that has ended is not what the next run begins with.
        Client::new(settings).unwrap().create(&order("3")).await.unwrap();
        assert_eq!(stub.seen(LOGIN).len(), 2, "{body}");
    }
}

#[tokio::test]
async fn a_token_that_has_ended_gives_way_to_one_that_another_process_has_kept() {
    let (stub, _newest) = ending_with("", 1).await;
    let folder = tempfile::tempdir().unwrap();
    let mut settings = stub.settings();
    settings.token_file = Some(folder.path().join("token"));
    let (daemon, check) = (
        Client::new(settings.clone()).unwrap(),
        Client::new(settings).unwrap(),
    );
    let failure = daemon.create(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Unknown);
    check.log_in().await.unwrap();
    daemon.create(&order("2")).await.unwrap();
    assert_eq!(stub.seen(LOGIN).len(), 2);
}

#[tokio::test]
async fn a_password_that_was_accepted_is_not_refused_because_another_login_ends_the_token() {
    let (stub, _newest) = ending_with(r#"{"status":401,"message":"token expired"}"#, 7).await;
    let client = stub.client();
    let mut failures = Vec::new();
    while let Err(failure) = client.create(&order("1")).await {
        assert_eq!(failure.verdict, Verdict::NotSent, "{failure}");
        assert_eq!(failure.heard, Heard::NoToken, "{failure}");
        failures.push(failure);
    }
    assert!((2..=7).contains(&failures.len()), "{failures:?}");
    assert!(stub.seen(LOGIN).len() <= 9);
}

#[tokio::test(start_paused = true)]
async fn tokens_that_are_turned_away_for_a_minute_show_that_none_is_taken() {
    let tokens = Tokens::new(&Stub::start(fine).await.settings());
    let mut token = tokens.current(async || Ok("T0".into())).await.unwrap();
    let mut shows = Vec::new();
    for round in 0..8 {
        shows.push(tokens.note_refused(&token));
        tokio::time::advance(std::time::Duration::from_secs(12)).await;
        token = tokens
            .other_than(&token, async || Ok(format!("T1{round}").into()))
            .await
            .unwrap();
    }
    assert_eq!(shows, [false, false, false, false, false, true, true, true]);
    tokens.note_good(&token);
    assert!(!tokens.note_refused(&token), "one was taken in between");
}

#[tokio::test]
async fn a_wrong_password_is_tried_once_until_somebody_asks_for_it() {
    let wrong = |_: &Seen| Act::Answer(401, r#"{"status":401,"message":"wrong password"}"#.into());
    let stub = Stub::start(wrong).await;
    let client = stub.client();
    for _ in 0..3 {
        let failure = client.quote(&order("1")).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Credentials);
        assert_eq!(failure.operation, "calculate-price-order");
    }
    assert_eq!(stub.seen("").len(), 1, "one login, and nothing else");
    assert_eq!(client.log_in().await.unwrap_err().verdict, Verdict::Credentials);
    assert_eq!(stub.seen("").len(), 2);
}

#[tokio::test]
async fn a_login_without_an_answer_leaves_the_create_unsent() {
    let stub = Stub::start(|_| Act::Answer(500, "<html>".into())).await;
    let failure = stub.client().create(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::NotSent);
    assert!(stub.seen("create-new-order").is_empty());
}

#[tokio::test]
async fn a_token_is_kept_for_the_next_run_and_for_its_own_account() {
    let (stub, _newest) = with_tokens().await;
    let folder = tempfile::tempdir().unwrap();
    let mut settings = stub.settings();
    settings.token_file = Some(folder.path().join("new/token"));
    for _ in 0..2 {
        let client = Client::new(settings.clone()).unwrap();
        client.create(&order("1")).await.unwrap();
    }
    assert_eq!(stub.seen(LOGIN).len(), 1);
    let mode = std::fs::metadata(folder.path().join("new/token"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    settings.email = "other@example.com".into();
    let other = Client::new(settings).unwrap();
    other.create(&order("2")).await.unwrap();
    assert_eq!(stub.seen(LOGIN).len(), 2, "another account's token is not used");
}

#[tokio::test]
async fn a_token_that_another_process_has_got_is_used_before_a_login() {
    let (stub, _newest) = with_tokens().await;
    let folder = tempfile::tempdir().unwrap();
    let mut settings = stub.settings();
    settings.token_file = Some(folder.path().join("token"));
    let (daemon, check) = (
        Client::new(settings.clone()).unwrap(),
        Client::new(settings).unwrap(),
    );
    daemon.create(&order("1")).await.unwrap();
    check.log_in().await.unwrap();
    daemon.create(&order("2")).await.unwrap();
    assert_eq!(stub.seen(LOGIN).len(), 2);
}

#[tokio::test]
async fn nothing_that_can_be_printed_holds_a_secret() {
    let (stub, _newest) = with_tokens().await;
    let client = stub.client();
    client.create(&order("1")).await.unwrap();
    let printed = format!("{client:?}");
    assert!(
        !printed.contains("pass-of-the-shop") && !printed.contains("T1"),
        "{printed}"
    );
    let (_socket, base_url) = refusing();
    let mut settings = stub.settings();
    settings.base_url.clone_from(&base_url);
    let failure = Client::new(settings)
        .unwrap()
        .create(&order("1"))
        .await
        .unwrap_err();
    let printed = format!("{failure} {failure:?}");
    assert!(
        !printed.contains(base_url.trim_start_matches("http://")) && !printed.contains("pass-of"),
        "{printed}"
    );
}
