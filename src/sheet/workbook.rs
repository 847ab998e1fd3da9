//! Workbooks (.xlsx, .xlsm): the first visible sheet that has the header, streamed once into [`Unpacked`] rows.
//!
//! The reader of workbooks streams cells and keeps none; it is never asked for a whole range, which it would make room
//! for by what the file says of itself. A panic in it is a rejection.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use calamine::{DataRef, Reader, SheetType, SheetVisible, Xlsx, XlsxError};

use super::reject::{broken, cell_too_long, empty, no_header, other_workbook, too_many_columns, unreadable};
use super::source::Source;
use super::unpacked::{Packer, Unpacked};
use super::{CellKind, HEADER_ROWS, Limits, MAX_CELL_UNITS, MAX_COLUMNS, Row, archive, cell};
use crate::finding::Rejection;

/// Cells with an error or without a value whose places are kept; a sheet with more is broken in another way.
const MAX_MARKED: usize = 100_000;

type Workbook = Xlsx<BufReader<Source>>;
/// A cell's row and column, both counted from 0.
type Place = (u32, u32);

/// Finds the sheet with the header and unpacks its rows.
pub(super) fn unpack(
    file: &Arc<File>,
    limits: Limits,
    scratch: &Path,
    is_header: &dyn Fn(&Row) -> bool,
) -> Result<(Unpacked, Row), Rejection> {
    let bytes = file.metadata().map_err(|error| unreadable(&error))?.len();
    archive::check(file, bytes)?;
    catch_unwind(AssertUnwindSafe(|| {
        let mut book: Workbook = Reader::new(BufReader::new(Source::new(file))).map_err(refused)?;
        let (name, header) = find_header(&mut book, is_header)?;
        let rows = unpack_sheet(&mut book, &name, header.len(), limits, scratch)?;
        Ok((rows, header))
    }))
    .unwrap_or_else(|_panic| Err(broken("what it says of itself does not fit together")))
}

fn refused(error: XlsxError) -> Rejection {
    match error {
        // Damaged bytes in the archive come as errors of these kinds too.
        XlsxError::Io(error)
            if !matches!(
                error.kind(),
                ErrorKind::InvalidData
                    | ErrorKind::InvalidInput
                    | ErrorKind::UnexpectedEof
                    | ErrorKind::Other
            ) =>
        {
            unreadable(&error)
        }
        XlsxError::Password => other_workbook("a workbook with a password"),
        other => broken(other),
    }
}

/// The name of the first visible sheet that has the header among its first rows, and the header.
fn find_header(book: &mut Workbook, is_header: &dyn Fn(&Row) -> bool) -> Result<(String, Row), Rejection> {
    let visible: Vec<String> = book
        .sheets_metadata()
        .iter()
        .filter(|sheet| sheet.typ == SheetType::WorkSheet && sheet.visible == SheetVisible::Visible)
        .map(|sheet| sheet.name.clone())
        .collect();
    let mut first: Option<Row> = None;
    for name in visible {
        let mut header = None;
        let mut look = |row: &Row| {
            if row.number() > HEADER_ROWS {
                return Ok(false);
            }
            if first.is_none() && !row.is_blank() {
                first = Some(row.clone());
            }
            if is_header(row) {
                header = Some(row.clone());
            }
            Ok(header.is_none())
        };
        let mut reading = Reading::new(0, BTreeSet::new());
        reading.looking = true;
        reading.run(book, &name, &mut look)?;
        if let Some(header) = header {
            return Ok((name, header));
        }
    }
    Err(first.map_or_else(empty, |row| no_header(row.iter())))
}

