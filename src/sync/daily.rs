//! What a sync does once a day. Pure.

use jiff::{SignedDuration, Timestamp};

/// A day, and the next pass of a cron job may come a little early.
const ABOUT_A_DAY: SignedDuration = SignedDuration::from_hours(23);

/// Whether what is done once a day is due, by when it was done last. A clock that was set back puts nothing off.
pub(super) fn is_due_daily(last: Option<Timestamp>, now: Timestamp) -> bool {
    let ago = last.map(|at| now.duration_since(at));
    ago.is_none_or(|ago| ago.is_negative() || ago >= ABOUT_A_DAY)
}
