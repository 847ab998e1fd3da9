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
/// A product line that is no longer made may stand together at the head of a sheet, a kind for each of its sizes and colours,
/// and the orders behind it are to have their turn.
const MOST: usize = 24;

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
pub(super) struct Unpriced(Mutex<Kinds>);

#[derive(Debug, Default)]
struct Kinds {
    failing: HashMap<Kind, Failing>,
    /// Failures of whatever kind, since any order was priced.
    together: Rounds,
}

/// A kind that is not priced.
#[derive(Debug)]
struct Failing {
    rounds: Rounds,
    /// Every failure.
    failures: u32,
    last: Failure,
    /// The service answered something else meanwhile.
    is_alone: bool,
    /// It has failed since any order was priced.
    is_since: bool,
}

/// Failures, of which those at about the same time are one.
#[derive(Clone, Copy, Debug, Default)]
struct Rounds {
    count: u32,
    /// When the next failure is one more round.
    next: Option<Instant>,
    /// After how many rounds the service was last asked something else.
    told_apart: u32,
}

impl Rounds {
    fn failed(&mut self, now: Instant) {
        if self.next.is_none_or(|next| now >= next) {
            self.next = Some(now + pause_after(self.count));
            self.count = self.count.saturating_add(1);
        }
    }

    /// There were enough of them to see whether the service answers something else.
    fn are_enough(&self) -> bool {
        self.count >= ROUNDS.max(self.told_apart.saturating_mul(2))
    }

    /// Whether the service is to be asked something else, which is done once a round at most.
    fn take_turn(&mut self) -> bool {
        let is_due = self.count > self.told_apart;
        if is_due {
            self.told_apart = self.count;
        }
        is_due
    }
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

impl Kinds {
    /// The kinds that have failed since any order was priced.
    fn since(&self) -> impl Iterator<Item = &Kind> {
        let since = self.failing.iter().filter(|(_, failing)| failing.is_since);
        since.map(|(kind, _)| kind)
    }
}

impl Unpriced {
    fn kinds(&self) -> MutexGuard<'_, Kinds> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An order was not priced.
    pub(super) fn failed(&self, kind: &Kind, failure: &Failure, now: Instant) -> Standing {
        let mut kinds = self.kinds();
        let Kinds { failing, together } = &mut *kinds;
        if failing.len() >= MOST_KINDS && !failing.contains_key(kind) {
            failing.clear();
        }
        together.failed(now);
        let failing = failing.entry(kind.clone()).or_insert_with(|| Failing {
            rounds: Rounds::default(),
            failures: 0,
            last: failure.clone(),
            is_alone: false,
            is_since: true,
        });
        failing.failures = failing.failures.saturating_add(1);
        failing.last = failure.clone();
        failing.is_since = true;
        failing.rounds.failed(now);
        if failing.is_alone {
            Standing::Alone
        } else if failing.rounds.are_enough() || together.are_enough() {
            Standing::Suspect
        } else {
            Standing::Again
        }
    }

    /// An order was priced, or refused: its kind is none that fails, and the others may be alone.
    pub(super) fn ended(&self, kind: &Kind) {
        let mut kinds = self.kinds();
        kinds.together = Rounds::default();
        kinds.failing.remove(kind);
        for failing in kinds.failing.values_mut() {
            failing.is_since = false;
        }
    }

    /// What was last heard of a kind that is alone, where it is not to be asked for before its pause is over.
    pub(super) fn rests(&self, kind: &Kind, now: Instant) -> Option<Failure> {
        let kinds = self.kinds();
        let failing = kinds.failing.get(kind)?;
        let is_early = failing.rounds.next.is_some_and(|next| now < next);
        let rests = failing.is_alone && failing.failures >= ENOUGH && is_early;
        rests.then(|| failing.last.clone())
    }

    /// Whether the service has last answered of a kind what may speak of its orders alone. All that wait would else ask the
    /// same at once, each time that it answers another question.
    fn is_suspect(&self, kind: &Kind) -> bool {
        let kinds = self.kinds();
        let failing = kinds.failing.get(kind);
        failing.is_some_and(|failing| speaks_of_the_order(&failing.last))
    }

    pub(super) fn is_alone(&self, kind: &Kind) -> bool {
        self.kinds()
            .failing
            .get(kind)
            .is_some_and(|failing| failing.is_alone)
    }

