//! How far the ledger was, in a file of its own beside it: a ledger whose file was put back from a backup is behind its
//! mark, and has forgotten what was sent since. The service's list may not show that yet.
//!
//! It is written with each commit and never synced: it only has to outlive the ledger's file, not the machine.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Room for the ledger's own name and a number, so that a line is always written over a whole one.
const NUMBER: usize = 20;

/// The mark of a ledger: beside the file that the path leads to, as its lock is.
pub(super) fn path(ledger: &Path) -> PathBuf {
    super::beside(&super::lock::place_of(ledger), ".mark")
}

/// Whether a mark says that its ledger, whichever it was, knew of orders.
pub(super) fn tells_of_orders(mark: &Path) -> bool {
    let text = std::fs::read(mark).unwrap_or_default();
    parts(&String::from_utf8_lossy(&text)).is_some_and(|(_of, newest)| newest > 0)
}

/// The name of the ledger that a mark is of, and how far that was; none where it does not tell.
pub(super) fn furthest(ledger: &Path) -> Option<(String, i64)> {
    let text = std::fs::read(path(ledger)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let (of, newest) = parts(&text)?;
    (newest < i64::MAX).then(|| (of.to_owned(), newest))
}

/// The ledger's name and how far it is.
fn parts(text: &str) -> Option<(&str, i64)> {
    let (of, number) = text.trim_end().split_once(' ')?;
    Some((of, number.trim_start().parse().ok()?))
}

/// The mark of a ledger.
#[derive(Debug)]
pub(super) struct Mark {
    file: File,
    ledger: String,
    /// How far a ledger of this name was ever committed.
    newest: i64,
    /// There was none, or none that tells anything.
    is_new: bool,
    failed: bool,
}

impl Mark {
    /// Opens the mark beside a ledger of that name, and makes it where there is none. One of another ledger counts for
    /// nothing.
    pub(super) fn open(ledger: &Path, name: &str) -> io::Result<Self> {
        let path = path(ledger);
        let open = |create| {
            File::options()
                .read(true)
                .write(true)
                .create(create)
                .truncate(false)
                .open(&path)
        };
        let (mut file, is_new) = match open(false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => (open(true)?, true),
            opened => (opened?, false),
        };
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        let parts = parts(&text);
        // One that nothing can be read of tells as little as none: it was killed before it was first written.
        let is_new = is_new || parts.is_none();
        let newest = parts.and_then(|(of, newest)| (of == name).then_some(newest));
        Ok(Self {
            file,
            ledger: name.to_owned(),
            newest: newest.unwrap_or(0),
            is_new,
            failed: false,
        })
    }

    /// Whether there was none, or none that tells anything: a ledger that has events may have been put back without it.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Notes that how far the ledger was is not known, until what follows from that is written down.
    pub(super) fn distrust(&mut self) {
        self.put(i64::MAX);
    }

    /// How far the furthest ledger of its name is known to have been; none where that is not known.
    pub(super) fn newest(&self) -> Option<i64> {
        (self.newest < i64::MAX).then_some(self.newest)
    }

    /// Whether a ledger that is so far is older than one of its name that was here.
    pub(super) fn is_ahead_of(&self, position: i64) -> bool {
        self.newest > position
    }

    /// Notes how far the ledger is committed. Where that cannot be written, only the guard is lost.
    pub(super) fn note(&mut self, newest: i64) {
        if newest > self.newest {
            self.put(newest);
        }
    }

    /// Begins anew at a position, when what follows from an older ledger is written down.
    pub(super) fn begin_anew(&mut self, newest: i64) {
        self.put(newest);
    }

    fn put(&mut self, newest: i64) {
        self.newest = newest;
        let line = format!("{} {newest:>NUMBER$}\n", self.ledger);
        match self.file.write_all_at(line.as_bytes(), 0) {
            Ok(()) => self.failed = false,
            Err(error) if !self.failed => {
                self.failed = true;
                tracing::warn!(%error, "the mark beside the ledger cannot be written: an older ledger in its place is not noticed");
            }
            Err(_again) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_ahead_of_an_older_ledger_of_its_name_alone() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.db");
        let mut mark = Mark::open(&ledger, "aa").unwrap();
        assert!(!mark.is_ahead_of(0));
        mark.note(1_000);
        mark.note(7);
        let mut mark = Mark::open(&ledger, "aa").unwrap();
        assert!(mark.is_ahead_of(999));
        assert!(!mark.is_ahead_of(1_000));
        mark.begin_anew(7);
        let mark = Mark::open(&ledger, "aa").unwrap();
        assert!(mark.is_ahead_of(6) && !mark.is_ahead_of(7));
        assert!(!mark.is_new());
        std::fs::remove_file(path(&ledger)).unwrap();
        let mut mark = Mark::open(&ledger, "aa").unwrap();
        assert!(mark.is_new());
        mark.distrust();
        let mut mark = Mark::open(&ledger, "aa").unwrap();
        mark.note(9);
        assert!(mark.is_ahead_of(9) && !mark.is_new());
        mark.begin_anew(9);
        assert!(!mark.is_ahead_of(9));
        assert!(
            !Mark::open(&ledger, "bb").unwrap().is_ahead_of(0),
            "another ledger's"
        );
        // One that was made and not written, or written by somebody else.
        for nothing in [&b""[..], b"what"] {
            crate::files::write_over(&folder.path().join("ledger.db.mark"), nothing).unwrap();
            let mark = Mark::open(&ledger, "aa").unwrap();
            assert!(mark.is_new() && !mark.is_ahead_of(0));
        }
    }
}
