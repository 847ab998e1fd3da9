//! The to-fix sheet: the header and just the rows of the orders to fix, with each finding as a note at its cell, and
//! drop-downs where it is known what may stand there. Dropped again as it is, it is an order sheet.

mod answers;

use std::path::Path;

use rust_xlsxwriter::{IgnoreError, Workbook, XlsxError};

use crate::catalog::Snapshot;
use crate::finding::{Finding, Level};
use crate::result::columns::Column;
use crate::result::message::{codes, message};
use crate::result::pointing::Pointing;
use crate::result::shape::Shape;
use crate::result::walk::{Line, Sink};
use crate::result::{ResultError, Source, Title};
use crate::sheet::Row;

use super::page::{At, Page, Texts, column_number};
use super::styles::Styles;
use super::{BookError, begin_result, save, worst_level};

/// The name of the page.
const NAME: &str = "To fix";

/// The columns that are added, which are left out again when the sheet is dropped.
const ADDED: [Column; 3] = [Column::Status, Column::Codes, Column::Message];

/// How wide the message is, in characters; it is wrapped.
const MESSAGE_WIDTH: u16 = 60;

/// A to-fix sheet that is being written.
pub(in crate::result) struct ToFix<'a> {
    workbook: Workbook,
    page: Page,
    styles: Styles,
    shape: Shape,
    catalog: Option<&'a Snapshot>,
    /// The rows of the sheet that are written, ascending.
    wanted: &'a [u32],
    path: &'a Path,
    rows: u32,
}

impl<'a> ToFix<'a> {
    /// Begins the to-fix sheet with these rows of a sheet; it will be written to `path`.
    ///
    /// # Errors
    /// When there is no room for a scratch file.
    pub(in crate::result) fn new(
        source: &Source<'a>,
        wanted: &'a [u32],
        title: &Title,
        path: &'a Path,
    ) -> Result<Self, ResultError> {
        let begin = || {
            let mut workbook = begin_result(title, path)?;
            let rows = u64::try_from(wanted.len()).unwrap_or(u64::MAX);
            Ok(Self {
                page: Page::streamed(&mut workbook, Texts::suiting(rows), NAME)?,
                workbook,
                styles: Styles::new(),
                shape: Shape::of(source.layout, source.sheet.header()),
                catalog: source.catalog,
                wanted,
                path,
                rows: 0,
            })
        };
        begin().map_err(|error: XlsxError| BookError::from(error).at(path))
    }

