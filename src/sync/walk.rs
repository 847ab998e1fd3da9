//! The walk: the order list read from a moment until now, before the first create of a process, so that what the ledger
//! does not know is known.

use std::pin::pin;

use futures_util::stream::{self, StreamExt};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::{List, Noted, ReadError, WIDEN, WINDOW, WalkError, doubt, read_window};
use crate::clock::Now;
use crate::config::Account;
use crate::ledger::record::AccountRef;
use crate::ledger::{Ledger, LedgerError, Store};
use crate::service::Verdict;

/// How many windows of a walk are read at once: with what else a sheet needs first they find room at the gate.
const PARTS_AT_ONCE: usize = 2;

/// A moment in the interface's own terms.
fn moment(at: DateTime) -> Timestamp {
    TimeZone::UTC.to_timestamp(at).unwrap_or(Timestamp::MIN)
}

/// Where an account's list must be read from before the first create of a process. However fresh the last walk is in
/// this ledger: one that was restored a minute after its walk knows nothing of what was sent since. An order without an id
/// has it read from there on again.
pub fn walk_from(
    ledger: &Ledger,
    account: AccountRef,
    config: &Account,
    now: &Now,
) -> Result<Timestamp, LedgerError> {
    let begun = begun(config, now);
    let Some(walked) = ledger.read(|store| store.walked(account))? else {
        return Ok(begun);
    };
    let without_id = ledger.guards(account)?.without_id_from;
    let again = without_id.filter(|from| may_hide(*from, begun));
    Ok(again.map_or(walked.to, |from| walked.to.min(from.max(begun))))
}

/// From when on the account's list counts. Config: `history`. A clock that is far ahead would leave yesterday out: `now` is
/// the earlier of this machine's and the service's.
pub fn begun(config: &Account, now: &Now) -> Timestamp {
    let history = SignedDuration::try_from(config.history).unwrap_or(SignedDuration::MAX);
    now.wall.checked_sub(history).unwrap_or(Timestamp::MIN)
}

/// Whether an order without an id that a part of the list from a moment on has shown may be of the history, which begins
/// then.
pub fn may_hide(from: Timestamp, begun: Timestamp) -> bool {
    let until = from.checked_add(WINDOW + WIDEN).unwrap_or(Timestamp::MAX);
    until >= begun
}

/// What a walk has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// How many orders the list has shown.
    pub orders: u64,
    /// From where on it was read where it has shown an order without an id, which may be any; none where each had one.
    pub without_id_from: Option<Timestamp>,
    /// A part of it is empty by the list's word alone, see `nothing`.
    by_word: bool,
}

/// How far a walk has come that ended because the service takes no more requests for now: what it has read to the end is not
/// read again by the next one, for one that began anew each time would never end where few are allowed. After any other
/// failure all is read anew.
#[derive(Debug, Default)]
pub struct Progress {
    /// From when on, in the interface's own terms, and until when everything was read.
    read: Option<(DateTime, DateTime)>,
    /// What that has shown.
    walk: Walk,
}

impl Progress {
    /// Where a walk from a moment goes on, and what is known already: nothing where it would leave a gap.
    fn take_up(&mut self, from: DateTime) -> (DateTime, Walk) {
        match self.read {
            Some((begun, until)) if begun <= from && from <= until => (until, self.walk),
            _ => {
                *self = Self::default();
                (from, Walk::default())
            }
        }
    }

    /// Everything from a moment until another was read, in a walk until `to`. An order that is entered from now on is never
    /// in what counts as read, whatever the zone of the dates; nor is what is empty by the list's word alone.
    fn note(&mut self, (from, until): (DateTime, DateTime), walk: Walk, to: DateTime) {
        if !walk.by_word && until.checked_add(WIDEN * 2).is_ok_and(|late| late <= to) {
            let begun = self.read.map_or(from, |(begun, _)| begun);
            *self = Self {
                read: Some((begun, until)),
                walk,
            };
        }
    }
}

