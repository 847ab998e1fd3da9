//! What the orders of an account wait for, as whoever works them last knew: for who asks beside them.

use rusqlite::params;

use super::{Store, get};
use crate::ledger::LedgerError;

impl Store<'_> {
    /// What the orders of an account wait for; none where they do not.
    pub fn waits_for(&self, account: &str) -> Result<Option<String>, LedgerError> {
        let sql = "SELECT value FROM meta WHERE key = ?1";
        let read = |row: &rusqlite::Row<'_>| get::<String>(row, "value");
        let noted = self.one("read what orders wait for", sql, [key(account)], read)?;
        Ok(noted.filter(|why| !why.is_empty()))
    }

    /// Notes what they wait for; none where they do not.
    pub fn set_waits_for(&self, account: &str, why: Option<&str>) -> Result<(), LedgerError> {
        let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)";
        let why = why.unwrap_or_default();
        self.run("note what orders wait for", sql, params![key(account), why])?;
        Ok(())
    }
}

fn key(account: &str) -> String {
    format!("orders of {account} wait for")
}
