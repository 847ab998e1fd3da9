//! Taken sheets.

use crate::ledger::LedgerError;
use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{Store, count, get, millis, moment, moment_or_null, unreadable};
use crate::ledger::record::{AccountRef, Claim, ClaimRef, ClaimState, NewClaim, Purpose};

impl Store<'_> {
    /// Writes down that a sheet is taken: its bytes are in the spool, its original is about to be moved.
    pub fn take(&self, claim: &NewClaim) -> Result<ClaimRef, LedgerError> {
        self.run(
            "write a claim",
            "INSERT INTO claim (account_id, inbox, purpose, place, sheet_name, stem, hash, stamp, taken_at, out_path, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'taken')",
            params![
                claim.account.0,
                claim.inbox,
                purpose_word(claim.purpose),
                claim.place,
                claim.sheet_name,
                claim.stem,
                claim.hash,
                claim.stamp,
                millis(claim.taken_at),
                claim.out_path,
            ],
        )?;
        let id = ClaimRef(self.db.last_insert_rowid());
        self.run(
            "forget a sighting",
            "DELETE FROM sighting WHERE place = ?1",
            [&claim.place],
        )?;
        Ok(id)
    }

    /// Whether a stem is taken in an inbox.
    pub fn stem_is_taken(&self, inbox: &str, stem: &str) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM claim WHERE inbox = ?1 AND stem = ?2";
        Ok(self
            .one("find a stem", sql, [inbox, stem], |_row| Ok(()))?
            .is_some())
    }

    /// The taken sheet of a stem.
    pub fn claim_of_stem(&self, inbox: &str, stem: &str) -> Result<Option<Claim>, LedgerError> {
        let sql = "SELECT * FROM claim WHERE inbox = ?1 AND stem = ?2";
        self.one("find a stem", sql, [inbox, stem], claim)
    }

    /// A taken sheet.
    pub fn claim(&self, id: ClaimRef) -> Result<Option<Claim>, LedgerError> {
        self.one("read a claim", "SELECT * FROM claim WHERE id = ?1", [id.0], claim)
    }

    /// The taken sheets that are not done, oldest first.
    pub fn open_claims(&self) -> Result<Vec<Claim>, LedgerError> {
        let sql = "SELECT * FROM claim WHERE state IN ('taken', 'worked') ORDER BY id";
        self.all("list open claims", sql, [], claim)
    }

    /// Whether a sheet of the account or the inbox that was taken before this one may still send orders.
    pub fn is_behind(&self, account: AccountRef, inbox: &str, claim: ClaimRef) -> Result<bool, LedgerError> {
        // The index's own words besides: SQLite does not see that one state is among two.
        let sql = "SELECT 1 FROM claim INDEXED BY claim_open
                   WHERE state IN ('taken', 'worked') AND state = 'taken'
                     AND (account_id = ?1 OR inbox = ?2) AND id < ?3 AND purpose = 'send' LIMIT 1";
        let before = params![account.0, inbox, claim.0];
        Ok(self
            .one("look for older sheets", sql, before, |_row| Ok(()))?
            .is_some())
    }

    /// The done sheets whose result has news, oldest first.
    pub fn stale_claims(&self) -> Result<Vec<Claim>, LedgerError> {
        let sql = "SELECT * FROM claim INDEXED BY claim_stale WHERE stale > 0 AND state = 'done' ORDER BY id";
        self.all("list claims with news", sql, [], claim)
    }

    /// The newest taken sheets, newest first.
    pub fn newest_claims(&self, most: u32) -> Result<Vec<Claim>, LedgerError> {
        self.all(
            "list claims",
            "SELECT * FROM claim ORDER BY id DESC LIMIT ?1",
            [most],
            claim,
        )
    }

    /// Taken sheets of a place whose original could not be moved away.
    pub fn left_in_place(&self, place: &str) -> Result<Vec<Claim>, LedgerError> {
        let sql = "SELECT * FROM claim INDEXED BY claim_left WHERE place = ?1 AND left_in_place = 1";
        self.all("list claims left in place", sql, [place], claim)
    }

    /// The same of all places of an inbox.
    pub fn all_left_in_place(&self, inbox: &str) -> Result<Vec<Claim>, LedgerError> {
        let sql = "SELECT * FROM claim INDEXED BY claim_left WHERE left_in_place = 1 AND inbox = ?1";
        self.all("list claims left in place", sql, [inbox], claim)
    }

    /// Notes how far a sheet is. What a rejected one asked for is not done.
    pub fn set_claim_state(&self, id: ClaimRef, state: ClaimState) -> Result<(), LedgerError> {
        let sql = "UPDATE claim SET state = ?2, changes = changes + 1 WHERE id = ?1";
        self.run("write a claim's state", sql, params![id.0, state_word(state)])?;
        match state {
            ClaimState::Taken => return Ok(()),
            ClaimState::Rejected => self.withdraw_wishes(id)?,
            ClaimState::Worked | ClaimState::Done => {}
        }
        self.forget_wishes()
    }

    /// Notes whether a sheet's original could not be moved away.
    pub fn set_left_in_place(&self, id: ClaimRef, left: bool) -> Result<(), LedgerError> {
        let sql = "UPDATE claim SET left_in_place = ?2 WHERE id = ?1";
        self.run("write a claim's place", sql, params![id.0, left])?;
        Ok(())
    }

    /// Notes how the original of a sheet stands now.
    pub fn set_stamp(&self, id: ClaimRef, stamp: &str) -> Result<(), LedgerError> {
        let sql = "UPDATE claim SET stamp = ?2 WHERE id = ?1";
        self.run("write how a sheet's original stands", sql, params![id.0, stamp])?;
        Ok(())
    }

    /// Notes where a result is about to be put and what it holds: a file with this hash is dropsheet's own.
    pub fn set_result(&self, id: ClaimRef, path: &str, hash: &str, at: Timestamp) -> Result<(), LedgerError> {
        self.run(
            "write a claim's result",
            "UPDATE claim SET result_path = ?2, result_hash = ?3, result_at = ?4 WHERE id = ?1",
            params![id.0, path, hash, millis(at)],
        )?;
        Ok(())
    }

    /// Notes that a sheet has no result any more.
    pub fn forget_result(&self, id: ClaimRef) -> Result<(), LedgerError> {
        self.run(
            "forget a claim's result",
            "UPDATE claim SET result_path = NULL, result_hash = NULL, result_at = NULL, changes = changes + 1 WHERE id = ?1",
            [id.0],
        )?;
        Ok(())
    }

    /// Notes that a result is about to be written with all that is known now, or that it cannot be written again: what
    /// comes after this is news.
    pub fn forget_news(&self, id: ClaimRef) -> Result<(), LedgerError> {
        self.run(
            "forget a claim's news",
            "UPDATE claim SET stale = 0 WHERE id = ?1",
            [id.0],
        )?;
        Ok(())
    }

    /// How many news there have been of a sheet since its result was last written: to be asked before the result is
    /// written, and given to [`Store::news_told`] when it is in its place.
    pub fn news(&self, id: ClaimRef) -> Result<u32, LedgerError> {
        let sql = "SELECT stale FROM claim WHERE id = ?1";
        let news = self.one("read a claim's news", sql, [id.0], |row| count(row, "stale"))?;
        Ok(news.unwrap_or(0))
    }

    /// Notes that a sheet's result tells these news. Others that came meanwhile make it be written again.
    pub fn news_told(&self, id: ClaimRef, news: u32) -> Result<(), LedgerError> {
        let sql = "UPDATE claim SET stale = 0 WHERE id = ?1 AND stale = ?2";
        self.run("write a claim's news", sql, params![id.0, news])?;
        Ok(())
    }

    /// Notes that a sheet's result has news.
    pub fn mark_stale(&self, id: ClaimRef) -> Result<(), LedgerError> {
        self.run(
            "write a claim's news",
            "UPDATE claim SET stale = stale + 1 WHERE id = ?1",
            [id.0],
        )?;
        Ok(())
    }

    /// Notes that older sheets of the same inbox have news: orders that had errors in them are this sheet's now.
    pub fn mark_mended_by(&self, id: ClaimRef) -> Result<(), LedgerError> {
        // From the sheet's orders to the few outcomes of their ids that follow none, not the other way round.
        self.run(
            "write the news of older claims",
            "UPDATE claim SET stale = stale + 1
             WHERE state = 'done'
                 AND (account_id, inbox) = (SELECT account_id, inbox FROM claim WHERE id = ?1)
                 AND id IN (SELECT outcome.claim_id
                     FROM orders CROSS JOIN outcome INDEXED BY outcome_of_none
                         ON outcome.order_id = orders.order_id AND outcome.order_ref IS NULL
                     WHERE orders.claim_id = ?1 AND outcome.claim_id < ?1 AND outcome.status = 'invalid')",
            [id.0],
        )?;
        Ok(())
    }
}

