//! Whether there is a page 0 of the order list, where it fails and page 1 answers.
//!
//! A service whose first page is 1 may refuse page 0 in any way, also as a server's error, for ever. One whose first page
//! is 0 may fail at it for a while: were that taken for the former, what is on it would count as absent, and be sent a second
//! time. So a failure of page 0 counts as a refusal where
//!
//! - the service says so in its own form (`is_no_page`), and page 1 answers;
//! - or it turns page 0 away as the client's error, or answers it without a list; page 1 answers, and page 0 is turned away
//!   for a search that nothing matches as well;
//! - or it is proved that the first page is 1: page 1 of a search that one order matches shows that order. Where the first is
//!   0, page 0 would have it and page 1 be empty;
//! - or, in a walk of an account of which no order is known, by a ledger that is not made in the place of a lost one, page 0
//!   fails time after time, also for that search, and page 1 is empty each time: nothing can be proved there, and nothing is
//!   known that could be missed. It counts for that walk.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::list::{NOBODY, PageAnswer};
use super::reading::is_no_page;
use super::{LEAST_PAGE, List, PAGE, WINDOW};
use crate::clock::Now;
use crate::reconcile::is_same_id;
use crate::service::{Failure, Heard, ListOrders, OrderPage, Verdict};

/// So often in a row page 0 must have failed, of an account without an order.
const TIMES: u32 = 3;

/// And for so long: longer than a server takes to be started anew.
const FOR: Duration = Duration::from_secs(5);

/// Between two of these.
const PAUSE: Duration = Duration::from_millis(2_500);

/// How far back an order is looked for by which the first page can be told.
const LONG: SignedDuration = SignedDuration::from_hours(24 * 366);

/// What is known of page 0.
#[derive(Debug, Default)]
pub(super) struct Zero {
    /// It was answered well.
    was_answered: AtomicBool,
    /// It has shown orders.
    has_shown: AtomicBool,
    /// It was proved that there is none.
    is_none: AtomicBool,
    /// It fails, and page 1 is empty.
    failing: Mutex<Option<Failing>>,
    /// Held by who proves it.
    proving: tokio::sync::Mutex<()>,
}

#[derive(Clone, Copy, Debug)]
struct Failing {
    since: Instant,
    times: u32,
}

/// How a request for page 0 failed that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// As the client's error, or without a list.
    TurnedAway,
    /// In a way that may pass.
    Failed,
}

impl Doubt {
    /// None where it was not answered, or the answer speaks of the token, the account or the pace.
    fn of(failure: &Failure) -> Option<Self> {
        match failure.heard {
            Heard::Nothing
            | Heard::Unread
            | Heard::NoToken
            | Heard::Denied
            | Heard::Said(401 | 403 | 408 | 425 | 429)
            | Heard::Odd(401 | 403 | 408 | 425 | 429) => None,
            // A success without a list, see `Client::list_orders`.
            Heard::Said(200 | 400..=499) | Heard::Odd(400..=499) => Some(Self::TurnedAway),
            Heard::Said(_) | Heard::Odd(_) => Some(Self::Failed),
        }
    }
}

