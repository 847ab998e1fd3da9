//! How many rows a sheet may have.

use super::HEADER_ROWS;
use super::reject::too_many_rows;
use crate::finding::Rejection;

/// As many rows as a workbook's sheet can have: of a longer one no result could be written once its orders are sent.
pub const MOST_ROWS: u32 = 1_048_576;

/// How many rows may stand below the header.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowLimit {
    rows: u32,
    /// The row that the header is in, or may be in.
    header: u32,
}

impl RowLimit {
    /// So many, below a header that is not found yet.
    pub(super) fn of(rows: u32) -> Self {
        Self {
            rows,
            header: HEADER_ROWS,
        }
    }

    /// The same below the header in this row.
    pub(super) fn below(self, header: u32) -> Self {
        Self { header, ..self }
    }

    /// Whether a row of this number is one too many.
    ///
    /// # Errors
    /// Where it is.
    pub(super) fn check(self, number: u32) -> Result<(), Rejection> {
        let most = self.rows.min(MOST_ROWS.saturating_sub(self.header));
        if number > most.saturating_add(self.header) {
            return Err(too_many_rows(most));
        }
        Ok(())
    }
}
