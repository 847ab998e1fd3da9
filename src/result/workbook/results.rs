//! The Results page: the sheet as it came, row for row, with the `result_*` columns at its right.

use rust_xlsxwriter::{IgnoreError, Workbook, Worksheet, XlsxError};

use crate::finding::Level;
use crate::order::Field;
use crate::result::Title;
use crate::result::columns::{Cell, Column};
use crate::result::message::message;
use crate::result::pointing::Pointing;
use crate::result::shape::{Kept, Shape};
use crate::result::walk::Line;
use crate::sheet::Row;

use super::page::{At, Page, Texts, column_number};
use super::styles::{Style, Styles};
use super::{BookError, worst_level};

/// The name of the page.
pub(super) const NAME: &str = "Results";

/// When the own columns are wider than this, in characters, the page opens scrolled to its `result_*` columns, with
/// the first column held in view.
const SCROLL_BEYOND: u32 = 100;

/// How wide the message is, in characters; it is wrapped.
const MESSAGE_WIDTH: u16 = 60;

/// Printed smaller than it is seen, in percent, for it is many columns wide.
const PRINT_SCALE: u16 = 65;

/// How nearly all cells of a column look.
fn look(column: Column, styles: &Styles) -> &Style {
    match column {
        Column::Message => &styles.wrapped,
        Column::CreatedAt => &styles.date,
        Column::OrderStatus => &styles.indented,
        _ if column.is_amount() => styles.usual_amount(),
        _ => &styles.text,
    }
}

/// The page while it is written.
pub(super) struct Results {
    page: Page,
    header: u32,
    last: u32,
}

impl Results {
    pub(super) fn new(workbook: &mut Workbook, texts: Texts) -> Result<Self, XlsxError> {
        Ok(Self {
            page: Page::streamed(workbook, texts, NAME)?,
            header: 0,
            last: 0,
        })
    }

    /// A row that is no order's: as it came.
    pub(super) fn copy(&mut self, row: &Row, (shape, styles): (&Shape, &Styles)) -> Result<(), XlsxError> {
        let number = self.come_to(row);
        for (column, cell) in shape.own_cells(row).enumerate() {
            self.plain(At(number, column_number(column)), &cell, styles)?;
        }
        self.overhang(number, row, shape, styles)
    }

    /// The header.
    pub(super) fn header(&mut self, row: &Row, (shape, styles): (&Shape, &Styles)) -> Result<(), XlsxError> {
        let number = self.come_to(row);
        self.header = number;
        for (column, cell) in shape.own_cells(row).enumerate() {
            let at = At(number, column_number(column));
            // What is typed into a row to fix it stays text too.
            self.page.look(at.1, &styles.text)?;
            self.page.heading(at, &cell.text, &styles.own_heading)?;
        }
        for (column, added) in Column::ALL.into_iter().enumerate() {
            let at = At(number, column_number(shape.own_width() + column));
            let heading = if added.is_amount() {
                &styles.number_heading
            } else {
                &styles.heading
            };
            self.page.look(at.1, look(added, styles))?;
            self.page.heading(at, added.name(), heading)?;
        }
        Ok(())
    }

    /// A row of an order.
    pub(super) fn line(
        &mut self,
        row: &Row,
        line: &Line<'_>,
        (shape, styles): (&Shape, &Styles),
        title: &Title,
    ) -> Result<(), BookError> {
        let (number, here) = (self.come_to(row), line.found_here());
        for (column, cell) in shape.own_cells(row).enumerate() {
            let at = At(number, column_number(column));
            match worst_level(&here, shape, column) {
                Some(level @ (Level::Error | Level::Warning)) => {
                    self.page.own(at, &cell, styles.finding(level))?;
                }
                // The id has the row's colour, so that the status is seen at the left too.
                _ if column == shape.place_of(Field::OrderId).unwrap_or(0) => {
                    self.page.own(at, &cell, styles.status(line.status()))?;
                }
                _ => self.plain(at, &cell, styles)?,
            }
        }
        let message = message(line, shape, Pointing::SameRows);
        for (column, added) in Column::ALL.into_iter().enumerate() {
            let at = At(number, column_number(shape.own_width() + column));
            let cell = added.cell(line, &message, &title.zone)?;
            match (added, &cell) {
                (Column::Status, Cell::Text(word)) => {
                    self.page.text(at, word, styles.status(line.status()))?;
                }
                (Column::Message, Cell::Text(text)) => {
                    self.page.wrap(number, &[(text, MESSAGE_WIDTH)])?;
                    self.page.unmeasured(at, text, &styles.wrapped)?;
                }
                // It stands next to amounts.
                (Column::OrderStatus, Cell::Text(words)) => self.page.indented(at, words, styles)?,
                _ => self.page.cell(at, &cell, styles)?,
            }
        }
        self.overhang(number, row, shape, styles)?;
        Ok(())
    }

    /// Gives the sheet, filtered and frozen.
    pub(super) fn finish(mut self, shape: &Shape) -> Result<Worksheet, XlsxError> {
        let first_added = column_number(shape.own_width());
        let last_column = column_number(shape.width().saturating_sub(1));
        let is_wide = self.page.width_of(first_added) > SCROLL_BEYOND;
        let held = shape.held_column();
        let (header, last) = (self.header, self.last.max(self.header));
        let sheet = self.page.sheet();
        sheet
            .autofilter(header, 0, last, last_column)?
            .ignore_error_range(0, 0, last, last_column, IgnoreError::NumberStoredAsText)?
            .set_repeat_rows(header, header)?
            .set_repeat_columns(0, held)?
            .set_page_order(true)
            .set_print_scale(PRINT_SCALE);
        if is_wide {
            sheet
                .set_freeze_panes(header + 1, held + 1)?
                .set_freeze_panes_top_cell(header + 1, first_added)?
                .set_selection(header + 1, first_added, header + 1, first_added)?;
        } else {
            sheet.set_freeze_panes(header + 1, 0)?;
        }
        let message = Column::ALL.iter().position(|column| *column == Column::Message);
        let message = column_number(shape.own_width() + message.unwrap_or(0));
        let mut sheet = self.page.finish()?;
        sheet.set_column_width(message, MESSAGE_WIDTH)?;
        Ok(sheet)
    }

    /// The row's number as the library counts, which is noted as the last so far.
    fn come_to(&mut self, row: &Row) -> u32 {
        self.last = row.number().saturating_sub(1);
        self.last
    }

    fn plain(&mut self, at: At, cell: &Kept<'_>, styles: &Styles) -> Result<(), XlsxError> {
        if cell.text.is_empty() {
            return Ok(());
        }
        self.page.own(at, cell, &styles.text)
    }

    fn overhang(&mut self, number: u32, row: &Row, shape: &Shape, styles: &Styles) -> Result<(), XlsxError> {
        for (beyond, cell) in shape.overhang(row).enumerate() {
            let at = At(number, column_number(shape.width() + beyond));
            self.plain(at, &cell, styles)?;
        }
        Ok(())
    }
}
