//! What a result says of an order that is canceled, or is to be.

use super::note;
use crate::finding::Code;
use crate::ledger::record::OrderRecord;
use crate::ledger::state::State;
use crate::result::View;

/// Says of a canceled order that was dropped again how it is printed after all: a cancel is not taken back.
pub(super) fn stays_canceled(view: &mut View, order: &OrderRecord) {
    let hint = format!(
        "To have it printed after all, drop it under another order_id, such as `{}-2`.",
        order.sheet_order_id
    );
    let message = "This order was canceled; nothing was sent again.".to_owned();
    note(view, Code::KnownCanceled, message, hint);
}

/// What is said of an order whose cancel the service has confirmed: its own word, for it may have set a condition; none where
/// it said nothing, or was not asked.
pub(super) fn granted(order: &OrderRecord) -> Option<String> {
    let is_answered = order.state == State::Canceled && order.pw_order_id.is_some();
    (is_answered && !order.note.is_empty())
        .then(|| format!("The service answered the cancel with “{}”", order.note))
}

/// What is said of an order whose cancel is not confirmed: what a person has to decide first, or the service's word to an
/// earlier cancel.
pub(super) fn canceling(order: &OrderRecord) -> (Code, String, String) {
    let words = order.noted();
    match &order.reason {
        None if words.is_empty() => {
            let asked = "A cancel is asked for and is not confirmed yet.".to_owned();
            (Code::CancelAsked, asked, String::new())
        }
        Some(reason) if reason.is_unknown_there() => (
            Code::PersonNeeded,
            format!("The cancel is not confirmed, and a person has to decide: {words}."),
            "Ask the print service whether it is canceled.".to_owned(),
        ),
        None => (
            Code::CancelAsked,
            format!(
                "A cancel is asked for once more and is not confirmed yet: the service refused an earlier one with “{words}”"
            ),
            String::new(),
        ),
        Some(_) => (
            Code::PersonNeeded,
            format!(
                "A cancel waits until it is known whether the service has the order, and a person has to decide: {words}."
            ),
            "Ask the print service whether it has the order.".to_owned(),
        ),
    }
}

/// What is said of an order that was canceled before it was sent; `by` tells which sheet asked for that, if one did.
pub(super) fn unsent(by: &str) -> String {
    if by.is_empty() {
        "It was canceled before it was sent.".to_owned()
    } else {
        format!("It was canceled before it was sent: {by}.")
    }
}
