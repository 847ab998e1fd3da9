//! An account's own work in a long run: its unsettled orders carried on, its approved orders sent, its list read every
//! hour.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::sync::Syncing;
use super::{DaemonError, Desks, held};
use crate::import::Importer;
use crate::submit::Settler;

/// The shortest time between two rounds.
const SHORTEST: Duration = Duration::from_millis(200);

/// How often unsettled and approved orders are looked for, at least.
const ROUND: Duration = Duration::from_secs(2);

/// Carries an account's unsettled orders on, sends the approved ones, and reads its list.
pub(super) async fn carry_on(
    desks: &Desks,
    importer: &Arc<Importer>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    let submitter = &importer.submitter;
    let mut settler = Settler::default();
    let mut syncing = Syncing::new(importer)?;
    while !ending.is_cancelled() {
        let (_open, due) = settler.round(submitter, None).await?;
        let released = held::send_approved(desks, importer).await?;
        if released.more && !ending.is_cancelled() {
            continue;
        }
        syncing.round(importer).await?;
        submitter.audit(None).await?;
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
