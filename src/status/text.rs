//! The status of one inbox as a text for the people who use its folder: `STATUS.txt`. Lines end in CRLF.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{InboxStatus, SheetStatus, Status, age, not_told};
pub use crate::clock::{moment, span};
pub use crate::files::plain;

/// The most lines of a list.
const SHOWN: usize = 20;

/// The first words of the file: what begins otherwise is somebody else's.
const HEADING: &str = "dropsheet";

/// The most bytes in which a file shows whether it is ours.
pub const BEGINNING: u64 = 32;

/// Whether a file that begins so is ours, or nobody's: an editor may have emptied it, or saved it in another encoding, with
/// a mark of that at its beginning.
pub fn is_ours(beginning: &[u8]) -> bool {
    let wide = |bytes: fn(u16) -> [u8; 2]| HEADING.encode_utf16().flat_map(bytes).collect();
    let saved: [(&[u8], Vec<u8>); 4] = [
        (b"\xEF\xBB\xBF", HEADING.into()),
        (b"\xFF\xFE", wide(u16::to_le_bytes)),
        (b"\xFE\xFF", wide(u16::to_be_bytes)),
        (b"", HEADING.into()),
    ];
    let mut saved = saved.iter();
    saved.any(|(mark, heading)| {
        let rest = beginning.strip_prefix(*mark);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(heading))
    })
}

/// How the program is going, for the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alive {
    /// It works on.
    Working,
    /// It made one pass and comes again when it is started again.
    Passed,
    /// It did what a command asked for, and works nothing else.
    Asked,
    /// It was told to end.
    Ended,
}

/// What `STATUS.txt` of an inbox says.
pub fn inbox(
    status: &Status,
    inbox: &InboxStatus,
    waits: &[String],
    alive: Alive,
    zone: &TimeZone,
) -> String {
    let at = moment_with_zone(status.at, zone);
    let mut lines = vec![match alive {
        Alive::Working => format!("{HEADING} is alive: {at}"),
        Alive::Passed => format!("{HEADING} made a pass: {at}"),
        Alive::Asked => {
            format!(
                "{HEADING} did what a command asked for: {at}. Nothing is taken until it is started again."
            )
        }
        Alive::Ended => format!("{HEADING} was stopped: {at}. Nothing is taken until it is started again."),
    }];
    lines.extend(facts(status, inbox, waits, alive, zone));
    lines.push(String::new());
    lines.join("\r\n")
}

/// Whether a text says that nobody works the inbox any more.
pub fn is_of_the_end(text: &str) -> bool {
    ["was", "has"]
        .iter()
        .any(|word| text.starts_with(&format!("{HEADING} {word} stopped:")))
}

/// Whether a text says that the program was stopped by an error.
pub fn is_of_an_error(text: &str) -> bool {
    text.starts_with(&format!("{HEADING} has stopped:"))
}

/// What it says from when the program was stopped by an error, `why`, until it works again. Its first line alone names
/// the time.
pub fn stopped(why: &str, at: Timestamp, zone: &TimeZone) -> String {
    [
        format!(
            "{HEADING} has stopped: {}. Nothing is taken and nothing is sent.",
            moment_with_zone(at, zone)
        ),
        String::new(),
        "Needs a person:".to_owned(),
        format!("  {why}"),
        "  Tell the operator, who has to mend it and start dropsheet again; `dropsheet doctor` and its log say more."
            .to_owned(),
        "  Nothing is lost: your sheets wait where they are, and no order is sent twice. Order nothing anew elsewhere."
            .to_owned(),
        String::new(),
    ]
    .join("\r\n")
}

