//! Opening a ledger: where it may lie, how it is set, and the numbered migrations from `schema/ledger/`.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::LedgerError;

/// The migrations, in order; `user_version` says how many have run. One that has been released is never edited.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../schema/ledger/0001_orders.sql"),
    include_str!("../../schema/ledger/0003_after.sql"),
    include_str!("../../schema/ledger/0005_webhooks.sql"),
];

/// The oldest SQLite that is trusted with money: earlier ones can lose a commit when a WAL is reset.
const OLDEST_SQLITE: i32 = 3_051_003;

/// How long a connection waits for another's lock before it gives up.
const BUSY: Duration = Duration::from_secs(10);

/// Opens the ledger for writing; makes or migrates it where needed.
pub(super) fn open_writer(path: &Path) -> Result<Connection, LedgerError> {
    if rusqlite::version_number() < OLDEST_SQLITE {
        return Err(LedgerError::OldSqlite {
            version: rusqlite::version(),
        });
    }
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
    let mut db = Connection::open(path).map_err(|source| LedgerError::open(path, source))?;
    settings(&db).map_err(|source| LedgerError::open(path, source))?;
    let mode: String = db
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .map_err(|source| LedgerError::open(path, source))?;
    if mode != "wal" {
        return Err(LedgerError::JournalMode {
            path: path.to_owned(),
            mode,
        });
    }
    migrate(&mut db, path)?;
    let verdict: String = db
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|source| LedgerError::open(path, source))?;
    if verdict != "ok" {
        return Err(LedgerError::Corrupt {
            path: path.to_owned(),
            detail: verdict,
        });
    }
    Ok(db)
}

/// Opens a ledger that exists for reading alone; it needs no lock and cannot change anything.
pub(super) fn open_reader(path: &Path) -> Result<Connection, LedgerError> {
    if !path.exists() {
        return Err(LedgerError::Missing {
            path: path.to_owned(),
        });
    }
    let open = || {
        let db = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        settings(&db)?;
        db.pragma_update(None, "query_only", true)?;
        Ok(db)
    };
    let db = open().map_err(|source| LedgerError::open(path, source))?;
    check_version(&db, path)?;
    Ok(db)
}

/// Opens a ledger for requests to whoever works it: nothing is migrated, and a ledger of another version is refused.
pub(super) fn open_beside(path: &Path) -> Result<Connection, LedgerError> {
    if !path.exists() {
        return Err(LedgerError::Missing {
            path: path.to_owned(),
        });
    }
    let open = || {
        let db = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        settings(&db)?;
        Ok(db)
    };
    let db = open().map_err(|source| LedgerError::open(path, source))?;
    let version = check_version(&db, path)?;
    if version < MIGRATIONS.len() {
        return Err(LedgerError::Older {
            path: path.to_owned(),
        });
    }
    Ok(db)
}

fn settings(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(BUSY)?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    // SQLite's own default of 2 MB, for the indexes of a large ledger.
    db.pragma_update(None, "cache_size", -2000)?;
    db.set_prepared_statement_cache_capacity(64);
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
    let existing = path.ancestors().find(|p| p.exists())?;
    let Ok(stat) = rustix::fs::statfs(existing) else {
        return None;
    };
    network_kind(stat.f_type)
}

/// The name of a network file system by the magic number that `statfs` gives (see `statfs(2)`).
pub fn network_kind(magic: i64) -> Option<&'static str> {
    match magic {
        0x6969 => Some("NFS"),
        0xFF53_4D42 | 0xFE53_4D42 | 0x517B => Some("SMB"),
        0x6573_5546 => Some("FUSE"),
        0x0102_1997 => Some("9p"),
        0x00C3_6400 => Some("Ceph"),
        0x5346_414F => Some("AFS"),
        _ => None,
    }
}
