//! Days, and truths, that a spreadsheet has made of something else.

use super::{Remark, is_digits, is_scientific, quoted};
use crate::finding::Code;
use crate::order::columns::Field;

/// The months as spreadsheets show them beside a day, in the languages that the header names are in, from January on.
const MONTHS: [&[&str]; 12] = [
    &["Jan", "Jän", "janv", "ene", "jan"],
    &["Feb", "févr", "feb"],
    &["Mar", "Mrz", "Mär", "März", "mars", "mar", "mrt"],
    &["Apr", "avr", "abr", "apr"],
    &["May", "Mai", "mai", "may", "mei"],
    &["Jun", "juin", "jun"],
    &["Jul", "juil", "jul"],
    &["Aug", "août", "ago"],
    &["Sep", "sept", "sep"],
    &["Oct", "Okt", "oct", "okt"],
    &["Nov", "nov"],
    &["Dec", "Dez", "déc", "dic", "dec"],
];

/// The months as a German spreadsheet shows them before a year, with a space. Streets are called so in no language.
const BEFORE_A_YEAR: [&str; 14] = [
    "Jan", "Feb", "Mrz", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez", "März",
];

/// Whether a cell's text is what a spreadsheet saves of `12-45` or `12/45`, which it has read as a month of a year for there
/// is no such day: `Dec-45`, `Dez 45`.
pub(crate) fn may_be_a_month(text: &str) -> bool {
    month_of_a_year(text.trim_matches(' ')).is_some()
}

/// The number of the month, from 1 on, and the year of what a spreadsheet saves of a month of a year.
fn month_of_a_year(text: &str) -> Option<(usize, &str)> {
    let by_hyphen = text.split_once('-');
    let by_hyphen = by_hyphen.filter(|(_month, year)| is_beyond(year, 31));
    let by_space = text.split_once(' ');
    let by_space = by_space.filter(|(month, year)| BEFORE_A_YEAR.contains(month) && is_beyond(year, 12));
    let (month, year) = by_hyphen.or(by_space)?;
    Some((month_number(month)?, year))
}

fn month_number(name: &str) -> Option<usize> {
    let at = MONTHS.iter().position(|names| names.contains(&name));
    at.map(|at| at + 1)
}

/// Whether a year in two digits can be no day of a month either.
fn is_beyond(year: &str, days: u8) -> bool {
    let is_year = is_digits(year) && year.len() == 2;
    is_year && year.parse::<u8>().is_ok_and(|year| year > days)
}

/// The ids of which a spreadsheet may have made this month of a year, or the months that it may have made of this id:
/// `Dec-45` and `12-45`.
pub(crate) fn same_months(id: &str) -> Vec<String> {
    if let Some((month, year)) = month_of_a_year(id) {
        let numbers = [month.to_string(), format!("{month:02}")];
        let pairs = numbers
            .iter()
            .map(|number| ['-', '/'].map(|mark| format!("{number}{mark}{year}")));
        return pairs.flatten().collect();
    }
    let pair = id.split_once(['-', '/']);
    let pair = pair.filter(|(month, year)| is_digits(month) && month.len() <= 2 && is_beyond(year, 12));
    let Some((month, year)) = pair else {
        return Vec::new();
    };
    let before = month.parse::<usize>().ok().and_then(|month| month.checked_sub(1));
    let names = before
        .and_then(|before| MONTHS.get(before))
        .copied()
        .unwrap_or_default();
    let written = names
        .iter()
        .flat_map(|name| ['-', ' '].map(|mark| format!("{name}{mark}{year}")));
    written.filter(|written| may_be_a_month(written)).collect()
}

/// Whether a cell's text is what a spreadsheet saves of `12-5` or `12/5`, which it has read as a day of this year:
/// `5-Dec`, `05. Dez`. A text guard or a `#` tells that it was none.
pub(crate) fn may_be_a_day(raw: &str) -> bool {
    let text = raw.trim_matches(' ');
    let is_day = |text: &str| {
        is_digits(text) && text.len() <= 2 && text.parse().is_ok_and(|day| (1..=31).contains(&day))
    };
    let is_month = |text: &str| month_number(text.trim_end_matches('.')).is_some();
    let Some((day, month)) = text.split_once(['-', '.']) else {
        return false;
    };
    let by_point = text.as_bytes().get(day.len()) == Some(&b'.');
    let month = month.strip_prefix(' ').filter(|_| by_point).unwrap_or(month);
    is_day(day) && is_month(month)
}

/// Ids that are written as [`may_be_a_whole_day`] has it and are no day: `45/5/2026` tells that `12/5/2026` beside it is none
/// either, but the twelfth order of May.
#[derive(Debug, Default)]
pub(crate) struct NoDays {
    by_slash: bool,
    by_point: bool,
}

