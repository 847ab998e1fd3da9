//! One file a day with the parcels that were first told of that day.

use std::sync::atomic::Ordering;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::{amazon, on_the_wall, plain};
use crate::daemon::Desk;
use crate::filing::finish::FinishError;
use crate::filing::own::Paper;
use crate::ledger::record::ParcelRecord;
use crate::result::{ListCell, ListColumn, ListPage, ResultError};

/// Days that are older than this are looked at once by each process, since those that were told last: what somebody reads
/// while nothing runs may be told much later. A folder that was away for longer has missed them.
const LOOKED_BACK: SignedDuration = SignedDuration::from_hours(24 * 14);

/// What the names of these files begin with.
const NAMED: &str = "trackings-";

const COLUMNS: [ListColumn; 7] = [
    plain("order_id"),
    plain("shop_order"),
    plain("pw_order_id"),
    plain("carrier"),
    plain("tracking_number"),
    plain("tracking_link"),
    plain("date"),
];

/// Writes the file of each day that has parcels which it does not tell of yet.
pub(super) fn write(desk: &Desk, now: Timestamp) -> Result<(), FinishError> {
    let zone = &desk.importer.zone;
    let inbox = &desk.inbox.name;
    let lately = now.checked_sub(LOOKED_BACK).unwrap_or(Timestamp::MIN);
    let since = if desk.told_parcels.load(Ordering::Relaxed) {
        lately
    } else {
        let newest = desk.ledger().read(|store| store.newest_own_file(inbox, NAMED))?;
        lately.min(told_to(newest.as_deref(), zone))
    };
    let moments = desk.ledger().read(|store| store.parcel_moments(inbox, since))?;
    let mut days: Vec<Date> = moments
        .into_iter()
        .map(|at| at.to_zoned(zone.clone()).date())
        .collect();
    days.dedup();
    for day in days {
        let Some(bounds) = bounds(day, zone) else { continue };
        let parcels = desk.ledger().read(|store| store.parcels_known(inbox, bounds))?;
        write_day(desk, day, &parcels)?;
    }
    desk.told_parcels.store(true, Ordering::Relaxed);
    Ok(())
}

/// When the day begins whose file is the newest, by the name of that.
fn told_to(newest: Option<&str>, zone: &TimeZone) -> Timestamp {
    let day = newest.and_then(|name| name.get(NAMED.len()..)?.get(..DAY.len()));
    let day: Option<Date> = day.and_then(|day| day.parse().ok());
    let begins = day.and_then(|day| bounds(day, zone)).map(|(begins, _)| begins);
    begins.unwrap_or(Timestamp::MIN)
}

/// How a day is written in the name of its file.
const DAY: &str = "2026-11-21";

fn write_day(desk: &Desk, day: Date, parcels: &[ParcelRecord]) -> Result<(), FinishError> {
    let list = list(parcels, &desk.importer.zone);
    let folder = desk.folder.part("results");
    let name = format!("{NAMED}{day}");
    let put = |ending: &str, content: &str, write: &dyn Fn(&std::path::Path) -> Result<(), ResultError>| {
        // The two files of a day are two papers.
        let name = match ending {
            "xlsx" => name.clone(),
            _ => format!("{name}.amazon"),
        };
        let paper = Paper {
            inbox: &desk.inbox.name,
            folder: &folder,
            name: &name,
            ending,
            content,
            always: false,
            title: None,
        };
        paper.put(desk.ledger(), write).map(drop)
    };
    put("xlsx", &list.content(), &|path| list.write(path))?;
    let confirmation = amazon::confirmation(parcels, day);
    if let Some(text) = confirmation {
        put("txt", &text, &|path| {
            crate::files::write_new(path, text.as_bytes()).map_err(|source| ResultError::Write {
                path: path.to_owned(),
                source,
            })
        })?;
    }
    Ok(())
}

fn list(parcels: &[ParcelRecord], zone: &TimeZone) -> ListPage<'static> {
    let text = |text: Option<&str>| ListCell::Text(text.unwrap_or_default().to_owned());
    let row = |record: &ParcelRecord| {
        let shop_order = Some(record.at_shop.order.as_str()).filter(|order| !order.is_empty());
        let parcel = &record.parcel;
        vec![
            text(Some(&record.sheet_order_id)),
            text(shop_order.or(Some(&record.sheet_order_id))),
            text(Some(&record.pw_order_id)),
            text(parcel.carrier.as_deref()),
            text(parcel.number.as_deref()),
            text(parcel.link.as_deref()),
            on_the_wall(record.known_at, zone),
        ]
    };
    ListPage {
        name: "Trackings",
        columns: &COLUMNS,
        rows: parcels.iter().map(row).collect(),
    }
}

/// When a day of a zone begins, and when the next one does.
fn bounds(day: Date, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
    let start = |day: Date| Some(day.to_zoned(zone.clone()).ok()?.timestamp());
    Some((start(day)?, start(day.tomorrow().ok()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::record::AtShop;
    use crate::tracking::Parcel;

    #[test]
    fn a_day_is_one_of_the_zone() {
        let zone = TimeZone::get("America/New_York").unwrap();
        let day = jiff::civil::date(2026, 11, 1);
        let (from, to) = bounds(day, &zone).unwrap();
        assert_eq!(from.to_string(), "2026-11-01T04:00:00Z");
        assert_eq!(to.to_string(), "2026-11-02T05:00:00Z", "a day of 25 hours");
    }

    #[test]
    fn the_newest_file_tells_from_when_on_parcels_are_still_to_be_told() {
        let begins = "2026-11-02T00:00:00Z".parse().unwrap();
        for (newest, told) in [
            (Some("trackings-2026-11-02"), begins),
            (Some("trackings-2026-11-02.amazon"), begins),
            (Some("trackings-"), Timestamp::MIN),
            (None, Timestamp::MIN),
        ] {
            assert_eq!(told_to(newest, &TimeZone::UTC), told, "{newest:?}");
        }
    }

    #[test]
    fn an_order_without_a_number_of_its_shop_is_named_as_in_the_sheet() {
        let record = |shop: &str| ParcelRecord {
            sheet_order_id: "1001".to_owned(),
            at_shop: AtShop {
                order: shop.to_owned(),
                items: Vec::new(),
            },
            pw_order_id: "PW-1".to_owned(),
            parcel: Parcel {
                number: Some("TRK1".to_owned()),
                ..Parcel::default()
            },
            known_at: Timestamp::UNIX_EPOCH,
            is_followed: false,
            is_replaced: false,
        };
        let list = list(&[record(""), record("#1001")], &TimeZone::UTC);
        let shown: Vec<&ListCell> = list.rows.iter().map(|row| &row[1]).collect();
        assert_eq!(
            shown,
            [
                &ListCell::Text("1001".to_owned()),
                &ListCell::Text("#1001".to_owned())
            ]
        );
    }
}
