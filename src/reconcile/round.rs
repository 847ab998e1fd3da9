//! One look at an unanswered order, as the questions that it asks of the service's list, one after the other. Pure:
//! who drives it asks the list and hands the answers in, over the network or in a simulated world.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{
    Known, Liveness, Named, Ours, PERSON_PAUSE, Policy, Reading, Reason, Step, decide, of_the_attempt,
};
use crate::clock::{BootTime, Now};

/// An answered order of ours, as a test of whether the list is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its create was sent after the unanswered attempt had ended.
    pub sent_after: bool,
    /// How long ago its create was sent; [`Duration::MAX`] where no clock can tell.
    pub age: Duration,
    /// Whether the list shows it; none where the look-up did not answer.
    pub shown: Option<bool>,
}

/// What to do next in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Look for an answered order of ours, best one that was sent after the unanswered one, and hand it to
    /// [`Round::witnessed`].
    Witness,
    /// Look for the newest answered order that is itself older than `absent_after`, and hand it to [`Round::newest`].
    Newest,
    /// Read the whole list, not by searching for the name: a search may be blind to some names, or find none that is
    /// written in another way. Hand it to [`Round::whole`].
    Whole,
    /// This follows.
    Follow(Step),
}

/// One look at an unanswered order.
#[derive(Debug)]
pub struct Round<'a> {
    known: &'a Known,
    policy: &'a Policy,
    /// Set when the list was asked for more than the order itself.
    liveness: Option<Liveness>,
}

impl<'a> Round<'a> {
    /// A round that begins with a look-up of the order, which is handed to [`Round::looked`].
    pub fn new(known: &'a Known, policy: &'a Policy) -> Self {
        Self {
            known,
            policy,
            liveness: None,
        }
    }

    /// The order was looked up.
    pub fn looked(&self, reading: &Reading) -> Next {
        match (self.liveness, reading) {
            (None, Reading::Complete(named)) if named.is_empty() => Next::Witness,
            (liveness, _) => self.follow(reading, liveness.unwrap_or(Liveness::Unproven)),
        }
    }

    /// A witness was looked for; none where the ledger has no answered order.
    pub fn witnessed(&mut self, witness: Option<Witness>) -> Next {
        // What was sent before the unanswered attempt is at least as old as the wait for it, and what was sent after it
        // at most, whatever a clock says.
        let waited = self.known.waited;
        let witness = witness.map(|witness| Witness {
            age: if witness.sent_after {
                witness.age.min(waited.unwrap_or(Duration::MAX))
            } else {
                witness.age.max(waited.unwrap_or_default())
            },
            ..witness
        });
        let liveness = liveness(witness, self.known.lag, self.policy);
        self.liveness = Some(liveness);
        match decide(self.known, &Reading::Complete(Vec::new()), liveness, self.policy) {
            Step::SendAgain | Step::RuledOut => Next::Newest,
            Step::AskPerson { .. } if !self.known.person => Next::Whole,
            step => Next::Follow(step),
        }
    }

    /// The newest order that the list must show was looked for; none where there is no such order. The whole list is
    /// read before absence counts: it may have caught up since it was looked into.
    pub fn newest(&mut self, newest: Option<Witness>) -> Next {
        match newest.map(|newest| newest.shown) {
            None | Some(Some(true)) => return Next::Whole,
            // It stands still: what the witness showed was true once.
            Some(Some(false)) => self.liveness = Some(Liveness::Dead),
            Some(None) => self.liveness = Some(Liveness::Young),
        }
        self.follow(
            &Reading::Complete(Vec::new()),
            self.liveness.unwrap_or(Liveness::Dead),
        )
    }

    /// The whole list was read: what has exactly our name, and orders that nobody here has sent under names like it.
    pub fn whole(&self, reading: &Reading, alike: &[Named]) -> Next {
        let liveness = self.liveness.unwrap_or(Liveness::Unproven);
        let step = decide(self.known, reading, liveness, self.policy);
        let by_absence = match &step {
            Step::SendAgain | Step::RuledOut => true,
            Step::AskPerson { why, .. } => *why != Reason::OtherContent,
            Step::Adopt { .. } | Step::LookAgain(_) | Step::WaitAnew(_) => false,
        };
        let known = self.known;
        let is_ours = |named: &Named| of_the_attempt(named, known.ours(), known.first_attempt);
        if by_absence && alike.iter().any(is_ours) {
            return Next::Follow(Step::AskPerson {
                why: Reason::Alike { one: None },
                again: PERSON_PAUSE,
            });
        }
        Next::Follow(step)
    }

