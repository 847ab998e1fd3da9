//! The catalog on disk, `catalog.db`: a database of its own, so that `check` may refresh it beside a daemon. It can
//! be deleted at any time; the service fills it again.

mod doubted;
mod error;
mod rows;
mod spare;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

pub use error::CacheError;
use rows::{change, columns, details, details_read_at, entries, json, moment};
use spare::Held;
pub use spare::files_of;

use super::changes::Change;
use super::{Detail, Entry};
use crate::files::folder_of;

/// The migrations, in order; `user_version` says how many have run. One that has been released is never edited.
const MIGRATIONS: &[&str] = &[
    include_str!("../../schema/catalog/0001_catalog.sql"),
    include_str!("../../schema/catalog/0002_details.sql"),
    include_str!("../../schema/catalog/0003_doubted.sql"),
];

/// How long a statement waits for another process that writes.
const BUSY: Duration = Duration::from_secs(10);

/// How long changes are kept, in milliseconds: a month.
const CHANGES_KEPT_MS: i64 = 31 * 24 * 60 * 60 * 1000;

/// The cached catalogs of all accounts.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    held: Mutex<Held>,
    /// Whether the work goes on in memory where the file cannot be used.
    has_spare: bool,
}

/// What is cached of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// When the SKU list was read from the service.
    pub read_at: Timestamp,
    /// The SKU list, in the service's order.
    pub entries: Vec<Entry>,
    /// The details of the products that were read.
    pub details: Vec<Detail>,
    /// When each product's detail was read, by product code.
    pub details_read_at: HashMap<String, Timestamp>,
}

impl Cache {
    /// Opens the cache, and makes it and its folder where there is none.
    pub fn open(path: &Path) -> Result<Self, CacheError> {
        Ok(Self {
            path: path.to_owned(),
            held: Mutex::new(Held::file(opened(path)?)),
            has_spare: false,
        })
    }

    /// What is cached of an account; none where its SKU list was never read.
    pub fn load(&self, account: &str) -> Result<Option<Stored>, CacheError> {
        self.with("read", |db| {
            // One transaction, so that another process's refresh is seen whole or not at all.
            let tx = db.transaction()?;
            let read_at = tx
                .query_row(
                    "SELECT read_at FROM catalog WHERE account = ?1",
                    [account],
                    |row| moment(row, 0),
                )
                .optional()?;
            let Some(read_at) = read_at else {
                return Ok(None);
            };
            let entries = entries(&tx, account)?;
            Ok(Some(Stored {
                read_at,
                details: of_own_products(&entries, details(&tx, account)?),
                entries,
                details_read_at: details_read_at(&tx, account)?,
            }))
        })
    }

    /// Puts an account's whole SKU list in the place of the earlier one; the details of the products that it names stay.
    pub fn replace_entries(
        &self,
        account: &str,
        read_at: Timestamp,
        entries: &[Entry],
    ) -> Result<(), CacheError> {
        self.write(|tx| {
            tx.execute("DELETE FROM catalog WHERE account = ?1", [account])?;
            tx.execute(
                "INSERT INTO catalog (account, read_at) VALUES (?1, ?2)",
                params![account, read_at.as_millisecond()],
            )?;
            let mut insert = tx.prepare(
                "INSERT INTO entry (account, position, sku, product_code, product_name, title, variant_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            for (position, entry) in (0_i64..).zip(entries) {
                insert.execute(params![
                    account,
                    position,
                    entry.sku,
                    entry.product_code,
                    entry.product_name,
                    entry.title,
                    entry.variant_id
                ])?;
            }
            tx.execute(
                "DELETE FROM product WHERE account = ?1
                 AND code NOT IN (SELECT product_code FROM entry WHERE account = ?1)",
                [account],
            )?;
            Ok(())
        })
    }

    /// Puts the details of a product in the place of its earlier ones.
    pub fn put_details(
        &self,
        account: &str,
        product_code: &str,
        read_at: Timestamp,
        details: &[Detail],
    ) -> Result<(), CacheError> {
        self.write(|tx| {
            tx.execute(
                "DELETE FROM product WHERE account = ?1 AND code = ?2",
                [account, product_code],
            )?;
            tx.execute(
                "INSERT INTO product (account, code, read_at) VALUES (?1, ?2, ?3)",
                params![account, product_code, read_at.as_millisecond()],
            )?;
            let mut insert = tx.prepare(
                "INSERT INTO detail (account, product_code, position, content) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (position, detail) in (0_i64..).zip(details) {
                insert.execute(params![account, product_code, position, json(detail)?])?;
            }
            Ok(())
        })
    }

