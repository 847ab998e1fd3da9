//! What the list has shown lately, for who must know of orders that somebody has made elsewhere.

use tokio::sync::Mutex;

use super::{Blocked, STALE, SubmitError, Submitter};
use crate::clock::BootTime;
use crate::sync;

/// When the list was read to its end for that last.
#[derive(Debug, Default)]
pub(super) struct Lately(Mutex<Option<BootTime>>);

impl Submitter {
    /// Reads what the list has shown since it was last read, unless that was just now; in the inner error, why it cannot be.
    pub async fn read_lately(&self) -> Result<Result<(), Blocked>, SubmitError> {
        // Who comes together waits for one reading.
        let mut read_at = self.lately.0.lock().await;
        if read_at.as_ref().is_some_and(|at| !self.is_older(at, STALE)) {
            return Ok(Ok(()));
        }
        let begun = self.now().boot;
        if let Err(blocked) = self.read_on().await? {
            return Ok(Err(blocked));
        }
        *read_at = Some(begun);
        Ok(Ok(()))
    }

    /// Reads what the list has shown since it was last read; in the inner error, why it cannot be.
    pub(super) async fn read_on(&self) -> Result<Result<(), Blocked>, SubmitError> {
        // It begins where the last reading ended, of which a new ledger has none.
        if let Err(blocked) = self.walked().await? {
            return Ok(Err(blocked));
        }
        let from = sync::walk_from(&self.ledger, self.account, &self.config, &self.leaving_now())?;
        let read = self.read_history(from).await?;
        Ok(read.map(|_orders| ()))
    }
}
