//! Orders that became too old to be followed since they were last read: they are read once more. So nothing ran for weeks,
//! or a pass came an hour late, and no tracking and no total of their last days is missed.

use jiff::{SignedDuration, Timestamp};

use super::daily::is_due_daily;
use super::news::{Days, News, OLDEST, earlier, note_without_id, plan, read_spans};
use super::{List, Noted, ReadError};
use crate::clock::Now;
use crate::ledger::record::AccountRef;
use crate::ledger::{Ledger, LedgerError};

/// How far it is looked back where it is not known when they were last read.
const FIRST: SignedDuration = SignedDuration::from_hours(24 * 90);

/// Reads the days of such orders, by itself once a day; where the service does not answer, later.
pub(super) async fn read_late(
    list: List<'_>,
    (ledger, account): (&Ledger, AccountRef),
    days: Days,
    now: &Now,
    news: &mut News,
) -> Result<(), LedgerError> {
    let read_at = ledger.read(|store| store.late_read(account))?;
    if days == Days::Due && !is_due_daily(read_at, now.wall) {
        return Ok(());
    }
    let (since, until) = too_old(read_at, now.wall);
    let watched = ledger.read(|store| store.watched(account, since))?;
    let moments = watched.into_iter().map(|order| order.at);
    let moments: Vec<Timestamp> = moments.filter(|at| *at < until).collect();
    // The last span is what is not known yet, which is read already.
    let mut spans = plan(&moments, now.wall, now.wall, true);
    spans.pop();
    let mut noted = Noted::default();
    let read = read_spans(list, (ledger, account), spans, now, &mut noted).await?;
    news.read = news.read.saturating_add(noted.read);
    news.changes.extend(noted.changes);
    news.after_all.extend(noted.after_all);
    news.several.extend(noted.several);
    let (is_read, at) = (!matches!(read.unread, Some(ReadError::Failed(_))), now.wall);
    news.unread = news.unread.take().or(read.unread);
    ledger
        .write(move |store| {
            note_without_id(store, account, read.without_id)?;
            if is_read {
                store.set_late_read(account, at)?;
            }
            Ok(())
        })
        .await
}

/// When the orders were entered that were followed when they were last read, and are not now.
fn too_old(read_at: Option<Timestamp>, now: Timestamp) -> (Timestamp, Timestamp) {
    let since = read_at.map_or(earlier(now, FIRST), |at| earlier(at.min(now), OLDEST));
    (since, earlier(now, OLDEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_followed_when_it_was_last_read_is_read_once_more_however_long_nothing_ran() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let ago = |hours: i64| now - SignedDuration::from_hours(hours);
        for (read, due, oldest) in [
            (None, true, 24 * 90),
            (Some(22), false, 24 * 30 + 22),
            (Some(23), true, 24 * 30 + 23),
            (Some(24 * 77), true, 24 * 107),
            (Some(-24), true, 24 * 30),
        ] {
            let read_at = read.map(ago);
            assert_eq!(is_due_daily(read_at, now), due, "{read:?}");
            assert_eq!(too_old(read_at, now), (ago(oldest), ago(24 * 30)), "{read:?}");
        }
    }
}