    /// Whether the list is shown to be live, by an order of ours that it shows under our name.
    pub fn is_live(&self) -> bool {
        matches!(self.liveness, Some(Liveness::Live { .. }))
    }

    /// How long after its sending the witness was first seen in the list, where it is.
    pub fn lag(&self) -> Option<Duration> {
        match self.liveness {
            Some(Liveness::Live { lag }) => Some(lag).filter(|lag| *lag < Duration::MAX),
            Some(Liveness::Dead | Liveness::Young | Liveness::Unproven) | None => None,
        }
    }

    fn follow(&self, reading: &Reading, liveness: Liveness) -> Next {
        Next::Follow(decide(self.known, reading, liveness, self.policy))
    }
}

/// Whether a witness shows that the list is live. `lag` is how late the list was when it first did.
pub fn liveness(witness: Option<Witness>, lag: Option<Duration>, policy: &Policy) -> Liveness {
    let Some(witness) = witness else {
        return Liveness::Unproven;
    };
    let is_old = witness.age >= policy.absent_after;
    match (witness.shown, witness.sent_after) {
        (Some(true), true) => Liveness::Live {
            lag: lag.unwrap_or(witness.age),
        },
        (Some(false), _) if is_old => Liveness::Dead,
        (Some(false), true) | (None, _) => Liveness::Young,
        (Some(_), false) => Liveness::Unproven,
    }
}

/// How long a wait has gone on: by the boot clock, or across a boot by the service's own; none where neither can tell.
pub fn waited(
    since: &BootTime,
    since_service: Option<Timestamp>,
    service_date: Option<Timestamp>,
    now: &Now,
) -> Option<Duration> {
    now.boot.since(since).or_else(|| {
        let elapsed = service_date?.duration_since(since_service?);
        Duration::try_from(elapsed).ok()
    })
}

/// When an attempt was intended, by the service's clock as well as it is known: by what has passed since on the boot
/// clock, by the wall clock, which may have been set back or forth since, and no later than a look-up that came after
/// it was `answered`. The earliest is the safe one.
pub fn on_service_clock(
    (intended_at, intended): (Timestamp, &BootTime),
    answered: Option<Timestamp>,
    service_date: Option<Timestamp>,
    now: &Now,
) -> Timestamp {
    let date = service_date.unwrap_or(now.wall);
    let ahead = date.duration_since(now.wall).min(SignedDuration::ZERO);
    let by_wall = intended_at.checked_add(ahead).unwrap_or(intended_at);
    let since = now.boot.since(intended);
    let by_boot = since.and_then(|since| date.checked_sub(since).ok());
    by_boot
        .into_iter()
        .chain(answered)
        .fold(by_wall, |earliest, moment| earliest.min(moment))
}

/// What follows from the one look-up before an order is sent anew of which a create has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anew {
    /// It is not there: it may be sent.
    Clear,
    /// It is there, and there are this many others of its name.
    Found {
        /// Which of the named ones.
        pw_order_id: String,
        /// Further orders of our name.
        others: u32,
    },
    /// Others of its name are there, with other content than was sent, or nobody knows what was sent.
    Strangers,
    /// A create without an answer may still be on its way.
    TooEarly,
}

