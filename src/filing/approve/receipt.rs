//! What a person reads of a decision: what counts, what does not, and which changed cells change nothing. Pure.

use jiff::Zoned;

use super::Decision;
use super::listed::{ListedRow, ReturnedSheet};
use crate::ledger::DecisionResult;
use crate::money::Money;

/// Most rows that are told apart of each kind.
const MOST: usize = 200;

/// What to do about a key that is none of this inbox.
pub(super) const UNKNOWN: &str = "If dropsheet's records were put back from a backup, drop its sheet again: move that from \
    done/ into inbox/, and what waits for approval is held anew.";

/// The receipt of a decision, with the line ends that every editor shows.
pub(super) fn text(
    file: &str,
    decision: Decision,
    rows: (&ReturnedSheet, &[DecisionResult]),
    at: &Zoned,
) -> String {
    let told = Told::of(decision, rows);
    let mut lines = vec![told.heading(file, decision, at), String::new()];
    if told.orders > 0 {
        lines.push(
            match decision {
                Decision::Approve => {
                    "They are sent with their content as it was held, at most at the totals listed. The result of their \
                     sheet says what became of each."
                }
                Decision::Decline => "They are not sent. Dropped again, they are checked anew.",
            }
            .to_owned(),
        );
    }
    section(&mut lines, "Nothing was done with:", &told.others);
    if rows.1.contains(&DecisionResult::Unknown) {
        lines.extend([String::new(), UNKNOWN.to_owned()]);
    }
    section(&mut lines, "Changed cells, which change nothing:", &told.edits);
    if decision == Decision::Approve {
        lines.extend([
            String::new(),
            "What is not listed in the file stays held; held/ has it.".to_owned(),
        ]);
    }
    lines.push(String::new());
    lines.join("\r\n")
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
    edits: Vec<String>,
}

impl Told {
    fn of(decision: Decision, (listed, decided): (&ReturnedSheet, &[DecisionResult])) -> Self {
        let mut told = Self {
            total: Some(Money::ZERO),
            ..Self::default()
        };
        for (row, decided) in listed.rows.iter().zip(decided) {
            match decided {
                DecisionResult::Taken(id, total) => {
                    told.orders += 1;
                    let total = total.unwrap_or(Money::ZERO);
                    told.total = told.total.and_then(|sum| sum.plus(total).ok());
                    told.edits.extend(edits(row, id, total));
                }
                other => {
                    told.before += usize::from(matches!(other, DecisionResult::Before(_)));
                    told.others.extend(not_taken(row, decision, other));
                }
            }
        }
        told
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
        DecisionResult::Unknown => "its approval_key is none of this inbox".to_owned(),
    };
    Some(format!("row {}: {why}", row.number))
}

/// The cells of a row that say something else than what was held.
fn edits(row: &ListedRow, id: &str, total: Money) -> Vec<String> {
    let mut edits = Vec::new();
    // A file without the column says nothing of it.
    if row.order_id != id && !row.order_id.is_empty() {
        edits.push(format!(
            "row {}: order_id says `{}`; the row is that of {id}",
            row.number, row.order_id
        ));
    }
    if !reads_as(&row.total, total) && !row.total.is_empty() {
        edits.push(format!(
            "row {}: total says `{}`; {id} was held at {total}",
            row.number, row.total
        ));
    }
    edits
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

    fn row(number: u32, order_id: &str, total: &str) -> ListedRow {
        ListedRow {
            number,
            key: None,
            order_id: order_id.to_owned(),
            total: total.to_owned(),
        }
    }

    #[test]
    fn a_receipt_tells_what_counts_what_does_not_and_what_was_changed_in_vain() {
        let listed = ReturnedSheet {
            rows: vec![
                row(2, "1001", "14.0"),
                row(3, "1003", "9.00"),
                row(4, "1004", "1"),
                row(5, "1005", "1"),
                row(6, "x", "1"),
            ],
        };
        let decided = [
            DecisionResult::Taken("1001".to_owned(), "14.00".parse().ok()),
            DecisionResult::Taken("1002".to_owned(), "10.00".parse().ok()),
            DecisionResult::NotHeld("1004".to_owned(), State::Canceled),
            DecisionResult::HeldAgain("1005".to_owned()),
            DecisionResult::Unknown,
        ];
        let at: Zoned = "2026-11-21T09:14:59[UTC]".parse().unwrap();
        let text = text("a.held.xlsx", Decision::Approve, (&listed, &decided), &at);
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
        ] {
            assert!(lines.contains(&line), "{line} in {text}");
        }
        assert!(!text.replace("\r\n", "").contains(['\r', '\n']));
    }

    #[test]
    fn an_amount_that_was_only_saved_in_another_writing_is_none_that_was_changed() {
        let held = "1171.29".parse().unwrap();
        for total in ["1171.29", "1,171.29", "1171,29", "1.171,29", "1’171.29", ""] {
            assert_eq!(edits(&row(2, "1001", total), "1001", held), [""; 0], "{total}");
        }
        assert_eq!(edits(&row(2, "1001", "117129"), "1001", held).len(), 1);
    }

    #[test]
    fn what_was_approved_before_a_look_was_cut_short_is_not_said_to_be_none() {
        let listed = ReturnedSheet {
            rows: vec![row(2, "1001", "14.00")],
        };
        let at: Zoned = "2026-11-21T09:14:59[UTC]".parse().unwrap();
        for (decided, heading) in [
            (
                DecisionResult::Before("1001".to_owned()),
                "Nothing more was approved with",
            ),
            (DecisionResult::Unknown, "Nothing was approved with"),
        ] {
            let text = text("a.held.xlsx", Decision::Approve, (&listed, &[decided]), &at);
            assert!(text.starts_with(heading), "{text}");
        }
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
