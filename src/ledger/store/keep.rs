//! What is not kept for ever: the zips of orders that others made, and which copies of sheets are still needed.

use jiff::Timestamp;
use rusqlite::params;

use super::{Store, get, millis, to_json};
use crate::ledger::LedgerError;

impl Store<'_> {
    /// Forgets the zips of orders that the service listed, which only tell equal orders apart while sheets come again: of so
    /// many at most. Gives of how many.
    pub fn erase_zips(&self, before: Timestamp, most: u32) -> Result<usize, LedgerError> {
        self.run(
            "erase old zips",
            // Joined: by IN the whole account would be gone through for each.
            "UPDATE listed SET zip = NULL FROM
                 (SELECT account_id, order_id, pw_order_id FROM listed INDEXED BY listed_zip
                  WHERE zip IS NOT NULL AND coalesce(entered_at, 0) < ?1 LIMIT ?2) AS old
             WHERE listed.account_id = old.account_id AND listed.order_id = old.order_id
                   AND listed.pw_order_id = old.pw_order_id",
            params![millis(before), most],
        )
    }

    /// Whether the copy of a sheet with these bytes is needed: a sheet of them is not done, was taken since, or has an
    /// order that is not at its end, or has come to it since: one that was approved late is still to have its total and its
    /// parcels in the result.
    pub fn copy_is_needed(&self, hash: &str, since: Timestamp) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM claim WHERE hash = ?1 AND
                       (taken_at >= ?2 OR state IN ('taken', 'worked') OR EXISTS
                           (SELECT 1 FROM orders WHERE orders.claim_id = claim.id
                            AND (changed_at >= ?2 OR state IN ('held', 'sending', 'unresolved', 'canceling'))))
                   LIMIT 1";
        Ok(self
            .one(
                "look whether a copy is needed",
                sql,
                params![hash, millis(since)],
                |_row| Ok(()),
            )?
            .is_some())
    }

    /// Whether the result of an ended sheet with these bytes in one of these inboxes is still to be written with news. That
    /// of an import is not waited for, nor that of an inbox that has left the config: their folders may be gone for good.
    pub fn copy_is_owed(&self, hash: &str, inboxes: &[String]) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM claim WHERE hash = ?1 AND state = 'done' AND stale > 0 AND out_path IS NULL
                   AND inbox IN (SELECT value FROM json_each(?2)) LIMIT 1";
        let inboxes = to_json(&inboxes)?;
        let owed = self.one(
            "look whether a result has news",
            sql,
            params![hash, inboxes],
            |_row| Ok(()),
        );
        Ok(owed?.is_some())
    }

    /// The SHA-256 of the sheet of an inbox with this stem that was taken before a moment and is done, if there is one.
    pub fn done_before(
        &self,
        inbox: &str,
        stem: &str,
        before: Timestamp,
    ) -> Result<Option<String>, LedgerError> {
        let sql =
            "SELECT hash FROM claim WHERE inbox = ?1 AND stem = ?2 AND taken_at < ?3 AND state = 'done'";
        self.one("find a stem", sql, params![inbox, stem, millis(before)], |row| {
            get::<String>(row, "hash")
        })
    }
}
