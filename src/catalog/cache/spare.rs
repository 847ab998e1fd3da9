//! A cache that does without its file: where that cannot be read or written, the work goes on in memory, with what could
//! still be read of it, and the file is tried again now and then. A cache is never worth an order that waits.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{Connection, TransactionBehavior, ffi, params_from_iter};

use super::{Cache, CacheError, migrate, opened, set_up};
use crate::causes::chain;

/// How often a file that could not be used is tried again.
const AGAIN: Duration = Duration::from_mins(1);

/// The tables of the cache, those that others refer to first.
const TABLES: [&str; 6] = ["catalog", "entry", "product", "detail", "artwork", "change"];

/// The database in use.
#[derive(Debug)]
pub(super) struct Held {
    db: Connection,
    /// Why it is not the file.
    without: Option<Without>,
}

/// Why the file is not in use.
#[derive(Debug)]
struct Without {
    why: String,
    tried_at: Instant,
}

impl Without {
    fn now(error: &CacheError) -> Self {
        Self {
            why: chain(error),
            tried_at: Instant::now(),
        }
    }
}

impl Held {
    pub(super) fn file(db: Connection) -> Self {
        Self { db, without: None }
    }
}

impl Cache {
    /// Opens the cache for who goes on without its file where that cannot be used.
    ///
    /// # Errors
    /// There is no memory for another one either.
    pub fn open_or_do_without(path: &Path) -> Result<Self, CacheError> {
        let held = match opened(path) {
            Ok(db) => Held::file(db),
            Err(error) => {
                let db = in_memory(path)?;
                tell(&error);
                let without = Some(Without::now(&error));
                Held { db, without }
            }
        };
        Ok(Self {
            path: path.to_owned(),
            held: held.into(),
            has_spare: true,
        })
    }

    /// Why the file is not in use; none where it is.
    pub fn without_file(&self) -> Option<String> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.without.as_ref().map(|without| without.why.clone())
    }

    /// Tries to write, without changing anything, and looks through the whole file.
    ///
    /// # Errors
    /// It cannot be written, or is damaged.
    pub fn try_out(&self) -> Result<(), CacheError> {
        self.with("write", try_out)
    }

    /// Works with the file; where that fails and there is to be a spare, once more in memory.
    pub(super) fn with<T>(
        &self,
        operation: &'static str,
        mut work: impl FnMut(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CacheError> {
        // A transaction that a panic has left is rolled back when it is dropped.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        self.try_file_again(&mut held);
        let error = match work(&mut held.db) {
            Ok(done) => return Ok(done),
            Err(source) => self.failed(operation, source),
        };
        if !self.has_spare {
            return Err(error);
        }
        let mut spare = in_memory(&self.path)?;
        if operation == "write"
            && held.without.is_none()
            && let Err(unread) = copy(&held.db, &mut spare)
        {
            tracing::debug!(%unread, "nothing of the catalog's cache is taken over into memory");
        }
        if held.without.is_none() {
            tell(&error);
        }
        *held = Held {
            db: spare,
            without: Some(Without::now(&error)),
        };
        work(&mut held.db).map_err(|source| self.failed(operation, source))
    }

    fn try_file_again(&self, held: &mut Held) {
        let is_due = |without: &Without| without.tried_at.elapsed() >= AGAIN;
        if !held.without.as_ref().is_some_and(is_due) {
            return;
        }
        match back(&self.path, &held.db) {
            Ok(db) => {
                tracing::info!(path = %self.path.display(), "the catalog's cache can be used again");
                *held = Held::file(db);
            }
            Err(error) => held.without = Some(Without::now(&error)),
        }
    }
}

/// Said once, until the file is in use again.
fn tell(error: &CacheError) {
    tracing::error!(
        "{}; the catalog is kept in memory meanwhile, and orders go on",
        chain(error)
    );
}

fn in_memory(path: &Path) -> Result<Connection, CacheError> {
    let make = || {
        let mut db = Connection::open_in_memory()?;
        set_up(&db)?;
        migrate(&mut db)?;
        Ok(db)
    };
    make().map_err(|source| CacheError::Database {
        operation: "do without",
        path: path.to_owned(),
        source,
    })
}

/// The file, where it can be used again, with what memory has that is newer.
fn back(path: &Path, spare: &Connection) -> Result<Connection, CacheError> {
    let mut db = opened(path)?;
    let newest = |db: &Connection| -> rusqlite::Result<Option<i64>> {
        db.query_row("SELECT max(read_at) FROM catalog", [], |row| row.get(0))
    };
    let mut bring = || {
        try_out(&mut db)?;
        if newest(spare)? > newest(&db)? {
            copy(spare, &mut db)?;
        }
        Ok(())
    };
    bring().map_err(|source| CacheError::Database {
        operation: "write",
        path: path.to_owned(),
        source,
    })?;
    Ok(db)
}

/// Writes something that is taken back again, and looks through all pages.
fn try_out(db: &mut Connection) -> rusqlite::Result<()> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute("INSERT OR REPLACE INTO artwork VALUES ('', '', 0)", [])?;
    tx.rollback()?;
    let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" {
        return Ok(());
    }
    let damaged = ffi::Error::new(ffi::SQLITE_CORRUPT);
    Err(rusqlite::Error::SqliteFailure(damaged, Some(verdict)))
}

