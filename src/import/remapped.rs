//! What the rows of a known order are to what was sent of it, where the SKU map has changed since: a line that it did not
//! print then was not sent, and one that it does not print now was. Pure.

use std::collections::BTreeMap;

use super::apart::where_it_is;
use super::decide::finding;
use crate::finding::{Code, Finding};
use crate::ledger::record::OrderRecord;
use crate::ledger::state::State;
use crate::order::{Draft, Field, MapLine, quoted};

/// What can be told of lines that the map of now gives no sent piece to, or no print at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    NotSent,
    /// Under SKUs that the map of now does not name.
    Sent,
    Unclear,
}

/// What is said of an order's rows.
#[derive(Debug, Default)]
pub(super) struct Remapped {
    /// Of lines that were not sent, or of which that is not known.
    pub(super) findings: Vec<Finding>,
    /// Whether what the map does not print now may have been sent.
    pub(super) may_be_sent: bool,
}

/// Compares the rows of a known order with what was sent of it.
pub(super) fn remapped(draft: &Draft, order: &OrderRecord) -> Remapped {
    let lines: Vec<MapLine<'_>> = draft.map_lines().collect();
    let unprinted: Vec<MapLine<'_>> = draft.lines_not_printed_here().collect();
    let by_map = lines.iter().any(|line| line.is_mapped) || !unprinted.is_empty();
    if !by_map || where_it_is(order).is_none() {
        return Remapped::default();
    }
    let sent: BTreeMap<&str, u64> = order.signature.items().collect();
    let (unsent, crowded) = apart(&lines, &sent);
    let left = left_over(draft, &lines, &sent);
    let others = pieces_of(unsent.iter().chain(&unprinted));
    let told = if left == 0 {
        Told::NotSent
    } else if left == others && !has_strange_aside(draft, &sent) {
        Told::Sent
    } else {
        Told::Unclear
    };
    let mut findings: Vec<Finding> = match told {
        Told::NotSent => unsent.iter().map(|line| not_sent(draft, order, line)).collect(),
        Told::Sent => Vec::new(),
        Told::Unclear => {
            let lines = unsent.iter().chain(&unprinted);
            lines.map(|line| unclear(draft, order, line)).collect()
        }
    };
    findings.extend(crowded.iter().map(|line| unclear(draft, order, line)));
    Remapped {
        findings,
        may_be_sent: told != Told::NotSent,
    }
}

/// The lines of a SKU of which nothing was sent, and those of one of which less was sent than several lines ask for.
fn apart<'a>(lines: &[MapLine<'a>], sent: &BTreeMap<&str, u64>) -> (Vec<MapLine<'a>>, Vec<MapLine<'a>>) {
    let mut by_sku: BTreeMap<String, Vec<MapLine<'a>>> = BTreeMap::new();
    for line in lines {
        by_sku
            .entry(line.sku.to_ascii_uppercase())
            .or_default()
            .push(*line);
    }
    let (mut unsent, mut crowded) = (Vec::new(), Vec::new());
    for (sku, lines) in by_sku {
        let asked = pieces_of(&lines);
        let mapped = lines.iter().filter(|line| line.is_mapped).copied();
        match sent.get(sku.as_str()) {
            None => unsent.extend(mapped),
            Some(there) if lines.len() > 1 && asked > *there => crowded.extend(mapped),
            Some(_) => {}
        }
    }
    (unsent, crowded)
}

/// How many pieces lines ask for. A cell may hold any number.
fn pieces_of<'a>(lines: impl IntoIterator<Item = &'a MapLine<'a>>) -> u64 {
    let pieces = lines.into_iter().map(|line| line.pieces);
    pieces.fold(0, u64::saturating_add)
}

/// The pieces that were sent and that no row of the order asks for under the map of now.
fn left_over(draft: &Draft, lines: &[MapLine<'_>], sent: &BTreeMap<&str, u64>) -> u64 {
    let mut left = sent.clone();
    let aside = draft.pieces_aside().map(|(_, sku, pieces)| (sku, pieces));
    let asked = lines.iter().map(|line| (line.sku, line.ordered)).chain(aside);
    for (sku, pieces) in asked {
        if let Some(there) = left.get_mut(sku.to_ascii_uppercase().as_str()) {
            *there = there.saturating_sub(pieces);
        }
    }
    left.into_values().fold(0, u64::saturating_add)
}

/// Whether a row that came to be set aside in the shop has another SKU than was sent.
fn has_strange_aside(draft: &Draft, sent: &BTreeMap<&str, u64>) -> bool {
    draft
        .pieces_aside()
        .any(|(_, sku, _)| !sent.contains_key(sku.to_ascii_uppercase().as_str()))
}

fn not_sent(draft: &Draft, order: &OrderRecord, line: &MapLine<'_>) -> Finding {
    let own = quoted(line.own);
    let (id, what) = (&order.sheet_order_id, what_it_is_of(order));
    let remedy = if order.state == State::Held {
        "decline the order, then drop it again".to_owned()
    } else {
        format!("drop this line alone as {id}-2")
    };
    let message = format!(
        "Not printed: {own} is no part of {what}, by the SKU map of that day. To have it printed as well, {remedy}."
    );
    let printed = draft.printed_rows();
    let is_packed = printed.iter().filter(|row| **row == line.row).count() > 1;
    Finding {
        column: draft.packed_column().filter(|_| is_packed),
        ..finding(Code::NotToPrint, line.row, message, "")
    }
}

fn unclear(draft: &Draft, order: &OrderRecord, line: &MapLine<'_>) -> Finding {
    const MOST_NAMED: usize = 5;
    let items: Vec<String> = order
        .signature
        .items()
        .take(MOST_NAMED)
        .map(|(sku, pieces)| format!("{pieces} × {}", quoted(sku)))
        .collect();
    let more = order.signature.items().count().saturating_sub(MOST_NAMED);
    let more = if more > 0 {
        format!(", {more} more SKUs")
    } else {
        String::new()
    };
    let message = format!(
        "The SKU map has changed since, and does not tell whether {} is part of {}: that is {}{more}.",
        quoted(line.own),
        what_it_is_of(order),
        items.join(", ")
    );
    Finding {
        column: draft.column_ref(Field::ItemSku).or_else(|| draft.packed_column()),
        ..finding(Code::Known, line.row, message, "")
    }
}

fn what_it_is_of(order: &OrderRecord) -> &'static str {
    if order.state == State::Held {
        "what is held"
    } else {
        "what was sent of this order"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_beyond_every_number_add_up_to_the_greatest() {
        let line = |pieces| MapLine {
            row: 2,
            own: "GIFT",
            sku: "GIFT",
            pieces,
            ordered: pieces,
            is_mapped: false,
        };
        assert_eq!(pieces_of(&[line(1), line(2)]), 3);
        assert_eq!(pieces_of(&[line(u64::MAX), line(1)]), u64::MAX);
    }
}
