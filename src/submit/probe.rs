//! The proof that the service works, after creates without answers: no create leaves before it.

use super::look::told;
use super::{Blocked, Submitter};
use crate::order::Order;
use crate::service::{Failure, Verdict};
use crate::sync;

impl Submitter {
    /// Waits until creates may leave; proves that the service works where it is this order's turn to.
    pub(super) async fn prove(&self, order: &Order) -> Result<(), Blocked> {
        while let Some(prover) = self.health.turn_to_prove().await? {
            let proof = self.probe(order).await?;
            prover.note(proof.as_ref().err());
        }
        Ok(())
    }

    /// Whether creates may leave, for who waits for nobody: where it is to be proved now, and nobody else does, it is
    /// tried once.
    pub(super) async fn proved_now(&self, order: &Order) -> bool {
        if let Some(prover) = self.health.turn_to_prove_now()
            && let Ok(proof) = self.probe(order).await
        {
            prover.note(proof.as_ref().err());
        }
        !self.health.creates_are_stopped()
    }

    /// After creates without answers: a look-up and a quote have to succeed. A probe is a read, never a create.
    async fn probe(&self, order: &Order) -> Result<Result<(), Failure>, Blocked> {
        let now = self.now();
        // One that tells nothing of this order is an answer too.
        let look = async || told(sync::look_up(self.list_for_one(), &order.order_id, now.wall, &now).await);
        if let Err(failure) = self.health.ask(look).await? {
            return Ok(Err(failure));
        }
        match self.health.ask(async || self.client.quote(order).await).await? {
            Ok(_quote) => Ok(Ok(())),
            // A refusal is an answer too: the service is there.
            Err(failure) if failure.verdict == Verdict::Refused => Ok(Ok(())),
            Err(failure) => {
                tracing::debug!(%failure, "no create leaves yet");
                Ok(Err(failure))
            }
        }
    }
}