/// Puts all of one cache in the place of what is in another.
fn copy(from: &Connection, to: &mut Connection) -> rusqlite::Result<()> {
    let from = from.unchecked_transaction()?;
    let tx = to.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // What hangs on them goes with them.
    tx.execute_batch("DELETE FROM catalog; DELETE FROM product;")?;
    for table in TABLES {
        let mut select = from.prepare(&format!("SELECT * FROM {table}"))?;
        let columns = select.column_count();
        let places = vec!["?"; columns].join(", ");
        let mut insert = tx.prepare(&format!("INSERT OR REPLACE INTO {table} VALUES ({places})"))?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let values: rusqlite::Result<Vec<Value>> = (0..columns).map(|column| row.get(column)).collect();
            insert.execute(params_from_iter(values?))?;
        }
    }
    tx.commit()
}

/// Makes the file, where there is none, for whom its folder belongs to: one that root has made, with a command say, could
/// not be written by the user that runs dropsheet. What stands in the way is told when it is opened.
pub(super) fn make_for_its_folder(path: &Path, folder: &Path) {
    let Ok(file) = File::create_new(path) else {
        return;
    };
    let give = || {
        let (own, folder) = (file.metadata()?, std::fs::metadata(folder)?);
        if own.uid() == folder.uid() {
            return Ok(());
        }
        std::os::unix::fs::fchown(&file, Some(folder.uid()), Some(folder.gid()))
    };
    if let Err(error) = give() {
        tracing::debug!(%error, "the catalog's cache is not its folder's owner's");
    }
}

