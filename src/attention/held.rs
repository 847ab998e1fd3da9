//! Orders that wait for a person's word.

use std::collections::HashMap;

use super::{Kind, Told};
use crate::ledger::record::{OrderRecord, OrderRef};
use crate::ledger::{LedgerError, Store};

/// Of held orders, those whose id the service has already by somebody else's hand, with its own ids: a ledger that was put
/// back from a backup does not know what was approved since.
pub(super) fn there_already(
    store: &Store<'_>,
    orders: &[OrderRecord],
) -> Result<HashMap<OrderRef, String>, LedgerError> {
    let mut there = HashMap::new();
    for order in orders {
        let listed = store.there_already(order)?.into_iter();
        let ids: Vec<String> = listed.map(|one| one.called(&order.order_id)).collect();
        if !ids.is_empty() {
            there.insert(order.id, ids.join(", "));
        }
    }
    Ok(there)
}

pub(super) fn held(order: &OrderRecord, there: Option<&String>) -> Told {
    let why: Vec<&str> = order.holds.iter().map(|hold| hold.message.as_str()).collect();
    if let Some(ids) = there {
        return Told {
            kind: Kind::Held,
            since: order.changed_at,
            what: format!(
                "It waits for approval, and the service has an order of this id already, {ids}, of which this ledger does not know."
            ),
            todo: "If that one is it, move the sheet's file from held/ to approved/: nothing is sent, and its row says so. Else \
                   to declined/, and drop it under another id."
                .to_owned(),
        };
    }
    Told {
        kind: Kind::Held,
        since: order.changed_at,
        what: format!("It waits for approval: {}", why.join(" ")),
        todo: "Move the sheet's file from held/ to approved/ or declined/.".to_owned(),
    }
}
