//! Fields that are read from several cells: which of those is meant by what is said of the whole.

use super::{At, Draft};
use crate::order::cells::Cells;
use crate::order::columns::Field;

impl Draft {
    /// What each cell has of a field that is read from several, in the row that speaks for it.
    pub(crate) fn pieces_of(&self, at: At<'_>) -> impl Iterator<Item = (u16, &str)> {
        let row = match at {
            At::Row(_, row) => row,
            At::Line(_, line) => line.row(),
        };
        let mut rows = self.cells().filter(move |line| line.row() == row);
        let field = at.field();
        rows.next().into_iter().flat_map(move |line| line.pieces(field))
    }

    /// The cell of those whose piece is so.
    pub(crate) fn piece_at(&self, at: At<'_>, is_it: impl Fn(&str) -> bool) -> Option<u16> {
        let mut pieces = self.pieces_of(at);
        pieces.find(|(_, text)| is_it(text)).map(|(column, _)| column)
    }

    /// The column in which a line has another piece of a field than the row that speaks for it.
    pub(super) fn differing_piece(&self, field: Field, row: u32, line: &Cells) -> Option<u16> {
        let first = self.cells().find(|line| line.row() == row)?;
        line.differing_piece(first, field, self.layout.column_ref(field))
    }
}
