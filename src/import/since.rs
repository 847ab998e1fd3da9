//! What the shop has taken back of an order since it was sent, and what is said of a known order that came again with
//! something else, as the order has come to be since. Pure.

use super::judge::reworded;
use super::pieces::printed_before;
use crate::finding::{Code, Finding};
use crate::ledger::record::OrderRecord;
use crate::ledger::state::State;
use crate::order::{Draft, Why};
use crate::outcome::Status;
use crate::quote::Hold;
use crate::result::View;

/// How the sentences begin that say where an order is which its shop has canceled.
const PLACES: [&str; 4] = [
    "It is still at the printer as ",
    "It was sent, and no answer has come yet",
    "It is held, and would be printed when it is approved",
    "It is approved, and is about to be printed",
];

/// Where an order is that would be, or may be, printed; none of one that is not.
fn where_it_is(order: &OrderRecord) -> Option<String> {
    let [printer, sent, held, approved] = PLACES;
    match order.state {
        State::Created => {
            let id = order.pw_order_id.as_deref().unwrap_or("PW…");
            Some(format!("{printer}{id}"))
        }
        State::Sending | State::Unresolved => Some(sent.to_owned()),
        State::Held if order.approved_total.is_some() => Some(approved.to_owned()),
        State::Held => Some(held.to_owned()),
        State::New
        | State::Refused
        | State::Declined
        | State::Abandoned
        | State::Canceling
        | State::Canceled => None,
    }
}

/// What the shop has taken back of an order since it was sent: an order canceled there is still at the printer.
pub(super) fn since(draft: &Draft, order: &OrderRecord) -> Option<(Code, String)> {
    let where_it_is = where_it_is(order)?;
    let reason = taken_back(draft, order)?;
    Some((
        Code::CanceledInShop,
        format!("The order is {reason}. {where_it_is}; set action to cancel."),
    ))
}

/// Why the shop has taken an order back, or a line of it that was printed before, as the end of a sentence.
fn taken_back<'a>(draft: &'a Draft, order: &OrderRecord) -> Option<&'a str> {
    let before = printed_before(draft, &order.signature);
    let of_a_line = || {
        let mut aside = draft
            .aside()
            .filter(|(row, why, _)| *why == Why::Canceled && before.contains(row));
        aside.next().map(|(_, _, reason)| reason)
    };
    draft.canceled().or_else(of_a_line)
}

/// Why an order that waits for a person is held besides, where its shop has canceled it since; none where that was said
/// before. Who approves it has to know.
pub(super) fn hold_besides(draft: &Draft, order: &OrderRecord, stem: Option<&str>) -> Option<Hold> {
    let is_said = order.holds.iter().any(|hold| hold.code == Code::CanceledInShop);
    if order.state != State::Held || is_said {
        return None;
    }
    let reason = taken_back(draft, order)?;
    let sheet = stem.unwrap_or("a later sheet");
    Some(Hold {
        code: Code::CanceledInShop,
        message: format!(
            "It is {reason} by now, as {sheet} says: decline it, unless it is to be printed all the same."
        ),
    })
}

/// Has a row that is `changed` speak of its order as that is now: an order that was held then may be printed since.
pub(super) fn as_it_is_now(view: &mut View, order: &OrderRecord) {
    let mut status = view.status;
    for finding in &mut view.findings {
        if finding.code == Code::CanceledInShop {
            status = canceled_now(finding, order).unwrap_or(status);
        } else if finding.code == Code::ContentChanged
            && let Some(message) = reworded(&finding.message, order)
        {
            finding.message = message;
        }
    }
    view.status = status;
    if order.pw_order_id.is_some() {
        view.pw_order_id.clone_from(&order.pw_order_id);
    }
}

/// Says where an order is now which its shop has canceled; gives its status where nothing is left to do.
fn canceled_now(finding: &mut Finding, order: &OrderRecord) -> Option<Status> {
    let said = PLACES.iter().find_map(|place| finding.message.split_once(place));
    let reason = said.map(|(reason, _place)| reason.to_owned())?;
    if let Some(place) = where_it_is(order) {
        finding.message = format!("{reason}{place}; set action to cancel.");
        return None;
    }
    let (status, code, became) = match order.state {
        State::Canceled => (Status::Canceled, Code::KnownCanceled, "It is canceled here too."),
        State::Canceling => (
            Status::Canceling,
            Code::CancelAsked,
            "Its cancel is asked for and is not confirmed yet.",
        ),
        State::Declined => (
            Status::Declined,
            Code::DeclinedByPerson,
            "It was declined, and is not printed.",
        ),
        State::New
        | State::Held
        | State::Sending
        | State::Unresolved
        | State::Created
        | State::Refused
        | State::Abandoned => return None,
    };
    finding.code = code;
    finding.message = format!("{reason}{became}");
    finding.hint = String::new();
    Some(status)
}
