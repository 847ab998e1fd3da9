//! A row that is `changed` speaks of an order that an older sheet had with other content. Where that came to nothing and a
//! later sheet has taken the order anew, its difference is from a content that nobody prints any more: who goes by it may
//! order again what the later sheet has ordered. Such a row is judged by the content that the order has now. Pure.

use super::decide::follow_with;
use super::instead::{Instead, changed};
use super::judge::{Difference, difference};
use super::pieces::other_than_before;
use crate::finding::Code;
use crate::ledger::record::{Apart, OrderRecord, Outcome};
use crate::order::{Draft, Fingerprint};

/// Whether a row came with other content than an order had that a later sheet has taken anew since.
pub(super) fn is_retaken(said: &Outcome, order: &OrderRecord) -> bool {
    order.claim > said.claim && matches!(said.apart, Some(Apart::Content { .. }))
}

/// What such a row of an inbox comes to, of which this was said before: with the order's content of now it follows the
/// order. `sheet` is the one that has the order.
pub(super) fn judged_again(
    mut draft: Draft,
    said: &Outcome,
    (order, sheet): (&OrderRecord, Option<String>),
    inbox: &str,
) -> Outcome {
    if order.inbox == inbox {
        // It was known by this id, in whatever writing the row has it.
        draft.keep_former_id(&order.sheet_order_id);
    }
    let fingerprint = draft.fingerprint_like(&order.fingerprint);
    let mut outcome = said.clone();
    outcome.apart = None;
    outcome
        .findings
        .retain(|finding| finding.code != Code::ContentChanged);
    if fingerprint.whole == order.fingerprint {
        return follow_with(&draft, outcome, order);
    }
    let instead = instead(&draft, said, order, (&fingerprint, inbox));
    changed(outcome, order, instead, sheet)
}

/// What differs from the order's content of now.
fn instead(
    draft: &Draft,
    said: &Outcome,
    order: &OrderRecord,
    (fingerprint, inbox): (&Fingerprint, &str),
) -> Instead {
    // What has come to nothing is in the way of no other inbox.
    let inbox = if order.state.is_taken_anew() {
        &order.inbox
    } else {
        inbox
    };
    let difference = difference(order, fingerprint, inbox);
    let in_lines = matches!(difference, Difference::Content { in_lines: true, .. });
    // Where no pieces were told, there may be a SKU map: its difference cannot be told from the sheet's.
    let tells = in_lines && matches!(said.apart, Some(Apart::Content { pieces: Some(_), .. }));
    let pieces = tells.then(|| other_than_before(draft, &order.signature));
    Instead::of(Some(draft), difference, pieces.flatten())
}
