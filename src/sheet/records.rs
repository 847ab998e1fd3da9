//! The records of separated text as rows, numbered as a spreadsheet numbers them.
//!
//! The reader of records skips empty lines and takes an open quotation mark at the end for a closed one; both are found
//! again here from the lines that it counts.

use std::collections::VecDeque;
use std::io::Read;

use csv::{ReaderBuilder, StringRecord, Terminator};
use memchr::{memchr, memchr_iter};

use super::delimited::Delimited;
use super::dialect::Dialect;
use super::encoding::Decoder;
use super::limit::RowLimit;
use super::lines::Lines;
use super::reject::{cell_too_long, ends_in_quotes, not_a_sheet, stray_quote, too_many_columns, unreadable};
use super::spaced::Unspaced;
use super::swallowed::Shape;
use super::write::without_guard;
use super::{CellKind, MAX_CELL_UNITS, MAX_COLUMNS, Row};
use crate::finding::Rejection;

/// A row longer than this is not read to its end: a forgotten quotation mark would make a cell of the whole file.
const MAX_ROW_BYTES: usize = 4 * 1024 * 1024;

/// What old programs write behind the last line of a text: no row.
const END_OF_FILE: &str = "\u{1a}";

/// Blank rows that differ from the one above them are kept apart up to this number, while it is not known whether text
/// follows; those after them count as the last one. A file of blank rows must not fill the memory.
const MOST_BLANKS: usize = 10_000;

/// And up to so many bytes and cells.
const MOST_HELD: usize = 1024 * 1024;

/// The text of the row that is being read, kept as it came, with what was read ahead behind it. Ends a row that is too
/// long: the reader of rows would keep all of it too.
struct Kept<R> {
    text: R,
    held: Vec<u8>,
    /// Which byte of the text is the first that is held, and at which one the row begins.
    from: u64,
    row_start: u64,
}

impl<R> Kept<R> {
    fn new(text: R) -> Self {
        Self {
            text,
            held: Vec::new(),
            from: 0,
            row_start: 0,
        }
    }

    /// The text from the row's beginning up to a byte.
    fn row(&self, end: u64) -> &[u8] {
        let at = |byte: u64| usize::try_from(byte.saturating_sub(self.from)).unwrap_or(usize::MAX);
        self.held.get(at(self.row_start)..at(end)).unwrap_or_default()
    }
}

