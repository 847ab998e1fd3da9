//! Originals in `done/` that the ledger has forgotten: they were worked by one that was younger, before it was put back
//! from a backup, or by one that is lost. Each is known by its bytes, and by the stem that its name begins with: the same bytes may have been
//! worked before and again after the backup.
//!
//! What is not told of: a sheet that was only priced, for its `.quote.xlsx` lies in `results/`; a held sheet with a
//! person's decision, for it holds keys and no orders; and, by the times in the names, what was taken well before.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::approve;
use crate::clock::STAMP;
use crate::config::Inbox;
use crate::inbox::names::{self, Name};
use crate::inbox::{Folder, ending, spool};
use crate::ledger::record::{AccountRef, Forgotten, Recall};
use crate::ledger::{Ledger, LedgerError};

/// The length of a moment in a file's name.
const TIME_BYTES: usize = 15;

/// Where originals are looked for, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The ledger.
    pub ledger: &'a Ledger,
    /// The inbox.
    pub inbox: &'a Inbox,
    /// Its account.
    pub account: AccountRef,
    /// Its folders.
    pub folder: &'a Folder,
    /// A folder on the local disk for unpacked rows.
    pub scratch: &'a Path,
}

/// The originals that may be forgotten, by their names alone: those that were taken since, and those of which that
/// cannot be told. Waits for the disk.
///
/// # Errors
/// The folder cannot be listed.
pub fn suspects(folder: &Folder, recall: &Recall) -> io::Result<BTreeSet<String>> {
    let mut suspects = BTreeSet::new();
    for entry in std::fs::read_dir(folder.part("done"))? {
        let entry = entry?;
        // What dropsheet has put there has a name that can be read.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let since = taken_at(&name).zip(recall.since);
        let is_older = since.is_some_and(|(taken_at, since)| taken_at < since);
        if names::judge(&name) == Name::Take && !is_older && entry.file_type()?.is_file() {
            suspects.insert(name);
        }
    }
    Ok(suspects)
}

/// When the eldest sheet was taken of which orders are held, by the names in `held/`; none where nothing lies there. Waits
/// for the disk.
///
/// # Errors
/// The folder cannot be listed.
pub fn oldest_held(folder: &Folder) -> io::Result<Option<Timestamp>> {
    let entries = match std::fs::read_dir(folder.part("held")) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut oldest = None;
    for entry in entries {
        let name = entry?.file_name().into_string();
        let taken = name.ok().and_then(|name| taken_at(&name));
        oldest = oldest.into_iter().chain(taken).min();
    }
    Ok(oldest)
}

impl Search<'_> {
    /// Looks at one, and notes it where it is forgotten. In the inner error, why it cannot be read. Waits for the disk.
    ///
    /// # Errors
    /// The ledger cannot be kept.
    pub fn look_at(
        &self,
        name: &str,
        recall: &Recall,
        now: Timestamp,
    ) -> Result<io::Result<()>, LedgerError> {
        let path = self.folder.part("done").join(name);
        let hash = match spool::hash_of(&path) {
            Ok(hash) => hash,
            // A person took it away.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ok(())),
            Err(error) => return Ok(Err(error)),
        };
        let stems = self
            .ledger
            .read(|store| store.stems_of(&self.inbox.name, &hash))?;
        if is_of(name, &stems) || self.is_priced(name) {
            return Ok(Ok(()));
        }
        match approve::is_held_sheet(&path, self.inbox.limits, self.scratch) {
            Ok(false) => {}
            Ok(true) => return Ok(Ok(())),
            Err(error) => return Ok(Err(error)),
        }
        let forgotten = Forgotten {
            inbox: self.inbox.name.clone(),
            name: name.to_owned(),
            account: self.account,
            hash,
            newest: recall.newest,
            found_at: now,
        };
        self.ledger
            .write_blocking(move |store| store.put_forgotten(&forgotten))?;
        tracing::warn!(
            inbox = self.inbox.name,
            sheet = name,
            "the ledger was put back from before this was worked; `dropsheet status` says what to do"
        );
        Ok(Ok(()))
    }

    /// Whether a sheet was only priced, as what lies in `results/` tells.
    fn is_priced(&self, name: &str) -> bool {
        let quote = format!("{}.quote.xlsx", stem_of(name));
        std::fs::symlink_metadata(self.folder.part("results").join(quote)).is_ok()
    }
}

