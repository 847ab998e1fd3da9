//! The result as separated text: UTF-8 with a byte order mark, in the delimiter that came, lines ended as
//! spreadsheets end them.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::sheet::Row;
use crate::sheet::write::Writer;

use super::columns::{Cell, Column};
use super::message::message;
use super::pointing::Pointing;
use super::shape::{Kept, Shape};
use super::walk::{Line, Sink};
use super::{ResultError, Title};

/// A file of separated text that is being written.
pub(super) struct Csv<'a> {
    writer: Writer<BufWriter<File>>,
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
        let begin = || Writer::new(BufWriter::new(File::create_new(path)?), delimiter);
        Ok(Self {
            writer: begin().map_err(failed(path))?,
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
        let end = || {
            let file = self.writer.finish()?;
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            crate::files::sync(&file)
        };
        end().map_err(failed(&self.path))
    }

    fn record(&mut self, row: &Row, added: &[String]) -> Result<(), ResultError> {
        let own: Vec<_> = self.shape.own_cells(row).collect();
        let beyond: Vec<_> = self.shape.overhang(row).collect();
        let cells = own
            .iter()
            .map(Kept::as_text)
            .chain(added.iter().map(String::as_str))
            .chain(beyond.iter().map(|cell| &*cell.text));
        self.writer.row(cells).map_err(failed(&self.path))
    }
}

impl Sink for Csv<'_> {
    fn above(&mut self, row: &Row) -> Result<(), ResultError> {
        self.record(row, &Column::ALL.map(|_| String::new()))
    }

    fn header(&mut self, row: &Row) -> Result<(), ResultError> {
        self.record(row, &Column::ALL.map(|column| column.name().to_owned()))
    }

    fn line(&mut self, row: &Row, line: &Line<'_>) -> Result<(), ResultError> {
        let said = message(line, &self.shape, Pointing::SameRows);
        let cells = Column::ALL
            .iter()
            .map(|column| column.cell(line, &said, &self.title.zone).map(shown))
            .collect::<Result<Vec<String>, _>>()?;
        self.record(row, &cells)
    }
}

fn shown(cell: Cell) -> String {
    match cell {
        Cell::Blank => String::new(),
        Cell::Text(text) => text,
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
