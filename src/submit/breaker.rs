//! After some creates in a row without an answer no more leave, until what only reads has shown that the service does
//! its work; then one at a time, until one is answered. Pure: the time is passed in.

use std::time::Duration;

use tokio::time::Instant;

use super::Blocked;
use crate::service::Failure;

/// Unanswered creates in a row after which no more leave.
const MOST_UNANSWERED: u32 = 3;

/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause: one request in half a minute while the service is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The pause after a failure that came after so many others.
pub(super) fn pause_after(failures: u32) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures.min(16)));
    doubled.min(LONGEST_PAUSE)
}

/// Whether creates may leave. Open, as of a circuit: none does.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    /// Creates in a row without an answer.
    unanswered: u32,
    failing: Option<Failing>,
    /// What only reads has shown that the service works: whether it answers creates too is tried with one at a time.
    is_on_trial: bool,
}

/// What was tried in vain since it opened.
#[derive(Debug)]
struct Failing {
    since: Instant,
    tries: u32,
    next: Instant,
    last: Blocked,
}

/// What has to be done before a create may leave.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProbeDue {
    /// Nothing.
    NotNeeded,
    /// It is to be tried now whether the service works.
    Now,
    /// That is to be tried then.
    At(Instant),
}

impl Breaker {
    /// Notes that a create was answered.
    pub(super) fn answered(&mut self) {
        *self = Self::default();
    }

    /// Notes that a create has no answer. Where it was on trial, the next one is tried after a pause, and a longer one each
    /// time: a service of which the creates alone are away leaves one order without an answer a trial.
    pub(super) fn unanswered(&mut self, failure: &Failure, now: Instant) {
        self.unanswered = self.unanswered.saturating_add(1);
        if std::mem::take(&mut self.is_on_trial) {
            self.failed(failure, now);
        }
    }

    /// Notes that what only reads works.
    pub(super) fn proved(&mut self) {
        self.is_on_trial = self.has_tripped();
    }

    fn has_tripped(&self) -> bool {
        self.unanswered >= MOST_UNANSWERED
    }

    pub(super) fn is_open(&self) -> bool {
        self.has_tripped() && !self.is_on_trial
    }

    /// Whether creates leave one at a time.
    pub(super) fn is_on_trial(&self) -> bool {
        self.is_on_trial
    }

    pub(super) fn proof(&self, now: Instant) -> ProbeDue {
        match &self.failing {
            _ if !self.is_open() => ProbeDue::NotNeeded,
            Some(failing) if failing.next > now => ProbeDue::At(failing.next),
            Some(_) | None => ProbeDue::Now,
        }
    }

    /// Notes that the service does not work yet.
    pub(super) fn failed(&mut self, failure: &Failure, now: Instant) {
        let (since, tries) = self
            .failing
            .as_ref()
            .map_or((now, 0), |failing| (failing.since, failing.tries));
        self.failing = Some(Failing {
            since,
            tries: tries.saturating_add(1),
            next: now + pause_after(tries),
            last: Blocked::of(failure),
        });
    }

    /// Since when it was tried in vain, and what came of it last.
    pub(super) fn failing(&self) -> Option<(Instant, &Blocked)> {
        let failing = self.failing.as_ref().filter(|_| self.is_open())?;
        Some((failing.since, &failing.last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::{Heard, Verdict};

    fn lost() -> Failure {
        Failure {
            operation: "orders/create-new-order",
            verdict: Verdict::Unknown,
            heard: Heard::Nothing,
            has_status: false,
            detail: "no answer came in time".into(),
            service_message: None,
            service_date: None,
            made: None,
        }
    }

    #[test]
    fn three_unanswered_creates_in_a_row_stop_creates() {
        let (mut breaker, now) = (Breaker::default(), Instant::now());
        for answered in [false, false, true, false, false] {
            if answered {
                breaker.answered();
            } else {
                breaker.unanswered(&lost(), now);
            }
            assert!(!breaker.is_open());
        }
        breaker.unanswered(&lost(), now);
        assert_eq!(breaker.proof(now), ProbeDue::Now);
        breaker.answered();
        assert_eq!(breaker.proof(now), ProbeDue::NotNeeded);
    }

    #[test]
    fn a_create_without_an_answer_on_trial_stops_creates_again_for_longer_each_time() {
        let (mut breaker, mut now) = (Breaker::default(), Instant::now());
        (0..3).for_each(|_| breaker.unanswered(&lost(), now));
        let mut pauses = Vec::new();
        for _ in 0..4 {
            breaker.proved();
            assert!(!breaker.is_open() && breaker.is_on_trial());
            breaker.unanswered(&lost(), now);
            assert!(breaker.is_open() && !breaker.is_on_trial());
            let ProbeDue::At(next) = breaker.proof(now) else {
                panic!("{breaker:?}")
            };
            pauses.push((next - now).as_millis());
            now = next;
        }
        assert_eq!(pauses, [100, 200, 400, 800]);
        breaker.proved();
        breaker.answered();
        assert!(!breaker.is_open() && !breaker.is_on_trial());
    }

    #[test]
    fn pauses_double_up_to_half_a_minute() {
        let pauses: Vec<_> = (0..11).map(|n| pause_after(n).as_millis()).collect();
        assert_eq!(
            pauses,
            [
                100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000
            ]
        );
        assert_eq!(pause_after(u32::MAX), LONGEST_PAUSE);
    }
}
