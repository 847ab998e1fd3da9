//! Columns that tell how an order stands, where a formula has no result or an error: what it would have said is not known.

use super::mark::{Ends, Mark, Place};
use super::{By, tells};
use crate::order::mend::{is_unreadable, quoted};
use crate::sheet::CellKind;

/// What a look-up says in a cell that finds nothing, in the languages of spreadsheets.
const NOT_FOUND: [&str; 4] = ["#N/A", "#NV", "#N/D", "#N/B"];

/// Why an order is to wait by such a cell of a column; none where it has no such formula.
pub(super) fn mark_by(by: By, name: &str, (text, kind): (&str, CellKind)) -> Option<Mark> {
    if !is_unreadable(text, kind) || tells(by, text) {
        return None;
    }
    let is_heeded = match by {
        // Of an order that is not sent yet a look-up finds no parcel.
        By::FillingOfSent | By::CountOfSent | By::Parcel => !NOT_FOUND.contains(&text),
        By::Word
        | By::WordOfOrder
        | By::WordOfPayment
        | By::WordOfRefund
        | By::Filling
        | By::Count
        | By::Paid
        | By::Go
        | By::GoOrCost
        | By::Note
        | By::Tags
        | By::NotBefore => true,
        // Nobody has said that they speak of the order.
        By::Province | By::Unknown => false,
    };
    let said = if kind == CellKind::NoValue {
        "has a formula without a stored result".to_owned()
    } else {
        format!("says {}", quoted(text))
    };
    is_heeded.then(|| Mark {
        why: format!("{} {said}", quoted(name)),
        ends: Ends::Open,
        place: Place::Words,
    })
}
