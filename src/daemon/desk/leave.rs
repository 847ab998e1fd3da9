//! Whether orders of an inbox may leave: its folder forbids it by `STOP`, and by what a killed process left in it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Desk;
use crate::clock::Now;
use crate::config::Inbox;
use crate::daemon::DaemonError;
use crate::daemon::forgotten::begin as begin_recall;
use crate::filing::leftovers;
use crate::filing::take::{TakeError, Taker};

impl Desk {
    /// Looks whether orders may leave now: STOP may have come, or gone, since the last look, or a killed process have left
    /// what says that the ledger is older than what was sent.
    pub(in crate::daemon) async fn ask_to_leave(self: &Arc<Self>) -> Result<(), DaemonError> {
        // A folder that does not answer lets nothing leave; when it does, the next look lets it.
        let Some(looked) = self.in_time("look", Self::let_leave).await? else {
            self.stop.store(true, Ordering::Relaxed);
            return Ok(());
        };
        match looked {
            Err(DaemonError::Take(error @ (TakeError::Folder { .. } | TakeError::Spool(_)))) => {
                self.stop.store(true, Ordering::Relaxed);
                tracing::debug!(%error, "nothing is sent for now");
                Ok(())
            }
            looked => looked,
        }
    }

    /// Sees to what a killed process left in the inbox of sheets that lie elsewhere, before one of those is sent. A folder that
    /// cannot be worked tells nothing.
    pub(in crate::daemon) async fn see_to_leftovers_first(self: &Arc<Self>) -> Result<(), DaemonError> {
        if !matches!(self.in_time("look", Self::look_for_trouble).await?, Some(None)) {
            return Ok(());
        }
        match self.in_good_time("look", Self::see_to_leftovers).await? {
            Some(Err(DaemonError::Take(TakeError::Folder { .. }))) | None => Ok(()),
            Some(seen) => seen,
        }
    }

    fn let_leave(&self) -> Result<(), DaemonError> {
        match self.trouble() {
            Some(trouble) => tracing::debug!(trouble, "nothing is sent for now"),
            None => self.see_to_leftovers()?,
        }
        self.let_orders_leave();
        Ok(())
    }

    /// From here approved and unanswered orders of the inbox are sent unless its folder forbids it. Not before it was
    /// looked at: `STOP` may lie there, or a sign that the ledger is older than it thinks.
    pub(in crate::daemon) fn let_orders_leave(&self) {
        let daily = self.inbox.daily(&self.importer.zone);
        let Inbox { name, hold_zero, .. } = &self.inbox;
        self.importer
            .submitter
            .know_inbox(name, &self.stop, daily, *hold_zero);
    }

    /// Whether what a killed process left is seen to: before, nothing may be sent.
    pub(in crate::daemon) fn is_recovered(&self) -> bool {
        self.recovered.load(Ordering::Relaxed)
    }

    /// Sees once to what a killed process left.
    pub(in crate::daemon) fn see_to_leftovers(&self) -> Result<(), DaemonError> {
        if !self.is_recovered() {
            self.recover(&self.taker(None), &self.importer.submitter.now())?;
            self.recovered.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn recover(&self, taker: &Taker<'_>, now: &Now) -> Result<(), DaemonError> {
        // First: whatever else cannot be done now, what may be older than what was sent is known to be.
        let unclaimed = taker.unclaimed()?;
        if !unclaimed.is_empty() {
            self.distrust_the_ledger(now)?;
        }
        leftovers::sweep(self.ledger(), &self.folder)?;
        self.note_unswept()?;
        taker.finish_moves()?;
        leftovers::archive(&self.finisher())?;
        for file in &unclaimed {
            taker.send_back(file)?;
        }
        Ok(())
    }

    fn distrust_the_ledger(&self, now: &Now) -> Result<(), DaemonError> {
        // The ledger may be older than what was sent: nothing leaves before that would show in the list, and then each
        // order is looked up first. Written down before the sign is gone.
        let (account, now) = (self.importer.submitter.account, now.clone());
        // Once: where the files cannot be sent back, this is tried at every look.
        if !self.distrusted.load(Ordering::Relaxed) {
            let inbox = self.inbox.name.clone();
            self.ledger().write_blocking(move |store| {
                store.distrust(account, &now)?;
                // One that knows no sheet of the inbox is new: what lies in done/ is all from before it.
                match store.newest_taken(Some(&inbox))? {
                    Some(_) => begin_recall(store, std::slice::from_ref(&inbox), Some(&inbox), now.wall),
                    None => Ok(()),
                }
            })?;
            self.distrusted.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}
