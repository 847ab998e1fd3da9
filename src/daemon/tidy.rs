//! What is not kept for ever: copies of sheets (`keep.spool`), originals (`keep.done`), and the content of orders that
//! were refused or given up. Looked at once an hour; nothing that is still needed goes, and nothing at all while this
//! machine's clock may be wrong: what it takes for old would be gone for good.

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

/// At a start the services have this time to tell theirs.
const FIRST: Duration = Duration::from_mins(5);

/// A service tells its time in whole seconds.
const WHOLE: SignedDuration = SignedDuration::from_secs(1);

/// How far this machine's clock may be from a service's where what is old is removed.
const APART: SignedDuration = SignedDuration::from_hours(12);

/// What is erased in one write, beside which orders commit theirs: it takes milliseconds.
const AT_ONCE: u32 = 1_000;

/// The most such writes in a round: where more is old at once, after `keep.spool` was set, say, the next rounds go on.
const WRITES: u32 = 100;

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
    let mut is_told = false;
    super::pause(FIRST, ending).await;
    while !ending.is_cancelled() {
        if_due(desks, config, &mut is_told).await?;
        super::pause(ROUND, ending).await;
    }
    Ok(())
}

/// Tidies where that was not done within the hour. Where this machine's clock may be wrong, that is logged, unless it
/// `is_told`.
pub(super) async fn if_due(
    desks: &Desks,
    config: &Arc<Config>,
    is_told: &mut bool,
) -> Result<(), DaemonError> {
    let wall = desks.clock.now().wall;
    let done = desks.ledger.read(|store| store.notice(DONE))?;
    let done = done.map(|(at, _seen)| at);
    if !is_due(done, wall) {
        return Ok(());
    }
    let told = told(desks);
    let mut clients = desks.accounts.values().map(|importer| &importer.submitter.client);
    // By this machine's clock alone nothing is old: it may be years ahead. A pass that asks no service leaves it to one that
    // does. Where a service never tells the time, there is no other clock.
    if told.is_empty() && !clients.all(|client| client.tells_no_time()) {
        return Ok(());
    }
    let Some(now) = surely(wall, &told) else {
        if !*is_told {
            tracing::warn!(
                "this machine's clock is more than {} hours from a service's: nothing that is old is removed",
                APART.as_hours()
            );
        }
        *is_told = true;
        return Ok(());
    };
    *is_told = false;
    desks
        .ledger
        .write(move |store| store.put_notice(DONE, wall))
        .await?;
    let old = |keep: Option<Duration>| {
        let keep = SignedDuration::try_from(keep?).unwrap_or(SignedDuration::MAX);
        now.checked_sub(keep).ok()
    };
    if let Some(before) = old(config.keep_spool) {
        let (ledger, spool) = (Arc::clone(&desks.ledger), super::spool_of(config));
        let inboxes: Vec<String> = desks.inboxes.iter().map(|desk| desk.inbox.name.clone()).collect();
        let tidy = move || copies(&ledger, (&spool, &inboxes), (before, now));
        let tidying = tokio::task::spawn_blocking(tidy);
        or_later(tidying.await.map_err(|_panic| DaemonError::Panicked)?)?;
    }
    if let Some(before) = old(config.keep_done) {
        for desk in &desks.inboxes {
            let tidied = desk.in_good_time("tidy", move |desk| originals(desk, before));
            if let Some(tidied) = tidied.await? {
                or_later(tidied)?;
            }
        }
    }
    Ok(())
}

/// The time by each service that has told it.
fn told(desks: &Desks) -> Vec<Timestamp> {
    let clients = desks.accounts.values().map(|importer| &importer.submitter.client);
    clients.filter_map(|client| client.service_now()).collect()
}

/// Whether a service has told a time that is far from this machine's.
pub(super) fn is_contradicted(desks: &Desks, wall: Timestamp) -> bool {
    surely(wall, &told(desks)).is_none()
}

/// Whether what was last done then is to be done again. A clock that showed a moment that has not come yet was wrong.
fn is_due(done: Option<Timestamp>, now: Timestamp) -> bool {
    let round = SignedDuration::try_from(ROUND).unwrap_or(SignedDuration::MAX);
    done.is_none_or(|at| at > now || now.duration_since(at) >= round)
}

