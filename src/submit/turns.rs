//! How long a create may wait for its turn among the requests, once it was found that it may leave. Pure.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::STALE;
use super::create::older;

/// The longest wait of an account's creates. Short at first, for what was found before a night's sleep is not relied on after
/// it; as long as the queue is where the service lets few requests through.
#[derive(Debug)]
pub(super) struct Turns(Mutex<Duration>);

impl Default for Turns {
    fn default() -> Self {
        Self(Mutex::new(STALE))
    }
}

impl Turns {
    fn longest(&self) -> MutexGuard<'_, Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long a create may wait for its turn.
    pub(super) fn most(&self) -> Duration {
        *self.longest()
    }

    /// The turn of one that was to wait for `most` has come too late: the next may wait for longer. Where each turn takes
    /// longer than any fixed time, nothing would ever leave.
    pub(super) fn came_too_late(&self, most: Duration) {
        let mut longest = self.longest();
        *longest = older(most).max(*longest);
    }

    /// A create has left after such a wait: the next may wait for twice as long.
    pub(super) fn came_after(&self, wait: Duration) {
        *self.longest() = STALE.max(wait.saturating_mul(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creates_whose_turns_come_late_may_wait_for_longer_until_one_leaves() {
        let turns = Turns::default();
        let mut waits = vec![turns.most()];
        for _ in 0..6 {
            turns.came_too_late(turns.most());
            waits.push(turns.most());
        }
        assert_eq!(waits[0], STALE);
        assert!(waits.is_sorted_by(|a, b| a < b) && waits[6] > Duration::from_hours(2));
        turns.came_after(Duration::from_millis(20));
        assert_eq!(turns.most(), STALE);
    }

    #[test]
    fn many_that_come_late_at_once_count_as_one() {
        let turns = Turns::default();
        for _ in 0..48 {
            turns.came_too_late(STALE);
        }
        assert_eq!(turns.most(), older(STALE));
    }

    #[test]
    fn where_the_queue_is_long_the_next_may_wait_as_long() {
        let turns = Turns::default();
        turns.came_too_late(STALE);
        for seconds in [280, 300, 290] {
            let wait = Duration::from_secs(seconds);
            assert!(turns.most() > wait, "{wait:?}");
            turns.came_after(wait);
        }
    }
}
