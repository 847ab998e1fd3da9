//! A known order is judged before anything else: what it means that it comes again. Pure.

use crate::ledger::record::{ClaimRef, OrderRecord};
use crate::ledger::state::State;
use crate::order::Fingerprint;

/// What it means that an order is in a sheet.
#[derive(Clone, Debug)]
pub enum Judged {
    /// Nothing was sent of it: it is checked, priced and sent.
    New,
    /// It may be taken anew.
    Anew(Box<OrderRecord>),
    /// Its status follows the order in the ledger; nothing is sent.
    Follow(Box<OrderRecord>),
    /// It has other content than the order in the ledger; nothing is sent.
    Changed(Box<OrderRecord>, Difference),
}

/// What differs between an order of a sheet and the one that is known.
#[derive(Clone, Debug)]
pub enum Difference {
    /// It is the same order with other content.
    Content {
        /// What differs, as within a sentence.
        what: String,
        /// Whether the lines differ, in their SKUs or quantities.
        in_lines: bool,
    },
    /// It is another order, which has its id: what is said of that.
    IdTaken(String),
}

/// Judges an order of a sheet by what the ledger has under its id. The fingerprint is taken only where it is needed, in
/// the version of the one that the ledger has.
pub fn judge(
    fingerprint: impl FnOnce(&str) -> Fingerprint,
    (inbox, sheet_id): (&str, &str),
    claim: Option<ClaimRef>,
    known: Option<OrderRecord>,
) -> Judged {
    let Some(order) = known else { return Judged::New };
    let fingerprint = fingerprint(&order.fingerprint);
    let same = order.fingerprint == fingerprint.whole;
    match order.state {
        State::New => Judged::New,
        // A sheet that is worked again after a crash has had its answer.
        State::Refused | State::Declined | State::Abandoned
            if Some(order.claim) == claim && same && order.was_decided() =>
        {
            Judged::Follow(Box::new(order))
        }
        State::Refused | State::Declined | State::Abandoned => Judged::Anew(Box::new(order)),
        State::Held
        | State::Sending
        | State::Unresolved
        | State::Created
        | State::Canceling
        | State::Canceled => {
            if same {
                return Judged::Follow(Box::new(order));
            }
            let difference = if order.inbox == inbox && order.sheet_order_id != sheet_id {
                Difference::IdTaken(id_taken(&order, inbox))
            } else {
                difference(&order, &fingerprint, inbox)
            };
            Judged::Changed(Box::new(order), difference)
        }
    }
}

/// What is said of an order that would be sent under the id of another one.
pub fn id_taken(other: &OrderRecord, inbox: &str) -> String {
    let id = &other.order_id;
    let whose = if other.inbox == inbox {
        format!("which this inbox's sheets call `{}`", other.sheet_order_id)
    } else {
        format!("which is of the inbox `{}`", other.inbox)
    };
    format!(
        "This order would be sent as `{id}`, and that is the id of another order of the account, {whose}; nothing was \
         sent. Give this one another id, or the inbox another `order_prefix`."
    )
}

/// What is said of an order that was sent, or waits, with another account than its inbox has now. A person who has tried the
/// program on one account and works on another would else be told that all is done.
pub(super) fn of_another_account(order: &OrderRecord) -> String {
    let (id, there) = (&order.sheet_order_id, "another account than this inbox has now");
    let name = order.pw_order_id.as_ref();
    let name = name.map_or_else(String::new, |name| format!(", as {name}"));
    match order.state {
        State::Held => format!(
            "The order {id} is held with {there}; nothing was sent. To order it with this one, drop it as {id}-2."
        ),
        State::Sending | State::Unresolved => format!(
            "The order {id} was sent with {there}, and no answer has come: it may be there. Nothing was sent. The operator \
             looks for it there; if it is not there, drop it as {id}-2."
        ),
        State::Canceling | State::Canceled => format!(
            "The order {id} is canceled, or its cancel asked for, with {there}{name}; nothing was sent. To order it with this \
             one, drop it as {id}-2."
        ),
        State::New | State::Refused | State::Declined | State::Abandoned | State::Created => format!(
            "The order {id} was sent with {there}{name}; nothing was sent with this one. If it is to be printed here as well, \
             drop it as {id}-2; where that account was for trying things out, the operator works with a ledger of its own."
        ),
    }
}

/// What is said of an order that a create without an answer may have made where nobody would look for it: with another
/// account than its inbox has now, or under another id than it would be sent as. None of any other.
pub(super) fn unanswered_elsewhere(
    order: &OrderRecord,
    (sent_id, is_elsewhere): (&str, bool),
) -> Option<String> {
    let (id, sent_as) = (&order.sheet_order_id, &order.order_id);
    let how = if order.is_answered() {
        return None;
    } else if is_elsewhere {
        "with another account than this inbox has now, and no answer has come: it may be there. Nothing was sent.".to_owned()
    } else if sent_as == sent_id {
        return None;
    } else {
        format!(
            "as `{sent_as}`, and no answer has come: it may be there under that id. Nothing was sent as `{sent_id}`."
        )
    };
    Some(format!(
        "The order {id} was sent {how} The operator looks for it there; if it is not there, drop it as {id}-2."
    ))
}

/// The content of a known order.
pub(super) fn kept(order: &OrderRecord) -> Fingerprint {
    Fingerprint {
        whole: order.fingerprint.clone(),
        fields: serde_json::from_str(&order.field_hashes).unwrap_or_default(),
    }
}

/// In what a known order differs from one of an inbox's sheets that has another fingerprint.
pub(super) fn difference(order: &OrderRecord, fingerprint: &Fingerprint, inbox: &str) -> Difference {
    if order.inbox != inbox {
        return Difference::IdTaken(format!(
            "The account has an order `{}` from the inbox `{}` with other content; give one of the two inboxes an \
             `order_prefix` that keeps their ids apart.",
            order.order_id, order.inbox
        ));
    }
    let differing = fingerprint.differing(&kept(order));
    Difference::Content {
        what: if differing.is_empty() {
            "its content".to_owned()
        } else {
            differing.join(", ")
        },
        in_lines: differing.iter().any(|name| Fingerprint::is_of_pieces(name)),
    }
}
