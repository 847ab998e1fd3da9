//! Copies of the ledger beside it, in `ledger.db.backups/`: made while others read and write, checked from end to end
//! before they get their name, and never more than are worth keeping.
//!
//! Each is one file in SQLite's own format without a log beside it: put in the ledger's place, it is the ledger as it
//! was. What the service has been sent since is found in its order list at the next start.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Zoned;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::{LedgerError, beside, schema, store};
use crate::clock::STAMP;
use crate::files::{self, TEMPORARY, folder_of};

/// For how many days the newest is kept, and how many of the newest besides, whatever their days; the eldest go first.
/// Two weeks of daily ones: long enough for somebody to come back from a holiday and find the day before things went
/// wrong. Those made by hand never count against them.
pub const KEPT: usize = 14;

/// The ending of every backup.
const ENDING: &str = "db";

/// How long a copy waits when the ledger is locked for an instant.
const BUSY_TRIES: u32 = 200;

/// The pause in between.
const BUSY_PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// The folder of a ledger's backups.
pub fn folder(ledger: &Path) -> PathBuf {
    beside(ledger, ".backups")
}

/// Backs a ledger up into its folder under a name that tells the minute, and removes those beyond [`KEPT`]. Works
/// beside whoever writes it. Gives where the backup is.
///
/// # Errors
/// The ledger cannot be read, the backup not be written, or it is damaged; then nothing is removed.
pub fn make(ledger: &Path, at: &Zoned) -> Result<PathBuf, LedgerError> {
    let folder = folder(ledger);
    let db = schema::open_reader(ledger)?;
    make_folder(&folder)?;
    let name = format!("{}{}", prefix(ledger), at.strftime(STAMP));
    let made = write(&db, &files::free_name(&folder, &name, ENDING))?;
    rotate(ledger, &folder).map_err(|source| LedgerError::Backup { path: folder, source })?;
    Ok(made)
}

/// Backs a ledger up to a file of a person's choice, or under a name of its own into a folder that is there. Nothing is
/// replaced and nothing removed.
///
/// # Errors
/// As [`make`]; also where something stands at the place already.
pub fn make_at(ledger: &Path, place: &Path, at: &Zoned) -> Result<PathBuf, LedgerError> {
    let db = schema::open_reader(ledger)?;
    if place.is_dir() {
        let name = format!("{}{}", prefix(ledger), at.strftime(STAMP));
        return write(&db, &files::free_name(place, &name, ENDING));
    }
    make_folder(folder_of(place))?;
    write(&db, place)
}

/// Keeps a ledger as it is before its tables are changed. Such a backup is not removed by itself. Where that is tried again
/// at start after start, and fails, the ledger is kept once.
pub(super) fn before_migration(db: &Connection, ledger: &Path, version: usize) -> Result<(), LedgerError> {
    let folder = folder(ledger);
    make_folder(&folder)?;
    let failed = |source| LedgerError::Backup {
        path: folder.clone(),
        source,
    };
    sweep(ledger).map_err(failed)?;
    let name = format!("{}before-version-{version}", prefix(ledger));
    let place = files::free_name(&folder, &name, ENDING);
    let staged = staged(db, &place)?;
    if let Some(same) = same_as(staged.path(), &folder, &name).map_err(failed)? {
        tracing::info!(
            backup = same,
            "the ledger is kept already as it is before its tables are changed"
        );
        return Ok(());
    }
    let made = put(staged, &place)?;
    tracing::info!(backup = %made.display(), "the ledger is kept as it was before its tables are changed");
    Ok(())
}

/// Removes what a killed process left. Only who holds the ledger may call it.
///
/// # Errors
/// The folder cannot be listed, or a file not removed.
pub fn sweep(ledger: &Path) -> io::Result<()> {
    for name in names(&folder(ledger))? {
        if name.starts_with(TEMPORARY) {
            fs::remove_file(folder(ledger).join(name))?;
        }
    }
    Ok(())
}

/// The newest backup that was made by the clock, by its name; none where there is none.
///
/// # Errors
/// The folder cannot be listed.
pub fn newest(ledger: &Path) -> io::Result<Option<PathBuf>> {
    let folder = folder(ledger);
    let newest = by_age(ledger, &folder)?.pop();
    Ok(newest.map(|newest| folder.join(newest.name)))
}

fn make_folder(folder: &Path) -> Result<(), LedgerError> {
    fs::create_dir_all(folder).map_err(|source| LedgerError::Backup {
        path: folder.to_owned(),
        source,
    })
}

/// How the names of a ledger's backups begin: `ledger-`.
fn prefix(ledger: &Path) -> String {
    let stem = ledger.file_stem().unwrap_or_default().to_string_lossy();
    format!("{stem}-")
}

