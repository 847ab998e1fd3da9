//! Whether an order is older than what is to be printed, by what is known of its day.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::order::Day;

/// Whether an order is older than what is to be printed.
pub(super) enum Age {
    Young,
    Old(String),
    Unclear(String),
}

/// Whether an order of this day is, by the inbox's `not_before`, which is a day of this zone.
pub(super) fn too_old(day: &Day, not_before: Option<Date>, zone: &TimeZone) -> Age {
    let Some(not_before) = not_before else {
        return Age::Young;
    };
    match day {
        Day::NotAsked => Age::Young,
        Day::Unreadable(text) if text.is_empty() => Age::Unclear(format!(
            "it has no date, and orders before {not_before} are not printed"
        )),
        Day::Unreadable(text) => Age::Unclear(format!(
            "its date `{text}` cannot be read, and orders before {not_before} are not printed"
        )),
        // One that is young as it is needs no more proof: most spreadsheets read the days of their own shops right.
        Day::Kept { day, exchanged } if *day < not_before => age(&[*day, *exchanged], not_before),
        Day::Kept { day, .. } => age(&[*day], not_before),
        Day::Read(days) => age(days, not_before),
        Day::At(moment) => age(&[moment.to_zoned(zone.clone()).date()], not_before),
    }
}

/// Whether an order is old by all the days that may be its own, by none, or by some.
fn age(days: &[Date], not_before: Date) -> Age {
    let old = days.iter().filter(|day| **day < not_before).count();
    if old == 0 {
        return Age::Young;
    }
    if old == days.len() {
        return Age::Old(format!("older than {not_before}, the inbox's not_before"));
    }
    let days: Vec<String> = days.iter().map(Date::to_string).collect();
    Age::Unclear(format!(
        "its date can be read in two ways ({}), and orders before {not_before} are not printed",
        days.join(" or ")
    ))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_day_that_may_have_been_exchanged_makes_no_order_old_for_certain() {
        let (may, november) = (date(2026, 5, 11), date(2026, 11, 5));
        let kept = |day, exchanged| Day::Kept { day, exchanged };
        let not_before = Some(date(2026, 10, 1));
        for (day, not_before, says) in [
            (Day::Read(vec![november]), not_before, "young"),
            (Day::Read(vec![may]), not_before, "old"),
            (Day::Read(vec![may, november]), not_before, "unclear"),
            (kept(may, november), not_before, "unclear"),
            (kept(november, may), not_before, "young"),
            (kept(may, november), None, "young"),
            (kept(may, date(2026, 4, 12)), Some(date(2026, 6, 1)), "old"),
            (Day::Unreadable(String::new()), not_before, "unclear"),
            (Day::NotAsked, not_before, "young"),
        ] {
            assert_eq!(said(&day, not_before, &TimeZone::UTC), says, "{day:?}");
        }
    }

    fn said(day: &Day, not_before: Option<Date>, zone: &TimeZone) -> &'static str {
        match too_old(day, not_before, zone) {
            Age::Young => "young",
            Age::Old(_) => "old",
            Age::Unclear(_) => "unclear",
        }
    }

    #[test]
    fn a_moment_in_utc_is_of_the_day_that_it_is_in_the_zone() {
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        let not_before = Some(date(2026, 11, 21));
        for (moment, says) in [
            ("2026-11-21T01:00:00Z", "old"),
            ("2026-11-21T07:59:59Z", "old"),
            ("2026-11-21T08:00:00Z", "young"),
        ] {
            let day = Day::At(moment.parse().unwrap());
            assert_eq!(said(&day, not_before, &zone), says, "{moment}");
        }
    }
}
