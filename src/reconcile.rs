//! After an unanswered create: what follows from what is known and from what the service's list shows. Pure.
//!
//! The service promises nothing about an `order_id`: a second create makes a second order. So absence has to be proved,
//! by look-ups that answered, by time, and by a list that is shown to be live; until then the order stays unresolved.

mod addressee;
mod alike;
mod named;
mod reason;
mod round;
mod signature;

use std::time::Duration;

use jiff::Timestamp;

pub use addressee::Addressee;
pub use alike::{
    beginnings, has_something_in_front, is_alike, is_in_another_writing, is_ours_behind_something,
    is_same_id, plain, plain_ascii, zips_agree,
};
pub use named::{Named, Ours, is_recent, of_the_attempt};
pub use reason::{AlikeOrder, Reason};
pub use round::{Anew, Next, Round, Witness, anew, liveness, on_service_clock, waited};
pub use signature::Signature;

/// Look-ups that must have answered and seen none before absence can count.
pub const LOOKS: u32 = 3;

/// The longest pause between two look-ups.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

/// The first pause; each one after it is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// How often an order that waits for a person is looked up all the same: as often as a cron job does, for the list may have
/// come to life since.
pub const PERSON_PAUSE: Duration = Duration::from_mins(5);

/// What a look-up has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It did not answer, or could not be read to its end: nothing follows from it.
    Incomplete,
    /// It answered, and what it shows may be ours or hide ours: nothing follows from it, now or the next time.
    Unclear,
    /// It fails at this order alone, with these words, and the whole list does not show it: nothing follows from that.
    Fails(String),
    /// The list says that it has none, in a way in which one that is not there at all may say so: that is no proof.
    NoneByWord,
    /// Every page was read; these have exactly our name.
    Complete(Vec<Named>),
}

impl Reading {
    /// Whether it has shown none.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::NoneByWord => true,
            Self::Complete(named) => named.is_empty(),
            Self::Incomplete | Self::Unclear | Self::Fails(_) => false,
        }
    }
}

/// What shows that the service's list is live: an order of ours whose create was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// The list shows an order whose create was sent after the unanswered one.
    Live {
        /// How long after its sending it was first seen in the list: a list that is late hides for so long what was
        /// made in time.
        lag: Duration,
    },
    /// The list does not show an answered order that is itself older than `absent_after`: absence never counts.
    Dead,
    /// An answered order sent afterwards is not shown yet, and is still young.
    Young,
    /// There is no order that could show it.
    Unproven,
}

impl Liveness {
    /// The same of a list that says that it has none: however live it is, that waits as if nothing showed it.
    #[must_use]
    pub fn by_word(self) -> Self {
        match self {
            Self::Live { .. } => Self::Unproven,
            Self::Dead | Self::Young | Self::Unproven => self,
        }
    }
}

/// What is known of the unanswered order before this look-up.
#[derive(Clone, Debug)]
pub struct Known {
    /// What a candidate must hold.
    pub signature: Signature,
    /// Where it must go; none where that is not known any more.
    pub zip: Option<String>,
    /// When the first attempt was intended, by the service's clock as well as it is known.
    pub first_attempt: Timestamp,
    /// Look-ups that answered and saw none, without this one.
    pub looks: u32,
    /// How long ago the newest attempt ended; none where no clock can tell (another boot).
    pub waited: Option<Duration>,
    /// How late the list was when it first showed an order that was sent afterwards; none before it has.
    pub lag: Option<Duration>,
    /// Creates of this content that may have left so far.
    pub sends: u32,
    /// A cancel is wished: it is never sent again.
    pub cancel: bool,
    /// A person was asked already.
    pub person: bool,
    /// A create of it was answered with an id, but for an order of another name that nobody here has sent: under that
    /// name it may be there.
    pub contradicted: bool,
}

impl Known {
    /// What a candidate must have.
    pub fn ours(&self) -> Ours<'_> {
        Ours {
            signature: &self.signature,
            zip: self.zip.as_deref(),
        }
    }
}

/// What the config says.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// `absent_after`
    pub absent_after: Duration,
    /// `absent_after_unproven`
    pub absent_after_unproven: Duration,
    /// `resend = "when-absent"`
    pub resend: bool,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is this one at the service; there are this many others of our name, which are reported and never canceled.
    Adopt {
        /// Which of the named ones.
        pw_order_id: String,
        /// Further orders of our name, whatever is in them.
        others: u32,
    },
    /// Nothing follows yet.
    LookAgain(Duration),
    /// No clock can tell how long it has waited: the wait begins anew.
    WaitAnew(Duration),
    /// It is proved to be absent: one more create may leave.
    SendAgain,
    /// It is proved to be absent, and a cancel is wished: it is canceled.
    RuledOut,
    /// A person decides; it is looked up all the same, now and then.
    AskPerson {
        /// Why.
        why: Reason,
        /// When to look again.
        again: Duration,
    },
}

