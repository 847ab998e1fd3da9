//! Held orders that the service has already, made by somebody else: a ledger that was put back from a backup does not know
//! what was approved since.

use std::collections::BTreeSet;

use super::Store;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ListedRecord, OrderRecord};
use crate::ledger::state::State;

/// Most held orders among which it is looked for those that the list has come to show.
const MOST: u32 = 10_000;

impl Store<'_> {
    /// What the service lists that a held order is not made beside where it is approved.
    pub fn there_already(&self, order: &OrderRecord) -> Result<Vec<ListedRecord>, LedgerError> {
        let Some(content) = &order.content else {
            return Ok(Vec::new());
        };
        self.at_service(order.account, content, &order.sheet_order_id)
    }

    /// Notes of held orders that the list has come to show just now, by the service's ids: their held sheets are to say it.
    pub fn mark_held_beside(&self, account: AccountRef, new: &[String]) -> Result<(), LedgerError> {
        let mut sheets = BTreeSet::new();
        for order in self.orders_in(account, State::Held, MOST)? {
            let mut there = self.there_already(&order)?.into_iter();
            if there.any(|one| new.contains(&one.pw_order_id)) {
                sheets.insert(order.claim);
            }
        }
        sheets
            .into_iter()
            .try_for_each(|claim| self.mark_held_sheet(claim))
    }
}
