//! Orders that are not followed: their account is not in the config any more.

use jiff::Timestamp;
use serde::Serialize;

use crate::ledger::record::AccountRef;
use crate::ledger::{LedgerError, Store};
use crate::sync;

/// The orders of an account that are not followed.
#[derive(Debug, Serialize)]
pub struct NotFollowed {
    /// The account.
    pub account: String,
    /// Those without an answer, and those that are still to have news.
    pub orders: u64,
}

impl NotFollowed {
    /// Those of an account that is not in the config; none where it has no such orders.
    pub fn of(
        store: &Store<'_>,
        (account, name): (AccountRef, &str),
        now: Timestamp,
    ) -> Result<Option<Self>, LedgerError> {
        let watched = store.watched_orders(account, sync::followed_since(now))?;
        let (unresolved, _eldest) = store.eldest_unresolved(account)?;
        let orders = unresolved.saturating_add(watched);
        Ok((orders > 0).then(|| Self {
            account: name.to_owned(),
            orders,
        }))
    }

    /// What is so, without an end.
    pub fn what(&self) -> String {
        let (orders, are) = match self.orders {
            1 => ("order", "is"),
            _ => ("orders", "are"),
        };
        format!(
            "{} {orders} of account `{}`, which is not in the config any more, {are} not followed",
            self.orders, self.account
        )
    }

    /// What to do about it.
    pub fn todo(&self) -> String {
        format!(
            "Put [account.{}] back, as it was, to have states, totals and trackings read; `dropsheet report` tells what they \
             cost.",
            self.account
        )
    }
}
