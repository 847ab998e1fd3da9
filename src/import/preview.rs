//! What a sheet would come to, without taking it: every finding, and for `quote` every price. Nothing is created and
//! nothing is written into the ledger; what that knows is judged all the same.

use std::collections::BTreeMap;

use super::blank_outcome;
use super::judge::{Judged, judge};
use super::pass::{footer, has_unclear_action};
use super::read::Read;
use super::views::view;
use crate::catalog::Snapshot;
use crate::check::{Limits, check};
use crate::finding::{Code, Finding, Level, Rejection};
use crate::ledger::LedgerError;
use crate::ledger::record::{ClaimRef, OrderRecord, Outcome};
use crate::order::{Action, Artwork, Draft, Grouper, Order};
use crate::outcome::Status;
use crate::quote::Terms;
use crate::result::View;
use crate::sheet::Row;

/// A sheet that is in no ledger.
const NO_CLAIM: ClaimRef = ClaimRef(0);

/// An order that passed every check and could be priced.
#[derive(Clone, Debug)]
pub struct Priceable {
    /// Its first row.
    pub first_row: u32,
    /// What would be sent.
    pub order: Order,
    /// The total that the merchant expects, and whether rows are pasted twice.
    pub terms: Terms,
    /// Rows of it are equal in every cell.
    pub repeated: bool,
    /// Its artwork, where it is wanted.
    pub artworks: Vec<Artwork>,
}

/// What looks an order up in the ledger, by the id that would be sent and the id in the sheet; finds nothing where
/// there is no ledger.
pub type LookUp<'a> = dyn Fn(&str, &str) -> Result<Option<OrderRecord>, LedgerError> + 'a;

/// What orders are judged by.
#[expect(missing_debug_implementations, reason = "it holds a closure")]
pub struct By<'a> {
    /// The catalog.
    pub catalog: &'a Snapshot,
    /// The limits of the checks.
    pub limits: &'a Limits,
    /// The inbox whose settings count.
    pub inbox: &'a str,
    /// What the ledger knows.
    pub look_up: &'a LookUp<'a>,
    /// Whether the artwork of orders is wanted.
    pub artworks: bool,
}

/// Why there is no preview.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// The sheet is wrong as a whole.
    #[error("the sheet cannot be worked")]
    Rejected(#[source] Rejection),
    /// The ledger cannot be read.
    #[error("cannot read the ledger")]
    Ledger(#[from] LedgerError),
}

/// Goes through every order of a sheet; gives each one's view and, where it could be priced, what would be sent. The
/// index comes back for writing a result.
pub fn preview(
    read: Read,
    by: &By<'_>,
    take: &mut dyn FnMut(View, Option<Priceable>),
) -> Result<Read, PreviewError> {
    let Read {
        sheet,
        layout,
        index,
        skus,
    } = read;
    let header = sheet.header().number();
    let mut grouper = Grouper::new(layout.clone(), index);
    let mut rows = sheet.rows().map_err(PreviewError::Rejected)?;
    let mut row = Row::default();
    while rows.next(&mut row).map_err(PreviewError::Rejected)? {
        if row.number() <= header {
            continue;
        }
        if let Some(draft) = grouper.push(&row) {
            let (view, priceable) = one(&draft, by)?;
            take(view, priceable);
        }
    }
    Ok(Read {
        sheet,
        layout,
        index: grouper.into_index(),
        skus,
    })
}

fn one(draft: &Draft, by: &By<'_>) -> Result<(View, Option<Priceable>), LedgerError> {
    let first_row = draft.rows().first().copied().unwrap_or_default();
    let sent_id = if draft.order_id().is_empty() {
        String::new()
    } else {
        format!("{}{}", by.limits.order_prefix, draft.order_id())
    };
    let mut outcome = blank_outcome(NO_CLAIM, first_row, sent_id.clone());
    if draft.is_footer() {
        return Ok((view(footer(outcome), None, None), None));
    }
    let known = if sent_id.is_empty() {
        None
    } else {
        (by.look_up)(&sent_id, draft.order_id())?
    };
    if draft.action() == Action::Cancel {
        return Ok((cancel(draft, known.as_ref(), outcome), None));
    }
    let known = known.filter(|_| !has_unclear_action(draft));
    match judge(|kept| draft.fingerprint_like(kept), by.inbox, None, known) {
        Judged::Follow(order) => {
            outcome.order = Some(order.id);
            return Ok((view(outcome, Some(*order), None), None));
        }
        Judged::Changed(order, message) => {
            outcome.status = Status::Changed;
            outcome.pw_order_id = order.pw_order_id;
            outcome
                .findings
                .push(note(Code::ContentChanged, first_row, message));
            return Ok((view(outcome, None, None), None));
        }
        Judged::New | Judged::Anew(_) => {}
    }
    let checked = check(draft, by.catalog, by.limits);
    outcome.findings = checked.findings;
    let Some(order) = checked.order else {
        outcome.status = Status::Invalid;
        return Ok((view(outcome, None, None), None));
    };
    outcome.status = Status::Quoted;
    outcome.country_code = Some(order.ship_to.country_code.clone());
    let terms = Terms {
        expected_total: draft.expected_total(),
        ..Terms::default()
    };
    let artworks = if by.artworks {
        draft.artworks(&order)
    } else {
        Vec::new()
    };
    let priceable = Priceable {
        artworks,
        first_row,
        order,
        terms,
        repeated: draft.repeated_rows(),
    };
    Ok((view(outcome, None, None), Some(priceable)))
}

fn cancel(draft: &Draft, known: Option<&OrderRecord>, mut outcome: Outcome) -> View {
    outcome.findings = draft.findings().to_vec();
    let broken = outcome
        .findings
        .iter()
        .any(|finding| finding.level() == Level::Error);
    outcome.status = if broken || known.is_none() {
        Status::Invalid
    } else {
        Status::Canceling
    };
    if !broken && known.is_none() {
        let message = format!(
            "There is nothing to cancel: the order {} is not in the ledger.",
            draft.order_id()
        );
        outcome
            .findings
            .push(note(Code::CancelUnknown, outcome.first_row, message));
    }
    view(outcome, None, None)
}

fn note(code: Code, row: u32, message: String) -> Finding {
    Finding {
        code,
        row,
        column: None,
        message,
        hint: String::new(),
    }
}

/// Views by first row.
pub type ByRow = BTreeMap<u32, View>;
