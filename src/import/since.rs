//! What the shop, or its own sheet, has taken back of an order since it was sent. Pure.

use std::borrow::Cow;

use super::apart::where_it_is;
use super::pieces::printed_before;
use crate::finding::Code;
use crate::ledger::record::{Apart, OrderRecord};
use crate::ledger::state::State;
use crate::order::{Draft, Ends, Mark, Why};
use crate::quote::Hold;
use crate::tracking;

/// What was taken back of an order since it was sent, while that is, or may be, printed.
pub(super) fn since(draft: &Draft, order: &OrderRecord) -> Option<Apart> {
    where_it_is(order)?;
    let reason = taken_back(draft, order)?.into_owned();
    Some(Apart::TakenBack { reason })
}

/// Why an order is taken back, or a line of it that was printed before, as the end of a sentence.
fn taken_back<'a>(draft: &'a Draft, order: &OrderRecord) -> Option<Cow<'a, str>> {
    let by_hand = || {
        let mark = new_mark(draft, order)?;
        Some(format!("marked in its sheet: {}", mark.why_of(&order.sheet_order_id)).into())
    };
    in_shop(draft, order).map(Cow::Borrowed).or_else(by_hand)
}

/// The same by the shop's word.
fn in_shop<'a>(draft: &'a Draft, order: &OrderRecord) -> Option<&'a str> {
    let before = printed_before(draft, &order.signature);
    let of_a_line = || {
        let mut aside = draft
            .aside()
            .filter(|(row, why, _)| *why == Why::Canceled && before.contains(row));
        aside.next().map(|(_, _, reason)| reason)
    };
    draft.canceled().or_else(of_a_line)
}

/// What a sheet says by hand of a known order, where that calls it off and was not said when a person let it be printed. A
/// shop's export has its own words for a cancel, and more notes; and a parcel that is on its way is not called back.
fn new_mark<'a>(draft: &'a Draft, order: &OrderRecord) -> Option<&'a Mark> {
    let is_held = order.state == State::Held;
    let is_sent = || order.trackings.as_deref().and_then(tracking::shown).is_some();
    if !is_held && (!draft.is_native() || is_sent()) {
        return None;
    }
    // What is at the printer is done there.
    let counts = |ends: Ends| match ends {
        Ends::CalledOff | Ends::OnHold => true,
        Ends::Done => is_held,
        Ends::Open => false,
    };
    let is_said = |mark: &Mark| order.holds.iter().any(|hold| mark.is_said_in(&hold.message));
    let mut marks = draft.marks().iter();
    marks.find(|mark| counts(mark.ends) && !is_said(mark))
}

/// Why an order that waits for a person is held besides, where it was taken back since; none where that was said before. Who
/// approves it has to know.
pub(super) fn hold_besides(draft: &Draft, order: &OrderRecord, stem: Option<&str>) -> Option<Hold> {
    if order.state != State::Held {
        return None;
    }
    let sheet = stem.unwrap_or("a later sheet");
    let said = match in_shop(draft, order) {
        Some(reason) => {
            let now = format!("It is {reason} by now");
            let is_said = |hold: &Hold| hold.code == Code::CanceledInShop && hold.message.starts_with(&now);
            if order.holds.iter().any(is_said) {
                return None;
            }
            format!("{now}, as {sheet} says")
        }
        None => format!("By now {}, in {sheet}", new_mark(draft, order)?.why),
    };
    Some(Hold {
        code: Code::CanceledInShop,
        message: format!("{said}: decline it, unless it is to be printed all the same."),
    })
}
