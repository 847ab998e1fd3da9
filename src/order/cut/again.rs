//! Rows of which an earlier result says that a line break has cut them, and which come again as they were: in a result, and in a
//! to-fix sheet, both halves have all of their cells. Only what it says of them tells that they were one.
//!
//! Where the rest was deleted, or does not stand directly below its beginning any more, a person has seen to it.

use super::Cut;
use crate::order::layout::Layout;
use crate::sheet::Row;

/// How a result says of a row that it was cut, with the number of the next one behind it.
pub(super) const BEGINNING: &str = "The row is cut here and goes on in row";

/// The same of a row that is the rest of one, with that one's number.
pub(super) const REST: &str = "This is the rest of row";

/// The rows of a sheet that were cut when it was a result.
#[derive(Debug, Default)]
pub(super) struct CutBefore {
    /// In the order of their rows.
    found: Vec<Cut>,
    /// The rows directly above, of which the next may be the rest.
    above: Option<Cut>,
}

impl CutBefore {
    /// Notes a row that is not blank.
    pub(super) fn note(&mut self, layout: &Layout, row: &Row) {
        let Some(said) = layout.said_before(row) else {
            return;
        };
        let number = row.number();
        let is_directly_above = |cut: &Cut| cut.last.checked_add(1) == Some(number);
        let above = self.above.take().filter(is_directly_above);
        if said.contains(REST) {
            let Some(above) = above else { return };
            let cut = Cut {
                last: number,
                ..above
            };
            self.found.pop_if(|found| found.first == cut.first);
            self.found.push(cut);
            self.above = Some(cut);
        } else if said.contains(BEGINNING) {
            self.above = Some(Cut {
                first: number,
                last: number,
                is_whole: end_of(layout, row) >= layout.own_columns().last().map_or(0, |last| last + 1),
            });
        }
    }

    /// The rows that were one, of which this is one.
    pub(super) fn with(&self, row: u32) -> Option<&Cut> {
        let at = self.found.partition_point(|cut| cut.last < row);
        self.found.get(at).filter(|cut| cut.first <= row)
    }
}

/// The column behind a row's last cell, counted from 0. In a sheet that was a result every row has cells to its end.
pub(super) fn end_of(layout: &Layout, row: &Row) -> usize {
    if layout.said_before(row).is_none() {
        return row.len();
    }
    let has_text = |column: &&usize| row.has_text(**column);
    let last = layout.own_columns().iter().filter(has_text).max();
    last.map_or(0, |last| last + 1)
}
