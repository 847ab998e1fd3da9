//! Orders that wait for a person's word, and those that had it and are sent by nobody.

use std::collections::HashMap;

use super::{Configured, Kind, Told};
use crate::ledger::record::{OrderRecord, OrderRef};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};

/// Of held orders, those whose id the service has already by somebody else's hand, with its own ids: a ledger that was put
/// back from a backup does not know what was approved since.
pub(super) fn there_already(
    store: &Store<'_>,
    orders: &[OrderRecord],
) -> Result<HashMap<OrderRef, String>, LedgerError> {
    let mut there = HashMap::new();
    for order in orders {
        let listed = store.listed(order.account, &order.order_id)?;
        let ids: Vec<String> = listed.into_iter().map(|one| one.pw_order_id).collect();
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

/// An approved order, or one without an answer that may have to be sent again, that nobody sends. An inbox says whether it
/// may leave, to its own account alone.
pub(super) fn nobody_sends(order: &OrderRecord, account: &str, worked: &Configured<'_>) -> Option<Told> {
    let inbox = &order.inbox;
    let (why, mend) = match worked.account_of(inbox) {
        Some(own) if own == account => return None,
        Some(other) => (
            format!("its inbox `{inbox}` belongs to account `{other}` in the config by now"),
            format!("Set account = \"{account}\" in [inbox.{inbox}] again"),
        ),
        None => (
            format!("its inbox `{inbox}` is not in the config any more"),
            format!("Put [inbox.{inbox}] back, with account = \"{account}\","),
        ),
    };
    let account_back = if worked.asks(account) {
        String::new()
    } else {
        format!("Put [account.{account}] back, as it was. ")
    };
    let (what, todo) = if order.state == State::Held {
        (
            format!("It was approved for account `{account}` and is not sent: {why}."),
            format!(
                "{account_back}{mend} and start dropsheet again to have it sent, or have the operator give it up with \
                 `dropsheet orders cancel`."
            ),
        )
    } else {
        (
            format!(
                "No answer came when it was ordered; the service is asked. Should it not have the order, nobody sends it: \
                 {why}."
            ),
            format!(
                "Do not order it again. {mend} and start dropsheet again, or have the operator settle it with `dropsheet \
                 orders resolve {} --created PW…` or `--abandon`.",
                order.order_id
            ),
        )
    };
    Some(Told {
        kind: Kind::Stranded,
        since: order.changed_at,
        what,
        todo,
    })
}
