//! A file as rows of text with the row numbers that a spreadsheet shows. Knows nothing of orders.

pub mod ahead;
pub mod apart;
mod archive;
mod cell;
mod delimited;
mod dialect;
mod encoding;
mod ending;
mod kind;
mod letters;
mod limit;
mod lines;
mod look;
mod records;
mod reject;
mod source;
mod spaced;
mod swallowed;
mod unnatural;
mod unpacked;
mod workbook;
pub mod write;

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::finding::{Code, Rejection};

use delimited::Delimited;
use kind::{Content, content};
pub use limit::MOST_ROWS;
pub use look::Look;
use records::DelimitedRows;
pub(crate) use reject::unreadable;
use unpacked::{Unpacked, UnpackedRows};

/// The rows among which the header is looked for.
pub const HEADER_ROWS: u32 = 20;
/// Columns that are read; a sheet that has text beyond them is no order sheet.
pub const MAX_COLUMNS: usize = 1024;
/// Characters of one cell, counted as spreadsheets do, in UTF-16 units: no spreadsheet keeps more.
pub const MAX_CELL_UNITS: usize = 32_767;

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
    /// Bytes of `text` between two cells: the separators, where they are left in it.
    apart: usize,
    /// The columns whose text stands in a row above, in a cell that is merged down to this row.
    merged: Vec<usize>,
    /// The columns that have text which is struck through.
    struck: Vec<usize>,
    /// How the numbers look that are shown otherwise than by their digits, by their columns.
    looks: Vec<(usize, Look)>,
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
        if self.apart == 0 {
            self.text.trim().is_empty()
        } else {
            self.iter().all(|text| text.trim().is_empty())
        }
    }

    /// A cell's text, counted from 0; empty where the row is shorter.
    pub fn text(&self, column: usize) -> &str {
        let start = match column.checked_sub(1) {
            None => 0,
            Some(before) => {
                let before = self.cells.get(before);
                before.map_or(self.text.len(), |cell| cell.0 + self.apart)
            }
        };
        let end = self.cells.get(column).map_or(start, |cell| cell.0);
        self.text.get(start..end).unwrap_or("")
    }

    /// Whether there is more in a cell, counted from 0, than white space.
    pub fn has_text(&self, column: usize) -> bool {
        !self.text(column).trim().is_empty()
    }

    /// A cell's kind, counted from 0; blank where the row is shorter.
    pub fn kind(&self, column: usize) -> CellKind {
        self.cells.get(column).map_or(CellKind::Blank, |cell| cell.1)
    }

    /// The cells' texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len()).map(|column| self.text(column))
    }

    /// How much memory the row keeps, in bytes.
    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.cells.capacity() * size_of::<(usize, CellKind)>()
    }

    /// Empties the row and gives it a number, to be filled with [`Row::push`].
    pub fn start(&mut self, number: u32) {
        self.number = number;
        self.text.clear();
        self.cells.clear();
        self.apart = 0;
        self.merged.clear();
        self.struck.clear();
        self.looks.clear();
    }

    /// Appends cells of one kind, blank where they have no text; each ends at its place in `text`.
    pub(super) fn push_all(&mut self, text: &str, kind: CellKind, ends: impl Iterator<Item = usize>) {
        let from = self.text.len();
        self.text.push_str(text);
        let mut before = 0;
        self.cells.extend(ends.map(|end| {
            let kind = if end == before { CellKind::Blank } else { kind };
            before = end;
            (from + end, kind)
        }));
    }

    /// Takes the text of a line in which nothing is quoted, into a row without cells.
    pub(super) fn take_line(&mut self, line: &str, delimiter: u8) {
        self.text.push_str(line);
        self.apart = 1;
        let cells = line.as_bytes().split(|byte| *byte == delimiter);
        let mut from = 0;
        self.cells.extend(cells.map(|cell| {
            let end = from + cell.len();
            from = end + 1;
            let kind = if cell.is_empty() {
                CellKind::Blank
            } else {
                CellKind::Text
            };
            (end, kind)
        }));
    }

    /// Appends a cell, to a row that was not made of a line.
    pub fn push(&mut self, text: &str, kind: CellKind) {
        self.text.push_str(text);
        self.cells.push((self.text.len(), kind));
    }

    /// Appends a cell that is merged with the one above it, whose text it has.
    pub fn push_merged(&mut self, text: &str, kind: CellKind) {
        self.merged.push(self.cells.len());
        self.push(text, kind);
    }

    /// Whether a cell, counted from 0, is merged with one above.
    pub fn is_merged(&self, column: usize) -> bool {
        self.merged.contains(&column)
    }

    /// Says of the cell that was pushed last that text in it is struck through.
    pub fn strike_last(&mut self) {
        self.struck.extend(self.cells.len().checked_sub(1));
    }

    /// Says of the cell that was pushed last how its number looks.
    pub fn look_last(&mut self, look: Look) {
        self.looks
            .extend(self.cells.len().checked_sub(1).map(|cell| (cell, look)));
    }

    /// How the number of a cell, counted from 0, looks; none where it says nothing: only `.xlsx` tells.
    pub fn look(&self, column: usize) -> Option<Look> {
        let found = self.looks.iter().find(|(place, _look)| *place == column);
        found.map(|(_place, look)| *look)
    }

    /// The cells, counted from 0, that have text which is struck through: only `.xlsx` tells.
    pub fn struck(&self) -> &[usize] {
        &self.struck
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

impl Limits {
    /// Of a sheet that was read before.
    pub const NONE: Self = Self {
        max_bytes: u64::MAX,
        max_rows: u32::MAX,
    };

    /// Why a file of so many bytes is not read; none of one that is.
    pub fn refuse(&self, bytes: u64) -> Option<Rejection> {
        let most = self.max_bytes;
        (bytes > most).then(|| {
            reject::too_large(format!(
                "The file has {bytes} bytes; the limit is {most} (max_bytes)."
            ))
        })
    }
}

/// How a sheet is written on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Separated text, with its separator.
    Csv {
        /// The separator: comma, semicolon, tab or pipe.
        delimiter: u8,
    },
    /// A workbook: .xlsx, .xlsm, .xlsb, .xls or .ods.
    Workbook,
}

