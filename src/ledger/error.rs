//! What can be wrong with a ledger, each said with what to do about it.

use std::path::{Path, PathBuf};

use super::record::NotARecord;
use super::state::Illegal;

/// What can be wrong with a ledger. What it refuses to note (`is_refusal`) leaves it sound, and a backup that
/// fails is made later; all else stops the program.
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
    /// There is none any more. Exit status 1: a new one in its place would send again what the service does not list yet.
    #[error(
        "the ledger {path} is gone, and {trace} shows that it knew of orders; nothing was done. Put its newest backup in its place, or \
         run `dropsheet ledger rebuild`, which learns from the service what was sent"
    )]
    Lost {
        /// Where it should lie.
        path: PathBuf,
        /// What shows that it was there.
        trace: PathBuf,
    },
    /// Its folder cannot be made.
    #[error("cannot make the ledger's folder {path}{}", room(source))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The lock file cannot be made.
    #[error("cannot make the ledger's lock file {path}{}", room(source))]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The mark cannot be opened.
    #[error("cannot open the mark beside the ledger, {path}{}", room(source))]
    Mark {
        /// The mark.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Files of it cannot be written by this user.
    #[error(
        "the ledger cannot be written: give each of these files to the user that runs dropsheet, with the right to write it: {}",
        list(files)
    )]
    Closed {
        /// Those, and why.
        files: Vec<(PathBuf, std::io::Error)>,
    },
    /// SQLite cannot open it: no permission, not a database, damaged.
    #[error("cannot open the ledger {path}{}", advice(source))]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: rusqlite::Error,
    },
    /// SQLite's own check found damage, or it is no ledger.
    #[error("the ledger {path} cannot be trusted ({detail}){DAMAGED}")]
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
    /// An older dropsheet has written it, and may be at work on it.
    #[error(
        "the ledger {path} is of an older dropsheet; restart `dropsheet run` with this version, which brings it up to date"
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
    #[error("the ledger could not {operation}{}", advice(source))]
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
    /// Its backup cannot be made. The ledger itself is as it was.
    #[error("cannot back the ledger up to {path}")]
    Backup {
        /// The file, or its folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// What was read for its backup, or what was written, is damaged.
    #[error("the backup {path} was not kept: {detail}; see `dropsheet ledger verify`")]
    BadBackup {
        /// Where it would have been.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The damaged ledger cannot be moved aside.
    #[error("cannot move the damaged ledger {path} aside")]
    Aside {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A commit failed earlier.
    #[error("the ledger takes no more writes since it could not be committed: {detail}")]
    Failed {
        /// What SQLite said, and what to do about it.
        detail: String,
    },
    /// The writing thread has ended.
    #[error("the ledger takes no more writes")]
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
    /// Whether the ledger is as it should be, and what was asked of it is refused before anything is written: the writer
    /// commits nothing of work that is refused after it has written something.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Illegal { .. } | Self::OtherAccount { .. } | Self::RenamedAccount { .. }
        )
    }

    /// Whether the ledger's file is damaged.
    pub fn is_damage(&self) -> bool {
        self.trouble() == Some(Obstacle::Damaged)
    }

    /// What is wrong with the ledger's file or its disk, where it is that.
    pub fn trouble(&self) -> Option<Obstacle> {
        match self {
            Self::Corrupt { .. } => Some(Obstacle::Damaged),
            Self::Closed { .. } => Some(Obstacle::Forbidden),
            Self::Open { source, .. } | Self::Statement { source, .. } => Obstacle::of(source),
            // Of a failed commit all callers hear, in words alone; what to do about it is among them.
            Self::Commit { detail } | Self::Failed { detail } => Obstacle::ALL
                .into_iter()
                .find(|trouble| detail.contains(trouble.advice())),
            Self::Folder { source, .. } | Self::Lock { source, .. } | Self::Mark { source, .. } => {
                match source.kind() {
                    std::io::ErrorKind::StorageFull => Some(Obstacle::Full),
                    std::io::ErrorKind::ReadOnlyFilesystem => Some(Obstacle::ReadOnly),
                    std::io::ErrorKind::PermissionDenied => Some(Obstacle::Forbidden),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn open(path: &Path, source: rusqlite::Error) -> Self {
        Self::Open {
            path: path.to_owned(),
            source,
        }
    }
}

/// Files, each with what is wrong with it.
fn list(files: &[(PathBuf, std::io::Error)]) -> String {
    let files = files.iter();
    let files: Vec<String> = files
        .map(|(path, error)| format!("{} ({error})", path.display()))
        .collect();
    files.join(", ")
}

/// What to do about a full disk.
const FULL: &str = "; its disk is full: make room and start dropsheet again";

/// What to do where nothing can be written beside the ledger. Another place for one that is there would be a new ledger,
/// which knows nothing of what was sent.
const CLOSED: &str = "; it cannot be written: let the user that runs dropsheet write it and its folder, or, where there is no \
                      ledger yet, set `ledger.path` to a folder that this user may write; then start dropsheet again";

/// What to do where a part of the ledger's path is a file.
const NO_FOLDER: &str =
    "; a part of this path is no folder: set `ledger.path` in the config to a file in a folder";

/// What to do where a file of the ledger's cannot be made; nothing where there is nothing to be done.
fn room(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull => FULL,
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => CLOSED,
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => NO_FOLDER,
        _ => "",
    }
}

/// What to do about a damaged ledger.
const DAMAGED: &str = "; its file is damaged: restore the newest backup, or run `dropsheet ledger rebuild`, and start \
                       again; orders that it does not know are found at the service (\"What is kept where\" in the \
                       README has each step)";

/// What keeps a ledger from being worked, where a person can do something about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Its disk has no room.
    Full,
    /// Its disk, its folder or its file cannot be written.
    ReadOnly,
    /// This user may not.
    Forbidden,
    /// Its disk failed.
    Disk,
    /// Its file is damaged, or no ledger.
    Damaged,
    /// Another file was put in its place while it was worked.
    Replaced,
    /// Its lock file was taken away while it was worked.
    Unlocked,
}

impl Obstacle {
    const ALL: [Self; 7] = [
        Self::Full,
        Self::ReadOnly,
        Self::Forbidden,
        Self::Disk,
        Self::Damaged,
        Self::Replaced,
        Self::Unlocked,
    ];

    fn of(error: &rusqlite::Error) -> Option<Self> {
        use rusqlite::ErrorCode;
        if crate::causes::is_of_a_full_disk(error) {
            return Some(Self::Full);
        }
        match error.sqlite_error_code()? {
            ErrorCode::ReadOnly => Some(Self::ReadOnly),
            ErrorCode::CannotOpen | ErrorCode::PermissionDenied => Some(Self::Forbidden),
            ErrorCode::SystemIoFailure => Some(Self::Disk),
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Some(Self::Damaged),
            _ => None,
        }
    }

    /// What to do, to be put behind what happened.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Full => FULL,
            Self::ReadOnly => {
                "; it cannot be written: make its disk, its folder and its file writable and start dropsheet again"
            }
            Self::Forbidden => "; may this user read and write the file and its folder?",
            Self::Disk => {
                "; its disk failed to read or to write: look into the system's log, then start dropsheet again"
            }
            Self::Damaged => DAMAGED,
            Self::Replaced => {
                "; it was replaced while dropsheet was at work, which has stopped: start it again, and it looks up at the \
                 service what this file does not know; before its files are moved dropsheet has to be stopped"
            }
            Self::Unlocked => {
                "; two programs may be at work on the ledger: see that one dropsheet runs at most, then start it again; the \
                 lock file is never to be removed"
            }
        }
    }
}

