//! What a sheet would come to, without taking it: every finding, and for `quote` every price. Nothing is created and
//! nothing is written into the ledger; what that knows is judged all the same.

pub(crate) mod asking;

use std::collections::BTreeMap;

use super::cancel_row::not_asked;
use super::decide::{By, Decided};
use super::drafts::drafts_ahead;
use super::read::Read;
use super::too_many;
use super::unread::Unread;
use super::views::view;
use crate::finding::Rejection;
use crate::ledger::LedgerError;
use crate::ledger::record::{ClaimRef, Outcome};
use crate::order::{Artwork, Draft, Order};
use crate::outcome::Status;
use crate::quote::{Hold, Terms};
use crate::result::View;

/// An order that passed every check and could be priced.
#[derive(Clone, Debug)]
pub struct Priceable {
    /// Its first row.
    pub first_row: u32,
    /// What would be sent.
    pub order: Order,
    /// What its price is held against.
    pub terms: Terms,
    /// Why it would wait for a person, whatever its price.
    pub holds: Vec<Hold>,
    /// Its artwork, where it is wanted.
    pub artworks: Vec<Artwork>,
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
        unread,
    } = read;
    let whole = too_many(&index, by.inbox);
    let judged = drafts_ahead(&sheet, (&layout, index), |drafts| {
        for batch in drafts {
            for mut draft in batch.map_err(PreviewError::Rejected)? {
                let (view, priceable) = one(&mut draft, by, (&unread, whole.as_ref()))?;
                take(view, priceable);
            }
        }
        Ok::<_, PreviewError>(())
    });
    let (done, index) = judged.map_err(PreviewError::Rejected)?;
    done?;
    Ok(Read {
        sheet,
        layout,
        index,
        skus,
        unread,
    })
}

fn one(
    draft: &mut Draft,
    by: &By<'_>,
    (unread, whole): (&Unread, Option<&Hold>),
) -> Result<(View, Option<Priceable>), LedgerError> {
    let decided = unread.tell(by.decide(draft)?, draft);
    let ready = match decided {
        Decided::Ended(outcome, order) => {
            let first_sheet = match &order {
                Some(order) => by.memory.stem(order.claim, by.claim)?,
                None => None,
            };
            let is_approved = order.as_ref().is_some_and(|order| order.approved_total.is_some());
            let mut view = view(*outcome, order.map(|order| *order), first_sheet, None);
            // It waits for nobody.
            if is_approved && view.status == Status::Held {
                view.status = Status::Waiting;
            }
            return Ok((view, None));
        }
        Decided::HoldBesides(_, _, outcome) | Decided::CancelUnknown(outcome) => {
            return Ok((view(*outcome, None, None, None), None));
        }
        Decided::Cancel(order, outcome) => {
            return Ok((view(not_asked(*outcome, Some(&order)), None, None, None), None));
        }
        Decided::CancelListed(outcome) => {
            return Ok((view(not_asked(*outcome, None), None, None, None), None));
        }
        // Only a taken sheet waits for another.
        Decided::CancelLater | Decided::MapLater(_) => {
            let first_row = draft.rows().first().copied().unwrap_or_default();
            let outcome = Outcome::blank(ClaimRef(0), first_row, draft.order_id().to_owned());
            return Ok((view(outcome, None, None, None), None));
        }
        Decided::Ready(ready) | Decided::CancelUnsent(ready) => *ready,
    };
    let mut outcome = ready.outcome;
    outcome.status = Status::Quoted;
    let priceable = Priceable {
        first_row: outcome.first_row,
        order: ready.order,
        terms: Terms {
            expected_total: draft.expected_total(),
            ..Terms::default()
        },
        holds: whole.into_iter().cloned().chain(ready.holds).collect(),
        artworks: ready.artworks,
    };
    Ok((view(outcome, None, None, None), Some(priceable)))
}

/// Views by first row.
pub type ByRow = BTreeMap<u32, View>;