/// The sheets of a workbook that can be seen, as far as they matter: a file of text has none.
#[derive(Clone, Debug, Default)]
pub struct Tabs {
    /// The name of the one that is read.
    pub read: String,
    /// Those before it and behind it that have text, in their order.
    pub others: Vec<Tab>,
}

/// A sheet of a workbook that is not read.
#[derive(Clone, Debug)]
pub struct Tab {
    /// Its name.
    pub name: String,
    /// Its first rows: those that the header is looked for in, and one more.
    pub rows: Vec<Row>,
}

/// A sheet that was recognised: its format is known and its header row found. Its rows can be read any number of
/// times, each time from the first.
#[derive(Debug)]
pub struct Sheet {
    /// To read other sheets of its workbook.
    file: Arc<File>,
    header: Row,
    tabs: Tabs,
    body: Body,
}

#[derive(Debug)]
enum Body {
    /// Read from the file itself each time.
    Text(Delimited),
    /// Read from the rows that were unpacked once.
    Workbook(Unpacked),
}

/// One reading of a sheet's rows, the rows above the header and the header included.
pub struct Rows(Reading);

enum Reading {
    Text(Box<DelimitedRows>),
    Workbook(Box<UnpackedRows>),
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}

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
        file: File,
        _name: &str,
        limits: Limits,
        scratch: &Path,
        is_header: &dyn Fn(&Row) -> bool,
    ) -> Result<Self, Rejection> {
        let file = Arc::new(file);
        let bytes = file.metadata().map_err(|error| unreadable(&error))?.len();
        if let Some(why) = limits.refuse(bytes) {
            return Err(why);
        }
        let (header, tabs, body) = match content(&file)? {
            Content::Nothing => return Err(reject::empty()),
            Content::Other(what) => return Err(reject::another_kind(what)),
            Content::OldWorkbook | Content::Archive => {
                let found = workbook::unpack(&file, limits, scratch, is_header, None);
                let found = found.map_err(|why| or_incomplete(why, &file))?;
                (found.header, found.tabs, Body::Workbook(found.rows))
            }
            Content::Text => {
                let (text, header) = Delimited::recognise(&file, limits.max_rows, is_header)?;
                (header, Tabs::default(), Body::Text(text))
            }
        };
        Ok(Self {
            file,
            header,
            tabs,
            body,
        })
    }

    /// Another sheet of the same workbook, by its name: it is read whole, and of the rest nothing.
    ///
    /// # Errors
    /// A [`Rejection`] that says why that one cannot be read.
    pub fn another(
        &self,
        name: &str,
        limits: Limits,
        scratch: &Path,
        is_header: &dyn Fn(&Row) -> bool,
    ) -> Result<Self, Rejection> {
        let found = workbook::unpack(&self.file, limits, scratch, is_header, Some(name))?;
        Ok(Self {
            file: Arc::clone(&self.file),
            header: found.header,
            tabs: found.tabs,
            body: Body::Workbook(found.rows),
        })
    }

    /// How the sheet is written.
    pub fn format(&self) -> Format {
        match &self.body {
            Body::Text(text) => Format::Csv {
                delimiter: text.delimiter(),
            },
            Body::Workbook(_) => Format::Workbook,
        }
    }

    /// The header row.
    pub fn header(&self) -> &Row {
        &self.header
    }

    /// The sheet among those of its workbook.
    pub fn tabs(&self) -> &Tabs {
        &self.tabs
    }

    /// Starts reading at the first row of the sheet.
    ///
    /// # Errors
    /// A [`Rejection`] when the file cannot be read any more.
    pub fn rows(&self) -> Result<Rows, Rejection> {
        Ok(Rows(match &self.body {
            Body::Text(text) => Reading::Text(Box::new(text.rows()?)),
            Body::Workbook(unpacked) => Reading::Workbook(Box::new(unpacked.rows())),
        }))
    }
}

