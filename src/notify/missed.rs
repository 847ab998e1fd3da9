//! What a channel could not tell stays noted while it waits to be told. An address that the server has refused is asked
//! for until it is taken: nobody may have a mail for it for weeks.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use super::{Channel, Missed, Way, mail};
use crate::ledger::{Ledger, LedgerError};

/// How often it is asked whether the server takes mail for an address by now.
const TRIED: Duration = Duration::from_hours(1);

impl Channel {
    /// Nothing waits to be told: only an address that is refused is still not reached.
    pub(super) async fn nothing_waits(&mut self, ledger: &Ledger, now: Timestamp) -> Result<(), LedgerError> {
        let known = ledger.read(|store| store.not_told())?;
        let known: Vec<_> = known.into_iter().filter(|one| one.by == self.name).collect();
        if known.is_empty() {
            return Ok(());
        }
        let mut missed: Missed = known.into_iter().map(|one| (one.to, one.why)).collect();
        missed.retain(|(to, _why)| to.is_some());
        let was_tried = self.tried_out.is_some_and(|at| at.elapsed() < TRIED);
        if let Way::Mail(config) = &self.way
            && !(missed.is_empty() || was_tried)
        {
            self.tried_out = Some(Instant::now());
            match mail::try_out(config).await {
                Ok(refused) => missed.retain(|(to, _why)| {
                    let is_it = |one: &mail::NotTaken| to.as_deref().is_some_and(|to| to.contains(&one.to));
                    refused.iter().any(is_it)
                }),
                Err(error) => {
                    let error = crate::causes::chain(&error);
                    tracing::debug!("the mail server cannot be asked for addresses: {error}");
                }
            }
        }
        self.note(ledger, missed, now).await
    }

    /// Notes what was told, and who was not.
    pub(super) async fn told(
        &self,
        ledger: &Ledger,
        keys: Vec<String>,
        (missed, now): (Missed, Timestamp),
    ) -> Result<(), LedgerError> {
        let by = self.name;
        ledger
            .write(move |store| {
                keys.iter().try_for_each(|key| store.put_notice(key, now))?;
                store.set_not_told(by, &missed, now)
            })
            .await
    }

    /// Notes who is not told.
    pub(super) async fn note(
        &self,
        ledger: &Ledger,
        missed: Missed,
        now: Timestamp,
    ) -> Result<(), LedgerError> {
        let by = self.name;
        ledger
            .write(move |store| store.set_not_told(by, &missed, now))
            .await
    }
}
