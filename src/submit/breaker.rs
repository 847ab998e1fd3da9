//! After some creates in a row without an answer no more leave, until what only reads has shown that the service does
//! its work; then one at a time, until one is answered. A new process goes on from what the ledger keeps of the newest
//! creates. Pure: the time is passed in.

use std::time::Duration;

use tokio::time::Instant;

use super::Blocked;
use crate::clock::BootTime;
use crate::ledger::record::EndedCreate;
use crate::service::Failure;

/// Unanswered creates in a row after which no more leave.
pub(super) const MOST_UNANSWERED: u32 = 3;

/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause: one request in half a minute while the service is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The longest pause before a create leaves to try whether creates are answered again. Each that is not leaves an order
/// without an answer, which is looked for long afterwards: a few in an hour, not a hundred.
const LONGEST_TRIAL: Duration = Duration::from_mins(5);

/// The pause after a failure that came after so many others.
pub(super) fn pause_after(failures: u32) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures.min(16)));
    doubled.min(LONGEST_PAUSE)
}

/// The longest pause between trials that have gone on for so long: a service that was away for a while is noticed soon, and
/// one that is away for long costs few orders their answer.
fn longest_trial(after: Duration) -> Duration {
    (after / 6).clamp(LONGEST_PAUSE, LONGEST_TRIAL)
}

/// The pause after a create that left in vain to try, so long after the one before: twice as long, up to the longest.
fn trial_pause(before: Duration, longest: Duration) -> Duration {
    before.saturating_mul(2).clamp(FIRST_PAUSE, longest.max(before))
}