impl Rows {
    /// Reads the next row into `row`; false at the end. A row without any cell (an empty line) is given too, with
    /// its number, so that row numbers have no holes; rows after the last one with text are not given.
    ///
    /// # Errors
    /// A [`Rejection`] when the sheet cannot be read on, or a limit is passed.
    pub fn next(&mut self, row: &mut Row) -> Result<bool, Rejection> {
        match &mut self.0 {
            Reading::Text(rows) => rows.next(row),
            Reading::Workbook(rows) => rows.next(row),
        }
    }
}

/// How a file ends that may still be arriving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing says that there is more to come.
    Whole,
    /// A text's last row has no end and fewer cells than the one before it.
    Doubtful,
    /// A text ends inside a quoted cell. Of text separated by tabs this is never asked.
    InQuotes {
        /// The line in which that begins, counted from 1.
        line: u64,
    },
    /// A workbook's archive has no directory.
    Missing,
}

/// How a file ends. `name` is the file's name, for its ending.
///
/// # Errors
/// A [`Rejection`] when the file cannot be read.
pub fn ending(file: File, name: &str) -> Result<Ending, Rejection> {
    let file = Arc::new(file);
    match content(&file)? {
        Content::Nothing | Content::OldWorkbook | Content::Other(_) => Ok(Ending::Whole),
        Content::Archive if archive::is_complete(&file)? => Ok(Ending::Whole),
        Content::Archive => Ok(Ending::Missing),
        Content::Text => delimited::ending(&file, name),
    }
}

/// Why a workbook cannot be read, where that is only that its end is missing.
fn or_incomplete(why: Rejection, file: &Arc<File>) -> Rejection {
    let is_cut =
        || matches!(content(file), Ok(Content::Archive)) && matches!(archive::is_complete(file), Ok(false));
    if why.code == Code::BrokenSheet && is_cut() {
        reject::cut_workbook()
    } else {
        why
    }
}

#[cfg(test)]
mod tests;