/// The moment that has surely come, by this machine's clock and by what the services have told; none where one of them
/// is far from ours, for which of the two is wrong cannot be told.
fn surely(wall: Timestamp, told: &[Timestamp]) -> Option<Timestamp> {
    let is_near = |told: &Timestamp| wall.duration_since(*told).abs() <= APART;
    told.iter().all(is_near).then(|| {
        let told = told.iter().map(|told| told.checked_add(WHOLE).unwrap_or(*told));
        told.fold(wall, Timestamp::min)
    })
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

fn copies(
    ledger: &Ledger,
    (spool, inboxes): (&Path, &[String]),
    (before, now): (Timestamp, Timestamp),
) -> Result<(), TidyError> {
    let content = erase(|| ledger.write_blocking(move |store| store.erase_content(before, AT_ONCE)))?;
    let erased = content + erase(|| ledger.write_blocking(move |store| store.erase_zips(before, AT_ONCE)))?;
    let removed = spool::remove_old(spool, now, |hash| {
        let is_needed = ledger.read(|store| {
            Ok::<_, LedgerError>(store.copy_is_needed(hash, before)? || store.copy_is_owed(hash, inboxes)?)
        });
        Ok::<_, TidyError>(is_needed?)
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

/// Erases until nothing that is old is left, or there were enough writes; gives of how many orders.
fn erase(some: impl Fn() -> Result<usize, LedgerError>) -> Result<usize, LedgerError> {
    let mut erased = 0;
    for _write in 0..WRITES {
        let of_these = some()?;
        erased += of_these;
        if of_these == 0 {
            break;
        }
    }
    Ok(erased)
}

/// Removes the originals of sheets that ended long ago. A file that no sheet of this inbox carries the name of, or that has
/// other bytes than were taken, is somebody else's.
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
        let old = desk
            .ledger()
            .read(|store| store.done_before(inbox, stem, before))?;
        let Some(hash) = old else { continue };
        if entry.file_type()?.is_file() && spool::hash_of(&entry.path())? == hash {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Store;

    #[test]
    fn it_is_tidied_once_an_hour_and_after_a_clock_that_was_ahead() {
        let at = |minutes: i64| Timestamp::from_second(1_790_000_000 + minutes * 60).unwrap();
        assert!(is_due(None, at(0)));
        assert!(!is_due(Some(at(0)), at(59)));
        assert!(is_due(Some(at(0)), at(60)));
        assert!(is_due(Some(at(3 * 365 * 24 * 60)), at(0)), "it was ahead then");
    }

    #[test]
    fn what_is_old_is_erased_in_several_writes_until_nothing_is_left_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let ledger = Ledger::open(&path, "a test").unwrap();
        let account =
            |store: &Store<'_>| store.account("main", "https://api.example.com", "shop@example.com");
        ledger.write_blocking(account).unwrap();
        let db = rusqlite::Connection::open(&path).unwrap();
        let put = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2501)
                   INSERT INTO listed (account_id, order_id, pw_order_id, signature, zip, entered_at)
                   SELECT 1, 'A' || i, 'PW' || i, '{}', '1' || i, iif(i = 2501, 2000, i % 1000) FROM n";
        db.execute(put, []).unwrap();
        let now = Timestamp::from_millisecond(1500).unwrap();
        let spool = folder.path().join("spool");
        std::fs::create_dir(&spool).unwrap();
        copies(&ledger, (&spool, &[]), (now, now)).unwrap();
        let left = "SELECT group_concat(zip) FROM listed WHERE zip IS NOT NULL";
        let left: String = db.query_row(left, [], |row| row.get(0)).unwrap();
        assert_eq!(left, "12501");
        // However much there is, a round comes to its end.
        assert_eq!(erase(|| Ok(2)).unwrap(), 200);
    }

    #[test]
    fn nothing_is_old_by_a_clock_that_is_far_from_a_services() {
        let at = |hours: i64| Timestamp::from_second(1_790_000_000 + hours * 3600).unwrap();
        let earliest = at(-12) + WHOLE;
        assert_eq!(surely(at(0), &[at(-12), at(1)]), Some(earliest));
        assert_eq!(surely(at(0), &[at(12)]), Some(at(0)));
        for far in [-13, 13, -30_000] {
            assert_eq!(surely(at(0), &[at(0), at(far)]), None, "{far}");
        }
    }
}