fn unpack_sheet(
    book: &mut Workbook,
    name: &str,
    width: usize,
    limits: Limits,
    scratch: &Path,
) -> Result<Unpacked, Rejection> {
    let width = u32::try_from(width).unwrap_or(u32::MAX);
    let once = |book: &mut Workbook, no_value| {
        let mut packer = Packer::new(scratch, limits.max_rows)?;
        let mut reading = Reading::new(width, no_value);
        reading.run(book, name, &mut |row| packer.push(row).map(|()| true))?;
        Ok::<_, Rejection>((packer.finish()?, reading.saw_empty))
    };
    let (rows, saw_empty) = once(book, BTreeSet::new())?;
    if !saw_empty {
        return Ok(rows);
    }
    // The reader gives styles or formulas, never both: whether an empty cell is a formula takes another reading.
    let no_value = formulas_without_value(book, name)?;
    if no_value.is_empty() {
        return Ok(rows);
    }
    Ok(once(book, no_value)?.0)
}

/// The places of formulas whose result was never stored.
fn formulas_without_value(book: &mut Workbook, name: &str) -> Result<BTreeSet<Place>, Rejection> {
    let mut cells = book.worksheet_cells_reader(name).map_err(refused)?;
    let mut found = BTreeSet::new();
    loop {
        match cells.next_cell_with_formula_metadata() {
            Ok(None) => return Ok(found),
            Ok(Some(cell)) if cell.value == DataRef::Empty && cell.formula.is_some() => {
                found.insert(cell.pos);
                if found.len() > MAX_MARKED {
                    return Err(broken("most of its formulas have no stored result"));
                }
            }
            Ok(Some(_)) | Err(XlsxError::CellError(_)) => {}
            Err(error) => return Err(refused(error)),
        }
    }
}

/// One reading of a sheet's cells into rows.
struct Reading {
    /// How many columns the header has.
    width: u32,
    no_value: BTreeSet<Place>,
    /// Only the first rows are looked at: what lies beyond the limits is left to the reading that counts.
    looking: bool,
    saw_empty: bool,
    last: Option<Place>,
    /// Errors that the reader does not know, seen since `last`: it does not say where they stand.
    unplaced: Vec<String>,
    marked: usize,
    row: Row,
    text: String,
}

/// Takes a finished row; says whether the next one is wanted.
type Sink<'a> = dyn FnMut(&Row) -> Result<bool, Rejection> + 'a;

impl Reading {
    fn new(width: u32, no_value: BTreeSet<Place>) -> Self {
        Self {
            width,
            no_value,
            looking: false,
            saw_empty: false,
            last: None,
            unplaced: Vec::new(),
            marked: 0,
            row: Row::default(),
            text: String::new(),
        }
    }

    fn run(&mut self, book: &mut Workbook, name: &str, sink: &mut Sink<'_>) -> Result<(), Rejection> {
        let mut cells = match book.worksheet_cells_reader(name) {
            Err(XlsxError::NotAWorksheet(_)) if self.looking => return Ok(()),
            other => other.map_err(refused)?,
        };
        loop {
            let (cell, style) = match cells.next_cell_with_style_id() {
                Ok(Some(found)) => found,
                Ok(None) => return self.finish(sink),
                Err(XlsxError::CellError(error)) => {
                    self.hold_error(error)?;
                    continue;
                }
                Err(error) => return Err(refused(error)),
            };
            let place = cell.get_position();
            if !self.place_errors(place, sink)? {
                return Ok(());
            }
            let format = cells
                .styles()
                .get(style)
                .and_then(|style| style.number_format.as_ref());
            let format = format.map(|format| format.format_code.as_str());
            let value = cell.get_value();
            let mut kind = cell::write(value, format, &mut self.text);
            if *value == DataRef::Empty {
                kind = self.kind_of_empty(place);
            }
            if !self.put(place, kind, sink)? {
                return Ok(());
            }
        }
    }

    fn hold_error(&mut self, error: String) -> Result<(), Rejection> {
        if self.unplaced.len() >= MAX_MARKED {
            return Err(broken("it has more error cells than can be told"));
        }
        self.unplaced.push(error);
        Ok(())
    }

