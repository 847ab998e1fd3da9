//! What an account's inboxes allow of what is sent without a sheet: approved orders, and orders that are sent once more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Submitter;
use super::create::day;
use crate::clock::Now;
use crate::ledger::record::DayLimit;
use crate::quote::Daily;

/// The inboxes that have been heard, by name.
#[derive(Debug, Default)]
pub(super) struct Inboxes(Mutex<HashMap<String, Heard>>);

#[derive(Debug)]
struct Heard {
    /// Set while it sends nothing.
    stop: Arc<AtomicBool>,
    /// What it may send in one day.
    daily: Option<Daily>,
    /// Whether what costs nothing is held there.
    hold_zero: bool,
}

impl Inboxes {
    fn of<T>(&self, inbox: &str, what: impl FnOnce(&Heard) -> T) -> Option<T> {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.get(inbox).map(what)
    }
}

impl Submitter {
    /// Has an inbox heard: nothing is sent again for it while its flag is set, what is counts in its days, and whether what
    /// costs nothing is held there.
    pub fn know_inbox(&self, inbox: &str, stop: &Arc<AtomicBool>, daily: Option<Daily>, hold_zero: bool) {
        let mut heard = self.inboxes.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stop = Arc::clone(stop);
        let allows = Heard {
            stop,
            daily,
            hold_zero,
        };
        heard.insert(inbox.to_owned(), allows);
    }

    /// Whether an inbox sends nothing now; one that is not in the config any more does not either.
    pub(super) fn is_stopped(&self, inbox: &str) -> bool {
        self.heard_stop(inbox).unwrap_or(true)
    }

    /// The same of an inbox that has been heard; none of any other.
    pub(super) fn heard_stop(&self, inbox: &str) -> Option<bool> {
        let stop = |heard: &Heard| heard.stop.load(Ordering::Relaxed);
        self.inboxes.of(inbox, stop)
    }

    /// Whether an inbox holds what costs nothing, as one does that nobody has heard.
    pub(super) fn holds_zero(&self, inbox: &str) -> bool {
        self.inboxes.of(inbox, |heard| heard.hold_zero).unwrap_or(true)
    }

    /// The day of an inbox that a moment lies in; none where its money is not limited.
    pub(super) fn day(&self, inbox: &str, now: &Now) -> Option<DayLimit> {
        let daily = self.inboxes.of(inbox, |heard| heard.daily.clone()).flatten();
        daily.map(|daily| day(&daily, inbox, now))
    }
}
