//! Files that have to stay what they were when they were opened: what is written into one whose name leads to another file
//! by now is lost with it.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::Obstacle;

/// A file, and where it lay when it was opened.
#[derive(Debug)]
pub(super) struct Named {
    path: PathBuf,
    /// Its device and its number there.
    file: (u64, u64),
}

impl Named {
    /// A file that is open, or was just made.
    pub(super) fn of(path: PathBuf, file: &Metadata) -> Self {
        Self {
            path,
            file: (file.dev(), file.ino()),
        }
    }

    /// Whether its name leads to another file; none where it leads to no file.
    fn is_another(&self) -> Option<bool> {
        match std::fs::metadata(&self.path) {
            Ok(now) => Some((now.dev(), now.ino()) != self.file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // Whoever works with it is told why it cannot be reached.
            Err(_unreached) => Some(false),
        }
    }
}

/// A ledger that is open, and its lock.
#[derive(Debug)]
pub(super) struct Files {
    ledger: Named,
    lock: Named,
}

impl Files {
    pub(super) fn of(ledger: &Path, lock: Named) -> io::Result<Self> {
        let ledger = Named::of(ledger.to_owned(), &std::fs::metadata(ledger)?);
        Ok(Self { ledger, lock })
    }

    /// Whether both are still what they were; else what has happened and what to do. That the ledger is gone is told by who
    /// reads it.
    pub(super) fn are_the_same(&self) -> Result<(), String> {
        let (what, named, trouble) = if self.ledger.is_another() == Some(true) {
            (
                "another file is in the place of",
                &self.ledger,
                Obstacle::Replaced,
            )
        } else if self.lock.is_another() != Some(false) {
            (
                "its lock file was removed or replaced,",
                &self.lock,
                Obstacle::Unlocked,
            )
        } else {
            return Ok(());
        };
        Err(format!("{what} {}{}", named.path.display(), trouble.advice()))
    }
}
