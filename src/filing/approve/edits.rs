//! The cells of a held sheet that say something else than was written into them. Pure.
//!
//! A file may have been saved as text, in another country's writing of amounts and days: that is no change.

use std::str::FromStr;

use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::listed::ListedRow;
use crate::ledger::AsHeld;
use crate::money::Money;
use crate::order::quoted;
use crate::result::held::{
    COUNTRY, HELD_SINCE, ITEMS, ORDER_ID, PIECES, SHEET_ROW, TOTAL, WHY, items_of, tells_why, why_of,
};

/// The cells of a row that say something else than was held, as sentences.
pub(super) fn edits(row: &ListedRow, held: &AsHeld, zone: &TimeZone) -> Vec<String> {
    let changed = row
        .written
        .iter()
        .filter(|(column, text)| !is_as_held((column, text), held, zone));
    changed
        .map(|(column, text)| {
            let says = if text.is_empty() {
                "is blank".to_owned()
            } else {
                format!("says {}", quoted(text))
            };
            format!("row {}: {column} {says}; {}", row.number, was(column, held, zone))
        })
        .collect()
}

/// Whether a cell of a held sheet says what was written into it.
pub(super) fn is_as_held((column, text): (&str, &str), held: &AsHeld, zone: &TimeZone) -> bool {
    let (pieces, items) = items_of(&held.signature);
    let is_number = |number: Option<u64>| {
        let number = number.and_then(|number| Money::from_str(&number.to_string()).ok());
        number.is_some_and(|number| reads_as(text, number))
    };
    match column {
        ORDER_ID => text == held.order_id,
        TOTAL => reads_as(text, held.total.unwrap_or(Money::ZERO)),
        WHY => tells_why(text, |text| is_text(text, &why_of(&held.holds))),
        HELD_SINCE => held.held_at.is_none_or(|at| is_moment(text, local(at, zone))),
        COUNTRY => text.eq_ignore_ascii_case(&held.country_code),
        PIECES => is_number(Some(pieces)),
        ITEMS => is_of_items(text, &items),
        SHEET_ROW => held.first_row.is_none_or(|row| is_number(Some(row.into()))),
        _ => true,
    }
}

/// What an order was held with in a column.
fn was(column: &str, held: &AsHeld, zone: &TimeZone) -> String {
    let id = &held.order_id;
    let (pieces, items) = items_of(&held.signature);
    match column {
        ORDER_ID => format!("the row is that of {id}"),
        TOTAL => format!("{id} was held at {}", held.total.unwrap_or(Money::ZERO)),
        WHY => format!("{id} was held with `{}`", why_of(&held.holds)),
        HELD_SINCE => {
            let since = held
                .held_at
                .map(|at| local(at, zone).strftime("%Y-%m-%d %H:%M").to_string());
            format!("{id} was held on {}", since.unwrap_or_default())
        }
        COUNTRY => format!("{id} was held with {}", quoted(&held.country_code)),
        PIECES => format!("{id} was held with {pieces}"),
        ITEMS => format!("{id} was held with `{items}`"),
        SHEET_ROW => format!("{id} was held with {}", held.first_row.unwrap_or_default()),
        _ => String::new(),
    }
}

fn local(at: Timestamp, zone: &TimeZone) -> DateTime {
    at.to_zoned(zone.clone()).datetime()
}

/// Whether a cell may show this amount: saved as text it is written as the spreadsheet's country has it.
fn reads_as(cell: &str, amount: Money) -> bool {
    let bare: String = cell
        .chars()
        .filter(|c| !c.is_whitespace() && !"'’$€£".contains(*c))
        .collect();
    let (with_points, with_commas) = (bare.replace(',', ""), bare.replace('.', "").replace(',', "."));
    [with_points, with_commas]
        .iter()
        .any(|text| text.parse() == Ok(amount))
}

/// Whether a cell names these items; one that could not hold them all was cut.
fn is_of_items(cell: &str, items: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let is_cut = cell.strip_suffix('…').is_some_and(|kept| items.starts_with(kept));
    is_cut || words(cell) == words(items)
}

/// Whether a cell has this text. An old encoding keeps but the letters of its own country, and one that could not hold it all
/// was cut.
fn is_text(cell: &str, text: &str) -> bool {
    let letters = |text: &str| {
        let kept = text.chars().filter(char::is_ascii_alphanumeric);
        kept.collect::<String>().to_ascii_lowercase()
    };
    let cut = cell.strip_suffix('…').filter(|kept| !kept.is_empty());
    let is_cut = cut.is_some_and(|kept| letters(text).starts_with(&letters(kept)));
    cell.is_empty() == text.is_empty() && (is_cut || letters(cell) == letters(text))
}

