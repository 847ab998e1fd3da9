//! The order list as one account asks for it: single pages.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use futures_util::future;
use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};

use super::{FirstPage, LEAST_PAGE, hours, window};
use crate::clock::Now;
use crate::service::{Answer, Client, Failure, Heard, ListOrders, OrderPage, Verdict};

/// A name that no order has.
pub(super) const NOBODY: &str = "no order has this id 7c1f0a9e";

/// How often in a row a page is asked for again that the service has answered with 429: the pause that follows is kept
/// at the gate. A reading that was given up would begin anew, and at a service that allows few requests never come to its end.
const TIMES_TOO_MANY: u32 = 6;

/// The service's order list, as one account reads it.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    pub(super) client: &'a Client,
    /// What has been learned of its pages.
    pub(super) first_page: &'a FirstPage,
    /// Whether the first two pages, which every reading needs, are asked for together: in a walk, for which all creates
    /// wait. A look-up asks one thing at a time.
    two_at_once: bool,
    /// Whether the ledger knows of no order that it shows, in a walk.
    pub(super) is_new: bool,
    /// Whether the service was there when this was asked for: what does not come of it may come after all.
    pub(super) is_there: bool,
}

/// What came of a request for a page.
pub(super) type PageAnswer = Result<Answer<OrderPage>, Failure>;

impl<'a> List<'a> {
    /// The list of a client's account, and what has been learned of its pages.
    pub fn new(client: &'a Client, first_page: &'a FirstPage) -> Self {
        Self {
            client,
            first_page,
            two_at_once: false,
            is_new: false,
            is_there: false,
        }
    }

    /// The same list, of a service that is not known to be away (`is_there`): its first page too is asked for again.
    #[must_use]
    pub fn where_there(self, is_there: bool) -> Self {
        Self { is_there, ..self }
    }

    /// The same list, in haste, of an account of which the ledger knows an order, or none (`is_new`).
    pub(super) fn in_a_walk(self, is_new: bool) -> Self {
        Self {
            two_at_once: true,
            is_new,
            ..self
        }
    }

    /// Asks for a page of the last hour's orders, whatever it shows: to learn whether the service answers.
    pub async fn answers(&self, now: &Now) -> Result<(), Failure> {
        let hour = SignedDuration::from_hours(1);
        let from = now.wall.checked_sub(hour).unwrap_or(Timestamp::MIN);
        let (from, to) = self.window(from, now);
        let mut page = self.first_page.likely();
        loop {
            let query = ListOrders {
                from,
                to,
                search: None,
                limit: LEAST_PAGE,
                page,
            };
            match self.client.list_orders(&query).await {
                Ok(_page) => return Ok(()),
                // The first may be 1.
                Err(failure) if page == 0 && self.first_page.zero.may_be_none(&failure) => page = 1,
                Err(failure) if self.says_nothing(&failure).await => return Ok(()),
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Whether the service has told its time.
    pub(super) fn knows_the_time(&self) -> bool {
        self.client.service_now().is_some()
    }

    /// How far this machine's clock is behind the service's, where that is too far.
    pub(super) fn behind(&self, now: &Now) -> Option<SignedDuration> {
        hours::behind(now.wall, self.client.service_now())
    }

    /// From a moment until now, by this machine's clock and the service's.
    pub(super) fn moments(&self, from: Timestamp, now: &Now) -> (Timestamp, Timestamp) {
        hours::covering(from, now.wall, self.client.service_now())
    }

    /// Until when the list is known once a window until now was read.
    pub(super) fn known_to(&self, now: &Now) -> Timestamp {
        hours::known_to(now.wall, self.client.service_now())
    }

    /// The same window in the interface's own terms, widened.
    pub(super) fn window(&self, from: Timestamp, now: &Now) -> (DateTime, DateTime) {
        let (from, to) = self.moments(from, now);
        window(from, to)
    }

    /// The first two pages, where they may be asked for together.
    pub(super) async fn first_two(&self, query: &ListOrders<'_>) -> VecDeque<PageAnswer> {
        if !self.two_at_once {
            return VecDeque::new();
        }
        let [first, second] = [0, 1].map(|page| ListOrders {
            page,
            ..query.clone()
        });
        let (first, second) =
            future::join(self.client.list_orders(&first), self.client.list_orders(&second)).await;
        VecDeque::from([first, second])
    }

    /// Whether `length` counts orders for a search that nothing matches, in the same window: then it counts more than what a
    /// search finds, and tells nothing of it.
    pub(super) async fn counts_beyond_search(&self, query: &ListOrders<'_>) -> Result<bool, Failure> {
        let known = &self.first_page.counts_beyond_search;
        if known.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let nobody = ListOrders {
            search: Some(NOBODY),
            page: self.first_page.likely(),
            ..query.clone()
        };
        let answer = match self.client.list_orders(&nobody).await {
            // It counts none.
            Err(failure) if failure.is_not_found() => return Ok(false),
            answer => answer?.value,
        };
        let counts = answer.shown() == 0 && answer.length.is_some_and(|length| length > 0);
        if counts {
            known.store(true, Ordering::Relaxed);
        }
        Ok(counts)
    }

    /// One page, asked for again at once while there are `repeats` left and it may come after all, and after a pause where
    /// there were too many requests; `asked` is what came of it already.
    pub(super) async fn page(
        &self,
        query: &ListOrders<'_>,
        repeats: &mut u32,
        mut asked: Option<PageAnswer>,
    ) -> Result<Answer<OrderPage>, Failure> {
        let mut too_many = 0;
        loop {
            let answer = match asked.take() {
                Some(answer) => answer,
                None => self.client.list_orders(query).await,
            };
            match answer {
                Err(failure) if too_many < TIMES_TOO_MANY && is_too_many(&failure) => {
                    too_many += 1;
                    tracing::debug!(%failure, page = query.page, "a page of the order list is asked for after the pause");
                }
                Err(failure)
                    if *repeats > 0 && matches!(failure.verdict, Verdict::NotSent | Verdict::Unknown) =>
                {
                    *repeats -= 1;
                    tracing::debug!(%failure, page = query.page, "a page of the order list is asked for again");
                }
                answer => return answer,
            }
        }
    }
}

/// Whether the service has answered that there were too many requests.
fn is_too_many(failure: &Failure) -> bool {
    matches!(failure.heard, Heard::Said(429) | Heard::Odd(429))
}