    /// Adds what a refresh has changed, and forgets what is older than a month.
    pub fn note_changes(&self, account: &str, at: Timestamp, changes: &[Change]) -> Result<(), CacheError> {
        self.write(|tx| {
            tx.execute(
                "DELETE FROM change WHERE at < ?1",
                [at.as_millisecond().saturating_sub(CHANGES_KEPT_MS)],
            )?;
            let mut insert = tx.prepare(
                "INSERT OR REPLACE INTO change (account, at, kind, sku, place, old, new)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            let at = at.as_millisecond();
            for change in changes {
                let (kind, sku, place, old, new) = columns(change);
                insert.execute(params![account, at, kind, sku, place, old, new])?;
            }
            Ok(())
        })
    }

    /// What refreshes since `since` have changed, the oldest first.
    pub fn changes(&self, account: &str, since: Timestamp) -> Result<Vec<Change>, CacheError> {
        self.with("read", |db| {
            db.prepare(
                "SELECT kind, sku, place, old, new FROM change WHERE account = ?1 AND at >= ?2
                 ORDER BY at, kind, sku, place",
            )?
            .query_map(params![account, since.as_millisecond()], change)?
            .collect()
        })
    }

    /// Keeps the hash of what an artwork's link has given; gives the one that it gave before. `url` is a hash too, for
    /// a link may hold a key of its own.
    pub fn swap_artwork(
        &self,
        url: &str,
        content: &str,
        at: Timestamp,
    ) -> Result<Option<String>, CacheError> {
        let mut before = None;
        self.write(|tx| {
            before = tx
                .query_row("SELECT content FROM artwork WHERE url = ?1", [url], |row| {
                    row.get(0)
                })
                .optional()?;
            tx.execute(
                "INSERT OR REPLACE INTO artwork (url, content, seen_at) VALUES (?1, ?2, ?3)",
                params![url, content, at.as_millisecond()],
            )?;
            Ok(())
        })?;
        Ok(before)
    }

    fn write(
        &self,
        mut change: impl FnMut(&rusqlite::Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), CacheError> {
        self.with("write", |db| {
            let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            change(&tx)?;
            tx.commit()
        })
    }

    fn failed(&self, operation: &'static str, source: rusqlite::Error) -> CacheError {
        CacheError::Database {
            operation,
            path: self.path.clone(),
            source,
        }
    }
}

/// The details that stand under the product which the list names for their SKU: it may have been another one's before,
/// and of two products that have it the list's first counts.
fn of_own_products(entries: &[Entry], details: Vec<(String, Detail)>) -> Vec<Detail> {
    let mut codes: HashMap<&str, &str> = HashMap::with_capacity(entries.len());
    for entry in entries {
        codes.entry(&entry.sku).or_insert(&entry.product_code);
    }
    let own = |(code, detail): (String, Detail)| {
        let is_own = codes.get(detail.sku.as_str()).is_none_or(|own| *own == code);
        is_own.then_some(detail)
    };
    details.into_iter().filter_map(own).collect()
}

/// Opens the file, and makes it and its folder where there is none.
fn opened(path: &Path) -> Result<Connection, CacheError> {
    let folder = folder_of(path);
    std::fs::create_dir_all(folder).map_err(|source| CacheError::Folder {
        path: path.to_owned(),
        source,
    })?;
    let failed = |source| CacheError::Database {
        operation: "open",
        path: path.to_owned(),
        source,
    };
    if !path.exists() {
        spare::make_for_its_folder(path, folder);
    }
    let mut db = Connection::open(path).map_err(failed)?;
    set_up(&db).map_err(failed)?;
    if !migrate(&mut db).map_err(failed)? {
        return Err(CacheError::Newer {
            path: path.to_owned(),
        });
    }
    Ok(db)
}

fn set_up(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(BUSY)?;
    // Whether the disk can do WAL does not matter here: without it, readers wait for a writer.
    db.query_row("PRAGMA journal_mode = WAL", [], |_mode| Ok(()))?;
    // In KiB, for it is read once; SQLite's own default is four times as much.
    db.pragma_update(None, "cache_size", -500)?;
    // A lost refresh is asked for again.
    db.pragma_update(None, "synchronous", "NORMAL")?;
    db.pragma_update(None, "foreign_keys", true)
}

/// Brings the file to this program's schema; gives whether it is not newer than that.
fn migrate(db: &mut Connection) -> rusqlite::Result<bool> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let ran = usize::try_from(version).unwrap_or(usize::MAX);
    let Some(missing) = MIGRATIONS.get(ran..) else {
        return Ok(false);
    };
    if !missing.is_empty() {
        for migration in missing {
            tx.execute_batch(migration)?;
        }
        let now = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
        tx.pragma_update(None, "user_version", now)?;
    }
    tx.commit()?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Location, PrintArea};

    fn entry(sku: &str) -> Entry {
        Entry {
            sku: sku.into(),
            product_code: "TEE".into(),
            product_name: "T-shirt".into(),
            title: "M".into(),
            variant_id: "TEE-1".into(),
        }
    }

    fn location(name: &str) -> Location {
        Location {
            name: name.into(),
            base_cost: Some("9.50".parse().unwrap()),
            tier_cost: None,
            print_areas: vec![PrintArea {
                key: "front".into(),
                width: serde_json::Number::from_u128(12),
                height: "14.5".parse().ok(),
                resolution: Some("300 ppi".into()),
            }],
        }
    }

