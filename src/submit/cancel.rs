//! Cancels: asked for by a row or a person, of an order that is there, or as soon as it is found.

use std::time::Duration;

use super::{Blocked, Settled, SubmitError, Submitter, words_of};
use crate::ledger::record::{ClaimRef, OrderRecord, OrderRef, Outcome};
use crate::ledger::state::State;
use crate::service::{Failure, Verdict};
use crate::sync;

/// A cancel that was not answered is asked for again after this time.
const AGAIN: Duration = Duration::from_secs(30);

impl Submitter {
    /// A row asks for a cancel of a known order: writes the wish and its outcome, then asks.
    pub async fn cancel(
        &self,
        order: &OrderRecord,
        claim: ClaimRef,
        outcome: Outcome,
    ) -> Result<(), SubmitError> {
        let (id, now) = (order.id, self.now());
        let mut outcome = outcome;
        outcome.order = Some(id);
        let written = self.ledger.write(move |store| {
            // Its state now, not when the sheet was read: its create may have been answered meanwhile.
            let state = store.order(id)?.map(|order| order.state);
            if matches!(
                state,
                Some(State::New | State::Held | State::Unresolved | State::Created)
            ) {
                store.ask_cancel(id, claim, &now)?;
            }
            store.put_outcome(&outcome)?;
            store.order(id)
        });
        let Some(order) = written.await? else {
            return Ok(());
        };
        if let (State::Canceling, Some(pw_order_id)) = (order.state, &order.pw_order_id)
            && let Err(blocked) = self.ask_cancel(&order, pw_order_id).await?
        {
            tracing::info!(
                ?blocked,
                order_id = order.order_id,
                "the cancel is asked for later"
            );
        }
        Ok(())
    }

    /// Asks the service to cancel an order whose id is known. Asking twice does no harm: it is the same id.
    pub(super) async fn ask_cancel(
        &self,
        order: &OrderRecord,
        pw_order_id: &str,
    ) -> Result<Result<Settled, Blocked>, SubmitError> {
        let id = order.id;
        let asked = self
            .health
            .ask(async || self.client.cancel(pw_order_id, &order.order_id).await)
            .await;
        crate::crash::point("cancel-answered");
        let now = self.now();
        match asked {
            Err(blocked) => return Ok(Err(blocked)),
            Ok(Ok(message)) => {
                self.ledger
                    .write(move |store| store.cancel_confirmed(id, &message, &now))
                    .await?;
            }
            Ok(Err(refusal)) if refusal.verdict == Verdict::Refused => {
                self.refused_cancel(id, pw_order_id, &order.order_id, &refusal)
                    .await?;
            }
            Ok(Err(failure)) => {
                tracing::warn!(%failure, order_id = order.order_id, "the cancel is asked for again");
                return Ok(Ok(Settled::Again(AGAIN)));
            }
        }
        Ok(Ok(Settled::Known))
    }

    /// A cancel may be refused because an earlier request, whose answer was lost, has canceled the order already: its
    /// own words tell.
    async fn refused_cancel(
        &self,
        id: OrderRef,
        pw_order_id: &str,
        order_id: &str,
        refusal: &Failure,
    ) -> Result<(), SubmitError> {
        let detail = self.client.order(pw_order_id, order_id).await;
        let canceled = detail.is_ok_and(|listed| says_canceled(sync::seen(&listed).order_status.as_deref()));
        let (message, now) = (words_of(refusal), self.now());
        self.ledger
            .write(move |store| {
                if canceled {
                    store.cancel_confirmed(id, &message, &now)
                } else {
                    store.cancel_refused(id, &message, &now)
                }
            })
            .await?;
        Ok(())
    }
}

/// Whether the service's own word for every item says that it is canceled, in either spelling.
fn says_canceled(words: Option<&str>) -> bool {
    words.is_some_and(|words| {
        words
            .split(", ")
            .all(|word| word.to_ascii_lowercase().starts_with("cancel"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canceled_is_what_every_item_says() {
        for (words, canceled) in [
            (Some("canceled"), true),
            (Some("Cancelled"), true),
            (Some("canceled, waiting"), false),
            (Some("waiting"), false),
            (None, false),
        ] {
            assert_eq!(says_canceled(words), canceled, "{words:?}");
        }
    }
}
