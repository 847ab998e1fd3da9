//! Why nothing can be asked of an account's service, and what is said of it.

use std::time::Duration;

use jiff::Timestamp;

use crate::finding::Code;
use crate::service::{Failure, Heard, Verdict};
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
    /// It says that it is asked too often, for longer than this run waits; the sentence for the merchant.
    Slowed(String),
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

impl Blocked {
    /// What a failure that may pass says of the service: that it is away, that it answers and cannot be understood, or
    /// that nothing of its is there.
    pub(in crate::submit) fn of(failure: &Failure) -> Self {
        if failure.verdict == Verdict::Misconfigured {
            return Self::Setup(with_words(failure));
        }
        if let Verdict::TryLater(pause) = failure.verdict {
            return Self::Slowed(slowed(failure, pause));
        }
        match failure.heard {
            // A server or a gateway that is overloaded, or does not work, is away.
            Heard::Nothing | Heard::Said(408 | 429 | 500..) | Heard::Odd(408 | 429 | 500..) => {
                Self::Away(with_words(failure))
            }
            Heard::Said(_) | Heard::Odd(_) => Self::Unusable(with_words(failure)),
            Heard::NoToken => Self::Token(failure.to_string()),
            Heard::Denied => Self::Denied(failure.to_string()),
        }
    }

    /// What a failure says of the service or of the account, as a code and a sentence for the merchant.
    pub(in crate::submit) fn told_of(failure: &Failure) -> (Code, String) {
        let is_login = !matches!(failure.heard, Heard::NoToken | Heard::Denied);
        if failure.verdict == Verdict::Credentials && is_login {
            return Self::Credentials(failure.detail.clone()).told();
        }
        Self::of(failure).told()
    }

    /// Whether what has stopped an account may have passed when it is tried again, with nothing changed here.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Setup(_) | Self::Token(_) | Self::Denied(_))
    }

    /// Why orders wait, as a code and a sentence for the merchant. What exactly failed is in the log, for the operator.
    pub fn told(&self) -> (Code, String) {
        match self {
            Self::Away(_failure) => (Code::ServiceAway, AWAY.to_owned()),
            Self::Slowed(sentence) => (Code::ServiceAway, sentence.clone()),
            Self::Unusable(failure) => (
                Code::UnusableAnswer,
                format!("The print service answers, but its answer cannot be used ({failure})."),
            ),
            Self::Quiet(until) => (
                Code::LedgerBehind,
                format!(
                    "The ledger may be older than what was sent, so that nothing is sent before {}.",
                    until.strftime("%Y-%m-%d %H:%M UTC")
                ),
            ),
            Self::Credentials(detail) => (
                Code::BadCredentials,
                format!("The service refuses the account's password ({detail})."),
            ),
            Self::Token(detail) => (
                Code::BadCredentials,
                format!(
                    "The login is accepted, but its token is refused at once ({detail}): does another program use this \
                     account?"
                ),
            ),
            Self::Denied(detail) => (
                Code::BadCredentials,
                format!("The login is accepted, but the service refuses what is asked of it ({detail})."),
            ),
            Self::Setup(detail) => (
                Code::WrongSetup,
                format!("The account is set up wrongly ({detail})."),
            ),
            Self::Ending => (Code::ServiceAway, "dropsheet was stopped.".to_owned()),
        }
    }
}

/// What a merchant is told while the service takes no more requests: its own words, and when it is asked again where that
/// is worth waiting for. Shorter pauses come one after the other, and each would be news.
fn slowed(failure: &Failure, pause: Duration) -> String {
    let words = failure.service_message.as_ref().filter(|words| !words.is_empty());
    let words = words.map_or_else(String::new, |words| format!(" (“{words}”)"));
    let until = failure.service_date.filter(|_date| pause >= WORTH_A_TIME);
    let again = until.and_then(|date| date.checked_add(pause).ok()).map_or_else(
        || "after a pause".to_owned(),
        |until| format!("at {}", until.strftime("%Y-%m-%d %H:%M UTC")),
    );
    format!("The print service takes no more requests for now{words}; it is asked again {again}.")
}
