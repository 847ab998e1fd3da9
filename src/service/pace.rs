//! How fast an account is asked: how many requests are under way, how many in a time, and pauses that the service
//! asks for, which everybody keeps. The core is pure, with the time as an argument; [`Throttle`] waits by it.

mod ceiling;
mod core;
mod signal;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use self::core::{Admission, Pace};
use super::RateLimit;

pub(super) use self::signal::Signal;

/// The longest pause that a request waits out in the gate. A longer one is told at once, so that nobody stands
/// there for minutes with an intent in hand.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where every request of an account passes before it is sent; first come, first served but for what goes ahead.
#[derive(Debug)]
pub(super) struct Throttle {
    pace: Arc<Shared>,
    /// Held by the one request in line that is next; the others queue for it in their order.
    line: tokio::sync::Mutex<()>,
    /// Held by the one request that is next of all.
    turn: tokio::sync::Mutex<()>,
}

/// Where a request waits for its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queue {
    /// Behind all that came before it.
    InLine,
    /// Before all who stand in line but the first of them: what is stopped too late is printed.
    Ahead,
}

#[derive(Debug)]
struct Shared {
    pace: Mutex<Pace>,
    /// Told when a request ends, and when the program does; only the one whose turn it is listens, and the first in line.
    changed: Notify,
    /// Nobody waits out a pause any more.
    is_ending: AtomicBool,
}

impl Shared {
    fn pace(&self) -> MutexGuard<'_, Pace> {
        // The counters are whole after every step, so a panic elsewhere leaves nothing half done.
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Throttle {
    /// A gate that lets `max_in_flight` requests be under way, at least one.
    pub(super) fn new(max_in_flight: usize, rate_limit: Option<RateLimit>) -> Self {
        Self {
            pace: Arc::new(Shared {
                pace: Mutex::new(Pace::new(max_in_flight, rate_limit)),
                changed: Notify::new(),
                is_ending: AtomicBool::new(false),
            }),
            line: tokio::sync::Mutex::new(()),
            turn: tokio::sync::Mutex::new(()),
        }
    }

    /// Waits for a place.
    ///
    /// # Errors
    /// The time that is left, where the service has asked for a pause too long to wait here, or the program is ending and
    /// there is no place at once.
    pub(super) async fn enter(&self, queue: Queue) -> Result<Slot, Duration> {
        // Left only with a place, so that no more than one of the line stands before who goes ahead.
        let _first_in_line = match queue {
            Queue::InLine => Some(self.line.lock().await),
            Queue::Ahead => None,
        };
        loop {
            // Listened for before the question, so that no change is missed in between.
            let mut changed = std::pin::pin!(self.pace.changed.notified());
            changed.as_mut().enable();
            match self.take_turn(queue).await? {
                Turn::Place(slot) => return Ok(slot),
                Turn::Passed(rest) => {
                    tokio::select! {
                        () = tokio::time::sleep(rest) => {}
                        () = changed => {}
                    }
                }
            }
        }
    }

    /// Is next of all until there is a place, or until it is known how long the ceiling keeps the one in line: what goes
    /// ahead passes it meanwhile, for which the ceiling keeps its rest.
    async fn take_turn(&self, queue: Queue) -> Result<Turn, Duration> {
        let _turn = self.turn.lock().await;
        loop {
            // As above.
            let mut changed = std::pin::pin!(self.pace.changed.notified());
            changed.as_mut().enable();
            let leave = self.pace.pace().ask(queue, Instant::now());
            match leave {
                Admission::Go(began) => {
                    return Ok(Turn::Place(Slot {
                        began,
                        signal: Signal::Unused,
                        pace: Arc::clone(&self.pace),
                    }));
                }
                Admission::Paused(rest) if rest > self.patience() => return Err(rest),
                Admission::After(rest) if self.is_ending() => return Err(rest),
                Admission::After(rest) if queue == Queue::InLine => return Ok(Turn::Passed(rest)),
                Admission::Paused(rest) | Admission::After(rest) => {
                    // Whichever comes first: the time, or a request that ends and may have changed the pause.
                    tokio::select! {
                        () = tokio::time::sleep(rest) => {}
                        () = changed => {}
                    }
                }
                Admission::Full => changed.await,
            }
        }
    }
}

/// What becomes of a request whose turn it is.
enum Turn {
    /// It may leave.
    Place(Slot),
    /// Not before this time; others may pass it.
    Passed(Duration),
}

impl Throttle {
    /// Waits for a place where the requests of a time are counted, by the config's word or by what was learned: none where
    /// they are not, and a place is soon had when it is needed.
    ///
    /// # Errors
    /// As [`Throttle::enter`].
    pub(super) async fn enter_where_counted(&self) -> Result<Option<Slot>, Duration> {
        if !self.pace.pace().is_counted() {
            return Ok(None);
        }
        self.enter(Queue::InLine).await.map(Some)
    }

    /// Counts requests of processes before this one, which ended so long ago.
    pub(super) fn count(&self, ended: &[Duration]) {
        let (now, mut ended) = (Instant::now(), ended.to_vec());
        ended.sort_unstable_by(|a, b| b.cmp(a));
        let moments = ended.into_iter().filter_map(|ago| now.checked_sub(ago));
        self.pace.pace().count(moments);
    }