impl<R: Read> Read for Kept<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let done = usize::try_from(self.row_start.saturating_sub(self.from)).unwrap_or(usize::MAX);
        self.held.drain(..done.min(self.held.len()));
        self.from = self.row_start;
        if self.held.len() > MAX_ROW_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        let read = self.text.read(buffer)?;
        self.held
            .extend_from_slice(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

/// Where the records come from.
enum Records<R> {
    /// Cells may be quoted.
    Quoted(csv::Reader<Kept<Unspaced<R>>>, StringRecord),
    /// None is: a record is a line.
    Plain(Lines<R>),
}

/// One reading of a text file's rows.
pub(super) struct DelimitedRows<R = Decoder> {
    records: Records<R>,
    /// The number of the last row given.
    number: u32,
    /// Rows without text that are given only if one with text follows; equal ones are counted, not kept.
    blanks: VecDeque<(u64, Row)>,
    /// How many bytes and cells these have, and those that were given since there were none.
    held: usize,
    /// Whether the record that was read is a row with text that waits for the blank ones.
    waiting: bool,
    /// The last row ended in a line feed of its own, as it does where a quotation mark is never closed.
    suspicious: bool,
    limit: RowLimit,
    whole: Option<Delimited>,
    /// What a row looks like, once it is known how many columns there are.
    shape: Option<Shape>,
    delimiter: u8,
}

impl<R: Read> DelimitedRows<R> {
    pub(super) fn new(text: R, dialect: Dialect) -> Result<Self, Rejection> {
        let records = if dialect.quoting {
            let reader = ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .delimiter(dialect.delimiter)
                .terminator(Terminator::Any(b'\n'))
                .buffer_capacity(64 * 1024)
                .from_reader(Kept::new(Unspaced::new(
                    text,
                    dialect.delimiter,
                    dialect.is_spaced,
                )));
            Records::Quoted(reader, StringRecord::new())
        } else {
            Records::Plain(Lines::new(text, dialect.delimiter, MAX_ROW_BYTES))
        };
        let mut rows = Self {
            records,
            number: 0,
            blanks: VecDeque::new(),
            held: 0,
            waiting: false,
            suspicious: false,
            limit: RowLimit::of(u32::MAX),
            whole: None,
            shape: None,
            delimiter: dialect.delimiter,
        };
        if dialect.sep_line {
            rows.read()?;
        }
        Ok(rows)
    }

    /// Says what the rows are read from, which is asked what went wrong, how many columns its header has, and how many
    /// rows may be given.
    pub(super) fn belong_to(&mut self, whole: Delimited, columns: usize, limit: RowLimit) {
        self.whole = Some(whole);
        self.shape = Some(Shape::new(self.delimiter, columns));
        self.limit = limit;
    }

    /// Reads to the end and gives nothing, to find what cannot be read.
    pub(super) fn pass_all(&mut self) -> Result<(), Rejection> {
        while self.read()?.is_some() {}
        Ok(())
    }

    /// See [`super::Rows::next`].
    pub(super) fn next(&mut self, row: &mut Row) -> Result<bool, Rejection> {
        while !self.waiting {
            let Some(empty_lines) = self.read()? else {
                return self.end();
            };
            let blank = self.is_blank();
            if empty_lines == 0 && !blank && self.blanks.is_empty() {
                return self.give(row);
            }
            self.hold(empty_lines, Row::default());
            if blank {
                let mut held = Row::default();
                self.fill(&mut held)?;
                self.hold(1, held);
            } else {
                self.waiting = true;
            }
        }
        let Some((count, blank)) = self.blanks.front_mut() else {
            self.waiting = false;
            return self.give(row);
        };
        row.clone_from(blank);
        *count = count.saturating_sub(1);
        if *count == 0 {
            self.blanks.pop_front();
            if self.blanks.is_empty() {
                self.held = 0;
            }
        }
        row.number = self.count()?;
        Ok(true)
    }

    fn hold(&mut self, count: u64, row: Row) {
        let size = row.text.len().saturating_add(row.cells.len());
        let is_full = self.blanks.len() >= MOST_BLANKS || self.held.saturating_add(size) > MOST_HELD;
        match self.blanks.back_mut() {
            _ if count == 0 => {}
            Some((held, last)) if is_full || (last.text == row.text && last.cells == row.cells) => {
                *held = held.saturating_add(count);
            }
            _ => {
                self.held = self.held.saturating_add(size);
                self.blanks.push_back((count, row));
            }
        }
    }

    fn give(&mut self, row: &mut Row) -> Result<bool, Rejection> {
        self.count()?;
        self.fill(row)?;
        Ok(true)
    }

    fn count(&mut self) -> Result<u32, Rejection> {
        let number = self.number.saturating_add(1);
        self.limit.check(number)?;
        self.number = number;
        Ok(self.number)
    }

    fn is_blank(&self) -> bool {
        match &self.records {
            Records::Quoted(_, record) => is_blank(record.as_slice()),
            Records::Plain(lines) => lines.cells().all(is_blank),
        }
    }

    fn fill(&self, row: &mut Row) -> Result<(), Rejection> {
        row.start(self.number);
        match &self.records {
            Records::Quoted(_, record) if record.len() > MAX_COLUMNS => Err(too_many_columns(self.number)),
            Records::Quoted(_, record) => {
                let whole = record.as_slice();
                if needs_no_look(whole) {
                    let ends = (0..record.len()).filter_map(|cell| Some(record.range(cell)?.end));
                    row.push_all(whole, CellKind::Text, ends);
                    return Ok(());
                }
                self.push_each(row, record.iter())
            }
            Records::Plain(lines) if needs_no_look(lines.line()) => {
                row.take_line(lines.line(), lines.delimiter());
                if row.len() > MAX_COLUMNS {
                    return Err(too_many_columns(self.number));
                }
                Ok(())
            }
            Records::Plain(lines) => self.push_each(row, lines.cells()),
        }
    }

    fn push_each<'a>(&self, row: &mut Row, cells: impl Iterator<Item = &'a str>) -> Result<(), Rejection> {
        for text in cells {
            if text.len() > MAX_CELL_UNITS && text.encode_utf16().count() > MAX_CELL_UNITS {
                return Err(cell_too_long(self.number));
            }
            if row.len() >= MAX_COLUMNS {
                return Err(too_many_columns(self.number));
            }
            let kind = if text.is_empty() {
                CellKind::Blank
            } else {
                CellKind::Text
            };
            row.push(&without_guard(text), kind);
        }
        Ok(())
    }

    /// Reads a record and gives the number of empty lines before it; none at the end.
    fn read(&mut self) -> Result<Option<u64>, Rejection> {
        match &mut self.records {
            Records::Plain(lines) => lines.read().map_err(|error| self.failed(&error.into())),
            Records::Quoted(reader, record) => {
                let before = reader.position().line();
                reader.get_mut().row_start = reader.position().byte();
                match reader.read_record(record) {
                    Ok(true) => {}
                    Ok(false) => return Ok(None),
                    Err(error) => return Err(self.failed(&error)),
                }
                // The last cell's end is the record's.
                self.suspicious = record.as_slice().ends_with('\n');
                let lines = reader.position().line().saturating_sub(before);
                if lines <= 1 {
                    return Ok(Some(0));
                }
                let within = memchr_iter(b'\n', record.as_slice().as_bytes()).count();
                if within > 0
                    && let Some(shape) = &self.shape
                    && let Some(found) = shape.swallowed(reader.get_ref().row(reader.position().byte()))
                {
                    return Err(stray_quote(before, found));
                }
                let within = u64::try_from(within).unwrap_or(u64::MAX);
                Ok(Some(lines.saturating_sub(within).saturating_sub(1)))
            }
        }
    }

    fn end(&self) -> Result<bool, Rejection> {
        match &self.whole {
            Some(whole) if self.suspicious => match whole.unclosed()? {
                Some(line) => Err(ends_in_quotes(line)),
                None => Ok(false),
            },
            _ => Ok(false),
        }
    }

    fn failed(&self, error: &csv::Error) -> Rejection {
        match error.kind() {
            csv::ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                match &self.whole {
                    Some(whole) => match whole.unclosed() {
                        Ok(Some(line)) => ends_in_quotes(line),
                        Ok(None) => cell_too_long(self.number.saturating_add(1)),
                        Err(rejection) => rejection,
                    },
                    None => cell_too_long(self.number.saturating_add(1)),
                }
            }
            csv::ErrorKind::Io(error) if error.kind() != std::io::ErrorKind::InvalidData => unreadable(error),
            other => not_a_sheet(&format!(
                "row {} is not text ({other:?})",
                self.number.saturating_add(1)
            )),
        }
    }
}

