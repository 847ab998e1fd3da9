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
        if let Err(blocked) = self.walked().await? {
            return Ok(Err(blocked));
        }
        let begun = self.now().boot;
        let from = sync::walk_from(&self.ledger, self.account, &self.config, &self.leaving_now())?;
        if let Err(blocked) = self.read_history(from).await? {
            return Ok(Err(blocked));
        }
        *read_at = Some(begun);
        Ok(Ok(()))
    }
}
