//! What a person reads of a decision: what counts, what does not, and which changed cells change nothing. Pure.

use std::collections::BTreeSet;

use jiff::Zoned;
use jiff::tz::TimeZone;

use super::Decision;
use super::edits::edits;
use super::listed::{ListedRow, ReturnedSheet, Unmeant};
use crate::ledger::{AsHeld, DecisionResult};
use crate::money::Money;
use crate::order::quoted;
use crate::result::held::ORDER_ID;

/// Most rows that are told apart of each kind.
const MOST: usize = 200;

/// What to do about a key that names nothing.
const UNKNOWN: &str = "If dropsheet's records were put back from a backup, drop its sheet again: move that from \
    done/ into inbox/, and what waits for approval is held anew.";

/// What to do about an order that was declined and that the service has.
const LEFT_THERE: &str = "dropsheet cancels none of these by itself: if one of them is not to be printed, have the operator \
    run `dropsheet orders cancel` with its id at the service.";

/// The receipt of a decision, with the line ends that every editor shows. `still_held`: how many orders wait on.
pub(super) fn text(
    file: &str,
    decision: Decision,
    rows: (&ReturnedSheet, &[DecisionResult]),
    still_held: u64,
    at: &Zoned,
) -> String {
    let told = Told::of(decision, rows, at.time_zone());
    let mut lines = vec![told.heading(file, decision, at), String::new()];
    if told.orders > 0 {
        lines.push(told.what_follows(decision));
    }
    let there = match decision {
        Decision::Approve => {
            "Not sent, for the service has an order of the id already, of which this ledger did not know:"
        }
        Decision::Decline => {
            "At the service all the same, which has an order of this kind of which this ledger did not know:"
        }
    };
    section(&mut lines, there, &told.there);
    if decision == Decision::Decline && !told.there.is_empty() {
        lines.extend([String::new(), LEFT_THERE.to_owned()]);
    }
    section(&mut lines, "Nothing was done with:", &told.others);
    for advice in advice(rows.1, decision) {
        lines.extend([String::new(), advice]);
    }
    section(&mut lines, "Changed cells, which change nothing:", &told.edits);
    section(
        &mut lines,
        "Cells of other columns, which change nothing:",
        &told.own,
    );
    if decision == Decision::Approve && still_held > 0 {
        lines.extend([
            String::new(),
            "What is not listed in the file stays held; held/ has it.".to_owned(),
        ]);
    }
    lines.push(String::new());
    lines.join("\r\n")
}

/// What to do about the rows that name no order of this inbox, in sentences.
pub(super) fn advice(decided: &[DecisionResult], decision: Decision) -> Vec<String> {
    let inboxes: BTreeSet<&String> = decided
        .iter()
        .filter_map(|decided| match decided {
            DecisionResult::Elsewhere(inbox) => Some(inbox),
            DecisionResult::Taken(_)
            | DecisionResult::Before(_)
            | DecisionResult::HeldAgain(_)
            | DecisionResult::NotHeld(..)
            | DecisionResult::Unknown => None,
        })
        .collect();
    let folder = decision.folder();
    let elsewhere = inboxes.into_iter().map(|inbox| {
        format!(
            "What is of the inbox `{inbox}` is decided there: move the file that lists it from the held/ of that inbox \
             into its {folder}/."
        )
    });
    let unknown = decided.contains(&DecisionResult::Unknown);
    elsewhere.chain(unknown.then(|| UNKNOWN.to_owned())).collect()
}

/// The part of a held sheet's name that its other files share.
pub(super) fn stem_of(name: &str) -> &str {
    let before = name.rsplit_once('.').map_or(name, |(before, _ending)| before);
    before.strip_suffix(".held").unwrap_or(before)
}

/// What is told of a decision.
#[derive(Debug, Default)]
struct Told {
    orders: usize,
    /// Orders that were decided so already, by a look that was cut short, say.
    before: usize,
    total: Option<Money>,
    others: Vec<String>,
    /// Orders that the service has already.
    there: Vec<String>,
    edits: Vec<String>,
    /// What stands in columns that a person has added.
    own: Vec<String>,
}

