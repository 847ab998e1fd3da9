//! Orders that are not priced, though the service answers: they are alone with that, and the account's others do not
//! wait for them. Which those are is told by their SKUs: what the service cannot price of one order it cannot of the next.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::breaker::pause_after;
use super::{Blocked, Sent, Submitter, waiting};
use crate::finding::Code;
use crate::order::Order;
use crate::quote::Quote;
use crate::service::{Failure, Heard, Verdict};

/// More than so many kinds of orders that are not priced, while no other is, are no longer alone: the service prices nothing.
const MOST: usize = 3;

/// So many failures of a kind, each after the pause of the one before it, and none of it priced between them: the service is
/// asked something else. It has had some six seconds then.
const ROUNDS: u32 = 7;

/// How often an order of a kind that is alone is asked the price of, and after which pause again.
pub(super) const TRIES_ALONE: usize = 3;
pub(super) const PAUSE_ALONE: Duration = Duration::from_millis(200);

/// After so many failures in a row a kind that is alone is asked for again only when its pause is over, by whichever of its
/// orders comes then.
const ENOUGH: u32 = 24;

/// Kinds that are known; more are forgotten together.
const MOST_KINDS: usize = 1_000;

/// The SKUs of an order, each once, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind(Vec<String>);

impl Kind {
    pub(super) fn of(order: &Order) -> Self {
        let mut skus: Vec<String> = order.lines.iter().map(|line| line.item_sku.clone()).collect();
        skus.sort_unstable();
        skus.dedup();
        Self(skus)
    }
}

/// What was asked the price of in vain, since orders of its kind were priced last.
#[derive(Debug, Default)]
pub(super) struct Unpriced(Mutex<HashMap<Kind, Failing>>);

/// A kind that is not priced.
#[derive(Debug)]
struct Failing {
    /// Failures, of which those at about the same time are one.
    rounds: u32,
    /// When the next failure is one more round.
    next: Instant,
    /// Every failure.
    failures: u32,
    last: Failure,
    /// The service answered something else meanwhile.
    is_alone: bool,
    /// After how many rounds it was last asked something else.
    told_apart: u32,
    /// It has failed since any order was priced.
    is_since: bool,
}

/// What is to be done after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Ask again when the service can be asked.
    Again,
    /// See whether the service answers something else.
    Suspect,
    /// It is alone: the service can be asked.
    Alone,
}

impl Unpriced {
    fn kinds(&self) -> MutexGuard<'_, HashMap<Kind, Failing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An order was not priced.
    pub(super) fn failed(&self, kind: &Kind, failure: &Failure, now: Instant) -> Standing {
        let mut kinds = self.kinds();
        if kinds.len() >= MOST_KINDS && !kinds.contains_key(kind) {
            kinds.clear();
        }
        let failing = kinds.entry(kind.clone()).or_insert_with(|| Failing {
            rounds: 0,
            next: now,
            failures: 0,
            last: failure.clone(),
            is_alone: false,
            told_apart: 0,
            is_since: true,
        });
        failing.failures = failing.failures.saturating_add(1);
        failing.last = failure.clone();
        failing.is_since = true;
        if now >= failing.next {
            failing.next = now + pause_after(failing.rounds);
            failing.rounds = failing.rounds.saturating_add(1);
        }
        if failing.is_alone {
            Standing::Alone
        } else if failing.rounds >= ROUNDS.max(failing.told_apart.saturating_mul(2)) {
            Standing::Suspect
        } else {
            Standing::Again
        }
    }

    /// An order was priced, or refused: its kind is none that fails, and the others may be alone.
    pub(super) fn ended(&self, kind: &Kind) {
        let mut kinds = self.kinds();
        kinds.remove(kind);
        for failing in kinds.values_mut() {
            failing.is_since = false;
        }
    }

    /// What was last heard of a kind that is alone, where it is not to be asked for before its pause is over.
    pub(super) fn rests(&self, kind: &Kind, now: Instant) -> Option<Failure> {
        let kinds = self.kinds();
        let failing = kinds.get(kind)?;
        let rests = failing.is_alone && failing.failures >= ENOUGH && now < failing.next;
        rests.then(|| failing.last.clone())
    }

    pub(super) fn is_alone(&self, kind: &Kind) -> bool {
        self.kinds().get(kind).is_some_and(|failing| failing.is_alone)
    }

    /// Whether the service is to be asked something else, which is done once a round at most: not where it prices nothing.
    fn takes_turn(&self, kind: &Kind) -> bool {
        let mut kinds = self.kinds();
        let are_few = kinds.values().filter(|failing| failing.is_since).count() <= MOST;
        let is_due = |failing: &&mut Failing| !failing.is_alone && failing.rounds > failing.told_apart;
        let Some(failing) = kinds.get_mut(kind).filter(is_due) else {
            return false;
        };
        failing.told_apart = failing.rounds;
        are_few
    }

