//! How many findings of one order are kept: each of its rows may have several, and the ledger, the result and whoever
//! reads it have to cope with all of them.

use crate::finding::{Code, Finding, Level};

/// The most findings of one order that are told: two for each line of the longest that can be sent.
const MOST: usize = 1_000;

/// Leaves out what is too much, warnings and notes before errors, and says of how many findings that was.
pub(super) fn keep_foremost(findings: &mut Vec<Finding>) {
    let before = findings.len();
    if before <= MOST {
        return;
    }
    let errors = findings.iter().filter(|finding| is_error(finding)).count();
    let mut room = (MOST, MOST.saturating_sub(errors));
    findings.retain(|finding| {
        let room = if is_error(finding) {
            &mut room.0
        } else {
            &mut room.1
        };
        let has_room = *room > 0;
        *room = room.saturating_sub(1);
        has_room || is_needed(finding)
    });
    let more = before - findings.len();
    if let Some(first) = findings.first_mut().filter(|_| more > 0) {
        let end = format!("{more} more findings of this order are not told.");
        if !first.hint.is_empty() {
            first.hint.push(' ');
        }
        first.hint.push_str(&end);
    }
}

fn is_error(finding: &Finding) -> bool {
    finding.level() == Level::Error
}

/// What says how long the order is stays, and so does what sets a row aside: its status hangs on it. An order has no
/// more rows than are read of one.
fn is_needed(finding: &Finding) -> bool {
    let sets_aside = finding.code == Code::NotToPrint && finding.column.is_none();
    finding.code == Code::RowsPerOrder || sets_aside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::decide::finding;

    fn findings(of: &[(Code, usize)]) -> Vec<Finding> {
        let codes = of
            .iter()
            .flat_map(|(code, count)| std::iter::repeat_n(*code, *count));
        (2..)
            .zip(codes)
            .map(|(row, code)| finding(code, row, "Wrong.".to_owned(), "Fix it."))
            .collect()
    }

    fn kept(of: &[(Code, usize)]) -> (Vec<(Code, usize)>, String) {
        let mut findings = findings(of);
        keep_foremost(&mut findings);
        let count = |code| findings.iter().filter(|finding| finding.code == code).count();
        let left = of.iter().map(|(code, _)| (*code, count(*code))).collect();
        (left, findings[0].hint.clone())
    }

    #[test]
    fn of_too_many_findings_the_errors_are_kept_first_and_the_rest_is_counted() {
        let [warning, error, long] = [Code::FixedZip, Code::DifferingValues, Code::RowsPerOrder];
        for (of, left, told) in [
            (vec![(warning, 900), (error, 100)], vec![900, 100], ""),
            (vec![(warning, 2_000), (error, 100)], vec![900, 100], " 1100 more"),
            (vec![(warning, 5), (error, 2_000)], vec![0, 1_000], " 1005 more"),
            (vec![(error, 1_500), (long, 1)], vec![1_000, 1], " 500 more"),
            (
                vec![(error, 1_500), (Code::NotToPrint, 1_500)],
                vec![1_000, 1_500],
                " 500 more",
            ),
        ] {
            let (kept, hint) = kept(&of);
            assert_eq!(
                kept.iter().map(|(_, count)| *count).collect::<Vec<_>>(),
                left,
                "{of:?}"
            );
            let told = match told {
                "" => String::new(),
                more => format!("{more} findings of this order are not told."),
            };
            assert_eq!(hint, format!("Fix it.{told}"));
        }
    }
}