/// The files of a cache.
pub fn files_of(path: &Path) -> [PathBuf; 3] {
    let with = |ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    [path.to_owned(), with("-wal"), with("-shm")]
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use jiff::Timestamp;

    use super::*;
    use crate::catalog::Entry;

    fn entry(sku: &str) -> Entry {
        Entry {
            sku: sku.into(),
            product_code: "TEE".into(),
            product_name: "T-shirt".into(),
            title: "M".into(),
            variant_id: "TEE-1".into(),
        }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn skus(cache: &Cache) -> Vec<String> {
        let stored = cache.load("a").unwrap();
        let entries = stored.into_iter().flat_map(|stored| stored.entries);
        entries.map(|entry| entry.sku).collect()
    }

    /// Has the file tried again with the next use.
    fn let_a_minute_pass(cache: &Cache) {
        let mut held = cache.held.lock().unwrap();
        let without = held.without.as_mut().unwrap();
        without.tried_at = Instant::now().checked_sub(AGAIN).unwrap();
    }

    fn filled(path: &Path) -> Cache {
        let cache = Cache::open_or_do_without(path).unwrap();
        cache.replace_entries("a", at(1), &[entry("A")]).unwrap();
        cache.put_details("a", "TEE", at(1), &[]).unwrap();
        cache
    }

    #[test]
    fn what_cannot_be_written_is_kept_in_memory_with_what_was_there_until_it_can() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.db");
        let cache = filled(&path);
        let read_only = |is: bool| {
            let held = cache.held.lock().unwrap();
            held.db.pragma_update(None, "query_only", is).unwrap();
        };
        read_only(true);
        cache.put_details("a", "MUG", at(2), &[]).unwrap();
        let stored = cache.load("a").unwrap().unwrap();
        assert_eq!(stored.entries, [entry("A")]);
        assert!(stored.details_read_at.contains_key("TEE") && stored.details_read_at.contains_key("MUG"));
        assert!(cache.without_file().unwrap().contains("cannot write"));
        cache.replace_entries("a", at(3), &[entry("B")]).unwrap();
        assert_eq!(skus(&Cache::open(&path).unwrap()), ["A"], "not there yet");
        let_a_minute_pass(&cache);
        assert_eq!(skus(&cache), ["B"]);
        assert_eq!(cache.without_file(), None);
        assert_eq!(skus(&Cache::open(&path).unwrap()), ["B"]);
    }

    #[test]
    fn what_another_process_has_read_meanwhile_is_not_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.db");
        let cache = filled(&path);
        let held = cache.held.lock().unwrap();
        held.db.pragma_update(None, "query_only", true).unwrap();
        drop(held);
        cache.replace_entries("a", at(2), &[entry("B")]).unwrap();
        let other = Cache::open(&path).unwrap();
        other.replace_entries("a", at(3), &[entry("C")]).unwrap();
        let_a_minute_pass(&cache);
        assert_eq!(skus(&cache), ["C"]);
    }

    #[test]
    fn a_damaged_file_is_done_without_and_one_that_is_moved_aside_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.db");
        drop(filled(&path));
        // All but the first page, so that it can be opened.
        let length = std::fs::metadata(&path).unwrap().len();
        let file = File::options().write(true).open(&path).unwrap();
        let garbage = vec![0xA5; usize::try_from(length).unwrap() - 4096];
        file.write_all_at(&garbage, 4096).unwrap();
        assert!(Cache::open(&path).and_then(|cache| cache.try_out()).is_err());
        let cache = Cache::open_or_do_without(&path).unwrap();
        assert_eq!(skus(&cache), Vec::<String>::new());
        cache.replace_entries("a", at(2), &[entry("B")]).unwrap();
        assert_eq!(skus(&cache), ["B"]);
        let_a_minute_pass(&cache);
        assert_eq!(skus(&cache), ["B"]);
        assert!(cache.without_file().is_some(), "it is damaged still");
        for file in files_of(&path) {
            drop(std::fs::remove_file(file));
        }
        let_a_minute_pass(&cache);
        assert_eq!(skus(&cache), ["B"]);
        assert_eq!(cache.without_file(), None);
        Cache::open(&path).unwrap().try_out().unwrap();
    }

    #[test]
    fn what_is_no_cache_at_all_is_done_without() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open_or_do_without(folder.path()).unwrap();
        assert!(cache.without_file().is_some());
        cache.replace_entries("a", at(1), &[entry("A")]).unwrap();
        assert_eq!(skus(&cache), ["A"]);
    }

    #[test]
    fn a_cache_that_root_makes_is_its_folder_s_owner_s() {
        let folder = tempfile::tempdir().unwrap();
        // Only root can give a folder away.
        if std::os::unix::fs::chown(folder.path(), Some(65_534), Some(65_534)).is_err() {
            return;
        }
        let path = folder.path().join("catalog.db");
        let cache = filled(&path);
        for file in files_of(&path) {
            assert_eq!(
                std::fs::metadata(&file).unwrap().uid(),
                65_534,
                "{}",
                file.display()
            );
        }
        drop(cache);
    }
}
