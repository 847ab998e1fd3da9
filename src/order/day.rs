//! The day on which a shop's order was placed, as exports write it.

use jiff::civil::{Date, date};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::mend::is_digits;

/// What a text says of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Day {
    /// The sheet is not a shop's, or its profile names no column for the day.
    NotAsked,
    /// Nothing is written, or it cannot be read; the text.
    Unreadable(String),
    /// The day; two where it can be read in two ways, as 03/04/2026 can.
    Read(Vec<Date>),
    /// The moment, where it is written in UTC: the day that it falls on is one of `zone`. With any other offset it is written
    /// as the shop's own clock showed it.
    At(Timestamp),
    /// A spreadsheet's date, of which nothing tells whether day and month were exchanged when it was read.
    Kept {
        /// As it is.
        day: Date,
        /// With both exchanged.
        exchanged: Date,
    },
}

/// What a sheet tells of how a spreadsheet read its days: an Excel of Britain makes 11 May of `11/05/26`, and leaves
/// `11/20/26` a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DayOrder {
    /// Nothing.
    #[default]
    Unknown,
    /// As the shop wrote them: a day beyond the twelfth is a date.
    Right,
    /// With day and month exchanged: a day that would be none then has stayed a text.
    Exchanged,
}

impl DayOrder {
    /// What is known with another row; a proof counts more than a doubt.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Right, _) | (_, Self::Right) => Self::Right,
            (Self::Exchanged, _) | (_, Self::Exchanged) => Self::Exchanged,
            (Self::Unknown, Self::Unknown) => Self::Unknown,
        }
    }
}

/// No shop has orders from before; a year of two digits read as one of four is.
const FIRST_YEAR: i16 = 1990;

/// The year from which on a number is no day of a spreadsheet's.
const LAST_YEAR: i16 = 2100;

/// The day that spreadsheets count from. It makes up for a day in 1900 that they have and the calendar has not.
const DAY_ZERO: Date = date(1899, 12, 30);

/// Reads a day. ISO dates are always understood; a time behind the day does not matter.
pub(super) fn read(text: &str, formats: &[String]) -> Day {
    if let Some(moment) = utc(text) {
        return Day::At(moment);
    }
    if let Some(day) = text
        .get(..10)
        .and_then(|start| Date::strptime("%Y-%m-%d", start).ok())
    {
        return Day::Read(vec![day]);
    }
    let mut days: Vec<Date> = Vec::new();
    for format in formats {
        let day = strtime::parse(format, text).and_then(|parsed| parsed.to_date());
        // A format that does not fit is no error: another may.
        if let Ok(day) = day
            && day.year() >= FIRST_YEAR
            && !days.contains(&day)
        {
            days.push(day);
        }
    }
    if days.is_empty() {
        days.extend(serial(text));
    }
    if days.is_empty() {
        Day::Unreadable(text.to_owned())
    } else {
        Day::Read(days)
    }
}

/// A moment that is written in UTC.
fn utc(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let offset = ["Z", "z", "+00:00", "+0000", "UTC"];
    let moment = offset.iter().find_map(|offset| text.strip_suffix(offset))?;
    format!("{}Z", moment.trim_end()).parse().ok()
}

/// Reads a day that a spreadsheet keeps as a date.
pub(super) fn read_cell(text: &str, formats: &[String], order: DayOrder) -> Day {
    let read = read(text, formats);
    let (Day::Read(days), Some(exchanged)) = (&read, exchanged(text)) else {
        return read;
    };
    match (days.as_slice(), order) {
        ([day], _) if *day == exchanged || !has_numbers_alone(formats) => read,
        (_, DayOrder::Right) => read,
        ([day], DayOrder::Unknown) => Day::Kept { day: *day, exchanged },
        (days, DayOrder::Unknown | DayOrder::Exchanged) => {
            Day::Read(days.iter().copied().chain([exchanged]).collect())
        }
    }
}

/// What a row's day tells of how a spreadsheet read the days of its sheet.
pub(super) fn order_told(text: &str, is_date: bool, formats: &[String]) -> DayOrder {
    if !has_numbers_alone(formats) || text.trim().is_empty() {
        DayOrder::Unknown
    } else if is_date {
        match exchanged(text) {
            None => DayOrder::Right,
            Some(_) => DayOrder::Unknown,
        }
    } else {
        let is_read = formats
            .iter()
            .any(|format| strtime::parse(format, text.trim()).is_ok());
        if is_read {
            DayOrder::Exchanged
        } else {
            DayOrder::Unknown
        }
    }
}

/// Whether days are written in numbers whose order a spreadsheet may take for another.
fn has_numbers_alone(formats: &[String]) -> bool {
    formats.iter().any(|format| {
        let has_name = ["%b", "%B", "%h"].iter().any(|name| format.contains(name));
        (format.starts_with("%m") || format.starts_with("%d")) && !has_name
    })
}

/// The day of an ISO date with day and month exchanged; none where that is no day.
pub(super) fn exchanged(text: &str) -> Option<Date> {
    let day = Date::strptime("%Y-%m-%d", text.trim().get(..10)?).ok()?;
    Date::new(day.year(), day.day(), day.month()).ok()
}

