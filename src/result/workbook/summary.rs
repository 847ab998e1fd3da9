//! The Summary page: how many, how much, what is wrong and what to do next on the first screen; below it the money by
//! country and product, and what the colours mean.

mod in_shop;
mod parts;
mod steps;
mod words;

use std::ops::RangeInclusive;

use rust_xlsxwriter::{Formula, Worksheet, XlsxError};

use crate::finding::column_letters;
use crate::money::Money;
use crate::outcome::Status;
use crate::result::Title;
use crate::result::amounts::CHARGED;
use crate::result::tally::{Share, Tally};

use super::page::{At, Page, column_number};
use super::styles::Styles;
use super::{BookError, findings, results};

/// The name of the page.
const NAME: &str = "Summary";

/// The columns' widths, in characters.
const WIDTHS: [u16; 7] = [18, 17, 11, 18, 18, 18, 14];

const LAST_COLUMN: u16 = 6;

/// The height of the title's row, in points.
const TITLE_HEIGHT: u16 = 24;

/// Writes the page; `status_column` is the one of `result_status` on the Results page, counted from 0.
///
/// # Errors
/// When a sum has too many digits, or the library refuses.
pub(super) fn write(
    tally: &Tally,
    title: &Title,
    status_column: u16,
    styles: &Styles,
) -> Result<Worksheet, BookError> {
    let mut writer = Writer {
        page: Page::short(NAME)?,
        row: 0,
        by_status: None,
        styles,
    };
    writer.head(tally, title)?;
    writer.next_steps(tally, title)?;
    writer.counts(tally, title, status_column)?;
    let beside = writer.row + 1;
    writer.codes(tally)?;
    writer.chart(tally, beside)?;
    writer.countries(tally, title)?;
    writer.products(tally, title)?;
    writer.legend(tally, title)?;
    Ok(writer.finish()?)
}

/// What a column of numbers comes to.
enum Sum {
    Blank,
    Count(u64),
    Amount(Option<Money>),
}

struct Writer<'a> {
    page: Page,
    row: u32,
    /// The first row of the counts by status, counted from 0.
    by_status: Option<u32>,
    styles: &'a Styles,
}

