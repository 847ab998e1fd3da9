//! Opening a ledger: where it may lie, how it is set, and the numbered migrations from `schema/ledger/`.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::LedgerError;
use crate::files;

/// The migrations, in order; `user_version` says how many have run. One that has been released is never edited.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../schema/ledger/0001_orders.sql"),
    include_str!("../../schema/ledger/0002_audit.sql"),
    include_str!("../../schema/ledger/0003_after.sql"),
    include_str!("../../schema/ledger/0004_held.sql"),
    include_str!("../../schema/ledger/0005_webhooks.sql"),
    include_str!("../../schema/ledger/0006_operator.sql"),
    include_str!("../../schema/ledger/0007_lag.sql"),
    include_str!("../../schema/ledger/0008_months.sql"),
    include_str!("../../schema/ledger/0009_growth.sql"),
    include_str!("../../schema/ledger/0010_not_canceled.sql"),
    include_str!("../../schema/ledger/0011_cancels.sql"),
    include_str!("../../schema/ledger/0012_alike.sql"),
    include_str!("../../schema/ledger/0013_after_all.sql"),
    include_str!("../../schema/ledger/0014_told.sql"),
    include_str!("../../schema/ledger/0015_forgotten.sql"),
    include_str!("../../schema/ledger/0016_wishes.sql"),
    include_str!("../../schema/ledger/0017_close_together.sql"),
    include_str!("../../schema/ledger/0018_numbers.sql"),
    include_str!("../../schema/ledger/0019_old.sql"),
    include_str!("../../schema/ledger/0020_apart.sql"),
    include_str!("../../schema/ledger/0021_synced.sql"),
    include_str!("../../schema/ledger/0022_listed_canceled.sql"),
    include_str!("../../schema/ledger/0023_service_name.sql"),
    include_str!("../../schema/ledger/0024_suspicion.sql"),
    include_str!("../../schema/ledger/0025_addressee.sql"),
    include_str!("../../schema/ledger/0026_no_numbers.sql"),
    include_str!("../../schema/ledger/0027_approved_waits.sql"),
    include_str!("../../schema/ledger/0028_turns.sql"),
    include_str!("../../schema/ledger/0029_backwards.sql"),
    include_str!("../../schema/ledger/0030_reasons.sql"),
    include_str!("../../schema/ledger/0031_trail.sql"),
    include_str!("../../schema/ledger/0032_by_name.sql"),
    include_str!("../../schema/ledger/0033_whole_lines.sql"),
    include_str!("../../schema/ledger/0034_unplain.sql"),
];

/// The oldest SQLite that is trusted with money: earlier ones can lose a commit when a WAL is reset.
const OLDEST_SQLITE: i32 = 3_051_003;

/// How long a connection waits for another's lock before it gives up.
const BUSY: Duration = Duration::from_secs(10);

/// How many pages of 4 KiB the write-ahead log holds before they are carried into the ledger, four times SQLite's own
/// number: while orders come, the same pages are written again and again, and each is carried over once.
const CHECKPOINT_PAGES: i64 = 4_000;

/// The largest ledger that is looked through before it is opened: a second's work, 100 000 orders.
const LOOKED_THROUGH: u64 = 256 << 20;

/// Makes a ledger that is not there yet readable by nobody else: it holds the addresses of customers. What stands in the
/// way is told when it is opened.
fn make_private(path: &Path) {
    if path == Path::new(":memory:") {
        return;
    }
    let mut new = std::fs::OpenOptions::new();
    new.write(true).create_new(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut new, 0o600);
    drop(new.open(path));
}

