//! Held orders that the service has already, made by somebody else: a ledger that was put back from a backup does not know
//! what was approved since.

use std::collections::BTreeSet;

use super::{Store, get};
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

    /// What the service goes on with where a held order is declined: the same order over again, be it under its name in
    /// another writing. Of another account of the service, as where the inbox has one now that lists it, also where it goes
    /// has to be shown, and to be the same.
    pub fn left_there(&self, order: &OrderRecord) -> Result<Vec<ListedRecord>, LedgerError> {
        let Some(content) = &order.content else {
            return Ok(Vec::new());
        };
        let mut left = self.there_already(order)?;
        for account in self.accounts_beside(order.account)? {
            let there = self.at_service(account, content, &order.sheet_order_id)?;
            let goes_there =
                |one: &ListedRecord| one.zip.is_some() && one.addressee.difference(content).is_none();
            left.extend(there.into_iter().filter(goes_there));
        }
        left.retain(|one| one.is_same(content) && !one.is_canceled());
        Ok(left)
    }

    fn accounts_beside(&self, account: AccountRef) -> Result<Vec<AccountRef>, LedgerError> {
        let sql = "SELECT id FROM account WHERE id <> ?1
                   AND base_url = (SELECT base_url FROM account WHERE id = ?1)";
        self.all("list accounts of a service", sql, [account.0], |row| {
            Ok(AccountRef(get(row, "id")?))
        })
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
