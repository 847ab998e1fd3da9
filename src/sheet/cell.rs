//! How a cell of a workbook becomes text: the one place that decides it.

use std::time::Duration;

use calamine::{DataRef, ExcelDateTime};
use jiff::SignedDuration;

use super::CellKind;

/// The first number that has more digits than a spreadsheet keeps.
const FIRST_LOST: f64 = 1e15;
/// A number of so many characters, its sign and point counted, cannot have more digits than a spreadsheet keeps.
const SHORT_ENOUGH: usize = 15;
/// The day after the last one of spreadsheets, 9999-12-31.
const DAYS_END: f64 = 2_958_466.0;

/// Writes a cell's text into `text` and gives its kind. `format` is its number format's code: `00000`.
pub(super) fn write(value: &DataRef<'_>, format: Option<&str>, text: &mut String) -> CellKind {
    text.clear();
    match value {
        DataRef::Empty => CellKind::Blank,
        DataRef::String(string) => write_text(string, text),
        DataRef::SharedString(string) => write_text(string, text),
        DataRef::Bool(true) => put(text, "TRUE", CellKind::Bool),
        DataRef::Bool(false) => put(text, "FALSE", CellKind::Bool),
        DataRef::Error(error) => put(text, &error.to_string(), CellKind::Error),
        DataRef::Int(number) => {
            let lost = number.unsigned_abs() >= 1_000_000_000_000_000;
            write_number(&number.to_string(), lost, format, text)
        }
        DataRef::Float(number) => write_float(*number, format, text),
        DataRef::DateTime(date) => write_date(date, format, text),
        DataRef::DateTimeIso(iso) => {
            let whole_seconds = iso
                .split_once('.')
                .map_or(iso.as_str(), |(whole, _fraction)| whole);
            let shown = whole_seconds.replace('T', " ");
            put(
                text,
                shown.strip_suffix(" 00:00:00").unwrap_or(&shown),
                CellKind::Date,
            )
        }
        DataRef::DurationIso(iso) => put(text, &clock(iso), CellKind::Date),
    }
}

/// So many days as a spreadsheet shows a length of time: 1.25 is 30:00:00. None where there are too many, or fewer than
/// none.
fn length(days: f64) -> Option<String> {
    /// Seconds of a day.
    const DAY: u32 = 86_400;
    /// What makes a whole second of what falls short of one only because a third of a day cannot be written.
    const HALF: Duration = Duration::from_millis(500);
    let days = Duration::try_from_secs_f64(days).ok()?;
    let seconds = days.checked_mul(DAY)?.checked_add(HALF)?.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    Some(format!("{hours:02}:{minutes:02}:{:02}", seconds % 60))
}

