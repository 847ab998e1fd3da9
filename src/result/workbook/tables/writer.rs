//! One page with a table while it is written, from the top down.

use rust_xlsxwriter::{
    Chart, ChartFont, ChartLegendPosition, ChartType, Format, Formula, IgnoreError, XlsxError,
};

use crate::finding::column_letters;
use crate::money::Money;
use crate::result::workbook::BookError;
use crate::result::workbook::choices;
use crate::result::workbook::fit::amount_length;
use crate::result::workbook::page::{At, Page, Texts, column_number};
use crate::result::workbook::styles::Styles;

use super::{Book, Column, Columns, Extent, Look, Offers, Table, Value};

/// The last row of a page, counted from 0.
const LAST_ROW: u32 = 1_048_575;

/// The lines above a table reach over so many characters, and beyond a narrow table's last column only where it has
/// fewer than the least.
const LINE_WIDTH: u16 = 100;
const LEAST_LINE_WIDTH: u16 = 60;

/// The width of a column in which nothing stands, and a guess of one with texts, in characters.
const EMPTY_WIDTH: u16 = 8;
const TEXT_WIDTH: u16 = 12;

/// The most columns that are printed on one page's width: more would be too small to read. Wider tables are printed
/// smaller than they are seen, in percent, over several pages.
const MOST_COLUMNS_A_PAGE: usize = 16;
const PRINT_SCALE: u16 = 65;

/// The most cells of a page with drop-downs of their own: a spreadsheet opens slowly with more.
const MAX_CHOICES: u32 = 20_000;

/// A chart's width and height, and how far it stands from its table, in pixels.
const CHART_SIZE: (u32, u32) = (640, 320);
const CHART_OFFSET: u32 = 24;

/// A page that is being written.
pub(super) struct Writer<'a> {
    page: Page,
    table: &'a Table,
    styles: &'a Styles,
    header: u32,
    next: u32,
    /// The sum of each column, none where nothing was to be summed.
    sums: Vec<Option<Sum>>,
    choices: u32,
    /// Rows that the page has no room for.
    left_out: u64,
}

/// What a column comes to.
#[derive(Clone, Copy)]
enum Sum {
    Count(u64),
    Amount(Money),
}

impl<'a> Writer<'a> {
    /// Begins the page with its title, its lines and its header.
    pub(super) fn begin(book: &'a mut Book, table: &'a Table) -> Result<Self, BookError> {
        let mut writer = Self {
            page: Page::streamed(&mut book.workbook, Texts::Shared, &table.name)?,
            table,
            styles: &book.styles,
            header: 0,
            next: 0,
            sums: vec![None; table.columns.len()],
            choices: 0,
            left_out: 0,
        };
        if !table.title.is_empty() {
            writer.above()?;
        }
        writer.headings()?;
        Ok(writer)
    }

    fn above(&mut self) -> Result<(), XlsxError> {
        let (last, room) = self.line_reach();
        self.page
            .unmeasured(At(0, 0), &self.table.title, &self.styles.title)?;
        self.page.sheet().set_row_height(0, 24)?;
        self.next = 1;
        for line in &self.table.lines {
            let row = self.next;
            self.page
                .sheet()
                .merge_range(row, 0, row, last, line, &self.styles.wrapped)?;
            self.page.wrap(row, &[(line, room)])?;
            self.next += 1;
        }
        self.next += 1;
        Ok(())
    }

    /// The last column that the lines above the table reach over, and how many characters they have there at least.
    fn line_reach(&self) -> (u16, u16) {
        let mut room = 0_u16;
        let mut last = 0_u16;
        for place in 0..=column_number(self.table.columns.len().max(16)) {
            let width = self
                .table
                .columns
                .get(usize::from(place))
                .map_or(EMPTY_WIDTH, least_width);
            room = room.saturating_add(width);
            last = place;
            let is_enough =
                room >= LINE_WIDTH || place >= self.table.last_column() && room >= LEAST_LINE_WIDTH;
            if is_enough && place > 0 {
                break;
            }
        }
        (last, room)
    }

    fn headings(&mut self) -> Result<(), XlsxError> {
        self.header = self.next;
        for (place, column) in self.table.columns.iter().enumerate() {
            let at = At(self.header, column_number(place));
            let format = match column.look {
                Look::Number => &self.styles.number_heading,
                Look::Text | Look::Sentence(_) if self.is_after_number(place) => {
                    &self.styles.indented_heading
                }
                Look::Text | Look::Sentence(_) => &self.styles.heading,
            };
            self.page.heading(at, &column.heading, format)?;
            self.page.note(at, &column.note)?;
        }
        self.next += 1;
        Ok(())
    }