impl NoDays {
    /// Notes an id, mended.
    pub(crate) fn note(&mut self, id: &str) {
        let Some(mark) = id.chars().find(|c| !c.is_ascii_digit()) else {
            return;
        };
        let is_of_three = || id.split(mark).count() == 3 && id.split(mark).all(is_digits);
        if matches!(mark, '/' | '.') && is_of_three() && !may_be_a_whole_day(id) {
            self.by_slash |= mark == '/';
            self.by_point |= mark == '.';
        }
    }

    /// Whether one of them is written as this id is.
    pub(crate) fn are_like(&self, id: &str) -> bool {
        match id.chars().find(|c| !c.is_ascii_digit()) {
            Some('/') => self.by_slash,
            Some('.') => self.by_point,
            Some(_) | None => false,
        }
    }
}

/// Whether an id is what a spreadsheet saves of `12-5-2026` or `12-5-26`, which it has read as a whole day: `12/5/2026`,
/// `05.12.26`, `5-Dec-26`, or any with the time of midnight behind it. With hyphens between numbers, or the year in front, a
/// shop may number its orders so. A text guard or a `#` tells that it was none.
pub(crate) fn may_be_a_whole_day(raw: &str) -> bool {
    let text = raw.trim_matches(' ');
    // Most ids begin with a letter, or are longer, or a number.
    let begins_with_digit = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    if !begins_with_digit || text.len() > LONGEST_WITH_TIME || is_digits(text) {
        return false;
    }
    match text.split_once(['T', ' ']) {
        Some((day, time)) if is_midnight(time) => is_day_of_a_year(day) || is_whole_day(day),
        Some(_) | None => is_whole_day(text),
    }
}

/// What spreadsheets and programs save of a day with its time is no longer: `05.12.2026 00:00:00.000`.
const LONGEST_WITH_TIME: usize = 24;

/// Whether a text is the time at which a day begins: `0:00`, `00:00:00`, `12:00:00 AM`.
fn is_midnight(time: &str) -> bool {
    let zeros = time.strip_prefix("12").and_then(|rest| rest.strip_suffix(" AM"));
    let zeros = zeros.unwrap_or(time);
    zeros.contains(':') && zeros.bytes().all(|byte| matches!(byte, b'0' | b':' | b'.'))
}

/// Whether a text is a whole day as spreadsheets show one, with the year behind.
fn is_whole_day(text: &str) -> bool {
    let Some(mark) = text.chars().find(|c| !c.is_ascii_digit()) else {
        return false;
    };
    let parts: Vec<&str> = text.split(mark).collect();
    let [first, second, year] = parts[..] else {
        return false;
    };
    let number = |part: &str| {
        let is_short = is_digits(part) && part.len() <= 2;
        part.parse::<u8>()
            .ok()
            .filter(|number| is_short && (1..=31).contains(number))
    };
    let is_day_and_month =
        || matches!((number(first), number(second)), (Some(one), Some(other)) if one.min(other) <= 12);
    let is_day_and_name = || number(first).is_some() && month_number(second.trim_end_matches('.')).is_some();
    match mark {
        '/' => is_day_and_month() && (is_year(year) || is_short_year(year)),
        '.' => is_day_and_month() && (is_year(year) || (is_short_year(year) && text.len() == 8)),
        '-' => is_day_and_name() && (is_year(year) || is_short_year(year)),
        _ => false,
    }
}

fn is_year(part: &str) -> bool {
    is_digits(part) && part.len() == 4 && (part.starts_with("19") || part.starts_with("20"))
}

/// Whether a part is a year of these decades without its century: `26/11/05` may be the fifth order of November.
fn is_short_year(part: &str) -> bool {
    is_digits(part) && part.len() == 2 && (part.starts_with('2') || part.starts_with('3'))
}

/// Whether an id is one of those of which a spreadsheet makes days and months, or what it has made of one: `12-5`, `5-Dec`.
pub(crate) fn is_a_pair(id: &str) -> bool {
    let is_number = |text: &str, most| is_digits(text) && text.len() <= most;
    let pair = id.split_once(['-', '/']);
    may_be_a_day(id) || pair.is_some_and(|(one, other)| is_number(one, 2) && is_number(other, 3))
}

/// Whether a line of a label is what a spreadsheet saves of one that it has read as a day, a number or a truth: `12-5`,
/// `1-2-3` and `12E1` are house numbers too.
pub(super) fn is_remade(text: &str) -> bool {
    const TRUTHS: [&str; 6] = ["TRUE", "FALSE", "WAHR", "FALSCH", "VRAI", "FAUX"];
    let begins_with_digit = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let is_short = text.trim_end_matches('.').len() <= LONGEST;
    // Most lines of a label are longer, or have no digit where a day or a number has one.
    (begins_with_digit && is_short && (is_day_of_a_year(text) || may_be_a_day(text)))
        || (is_short && may_be_a_month(text))
        || (begins_with_digit && is_scientific(text) && text.contains('+'))
        || TRUTHS.contains(&text)
}

