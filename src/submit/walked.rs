//! The service's order list, read into the ledger before the first create of this process, and again from where it may
//! have hidden an order.

use std::sync::Arc;

use jiff::Timestamp;

use super::look::unread;
use super::{Blocked, SubmitError, Submitter};
use crate::ledger::LedgerError;
use crate::sync;

impl Submitter {
    /// Walks the order list before the first create of this process.
    pub async fn walked(&self) -> Result<Result<(), Blocked>, SubmitError> {
        match self.walked.get_or_try_init(|| self.walk()).await {
            Ok(()) => Ok(Ok(())),
            Err(Ok(blocked)) => Ok(Err(blocked)),
            Err(Err(error)) => Err(error.into()),
        }
    }

    /// Begins the walk while the sheet is still read. Who sends waits for its end, and is told of a failure.
    pub async fn walk_ahead(self: Arc<Self>) {
        match self.walked().await {
            Ok(Ok(())) => {}
            Ok(Err(blocked)) => {
                tracing::debug!(blocked = blocked.code().name(), "the order list is not read yet");
            }
            Err(error) => tracing::debug!(%error, "the order list is not read yet"),
        }
    }

    async fn walk(&self) -> Result<(), Result<Blocked, LedgerError>> {
        let now = self.leaving_now();
        let from = sync::walk_from(&self.ledger, self.account, &self.config, &now).map_err(Err)?;
        let mut progress = self.walk_progress.lock().await;
        let orders = self.read_list(from, &mut progress).await?;
        tracing::info!(
            account = self.config.name,
            orders,
            "the service's order list is read"
        );
        Ok(())
    }

    /// Reads the order list from a moment until now into the ledger, until it answers to its end. Gives how many orders
    /// it has shown.
    ///
    /// # Errors
    /// In the inner result why the service cannot be asked.
    pub async fn read_history(&self, from: Timestamp) -> Result<Result<u64, Blocked>, SubmitError> {
        match self.read_list(from, &mut sync::Progress::default()).await {
            Ok(orders) => Ok(Ok(orders)),
            Err(Ok(blocked)) => Ok(Err(blocked)),
            Err(Err(error)) => Err(error.into()),
        }
    }

    /// Reads the list once more, where it has shown an order without an id, from there on: until each has one, each order is
    /// looked up before its create, and one that may be it waits. In the inner error why it could not be read. What was not
    /// walked yet, the walk reads.
    pub async fn read_again(&self) -> Result<Result<(), sync::ReadError>, LedgerError> {
        let (now, begun) = (self.now(), sync::begun(&self.config, &self.leaving_now()));
        let without_id = self.ledger.guards(self.account)?.without_id_from;
        let Some(from) = without_id.filter(|from| self.walked.initialized() && sync::may_hide(*from, begun))
        else {
            return Ok(Ok(()));
        };
        let kept = (&*self.ledger, self.account);
        match sync::walk_again(self.list(), kept, (from.max(begun), begun), &now).await {
            Ok(_walk) => Ok(Ok(())),
            Err(sync::WalkError::Read(error)) => Ok(Err(error)),
            Err(sync::WalkError::Ledger(error)) => Err(error),
        }
    }

    async fn read_list(
        &self,
        from: Timestamp,
        progress: &mut sync::Progress,
    ) -> Result<u64, Result<Blocked, LedgerError>> {
        loop {
            let now = self.now();
            let mut walked = None;
            let kept = (&*self.ledger, self.account);
            let begun = sync::begun(&self.config, &self.leaving_now());
            let walk = async || match sync::walk(self.list(), kept, (from, begun), &now, progress).await {
                Err(sync::WalkError::Read(error)) => Err(unread(error)),
                Err(sync::WalkError::Ledger(error)) => {
                    walked = Some(Err(error));
                    Ok(())
                }
                Ok(walk) => {
                    walked = Some(Ok(walk));
                    Ok(())
                }
            };
            let asked = self.health.ask(walk).await.map_err(Ok)?;
            if let Err(failure) = asked {
                tracing::warn!(%failure, "the order list is read again later; nothing is sent before");
            }
            match walked {
                Some(Ok(walk)) => {
                    self.note_walk(walk);
                    return Ok(walk.orders);
                }
                Some(Err(error)) => return Err(Err(error)),
                None => {}
            }
        }
    }

    /// An order without an id may be any that this ledger does not know: while there is one, each order is looked up before
    /// its create.
    fn note_walk(&self, walk: sync::Walk) {
        if walk.without_id_from.is_some() {
            tracing::warn!(
                account = self.config.name,
                "{}; each order is looked up before it is sent",
                sync::ReadError::WithoutId
            );
        }
    }
}
