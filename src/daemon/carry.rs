//! An account's own work in a long run: its unsettled orders carried on, its approved orders sent, its list read every
//! hour.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desks, held};
use crate::import::Importer;
use crate::submit::Settler;
use crate::sync;

/// The shortest time between two rounds.
const SHORTEST: Duration = Duration::from_millis(200);

/// How often unsettled and approved orders are looked for, at least.
const ROUND: Duration = Duration::from_secs(2);

/// How far back the hourly reading of the order list goes.
const SYNCED: jiff::SignedDuration = jiff::SignedDuration::from_hours(24);

/// Carries an account's unsettled orders on, sends the approved ones, and reads its list.
pub(super) async fn carry_on(
    desks: &Desks,
    importer: &Arc<Importer>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    let submitter = &importer.submitter;
    let mut settler = Settler::default();
    let mut next_sync = Instant::now() + submitter.config.sync;
    while !ending.is_cancelled() {
        let (_open, due) = settler.round(submitter, None).await?;
        let released = held::send_approved(desks, importer).await?;
        if released.more && !ending.is_cancelled() {
            continue;
        }
        if Instant::now() >= next_sync {
            next_sync = Instant::now() + submitter.config.sync;
            sync_now(importer).await?;
        }
        let next = due
            .unwrap_or_else(|| Instant::now() + ROUND)
            .min(Instant::now() + ROUND);
        tokio::select! {
            () = tokio::time::sleep_until(next.max(Instant::now() + SHORTEST)) => {}
            () = ending.cancelled() => {}
        }
    }
    Ok(())
}

/// Reads the account's list when the last reading is older than `account.sync`.
pub(super) async fn sync_if_due(importer: &Importer) -> Result<(), DaemonError> {
    let submitter = &importer.submitter;
    let now = submitter.now();
    let walked = submitter.ledger.read(|store| store.walked(submitter.account))?;
    // Where nothing was ever read, nothing was ever sent.
    let is_due = walked.is_some_and(|walked| {
        now.boot
            .since(&walked.ended)
            .is_none_or(|ago| ago >= submitter.config.sync)
    });
    if is_due && submitter.health.stopped().is_none() {
        sync_now(importer).await
    } else {
        Ok(())
    }
}

async fn sync_now(importer: &Importer) -> Result<(), DaemonError> {
    let submitter = &importer.submitter;
    // The first walk of a process reaches further back than any other: without it nothing may count as walked.
    if let Err(blocked) = submitter.walked().await? {
        tracing::debug!(
            ?blocked,
            account = submitter.config.name,
            "the order list is read later"
        );
        return Ok(());
    }
    let now = submitter.now();
    let a_day_ago = now.wall.checked_sub(SYNCED).unwrap_or(now.wall);
    let known_to = submitter
        .ledger
        .read(|store| store.walked(submitter.account))?
        .map_or(a_day_ago, |walked| walked.to);
    let from = known_to.min(a_day_ago);
    match sync::walk(submitter.list(), &submitter.ledger, submitter.account, from, &now).await {
        Ok(orders) => {
            tracing::debug!(account = submitter.config.name, orders, "the order list is read");
            Ok(())
        }
        Err(sync::WalkError::Ledger(error)) => Err(error.into()),
        Err(sync::WalkError::Read(error)) => {
            tracing::warn!(account = submitter.config.name, %error, "the order list is read later");
            Ok(())
        }
    }
}