/// Whether creates may leave. Open, as of a circuit: none does.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    /// Creates in a row without an answer.
    unanswered: u32,
    failing: Option<Failing>,
    /// What only reads has shown that the service works: whether it answers creates too is tried with one at a time.
    is_on_trial: bool,
    /// The pause after the newest create that left in vain to try.
    trial_pause: Duration,
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
    /// As the newest creates of the processes before leave it, newest first: where they had no answer this one has to try it
    /// too, after the pause that theirs would have come to. After a reboot no pause can be measured.
    pub(super) fn after(newest: &[EndedCreate], (boot, now): (&BootTime, Instant)) -> Self {
        let unanswered = newest.iter().take_while(|create| !create.is_answered).count();
        let unanswered = u32::try_from(unanswered).unwrap_or(u32::MAX);
        if unanswered < MOST_UNANSWERED {
            return Self::default();
        }
        let mut breaker = Self {
            unanswered,
            ..Self::default()
        };
        if let [last, before, ..] = newest
            && let Some(apart) = last.at.since(&before.at)
            && let Some(passed) = boot.since(&last.at)
        {
            breaker.trial_pause = trial_pause(apart.min(LONGEST_TRIAL), LONGEST_TRIAL);
            let left = breaker.trial_pause.saturating_sub(passed);
            breaker.failing = (!left.is_zero()).then(|| Failing {
                since: now,
                tries: 0,
                next: now + left,
                last: Blocked::Away("the newest creates had no answer".to_owned()),
            });
        }
        breaker
    }

    /// Notes that a create was answered.
    pub(super) fn answered(&mut self) {
        *self = Self::default();
    }

    /// Notes that a create has no answer. Where it had the turn to try, the next one is tried after a pause, and a longer one
    /// each time: a service of which the creates alone are away leaves one order without an answer a trial. One that had left
    /// before says nothing of what is tried now.
    pub(super) fn unanswered(&mut self, failure: &Failure, had_turn: bool, now: Instant) {
        self.unanswered = self.unanswered.saturating_add(1);
        if had_turn && std::mem::take(&mut self.is_on_trial) {
            let since = self.failing.as_ref().map_or(now, |failing| failing.since);
            self.trial_pause = trial_pause(self.trial_pause, longest_trial(now.duration_since(since)));
            self.failing = Some(Failing {
                since,
                tries: 0,
                next: now + self.trial_pause,
                last: Blocked::of(failure),
            });
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

    /// Notes that what only reads does not work yet.
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
pub(super) mod tests {
    use super::*;
    use crate::service::{Heard, Verdict};

    /// A create without an answer.
    pub(in crate::submit) fn lost() -> Failure {
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
                breaker.unanswered(&lost(), breaker.is_on_trial(), now);
            }
            assert!(!breaker.is_open());
        }
        breaker.unanswered(&lost(), breaker.is_on_trial(), now);
        assert_eq!(breaker.proof(now), ProbeDue::Now);
        breaker.answered();
        assert_eq!(breaker.proof(now), ProbeDue::NotNeeded);
    }

    #[test]
    fn a_create_without_an_answer_on_trial_stops_creates_again_for_longer_each_time() {
        let (mut breaker, mut now) = (Breaker::default(), Instant::now());
        (0..3).for_each(|_| breaker.unanswered(&lost(), false, now));
        let mut pauses = Vec::new();
        for _ in 0..4 {
            breaker.proved();
            assert!(!breaker.is_open() && breaker.is_on_trial());
            breaker.unanswered(&lost(), breaker.is_on_trial(), now);
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
    fn a_create_that_left_before_a_trial_ends_it_by_no_failure_and_makes_no_pause_longer() {
        let (mut breaker, now) = (Breaker::default(), Instant::now());
        (0..3).for_each(|_| breaker.unanswered(&lost(), false, now));
        breaker.proved();
        (0..5).for_each(|_| breaker.unanswered(&lost(), false, now));
        assert!(!breaker.is_open() && breaker.is_on_trial());
        breaker.unanswered(&lost(), true, now);
        assert_eq!(breaker.proof(now), ProbeDue::At(now + FIRST_PAUSE));
    }

    /// Creates that ended in one boot, newest first, so many seconds after it.
    fn ended(creates: &[(bool, u64)]) -> Vec<EndedCreate> {
        let create = |(is_answered, seconds): &(bool, u64)| EndedCreate {
            is_answered: *is_answered,
            at: booted(*seconds),
        };
        creates.iter().map(create).collect()
    }

    fn booted(seconds: u64) -> BootTime {
        BootTime {
            id: "boot".into(),
            millis: i64::try_from(seconds * 1000).unwrap(),
        }
    }

    #[test]
    fn pauses_between_trials_grow_up_to_five_minutes_and_an_answer_ends_them() {
        let (mut breaker, begin) = (Breaker::default(), Instant::now());
        (0..3).for_each(|_| breaker.unanswered(&lost(), false, begin));
        let (mut pauses, mut now) = (Vec::new(), begin);
        for _ in 0..40 {
            breaker.proved();
            breaker.unanswered(&lost(), breaker.is_on_trial(), now);
            let ProbeDue::At(next) = breaker.proof(now) else {
                panic!("{breaker:?}")
            };
            pauses.push((next - begin, (next - now).as_secs()));
            now = next;
        }
        let within = |minutes| {
            let of_it = |(at, _): &&(Duration, u64)| *at < Duration::from_mins(minutes);
            pauses.iter().filter(of_it).count()
        };
        assert_eq!([within(3), within(30)], [13, 28]);
        let longest: Vec<u64> = pauses.iter().map(|(_, pause)| *pause).collect();
        assert!(longest.is_sorted() && longest[12] == 30, "{longest:?}");
        assert_eq!(longest.last(), Some(&300));
        // What only reads is tried as often as ever.
        breaker.failed(&lost(), now);
        assert_eq!(breaker.proof(now), ProbeDue::At(now + FIRST_PAUSE));
        breaker.answered();
        assert_eq!(breaker.proof(now), ProbeDue::NotNeeded);
        (0..3).for_each(|_| breaker.unanswered(&lost(), false, now));
        assert_eq!(breaker.proof(now), ProbeDue::Now);
    }

    #[test]
    fn a_new_process_goes_on_where_the_newest_creates_had_no_answer() {
        let now = Instant::now();
        let begun = |creates: &[(bool, u64)], boot| Breaker::after(&ended(creates), (&boot, now));
        let due = |creates: &[(bool, u64)], boot| begun(creates, boot).proof(now);
        let in_vain = [(false, 1060), (false, 1000), (false, 900)];
        let at = |seconds| ProbeDue::At(now + Duration::from_secs(seconds));
        for (creates, seconds, expected) in [
            (&in_vain[..2], 1061, ProbeDue::NotNeeded),
            (
                &[(true, 1070), in_vain[0], in_vain[1], in_vain[2]][..],
                1071,
                ProbeDue::NotNeeded,
            ),
            (
                &[in_vain[0], in_vain[1], (true, 900)][..],
                1061,
                ProbeDue::NotNeeded,
            ),
            (&in_vain[..], 1061, at(119)),
            (&in_vain[..], 1180, ProbeDue::Now),
            (&[(false, 5000), (false, 1000), (false, 1000)][..], 5001, at(299)),
            (&[(false, 1000); 3][..], 1001, ProbeDue::Now),
        ] {
            assert_eq!(
                due(creates, booted(seconds)),
                expected,
                "{creates:?} at {seconds}"
            );
        }
        let rebooted = BootTime {
            id: "another".into(),
            millis: 0,
        };
        assert_eq!(due(&in_vain, rebooted), ProbeDue::Now);
        // One that is answered is enough, and one that is not makes the pause no shorter.
        let mut breaker = begun(&in_vain, booted(1180));
        breaker.proved();
        assert!(breaker.is_on_trial());
        breaker.unanswered(&lost(), breaker.is_on_trial(), now);
        assert_eq!(breaker.proof(now), at(120));
        breaker.answered();
        assert_eq!(breaker.proof(now), ProbeDue::NotNeeded);
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
