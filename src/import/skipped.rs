//! What is said of rows that are no lines to print, and of orders of which nothing is. Pure.

use std::collections::HashSet;

use super::decide::{Decided, finding};
use crate::finding::{Code, Finding};
use crate::ledger::record::Outcome;
use crate::order::{Draft, Why};
use crate::outcome::Status;

/// The end of an order of which nothing is printed.
pub(super) fn skipped(mut outcome: Outcome) -> Decided {
    outcome.status = Status::Skipped;
    if outcome
        .findings
        .iter()
        .all(|finding| finding.code != Code::NotToPrint)
    {
        outcome.findings.clear();
    }
    Decided::Ended(Box::new(outcome), None)
}

/// Skips an order as a whole, with one reason.
pub(super) fn skip_whole(draft: &Draft, mut outcome: Outcome, why: &str) -> Decided {
    let first_row = outcome.first_row;
    outcome.findings = set_aside(draft, &|_, why| why.is_lasting());
    outcome.findings.retain(|finding| finding.row != first_row);
    let message = format!("Not printed: {why}.");
    outcome
        .findings
        .insert(0, finding(Code::NotToPrint, first_row, message, ""));
    skipped(outcome)
}

/// A finding a row that is no line to print, for the rows that are wanted. A row that holds several lines is only
/// pointed at where some of them are printed.
pub(super) fn set_aside(draft: &Draft, wanted: &dyn Fn(u32, Why) -> bool) -> Vec<Finding> {
    let printed = draft.printed_rows();
    // Of the lines that are packed into one row, a reason is told once.
    let mut told = HashSet::new();
    draft
        .aside()
        .filter(|(row, why, reason)| wanted(*row, *why) && told.insert((*row, *reason)))
        .map(|(row, _, reason)| Finding {
            column: draft.packed_column().filter(|_| printed.contains(&row)),
            ..finding(Code::NotToPrint, row, format!("Not printed: {reason}."), "")
        })
        .collect()
}
