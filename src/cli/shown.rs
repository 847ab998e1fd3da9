//! How commands show what others have written, moments, ages and tables to a person.

use std::time::Duration;

use comfy_table::Table;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::print;

/// A table without lines, under bold headings; the cells are made [`plain`].
pub(super) fn table<const COLUMNS: usize>(
    headings: [&str; COLUMNS],
    rows: impl IntoIterator<Item = [String; COLUMNS]>,
) -> String {
    let mut table = Table::new();
    *table.style_mut() = comfy_table::presets::NOTHING;
    table.set_header(headings);
    for row in rows {
        table.add_row(row.map(|cell| plain(&cell)));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let shown = table.trim_fmt();
    let (head, body) = shown.split_once('\n').unwrap_or((&shown, ""));
    let head = print::bold(head);
    if body.is_empty() {
        format!("{head}\n")
    } else {
        format!("{head}\n{body}\n")
    }
}

/// A text of somebody else's on one line, without what a terminal would obey.
pub(super) fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// A moment as a clock on the wall of that zone shows it.
pub(super) fn moment(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// How long ago something was; nothing for what is still to come, after a clock was set back.
pub(super) fn age(at: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(at)).unwrap_or(Duration::ZERO)
}

/// An age in its two largest units: `3 d 4 h`, `12 min`.
pub(super) fn span(age: Duration) -> String {
    let seconds = age.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, 0, _) => format!("{days} d"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_has_two_units_at_most() {
        for (seconds, shown) in [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (3_599, "59 min"),
            (3_600, "1 h"),
            (11_520, "3 h 12 min"),
            (86_400, "1 d"),
            (86_400 + 60, "1 d"),
            (3 * 86_400 + 4 * 3_600, "3 d 4 h"),
        ] {
            assert_eq!(span(Duration::from_secs(seconds)), shown);
        }
    }

    #[test]
    fn a_table_stands_in_columns_and_ends_its_lines_without_spaces() {
        let rows = [
            ["1001".to_owned(), "created".to_owned()],
            ["7".to_owned(), String::new()],
        ];
        let shown = table(["order", "state"], rows);
        assert_eq!(
            anstream::adapter::strip_str(&shown).to_string(),
            "order  state\n1001   created\n7\n"
        );
    }

    #[test]
    fn a_terminal_has_nothing_to_obey() {
        assert_eq!(plain("a\u{1b}[2Jb\nc\u{7}"), "a [2Jb c ");
    }
}
