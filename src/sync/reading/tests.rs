use std::collections::HashSet;
use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::service::tests::stub::{Act, Seen, Stub, fine};
use crate::sync::FirstPage;

/// A list of which every page of every window has an order that no other has.
fn endless(seen: &Seen) -> Act {
    if !seen.line.contains("orders/list") {
        return fine(seen);
    }
    let query = seen.json();
    let id = format!(
        "PW {} {} {}",
        query["created_at_min"], query["created_at_max"], query["page"]
    );
    let page = json!({"status": 200, "orders": [{"pw_order_id": id, "order_name": "1001"}]});
    Act::Answer(200, page.to_string())
}

/// What a reading of a week comes to: the orders that it has shown, and whether it is whole.
async fn read(stub: &Stub) -> (usize, Result<(), ReadError>) {
    let (client, first_page) = (stub.client(), FirstPage::default());
    let days = (
        DateTime::constant(2026, 11, 1, 0, 0, 0, 0),
        DateTime::constant(2026, 11, 8, 0, 0, 0, 0),
    );
    let mut reading = Reading::new(List::new(&client, &first_page), days, None);
    let mut shown = 0;
    loop {
        match reading.next().await {
            Ok(Some((orders, _date))) => shown += orders.len(),
            Ok(None) => return (shown, Ok(())),
            Err(error) => return (shown, Err(error)),
        }
    }
}

/// A list that refuses every page but those from `first` on that have orders, and the first one.
async fn strict(first: u64, orders: usize, code: u16) -> Stub {
    Stub::start(move |seen| {
        let Some(page) = seen.json()["page"].as_u64() else {
            return fine(seen);
        };
        let ids: Vec<usize> = (0..orders).collect();
        let pages: Vec<&[usize]> = ids.chunks(usize::from(PAGE)).collect();
        let shown = page
            .checked_sub(first)
            .and_then(|at| pages.get(usize::try_from(at).unwrap()));
        match shown {
            None if page != first => Act::Answer(code, json!({"status": code}).to_string()),
            shown => {
                let order = |id: &usize| json!({"pw_order_id": id.to_string(), "order_name": "F"});
                let orders: Vec<_> = shown.into_iter().copied().flatten().map(order).collect();
                Act::Answer(200, json!({"status": 200, "orders": orders}).to_string())
            }
        }
    })
    .await
}

#[tokio::test]
async fn a_page_past_the_end_may_be_refused() {
    for (code, first, orders) in [
        (400, 0, 0),
        (422, 0, 3),
        (404, 0, 203),
        (404, 1, 0),
        (400, 1, 3),
        (422, 1, 203),
        (404, 1, 203),
    ] {
        let (shown, ended) = read(&strict(first, orders, code).await).await;
        assert_eq!(shown, orders, "{code} from {first}");
        assert!(ended.is_ok(), "{orders} with {code} from {first}: {ended:?}");
    }
}

#[tokio::test]
async fn null_past_the_end_is_an_empty_page() {
    let stub = Stub::start(|seen| match seen.json()["page"].as_u64() {
        None => fine(seen),
        Some(0) => {
            let order = json!({"pw_order_id": "1", "order_name": "F"});
            Act::Answer(200, json!({"status": 200, "orders": [order]}).to_string())
        }
        Some(_) => Act::Answer(
            200,
            json!({"status": 200, "orders": null, "length": 0}).to_string(),
        ),
    })
    .await;
    let (shown, ended) = read(&stub).await;
    assert_eq!(shown, 1);
    assert!(ended.is_ok(), "{ended:?}");
}

/// Each page is answered with 429 the first time.
fn reluctant(asked: &Mutex<HashSet<u64>>, seen: &Seen) -> Act {
    let Some(page) = seen.json()["page"].as_u64() else {
        return fine(seen);
    };
    if asked.lock().unwrap().insert(page) {
        return Act::AnswerWith(429, "Retry-After: 1", json!({"status": 429}).to_string());
    }
    let orders = match page {
        0 => (0..200).collect(),
        1 => vec![200],
        _ => Vec::new(),
    };
    let order = |id: u64| json!({"pw_order_id": id.to_string(), "order_name": "F"});
    let orders: Vec<_> = orders.into_iter().map(order).collect();
    Act::Answer(200, json!({"status": 200, "orders": orders}).to_string())
}

#[tokio::test]
async fn a_list_that_allows_few_requests_is_read_to_its_end_in_one_reading() {
    let asked = Mutex::new(HashSet::new());
    let stub = Stub::start(move |seen| reluctant(&asked, seen)).await;
    let (shown, ended) = read(&stub).await;
    assert_eq!(shown, 201);
    assert!(ended.is_ok(), "{ended:?}");
}

