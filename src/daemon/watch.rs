//! The long run: an inbox looked at whenever something rings or its period is over; an account's unsettled orders
//! carried on, its list read every hour, its news written into results.

use std::sync::Arc;
use std::time::Duration;

use notify::{RecursiveMode, Watcher};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::sync::Syncing;
use super::{DaemonError, Desk, Desks};
use crate::import::Importer;
use crate::import::finish::Written;
use crate::ledger::record::{Claim, ClaimRef};
use crate::submit::Settler;

/// The shortest time between two looks, so that a folder that rings without end costs little.
const SHORTEST: Duration = Duration::from_millis(200);

/// How often unsettled orders and news are looked for, at least.
const ROUND: Duration = Duration::from_secs(2);

/// A result that could not be written again is tried again after this time.
const NEWS_AGAIN: Duration = Duration::from_mins(1);

/// Looks at an inbox and works what lies in it, until the program ends.
pub(super) async fn keep(desk: &Arc<Desk>, ending: &CancellationToken) -> Result<(), DaemonError> {
    let bell = Arc::new(Notify::new());
    let mut watcher = None;
    let mut said = None;
    while !ending.is_cancelled() {
        let trouble = blocking(desk, |desk| Ok(desk.trouble())).await?;
        if trouble != said {
            match &trouble {
                Some(trouble) => {
                    tracing::error!(inbox = desk.inbox.name, "{trouble}; nothing is taken there");
                }
                None if said.is_some() => tracing::info!(inbox = desk.inbox.name, "its folder is back"),
                None => {}
            }
            said.clone_from(&trouble);
        }
        let mut next = desk.inbox.look;
        if trouble.is_none() {
            if watcher.is_none() {
                watcher = watch(desk, &bell);
            }
            if let Some(ready_in) = pass(desk, ending).await? {
                next = next.min(ready_in);
            }
        } else {
            watcher = None;
        }
        tokio::time::sleep(SHORTEST).await;
        tokio::select! {
            () = bell.notified() => {}
            () = tokio::time::sleep(next) => {}
            () = ending.cancelled() => {}
        }
    }
    Ok(())
}

/// One look, and every open sheet worked as far as it goes. Gives when a file may be ready.
async fn pass(desk: &Arc<Desk>, ending: &CancellationToken) -> Result<Option<Duration>, DaemonError> {
    let taken = match blocking(desk, Desk::look).await {
        Ok(taken) => taken,
        Err(DaemonError::Take(crate::import::take::TakeError::Ledger(error))) => return Err(error.into()),
        Err(error) => {
            tracing::error!(inbox = desk.inbox.name, "{}", super::chain(&error));
            return Ok(None);
        }
    };
    for claim in desk.open_claims()? {
        if ending.is_cancelled() {
            break;
        }
        let report = desk.work(&claim).await?;
        if let Some(result) = &report.result {
            tracing::info!(sheet = report.sheet, result = %result.display(), orders = ?report.orders, "worked");
        }
    }
    super::help::keep_later(desk).await;
    Ok(taken.ready_in)
}

async fn blocking<T: Send + 'static>(
    desk: &Arc<Desk>,
    work: impl FnOnce(&Desk) -> Result<T, DaemonError> + Send + 'static,
) -> Result<T, DaemonError> {
    let desk = Arc::clone(desk);
    tokio::task::spawn_blocking(move || work(&desk))
        .await
        .map_err(|_panic| DaemonError::Panicked)?
}

/// A watcher that rings when something happens in the inbox; without one the periodic look finds everything too.
fn watch(desk: &Desk, bell: &Arc<Notify>) -> Option<notify::RecommendedWatcher> {
    let ring = Arc::clone(bell);
    let made = notify::recommended_watcher(move |event| {
        if rings(&event) {
            ring.notify_one();
        }
    })
    .and_then(|mut watcher| {
        watcher.watch(&desk.folder.part("inbox"), RecursiveMode::Recursive)?;
        watcher.watch(&desk.folder.part("try"), RecursiveMode::Recursive)?;
        Ok(watcher)
    });
    match made {
        Ok(watcher) => Some(watcher),
        Err(error) => {
            tracing::warn!(inbox = desk.inbox.name, %error, "the folder cannot be watched; it is looked at every so often");
            None
        }
    }
}

/// Whether an event may mean a sheet. Our own look opens the folder: an event that only says so would ring for ever.
fn rings(event: &notify::Result<notify::Event>) -> bool {
    use notify::EventKind;
    use notify::event::{AccessKind, AccessMode};
    match event {
        Ok(event) => match event.kind {
            EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
            EventKind::Any
            | EventKind::Create(_)
            | EventKind::Modify(_)
            | EventKind::Remove(_)
            | EventKind::Other => true,
        },
        // An overflow, say: a look finds out.
        Err(_lost) => true,
    }
}

/// Carries an account's unsettled orders on, reads its list, and writes the news into results.
pub(super) async fn carry_on(
    desks: &Desks,
    importer: &Arc<Importer>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    let submitter = &importer.submitter;
    let mut settler = Settler::default();
    let mut syncing = Syncing::new(importer)?;
    let mut next_news = Instant::now();
    while !ending.is_cancelled() {
        let (_open, due) = settler.round(submitter, None).await?;
        syncing.round(importer).await?;
        if Instant::now() >= next_news {
            let news = write_news(desks, importer).await?;
            // What cannot be written now, for a folder that is away, is not tried all the time.
            next_news = Instant::now() + if news.left > 0 { NEWS_AGAIN } else { Duration::ZERO };
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

/// Results that were written again, and how many could not be.
#[derive(Debug, Default)]
pub(super) struct News {
    pub(super) written: Vec<(ClaimRef, Written)>,
    pub(super) left: usize,
}

/// Writes the results again that have news, and gives what they say now.
pub(super) async fn write_news(desks: &Desks, importer: &Importer) -> Result<News, DaemonError> {
    let account = importer.submitter.account;
    let _one_at_a_time = desks.writing.lock().await;
    let stale: Vec<Claim> = desks.ledger.read(|store| store.stale_claims())?;
    let mut news = News::default();
    for claim in stale.iter().filter(|claim| claim.new.account == account) {
        let Some(desk) = desks.desk(&claim.new.inbox) else {
            continue;
        };
        match desk.rewrite(claim).await? {
            Some(written) => news.written.push((claim.id, written)),
            None => news.left += 1,
        }
    }
    Ok(news)
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, AccessMode, CreateKind};
    use notify::{Event, EventKind};

    use super::*;

    #[test]
    fn looking_at_a_folder_does_not_ring_and_writing_into_it_does() {
        for (kind, expected) in [
            (EventKind::Access(AccessKind::Open(AccessMode::Any)), false),
            (EventKind::Access(AccessKind::Read), false),
            (EventKind::Access(AccessKind::Close(AccessMode::Read)), false),
            (EventKind::Access(AccessKind::Close(AccessMode::Write)), true),
            (EventKind::Create(CreateKind::File), true),
        ] {
            assert_eq!(rings(&Ok(Event::new(kind))), expected, "{kind:?}");
        }
    }
}
