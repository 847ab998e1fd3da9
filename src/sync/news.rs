//! The sync: what has become of the orders that are still to have news. The days of such orders are read, those older
//! than a week once a day, and an order that its days do not show is asked for by its id.

use std::collections::{BTreeSet, HashSet};

use jiff::{SignedDuration, Timestamp};

use super::alarms::read_alarms;
use super::late::read_late;
use super::whose::{Whose, whose};
use super::{List, Noted, ReadError, WalkError, doubt, look_up, read_window, seen, window};
use crate::clock::Now;
use crate::ledger::record::{AccountRef, OrderRecord, OrderRef};
use crate::ledger::{LatelyCanceled, Ledger, LedgerError, Store, Watched};
use crate::reconcile::is_same_id;
use crate::service::{ListedOrder, Verdict};

/// Orders older than this get no news any more: their results are final.
pub(super) const OLDEST: SignedDuration = SignedDuration::from_hours(24 * 30);

/// The days of orders older than this are read once a day.
pub(super) const YOUNG: SignedDuration = SignedDuration::from_hours(24 * 7);

/// How often the older days are read.
const OLD_DAYS: std::time::Duration = std::time::Duration::from_hours(24);

/// A younger order that is not shown may only be late.
const LATE: SignedDuration = SignedDuration::from_hours(1);

/// Most orders of one sync that are asked for by their id, for their days did not show them.
const MOST_MISSED: usize = 50;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Which days a sync reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Days {
    /// What is due: the older days once a day.
    Due,
    /// All of them.
    All,
}

/// What a sync has found.
#[derive(Debug, Default)]
pub struct News {
    /// How many orders the list has shown.
    pub read: u64,
    /// What is new of an order, in words for a person.
    pub changes: Vec<(OrderRef, String)>,
    /// Orders that the service has refused, or that a person has given up, and that are there after all.
    pub after_all: Vec<OrderRef>,
    /// Orders of which it has more than was known.
    pub several: BTreeSet<OrderRef>,
    /// Orders that the service does not know any more, and that were known a moment ago.
    pub missing: Vec<OrderRef>,
    /// Why some days could not be read, where they could not. What was read of them stands; where the service did not
    /// answer, nothing more was asked.
    pub unread: Option<ReadError>,
}

/// What asking for one order has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum One {
    /// Nothing that was not known.
    Same,
    /// What is new of it, in words for a person.
    Changed(String),
    /// The service does not know it any more.
    Gone,
    /// It is not shown, and so young that it may only be late.
    Late,
    /// The ledger knows no id of the service's for it yet.
    NoId,
}

/// Since when an order must have been entered to be followed.
pub fn followed_since(now: Timestamp) -> Timestamp {
    earlier(now, OLDEST)
}

/// Reads what is new of the account's orders; each page is committed on its own.
///
/// # Errors
/// Where the ledger cannot be kept.
pub async fn read_news(
    list: List<'_>,
    ledger: &Ledger,
    account: AccountRef,
    days: Days,
    now: &Now,
) -> Result<News, LedgerError> {
    let mut news = read_days(list, (ledger, account), days, now).await?;
    let answers = |news: &News| !matches!(news.unread, Some(ReadError::Failed(_)));
    if answers(&news) {
        read_late(list, (ledger, account), days, now, &mut news).await?;
    }
    if answers(&news) {
        read_alarms(list, (ledger, account), days, now, &mut news).await?;
    }
    Ok(news)
}

