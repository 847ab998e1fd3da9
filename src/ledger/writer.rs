//! One thread owns the write connection and takes everything that waits into one transaction, then answers: sixteen
//! orders in flight cost a few syncs, not thirty-two.
//!
//! An answer is given only after the commit is synced. When a commit fails, every caller of it hears of it, and the
//! writer takes no more work: what a failed sync has left behind is not known until the ledger is opened anew.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use super::LedgerError;
use super::error::advice;
use super::mark::Mark;
use super::named::Files;
use super::store::Store;

/// Most jobs of one transaction: bounds how long the first of them waits for its answer.
const GROUP: usize = 512;

/// How long after a commit the next one waits for more work, where all that there is may wait: a hundred and fifty commits
/// a second are enough for any service, and each costs a sync and the pages that it touches. Twice as long keeps places at
/// a service of 20 ms empty: half as many orders again are under way as requests, and more would be without an answer
/// where the service goes away.
const COMPANY: Duration = Duration::from_millis(6);

/// One piece of work.
struct Job {
    work: Work,
    /// Whether it may wait for company.
    may_wait: bool,
}

/// Runs inside a transaction, then waits to be told whether that was committed.
type Work = Box<dyn FnOnce(&Store<'_>) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), String>) + Send>;

/// The way to the writing thread. Dropping it ends the thread after what waits is done.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    failed: Arc<OnceLock<String>>,
}

impl Writer {
    /// Starts the thread. It says in `failed` why the ledger cannot be written, when that is so, and counts in `guards` how
    /// often what holds an account's creates back was changed.
    pub(super) fn start(
        (db, files): (Connection, Files),
        failed: Arc<OnceLock<String>>,
        (mark, guards): (Arc<Mutex<Mark>>, Arc<AtomicU64>),
    ) -> std::io::Result<Self> {
        let (jobs, waiting) = mpsc::channel();
        let of_thread = Arc::clone(&failed);
        let thread = std::thread::Builder::new()
            .name("ledger".to_owned())
            .spawn(move || work((db, &files), &waiting, &of_thread, (&mark, &guards)))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            failed,
        })
    }

    /// Why no answer comes any more.
    pub(super) fn stopped(&self) -> LedgerError {
        match self.failed.get() {
            Some(detail) => LedgerError::Failed {
                detail: detail.clone(),
            },
            None => LedgerError::Stopped,
        }
    }

    /// Puts work into the next transaction. The receiver answers after that is committed and synced.
    pub(super) fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, LedgerError>> {
        self.put(work, false)
    }

    /// The same, with leave to wait for more of its kind.
    pub(super) fn call_in_company<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, LedgerError>> {
        self.put(work, true)
    }

    fn put<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
        may_wait: bool,
    ) -> oneshot::Receiver<Result<T, LedgerError>> {
        let (answer, receiver) = oneshot::channel();
        let work: Work = Box::new(move |store| {
            let before = store.changes();
            let done = work(store);
            // It may have written something before it failed, a reading say: half of it must not be committed. A refusal is
            // none where it leaves something behind.
            if let Err(error) = &done
                && (!error.is_refusal() || store.changes() != before)
            {
                store.break_off(error);
            }
            Box::new(move |committed| {
                let told = match committed {
                    Ok(()) => done,
                    Err(detail) => Err(LedgerError::Commit { detail }),
                };
                // Whoever asked may have been stopped meanwhile; the work stands all the same.
                drop(answer.send(told));
            })
        });
        if let Some(jobs) = &self.jobs {
            // A thread that has ended drops the job, and with it the sender of the answer, see `stopped`.
            drop(jobs.send(Job { work, may_wait }));
        }
        receiver
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the ledger's thread ended with a panic");
        }
    }
}

fn work(
    (mut db, files): (Connection, &Files),
    waiting: &mpsc::Receiver<Job>,
    failed: &OnceLock<String>,
    beside: (&Mutex<Mark>, &AtomicU64),
) {
    let mut commits = 0_u64;
    let mut committed = None;
    while let Ok(first) = waiting.recv() {
        let time = committed.map_or(Duration::ZERO, |at: Instant| COMPANY.saturating_sub(at.elapsed()));
        let (group, came_in_company) = gather(first, waiting, time);
        if let Err(detail) = commit((&mut db, files), group, failed, beside) {
            tracing::error!(detail, "the ledger cannot be written; nothing more is sent");
            return;
        }
        commits = commits.saturating_add(1);
        // The first of many waits for nobody.
        committed = came_in_company.then(Instant::now);
    }
    // How well many orders at once share a sync.
    tracing::debug!(commits, "the ledger is closed");
}

/// The next group: what there is, and what comes while that is worked; where all of it may wait, what comes within a time.
/// And whether any of it may.
fn gather(first: Job, waiting: &mpsc::Receiver<Job>, time: Duration) -> (impl Iterator<Item = Job>, bool) {
    let mut group = vec![first];
    group.extend(waiting.try_iter().take(GROUP - 1));
    if group.iter().all(|job| job.may_wait) {
        rest(time);
    }
    let came_in_company = group.iter().any(|job| job.may_wait);
    let group = group.into_iter().chain(waiting.try_iter()).take(GROUP);
    (group, came_in_company)
}

/// Asleep, not at the door: to be woken for each of many jobs would cost more than some of them do.
#[expect(
    clippy::disallowed_methods,
    reason = "a thread of its own, and some milliseconds: no end of the program waits for it longer"
)]
fn rest(time: Duration) {
    if !time.is_zero() {
        std::thread::sleep(time);
    }
}

/// Runs a group in one transaction and answers each; an error is the commit's.
fn commit(
    (db, files): (&mut Connection, &Files),
    group: impl Iterator<Item = Job>,
    failed: &OnceLock<String>,
    (mark, guards): (&Mutex<Mark>, &AtomicU64),
) -> Result<(), String> {
    let transaction = match db.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            // Said before those who wait hear that no answer comes.
            let detail = failed.get_or_init(|| told(&error)).clone();
            group.for_each(drop);
            return Err(detail);
        }
    };
    let store = Store::new(&transaction);
    let answers: Vec<Answer> = group.map(|job| (job.work)(&store)).collect();
    let guards_changed = store.put_sums();
    // A job that failed halfway must not be half committed: then nobody's work is.
    let committed = if let Some(broken) = store.broken() {
        drop(transaction);
        Err(broken)
    } else {
        let broken_disk = |error: std::io::Error| error.to_string();
        let newest = store.position();
        // What goes into a file that is no longer the ledger is lost, though the order it is about has left.
        files
            .are_the_same()
            .and_then(|()| crate::crash::fails("ledger-commit").map_err(broken_disk))
            .and_then(|()| transaction.commit().map_err(|error| told(&error)))
            // A commit may stand on the disk although its sync has failed.
            .and_then(|()| crate::crash::fails("ledger-committed").map_err(broken_disk))
            .and_then(|()| {
                // Before anybody hears that they are others.
                if guards_changed.map_err(|error| error.to_string())? {
                    guards.fetch_add(1, Ordering::Release);
                }
                newest.map_err(|error| error.to_string())
            })
            .map(|newest| mark.lock().unwrap_or_else(PoisonError::into_inner).note(newest))
    };
    if let Err(detail) = &committed {
        failed.get_or_init(|| detail.clone());
    }
    for answer in answers {
        answer(committed.clone());
    }
    committed
}

/// What SQLite said, and what to do about it.
fn told(error: &rusqlite::Error) -> String {
    format!("{error}{}", advice(error))
}
