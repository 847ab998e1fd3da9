//! An order that had errors in a sheet, and that a later one has brought since: mended in the to-fix sheet, say. What was wrong
//! with it stands, and nothing is to be fixed any more.

use std::collections::BTreeSet;

use super::decide::finding;
use crate::catalog::Snapshot;
use crate::finding::{Code, Finding, Level};
use crate::ledger::record::{OrderRecord, Outcome};
use crate::order::{self, Draft, Field, Order};
use crate::result::View;

/// Whether a later sheet of the inbox has brought the order that had errors. One of this id that another inbox has is
/// another order; who asked for the cancel of one that was not there yet did not get what he wanted; and one without a line
/// with which nothing was wrong is the other half of it, as where an export was cut in two.
pub(super) fn is_brought(said: &Outcome, order: &OrderRecord, inbox: Option<&str>) -> bool {
    let is_cancel = || {
        said.findings
            .iter()
            .any(|found| found.code == Code::CancelUnknown)
    };
    let has_line = |sku: &String| order.signature.items().any(|(of_order, _)| of_order == sku);
    order.claim > said.claim
        && inbox == Some(&*order.inbox)
        && !is_cancel()
        && said.whole_skus.iter().all(has_line)
}

/// The SKUs, in upper case, of the lines of an order with errors with which nothing is wrong: what is wrong with its address is
/// so of each line.
pub(super) fn whole_skus(draft: &Draft, findings: &[Finding], catalog: &Snapshot) -> Vec<String> {
    let of_lines = |field: &Field| field.column().level == order::Level::Line;
    let columns: BTreeSet<u16> = Field::ALL
        .into_iter()
        .filter(of_lines)
        .filter_map(|field| draft.column_ref(field))
        .collect();
    let is_of_line = |column: u16| columns.contains(&column);
    let wrong: BTreeSet<u32> = findings
        .iter()
        .filter(|finding| finding.level() == Level::Error && finding.column.is_some_and(is_of_line))
        .map(|finding| finding.row)
        .collect();
    let whole = draft.lines().iter().filter(|line| !wrong.contains(&line.row()));
    let mut skus: Vec<String> = whole
        .filter_map(|line| catalog.entry(line.text(Field::ItemSku)))
        .map(|entry| entry.sku.to_ascii_uppercase())
        .collect();
    skus.sort_unstable();
    skus.dedup();
    skus
}

/// The same of an order with which nothing is wrong.
pub(super) fn skus_of(order: &Order) -> Vec<String> {
    let mut skus: Vec<String> = order
        .lines
        .iter()
        .map(|line| line.item_sku.to_ascii_uppercase())
        .collect();
    skus.sort_unstable();
    skus.dedup();
    skus
}

/// Says so of its rows; `later` is what the files of the later sheet are called.
pub(super) fn say_brought(view: &mut View, later: Option<String>) {
    let message = format!(
        "Since then {} has brought this order: nothing is to be fixed here.",
        later.as_deref().unwrap_or("another sheet")
    );
    let said = finding(Code::BroughtSince, view.first_row, message, "");
    view.findings.push(said);
    view.first_sheet = later;
}