/// Walks the list from a moment until now: what the ledger made is brought up to date, a name that it does not know
/// is written down as existing. Each page is committed. What was entered before `begun` does not count. `progress` is that of
/// the walks before this one, of the same process, which have failed.
pub async fn walk(
    list: List<'_>,
    (ledger, account): (&Ledger, AccountRef),
    (from, begun): (Timestamp, Timestamp),
    now: &Now,
    progress: &mut Progress,
) -> Result<Walk, WalkError> {
    let list = list.in_a_walk(ledger.read(|store| store.knows_no_order(account))?);
    let knew = list.knows_the_time();
    let mut read = walk_on(list, (ledger, account), from, now, progress).await?;
    if let Some(behind) = list.behind(now) {
        tracing::warn!(
            hours_behind = behind.as_hours(),
            "this machine's clock and the service's are far apart: correct it; the order list is read by both"
        );
        if !knew {
            read = walk_on(list, (ledger, account), from, now, progress).await?;
        }
    }
    if read.by_word
        && read.orders == 0
        && let Some(error) = doubt(list, (ledger, account), now).await?
    {
        return Err(error.into());
    }
    let (ended, to) = (now.clone(), list.known_to(now));
    ledger
        .write(move |store| {
            note_without_id(store, account, (from, begun), read.without_id_from)?;
            store.set_walked(account, to, &ended)
        })
        .await?;
    Ok(read)
}

/// Walks the list once more from where it has shown an order without an id on: an order that has its id by now is none.
pub async fn walk_again(
    list: List<'_>,
    kept: (&Ledger, AccountRef),
    (from, begun): (Timestamp, Timestamp),
    now: &Now,
) -> Result<Walk, WalkError> {
    list.first_page.read_again();
    let read = walk(list, kept, (from, begun), now, &mut Progress::default()).await?;
    list.first_page.is_read_again();
    Ok(read)
}

/// Notes from where on the list has shown an order without an id, when it was read from a moment until now. One that was
/// shown before that moment is not known to have one yet.
fn note_without_id(
    store: &Store<'_>,
    account: AccountRef,
    (from, begun): (Timestamp, Timestamp),
    seen: Option<Timestamp>,
) -> Result<(), LedgerError> {
    let before = store.guards(account)?.without_id_from;
    let unread = before.filter(|before| *before < from && begun < from);
    let noted = seen.into_iter().chain(unread).min();
    if noted == before {
        return Ok(());
    }
    store.set_without_id(account, noted)
}

/// Walks on from where the walks before came to, and forgets that where this one failed for good.
async fn walk_on(
    list: List<'_>,
    kept: (&Ledger, AccountRef),
    from: Timestamp,
    now: &Now,
    progress: &mut Progress,
) -> Result<Walk, WalkError> {
    let read = walk_once(list, kept, from, now, progress).await;
    if let Err(error) = &read
        && !is_for_now(error)
    {
        *progress = Progress::default();
    }
    read
}

/// Whether the service takes no more requests for now.
fn is_for_now(error: &WalkError) -> bool {
    matches!(error, WalkError::Read(ReadError::Failed(failure)) if matches!(failure.verdict, Verdict::TryLater(_)))
}

async fn walk_once(
    list: List<'_>,
    (ledger, account): (&Ledger, AccountRef),
    from: Timestamp,
    now: &Now,
    progress: &mut Progress,
) -> Result<Walk, WalkError> {
    let (from, to) = list.window(from, now);
    let (from, mut walk) = progress.take_up(from);
    let read_part = |part| async move {
        let mut noted = Noted::default();
        let without_id_from = match read_window(list, (ledger, account), part, now, &mut noted).await {
            Ok(()) => None,
            // It was read to its end: what it has shown is there, and is known now.
            Err(WalkError::Read(ReadError::WithoutId)) => {
                let from = moment(part.0);
                Some(from.checked_add(WIDEN).unwrap_or(from))
            }
            Err(error) => return Err(error),
        };
        let read = Walk {
            orders: noted.read,
            without_id_from,
            by_word: noted.by_word,
        };
        Ok::<_, WalkError>((part, read))
    };
    let mut all = pin!(
        stream::iter(parts(from, to))
            .map(read_part)
            .buffered(PARTS_AT_ONCE)
    );
    while let Some(part) = all.next().await {
        let (part, read) = part?;
        walk.orders = walk.orders.saturating_add(read.orders);
        walk.by_word |= read.by_word;
        // In their order: the first is the eldest.
        walk.without_id_from = walk.without_id_from.or(read.without_id_from);
        progress.note(part, walk, to);
    }
    Ok(walk)
}