impl Zero {
    /// Notes that page 0 was answered well, with so many orders.
    pub(super) fn note_answer(&self, shown: usize) {
        self.was_answered.store(true, Ordering::Relaxed);
        if shown > 0 {
            self.has_shown.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it was proved that there is none.
    pub(super) fn is_none(&self) -> bool {
        self.is_none.load(Ordering::Relaxed)
    }

    /// Whether this answer to it may mean that there is none.
    pub(super) fn may_be_none(&self, failure: &Failure) -> bool {
        let may_be = self.is_none() || !self.has_shown.load(Ordering::Relaxed);
        is_no_page(failure) || (may_be && Doubt::of(failure).is_some())
    }

    /// Notes that it has failed, and page 1 was empty. How long to wait before it is tried again; none where it has failed
    /// for long enough.
    fn failed(&self, now: Instant) -> Option<Duration> {
        let mut failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        let known = failing.get_or_insert(Failing { since: now, times: 0 });
        known.times = known.times.saturating_add(1);
        let is_enough = known.times >= TIMES && now.saturating_duration_since(known.since) >= FOR;
        (!is_enough).then_some(PAUSE)
    }

    /// It has not failed, or page 1 was not empty: the count begins anew.
    fn forget(&self) {
        *self.failing.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl List<'_> {
    /// Whether the first page is 1, where page 0 of what was asked has failed in a way that may pass, and page 1 has come.
    ///
    /// # Errors
    /// Where that is not known.
    pub(super) async fn without_zero(
        &self,
        query: &ListOrders<'_>,
        failure: Failure,
        first: &OrderPage,
    ) -> Result<(), Failure> {
        let zero = &self.first_page.zero;
        if !is_empty(first) {
            zero.forget();
        }
        let is_turned_away = Doubt::of(&failure) == Some(Doubt::TurnedAway);
        if zero.is_none()
            || (is_turned_away && self.fails_for_nobody(query).await)
            || self.is_proved((query.from, query.to)).await
            || (self.is_new && query.search.is_none() && is_empty(first) && self.stays_empty(query).await)
        {
            return Ok(());
        }
        // The service answers, in a way that cannot be used.
        Err(Failure {
            verdict: Verdict::Unknown,
            heard: Heard::Odd(200),
            detail: format!(
                "page 0 of the order list fails while page 1 answers, so that it is not known what the list holds: {}",
                failure.detail
            ),
            ..failure
        })
    }

    /// Whether page 0 fails for a search that nothing matches too, whatever orders there are.
    async fn fails_for_nobody(&self, query: &ListOrders<'_>) -> bool {
        let nobody = ListOrders {
            search: Some(NOBODY),
            page: 0,
            ..query.clone()
        };
        let answer = self.client.list_orders(&nobody).await;
        self.note_zero(&answer);
        // That nobody is found says nothing of the page.
        fails(&answer) && !finds_none(&answer)
    }

    /// Whether it is proved that the first page is 1; one at a time tries to.
    async fn is_proved(&self, window: (DateTime, DateTime)) -> bool {
        let zero = &self.first_page.zero;
        let _turn = zero.proving.lock().await;
        if zero.is_none() {
            return true;
        }
        let is_proved = self.prove(window).await.unwrap_or_else(|failure| {
            tracing::debug!(%failure, "what the first page of the order list is cannot be told");
            false
        });
        if is_proved {
            tracing::info!(
                "the first page of the order list is 1: what page 0 answers counts as its refusal"
            );
            zero.is_none.store(true, Ordering::Relaxed);
        }
        is_proved
    }

    async fn prove(&self, (from, to): (DateTime, DateTime)) -> Result<bool, Failure> {
        for from in [Some(from), to.checked_sub(WINDOW).ok(), to.checked_sub(LONG).ok()] {
            let Some(from) = from else { continue };
            let shown = self.ask((from, to), None, 1).await?.value.orders;
            // The longest id is the least likely to be a part of another.
            let Some(order) = shown.iter().max_by_key(|order| order.pw_order_id.len()) else {
                continue;
            };
            let search = Some(order.pw_order_id.as_str());
            let found = self.ask((from, to), search, 1).await?.value;
            let is_it = |id: &str| is_same_id(id, &order.pw_order_id);
            if found.shown() != 1 || !found.orders.iter().all(|found| is_it(&found.pw_order_id)) {
                return Ok(false);
            }
            // Of one that shows its last page over again, page 1 may be page 0.
            let beyond = match self.ask((from, to), search, 2).await {
                Ok(answer) => answer.value.shown(),
                Err(failure) if is_no_page(&failure) => 0,
                Err(failure) => return Err(failure),
            };
            let nobody = self.ask((from, to), Some(NOBODY), 1).await;
            return Ok(beyond == 0 && (finds_none(&nobody) || nobody?.value.shown() == 0));
        }
        Ok(false)
    }

    async fn ask(&self, (from, to): (DateTime, DateTime), search: Option<&str>, page: u32) -> PageAnswer {
        let query = ListOrders {
            from,
            to,
            search,
            limit: PAGE,
            page,
        };
        self.client.list_orders(&query).await
    }

    /// Whether page 0 goes on failing while page 1 is empty, of an account without an order that is known.
    async fn stays_empty(&self, query: &ListOrders<'_>) -> bool {
        let zero = &self.first_page.zero;
        while !zero.was_answered.load(Ordering::Relaxed) {
            let Some(pause) = zero.failed(Instant::now()) else {
                return self.fails_for_nobody(query).await;
            };
            tokio::time::sleep(pause).await;
            if zero.is_none() {
                return true;
            }
            let [page_0, page_1] = [0, 1].map(|page| ListOrders {
                page,
                ..query.clone()
            });
            let answer = self.client.list_orders(&page_0).await;
            self.note_zero(&answer);
            let first = self.client.list_orders(&page_1).await;
            if !fails(&answer) || !first.is_ok_and(|first| is_empty(&first.value)) {
                zero.forget();
                return false;
            }
        }
        false
    }

    fn note_zero(&self, answer: &PageAnswer) {
        if let Ok(answer) = answer {
            self.first_page.zero.note_answer(answer.value.shown());
        }
    }
}

/// Whether page 0 was answered, and not as a page is.
fn fails(answer: &PageAnswer) -> bool {
    answer
        .as_ref()
        .is_err_and(|failure| is_no_page(failure) || Doubt::of(failure).is_some())
}

/// Whether the service says that it finds nothing.
fn finds_none(answer: &PageAnswer) -> bool {
    answer.as_ref().is_err_and(Failure::is_not_found)
}

/// Whether a page shows no order, and counts none elsewhere.
fn is_empty(page: &OrderPage) -> bool {
    page.shown() == 0 && page.length.is_none_or(|length| length == 0)
}

/// Why it is not known what the list holds, where its page 0 fails while page 1 answers; none where that keeps nothing
/// from being read, or the service does not answer at all.
pub async fn zero_fails(list: List<'_>, now: &Now) -> Option<Failure> {
    let from = now.wall.checked_sub(WINDOW).unwrap_or(Timestamp::MIN);
    let (from, to) = list.window(from, now);
    let [page_0, page_1] = [0, 1].map(|page| ListOrders {
        from,
        to,
        search: None,
        limit: LEAST_PAGE,
        page,
    });
    let failure = list.client.list_orders(&page_0).await.err()?;
    Doubt::of(&failure).filter(|_doubt| !is_no_page(&failure))?;
    let first = list.client.list_orders(&page_1).await.ok()?.value;
    list.without_zero(&page_1, failure, &first).await.err()
}

#[cfg(test)]
mod tests;
