//! What a result says of an order that nobody carries on as the config is: it does not go on without the operator.

use super::held::hold;
use super::{note, several};
use crate::attention::LeftToNobody;
use crate::finding::Code;
use crate::ledger::record::OrderRecord;
use crate::outcome::Status;
use crate::result::View;

/// What the merchant can do.
const TELL: &str = "Tell the operator: `dropsheet status` says what to do.";

/// Says so; false where the row's status speaks of something else. `elsewhere` is the sheet that has the order, where that
/// is not this one.
pub(super) fn explain(
    view: &mut View,
    order: &OrderRecord,
    elsewhere: Option<&str>,
    nobody: &LeftToNobody,
) -> bool {
    let what = &nobody.what;
    let (code, message) = match view.status {
        Status::Held => {
            if !hold(view, order, elsewhere, Some(&format!("{what} {TELL}"))) {
                note(view, Code::PersonNeeded, what.clone(), TELL.to_owned());
            }
            return true;
        }
        Status::Unresolved if nobody.is_asked => (Code::NoAnswer, format!("{what} Do not order this again.")),
        Status::Unresolved => (Code::PersonNeeded, format!("{what} Do not order this again.")),
        Status::Canceling => (Code::PersonNeeded, what.clone()),
        Status::Created
        | Status::AlreadyCreated
        | Status::Quoted
        | Status::Declined
        | Status::Abandoned
        | Status::Waiting
        | Status::Invalid
        | Status::Skipped
        | Status::Changed
        | Status::Refused
        | Status::Canceled
        | Status::NotCanceled => return false,
    };
    note(view, code, message, TELL.to_owned());
    several(view, order, elsewhere.is_none());
    true
}
