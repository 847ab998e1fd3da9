//! Notifications of the service, as they are kept.

use std::str::FromStr;

use super::{AccountRef, OrderRef};

/// What the service can notify of, as it is registered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// An order has a problem.
    OrderProblem,
    /// An order is fulfilled and has a tracking.
    Tracking,
}

impl NoticeKind {
    /// The word in the ledger, and the end of the path that such notifications are sent to.
    pub fn word(self) -> &'static str {
        match self {
            Self::OrderProblem => "order-problem",
            Self::Tracking => "tracking",
        }
    }
}

impl FromStr for NoticeKind {
    type Err = NotANotice;

    fn from_str(word: &str) -> Result<Self, NotANotice> {
        [Self::OrderProblem, Self::Tracking]
            .into_iter()
            .find(|kind| kind.word() == word)
            .ok_or_else(|| NotANotice(word.to_owned()))
    }
}

/// The text is none of the kinds of notification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no kind of notification")]
pub struct NotANotice(pub String);

/// A notification as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The account whose path it came to.
    pub account: AccountRef,
    /// The kind whose path it came to.
    pub kind: NoticeKind,
    /// Its body, whose shape is not shown.
    pub body: Vec<u8>,
}

/// An order that notifications have named since it was last read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The order.
    pub order: OrderRef,
    /// How often it has rung.
    pub rings: i64,
    /// Whether one of them was the notice of a problem.
    pub is_problem: bool,
}
