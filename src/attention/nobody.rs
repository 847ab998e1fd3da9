//! Orders that nobody carries on: their account is not in the config any more, or their inbox, which alone says whether they
//! may leave, is not, or belongs to another account.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Configured, Kind, Told, name_of};
use crate::ledger::record::{AccountRef, OrderRecord, OrderRef};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};

/// What an order is told to be that nobody carries on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftToNobody {
    /// Why, as a sentence.
    pub what: String,
    /// Whether its service is asked about it all the same.
    pub is_asked: bool,
}

/// What is told of an order, where nobody carries it on as the config is; `accounts` are the ledger's.
pub fn by_nobody(
    order: &OrderRecord,
    accounts: &[(AccountRef, String)],
    worked: &Configured,
) -> Option<LeftToNobody> {
    let account = name_of(accounts, order.account);
    let told = nobody(order, account, worked)?;
    Some(LeftToNobody {
        what: told.what,
        is_asked: worked.asks(account),
    })
}

/// The orders that nobody carries on as the config is, each with why.
pub fn left_to_nobody(
    store: &Store<'_>,
    worked: &Configured,
) -> Result<BTreeMap<OrderRef, String>, LedgerError> {
    let accounts = store.accounts()?;
    let mut left = BTreeMap::new();
    let mut orders = Vec::new();
    for (account, _name) in &accounts {
        for approved in store.approved(*account)? {
            orders.extend(store.order(approved.order)?);
        }
    }
    // Of these there are few.
    for state in [State::Unresolved, State::Canceling] {
        orders.extend(store.orders_since(state, Timestamp::MIN, u32::MAX)?);
    }
    for order in orders {
        if let Some(told) = nobody(&order, name_of(&accounts, order.account), worked) {
            left.insert(order.id, told.what);
        }
    }
    Ok(left)
}

/// What is told of an order that nobody carries on; none of one that is carried on, or waits for a person who is heard.
pub(super) fn nobody(order: &OrderRecord, account: &str, worked: &Configured) -> Option<Told> {
    match order.state {
        State::Held if order.approved_total.is_some() => nobody_sends(order, account, worked),
        State::Held => nobody_hears(order, account, worked),
        State::Unresolved => unasked(order, Kind::Unresolved, account, worked)
            .or_else(|| nobody_sends(order, account, worked).filter(|_| order.reason.is_none())),
        State::Canceling => unasked(order, Kind::Canceling, account, worked),
        State::New
        | State::Sending
        | State::Created
        | State::Canceled
        | State::Refused
        | State::Abandoned
        | State::Declined => None,
    }
}

/// What is told of an order that has no answer, or a cancel that is not confirmed, where nobody asks for it; none where its
/// account is worked.
fn unasked(order: &OrderRecord, kind: Kind, account: &str, worked: &Configured) -> Option<Told> {
    let what = if kind == Kind::Canceling {
        "Its cancel is not confirmed"
    } else {
        "No answer came when it was ordered"
    };
    let give_up = if kind == Kind::Canceling {
        String::new()
    } else {
        format!(
            " Where that account is not to come back, have the operator ask its print service, and give it up with `dropsheet \
             orders resolve {} --abandon`.",
            order.order_id
        )
    };
    (!worked.asks(account)).then(|| Told {
        kind,
        since: order.changed_at,
        what: format!(
            "{what}, and nobody asks the service: its account `{account}` is not in the config any more."
        ),
        todo: format!(
            "Put [account.{account}] back, as it was, and start dropsheet again. Until then do not order it again.{give_up}"
        ),
    })
}

/// An order that waits for a person's word, which is looked for in the folders of its inbox alone.
fn nobody_hears(order: &OrderRecord, account: &str, worked: &Configured) -> Option<Told> {
    let inbox = &order.inbox;
    worked.account_of(inbox).is_none().then(|| Told {
        kind: Kind::Stranded,
        since: order.changed_at,
        what: format!(
            "It waits for approval, and nobody looks for that: its inbox `{inbox}` is not in the config any more."
        ),
        todo: format!(
            "Put [inbox.{inbox}] back, with account = \"{account}\", and start dropsheet again, then move the sheet's file from \
             held/ to approved/ or declined/; or have the operator give it up with `dropsheet orders cancel`."
        ),
    })
}

/// An approved order, or one without an answer that may have to be sent again, that nobody sends. An inbox says whether it
/// may leave, to its own account alone.
fn nobody_sends(order: &OrderRecord, account: &str, worked: &Configured) -> Option<Told> {
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