pub(super) fn claim(row: &Row<'_>) -> Result<Claim, LedgerError> {
    let purpose: String = get(row, "purpose")?;
    let state: String = get(row, "state")?;
    let path: Option<String> = get(row, "result_path")?;
    let hash: Option<String> = get(row, "result_hash")?;
    Ok(Claim {
        id: ClaimRef(get(row, "id")?),
        new: NewClaim {
            account: AccountRef(get(row, "account_id")?),
            inbox: get(row, "inbox")?,
            purpose: if purpose == "try" {
                Purpose::Try
            } else {
                Purpose::Send
            },
            place: get(row, "place")?,
            sheet_name: get(row, "sheet_name")?,
            stem: get(row, "stem")?,
            hash: get(row, "hash")?,
            stamp: get(row, "stamp")?,
            taken_at: moment(row, "claim", "taken_at")?,
            out_path: get(row, "out_path")?,
        },
        state: match state.as_str() {
            "taken" => ClaimState::Taken,
            "worked" => ClaimState::Worked,
            "done" => ClaimState::Done,
            "rejected" => ClaimState::Rejected,
            _ => return Err(unreadable("claim", "state", &state)),
        },
        left_in_place: get(row, "left_in_place")?,
        result: path.zip(hash),
        result_at: moment_or_null(row, "claim", "result_at")?,
        changes: get(row, "changes")?,
    })
}

fn purpose_word(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Send => "send",
        Purpose::Try => "try",
    }
}

fn state_word(state: ClaimState) -> &'static str {
    match state {
        ClaimState::Taken => "taken",
        ClaimState::Worked => "worked",
        ClaimState::Done => "done",
        ClaimState::Rejected => "rejected",
    }
}