    /// Saves the sheet, where it has a row; gives the number of rows.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(in crate::result) fn finish(mut self) -> Result<u64, ResultError> {
        if self.rows == 0 {
            return Ok(0);
        }
        let (path, rows) = (self.path, self.rows);
        self.set_up().map_err(|error| BookError::from(error).at(path))?;
        let message = column_number(self.shape.own_width() + ADDED.len() - 1);
        let finish = || {
            let mut sheet = self.page.finish()?;
            sheet.set_column_width(message, MESSAGE_WIDTH)?;
            Ok(sheet)
        };
        let sheet = finish().map_err(|error: XlsxError| BookError::from(error).at(path))?;
        self.workbook.push_worksheet(sheet);
        let lists = answers::lists(self.catalog).map_err(|error| BookError::from(error).at(path))?;
        self.workbook.push_worksheet(lists);
        save(&mut self.workbook, path)?;
        Ok(u64::from(rows))
    }

    fn set_up(&mut self) -> Result<(), XlsxError> {
        let first_added = column_number(self.shape.own_width());
        let last_column = first_added + 2;
        let held = self.shape.held_column();
        let sheet = self.page.sheet();
        for column in 0..first_added {
            sheet.set_column_format(column, &self.styles.text)?;
        }
        sheet
            .autofilter(0, 0, self.rows, last_column)?
            .ignore_error_range(0, 0, self.rows, last_column, IgnoreError::NumberStoredAsText)?
            .set_freeze_panes(1, held + 1)?
            .set_repeat_rows(0, 0)?
            .set_repeat_columns(0, held)?
            .set_page_order(true);
        answers::for_columns(sheet, &self.shape, self.rows, self.catalog)
    }

    fn write_header(&mut self, row: &Row) -> Result<(), XlsxError> {
        for (column, cell) in self.shape.own_cells(row).enumerate() {
            let at = At(0, column_number(column));
            self.page.heading(at, &cell.text, &self.styles.own_heading)?;
        }
        for (place, column) in ADDED.into_iter().enumerate() {
            let at = At(0, column_number(self.shape.own_width() + place));
            self.page.heading(at, column.name(), &self.styles.heading)?;
        }
        Ok(())
    }

    fn write_line(&mut self, row: &Row, line: &Line<'_>) -> Result<(), XlsxError> {
        let (number, here) = (self.rows, line.found_here());
        for (column, cell) in self.shape.own_cells(row).enumerate() {
            let at = At(number, column_number(column));
            match worst_level(&here, &self.shape, column) {
                Some(level) => {
                    self.page.own(at, &cell, self.styles.finding(level))?;
                    help_at(
                        &mut self.page,
                        at,
                        (row, line),
                        (&self.shape, self.catalog),
                        self.wanted,
                    )?;
                }
                None if cell.text.is_empty() => {}
                None => self.page.own(at, &cell, &self.styles.text)?,
            }
        }
        let added = |place: usize| At(number, column_number(self.shape.own_width() + place));
        let (status, code, sentence) = (added(0), added(1), added(2));
        self.page
            .text(status, line.status().word(), self.styles.status(line.status()))?;
        self.page.text(code, &codes(line), &self.styles.text)?;
        let said = message(line, &self.shape, Pointing::OnlyRows(self.wanted));
        self.page.wrap(number, &[(&said, MESSAGE_WIDTH)])?;
        self.page.unmeasured(sentence, &said, &self.styles.wrapped)?;
        for (beyond, cell) in self.shape.overhang(row).enumerate() {
            let at = At(
                number,
                column_number(self.shape.own_width() + ADDED.len() + beyond),
            );
            self.page.own(at, &cell, &self.styles.text)?;
        }
        Ok(())
    }
}

/// The note, and the drop-down, of a cell at which something was found.
fn help_at(
    page: &mut Page,
    at: At,
    (row, line): (&Row, &Line<'_>),
    (shape, catalog): (&Shape, Option<&Snapshot>),
    wanted: &[u32],
) -> Result<(), XlsxError> {
    let noted = note(line, shape, usize::from(at.1), Pointing::OnlyRows(wanted));
    page.note(at, &noted)?;
    match catalog {
        Some(catalog) => answers::for_cell(page.sheet(), at, (row, line), (shape, catalog)),
        None => Ok(()),
    }
}

/// Everything that was found at a cell, a line each.
fn note(line: &Line<'_>, shape: &Shape, column: usize, pointing: Pointing<'_>) -> String {
    let here = line.found_here().into_iter().filter(|finding| {
        shape
            .cell(finding)
            .is_some_and(|cell| usize::from(cell.column) == column)
    });
    here.map(|finding| sentences(finding, pointing))
        .collect::<Vec<_>>()
        .join("\n")
}

fn sentences(finding: &Finding, pointing: Pointing<'_>) -> String {
    let level = match finding.level() {
        Level::Error => "",
        Level::Warning => "Warning: ",
        Level::Note => "Note: ",
    };
    let text = format!("{level}{} {}", pointing.message(finding), finding.hint);
    text.trim_end().to_owned()
}

impl Sink for ToFix<'_> {
    fn above(&mut self, _row: &Row) -> Result<(), ResultError> {
        Ok(())
    }

    fn header(&mut self, row: &Row) -> Result<(), ResultError> {
        let written = self.write_header(row);
        written.map_err(|error| BookError::from(error).at(self.path))
    }

    fn line(&mut self, row: &Row, line: &Line<'_>) -> Result<(), ResultError> {
        if self.wanted.binary_search(&line.row).is_err() {
            return Ok(());
        }
        self.rows += 1;
        let written = self.write_line(row, line);
        written.map_err(|error| BookError::from(error).at(self.path))
    }
}
