//! An order that had errors in a sheet, and that a later one has brought since: mended in the to-fix sheet, say. What was wrong
//! with it stands, and nothing is to be fixed any more.

use super::decide::finding;
use crate::finding::Code;
use crate::ledger::record::{OrderRecord, Outcome};
use crate::result::View;

/// Whether a later sheet of the inbox has brought the order that had errors. One of this id that another inbox has is
/// another order; and who asked for the cancel of one that was not there yet did not get what he wanted.
pub(super) fn is_brought(said: &Outcome, order: &OrderRecord, inbox: Option<&str>) -> bool {
    let is_cancel = || {
        said.findings
            .iter()
            .any(|found| found.code == Code::CancelUnknown)
    };
    order.claim > said.claim && inbox == Some(&*order.inbox) && !is_cancel()
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
