//! A workbook of one page with a header and rows: what needs a person, the day's trackings.

use std::path::Path;

use jiff::civil::DateTime;
use rust_xlsxwriter::{DocProperties, IgnoreError, Workbook, XlsxError};

use crate::files;
use crate::result::ResultError;

use super::page::{At, Page, Texts, column_number};
use super::styles::Styles;
use super::{BookError, save};

/// A page of rows under a header.
#[derive(Clone, Debug)]
pub struct ListPage<'a> {
    /// The page's name, which is the workbook's title too.
    pub name: &'a str,
    /// The columns.
    pub columns: &'a [ListColumn],
    /// The rows, as many cells as columns.
    pub rows: Vec<Vec<ListCell>>,
}

/// A column of a list.
#[derive(Clone, Copy, Debug)]
pub struct ListColumn {
    /// Its heading.
    pub heading: &'static str,
    /// The width in characters of a column of sentences, which are wrapped; others are as wide as what is in them.
    pub sentences: Option<u16>,
}

/// A cell of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListCell {
    /// Text that stays text: ids, words, sentences. Empty for nothing.
    Text(String),
    /// A moment on the clock on the wall.
    Moment(DateTime),
}

impl ListPage<'_> {
    /// What the list tells, as bytes that are the same for the same content.
    pub fn content(&self) -> String {
        let cell = |cell: &ListCell| match cell {
            ListCell::Text(text) => text.clone(),
            ListCell::Moment(moment) => moment.to_string(),
        };
        let rows = self.rows.iter().map(|row| {
            let cells: Vec<String> = row.iter().map(cell).collect();
            cells.join("\u{1f}")
        });
        rows.collect::<Vec<_>>().join("\u{1e}")
    }

    /// Writes the list to `path`, a new file, and syncs it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), ResultError> {
        super::guarded(path, || {
            let mut workbook = self.book(path).map_err(|error| BookError::from(error).at(path))?;
            save(&mut workbook, path)
        })
    }

    fn book(&self, path: &Path) -> Result<Workbook, XlsxError> {
        let mut workbook = Workbook::new();
        workbook.set_tempdir(files::folder_of(path))?;
        workbook.set_properties(&DocProperties::new().set_title(self.name).set_author("dropsheet"));
        let styles = Styles::new();
        let mut page = Page::streamed(&mut workbook, Texts::Shared, self.name)?;
        for (column, own) in self.columns.iter().enumerate() {
            page.heading(At(0, column_number(column)), own.heading, &styles.heading)?;
        }
        let mut last = 0;
        for row in &self.rows {
            last += 1;
            self.row(&mut page, last, row, &styles)?;
        }
        let last_column = column_number(self.columns.len().saturating_sub(1));
        page.sheet()
            .autofilter(0, 0, last, last_column)?
            .ignore_error_range(0, 0, last.max(1), last_column, IgnoreError::NumberStoredAsText)?
            .set_freeze_panes(1, 0)?
            .set_repeat_rows(0, 0)?
            .set_print_fit_to_pages(1, 0);
        let mut sheet = page.finish()?;
        for (column, own) in self.columns.iter().enumerate() {
            if let Some(width) = own.sentences {
                sheet.set_column_width(column_number(column), width)?;
            }
        }
        workbook.push_worksheet(sheet);
        Ok(workbook)
    }

    fn row(&self, page: &mut Page, number: u32, row: &[ListCell], styles: &Styles) -> Result<(), XlsxError> {
        let cells = || row.iter().zip(self.columns);
        let sentences: Vec<(&str, u16)> = cells()
            .filter_map(|(cell, column)| match cell {
                ListCell::Text(text) => Some((text.as_str(), column.sentences?)),
                ListCell::Moment(_) => None,
            })
            .collect();
        page.wrap(number, &sentences)?;
        for (at, (cell, column)) in cells().enumerate() {
            let at = At(number, column_number(at));
            match cell {
                ListCell::Text(text) if column.sentences.is_some() => {
                    page.unmeasured(at, text, &styles.wrapped)?;
                }
                ListCell::Text(text) => page.text(at, text, &styles.text)?,
                ListCell::Moment(moment) => page.moment(at, *moment, &styles.moment)?,
            }
        }
        Ok(())
    }
}
