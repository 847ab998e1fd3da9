//! What was written into the inboxes' `help/`: so that a file of a person's there is known from one of ours.

use rusqlite::params;

use super::{Store, get};
use crate::ledger::LedgerError;

impl Store<'_> {
    /// What was noted of an inbox's `help/`; none where nothing was.
    pub fn help(&self, inbox: &str) -> Result<Option<String>, LedgerError> {
        let sql = "SELECT value FROM meta WHERE key = ?1";
        self.one("read what help/ holds", sql, [key(inbox)], |row| {
            get(row, "value")
        })
    }

    /// Notes what an inbox's `help/` holds.
    pub fn set_help(&self, inbox: &str, noted: &str) -> Result<(), LedgerError> {
        let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)";
        self.run("note what help/ holds", sql, params![key(inbox), noted])?;
        Ok(())
    }
}

fn key(inbox: &str) -> String {
    format!("help of {inbox}")
}