/// Whether a cell may show this moment: day and year stand in it, in whatever order, or it is the number that spreadsheets
/// count days by.
fn is_moment(cell: &str, at: DateTime) -> bool {
    let numbers: Vec<i16> = cell
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let has = |number: i16| numbers.contains(&number);
    let is_day = has(at.day().into()) && (has(at.year()) || has(at.year() % 100));
    is_day || day_counted(cell).is_some_and(|day| day == at.date())
}

/// The day that a number of a spreadsheet stands for.
fn day_counted(cell: &str) -> Option<jiff::civil::Date> {
    const DAY_ZERO: jiff::civil::Date = date(1899, 12, 30);
    let days = cell.split(['.', ',']).next()?.parse::<u32>().ok()?;
    let span = Span::new().try_days(i64::from(days)).ok()?;
    DAY_ZERO.checked_add(span).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::quote::Hold;
    use crate::reconcile::Signature;

    fn as_held() -> AsHeld {
        AsHeld {
            order_id: "1001".to_owned(),
            total: "1171.29".parse().ok(),
            signature: Signature::new([("TEE-S", 1), ("MUG", 1200)].into_iter(), Some("US")),
            country_code: "US".to_owned(),
            holds: vec![Hold {
                code: Code::NeedsApproval,
                message: "It goes to Łódź, and waits.".to_owned(),
            }],
            held_at: "2026-11-27T08:14:00Z".parse().ok(),
            first_row: Some(2),
            there: Vec::new(),
        }
    }

    fn said(cells: &[(&'static str, &str)]) -> Vec<String> {
        let row = ListedRow {
            number: 2,
            written: cells
                .iter()
                .map(|(name, text)| (*name, (*text).to_owned()))
                .collect(),
            ..ListedRow::default()
        };
        edits(&row, &as_held(), &TimeZone::UTC)
    }

    #[test]
    fn a_cell_that_was_only_saved_in_another_writing_is_none_that_was_changed() {
        for (column, texts) in [
            (
                TOTAL,
                &[
                    "1171.29",
                    "1,171.29",
                    "1171,29",
                    "1.171,29",
                    "1\u{a0}171,29",
                    "1’171.29",
                    "1171.290",
                ][..],
            ),
            (PIECES, &["1201", "1.201", "1,201", "1 201", "1201.00"]),
            (
                ITEMS,
                &["1200 MUG, 1 TEE-S", "1200 MUG,\n1 TEE-S", "1200 MUG, 1…"],
            ),
            (
                WHY,
                &[
                    "It goes to Łódź, and waits.",
                    "It goes to ?ód?,\nand waits.",
                    "It goes to…",
                    "The service has an order of this id already, PW-1, of which this ledger does not know: where this is \
                     approved, nothing is sent, and its row says so. It goes to Łódź, and waits.",
                ],
            ),
            (
                HELD_SINCE,
                &[
                    "2026-11-27 08:14:00",
                    "27.11.2026 08:14",
                    "27.11.26 08:14",
                    "11/27/26 8:14 AM",
                    "27. Nov. 2026",
                    "46353.343055556",
                    "46353,34",
                ],
            ),
            (COUNTRY, &["US", "us"]),
            (SHEET_ROW, &["2", "2.00"]),
            (ORDER_ID, &["1001"]),
        ] {
            for text in texts {
                assert_eq!(said(&[(column, text)]), [""; 0], "{column}: {text}");
            }
        }
    }

    #[test]
    fn each_cell_that_was_changed_or_emptied_is_told_with_what_was_held() {
        assert_eq!(
            said(&[
                (ORDER_ID, "1003"),
                (TOTAL, "117129"),
                (WHY, "fine by Ada"),
                (HELD_SINCE, "28.11.2026"),
                (COUNTRY, "DE"),
                (PIECES, "1"),
                (ITEMS, "1 MUG, 1 TEE-S"),
                (SHEET_ROW, "3"),
            ]),
            [
                "row 2: order_id says `1003`; the row is that of 1001",
                "row 2: total says `117129`; 1001 was held at 1171.29",
                "row 2: why says `fine by Ada`; 1001 was held with `It goes to Łódź, and waits.`",
                "row 2: held_since says `28.11.2026`; 1001 was held on 2026-11-27 08:14",
                "row 2: country says `DE`; 1001 was held with `US`",
                "row 2: pieces says `1`; 1001 was held with 1201",
                "row 2: items says `1 MUG, 1 TEE-S`; 1001 was held with `1200 MUG, 1 TEE-S`",
                "row 2: sheet_row says `3`; 1001 was held with 2",
            ]
        );
        let emptied = [
            ORDER_ID, TOTAL, WHY, HELD_SINCE, COUNTRY, PIECES, ITEMS, SHEET_ROW,
        ];
        let told = said(&emptied.map(|column| (column, "")));
        assert_eq!(told.len(), emptied.len(), "{told:?}");
        assert_eq!(told[1], "row 2: total is blank; 1001 was held at 1171.29");
    }
}
