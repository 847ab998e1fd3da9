//! An order that is not priced, though the service answers: it is alone with that, and the account's others do not
//! wait for it.

use std::sync::atomic::{AtomicU32, Ordering};

use super::{Blocked, Sent, Submitter, waiting};
use crate::finding::Code;
use crate::quote::Quote;
use crate::service::{Failure, Heard, Verdict};

/// More than so many orders that are not priced, while no other is, are no longer alone: the service prices nothing.
const MOST: u32 = 3;

/// How many orders were not priced when they were first asked about, since one was.
#[derive(Debug, Default)]
pub(super) struct Unpriced(AtomicU32);

impl Unpriced {
    /// One more was not priced.
    pub(super) fn one_more(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One was priced, or refused.
    pub(super) fn end(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// One was priced just now, at this quote.
    pub(super) fn end_with(&self, quote: Quote) -> Quote {
        self.end();
        quote
    }

    fn are_few(&self) -> bool {
        self.0.load(Ordering::Relaxed) <= MOST
    }
}

impl Submitter {
    /// Looks whether the service answers another question, after an order was asked the price of time after time and
    /// `failure` was the last that was heard: then it is not away, and whoever asks for another order is not kept waiting.
    pub(super) async fn tell_apart(&self, failure: &Failure) {
        if !speaks_of_the_order(failure) || !self.unpriced.are_few() {
            return;
        }
        let permit = self.health.permit_at_once();
        match self.list().newest(&self.now()).await {
            Ok(_page) => {
                tracing::warn!(%failure, "an order cannot be priced, though the service answers: it waits alone");
                permit.note(None);
            }
            // Nothing new: the account is known to be away.
            Err(other) => tracing::debug!(%other, "the service does not answer another question either"),
        }
    }

    /// What the service said of an order whose price it does not give, without the stop at its end, where it answers other
    /// questions; none where it is away or asked too often.
    pub(super) fn said_of_it_alone(&self, blocked: &Blocked) -> Option<String> {
        let answers = self.health.stopped().is_none() && self.health.away().is_none();
        match blocked {
            Blocked::Away(words) | Blocked::Unusable(words) | Blocked::Setup(words)
                if answers && !words.is_empty() =>
            {
                Some(words.trim_end_matches('.').to_owned())
            }
            _others => None,
        }
    }

    /// Why an order waits that has no price.
    pub(super) fn waits_unpriced(&self, blocked: &Blocked) -> Sent {
        self.said_of_it_alone(blocked).map_or_else(
            || waiting(blocked, &self.zone),
            |words| {
                let why = format!("The print service answers, and gives no price for this order: {words}.");
                Sent::Waiting(Code::UnusableAnswer, why)
            },
        )
    }
}

/// An answer of the service's, which no gateway and no overload gives.
fn speaks_of_the_order(failure: &Failure) -> bool {
    let is_answer = match failure.heard {
        Heard::Said(status) => !matches!(status, 408 | 429 | 502..=504),
        Heard::Odd(status) => (200..300).contains(&status),
        Heard::Nothing | Heard::NoToken | Heard::Denied => false,
    };
    is_answer && matches!(failure.verdict, Verdict::Unknown | Verdict::Misconfigured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_few_are_alone() {
        let unpriced = Unpriced::default();
        (0..MOST).for_each(|_| unpriced.one_more());
        assert!(unpriced.are_few());
        unpriced.one_more();
        assert!(!unpriced.are_few());
        unpriced.end();
        assert!(unpriced.are_few());
    }
}