/// Opens the ledger for writing; makes or migrates it where needed. Where the process before has not ended in order,
/// the whole file is looked through first: a machine that lost its power may have lost a part of a page. A large one is
/// not, for it would keep its orders waiting; its backup is due instead, which checks it beside the work. After an end
/// in order nothing can have happened that the daily backup does not find.
pub(super) fn open_writer(path: &Path, ended_in_order: bool) -> Result<Connection, LedgerError> {
    refuse_old(rusqlite::version_number(), rusqlite::version())?;
    if let Some(kind) = network_mount(path) {
        return Err(LedgerError::NetworkMount {
            path: path.to_owned(),
            kind,
        });
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| LedgerError::Folder {
            path: folder.to_owned(),
            source,
        })?;
    }
    super::lock::refuse_closed(path)?;
    make_private(path);
    let mut db = Connection::open(path).map_err(|source| LedgerError::open(path, source))?;
    settings(&db).map_err(|source| LedgerError::open(path, source))?;
    refuse_none_of_ours(&db, path)?;
    let mode: String = db
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .map_err(|source| LedgerError::open(path, source))?;
    if mode != "wal" {
        return Err(LedgerError::JournalMode {
            path: path.to_owned(),
            mode,
        });
    }
    db.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)
        .map_err(|source| LedgerError::open(path, source))?;
    // What is erased, an address, is overwritten: it would stand in unused parts of the file and of its backups.
    db.pragma_update(None, "secure_delete", true)
        .map_err(|source| LedgerError::open(path, source))?;
    if !ended_in_order && !is_large(path) {
        look_through(&db, path)?;
    }
    migrate(&mut db, path)?;
    // What a statement that writes keeps to be undone by is small, and needs no file. What readers sort may be large.
    db.pragma_update(None, "temp_store", "MEMORY")
        .map_err(|source| LedgerError::open(path, source))?;
    Ok(db)
}

/// Whether a ledger is too large to be looked through before it is opened.
pub(super) fn is_large(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() > LOOKED_THROUGH)
}

/// SQLite's quick check: every page is read, and every row, but no index is held against its table.
fn look_through(db: &Connection, path: &Path) -> Result<(), LedgerError> {
    let verdict: String = db
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|source| LedgerError::open(path, source))?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(LedgerError::Corrupt {
            path: path.to_owned(),
            detail: verdict,
        })
    }
}

/// Refuses an SQLite file that is no ledger, before anything is changed in it: another program's, or one that lost its
/// tables. One without any table and version is a ledger that is about to be made.
fn refuse_none_of_ours(db: &Connection, path: &Path) -> Result<(), LedgerError> {
    // Those that a ledger has had from its first version on.
    let sql = "SELECT (SELECT user_version FROM pragma_user_version), count(*),
                      count(*) FILTER (WHERE name IN ('meta', 'account', 'claim', 'orders'))
               FROM sqlite_schema WHERE type = 'table'";
    let (version, tables, ours): (i64, u32, u32) = db
        .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .map_err(|source| LedgerError::open(path, source))?;
    if ours == 4 || (version, tables) == (0, 0) {
        Ok(())
    } else {
        Err(LedgerError::Corrupt {
            path: path.to_owned(),
            detail: "it is an SQLite file without the tables of a ledger; where it is another program's, set `ledger.path` to \
                     a path of its own"
                .to_owned(),
        })
    }
}

fn refuse_old(number: i32, version: &'static str) -> Result<(), LedgerError> {
    if number < OLDEST_SQLITE {
        Err(LedgerError::OldSqlite { version })
    } else {
        Ok(())
    }
}

/// Has a connection keep no more than half a megabyte of pages: a copy is written and read from its first page to its
/// last, and what is looked up in between lies in the system's memory.
pub(super) fn keep_few_pages(db: &Connection) -> rusqlite::Result<()> {
    db.pragma_update(None, "cache_size", -500)
}

/// Lets go of the write-ahead log, so that a copy is one file.
pub(super) fn keep_in_one_file(db: &Connection) -> rusqlite::Result<()> {
    db.query_row("PRAGMA journal_mode = DELETE", [], |_mode| Ok(()))
}

/// Everything that SQLite's full check finds, at most so many lines of it; none where all is well.
pub(super) fn integrity(db: &Connection, most: u32) -> rusqlite::Result<Vec<String>> {
    let mut statement = db.prepare(&format!("PRAGMA integrity_check({most})"))?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut found = lines.collect::<rusqlite::Result<Vec<String>>>()?;
    found.retain(|line| line != "ok");
    Ok(found)
}

/// Opens a ledger that exists for reading alone; it needs no lock and cannot change anything.
pub(super) fn open_reader(path: &Path) -> Result<Connection, LedgerError> {
    let db = open_existing(path)?;
    // A third of the writer's: what it reads is next to never needed again.
    db.pragma_update(None, "cache_size", -500)
        .and_then(|()| db.pragma_update(None, "query_only", true))
        .map_err(|source| LedgerError::open(path, source))?;
    check_version(&db, path)?;
    Ok(db)
}

/// Opens a ledger for requests to whoever works it: nothing is migrated, and a ledger of another version is refused.
pub(super) fn open_beside(path: &Path) -> Result<Connection, LedgerError> {
    let db = open_existing(path)?;
    refuse_older(&db, path)?;
    Ok(db)
}

