//! The Findings page: one row a finding, with a link to its cell.

use std::collections::HashSet;

use rust_xlsxwriter::{Workbook, Worksheet, XlsxError};

use crate::finding::{Code, Finding};
use crate::outcome::Status;
use crate::result::View;
use crate::result::message::shown_row;
use crate::result::shape::Shape;

use super::page::{At, Page, Texts, column_number};
use super::results;
use super::styles::{Style, Styles};

/// The name of the page.
pub(super) const NAME: &str = "Findings";

/// The rows that a page has; the last one is kept for saying that there are more.
const LAST_ROW: u32 = 1_048_575;

const HEADINGS: [&str; 8] = [
    "Row",
    "Cell",
    "Order",
    "Status",
    "Level",
    "Code",
    "What is wrong",
    "How to fix it",
];

/// The sentences' columns and how wide they are, in characters; they are wrapped.
const WRONG: (u16, u16) = (6, 60);
const HINT: (u16, u16) = (7, 50);

/// How nearly all cells of a column look.
fn look(column: usize, styles: &Styles) -> &Style {
    match column {
        0 => &styles.row_number,
        // A link, where there are not too many.
        1 => &styles.indented,
        _ if [WRONG.0, HINT.0].map(usize::from).contains(&column) => &styles.wrapped,
        _ => &styles.text,
    }
}

/// The page while it is written.
pub(super) struct Findings {
    page: Page,
    next: u32,
    /// Findings that the page has no room for.
    left_out: u32,
}

impl Findings {
    pub(super) fn new(workbook: &mut Workbook, texts: Texts, styles: &Styles) -> Result<Self, XlsxError> {
        let mut page = Page::streamed(workbook, texts, NAME)?;
        for (column, heading) in HEADINGS.into_iter().enumerate() {
            page.look(column_number(column), look(column, styles))?;
            page.heading(At(0, column_number(column)), heading, &styles.heading)?;
        }
        Ok(Self {
            page,
            next: 1,
            left_out: 0,
        })
    }

    /// The findings of an order.
    pub(super) fn order(
        &mut self,
        view: &View,
        span: (u32, u32),
        shape: &Shape,
        styles: &Styles,
    ) -> Result<(), XlsxError> {
        let asides: HashSet<u32> = view.asides().collect();
        let status_at = |finding: &Finding, row: u32| {
            let is_aside = finding.code == Code::NotToPrint && asides.contains(&row);
            if is_aside { Status::Skipped } else { view.status }
        };
        for finding in &view.findings {
            if self.next < LAST_ROW {
                let row = shown_row(finding, span);
                let status = status_at(finding, row);
                self.finding(finding, (&view.order_id, status, row), shape, styles)?;
                self.next += 1;
            } else {
                self.left_out = self.left_out.saturating_add(1);
            }
        }
        Ok(())
    }

    fn finding(
        &mut self,
        finding: &Finding,
        (order_id, status, row): (&str, Status, u32),
        shape: &Shape,
        styles: &Styles,
    ) -> Result<(), XlsxError> {
        let number = self.next;
        let cell = shape.cell(finding).filter(|cell| cell.row == row);
        let shown = cell.map_or_else(|| format!("row {row}"), |cell| cell.to_string());
        let target = cell.map_or_else(|| format!("A{row}"), |cell| cell.to_string());
        let page = &mut self.page;
        page.count(At(number, 0), u64::from(row), &styles.row_number)?;
        page.link(
            At(number, 1),
            &format!("{}!{target}", results::NAME),
            &shown,
            styles,
        )?;
        page.text(At(number, 2), order_id, &styles.text)?;
        page.text(At(number, 3), status.word(), styles.status(status))?;
        page.text(
            At(number, 4),
            finding.level().word(),
            styles.finding(finding.level()),
        )?;
        page.text(At(number, 5), finding.code.name(), &styles.text)?;
        page.wrap(number, &[(&finding.message, WRONG.1), (&finding.hint, HINT.1)])?;
        page.unmeasured(At(number, WRONG.0), &finding.message, &styles.wrapped)?;
        page.unmeasured(At(number, HINT.0), &finding.hint, &styles.wrapped)
    }

    /// Gives the sheet, filtered and frozen.
    pub(super) fn finish(mut self, styles: &Styles) -> Result<Worksheet, XlsxError> {
        if self.left_out > 0 {
            let more = format!("{} more findings are on the page Results", self.left_out);
            self.page.text(At(self.next, 0), &more, &styles.label)?;
        }
        let last_column = column_number(HEADINGS.len() - 1);
        let last = self.next - 1;
        self.page
            .sheet()
            .autofilter(0, 0, last, last_column)?
            .ignore_error_range(
                0,
                0,
                last,
                last_column,
                rust_xlsxwriter::IgnoreError::NumberStoredAsText,
            )?
            .set_freeze_panes(1, 0)?
            .set_repeat_rows(0, 0)?
            .set_print_fit_to_pages(1, 0);
        let mut sheet = self.page.finish()?;
        for (column, width) in [WRONG, HINT] {
            sheet.set_column_width(column, width)?;
        }
        Ok(sheet)
    }
}