/// Reads the days of the account's orders that are still to have news.
async fn read_days(
    list: List<'_>,
    (ledger, account): (&Ledger, AccountRef),
    days: Days,
    now: &Now,
) -> Result<News, LedgerError> {
    let oldest = followed_since(now.wall);
    // The service may go on with what it has canceled, or charge something else for it: the days of such orders are read
    // too, for as long after their cancel as an order is followed.
    let (watched, canceled, walked, old_days) = ledger.read(|store| {
        let old_days = store.old_days_read(account)?;
        let canceled = store.lately_canceled(account, oldest)?;
        Ok((
            store.watched(account, oldest)?,
            canceled,
            store.walked(account)?,
            old_days,
        ))
    })?;
    let since_old = old_days.and_then(|read| now.boot.since(&read));
    let with_old = days == Days::All || since_old.is_none_or(|since| since >= OLD_DAYS);
    let moments: Vec<Timestamp> = watched
        .iter()
        .map(|order| order.at)
        .chain(of_canceled(&canceled, with_old))
        .collect();
    let is_walked = walked.is_some();
    let known_to = walked.map_or(now.wall, |walked| walked.to);
    let (known_to, until) = list.moments(known_to, now);
    let spans = plan(&moments, known_to, until, with_old);
    let mut news = News::default();
    let mut noted = Noted::default();
    let read = read_spans(list, (ledger, account), spans, now, &mut noted).await?;
    // Not before: where nothing was asked yet, the service has not told its time, and this machine's may be years ahead.
    let read_to = list.known_to(now);
    (news.read, news.changes, news.after_all) = (noted.read, noted.changes, noted.after_all);
    news.several = noted.several.into_iter().collect();
    let shown: HashSet<OrderRef> = noted.known.into_iter().collect();
    let answers = !matches!(read.unread, Some(ReadError::Failed(_)));
    // Before a first whole walk it is not known what the list holds, whatever its newest days do.
    let is_whole = read.unread.is_none() && is_walked;
    let ended = (answers, is_whole, with_old, now.clone());
    let without_id = read.without_id;
    let is_without_id = without_id.map(|_from| ReadError::WithoutId);
    news.unread = read.unread.or(is_without_id);
    ledger
        .write(move |store| {
            note_without_id(store, account, without_id)?;
            let (answers, is_whole, with_old, now) = ended;
            if answers {
                store.set_synced(account, &now.boot)?;
            }
            if is_whole {
                store.set_walked(account, read_to, &now)?;
            }
            if is_whole && with_old {
                store.set_old_days_read(account, &now.boot)?;
            }
            Ok(())
        })
        .await?;
    if answers {
        let is_due = |order: &Watched| {
            let is_read = read
                .whole
                .iter()
                .any(|(from, to)| (*from..=*to).contains(&order.at));
            is_read && !is_young(order.at, now) && !shown.contains(&order.order)
        };
        let missed = watched.into_iter().filter(is_due).collect();
        ask_for(list, ledger, first_missed(missed), now, &mut news).await?;
    }
    Ok(news)
}

/// Notes from where on days have shown an order without an id, where none before is known.
pub(super) fn note_without_id(
    store: &Store<'_>,
    account: AccountRef,
    from: Option<Timestamp>,
) -> Result<(), LedgerError> {
    let known = store.guards(account)?.without_id_from;
    match from.filter(|from| known.is_none_or(|known| *from < known)) {
        Some(from) => store.set_without_id(account, Some(from)),
        None => Ok(()),
    }
}

/// What came of reading spans of days.
#[derive(Default)]
pub(super) struct Spans {
    /// Those that were read whole.
    whole: Vec<(Timestamp, Timestamp)>,
    /// From where on one that was read to its end has shown an order without an id.
    pub(super) without_id: Option<Timestamp>,
    /// Why one was not read to its end.
    pub(super) unread: Option<ReadError>,
}

/// Reads spans of days until the service does not answer.
pub(super) async fn read_spans(
    list: List<'_>,
    kept: (&Ledger, AccountRef),
    spans: Vec<(Timestamp, Timestamp)>,
    now: &Now,
    noted: &mut Noted,
) -> Result<Spans, LedgerError> {
    let mut read = Spans::default();
    for (from, to) in spans {
        match read_span(list, kept, (from, to), now, noted).await {
            Ok(()) => read.whole.push((from, to)),
            Err(WalkError::Read(ReadError::WithoutId)) => {
                read.without_id = read.without_id.into_iter().chain([from]).min();
            }
            Err(WalkError::Read(error @ ReadError::Failed(_))) => {
                read.unread = Some(error);
                break;
            }
            // What cannot be paged, or told apart, stays so: the other days need not wait for it.
            Err(WalkError::Read(error)) => read.unread = Some(error),
            Err(WalkError::Ledger(error)) => return Err(error),
        }
    }
    if noted.by_word && noted.read == 0 && read.unread.is_none() {
        read.unread = doubt(list, kept, now).await?;
    }
    Ok(read)
}

/// Which orders are asked for by their id, of those that their days did not show: first those that are not known to be
/// missing, and of each kind those asked for longest ago. So all of them are told in the course of some syncs.
fn first_missed(mut missed: Vec<Watched>) -> Vec<OrderRef> {
    missed.sort_by_key(|order| (order.is_missing, order.asked_at));
    let first = missed.into_iter().take(MOST_MISSED);
    first.map(|order| order.order).collect()
}