    fn kind_of_empty(&mut self, place: Place) -> CellKind {
        self.saw_empty = true;
        if self.no_value.contains(&place) {
            CellKind::NoValue
        } else {
            CellKind::Blank
        }
    }

    /// Puts the cell whose text is in `self.text`; says whether the next one is wanted.
    fn put(&mut self, place: Place, kind: CellKind, sink: &mut Sink<'_>) -> Result<bool, Rejection> {
        if self.last.is_some_and(|last| last >= place) {
            return Err(broken(format_args!(
                "the cells of row {} are out of order",
                place.0.saturating_add(1)
            )));
        }
        if !self.turn_to(place.0, sink)? {
            return Ok(false);
        }
        self.last = Some(place);
        if kind == CellKind::Blank {
            return Ok(true);
        }
        let column = usize::try_from(place.1).unwrap_or(usize::MAX);
        if column >= MAX_COLUMNS {
            if self.looking {
                return Ok(true);
            }
            return Err(too_many_columns(self.row.number()));
        }
        if self.text.len() > MAX_CELL_UNITS && self.text.encode_utf16().count() > MAX_CELL_UNITS {
            return Err(cell_too_long(self.row.number()));
        }
        while self.row.len() < column {
            self.row.push("", CellKind::Blank);
        }
        self.row.push(&self.text, kind);
        Ok(true)
    }

    /// Gives the row before `index` away, if that is another.
    fn turn_to(&mut self, index: u32, sink: &mut Sink<'_>) -> Result<bool, Rejection> {
        let number = index.saturating_add(1);
        if self.row.number() == number {
            return Ok(true);
        }
        let wanted = self.row.is_empty() || sink(&self.row)?;
        self.row.start(number);
        Ok(wanted)
    }

    /// Marks every place where an unplaced error can stand, from the last cell to `next`. In the rows of a whole table
    /// that is one place; where it is several, none of them may pass for blank.
    fn place_errors(&mut self, next: Place, sink: &mut Sink<'_>) -> Result<bool, Rejection> {
        if self.unplaced.is_empty() {
            return Ok(true);
        }
        let errors = std::mem::take(&mut self.unplaced);
        if self.looking {
            return Ok(true);
        }
        let (mut row, mut column) = self
            .last
            .map_or((0, 0), |(row, column)| (row, column.saturating_add(1)));
        let mut places = Vec::new();
        while (row, column) < next {
            if row < next.0 && column >= self.width {
                (row, column) = (row.saturating_add(1), 0);
                continue;
            }
            places.push((row, column));
            column = column.saturating_add(1);
            self.marked = self.marked.saturating_add(1);
            if self.marked > MAX_MARKED {
                return Err(broken("it has error cells whose places cannot be told"));
            }
        }
        if places.len() < errors.len() {
            return Err(broken(format_args!(
                "the place of an error cell near row {} cannot be told",
                next.0.saturating_add(1)
            )));
        }
        let exact = places.len() == errors.len();
        for (n, place) in places.into_iter().enumerate() {
            // Which of several errors stands where is only known where they fill the gap.
            let shown = errors
                .get(if exact { n } else { 0 })
                .map_or("#ERROR!", String::as_str);
            self.text.clear();
            self.text.push_str(shown);
            if !self.put(place, CellKind::Error, sink)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn finish(&mut self, sink: &mut Sink<'_>) -> Result<(), Rejection> {
        let end = self.last.map_or((0, 0), |last| last);
        // Errors after the last cell: to the end of its row, or, where that row is full, of the next one.
        let needed = u32::try_from(self.unplaced.len()).unwrap_or(u32::MAX);
        let left = self.width.saturating_sub(end.1.saturating_add(1));
        let rows = needed.saturating_sub(left).div_ceil(self.width.max(1));
        let next = (end.0.saturating_add(rows).saturating_add(1), 0);
        if self.place_errors(next, sink)? && !self.row.is_empty() {
            sink(&self.row)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
