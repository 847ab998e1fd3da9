//! What a person is told of, gathered from the ledger, the accounts and the disks, and told every few seconds.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desks};
use crate::config::{Config, Notify};
use crate::files::{self, Room};
use crate::ledger::record::{ClaimRef, ClaimState, Purpose};
use crate::ledger::{LedgerError, Reader, Store};
use crate::notify::Notifier;
use crate::notify::concern::{Concern, Ended, Service, Situation, Untaken, concerns};
use crate::outcome;
use crate::status::{Status, not_told};
use crate::submit::{Blocked, Submitter};

/// How often it is looked whether there is something to tell; what comes within it is told together.
const ROUND: Duration = Duration::from_secs(10);

/// The newest sheets that are looked through.
const SHEETS: u32 = 1000;

/// Tells until the program ends.
pub(super) async fn keep(
    desks: &Desks,
    config: &Arc<Config>,
    notify: &Notify,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    let mut telling = Telling::new(notify, desks);
    while !ending.is_cancelled() {
        telling.round(desks, config, notify).await?;
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

/// Tells once, at the end of one pass; gives what keeps a person from being told. Where that is news, `STATUS.txt` tells it
/// too.
pub(super) async fn passed(
    desks: &Desks,
    config: &Arc<Config>,
    notify: &Notify,
) -> Result<Vec<String>, DaemonError> {
    let failed = || desks.ledger.read(|store| not_told::read(store, Some(notify)));
    let before = failed()?;
    Telling::new(notify, desks).round(desks, config, notify).await?;
    let after = failed()?;
    if before != after {
        for desk in &desks.inboxes {
            super::tell::passed(desk, config).await?;
        }
    }
    let told = after.iter().map(|failed| not_told::told(failed, &config.zone));
    Ok(told.collect())
}

/// Who tells, and what is known of the ended sheets from the last round.
struct Telling {
    notifier: Notifier,
    counted: Counted,
}

impl Telling {
    fn new(notify: &Notify, desks: &Desks) -> Self {
        Self {
            notifier: Notifier::new(notify, &desks.told),
            counted: Counted::default(),
        }
    }

    async fn round(
        &mut self,
        desks: &Desks,
        config: &Arc<Config>,
        notify: &Notify,
    ) -> Result<(), DaemonError> {
        let now = desks.clock.now();
        let began = self.notifier.began(&desks.ledger, &now).await?;
        let rejected: Vec<Untaken> = desks.inboxes.iter().flat_map(|desk| desk.rejected()).collect();
        let mut services = Vec::with_capacity(desks.accounts.len());
        for (name, importer) in &desks.accounts {
            let service = across_runs(&importer.submitter, name, now.wall).await?;
            services.push((name.clone(), service));
        }
        let (config, wall, patience) = (Arc::clone(config), now.wall, notify.repeat);
        let mut counted = std::mem::take(&mut self.counted);
        let gathering = tokio::task::spawn_blocking(move || {
            let reader = Reader::open(&config.ledger)?;
            reader.read(|store| {
                let ended = counted.ended(store, began)?;
                let times = (began, wall, patience);
                let concerns = gather((store, &config), &ended, (rejected, services), times)?;
                Ok((concerns, counted))
            })
        });
        let gathered: Result<_, LedgerError> = gathering.await.map_err(|_panic| DaemonError::Panicked)?;
        let (concerns, counted) = gathered?;
        self.counted = counted;
        self.notifier.tell(&desks.ledger, &concerns, &now).await?;
        Ok(())
    }
}

/// What the newest sheets have come to, each counted anew only where something of it has changed.
#[derive(Debug, Default)]
struct Counted(HashMap<ClaimRef, (i64, Vec<(outcome::Status, u64)>)>);

impl Counted {
    /// The newest sheets that have ended and were taken since a moment.
    fn ended(&mut self, store: &Store<'_>, began: Timestamp) -> Result<Vec<Ended>, LedgerError> {
        let mut known = std::mem::take(&mut self.0);
        let mut ended = Vec::new();
        for claim in store.newest_claims(SHEETS)? {
            let rejected = claim.state == ClaimState::Rejected;
            let is_told = rejected || claim.state == ClaimState::Done && claim.new.purpose == Purpose::Send;
            if !is_told || claim.new.taken_at < began {
                continue;
            }
            let orders = match known.remove(&claim.id) {
                Some((changes, orders)) if changes == claim.changes => orders,
                Some(_) | None => store.statuses_of(claim.id)?,
            };
            self.0.insert(claim.id, (claim.changes, orders.clone()));
            ended.push(Ended {
                orders,
                inbox: claim.new.inbox,
                sheet: claim.new.sheet_name,
                stem: claim.new.stem,
                taken_at: claim.new.taken_at,
                rejected,
            });
        }
        Ok(ended)
    }
}

type Outside = (Vec<Untaken>, Vec<(String, Service)>);

fn gather(
    (store, config): (&Store<'_>, &Config),
    ended: &[Ended],
    (rejected, services): Outside,
    (began, now, patience): (Timestamp, Timestamp, Duration),
) -> Result<Vec<Concern>, LedgerError> {
    let status = Status::read(store, config, now)?;
    Ok(concerns(&Situation {
        status: &status,
        ended,
        rejected: &rejected,
        services: &services,
        disk_is_full: files::room(files::folder_of(&config.ledger)).is_some_and(Room::is_nearly_full),
        began,
        patience,
    }))
}

/// How an account's service does. How long it is away is kept in the ledger: a single pass gives up long before it is
/// worth telling.
async fn across_runs(submitter: &Submitter, account: &str, now: Timestamp) -> Result<Service, LedgerError> {
    let noted = submitter.ledger.read(|store| store.away(account))?;
    let (found, away) = match service(submitter)? {
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
fn service(submitter: &Submitter) -> Result<Service, LedgerError> {
    Ok(match submitter.health.stopped() {
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
            .away()?
            .map_or(Service::Well, |(since, _what)| Service::Away(since)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Ledger;
    use crate::ledger::record::{NewClaim, Outcome};
    use crate::outcome::Status as Of;

    #[test]
    fn an_ended_sheet_is_counted_anew_only_where_something_of_it_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let ledger = Ledger::open(&path, "a test").unwrap();
        let taken_at = Timestamp::from_second(1_790_000_000).unwrap();
        let invalid = |claim, row| Outcome {
            status: Of::Invalid,
            ..Outcome::blank(claim, row, String::new())
        };
        let take = ledger.write_blocking(move |store| {
            let account = store.account("main", "https://api.example.com", "shop@example.com")?;
            let claim = store.take(&NewClaim::sample(account, "monday", taken_at))?;
            store.put_outcome(&invalid(claim, 2))?;
            store.set_claim_state(claim, ClaimState::Done)?;
            Ok(claim)
        });
        let claim = take.unwrap();
        let mut counted = Counted::default();
        let mut orders = || {
            let ended = ledger.read(|store| counted.ended(store, taken_at)).unwrap();
            ended[0].orders.clone()
        };
        assert_eq!(orders(), [(Of::Invalid, 1)]);
        // In a way that dropsheet itself never changes it.
        let db = rusqlite::Connection::open(&path).unwrap();
        db.execute("UPDATE outcome SET status = 'skipped'", []).unwrap();
        assert_eq!(orders(), [(Of::Invalid, 1)], "as it was counted");
        let put = move |store: &Store<'_>| store.put_outcome(&invalid(claim, 3));
        ledger.write_blocking(put).unwrap();
        assert_eq!(orders(), [(Of::Invalid, 1), (Of::Skipped, 1)]);
    }

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
