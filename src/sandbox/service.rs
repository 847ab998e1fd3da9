//! One running service: its state, faults, counts and clock, each behind its own short lock. No lock is held while
//! anybody waits.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::calls::Calls;
use super::catalog::Catalog;
use super::faults::Faults;
use super::options::{Limit, Options};
use super::state::{News, State};

/// One running service.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) options: Options,
    state: Mutex<State>,
    faults: Mutex<Faults>,
    calls: Mutex<Calls>,
    pace: Mutex<Pace>,
    /// Milliseconds that its clock is ahead of the machine's.
    ahead: AtomicI64,
    news: UnboundedSender<News>,
    /// Ends waits and the server.
    pub(crate) stop: CancellationToken,
}

impl Service {
    /// A service that nobody listens for yet; its notifications go to `news`.
    pub(crate) fn open(options: Options, news: UnboundedSender<News>) -> std::io::Result<Self> {
        Ok(Self {
            state: Mutex::new(State::open(&options)?),
            faults: Mutex::new(Faults::new(&options.faults, options.seed)),
            calls: Mutex::default(),
            pace: Mutex::default(),
            ahead: AtomicI64::new(millis(options.behind).saturating_neg()),
            news,
            stop: CancellationToken::new(),
            options,
        })
    }

    /// Its clock.
    pub(crate) fn now(&self) -> Timestamp {
        let ahead = SignedDuration::from_millis(self.ahead.load(Ordering::Relaxed));
        Timestamp::now().checked_add(ahead).unwrap_or(Timestamp::MAX)
    }

    /// Whether its clock is another than the machine's.
    pub(crate) fn has_own_clock(&self) -> bool {
        self.ahead.load(Ordering::Relaxed) != 0
    }

    /// Puts its clock forward.
    pub(crate) fn advance_clock(&self, by: Duration) {
        self.ahead.fetch_add(millis(by), Ordering::Relaxed);
    }

    /// Works on the state after all that is due has happened, and sends what notifications that brings.
    pub(crate) fn state<T>(&self, work: impl FnOnce(&mut State, Timestamp) -> T) -> T {
        let now = self.now();
        let mut state = locked(&self.state);
        state.settle(now);
        let result = work(&mut state, now);
        let news = state.take_news();
        drop(state);
        for one in news {
            if self.news.send(one).is_err() {
                tracing::debug!("the sandbox is shutting down; a notification is not sent");
            }
        }
        result
    }

    /// The catalog as it is now.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.state(|state, _now| Arc::clone(&state.catalog))
    }

    pub(crate) fn faults(&self) -> MutexGuard<'_, Faults> {
        locked(&self.faults)
    }

    pub(crate) fn calls(&self) -> MutexGuard<'_, Calls> {
        locked(&self.calls)
    }

    /// Counts a request against the limit; the time to wait where it is beyond it.
    pub(crate) fn too_fast(&self) -> Option<Duration> {
        let limit = self.options.limit?;
        locked(&self.pace).too_fast(limit, self.now())
    }

    /// Waits, or ends early when the service is shut down.
    pub(crate) async fn wait(&self, time: Duration) {
        if !time.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(time) => {}
                () = self.stop.cancelled() => {}
            }
        }
    }
}

/// A test that panicked under a lock has failed already; the others may still read.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Requests within the current stretch of time.
#[derive(Debug, Default)]
struct Pace {
    since: Timestamp,
    requests: u32,
}

impl Pace {
    fn too_fast(&mut self, limit: Limit, now: Timestamp) -> Option<Duration> {
        let passed = Duration::try_from(now.duration_since(self.since)).unwrap_or(limit.per);
        if passed >= limit.per {
            *self = Self {
                since: now,
                requests: 0,
            };
        }
        self.requests = self.requests.saturating_add(1);
        (self.requests > limit.requests).then(|| limit.per.saturating_sub(passed))
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_counts_anew_in_each_stretch() {
        let limit = Limit {
            requests: 2,
            per: Duration::from_secs(3),
        };
        let at = |millis: i64| Timestamp::from_millisecond(1_000_000 + millis).unwrap();
        let mut pace = Pace::default();
        assert_eq!(pace.too_fast(limit, at(0)), None);
        assert_eq!(pace.too_fast(limit, at(500)), None);
        assert_eq!(pace.too_fast(limit, at(1000)), Some(Duration::from_secs(2)));
        assert_eq!(pace.too_fast(limit, at(3000)), None);
    }
}
