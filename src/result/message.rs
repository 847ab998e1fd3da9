//! The sentences and codes of a row.

use crate::finding::Finding;

use super::View;
use super::shape::Shape;

/// The most cells that `see …` names; an order of hundreds of wrong rows would repeat them all on each.
const MAX_SEEN: usize = 10;

/// How a message points at a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pointing {
    /// By the cell's name, `F14`: the result has the sheet's own row numbers.
    AtCells,
    /// By the column's header: the to-fix sheet has other row numbers.
    AtHeadings,
}

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
pub(super) fn message(view: &View, row: u32, span: (u32, u32), shape: &Shape, pointing: Pointing) -> String {
    let mut sentences = Vec::new();
    push_sentence(&mut sentences, &view.message);
    let (here, elsewhere): (Vec<&Finding>, Vec<&Finding>) = view
        .findings
        .iter()
        .partition(|finding| shown_row(finding, span) == row);
    for finding in here {
        let said = match place(finding, shape, pointing) {
            Some(place) => format!("{place}: {}", finding.message),
            None => finding.message.clone(),
        };
        push_sentence(&mut sentences, &said);
        push_sentence(&mut sentences, &finding.hint);
    }
    push_sentence(&mut sentences, &see(&elsewhere, shape, pointing));
    sentences.join(" ")
}

fn place(finding: &Finding, shape: &Shape, pointing: Pointing) -> Option<String> {
    match pointing {
        Pointing::AtCells => shape.cell(finding).map(|cell| cell.to_string()),
        Pointing::AtHeadings => shape.heading(finding).map(str::to_owned),
    }
}

fn see(elsewhere: &[&Finding], shape: &Shape, pointing: Pointing) -> String {
    let mut places: Vec<String> = Vec::new();
    for finding in elsewhere {
        let place = match (place(finding, shape, pointing), pointing) {
            (Some(place), _) => place,
            (None, Pointing::AtCells) => format!("row {}", finding.row),
            (None, Pointing::AtHeadings) => finding.code.name().to_owned(),
        };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    if places.is_empty() {
        return String::new();
    }
    let more = places.len().saturating_sub(MAX_SEEN);
    places.truncate(MAX_SEEN);
    let mut text = format!("see {}", places.join(", "));
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    if matches!(pointing, Pointing::AtHeadings) {
        text.push_str(" on another row of this order");
    }
    text
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
