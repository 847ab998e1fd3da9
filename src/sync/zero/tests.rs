//! Page 0 where it fails: what it is taken for by readings of whole lists.

use serde_json::{Value, json};

use super::*;
use crate::service::tests::stub::{Act, Seen, Stub, fine};
use crate::sync::reading::Reading;
use crate::sync::{FirstPage, ReadError};

/// A service's order list, but for its page 0.
#[derive(Clone, Copy)]
struct Shows {
    first: u64,
    orders: usize,
    /// A page past the end is the last one over again.
    repeats: bool,
    ignores_search: bool,
    counts: Option<usize>,
}

/// A list that begins at page 1.
const FROM_1: Shows = Shows {
    first: 1,
    orders: 3,
    repeats: false,
    ignores_search: false,
    counts: None,
};

impl Shows {
    fn page(self, query: &Value) -> Act {
        let search = query["search"].as_str().filter(|_| !self.ignores_search);
        let is_found = |id: &usize| search.is_none_or(|search| search == format!("PW{id}"));
        let ids: Vec<usize> = (0..self.orders).filter(is_found).collect();
        let pages: Vec<&[usize]> = ids.chunks(usize::from(PAGE)).collect();
        let asked = query["page"].as_u64().unwrap().saturating_sub(self.first);
        let last = u64::try_from(pages.len()).unwrap().saturating_sub(1);
        let at = if self.repeats { asked.min(last) } else { asked };
        let shown = pages
            .get(usize::try_from(at).unwrap())
            .copied()
            .unwrap_or_default();
        let order = |id: &usize| json!({"pw_order_id": format!("PW{id}"), "order_name": id.to_string()});
        let orders: Vec<Value> = shown.iter().map(order).collect();
        let page = json!({"status": 200, "limit": PAGE, "length": self.counts, "orders": orders});
        Act::Answer(200, page.to_string())
    }

    /// The service, whose page 0 is what `zero` says to each query, or what the list has.
    async fn with_zero(self, zero: impl Fn(&Value) -> Option<Act> + Send + Sync + 'static) -> Stub {
        Stub::start(move |seen: &Seen| {
            let query = seen.json();
            match query["page"].as_u64() {
                None => fine(seen),
                Some(0) => zero(&query).unwrap_or_else(|| self.page(&query)),
                Some(_) => self.page(&query),
            }
        })
        .await
    }
}

