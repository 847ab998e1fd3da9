//! One look at an unanswered order, as the questions that it asks of the service's list, one after the other. Pure:
//! who drives it asks the list and hands the answers in, over the network or in a simulated world.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{
    Known, Liveness, Named, Ours, PERSON_PAUSE, Policy, Reading, Reason, Step, decide, of_the_attempt,
};
use crate::clock::{BootTime, Now, credible};

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
    /// That there is none is the list's word alone.
    by_word: bool,
}

impl<'a> Round<'a> {
    /// A round that begins with a look-up of the order, which is handed to [`Round::looked`].
    pub fn new(known: &'a Known, policy: &'a Policy) -> Self {
        Self {
            known,
            policy,
            liveness: None,
            by_word: false,
        }
    }

    /// The order was looked up.
    pub fn looked(&mut self, reading: &Reading) -> Next {
        self.by_word = *reading == Reading::NoneByWord;
        match self.liveness {
            None if reading.is_empty() => Next::Witness,
            liveness => self.follow(reading, liveness.unwrap_or(Liveness::Unproven)),
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
        let mut liveness = liveness(witness, self.known.lag, self.policy);
        if self.by_word {
            liveness = liveness.by_word();
        }
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
            Step::AskPerson { why, .. } => !matches!(why, Reason::OtherContent | Reason::ContentNotShown),
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

/// How long a wait has gone on: by the boot clock, or across a boot by the service's own; none where neither can tell, as
/// where a time of the service's is none.
pub fn waited(
    since: &BootTime,
    since_service: Option<Timestamp>,
    service_date: Option<Timestamp>,
    now: &Now,
) -> Option<Duration> {
    now.boot.since(since).or_else(|| {
        let [date, since] = [service_date, since_service].map(|told| told.and_then(credible));
        let elapsed = date?.duration_since(since?);
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
    let date = service_date.and_then(credible).unwrap_or(now.wall);
    let ahead = date.duration_since(now.wall).min(SignedDuration::ZERO);
    let by_wall = intended_at.checked_add(ahead).unwrap_or(intended_at);
    let since = now.boot.since(intended);
    let by_boot = since.and_then(|since| date.checked_sub(since).ok());
    by_boot
        .into_iter()
        .chain(answered.and_then(credible))
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
mod tests;
