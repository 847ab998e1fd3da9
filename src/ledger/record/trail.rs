//! What has happened to an order, line by line, and its creates one by one.

use std::str::FromStr;

use jiff::Timestamp;

/// One line of an order's trail.
#[derive(Clone, Debug)]
pub struct EventRecord {
    /// When.
    pub at: Timestamp,
    /// The state before.
    pub old: String,
    /// The state after.
    pub new: String,
    /// What it tells besides, where something hangs on it.
    pub tells: Option<Tells>,
    /// What the service said, of an event that tells more than its states; of any other, why.
    pub words: String,
}

/// What an event tells besides its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// The service refused a create, in these words.
    Refused,
    /// A create has an answer that proves nothing: this one.
    Doubted,
    /// The service has the order after all, though it had refused it or a person had given it up: under this id.
    AfterAll,
}

/// Why something happened, as it is written down.
#[derive(Clone, Copy, Debug)]
pub(in crate::ledger) struct Why<'a> {
    pub(in crate::ledger) tells: Option<Tells>,
    pub(in crate::ledger) words: &'a str,
}

/// The text is none of the words for what an event tells: the ledger is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is nothing that an event tells")]
pub struct TellsNothing(pub String);

impl EventRecord {
    /// Why, in words.
    pub fn why(&self) -> String {
        let before = match self.tells {
            None => "",
            Some(Tells::Refused) => "the service refused it: ",
            Some(Tells::Doubted) => "the answer to it proves nothing: ",
            Some(Tells::AfterAll) => "the service has it after all, as ",
        };
        format!("{before}{}", self.words)
    }

    /// The service's words, where it refused a create.
    pub fn refusal(&self) -> Option<&str> {
        self.told(Tells::Refused)
    }

    /// What the service said, where the event tells this.
    pub fn told(&self, tells: Tells) -> Option<&str> {
        (self.tells == Some(tells)).then_some(self.words.as_str())
    }
}

impl Tells {
    const ALL: [Self; 3] = [Self::Refused, Self::Doubted, Self::AfterAll];

    /// As the ledger keeps it.
    pub(in crate::ledger) fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Doubted => "doubted",
            Self::AfterAll => "after-all",
        }
    }

    /// With what the service said.
    pub(in crate::ledger) fn with(self, words: &str) -> Why<'_> {
        Why {
            tells: Some(self),
            words,
        }
    }
}

impl FromStr for Tells {
    type Err = TellsNothing;

    fn from_str(word: &str) -> Result<Self, TellsNothing> {
        let found = Self::ALL.into_iter().find(|tells| tells.word() == word);
        found.ok_or_else(|| TellsNothing(word.to_owned()))
    }
}

impl<'a> From<&'a str> for Why<'a> {
    fn from(words: &'a str) -> Self {
        Self { tells: None, words }
    }
}

impl<'a> From<&'a String> for Why<'a> {
    fn from(words: &'a String) -> Self {
        words.as_str().into()
    }
}

/// One create that was intended, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRecord {
    /// Counted from 1 over all contents that the order ever had.
    pub number: u32,
    /// When its intent was written.
    pub intended_at: Timestamp,
    /// When its end was; none while it is under way.
    pub ended_at: Option<Timestamp>,
    /// The service's own clock, with the latest answer.
    pub service_date: Option<Timestamp>,
    /// `created`, `refused`, `not-sent`, `unknown` or `crashed`; none while it is under way.
    pub answer: Option<String>,
}
