//! What a person is told of, gathered from the ledger, the accounts and the disks, and told every few seconds.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desks, room};
use crate::config::{Config, Notify};
use crate::files;
use crate::ledger::record::{ClaimState, Purpose, Room};
use crate::ledger::{LedgerError, Reader, Store};
use crate::notify::Notifier;
use crate::notify::concern::{Concern, Ended, Seen, Service, Untaken, concerns};
use crate::status::Status;
use crate::submit::{Blocked, Submitter};

/// How often it is looked whether there is something to tell; what comes within it is told together.
const ROUND: Duration = Duration::from_secs(10);

/// The newest sheets that are looked through.
const SHEETS: u32 = 200;

/// Tells until the program ends.
pub(super) async fn keep(
    desks: &Desks,
    config: &Arc<Config>,
    notify: &Notify,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    let mut notifier = Notifier::new(notify, &desks.told);
    while !ending.is_cancelled() {
        round(&mut notifier, desks, config, notify).await?;
        super::pause(ROUND, ending).await;
    }
    Ok(())
}

/// Notes when telling began, before a pass takes what it will be told of.
pub(super) async fn begin(desks: &Desks, notify: &Notify) -> Result<(), DaemonError> {
    let (notifier, now) = (Notifier::new(notify, &desks.told), desks.clock.now());
    notifier.began(&desks.ledger, &now).await?;
    Ok(())
}

/// Tells once, at the end of one pass.
pub(super) async fn passed(desks: &Desks, config: &Arc<Config>, notify: &Notify) -> Result<(), DaemonError> {
    round(&mut Notifier::new(notify, &desks.told), desks, config, notify).await
}

async fn round(
    notifier: &mut Notifier,
    desks: &Desks,
    config: &Arc<Config>,
    notify: &Notify,
) -> Result<(), DaemonError> {
    let now = desks.clock.now();
    let began = notifier.began(&desks.ledger, &now).await?;
    let rejected: Vec<Untaken> = desks.inboxes.iter().flat_map(|desk| desk.rejected()).collect();
    let mut services = Vec::with_capacity(desks.accounts.len());
    for (name, importer) in &desks.accounts {
        let service = across_runs(&importer.submitter, name, now.wall).await?;
        services.push((name.clone(), service));
    }
    let (config, wall, patience) = (Arc::clone(config), now.wall, notify.repeat);
    let gathering = tokio::task::spawn_blocking(move || {
        let reader = Reader::open(&config.ledger)?;
        reader.read(|store| gather(store, &config, (rejected, services), (began, wall, patience)))
    });
    let concerns = gathering.await.map_err(|_panic| DaemonError::Panicked)??;
    notifier.tell(&desks.ledger, &concerns, &now).await?;
    Ok(())
}

type Outside = (Vec<Untaken>, Vec<(String, Service)>);

fn gather(
    store: &Store<'_>,
    config: &Config,
    (rejected, services): Outside,
    (began, now, patience): (Timestamp, Timestamp, Duration),
) -> Result<Vec<Concern>, LedgerError> {
    let status = Status::read(store, config, now)?;
    let mut ended = Vec::new();
    for claim in store.newest_claims(SHEETS)? {
        let rejected = claim.state == ClaimState::Rejected;
        let is_told = rejected || claim.state == ClaimState::Done && claim.new.purpose == Purpose::Send;
        if is_told && claim.new.taken_at >= began {
            ended.push(Ended {
                orders: store.statuses_of(claim.id)?,
                inbox: claim.new.inbox,
                sheet: claim.new.sheet_name,
                stem: claim.new.stem,
                taken_at: claim.new.taken_at,
                rejected,
            });
        }
    }
    Ok(concerns(&Seen {
        status: &status,
        ended: &ended,
        rejected: &rejected,
        services: &services,
        disk_is_full: room(files::folder_of(&config.ledger)).is_some_and(Room::is_nearly_full),
        began,
        patience,
    }))
}

/// How an account's service does. How long it is away is kept in the ledger: a single pass gives up long before it is
/// worth telling.
async fn across_runs(submitter: &Submitter, account: &str, now: Timestamp) -> Result<Service, LedgerError> {
    let noted = submitter.ledger.read(|store| store.away(account))?;
    let (found, away) = match service(submitter) {
        Service::Away(away) => {
            let since = now.checked_sub(away).unwrap_or(now);
            let since = still_away(noted, now).map_or(since, |noted| noted.min(since));
            let away = Duration::try_from(now.duration_since(since)).unwrap_or_default();
            (Service::Away(away), Some((since, now)))
        }
        found @ (Service::Well | Service::Credentials | Service::Denied | Service::Setup) => (found, None),
    };
    if away.is_some() || noted.is_some() {
        let name = account.to_owned();
        let note = move |store: &Store<'_>| store.set_away(&name, away);
        submitter.ledger.write(note).await?;
    }
    Ok(found)
}

/// Since when a service has been away that was found so before: not where nobody has looked for hours.
fn still_away(noted: Option<(Timestamp, Timestamp)>, now: Timestamp) -> Option<Timestamp> {
    let (since, last) = noted?;
    let gap = now.duration_since(last);
    (gap <= SignedDuration::from_hours(2) && !gap.is_negative()).then_some(since)
}

/// How an account's service does, by those who talk to it.
fn service(submitter: &Submitter) -> Service {
    match submitter.health.stopped() {
        Some(Blocked::Credentials(_)) => Service::Credentials,
        Some(Blocked::Token(_) | Blocked::Denied(_)) => Service::Denied,
        Some(Blocked::Setup(_)) => Service::Setup,
        Some(
            Blocked::Away(_)
            | Blocked::Slowed(_)
            | Blocked::Unusable(_)
            | Blocked::Quiet(_)
            | Blocked::Ending,
        )
        | None => submitter
            .health
            .away()
            .map_or(Service::Well, |(since, _what)| Service::Away(since)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_away_is_still_so_for_hours() {
        let at = |hour: i64| Timestamp::from_second(1_790_000_000 + hour * 3600).unwrap();
        for (noted, now, since) in [
            (None, 5, None),
            (Some((0, 4)), 5, Some(0)),
            (Some((0, 4)), 6, Some(0)),
            (Some((0, 4)), 7, None),
            // The clock was set back.
            (Some((0, 4)), 3, None),
        ] {
            let noted = noted.map(|(since, last)| (at(since), at(last)));
            assert_eq!(still_away(noted, at(now)), since.map(at), "{noted:?} {now}");
        }
    }
}
