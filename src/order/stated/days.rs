//! Columns with a day before which an order is not to be sent: `Hold until`, `Ship after`. Which day it is told is read
//! here; whether that is still to come depends on the day on which somebody asks.

use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::begins_with;
use crate::finding::{Code, Finding};
use crate::order::columns::normalized;
use crate::order::day::{self, Day};
use crate::order::layout::column_ref;
use crate::order::mend::quoted;
use crate::sheet::Row;

/// What such columns are called, as [`normalized`], with or without a `date` behind it. A `Ship by` is a day to be kept,
/// an `Earliest ship date` the beginning of a marketplace's own span, a `Print on` a side of the item; and a `Ship on` is the
/// day that a shop plans with, by which the printer has to have begun.
const COLUMNS: [&str; 55] = [
    "holduntil",
    "holdtill",
    "holdtil",
    "onholduntil",
    "onholdtill",
    "holdorderuntil",
    "holdshipmentuntil",
    "holdshippinguntil",
    "delayuntil",
    "waituntil",
    "embargountil",
    "notbefore",
    "shipnotbefore",
    "sendnotbefore",
    "printnotbefore",
    "donotshipbefore",
    "donotsendbefore",
    "donotprintbefore",
    "donotshipuntil",
    "donotsenduntil",
    "donotprintuntil",
    "dontshipbefore",
    "dontsendbefore",
    "dontprintbefore",
    "dontshipuntil",
    "dontsenduntil",
    "dontprintuntil",
    "shipafter",
    "sendafter",
    "printafter",
    "shiponorafter",
    "sendonorafter",
    "nichtvor",
    "nichtvordem",
    "nichtversendenvor",
    "nichtversendenvordem",
    "nichtdruckenvor",
    "nichtverschickenvor",
    "versandnichtvor",
    "zurückhaltenbis",
    "zurückstellenbis",
    "versendenab",
    "nepasexpédieravant",
    "nepasexpédieravantle",
    "nepasenvoyeravant",
    "nepasenvoyeravantle",
    "expédieraprès",
    "expédieraprèsle",
    "noenviarantesde",
    "noenviarantesdel",
    "enviardespuésde",
    "nietverzendenvoor",
    "verzendenna",
    "vasthoudentot",
    "nonspedireprimadel",
];

/// What says in them that there is nothing to wait for.
const AT_ONCE: [&str; 25] = [
    "no",
    "n",
    "na",
    "n a",
    "none",
    "null",
    "false",
    "any",
    "any time",
    "anytime",
    "asap",
    "now",
    "today",
    "at once",
    "immediately",
    "released",
    "nein",
    "kein",
    "sofort",
    "ab sofort",
    "jetzt",
    "heute",
    "non",
    "nee",
    "direct",
];

/// How people write a day; ISO dates and a spreadsheet's numbers are understood besides.
static FORMATS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let formats = [
        "%m/%d/%Y",
        "%d/%m/%Y",
        "%m/%d/%y",
        "%d/%m/%y",
        "%d.%m.%Y",
        "%d.%m.%y",
        "%m-%d-%Y",
        "%d-%m-%Y",
        "%Y/%m/%d",
        "%Y.%m.%d",
        "%Y%m%d",
        "%d %b %Y",
        "%d %B %Y",
        "%b %d, %Y",
        "%B %d, %Y",
        "%b %d %Y",
        "%B %d %Y",
        "%d-%b-%Y",
        "%d-%b-%y",
        "%d %b %y",
    ];
    formats.map(str::to_owned).to_vec()
});

/// What a cell of such a column says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    /// No day.
    Nothing,
    /// The day; two where it can be read in two ways, as 03/04/2026 can.
    Days(Vec<Date>),
    /// Something else, as `payment clears`.
    Words,
}

/// A day before which a row says that its order is not to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotBefore {
    row: u32,
    column: usize,
    /// What the column is called.
    name: String,
    /// As it is written.
    text: String,
    days: Vec<Date>,
}

impl NotBefore {
    /// Of a cell that says a day.
    pub(super) fn read(name: &str, row: &Row, column: usize) -> Option<Self> {
        let text = row.text(column).trim();
        let Said::Days(days) = said(text) else { return None };
        Some(Self {
            row: row.number(),
            column,
            name: name.to_owned(),
            text: text.to_owned(),
            days,
        })
    }

    /// What is said of the order where the day, or one of those that may be meant, is still to come.
    pub(crate) fn still_to_come(&self, today: Date) -> Option<Finding> {
        let last = self.days.iter().max().filter(|last| **last > today)?;
        let days: Vec<String> = self.days.iter().map(Date::to_string).collect();
        let may_be = match days.as_slice() {
            [_] => String::new(),
            days => format!(" ({})", days.join(" or ")),
        };
        let write = if days.len() > 1 {
            format!(
                "Write the day that is meant as {}. ",
                days.iter()
                    .map(|day| format!("`{day}`"))
                    .collect::<Vec<_>>()
                    .join(" or ")
            )
        } else {
            String::new()
        };
        Some(Finding {
            code: Code::NotBefore,
            row: self.row,
            column: column_ref(self.column),
            message: format!(
                "{} says {}{may_be}, which is still to come: the order is not sent yet.",
                quoted(&self.name),
                quoted(&self.text)
            ),
            hint: format!(
                "{write}Drop the row again on {last} or later; to have the order sent before that, empty this cell."
            ),
        })
    }

    /// Whether another row of an order says the same in the same column.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        (self.column, &self.days) == (other.column, &other.days)
    }
}

