//! Held orders in a run: those that a person has approved are sent, the sheets that list the others are kept fresh, and
//! what has waited for a week is said again.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::{DaemonError, Desk};
use crate::filing::finish::FinishError;
use crate::import::Importer;
use crate::submit::Released;

/// After this time it is said again that orders wait for a person.
const SAID_AGAIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Sends the approved orders of an account.
pub(super) async fn send_approved(importer: &Importer) -> Result<Released, DaemonError> {
    let released = importer.submitter.send_approved().await?;
    if released.sent + released.known + released.held_again > 0 {
        tracing::info!(
            account = importer.submitter.config.name,
            sent = released.sent,
            known = released.known,
            held_again = released.held_again,
            "approved orders"
        );
    }
    Ok(released)
}

impl Desk {
    /// Writes the held sheets whose orders have changed; gives how many could not be written now.
    pub(super) async fn write_held_sheets(self: &Arc<Self>) -> Result<usize, DaemonError> {
        let stale = self
            .ledger()
            .read(|store| store.stale_held_sheets(&self.inbox.name))?;
        let mut left = 0;
        for claim in stale {
            let (sheet, now) = (claim.new.sheet_name.clone(), self.importer.submitter.now().wall);
            match self
                .by_hand("result", move |desk| desk.finisher().write_held(&claim, now))
                .await?
            {
                Ok(_written) => {}
                Err(FinishError::Ledger(error)) => return Err(error.into()),
                Err(error) => {
                    tracing::warn!(sheet, "{}; it is tried again", crate::causes::chain(&error));
                    left += 1;
                }
            }
        }
        Ok(left)
    }

    /// Says again that orders have waited for a person for a week.
    pub(super) async fn say_what_waits(&self) -> Result<(), DaemonError> {
        let now = self.importer.submitter.now();
        let before = now.wall.checked_sub(SAID_AGAIN).unwrap_or(Timestamp::MIN);
        let inbox = self.inbox.name.clone();
        let waiting = self
            .ledger()
            .write(move |store| store.say_held_since(&inbox, before, &now))
            .await?;
        for (stem, orders) in waiting {
            tracing::warn!(
                inbox = self.inbox.name,
                sheet = stem,
                orders,
                "orders have waited for approval for a week or longer: move their file from held/ to approved/ or declined/"
            );
        }
        Ok(())
    }
}
