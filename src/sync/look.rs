//! The list, looked into for one order: by its name, as a search gives it, and through the whole of it.

use jiff::Timestamp;

use super::reading::Reading;
use super::{List, ReadError, to_named};
use crate::clock::Now;
use crate::reconcile::{Named, Ours, is_alike};
use crate::service::{Failure, Heard, ListedOrder, Verdict};

/// What a look-up has shown, with the service's own clock.
#[derive(Debug)]
pub struct Looked {
    /// The orders of exactly this name.
    pub orders: Vec<ListedOrder>,
    /// Those of which the name differs in writing alone.
    pub alike: Vec<ListedOrder>,
    /// Orders without a name, which somebody may have made by hand: whose they are cannot be told.
    nameless: Vec<Named>,
    /// The `Date` header.
    pub service_date: Option<Timestamp>,
    /// An order without an id was shown.
    without_id: bool,
    /// That there is none is the list's word alone, see `nothing`.
    pub by_word: bool,
}

impl From<Whole> for Looked {
    fn from(whole: Whole) -> Self {
        let (nameless, alike): (Vec<_>, Vec<_>) = whole
            .alike
            .into_iter()
            .partition(|order| order.order_name.is_empty());
        Self {
            orders: whole.orders,
            alike,
            nameless: nameless.iter().map(to_named).collect(),
            service_date: whole.service_date,
            without_id: false,
            by_word: whole.by_word,
        }
    }
}

impl Looked {
    /// Whether what was looked for is shown to be absent: no order has its name, and none without one holds the same.
    pub fn is_absent(&self, ours: Ours<'_>) -> bool {
        // Of one that does not even show what is in it the zip has to say something.
        let may_be = |listed: &Named| {
            let is_same = listed.signature.is_told() && listed.signature.matches(ours.signature);
            is_same || listed.is_like(ours)
        };
        self.orders.is_empty() && !self.nameless.iter().any(may_be)
    }
}

/// Looks one order up by its exact name, over a window from `from` until now.
///
/// # Errors
/// Where the reading is no whole one: how many orders have the name, or that none has, is then not known.
pub async fn look_up(list: List<'_>, name: &str, from: Timestamp, now: &Now) -> Result<Looked, ReadError> {
    match look_for(list, name, from, now).await? {
        Looked { without_id: true, .. } => Err(ReadError::WithoutId),
        looked => Ok(looked),
    }
}

/// The same for who wants to know what there is: an order of the name that is shown is there, whatever else is not.
///
/// # Errors
/// Where the reading is no whole one and has shown none of the name.
pub async fn look_for(list: List<'_>, name: &str, from: Timestamp, now: &Now) -> Result<Looked, ReadError> {
    match look_in_time(list, name, from, now).await {
        // A service that fails now and then may have failed at it by chance, and a person would be asked.
        Err(ReadError::FailsFor(_)) => look_in_time(list, name, from, now).await,
        looked => looked,
    }
}

async fn look_in_time(list: List<'_>, name: &str, from: Timestamp, now: &Now) -> Result<Looked, ReadError> {
    let knew = list.knows_the_time();
    let looked = look_up_once(list, name, from, now).await?;
    if knew || list.behind(now).is_none() {
        return Ok(looked);
    }
    // The answer told that this machine's clock is wrong, and with it the window.
    look_up_once(list, name, from, now).await
}

async fn look_up_once(list: List<'_>, name: &str, from: Timestamp, now: &Now) -> Result<Looked, ReadError> {
    let mut looked = Looked {
        orders: Vec::new(),
        alike: Vec::new(),
        nameless: Vec::new(),
        service_date: None,
        without_id: false,
        by_word: false,
    };
    let mut reading = Reading::new(list, list.window(from, now), Some(name));
    loop {
        let (page, date) = match reading.next().await {
            Ok(Some(page)) => page,
            Ok(None) => {
                looked.by_word = reading.is_by_word();
                return Ok(looked);
            }
            Err(ReadError::WithoutId) if !looked.orders.is_empty() => {
                looked.without_id = true;
                return Ok(looked);
            }
            Err(ReadError::Failed(failure)) if fails_alone(list, &failure, now).await => {
                return Err(ReadError::FailsFor(failure));
            }
            Err(error) => return Err(error),
        };
        looked.service_date = date.or(looked.service_date);
        let nameless = page.iter().filter(|order| order.order_name.is_empty());
        looked.nameless.extend(nameless.map(to_named));
        for order in page {
            if order.order_name == name {
                put_once(&mut looked.orders, order);
            } else if is_alike(name, &order.order_name) {
                put_once(&mut looked.alike, order);
            }
        }
    }
}

