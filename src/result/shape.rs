//! Which of a sheet's columns a result keeps, and where they stand in it.
//!
//! A result keeps row numbers, and column letters too as long as the sheet's own columns stand together at its left.
//! `result_*` columns of an earlier result are left out, and new ones stand at the right of the own columns.

use crate::finding::{CellRef, Finding};
use crate::sheet::Row;

use super::columns::Column;

/// The most columns that a spreadsheet shows.
const MAX_COLUMNS: usize = 16_384;

/// A sheet's own columns and their places in the result.
#[derive(Debug)]
pub(super) struct Shape {
    own: Vec<usize>,
    header: Row,
}

impl Shape {
    /// The shape of the result of a sheet with this header; the own columns are counted from 0.
    pub(super) fn new(own_columns: &[usize], header: &Row) -> Self {
        let room = MAX_COLUMNS - Column::ALL.len();
        Self {
            own: own_columns.iter().copied().take(room).collect(),
            header: header.clone(),
        }
    }

    /// How many own columns there are: the first `result_*` column stands there.
    pub(super) fn own_width(&self) -> usize {
        self.own.len()
    }

    /// How many columns have a header.
    pub(super) fn width(&self) -> usize {
        self.own.len() + Column::ALL.len()
    }

    /// A row's own cells, in order.
    pub(super) fn own_cells<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = &'a str> {
        self.own.iter().map(|column| row.text(*column))
    }

    /// The cells that a row has beyond the header. They are kept at the right of everything: a row that was too long
    /// stays too long when the result is dropped again, rather than turn into a whole row with its cells shifted.
    pub(super) fn overhang<'a>(&self, row: &'a Row) -> impl Iterator<Item = &'a str> {
        let room = MAX_COLUMNS.saturating_sub(self.width());
        let last = (self.header.len()..row.len())
            .rev()
            .find(|column| !row.text(*column).is_empty());
        let end = last.map_or(self.header.len(), |last| last + 1);
        (self.header.len()..end).take(room).map(|column| row.text(column))
    }

    /// Where a finding's cell stands in the result; none where it speaks of a whole row or of a column left out.
    pub(super) fn cell(&self, finding: &Finding) -> Option<CellRef> {
        let column = usize::from(finding.column?);
        let place = self.own.iter().position(|own| *own == column)?;
        Some(CellRef {
            row: finding.row,
            column: u16::try_from(place).unwrap_or(u16::MAX),
        })
    }

    /// What the header calls a finding's column; none where it speaks of a whole row.
    pub(super) fn heading(&self, finding: &Finding) -> Option<&str> {
        finding
            .column
            .map(|column| self.header.text(usize::from(column)))
            .filter(|heading| !heading.is_empty())
    }
}
