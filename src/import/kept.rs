//! What an earlier pass over the same sheet has said for good. A sheet whose orders wait is worked again and again, and
//! its result is read meanwhile: somebody who was told that a row is not sent may have ordered it under another id, and
//! a cancel that was asked for once speaks of the order as it was then, not of what a later sheet made of it.

use super::decide::Decided;
use super::pass::Pass;
use crate::finding::Code;
use crate::ledger::record::{ClaimRef, Outcome};
use crate::ledger::{LedgerError, Store};
use crate::order::{Action, Draft};
use crate::outcome::Status;

impl Pass {
    /// What was said of a draft's rows for good, if anything was.
    pub(super) fn said_before(
        &self,
        store: &Store<'_>,
        draft: &Draft,
        decided: &Decided,
    ) -> Result<Option<Outcome>, LedgerError> {
        if !self.reworked {
            return Ok(None);
        }
        let Some(said) = store.outcome_of(self.claim, first_row(draft))? else {
            return Ok(None);
        };
        let stays = stays(&said, draft.action(), &self.limits.sent_id(draft.order_id()))
            || self.ended_elsewhere(&said, decided);
        Ok((stays && !self.is_found_since(store, &said, decided)?).then_some(said))
    }

    /// Whether the row followed an order of another sheet that has come to its end: only one that is dropped again takes it
    /// anew.
    fn ended_elsewhere(&self, said: &Outcome, decided: &Decided) -> bool {
        let Decided::Ready(ready) = decided else {
            return false;
        };
        ready.known.as_ref().is_some_and(|known| {
            said.order == Some(known.id) && known.claim != self.claim && known.state.is_taken_anew()
        })
    }

    /// Whether the list has shown since what there was to cancel: an order that was there when the sheet was taken, of
    /// which a ledger that was put back from before knew nothing.
    fn is_found_since(
        &self,
        store: &Store<'_>,
        said: &Outcome,
        decided: &Decided,
    ) -> Result<bool, LedgerError> {
        let was_unknown = said.findings.iter().any(|f| f.code == Code::CancelUnknown);
        let (true, Decided::CancelListed(listed)) = (was_unknown, decided) else {
            return Ok(false);
        };
        let taken_at = store.claim(self.claim)?.map(|claim| claim.new.taken_at);
        let there = store.listed(self.account, &listed.order_id)?;
        Ok(there.iter().any(|one| {
            Some(&one.pw_order_id) == listed.pw_order_id.as_ref()
                && one.entered_at.is_some_and(|at| Some(at) <= taken_at)
        }))
    }
}

/// The row that a draft's outcome stands at.
pub(super) fn first_row(draft: &Draft) -> u32 {
    draft.rows().first().copied().unwrap_or_default()
}

/// Whether an outcome is the last word on its row, in a sheet that is worked again. Not where the columns are read
/// otherwise now, and the row is another order's.
fn stays(said: &Outcome, action: Action, sent_id: &str) -> bool {
    if said.order_id != sent_id {
        return false;
    }
    // What the order has come to since is told from the order.
    if action == Action::Cancel && said.order.is_some() {
        return true;
    }
    match said.status {
        // Whether its SKU is in the catalog as it is now, nobody knew.
        Status::Invalid
            if action == Action::Create && said.findings.iter().any(|f| f.code == Code::CatalogOld) =>
        {
            false
        }
        Status::Invalid | Status::Changed | Status::Refused => said.order.is_none(),
        Status::Canceled | Status::NotCanceled => true,
        Status::Created
        | Status::AlreadyCreated
        | Status::Quoted
        | Status::Held
        | Status::Waiting
        | Status::Unresolved
        | Status::Declined
        | Status::Abandoned
        | Status::Skipped
        | Status::Canceling => false,
    }
}

/// What was said for good, with what is known besides by now: where an older sheet has ended the order for this row's
/// sake, the row itself has not been judged yet.
pub(super) fn as_known_now(said: Outcome, decided: Decided) -> Outcome {
    match decided {
        Decided::Cancel(order, now) if said.order == Some(order.id) && order.claim <= said.claim => Outcome {
            order: said.order,
            ..*now
        },
        Decided::Cancel(..)
        | Decided::Ended(..)
        | Decided::HoldBesides(..)
        | Decided::Ready(_)
        | Decided::CancelUnsent(_)
        | Decided::CancelListed(_)
        | Decided::CancelUnknown(_)
        | Decided::CancelLater
        | Decided::MapLater(_) => said,
    }
}

/// Forgets what was said of rows at which no order begins any more, since the sheet's columns are read otherwise now: no
/// result could be written with it.
pub(super) fn forget_others(
    store: &Store<'_>,
    claim: ClaimRef,
    begins: &mut [u32],
) -> Result<(), LedgerError> {
    begins.sort_unstable();
    for row in store.outcome_rows(claim)? {
        if begins.binary_search(&row).is_err() {
            tracing::warn!(
                sheet = claim.0,
                row,
                "no order begins there any more: what was said of it is forgotten"
            );
            store.forget_outcome(claim, row)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;
    use crate::ledger::record::OrderRef;

    fn said(status: Status, order: Option<i64>) -> Outcome {
        Outcome {
            status,
            order: order.map(OrderRef),
            ..Outcome::blank(ClaimRef(1), 2, "1001".to_owned())
        }
    }

    #[test]
    fn what_was_told_as_not_sent_is_not_sent_by_the_same_sheet() {
        for status in [
            Status::Invalid,
            Status::Changed,
            Status::Refused,
            Status::Canceled,
            Status::NotCanceled,
        ] {
            assert!(stays(&said(status, None), Action::Create, "1001"), "{status}");
            assert!(!stays(&said(status, None), Action::Create, "1002"), "{status}");
        }
        for status in [Status::Waiting, Status::Held, Status::Skipped, Status::Canceling] {
            assert!(!stays(&said(status, None), Action::Create, "1001"), "{status}");
        }
    }

    #[test]
    fn a_cancel_is_asked_for_once_by_its_row() {
        for status in [Status::Canceling, Status::Canceled] {
            assert!(stays(&said(status, Some(7)), Action::Cancel, "1001"), "{status}");
        }
        assert!(
            !stays(&said(Status::Canceling, None), Action::Cancel, "1001"),
            "no answer came, and no order of ours is asked for by the settler"
        );
        assert!(!stays(&said(Status::Canceling, Some(7)), Action::Create, "1001"));
    }

    #[test]
    fn a_row_is_checked_again_where_the_catalog_was_old() {
        let mut invalid = said(Status::Invalid, None);
        invalid.findings.push(Finding {
            code: Code::CatalogOld,
            row: 2,
            column: None,
            message: String::new(),
            hint: String::new(),
        });
        assert!(!stays(&invalid, Action::Create, "1001"));
        assert!(stays(&invalid, Action::Cancel, "1001"), "no catalog was asked");
    }
}
