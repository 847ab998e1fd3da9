//! An account's own work in a long run: its unsettled orders carried on, its approved orders sent, its list read every
//! hour. Where its password is refused, it is looked whether another one stands in its place by now.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::sync::Syncing;
use super::{DaemonError, held, pause, pause_until};
use crate::import::Importer;
use crate::submit::{Blocked, Settler};

/// The shortest time between two rounds.
const SHORTEST: Duration = Duration::from_millis(200);

/// How often unsettled and approved orders are looked for, at least.
const ROUND: Duration = Duration::from_secs(2);

/// Carries an account's unsettled orders on, sends the approved ones, and reads its list; each beside the others, for
/// one that the service does not answer is tried ever more rarely.
pub(super) async fn carry_on(
    importer: &Arc<Importer>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    tokio::try_join!(
        settle(Settler::of_unresolved(), importer, ending),
        settle(Settler::of_cancels(), importer, ending),
        send_approved(importer, ending),
        read_list(importer, ending),
    )?;
    Ok(())
}

/// Looks for orders without an answer, or asks for cancels: neither waits for the other.
async fn settle(
    mut settler: Settler,
    importer: &Arc<Importer>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    while !ending.is_cancelled() {
        let (_open, due) = settler.round(&importer.submitter, None).await?;
        let soonest = Instant::now() + SHORTEST;
        let latest = Instant::now() + ROUND;
        pause_until(due.unwrap_or(latest).clamp(soonest, latest), ending).await;
    }
    Ok(())
}

async fn send_approved(importer: &Arc<Importer>, ending: &CancellationToken) -> Result<(), DaemonError> {
    while !ending.is_cancelled() {
        see_to_password(importer).await;
        let released = held::send_approved(importer).await?;
        if !released.more {
            pause(ROUND, ending).await;
        }
    }
    Ok(())
}

/// Reads what is new of the account's orders, and counts those that had no answer once.
async fn read_list(importer: &Arc<Importer>, ending: &CancellationToken) -> Result<(), DaemonError> {
    let mut syncing = Syncing::new(importer)?;
    while !ending.is_cancelled() {
        syncing.round(importer).await?;
        importer.submitter.audit(None).await?;
        pause(ROUND, ending).await;
    }
    Ok(())
}

/// Lets an account whose password was refused go on once its file holds another one. What the file holds is compared,
/// not when it was written: a password that was refused is not tried twice.
async fn see_to_password(importer: &Importer) {
    let submitter = &importer.submitter;
    let stopped = submitter.health.stopped();
    let Some(Blocked::Credentials(_) | Blocked::Token(_) | Blocked::Denied(_)) = stopped else {
        return;
    };
    let account = &submitter.config;
    match account.password() {
        Ok(password) if submitter.client.take_password(&password).await => {
            tracing::info!(account = account.name, "its password has changed; it is tried");
            importer.catalog.forget_failure().await;
            submitter.health.credentials_changed();
        }
        Ok(_refused) => {}
        // It is being written, say.
        Err(error) => tracing::debug!(account = account.name, %error, "no other password is there"),
    }
}