/// Whether the service fails at what was asked alone: it has answered in its own form, as no gateway and no overload does,
/// and it answers another question.
async fn fails_alone(list: List<'_>, failure: &Failure, now: &Now) -> bool {
    let is_answer = match failure.heard {
        Heard::Said(status) => !matches!(status, 408 | 429 | 502..=504),
        Heard::Odd(_) | Heard::Nothing | Heard::Unread | Heard::NoToken | Heard::Denied => false,
    };
    let may_be = is_answer && matches!(failure.verdict, Verdict::Unknown | Verdict::Refused);
    may_be && list.answers(now).await.is_ok()
}

/// What the whole list has shown of a name.
#[derive(Debug, Default)]
pub struct Whole {
    /// The orders of exactly this name.
    pub orders: Vec<ListedOrder>,
    /// Those of which the name differs in writing alone, those without one, and those that are the same otherwise.
    pub alike: Vec<ListedOrder>,
    /// The `Date` header.
    pub service_date: Option<Timestamp>,
    /// That there is none is the list's word alone, see `nothing`.
    pub by_word: bool,
}

/// Whatever an order holds, only its name tells that it is the one that is looked for.
pub fn by_name_alone(_listed: &ListedOrder) -> bool {
    false
}

/// Reads the whole list from `from` until now, without `search`, for the orders of a name, and for those that `is_same`
/// takes for it under any: what `search` matches, and how, is not stated.
pub async fn look_through(
    list: List<'_>,
    (name, is_same): (&str, impl Fn(&ListedOrder) -> bool + Copy),
    from: Timestamp,
    now: &Now,
) -> Result<Whole, ReadError> {
    let knew = list.knows_the_time();
    let whole = look_through_once(list, (name, is_same), from, now).await?;
    if knew || list.behind(now).is_none() {
        return Ok(whole);
    }
    look_through_once(list, (name, is_same), from, now).await
}

async fn look_through_once(
    list: List<'_>,
    (name, is_same): (&str, impl Fn(&ListedOrder) -> bool),
    from: Timestamp,
    now: &Now,
) -> Result<Whole, ReadError> {
    let mut whole = Whole::default();
    let mut reading = Reading::new(list, list.window(from, now), None);
    while let Some((page, date)) = reading.next().await? {
        whole.service_date = date.or(whole.service_date);
        for order in page {
            let found = if order.order_name == name {
                &mut whole.orders
            } else if order.order_name.is_empty() || is_alike(name, &order.order_name) || is_same(&order) {
                &mut whole.alike
            } else {
                continue;
            };
            put_once(found, order);
        }
    }
    whole.by_word = reading.is_by_word();
    Ok(whole)
}

