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

mod mailbox;
pub mod record;
mod schema;
pub mod state;
mod store;
mod writer;

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

pub use mailbox::Mailbox;
pub use schema::network_kind;
pub use store::{Cost, Ending, Proof, Request, RequestRef, Store, Walked, Wanted};

use record::NotARecord;
use state::Illegal;

/// How often a lock is tried for that somebody may hold for an instant only.
const LOCK_TRIES: u32 = 4;

/// The pause in between.
const LOCK_PAUSE: Duration = Duration::from_millis(25);

/// A ledger that this process may write.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    writer: writer::Writer,
    reader: Mutex<Connection>,
    id: String,
    /// Held for as long as the ledger is open; the operating system lets go of it when the process ends.
    _lock: File,
}

/// A ledger that this process only reads, beside whoever writes it.
#[derive(Debug)]
pub struct Reader {
    reader: Mutex<Connection>,
    id: String,
}

/// What can be wrong with a ledger. All but [`LedgerError::Illegal`] stop the program.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// Another process writes it. Exit status 4.
    #[error("another dropsheet is at work on this ledger ({holder}); lock file {lock}")]
    Busy {
        /// What the lock file says of that process.
        holder: String,
        /// The lock file.
        lock: PathBuf,
    },
    /// There is no ledger yet.
    #[error("there is no ledger at {path} yet; `dropsheet run` makes it")]
    Missing {
        /// Where it should lie.
        path: PathBuf,
    },
    /// Its folder cannot be made.
    #[error("cannot make the ledger's folder {path}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The lock file cannot be made.
    #[error("cannot make the ledger's lock file {path}")]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// SQLite cannot open it: no permission, not a database, damaged.
    #[error("cannot open the ledger {path}; if it is damaged, restore the newest backup")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: rusqlite::Error,
    },
    /// SQLite's own check found damage.
    #[error(
        "the ledger {path} is damaged ({detail}); restore the newest backup and start again: orders that it does not know are found at the service"
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What the check said.
        detail: String,
    },
    /// A newer dropsheet has written it.
    #[error(
        "the ledger {path} has version {version}, this dropsheet knows up to {known}; install the newer dropsheet that wrote it"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
        /// The newest version that this program knows.
        known: usize,
    },
    /// An older dropsheet works it.
    #[error(
        "the ledger {path} is worked by an older dropsheet, which cannot be asked for this; restart it with this version"
    )]
    Older {
        /// The file.
        path: PathBuf,
    },
    /// It lies on a network file system.
    #[error(
        "the ledger {path} lies on a network mount ({kind}), where its locks cannot be trusted; set `ledger.path` to a local disk"
    )]
    NetworkMount {
        /// The file.
        path: PathBuf,
        /// The kind of file system.
        kind: &'static str,
    },
    /// The file system does not let SQLite keep a write-ahead log.
    #[error(
        "the ledger {path} cannot be set to WAL mode (it stays in `{mode}`); set `ledger.path` to a local disk"
    )]
    JournalMode {
        /// The file.
        path: PathBuf,
        /// The mode that SQLite answered.
        mode: String,
    },
    /// The program was built with an SQLite that can lose commits.
    #[error("this dropsheet was built with SQLite {version}; 3.51.3 or newer is needed")]
    OldSqlite {
        /// Its version.
        version: &'static str,
    },
    /// A statement failed.
    #[error("the ledger could not {operation}")]
    Statement {
        /// What was to be done.
        operation: &'static str,
        /// Why not.
        #[source]
        source: rusqlite::Error,
    },
    /// A commit failed: whether it is on disk is not known.
    #[error("the ledger could not be committed: {detail}; what was under way is looked up at the next start")]
    Commit {
        /// What SQLite said.
        detail: String,
    },
    /// The writing thread has ended after an earlier failure.
    #[error("the ledger takes no more writes after an earlier failure")]
    Stopped,
    /// What stands in it cannot be read.
    #[error("the ledger holds something that cannot be read")]
    Record(#[source] NotARecord),
    /// Something that may not happen to an order in its state; nothing was written.
    #[error("order `{order_id}`")]
    Illegal {
        /// The order, as it is sent.
        order_id: String,
        /// The state and the event.
        #[source]
        source: Illegal,
    },
    /// The account's name stands in the ledger with another `base_url` or e-mail. Exit status 2.
    #[error(
        "account `{name}` is {known} in this ledger, but {configured} in the config; give the new account a new name, or set the old values again"
    )]
    OtherAccount {
        /// The account's name in the config.
        name: String,
        /// Its identity in the ledger.
        known: String,
        /// Its identity in the config.
        configured: String,
    },
    /// The account stands in the ledger under another name. Exit status 2.
    #[error(
        "account `{name}` is called `{known}` in this ledger; call it that, so that its orders are known"
    )]
    RenamedAccount {
        /// The account's name in the config.
        name: String,
        /// Its name in the ledger.
        known: String,
    },
}

