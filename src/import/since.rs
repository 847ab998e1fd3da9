//! What the shop has taken back of an order since it was sent. Pure.

use super::apart::where_it_is;
use super::pieces::printed_before;
use crate::finding::Code;
use crate::ledger::record::{Apart, OrderRecord};
use crate::ledger::state::State;
use crate::order::{Draft, Why};
use crate::quote::Hold;

/// What the shop has taken back of an order since it was sent, while that is, or may be, printed.
pub(super) fn since(draft: &Draft, order: &OrderRecord) -> Option<Apart> {
    where_it_is(order)?;
    let reason = taken_back(draft, order)?.to_owned();
    Some(Apart::TakenBack { reason })
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
