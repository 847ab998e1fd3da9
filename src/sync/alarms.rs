//! Orders with an open alarm, read again for as long as it stands: what a person has settled at the service since needs
//! nobody any more.

use jiff::{SignedDuration, Timestamp};

use super::daily::is_due_daily;
use super::news::{Days, News, OLDEST, One, YOUNG, earlier, read_one};
use super::others::look_at_others;
use super::{List, ReadError, WalkError};
use crate::clock::Now;
use crate::ledger::record::{AccountRef, OrderRecord};
use crate::ledger::{Alarm, Ledger, LedgerError};

/// Most of them that a sync by itself asks for.
const MOST: usize = 50;

/// Most of them that a person's does.
const MOST_BY_HAND: usize = 500;

/// Orders older than this are asked for only where a person has them read.
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 90);

/// Asks for the orders with an open alarm that are due, those asked for longest ago first, until the service does not
/// answer.
pub(super) async fn read_alarms(
    list: List<'_>,
    (ledger, account): (&Ledger, AccountRef),
    days: Days,
    now: &Now,
    news: &mut News,
) -> Result<(), LedgerError> {
    let told_since = earlier(now.wall, OLDEST);
    let alarms = ledger.read(|store| store.alarms(account, told_since))?;
    for alarm in first_due(alarms, days, now.wall) {
        let (id, at) = (alarm.order, now.wall);
        // Before it is asked for: an order at which the service fails each time keeps none behind it.
        ledger.write(move |store| store.asked(id, at)).await?;
        let Some(order) = ledger.read(|store| store.order(id))? else {
            continue;
        };
        match read_alarm(list, ledger, (&order, &alarm), now, news).await {
            Ok(()) => {}
            Err(WalkError::Read(error @ ReadError::Failed(_))) => {
                news.unread = Some(error);
                break;
            }
            // Nothing follows from it: the alarm stands.
            Err(WalkError::Read(error)) => {
                tracing::debug!(order_id = order.order_id, %error, "it is looked at later");
            }
            Err(WalkError::Ledger(error)) => return Err(error),
        }
    }
    Ok(())
}

/// Asks for what an order with an alarm has it for.
async fn read_alarm(
    list: List<'_>,
    ledger: &Ledger,
    (order, alarm): (&OrderRecord, &Alarm),
    now: &Now,
    news: &mut News,
) -> Result<(), WalkError> {
    if is_to_be_read(alarm, now.wall) {
        match read_one(list, ledger, order, now).await? {
            One::Changed(told) => news.changes.push((order.id, told)),
            One::Gone if order.missing_at.is_none() => news.missing.push(order.id),
            One::Gone | One::Late | One::Same | One::NoId => {}
        }
    }
    if alarm.has_others {
        let told = look_at_others(list, ledger, order, now).await?;
        news.changes.extend(told.map(|told| (order.id, told)));
    }
    Ok(())
}

/// Those that a sync asks for, of all, in their order.
fn first_due(alarms: Vec<Alarm>, days: Days, now: Timestamp) -> impl Iterator<Item = Alarm> {
    let most = match days {
        Days::Due => MOST,
        Days::All => MOST_BY_HAND,
    };
    let is_asked = move |alarm: &Alarm| alarm.has_others || is_to_be_read(alarm, now);
    let due = alarms
        .into_iter()
        .filter(move |alarm| is_asked(alarm) && is_due(alarm, days, now));
    due.take(most)
}

/// Whether an order in trouble is none of those whose days a sync reads anyway.
fn is_to_be_read(alarm: &Alarm, now: Timestamp) -> bool {
    alarm.is_in_trouble && !(alarm.is_watched && alarm.at >= earlier(now, OLDEST))
}

fn is_due(alarm: &Alarm, days: Days, now: Timestamp) -> bool {
    if days == Days::All {
        return true;
    }
    let age = now.duration_since(alarm.at);
    // What is printed twice is canceled soon, or not at all.
    let is_pressing = alarm.has_others && age < YOUNG;
    age <= LONGEST && (is_pressing || is_due_daily(alarm.asked_at, now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::record::OrderRef;

    #[test]
    fn an_order_with_an_alarm_is_due_once_a_day_for_ninety_days_and_always_where_a_person_asks() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let ago = |hours: i64| now - SignedDuration::from_hours(hours);
        for (age, asked, has_others, expected) in [
            (24 * 40, None, false, true),
            (24 * 40, Some(24), false, true),
            (24 * 40, Some(23), true, true),
            (24 * 40, Some(22), false, false),
            (24 * 40, Some(22), true, false),
            (24 * 40, Some(-48), false, true),
            (24 * 6, Some(1), false, false),
            (24 * 6, Some(1), true, true),
            (24 * 8, Some(1), true, false),
            (24 * 90, None, false, true),
            (24 * 91, None, true, false),
        ] {
            let alarm = Alarm {
                order: OrderRef(1),
                at: ago(age),
                asked_at: asked.map(ago),
                has_others,
                is_in_trouble: !has_others,
                is_watched: false,
            };
            let told = format!("{age} h old, asked for {asked:?} h ago, {has_others}");
            assert_eq!(is_due(&alarm, Days::Due, now), expected, "{told}");
            assert!(is_due(&alarm, Days::All, now), "{told}");
        }
    }

    #[test]
    fn an_order_in_trouble_whose_day_is_read_anyway_is_not_asked_for_by_itself() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        for (age, is_in_trouble, is_watched, expected) in [
            (24 * 29, true, true, false),
            (24 * 31, true, true, true),
            (24, true, false, true),
            (24 * 31, false, true, false),
        ] {
            let alarm = Alarm {
                order: OrderRef(1),
                at: now - SignedDuration::from_hours(age),
                asked_at: None,
                has_others: false,
                is_in_trouble,
                is_watched,
            };
            let told = format!("{age} h old, {is_in_trouble}, {is_watched}");
            assert_eq!(is_to_be_read(&alarm, now), expected, "{told}");
            assert_eq!(
                first_due(vec![alarm], Days::All, now).count(),
                usize::from(expected),
                "{told}"
            );
        }
    }
}
