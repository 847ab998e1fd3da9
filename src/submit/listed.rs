//! An order whose name is at the service already, made by somebody else: what that means for the one of a sheet. Pure.

use crate::finding::{Code, Finding};
use crate::ledger::record::{Listed, Outcome};
use crate::order::Order;
use crate::outcome::Status;
use crate::reconcile::Signature;

/// Completes the outcome of an order whose name is at the service already, made by somebody else; false where there
/// is none.
pub fn existing(listed: &[Listed], order: &Order, outcome: &mut Outcome) -> bool {
    let Some(first) = listed.first() else { return false };
    let same = listed.iter().find(|one| listed_is_same(one, order));
    let found = same.unwrap_or(first);
    outcome.pw_order_id = Some(found.pw_order_id.clone());
    let row = outcome.first_row;
    let id = &order.order_id;
    let (status, code, message) = match same {
        Some(one) => (
            Status::AlreadyCreated,
            Code::ListedAtService,
            format!(
                "The service has this order already as {}, and this ledger did not make it; nothing was sent.",
                one.pw_order_id
            ),
        ),
        None => (
            Status::Changed,
            Code::ContentChanged,
            format!(
                "The service has an order {id} already as {} with other content, and this ledger did not make it; nothing was sent.",
                first.pw_order_id
            ),
        ),
    };
    outcome.status = status;
    let hint = "If you mean another order, give it another id.";
    outcome.findings.push(Finding {
        code,
        row,
        column: None,
        message,
        hint: hint.to_owned(),
    });
    true
}

/// What an order at the service that the ledger did not make says of one with its name: the same again, or other.
fn listed_is_same(listed: &Listed, order: &Order) -> bool {
    let zip = |zip: &str| {
        zip.chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
            .to_ascii_uppercase()
    };
    let zips_agree = listed
        .zip
        .as_deref()
        .is_none_or(|known| zip(known) == zip(&order.ship_to.zip));
    zips_agree && listed.signature.matches(&Signature::of(order))
}