/// The name of a file in a folder, of those that begin as this, that holds what a copy does; none where there is none.
fn same_as(copy: &Path, folder: &Path, beginning: &str) -> io::Result<Option<String>> {
    let length = fs::metadata(copy)?.len();
    let hash = |path: &Path| files::hash(fs::File::open(path)?);
    for name in names(folder)? {
        let other = folder.join(&name);
        if name.starts_with(beginning)
            && fs::metadata(&other)?.len() == length
            && hash(&other)? == hash(copy)?
        {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Copies beside its place, checks what was written, and gives it its name.
fn write(db: &Connection, place: &Path) -> Result<PathBuf, LedgerError> {
    put(staged(db, place)?, place)
}

/// A copy beside its place, checked.
fn staged(db: &Connection, place: &Path) -> Result<tempfile::NamedTempFile, LedgerError> {
    // It holds what the ledger holds: not for everybody's eyes.
    let staged = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .suffix(".db.tmp")
        .tempfile_in(folder_of(place))
        .map_err(|source| LedgerError::Backup {
            path: place.to_owned(),
            source,
        })?;
    copy(db, staged.path(), place)?;
    Ok(staged)
}

fn put(staged: tempfile::NamedTempFile, place: &Path) -> Result<PathBuf, LedgerError> {
    match files::place(staged, place) {
        Ok(()) => Ok(place.to_owned()),
        Err(source) => Err(LedgerError::Backup {
            path: place.to_owned(),
            source,
        }),
    }
}

fn copy(db: &Connection, to: &Path, place: &Path) -> Result<(), LedgerError> {
    let failed = |source| LedgerError::Statement {
        operation: "be copied for its backup",
        source,
    };
    let mut copy = Connection::open(to).map_err(failed)?;
    schema::keep_few_pages(&copy).map_err(failed)?;
    let backup = Backup::new(db, &mut copy).map_err(failed)?;
    let mut tries = 0;
    // All pages in one step: one reading of one state, however much is written meanwhile.
    while backup.step(-1).map_err(failed)? != StepResult::Done {
        tries += 1;
        if tries > BUSY_TRIES {
            return Err(LedgerError::BadBackup {
                path: place.to_owned(),
                detail: "the ledger is locked all the time".to_owned(),
            });
        }
        std::thread::park_timeout(BUSY_PAUSE);
    }
    drop(backup);
    schema::keep_in_one_file(&copy).map_err(failed)?;
    let mut found = schema::integrity(&copy, 5).map_err(failed)?;
    if store::known_id(&copy)? != store::known_id(db)? {
        found.push("it has another name than the ledger".to_owned());
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(LedgerError::BadBackup {
            path: place.to_owned(),
            detail: found.join("; "),
        })
    }
}

/// Removes the backups beyond those that are kept.
fn rotate(ledger: &Path, folder: &Path) -> io::Result<()> {
    for old in surplus(&by_age(ledger, folder)?) {
        fs::remove_file(folder.join(&old.name))?;
    }
    files::sync_folder(folder)
}

/// A backup that bears a minute in its name.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Dated {
    minute: String,
    /// Among those of one minute.
    number: u32,
    name: String,
}

impl Dated {
    fn day(&self) -> &str {
        self.minute
            .split_once('_')
            .map_or(&self.minute, |(day, _time)| day)
    }
}

/// Of backups, eldest first, those beyond what is kept.
fn surplus(all: &[Dated]) -> Vec<&Dated> {
    let mut days = BTreeSet::new();
    let is_surplus = |(younger, backup): &(usize, &Dated)| {
        let is_newest_of_its_day = days.insert(backup.day().to_owned());
        *younger >= KEPT && !(is_newest_of_its_day && days.len() <= KEPT)
    };
    let newest_first = all.iter().rev().enumerate();
    newest_first
        .filter(is_surplus)
        .map(|(_younger, backup)| backup)
        .collect()
}

/// The backups that bear a minute in their names, eldest first.
fn by_age(ledger: &Path, folder: &Path) -> io::Result<Vec<Dated>> {
    let prefix = prefix(ledger);
    let mut found: Vec<Dated> = names(folder)?
        .into_iter()
        .filter_map(|name| {
            let stem = name.strip_prefix(&prefix)?.strip_suffix(".db")?;
            let (minute, number) = dated(stem)?;
            Some(Dated {
                minute: minute.to_owned(),
                number,
                name,
            })
        })
        .collect();
    found.sort();
    Ok(found)
}

/// The minute and the number in what follows the prefix of a name: `2026-11-21_0914`, `2026-11-21_0914-2`. None for a
/// name that a person, or a migration, has given.
fn dated(stem: &str) -> Option<(&str, u32)> {
    let (minute, rest) = stem.split_at_checked("2026-11-21_0914".len())?;
    let form_is_kept = minute.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        10 => byte == b'_',
        _ => byte.is_ascii_digit(),
    });
    let number = match rest {
        "" => 1,
        numbered => numbered.strip_prefix('-')?.parse().ok()?,
    };
    form_is_kept.then_some((minute, number))
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    entries.map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_age_of_a_backup_stands_in_its_name_and_other_names_are_nobody_s_to_remove() {
        for (stem, expected) in [
            ("2026-11-21_0914", Some(("2026-11-21_0914", 1))),
            ("2026-11-21_0914-12", Some(("2026-11-21_0914", 12))),
            ("2026-11-21_0914-x", None),
            ("before-version-2", None),
            ("2026-11-21 0914", None),
            ("2026-11-21", None),
            ("", None),
        ] {
            assert_eq!(dated(stem), expected, "{stem}");
        }
    }
}
