//! The ledger: what was promised for each order, in SQLite, durable before anything leaves for the service.
//!
//! Properties, each held by a test:
//! - What [`Ledger::write`] has answered is synced to disk.
//! - A state is only ever written by [`state::next`]; each change leaves an event.
//! - One process writes a ledger: a lock file beside it names that process. Readers need no lock.
//! - After a failed commit nothing more is written: the program stops and the next start looks up what was under way.
//!
//! Races, and what was decided: two sheets with the same order both find it unknown; the second [`Store::intend`]
//! finds the first's row inside the same transaction that would have written its own, and is refused.

mod aside;
pub mod backup;
mod error;
mod hold_key;
mod holder;
mod lock;
mod mailbox;
mod mark;
mod named;
pub mod record;
mod schema;
pub mod state;
mod store;
mod writer;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use tokio::sync::oneshot;

use self::record::AccountRef;

pub use aside::move_damaged_aside;
pub use error::{LedgerError, Obstacle};
pub use hold_key::NotAKey;
pub use holder::Holder;
pub use lock::{closed, held_since, holder};
pub use mailbox::Mailbox;
pub use store::{
    Alarm, Archived, AsHeld, AttemptEnd, Audit, ClosedMonth, Cost, Counted, Damage, DecisionResult, Flaw,
    Guards, HeldSheet, LatelyCanceled, ListedHeld, LookAtOthers, Made, NotTold, Proof, Request, RequestRef,
    Store, ToldOrder, Walked, Wanted, Watched,
};

/// A ledger that this process may write.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    writer: writer::Writer,
    reader: Mutex<Connection>,
    id: String,
    unchecked: bool,
    /// Counts how often what holds an account's creates back was changed.
    guards_changed: Arc<AtomicU64>,
    /// The newest of what does, with that count: asked for before each create.
    guards: Mutex<HashMap<AccountRef, (u64, Guards)>>,
    mark: Arc<Mutex<mark::Mark>>,
    /// Held for as long as the ledger is open. Dropped last: what ends in order has written all that it had.
    _lock: lock::Lock,
}

/// A ledger that this process only reads, beside whoever writes it.
#[derive(Debug)]
pub struct Reader {
    reader: Mutex<Connection>,
    id: String,
}

impl Ledger {
    /// Opens the ledger for this process alone, made or migrated where needed. `holder` is written into the lock file:
    /// who this is, for the message that another process gives.
    ///
    /// # Errors
    /// [`LedgerError::Lost`] where there is none, and one knew of orders here.
    pub fn open(path: &Path, holder: &str) -> Result<Self, LedgerError> {
        match lost(path) {
            Some(error) => Err(error),
            None => Self::open_or_make(path, holder),
        }
    }

    /// Opens the ledger, or makes a new one where it was lost: only for who then learns from the service what was sent, as
    /// `ledger rebuild` does.
    pub fn open_or_make(path: &Path, holder: &str) -> Result<Self, LedgerError> {
        let mut lock = lock::Lock::take(path, holder)?;
        let db = schema::open_writer(path, lock.ended_in_order)?;
        lock.found_sound();
        let id = store::ledger_id(&db)?;
        let mark = mark::Mark::open(path, &id).map_err(|source| LedgerError::Mark {
            path: mark::path(path),
            source,
        })?;
        let mark = Arc::new(Mutex::new(mark));
        let guards_changed = Arc::<AtomicU64>::default();
        let beside = (Arc::clone(&mark), Arc::clone(&guards_changed));
        let files = lock.named(path).and_then(|lock| named::Files::of(path, lock));
        let writer = files
            .and_then(|files| writer::Writer::start((db, files), Arc::clone(&lock.failed), beside))
            .map_err(|source| LedgerError::Lock {
                path: lock::path(path),
                source,
            })?;
        let reader = Mutex::new(schema::open_reader(path)?);
        let ledger = Self {
            path: path.to_owned(),
            writer,
            reader,
            id,
            unchecked: !lock.ended_in_order && schema::is_large(path),
            guards_changed,
            guards: Mutex::default(),
            mark,
            _lock: lock,
        };
        if ledger.mark().is_new() && ledger.read(|store| store.position())? > 0 {
            tracing::warn!(
                "there is no mark beside the ledger, by which an older one would be known; it may be one"
            );
            ledger.mark().distrust();
        }
        Ok(ledger)
    }

    /// Names the ledger in the inboxes' marker files.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether it was opened after an end that was not in order, and is too large to have been looked through: a backup,
    /// which is checked, should be made soon.
    pub fn is_unchecked(&self) -> bool {
        self.unchecked
    }