/// Nearly every row: no cell of it can be too long, and none has an apostrophe to lose.
fn needs_no_look(whole: &str) -> bool {
    whole.len() <= MAX_CELL_UNITS && memchr(b'\'', whole.as_bytes()).is_none()
}

/// Whether nothing is to be read in a text.
fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text == END_OF_FILE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str, quoting: bool) -> Vec<(u32, Vec<(String, CellKind)>)> {
        let dialect = Dialect {
            delimiter: b',',
            quoting,
            is_spaced: false,
            sep_line: false,
        };
        let mut rows = DelimitedRows::new(text.as_bytes(), dialect).unwrap();
        let (mut row, mut all) = (Row::default(), Vec::new());
        while rows.next(&mut row).unwrap() {
            let cells = (0..row.len()).map(|at| (row.text(at).to_owned(), row.kind(at)));
            all.push((row.number(), cells.collect()));
        }
        all
    }

    #[test]
    fn blank_rows_that_differ_do_not_fill_the_memory_and_are_counted_all_the_same() {
        let pairs = u32::try_from(MOST_BLANKS).unwrap();
        let text = format!("a,b\n{}1,2\n", ",\n ,\n".repeat(MOST_BLANKS));
        let dialect = Dialect {
            delimiter: b',',
            quoting: false,
            is_spaced: false,
            sep_line: false,
        };
        let mut rows = DelimitedRows::new(text.as_bytes(), dialect).unwrap();
        let mut row = Row::default();
        while rows.next(&mut row).unwrap() {
            assert!(rows.blanks.len() <= MOST_BLANKS);
        }
        assert_eq!((row.number(), row.text(1)), (2 * pairs + 2, "2"));
    }

    proptest! {
        #[test]
        fn without_a_quotation_mark_both_ways_of_reading_give_the_same(text in "(\u{FEFF})?[a', é\n]{0,40}") {
            // As every text ends that is decoded.
            let text = text + "\n";
            prop_assert_eq!(rows(&text, true), rows(&text, false));
        }
    }
}
