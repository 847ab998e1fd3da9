//! What the orders of an account wait for, and since when its service is away, as whoever works them last knew: for who
//! asks beside them, and for the next single pass.

use jiff::Timestamp;
use rusqlite::params;

use super::{Store, get, millis, moment};
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

    /// Since when an account's service was found away, time after time, and when last; none where it was not.
    pub fn away(&self, account: &str) -> Result<Option<(Timestamp, Timestamp)>, LedgerError> {
        let read = |since: bool| {
            let sql = "SELECT CAST(value AS INTEGER) AS value FROM meta WHERE key = ?1";
            self.one(
                "read since when a service is away",
                sql,
                [away(account, since)],
                |row| moment(row, "meta", "value"),
            )
        };
        Ok(read(true)?.zip(read(false)?))
    }

    /// Notes since when it was found away, and when last; none where it is not.
    pub fn set_away(&self, account: &str, found: Option<(Timestamp, Timestamp)>) -> Result<(), LedgerError> {
        const WHAT: &str = "note since when a service is away";
        let moments = found.map_or([None; 2], |(since, last)| [Some(since), Some(last)]);
        for (since, moment) in [true, false].into_iter().zip(moments) {
            let key = away(account, since);
            if let Some(at) = moment {
                let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)";
                self.run(WHAT, sql, params![key, millis(at).to_string()])?;
            } else {
                self.run(WHAT, "DELETE FROM meta WHERE key = ?1", [key])?;
            }
        }
        Ok(())
    }
}

fn away(account: &str, since: bool) -> String {
    let which = if since { "since" } else { "still at" };
    format!("service of {account} is away {which}")
}

fn key(account: &str) -> String {
    format!("orders of {account} wait for")
}
