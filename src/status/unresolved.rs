//! Orders without an answer, as a person is shown them.

use jiff::Timestamp;
use serde::Serialize;

use super::{ORDERS, age};
use crate::ledger::record::{AccountRef, OrderRecord};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};

/// Of so many, the eldest, those that a person has to decide are found.
const SEARCHED: u32 = 500;

/// An order without an answer.
#[derive(Debug, Serialize)]
pub struct Unresolved {
    /// Its id as sent.
    pub order_id: String,
    /// The account.
    pub account: String,
    /// The inbox that it came from.
    pub inbox: String,
    /// Since when.
    pub since: Timestamp,
    /// For how long.
    pub age_seconds: u64,
    /// Look-ups that answered and saw none.
    pub looks: u32,
    /// Whether a person has to decide.
    pub needs_person: bool,
    /// Why.
    pub why: String,
}

impl Unresolved {
    /// Those of an account: the eldest, and all that a person has to decide. Where nobody asks about them, which is where
    /// the account is not in the config, that is all of them.
    pub(super) fn all(
        store: &Store<'_>,
        (account, name): (AccountRef, &str),
        is_asked: bool,
        now: Timestamp,
    ) -> Result<Vec<Self>, LedgerError> {
        let mut all = Vec::new();
        let not_asked = (!is_asked).then(|| {
            format!(
                "account `{name}` is not in the config any more, and nobody asks the service: put [account.{name}] back"
            )
        });
        for (place, order) in (0_u32..).zip(store.orders_in(account, State::Unresolved, SEARCHED)?) {
            let absence = store.absence(order.id)?;
            let is_absent = absence.as_ref().is_some_and(|absence| absence.asked.is_some());
            let needs_person = is_absent || !is_asked;
            if place < ORDERS || needs_person {
                let looks = absence.map_or(0, |absence| absence.looks);
                all.push(Self {
                    since: order.changed_at,
                    age_seconds: age(order.changed_at, now).as_secs(),
                    looks,
                    needs_person,
                    why: not_asked
                        .as_ref()
                        .map_or_else(|| why(store, &order), |why| Ok(why.clone()))?,
                    order_id: order.order_id,
                    account: name.to_owned(),
                    inbox: order.inbox,
                });
            }
        }
        Ok(all)
    }
}

fn why(store: &Store<'_>, order: &OrderRecord) -> Result<String, LedgerError> {
    if let Some(reason) = &order.reason {
        return Ok(reason.words(&order.order_id));
    }
    let newest = store.events(order.id)?.pop();
    Ok(newest.map_or_else(String::new, |event| event.why()))
}