/// A time as a spreadsheet shows it: `PT10H30M00S` is 10:30:00. What is written in another way is left as it is.
fn clock(iso: &str) -> String {
    let Ok(time) = iso.parse::<SignedDuration>() else {
        return iso.to_owned();
    };
    let sign = if time.is_negative() { "-" } else { "" };
    let seconds = time.as_secs().unsigned_abs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{sign}{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

fn put(text: &mut String, shown: &str, kind: CellKind) -> CellKind {
    text.push_str(shown);
    kind
}

/// Text with every line end as a line feed.
fn write_text(string: &str, text: &mut String) -> CellKind {
    if string.is_empty() {
        return CellKind::Blank;
    }
    for (n, line) in string.split('\r').enumerate() {
        if n > 0 {
            text.push('\n');
        }
        text.push_str(if n > 0 {
            line.strip_prefix('\n').unwrap_or(line)
        } else {
            line
        });
    }
    CellKind::Text
}

fn write_float(number: f64, format: Option<&str>, text: &mut String) -> CellKind {
    if !number.is_finite() {
        return put(text, "#NUM!", CellKind::Error);
    }
    let lost = number.abs() >= FIRST_LOST;
    let mut shown = number.to_string();
    // As a spreadsheet shows it, with 15 digits that count: 0.30000000000000004 is 0.3. Digits that fill all of them are
    // no noise of reckoning, and the number stays what it is: a third.
    if !lost && shown.len() > SHORT_ENOUGH {
        let rounded = format!("{number:.14e}");
        let digits = rounded.split('e').next().unwrap_or_default();
        if digits.ends_with("00") {
            shown = rounded.parse().unwrap_or(number).to_string();
        }
    }
    write_number(if shown == "-0" { "0" } else { &shown }, lost, format, text)
}

fn write_number(shown: &str, lost: bool, format: Option<&str>, text: &mut String) -> CellKind {
    if lost {
        return put(text, shown, CellKind::LostDigits);
    }
    let padded = format.and_then(|format| pad(shown, format));
    put(text, padded.as_deref().unwrap_or(shown), CellKind::Number)
}

/// A date or time as ISO 8601 has it, with a space. What is no date in spite of its format stays a number.
fn write_date(date: &ExcelDateTime, format: Option<&str>, text: &mut String) -> CellKind {
    let serial = date.as_f64();
    let general = format.is_some_and(|code| {
        ["general", "standard"]
            .iter()
            .any(|name| code.eq_ignore_ascii_case(name))
    });
    if let Some(length) = length(serial).filter(|_| date.is_duration() && !general) {
        return put(text, &length, CellKind::Date);
    }
    if general || date.is_duration() || !(0.0..DAYS_END).contains(&serial) {
        return write_float(serial, None, text);
    }
    let (year, month, day, hour, minute, second, _milli) = date.to_ymd_hms_milli();
    let time = format!("{hour:02}:{minute:02}:{second:02}");
    let shown = if serial < 1.0 && serial > 0.0 {
        time
    } else if time == "00:00:00" {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02} {time}")
    };
    put(text, &shown, CellKind::Date)
}

/// A part of a number format that is understood.
enum Part {
    Digit,
    Literal(char),
}

/// A whole number as a format of zeros and literals shows it: 2134 under `00000` is `02134`. None for any other format.
fn pad(shown: &str, format: &str) -> Option<String> {
    if !shown.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let parts = parts(format)?;
    let places = parts.iter().filter(|part| matches!(part, Part::Digit)).count();
    // A single zero is the format of counts, and `"Qty "0` no identifier.
    if places < 2 {
        return None;
    }
    let mut digits = "0".repeat(places.saturating_sub(shown.len()));
    digits.push_str(shown);
    let mut digits = digits.chars();
    let mut excess = digits.as_str().len().saturating_sub(places);
    let mut padded = String::new();
    for part in parts {
        match part {
            Part::Literal(c) => padded.push(c),
            Part::Digit => {
                // Digits for which the format has no place stand before its first one.
                padded.extend(digits.by_ref().take(excess.saturating_add(1)));
                excess = 0;
            }
        }
    }
    Some(padded)
}

/// The parts of a format's first section; none where it has others than zeros, `-`, spaces and quoted literals.
fn parts(format: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '0' => parts.push(Part::Digit),
            '-' | ' ' => parts.push(Part::Literal(c)),
            '\\' => parts.push(Part::Literal(chars.next()?)),
            '"' => loop {
                match chars.next()? {
                    '"' => break,
                    literal => parts.push(Part::Literal(literal)),
                }
            },
            ';' => break,
            _ => return None,
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::{CellErrorType, ExcelDateTimeType};

    fn shown(value: &DataRef<'_>, format: Option<&str>) -> (String, CellKind) {
        let mut text = String::from("left over");
        let kind = write(value, format, &mut text);
        (text, kind)
    }

    #[test]
    fn a_number_is_shown_as_a_spreadsheet_shows_it() {
        for (number, text) in [
            (7.0, "7"),
            (-0.0, "0"),
            (1001.0, "1001"),
            (-3.5, "-3.5"),
            (0.300_000_000_000_000_04, "0.3"),
            (12.1, "12.1"),
            (1_234_567_890_123.0, "1234567890123"),
            (999_999_999_999_999.0, "999999999999999"),
            (0.000_000_1, "0.0000001"),
            (24.790_000_000_000_003, "24.79"),
            (1.0 / 3.0, "0.3333333333333333"),
            (-200.0 / 3.0, "-66.66666666666667"),
        ] {
            assert_eq!(
                shown(&DataRef::Float(number), None),
                (text.into(), CellKind::Number)
            );
        }
    }

    #[test]
    fn a_number_of_more_than_fifteen_digits_has_lost_some() {
        for number in [1e15, 12_345_678_901_234_567.0, -1e18] {
            assert_eq!(
                shown(&DataRef::Float(number), Some("0000")).1,
                CellKind::LostDigits
            );
        }
    }

    #[test]
    fn a_format_of_zeros_is_applied_and_no_other() {
        for (number, format, text) in [
            (7.0, "00000", "00007"),
            (123_456.0, "00000", "123456"),
            (21_340_012.0, "00000-0000", "02134-0012"),
            (21_340_012.0, "00000\\-0000", "02134-0012"),
            (7.0, "\"SKU-\"0000", "SKU-0007"),
            (7.0, "@", "7"),
            (7.0, "0", "7"),
            (7.0, "0.00", "7"),
            (7.0, "#,##0", "7"),
            (7.5, "00000", "7.5"),
            (-7.0, "00000", "-7"),
            (7.0, "\"open", "7"),
        ] {
            assert_eq!(
                shown(&DataRef::Float(number), Some(format)).0,
                text,
                "{number} under {format}"
            );
        }
    }

    #[test]
    fn a_date_is_shown_in_iso_order() {
        let day = |serial, is_1904| {
            let date = ExcelDateTime::new(serial, ExcelDateTimeType::DateTime, is_1904);
            shown(&DataRef::DateTime(date), Some("yyyy-mm-dd"))
        };
        assert_eq!(day(46_347.0, false), ("2026-11-21".into(), CellKind::Date));
        assert_eq!(day(44_885.0, true), ("2026-11-21".into(), CellKind::Date));
        assert_eq!(
            day(46_347.384_722_222_22, false),
            ("2026-11-21 09:14:00".into(), CellKind::Date)
        );
        assert_eq!(day(0.5, false), ("12:00:00".into(), CellKind::Date));
        assert_eq!(day(-1.0, false), ("-1".into(), CellKind::Number));
        assert_eq!(day(9e9, false), ("9000000000".into(), CellKind::Number));
        let general = ExcelDateTime::new(45_000.0, ExcelDateTimeType::DateTime, false);
        assert_eq!(
            shown(&DataRef::DateTime(general), Some("Standard")),
            ("45000".into(), CellKind::Number)
        );
    }

    #[test]
    fn a_length_of_time_is_shown_in_hours() {
        let length = |days| {
            let length = ExcelDateTime::new(days, ExcelDateTimeType::TimeDelta, false);
            shown(&DataRef::DateTime(length), Some("[h]:mm"))
        };
        for (days, text) in [
            (1.25, "30:00:00"),
            (1.0 / 3.0, "08:00:00"),
            (0.000_5, "00:00:43"),
            (0.0, "00:00:00"),
        ] {
            assert_eq!(length(days), (text.into(), CellKind::Date));
        }
        assert_eq!(length(-0.5), ("-0.5".into(), CellKind::Number));
    }

    #[test]
    fn other_cells_have_their_kind() {
        for (value, text, kind) in [
            (DataRef::Bool(true), "TRUE", CellKind::Bool),
            (DataRef::Error(CellErrorType::NA), "#N/A", CellKind::Error),
            (DataRef::Float(f64::NAN), "#NUM!", CellKind::Error),
            (DataRef::SharedString("a\r\nb\rc\n"), "a\nb\nc\n", CellKind::Text),
            (DataRef::SharedString(""), "", CellKind::Blank),
            (DataRef::Empty, "", CellKind::Blank),
            (
                DataRef::DateTimeIso("2026-11-21T00:00:00".into()),
                "2026-11-21",
                CellKind::Date,
            ),
            (
                DataRef::DateTimeIso("2026-11-21T09:14:00.000000000".into()),
                "2026-11-21 09:14:00",
                CellKind::Date,
            ),
            (
                DataRef::DurationIso("PT10H30M00S".into()),
                "10:30:00",
                CellKind::Date,
            ),
            (
                DataRef::DurationIso("PT03H05M07.5S".into()),
                "03:05:07",
                CellKind::Date,
            ),
            (
                DataRef::DurationIso("PT30H00M00S".into()),
                "30:00:00",
                CellKind::Date,
            ),
            (
                DataRef::DurationIso("-PT1H30M".into()),
                "-01:30:00",
                CellKind::Date,
            ),
            (DataRef::DurationIso("P1Y".into()), "P1Y", CellKind::Date),
        ] {
            assert_eq!(shown(&value, None), (text.into(), kind));
        }
    }
}