/// Refuses a ledger that is not brought up to date yet: it lacks columns and indexes that statements name.
pub(super) fn refuse_older(db: &Connection, path: &Path) -> Result<(), LedgerError> {
    if check_version(db, path)? < MIGRATIONS.len() {
        return Err(LedgerError::Older {
            path: path.to_owned(),
        });
    }
    Ok(())
}

/// A connection to a ledger that is there: none is made.
fn open_existing(path: &Path) -> Result<Connection, LedgerError> {
    if !super::is_there(path) {
        let missing = || LedgerError::Missing {
            path: path.to_owned(),
        };
        return Err(super::lost(path).unwrap_or_else(missing));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let db = Connection::open_with_flags(path, flags)?;
        settings(&db)?;
        Ok(db)
    };
    let db = open().map_err(|source| LedgerError::open(path, source))?;
    refuse_none_of_ours(&db, path)?;
    Ok(db)
}

fn settings(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(BUSY)?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    // For the indexes of a large ledger, and the pages of a transaction of some hundred orders.
    db.pragma_update(None, "cache_size", -1500)?;
    db.set_prepared_statement_cache_capacity(64);
    // A plan that looks at the values that are bound is made anew at each use: a cached statement's are cleared.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

fn check_version(db: &Connection, path: &Path) -> Result<usize, LedgerError> {
    let version: i64 = db
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .map_err(|source| LedgerError::open(path, source))?;
    usize::try_from(version)
        .ok()
        .filter(|version| *version <= MIGRATIONS.len())
        .ok_or_else(|| LedgerError::Newer {
            path: path.to_owned(),
            version,
            known: MIGRATIONS.len(),
        })
}

fn migrate(db: &mut Connection, path: &Path) -> Result<(), LedgerError> {
    let done = check_version(db, path)?;
    if done > 0 && done < MIGRATIONS.len() {
        super::backup::before_migration(db, path, MIGRATIONS.len())?;
    }
    let mut run = || {
        for (number, sql) in MIGRATIONS.iter().enumerate().skip(done) {
            let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute_batch(sql)?;
            transaction.pragma_update(
                None,
                "user_version",
                i64::try_from(number + 1).unwrap_or(i64::MAX),
            )?;
            transaction.commit()?;
        }
        Ok(())
    };
    run().map_err(|source| LedgerError::open(path, source))
}

/// The kind of network file system that a path lies on, if it does: SQLite's locks and its shared memory cannot be
/// trusted there.
fn network_mount(path: &Path) -> Option<&'static str> {
    files::network_mount(path.ancestors().find(|p| p.exists())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_sqlite_that_can_lose_commits_is_refused_with_what_is_needed() {
        let error = refuse_old(3_051_002, "3.51.2").unwrap_err();
        assert!(
            error
                .to_string()
                .contains("SQLite 3.51.2; 3.51.3 or newer is needed")
        );
        assert!(refuse_old(OLDEST_SQLITE, "3.51.3").is_ok());
        assert!(refuse_old(rusqlite::version_number(), rusqlite::version()).is_ok());
    }

    #[test]
    fn a_commit_is_synced_before_it_is_answered() {
        let folder = tempfile::tempdir().unwrap();
        let db = open_writer(&folder.path().join("ledger.db"), true).unwrap();
        let pragma = |name| {
            db.pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
                .unwrap()
        };
        // 2 is FULL: in WAL mode each commit is synced, so that a pulled plug takes back nothing that was answered.
        assert_eq!(pragma("synchronous"), 2.into());
        assert_eq!(pragma("journal_mode"), "wal".to_owned().into());
    }

    #[test]
    fn a_ledger_that_cannot_have_a_log_is_refused_with_what_to_do() {
        let error = open_writer(Path::new(":memory:"), true).unwrap_err();
        assert!(matches!(&error, LedgerError::JournalMode { mode, .. } if mode == "memory"));
        assert!(error.to_string().contains("set `ledger.path` to a local disk"));
    }

    #[test]
    fn a_network_mount_is_refused_with_what_to_do() {
        let error = LedgerError::NetworkMount {
            path: "/mnt/share/ledger.db".into(),
            kind: files::network_kind(0x6969).unwrap(),
        };
        let told = error.to_string();
        assert!(told.contains("network mount (NFS)") && told.contains("set `ledger.path` to a local disk"));
    }

    #[test]
    fn every_migration_of_the_folder_is_run() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/ledger");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), MIGRATIONS.len());
    }
}