    /// Writes a row.
    pub(super) fn row(&mut self, values: &[Value]) -> Result<(), BookError> {
        // The last row is kept for the totals.
        if self.next >= LAST_ROW {
            self.left_out = self.left_out.saturating_add(1);
            return Ok(());
        }
        let sentences: Vec<(&str, u16)> = self
            .table
            .columns
            .iter()
            .zip(values)
            .filter_map(|(column, value)| match (column.look, value) {
                (Look::Sentence(width), Value::Text(text)) => Some((text.as_str(), width)),
                _ => None,
            })
            .collect();
        self.page.wrap(self.next, &sentences)?;
        for (place, (column, value)) in self.table.columns.iter().zip(values).enumerate() {
            self.cell(place, column, value)?;
        }
        self.next += 1;
        Ok(())
    }

    fn cell(&mut self, place: usize, column: &Column, value: &Value) -> Result<(), BookError> {
        let at = At(self.next, column_number(place));
        let styles = self.styles;
        match value {
            Value::Blank => {}
            Value::Text(text) if matches!(column.look, Look::Sentence(_)) => {
                let format = if self.is_after_number(place) {
                    &styles.indented_wrapped
                } else {
                    &styles.wrapped
                };
                self.page.unmeasured(at, text, format)?;
            }
            Value::Text(text) if self.is_after_number(place) => self.page.indented(at, text, styles)?,
            Value::Text(text) => self.page.text(at, text, &styles.text)?,
            Value::Count(count) => {
                self.page.count(at, *count, &styles.count)?;
                self.sum(place, Sum::Count(*count))?;
            }
            Value::Amount(amount) => {
                self.page.amount(at, *amount, styles.amount(*amount))?;
                self.sum(place, Sum::Amount(*amount))?;
            }
            Value::Date(date) => self.page.date(at, *date, &styles.date)?,
            Value::Moment(moment) => self.page.moment(at, *moment, &styles.moment)?,
            Value::Status(status) => self.page.text(at, status.word(), styles.status(*status))?,
            Value::Link { target, shown } => self.page.link(at, target, shown, styles)?,
            Value::Choice { text, among } => {
                self.page.text(at, text, &styles.text)?;
                self.choice(at, among)?;
            }
        }
        Ok(())
    }

    /// Numbers stand at the right of their cells: what follows keeps a little apart.
    fn is_after_number(&self, place: usize) -> bool {
        let before = place
            .checked_sub(1)
            .and_then(|before| self.table.columns.get(before));
        before.is_some_and(|before| before.look == Look::Number)
    }

    fn sum(&mut self, place: usize, more: Sum) -> Result<(), BookError> {
        let Some(sum) = self.sums.get_mut(place).filter(|_| self.table.has_totals) else {
            return Ok(());
        };
        *sum = Some(match (*sum, more) {
            (None, first) => first,
            (Some(Sum::Count(sum)), Sum::Count(more)) => Sum::Count(sum.saturating_add(more)),
            (Some(Sum::Amount(sum)), Sum::Amount(more)) => Sum::Amount(sum.plus(more)?),
            // A column has one kind of number.
            (Some(sum), _) => sum,
        });
        Ok(())
    }

    fn choice(&mut self, At(row, column): At, among: &[String]) -> Result<(), XlsxError> {
        let Some(validation) = choices::of_texts(among)?.filter(|_| self.choices < MAX_CHOICES) else {
            return Ok(());
        };
        self.choices += 1;
        self.page
            .sheet()
            .add_data_validation(row, column, row, column, &validation)?;
        Ok(())
    }

