//! Orders of accounts that are not in the config: what a person may decide of them though their service cannot be asked.
//! None becomes sendable by it that was not: one that may be at its service is sent with no other account.

use crate::daemon::{DaemonError, Desks};
use crate::ledger::record::{AccountRef, OrderRecord, OrderRef};
use crate::ledger::state::State;
use crate::submit::BY_PERSON;

/// What is told of an order that was given up so.
pub(super) const GIVEN_UP: &str = "given up; its service was not asked, for its account is not in the config, and may have it: \
                                   dropped again it is looked up there first, and with another account it is not sent";

/// Declines an order that is held, as a cancel of any does without asking its service. Gives the order as it then is; none
/// where the service would have to be asked.
pub(super) async fn decline(desks: &Desks, id: OrderRef) -> Result<Option<OrderRecord>, DaemonError> {
    let now = desks.clock.now();
    let declined = desks.ledger.write(move |store| {
        let Some(order) = store.order(id)? else {
            return Ok(None);
        };
        if order.is_canceled_in_vain() || !order.state.is_canceled_here() {
            return Ok(None);
        }
        if order.state == State::Held {
            store.ask_cancel(id, BY_PERSON, &now)?;
        }
        store.order(id)
    });
    Ok(declined.await?)
}

/// Gives an order without an answer up, at a person's word alone; false where it is none.
pub(super) async fn abandon(desks: &Desks, id: OrderRef) -> Result<bool, DaemonError> {
    let now = desks.clock.now();
    let abandoned = desks.ledger.write(move |store| {
        let state = store.order(id)?.map(|order| order.state);
        if state == Some(State::Unresolved) {
            store.abandon(id, &now)?;
        }
        Ok(matches!(state, Some(State::Unresolved | State::Abandoned)))
    });
    Ok(abandoned.await?)
}

/// Why nothing else is done of an order, and what to do.
pub(super) fn not_asked(desks: &Desks, account: AccountRef) -> Result<String, DaemonError> {
    let accounts = desks.ledger.read(|store| store.accounts())?;
    let known = accounts.into_iter().find(|(id, _name)| *id == account);
    let name = known.map_or_else(String::new, |(_id, name)| name);
    Ok(format!(
        "its account `{name}` is not in the config any more, so that its service cannot be asked: put [account.{name}] back, \
         as it was, and start dropsheet again"
    ))
}