/// The day of a number that a spreadsheet shows where its cell has lost the format of a date: `46345.5`.
fn serial(text: &str) -> Option<Date> {
    let (days, time) = text.split_once('.').unwrap_or((text, "0"));
    if !is_digits(days) || !is_digits(time) {
        return None;
    }
    let days = Span::new().try_days(days.parse::<i64>().ok()?).ok()?;
    let day = DAY_ZERO.checked_add(days).ok()?;
    (FIRST_YEAR..LAST_YEAR).contains(&day.year()).then_some(day)
}

/// Whether a day that is written with a format is read with it as the same day.
pub(super) fn is_read_with(format: &str) -> bool {
    // Of which each part is another number.
    let moment = date(2026, 11, 21).at(13, 14, 15, 0).to_zoned(TimeZone::UTC);
    let Ok(moment) = moment else { return false };
    let read = strtime::format(format, &moment).and_then(|text| strtime::parse(format, text)?.to_date());
    read.is_ok_and(|day| day == moment.date())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_as_the_exports_write_it() {
        for (text, formats, days) in [
            ("2026-11-21 09:14:00 -0500", vec![], vec![date(2026, 11, 21)]),
            ("2026-11-21T23:14:00+05:30", vec![], vec![date(2026, 11, 21)]),
            ("2026-11-21Z", vec![], vec![date(2026, 11, 21)]),
            ("11/21/26", vec!["%m/%d/%y", "%m/%d/%Y"], vec![date(2026, 11, 21)]),
            ("Nov-21-26", vec!["%b-%d-%y"], vec![date(2026, 11, 21)]),
            (
                "03/04/2026 09:14:00",
                vec!["%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S"],
                vec![date(2026, 4, 3), date(2026, 3, 4)],
            ),
        ] {
            let formats: Vec<String> = formats.into_iter().map(str::to_owned).collect();
            assert_eq!(read(text, &formats), Day::Read(days), "{text}");
        }
        for text in [
            "2026-11-21T09:14:00+00:00",
            "2026-11-21T09:14:00Z",
            "2026-11-21 09:14:00 UTC",
            "2026-11-21 09:14:00 +0000",
        ] {
            let moment = "2026-11-21T09:14:00Z".parse().unwrap();
            assert_eq!(read(text, &[]), Day::At(moment), "{text}");
        }
        for (number, day) in [
            ("46345.5", date(2026, 11, 19)),
            ("46300", date(2026, 10, 5)),
            ("46023", date(2026, 1, 1)),
        ] {
            assert_eq!(read(number, &[]), Day::Read(vec![day]), "{number}");
        }
        for number in ["2026", "20261121", "46345.", "46345,5", "-46345", "4.6345e4"] {
            assert_eq!(read(number, &[]), Day::Unreadable(number.to_owned()));
        }
        assert_eq!(read("soon", &[]), Day::Unreadable("soon".to_owned()));
        assert_eq!(read("", &[]), Day::Unreadable(String::new()));
    }

    #[test]
    fn a_day_that_a_spreadsheet_may_have_exchanged_is_two_until_another_proves_it_right() {
        use DayOrder::{Exchanged, Right, Unknown};
        let (may, november) = (date(2026, 5, 11), date(2026, 11, 5));
        let american = ["%m/%d/%y".to_owned()];
        let iso = ["%Y-%m-%d".to_owned()];
        let named = ["%d-%b-%y".to_owned()];
        let kept = Day::Kept {
            day: may,
            exchanged: november,
        };
        let read = |days: &[Date]| Day::Read(days.to_vec());
        for (text, formats, order, day) in [
            ("2026-05-11", &american, Unknown, kept.clone()),
            ("2026-05-11 00:00:00", &american, Unknown, kept),
            ("2026-05-11", &american, Exchanged, read(&[may, november])),
            ("2026-05-11", &american, Right, read(&[may])),
            ("2026-05-11", &iso, Unknown, read(&[may])),
            ("2026-05-11", &named, Exchanged, read(&[may])),
            ("2026-05-13", &american, Unknown, read(&[date(2026, 5, 13)])),
            ("2026-05-05", &american, Unknown, read(&[date(2026, 5, 5)])),
        ] {
            assert_eq!(
                read_cell(text, formats, order),
                day,
                "{text} {formats:?} {order:?}"
            );
        }
        for (text, is_date, order) in [
            ("2026-05-13", true, Right),
            ("2026-05-11", true, Unknown),
            ("11/20/26", false, Exchanged),
            ("soon", false, Unknown),
            ("", false, Unknown),
        ] {
            assert_eq!(order_told(text, is_date, &american), order, "{text}");
            assert_eq!(order_told(text, is_date, &named), Unknown, "{text}");
        }
    }

    #[test]
    fn a_format_reads_a_whole_day_or_is_none() {
        for format in [
            "%m/%d/%Y",
            "%d.%m.%y %H:%M",
            "%b-%d-%y",
            "%Y-%m-%dT%H:%M:%S%:z",
            "%I:%M %p, %e %B %Y",
        ] {
            assert!(is_read_with(format), "{format}");
        }
        for format in [
            "%H:%M",
            "%Q",
            "%d.%m",
            "%B %Y",
            "%",
            "2026-11-21",
            "yesterday",
            "",
        ] {
            assert!(!is_read_with(format), "{format}");
        }
    }
}