fn broken() -> Act {
    Act::Answer(500, r#"{"status":500,"message":"negative offset"}"#.into())
}

/// What a reading comes to: the orders that it has shown, and whether it is whole.
async fn read(list: List<'_>, search: Option<&str>) -> Result<usize, ReadError> {
    let days = ["2026-11-01T00:00:00", "2026-11-08T00:00:00"].map(|day| day.parse().unwrap());
    let mut reading = Reading::new(list, (days[0], days[1]), search);
    let mut shown = 0;
    while let Some((orders, _date)) = reading.next().await? {
        shown += orders.len();
    }
    Ok(shown)
}

/// The same of a service that nothing is known of.
async fn read_anew(stub: &Stub, is_new: bool) -> Result<usize, ReadError> {
    let (client, first_page) = (stub.client(), FirstPage::default());
    read(List::new(&client, &first_page).in_a_walk(is_new), None).await
}

fn is_told(read: &Result<usize, ReadError>) -> bool {
    let Err(ReadError::Failed(failure)) = read else {
        return false;
    };
    failure
        .detail
        .contains("page 0 of the order list fails while page 1 answers")
        && failure.verdict == Verdict::Unknown
}

#[tokio::test]
async fn page_0_that_is_turned_away_as_the_client_s_error_is_none_where_page_1_answers() {
    for (http, body) in [
        (400, "<html>bad request"),
        (404, ""),
        (405, r#"{"status":405}"#),
        (409, r#"{"status":409}"#),
        (416, r#"{"status":416}"#),
        (200, r#"{"status":416}"#),
        (200, r#"{"status":200,"message":"no page 0"}"#),
    ] {
        for orders in [0, 3] {
            let shows = Shows { orders, ..FROM_1 };
            let stub = shows
                .with_zero(move |_| Some(Act::Answer(http, body.into())))
                .await;
            let read = read_anew(&stub, false).await;
            assert_eq!(read.ok(), Some(orders), "{http} {body}");
        }
    }
}

#[tokio::test]
async fn page_0_that_is_not_answered_or_speaks_of_the_account_or_the_pace_is_not_none() {
    for act in [
        Act::Answer(403, r#"{"status":403}"#.into()),
        Act::Answer(408, "<html>".into()),
        Act::Answer(425, r#"{"status":425}"#.into()),
        Act::AnswerWith(429, "retry-after: 600", r#"{"status":429}"#.into()),
        Act::Close,
    ] {
        let zero = act.clone();
        let stub = FROM_1.with_zero(move |_| Some(zero.clone())).await;
        let read = read_anew(&stub, true).await;
        assert!(read.is_err() && !is_told(&read), "{act:?}: {read:?}");
    }
}

#[tokio::test]
async fn page_0_that_is_turned_away_for_a_moment_is_not_none() {
    // A gateway that knows of no service for the first moment; the orders are on page 0.
    for (http, body) in [
        (404, "<html>"),
        (409, r#"{"status":409}"#),
        (200, r#"{"status":200}"#),
    ] {
        let stub = Shows { first: 0, ..FROM_1 }
            .with_zero(move |query| {
                let is_for_nobody = query["search"].is_string();
                (!is_for_nobody).then(|| Act::Answer(http, body.into()))
            })
            .await;
        let read = read_anew(&stub, false).await;
        assert!(is_told(&read), "{http} {body}: {read:?}");
    }
}

#[tokio::test]
async fn page_0_that_always_fails_is_none_once_a_search_has_proved_that_the_first_page_is_1() {
    let stub = FROM_1.with_zero(|_query| Some(broken())).await;
    let (client, first_page) = (stub.client(), FirstPage::default());
    let list = List::new(&client, &first_page);
    assert_eq!(read(list, None).await.ok(), Some(3));
    let before = stub.seen("orders/list").len();
    assert_eq!(read(list, Some("PW1")).await.ok(), Some(1));
    assert_eq!(read(list, Some("absent")).await.ok(), Some(0));
    assert_eq!(
        stub.seen("orders/list").len(),
        before + 3 + 2,
        "nothing is proved twice"
    );
}

#[tokio::test]
async fn the_proof_is_sought_further_back_where_nothing_was_entered_lately() {
    let stub = Stub::start(|seen| {
        let query = seen.json();
        let is_long = query["created_at_min"]
            .as_str()
            .is_some_and(|from| from < "2026-10-20");
        let orders = if is_long { 3 } else { 0 };
        match query["page"].as_u64() {
            None => fine(seen),
            Some(0) => broken(),
            Some(_) => Shows { orders, ..FROM_1 }.page(&query),
        }
    })
    .await;
    let (client, first_page) = (stub.client(), FirstPage::default());
    assert_eq!(
        read(List::new(&client, &first_page), Some("absent")).await.ok(),
        Some(0)
    );
    let asked = stub.seen("orders/list");
    assert!(
        asked
            .iter()
            .any(|seen| seen.json()["created_at_min"] == "2026-10-08 00:00:00")
    );
}

#[tokio::test]
async fn page_0_of_a_list_that_begins_there_is_never_taken_for_none_however_long_it_fails() {
    let from_0 = Shows { first: 0, ..FROM_1 };
    for shows in [
        Shows { orders: 0, ..from_0 },
        from_0,
        Shows {
            orders: 450,
            ..from_0
        },
        Shows {
            repeats: true,
            ..from_0
        },
        Shows {
            repeats: true,
            orders: 450,
            ..from_0
        },
        Shows {
            ignores_search: true,
            orders: 201,
            ..from_0
        },
    ] {
        let stub = shows.with_zero(|_query| Some(broken())).await;
        let (client, first_page) = (stub.client(), FirstPage::default());
        let list = List::new(&client, &first_page);
        for search in [None, Some("PW1"), Some("absent"), None] {
            let read = read(list, search).await;
            assert!(is_told(&read), "{} orders, {search:?}: {read:?}", shows.orders);
        }
        let failure = zero_fails(list, &crate::clock::Clock::system().now()).await;
        assert!(failure.is_some(), "the doctor says so");
    }
}

#[tokio::test]
async fn page_0_that_has_shown_orders_and_fails_is_asked_for_again_and_no_other() {
    let fails = std::sync::Arc::new(AtomicBool::default());
    let zero = std::sync::Arc::clone(&fails);
    let from_0 = Shows { first: 0, ..FROM_1 };
    let stub = from_0
        .with_zero(move |_query| zero.load(Ordering::SeqCst).then(broken))
        .await;
    let (client, first_page) = (stub.client(), FirstPage::default());
    let list = List::new(&client, &first_page);
    assert_eq!(read(list, None).await.ok(), Some(3));
    fails.store(true, Ordering::SeqCst);
    let before = stub.seen("orders/list").len();
    let read = read(list, Some("absent")).await;
    let Err(ReadError::Failed(failure)) = read else {
        panic!("{read:?}")
    };
    assert_eq!(failure.heard, Heard::Said(500));
    assert_eq!(stub.seen("orders/list").len(), before + 1);
}

#[tokio::test]
async fn of_an_account_without_an_order_page_0_that_goes_on_failing_counts_as_none_in_a_walk() {
    let empty = Shows { orders: 0, ..FROM_1 };
    let stub = empty.with_zero(|_query| Some(broken())).await;
    let began = Instant::now();
    assert_eq!(read_anew(&stub, true).await.ok(), Some(0));
    assert!(began.elapsed() >= FOR);
    let zeros = stub.seen("orders/list");
    let zeros = zeros.iter().filter(|seen| seen.json()["page"] == 0);
    assert!(zeros.count() > 3);
    // Where an order is known, or the list counts one.
    assert!(is_told(&read_anew(&stub, false).await));
    let counting = Shows {
        counts: Some(1),
        ..empty
    };
    assert!(is_told(
        &read_anew(&counting.with_zero(|_query| Some(broken())).await, true).await
    ));
}

#[tokio::test]
async fn of_an_account_without_an_order_page_0_that_fails_for_its_orders_alone_is_not_none() {
    let stub = Shows { first: 0, ..FROM_1 }
        .with_zero(|query| query["search"].is_null().then(broken))
        .await;
    let read = read_anew(&stub, true).await;
    assert!(is_told(&read), "{read:?}");
}

#[test]
fn a_failure_counts_once_it_has_come_three_times_in_five_seconds() {
    let (zero, start) = (Zero::default(), Instant::now());
    let after = |seconds: u64| start + Duration::from_secs(seconds);
    assert_eq!(zero.failed(start), Some(PAUSE));
    assert_eq!(zero.failed(after(9)), Some(PAUSE), "twice");
    assert_eq!(zero.failed(after(9)), None);
    zero.forget();
    for _ in 0..4 {
        assert_eq!(zero.failed(after(20)), Some(PAUSE), "at once");
    }
    assert_eq!(zero.failed(after(25)), None);
}
