//! Dates as the workbook library has them.

use jiff::civil::{Date, DateTime, Time};
use rust_xlsxwriter::{ExcelDateTime, Format, FormatAlign, XlsxError};

use super::styles::{DATE, DATE_AND_TIME};

/// A format that shows a date, with its time where it has one.
pub(super) fn with_date(format: &Format, moment: DateTime) -> Format {
    let midnight = moment.time() == Time::midnight();
    let shown = if midnight { DATE } else { DATE_AND_TIME };
    format.clone().set_num_format(shown).set_align(FormatAlign::Left)
}

/// A date as the library has it; none outside its years.
pub(super) fn excel_date(date: Date) -> Option<Result<ExcelDateTime, XlsxError>> {
    let year = u16::try_from(date.year()).ok().filter(|year| *year >= 1900)?;
    let (month, day) = (date.month().unsigned_abs(), date.day().unsigned_abs());
    Some(ExcelDateTime::from_ymd(year, month, day))
}

/// A date and a time as the library has them; none outside its years.
pub(super) fn excel_moment(moment: DateTime) -> Option<Result<ExcelDateTime, XlsxError>> {
    let hour = u16::from(moment.hour().unsigned_abs());
    let (minute, second) = (moment.minute().unsigned_abs(), moment.second().unsigned_abs());
    Some(excel_date(moment.date())?.and_then(|date| date.and_hms(hour, minute, second)))
}

/// A time of a day as the library has it.
pub(super) fn excel_time(time: Time) -> Result<ExcelDateTime, XlsxError> {
    let [hour, minute, second] = [time.hour(), time.minute(), time.second()].map(i8::unsigned_abs);
    ExcelDateTime::from_hms(hour.into(), minute, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_outside_a_spreadsheets_years_is_left_as_text() {
        assert!(excel_date(jiff::civil::date(1899, 12, 31)).is_none());
        let date = excel_date(jiff::civil::date(2026, 11, 21)).unwrap().unwrap();
        assert!((date.to_excel() - 46_347.0).abs() < f64::EPSILON);
    }
}
