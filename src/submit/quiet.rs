//! What holds every create of an account back, whatever its order: the service's list is not walked yet, a quiet time
//! runs since a sign of a lost claim, or the service does not work.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{Blocked, SubmitError, Submitter};
use crate::clock::{BootTime, Now};
use crate::order::Order;

/// How far the service's clock may be from this machine's where nothing else tells: the list is read by as much more.
const CLOCKS_APART: Duration = Duration::from_hours(1);

impl Submitter {
    /// Waits until a create may leave; in the inner error, why none may.
    pub(super) async fn may_create(&self, order: &Order) -> Result<Result<(), Blocked>, SubmitError> {
        if let Err(blocked) = self.walked_and_quiet().await? {
            return Ok(Err(blocked));
        }
        Ok(self.prove(order).await)
    }

    /// Waits for the walk; in the inner error, why no create may leave besides: the ledger may be older than it thinks.
    pub(super) async fn walked_and_quiet(&self) -> Result<Result<(), Blocked>, SubmitError> {
        if let Err(blocked) = self.walked().await? {
            return Ok(Err(blocked));
        }
        if self.ledger.guards(self.account)?.quiet_since.is_none() {
            return Ok(Ok(()));
        }
        // Who comes together waits for one reading of the list.
        let _reading = self.after_quiet.lock().await;
        let Some(since) = self.ledger.guards(self.account)?.quiet_since else {
            return Ok(Ok(()));
        };
        let (account, now) = (self.account, self.now());
        let Some(waited) = now.boot.since(&since) else {
            // The machine was booted: the wait cannot be measured, and begins anew.
            let begin = now.boot.clone();
            let anew = self
                .ledger
                .write(move |store| store.set_quiet(account, Some(&begin)));
            anew.await?;
            return Ok(self.quiet_until(&now.boot, &now).map_or(Ok(()), Err));
        };
        if let Some(blocked) = self.quiet_until(&since, &now) {
            return Ok(Err(blocked));
        }
        // What the list did not show yet when it was walked shows by now, and a search may be blind to it.
        let hidden = waited
            .saturating_add(self.config.absent_after)
            .saturating_add(CLOCKS_APART);
        let hidden = SignedDuration::try_from(hidden).unwrap_or(SignedDuration::MAX);
        let from = now.wall.checked_sub(hidden).unwrap_or(Timestamp::MIN);
        if let Err(blocked) = self.read_history(from).await? {
            return Ok(Err(blocked));
        }
        self.ledger
            .write(move |store| store.end_quiet(account, &since))
            .await?;
        Ok(Ok(()))
    }

    /// Why nothing leaves while a sign of a lost claim is young, if it is.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub fn quiet(&self) -> Result<Option<Blocked>, SubmitError> {
        let since = self.ledger.guards(self.account)?.quiet_since;
        let now = self.now();
        Ok(since.and_then(|since| self.quiet_until(&since, &now)))
    }

    /// The quiet time that began then; none where it is over. One from before a boot begins anew.
    fn quiet_until(&self, since: &BootTime, now: &Now) -> Option<Blocked> {
        let waited = now.boot.since(since).unwrap_or_default();
        let left = self.config.absent_after.checked_sub(waited)?;
        (!left.is_zero()).then(|| Blocked::Quiet(now.wall.checked_add(left).unwrap_or(Timestamp::MAX)))
    }
}
