//! Orders that the service shows under another id of its own than it answered their creates with.

use rusqlite::params;

use super::Store;
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{ListedRecord, OrderRecord, OrderRef, Seen};

impl Store<'_> {
    /// The list shows an order of the name and the content of one that was made, under another id than its create was
    /// answered with. Where nothing was ever shown under that one, and each of its creates was answered, there is one order,
    /// and this is its id: a service may give ids of one kind in its answers and of another in its list. True where it was
    /// taken.
    pub fn take_shown_id(
        &self,
        id: OrderRef,
        listed: &ListedRecord,
        seen: &Seen,
        now: &Now,
    ) -> Result<bool, LedgerError> {
        let Some(order) = self.order(id)?.filter(was_never_shown) else {
            return Ok(false);
        };
        let Some(answered) = &order.pw_order_id else {
            return Ok(false);
        };
        if listed.order_id != order.order_id
            || !self.may_be_one_of(&order, listed)?
            || self.is_proved_another_s(id, &listed.pw_order_id)?
        {
            return Ok(false);
        }
        self.own_alone(id, &listed.pw_order_id, now)?;
        self.forget_listed(order.account, listed)?;
        self.run(
            "take the id that the service shows",
            "UPDATE orders SET pw_order_id = ?2 WHERE id = ?1",
            params![id.0, listed.pw_order_id],
        )?;
        let why = format!(
            "the service shows it as {}, and answered its create with {answered}",
            listed.pw_order_id
        );
        self.put_event((id, order.claim), (order.state, order.state), &why, now)?;
        self.look_at_notices_again(id, &listed.pw_order_id)?;
        self.see(id, seen, now)?;
        Ok(true)
    }
}

/// Whether the service has told nothing of an order since it answered its only create.
fn was_never_shown(order: &OrderRecord) -> bool {
    order.unanswered == 0
        && order.others == 0
        && order.service.is_none()
        && order.order_status.is_none()
        && order.entered_at.is_none()
}
