//! The cache's rows, as values and back.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, Row};

use crate::catalog::changes::Change;
use crate::catalog::{Detail, Entry};
use crate::money::Money;

pub(super) fn entries(db: &Connection, account: &str) -> rusqlite::Result<Vec<Entry>> {
    db.prepare(
        "SELECT sku, product_code, product_name, title, variant_id FROM entry WHERE account = ?1 ORDER BY position",
    )?
    .query_map([account], |row| {
        Ok(Entry {
            sku: row.get(0)?,
            product_code: row.get(1)?,
            product_name: row.get(2)?,
            title: row.get(3)?,
            variant_id: row.get(4)?,
        })
    })?
    .collect()
}

/// Details by the code of the product under which they stand.
pub(super) fn details(db: &Connection, account: &str) -> rusqlite::Result<Vec<(String, Detail)>> {
    db.prepare("SELECT product_code, content FROM detail WHERE account = ?1 ORDER BY product_code, position")?
        .query_map([account], |row| {
            let content: String = row.get(1)?;
            let detail = serde_json::from_str(&content).map_err(|error| unreadable(1, error))?;
            Ok((row.get(0)?, detail))
        })?
        .collect()
}

/// A change as the table has it: kind, SKU, location, cost before and after.
pub(super) fn columns(change: &Change) -> (&'static str, &str, &str, String, String) {
    match change {
        Change::New { sku } => ("new", sku, "", String::new(), String::new()),
        Change::Gone { sku } => ("gone", sku, "", String::new(), String::new()),
        Change::Dearer {
            sku,
            location,
            old,
            new,
        } => ("dearer", sku, location, old.to_string(), new.to_string()),
    }
}

pub(super) fn change(row: &Row<'_>) -> rusqlite::Result<Change> {
    let kind: String = row.get(0)?;
    let sku = row.get(1)?;
    let cost = |column: usize| -> rusqlite::Result<Money> {
        let digits: String = row.get(column)?;
        digits.parse().map_err(|error| unreadable(column, error))
    };
    match kind.as_str() {
        "new" => Ok(Change::New { sku }),
        "gone" => Ok(Change::Gone { sku }),
        _dearer => Ok(Change::Dearer {
            sku,
            location: row.get(2)?,
            old: cost(3)?,
            new: cost(4)?,
        }),
    }
}

pub(super) fn json(value: &impl serde::Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

pub(super) fn details_read_at(
    db: &Connection,
    account: &str,
) -> rusqlite::Result<HashMap<String, Timestamp>> {
    db.prepare("SELECT code, read_at FROM product WHERE account = ?1")?
        .query_map([account], |row| Ok((row.get(0)?, moment(row, 1)?)))?
        .collect()
}

pub(super) fn moment(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(row.get(column)?).map_err(|error| unreadable(column, error))
}

pub(super) fn unreadable(
    column: usize,
    error: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}
