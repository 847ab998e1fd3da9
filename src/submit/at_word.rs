//! A cancel that a person ends at their word: the service has refused it, and shows no such order. Nobody is asked.

use super::{Resolved, SubmitError, Submitter};
use crate::ledger::Store;
use crate::ledger::record::{OrderRecord, OrderRef};
use crate::ledger::state::State;
use crate::reconcile::Reason;

impl Submitter {
    /// Ends the wished cancel of an order that the service does not know any more. A request for it that is under way is
    /// answered first, and what it comes to counts. None where the order is no such one.
    pub(super) async fn end_cancel_at_word(&self, id: OrderRef) -> Result<Option<Resolved>, SubmitError> {
        let is_asked = |order: &OrderRecord| {
            let reason = order.reason.as_ref();
            order.state == State::Canceling && reason.is_some_and(Reason::is_unknown_there)
        };
        if !self
            .ledger
            .read(|store| store.order(id))?
            .is_some_and(|order| is_asked(&order))
        {
            return Ok(None);
        }
        let _one_at_a_time = self.canceling.of(id).await;
        let now = self.now();
        let end = move |store: &Store<'_>| match store.order(id)? {
            Some(order) if is_asked(&order) => {
                store.cancel_confirmed(id, "a person says so", &now)?;
                Ok(Some(Resolved::AtYourWord))
            }
            Some(order) if order.state == State::Canceled => Ok(Some(Resolved::Canceled)),
            Some(_) | None => Ok(None),
        };
        let ended = self.ledger.write(end).await?;
        if let Some(ended) = &ended {
            tracing::info!(order = id.0, ?ended, "a person has ended a cancel");
        }
        Ok(ended)
    }
}
