//! Approved orders whose id is that of another order with a word for an end beside it: sent, they would be a second one.

use super::Submitter;
use super::hold;
use crate::finding::Code;
use crate::ledger::LedgerError;
use crate::ledger::record::OrderRecord;
use crate::ledger::state::State;
use crate::order::{ids_beside_a_mark, quoted};
use crate::quote::Hold;

impl Submitter {
    /// Why an approved order is held again, where the order that its id speaks of is, or may be, printed: none where it was
    /// approved with that said.
    pub(super) fn beside_its_own(&self, order: &OrderRecord) -> Result<Option<Hold>, LedgerError> {
        let ids = ids_beside_a_mark(&order.sheet_order_id);
        if ids.is_empty() {
            return Ok(None);
        }
        let found = self.ledger.read(|store| store.called_any(&order.inbox, &ids))?;
        let is_said = |hold: &Hold| order.holds.contains(hold);
        Ok(found
            .iter()
            .find_map(|other| told(order, other))
            .filter(|hold| !is_said(hold)))
    }
}

fn told(order: &OrderRecord, other: &OrderRecord) -> Option<Hold> {
    let id = &other.sheet_order_id;
    let became = match (other.state, other.pw_order_id.as_deref()) {
        (State::Created, Some(name)) => format!("is at the printer as {name}"),
        (State::Created, None) => "is at the printer".to_owned(),
        (State::Sending | State::Unresolved, _) => "was sent, and no answer has come yet".to_owned(),
        (State::Held, _) => "is held".to_owned(),
        (
            State::New
            | State::Canceling
            | State::Canceled
            | State::Refused
            | State::Abandoned
            | State::Declined,
            _,
        ) => return None,
    };
    let message = format!(
        "Its id says {}, and the order {id} {became}: this would be a second one. Decline it, unless both are to be printed.",
        quoted(&order.sheet_order_id)
    );
    Some(hold(Code::ShopHold, message))
}
