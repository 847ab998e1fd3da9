//! The to-fix sheet: the header and just the rows of the orders to fix, with each finding as a note at its cell.
//! Dropped again as it is, it is an order sheet.

use std::path::Path;

use rust_xlsxwriter::{IgnoreError, Workbook, XlsxError};

use crate::finding::{Finding, Level};
use crate::result::columns::Column;
use crate::result::message::{Pointing, codes, message};
use crate::result::shape::Shape;
use crate::result::walk::{Line, Sink};
use crate::result::{ResultError, Title};
use crate::sheet::Row;

use super::page::{At, Page, Texts, column_number};
use super::styles::Styles;
use super::{BookError, begin, save, worst_level};

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
    path: &'a Path,
    rows: u32,
}

impl<'a> ToFix<'a> {
    /// Begins the to-fix sheet of a sheet with so many rows; it will be written to `path`.
    ///
    /// # Errors
    /// When there is no room for a scratch file.
    pub(in crate::result) fn new(
        shape: Shape,
        rows: u64,
        title: &Title,
        path: &'a Path,
    ) -> Result<Self, ResultError> {
        let begin = || {
            let mut workbook = begin(title, path)?;
            Ok(Self {
                page: Page::streamed(&mut workbook, Texts::suiting(rows), NAME)?,
                workbook,
                styles: Styles::new(),
                shape,
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
        save(&mut self.workbook, path)?;
        Ok(u64::from(rows))
    }

    fn set_up(&mut self) -> Result<(), XlsxError> {
        let first_added = column_number(self.shape.own_width());
        let last_column = first_added + 2;
        let sheet = self.page.sheet();
        for column in 0..first_added {
            sheet.set_column_format(column, &self.styles.text)?;
        }
        sheet
            .autofilter(0, 0, self.rows, last_column)?
            .ignore_error_range(0, 0, self.rows, last_column, IgnoreError::NumberStoredAsText)?
            .set_freeze_panes(1, 1)?
            .set_repeat_rows(0, 0)?
            .set_repeat_columns(0, 0)?;
        Ok(())
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
        let number = self.rows;
        for (column, cell) in self.shape.own_cells(row).enumerate() {
            let at = At(number, column_number(column));
            match worst_level(line, &self.shape, column) {
                Some(level) => {
                    self.page.own(at, &cell, self.styles.finding(level))?;
                    self.page.note(at, &note(line, &self.shape, column))?;
                }
                None if cell.text.is_empty() => {}
                None => self.page.own(at, &cell, &self.styles.text)?,
            }
        }
        let added = |place: usize| At(number, column_number(self.shape.own_width() + place));
        let (status, code, sentence) = (added(0), added(1), added(2));
        let view = line.view;
        self.page
            .text(status, line.status().word(), self.styles.status(line.status()))?;
        self.page.text(code, &codes(view), &self.styles.text)?;
        let said = message(view, line.row, line.span, &self.shape, Pointing::AtHeadings);
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

/// Everything that was found at a cell, a line each.
fn note(line: &Line<'_>, shape: &Shape, column: usize) -> String {
    let here = line.view.findings.iter().filter(|finding| {
        shape
            .cell(finding)
            .is_some_and(|cell| cell.row == line.row && usize::from(cell.column) == column)
    });
    here.map(sentences).collect::<Vec<_>>().join("\n")
}

fn sentences(finding: &Finding) -> String {
    let level = match finding.level() {
        Level::Error => "",
        Level::Warning => "Warning: ",
        Level::Note => "Note: ",
    };
    let text = format!("{level}{} {}", finding.message, finding.hint);
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

    fn blank(&mut self, _row: &Row) -> Result<(), ResultError> {
        Ok(())
    }

    fn line(&mut self, row: &Row, line: &Line<'_>) -> Result<(), ResultError> {
        if !line.view.status.is_to_fix() {
            return Ok(());
        }
        self.rows += 1;
        let written = self.write_line(row, line);
        written.map_err(|error| BookError::from(error).at(self.path))
    }
}
