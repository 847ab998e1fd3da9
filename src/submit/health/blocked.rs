//! Why nothing can be asked of an account's service, and what is said of it.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::clock::{credible, moment, span};
use crate::finding::Code;
use crate::service::{Failure, Heard, LONGEST_PAUSE, Verdict};
use crate::submit::with_words;

/// What a merchant is told while the service is away.
pub(super) const AWAY: &str = "The print service cannot be reached or does not answer.";

/// A pause of the service's of which the end is told.
const WORTH_A_TIME: Duration = Duration::from_mins(5);

/// Why nothing can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// The service is away for longer than this run waits.
    Away(String),
    /// It says that it is asked too often, for longer than this run waits.
    Slowed(Slowed),
    /// It answers, but not in a way that can be used, for longer than this run waits.
    Unusable(String),
    /// Until this moment, for the ledger may be older than what was sent.
    Quiet(Timestamp),
    /// The credentials are refused.
    Credentials(String),
    /// They are accepted, and the token that they give is refused.
    Token(String),
    /// They are accepted, and what is asked with them is refused.
    Denied(String),
    /// The account is set up wrongly.
    Setup(String),
    /// The program is ending.
    Ending,
}

/// A service that takes no more requests for now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slowed {
    /// Its own words, where it has said some.
    words: Option<String>,
    /// How long a pause it asks for, where that is worth telling.
    asked: Option<Duration>,
    /// When it is asked again, where that is worth a time: shorter pauses come one after the other, and each would be
    /// news.
    until: Option<Timestamp>,
}

impl Blocked {
    /// What a failure that may pass says of the service: that it is away, that it answers and cannot be understood, or
    /// that nothing of its is there.
    pub(in crate::submit) fn of(failure: &Failure) -> Self {
        if failure.verdict == Verdict::Misconfigured {
            return Self::Setup(with_words(failure));
        }
        if let Verdict::TryLater(pause) = failure.verdict {
            return Self::Slowed(Slowed::of(failure, pause));
        }
        match failure.heard {
            // A server or a gateway that is overloaded, or does not work, is away.
            Heard::Nothing | Heard::Said(408 | 429 | 500..) | Heard::Odd(408 | 429 | 500..) => {
                Self::Away(with_words(failure))
            }
            Heard::Unread | Heard::Said(_) | Heard::Odd(_) => Self::Unusable(with_words(failure)),
            Heard::NoToken => Self::Token(failure.to_string()),
            Heard::Denied => Self::Denied(failure.to_string()),
        }
    }

    /// What a failure says of the service or of the account, as a code and a sentence for the merchant.
    pub(in crate::submit) fn told_of(failure: &Failure, zone: &TimeZone) -> (Code, String) {
        let is_login = !matches!(failure.heard, Heard::NoToken | Heard::Denied);
        if failure.verdict == Verdict::Credentials && is_login {
            return Self::Credentials(failure.detail.clone()).told(zone);
        }
        Self::of(failure).told(zone)
    }

    /// Whether what has stopped an account may have passed when it is tried again, with nothing changed here.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Setup(_) | Self::Token(_) | Self::Denied(_))
    }

    /// Why orders wait, as a code and a sentence for the merchant, whose clock shows that zone's time. What exactly failed
    /// is in the log, for the operator.
    pub fn told(&self, zone: &TimeZone) -> (Code, String) {
        (self.code(), self.sentence(zone))
    }

    /// Why orders wait, as a code.
    pub fn code(&self) -> Code {
        match self {
            Self::Away(_) | Self::Slowed(_) | Self::Ending => Code::ServiceAway,
            Self::Unusable(_) => Code::UnusableAnswer,
            Self::Quiet(_) => Code::LedgerBehind,
            Self::Credentials(_) | Self::Token(_) | Self::Denied(_) => Code::BadCredentials,
            Self::Setup(_) => Code::WrongSetup,
        }
    }

    fn sentence(&self, zone: &TimeZone) -> String {
        match self {
            Self::Away(_failure) => AWAY.to_owned(),
            Self::Slowed(slowed) => slowed.sentence(zone),
            Self::Unusable(failure) => {
                format!("The print service answers, but its answer cannot be used ({failure}).")
            }
            Self::Quiet(until) => format!(
                "dropsheet's records may be older than what was sent, so that nothing is sent before {}.",
                moment(*until, zone)
            ),
            Self::Credentials(detail) => format!(
                "The service refuses the account's password ({detail}); the operator has to correct it."
            ),
            Self::Token(detail) => format!(
                "The login is accepted, but its token is refused at once ({detail}): does another program use this \
                 account?"
            ),
            Self::Denied(detail) => {
                format!("The login is accepted, but the service refuses what is asked of it ({detail}).")
            }
            Self::Setup(detail) => {
                format!("The account is set up wrongly ({detail}); the operator has to correct the config.")
            }
            Self::Ending => "dropsheet was stopped.".to_owned(),
        }
    }
}

/// The end of a pause that is worth a time.
fn end_of(pause: Duration, now: Timestamp) -> Option<Timestamp> {
    let pause = Some(pause).filter(|pause| *pause >= WORTH_A_TIME)?;
    now.checked_add(pause).ok()
}

impl Slowed {
    fn of(failure: &Failure, pause: Duration) -> Self {
        let words = failure.service_message.clone();
        // Who was held back in a pause does not know the whole of it.
        let is_whole = failure.is_answered() && pause >= WORTH_A_TIME;
        let told = failure.service_date.and_then(credible);
        Self {
            words: words.filter(|words| !words.is_empty()),
            asked: is_whole.then_some(pause),
            until: told.and_then(|now| end_of(pause.min(LONGEST_PAUSE), now)),
        }
    }

    /// The same of a service that is known to have asked for a pause of this length, and is kept from now on for that long:
    /// of who was held back no answer has told the time.
    pub(super) fn asking_for(
        self,
        asked: Option<Duration>,
        (kept, now): (Duration, Option<Timestamp>),
    ) -> Self {
        let until = self.until.or_else(|| end_of(kept, now?));
        Self {
            asked: self.asked.or(asked.filter(|_asked| until.is_some())),
            until,
            ..self
        }
    }

    /// What a merchant is told meanwhile.
    fn sentence(&self, zone: &TimeZone) -> String {
        let words = self.words.as_ref();
        let words = words.map_or_else(String::new, |words| format!(" (“{words}”)"));
        let again = self.until.map_or_else(
            || "after a pause".to_owned(),
            |until| format!("at {}", moment(until, zone)),
        );
        let asks = self.asked.map_or_else(String::new, |asked| {
            format!(" asks for a pause of {} and", span(asked))
        });
        format!("The print service takes no more requests for now{words}; it{asks} is asked again {again}.")
    }
}
