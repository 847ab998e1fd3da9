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
pub struct Difference {
    /// What differs and what to do.
    pub message: String,
    /// Whether the lines differ, in their SKUs or quantities.
    pub in_lines: bool,
}

impl Difference {
    fn said(message: String) -> Self {
        Self {
            message,
            in_lines: false,
        }
    }
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
                Difference::said(id_taken(&order, inbox))
            } else {
                changed(&order, &fingerprint, inbox)
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

fn changed(order: &OrderRecord, fingerprint: &Fingerprint, inbox: &str) -> Difference {
    let id = &order.sheet_order_id;
    if order.inbox != inbox {
        return Difference::said(format!(
            "The account has an order `{}` from the inbox `{}` with other content; give one of the two inboxes an \
             `order_prefix`.",
            order.order_id, order.inbox
        ));
    }
    let differing = fingerprint.differing(&kept(order));
    let what = if differing.is_empty() {
        "its content".to_owned()
    } else {
        differing.join(", ")
    };
    let (before, after) = words(order.state, id);
    Difference {
        message: format!("{before} {what} changed. {after}"),
        in_lines: differing.iter().any(|name| Fingerprint::is_of_pieces(name)),
    }
}

/// How it begins and how it ends what is said of an order that came with other content, by what is known of it.
fn words(state: State, id: &str) -> (String, String) {
    let (is, remedy) = match state {
        State::Held => (
            "held",
            format!("decline it, then drop it again, or drop it as {id}-2"),
        ),
        State::Canceled => ("canceled", format!("drop it as {id}-2")),
        State::Sending | State::Unresolved => (
            "without an answer of the service yet",
            format!("wait until it is settled, cancel it, then drop it as {id}-2"),
        ),
        State::Created | State::Canceling => ("created", format!("cancel it, then drop it as {id}-2")),
        State::New | State::Refused | State::Abandoned | State::Declined => {
            return (
                format!("The order {id} came here with other content, and has come to nothing since:"),
                "Nothing was sent. To have it printed as it is here, drop it again.".to_owned(),
            );
        }
    };
    (
        format!("The order {id} is {is} already with other content:"),
        format!("Nothing was sent. If you mean another order, {remedy}."),
    )
}

/// What was said of an order that came with other content, as the order is now; none where something else was said.
pub(super) fn reworded(message: &str, order: &OrderRecord) -> Option<String> {
    const SAID_OF: [State; 4] = [State::Held, State::Canceled, State::Unresolved, State::Created];
    let id = &order.sheet_order_id;
    let (now_before, now_after) = words(order.state, id);
    SAID_OF.into_iter().find_map(|state| {
        let (before, after) = words(state, id);
        let rest = message.strip_prefix(&before)?;
        let (what, pieces) = rest.split_once(&after)?;
        Some(format!("{now_before}{what}{now_after}{pieces}"))
    })
}
