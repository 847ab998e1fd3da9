//! What became of an order in one sheet: the word that stands in `result_status`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The status of a row in a result sheet; every row ends in exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The service has it; this sheet sent it.
    Created,
    /// The service has it; another drop sent it.
    AlreadyCreated,
    /// Priced, not sent.
    Quoted,
    /// Waits for approval.
    Held,
    /// A person declined it.
    Declined,
    /// A person gave an unresolved order up.
    Abandoned,
    /// Not sent yet; it will be sent without anybody's doing.
    Waiting,
    /// Has errors; never sent.
    Invalid,
    /// Not to be printed.
    Skipped,
    /// A known order with other content; nothing is sent.
    Changed,
    /// The service said no.
    Refused,
    /// No answer came; the service is being asked.
    Unresolved,
    /// A cancel was asked for and is not confirmed.
    Canceling,
    /// A cancel is confirmed.
    Canceled,
    /// The service refused the cancel.
    NotCanceled,
}

impl Status {
    /// Every status, in the order in which a summary lists them.
    pub const ALL: [Self; 15] = [
        Self::Created,
        Self::AlreadyCreated,
        Self::Quoted,
        Self::Held,
        Self::Waiting,
        Self::Unresolved,
        Self::Invalid,
        Self::Refused,
        Self::Changed,
        Self::Skipped,
        Self::Declined,
        Self::Abandoned,
        Self::Canceling,
        Self::Canceled,
        Self::NotCanceled,
    ];

    /// The word as it stands in `result_status`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::AlreadyCreated => "already_created",
            Self::Quoted => "quoted",
            Self::Held => "held",
            Self::Declined => "declined",
            Self::Abandoned => "abandoned",
            Self::Waiting => "waiting",
            Self::Invalid => "invalid",
            Self::Skipped => "skipped",
            Self::Changed => "changed",
            Self::Refused => "refused",
            Self::Unresolved => "unresolved",
            Self::Canceling => "canceling",
            Self::Canceled => "canceled",
            Self::NotCanceled => "not_canceled",
        }
    }

    /// Whether a merchant has to change the row before it can be printed: such rows make up the to-fix sheet. What is
    /// `changed` is known already, and mostly right as it is known.
    pub fn is_to_fix(self) -> bool {
        matches!(self, Self::Invalid | Self::Refused)
    }

    /// Whether a person is needed, and not only time: what waits, or has no answer yet, is settled without one, and where it
    /// is not, that is told of the order itself.
    pub fn needs_a_person(self) -> bool {
        let by_itself = matches!(self, Self::Waiting | Self::Unresolved | Self::Canceling);
        self.needs_attention() && !by_itself
    }

    /// Whether a person or another run is needed: exit status 3.
    pub fn needs_attention(self) -> bool {
        match self {
            Self::Held
            | Self::Waiting
            | Self::Invalid
            | Self::Changed
            | Self::Refused
            | Self::Unresolved
            | Self::Canceling
            | Self::NotCanceled => true,
            Self::Created
            | Self::AlreadyCreated
            | Self::Quoted
            | Self::Declined
            | Self::Abandoned
            | Self::Skipped
            | Self::Canceled => false,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The text is none of the statuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a status")]
pub struct NotAStatus(pub String);

impl FromStr for Status {
    type Err = NotAStatus;

    fn from_str(word: &str) -> Result<Self, NotAStatus> {
        Self::ALL
            .into_iter()
            .find(|s| s.word() == word)
            .ok_or_else(|| NotAStatus(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back() {
        for status in Status::ALL {
            assert_eq!(status.word().parse::<Status>(), Ok(status));
        }
    }
}
