//! Whose an order is that the service shows by the id of one of ours: a service that forgets orders may give their ids out
//! again, and one that mixes its answers up gives the id of one to another at once.

use super::to_listed;
use crate::clock::Now;
use crate::ledger::record::OrderRecord;
use crate::ledger::{Ledger, LedgerError};
use crate::service::ListedOrder;

/// Whose it is.
pub(super) enum Whose {
    /// The order's own, as far as is known.
    Its,
    /// Another order's of the ledger.
    Anothers,
    /// The same, and the order that had its id from an answer alone has it no more: what is told of that.
    Taken(String),
}

/// Tells by the name that the service shows whose an order is that was asked for as one of ours.
pub(super) async fn whose(
    ledger: &Ledger,
    order: &OrderRecord,
    shown: &ListedOrder,
    now: &Now,
) -> Result<Whose, LedgerError> {
    let named = ledger.read(|store| store.named(order.account, &shown.order_name))?;
    let Some(other) = named.map(|(id, ..)| id).filter(|id| *id != order.id) else {
        return Ok(Whose::Its);
    };
    let (listed, account, now) = (to_listed(shown), order.account, now.clone());
    let taken = ledger.write(move |store| store.take_from_others((other, account), &listed, &now));
    Ok(if taken.await? {
        Whose::Taken(format!(
            "its create was answered with {}, and that is the order `{}`; it is looked up",
            shown.pw_order_id, shown.order_name
        ))
    } else {
        Whose::Anothers
    })
}
