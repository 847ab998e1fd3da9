//! What the answers to creates say: after some without one none leaves, and then one at a time, to try.

use tokio::sync::MutexGuard as AsyncMutexGuard;
use tokio::time::Instant;

use super::Health;
use crate::service::Failure;

impl Health {
    /// Notes that a create was answered: all may leave.
    pub fn create_answered(&self) {
        self.inner().breaker.answered();
        self.changed.notify_waiters();
    }

    /// Notes that a create has no answer, which had the turn to try or had not. After three in a row,
    /// [`Health::creates_are_stopped`].
    pub fn create_unanswered(&self, failure: &Failure, had_turn: bool) {
        self.inner().breaker.unanswered(failure, had_turn, Instant::now());
    }

    /// Whether no create may leave until a look-up and a quote have succeeded.
    pub fn creates_are_stopped(&self) -> bool {
        self.inner().breaker.is_open()
    }

    /// Whether a create may leave that has the turn to try or has not: one that had its leave before creates were stopped
    /// does not leave beside the one that tries.
    pub fn lets_leave(&self, has_turn: bool) -> bool {
        let breaker = &self.inner().breaker;
        !breaker.is_open() && (has_turn || !breaker.is_on_trial())
    }

    /// After creates were stopped, the turn of the one that leaves to try whether they are answered again, which is held
    /// until its answer is noted; none where they need not leave one by one.
    pub async fn turn_to_try(&self) -> Option<AsyncMutexGuard<'_, ()>> {
        let is_on_trial = || self.inner().breaker.is_on_trial();
        if !is_on_trial() {
            return None;
        }
        let turn = self.trial.lock().await;
        is_on_trial().then_some(turn)
    }
}