/// Ends what is told of originals that are not in `done/` any more. Waits for the disk.
///
/// # Errors
/// The ledger cannot be kept.
pub fn end_gone(ledger: &Ledger, inbox: &str, folder: &Folder) -> Result<(), LedgerError> {
    let mut gone = ledger.read(|store| store.forgotten_in(inbox))?;
    let done = folder.part("done");
    gone.retain(|name| {
        std::fs::symlink_metadata(done.join(name)).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    });
    if gone.is_empty() {
        return Ok(());
    }
    let inbox = inbox.to_owned();
    ledger.write_blocking(move |store| gone.iter().try_for_each(|name| store.end_forgotten(&inbox, name)))
}

/// When the sheet of an original was taken, by its name, as if that told the time of Greenwich: the zone of its time may
/// have been another than today's, at most fourteen hours away. None where the name begins with no time.
fn taken_at(name: &str) -> Option<Timestamp> {
    let (time, rest) = name.split_at_checked(TIME_BYTES)?;
    let on_the_wall = DateTime::strptime(STAMP, time).ok()?;
    let taken_at = on_the_wall.to_zoned(TimeZone::UTC).ok()?;
    rest.starts_with('_').then(|| taken_at.timestamp())
}

fn stem_of(name: &str) -> &str {
    name.strip_suffix(&ending(name)).unwrap_or(name)
}

/// Whether a name is that of an original of one of these stems, which have its bytes. Where the stem's own place was
/// taken, it is numbered. One whose name tells no time was renamed by a person.
fn is_of(name: &str, stems: &[String]) -> bool {
    let own = stem_of(name);
    let numbered = |rest: &str| {
        let number = rest.strip_prefix('-').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_own = |stem: &String| {
        own.strip_prefix(stem.as_str())
            .is_some_and(|rest| rest.is_empty() || numbered(rest))
    };
    stems.iter().any(is_own) || !stems.is_empty() && taken_at(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sheets_that_may_have_been_taken_since_are_suspected() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(root.path().to_owned());
        folder.make().unwrap();
        let put = |name: &str| crate::files::write_new(&folder.part("done").join(name), b"x").unwrap();
        let others = ["~$renamed.xlsx", "notes.pdf", "README"];
        let since = ["2026-11-21_0914_b.csv", "renamed.csv"];
        let before = "2026-11-21_0913_a.csv";
        others.into_iter().chain(since).chain([before]).for_each(put);
        std::fs::create_dir(folder.part("done").join("folder.csv")).unwrap();
        let recall = |since| Recall {
            inbox: "main".to_owned(),
            since,
            newest: crate::ledger::record::ClaimRef(1),
            trouble: None,
        };
        let found = suspects(&folder, &recall("2026-11-21T09:14:00Z".parse().ok())).unwrap();
        assert!(found.iter().eq(&since), "{found:?}");
        let found = suspects(&folder, &recall(None)).unwrap();
        assert!(found.iter().eq(&[before, since[0], since[1]]), "{found:?}");
    }

    #[test]
    fn what_is_held_tells_since_when_sheets_are_forgotten() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(root.path().to_owned());
        assert_eq!(oldest_held(&folder).unwrap(), None);
        folder.make().unwrap();
        assert_eq!(oldest_held(&folder).unwrap(), None);
        for name in [
            "2026-11-21_0914_b.held.xlsx",
            "2026-11-20_0800_a.held.xlsx",
            "notes.txt",
        ] {
            crate::files::write_new(&folder.part("held").join(name), b"x").unwrap();
        }
        let oldest = oldest_held(&folder).unwrap().unwrap();
        assert_eq!(oldest.to_string(), "2026-11-20T08:00:00Z");
    }

    #[test]
    fn a_name_tells_when_its_sheet_was_taken() {
        let at = taken_at("2026-11-21_0914_monday.csv").unwrap();
        assert_eq!(at.to_string(), "2026-11-21T09:14:00Z");
        for name in [
            "monday.csv",
            "2026-11-21_0914.csv",
            "2026-13-21_0914_x.csv",
            "",
            "2026-11-21_0914",
            "2026-11-21_091é_x.csv",
        ] {
            assert_eq!(taken_at(name), None, "{name}");
        }
    }

    #[test]
    fn an_original_is_accounted_for_by_its_stem_among_those_of_its_bytes() {
        let stems = ["2026-11-21_0914_monday".to_owned()];
        for (name, is) in [
            ("2026-11-21_0914_monday.csv", true),
            ("2026-11-21_0914_monday-2.csv", true),
            ("2026-11-21_0914_monday-a.csv", false),
            ("2026-11-21_0914_mondays.csv", false),
            ("2026-11-22_0914_monday.csv", false),
            ("renamed.csv", true),
        ] {
            assert_eq!(is_of(name, &stems), is, "{name}");
            assert!(!is_of(name, &[]), "{name}");
        }
    }
}