    fn detail(sku: &str, locations: &[&str]) -> Detail {
        Detail {
            sku: sku.into(),
            availability: Some("in_stock".into()),
            locations: locations.iter().map(|name| location(name)).collect(),
            attributes: Vec::new(),
        }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn what_is_put_in_is_there_when_it_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/catalog.db");
        let cache = Cache::open(&path).unwrap();
        assert_eq!(cache.load("a").unwrap(), None);
        cache
            .replace_entries("a", at(10), &[entry("B"), entry("A")])
            .unwrap();
        cache
            .put_details("a", "TEE", at(20), &[detail("A", &["US", "EU"])])
            .unwrap();
        drop(cache);
        let stored = Cache::open(&path).unwrap().load("a").unwrap().unwrap();
        assert_eq!(stored.read_at, at(10));
        assert_eq!(stored.entries, [entry("B"), entry("A")]);
        assert_eq!(stored.details, [detail("A", &["US", "EU"])]);
        assert_eq!(stored.details_read_at["TEE"], at(20));
    }

    #[test]
    fn a_new_list_takes_the_place_of_the_old_and_leaves_details_and_other_accounts() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("catalog.db")).unwrap();
        cache.replace_entries("a", at(1), &[entry("A")]).unwrap();
        cache.replace_entries("b", at(1), &[entry("B")]).unwrap();
        cache.put_details("a", "TEE", at(1), &[detail("A", &[])]).unwrap();
        cache.replace_entries("a", at(2), &[entry("C")]).unwrap();
        let stored = cache.load("a").unwrap().unwrap();
        assert_eq!((stored.read_at, stored.entries), (at(2), vec![entry("C")]));
        assert_eq!(stored.details.len(), 1);
        assert_eq!(cache.load("b").unwrap().unwrap().entries, [entry("B")]);
    }

    #[test]
    fn a_sku_has_the_detail_of_the_product_that_the_list_names_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("catalog.db")).unwrap();
        let of = |sku, code: &str| Entry {
            product_code: code.into(),
            ..entry(sku)
        };
        // The other product keeps another SKU, so that its detail stays.
        cache
            .replace_entries("a", at(1), &[of("A", "Z"), of("B", "Z"), of("C", "GONE")])
            .unwrap();
        cache
            .put_details("a", "Z", at(1), &[detail("A", &["old"]), detail("B", &["US"])])
            .unwrap();
        cache
            .put_details("a", "GONE", at(1), &[detail("C", &[])])
            .unwrap();
        cache
            .replace_entries("a", at(2), &[of("A", "M"), of("B", "Z"), of("A", "Z")])
            .unwrap();
        let stored = cache.load("a").unwrap().unwrap();
        assert_eq!(stored.details, [detail("B", &["US"])]);
        assert!(
            !stored.details_read_at.contains_key("GONE"),
            "no product names it"
        );
        cache
            .put_details("a", "M", at(3), &[detail("A", &["new"])])
            .unwrap();
        let stored = cache.load("a").unwrap().unwrap();
        assert_eq!(stored.details, [detail("A", &["new"]), detail("B", &["US"])]);
    }

    #[test]
    fn new_details_take_the_place_of_the_product_s_old_ones() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("catalog.db")).unwrap();
        cache.replace_entries("a", at(1), &[]).unwrap();
        let two = [detail("A", &["US"]), detail("B", &["US"])];
        cache.put_details("a", "TEE", at(1), &two).unwrap();
        cache
            .put_details("a", "TEE", at(2), &[detail("B", &["EU"])])
            .unwrap();
        let stored = cache.load("a").unwrap().unwrap();
        assert_eq!(stored.details, [detail("B", &["EU"])]);
        assert_eq!(stored.details_read_at["TEE"], at(2));
    }

    #[test]
    fn changes_are_kept_by_account_for_a_month() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("catalog.db")).unwrap();
        let dearer = Change::Dearer {
            sku: "A".into(),
            location: "US".into(),
            old: "9.50".parse().unwrap(),
            new: "10.00".parse().unwrap(),
        };
        let gone = Change::Gone { sku: "B".into() };
        cache
            .note_changes("a", at(10), &[gone.clone(), dearer.clone()])
            .unwrap();
        cache
            .note_changes("b", at(10), &[Change::New { sku: "C".into() }])
            .unwrap();
        assert_eq!(cache.changes("a", at(0)).unwrap(), [dearer, gone]);
        assert_eq!(cache.changes("a", at(11)).unwrap(), []);
        cache.note_changes("a", at(40 * 24 * 3600), &[]).unwrap();
        assert_eq!(cache.changes("b", at(0)).unwrap(), []);
    }

    #[test]
    fn a_cache_of_a_newer_dropsheet_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.db");
        Connection::open(&path)
            .unwrap()
            .pragma_update(None, "user_version", 99)
            .unwrap();
        assert!(matches!(Cache::open(&path), Err(CacheError::Newer { .. })));
    }
}
