//! What an operator is told: the last look at each inbox, how far sheets are, and what was told already.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::in_shop::in_shop;
use super::{Store, count, get, json, millis, moment, moment_or_null, to_json, unreadable};
use crate::files::Room;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ClaimRef, LookRecord, WorkRecord};
use crate::outcome::Status;

/// How an order had ended in an `outcome`'s sheet when a younger one took it anew, as `import` judges it for the result; null
/// where it had not. What was refused and came again in its inbox is the same order, mended.
macro_rules! end_before {
    () => {
        "CASE WHEN orders.claim_id > outcome.claim_id AND order_ref IS NOT NULL AND outcome.status <> 'canceling' THEN
             (SELECT CASE WHEN event.old <> 'refused' OR younger.inbox <> own.inbox THEN event.old END
              FROM claim AS younger CROSS JOIN claim AS own CROSS JOIN event
              WHERE younger.id = orders.claim_id AND own.id = outcome.claim_id AND event.order_id = orders.id
                AND event.at >= younger.taken_at AND event.old IN ('declined', 'abandoned', 'refused')
              ORDER BY event.id LIMIT 1) END"
    };
}

impl Store<'_> {
    /// Notes what a look at an inbox has shown.
    pub fn put_look(&self, look: &LookRecord) -> Result<(), LedgerError> {
        let (free, total) = look
            .room
            .map(|room| (to_integer(room.free), to_integer(room.total)))
            .unzip();
        self.run(
            "write a look",
            "INSERT INTO look (inbox, looked_at, trouble, trouble_since_at, waiting, left_alone, free_bytes, total_bytes)
             VALUES (?1, ?2, ?3, iif(?3 IS NULL, NULL, ?2), ?4, ?5, ?6, ?7)
             ON CONFLICT DO UPDATE SET
                 looked_at = ?2, trouble = ?3, waiting = ?4, left_alone = ?5, free_bytes = ?6, total_bytes = ?7,
                 trouble_since_at = iif(?3 IS NULL, NULL, coalesce(trouble_since_at, ?2))",
            params![
                look.inbox,
                millis(look.looked_at),
                look.trouble,
                look.waiting,
                to_json(&look.not_taken)?,
                free,
                total,
            ],
        )?;
        Ok(())
    }

    /// The last look at an inbox; none where it was never looked at.
    pub fn last_look(&self, inbox: &str) -> Result<Option<LookRecord>, LedgerError> {
        let sql = "SELECT * FROM look WHERE inbox = ?1";
        self.one("read a look", sql, [inbox], look)
    }

    /// Forgets what was wrong with an inbox at its last look, for it is mended.
    pub fn forget_trouble(&self, inbox: &str) -> Result<(), LedgerError> {
        let sql = "UPDATE look SET trouble = NULL, trouble_since_at = NULL WHERE inbox = ?1";
        self.run("forget what was wrong with an inbox", sql, [inbox])?;
        Ok(())
    }

    /// Notes that a sheet of so many orders is worked from now on. Gives of how many something was said before.
    pub fn begin_work(&self, claim: ClaimRef, orders: u64, at: Timestamp) -> Result<u64, LedgerError> {
        self.run(
            "forget the size of ended sheets",
            "DELETE FROM work
             WHERE (SELECT state FROM claim WHERE claim.id = work.claim_id) IN ('done', 'rejected')",
            [],
        )?;
        self.run(
            "write a sheet's size",
            "INSERT OR REPLACE INTO work (claim_id, orders, known, begun_at)
             VALUES (?1, ?2, (SELECT count(*) FROM outcome WHERE claim_id = ?1), ?3)",
            params![claim.0, to_integer(orders), millis(at)],
        )?;
        Ok(self.work(claim)?.map_or(0, |work| work.known))
    }

    /// How large a sheet under way is; none before its first pass has ended.
    pub fn work(&self, claim: ClaimRef) -> Result<Option<WorkRecord>, LedgerError> {
        let sql = "SELECT orders, known, begun_at FROM work WHERE claim_id = ?1";
        self.one("read a sheet's size", sql, [claim.0], |row| {
            Ok(WorkRecord {
                orders: bytes(row, "orders")?,
                known: bytes(row, "known")?,
                begun_at: moment(row, "work", "begun_at")?,
            })
        })
    }

    /// A sheet's orders by status, as its result has them, without the work of writing one. The sheet is not read, so that
    /// what hangs on its content is taken to be so: an order that a younger sheet has taken anew came there with other
    /// content, and a row that was `changed` still is.
    pub fn statuses_of(&self, claim: ClaimRef) -> Result<Vec<(Status, u64)>, LedgerError> {
        let sql = concat!(
            "SELECT coalesce(",
            end_before!(),
            ", CASE WHEN order_ref IS NULL AND orders.state IN ('canceling', 'canceled', 'declined')
                                   THEN orders.state
                               WHEN order_ref IS NULL THEN status
                               WHEN orders.state = 'new' THEN 'waiting'
                               WHEN outcome.status = 'canceling'
                                    AND (orders.state IN ('held', 'sending', 'unresolved')
                                         OR orders.state = 'created' AND orders.claim_id > outcome.claim_id
                                            AND orders.note = '')
                                   THEN 'declined'
                               WHEN orders.state = 'sending' THEN 'unresolved'
                               WHEN orders.state = 'created' AND outcome.status = 'canceling' THEN 'not_canceled'
                               WHEN orders.state = 'created' AND orders.claim_id <> outcome.claim_id
                                   THEN 'already_created'
                               WHEN orders.claim_id = outcome.claim_id AND ",
            undecided!(),
            " THEN 'waiting'
                               ELSE orders.state END) AS word,
                          count(*) AS n
                   FROM outcome LEFT JOIN orders ON orders.id = CASE
                       WHEN order_ref IS NOT NULL THEN order_ref
                       WHEN status = 'changed' AND ",
            in_shop!(),
            " THEN (SELECT own.id FROM orders AS own JOIN claim ON claim.id = outcome.claim_id
                               WHERE own.account_id = claim.account_id AND own.order_id = outcome.order_id
                                 AND own.claim_id < claim.id) END
                   WHERE outcome.claim_id = ?1 GROUP BY word"
        );
        self.all("count a sheet's orders", sql, [claim.0], |row| {
            let word: String = get(row, "word")?;
            let status = word
                .parse()
                .map_err(|_unknown_word| unreadable("outcome", "status", &word))?;
            Ok((status, bytes(row, "n")?))
        })
    }

    /// When something was last told, and when it was last so.
    pub fn notice(&self, key: &str) -> Result<Option<(Timestamp, Timestamp)>, LedgerError> {
        let sql = "SELECT told_at, seen_at FROM notice WHERE key = ?1";
        self.one("read a notice", sql, [key], |row| {
            Ok((
                moment(row, "notice", "told_at")?,
                moment(row, "notice", "seen_at")?,
            ))
        })
    }

    /// Notes that something was told.
    pub fn put_notice(&self, key: &str, at: Timestamp) -> Result<(), LedgerError> {
        let sql = "INSERT INTO notice (key, told_at, seen_at) VALUES (?1, ?2, ?2)
                   ON CONFLICT DO UPDATE SET told_at = ?2, seen_at = ?2";
        self.run("write a notice", sql, params![key, millis(at)])?;
        Ok(())
    }

    /// Notes that something that was told is still so.
    pub fn notice_seen(&self, key: &str, at: Timestamp) -> Result<(), LedgerError> {
        let sql = "UPDATE notice SET seen_at = ?2 WHERE key = ?1";
        self.run("write a notice", sql, params![key, millis(at)])?;
        Ok(())
    }

    /// Forgets what has not been so since then.
    pub fn forget_notices(&self, before: Timestamp) -> Result<(), LedgerError> {
        let sql = "DELETE FROM notice WHERE seen_at < ?1";
        self.run("forget notices", sql, [millis(before)])?;
        Ok(())
    }

    /// How many orders of an account are unresolved, and since when the eldest is.
    pub fn eldest_unresolved(&self, account: AccountRef) -> Result<(u64, Option<Timestamp>), LedgerError> {
        let sql = "SELECT count(*) AS n, min(changed_at) AS eldest FROM orders
                   WHERE account_id = ?1 AND state = 'unresolved'";
        let found = self.one("count unresolved orders", sql, [account.0], |row| {
            Ok((bytes(row, "n")?, moment_or_null(row, "orders", "eldest")?))
        })?;
        Ok(found.unwrap_or_default())
    }

    /// What SQLite's own check finds wrong with the file; none where it is whole.
    pub fn quick_check(&self) -> Result<Option<String>, LedgerError> {
        let said = self.one("check itself", "PRAGMA quick_check(1)", [], |row| {
            get::<String>(row, "quick_check")
        })?;
        Ok(said.filter(|said| said != "ok"))
    }

    /// Sheets by how they ended: `taken`, `worked`, `done`, `rejected`.
    pub fn claims_by_state(&self) -> Result<Vec<(String, u64)>, LedgerError> {
        let sql = "SELECT state, count(*) AS n FROM claim GROUP BY state";
        self.all("count sheets", sql, [], |row| {
            Ok((get(row, "state")?, bytes(row, "n")?))
        })
    }
}

fn look(row: &Row<'_>) -> Result<LookRecord, LedgerError> {
    let free: Option<i64> = get(row, "free_bytes")?;
    let total: Option<i64> = get(row, "total_bytes")?;
    Ok(LookRecord {
        inbox: get(row, "inbox")?,
        looked_at: moment(row, "look", "looked_at")?,
        trouble: get(row, "trouble")?,
        trouble_since: moment_or_null(row, "look", "trouble_since_at")?,
        waiting: count(row, "waiting")?,
        not_taken: json(row, "look", "left_alone")?,
        room: free.zip(total).map(|(free, total)| Room {
            free: u64::try_from(free).unwrap_or(0),
            total: u64::try_from(total).unwrap_or(0),
        }),
    })
}

/// SQLite's integers have a sign: what is beyond them is as much as they hold.
fn to_integer(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn bytes(row: &Row<'_>, column: &'static str) -> Result<u64, LedgerError> {
    let n: i64 = get(row, column)?;
    u64::try_from(n).map_err(|_negative| unreadable("count", column, &n.to_string()))
}
