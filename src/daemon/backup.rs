//! The ledger's daily backup, made beside the work.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desks};
use crate::clock::Clock;
use crate::ledger::{Ledger, LedgerError, backup};

/// How old the newest backup may become.
const EVERY: Duration = Duration::from_hours(24);

/// How often that is looked for; a backup that failed is tried again then.
const LOOK: Duration = Duration::from_hours(1);

/// Backs the ledger up whenever a day has passed, until the program ends. A backup that fails is no reason to stop:
/// orders are safe without it, and a person is told.
pub(super) async fn keep(
    desks: &Desks,
    zone: &TimeZone,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    check_or_make_if_due(desks, zone).await?;
    while !ending.is_cancelled() {
        make_if_due(desks, zone).await?;
        super::pause(LOOK, ending).await;
    }
    Ok(())
}

/// Backs a ledger up, once in a run, that was too large to be looked through when it was opened after an end that was
/// not in order: the backup is checked. Else where it is due.
pub(super) async fn check_or_make_if_due(desks: &Desks, zone: &TimeZone) -> Result<(), DaemonError> {
    if desks.ledger.is_unchecked() {
        tracing::warn!(
            "dropsheet did not end in order the last time; the ledger is checked, by a backup, beside the work"
        );
        return make(desks, zone).await;
    }
    make_if_due(desks, zone).await
}

/// Backs the ledger up when the newest backup is older than a day, or when there is something to lose and none yet.
async fn make_if_due(desks: &Desks, zone: &TimeZone) -> Result<(), DaemonError> {
    if is_due(&desks.ledger, &desks.clock)? {
        make(desks, zone).await?;
    }
    Ok(())
}

async fn make(desks: &Desks, zone: &TimeZone) -> Result<(), DaemonError> {
    let ledger = Arc::clone(&desks.ledger);
    let (path, now) = (ledger.path().to_owned(), desks.clock.now());
    let at = now.wall.to_zoned(zone.clone());
    // By a clock that a service contradicts no day is told from another.
    let removes = !super::tidy::is_contradicted(desks, now.wall);
    let making = tokio::task::spawn_blocking(move || -> Result<PathBuf, LedgerError> {
        backup::sweep(&path).map_err(|source| LedgerError::Backup {
            path: backup::folder(&path),
            source,
        })?;
        if removes {
            backup::make(&path, &at)
        } else {
            backup::add(&path, &at)
        }
    });
    match making.await.map_err(|_panic| DaemonError::Panicked)? {
        Ok(made) => {
            tracing::info!(backup = %made.display(), "the ledger is backed up");
            ledger.write(move |store| store.set_backed_up(now.wall)).await?;
        }
        Err(error) => {
            let why = crate::causes::chain(&error);
            tracing::error!("the ledger's daily backup failed, and is tried again in an hour: {why}");
            ledger.write(move |store| store.set_not_backed_up(&why)).await?;
        }
    }
    Ok(())
}

/// What a pass says of a backup that failed.
pub(super) fn trouble(ledger: &Ledger) -> Result<Option<String>, LedgerError> {
    let failed = ledger.read(|store| store.not_backed_up())?;
    Ok(failed
        .map(|why| format!("the ledger's daily backup failed: {why}; it is tried again at the next run")))
}

fn is_due(ledger: &Ledger, clock: &Clock) -> Result<bool, LedgerError> {
    let now = clock.now().wall;
    ledger.read(|store| {
        if store.not_backed_up()?.is_some() {
            return Ok(true);
        }
        let Some(last) = store.backed_up_at()? else {
            // A ledger that has taken no sheet yet holds nothing that `init` would not make again.
            return Ok(!store.newest_claims(1)?.is_empty());
        };
        // One from the future tells of a clock that was set back: nobody knows how old it is.
        let age = Duration::try_from(now.duration_since(last));
        Ok(age.is_ok_and(|age| age >= EVERY) || last > now)
    })
}
