//! The sign that an inbox is seen to. Whoever sees to it says when he comes again; a file call that does not return is
//! the folder's fault, not his.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// An inbox's pulse.
#[derive(Debug)]
pub struct Pulse(Mutex<Beat>);

#[derive(Clone, Copy, Debug)]
enum Beat {
    /// Somebody comes again by then.
    Until(Instant),
    /// The folder has been asked since then.
    InFolder(Instant),
}

impl Default for Pulse {
    fn default() -> Self {
        Self(Mutex::new(Beat::Until(Instant::now())))
    }
}

impl Pulse {
    /// Somebody sees to the inbox now, and again within this time.
    pub(super) fn beat(&self, again: Duration) {
        self.put(Beat::Until(Instant::now() + again));
    }

    /// The folder is asked now.
    pub(super) fn ask_folder(&self) {
        self.put(Beat::InFolder(Instant::now()));
    }

    fn put(&self, beat: Beat) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = beat;
    }

    fn read(&self) -> Beat {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much later it is than somebody should have come; none where nobody is late.
    pub fn late_by(&self) -> Option<Duration> {
        match self.read() {
            Beat::Until(then) => Instant::now().checked_duration_since(then),
            Beat::InFolder(_) => None,
        }
    }

    /// For how long the folder has been asked without an answer.
    pub fn in_folder_for(&self) -> Option<Duration> {
        match self.read() {
            Beat::InFolder(since) => Some(since.elapsed()),
            Beat::Until(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_does_not_come_is_late_and_who_waits_for_a_folder_is_not() {
        let pulse = Pulse::default();
        pulse.beat(Duration::from_secs(30));
        assert_eq!(pulse.late_by(), None);
        tokio::time::advance(Duration::from_secs(40)).await;
        assert_eq!(pulse.late_by(), Some(Duration::from_secs(10)));
        pulse.ask_folder();
        tokio::time::advance(Duration::from_mins(10)).await;
        assert_eq!(pulse.late_by(), None);
        assert_eq!(pulse.in_folder_for(), Some(Duration::from_mins(10)));
    }
}