/// A list whose first page is 1, of which each page after the first answer fails so often before it comes.
async fn failing(times: usize) -> Stub {
    let asked = Mutex::new(Vec::new());
    Stub::start(move |seen| {
        let Some(page) = seen.json()["page"].as_u64() else {
            return fine(seen);
        };
        let fails = || {
            let mut asked = asked.lock().unwrap();
            asked.push(page);
            asked.iter().filter(|asked| **asked == page).count() <= times
        };
        let orders = match page {
            0 => return Act::Answer(400, json!({"status": 400}).to_string()),
            _ if fails() => return Act::Answer(500, json!({"status": 500}).to_string()),
            1 => (0..200).collect(),
            2 => vec![200],
            _ => Vec::new(),
        };
        let order = |id: u64| json!({"pw_order_id": id.to_string(), "order_name": "F"});
        let orders: Vec<_> = orders.into_iter().map(order).collect();
        Act::Answer(200, json!({"status": 200, "orders": orders}).to_string())
    })
    .await
}

#[tokio::test]
async fn a_page_that_fails_is_asked_for_again_by_itself_once_the_list_has_answered() {
    let stub = failing(4).await;
    let (shown, ended) = read(&stub).await;
    assert_eq!(shown, 201);
    assert!(ended.is_ok(), "{ended:?}");
    let of_page = |page| {
        let seen = stub.seen("orders/list");
        seen.iter().filter(|seen| seen.json()["page"] == page).count()
    };
    assert_eq!(
        [0, 1, 2, 3].map(of_page),
        [1, 5, 5, 5],
        "the walk is not begun anew"
    );
    let (_, ended) = read(&failing(5).await).await;
    assert!(matches!(ended, Err(ReadError::Failed(_))), "{ended:?}");
}

#[tokio::test]
async fn the_first_page_is_asked_for_again_where_the_service_is_there_as_far_as_is_known() {
    for (is_there, times) in [(true, 3), (false, 1)] {
        let stub = Stub::start(|seen| match seen.json()["page"].as_u64() {
            None => fine(seen),
            Some(_) => Act::Answer(503, json!({"status": 503}).to_string()),
        })
        .await;
        let (client, first_page) = (stub.client(), FirstPage::default());
        let day = DateTime::constant(2026, 11, 1, 0, 0, 0, 0);
        let list = List::new(&client, &first_page).where_there(is_there);
        let failed = Reading::new(list, (day, day), None).next().await;
        assert!(matches!(failed, Err(ReadError::Failed(_))));
        let seen = stub.seen("orders/list");
        assert_eq!(seen.iter().filter(|seen| seen.json()["page"] == 0).count(), times);
    }
}

#[tokio::test]
async fn a_page_that_is_answered_with_429_for_ever_is_given_up() {
    let too_many = || Act::AnswerWith(429, "Retry-After: 60", json!({"status": 429}).to_string());
    let is_login = |seen: &Seen| seen.line.contains("auth/");
    let stub = Stub::start(move |seen| if is_login(seen) { fine(seen) } else { too_many() }).await;
    let (_, ended) = read(&stub).await;
    assert!(matches!(ended, Err(ReadError::Failed(_))), "{ended:?}");
    assert_eq!(
        stub.seen("orders/list").len(),
        1,
        "the pause that is asked for is long"
    );
}

#[tokio::test]
async fn a_refusal_after_a_full_page_is_no_end() {
    // Whatever window is asked for, so that halves show no less.
    let (shown, ended) = read(&strict(1, 200, 404).await).await;
    assert!(
        shown >= 200 && matches!(ended, Err(ReadError::Endless)),
        "{shown} {ended:?}"
    );
}

#[tokio::test]
async fn a_list_that_refuses_its_first_pages_is_refused() {
    let stub = Stub::start(|seen| match fine(seen) {
        login if seen.line.contains("auth/") => login,
        _ => Act::Answer(404, json!({"status": 404}).to_string()),
    })
    .await;
    let (shown, ended) = read(&stub).await;
    let Err(ReadError::Failed(failure)) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!(
        (shown, failure.verdict),
        (0, crate::service::Verdict::Misconfigured)
    );
    assert_eq!(stub.seen("orders/list").len(), 2);
}

#[tokio::test]
async fn a_list_without_an_end_is_given_up() {
    let stub = Stub::start(endless).await;
    let (client, first_page) = (stub.client(), FirstPage::default());
    let days = (
        DateTime::constant(2026, 11, 1, 0, 0, 0, 0),
        DateTime::constant(2026, 11, 8, 0, 0, 0, 0),
    );
    let mut reading = Reading::new(List::new(&client, &first_page), days, None);
    let (mut pages, mut shown) = (0, HashSet::new());
    let ended = loop {
        let (orders, _date) = match reading.next().await {
            Ok(Some(page)) => page,
            ended => break ended,
        };
        pages += 1;
        shown.extend(orders.into_iter().map(|order| order.pw_order_id));
    };
    assert!(matches!(ended, Err(ReadError::Endless)), "{ended:?}");
    assert_eq!(pages, MOST_IN_A_ROW * MOST_PAGES);
    assert_eq!(
        shown.len(),
        3000,
        "each page of each window has an order of its own"
    );
    assert_eq!(stub.seen("orders/list").len(), 3000);
}
