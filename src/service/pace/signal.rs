//! What comes of a request, as the pace is told of it.

use std::time::Duration;

use crate::service::verdict::{self, Exchange};

/// What an answer says of the service's strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum Signal {
    /// The request has not left.
    Unused,
    /// Nothing: no answer was waited for, or no connection was made.
    None,
    /// It answered.
    Answered,
    /// It did not answer in time.
    TimedOut,
    /// It is too busy (503) and asked for a pause, of this length where it said one.
    PushedBack(Option<Duration>),
    /// There were too many requests (429); the same.
    TooMany(Option<Duration>),
}

impl Signal {
    /// What came of a request says how strong the service is.
    pub(in crate::service) fn of(exchange: Exchange) -> Self {
        match exchange {
            Exchange::NotConnected => Self::None,
            Exchange::Broken | Exchange::Unread => Self::TimedOut,
            Exchange::Answered {
                http,
                body,
                retry_after,
            } => match (http, verdict::code(http, body)) {
                (429, _) | (_, Some(429)) => Self::TooMany(retry_after),
                (503, _) | (_, Some(503)) => Self::PushedBack(retry_after),
                _ => Self::Answered,
            },
        }
    }
}