    /// Whether its file was put back from before: it has forgotten what was written since, and may have been sent.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn is_behind(&self) -> Result<bool, LedgerError> {
        let position = self.read(|store| store.position())?;
        Ok(self.mark().is_ahead_of(position))
    }

    /// Writes down what follows from its being behind, and that it goes ahead of the one that was here: both at once, for
    /// one that is ahead seems to have forgotten nothing.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub async fn begin_anew(
        &self,
        follows: impl FnOnce(&Store<'_>) -> Result<(), LedgerError> + Send + 'static,
    ) -> Result<(), LedgerError> {
        let other = self.mark().newest();
        let begun = self.write(move |store| {
            follows(store)?;
            other.map_or(Ok(()), |other| store.overtake(other))?;
            store.position()
        });
        let position = begun.await?;
        self.mark().begin_anew(position);
        Ok(())
    }

    fn mark(&self) -> MutexGuard<'_, mark::Mark> {
        self.mark.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What holds an account's creates back. Read anew where it was changed: only this process changes it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn guards(&self, account: AccountRef) -> Result<Guards, LedgerError> {
        let changed = self.guards_changed.load(Ordering::Acquire);
        let mut known = self.guards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, guards)) = known.get(&account).filter(|(then, _)| *then == changed) {
            return Ok(guards.clone());
        }
        let guards = self.read(|store| store.guards(account))?;
        known.insert(account, (changed, guards.clone()));
        Ok(guards)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` in the next transaction and answers after that is synced.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let answer = self.writer.call(work).await;
        answer.unwrap_or_else(|_gone| Err(self.writer.stopped()))
    }

    /// The same for work that comes with much more of its kind: it may wait some milliseconds for company, so that many
    /// share a sync.
    pub async fn write_in_company<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let answer = self.writer.call_in_company(work).await;
        answer.unwrap_or_else(|_ended| Err(self.writer.stopped()))
    }

    /// [`Self::write`] for a thread that may wait.
    pub fn write_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        self.begin_write(work).done()
    }

    /// [`Self::write`] for a thread that goes on meanwhile: nothing is written before [`Writing::done`] has said so.
    pub fn begin_write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> Writing<'_, T> {
        Writing {
            answer: self.writer.call(work),
            writer: &self.writer,
        }
    }

    /// Reads what is committed.
    pub fn read<T>(&self, work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        work(&Store::new(
            &self.reader.lock().unwrap_or_else(PoisonError::into_inner),
        ))
    }

    /// Reads much from one state of what is committed: every statement by itself would look for what was written since
    /// the one before it.
    pub fn read_at_once<T>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let db = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        store::at_once(&db, work)
    }
}

/// Work that is in the next transaction, or the one after it.
#[derive(Debug)]
#[must_use = "it is not written before it is said to be"]
pub struct Writing<'a, T> {
    answer: oneshot::Receiver<Result<T, LedgerError>>,
    writer: &'a writer::Writer,
}

impl<T> Writing<'_, T> {
    /// Waits until it is synced.
    ///
    /// # Errors
    /// Its own, or the transaction's.
    pub fn done(self) -> Result<T, LedgerError> {
        let answer = self.answer.blocking_recv();
        answer.unwrap_or_else(|_gone| Err(self.writer.stopped()))
    }
}

/// The own name of the ledger at a path, which one of an older dropsheet has too.
///
/// # Errors
/// Where there is none, or it cannot be read.
pub fn id_of(path: &Path) -> Result<String, LedgerError> {
    store::ledger_id(&schema::open_reader(path)?)
}

impl Reader {
    /// Opens a ledger for reading, as it stands now: what is written meanwhile is not seen. One of an older dropsheet is
    /// refused.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let db = schema::open_reader(path)?;
        schema::refuse_older(&db, path)?;
        store::begin_snapshot(&db)?;
        let id = store::ledger_id(&db)?;
        Ok(Self {
            reader: Mutex::new(db),
            id,
        })
    }

    /// Names the ledger in the inboxes' marker files.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Reads what is committed.
    pub fn read<T>(&self, work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        work(&Store::new(
            &self.reader.lock().unwrap_or_else(PoisonError::into_inner),
        ))
    }
}

/// Whether the file at a path is older than a ledger of its name that was worked there: it was put back from a backup, and
/// not worked since.
///
/// # Errors
/// Where there is none, or it cannot be read.
pub fn is_behind(path: &Path) -> Result<bool, LedgerError> {
    // Before the ledger, for both go on while it is worked.
    let furthest = mark::furthest(path);
    let reader = Reader::open(path)?;
    let position = reader.read(|store| store.position())?;
    Ok(furthest.is_some_and(|(of, furthest)| of == reader.id() && furthest > position))
}

/// What lies beside a path where no ledger is and tells that one was worked there: it is lost, not new.
pub fn trace_of_lost(path: &Path) -> Option<PathBuf> {
    if is_there(path) {
        return None;
    }
    let lock = lock::path(path);
    [backup::folder(path), lock]
        .into_iter()
        .find(|trace| trace.exists())
}

/// What is wrong where no ledger is and one knew of orders: it has left a backup, or a mark of how far it was. Of one that
/// knew nothing nothing is lost.
fn lost(path: &Path) -> Option<LedgerError> {
    if is_there(path) {
        return None;
    }
    let has_any = |folder: &PathBuf| std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
    let backups = Some(backup::folder(path)).filter(has_any);
    let trace = backups.or_else(|| Some(mark::path(path)).filter(|mark| mark::tells_of_orders(mark)))?;
    Some(LedgerError::Lost {
        path: path.to_owned(),
        trace,
    })
}

/// Whether a ledger is there. A file of no bytes is none: so it begins, and so a broken disk may leave it.
fn is_there(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| !file.is_file() || file.len() > 0)
}

/// A path that is named after the ledger's and lies beside it: `ledger.db` and an ending.
fn beside(ledger: &Path, ending: &str) -> PathBuf {
    let mut name = ledger.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    ledger.with_file_name(name)
}

#[cfg(test)]
mod tests;