/// What spreadsheets save of a day, and of a month of a year, is no longer, in bytes, without points at its end.
const LONGEST: usize = 16;

/// Whether a text is a day in numbers, in whatever order: `12/5/2026`.
fn is_day_of_a_year(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['/', '-', '.']).collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    parts.iter().all(|part| is_digits(part))
        && matches!(lengths[..], [1..=2, 1..=2, 4] | [4, 1..=2, 1..=2])
        && parts.iter().any(|part| is_year(part))
}

/// What is said of an id that may be a day that a spreadsheet has made of it.
pub(crate) fn day_for_id(id: &str) -> Remark {
    Remark {
        code: Code::LostDigits,
        message: format!(
            "{} `{id}` looks like a day or a month: a spreadsheet makes that of ids such as `12-5`, `12-45` and `12-5-26`.",
            Field::OrderId.name()
        ),
        hint: format!(
            "Export the sheet anew and drop it as it comes, without opening it in a spreadsheet; or format the column as \
             text before you write the id into it. If the order's id is just that, write `#` before it: `#{id}`."
        ),
    }
}

pub(super) fn remade(name: &str, text: &str) -> (Code, String, &'static str) {
    (
        Code::LostDigits,
        format!("The spreadsheet has turned {name} into {}.", quoted(text)),
        "Format the column as text (Format Cells, Text), write the value anew, and drop the sheet again.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_is_a_day_of_the_month_may_have_been_another() {
        for raw in ["5-Dec", " 31-Jan ", "05. Dez", "05-déc", "05-dic", "5-mei"] {
            assert!(may_be_a_day(raw), "{raw}");
        }
        for raw in ["Dec-45", " Dez 45 ", "Mai 13", "may-48"] {
            assert!(may_be_a_month(raw), "{raw}");
        }
        for raw in [
            "12-5",
            "5-DEC",
            "Dec-5",
            "#5-Dec",
            "'5-Dec",
            "32-Dec",
            "0-Dec",
            "5-Dec-26",
            "A5-Dec",
            "5-",
            "",
            "Nov-12",
            "Nov-31",
            "NOV-45",
            "#Dec-45",
            "Dec-145",
            "Mar 24",
            "Dez 12",
            "Dec-4",
            "12/5/2025",
            "2025-12-05",
        ] {
            assert!(!may_be_a_day(raw) && !may_be_a_month(raw), "{raw}");
        }
    }

    #[test]
    fn an_id_that_is_a_whole_day_may_have_been_another() {
        for raw in [
            "12/5/2026",
            "05/12/2026",
            "12/5/26",
            "05.12.2026",
            "5.12.2026",
            " 27.11.26 ",
            "27-Nov-26",
            "27-Nov-2026",
            "5-déc-26",
            "2026-12-05 00:00:00",
            "2026-12-05T00:00:00",
            "12/5/2026 0:00",
            "05.12.2026 00:00:00",
            "12/5/2026 12:00:00 AM",
        ] {
            assert!(may_be_a_whole_day(raw), "{raw}");
        }
        for raw in [
            "#12/5/2026",
            "'12/5/2026",
            "12-5-2026",
            "12-5-26",
            "2026-12-05",
            "2026/12/5",
            "2026-12-05-001",
            "2026-12-05 14:30:00",
            "20261205-1",
            "20261205",
            "12-5",
            "12/5",
            "12/5/202",
            "13/13/2026",
            "45/5/2026",
            "0/5/2026",
            "12/5/2126",
            "1.2.26",
            "26/11/05",
            "10.11.12",
            "12/5/2026-1",
            "A12/5/2026",
            "27-Nov",
            "27-Foo-26",
            "1001",
            "",
        ] {
            assert!(!may_be_a_whole_day(raw), "{raw}");
        }
    }

    #[test]
    fn ids_run_by_slashes_or_points_where_one_of_them_is_no_day() {
        for (ids, id, are) in [
            (&["45/5/2026"][..], "12/5/2026", true),
            (&["45/5/2026"], "12.05.2026", false),
            (&["45.05.2026"], "12.05.2026", true),
            (
                &["45-5-2026", "1001", "12/6/2026", "A/5/2026", "1/2"],
                "12/5/2026",
                false,
            ),
        ] {
            let mut noted = NoDays::default();
            for id in ids {
                noted.note(id);
            }
            assert_eq!(noted.are_like(id), are, "{ids:?} {id}");
        }
    }
}
