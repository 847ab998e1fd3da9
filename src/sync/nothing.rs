//! A list that says by a 404 that it has nothing. A service may answer so where others show an empty list, and has nothing
//! else to say to a new account; but so may one whose list is not where it is asked for, or has gone astray.
//!
//! So it counts as an empty list where it is in the interface's own form and words, and the catalog is read at the same
//! place with the same login. It is the list's word alone, and proves nothing by itself:
//!
//! - an order without an answer is absent by it only where it would be without any proof that the list is live
//!   (`absent_after_unproven`);
//! - a ledger that `ledger rebuild` makes anew learns nothing from it: the orders that it must show are forgotten there;
//! - what is known to be at the service must be shown. Where the ledger knows of an order that is old enough to be in the
//!   list, the days around it have to show one; else the list cannot be used, and no create leaves that waits for it. That
//!   the account has orders is not enough for that: between two sales of a small shop all days are empty, and it has to be
//!   able to send the next one.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::reading::Reading;
use super::{List, ReadError, WINDOW};
use crate::clock::Now;
use crate::ledger::record::AccountRef;
use crate::ledger::{Ledger, LedgerError, Store};
use crate::service::{Failure, Heard, Verdict};

/// An order younger than this may not be in the list yet.
const SETTLED: Duration = Duration::from_mins(15);

/// For so long a list that has shown an order is believed.
const BELIEVED: Duration = Duration::from_mins(1);

/// For so long the catalog that was read shows that the service is there: it may be a large one.
const AT_HOME: Duration = Duration::from_mins(10);

/// Why nothing is learned from such a list.
const OF_A_LOST_LEDGER: &str = "the order list says that it finds nothing (404), from which a ledger that was lost is not made \
                                anew: ask the print service why its list shows no orders";

/// What is known of a list that says that it has nothing.
#[derive(Debug, Default)]
pub(super) struct Nothing {
    /// When the catalog was read where it is.
    at_home: Lately,
    /// When it has shown an order, of an account that has one.
    believed: Lately,
}

/// When something was seen last.
#[derive(Debug, Default)]
struct Lately(Mutex<Option<Instant>>);

impl Lately {
    fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_within(&self, time: Duration) -> bool {
        let seen = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.is_some_and(|at| at.elapsed() < time)
    }
}

impl List<'_> {
    /// Whether a failure is the word of the service's own list that it has nothing there.
    pub(super) async fn says_nothing(&self, failure: &Failure) -> bool {
        if !failure.is_not_found() {
            return false;
        }
        let at_home = &self.first_page.nothing.at_home;
        if at_home.is_within(AT_HOME) {
            return true;
        }
        match self.client.sku_catalog().await {
            Ok(_catalog) => {
                at_home.note();
                true
            }
            Err(other) => {
                tracing::debug!(%other, "nothing of the service is where its order list is not found");
                false
            }
        }
    }
}

/// Why the word of an account's list that it has nothing is not believed; none where it is.
///
/// # Errors
/// Where the ledger cannot be read.
pub async fn doubt(
    list: List<'_>,
    (ledger, account): (&Ledger, AccountRef),
    now: &Now,
) -> Result<Option<ReadError>, LedgerError> {
    let believed = &list.first_page.nothing.believed;
    if believed.is_within(BELIEVED) {
        return Ok(None);
    }
    let Some((pw_order_id, at)) = ledger.read(|store| must_show(store, account, now))? else {
        let is_rebuilding = ledger.read(|store| store.is_rebuilding())?;
        return Ok(is_rebuilding.then(|| ReadError::Failed(unbelieved(OF_A_LOST_LEDGER.to_owned()))));
    };
    let from = at.checked_sub(WINDOW).unwrap_or(Timestamp::MIN);
    match shows_any(list, from, now).await {
        Ok(true) => {
            believed.note();
            Ok(None)
        }
        Ok(false) => Ok(Some(ReadError::Failed(unbelieved(format!(
            "the order list says that it finds nothing (404), and does not show {pw_order_id}, which the service has made"
        ))))),
        Err(error) => Ok(Some(error)),
    }
}

/// An order that the list must show, by the service's id and when it was made; none where the ledger has none so old.
fn must_show(
    store: &Store<'_>,
    account: AccountRef,
    now: &Now,
) -> Result<Option<(String, Timestamp)>, LedgerError> {
    if let Some(proof) = store.newest_proof(account, SETTLED, now)? {
        return Ok(Some((proof.pw_order_id, proof.intended_at)));
    }
    // A ledger that was rebuilt knows what the list has shown.
    let settled = SignedDuration::try_from(SETTLED).unwrap_or(SignedDuration::ZERO);
    let before = now.wall.checked_sub(settled).unwrap_or(Timestamp::MIN);
    store.newest_listed(account, before)
}

