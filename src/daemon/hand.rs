//! The hand of an inbox: one thread that does its file calls, one after the other; a second one only looks for `STOP`
//! meanwhile. A share that does not answer holds up these and nothing else: neither other inboxes, nor the service, nor
//! whoever watches the program.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::inbox::{NO_ANSWER, SILENT_FOR_GOOD};

/// How often it is looked for one.
const ROUND: Duration = Duration::from_secs(5);

/// What the hand is to do.
type Job = Box<dyn FnOnce() + Send>;

/// Why a call has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotDone {
    /// The folder does not answer.
    Silent,
    /// It ended with a panic.
    Panicked,
}

/// The way to an inbox's thread. The thread ends when this is dropped and its last call has come back.
#[derive(Debug)]
pub struct Hand {
    jobs: mpsc::Sender<Job>,
    doing: Arc<Mutex<Option<(&'static str, Instant)>>>,
    /// A call was given up, and none has come back since.
    is_silent: Arc<AtomicBool>,
}

impl Hand {
    /// Starts the thread.
    ///
    /// # Errors
    /// The machine gives no thread.
    pub fn start(inbox: &str) -> io::Result<Self> {
        let (jobs, waiting) = mpsc::channel::<Job>();
        std::thread::Builder::new()
            .name(format!("files-{inbox}"))
            .spawn(move || waiting.iter().for_each(|job| job()))?;
        Ok(Self {
            jobs,
            doing: Arc::default(),
            is_silent: Arc::default(),
        })
    }

    /// Does some work; none where it ended with a panic. `what` names it for [`Hand::doing`].
    pub async fn run<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, done) = oneshot::channel();
        let (doing, is_silent) = (Arc::clone(&self.doing), Arc::clone(&self.is_silent));
        let job: Job = Box::new(move || {
            set(&doing, Some((what, Instant::now())));
            let worked = work();
            set(&doing, None);
            is_silent.store(false, Ordering::SeqCst);
            // Whoever asked may have been stopped meanwhile; the work stands all the same.
            drop(answer.send(worked));
        });
        // A thread that has ended drops the job, and with it the sender of the answer.
        drop(self.jobs.send(job));
        done.await.ok()
    }

    /// The same, for as long as a folder may take to answer.
    ///
    /// Nothing is put behind a call that was given up: it would wait as long, and be kept with all it holds.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn run_in_time<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        if self.is_silent.load(Ordering::SeqCst) && self.doing().is_some() {
            return Err(NotDone::Silent);
        }
        self.run_within(NO_ANSWER, what, work).await
    }

    /// The same, for as long as the writing of a large file may take.
    ///
    /// # Errors
    /// As [`Hand::run_in_time`].
    pub async fn write_in_time<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        self.run_within(SILENT_FOR_GOOD, what, work).await
    }

    async fn run_within<T: Send + 'static>(
        &self,
        limit: Duration,
        what: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        match tokio::time::timeout(limit, self.run(what, work)).await {
            Ok(done) => done.ok_or(NotDone::Panicked),
            Err(_elapsed) => {
                self.is_silent.store(true, Ordering::SeqCst);
                Err(NotDone::Silent)
            }
        }
    }

    /// Comes back when one call has taken longer than the work on any file may: what else waits for the hand is given up,
    /// as a single pass has to end. Nothing is put behind that call by [`Hand::run_in_time`] from then on.
    pub async fn falls_silent(&self) {
        while self.doing().is_none_or(|(_what, since)| since < SILENT_FOR_GOOD) {
            tokio::time::sleep(ROUND).await;
        }
        self.is_silent.store(true, Ordering::SeqCst);
    }

    /// What it does now, and for how long.
    pub fn doing(&self) -> Option<(&'static str, Duration)> {
        let doing = *self.doing.lock().unwrap_or_else(PoisonError::into_inner);
        doing.map(|(what, since)| (what, since.elapsed()))
    }
}

fn set(doing: &Mutex<Option<(&'static str, Instant)>>, what: Option<(&'static str, Instant)>) {
    *doing.lock().unwrap_or_else(PoisonError::into_inner) = what;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_that_does_not_come_back_is_named_and_holds_up_no_other_hand() {
        let (stuck, other) = (Hand::start("a").unwrap(), Hand::start("b").unwrap());
        let (free, waits) = mpsc::channel::<()>();
        let hanging = stuck.run("look", move || waits.recv().is_ok());
        let mut hanging = std::pin::pin!(hanging);
        let seen = tokio::select! {
            _ = &mut hanging => None,
            seen = async {
                while stuck.doing().is_none() {
                    tokio::task::yield_now().await;
                }
                assert_eq!(other.run("look", || 7).await, Some(7));
                stuck.doing()
            } => seen,
        };
        assert_eq!(seen.map(|(what, _for)| what), Some("look"));
        free.send(()).unwrap();
        assert_eq!(hanging.await, Some(true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_folder_that_does_not_answer_is_given_up_and_no_further_call_waits_behind_it() {
        let stuck = Hand::start("a").unwrap();
        let (free, waits) = mpsc::channel::<()>();
        let given_up = stuck.run_in_time("look", move || waits.recv().is_ok()).await;
        assert_eq!(given_up, Err(NotDone::Silent));
        while stuck.doing().is_none() {
            tokio::task::yield_now().await;
        }
        let asked = Instant::now();
        let (done, is_done) = mpsc::channel();
        let next = stuck.run_in_time("status", move || done.send(())).await;
        assert_eq!(next, Err(NotDone::Silent));
        assert_eq!(asked.elapsed(), Duration::ZERO, "it is not waited for again");
        // A thread is waited for by now, which no clock of the test's moves.
        tokio::time::resume();
        free.send(()).unwrap();
        assert_eq!(stuck.run("look", || 7).await, Some(7));
        assert!(is_done.try_recv().is_err(), "it was not kept");
        assert_eq!(stuck.run_in_time("look", || 8).await, Ok(8));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_never_comes_back_makes_a_hand_silent_and_many_that_do_make_none() {
        let hand = Hand::start("a").unwrap();
        let (free, waits) = mpsc::channel::<()>();
        let stuck = hand.run("look", move || waits.recv().is_ok());
        let mut stuck = std::pin::pin!(stuck);
        let begun = Instant::now();
        tokio::select! {
            _ = &mut stuck => panic!("it cannot come back"),
            () = hand.falls_silent() => {}
        }
        assert!(begun.elapsed() >= SILENT_FOR_GOOD);
        let next = hand.run_in_time("status", || 7).await;
        assert_eq!(next, Err(NotDone::Silent));
        tokio::time::resume();
        free.send(()).unwrap();
        assert_eq!(stuck.await, Some(true));
        // It works again, and is watched anew.
        assert_eq!(hand.run_in_time("status", || 8).await, Ok(8));
        let half = async || {
            // While a thread is waited for, a clock that stands would run ahead by itself.
            tokio::time::resume();
            hand.run("look", || ()).await;
            tokio::time::pause();
            tokio::time::advance(SILENT_FOR_GOOD / 2).await;
        };
        let busy = async {
            half().await;
            half().await;
            half().await;
        };
        tokio::time::pause();
        tokio::select! {
            () = busy => {}
            () = hand.falls_silent() => panic!("it answers"),
        }
    }

    #[tokio::test]
    async fn a_panic_is_told_and_not_waited_for() {
        let hand = Hand::start("a").unwrap();
        let panicked: Option<()> = hand.run("look", || std::panic::panic_any("a defect")).await;
        assert_eq!(panicked, None);
        assert_eq!(hand.run("look", || 1).await, None);
    }
}
