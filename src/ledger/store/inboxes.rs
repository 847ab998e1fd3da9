//! An inbox that is called otherwise: what the ledger has of it goes on under its new name.

use rusqlite::params;

use super::Store;
use crate::ledger::LedgerError;

/// What names an inbox beside sheets and orders. Of two that say the same, the renamed inbox's counts.
const BESIDE: [(&str, &str); 6] = [
    (
        "rename an inbox in its own files",
        "UPDATE OR REPLACE own_file SET inbox = ?2 WHERE inbox = ?1",
    ),
    (
        "rename an inbox in its days",
        "UPDATE OR REPLACE day_money SET inbox = ?2 WHERE inbox = ?1",
    ),
    (
        "rename an inbox in its last look",
        "UPDATE OR REPLACE look SET inbox = ?2 WHERE inbox = ?1",
    ),
    (
        "rename an inbox in wished cancels",
        "UPDATE cancel_wish SET inbox = ?2 WHERE inbox = ?1",
    ),
    (
        "rename an inbox that is gone through",
        "UPDATE OR REPLACE recall SET inbox = ?2 WHERE inbox = ?1",
    ),
    (
        "rename an inbox in forgotten sheets",
        "UPDATE OR REPLACE forgotten SET inbox = ?2 WHERE inbox = ?1",
    ),
];

impl Store<'_> {
    /// Has what the ledger knows of an inbox go on under another name: its sheets, its orders with the ids that they have
    /// in sheets, what it holds, what it has reserved of each day. False where the other name has sheets or orders of its
    /// own: an id could then stand for two orders.
    pub fn rename_inbox(&self, from: &str, to: &str) -> Result<bool, LedgerError> {
        if !self.knows_inbox(from)? {
            return Ok(true);
        }
        if self.knows_inbox(to)? {
            return Ok(false);
        }
        for (operation, sql) in [
            (
                "rename an inbox in its sheets",
                "UPDATE claim SET inbox = ?2 WHERE inbox = ?1",
            ),
            (
                "rename an inbox in its orders",
                "UPDATE orders SET inbox = ?2 WHERE inbox = ?1",
            ),
        ]
        .into_iter()
        .chain(BESIDE)
        {
            self.run(operation, sql, params![from, to])?;
        }
        Ok(true)
    }

    /// Whether there is a sheet or an order of an inbox.
    pub fn knows_inbox(&self, inbox: &str) -> Result<bool, LedgerError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM claim WHERE inbox = ?1)
                       OR EXISTS (SELECT 1 FROM orders WHERE inbox = ?1) AS known";
        let known = self.one("look for an inbox", sql, [inbox], |row| {
            super::get::<bool>(row, "known")
        })?;
        Ok(known.unwrap_or_default())
    }
}
