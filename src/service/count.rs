//! How many answers have come: who has failed sees by it whether the service was there meanwhile. And the pause that one
//! of them asked for: who is held back in it tells of it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A count of a service's good answers, shared by all who ask it.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    good: Arc<AtomicU64>,
    asked: AskedPause,
}

impl Answers {
    /// None yet, of a service whose pauses are noted there.
    pub(super) fn with(asked: AskedPause) -> Self {
        Self {
            asked,
            ..Self::default()
        }
    }

    /// One has come.
    pub fn note(&self) {
        self.good.fetch_add(1, Ordering::Relaxed);
    }

    /// How many have come.
    pub fn count(&self) -> u64 {
        self.good.load(Ordering::Relaxed)
    }

    /// The whole pause that the service has asked for, where that is not over by its word.
    pub fn asked_pause(&self) -> Option<Duration> {
        let (asked, at) = (*self.asked.newest())?;
        (at.elapsed() < asked).then_some(asked)
    }
}

/// The pause that the service last asked for, and when. It may be longer than it is obeyed.
#[derive(Clone, Debug, Default)]
pub(super) struct AskedPause(Arc<Mutex<Option<(Duration, Instant)>>>);

impl AskedPause {
    fn newest(&self) -> MutexGuard<'_, Option<(Duration, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It asks for one. A shorter one does not end a longer one.
    pub(super) fn note(&self, asked: Duration) {
        let mut newest = self.newest();
        if newest.is_none_or(|(before, at)| before.saturating_sub(at.elapsed()) <= asked) {
            *newest = Some((asked, Instant::now()));
        }
    }

    /// It does again what is asked of it, of which this was asked then.
    pub(super) fn note_answered(&self, asked_at: Instant) {
        let mut newest = self.newest();
        if newest.is_some_and(|(_asked, at)| at < asked_at) {
            *newest = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_lasts_until_a_later_request_is_answered() {
        let asked = AskedPause::default();
        let answers = Answers::with(asked.clone());
        assert_eq!(answers.asked_pause(), None);
        let (before, day) = (Instant::now(), Duration::from_hours(24));
        for pause in [Duration::from_secs(5), day, Duration::from_secs(5)] {
            asked.note(pause);
        }
        asked.note_answered(before);
        assert_eq!(answers.asked_pause(), Some(day));
        asked.note_answered(Instant::now());
        assert_eq!(answers.asked_pause(), None);
    }
}
