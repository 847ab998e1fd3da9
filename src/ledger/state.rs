//! The states of an order and the one function that says which may follow which.
//!
//! An illegal pair is an error that names both; there is no way to write a state into the ledger but through
//! [`next`].

use std::fmt;
use std::str::FromStr;

/// What the ledger promises of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing was sent. Also the state of an order that the ledger does not know.
    New,
    /// A limit or a missing approval stops it; nothing was sent.
    Held,
    /// Its create may have left: written before it does.
    Sending,
    /// Its create left and no answer can be believed: the service may have it.
    Unresolved,
    /// The service has it.
    Created,
    /// A cancel is wished: asked for, or waiting until the order is found.
    Canceling,
    /// It is canceled at the service, or was before anything was sent.
    Canceled,
    /// The service said no to its only attempt.
    Refused,
    /// A person gave an unresolved order up; the service may have it.
    Abandoned,
    /// A person declined a held order.
    Declined,
}

/// What happens to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A limit or a missing approval stops it.
    Hold,
    /// Its create is about to leave.
    Intend,
    /// Its create certainly did not reach the service; it goes back to where it came from.
    NotSent {
        /// The state before the intent.
        came_from: State,
    },
    /// The service answered with its id.
    Answered,
    /// The service said no.
    Refuse {
        /// Whether an earlier attempt is without an answer: then the refusal may speak of what that one made.
        earlier_unanswered: bool,
    },
    /// The answer is missing, or cannot be believed; or the program ended before it came.
    Lose,
    /// A look-up found it at the service.
    Find,
    /// The service is proved not to have it, and its cancel is wished. One that is to be sent goes on by `Intend`.
    RuleOut,
    /// The id that its create was answered with is shown to be another order's. A cancel that was asked for by that id was of
    /// the other one, and is still wished.
    Disown,
    /// A person, or a cancel row, wants it canceled.
    AskCancel,
    /// The service goes on with an order whose cancel it has confirmed, or has one that was ruled out, and somebody wants it
    /// canceled still.
    AskCancelAgain,
    /// The service confirmed the cancel.
    CancelConfirmed,
    /// The service refused the cancel.
    CancelRefused,
    /// A person approved it, at most at a total; it stays held until its create is about to leave.
    Approve,
    /// A person declined it.
    Decline,
    /// A person gave it up.
    Abandon,
}

/// An event that cannot happen to an order in its state. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{event:?}` cannot happen to an order that is `{state}`")]
pub struct Illegal {
    /// The order's state.
    pub state: State,
    /// The event.
    pub event: Event,
}

/// The state that follows.
///
/// # Errors
/// [`Illegal`], for every pair that is not listed.
pub fn next(state: State, event: Event) -> Result<State, Illegal> {
    use Event as E;
    use State as S;
    let illegal = Err(Illegal { state, event });
    match event {
        E::Hold => match state {
            S::New | S::Held | S::Refused | S::Declined | S::Abandoned => Ok(S::Held),
            S::Sending | S::Unresolved | S::Created | S::Canceling | S::Canceled => illegal,
        },
        E::Intend => match state {
            S::New | S::Held | S::Unresolved | S::Refused | S::Declined | S::Abandoned => Ok(S::Sending),
            S::Sending | S::Created | S::Canceling | S::Canceled => illegal,
        },
        E::NotSent { came_from } => match (state, came_from) {
            (S::Sending, S::New | S::Held | S::Unresolved | S::Refused | S::Declined | S::Abandoned) => {
                Ok(came_from)
            }
            (S::Sending, S::Sending | S::Created | S::Canceling | S::Canceled)
            | (
                S::New
                | S::Held
                | S::Unresolved
                | S::Created
                | S::Canceling
                | S::Canceled
                | S::Refused
                | S::Abandoned
                | S::Declined,
                _,
            ) => illegal,
        },
        E::Answered => only(state, S::Sending, S::Created, illegal),
        E::Refuse {
            earlier_unanswered: false,
        } => only(state, S::Sending, S::Refused, illegal),
        E::Refuse {
            earlier_unanswered: true,
        }
        | E::Lose => only(state, S::Sending, S::Unresolved, illegal),
        E::Find => match state {
            S::Unresolved | S::Refused | S::Abandoned => Ok(S::Created),
            S::Canceling => Ok(S::Canceling),
            S::New | S::Held | S::Sending | S::Created | S::Canceled | S::Declined => illegal,
        },
        E::Disown => match state {
            S::Created => Ok(S::Unresolved),
            S::Canceling | S::Canceled => Ok(S::Canceling),
            S::New | S::Held | S::Sending | S::Unresolved | S::Refused | S::Abandoned | S::Declined => {
                illegal
            }
        },
        E::AskCancel => match state {
            S::New => Ok(S::Canceled),
            S::Held => Ok(S::Declined),
            S::Unresolved | S::Created => Ok(S::Canceling),
            S::Sending | S::Canceling | S::Canceled | S::Refused | S::Abandoned | S::Declined => illegal,
        },
        E::AskCancelAgain => only(state, S::Canceled, S::Canceling, illegal),
        E::RuleOut | E::CancelConfirmed => only(state, S::Canceling, S::Canceled, illegal),
        E::CancelRefused => only(state, S::Canceling, S::Created, illegal),
        E::Approve => only(state, S::Held, S::Held, illegal),
        E::Decline => only(state, S::Held, S::Declined, illegal),
        E::Abandon => only(state, S::Unresolved, S::Abandoned, illegal),
    }
}

