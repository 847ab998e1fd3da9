//! The cancels of sheets that have not had their turn, and what becomes of the orders of older sheets by them.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::super::DaemonError;
use super::Desk;
use crate::causes::chain;
use crate::import::sends;
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimRef};
use crate::submit::Blocked;

impl Desk {
    /// Hears what taken sheets ask to cancel, before any of them is worked: an older sheet that waits does not send it.
    /// Gives those whose copies could not be opened.
    pub(in crate::daemon) async fn hear_cancels(
        &self,
        claims: &[Claim],
    ) -> Result<Vec<ClaimRef>, DaemonError> {
        let mut unheard = Vec::new();
        for claim in claims {
            if self.importer.submitter.health.stopped() == Some(Blocked::Ending) {
                break;
            }
            let heard = self.importer.hear_cancels(claim, &self.inbox).await;
            let is_heard = heard.map_err(|source| DaemonError::Import {
                sheet: claim.new.sheet_name.clone(),
                source: Box::new(source),
            })?;
            if !is_heard {
                unheard.push(claim.id);
            }
        }
        Ok(unheard)
    }
}

/// Ends the orders of a sheet under way that younger sheets ask to cancel, one round at a time.
pub(super) struct Canceled {
    desk: Arc<Desk>,
    claim: Claim,
    /// How many cancels the newest round has known.
    known: u32,
    round: JoinSet<()>,
}

impl Canceled {
    pub(super) fn new(desk: &Arc<Desk>, claim: &Claim) -> Self {
        Self {
            desk: Arc::clone(desk),
            claim: claim.clone(),
            known: 0,
            round: JoinSet::new(),
        }
    }

    /// Begins a round where there are further cancels.
    pub(super) fn look(&mut self) -> Result<(), LedgerError> {
        let is_under_way = self.round.try_join_next().is_none() && !self.round.is_empty();
        if is_under_way || !sends(self.claim.new.purpose) {
            return Ok(());
        }
        let id = self.claim.id;
        let asked = self.desk.ledger().read(|store| store.cancels_after(id))?;
        if asked > self.known {
            self.round
                .spawn(end_canceled(Arc::clone(&self.desk), self.claim.clone()));
        }
        self.known = asked;
        Ok(())
    }

    /// Waits for the end of the newest round.
    pub(super) async fn end(mut self) {
        while self.round.join_next().await.is_some() {}
    }
}

async fn end_canceled(desk: Arc<Desk>, claim: Claim) {
    let ended = desk.importer.end_canceled(&claim, &desk.inbox, &desk.stop);
    // The sheet comes to them by itself, and says what is wrong.
    if let Err(error) = ended.await {
        let why = chain(&error);
        tracing::debug!(sheet = claim.new.sheet_name, why, "canceled orders end later");
    }
}