/// Whether SQLite says that the file is damaged, or none of its own.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    Obstacle::of(error) == Some(Obstacle::Damaged)
}

/// What to do about an error of SQLite, to be put behind what happened; nothing where there is nothing to be done.
pub(super) fn advice(error: &rusqlite::Error) -> &'static str {
    Obstacle::of(error).map_or("", Obstacle::advice)
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;

    #[test]
    fn a_place_that_cannot_be_written_is_told_with_what_to_do() {
        let errors = |kind: ErrorKind| {
            let path = || PathBuf::from("/srv/ledger.db");
            let source = || Error::from(kind);
            let folder = LedgerError::Folder {
                path: path(),
                source: source(),
            };
            let lock = LedgerError::Lock {
                path: path(),
                source: source(),
            };
            let mark = LedgerError::Mark {
                path: path(),
                source: source(),
            };
            [folder, lock, mark].map(|error| error.to_string())
        };
        for (kind, to_do) in [
            (ErrorKind::ReadOnlyFilesystem, "set `ledger.path` to a folder"),
            (
                ErrorKind::PermissionDenied,
                "let the user that runs dropsheet write it",
            ),
            (ErrorKind::StorageFull, "make room"),
            (ErrorKind::NotADirectory, "set `ledger.path` in the config"),
        ] {
            for said in errors(kind) {
                assert!(said.contains(to_do), "{said}");
            }
        }
        assert_eq!(
            errors(ErrorKind::Interrupted)[0],
            "cannot make the ledger's folder /srv/ledger.db"
        );
    }
}