/// Whether a column holds such a day, by its heading. `Send (O/N)` asks for a yes or a no.
pub(super) fn is_headed_so(heading: &str) -> bool {
    let name = normalized(heading);
    let name = name.strip_suffix("date").unwrap_or(&name);
    !heading.contains('/') && COLUMNS.contains(&name)
}

/// Whether a cell of such a column says what only a person can tell: when payment clears.
pub(super) fn is_in_words(text: &str) -> bool {
    said(text) == Said::Words
}

fn said(text: &str) -> Said {
    // `-` and `00.00.0000` hold the place of a day. Most cells of such a column are blank.
    let is_blank = !text.contains(|c: char| c.is_alphanumeric() && c != '0');
    if is_blank {
        return Said::Nothing;
    }
    match days(text) {
        Some(days) => Said::Days(days),
        None if begins_with(&text.to_lowercase(), &AT_ONCE) => Said::Nothing,
        None => Said::Words,
    }
}

/// The days that a text may mean, also one with a time behind it.
fn days(text: &str) -> Option<Vec<Date>> {
    let first = text.split_once(' ').map(|(first, _time)| first);
    std::iter::once(text)
        .chain(first)
        .find_map(|text| match day::read(text, &FORMATS) {
            Day::Read(days) => Some(days),
            Day::Kept { day, .. } => Some(vec![day]),
            // Whoever writes a day into a sheet means the one that stands there.
            Day::At(moment) => Some(vec![moment.to_zoned(TimeZone::UTC).date()]),
            Day::NotAsked | Day::Unreadable(_) => None,
        })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::order::tests::text_row;

    #[test]
    fn a_day_is_read_as_people_write_it_and_words_are_for_a_person() {
        let last = date(2026, 12, 20);
        for text in [
            "2026-12-20",
            "2026-12-20 00:00:00",
            "2026-12-20T09:00:00Z",
            "12/20/2026",
            "12/20/26",
            "20/12/2026",
            "12/20/2026 9:00 AM",
            "20.12.2026",
            "20.12.26",
            "20-12-2026",
            "2026/12/20",
            "20261220",
            "20 Dec 2026",
            "20 December 2026",
            "Dec 20, 2026",
            "December 20, 2026",
            "20-Dec-26",
            "46376",
        ] {
            assert_eq!(said(text), Said::Days(vec![last]), "{text}");
        }
        let two = vec![date(2026, 5, 12), date(2026, 12, 5)];
        assert_eq!(said("05/12/2026"), Said::Days(two));
        for text in [
            "",
            "-",
            "0",
            "0000-00-00",
            "00.00.0000",
            "n/a",
            "N.A.",
            "None",
            "no",
            "ASAP",
            "now",
            "Sofort",
            "released",
        ] {
            assert_eq!(said(text), Said::Nothing, "{text}");
        }
        for text in [
            "payment clears",
            "Dec 20",
            "soon",
            "TBD",
            "yes",
            "end of the month",
            "31/31/2026",
            "20",
        ] {
            assert_eq!(said(text), Said::Words, "{text}");
        }
    }

    #[test]
    fn a_column_holds_such_a_day_by_its_heading() {
        for heading in [
            "Hold until",
            "HOLD_UNTIL_DATE",
            "Do not ship before",
            "Don't ship before:",
            "Ship after",
            "Ship on or after",
            "Not before",
            "Nicht versenden vor",
            "Ne pas expédier avant le",
            "No enviar antes de",
            "Niet verzenden voor",
        ] {
            assert!(is_headed_so(heading), "{heading}");
        }
        for heading in [
            "Ship by",
            "Ship date",
            "Ship by date",
            "Latest ship date",
            "Earliest ship date",
            "Delivery date",
            "Order date",
            "Due date",
            "Need by",
            "Date",
            "Hold",
            "Print on",
            "Ship on",
            "Send on date",
            "Versenden am",
            "Send (O/N)",
            "Sent on",
            "Shipped on",
            "Shipped after",
            "Before",
            "Notes",
        ] {
            assert!(!is_headed_so(heading), "{heading}");
        }
    }

    #[test]
    fn a_day_counts_until_it_comes_in_whatever_way_it_can_be_read() {
        let said_on = |text: &str, today| {
            let day = NotBefore::read("Hold until", &text_row(4, &["1001", text]), 1)?;
            day.still_to_come(today)
        };
        let told = said_on("12/20/2026", date(2026, 12, 19)).unwrap();
        assert_eq!((told.row, told.column, told.code), (4, Some(1), Code::NotBefore));
        assert_eq!(
            told.message,
            "`Hold until` says `12/20/2026`, which is still to come: the order is not sent yet."
        );
        assert!(
            told.hint.starts_with("Drop the row again on 2026-12-20 or later"),
            "{}",
            told.hint
        );
        for today in [date(2026, 12, 20), date(2026, 12, 21), date(2027, 1, 1)] {
            assert_eq!(said_on("12/20/2026", today), None, "{today}");
        }
        let told = said_on("05/12/2026", date(2026, 11, 26)).unwrap();
        assert!(
            told.message
                .contains("`05/12/2026` (2026-05-12 or 2026-12-05), which"),
            "{}",
            told.message
        );
        assert!(
            told.hint
                .starts_with("Write the day that is meant as `2026-05-12` or `2026-12-05`."),
            "{}",
            told.hint
        );
        assert_eq!(said_on("05/12/2026", date(2026, 12, 5)), None);
        assert_eq!(said_on("payment clears", date(2026, 12, 5)), None);
    }
}