    fn set_alone(&self, kind: &Kind) {
        if let Some(failing) = self.kinds().get_mut(kind) {
            failing.is_alone = true;
        }
    }
}

impl Submitter {
    /// Asks once for the price of an order. What is heard of a kind that is alone says nothing of the service.
    pub(super) async fn ask_price(
        &self,
        order: &Order,
        kind: &Kind,
    ) -> Result<Result<Quote, Failure>, Blocked> {
        let permit = self.health.permit().await?;
        if let Some(last) = self.unpriced.rests(kind, Instant::now()) {
            return Err(Blocked::of(&last));
        }
        let answer = self.quoting.held_against(self.client.quote(order).await);
        match &answer {
            Err(failure) if speaks_of_the_order(failure) && self.unpriced.is_alone(kind) => drop(permit),
            Ok(_) | Err(_) => permit.note(answer.as_ref().err()),
        }
        Ok(answer)
    }

    /// Looks whether the service answers another question, after orders of a kind were asked the price of time after time and
    /// `failure` was the last that was heard: then it is not away, and whoever asks for another order is not kept waiting.
    pub(super) async fn tell_apart(&self, kind: &Kind, failure: &Failure) {
        if !speaks_of_the_order(failure) || !self.unpriced.takes_turn(kind) {
            return;
        }
        let permit = self.health.permit_at_once();
        match self.list().newest(&self.now()).await {
            Ok(_page) => {
                tracing::warn!(%failure, "an order cannot be priced, though the service answers: it waits alone");
                self.unpriced.set_alone(kind);
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

    fn kind(sku: &str) -> Kind {
        Kind(vec![sku.to_owned()])
    }

    fn failure() -> Failure {
        Failure {
            operation: "calculate-price-order",
            verdict: Verdict::Unknown,
            heard: Heard::Said(500),
            has_status: true,
            detail: "HTTP 500".into(),
            service_message: None,
            service_date: None,
            made: None,
        }
    }

    /// Fails a kind until the service is to be asked something else; how long that took.
    fn until_suspect(unpriced: &Unpriced, kind: &Kind, begin: Instant) -> Duration {
        let mut now = begin;
        while unpriced.failed(kind, &failure(), now) != Standing::Suspect {
            now += Duration::from_millis(100);
            assert!(now < begin + Duration::from_mins(1));
        }
        now - begin
    }

    #[test]
    fn many_orders_of_one_kind_that_fail_together_are_one_failure() {
        let (unpriced, mug, begin) = (Unpriced::default(), kind("MUG"), Instant::now());
        for _ in 0..100 {
            assert_eq!(unpriced.failed(&mug, &failure(), begin), Standing::Again);
        }
        let took = until_suspect(&unpriced, &mug, begin);
        assert_eq!(took, Duration::from_millis(6_300));
        assert!(
            unpriced.takes_turn(&mug) && !unpriced.takes_turn(&mug),
            "once a round"
        );
    }

    #[test]
    fn only_few_kinds_are_alone_and_any_price_counts_anew() {
        let (unpriced, begin) = (Unpriced::default(), Instant::now());
        let kinds: Vec<Kind> = ["A", "B", "C", "D"].map(kind).into();
        for kind in &kinds {
            until_suspect(&unpriced, kind, begin);
        }
        assert!(!unpriced.takes_turn(&kinds[3]), "the service prices nothing");
        unpriced.ended(&kind("E"));
        unpriced.failed(&kinds[3], &failure(), begin + Duration::from_mins(1));
        assert!(unpriced.takes_turn(&kinds[3]));
    }

    #[test]
    fn a_kind_that_is_alone_is_asked_for_now_and_then_until_it_is_priced() {
        let (unpriced, mug, begin) = (Unpriced::default(), kind("MUG"), Instant::now());
        let now = begin + until_suspect(&unpriced, &mug, begin);
        assert!(unpriced.takes_turn(&mug));
        unpriced.set_alone(&mug);
        while unpriced
            .kinds()
            .get(&mug)
            .is_some_and(|failing| failing.failures < ENOUGH)
        {
            assert!(unpriced.rests(&mug, now).is_none());
            assert_eq!(unpriced.failed(&mug, &failure(), now), Standing::Alone);
        }
        assert!(unpriced.rests(&mug, now).is_some());
        assert!(unpriced.rests(&kind("TEE"), now).is_none());
        assert!(unpriced.rests(&mug, now + Duration::from_secs(30)).is_none());
        unpriced.ended(&mug);
        assert!(unpriced.rests(&mug, now).is_none() && !unpriced.is_alone(&mug));
    }
}
