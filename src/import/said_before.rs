//! Why an order is to wait by what an earlier sheet said of it beside its own cells: its title, a heading, the name of its tab,
//! another row or tab, or that it was crossed out. The rows to fix are written to a sheet that has none of that, and a result
//! not all of it: by that alone, an order that was canceled would be printed once its quantity is corrected.

use super::by_shop::{shop_hold, why_of};
use super::decide::{By, finding};
use super::kept::first_row;
use crate::finding::{Code, Finding};
use crate::ledger::LedgerError;
use crate::ledger::record::{OrderRecord, Outcome};
use crate::ledger::state::State;
use crate::order::{Draft, is_said_apart};
use crate::quote::Hold;

/// What is said to whoever fixes such an order.
const WAITS_THEN: &str = "Once its errors are fixed, it waits for a person to approve it.";

/// What stands in a message about a line on another tab, between where that is and what it is.
const HAS_A_LINE: &str = " has a line of";

/// How a reason begins that was said of an earlier sheet.
const EARLIER: &str = "in ";

impl By<'_> {
    /// Why an order is to wait by what an earlier sheet of its inbox said; none where its own sheet says such a thing, or
    /// the earlier one has said something of it since. `known` is what the order was, where it is taken anew.
    pub(super) fn hold_of_before(
        &self,
        draft: &Draft,
        known: Option<&OrderRecord>,
        sent_id: &str,
    ) -> Result<Option<Hold>, LedgerError> {
        if draft.marks().iter().any(|mark| is_said_apart(&mark.why)) {
            return Ok(None);
        }
        let declined = known.filter(|order| order.state == State::Declined && order.inbox == self.inbox.name);
        let said = if let Some(order) = declined {
            of_declined(draft, order).map(|why| (order.claim, why))
        } else {
            let outcome = self.memory.said_of(sent_id, self.claim)?;
            outcome.and_then(|outcome| Some((outcome.claim, of_outcome(draft, &outcome)?)))
        };
        let Some((claim, why)) = said else {
            return Ok(None);
        };
        if why.starts_with(EARLIER) {
            return Ok(Some(shop_hold(&why)));
        }
        let sheet = self.memory.stem(claim, self.claim)?;
        let sheet = sheet.as_deref().unwrap_or("an earlier sheet");
        Ok(Some(shop_hold(&format!("{EARLIER}{sheet} {why}"))))
    }
}

/// Why an order waits once its errors are fixed, by what is not in its own cells: said beside the errors, and kept for the sheet
/// in which they are.
pub(super) fn waits_then(draft: &Draft, holds: &[Hold]) -> Vec<Finding> {
    let apart = holds.iter().filter(|hold| said_apart(&hold.message).is_some());
    let note = |hold: &Hold| finding(Code::ShopHold, first_row(draft), hold.message.clone(), WAITS_THEN);
    apart.map(note).collect()
}

/// The reason in a message, where that is not in the order's own cells.
fn said_apart(message: &str) -> Option<String> {
    let why = why_of(message)?;
    (is_said_apart(why) || why.contains(HAS_A_LINE)).then(|| why.to_owned())
}

/// The reason for which an order waited that was declined.
fn of_declined(draft: &Draft, order: &OrderRecord) -> Option<String> {
    let had = |sku: &str| {
        order
            .signature
            .items()
            .any(|(item, _)| item.eq_ignore_ascii_case(sku))
    };
    let mut reasons = order.holds.iter().filter_map(|hold| said_apart(&hold.message));
    reasons.find(|why| !why.contains(HAS_A_LINE) || draft.skus().all(had))
}

/// The reason by what was said of an order of which nothing was sent. One with a line on another tab comes without it where it
/// has none but those that it had.
fn of_outcome(draft: &Draft, outcome: &Outcome) -> Option<String> {
    let had = |sku: &str| outcome.whole_skus.contains(&sku.to_ascii_uppercase());
    outcome.findings.iter().find_map(|found| match found.code {
        Code::ShopHold => said_apart(&found.message),
        Code::OnTwoTabs if draft.skus().all(had) => {
            let (place, _) = found.message.split_once(HAS_A_LINE)?;
            Some(format!(
                "{}{HAS_A_LINE} it that it comes without",
                place.replacen("Row", "row", 1)
            ))
        }
        _ => None,
    })
}
