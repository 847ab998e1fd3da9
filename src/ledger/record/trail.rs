//! What has happened to an order, line by line, and its creates one by one.

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
    /// Why.
    pub why: String,
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