/// All but the first line: what has to change for the file to be news.
///
/// What the orders of the inbox wait for is known to those who send them.
pub fn facts(
    status: &Status,
    inbox: &InboxStatus,
    waits: &[String],
    alive: Alive,
    zone: &TimeZone,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut section = |heading: &str, told: Vec<String>| {
        if !told.is_empty() {
            lines.extend([String::new(), heading.to_owned()]);
            let more = told.len().saturating_sub(SHOWN);
            lines.extend(told.into_iter().take(SHOWN).map(|line| format!("  {line}")));
            if more > 0 {
                lines.push(format!("  and {more} more"));
            }
        }
    };
    section("Waiting:", waits.to_vec());
    section("Needs a person:", person(status, inbox));
    let own = status.under_way.iter().filter(|sheet| sheet.inbox == inbox.name);
    let resting = resting(waits, alive);
    section(
        "Under way:",
        own.map(|sheet| under_way(sheet, resting, status.at, zone))
            .collect(),
    );
    let left = inbox.left_alone.iter();
    section(
        "Files left alone:",
        left.map(|file| plain(&format!("{}: {}", name_of(&file.path), file.why)))
            .collect(),
    );
    if inbox.waiting > 0 {
        let mut told = vec![format!("{} still changing or not whole", files(inbox.waiting))];
        let named = inbox.waiting_files.iter();
        told.extend(named.map(|file| plain(&format!("{}: {}", name_of(&file.path), file.why))));
        let more = more_waiting(inbox);
        told.extend((more > 0).then(|| format!("and {more} more")));
        section("Files not taken yet:", told);
    }
    if lines.is_empty() {
        lines.extend([
            String::new(),
            "Nothing is under way, and nothing needs a person.".to_owned(),
        ]);
    }
    let news = status
        .catalogs
        .iter()
        .filter(|catalog| catalog.account == inbox.account);
    for catalog in news {
        lines.extend([
            String::new(),
            "In the catalog, in the last seven days:".to_owned(),
            plain(&format!("  {}", catalog.changed)),
        ]);
    }
    lines
}

/// What a person has to do in an inbox, a line each: what is wrong, and what to do about it.
pub fn person(status: &Status, inbox: &InboxStatus) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(inbox.trouble.as_deref().map(plain));
    if inbox.nearly_full {
        lines.push("The disk is nearly full: make room, or sheets wait.".to_owned());
    }
    lines.extend(status.not_backed_up.as_deref().map(|why| {
        plain(&format!(
            "The daily backup of dropsheet's own records failed: {} The operator has to mend that; orders go on meanwhile.",
            sentence(why)
        ))
    }));
    lines.extend(status.catalog_not_kept.as_deref().map(|why| {
        plain(&format!(
            "The catalog is not kept on the disk: {} The operator has to mend that, `dropsheet doctor` says how; orders go on \
             meanwhile.",
            sentence(why)
        ))
    }));
    let failed = status.not_told.iter();
    lines.extend(failed.map(|failed| plain(&not_told::for_merchant(failed))));
    let unreadable = inbox.unreadable.iter();
    lines.extend(unreadable.map(|file| {
        plain(&format!(
            "{}: {} Nothing is done with it: let dropsheet read it, or take it away.",
            name_of(&file.path),
            sentence(&file.why)
        ))
    }));
    let rejected = inbox.rejected.iter();
    lines.extend(rejected.map(|file| plain(&format!("rejected/{}: {}", name_of(&file.path), file.why))));
    let attention = status.attention.of(&inbox.name);
    for need in attention.needs {
        let of = match &need.order_id {
            Some(order_id) => format!("Order {order_id}"),
            None => need.sheet.clone(),
        };
        lines.push(plain(&format!("{of}: {} {}", sentence(&need.what), need.todo)));
    }
    if attention.more {
        lines.push("and more; `dropsheet status` counts them".to_owned());
    }
    lines
}

/// That nothing is done now of the sheets under way, and when they go on; none where they are worked.
fn resting(waits: &[String], alive: Alive) -> Option<&'static str> {
    if !waits.is_empty() {
        return Some("it waits, see above");
    }
    match alive {
        Alive::Working => None,
        Alive::Passed => Some("the next pass goes on with it"),
        Alive::Asked | Alive::Ended => Some("it goes on when dropsheet is started again"),
    }
}