    /// The kinds that are alone if the service answers something else, which it is to be asked now: this one, or all that
    /// have failed while none was priced. None where it is not to be asked; not where it prices nothing.
    fn take_turn(&self, kind: &Kind) -> Vec<Kind> {
        let mut kinds = self.kinds();
        let is_alone = kinds.failing.get(kind).is_none_or(|failing| failing.is_alone);
        if is_alone {
            return Vec::new();
        }
        let are_few = kinds.since().count() <= MOST;
        let by_all = kinds.together.are_enough() && kinds.together.take_turn();
        let by_itself = kinds
            .failing
            .get_mut(kind)
            .is_some_and(|failing| failing.rounds.take_turn());
        match (are_few, by_all, by_itself) {
            (true, true, _) => kinds.since().cloned().collect(),
            (true, false, true) => vec![kind.clone()],
            (true, false, false) | (false, ..) => Vec::new(),
        }
    }

    /// The service answers something else: kinds are alone, and what is not priced behind them is counted anew.
    fn set_alone(&self, alone: &[Kind]) {
        let mut kinds = self.kinds();
        kinds.together = Rounds::default();
        for kind in alone {
            if let Some(failing) = kinds.failing.get_mut(kind) {
                failing.is_alone = speaks_of_the_order(&failing.last);
            }
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
        let permit = if self.unpriced.is_suspect(kind) {
            self.health.permit_one_by_one().await?
        } else {
            self.health.permit().await?
        };
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
        if !speaks_of_the_order(failure) {
            return;
        }
        let suspects = self.unpriced.take_turn(kind);
        if suspects.is_empty() {
            return;
        }
        let permit = self.health.permit_at_once();
        match self.list().answers(&self.now()).await {
            Ok(()) => {
                tracing::warn!(%failure, "an order cannot be priced, though the service answers: it waits alone");
                self.unpriced.set_alone(&suspects);
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
        Heard::Nothing | Heard::Unread | Heard::NoToken | Heard::Denied => false,
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
        assert_eq!(unpriced.take_turn(&mug), std::slice::from_ref(&mug));
        assert!(unpriced.take_turn(&mug).is_empty(), "once a round");
    }

    #[test]
    fn kinds_that_fail_in_turn_while_none_is_priced_are_alone_together() {
        let (unpriced, begin) = (Unpriced::default(), Instant::now());
        let kinds: Vec<Kind> = ["A", "B", "C", "D"].map(kind).into();
        let mut now = begin;
        let in_turn = || std::iter::repeat_n(&kinds, 5).flatten();
        let suspect = in_turn().find(|kind| {
            now += Duration::from_millis(500);
            unpriced.failed(kind, &failure(), now) == Standing::Suspect
        });
        let mut together = unpriced.take_turn(suspect.unwrap());
        together.sort_unstable_by_key(|kind| kind.0.clone());
        assert_eq!(together, kinds);
        unpriced.set_alone(&together);
        assert!(kinds.iter().all(|kind| unpriced.is_alone(kind)));

        // The next one behind them has its own time.
        let next = kind("E");
        assert_eq!(unpriced.failed(&next, &failure(), now), Standing::Again);
        assert!(until_suspect(&unpriced, &next, now) > Duration::from_secs(6));
    }

    #[test]
    fn a_kind_that_fails_once_beside_one_that_always_does_is_not_alone() {
        let (unpriced, begin) = (Unpriced::default(), Instant::now());
        let (mug, cap) = (kind("MUG"), kind("CAP"));
        let mut now = begin;
        while unpriced.failed(&mug, &failure(), now) != Standing::Suspect {
            unpriced.ended(&kind("TEE"));
            now += Duration::from_millis(100);
        }
        unpriced.failed(&cap, &failure(), now);
        assert_eq!(unpriced.take_turn(&mug), std::slice::from_ref(&mug));
    }

    #[test]
    fn only_few_kinds_are_alone_and_any_price_counts_anew() {
        let (unpriced, begin) = (Unpriced::default(), Instant::now());
        let kinds: Vec<Kind> = (0..=MOST).map(|number| kind(&number.to_string())).collect();
        for kind in &kinds {
            until_suspect(&unpriced, kind, begin);
        }
        let last = &kinds[MOST];
        assert!(unpriced.take_turn(last).is_empty(), "the service prices nothing");
        unpriced.ended(&kind("priced"));
        unpriced.failed(last, &failure(), begin + Duration::from_mins(1));
        assert_eq!(unpriced.take_turn(last), std::slice::from_ref(last));
    }

    #[test]
    fn a_kind_that_is_alone_is_asked_for_now_and_then_until_it_is_priced() {
        let (unpriced, mug, begin) = (Unpriced::default(), kind("MUG"), Instant::now());
        let now = begin + until_suspect(&unpriced, &mug, begin);
        let alone = unpriced.take_turn(&mug);
        unpriced.set_alone(&alone);
        while unpriced
            .kinds()
            .failing
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