/// Decides whether an order may be sent anew of which a create has left; `sent` is what that was of, none where it is
/// not known any more, and when it was first sent. Where each was `answered`, the only one with a refusal, nothing is on
/// its way; else it has to have `waited`.
pub fn anew(
    (sent, first_attempt): (Option<Ours<'_>>, Timestamp),
    named: &[Named],
    (answered, waited): (bool, Option<Duration>),
    policy: &Policy,
) -> Anew {
    let is_sent = |one: &&Named| sent.is_some_and(|sent| of_the_attempt(one, sent, first_attempt));
    let ours = named.iter().filter(is_sent);
    if let Some(eldest) = ours.min_by_key(|one| (one.entered_at, &one.pw_order_id)) {
        return Anew::Found {
            pw_order_id: eldest.pw_order_id.clone(),
            others: u32::try_from(named.len().saturating_sub(1)).unwrap_or(u32::MAX),
        };
    }
    if !named.is_empty() {
        return Anew::Strangers;
    }
    if answered || waited.is_some_and(|waited| waited >= policy.absent_after) {
        Anew::Clear
    } else {
        Anew::TooEarly
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::Signature;
    use crate::reconcile::tests::{POLICY, known};

    fn absent() -> Reading {
        Reading::Complete(Vec::new())
    }

    fn witness(sent_after: bool, minutes: u64, shown: Option<bool>) -> Witness {
        Witness {
            sent_after,
            age: Duration::from_mins(minutes),
            shown,
        }
    }

    #[test]
    fn what_a_witness_shows() {
        let lag = Duration::from_mins(3);
        for (found, liveness_of) in [
            (None, Liveness::Unproven),
            (Some(witness(true, 3, Some(true))), Liveness::Live { lag }),
            (Some(witness(true, 3, Some(false))), Liveness::Young),
            (Some(witness(true, 15, Some(false))), Liveness::Dead),
            (Some(witness(true, 15, None)), Liveness::Young),
            (Some(witness(false, 15, Some(true))), Liveness::Unproven),
            (Some(witness(false, 15, Some(false))), Liveness::Dead),
            (Some(witness(false, 3, Some(false))), Liveness::Unproven),
        ] {
            assert_eq!(liveness(found, None, &POLICY), liveness_of, "{found:?}");
        }
        let seen_before = liveness(Some(witness(true, 40, Some(true))), Some(lag), &POLICY);
        assert_eq!(
            seen_before,
            Liveness::Live { lag },
            "the lag is that of the first sight"
        );
    }

    #[test]
    fn absence_counts_after_a_witness_the_newest_order_and_a_second_look() {
        let known = known();
        let mut round = Round::new(&known, &POLICY);
        assert_eq!(round.looked(&absent()), Next::Witness);
        assert_eq!(round.witnessed(Some(witness(true, 0, Some(true)))), Next::Newest);
        assert_eq!(round.newest(Some(witness(true, 20, Some(true)))), Next::Whole);
        assert_eq!(round.whole(&absent(), &[]), Next::Follow(Step::SendAgain));
    }

    #[test]
    fn a_list_that_does_not_show_the_newest_order_proves_nothing() {
        let known = known();
        for shown in [Some(false), None] {
            let mut round = Round::new(&known, &POLICY);
            round.witnessed(Some(witness(true, 0, Some(true))));
            let next = round.newest(Some(witness(true, 20, shown)));
            assert!(matches!(next, Next::Follow(Step::LookAgain(_))), "{next:?}");
        }
    }

    #[test]
    fn what_appears_between_the_looks_is_adopted() {
        let known = known();
        let mut round = Round::new(&known, &POLICY);
        round.looked(&absent());
        round.witnessed(Some(witness(true, 0, Some(true))));
        round.newest(None);
        let there = Named {
            pw_order_id: "PW-1".into(),
            signature: known.signature.clone(),
            zip: None,
            entered_at: None,
        };
        let next = round.whole(&Reading::Complete(vec![there]), &[]);
        assert!(matches!(next, Next::Follow(Step::Adopt { .. })), "{next:?}");
    }

    #[test]
    fn what_may_be_ours_under_another_name_is_for_a_person() {
        let at = |second| Some(Timestamp::from_second(second).unwrap());
        let alike = |entered_at| Named {
            pw_order_id: "PW-1".into(),
            signature: known().signature,
            zip: None,
            entered_at,
        };
        let never = Policy {
            resend: false,
            ..POLICY
        };
        let cancel = Known {
            cancel: true,
            ..known()
        };
        for (known, policy) in [(known(), POLICY), (cancel, POLICY), (known(), never)] {
            let mut round = Round::new(&known, &policy);
            round.looked(&absent());
            round.witnessed(Some(witness(true, 0, Some(true))));
            let whole = |entered| round.whole(&absent(), &[alike(at(entered))]);
            let person = whole(10_100);
            assert!(
                matches!(
                    person,
                    Next::Follow(Step::AskPerson {
                        why: Reason::Alike { .. },
                        ..
                    })
                ),
                "{person:?}"
            );
            let from_before = whole(10_000 - 3_601);
            assert!(
                !matches!(
                    from_before,
                    Next::Follow(Step::AskPerson {
                        why: Reason::Alike { .. },
                        ..
                    })
                ),
                "{from_before:?}"
            );
        }
    }

    #[test]
    fn before_a_person_is_asked_the_whole_list_is_read_once() {
        let twice = Known { sends: 2, ..known() };
        let asked = Known {
            person: true,
            ..twice.clone()
        };
        for (known, reads) in [(twice, true), (asked, false)] {
            let mut round = Round::new(&known, &POLICY);
            let next = round.witnessed(Some(witness(true, 0, Some(true))));
            assert_eq!(next == Next::Whole, reads, "{next:?}");
        }
        // A search that is blind to all names is no dead list to who reads the whole of it.
        let blind = Known {
            waited: Some(POLICY.absent_after_unproven),
            ..known()
        };
        let mut round = Round::new(&blind, &POLICY);
        assert_eq!(
            round.witnessed(Some(witness(false, 20, Some(false)))),
            Next::Whole
        );
        let there = Named {
            pw_order_id: "PW-1".into(),
            signature: blind.signature.clone(),
            zip: None,
            entered_at: None,
        };
        let next = round.whole(&Reading::Complete(vec![there]), &[]);
        assert!(matches!(next, Next::Follow(Step::Adopt { .. })), "{next:?}");
    }

    #[test]
    fn an_attempt_is_dated_by_the_service_whatever_our_clock_has_done_since() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let boot = |id: &str, seconds: i64| BootTime {
            id: id.into(),
            millis: seconds * 1000,
        };
        let now = |wall, id| Now {
            wall: at(wall),
            boot: boot(id, 600),
        };
        // Intended ten minutes ago; the service's clock says 100 000.
        let attempt = |second| (at(second), boot("a", 0));
        let dated = |second, now| {
            let (intended_at, intended) = attempt(second);
            on_service_clock((intended_at, &intended), None, Some(at(100_000)), &now)
        };
        assert_eq!(dated(99_400, now(100_000, "a")), at(99_400), "the clocks agree");
        assert_eq!(
            dated(106_600, now(100_000, "a")),
            at(99_400),
            "ours was set back two hours"
        );
        assert_eq!(
            dated(106_600, now(107_200, "b")),
            at(99_400),
            "ours is ahead; booted since"
        );
        let (intended_at, intended) = attempt(106_600);
        let undated =
            |answered, id| on_service_clock((intended_at, &intended), answered, None, &now(100_000, id));
        assert_eq!(undated(None, "a"), at(99_400), "the service tells no time");
        assert_eq!(
            undated(Some(at(99_450)), "b"),
            at(99_450),
            "set back, and booted since"
        );
    }

    #[test]
    fn what_was_answered_needs_no_wait_and_what_was_not_does() {
        let known = known();
        let sent = (Some(known.ours()), known.first_attempt);
        let wait = |answered, minutes: Option<u64>| {
            anew(sent, &[], (answered, minutes.map(Duration::from_mins)), &POLICY)
        };
        assert_eq!(wait(true, None), Anew::Clear);
        assert_eq!(wait(false, None), Anew::TooEarly);
        assert_eq!(wait(false, Some(14)), Anew::TooEarly);
        assert_eq!(wait(false, Some(15)), Anew::Clear);
        let mut there = Named {
            pw_order_id: "PW-1".into(),
            signature: known.signature.clone(),
            zip: None,
            entered_at: None,
        };
        let found = Anew::Found {
            pw_order_id: "PW-1".into(),
            others: 0,
        };
        let named = std::slice::from_ref(&there);
        assert_eq!(anew(sent, named, (true, None), &POLICY), found);
        let waited = (false, Some(Duration::from_hours(24)));
        assert_eq!(
            anew((None, known.first_attempt), named, waited, &POLICY),
            Anew::Strangers,
            "nobody knows whether it is what was sent"
        );
        let elsewhere = Named {
            zip: Some("99999".into()),
            ..there.clone()
        };
        let from_before = Named {
            entered_at: Some(Timestamp::from_second(10_000 - 3_601).unwrap()),
            ..there.clone()
        };
        for stranger in [elsewhere, from_before] {
            assert_eq!(anew(sent, &[stranger], (true, None), &POLICY), Anew::Strangers);
        }
        there.signature = Signature::new([("OTHER", 1)].into_iter(), None);
        for answered in [(true, None), waited] {
            let named = std::slice::from_ref(&there);
            assert_eq!(anew(sent, named, answered, &POLICY), Anew::Strangers);
        }
    }
}
