//! Ids with a word for an end beside them: `1001 CANCELED` speaks of the order `1001`. As an order of its own it would be
//! sent beside that one.

use std::ops::ControlFlow;

use super::apart::where_it_is;
use super::by_shop::marked_hold;
use super::decide::{By, Decided, follow};
use super::judge::kept;
use super::kept::first_row;
use super::known_as::{KnownAs, may_go_there};
use super::since::since;
use super::skipped::skip_whole;
use crate::ledger::LedgerError;
use crate::ledger::record::{ClaimRef, OrderRecord, Outcome};
use crate::ledger::state::State;
use crate::order::{Action, Draft, ids_beside_a_mark, numbers_in, quoted};
use crate::quote::Hold;

/// What rows are whose id may be another one with such a word beside it: decided, where they say nothing but that it has ended
/// or their sheet has it too; else orders of their own, or the known one that they speak of.
pub(super) type Marked = ControlFlow<Box<Decided>, KnownAs>;

impl By<'_> {
    /// Has rows, of which nothing is known under their own id, speak of the order of this inbox that it names beside a mark.
    pub(super) fn marked(&self, draft: &mut Draft, own: KnownAs) -> Result<Marked, LedgerError> {
        if own.known.is_some() {
            return Ok(Marked::Continue(own));
        }
        let said = draft.order_id().to_owned();
        let order = self.without_mark(draft)?;
        // What this sheet itself sends has its amounts in that order's row.
        let is_of_another_sheet =
            |order: &OrderRecord| !order.state.is_taken_anew() && Some(order.claim) != self.claim;
        let is_followed = order.as_ref().is_some_and(is_of_another_sheet);
        if let Some(row) = draft.of_another().filter(|_| !is_followed) {
            let why = format!("its id says {} of the order in row {row}", quoted(&said));
            return Ok(self.not_printed(draft, &why));
        }
        let Some(order) = order else {
            let may_come = !draft.calls_off().is_empty()
                && self
                    .claim
                    .map_or(Ok(false), |claim| self.memory.is_behind(claim))?;
            return Ok(if may_come {
                Marked::Break(Box::new(Decided::CancelLater))
            } else {
                Marked::Continue(own)
            });
        };
        draft.keep_former_id(&order.sheet_order_id);
        let is_printed = where_it_is(&order).is_some();
        if draft.action() == Action::Cancel || (draft.has_content() && is_printed) {
            return Ok(Marked::Continue(KnownAs::only(Some(order))));
        }
        let outcome = self.blank(draft, &order.order_id);
        let order = Box::new(order);
        if matches!(order.state, State::Canceling | State::Canceled) {
            let decided = Decided::Ended(Box::new(follow(outcome, &order)), Some(order));
            return Ok(Marked::Break(Box::new(decided)));
        }
        if let Some(apart) = since(draft, &order) {
            let decided = self.taken_back(draft, outcome, order, apart)?;
            return Ok(Marked::Break(Box::new(decided)));
        }
        let (name, state) = (&order.sheet_order_id, order.state);
        let why = format!(
            "its id says {} of the order {name}, which is {state}",
            quoted(&said)
        );
        Ok(self.not_printed(draft, &why))
    }

    /// Why an order waits for a person that nothing was sent of, where an earlier one has its id with a mark beside it: who
    /// wrote that may have meant this one, and that one may be sent.
    pub(super) fn beside_a_marked_one(
        &self,
        draft: &Draft,
        known: Option<&OrderRecord>,
    ) -> Result<Option<Hold>, LedgerError> {
        let id = draft.order_id();
        let mut orders = self.memory.written_with_more(id)?.into_iter().filter(|order| {
            let came_to_nothing = matches!(order.state, State::New | State::Refused | State::Abandoned);
            !came_to_nothing && known.is_none_or(|known| known.id != order.id)
        });
        let marked = orders.find(|order| ids_beside_a_mark(&order.sheet_order_id).iter().any(|of| of == id));
        Ok(marked.map(|order| marked_hold(&order)))
    }

    /// The order of this inbox that it speaks of. Rows that say what is to be printed are about that order, not about another
    /// one that their id names too; what a row without that asks to cancel is not guessed from two.
    fn without_mark(&self, draft: &Draft) -> Result<Option<OrderRecord>, LedgerError> {
        let mut ids = ids_beside_a_mark(draft.order_id());
        if draft.has_content() && !ids.is_empty() {
            // `26 Nov cancelled 1003`
            ids.extend(numbers_in(draft.order_id()));
        }
        for id in ids {
            let known = self.known_here(&id)?.filter(|order| is_about(draft, order));
            let Some(order) = known else { continue };
            let is_bare_cancel = draft.action() == Action::Cancel && !draft.has_content();
            let is_unclear = is_bare_cancel && self.is_another_named(draft, &order)?;
            return Ok(Some(order).filter(|_order| !is_unclear));
        }
        Ok(None)
    }

    /// Whether its id has the number of another known order.
    fn is_another_named(&self, draft: &Draft, order: &OrderRecord) -> Result<bool, LedgerError> {
        for number in numbers_in(draft.order_id()) {
            if self
                .known_here(&number)?
                .is_some_and(|other| other.id != order.id)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The order of this inbox that is known under an id.
    fn known_here(&self, id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        let known = self.memory.find(&self.limits.sent_id(id), id)?;
        Ok(known.filter(|order| order.inbox == self.inbox.name && order.state != State::New))
    }

    fn not_printed(&self, draft: &Draft, why: &str) -> Marked {
        let outcome = self.blank(draft, &self.limits.sent_id(draft.order_id()));
        Marked::Break(Box::new(skip_whole(draft, outcome, why)))
    }

    fn blank(&self, draft: &Draft, sent_id: &str) -> Outcome {
        let claim = self.claim.unwrap_or(ClaimRef(0));
        Outcome::blank(claim, first_row(draft), sent_id.to_owned())
    }
}

/// Whether rows may be about a known order by what they say of it, if anything: what is left blank says nothing.
fn is_about(draft: &Draft, order: &OrderRecord) -> bool {
    let contradicts = || !kept(order).contradicted(&order.sheet_order_id, draft).is_empty();
    !draft.has_content() || may_go_there(draft, order) || !contradicts()
}
