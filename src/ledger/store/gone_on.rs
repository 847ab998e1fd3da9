//! Orders that the service goes on with though it has confirmed their cancel, or has though they were canceled as not being
//! there: which those are, and the cancel that is asked for once more. What the service said before the confirmation it may
//! only say still, for its list lags: only what has come since tells.

use jiff::Timestamp;
use rusqlite::params;

use super::orders::illegal;
use super::{Store, get, millis, moment};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, OrderRecord, OrderRef};
use crate::ledger::state::{Event, State};
use crate::standing;
use crate::tracking::{self, Parcel};

/// An order whose cancel was confirmed, with which the service may go on all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatelyCanceled {
    /// When it was entered, or else canceled.
    pub at: Timestamp,
    /// Whether the service's list has said too that it is canceled.
    pub is_said: bool,
}

impl OrderRecord {
    /// Since when the service is known to go on with it though its cancel was confirmed. A trouble that is older is one
    /// that it had before.
    pub fn gone_on_since(&self) -> Option<Timestamp> {
        let since = self.trouble_at.filter(|since| *since >= self.changed_at);
        since.filter(|_| self.state == State::Canceled && self.pw_order_id.is_some())
    }

    /// Whether it was canceled as one that the service does not have, and the service's list has shown some of it since.
    pub fn is_there_all_the_same(&self) -> bool {
        self.state == State::Canceled && self.pw_order_id.is_none() && self.others > 0
    }

    /// Whether a cancel of it asks the service, though it counts as canceled.
    pub fn is_canceled_in_vain(&self) -> bool {
        self.gone_on_since().is_some() || self.is_there_all_the_same()
    }

    /// The service's word by which it goes on, or else that there is a tracking.
    pub fn gone_on_by(&self) -> &str {
        standing::goes_on(self.order_status.as_deref()).unwrap_or("it has a tracking")
    }
}

/// Whether the service goes on with a canceled order, by what it said of it before and says now.
pub(super) fn goes_on(before: &OrderRecord, after: &OrderRecord) -> bool {
    let word = after.order_status.as_deref();
    let is_new_word = before.order_status != after.order_status;
    let has_come = is_followed(after) && !is_followed(before);
    if has_come || (is_new_word && standing::goes_on(word).is_some()) {
        return true;
    }
    let is_over = is_new_word && standing::says_canceled(word);
    !is_over && before.gone_on_since().is_some() && (standing::goes_on(word).is_some() || is_followed(after))
}

/// Whether a parcel of it can be followed.
pub(super) fn is_followed(order: &OrderRecord) -> bool {
    let parcels = order.trackings.as_deref().map(tracking::parcels);
    parcels.is_some_and(|parcels| parcels.iter().any(Parcel::is_told))
}

impl Store<'_> {
    /// A cancel is wished once more, of an order that the service goes on with, or has after all; `why` says by whom. What
    /// the service said of it is forgotten: said again after another confirmation, it is news. Where nothing that the
    /// service lists can be the order, or is still to be canceled, it stays canceled.
    ///
    /// # Errors
    /// [`LedgerError::Illegal`] where it is not [canceled in vain](OrderRecord::is_canceled_in_vain).
    pub fn ask_cancel_again(&self, id: OrderRef, why: &str, now: &Now) -> Result<State, LedgerError> {
        let current = self.known(id)?;
        let order = self.order(id)?.filter(OrderRecord::is_canceled_in_vain);
        let Some(order) = order else {
            return Err(illegal(&current, Event::AskCancelAgain));
        };
        if order.is_there_all_the_same() && !self.take_what_is_there(&order, now)? {
            return Ok(order.state);
        }
        let state = self.step(&current, Event::AskCancelAgain, why, now)?;
        let sql = "UPDATE orders SET trouble_at = NULL, order_status = NULL, note = '', reason = NULL WHERE id = ?1";
        self.run("forget what the service said of an order", sql, [id.0])?;
        Ok(state)
    }

    /// The orders of an account that the service has and whose cancel was confirmed since a moment.
    pub fn lately_canceled(
        &self,
        account: AccountRef,
        since: Timestamp,
    ) -> Result<Vec<LatelyCanceled>, LedgerError> {
        let sql = "SELECT coalesce(entered_at, changed_at) AS at, order_status FROM orders INDEXED BY orders_newest
                   WHERE changed_at >= ?2 AND state = 'canceled' AND account_id = ?1 AND pw_order_id IS NOT NULL";
        self.all(
            "list canceled orders",
            sql,
            params![account.0, millis(since)],
            |row| {
                let word: Option<String> = get(row, "order_status")?;
                Ok(LatelyCanceled {
                    at: moment(row, "orders", "at")?,
                    is_said: standing::says_canceled(word.as_deref()),
                })
            },
        )
    }
}
