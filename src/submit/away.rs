//! Since when a service is away as far as it matters: that creates are stopped keeps nobody where none is to leave.

use std::time::Duration;

use super::{Blocked, Submitter};
use crate::ledger::LedgerError;

impl Submitter {
    /// Since when the service has been away, and what it last said. That its creates had no answer counts while something
    /// waits to be sent: when all of it was found, the next create alone can show that they are answered again.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub fn away(&self) -> Result<Option<(Duration, Blocked)>, LedgerError> {
        let away = self.health.away();
        if away.is_none() || self.has_to_send()? {
            return Ok(away);
        }
        Ok(self.health.away_but_for_creates())
    }

    /// Whether anything of the account waits to be sent.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub fn has_to_send(&self) -> Result<bool, LedgerError> {
        let account = self.account;
        self.ledger.read(|store| store.has_to_send(account))
    }
}
