//! A file as rows of text with the row numbers that a spreadsheet shows. Knows nothing of orders.

use std::fs::File;
use std::path::Path;

use crate::finding::Rejection;

/// What a cell was in the file, as far as it matters to the text read from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Nothing was there.
    Blank,
    /// Text: the characters stood in the file.
    Text,
    /// A number cell of a workbook; its text has every digit.
    Number,
    /// A number cell of a workbook with more digits than a spreadsheet keeps (over 15): digits are lost.
    LostDigits,
    /// A date or time cell of a workbook, as `2026-11-21` or `2026-11-21 09:14:00`.
    Date,
    /// A true-or-false cell of a workbook, as `TRUE` or `FALSE`.
    Bool,
    /// An error cell of a workbook, as `#N/A`.
    Error,
    /// A formula whose result was never stored.
    NoValue,
}

/// One row, reused from row to row so that reading a sheet allocates nothing a row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    number: u32,
    text: String,
    /// Where each cell's text ends in `text`, and its kind.
    cells: Vec<(usize, CellKind)>,
}

impl Row {
    /// The row number that a spreadsheet shows; the first row is 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// How many cells the row has.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the row has no cell at all.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether every cell is blank or white space.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// A cell's text, counted from 0; empty where the row is shorter.
    pub fn text(&self, column: usize) -> &str {
        let start = match column.checked_sub(1) {
            None => 0,
            Some(before) => self.cells.get(before).map_or(self.text.len(), |cell| cell.0),
        };
        let end = self.cells.get(column).map_or(start, |cell| cell.0);
        self.text.get(start..end).unwrap_or("")
    }

    /// A cell's kind, counted from 0; blank where the row is shorter.
    pub fn kind(&self, column: usize) -> CellKind {
        self.cells.get(column).map_or(CellKind::Blank, |cell| cell.1)
    }

    /// The cells' texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|column| self.text(column))
    }

    /// Empties the row and gives it a number, to be filled with [`Row::push`].
    pub fn start(&mut self, number: u32) {
        self.number = number;
        self.text.clear();
        self.cells.clear();
    }

    /// Appends a cell.
    pub fn push(&mut self, text: &str, kind: CellKind) {
        self.text.push_str(text);
        self.cells.push((self.text.len(), kind));
    }
}

/// What a sheet may cost at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the file. Config: `max_bytes`.
    pub max_bytes: u64,
    /// Rows, the header included. Config: `max_rows`.
    pub max_rows: u32,
}

/// How a sheet is written on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Separated text, with its separator.
    Csv {
        /// The separator: comma, semicolon, tab or pipe.
        delimiter: u8,
    },
    /// A workbook.
    Workbook,
}

/// A sheet that was recognised: its format is known and its header row found. Its rows can be read any number of
/// times, each time from the first.
#[derive(Debug)]
pub struct Sheet {
    format: Format,
}

/// One reading of a sheet's rows, the rows above the header and the header included.
#[derive(Debug)]
pub struct Rows {}

impl Sheet {
    /// Recognises a file by its content.
    ///
    /// `name` is the file's name, for its ending and for messages. `is_header` says whether a row is the header that
    /// the caller looks for; it is tried on the first 20 rows of a CSV and of each visible sheet of a workbook.
    /// `scratch` is a folder on a local disk for a temporary file of unpacked rows.
    ///
    /// # Errors
    /// A [`Rejection`] that says what is wrong with the file and what to do.
    pub fn open(
        _file: File,
        _name: &str,
        _limits: Limits,
        _scratch: &Path,
        _is_header: &dyn Fn(&Row) -> bool,
    ) -> Result<Self, Rejection> {
        todo!()
    }

    /// How the sheet is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The header row.
    pub fn header(&self) -> &Row {
        todo!()
    }

    /// Starts reading at the first row of the sheet.
    ///
    /// # Errors
    /// A [`Rejection`] when the file cannot be read any more.
    pub fn rows(&self) -> Result<Rows, Rejection> {
        todo!()
    }
}

impl Rows {
    /// Reads the next row into `row`; false at the end. A row without any cell (an empty line) is given too, with
    /// its number, so that row numbers have no holes; rows after the last one with text are not given.
    ///
    /// # Errors
    /// A [`Rejection`] when the sheet cannot be read on, or a limit is passed.
    pub fn next(&mut self, _row: &mut Row) -> Result<bool, Rejection> {
        todo!()
    }
}