/// Whether any event leads from one state to the other: what a trail of events is held to.
pub fn may_follow(old: State, new: State) -> bool {
    let plain = [
        Event::Hold,
        Event::Intend,
        Event::Answered,
        Event::Refuse {
            earlier_unanswered: false,
        },
        Event::Refuse {
            earlier_unanswered: true,
        },
        Event::Lose,
        Event::Find,
        Event::RuleOut,
        Event::Disown,
        Event::AskCancel,
        Event::AskCancelAgain,
        Event::CancelConfirmed,
        Event::CancelRefused,
        Event::Decline,
        Event::Abandon,
        Event::NotSent { came_from: new },
    ];
    plain.into_iter().any(|event| next(old, event) == Ok(new))
}

fn only(state: State, from: State, to: State, illegal: Result<State, Illegal>) -> Result<State, Illegal> {
    if state == from { Ok(to) } else { illegal }
}

impl State {
    /// Every state.
    pub const ALL: [Self; 10] = [
        Self::New,
        Self::Held,
        Self::Sending,
        Self::Unresolved,
        Self::Created,
        Self::Canceling,
        Self::Canceled,
        Self::Refused,
        Self::Abandoned,
        Self::Declined,
    ];

    /// The word in the ledger.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Held => "held",
            Self::Sending => "sending",
            Self::Unresolved => "unresolved",
            Self::Created => "created",
            Self::Canceling => "canceling",
            Self::Canceled => "canceled",
            Self::Refused => "refused",
            Self::Abandoned => "abandoned",
            Self::Declined => "declined",
        }
    }

    /// Whether nothing of the order is at the service, as far as the ledger knows: dropped again, it is taken anew.
    pub fn is_taken_anew(self) -> bool {
        match self {
            Self::Refused | Self::Declined | Self::Abandoned => true,
            Self::New
            | Self::Held
            | Self::Sending
            | Self::Unresolved
            | Self::Created
            | Self::Canceling
            | Self::Canceled => false,
        }
    }

    /// Whether a cancel of it asks the service nothing: it was never sent, or is canceled already. One that was canceled in
    /// vain is asked for again, whatever its state.
    pub fn is_canceled_here(self) -> bool {
        match self {
            Self::Held | Self::Declined | Self::Canceled => true,
            Self::New
            | Self::Sending
            | Self::Unresolved
            | Self::Created
            | Self::Canceling
            | Self::Refused
            | Self::Abandoned => false,
        }
    }

    /// Whether the merchant's content is no longer needed: nothing will be sent of it.
    pub fn content_is_erased(self) -> bool {
        match self {
            Self::Created | Self::Canceled | Self::Declined => true,
            Self::New
            | Self::Held
            | Self::Sending
            | Self::Unresolved
            | Self::Canceling
            | Self::Refused
            | Self::Abandoned => false,
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The text is none of the states: the ledger is of another version, or damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a state of an order")]
pub struct NotAState(pub String);

impl FromStr for State {
    type Err = NotAState;

    fn from_str(word: &str) -> Result<Self, NotAState> {
        Self::ALL
            .into_iter()
            .find(|s| s.word() == word)
            .ok_or_else(|| NotAState(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What may follow, by hand: the state, and the events with what follows; everything else is illegal.
    const TABLE: &[(State, &[(Event, State)])] = &[
        (
            State::New,
            &[
                (Event::Hold, State::Held),
                (Event::Intend, State::Sending),
                (Event::AskCancel, State::Canceled),
            ],
        ),
        (
            State::Held,
            &[
                (Event::Hold, State::Held),
                (Event::Intend, State::Sending),
                (Event::AskCancel, State::Declined),
                (Event::Approve, State::Held),
                (Event::Decline, State::Declined),
            ],
        ),
        (
            State::Sending,
            &[
                (
                    Event::NotSent {
                        came_from: State::New,
                    },
                    State::New,
                ),
                (
                    Event::NotSent {
                        came_from: State::Held,
                    },
                    State::Held,
                ),
                (
                    Event::NotSent {
                        came_from: State::Unresolved,
                    },
                    State::Unresolved,
                ),
                (
                    Event::NotSent {
                        came_from: State::Refused,
                    },
                    State::Refused,
                ),
                (
                    Event::NotSent {
                        came_from: State::Abandoned,
                    },
                    State::Abandoned,
                ),
                (
                    Event::NotSent {
                        came_from: State::Declined,
                    },
                    State::Declined,
                ),
                (Event::Answered, State::Created),
                (
                    Event::Refuse {
                        earlier_unanswered: false,
                    },
                    State::Refused,
                ),
                (
                    Event::Refuse {
                        earlier_unanswered: true,
                    },
                    State::Unresolved,
                ),
                (Event::Lose, State::Unresolved),
            ],
        ),
        (
            State::Unresolved,
            &[
                (Event::Find, State::Created),
                (Event::Intend, State::Sending),
                (Event::AskCancel, State::Canceling),
                (Event::Abandon, State::Abandoned),
            ],
        ),
        (
            State::Created,
            &[
                (Event::AskCancel, State::Canceling),
                (Event::Disown, State::Unresolved),
            ],
        ),
        (
            State::Canceling,
            &[
                (Event::Find, State::Canceling),
                (Event::RuleOut, State::Canceled),
                (Event::Disown, State::Canceling),
                (Event::CancelConfirmed, State::Canceled),
                (Event::CancelRefused, State::Created),
            ],
        ),
        (
            State::Canceled,
            &[
                (Event::AskCancelAgain, State::Canceling),
                (Event::Disown, State::Canceling),
            ],
        ),
        (
            State::Refused,
            &[
                (Event::Hold, State::Held),
                (Event::Intend, State::Sending),
                (Event::Find, State::Created),
            ],
        ),
        (
            State::Abandoned,
            &[
                (Event::Hold, State::Held),
                (Event::Intend, State::Sending),
                (Event::Find, State::Created),
            ],
        ),
        (
            State::Declined,
            &[(Event::Hold, State::Held), (Event::Intend, State::Sending)],
        ),
    ];

    fn every_event() -> Vec<Event> {
        let mut events = vec![
            Event::Hold,
            Event::Intend,
            Event::Answered,
            Event::Refuse {
                earlier_unanswered: false,
            },
            Event::Refuse {
                earlier_unanswered: true,
            },
            Event::Lose,
            Event::Find,
            Event::RuleOut,
            Event::Disown,
            Event::AskCancel,
            Event::AskCancelAgain,
            Event::CancelConfirmed,
            Event::CancelRefused,
            Event::Approve,
            Event::Decline,
            Event::Abandon,
        ];
        events.extend(State::ALL.map(|came_from| Event::NotSent { came_from }));
        events
    }

    #[test]
    fn the_function_is_the_table() {
        assert_eq!(TABLE.len(), State::ALL.len());
        for (state, row) in TABLE {
            for event in every_event() {
                let wanted = row.iter().find(|(e, _)| *e == event).map(|(_, to)| *to);
                assert_eq!(next(*state, event).ok(), wanted, "{state} and {event:?}");
            }
        }
    }

    #[test]
    fn what_may_follow_is_what_some_event_leads_to() {
        for (old, row) in TABLE {
            for new in State::ALL {
                let wanted = row.iter().any(|(_, to)| *to == new);
                assert_eq!(may_follow(*old, new), wanted, "{old} to {new}");
            }
        }
    }

    #[test]
    fn nothing_leaves_created_or_canceled_towards_a_second_create() {
        for state in [State::Created, State::Canceling, State::Canceled, State::Sending] {
            assert!(next(state, Event::Intend).is_err(), "{state}");
        }
    }

    #[test]
    fn every_word_reads_back() {
        for state in State::ALL {
            assert_eq!(state.word().parse(), Ok(state));
        }
    }
}
