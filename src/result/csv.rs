//! The result as separated text: UTF-8 with a byte order mark, in the delimiter that came, lines ended as
//! spreadsheets end them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::sheet::Row;

use super::columns::{Cell, Column};
use super::message::{Pointing, message};
use super::shape::Shape;
use super::walk::{Line, Sink};
use super::{ResultError, Title};

/// A file of separated text that is being written.
#[derive(Debug)]
pub(super) struct Csv<'a> {
    writer: ::csv::Writer<BufWriter<File>>,
    shape: Shape,
    title: &'a Title,
    path: PathBuf,
}

impl<'a> Csv<'a> {
    /// Begins a new file.
    ///
    /// # Errors
    /// When the file is there already, or cannot be made.
    pub(super) fn new(
        shape: Shape,
        title: &'a Title,
        delimiter: u8,
        path: &Path,
    ) -> Result<Self, ResultError> {
        let begin = || {
            let mut file = BufWriter::new(File::create_new(path)?);
            file.write_all("\u{feff}".as_bytes())?;
            Ok(file)
        };
        let file = begin().map_err(failed(path))?;
        let writer = ::csv::WriterBuilder::new()
            .delimiter(delimiter)
            .terminator(::csv::Terminator::CRLF)
            // A row keeps cells beyond the header.
            .flexible(true)
            .from_writer(file);
        Ok(Self {
            writer,
            shape,
            title,
            path: path.to_owned(),
        })
    }

    /// Writes out what is left, and syncs.
    ///
    /// # Errors
    /// Whatever the disk says.
    pub(super) fn finish(self) -> Result<(), ResultError> {
        let path = self.path;
        let file = self
            .writer
            .into_inner()
            .map_err(|error| io::Error::from(error.error().kind()))
            .map_err(failed(&path))?;
        let file = file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .map_err(failed(&path))?;
        file.sync_all().map_err(failed(&path))
    }

    fn record(&mut self, row: &Row, added: impl Iterator<Item = String>) -> Result<(), ResultError> {
        let own = self.shape.own_cells(row).map(guarded);
        let beyond = self.shape.overhang(row).map(guarded);
        let cells: Vec<String> = own.chain(added).chain(beyond).collect();
        self.writer
            .write_record(cells)
            .map_err(io::Error::from)
            .map_err(failed(&self.path))
    }
}

impl Sink for Csv<'_> {
    fn above(&mut self, row: &Row) -> Result<(), ResultError> {
        self.record(row, Column::ALL.iter().map(|_| String::new()))
    }

    fn header(&mut self, row: &Row) -> Result<(), ResultError> {
        self.record(row, Column::ALL.iter().map(|column| column.name().to_owned()))
    }

    fn blank(&mut self, row: &Row) -> Result<(), ResultError> {
        self.above(row)
    }

    fn line(&mut self, row: &Row, line: &Line<'_>) -> Result<(), ResultError> {
        let said = message(line.view, line.row, line.span, &self.shape, Pointing::AtCells);
        let cells = Column::ALL
            .iter()
            .map(|column| column.cell(line, &said, &self.title.zone))
            .collect::<Result<Vec<Cell>, _>>()?;
        self.record(row, cells.into_iter().map(shown))
    }
}

fn shown(cell: Cell) -> String {
    match cell {
        Cell::Blank => String::new(),
        Cell::Text(text) => guarded(&text),
        Cell::Amount(amount) => amount.to_string(),
        Cell::Date(date) => date.to_string(),
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> ResultError {
    move |source| ResultError::Write {
        path: path.to_owned(),
        source,
    }
}

fn guarded(text: &str) -> String {
    text.to_owned()
}
