//! What the statements of a transaction add up to, written once before it is committed: how many orders are in each
//! state, how many news there are of each sheet, and which sheets' statuses may be others. Hundreds of orders share a
//! transaction; a statement for each of them would write the same few rows again and again.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use super::{Store, get};
use crate::ledger::LedgerError;
use crate::ledger::record::{ClaimRef, OrderRef};
use crate::ledger::state::State;

/// The sums so far.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// By how many each state has more orders.
    states: BTreeMap<&'static str, i64>,
    /// How many news there are of a sheet.
    news: BTreeMap<ClaimRef, i64>,
    /// Sheets of which an outcome was written or forgotten.
    outcomes: BTreeSet<ClaimRef>,
    /// What holds an account's creates back was changed.
    guards: bool,
}

impl Store<'_> {
    /// Counts an order that has passed from one state to another, or that is new in it.
    pub(super) fn count_state(&self, from: Option<State>, to: State) {
        if from == Some(to) {
            return;
        }
        let mut sums = self.sums.borrow_mut();
        if let Some(from) = from {
            *sums.states.entry(from.word()).or_default() -= 1;
        }
        *sums.states.entry(to.word()).or_default() += 1;
    }

    /// Marks every sheet that speaks of an order, whether a row of it follows the order or came with something else: its
    /// result has news, or is being written without them.
    pub(super) fn mark_sheets_of(&self, order: OrderRef) -> Result<(), LedgerError> {
        let sql = "SELECT outcome.claim_id FROM outcome WHERE order_ref = ?1
                   UNION SELECT outcome.claim_id FROM orders CROSS JOIN outcome INDEXED BY outcome_of_none
                       ON outcome.order_id = orders.order_id AND order_ref IS NULL
                   WHERE orders.id = ?1 AND status = 'changed' AND outcome.claim_id <> orders.claim_id
                     AND (SELECT account_id FROM claim WHERE id = outcome.claim_id) = orders.account_id";
        let claims = self.all("find the sheets of an order", sql, [order.0], |row| {
            Ok(ClaimRef(get(row, "claim_id")?))
        })?;
        let mut sums = self.sums.borrow_mut();
        for claim in claims {
            *sums.news.entry(claim).or_default() += 1;
        }
        Ok(())
    }

    /// Notes that what is said in a sheet may make its statuses others.
    pub(super) fn note_outcome(&self, claim: ClaimRef) {
        self.sums.borrow_mut().outcomes.insert(claim);
    }

    /// Notes that what holds an account's creates back is changed.
    pub(super) fn note_guards(&self) {
        self.sums.borrow_mut().guards = true;
    }

    /// Writes the sums; the transaction is about to be committed. Gives whether what holds an account's creates back was
    /// changed.
    pub(in crate::ledger) fn put_sums(&self) -> Result<bool, LedgerError> {
        let sums = self.sums.take();
        for (state, more) in sums.states.iter().filter(|(_state, more)| **more != 0) {
            self.run(
                "count orders by state",
                "INSERT INTO tally VALUES (?1, ?2) ON CONFLICT DO UPDATE SET orders = orders + ?2",
                params![state, more],
            )?;
        }
        for (claim, news) in &sums.news {
            self.run(
                "mark the sheets of orders",
                "UPDATE claim SET stale = stale + ?2, changes = changes + ?2 WHERE id = ?1",
                params![claim.0, news],
            )?;
        }
        for claim in &sums.outcomes {
            // Those of a sheet that has not ended are counted anew in any case.
            self.run(
                "note what is said of a sheet",
                "UPDATE claim SET changes = changes + 1 WHERE id = ?1 AND state = 'done'",
                [claim.0],
            )?;
        }
        Ok(sums.guards)
    }
}