    /// Ends the page with its totals, filtered, frozen and ready to print.
    pub(super) fn end(mut self) -> Result<(Page, Extent), BookError> {
        let last = self.next - 1;
        let last_column = self.table.last_column();
        if self.table.has_totals && last > self.header {
            self.totals()?;
        }
        if self.left_out > 0 {
            let more = format!("{} more rows have no room on this page", self.left_out);
            self.page.text(At(LAST_ROW, 0), &more, &self.styles.total_label)?;
        }
        if self.table.entry_rows > 0 {
            self.entry()?;
        }
        if let Some(drawn) = self.table.chart.as_ref().filter(|_| last > self.header) {
            self.chart(drawn, last)?;
        }
        let (header, frozen) = (self.header, self.table.frozen_columns);
        let sheet = self.page.sheet();
        sheet
            .autofilter(header, 0, last, last_column)?
            .ignore_error_range(header, 0, last, last_column, IgnoreError::NumberStoredAsText)?
            .set_freeze_panes(header + 1, frozen)?
            .set_repeat_rows(header, header)?
            .set_hidden(self.table.is_hidden);
        if self.table.columns.len() <= MOST_COLUMNS_A_PAGE {
            sheet.set_print_fit_to_pages(1, 0);
        } else {
            sheet.set_print_scale(PRINT_SCALE).set_page_order(true);
        }
        if let Some(frozen) = frozen.checked_sub(1) {
            sheet.set_repeat_columns(0, frozen)?;
        }
        for (place, column) in self.table.columns.iter().enumerate() {
            if let Look::Sentence(width) = column.look {
                self.page.fix(column_number(place), width);
            }
        }
        Ok((self.page, Extent { header, last }))
    }

    /// Draws the rows down to `last` at the right of the table.
    fn chart(&mut self, drawn: &Columns, last: u32) -> Result<(), XlsxError> {
        let (name, first) = (self.table.name.as_str(), self.header + 1);
        let mut chart = Chart::new(ChartType::Column);
        for column in &drawn.heights {
            chart
                .add_series()
                .set_name((name, self.header, *column))
                .set_categories((name, first, drawn.names, last, drawn.names))
                .set_values((name, first, *column, last, *column));
        }
        chart
            .title()
            .set_name(&drawn.title)
            .set_font(ChartFont::new().set_size(11));
        chart.legend().set_position(ChartLegendPosition::Bottom);
        chart.x_axis().set_text_axis(true);
        chart.set_width(CHART_SIZE.0).set_height(CHART_SIZE.1);
        let beside = self.table.last_column() + 1;
        self.page
            .sheet()
            .insert_chart_with_offset(self.header, beside, &chart, CHART_OFFSET, 0)?;
        Ok(())
    }

    /// Prepares the rows that people fill in: what is typed there stays text, and drop-downs help.
    fn entry(&mut self) -> Result<(), XlsxError> {
        let (first, last) = (self.header + 1, self.header.saturating_add(self.table.entry_rows));
        let sheet = self.page.sheet();
        for (place, column) in self.table.columns.iter().enumerate() {
            let place = column_number(place);
            sheet.set_column_format(place, &self.styles.text)?;
            let offered = match &column.offers {
                Offers::Nothing => None,
                Offers::Texts(texts) => choices::of_texts(texts)?,
                Offers::Cells(formula) => Some(choices::of_cells(formula)),
            };
            if let Some(offered) = offered {
                sheet.add_data_validation(first, place, last, place, &offered)?;
            }
        }
        Ok(())
    }

    /// The sums of what the filter shows. They are exact when the page is opened; a spreadsheet reckons them anew when
    /// the filter changes.
    fn totals(&mut self) -> Result<(), BookError> {
        let (row, first) = (self.next, self.header + 2);
        for (place, sum) in self.sums.clone().into_iter().enumerate() {
            let at = At(row, column_number(place));
            let label = Some("Total").filter(|_| place == 0);
            let Some(sum) = sum else {
                self.page
                    .text(at, label.unwrap_or(""), &self.styles.total_label)?;
                continue;
            };
            let (result, format) = match sum {
                Sum::Count(count) => (count.to_string(), &self.styles.total_count),
                Sum::Amount(amount) => {
                    self.page.widen(at, amount_length(amount));
                    (amount.decimal().to_string(), self.styles.total_amount(amount))
                }
            };
            self.formula(at, first, &result, format)?;
        }
        Ok(())
    }

    fn formula(
        &mut self,
        At(row, column): At,
        first: u32,
        result: &str,
        format: &Format,
    ) -> Result<(), XlsxError> {
        let letters = column_letters(column);
        let formula =
            Formula::new(format!("=SUBTOTAL(109,{letters}{first}:{letters}{row})")).set_result(result);
        self.page
            .sheet()
            .write_formula_with_format(row, column, formula, format)?;
        Ok(())
    }
}

/// How wide a column will be at least, in characters.
fn least_width(column: &Column) -> u16 {
    match column.look {
        Look::Sentence(width) => width,
        Look::Text | Look::Number => u16::try_from(column.heading.chars().count())
            .unwrap_or(u16::MAX)
            .max(TEXT_WIDTH),
    }
}