/// The windows of a walk, in order.
fn parts(from: DateTime, to: DateTime) -> impl Iterator<Item = (DateTime, DateTime)> {
    let until = move |from: DateTime| from.checked_add(WINDOW).unwrap_or(to).min(to);
    let starts = std::iter::successors(Some(from), move |from| Some(until(*from)));
    starts
        .take_while(move |from| *from < to)
        .map(move |from| (from, until(from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_windows_of_a_walk_join_without_a_gap() {
        let from: DateTime = "2026-08-24T00:00:00".parse().unwrap();
        let to: DateTime = "2026-11-22T00:00:00".parse().unwrap();
        let months: Vec<_> = parts(from, to).collect();
        assert_eq!(months.len(), 3);
        assert_eq!((months[0].0, months[2].1), (from, to));
        assert!(months.windows(2).all(|two| two[0].1 == two[1].0));
        assert_eq!(parts(to, to).count(), 0);
        assert_eq!(parts(from, DateTime::MAX).last().unwrap().1, DateTime::MAX);
    }

    #[test]
    fn a_walk_that_failed_goes_on_where_it_came_to_and_never_leaves_a_gap_or_what_may_still_come() {
        let at = |text: &str| -> DateTime { text.parse().unwrap() };
        let [august, september, october, november] = ["2026-08-24", "2026-09-24", "2026-10-25", "2026-11-25"]
            .map(|day| at(&format!("{day}T00:00:00")));
        let read = |orders| Walk {
            orders,
            ..Walk::default()
        };
        let mut progress = Progress::default();
        assert_eq!(progress.take_up(august), (august, Walk::default()));
        progress.note((august, september), read(3), november);
        progress.note((september, october), read(5), november);
        progress.note((october, november), read(9), november);
        assert_eq!(
            progress.take_up(august),
            (october, read(5)),
            "the last may get more"
        );
        let later = at("2026-08-24T03:00:00");
        assert_eq!(progress.take_up(later), (october, read(5)));
        let late = at("2026-11-23T12:00:00");
        progress.note((october, late), read(7), november);
        assert_eq!(
            progress.take_up(august),
            (october, read(5)),
            "a day ahead is now somewhere"
        );
        let by_word = Walk {
            by_word: true,
            ..read(6)
        };
        progress.note((september, october), by_word, november);
        assert_eq!(
            progress.take_up(august),
            (october, read(5)),
            "a word is read again"
        );
        let earlier = at("2026-08-23T23:00:00");
        assert_eq!(
            progress.take_up(earlier),
            (earlier, Walk::default()),
            "an hour is not read"
        );
        assert_eq!(
            progress.take_up(august),
            (august, Walk::default()),
            "it is begun anew"
        );
    }

    #[test]
    fn an_order_without_an_id_counts_until_it_was_read_whole_from_there_on_or_from_the_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let account = ledger
            .write_blocking(|store| store.account("main", "http://127.0.0.1:1", "shop@example.com"))
            .unwrap();
        let at = |day: i64| Timestamp::from_second(1_790_000_000 + day * 86_400).unwrap();
        let begun = at(-90);
        let read = |from: i64, seen: Option<i64>| {
            ledger
                .write_blocking(move |store| note_without_id(store, account, (at(from), begun), seen.map(at)))
                .unwrap();
            ledger.guards(account).unwrap().without_id_from
        };
        assert_eq!(read(-10, None), None);
        assert_eq!(read(-10, Some(-8)), Some(at(-8)));
        assert_eq!(
            read(-3, Some(-2)),
            Some(at(-8)),
            "the elder one may be there still"
        );
        assert_eq!(read(-3, None), Some(at(-8)));
        assert_eq!(read(-8, Some(-2)), Some(at(-2)));
        assert_eq!(read(-8, None), None);
        assert_eq!(read(-89, Some(-89)), Some(at(-89)));
        assert_eq!(
            read(-90, None),
            None,
            "what is older than the history does not count"
        );
        assert!(may_hide(at(-121), begun) && !may_hide(at(-123), begun));
    }
}