impl LedgerError {
    fn open(path: &Path, source: rusqlite::Error) -> Self {
        Self::Open {
            path: path.to_owned(),
            source,
        }
    }
}

impl Ledger {
    /// Opens the ledger for this process alone, made or migrated where needed. `holder` is written into the lock file:
    /// who this is, for the message that another process gives.
    pub fn open(path: &Path, holder: &str) -> Result<Self, LedgerError> {
        let lock = lock(path, holder)?;
        let db = schema::open_writer(path)?;
        let id = store::ledger_id(&db)?;
        let writer = writer::Writer::start(db).map_err(|source| LedgerError::Lock {
            path: lock_path(path),
            source,
        })?;
        let reader = Mutex::new(schema::open_reader(path)?);
        Ok(Self {
            path: path.to_owned(),
            writer,
            reader,
            id,
            _lock: lock,
        })
    }

    /// Names the ledger in the inboxes' marker files.
    pub fn id(&self) -> &str {
        &self.id
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
        self.writer.call(work).await.unwrap_or(Err(LedgerError::Stopped))
    }

    /// The same, for a thread that may wait.
    pub fn write_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        self.writer
            .call(work)
            .blocking_recv()
            .unwrap_or(Err(LedgerError::Stopped))
    }

    /// Reads what is committed.
    pub fn read<T>(&self, work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        work(&Store::new(
            &self.reader.lock().unwrap_or_else(PoisonError::into_inner),
        ))
    }
}

impl Reader {
    /// Opens a ledger for reading, as it stands now: what is written meanwhile is not seen.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let db = schema::open_reader(path)?;
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

fn lock_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    path.with_file_name(name)
}

/// Who writes a ledger now, in the words of its lock file; none where nobody does. For as long as the look takes, a
/// writer that starts finds the lock taken.
///
/// # Errors
/// The lock file is there and cannot be looked at.
pub fn holder(path: &Path) -> std::io::Result<Option<String>> {
    let mut file = match File::open(lock_path(path)) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    // Shared, so that two who look do not take each other for a writer.
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(std::fs::TryLockError::WouldBlock) => Ok(Some(name_in(&mut file))),
        Err(std::fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Who it is helps a person; that it is locked is known already.
fn name_in(lock: &mut File) -> String {
    let mut holder = String::new();
    if lock.read_to_string(&mut holder).is_err() || holder.is_empty() {
        "an unnamed process".clone_into(&mut holder);
    }
    holder
}

fn lock(path: &Path, holder: &str) -> Result<File, LedgerError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| LedgerError::Folder {
            path: folder.to_owned(),
            source,
        })?;
    }
    let lock = lock_path(path);
    let failed = |source| LedgerError::Lock {
        path: lock.clone(),
        source,
    };
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&lock)
        .map_err(failed)?;
    try_lock(&mut file, &lock)?;
    file.set_len(0)
        .and_then(|()| file.write_all(holder.as_bytes()))
        .map_err(failed)?;
    Ok(file)
}

/// Takes the lock. A reader that asks who holds it has it for an instant: only who holds it longer is at work.
fn try_lock(file: &mut File, lock: &Path) -> Result<(), LedgerError> {
    let mut tries = 0;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(std::fs::TryLockError::WouldBlock) if tries < LOCK_TRIES => {
                tries += 1;
                std::thread::park_timeout(LOCK_PAUSE);
            }
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(LedgerError::Busy {
                    holder: name_in(file),
                    lock: lock.to_owned(),
                });
            }
            Err(std::fs::TryLockError::Error(source)) => {
                return Err(LedgerError::Lock {
                    path: lock.to_owned(),
                    source,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