/// Two windows share a second: an order in it comes twice.
fn put_once(orders: &mut Vec<ListedOrder>, order: ListedOrder) {
    if orders.iter().all(|known| known.pw_order_id != order.pw_order_id) {
        orders.push(order);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::reconcile::Signature;
    use crate::service::tests::stub::{Act, Seen, Stub, fine};
    use crate::sync::FirstPage;

    /// A list of two orders of which the first has no name.
    fn one_without_a_name(seen: &Seen) -> Act {
        if seen.json()["page"] != 0 {
            return fine(seen);
        }
        let items = |sku: &str| json!([{"item_sku": sku, "quantity": 1}]);
        let order = |name: Option<&str>, sku: &str| {
            let items = items(sku);
            json!({"pw_order_id": sku, "order_name": name, "order_items": items})
        };
        let orders = [order(None, "TEE-M"), order(Some("7"), "MUG")];
        Act::Answer(200, json!({"status": 200, "orders": orders}).to_string())
    }

    /// A list of two orders of which the first has no id.
    fn one_without_an_id(seen: &Seen) -> Act {
        if seen.json()["page"] != 0 {
            return fine(seen);
        }
        let orders =
            json!([{"pw_order_id": null, "order_name": "7"}, {"pw_order_id": "P8", "order_name": "8"}]);
        Act::Answer(200, json!({"status": 200, "orders": orders}).to_string())
    }

    #[tokio::test]
    async fn a_list_with_an_order_without_an_id_shows_the_others_and_proves_no_absence() {
        let stub = Stub::start(one_without_an_id).await;
        let (client, first_page) = (stub.client(), FirstPage::default());
        let (list, now) = (
            List::new(&client, &first_page),
            crate::clock::Clock::system().now(),
        );
        for name in ["7", "9"] {
            let looked = look_up(list, name, now.wall, &now).await;
            assert!(matches!(looked, Err(ReadError::WithoutId)), "{name}: {looked:?}");
            let found = look_for(list, name, now.wall, &now).await;
            assert!(matches!(found, Err(ReadError::WithoutId)), "{name}: {found:?}");
            let whole = look_through(list, (name, by_name_alone), now.wall, &now).await;
            assert!(matches!(whole, Err(ReadError::WithoutId)), "{name}: {whole:?}");
        }
        let found = look_for(list, "8", now.wall, &now).await.unwrap();
        assert_eq!(found.orders.len(), 1, "what is shown is there");
        let counted = look_up(list, "8", now.wall, &now).await;
        assert!(
            matches!(counted, Err(ReadError::WithoutId)),
            "how many there are is not known"
        );
    }

    #[tokio::test]
    async fn an_order_without_a_name_that_holds_the_same_leaves_absence_open() {
        let stub = Stub::start(one_without_a_name).await;
        let (client, first_page) = (stub.client(), FirstPage::default());
        let now = crate::clock::Clock::system().now();
        let looked = look_up(List::new(&client, &first_page), "1", now.wall, &now).await;
        let looked = looked.unwrap();
        let of = |sku| Signature::new([(sku, 1)].into_iter(), Some("US"));
        let is_absent = |signature: &Signature| looked.is_absent(Ours { signature, zip: None });
        assert!(looked.orders.is_empty());
        assert!(!is_absent(&of("TEE-M")), "it may be the one without a name");
        assert!(
            is_absent(&of("MUG")),
            "the one that holds the same has another name"
        );
    }

    /// A list that answers a search for `7` with one code, and anything else with another.
    fn failing((code, others): (u16, u16), seen: &Seen) -> Act {
        if !seen.line.contains("orders/list") {
            return fine(seen);
        }
        let code = if seen.json()["search"] == "7" {
            code
        } else {
            others
        };
        Act::Answer(
            code,
            json!({"status": code, "message": "no", "orders": []}).to_string(),
        )
    }

    #[tokio::test]
    async fn a_search_that_fails_alone_is_told_from_a_service_that_fails() {
        let now = crate::clock::Clock::system().now();
        for (code, others, is_alone) in [
            (500, 200, true),
            (400, 200, true),
            (503, 200, false),
            (500, 500, false),
        ] {
            let stub = Stub::start(move |seen| failing((code, others), seen)).await;
            let (client, first_page) = (stub.client(), FirstPage::default());
            let looked = look_for(List::new(&client, &first_page), "7", now.wall, &now).await;
            assert_eq!(
                matches!(looked, Err(ReadError::FailsFor(_))),
                is_alone,
                "{code} {others}: {looked:?}"
            );
            assert_eq!(matches!(looked, Err(ReadError::Failed(_))), !is_alone);
        }
    }

    /// A list that fails at pages 0 and 1 of the first search for `7`.
    fn failing_once(searched: &std::sync::atomic::AtomicU32, seen: &Seen) -> Act {
        let is_search = seen.line.contains("orders/list") && seen.json()["search"] == "7";
        let before = searched.fetch_add(u32::from(is_search), std::sync::atomic::Ordering::SeqCst);
        failing((if before < 2 { 500 } else { 200 }, 200), seen)
    }

    #[tokio::test]
    async fn a_search_that_has_failed_once_and_is_answered_then_has_failed_by_chance() {
        let now = crate::clock::Clock::system().now();
        let searched = std::sync::atomic::AtomicU32::new(0);
        let stub = Stub::start(move |seen| failing_once(&searched, seen)).await;
        let (client, first_page) = (stub.client(), FirstPage::default());
        let looked = look_for(List::new(&client, &first_page), "7", now.wall, &now).await;
        assert!(looked.unwrap().orders.is_empty());
    }

    /// A list without orders that counts one for a search by `7`, and `others` for any other.
    async fn counting(others: u32) -> Stub {
        Stub::start(move |seen| {
            if !seen.line.contains("orders/list") {
                return fine(seen);
            }
            let length = if seen.json()["search"] == "7" { 1 } else { others };
            let page = json!({"status": 200, "length": length, "limit": 200, "orders": []});
            Act::Answer(200, page.to_string())
        })
        .await
    }

    #[tokio::test]
    async fn an_order_that_the_list_counts_and_does_not_show_is_not_absent() {
        let now = crate::clock::Clock::system().now();
        let first_page = FirstPage::default();
        let hides = counting(0).await;
        let client = hides.client();
        let list = List::new(&client, &first_page);
        for _again in 0..2 {
            let looked = look_up(list, "7", now.wall, &now).await;
            assert!(matches!(looked, Err(ReadError::Hidden)), "{looked:?}");
        }
        assert!(
            look_up(list, "8", now.wall, &now)
                .await
                .unwrap()
                .orders
                .is_empty()
        );
    }

    #[tokio::test]
    async fn a_length_that_counts_what_nobody_searched_for_hides_nothing() {
        let now = crate::clock::Clock::system().now();
        let first_page = FirstPage::default();
        let counts_all = counting(1).await;
        let client = counts_all.client();
        let list = List::new(&client, &first_page);
        for _again in 0..2 {
            let looked = look_up(list, "7", now.wall, &now).await.unwrap();
            assert!(looked.orders.is_empty());
        }
        let searches = |name: &str| {
            let seen = counts_all.seen("orders/list");
            seen.iter().filter(|one| one.json()["search"] == name).count()
        };
        assert_eq!(
            (searches("7"), searches(super::super::list::NOBODY)),
            (4, 1),
            "what was found out is not asked again"
        );
    }
}
