//! Cancels: asked for by a row or a person, of an order that is there, or as soon as it is found.

use std::time::Duration;

use super::{Blocked, Settled, SubmitError, Submitter, words_of};
use crate::ledger::record::{ClaimRef, OrderRecord, OrderRef, Outcome};
use crate::ledger::state::State;
use crate::service::{Failure, Verdict};
use crate::standing;
use crate::sync;

/// A cancel that was not answered is asked for again after this time.
const AGAIN: Duration = Duration::from_secs(30);

impl Submitter {
    /// A row asks for a cancel of a known order: writes the wish and its outcome, then asks. False while the order's
    /// create is under way: the row waits.
    pub async fn cancel(
        &self,
        id: OrderRef,
        claim: ClaimRef,
        mut outcome: Outcome,
    ) -> Result<bool, SubmitError> {
        let now = self.now();
        outcome.order = Some(id);
        let written = self.ledger.write(move |store| {
            // Its state now, not when the sheet was read: its create may have been answered meanwhile.
            let Some(order) = store.order(id)? else {
                return Ok(None);
            };
            match order.state {
                State::Sending => return Ok(None),
                State::New | State::Held | State::Unresolved | State::Created => {
                    store.ask_cancel(id, claim, &now)?;
                }
                State::Canceling | State::Canceled | State::Refused | State::Abandoned | State::Declined => {}
            }
            store.put_outcome(&outcome)?;
            store.order(id)
        });
        let Some(order) = written.await? else {
            return Ok(false);
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
        Ok(true)
    }

    /// Asks the service to cancel an order whose id is known. Asking twice does no harm: it is the same id.
    pub(super) async fn ask_cancel(
        &self,
        order: &OrderRecord,
        pw_order_id: &str,
    ) -> Result<Result<Settled, Blocked>, SubmitError> {
        let id = order.id;
        // A row and the settler may want the same: whoever comes second finds it asked.
        let _one_at_a_time = self.canceling.lock().await;
        let wished = self
            .ledger
            .read(|store| store.order(id))?
            .is_some_and(|order| order.state == State::Canceling);
        if !wished {
            return Ok(Ok(Settled::Known));
        }
        let request = async || {
            self.client
                .cancel(pw_order_id, &order.order_id)
                .await
                .map_err(of_one_order)
        };
        let asked = match self.health.ask(request).await {
            Err(blocked) => return Ok(Err(blocked)),
            Ok(asked) => asked,
        };
        crate::crash::point("cancel-answered");
        let now = self.now();
        match asked {
            Ok(message) => {
                self.ledger
                    .write(move |store| store.cancel_confirmed(id, &message, &now))
                    .await?;
                Ok(Ok(Settled::Known))
            }
            Err(refusal) if refusal.verdict == Verdict::Refused => Ok(Ok(self
                .refused_cancel(id, pw_order_id, &order.order_id, &refusal)
                .await?)),
            Err(failure) => {
                tracing::warn!(%failure, order_id = order.order_id, "the cancel is asked for again");
                Ok(Ok(Settled::Again(AGAIN)))
            }
        }
    }

    /// A cancel may be refused because an earlier request, whose answer was lost, has canceled the order already: its
    /// own words tell. Without them nothing is decided.
    async fn refused_cancel(
        &self,
        id: OrderRef,
        pw_order_id: &str,
        order_id: &str,
        refusal: &Failure,
    ) -> Result<Settled, SubmitError> {
        let listed = match self.client.order(pw_order_id, order_id).await {
            Ok(listed) => Some(listed),
            Err(failure) if matches!(failure.verdict, Verdict::Refused | Verdict::Misconfigured) => None,
            Err(failure) => {
                tracing::warn!(%failure, order_id, "a refused cancel is looked into again");
                return Ok(Settled::Again(AGAIN));
            }
        };
        let canceled =
            listed.is_some_and(|listed| standing::says_canceled(sync::seen(&listed).order_status.as_deref()));
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
        Ok(Settled::Known)
    }
}

/// A cancel that is answered 404 speaks of its order, not of the account's setup.
fn of_one_order(failure: Failure) -> Failure {
    match failure.verdict {
        Verdict::Misconfigured => Failure {
            verdict: Verdict::Refused,
            ..failure
        },
        Verdict::NotSent
        | Verdict::TryLater(_)
        | Verdict::Credentials
        | Verdict::Refused
        | Verdict::Unknown => failure,
    }
}
