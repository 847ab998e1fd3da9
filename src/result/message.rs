//! The sentences and codes of a row.

use crate::finding::{Code, Finding};

use super::View;
use super::pointing::Pointing;
use super::shape::Shape;

/// The most cells that `see …` names; an order of hundreds of wrong rows would repeat them all on each.
const MAX_SEEN: usize = 10;

/// The codes of an order's findings, each once, in the order of the findings, separated by a space.
pub(super) fn codes(view: &View) -> String {
    let mut names: Vec<&str> = Vec::new();
    for finding in &view.findings {
        if !names.contains(&finding.code.name()) {
            names.push(finding.code.name());
        }
    }
    names.join(" ")
}

/// The row that a finding is shown on: its own, where that lies within the order's rows, else the order's first.
pub(super) fn shown_row(finding: &Finding, (first, last): (u32, u32)) -> u32 {
    if (first..=last).contains(&finding.row) {
        finding.row
    } else {
        first
    }
}

/// What a row of an order says: the order's own sentences, then those of its findings on this row, then where the
/// other findings stand.
pub(super) fn message(
    view: &View,
    row: u32,
    span: (u32, u32),
    shape: &Shape,
    pointing: Pointing<'_>,
) -> String {
    let mut sentences = Vec::new();
    push_sentence(&mut sentences, &view.message);
    let (here, elsewhere): (Vec<&Finding>, Vec<&Finding>) = view
        .findings
        .iter()
        .partition(|finding| shown_row(finding, span) == row);
    for finding in here {
        let message = pointing.message(finding);
        let said = match pointing.cell(finding, shape) {
            Some(cell) => format!("{cell}: {message}"),
            None => message.into_owned(),
        };
        push_sentence(&mut sentences, &said);
        push_sentence(&mut sentences, &finding.hint);
    }
    // A row that is not printed is no matter of its order's other rows.
    let elsewhere: Vec<&Finding> = elsewhere
        .into_iter()
        .filter(|finding| finding.code != Code::NotToPrint)
        .collect();
    push_sentence(&mut sentences, &see(&elsewhere, span, shape, pointing));
    sentences.join(" ")
}

fn see(elsewhere: &[&Finding], span: (u32, u32), shape: &Shape, pointing: Pointing<'_>) -> String {
    let mut places: Vec<String> = Vec::new();
    for finding in elsewhere {
        let cell = pointing.cell(finding, shape).map(|cell| cell.to_string());
        let row = || Some(format!("row {}", pointing.row(shown_row(finding, span))?));
        let Some(place) = cell.or_else(row) else { continue };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    if places.is_empty() {
        return String::new();
    }
    let more = match places.len().saturating_sub(MAX_SEEN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    places.truncate(MAX_SEEN);
    format!("see {}{more}", places.join(", "))
}

/// Appends a sentence, with a full stop where it has no end of its own, so that sentences can follow each other.
fn push_sentence(sentences: &mut Vec<String>, text: &str) {
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    let ended = text.ends_with(['.', '!', '?', ':', ')', '"', '…']);
    sentences.push(if ended {
        text.to_owned()
    } else {
        format!("{text}.")
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::outcome::Status;
    use crate::result::samples::{finding, row, with_status};

    fn shape() -> Shape {
        Shape::new(&[0, 1, 2], &[], &row(1, &["order_id", "SKU", "Ship Zip"]))
    }

    fn wrong() -> View {
        let mut view = with_status(12, "1001", Status::Invalid);
        view.findings = vec![
            finding(Code::UnknownSku, 12, Some(1), "`X` is not in the catalog"),
            finding(Code::BadZip, 14, Some(2), "`0` is no zip."),
            finding(Code::UnknownSku, 14, Some(1), "`Y` is not in the catalog."),
        ];
        view
    }

    #[test]
    fn a_finding_is_told_on_its_own_row_and_pointed_at_on_the_others() {
        for (row, said) in [
            (12, "B12: `X` is not in the catalog. Fix it. see C14, B14."),
            (13, "see B12, C14, B14."),
            (
                14,
                "C14: `0` is no zip. Fix it. B14: `Y` is not in the catalog. Fix it. see B12.",
            ),
        ] {
            let message = message(&wrong(), row, (12, 14), &shape(), Pointing::SameRows);
            assert_eq!(message, said);
        }
        assert_eq!(codes(&wrong()), "unknown-sku bad-zip");
    }

    #[test]
    fn a_sheet_with_other_row_numbers_points_at_its_own_cells() {
        let rows = [5, 12, 13, 14];
        let said = message(&wrong(), 12, (12, 14), &shape(), Pointing::OnlyRows(&rows));
        assert_eq!(said, "B3: `X` is not in the catalog. Fix it. see C5, B5.");
    }

    #[test]
    fn a_finding_of_a_row_beyond_the_order_is_told_on_the_first_row() {
        let mut view = with_status(12, "1001", Status::Created);
        view.message = "Sent".to_owned();
        view.findings = vec![finding(Code::CatalogOld, 1, None, "The catalog is old.")];
        let said = |row| message(&view, row, (12, 13), &shape(), Pointing::SameRows);
        assert_eq!(said(12), "Sent. The catalog is old. Fix it.");
        assert_eq!(said(13), "Sent. see row 12.");
    }

    #[test]
    fn hundreds_of_findings_are_not_all_pointed_at_from_each_row() {
        let mut view = with_status(2, "1001", Status::Invalid);
        view.findings = (3..203)
            .map(|row| finding(Code::UnknownSku, row, Some(1), "No."))
            .collect();
        let said = message(&view, 2, (2, 202), &shape(), Pointing::SameRows);
        assert!(said.ends_with("B12 and 190 more."), "{said}");
    }
}