impl Writer<'_> {
    fn head(&mut self, tally: &Tally, title: &Title) -> Result<(), BookError> {
        let heading = format!("Result of {}", title.sheet_name);
        self.page
            .unmeasured(At(self.row, 0), &heading, &self.styles.title)?;
        self.page.sheet().set_row_height(self.row, TITLE_HEIGHT)?;
        self.row += 1;
        self.sentence(&words::headline(tally, &tally.total()?))?;
        self.sentence(&words::about(title))?;
        if let Some(said) = words::replaces(title, tally) {
            self.sentence(&said)?;
        }
        Ok(())
    }

    fn next_steps(&mut self, tally: &Tally, title: &Title) -> Result<(), XlsxError> {
        self.section("What to do next")?;
        for step in steps::next_steps(tally, title) {
            self.sentence(&step)?;
        }
        Ok(())
    }

    fn counts(&mut self, tally: &Tally, title: &Title, status_column: u16) -> Result<(), BookError> {
        self.section("Rows, orders and money by status")?;
        let money = |what: &str| words::in_currency(what, title);
        self.headings(
            &[
                "Status",
                "Rows",
                "Orders",
                &money("Quoted total"),
                &money("Service total"),
                &money("Difference"),
                "First row",
            ],
            1..=5,
        )?;
        let first = self.row;
        self.by_status = Some(first);
        for (status, share) in tally.shares() {
            let target = format!(
                "{}!{}{}",
                results::NAME,
                column_letters(status_column),
                share.first_row
            );
            self.page
                .text(At(self.row, 0), status.word(), self.styles.status(status))?;
            self.share(share)?;
            let shown = format!("row {}", share.first_row);
            self.page.link(At(self.row, 6), &target, &shown, self.styles)?;
            self.row += 1;
        }
        let total = tally.total()?;
        self.total(&total, first)?;
        self.charged(&total)?;
        self.sentence(words::TIES_OUT)?;
        Ok(())
    }

    fn share(&mut self, share: &Share) -> Result<(), XlsxError> {
        let counts = [(1, share.rows), (2, share.orders)];
        for (column, count) in counts {
            self.page.count(At(self.row, column), count, &self.styles.count)?;
        }
        let amounts = [(3, share.quoted), (4, share.service), (5, share.difference)];
        for (column, amount) in amounts {
            let Some(amount) = amount else { continue };
            let format = self.styles.amount(amount);
            self.page.amount(At(self.row, column), amount, format)?;
        }
        Ok(())
    }

    /// Sums that a spreadsheet can follow, with the results that were counted here.
    fn total(&mut self, total: &Share, first: u32) -> Result<(), XlsxError> {
        self.sums(
            "All rows",
            &[
                Sum::Count(total.rows),
                Sum::Count(total.orders),
                Sum::Amount(total.quoted),
                Sum::Amount(total.service),
                Sum::Amount(total.difference),
            ],
            first,
        )
    }

    /// The totals whose difference the row above has, where they are not those of all orders.
    fn charged(&mut self, total: &Share) -> Result<(), BookError> {
        let Some(charged) = total.charged()? else {
            return Ok(());
        };
        let (row, styles) = (self.row, self.styles);
        self.page.text(At(row, 0), CHARGED, &styles.text)?;
        let amounts = [(3, charged.quoted), (4, charged.service), (5, charged.difference)];
        for (column, amount) in amounts {
            self.page.amount(At(row, column), amount, styles.amount(amount))?;
        }
        self.row += 1;
        Ok(())
    }

    /// A row of sums of the rows from `first` on, in the columns from the second on; where there is one row alone, it
    /// is its own sum.
    fn sums(&mut self, label: &str, sums: &[Sum], first: u32) -> Result<(), XlsxError> {
        let row = self.row;
        for column in 0..=LAST_COLUMN {
            let text = if column == 0 { label } else { "" };
            self.page
                .unmeasured(At(row, column), text, &self.styles.total_label)?;
        }
        for (place, sum) in sums.iter().enumerate().filter(|_| row > first) {
            let (result, format) = match sum {
                Sum::Count(count) => (count.to_string(), &self.styles.total_count),
                Sum::Amount(Some(amount)) => {
                    (amount.decimal().to_string(), self.styles.total_amount(*amount))
                }
                Sum::Amount(None) | Sum::Blank => continue,
            };
            let column = column_number(place + 1);
            let letters = column_letters(column);
            let formula =
                Formula::new(format!("=SUM({letters}{}:{letters}{row})", first + 1)).set_result(result);
            self.page
                .sheet()
                .write_formula_with_format(row, column, formula, format)?;
        }
        self.row += 1;
        Ok(())
    }

    fn codes(&mut self, tally: &Tally) -> Result<(), XlsxError> {
        if tally.codes.is_empty() {
            return Ok(());
        }
        self.section("Findings by code")?;
        self.headings(&["Code", "Level", "Count", "First row"], 2..=2)?;
        let mut codes: Vec<_> = tally.codes.iter().collect();
        codes.sort_by_key(|(code, (count, _))| (code.level(), std::cmp::Reverse(*count)));
        for (code, (count, first_row)) in codes {
            let styles = self.styles;
            self.page.text(At(self.row, 0), code.name(), &styles.text)?;
            self.page
                .text(At(self.row, 1), code.level().word(), styles.finding(code.level()))?;
            self.page.count(At(self.row, 2), *count, &styles.count)?;
            let target = format!("{}!A{first_row}", results::NAME);
            self.page
                .link(At(self.row, 3), &target, &format!("row {first_row}"), styles)?;
            self.row += 1;
        }
        let target = format!("{}!A1", findings::NAME);
        self.page
            .link(At(self.row, 0), &target, "all findings", self.styles)?;
        self.row += 1;
        Ok(())
    }

    fn legend(&mut self, tally: &Tally, title: &Title) -> Result<(), XlsxError> {
        self.section("What the statuses mean")?;
        let present: Vec<Status> = tally.shares().map(|(status, _)| status).collect();
        let absent = Status::ALL.into_iter().filter(|status| !present.contains(status));
        for status in present.iter().copied().chain(absent) {
            self.page
                .text(At(self.row, 0), status.word(), self.styles.status(status))?;
            self.merged(1, words::meaning(status, title))?;
            self.row += 1;
        }
        Ok(())
    }

    fn section(&mut self, heading: &str) -> Result<(), XlsxError> {
        self.row += 1;
        self.page
            .unmeasured(At(self.row, 0), heading, &self.styles.section)?;
        self.row += 1;
        Ok(())
    }

    /// A row of headings; the numbers' columns are those in `numbers`.
    fn headings(&mut self, headings: &[&str], numbers: RangeInclusive<usize>) -> Result<(), XlsxError> {
        for (column, heading) in headings.iter().enumerate() {
            let at = At(self.row, column_number(column));
            let format = if numbers.contains(&column) {
                &self.styles.number_heading
            } else if numbers.contains(&column.wrapping_sub(1)) {
                &self.styles.indented_heading
            } else {
                &self.styles.heading
            };
            self.page.unmeasured(at, heading, format)?;
        }
        self.row += 1;
        Ok(())
    }

    /// A sentence across the whole page.
    fn sentence(&mut self, text: &str) -> Result<(), XlsxError> {
        self.merged(0, text)?;
        self.row += 1;
        Ok(())
    }

    /// Text from a column to the page's right edge, wrapped over as many lines as it needs: a spreadsheet does not
    /// make a row higher for merged cells by itself.
    fn merged(&mut self, column: u16, text: &str) -> Result<(), XlsxError> {
        let row = self.row;
        self.page
            .sheet()
            .merge_range(row, column, row, LAST_COLUMN, text, &self.styles.wrapped)?;
        let room = WIDTHS.iter().skip(usize::from(column)).sum();
        self.page.wrap(row, &[(text, room)])
    }

    fn finish(self) -> Result<Worksheet, XlsxError> {
        let mut sheet = self.page.finish()?;
        for (column, width) in WIDTHS.into_iter().enumerate() {
            sheet.set_column_width(column_number(column), width)?;
        }
        sheet.set_print_fit_to_pages(1, 0).set_screen_gridlines(false);
        Ok(sheet)
    }
}
