//! The days that a report is of.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span as Length, Timestamp};

/// Days, the first and the last included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    first: Date,
    last: Date,
    is_month: bool,
}

/// The text names no span.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSpan {
    /// No month.
    #[error("`{0}` is no month; write it like 2026-10")]
    Month(String),
    /// No day.
    #[error("`{0}` is no day; write it like 2026-10-31")]
    Day(String),
    /// It ends before it begins.
    #[error("the span ends {last}, before it begins {first}")]
    Backwards {
        /// The first day.
        first: Date,
        /// The last day.
        last: Date,
    },
}

impl Span {
    /// A month: `2026-10`.
    ///
    /// # Errors
    /// [`BadSpan::Month`]
    pub fn month(text: &str) -> Result<Self, BadSpan> {
        let bad = || BadSpan::Month(text.to_owned());
        let is_long_enough = text.len() == "2026-10".len();
        let first: Date = format!("{text}-01").parse().map_err(|_no_date| bad())?;
        is_long_enough
            .then_some(first)
            .map(Self::month_of)
            .ok_or_else(bad)
    }

    /// The month that a day lies in.
    pub fn month_of(day: Date) -> Self {
        Self {
            first: day.first_of_month(),
            last: day.last_of_month(),
            is_month: true,
        }
    }

    /// From a day to a day.
    ///
    /// # Errors
    /// [`BadSpan`]
    pub fn days(from: &str, to: &str) -> Result<Self, BadSpan> {
        let day = |text: &str| text.parse().map_err(|_no_date| BadSpan::Day(text.to_owned()));
        let (first, last): (Date, Date) = (day(from)?, day(to)?);
        if last < first {
            return Err(BadSpan::Backwards { first, last });
        }
        Ok(Self {
            first,
            last,
            is_month: false,
        })
    }

    /// The first day.
    pub fn first(self) -> Date {
        self.first
    }

    /// The last day.
    pub fn last(self) -> Date {
        self.last
    }

    /// The moments: from the first day's beginning until before the day after the last.
    pub fn moments(self, zone: &TimeZone) -> (Timestamp, Timestamp) {
        let begin = |day: Date| zone.to_ambiguous_zoned(day.at(0, 0, 0, 0)).compatible();
        let after = self.last.saturating_add(Length::new().days(1));
        let moment =
            |day: Date, otherwise: Timestamp| begin(day).map_or(otherwise, |zoned| zoned.timestamp());
        (moment(self.first, Timestamp::MIN), moment(after, Timestamp::MAX))
    }

    /// That its orders cannot all be there yet, as a sentence; none where it is over.
    pub fn not_over(self, zone: &TimeZone, now: Timestamp) -> Option<&'static str> {
        let (from, until) = self.moments(zone);
        if now < from {
            return Some(if self.is_month {
                "The month has not begun: there are no orders of it yet."
            } else {
                "These days have not begun: there are no orders of them yet."
            });
        }
        (now < until).then_some(if self.is_month {
            "The month is not over: more orders of it may come."
        } else {
            "These days are not over: more orders of them may come."
        })
    }

    /// How files and titles call it: `2026-10`, or `2026-10-01_2026-10-15`.
    pub fn name(self) -> String {
        if self.is_month {
            self.first.strftime("%Y-%m").to_string()
        } else {
            format!("{}_{}", self.first, self.last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_one_of_the_zone_and_has_its_own_name() {
        let october = Span::month("2026-10").unwrap();
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let (from, until) = october.moments(&berlin);
        assert_eq!(
            (from.to_string(), until.to_string(), october.name()),
            // The clocks are set back on the 25th.
            (
                "2026-09-30T22:00:00Z".to_owned(),
                "2026-10-31T23:00:00Z".to_owned(),
                "2026-10".to_owned()
            )
        );
        assert_eq!(
            Span::days("2026-10-01", "2026-10-15").unwrap().name(),
            "2026-10-01_2026-10-15"
        );
    }

    #[test]
    fn a_span_that_is_not_over_says_so_until_its_last_moment() {
        let october = Span::month("2026-10").unwrap();
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        for (now, said) in [
            ("2026-09-30T21:59:59Z", Some("The month has not begun")),
            ("2026-09-30T22:00:00Z", Some("The month is not over")),
            ("2026-10-31T22:59:59Z", Some("The month is not over")),
            ("2026-10-31T23:00:00Z", None),
        ] {
            let told = october.not_over(&berlin, now.parse().unwrap());
            let told = told.map(|told| told.split(':').next().unwrap());
            assert_eq!(told, said, "{now}");
        }
    }

    #[test]
    fn what_is_no_span_is_told() {
        for text in ["2026-13", "10-2026", "2026-10-05", "october", ""] {
            assert_eq!(Span::month(text), Err(BadSpan::Month(text.to_owned())));
        }
        assert_eq!(Span::days("2026-10-01", "x"), Err(BadSpan::Day("x".to_owned())));
        assert!(Span::days("2026-10-02", "2026-10-01").is_err());
    }
}