/// Asks for orders by their ids, one after the other, until the service does not answer.
async fn ask_for(
    list: List<'_>,
    ledger: &Ledger,
    orders: Vec<OrderRef>,
    now: &Now,
    news: &mut News,
) -> Result<(), LedgerError> {
    for id in orders {
        // Before it is asked for: an order at which the service fails each time keeps none behind it.
        let at = now.wall;
        ledger.write(move |store| store.asked(id, at)).await?;
        let Some(order) = ledger.read(|store| store.order(id))? else {
            continue;
        };
        match read_one(list, ledger, &order, now).await {
            Ok(One::Changed(told)) => news.changes.push((id, told)),
            Ok(One::Gone) if order.missing_at.is_none() => news.missing.push(id),
            Ok(One::Gone | One::Late | One::Same | One::NoId) => {}
            // The others need not wait for it.
            Err(WalkError::Read(error @ ReadError::FailsFor(_))) => news.unread = Some(error),
            Err(WalkError::Read(error)) => {
                news.unread = Some(error);
                break;
            }
            Err(WalkError::Ledger(error)) => return Err(error),
        }
    }
    Ok(())
}

/// Asks for one order by its id and writes down what is new of it. One that the service refuses to show is looked for
/// in the list by its name, before it counts as gone.
///
/// # Errors
/// Where the service does not answer, or the ledger cannot be kept.
pub async fn read_one(
    list: List<'_>,
    ledger: &Ledger,
    order: &OrderRecord,
    now: &Now,
) -> Result<One, WalkError> {
    let Some(pw_order_id) = &order.pw_order_id else {
        return Ok(One::NoId);
    };
    let is_it = |listed: &ListedOrder| is_same_id(&listed.pw_order_id, pw_order_id);
    let mut found = None;
    for name in order.names() {
        found = match list.client.order(pw_order_id, name).await {
            Ok(listed) => Some(listed).filter(is_it),
            Err(failure) if matches!(failure.verdict, Verdict::Refused | Verdict::Misconfigured) => None,
            Err(failure) => return Err(ReadError::Failed(failure).into()),
        };
        if found.is_some() {
            break;
        }
    }
    if found.is_none() {
        let from = order.entered_at.unwrap_or(order.changed_at);
        let looked = look_up(list, order.name_at_service(), from, now).await?;
        // That it is gone follows only from a list that shows others.
        if looked.by_word
            && let Some(error) = doubt(list, (ledger, order.account), now).await?
        {
            return Err(error.into());
        }
        let mut orders = looked.orders.into_iter();
        found = orders.find(is_it);
    }
    let (id, at) = (order.id, now.clone());
    if let Some(listed) = &found {
        match whose(ledger, order, listed, now).await? {
            Whose::Its => {}
            Whose::Anothers => found = None,
            Whose::Taken(told) => return Ok(One::Changed(told)),
        }
    }
    let Some(listed) = found else {
        if is_young(order.entered_at.unwrap_or(order.changed_at), now) {
            return Ok(One::Late);
        }
        ledger.write(move |store| store.miss(id, &at)).await?;
        return Ok(One::Gone);
    };
    let seen = seen(&listed);
    let changed = ledger.write(move |store| store.see(id, &seen, &at)).await?;
    Ok(changed.map_or(One::Same, One::Changed))
}

fn is_young(entered_at: Timestamp, now: &Now) -> bool {
    now.wall.duration_since(entered_at) < LATE
}

/// Reads one span of days to its end and commits what it shows.
///
/// # Errors
/// [`ReadError::WithoutId`], at the end, where one of its orders has no id.
async fn read_span(
    list: List<'_>,
    kept: (&Ledger, AccountRef),
    (from, to): (Timestamp, Timestamp),
    now: &Now,
    noted: &mut Noted,
) -> Result<(), WalkError> {
    let (mut from, to) = window(from, to);
    let mut ended = Ok(());
    while from < to {
        let until = from.checked_add(super::WINDOW).unwrap_or(to).min(to);
        match read_window(list, kept, (from, until), now, noted).await {
            Ok(()) => {}
            Err(error @ WalkError::Read(ReadError::WithoutId)) => ended = Err(error),
            Err(error) => return Err(error),
        }
        from = until;
        crate::crash::point("sync-window");
    }
    ended
}

/// When the canceled orders were entered whose days are read. What the service's own list calls canceled is hardly ever
/// anything else again: that is looked at with the older days.
fn of_canceled(canceled: &[LatelyCanceled], with_old: bool) -> impl Iterator<Item = Timestamp> {
    let is_due = move |order: &&LatelyCanceled| with_old || !order.is_said;
    canceled.iter().filter(is_due).map(|order| order.at)
}

