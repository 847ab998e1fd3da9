//! Whether an order has an id that can be sent.

use crate::finding::{Code, Finding};
use crate::order::{Action, Draft, Field, quoted, stands_for_no_id};

use super::Subject;
use super::value::at_least;

/// The id as it is sent: the sheet's with the inbox's prefix.
pub(super) fn as_sent(subject: &Subject<'_>) -> String {
    format!("{}{}", subject.limits.order_prefix, subject.draft.order_id())
}

pub(super) fn is_there(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    if draft.is_spoiled(Field::OrderId) {
        return Vec::new();
    }
    if stands_for_no_id(draft.order_id()) {
        let row = draft.value(Field::OrderId).row;
        let message = format!("order_id is {}, which stands for none.", quoted(draft.order_id()));
        let hint = "Write the order's id on each of its rows; remove the row if it is no order line.";
        return vec![draft.finding(Code::MissingValue, (Field::OrderId, row), message, hint)];
    }
    if !draft.order_id().is_empty() {
        return if draft.action() == Action::Create {
            left_open(draft)
        } else {
            Vec::new()
        };
    }
    let row = draft.value(Field::OrderId).row;
    let message = "order_id is blank: the row belongs to no order.".to_owned();
    let hint = "Write the order's id on each of its rows; remove the row if it is no order line.";
    vec![draft.finding(Code::MissingValue, (Field::OrderId, row), message, hint)]
}

/// The rows of an order that have no id themselves. Without them the order would be printed by half, so that it waits
/// until a person has said whose they are.
fn left_open(draft: &Draft) -> Vec<Finding> {
    let mut rows = draft.rows_without_id().peekable();
    if rows.peek().is_none() {
        return Vec::new();
    }
    let message = |row| {
        let is = match draft.instead_of_id(row) {
            "" => "blank".to_owned(),
            text => format!("{}, which stands for none,", quoted(text)),
        };
        format!(
            "order_id is {is} below order {}, and the row has an item: it may be a line of that order.",
            quoted(draft.order_id())
        )
    };
    let hint = "Write the order's id on each of its rows; remove the row if it is no order line.";
    rows.map(|row| draft.finding(Code::MissingValue, (Field::OrderId, row), message(row), hint))
        .collect()
}

/// Too long with its prefix, or with characters that no look-up at the service would match.
pub(super) fn fits(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let at = (Field::OrderId, draft.value(Field::OrderId).row);
    let (sent, most) = (as_sent(subject), Field::OrderId.column().max_chars);
    let mut findings = Vec::new();
    let chars = sent.chars().count();
    if chars > most {
        let prefix = &subject.limits.order_prefix;
        let with = if prefix.is_empty() {
            String::new()
        } else {
            format!(" with its prefix `{prefix}`")
        };
        let at_least = at_least(Field::OrderId, draft.order_id());
        let message = format!("The order_id has {at_least}{chars} characters{with}; {most} are allowed.");
        findings.push(draft.finding(Code::TooLong, at, message, "Give the order a shorter id."));
    }
    if sent.contains(|c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER) {
        let message = "The order_id holds a line break or another character that cannot be read.".to_owned();
        findings.push(draft.finding(Code::BadCharacter, at, message, "Write the id anew."));
    }
    findings
}
