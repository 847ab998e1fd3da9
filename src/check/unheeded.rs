//! What is asked for and not sent: a person has to know it before the parcel is on its way.

use super::Subject;
use crate::finding::Finding;
use crate::order::{Asked, Field};

/// Texts that the buyer wrote.
pub(super) fn texts_are_told(subject: &Subject<'_>) -> Vec<Finding> {
    let mut told: Vec<Finding> = Vec::new();
    for unheeded in subject.draft.unheeded() {
        let finding = &unheeded.finding;
        // Rows of one order repeat what is said of it, and lines that are packed into a row share that.
        let is_told = |known: &Finding| {
            let is_of_order = unheeded.asked == Asked::TextOfOrder;
            (is_of_order || known.row == finding.row)
                && known.column == finding.column
                && known.message == finding.message
        };
        if unheeded.asked != Asked::Speed && !told.iter().any(is_told) {
            told.push(finding.clone());
        }
    }
    told
}

/// A faster way of shipping, where nothing says by which service the order is to go.
pub(super) fn speed_is_told(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    if !draft.value(Field::ShippingService).text.is_empty() || draft.is_spoiled(Field::ShippingService) {
        return Vec::new();
    }
    let mut asked = draft.unheeded().filter(|unheeded| unheeded.asked == Asked::Speed);
    asked
        .next()
        .map(|unheeded| unheeded.finding.clone())
        .into_iter()
        .collect()
}
