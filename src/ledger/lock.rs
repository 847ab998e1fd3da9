//! One process writes a ledger: a lock file beside it names that process. The operating system lets go of the lock when
//! the process ends, however it ends; the name in the file is taken out by one that ends in order, so that the next
//! one can tell.
//!
//! The lock lies beside the file that the path leads to: two paths to one ledger, through links, are one lock.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use jiff::Timestamp;

use super::LedgerError;
use super::holder::Holder;
use super::named::Named;
use crate::files::{closed as closed_files, folder_of};

/// How often a lock is tried for that somebody may hold for an instant only.
const TRIES: u32 = 4;

/// The pause in between.
const PAUSE: Duration = Duration::from_millis(25);

/// How many links in a row are followed, as the kernel does.
const LINKS: u32 = 40;

/// What SQLite keeps beside a ledger.
const LOGS: [&str; 2] = ["-wal", "-shm"];

/// The lock of a ledger, held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    /// Whether the process that held it before has let go of it in order.
    pub(super) ended_in_order: bool,
    /// Whether nothing is to be looked for in the ledger: else the name stays too.
    is_sound: bool,
    /// Set when the ledger could not be written: then the name stays, and the next start looks closer.
    pub(super) failed: Arc<OnceLock<String>>,
}

impl Lock {
    /// Takes the lock of a ledger and writes into it who holds it.
    pub(super) fn take(ledger: &Path, holder: &str) -> Result<Self, LedgerError> {
        let folder = folder_of(ledger);
        std::fs::create_dir_all(folder).map_err(|source| LedgerError::Folder {
            path: folder.to_owned(),
            source,
        })?;
        let path = path(ledger);
        let failed = |source| LedgerError::Lock {
            path: path.clone(),
            source,
        };
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            // Who may open it may hold it, and keep everybody else from the ledger.
            .mode(0o600)
            .open(&path)
            .map_err(failed)?;
        try_lock(&mut file, &path)?;
        let before = file.metadata().map_err(failed)?.len();
        write_name(&mut file, holder).map_err(failed)?;
        let ended_in_order = before == 0;
        Ok(Self {
            file,
            ended_in_order,
            is_sound: ended_in_order,
            failed: Arc::default(),
        })
    }

    /// The lock file, to be known again.
    pub(super) fn named(&self, ledger: &Path) -> io::Result<Named> {
        Ok(Named::of(path(ledger), &self.file.metadata()?))
    }

    /// The ledger was looked through, where it had to be, and is as it should be. Before that an end is none in order: the
    /// next start would not look.
    pub(super) fn found_sound(&mut self) {
        self.is_sound = true;
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.failed.get().is_some() || !self.is_sound {
            return;
        }
        // A name that stays costs the next start a check of the whole file, nothing else: so does one that a power loss
        // brings back, and this is not synced.
        if let Err(error) = self.file.set_len(0) {
            tracing::debug!(%error, "the name in the ledger's lock file stays");
        }
    }
}

/// Writes who holds a lock, over who held it before. Never empty in between: so it is after an end in order. Synced, for
/// the start after a power loss has to find it.
fn write_name(lock: &mut File, holder: &str) -> io::Result<()> {
    lock.rewind()?;
    crate::crash::fails("lock-named")?;
    lock.write_all(holder.as_bytes())?;
    let length = lock.stream_position()?;
    lock.set_len(length)?;
    lock.sync_all()
}

/// The lock file of a ledger: beside the file that the path leads to.
pub(super) fn path(ledger: &Path) -> PathBuf {
    super::beside(&place_of(ledger), ".lock")
}

/// Where a path leads, through links, also where nothing stands there yet.
pub(super) fn place_of(ledger: &Path) -> PathBuf {
    let mut place = ledger.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = std::fs::read_link(&place) else {
            break;
        };
        place = folder_of(&place).join(target);
    }
    match (folder_of(&place).canonicalize(), place.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        // A folder that is not there cannot hold the lock of another path either.
        _ => place,
    }
}

/// Who writes a ledger at this moment, as its lock file says; none where nobody does. For as long as the look takes, a writer
/// that starts finds the lock taken.
///
/// # Errors
/// The lock file is there and cannot be looked at.
pub fn holder(ledger: &Path) -> io::Result<Option<Holder>> {
    let mut file = match File::open(path(ledger)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    // Shared, so that two who look do not take each other for a writer.
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => Ok(Some(holder_in(&mut file))),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// When whoever works a ledger began, by the clock of its disk: the lock file is written then, and not again. None where that
/// cannot be told.
pub fn held_since(ledger: &Path) -> Option<Timestamp> {
    let written = std::fs::metadata(path(ledger)).and_then(|lock| lock.modified());
    Timestamp::try_from(written.ok()?).ok()
}

/// The files beside a ledger that whoever works it has to open and this process cannot, and why: its lock, its mark, and
/// what SQLite keeps beside it. One that is not there is made.
pub fn closed(ledger: &Path) -> Vec<(PathBuf, io::Error)> {
    let own = [path(ledger), super::mark::path(ledger)];
    let logs = LOGS.map(|ending| super::beside(&place_of(ledger), ending));
    closed_files(own.into_iter().chain(logs))
}

/// Those of a ledger's own files, the one that the path leads to and what SQLite keeps beside it, that cannot be written. To
/// be looked for before SQLite opens them: of a ledger that is read-only it makes the others so too, and they stay so.
pub(super) fn refuse_closed(ledger: &Path) -> Result<(), LedgerError> {
    let place = place_of(ledger);
    let logs = LOGS.map(|ending| super::beside(&place, ending));
    let files = closed_files(std::iter::once(place).chain(logs));
    if files.is_empty() {
        return Ok(());
    }
    Err(LedgerError::Closed { files })
}

/// Who it is helps a person; that it is locked is known already.
fn holder_in(lock: &mut File) -> Holder {
    let mut words = String::new();
    if lock.read_to_string(&mut words).is_err() || words.is_empty() {
        "an unnamed process".clone_into(&mut words);
    }
    Holder::of_words(&words)
}

/// Takes the lock. A reader that asks who holds it has it for an instant: only who holds it longer is at work.
fn try_lock(file: &mut File, path: &Path) -> Result<(), LedgerError> {
    let mut tries = 0;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if tries < TRIES => {
                tries += 1;
                std::thread::park_timeout(PAUSE);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(LedgerError::Busy {
                    holder: holder_in(file).name,
                    lock: path.to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => {
                return Err(LedgerError::Lock {
                    path: path.to_owned(),
                    source,
                });
            }
        }
    }
}
