//! An order that is at the service already, made by somebody else: what that means for the one of a sheet. Pure.

use crate::finding::{Code, Finding};
use crate::ledger::record::{ListedRecord, OrderRecord, Outcome};
use crate::order::Order;
use crate::outcome::Status;
use crate::reconcile::Signature;

/// Completes the outcome of an order that is at the service already, made by somebody else, or whose name is; false where
/// neither is. Of an order that is `known` to have a create without an answer, it may be that one's.
pub fn existing(
    listed: &[ListedRecord],
    order: &Order,
    known: Option<&OrderRecord>,
    outcome: &mut Outcome,
) -> bool {
    let Some(first) = listed.first() else { return false };
    let alike = || listed.iter().filter(|one| one.is_same(order));
    let elsewhere = |one: &ListedRecord| one.addressee.difference(order);
    // One that is printed tells more of what becomes of the order than one that is canceled.
    let same = alike().min_by_key(|one| (one.is_canceled(), elsewhere(one).is_some()));
    let found = same.unwrap_or(first);
    outcome.pw_order_id = Some(found.pw_order_id.clone());
    let row = outcome.first_row;
    let id = &order.order_id;
    let (made, hint) = if known.is_some_and(|known| !known.is_answered()) {
        (
            "an earlier attempt that got no answer may have made it",
            "Look at it at the service: it is printed as it stands there. If you mean another order, give it another id.",
        )
    } else {
        (
            "dropsheet has no record of having sent it",
            "It needs no new order. If you mean another order, give it another id.",
        )
    };
    let moved = same.and_then(elsewhere).is_some();
    let (status, code, message) = match same.filter(|_| !moved) {
        Some(one) => (
            if one.is_canceled() {
                Status::Canceled
            } else {
                Status::AlreadyCreated
            },
            Code::ListedAtService,
            format!(
                "The service has this order already as {}, and {made}; nothing was sent.",
                one.called(id)
            ),
        ),
        None => (
            Status::Changed,
            Code::ContentChanged,
            format!(
                "The service has an order {id} already as {} with other content ({}), and {made}; nothing was sent.",
                found.called(id),
                differs(found, order)
            ),
        ),
    };
    outcome.status = status;
    outcome.findings.push(Finding {
        code,
        row,
        column: None,
        message,
        hint: if moved {
            format!("Look at it at the service first: it may be the same in another writing. {hint}")
        } else {
            hint.to_owned()
        },
    });
    true
}

/// In what a listed order is another one than a sheet's.
fn differs(listed: &ListedRecord, order: &Order) -> String {
    if !listed.signature.is_told() && !listed.is_same(order) {
        return "what is in it is not shown, nor that it goes to the same zip".to_owned();
    }
    if !listed.signature.matches(&Signature::of(order)) {
        return "other SKUs or quantities, or another country".to_owned();
    }
    let elsewhere = listed.addressee.difference(order);
    let what = elsewhere.filter(|_| listed.is_same(order)).unwrap_or("zip");
    format!("it goes to another {what}")
}
