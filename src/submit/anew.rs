//! An order that comes again after a create of it has left: looked up first; it waits where that may still come to be.

use super::before::Before;
use super::early::too_early;
use super::{Job, Sent, SubmitError, Submitter, existing, waiting};
use crate::clock::BootTime;
use crate::finding::Code;
use crate::ledger::record::OrderRecord;

/// What the service has may be this order: how a merchant is told at its end, and while its sheet waits.
const NAMELESS: (&str, &str) = (
    "The service has an order without an `order_id` that holds the same and may be this one: look at it there, and drop it \
     again when that one has its own, or is gone.",
    "The service has an order without an `order_id` that holds the same and may be this one: look at it there, until that \
     one has its own, or is gone.",
);

impl Submitter {
    /// Looks an order up that may be at the service; in the inner error what has ended it.
    pub(super) async fn look_if_anew(
        &self,
        job: &Job,
        anew: Option<&OrderRecord>,
    ) -> Result<Result<BootTime, Sent>, SubmitError> {
        if let Some(known) = anew {
            match self.look_before_anew(known, &job.new.content).await? {
                Before::Clear => {}
                Before::Found => return Ok(Err(Sent::Raced)),
                Before::Blocked(blocked) => return Ok(Err(waiting(&blocked, &self.zone))),
                Before::Strangers(listed) => {
                    let mut outcome = job.outcome.clone();
                    existing(&listed, &job.new.content, Some(known), &mut outcome);
                    return Ok(Err(self.end(outcome).await?));
                }
                Before::Nameless => return Ok(Err(self.keep_as_it_is(job, known).await?)),
                Before::TooEarly => {
                    self.note_too_early(known)?;
                    let (code, why) = too_early(known);
                    return Ok(Err(Sent::Waiting(code, why)));
                }
            }
        }
        Ok(Ok(self.now().boot))
    }

    /// Ends an order that may be one without a name. One that this sheet has taken anew already, of which no create has
    /// left, has come to no end: its sheet waits.
    async fn keep_as_it_is(&self, job: &Job, known: &OrderRecord) -> Result<Sent, SubmitError> {
        let (at_its_end, waits) = NAMELESS;
        // As it is by now: since it was judged, this sheet may have taken it.
        let taken = self.ledger.read(|store| store.order(known.id))?;
        if taken.is_some_and(|order| order.claim == job.new.claim) {
            return Ok(Sent::Waiting(Code::NoAnswer, waits.to_owned()));
        }
        let mut outcome = job.outcome.clone();
        outcome.order = Some(known.id);
        at_its_end.clone_into(&mut outcome.message);
        self.end(outcome).await
    }
}