async fn shows_any(list: List<'_>, from: Timestamp, now: &Now) -> Result<bool, ReadError> {
    let mut reading = Reading::new(list, list.window(from, now), None);
    while let Some((page, _date)) = reading.next().await? {
        if !page.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The service answers, in a way that cannot be used.
fn unbelieved(detail: String) -> Failure {
    Failure {
        operation: "orders/list",
        verdict: Verdict::Unknown,
        heard: Heard::Odd(404),
        has_status: false,
        detail,
        service_message: None,
        service_date: None,
        made: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::clock::{BootTime, Clock};
    use crate::ledger::record::{NewClaim, NewOrder};
    use crate::money::Money;
    use crate::service::tests::stub::{Act, Seen, Stub, fine};
    use crate::sync::{FirstPage, Progress, WalkError, look_up, walk};

    const HOME: &str = r#"{"status":200,"products":[{"product_name":"Tee","code":"TEE","variants":[{"title":"M","sku":"TEE-M","variant_id":"TEE-1"}]}]}"#;
    const NONE: &str = r#"{"status":404,"message":"No orders found"}"#;

    /// A list that has this body with a 404, but for a window that begins more than so many days ago, which shows an order;
    /// beside a catalog, where there is one.
    async fn list_of(body: &'static str, days: Option<i64>, catalog: bool) -> Stub {
        let until = days.map(|days| {
            let until = Clock::system().now().wall - SignedDuration::from_hours(24 * days);
            until.to_string().replace('T', " ")
        });
        let answer = move |seen: &Seen| {
            if seen.line.contains("list-sku-catalogs") && catalog {
                return Act::Answer(200, HOME.to_owned());
            }
            if seen.line.contains("auth/") {
                return fine(seen);
            }
            let query = seen.json();
            let begins = query["created_at_min"].as_str().unwrap_or_default();
            let is_older = until.as_ref().is_some_and(|until| begins < until.as_str());
            if is_older && query["search"].is_null() && query["page"] == 1 {
                let order = json!({"pw_order_id": "PW-0", "order_name": "1000"});
                return Act::Answer(200, json!({"status": 200, "orders": [order]}).to_string());
            }
            Act::Answer(404, body.to_owned())
        };
        Stub::start(answer).await
    }

    /// What a walk of the last day comes to in a ledger that has an answered order of so many days ago, where it has one.
    async fn walked(stub: &Stub, days_ago: Option<i64>) -> Result<u64, WalkError> {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let now = Clock::system().now();
        let before = |days: i64| Now {
            wall: now.wall - SignedDuration::from_hours(24 * days),
            boot: BootTime {
                id: "another boot".into(),
                millis: 1,
            },
        };
        let sent = days_ago.map(before);
        let account = ledger.write(move |store| {
            let account = store.account("main", "http://127.0.0.1:1", "shop@example.com")?;
            if let Some(sent) = sent {
                let claim = store.take(&NewClaim::sample(account, "monday", sent.wall))?;
                let new = NewOrder::sample((account, claim), "1000", Money::ZERO);
                let id = store.intend(&new, &sent)?;
                store.answered(id, "PW-0", None, &sent)?;
            }
            Ok(account)
        });
        let account = account.await.unwrap();
        let (client, first_page) = (stub.client(), FirstPage::default());
        let from = before(1).wall;
        let list = List::new(&client, &first_page);
        let read = walk(
            list,
            (&ledger, account),
            (from, from),
            &now,
            &mut Progress::default(),
        )
        .await;
        read.map(|walk| walk.orders)
    }

    fn failed(read: &Result<u64, WalkError>) -> Option<&Failure> {
        match read {
            Err(WalkError::Read(ReadError::Failed(failure))) => Some(failure),
            _others => None,
        }
    }

    #[tokio::test]
    async fn the_list_of_a_new_account_may_be_found_by_nobody_where_its_catalog_is_read() {
        for (body, catalog, is_read) in [
            (NONE, true, true),
            (NONE, false, false),
            (r#"{"status":404}"#, true, false),
            (r#"{"status":404,"message":""}"#, true, false),
            (r#"{"message":"no Route matched with those values"}"#, true, false),
            ("<html>not found</html>", true, false),
        ] {
            let stub = list_of(body, None, catalog).await;
            let read = walked(&stub, None).await;
            assert_eq!(
                read.as_ref().ok(),
                is_read.then_some(&0),
                "{body} {catalog}: {read:?}"
            );
            let misplaced = (!is_read).then_some(Verdict::Misconfigured);
            assert_eq!(
                failed(&read).map(|failure| failure.verdict),
                misplaced,
                "{body} {catalog}"
            );
        }
    }

    #[tokio::test]
    async fn days_without_an_order_are_believed_of_a_list_that_shows_those_before_and_of_no_other() {
        let shows = list_of(NONE, Some(10), true).await;
        assert_eq!(walked(&shows, Some(20)).await.unwrap(), 0);
        let none = list_of(NONE, None, true).await;
        assert_eq!(
            walked(&none, None).await.unwrap(),
            0,
            "there is none that it must show"
        );
        let read = walked(&none, Some(20)).await;
        let failure = failed(&read).unwrap();
        assert_eq!(failure.verdict, Verdict::Unknown);
        assert!(failure.detail.contains("PW-0"), "{failure}");
    }

    #[tokio::test]
    async fn a_name_that_is_not_found_is_absent_by_the_list_s_word_alone() {
        let stub = list_of(NONE, None, true).await;
        let (client, first_page) = (stub.client(), FirstPage::default());
        let now = Clock::system().now();
        let list = List::new(&client, &first_page);
        for _again in 0..2 {
            let looked = look_up(list, "7", now.wall, &now).await.unwrap();
            assert!(looked.orders.is_empty() && looked.by_word);
        }
        assert_eq!(stub.seen("list-sku-catalogs").len(), 1, "once");
    }
}
