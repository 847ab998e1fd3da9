//! How long nobody asks a service that is away, or that has asked for a pause, and what is said of it in the log.

use std::time::Duration;

use tokio::time::Instant;

use super::{Blocked, Health, Inner};
use crate::service::{Failure, Heard, Verdict};

/// A longer pause is not waited out where requests wait for their turn: whoever comes is turned away.
const PARKED: Duration = Duration::from_secs(10);

impl Health {
    /// Notes what is known of the pause that the service has asked for.
    pub(super) fn heed_pause(&self, inner: &mut Inner) {
        inner.asked = self.answers.asked_pause();
        inner.wall = self.clock.as_ref().map(|clock| clock.now().wall);
    }
}

impl Inner {
    /// Lets nobody ask for this long at least.
    pub(super) fn keep_closed(&mut self, pause: Duration, failure: &Failure) {
        let now = Instant::now();
        self.closed_until = Some(self.closed_until.unwrap_or(now).max(now + pause));
        // A request that was held back in a pause tells less than the answer that asked for it.
        let was_held_back =
            matches!(failure.verdict, Verdict::TryLater(_)) && failure.heard == Heard::Nothing;
        if !(was_held_back && matches!(self.last_failure, Some(Blocked::Slowed(_)))) {
            self.last_failure = Some(match Blocked::of(failure) {
                Blocked::Slowed(slowed) => Blocked::Slowed(slowed.asking_for(self.asked, (pause, self.wall))),
                others => others,
            });
        }
    }

    /// The same after a failure that is news.
    pub(super) fn close(&mut self, pause: Duration, failure: &Failure) {
        self.failures += 1;
        self.closings += 1;
        if self.away_since.is_none() {
            self.log_closed(pause, failure);
            self.away_since = Some(Instant::now());
        }
        self.keep_closed(pause, failure);
    }

    fn log_closed(&self, pause: Duration, failure: &Failure) {
        if matches!(failure.verdict, Verdict::TryLater(_)) {
            let asked_s = self.asked.map(|asked| asked.as_secs());
            let again_in_s = pause.as_secs();
            tracing::warn!(%failure, asked_s, again_in_s, "the service takes no more requests for now; it is asked again after a pause");
        } else {
            tracing::warn!(%failure, "the service does not answer as it should; it is asked again until it does");
        }
    }

    /// Whether a pause of the service's is left that is too long to wait for at the gate.
    pub(super) fn is_parked(&self) -> bool {
        let is_slowed = matches!(self.last_failure, Some(Blocked::Slowed(_)));
        let until = self.closed_until.filter(|_until| is_slowed);
        until.is_some_and(|until| until.saturating_duration_since(Instant::now()) > PARKED)
    }
}
