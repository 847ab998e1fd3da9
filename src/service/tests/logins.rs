//! One login for everybody, and none without need.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::super::token::{Served, Tokens};
use super::super::{Client, Heard, Verdict};
use super::stub::{Act, Seen, Stub, fine, order, refusing};

const LOGIN: &str = "auth/token";

/// A service whose tokens are `T1`, `T2`, … by login, and which takes only the newest.
async fn with_tokens() -> (Stub, Arc<AtomicUsize>) {
    ending_with(r#"{"status":401,"message":"token expired"}"#, 0).await
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

/// A service that accepts each login, with a token of its own, and answers these operations with this code.
async fn denying(parts: &'static [&'static str], code: u16) -> Stub {
    let logins = AtomicUsize::new(0);
    Stub::start(move |seen| {
        if seen.line.contains(LOGIN) {
            let n = if seen.body.is_empty() {
                0
            } else {
                logins.fetch_add(1, Ordering::SeqCst) + 1
            };
            let token = json!({"status": 200, "result": {"access_token": format!("T{n}")}});
            return Act::Answer(200, token.to_string());
        }
        if parts.iter().any(|part| seen.line.contains(part)) {
            let body = json!({"status": code, "message": "account blocked"});
            return Act::Answer(code, body.to_string());
        }
        fine(seen)
    })
    .await
}

#[tokio::test]
async fn what_is_turned_away_after_a_new_login_too_stops_the_account_and_is_not_tried_again() {
    for (code, heard) in [(401, Heard::NoToken), (403, Heard::Denied)] {
        let stub = denying(&["create-new-order"], code).await;
        let client = stub.client();
        // The token that creates are refused with is good for what only reads.
        client.list_products(None, 20, 1).await.unwrap();
        let ids: Vec<String> = (1..=16).map(|n| n.to_string()).collect();
        let creates = ids.iter().map(async |id| client.create(&order(id)).await);
        for created in futures_util::future::join_all(creates).await {
            let failure = created.unwrap_err();
            assert_eq!((failure.verdict, failure.heard), (Verdict::Credentials, heard));
            assert_eq!(
                failure.to_string(),
                format!("create-new-order: HTTP {code}, “account blocked”")
            );
        }
        assert_eq!(stub.seen(LOGIN).len(), 2, "{code}: one new login for everybody");
        let creates = stub.seen("create-new-order");
        for id in &ids {
            let sent = creates.iter().filter(|seen| seen.json()["order_id"] == **id);
            assert!(sent.count() <= 2, "{code}: order {id}");
        }
        // Whatever is asked from here on, nothing is sent, until the password is another one.
        let all = stub.seen("").len();
        let later = client.create(&order("17")).await.unwrap_err();
        assert_eq!((later.verdict, later.heard), (Verdict::Credentials, heard));
        client.list_products(None, 20, 1).await.unwrap_err();
        assert_eq!(stub.seen("").len(), all, "{code}");
        assert!(client.take_password(&"another".into()).await);
        client.list_products(None, 20, 1).await.unwrap();
        assert_eq!(stub.seen(LOGIN).len(), 3, "{code}");
    }
}

#[tokio::test]
async fn a_create_that_is_turned_away_while_reads_are_not_is_tried_with_two_new_tokens_at_most() {
    let stub = denying(&["create-new-order"], 401).await;
    let client = Arc::new(stub.client());
    let reading = Arc::clone(&client);
    // Each new token serves a read before it is tried for the create.
    let reads = tokio::spawn(async move { while reading.quote(&order("2")).await.is_ok() {} });
    let failure = client.create(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Credentials, "{failure}");
    reads.await.unwrap();
    assert!((2..=3).contains(&stub.seen("create-new-order").len()));
    assert!((2..=3).contains(&stub.seen(LOGIN).len()));
}

#[tokio::test]
async fn a_new_token_is_a_refusal_only_until_the_service_has_taken_it() {
    let tokens = Tokens::new(&Stub::start(fine).await.settings());
    let first = tokens.current(async || Ok("T1".into())).await.unwrap();
    assert_eq!(tokens.served(&first, "create"), Served::Nothing);
    tokens.note_good(&first, "create");
    let second = tokens.other_than(&first, async || Ok("T2".into())).await.unwrap();
    assert_eq!(
        tokens.served(&second, "create"),
        Served::Nothing,
        "what was taken before says nothing of it"
    );
    tokens.note_good(&second, "list");
    assert_eq!(tokens.served(&second, "create"), Served::Others);
    tokens.note_good(&second, "create");
    assert_eq!(
        tokens.served(&second, "create"),
        Served::This,
        "it was good, and has ended since"
    );
    // An answer to a request that left with an older one tells nothing.
    tokens.note_good(&first, "create");
    assert_eq!(tokens.served(&second, "create"), Served::This);
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
async fn a_token_that_another_process_has_kept_since_is_not_ours() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Stub::start(fine).await.settings();
    settings.token_file = Some(folder.path().join("token"));
    let tokens = Tokens::new(&settings);
    let ours = tokens.current(async || Ok("ours".into())).await.unwrap();
    assert!(!tokens.another_is_kept(&ours));
    // Where the service keeps one token for an account, that login has ended ours.
    Client::new(settings).unwrap().log_in().await.unwrap();
    assert!(tokens.another_is_kept(&ours));
}

#[tokio::test]
async fn a_read_that_is_turned_away_by_a_page_is_tried_again_later() {
    let (stub, _newest) = ending_with("<html>Unauthorized</html>", 2).await;
    let client = stub.client();
    let failure = client.list_products(None, 20, 1).await.unwrap_err();
    assert_eq!(
        (failure.verdict, failure.heard),
        (Verdict::NotSent, Heard::NoToken)
    );
    // What no interface writes says nothing of the account: it goes on once a token is taken.
    client.list_products(None, 20, 1).await.unwrap();
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

/// A service that takes only the token of the newest login, and answers any other with this code and these words.
async fn lapsing(code: u16, words: &'static str) -> (Stub, Arc<AtomicUsize>) {
    let newest = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&newest);
    let stub = Stub::start(move |seen: &Seen| {
        if seen.line.contains(LOGIN) {
            let n = counter.fetch_add(1, Ordering::SeqCst) + 1;
            let token = json!({"status": 200, "result": {"access_token": format!("T{n}")}});
            return Act::Answer(200, token.to_string());
        }
        if seen.header("pw-access-token") == format!("T{}", counter.load(Ordering::SeqCst)) {
            return fine(seen);
        }
        let body = json!({"status": 400, "message": words}).to_string();
        Act::Answer(code, body)
    })
    .await;
    (stub, newest)
}

#[tokio::test]
async fn a_token_that_ends_with_a_refusal_in_words_is_one_login_and_no_order_is_refused_for_it() {
    for code in [200, 400] {
        let (stub, newest) = lapsing(code, "Access token is invalid or expired").await;
        let client = stub.client();
        client.create(&order("0")).await.unwrap();
        for _ in 0..2 {
            newest.fetch_add(1, Ordering::SeqCst);
            let ids: Vec<String> = (1..=8).map(|n| n.to_string()).collect();
            let creates = ids.iter().map(async |id| client.create(&order(id)).await);
            let created = futures_util::future::join_all(creates).await;
            assert!(created.iter().all(Result::is_ok), "{code}: {created:?}");
            newest.fetch_add(1, Ordering::SeqCst);
            client.list_products(None, 20, 1).await.unwrap();
        }
        assert_eq!(stub.seen(LOGIN).len(), 5, "{code}: the first, and one each time");
    }
}

#[tokio::test]
async fn tokens_that_end_with_a_refusal_in_words_after_a_few_requests_cost_no_order() {
    let (newest, uses) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let stub = Stub::start(move |seen: &Seen| {
        if seen.line.contains(LOGIN) {
            uses.store(0, Ordering::SeqCst);
            let n = newest.fetch_add(1, Ordering::SeqCst) + 1;
            let token = json!({"status": 200, "result": {"access_token": format!("T{n}")}});
            return Act::Answer(200, token.to_string());
        }
        let is_newest = seen.header("pw-access-token") == format!("T{}", newest.load(Ordering::SeqCst));
        if is_newest && uses.fetch_add(1, Ordering::SeqCst) < 5 {
            return fine(seen);
        }
        Act::Answer(400, json!({"status": 400, "message": "jwt expired"}).to_string())
    })
    .await;
    let client = stub.client();
    let mut left: Vec<String> = (1..=40).map(|n| n.to_string()).collect();
    for _round in 0..10 {
        let creates = left
            .iter()
            .map(async |id| (id.clone(), client.create(&order(id)).await));
        let created = futures_util::future::join_all(creates).await;
        let failed = created
            .into_iter()
            .filter_map(|(id, created)| Some((id, created.err()?)));
        // None is refused: what is turned away too often is sent later.
        let verdict_of = |(id, failure): (String, super::super::Failure)| {
            assert_eq!(failure.verdict, Verdict::NotSent, "{failure}");
            id
        };
        left = failed.map(verdict_of).collect();
    }
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn what_is_refused_in_such_words_while_its_token_is_taken_is_refused_and_leaves_once() {
    let stub = Stub::start(|seen| {
        let id = seen.json()["order_id"].as_str().unwrap_or_default().to_owned();
        if !seen.line.contains("create-new-order") || id == "good" {
            return fine(seen);
        }
        let words = format!("order {id}: the token of the artwork's link has expired");
        Act::Answer(400, json!({"status": 400, "message": words}).to_string())
    })
    .await;
    let client = stub.client();
    client.create(&order("good")).await.unwrap();
    for id in ["1", "2", "3", "14"] {
        let failure = client.create(&order(id)).await.unwrap_err();
        assert_eq!(failure.verdict, Verdict::Refused, "{failure}");
    }
    client.create(&order("good")).await.unwrap();
    assert_eq!(stub.seen(LOGIN).len(), 1, "nobody logs in for it");
    assert_eq!(stub.seen("create-new-order").len(), 6, "each left once");
}

#[tokio::test]
async fn what_is_refused_in_such_words_by_a_service_that_does_not_answer_then_is_looked_up() {
    let stub = Stub::start(|seen| {
        if seen.line.contains("create-new-order") {
            return Act::Answer(400, json!({"status": 400, "message": "jwt expired"}).to_string());
        }
        if seen.line.contains("orders/list") {
            return Act::Answer(503, String::new());
        }
        fine(seen)
    })
    .await;
    let failure = stub.client().create(&order("1")).await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Unknown, "{failure}");
    assert_eq!(stub.seen("create-new-order").len(), 1);
}

#[tokio::test]
async fn a_cancel_that_is_turned_away_speaks_of_its_order_where_the_token_is_taken_and_else_of_the_account() {
    let stub = denying(&["cancel-order"], 403).await;
    let client = stub.client();
    client.create(&order("1")).await.unwrap();
    let failure = client.cancel("PW-1", "1").await.unwrap_err();
    assert_eq!(
        (failure.verdict, failure.heard),
        (Verdict::Refused, Heard::Said(403))
    );
    client.create(&order("2")).await.unwrap();
    assert_eq!(stub.seen(LOGIN).len(), 2, "one new login");

    let stub = denying(&["cancel-order", "orders/list"], 403).await;
    let client = stub.client();
    client.create(&order("1")).await.unwrap();
    let failure = client.cancel("PW-1", "1").await.unwrap_err();
    assert_eq!(failure.verdict, Verdict::Credentials);
}
