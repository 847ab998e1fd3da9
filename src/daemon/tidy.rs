//! What is not kept for ever: copies of sheets (`keep.spool`), originals (`keep.done`), and the content of orders that
//! were refused or given up. Looked at once an hour; nothing that is still needed goes.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desk, Desks};
use crate::config::Config;
use crate::inbox::{ending, spool};
use crate::ledger::{Ledger, LedgerError};

/// How often it is looked for what is old.
const ROUND: Duration = Duration::from_hours(1);

/// The key under which the ledger keeps when that was last done, for runs that make one pass.
const DONE: &str = "tidied";

/// Why old things are still there.
#[derive(Debug, thiserror::Error)]
enum TidyError {
    #[error("the disk")]
    Disk(#[from] io::Error),
    #[error("the ledger")]
    Ledger(#[from] LedgerError),
}

/// Tidies until the program ends.
pub(super) async fn keep(
    desks: &Desks,
    config: &Arc<Config>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    while !ending.is_cancelled() {
        if_due(desks, config).await?;
        super::pause(ROUND, ending).await;
    }
    Ok(())
}

/// Tidies where that was not done within the hour.
pub(super) async fn if_due(desks: &Desks, config: &Arc<Config>) -> Result<(), DaemonError> {
    let now = desks.clock.now().wall;
    let round = SignedDuration::try_from(ROUND).unwrap_or(SignedDuration::MAX);
    let due = desks
        .ledger
        .write(move |store| {
            let done = store.notice(DONE)?;
            let due = done.is_none_or(|(at, _seen)| now.duration_since(at) >= round);
            if due {
                store.put_notice(DONE, now)?;
            }
            Ok(due)
        })
        .await?;
    if !due {
        return Ok(());
    }
    let old = |keep: Option<Duration>| {
        let keep = SignedDuration::try_from(keep?).unwrap_or(SignedDuration::MAX);
        now.checked_sub(keep).ok()
    };
    if let Some(before) = old(config.keep_spool) {
        let (ledger, spool) = (Arc::clone(&desks.ledger), super::spool_of(config));
        let tidying = tokio::task::spawn_blocking(move || copies(&ledger, &spool, (before, now)));
        or_later(tidying.await.map_err(|_panic| DaemonError::Panicked)?)?;
    }
    if let Some(before) = old(config.keep_done) {
        for desk in &desks.inboxes {
            let tidied = desk.by_hand("tidy", move |desk| originals(desk, before)).await?;
            or_later(tidied)?;
        }
    }
    Ok(())
}

/// What the disk does not let go of is tried again an hour later; a ledger that fails stops the program.
fn or_later(tidied: Result<(), TidyError>) -> Result<(), DaemonError> {
    match tidied {
        Ok(()) => Ok(()),
        Err(TidyError::Ledger(error)) => Err(error.into()),
        Err(TidyError::Disk(error)) => {
            tracing::warn!(%error, "what is old cannot be removed now");
            Ok(())
        }
    }
}

fn copies(ledger: &Ledger, spool: &Path, (before, now): (Timestamp, Timestamp)) -> Result<(), TidyError> {
    let erased =
        ledger.write_blocking(move |store| Ok(store.erase_content(before)? + store.erase_zips(before)?))?;
    let removed = spool::remove_old(spool, now, |hash| {
        Ok::<_, TidyError>(ledger.read(|store| store.copy_is_needed(hash, before))?)
    })?;
    if removed + erased > 0 {
        tracing::info!(
            copies = removed,
            orders = erased,
            "older than `keep.spool`: removed and erased"
        );
    }
    Ok(())
}

/// Removes the originals of sheets that ended long ago. A file that no sheet of this inbox carries the name of is
/// somebody else's.
fn originals(desk: &Desk, before: Timestamp) -> Result<(), TidyError> {
    if desk.trouble().is_some() {
        return Ok(());
    }
    let mut removed = 0_u32;
    for entry in std::fs::read_dir(desk.folder.part("done"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let stem = name.strip_suffix(&ending(&name)).unwrap_or(&name);
        let inbox = &desk.inbox.name;
        let is_old = desk
            .ledger()
            .read(|store| store.is_done_before(inbox, stem, before))?;
        if is_old && entry.file_type()?.is_file() {
            std::fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    if removed > 0 {
        tracing::info!(
            inbox = desk.inbox.name,
            originals = removed,
            "older than `keep.done`: removed"
        );
    }
    Ok(())
}
