//! What is said of a known order that came again with something else, made of how it differs and of the order as it is:
//! an order that was held then may be printed by now. Pure.

use super::instead::is_note;
use crate::finding::Code;
use crate::ledger::record::{Apart, OrderRecord};
use crate::ledger::state::State;
use crate::outcome::Status;
use crate::result::View;
use crate::tracking;

/// What is said of such an order: a code and a sentence.
pub(super) fn told(apart: &Apart, order: &OrderRecord) -> (Code, String) {
    match apart {
        Apart::Content {
            what,
            pieces,
            is_sent_by_note,
        } => {
            let is_approved = order.approved_total.is_some();
            let known = (order.state, is_approved, order.sheet_order_id.as_str());
            let told = if *is_sent_by_note && is_on_its_way(order.state) {
                as_its_note_says(known, what)
            } else {
                with_other_content(known, what, pieces.as_deref())
            };
            (Code::ContentChanged, told)
        }
        Apart::TakenBack { reason } => taken_back(order, reason),
    }
}

/// What is said of an order that its shop has taken back.
fn taken_back(order: &OrderRecord, reason: &str) -> (Code, String) {
    if let Some(place) = where_it_is(order) {
        let message = format!("The order is {reason}. {place}; set action to cancel.");
        return (Code::CanceledInShop, message);
    }
    let (code, became) = match order.state {
        State::Canceled => (Code::KnownCanceled, "It is canceled here too."),
        State::Canceling => (
            Code::CancelAsked,
            "Its cancel is asked for and is not confirmed yet.",
        ),
        State::Declined => (Code::DeclinedByPerson, "It was declined, and is not printed."),
        State::Refused => (Code::RefusedByService, "The service refused it here."),
        State::Abandoned => (Code::AbandonedByPerson, "It was given up here by a person."),
        State::New | State::Held | State::Sending | State::Unresolved | State::Created => {
            (Code::CanceledInShop, "Nothing of it was sent.")
        }
    };
    (code, format!("The order is {reason}. {became}"))
}

/// The status of a row whose order its shop has taken back and nothing is printed of; none where that is not so.
fn not_printed(state: State) -> Option<Status> {
    match state {
        State::Canceled => Some(Status::Canceled),
        State::Canceling => Some(Status::Canceling),
        State::Declined => Some(Status::Declined),
        State::New
        | State::Held
        | State::Sending
        | State::Unresolved
        | State::Created
        | State::Refused
        | State::Abandoned => None,
    }
}

/// Where an order is that would be, or may be, printed; none of one that is not.
pub(super) fn where_it_is(order: &OrderRecord) -> Option<String> {
    let place = match order.state {
        State::Created => {
            let id = order.pw_order_id.as_deref().unwrap_or("PW…");
            return Some(format!("It is still at the printer as {id}"));
        }
        State::Sending | State::Unresolved => "It was sent, and no answer has come yet",
        State::Held if order.approved_total.is_some() => "It is approved, and is about to be printed",
        State::Held => "It is held, and would be printed when it is approved",
        State::New
        | State::Refused
        | State::Declined
        | State::Abandoned
        | State::Canceling
        | State::Canceled => return None,
    };
    Some(place.to_owned())
}

/// Whether an order is at the printer, or may be.
fn is_on_its_way(state: State) -> bool {
    matches!(state, State::Sending | State::Unresolved | State::Created)
}

/// What is said of an order that came with a note by which it is sent already: who writes that down means to order nothing.
fn as_its_note_says(known: (State, bool, &str), what: &str) -> String {
    let (is, _remedy) = as_known(known);
    format!(
        "The order {} {is}: {what} changed. Nothing was sent. The note says by itself that the order is sent or done: nothing \
         need be done.",
        known.2
    )
}

/// What is said of an order that came with other content, and what to do.
fn with_other_content(known: (State, bool, &str), what: &str, pieces: Option<&str>) -> String {
    let pieces = pieces.map_or(String::new(), |pieces| format!(" {pieces}"));
    let (is, remedy) = as_known(known);
    // A sheet that is kept for long has notes of whoever keeps it, too.
    let of_a_note = if is_note(what) {
        "If the note is not meant for the printer, nothing need be done. "
    } else {
        ""
    };
    format!(
        "The order {} {is}: {what} changed. Nothing was sent. {of_a_note}{remedy}.{pieces}",
        known.2
    )
}