impl Told {
    fn of(
        decision: Decision,
        (listed, decided): (&ReturnedSheet, &[DecisionResult]),
        zone: &TimeZone,
    ) -> Self {
        let mut told = Self {
            total: Some(Money::ZERO),
            ..Self::default()
        };
        for (row, decided) in listed.rows.iter().zip(decided) {
            match decided {
                DecisionResult::Taken(held) => {
                    told.orders += 1;
                    let total = held.total.unwrap_or(Money::ZERO);
                    told.total = told.total.and_then(|sum| sum.plus(total).ok());
                    told.there.extend(there(row, held));
                    told.edits.extend(edits(row, held, zone));
                    told.own.extend(own(row));
                }
                other => {
                    told.before += usize::from(matches!(other, DecisionResult::Before(_)));
                    told.others.extend(not_taken(row, decision, other));
                }
            }
        }
        let unmeant = listed.unmeant.iter();
        told.others
            .extend(unmeant.map(|(row, why)| unmeant_row(row, why)));
        told
    }

    fn what_follows(&self, decision: Decision) -> String {
        let who = match self.orders.saturating_sub(self.there.len()) {
            _ if decision == Decision::Decline => {
                return "They are not sent. Dropped again, they are checked anew.".to_owned();
            }
            0 => return "The result of their sheet says what became of each.".to_owned(),
            n if n == self.orders => "They",
            _ => "The others",
        };
        format!(
            "{who} are sent with their content as it was held, at most at the totals listed, unless the service turns out to \
             have them already. The result of their sheet says what became of each."
        )
    }

    fn heading(&self, file: &str, decision: Decision, at: &Zoned) -> String {
        let what = match (decision, self.orders) {
            (_, 0) if self.before > 0 => "Nothing more was".to_owned(),
            (_, 0) => "Nothing was".to_owned(),
            (_, 1) => "1 order was".to_owned(),
            (_, n) => format!("{n} orders were"),
        };
        let sum = self.total.filter(|_| self.orders > 0);
        let sum = sum.map_or(String::new(), |sum| format!(", {sum} in all"));
        format!(
            "{what} {} with {file} on {}{sum}.",
            decision.folder(),
            at.strftime("%Y-%m-%d %H:%M %Z")
        )
    }
}

fn not_taken(row: &ListedRow, decision: Decision, decided: &DecisionResult) -> Option<String> {
    let why = match decided {
        DecisionResult::Taken(..) => return None,
        DecisionResult::Before(id) => format!("{id}: it was {} before", decision.folder()),
        DecisionResult::HeldAgain(id) => {
            format!("{id}: it was held again since this file was written; held/ has a newer file")
        }
        DecisionResult::NotHeld(id, state) => format!("{id}: it is {state} and waits for nobody"),
        DecisionResult::Elsewhere(inbox) => format!("it is of the inbox `{inbox}`"),
        DecisionResult::Unknown => "its approval_key is none of this inbox".to_owned(),
    };
    Some(format!("row {}: {why}", row.number))
}

/// What is told of a row whose order is not meant.
fn unmeant_row(row: &ListedRow, why: &Unmeant) -> String {
    let order = match row.text(ORDER_ID) {
        "" => "it",
        id => id,
    };
    let number = row.number;
    match why {
        Unmeant::Struck => format!("row {number}: {order} has text that is struck through"),
        Unmeant::Emptied => {
            format!("row {number}: nothing is left in it but its approval_key; it stays held")
        }
        Unmeant::Keyless => {
            format!("row {number}: the approval_key of {order} is gone; it stays held")
        }
        Unmeant::SaysNo { column, text } => format!(
            "row {number}: {order} stays held, for its row says {} {}",
            quoted(text),
            under(column)
        ),
    }
}

/// What the service has already of a row's order.
fn there(row: &ListedRow, held: &AsHeld) -> Option<String> {
    let ids = held.there.join(", ");
    (!ids.is_empty()).then(|| format!("row {}: {}: {ids}", row.number, held.order_id))
}

