//! Rows of a known order of which some are ticked beside its id, as a person marks what is done: `2` and `2 done` are lines
//! of one order, and its rows with either id have a part of it. Pure.

use std::collections::BTreeMap;

use super::judge::kept;
use crate::ledger::record::OrderRecord;
use crate::ledger::state::State;
use crate::order::{Draft, Ends, Field, Level};

/// Whether rows have nothing but a part of the pieces of an order that is at the printer, where a row of it is ticked.
pub(super) fn is_ticked_part(draft: &Draft, order: &OrderRecord) -> bool {
    let is_tick = |ends: Ends| ends == Ends::Done;
    let mut marks = draft.marks().iter();
    let is_ticked = marks.any(|mark| is_tick(mark.ends) && mark.is_beside_an_id());
    let is_there = matches!(order.state, State::Created | State::Sending | State::Unresolved);
    is_ticked && is_there && has_a_part(draft, order) && has_all_else(draft, order)
}

/// Whether each line is one of the order's pieces, and they are fewer.
fn has_a_part(draft: &Draft, order: &OrderRecord) -> bool {
    let mut left: BTreeMap<&str, u64> = order.signature.items().collect();
    let mut take = |sku: &str, pieces: u64| {
        let there = left.get_mut(sku.to_ascii_uppercase().as_str());
        let rest = there.and_then(|there| Some((there.checked_sub(pieces)?, there)));
        rest.map(|(rest, there)| *there = rest).is_some() && pieces > 0
    };
    let is_of_it = draft.has_lines() && draft.pieces().all(|(_, sku, pieces)| take(sku, pieces));
    is_of_it && draft.aside().next().is_none() && left.values().any(|pieces| *pieces > 0)
}

/// Whether nothing differs that speaks of the whole order, such as where it goes.
fn has_all_else(draft: &Draft, order: &OrderRecord) -> bool {
    let differing = draft.fingerprint_like(&order.fingerprint).differing(&kept(order));
    let speaks_of_the_whole = |name: &String| {
        let mut fields = Field::ALL.into_iter();
        fields.any(|field| field.name() == name && field.column().level == Level::Order)
    };
    !differing.iter().any(speaks_of_the_whole)
}
