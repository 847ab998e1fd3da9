//! A damaged ledger is moved out of the way with all that belongs to it, so that another can be made in its place. It
//! is never removed: a person may still read what is left of it.

use std::path::{Path, PathBuf};

use super::error::is_damage;
use super::lock::Lock;
use super::{LedgerError, beside, schema};
use crate::files;

/// What SQLite keeps beside its file: a log that belongs to no other ledger, and its index.
const PARTS: [&str; 3] = ["", "-wal", "-shm"];

/// Moves a ledger aside that is damaged; gives where its files lie. Nothing is done where there is none, or where it can
/// be read.
///
/// # Errors
/// Another process writes it, it is of a newer version, or a file cannot be moved.
pub fn move_damaged_aside(ledger: &Path, holder: &str) -> Result<Vec<PathBuf>, LedgerError> {
    let mut lock = Lock::take(ledger, holder)?;
    let Some(detail) = damage(ledger)? else {
        lock.found_sound();
        return Ok(Vec::new());
    };
    tracing::warn!(ledger = %ledger.display(), detail, "the ledger is damaged and is moved aside");
    let number = (1..u32::MAX)
        .find(|number| {
            PARTS
                .iter()
                .all(|part| std::fs::symlink_metadata(aside(ledger, *number, part)).is_err())
        })
        .unwrap_or(1);
    let mut moved = Vec::new();
    // The log first: without its file it is worth nothing, and with another file it would be a danger.
    for part in PARTS.iter().rev() {
        let from = beside(ledger, part);
        if std::fs::symlink_metadata(&from).is_err() {
            continue;
        }
        let to = aside(ledger, number, part);
        files::move_new(&from, &to).map_err(|source| LedgerError::Aside { path: from, source })?;
        moved.push(to);
    }
    moved.reverse();
    // What is made in its place begins in order.
    lock.found_sound();
    Ok(moved)
}

fn aside(ledger: &Path, number: u32, part: &str) -> PathBuf {
    beside(ledger, &format!(".damaged-{number}{part}"))
}

/// What is wrong with a ledger's file; none where there is none, or nothing is.
fn damage(ledger: &Path) -> Result<Option<String>, LedgerError> {
    if !ledger.exists() {
        return Ok(None);
    }
    let opened = schema::open_writer(ledger, true);
    match opened.and_then(|db| {
        schema::integrity(&db, 1).map_err(|source| LedgerError::Open {
            path: ledger.to_owned(),
            source,
        })
    }) {
        Ok(found) => Ok(found.into_iter().next()),
        Err(LedgerError::Corrupt { detail, .. }) => Ok(Some(detail)),
        Err(LedgerError::Open { source, .. }) if is_damage(&source) => Ok(Some(source.to_string())),
        Err(error) => Err(error),
    }
}
