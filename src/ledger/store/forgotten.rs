//! What a ledger that was put back from before has forgotten: the inboxes that are to be gone through for it, and the
//! originals that were found there.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{Store, get, millis, moment, moment_or_null};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ClaimRef, Forgotten, Recall};

/// The key that has a value once the ledger was put back from before, or made anew: what it has forgotten may have been sent
/// under other names than it would have now.
pub(super) const HAS_FORGOTTEN: &str = "has_forgotten";

/// Its value says that the ledger is being made anew from the service's order lists, and has not learned all of them.
const REBUILDING: &str = "rebuilding";

/// Whether the original of a row of `forgotten` was dropped again.
macro_rules! settled {
    () => {
        "EXISTS (SELECT 1 FROM claim INDEXED BY claim_hash
                 WHERE claim.hash = forgotten.hash AND claim.inbox = forgotten.inbox
                   AND claim.purpose = 'send' AND claim.id > forgotten.newest_claim)"
    };
}

impl Store<'_> {
    /// Has an inbox gone through for what was taken there since a moment; none where that cannot be told. One that is
    /// still to be gone through is so from the earlier moment.
    pub fn begin_recall(&self, inbox: &str, since: Option<Timestamp>) -> Result<(), LedgerError> {
        let sql = "INSERT INTO recall (inbox, since, newest_claim)
                   VALUES (?1, ?2, (SELECT coalesce(max(id), 0) FROM claim))
                   ON CONFLICT DO UPDATE SET newest_claim = excluded.newest_claim,
                       since = min(since, excluded.since), trouble = NULL, trouble_at = NULL";
        self.run(
            "have an inbox gone through",
            sql,
            params![inbox, since.map(millis)],
        )?;
        self.set_meta("note that the ledger has forgotten", HAS_FORGOTTEN, "yes")
    }

    /// The ledger is made anew from the service's order lists from here on.
    pub fn begin_rebuilding(&self) -> Result<(), LedgerError> {
        self.set_meta("note that the ledger is made anew", REBUILDING, "yes")
    }

    /// All of them were learned.
    pub fn end_rebuilding(&self) -> Result<(), LedgerError> {
        self.set_meta_moment("note that the ledger was made anew", REBUILDING, None)
    }

    /// Whether the ledger is being made anew from the service's order lists, be it by a rebuilding that has failed.
    pub fn is_rebuilding(&self) -> Result<bool, LedgerError> {
        let value = self.meta("read whether the ledger is made anew", REBUILDING)?;
        Ok(value.is_some())
    }

    /// Whether an inbox is to be gone through, and for what.
    pub fn recall(&self, inbox: &str) -> Result<Option<Recall>, LedgerError> {
        let sql = "SELECT * FROM recall WHERE inbox = ?1";
        self.one("read what is to be gone through", sql, [inbox], recall)
    }

    /// The inboxes that are to be gone through and could not be.
    pub fn recalls_in_trouble(&self) -> Result<Vec<Recall>, LedgerError> {
        let sql = "SELECT * FROM recall WHERE trouble IS NOT NULL ORDER BY inbox";
        self.all("list what could not be gone through", sql, [], recall)
    }

    /// Notes why an inbox could not be gone through. True where that is news.
    pub fn set_recall_trouble(&self, inbox: &str, why: &str, now: Timestamp) -> Result<bool, LedgerError> {
        let sql = "UPDATE recall SET trouble = ?2, trouble_at = coalesce(trouble_at, ?3)
                   WHERE inbox = ?1 AND trouble IS NOT ?2";
        let what = "write why an inbox cannot be gone through";
        Ok(self.run(what, sql, params![inbox, why, millis(now)])? > 0)
    }

    /// Notes that an inbox was gone through, unless it is to be once more since.
    pub fn end_recall(&self, recall: &Recall) -> Result<(), LedgerError> {
        let sql = "DELETE FROM recall WHERE inbox = ?1 AND newest_claim = ?2";
        self.run(
            "end going through an inbox",
            sql,
            params![recall.inbox, recall.newest.0],
        )?;
        Ok(())
    }

    /// When the newest sheet was taken, of one inbox or of all.
    pub fn newest_taken(&self, inbox: Option<&str>) -> Result<Option<Timestamp>, LedgerError> {
        let sql = "SELECT taken_at FROM claim WHERE ?1 IS NULL OR inbox = ?1 ORDER BY id DESC LIMIT 1";
        self.one("find the newest sheet", sql, [inbox], |row| {
            moment(row, "claim", "taken_at")
        })
    }

    /// The stems of an inbox's sheets that have these bytes.
    pub fn stems_of(&self, inbox: &str, hash: &str) -> Result<Vec<String>, LedgerError> {
        let sql = "SELECT stem FROM claim INDEXED BY claim_hash WHERE hash = ?1 AND inbox = ?2";
        self.all("find the sheets with these bytes", sql, [hash, inbox], |row| {
            get(row, "stem")
        })
    }

    /// Notes an original that is forgotten. What was settled stays so.
    pub fn put_forgotten(&self, forgotten: &Forgotten) -> Result<(), LedgerError> {
        self.run(
            "note a forgotten original",
            "INSERT INTO forgotten (inbox, name, account_id, hash, newest_claim, found_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT DO UPDATE SET account_id = excluded.account_id, hash = excluded.hash,
                 newest_claim = excluded.newest_claim, found_at = excluded.found_at
             WHERE hash <> excluded.hash",
            params![
                forgotten.inbox,
                forgotten.name,
                forgotten.account.0,
                forgotten.hash,
                forgotten.newest.0,
                millis(forgotten.found_at),
            ],
        )?;
        Ok(())
    }

    /// The originals that are forgotten and were not dropped again, at most so many, by inbox and name.
    pub fn forgotten(&self, most: u32) -> Result<Vec<Forgotten>, LedgerError> {
        let sql = concat!(
            "SELECT * FROM forgotten WHERE NOT ",
            settled!(),
            " ORDER BY inbox, name LIMIT ?1"
        );
        self.all("list forgotten originals", sql, [most], forgotten)
    }

    /// The names of those of an inbox.
    pub fn forgotten_in(&self, inbox: &str) -> Result<Vec<String>, LedgerError> {
        let sql = concat!(
            "SELECT name FROM forgotten WHERE inbox = ?1 AND NOT ",
            settled!(),
            " ORDER BY name"
        );
        self.all("list an inbox's forgotten originals", sql, [inbox], |row| {
            get(row, "name")
        })
    }

    /// Looks no more for an original that is gone.
    pub fn end_forgotten(&self, inbox: &str, name: &str) -> Result<(), LedgerError> {
        let sql = "DELETE FROM forgotten WHERE inbox = ?1 AND name = ?2";
        self.run("end a forgotten original", sql, [inbox, name])?;
        Ok(())
    }
}

fn recall(row: &Row<'_>) -> Result<Recall, LedgerError> {
    let trouble: Option<String> = get(row, "trouble")?;
    Ok(Recall {
        inbox: get(row, "inbox")?,
        since: moment_or_null(row, "recall", "since")?,
        newest: ClaimRef(get(row, "newest_claim")?),
        trouble: trouble.zip(moment_or_null(row, "recall", "trouble_at")?),
    })
}

fn forgotten(row: &Row<'_>) -> Result<Forgotten, LedgerError> {
    Ok(Forgotten {
        inbox: get(row, "inbox")?,
        name: get(row, "name")?,
        account: AccountRef(get(row, "account_id")?),
        hash: get(row, "hash")?,
        newest: ClaimRef(get(row, "newest_claim")?),
        found_at: moment(row, "forgotten", "found_at")?,
    })
}
