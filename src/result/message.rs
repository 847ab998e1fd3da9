//! The sentences and codes of a row.

use crate::finding::{CellRef, Code, Finding};

use super::pointing::Pointing;
use super::shape::Shape;
use super::walk::Line;

/// The most cells that `see …` names; an order of hundreds of wrong rows would repeat them all on each.
const MAX_SEEN: usize = 10;

/// The most that are counted.
const MAX_COUNTED: usize = 200;

/// The codes of the findings that are a row's matter, each once, in the order of the findings, separated by a space: those
/// of the whole order, and why this very row is not printed. A row that is no line of its order has its own alone.
pub(super) fn codes(line: &Line<'_>) -> String {
    let mut findings: Vec<(usize, &Finding)> = told_here(line).collect();
    if !line.is_aside() {
        findings.extend(line.first_of_each_code());
    }
    findings.sort_unstable_by_key(|(place, _)| *place);
    let mut names: Vec<&str> = Vec::new();
    for (_, finding) in findings {
        if !names.contains(&finding.code.name()) {
            names.push(finding.code.name());
        }
    }
    names.join(" ")
}

/// What is told on a row, each with its place among the order's findings. What is said of a whole order is told on a row that is a line of it.
fn told_here<'a>(line: &Line<'a>) -> impl Iterator<Item = (usize, &'a Finding)> {
    let is_line = !line.is_aside();
    let of_the_row = |finding: &Finding| finding.column.is_some() || finding.code == Code::NotToPrint;
    line.shown_here()
        .filter(move |(_, finding)| is_line || of_the_row(finding))
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
pub(super) fn message(line: &Line<'_>, shape: &Shape, pointing: Pointing<'_>) -> String {
    let (view, span) = (line.view, line.span);
    let mut sentences = Vec::new();
    if !line.is_aside() {
        push_sentence(&mut sentences, &view.message);
    }
    let mut is_told = false;
    for (_, finding) in told_here(line) {
        is_told = true;
        let message = pointing.message(finding);
        let said = match pointing.cell(finding, shape) {
            Some(cell) => format!("{cell}: {message}"),
            None => message.into_owned(),
        };
        push_sentence(&mut sentences, &said);
        push_sentence(&mut sentences, &finding.hint);
    }
    // Why another row is not printed is no matter of a row that says itself why it is not.
    let elsewhere = line
        .of_the_order()
        .filter(|finding| !line.is_aside() && shown_row(finding, span) != line.row)
        .filter(|finding| finding.code != Code::NotToPrint || !is_told);
    push_sentence(&mut sentences, &see(elsewhere, span, shape, pointing));
    sentences.join(" ")
}

fn see<'a>(
    elsewhere: impl Iterator<Item = &'a Finding>,
    span: (u32, u32),
    shape: &Shape,
    pointing: Pointing<'_>,
) -> String {
    // Row, and column where a cell is meant.
    let mut places: Vec<(u32, Option<u16>)> = Vec::new();
    for finding in elsewhere {
        // Each row of an order with thousands of findings would count them all.
        if places.len() > MAX_COUNTED {
            break;
        }
        let cell = pointing.cell(finding, shape);
        let cell = cell.map(|cell| (cell.row, Some(cell.column)));
        let row = || Some((pointing.row(shown_row(finding, span))?, None));
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
        _ if places.len() > MAX_COUNTED => " and many more".to_owned(),
        more => format!(" and {more} more"),
    };
    let named = places.into_iter().take(MAX_SEEN);
    let named = named.map(|(row, column)| match column {
        Some(column) => CellRef { row, column }.to_string(),
        None => format!("row {row}"),
    });
    format!("see {}{more}", named.collect::<Vec<_>>().join(", "))
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
    use crate::outcome::Status;
    use crate::result::View;
    use crate::result::samples::{finding, row, with_status};

    fn shape() -> Shape {
        Shape::new(&[0, 1, 2], &[], &row(1, &["order_id", "SKU", "Ship Zip"]))
    }

    /// A row of an order that it does not begin.
    fn line(view: &View, row: u32, span: (u32, u32)) -> Line<'_> {
        Line::new(row, 1, span, view)
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
        let view = wrong();
        for (row, said) in [
            (12, "B12: `X` is not in the catalog. Fix it. see C14, B14."),
            (13, "see B12, C14, B14."),
            (
                14,
                "C14: `0` is no zip. Fix it. B14: `Y` is not in the catalog. Fix it. see B12.",
            ),
        ] {
            let message = message(&line(&view, row, (12, 14)), &shape(), Pointing::SameRows);
            assert_eq!(message, said);
        }
        assert_eq!(codes(&line(&view, 13, (12, 14))), "unknown-sku bad-zip");
    }

    #[test]
    fn a_sheet_with_other_row_numbers_points_at_its_own_cells() {
        let rows = [5, 12, 13, 14];
        let said = message(&line(&wrong(), 12, (12, 14)), &shape(), Pointing::OnlyRows(&rows));
        assert_eq!(said, "B3: `X` is not in the catalog. Fix it. see C5, B5.");
    }

    #[test]
    fn a_finding_of_a_row_beyond_the_order_is_told_on_the_first_row() {
        let mut view = with_status(12, "1001", Status::Created);
        view.message = "Sent".to_owned();
        view.findings = vec![finding(Code::CatalogOld, 1, None, "The catalog is old.")];
        let said = |row| message(&line(&view, row, (12, 13)), &shape(), Pointing::SameRows);
        assert_eq!(said(12), "Sent. The catalog is old. Fix it.");
        assert_eq!(said(13), "Sent. see row 12.");
    }

    #[test]
    fn hundreds_of_findings_are_not_all_pointed_at_from_each_row() {
        let mut view = with_status(2, "1001", Status::Invalid);
        view.findings = (3..203)
            .map(|row| finding(Code::UnknownSku, row, Some(1), "No."))
            .collect();
        let said = message(&line(&view, 2, (2, 202)), &shape(), Pointing::SameRows);
        assert!(said.ends_with("B12 and 190 more."), "{said}");
    }

    #[test]
    fn a_row_that_is_no_line_tells_of_itself_alone_and_its_order_not_of_it() {
        let mut view = with_status(12, "1001", Status::Invalid);
        view.message = "Sent".to_owned();
        view.findings = vec![
            Finding {
                hint: String::new(),
                ..finding(Code::NotToPrint, 12, None, "Not printed: a summary row.")
            },
            finding(Code::BadZip, 12, Some(2), "`0` is no zip."),
            finding(Code::UnknownSku, 13, Some(1), "`X` is not in the catalog."),
        ];
        for (row, told, said) in [
            (
                12,
                "not-to-print bad-zip",
                "Not printed: a summary row. C12: `0` is no zip. Fix it.",
            ),
            (
                13,
                "bad-zip unknown-sku",
                "Sent. B13: `X` is not in the catalog. Fix it. see C12.",
            ),
            (14, "bad-zip unknown-sku", "Sent. see C12, B13."),
        ] {
            let line = line(&view, row, (12, 14));
            assert_eq!(codes(&line), told);
            assert_eq!(message(&line, &shape(), Pointing::SameRows), said);
        }
    }

    #[test]
    fn each_row_of_a_skipped_order_says_why_or_where() {
        let mut view = with_status(12, "1001", Status::Skipped);
        view.findings = vec![finding(Code::NotToPrint, 12, None, "Not printed: refunded.")];
        let line = line(&view, 13, (12, 13));
        assert_eq!(message(&line, &shape(), Pointing::SameRows), "see row 12.");
        assert_eq!(codes(&line), "not-to-print");
    }
}
