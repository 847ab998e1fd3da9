//! Copies of the ledger beside it, in `ledger.db.backups/`: made while others read and write, checked from end to end
//! before they get their name, and never more than are worth keeping.
//!
//! Each is one file in SQLite's own format without a log beside it: put in the ledger's place, it is the ledger as it
//! was. What the service has been sent since is found in its order list at the next start.
//!
//! Each holds its number among them, which tells the newest: its name and its file's date are by a clock that may have
//! been wrong.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Zoned;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::{LedgerError, Store, beside, schema, store};
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
    let made = add(ledger, at)?;
    rotate(ledger, &made, at).map_err(|source| LedgerError::Backup {
        path: folder(ledger),
        source,
    })?;
    Ok(made)
}

/// The same, and removes nothing.
///
/// # Errors
/// As [`make`].
pub fn add(ledger: &Path, at: &Zoned) -> Result<PathBuf, LedgerError> {
    let db = schema::open_reader(ledger)?;
    let folder = folder(ledger);
    make_folder(&folder)?;
    write(&db, ledger, &named_in(&folder, ledger, at))
}

/// Backs a ledger up to a file of a person's choice, or under a name of its own into a folder that is there. Nothing is
/// replaced and nothing removed.
///
/// # Errors
/// As [`make`]; also where something stands at the place already.
pub fn make_at(ledger: &Path, place: &Path, at: &Zoned) -> Result<PathBuf, LedgerError> {
    let db = schema::open_reader(ledger)?;
    if place.is_dir() {
        return write(&db, ledger, &named_in(place, ledger, at));
    }
    make_folder(folder_of(place))?;
    write(&db, ledger, place)
}

/// The name of a backup in a folder, by the minute.
fn named_in(folder: &Path, ledger: &Path, at: &Zoned) -> PathBuf {
    let name = format!("{}{}", prefix(ledger), minute_of(at));
    files::free_name(folder, &name, ENDING)
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
    let staged = staged(db, &place, None)?;
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

/// The newest backup of those that bear a minute in their names; none where there is none.
///
/// # Errors
/// The folder cannot be listed.
pub fn newest(ledger: &Path, now: &Zoned) -> io::Result<Option<PathBuf>> {
    let newest = by_age(ledger, now)?.pop();
    Ok(newest.map(|newest| folder(ledger).join(newest.name)))
}

/// The number of the next backup.
fn next_number(ledger: &Path) -> io::Result<i64> {
    let folder = folder(ledger);
    let dated = dated_names(ledger)?;
    let numbers = dated
        .iter()
        .map(|(name, _minute, _nth)| number_in(&folder.join(name)));
    Ok(numbers.max().unwrap_or(0).saturating_add(1))
}

/// The number that a backup holds. One that holds none, for it is of an earlier dropsheet or cannot be read, comes before
/// all that do.
fn number_in(backup: &Path) -> i64 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let number = Connection::open_with_flags(backup, flags).map(|db| Store::new(&db).backup_number());
    match number {
        Ok(Ok(Some(number))) => number,
        Ok(Ok(None) | Err(_)) | Err(_) => 0,
    }
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
fn write(db: &Connection, ledger: &Path, place: &Path) -> Result<PathBuf, LedgerError> {
    let number = next_number(ledger).map_err(|source| LedgerError::Backup {
        path: folder(ledger),
        source,
    })?;
    put(staged(db, place, Some(number))?, place)
}

/// A copy beside its place that holds this number, checked.
fn staged(
    db: &Connection,
    place: &Path,
    number: Option<i64>,
) -> Result<tempfile::NamedTempFile, LedgerError> {
    // It holds what the ledger holds: not for everybody's eyes.
    let staged = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .suffix(".db.tmp")
        .tempfile_in(folder_of(place))
        .map_err(|source| LedgerError::Backup {
            path: place.to_owned(),
            source,
        })?;
    copy(db, staged.path(), (place, number))?;
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

fn copy(db: &Connection, to: &Path, (place, number): (&Path, Option<i64>)) -> Result<(), LedgerError> {
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
    if let Some(number) = number {
        Store::new(&copy).set_backup_number(number)?;
    }
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

/// Removes the backups beyond those that are kept; never the one that was just made.
fn rotate(ledger: &Path, made: &Path, now: &Zoned) -> io::Result<()> {
    let folder = folder(ledger);
    for old in surplus(&by_age(ledger, now)?) {
        let path = folder.join(&old.name);
        if path != made {
            fs::remove_file(path)?;
        }
    }
    files::sync_folder(&folder)
}

/// A backup that bears a minute in its name. The eldest is the least.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Dated {
    number: i64,
    /// Whether that minute has come. Where it has not, the name is by a clock that was wrong, or this one is.
    has_come: bool,
    minute: String,
    /// Among those of one minute.
    nth: u32,
    name: String,
}

impl Dated {
    fn day(&self) -> &str {
        self.minute
            .split_once('_')
            .map_or(&self.minute, |(day, _time)| day)
    }
}

/// Of backups, eldest first, those beyond what is kept. One whose minute has not come is kept and counts for nothing: days
/// of a clock that was ahead would push out those of true days.
fn surplus(all: &[Dated]) -> Vec<&Dated> {
    let mut days = BTreeSet::new();
    let is_surplus = |(younger, backup): &(usize, &Dated)| {
        let is_newest_of_its_day = days.insert(backup.day().to_owned());
        *younger >= KEPT && !(is_newest_of_its_day && days.len() <= KEPT)
    };
    let newest_first = all.iter().rev().filter(|backup| backup.has_come).enumerate();
    newest_first
        .filter(is_surplus)
        .map(|(_younger, backup)| backup)
        .collect()
}

/// The backups that bear a minute in their names, eldest first.
fn by_age(ledger: &Path, now: &Zoned) -> io::Result<Vec<Dated>> {
    let (folder, now) = (folder(ledger), minute_of(now));
    let dated = dated_names(ledger)?.into_iter();
    let dated = dated.map(|(name, minute, nth)| Dated {
        number: number_in(&folder.join(&name)),
        has_come: minute <= now,
        minute,
        nth,
        name,
    });
    let mut found: Vec<Dated> = dated.collect();
    found.sort();
    Ok(found)
}

/// The names of backups that bear a minute, each with that and its number among those of the minute.
fn dated_names(ledger: &Path) -> io::Result<Vec<(String, String, u32)>> {
    let prefix = prefix(ledger);
    let dated = |name: String| {
        let stem = name.strip_prefix(&prefix)?.strip_suffix(".db")?;
        let (minute, nth) = dated(stem)?;
        Some((name.clone(), minute.to_owned(), nth))
    };
    Ok(names(&folder(ledger))?.into_iter().filter_map(dated).collect())
}

/// A moment as the names of backups have it.
fn minute_of(at: &Zoned) -> String {
    at.strftime(STAMP).to_string()
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