/// Decides what follows from one look-up.
pub fn decide(known: &Known, reading: &Reading, liveness: Liveness, policy: &Policy) -> Step {
    // A person who was asked and wishes a cancel has decided.
    let again = if known.person && !known.cancel {
        PERSON_PAUSE
    } else {
        pause(known.looks, policy)
    };
    let named = match reading {
        Reading::Incomplete => return Step::LookAgain(again),
        Reading::Unclear => {
            let after = policy.absent_after_unproven.max(policy.absent_after);
            return unclear(known, policy, (after, Reason::UnreadableList));
        }
        Reading::Fails(words) => {
            let words = words.clone();
            return unclear(
                known,
                policy,
                (policy.absent_after, Reason::LookUpFails { words }),
            );
        }
        Reading::NoneByWord => {
            return decide(known, &Reading::Complete(Vec::new()), liveness.by_word(), policy);
        }
        Reading::Complete(named) => named,
    };
    if let Some(eldest) = candidates(known, named).min_by_key(|c| (c.entered_at, &c.pw_order_id)) {
        let others = u32::try_from(named.len().saturating_sub(1)).unwrap_or(u32::MAX);
        return Step::Adopt {
            pw_order_id: eldest.pw_order_id.clone(),
            others,
        };
    }
    if !named.is_empty() {
        return Step::AskPerson {
            why: not_ours(known, named),
            again: PERSON_PAUSE,
        };
    }
    let needed = match liveness {
        // What the service has made within `absent_after` shows in the list that much later.
        Liveness::Live { lag } => policy
            .absent_after
            .saturating_add(lag)
            .min(policy.absent_after_unproven.max(policy.absent_after)),
        Liveness::Unproven => policy.absent_after_unproven,
        // Absence never counts then: who is asked looks where dropsheet cannot.
        Liveness::Dead
            if !known.person
                && known.waited.is_some_and(|waited| {
                    waited >= policy.absent_after_unproven.max(policy.absent_after)
                }) =>
        {
            return Step::AskPerson {
                why: Reason::DeadList,
                again: PERSON_PAUSE,
            };
        }
        Liveness::Dead | Liveness::Young => return Step::LookAgain(again),
    };
    let Some(waited) = known.waited else {
        return Step::WaitAnew(again);
    };
    if waited < needed {
        return Step::LookAgain(again.min(needed.saturating_sub(waited)));
    }
    if known.looks + 1 < LOOKS {
        return Step::LookAgain(again);
    }
    proved_absent(known, policy)
}

/// Why none of the orders of our name is taken for ours.
fn not_ours(known: &Known, named: &[Named]) -> Reason {
    let is_recent = |named: &&Named| is_recent(named.entered_at, known.first_attempt);
    let is_untold = |named: &Named| !named.signature.is_told();
    if named.iter().filter(is_recent).any(is_untold) {
        Reason::ContentNotShown
    } else {
        Reason::OtherContent
    }
}

/// What follows from a list that answers and tells nothing: whoever is asked after that time looks where dropsheet cannot.
fn unclear(known: &Known, policy: &Policy, (after, why): (Duration, Reason)) -> Step {
    let Some(waited) = known.waited else {
        return Step::WaitAnew(longest_pause(policy));
    };
    if !known.person && waited >= after {
        return Step::AskPerson {
            why,
            again: PERSON_PAUSE,
        };
    }
    if known.person && !known.cancel {
        return Step::LookAgain(PERSON_PAUSE);
    }
    // No look-up counts, so that the pauses grow with the wait.
    Step::LookAgain((waited / 8).clamp(FIRST_PAUSE, longest_pause(policy)))
}

fn proved_absent(known: &Known, policy: &Policy) -> Step {
    if known.contradicted {
        Step::AskPerson {
            why: Reason::Contradicted,
            again: PERSON_PAUSE,
        }
    } else if known.cancel {
        Step::RuledOut
    } else if known.sends >= 2 {
        Step::AskPerson {
            why: Reason::AbsentTwice,
            again: PERSON_PAUSE,
        }
    } else if !policy.resend {
        Step::AskPerson {
            why: Reason::NeverResend,
            again: PERSON_PAUSE,
        }
    } else {
        Step::SendAgain
    }
}

fn candidates<'a>(known: &'a Known, named: &'a [Named]) -> impl Iterator<Item = &'a Named> {
    named
        .iter()
        .filter(|named| of_the_attempt(named, known.ours(), known.first_attempt))
}

/// The pause before the next look-up: growing, and never so long that a short `absent_after` is overslept.
pub fn pause(looks: u32, policy: &Policy) -> Duration {
    let grown = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(looks.min(16)));
    grown.min(longest_pause(policy))
}

fn longest_pause(policy: &Policy) -> Duration {
    (policy.absent_after / 4).clamp(FIRST_PAUSE, LONGEST_PAUSE)
}

#[cfg(test)]
pub(crate) mod tests;