/// Which spans are read: the days on which watched orders were entered, and from where the list is known until now.
/// Spans are widened by a day on each side when they are read, so that those next to each other are one.
pub(super) fn plan(
    watched: &[Timestamp],
    known_to: Timestamp,
    now: Timestamp,
    with_old: bool,
) -> Vec<(Timestamp, Timestamp)> {
    let is_due = |at: &&Timestamp| with_old || now.duration_since(**at) < YOUNG;
    let days: BTreeSet<i64> = watched
        .iter()
        .filter(is_due)
        .map(|at| at.as_second().div_euclid(DAY))
        .collect();
    let starts_and_ends = days.into_iter().map(|day| {
        let start = day.saturating_mul(DAY);
        (moment(start), moment(start.saturating_add(DAY - 1)))
    });
    let mut spans: Vec<(Timestamp, Timestamp)> = Vec::new();
    let unknown = (known_to.min(now), now);
    let mut wanted: Vec<_> = starts_and_ends.chain([unknown]).collect();
    wanted.sort_unstable();
    for (from, to) in wanted {
        match spans.last_mut() {
            Some(last) if from.duration_since(last.1) <= SignedDuration::from_hours(48) => {
                last.1 = last.1.max(to);
            }
            _ => spans.push((from, to)),
        }
    }
    spans
}

fn moment(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or(Timestamp::MAX)
}

pub(super) fn earlier(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_sub(by).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn of_the_orders_that_are_not_shown_those_not_known_to_be_missing_come_first_then_those_asked_for_longest_ago()
     {
        let asked: Vec<Timestamp> = (1..=3)
            .map(|day| at(&format!("2026-11-0{day}T00:00:00Z")))
            .collect();
        let watched = |id: i64, is_missing: bool, asked_at: Option<usize>| Watched {
            order: OrderRef(id),
            at: asked[0],
            is_missing,
            asked_at: asked_at.map(|n| asked[n]),
        };
        let missed = vec![
            watched(1, true, Some(2)),
            watched(2, true, Some(1)),
            watched(3, false, Some(2)),
            watched(4, true, None),
            watched(5, false, None),
            watched(6, false, None),
        ];
        let order = |missed| {
            first_missed(missed)
                .into_iter()
                .map(|id| id.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(order(missed), [5, 6, 3, 4, 2, 1]);
        let many = (0..60).map(|id| watched(id, id < 30, None)).collect();
        assert_eq!(order(many), (30..60).chain(0..20).collect::<Vec<_>>());
    }

    #[test]
    fn the_days_of_what_the_service_calls_canceled_too_are_read_with_the_older_ones() {
        let canceled = |day: u32, is_said: bool| LatelyCanceled {
            at: at(&format!("2026-11-{day:02}T12:00:00Z")),
            is_said,
        };
        let canceled = [canceled(20, true), canceled(18, false), canceled(2, true)];
        let read = |with_old| of_canceled(&canceled, with_old).count();
        assert_eq!((read(false), read(true)), (1, 3));
    }

    #[test]
    fn the_days_with_watched_orders_are_read_and_what_lies_near_is_one() {
        let now = at("2026-11-21T12:00:00Z");
        let an_hour_ago = at("2026-11-21T11:00:00Z");
        let spans = |watched: &[&str], with_old: bool| -> Vec<String> {
            let watched: Vec<Timestamp> = watched.iter().map(|text| at(text)).collect();
            let spans = plan(&watched, an_hour_ago, now, with_old);
            let shown = spans.iter().map(|(from, to)| format!("{from} {to}"));
            shown.collect()
        };
        assert_eq!(
            spans(&[], true),
            ["2026-11-21T11:00:00Z 2026-11-21T12:00:00Z"],
            "what is not known yet is always read"
        );
        assert_eq!(
            spans(&["2026-11-20T01:00:00Z", "2026-11-20T23:00:00Z"], false),
            ["2026-11-20T00:00:00Z 2026-11-21T12:00:00Z"]
        );
        assert_eq!(
            spans(&["2026-11-15T01:00:00Z", "2026-11-16T01:00:00Z"], false),
            [
                "2026-11-15T00:00:00Z 2026-11-16T23:59:59Z",
                "2026-11-21T11:00:00Z 2026-11-21T12:00:00Z"
            ]
        );
        let old = ["2026-10-25T12:00:00Z"];
        assert_eq!(spans(&old, false).len(), 1, "older than a week, and not due");
        assert_eq!(
            spans(&old, true),
            [
                "2026-10-25T00:00:00Z 2026-10-25T23:59:59Z",
                "2026-11-21T11:00:00Z 2026-11-21T12:00:00Z"
            ]
        );
    }
}
