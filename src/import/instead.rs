//! What becomes of an order in a sheet where the ledger knows another one, or the same with something else. Pure.

use super::apart::told;
use super::decide::finding;
use super::judge::Difference;
use crate::finding::Code;
use crate::ledger::record::{Apart, OrderRecord, Outcome};
use crate::order::{Draft, Field};
use crate::outcome::Status;

/// What is known instead of the order that a sheet has.
#[derive(Debug)]
pub(super) enum Instead {
    /// The same order with something else.
    Apart(Apart),
    /// Another order, for which it must not be sent: what is said of that.
    InTheWay(String),
}

impl Instead {
    /// What differs, in an order of which the draft may be gone by now.
    pub(super) fn of(draft: Option<&Draft>, difference: Difference, pieces: Option<String>) -> Self {
        match difference {
            Difference::Content { what, .. } => Self::Apart(Apart::Content {
                is_sent_by_note: is_note(&what) && draft.is_some_and(Draft::is_sent_by_its_notes),
                what,
                pieces,
            }),
            Difference::IdTaken(message) => Self::InTheWay(message),
        }
    }
}

/// Whether what differs is a note and nothing else.
pub(super) fn is_note(what: &str) -> bool {
    what == Field::VariantNote.name()
}

/// The outcome of a known order that comes with something else than was sent.
pub(super) fn changed(
    mut outcome: Outcome,
    order: &OrderRecord,
    instead: Instead,
    first_sheet: Option<String>,
) -> Outcome {
    outcome.status = Status::Changed;
    let (code, message) = match instead {
        Instead::InTheWay(message) => (Code::ContentChanged, message),
        Instead::Apart(apart) => {
            let said = told(&apart, order);
            outcome.apart = Some(apart);
            said
        }
    };
    let shown = first_sheet.as_deref().unwrap_or("the sheet that sent it");
    let hint = if code == Code::CanceledInShop {
        "Add a column `action` to the rows of the order, write `cancel` into it and drop them; or let it be printed."
            .to_owned()
    } else {
        format!("The result of {shown} shows the order as it is known.")
    };
    outcome.first_sheet = first_sheet;
    outcome.pw_order_id.clone_from(&order.pw_order_id);
    outcome.country_code = Some(order.country_code.clone());
    outcome
        .findings
        .push(finding(code, outcome.first_row, message, &hint));
    outcome
}

/// Says of an order, of which not all may be taken back, that a cancel would be of all of it.
pub(super) fn say_what_a_cancel_is_of(outcome: &mut Outcome, order: &OrderRecord) {
    let pieces: u64 = order.signature.items().map(|(_, pieces)| pieces).sum();
    let mut findings = outcome.findings.iter_mut();
    let taken_back = findings.find(|finding| finding.code == Code::CanceledInShop);
    if let Some(finding) = taken_back.filter(|_| pieces > 1) {
        let whole = format!(" A cancel is of the whole order, of all its {pieces} pieces.");
        finding.hint.push_str(&whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::{NATIVE, drafts, good};

    #[test]
    fn a_note_counts_for_what_it_says_where_nothing_else_differs() {
        let is_sent = |note: &str, what: &str| {
            let mut cells = good();
            let column = NATIVE.iter().position(|name| *name == "variant_note").unwrap();
            note.clone_into(&mut cells[column]);
            let draft = drafts(&NATIVE, &[cells]).remove(0);
            let difference = Difference::Content {
                what: what.to_owned(),
                in_lines: false,
            };
            let Instead::Apart(Apart::Content { is_sent_by_note, .. }) =
                Instead::of(Some(&draft), difference, None)
            else {
                panic!("it is the same order")
            };
            is_sent_by_note
        };
        assert!(is_sent("shipped 11/29 UPS 1Z999", "variant_note"));
        assert!(!is_sent("leave at door", "variant_note"));
        assert!(!is_sent("shipped", "quantity, variant_note"));
    }
}