/// How far a sheet is; `resting` says that nothing of it is done now.
fn under_way(sheet: &SheetStatus, resting: Option<&str>, now: Timestamp, zone: &TimeZone) -> String {
    let taken = span(age(sheet.taken_at, now));
    let Some(pace) = sheet.pace else {
        // How many orders it has is known once it was read and the catalog is there to check them against.
        let stage = resting.unwrap_or("being read and checked against the catalog");
        return plain(&format!("{}: taken {taken} ago, {stage}", sheet.sheet));
    };
    let mut line = format!(
        "{}: {} of {} orders",
        sheet.sheet,
        sheet.orders.min(pace.of),
        pace.of
    );
    if let Some(resting) = resting {
        // The rate until then says nothing of when it goes on.
        line.push_str(", ");
        line.push_str(resting);
    } else if let (Some(rate), Some(ends_at)) = (pace.per_minute, pace.ends_at) {
        let ends = moment_with_zone(ends_at, zone);
        let pace = format!(", {rate} a minute, done at about {ends}");
        line.push_str(&pace);
    }
    plain(&line)
}

/// How many files that are still changing or not whole are not named.
pub fn more_waiting(inbox: &InboxStatus) -> u32 {
    let named = u32::try_from(inbox.waiting_files.len()).unwrap_or(u32::MAX);
    inbox.waiting.saturating_sub(named)
}

fn files(n: u32) -> String {
    if n == 1 {
        "1 file".to_owned()
    } else {
        format!("{n} files")
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A text with an end, so that another can follow it: the service's own words come without one.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim_end();
    let end = if text.ends_with(['.', '!', '?', '"']) {
        ""
    } else {
        "."
    };
    format!("{text}{end}")
}

/// The same with the zone's name, for who does not know which clock is meant.
fn moment_with_zone(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone())
        .strftime("%Y-%m-%d %H:%M:%S %Z")
        .to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn words_of_the_service_end_before_ours_begin() {
        for (text, whole) in [
            ("no stock", "no stock."),
            ("no stock. ", "no stock."),
            ("Why?", "Why?"),
        ] {
            assert_eq!(sentence(text), whole);
        }
    }

    fn monday(taken_at: Timestamp) -> SheetStatus {
        SheetStatus {
            inbox: "main".to_owned(),
            sheet: "monday.csv".to_owned(),
            stem: "monday".to_owned(),
            purpose: "send",
            taken_at,
            state: "taken",
            orders: 0,
            pace: None,
            result: None,
            stranded: false,
        }
    }

    #[test]
    fn a_sheet_without_a_pace_says_what_it_waits_for() {
        let now = Timestamp::UNIX_EPOCH;
        let sheet = monday(now);
        for (waits, said) in [
            (None, "being read and checked against the catalog"),
            (Some("it waits, see above"), "it waits, see above"),
        ] {
            let line = under_way(&sheet, waits, now, &TimeZone::UTC);
            assert_eq!(line, format!("monday.csv: taken 0 s ago, {said}"));
        }
    }

    #[test]
    fn a_sheet_that_waits_is_not_told_to_end() {
        let now = Timestamp::UNIX_EPOCH;
        let sheet = SheetStatus {
            orders: 3,
            pace: Some(crate::status::Pace {
                of: 5,
                per_minute: Some(3529),
                ends_at: Some(now),
            }),
            ..monday(now)
        };
        let waits = Some("it waits, see above");
        assert_eq!(
            under_way(&sheet, waits, now, &TimeZone::UTC),
            "monday.csv: 3 of 5 orders, it waits, see above"
        );
        assert!(under_way(&sheet, None, now, &TimeZone::UTC).contains("3529 a minute"));
    }

    #[test]
    fn no_sheet_is_told_to_be_worked_when_nobody_works() {
        let away = ["The print service cannot be reached.".to_owned()];
        for (waits, alive, said) in [
            (&[][..], Alive::Working, None),
            (&[], Alive::Passed, Some("the next pass goes on with it")),
            (
                &[],
                Alive::Asked,
                Some("it goes on when dropsheet is started again"),
            ),
            (
                &[],
                Alive::Ended,
                Some("it goes on when dropsheet is started again"),
            ),
            (&away, Alive::Working, Some("it waits, see above")),
            (&away, Alive::Passed, Some("it waits, see above")),
        ] {
            assert_eq!(resting(waits, alive), said, "{waits:?} {alive:?}");
        }
    }

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
}
