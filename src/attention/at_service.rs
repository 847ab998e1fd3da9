//! What is told of an order by what the service has of it.

use std::collections::HashMap;

use jiff::Timestamp;

use super::{Kind, ORDERS_TOLD, Told};
use crate::ledger::record::{ListedRecord, OrderRecord, OrderRef, told};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};

/// The service has an order that counted as not there: it is printing, and somebody may have ordered it another way.
pub(super) fn after_all(order: &OrderRecord, was: State, since: Timestamp) -> Told {
    let before = if was == State::Refused {
        "The service refused it"
    } else {
        "A person gave it up"
    };
    Told {
        kind: Kind::AfterAll,
        since,
        what: format!("{before}, and the service has it after all."),
        todo: format!(
            "Let it be printed, or have the operator run `dropsheet orders cancel {}`: if it was ordered in another way \
             since, one of the two is one too many.",
            order.order_id
        ),
    }
}

/// What is remarkable of an order that the service has.
///
/// `others`: the service's ids of those that are too many, as far as the list has shown them.
pub(super) fn remarkable(order: &OrderRecord, others: &str, now: Timestamp) -> Vec<Told> {
    let mut told = Vec::new();
    if !matches!(order.state, State::Created | State::Canceling) {
        let gone_on = gone_on(order);
        // Of one that is over, another charge is right.
        let charge = gone_on.is_some().then(|| charge(order, now)).flatten();
        told.extend(gone_on);
        told.extend(too_many(order, others));
        told.extend(charge);
        return told;
    }
    if let (Some(since), Some(what)) = (order.trouble_at, order.trouble_told()) {
        told.push(Told {
            kind: Kind::Problem,
            since,
            what,
            todo: told::MEND.to_owned(),
        });
    }
    // Its words, where they name the trouble, say more than that a notice came.
    let noticed = order.noticed_at.filter(|since| is_recent(*since, now));
    if let Some(since) = noticed.filter(|_| order.trouble_at.is_none()) {
        told.push(Told {
            kind: Kind::Problem,
            since,
            what: told::NOTICED.to_owned(),
            todo: told::LOOK.to_owned(),
        });
    }
    if let Some(since) = order.missing_at {
        told.push(Told {
            kind: Kind::Missing,
            since,
            what: told::MISSING.to_owned(),
            todo: told::ASK.to_owned(),
        });
    }
    told.extend(too_many(order, others));
    told.extend(charge(order, now));
    told
}

fn is_recent(since: Timestamp, now: Timestamp) -> bool {
    now.duration_since(since) <= ORDERS_TOLD
}

/// The service charges something else than it quoted.
fn charge(order: &OrderRecord, now: Timestamp) -> Option<Told> {
    let since = order.differs_at.filter(|since| is_recent(*since, now))?;
    order.charge_told().map(|what| Told {
        kind: Kind::TotalDiffers,
        since,
        what,
        todo: "Compare both on the page Orders of the result, and ask the print service.".to_owned(),
    })
}

/// What a person has to look at of an order that the service has, but for others of its id: a sentence each.
pub fn troubles(order: &OrderRecord, now: Timestamp) -> Vec<String> {
    let told = remarkable(order, "", now).into_iter();
    told.filter(|told| told.kind != Kind::Duplicate)
        .map(|told| told.what)
        .collect()
}

/// The service has confirmed the cancel of an order and goes on with it all the same.
fn gone_on(order: &OrderRecord) -> Option<Told> {
    order.gone_on_since().map(|since| Told {
        kind: Kind::Problem,
        since,
        what: order.gone_on_told(),
        todo: format!(
            "Ask the print service, or have the operator ask it once more with `dropsheet orders cancel {}`.",
            order.order_id
        ),
    })
}

/// The service's ids of what it has too many of some orders. What it has canceled is named where too few are left: it is so
/// what the next look for them takes off.
pub(super) fn others_of(
    store: &Store<'_>,
    orders: &[OrderRecord],
) -> Result<HashMap<OrderRef, String>, LedgerError> {
    let mut all = HashMap::new();
    for order in orders.iter().filter(|order| order.others > 0) {
        let surplus = store.surplus(order)?.into_iter();
        let (canceled, live): (Vec<_>, Vec<_>) = surplus.partition(ListedRecord::is_canceled);
        let is_short = u32::try_from(live.len()).is_ok_and(|live| live < order.others);
        let mut ids: Vec<String> = live.into_iter().map(|one| one.pw_order_id).collect();
        if is_short {
            let canceled = canceled.into_iter();
            ids.extend(canceled.map(|one| format!("{}: canceled there", one.pw_order_id)));
        }
        all.insert(order.id, ids.join(", "));
    }
    Ok(all)
}

/// The service has more of an order than it should.
fn too_many(order: &OrderRecord, others: &str) -> Option<Told> {
    let mut what = order.others_told()?;
    if !others.is_empty() {
        what = format!("{} ({others}).", what.trim_end_matches('.'));
    }
    let todo = if order.is_there_all_the_same() {
        format!(
            "It is printed unless it is canceled there: drop its cancel once more, or have the operator run `dropsheet orders \
             cancel {}`.",
            order.order_id
        )
    } else {
        "Look at them, and have the surplus canceled at the print service; dropsheet cancels none by itself."
            .to_owned()
    };
    Some(Told {
        kind: Kind::Duplicate,
        since: order.changed_at,
        what,
        todo,
    })
}
