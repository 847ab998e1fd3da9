//! What the service's list says of a sheet's orders: read along with their creates, and to its end after the last one.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::super::DaemonError;
use super::Desk;
use crate::import::{ImportError, sends};
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimRef};
use crate::sync::{Along, WalkError};

/// Reads the totals of a sheet under way, one round at a time.
pub(super) struct Totals {
    desk: Arc<Desk>,
    /// None while a round is under way, or of a sheet that sends nothing.
    along: Option<Along>,
    round: JoinSet<Result<Along, LedgerError>>,
    claim: ClaimRef,
}

impl Totals {
    pub(super) fn new(desk: &Arc<Desk>, claim: &Claim) -> Self {
        let submitter = &desk.importer.submitter;
        let along = || Along::new(submitter.account, (claim.id, claim.new.taken_at));
        Self {
            desk: Arc::clone(desk),
            along: sends(claim.new.purpose).then(along),
            round: JoinSet::new(),
            claim: claim.id,
        }
    }

    /// Begins a round where so many orders were created that there is something to read.
    pub(super) fn look(&mut self) -> Result<(), ImportError> {
        if let Some(done) = self.round.try_join_next() {
            self.along = Some(done.map_err(|_panic| ImportError::Panicked)??);
        }
        let created = self.created();
        if let Some(along) = self.along.take_if(|along| along.is_due(created)) {
            self.round.spawn(round(Arc::clone(&self.desk), along, created));
        }
        Ok(())
    }

    /// How many of the sheet's orders were created since its work began.
    fn created(&self) -> u64 {
        self.desk.importer.submitter.created(self.claim)
    }

    /// Reads to the end, when the last order is created. What cannot be read now comes with the next walk.
    pub(super) async fn end(mut self) -> Result<(), DaemonError> {
        if let Some(done) = self.round.join_next().await {
            self.along = Some(done.map_err(|_panic| DaemonError::Panicked)??);
        }
        let created = self.created();
        let Some(along) = self.along.take() else {
            return Ok(());
        };
        let submitter = &self.desk.importer.submitter;
        let now = submitter.now();
        let finished = along.finish(submitter.list(), &submitter.ledger, created, &now);
        match finished.await {
            Ok(()) => Ok(()),
            Err(WalkError::Ledger(error)) => Err(error.into()),
            Err(WalkError::Read(error)) => {
                tracing::info!(%error, "totals and times are read later");
                Ok(())
            }
        }
    }
}

impl Drop for Totals {
    fn drop(&mut self) {
        self.desk.importer.submitter.forget_created(self.claim);
    }
}

async fn round(desk: Arc<Desk>, mut along: Along, created: u64) -> Result<Along, LedgerError> {
    let submitter = &desk.importer.submitter;
    let now = submitter.now();
    along
        .read(submitter.list(), &submitter.ledger, created, &now)
        .await?;
    Ok(along)
}