/// How an order with other content is known, and what to do to have this one instead.
fn as_known((state, is_approved, id): (State, bool, &str)) -> (&'static str, String) {
    match state {
        State::Held if is_approved => (
            "is approved already with other content, and is about to be sent",
            format!("To replace it, cancel it, then drop it again; to have both, drop this as {id}-2"),
        ),
        State::Held => (
            "is held already with other content",
            format!("To replace it, decline it, then drop it again; to have both, drop this as {id}-2"),
        ),
        State::Canceled => (
            "is canceled already with other content",
            format!("To have this one printed, drop it as {id}-2"),
        ),
        State::Sending | State::Unresolved => (
            "was sent with other content, and no answer has come yet",
            format!(
                "To replace it, wait until it is settled, cancel it, then drop it as {id}-2; to have both, drop this as \
                 {id}-2"
            ),
        ),
        State::Created => (
            "is created already with other content",
            format!("To replace it, cancel it, then drop it as {id}-2; to have both, drop this as {id}-2"),
        ),
        State::Canceling => (
            "is being canceled, and had other content",
            format!("To have this one printed, wait until that is confirmed, then drop it as {id}-2"),
        ),
        State::New | State::Refused | State::Abandoned | State::Declined => (
            "came here with other content, and has come to nothing since",
            "To have it printed as it is here, drop it again".to_owned(),
        ),
    }
}

/// Has a row that is `changed` speak of its order as that is now.
pub(super) fn as_it_is_now(view: &mut View, apart: Option<&Apart>, order: &OrderRecord) {
    // A ledger may hold a row that says of a cancel in the shop no reason.
    let of_before = || Apart::TakenBack {
        reason: "canceled in the shop".to_owned(),
    };
    let is_taken_back = view
        .findings
        .iter()
        .any(|finding| finding.code == Code::CanceledInShop);
    let apart = apart.cloned().or_else(|| is_taken_back.then(of_before));
    if let Some(apart) = &apart {
        let said = match apart {
            Apart::Content { .. } => Code::ContentChanged,
            Apart::TakenBack { .. } => Code::CanceledInShop,
        };
        let (code, message) = told(apart, order);
        for finding in view.findings.iter_mut().filter(|finding| finding.code == said) {
            finding.message.clone_from(&message);
            if code != said {
                // What there was to do is done.
                finding.code = code;
                finding.hint.clear();
            }
        }
        let is_taken_back = said == Code::CanceledInShop;
        view.status = not_printed(order.state)
            .filter(|_| is_taken_back)
            .unwrap_or(view.status);
    }
    if order.pw_order_id.is_some() {
        view.pw_order_id.clone_from(&order.pw_order_id);
        view.created_at = order.entered_at;
        view.order_status.clone_from(&order.order_status);
        view.payment_status.clone_from(&order.payment_status);
        view.tracking = order.trackings.as_deref().and_then(tracking::shown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_with_other_content_is_told_by_what_its_order_is_now() {
        for (state, says, remedy) in [
            (State::Held, "is held already", "decline it, then drop it again"),
            (
                State::Unresolved,
                "was sent with other content, and no answer has come yet",
                "wait until it is settled",
            ),
            (
                State::Created,
                "is created already",
                "cancel it, then drop it as 1001-2",
            ),
            (
                State::Canceling,
                "is being canceled",
                "wait until that is confirmed, then drop it as 1001-2",
            ),
            (State::Canceled, "is canceled already", "drop it as 1001-2"),
            (State::Declined, "has come to nothing since", "drop it again"),
        ] {
            let told = with_other_content((state, false, "1001"), "quantity", Some("This sheet asks for 2."));
            assert!(
                told.contains(says) && told.contains(remedy) && told.contains("quantity changed."),
                "{told}"
            );
            assert!(told.ends_with(". This sheet asks for 2."), "{told}");
            let stays = matches!(state, State::Held | State::Unresolved | State::Created);
            assert_eq!(
                told.contains("to have both, drop this as 1001-2"),
                stays,
                "{told}"
            );
        }
        let told = with_other_content((State::Held, true, "1001"), "quantity", None);
        assert!(
            told.contains("is approved already") && told.contains("cancel it, then drop it again"),
            "{told}"
        );
    }

    #[test]
    fn where_a_note_alone_differs_nothing_need_be_done_first_and_an_order_that_it_calls_sent_is_not_offered_anew()
     {
        let note = |state| with_other_content((state, false, "1001"), "variant_note", None);
        for state in [State::Held, State::Unresolved, State::Created, State::Canceled] {
            let told = note(state);
            let (first, then) = told.split_once("nothing need be done. To ").unwrap();
            assert!(
                first.ends_with("If the note is not meant for the printer, "),
                "{told}"
            );
            assert!(then.contains("1001-2"), "{told}");
        }
        let both = with_other_content((State::Created, false, "1001"), "quantity, variant_note", None);
        assert!(!both.contains("nothing need be done"), "{both}");
        let sent = as_its_note_says((State::Created, false, "1001"), "variant_note");
        assert!(
            sent.contains("is created already") && sent.ends_with("nothing need be done."),
            "{sent}"
        );
        assert!(!sent.contains("1001-2"), "{sent}");
    }
}
