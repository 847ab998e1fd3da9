//! Single values that belong to no table of their own, each under a key.

use jiff::Timestamp;

use super::{Store, get, millis, moment};
use crate::ledger::LedgerError;

impl Store<'_> {
    /// The value of a key; none where it has none.
    pub(super) fn meta(&self, operation: &'static str, key: &str) -> Result<Option<String>, LedgerError> {
        let sql = "SELECT value FROM meta WHERE key = ?1";
        self.one(operation, sql, [key], |row| get(row, "value"))
    }

    /// The moment that is the value of a key; none where it has none.
    pub(super) fn meta_moment(
        &self,
        operation: &'static str,
        key: &str,
    ) -> Result<Option<Timestamp>, LedgerError> {
        let sql = "SELECT CAST(value AS INTEGER) AS value FROM meta WHERE key = ?1";
        self.one(operation, sql, [key], |row| moment(row, "meta", "value"))
    }

    /// Gives a key this value, whatever it had.
    pub(super) fn set_meta(
        &self,
        operation: &'static str,
        key: &str,
        value: &str,
    ) -> Result<(), LedgerError> {
        let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)";
        self.run(operation, sql, [key, value])?;
        Ok(())
    }

    /// The same with a moment; without one the key has no value any more.
    pub(super) fn set_meta_moment(
        &self,
        operation: &'static str,
        key: &str,
        at: Option<Timestamp>,
    ) -> Result<(), LedgerError> {
        if let Some(at) = at {
            return self.set_meta(operation, key, &millis(at).to_string());
        }
        self.run(operation, "DELETE FROM meta WHERE key = ?1", [key])?;
        Ok(())
    }
}