/// The cells of a row that stand in no column of a held sheet.
fn own(row: &ListedRow) -> impl Iterator<Item = String> {
    let told =
        |(column, text): &(String, String)| format!("row {}: {} {}", row.number, quoted(text), under(column));
    row.own.iter().map(told)
}

fn under(column: &str) -> String {
    if column.is_empty() {
        "in a column without a heading".to_owned()
    } else {
        format!("in {}", quoted(column))
    }
}

fn section(lines: &mut Vec<String>, heading: &str, told: &[String]) {
    if told.is_empty() {
        return;
    }
    lines.extend([String::new(), heading.to_owned()]);
    lines.extend(told.iter().take(MOST).map(|line| format!("  {line}")));
    if let Some(more) = told.len().checked_sub(MOST).filter(|more| *more > 0) {
        lines.push(format!("  and {more} more"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::state::State;
    use crate::reconcile::Signature;
    use crate::result::held::TOTAL;

    fn row(number: u32, order_id: &str, total: &str) -> ListedRow {
        ListedRow {
            number,
            written: vec![(ORDER_ID, order_id.to_owned()), (TOTAL, total.to_owned())],
            ..ListedRow::default()
        }
    }

    fn as_held(order_id: &str, total: &str) -> AsHeld {
        AsHeld {
            order_id: order_id.to_owned(),
            total: total.parse().ok(),
            signature: Signature::new([("TEE-S", 1), ("MUG", 1200)].into_iter(), Some("US")),
            country_code: "US".to_owned(),
            holds: Vec::new(),
            held_at: None,
            first_row: None,
            there: Vec::new(),
        }
    }

    fn taken(order_id: &str, total: &str) -> DecisionResult {
        DecisionResult::Taken(Box::new(as_held(order_id, total)))
    }

    #[test]
    fn a_receipt_tells_what_counts_what_does_not_and_what_was_changed_in_vain() {
        let says_no = Unmeant::SaysNo {
            column: "Freigabe".to_owned(),
            text: "NEIN".to_owned(),
        };
        let noted = ListedRow {
            own: vec![
                ("Freigabe".to_owned(), "ja".to_owned()),
                (String::new(), "Ada".to_owned()),
            ],
            ..row(2, "1001", "14.0")
        };
        let listed = ReturnedSheet {
            rows: vec![
                noted,
                row(3, "1003", "9.00"),
                row(4, "1004", "1"),
                row(5, "1005", "1"),
                row(6, "x", "1"),
                row(7, "1007", "1"),
            ],
            unmeant: vec![
                (row(8, "1008", "1"), Unmeant::Struck),
                (row(9, "", ""), Unmeant::Emptied),
                (row(10, "1010", "1"), says_no),
            ],
        };
        let decided = [
            taken("1001", "14.00"),
            taken("1002", "10.00"),
            DecisionResult::NotHeld("1004".to_owned(), State::Canceled),
            DecisionResult::HeldAgain("1005".to_owned()),
            DecisionResult::Unknown,
            DecisionResult::Elsewhere("main".to_owned()),
        ];
        let at: Zoned = "2026-11-21T09:14:59[UTC]".parse().unwrap();
        let text = text("a.held.xlsx", Decision::Approve, (&listed, &decided), 1, &at);
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(
            lines[0],
            "2 orders were approved with a.held.xlsx on 2026-11-21 09:14 UTC, 24.00 in all."
        );
        for line in [
            "  row 3: order_id says `1003`; the row is that of 1002",
            "  row 3: total says `9.00`; 1002 was held at 10.00",
            "  row 4: 1004: it is canceled and waits for nobody",
            "  row 6: its approval_key is none of this inbox",
            "  row 7: it is of the inbox `main`",
            "What is of the inbox `main` is decided there: move the file that lists it from the held/ of that inbox into its \
             approved/.",
            "  row 8: 1008 has text that is struck through",
            "  row 9: nothing is left in it but its approval_key; it stays held",
            "  row 10: 1010 stays held, for its row says `NEIN` in `Freigabe`",
            "  row 2: `ja` in `Freigabe`",
            "  row 2: `Ada` in a column without a heading",
            "What is not listed in the file stays held; held/ has it.",
        ] {
            assert!(lines.contains(&line), "{line} in {text}");
        }
        assert!(!text.replace("\r\n", "").contains(['\r', '\n']));
    }

    #[test]
    fn that_more_is_held_is_said_where_something_is() {
        let listed = ReturnedSheet {
            rows: vec![row(2, "1001", "14.00")],
            ..ReturnedSheet::default()
        };
        let decided = [taken("1001", "14.00")];
        let at: Zoned = "2026-11-21T09:14:59[UTC]".parse().unwrap();
        for (still_held, decision, is_said) in [
            (1, Decision::Approve, true),
            (0, Decision::Approve, false),
            (1, Decision::Decline, false),
        ] {
            let text = text("a.held.xlsx", decision, (&listed, &decided), still_held, &at);
            assert_eq!(text.contains("stays held"), is_said, "{text}");
        }
    }

    #[test]
    fn what_was_approved_before_a_look_was_cut_short_is_not_said_to_be_none() {
        let listed = ReturnedSheet {
            rows: vec![row(2, "1001", "14.00")],
            ..ReturnedSheet::default()
        };
        let at: Zoned = "2026-11-21T09:14:59[UTC]".parse().unwrap();
        for (decided, heading) in [
            (
                DecisionResult::Before("1001".to_owned()),
                "Nothing more was approved with",
            ),
            (DecisionResult::Unknown, "Nothing was approved with"),
        ] {
            let text = text("a.held.xlsx", Decision::Approve, (&listed, &[decided]), 0, &at);
            assert!(text.starts_with(heading), "{text}");
        }
    }

    #[test]
    fn what_the_service_has_already_is_not_said_to_be_sent_and_what_is_declined_of_it_to_be_there() {
        let listed = ReturnedSheet {
            rows: vec![row(2, "1001", "14.00"), row(3, "1002", "10.00")],
            ..ReturnedSheet::default()
        };
        let there = |order_id, total, there: &[&str]| {
            DecisionResult::Taken(Box::new(AsHeld {
                there: there.iter().map(|id| (*id).to_owned()).collect(),
                ..as_held(order_id, total)
            }))
        };
        let at: Zoned = "2026-11-21T09:14:59[UTC]".parse().unwrap();
        let told = |decision, ids: [&[&str]; 2]| {
            let decided = [there("1001", "14.00", ids[0]), there("1002", "10.00", ids[1])];
            text("a.held.xlsx", decision, (&listed, &decided), 0, &at)
        };
        let one: &[&str] = &["PW-1 under the id `#1001`"];
        let line = "\r\n  row 2: 1001: PW-1 under the id `#1001`\r\n";
        for (decision, ids, says, is_told) in [
            (Decision::Approve, [&[][..], &[]], "\r\nThey are sent ", false),
            (Decision::Approve, [one, &[]], "\r\nThe others are sent ", true),
            (
                Decision::Approve,
                [one, &["PW-2"]],
                "\r\nNot sent, for the service has ",
                true,
            ),
            (Decision::Decline, [&[], &[]], "\r\nThey are not sent. ", false),
            (
                Decision::Decline,
                [one, &[]],
                "\r\nAt the service all the same, ",
                true,
            ),
        ] {
            let text = told(decision, ids);
            assert!(text.contains(says), "{says} in {text}");
            assert_eq!(text.contains(line), is_told, "{text}");
        }
        let all = told(Decision::Approve, [one, &["PW-2"]]);
        assert!(!all.contains("are sent with"), "{all}");
    }

    #[test]
    fn the_stem_is_what_the_other_files_share() {
        for (name, stem) in [
            ("2026-11-21_0914_a.held.xlsx", "2026-11-21_0914_a"),
            ("2026-11-21_0914_a.held.csv", "2026-11-21_0914_a"),
            ("renamed.xlsx", "renamed"),
        ] {
            assert_eq!(stem_of(name), stem);
        }
    }
}
