//! Health as a process begins with it: a single pass of cron remembers nothing of the one before but what is in the ledger.

use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;

use super::super::breaker::MOST_UNANSWERED;
use super::{Breaker, Health, Inner};
use crate::clock::BootTime;
use crate::ledger::record::AccountRef;
use crate::ledger::{Ledger, LedgerError};

impl Health {
    /// The health of an account of which the newest creates may have had no answer; with a patience as [`Health::new`].
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub fn begun(
        (ledger, account): (&Ledger, AccountRef),
        patience: Option<Duration>,
        boot: &BootTime,
    ) -> Result<Self, LedgerError> {
        let newest = ledger.read(|store| store.newest_creates(account, MOST_UNANSWERED))?;
        Ok(Self {
            inner: Mutex::new(Inner {
                breaker: Breaker::after(&newest, (boot, Instant::now())),
                patience,
                ..Inner::default()
            }),
            ..Self::default()
        })
    }
}