    /// Tells everybody at once of a pause from now on, however short, and of a ceiling: the program is ending.
    pub(super) fn end(&self) {
        self.pace.is_ending.store(true, Ordering::Relaxed);
        self.pace.changed.notify_waiters();
    }

    fn is_ending(&self) -> bool {
        self.pace.is_ending.load(Ordering::Relaxed)
    }

    fn patience(&self) -> Duration {
        if self.is_ending() {
            Duration::ZERO
        } else {
            PATIENCE
        }
    }
}

/// A request's place among those under way; free again when it is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    began: Instant,
    signal: Signal,
    pace: Arc<Shared>,
}

impl Slot {
    /// The request leaves: from now on the service may have it. A place that is freed before was none of its requests.
    pub(super) fn used(mut self) -> Self {
        self.signal = Signal::None;
        self
    }

    /// Frees the place and tells what the answer said of the service's strength.
    pub(super) fn leave(mut self, signal: Signal) {
        self.signal = signal;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.pace.pace().end(self.began, Instant::now(), self.signal);
        self.pace.changed.notify_waiters();
    }
}

/// The time from `now` to `until`; none where it has come.
fn rest_of(until: Instant, now: Instant) -> Option<Duration> {
    until.checked_duration_since(now).filter(|rest| !rest.is_zero())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

    use super::*;

    #[tokio::test]
    async fn a_long_pause_is_told_and_not_waited_for() {
        let gate = Throttle::new(4, None);
        let asked = Some(Duration::from_mins(10));
        gate.enter(Queue::InLine)
            .await
            .unwrap()
            .leave(Signal::PushedBack(asked));
        let rest = gate.enter(Queue::InLine).await.unwrap_err();
        assert!(rest > PATIENCE && rest <= Duration::from_mins(10));
    }

    async fn is_turned_away(gate: Arc<Throttle>) -> bool {
        gate.enter(Queue::InLine).await.is_err()
    }

    #[tokio::test]
    async fn nobody_waits_out_a_pause_when_the_program_ends() {
        let gate = Arc::new(Throttle::new(4, None));
        let asked = Some(PATIENCE);
        gate.enter(Queue::InLine)
            .await
            .unwrap()
            .leave(Signal::PushedBack(asked));
        let waiting = [(); 2].map(|()| tokio::spawn(is_turned_away(Arc::clone(&gate))));
        tokio::task::yield_now().await;
        gate.end();
        for told in waiting {
            assert!(told.await.unwrap());
        }
    }

    #[tokio::test]
    async fn a_dropped_request_frees_its_place() {
        let gate = Throttle::new(1, None);
        let place = gate.enter(Queue::InLine).await.unwrap();
        assert!(gate.enter(Queue::InLine).now_or_never().is_none(), "it is full");
        drop(place);
        assert!(gate.enter(Queue::InLine).now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_full_gate_lets_the_next_in_when_one_leaves() {
        let gate = Arc::new(Throttle::new(1, None));
        let first = gate.enter(Queue::InLine).await.unwrap();
        let behind = Arc::clone(&gate);
        let second = tokio::spawn(async move { behind.enter(Queue::InLine).await.is_ok() });
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        first.leave(Signal::Answered);
        assert!(second.await.unwrap());
    }

    /// Waits for a place, tells who has come to it, and leaves.
    async fn pass(
        gate: Arc<Throttle>,
        queue: Queue,
        name: &'static str,
        told: UnboundedSender<&'static str>,
    ) {
        let place = gate.enter(queue).await.unwrap();
        told.send(name).unwrap();
        drop(place);
    }

    #[tokio::test]
    async fn who_goes_ahead_waits_for_no_more_than_the_first_in_line() {
        let gate = Arc::new(Throttle::new(1, None));
        let place = gate.enter(Queue::InLine).await.unwrap();
        let (told, mut order) = unbounded_channel();
        for (name, queue) in [
            ("first", Queue::InLine),
            ("second", Queue::InLine),
            ("third", Queue::InLine),
            ("ahead", Queue::Ahead),
        ] {
            tokio::spawn(pass(Arc::clone(&gate), queue, name, told.clone()));
            // Each stands in its queue before the next one comes.
            tokio::task::yield_now().await;
        }
        drop((place, told));
        let mut went = Vec::new();
        while let Some(name) = order.recv().await {
            went.push(name);
        }
        assert_eq!(went, ["first", "ahead", "second", "third"]);
    }

    #[tokio::test]
    async fn who_goes_ahead_passes_the_first_in_line_while_the_ceiling_keeps_that() {
        let limit = RateLimit {
            requests: 40,
            per: Duration::from_hours(6),
        };
        let gate = Arc::new(Throttle::new(4, Some(limit)));
        let mut left = 0;
        while let Some(place) = gate.enter(Queue::InLine).now_or_never() {
            place.unwrap().used().leave(Signal::Answered);
            left += 1;
            assert!(left < 40, "the rest is spread over the time");
        }
        let (told, mut order) = unbounded_channel();
        for name in ["first", "second"] {
            tokio::spawn(pass(Arc::clone(&gate), Queue::InLine, name, told.clone()));
            tokio::task::yield_now().await;
        }
        for _each in 0..3 {
            let ahead = gate.enter(Queue::Ahead).now_or_never().expect("at once").unwrap();
            ahead.used().leave(Signal::Answered);
            tokio::task::yield_now().await;
        }
        assert!(order.try_recv().is_err(), "those in line wait on");
    }
}
