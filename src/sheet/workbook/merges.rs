//! Merged cells: what a person sees in several rows stands in the file in the first of them alone.
//!
//! Only what is merged down the rows is filled; a title that spans the columns stays where it is. A row that has no
//! cell of its own stays empty: a merge alone makes no order line.

use std::collections::BTreeMap;

use calamine::Dimensions;

use super::super::reject::too_large;
use super::super::{CellKind, MAX_COLUMNS, Row};
use crate::finding::Rejection;

/// Cells of a sheet that may be merged over rows: an order of each takes some, and a million rows hold fewer.
const MAX_MERGES: usize = 1_000_000;

/// Refuses a sheet that tells of more merged cells than it may have.
pub(super) fn held_to_the_most(found: &[Dimensions]) -> Result<(), Rejection> {
    if found.len() > MAX_MERGES {
        let message = format!("The sheet has more than {MAX_MERGES} merged cells.");
        return Err(too_large(message));
    }
    Ok(())
}

/// A sheet's cells that are merged over several rows, and those of them that the reading stands in.
#[derive(Default)]
pub(super) struct Merges {
    /// By first row and column, both counted from 0: the last row.
    ahead: BTreeMap<(u32, u32), u32>,
    /// By column.
    open: BTreeMap<usize, Open>,
}

struct Open {
    last_row: u32,
    text: String,
    kind: CellKind,
    is_struck: bool,
}

impl Merges {
    /// Those below the header, whose number is counted from 1.
    pub(super) fn below(header: u32, regions: &[Dimensions]) -> Self {
        let down = |region: &&Dimensions| region.start.0 >= header && region.end.0 > region.start.0;
        Self {
            ahead: regions
                .iter()
                .filter(down)
                .map(|region| (region.start, region.end.0))
                .collect(),
            open: BTreeMap::new(),
        }
    }

    /// Fills a row's blank cells from the merges that it stands in; rows come in order.
    pub(super) fn fill(&mut self, row: &mut Row) {
        if self.ahead.is_empty() && self.open.is_empty() {
            return;
        }
        let index = row.number().saturating_sub(1);
        self.open.retain(|_, open| open.last_row >= index);
        let blank = |row: &Row, column: usize| row.kind(column) == CellKind::Blank;
        if self.open.keys().any(|column| blank(row, *column)) {
            let bare = row.clone();
            let width = self
                .open
                .keys()
                .next_back()
                .map_or(0, |last| last.saturating_add(1));
            row.start(bare.number());
            for column in 0..bare.len().max(width) {
                let open = self.open.get(&column).filter(|_| blank(&bare, column));
                push(row, column, &bare, open);
            }
        }
        self.begin(index, row);
    }

    /// Opens the merges that begin at or above a row.
    fn begin(&mut self, index: u32, row: &Row) {
        while let Some(first) = self.ahead.first_entry().filter(|first| first.key().0 <= index) {
            let ((first_row, column), last_row) = first.remove_entry();
            let column = usize::try_from(column).unwrap_or(usize::MAX);
            if first_row == index && column < MAX_COLUMNS && row.kind(column) != CellKind::Blank {
                self.open.insert(
                    column,
                    Open {
                        last_row,
                        text: row.text(column).to_owned(),
                        kind: row.kind(column),
                        is_struck: row.struck().contains(&column),
                    },
                );
            }
        }
    }
}

/// Appends a cell: that of the row as it came, or one that is merged down to it.
fn push(row: &mut Row, column: usize, bare: &Row, open: Option<&Open>) {
    let is_struck = if let Some(open) = open {
        row.push_merged(&open.text, open.kind);
        open.is_struck
    } else {
        row.push(bare.text(column), bare.kind(column));
        bare.struck().contains(&column)
    };
    if is_struck {
        row.strike_last();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_merged_down_is_filled_and_nothing_else() {
        let region = |start, end| Dimensions { start, end };
        let mut merges = Merges::below(
            1,
            &[
                region((0, 0), (3, 0)),
                region((1, 0), (2, 0)),
                region((1, 2), (3, 3)),
                region((1, 1), (1, 5)),
                region((9, 1), (3, 1)),
            ],
        );
        let mut filled = |number: u32, cells: &[&str]| {
            let mut row = Row::default();
            row.start(number);
            for cell in cells {
                let kinds = [CellKind::Text, CellKind::Blank];
                row.push(cell, kinds[usize::from(cell.is_empty())]);
            }
            merges.fill(&mut row);
            let shown = |(column, text): (usize, &str)| {
                let mark = ["", "^"][usize::from(row.is_merged(column))];
                format!("{mark}{text}")
            };
            row.iter().enumerate().map(shown).collect::<Vec<_>>().join("/")
        };
        assert_eq!(filled(1, &["order_id", "sku", "city"]), "order_id/sku/city");
        assert_eq!(filled(2, &["1001", "A", "Albany"]), "1001/A/Albany");
        assert_eq!(filled(3, &["", "B"]), "^1001/B/^Albany");
        assert_eq!(filled(4, &["1002", "C", "Boston"]), "1002/C/Boston");
        assert_eq!(filled(5, &["", "D"]), "/D");
    }
}
