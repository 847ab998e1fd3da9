//! The Orders page: one row an order, both full sets of amounts side by side, and a row of totals.

use jiff::tz::TimeZone;
use rust_xlsxwriter::{Formula, IgnoreError, Workbook, Worksheet, XlsxError};

use crate::finding::column_letters;
use crate::money::{Money, TooLarge};
use crate::result::amounts::{AMOUNTS, CHARGED, Charged, amounts, charged};
use crate::result::columns::Cell;
use crate::result::tally::{add, quoted_of_both};
use crate::result::{Title, View};

use super::page::{At, Page, Texts, column_number};
use super::styles::{Style, Styles};
use super::{BookError, results};

/// The name of the page.
pub(super) const NAME: &str = "Orders";

/// The last row that a page has, counted from 0.
const LAST_ROW: u32 = 1_048_575;

const BEFORE: [&str; 6] = ["Row", "Order", "Status", "Service's id", "Created", "Country"];

const AFTER: [&str; 4] = ["Order status", "Payment status", "Tracking", "Read at"];

const WIDTH: usize = BEFORE.len() + AMOUNTS.len() + AFTER.len();

/// Where the totals stand among [`AMOUNTS`].
const QUOTED: usize = 6;
const SERVICE: usize = 13;
const DIFFERENCE: usize = 14;

/// The height of the headings, in points: room for three lines and the filter's button.
const HEADING_HEIGHT: u16 = 62;

/// How many printed pages the columns are spread over: on one they would be too small to read.
const PAGES_WIDE: u16 = 2;

/// How nearly all cells of a column look.
fn look(column: usize, styles: &Styles) -> &Style {
    match column {
        // A link, where there are not too many.
        0 => &styles.row_number,
        4 => &styles.date,
        _ if column < BEFORE.len() => &styles.text,
        _ if column < BEFORE.len() + AMOUNTS.len() => styles.usual_amount(),
        _ if column < WIDTH - 1 => &styles.indented,
        _ => &styles.moment,
    }
}

/// The page while it is written.
pub(super) struct Orders {
    page: Page,
    next: u32,
    sums: [Option<Money>; AMOUNTS.len()],
    quoted_of_both: Option<Money>,
    zone: TimeZone,
}

impl Orders {
    pub(super) fn new(
        workbook: &mut Workbook,
        texts: Texts,
        title: &Title,
        styles: &Styles,
    ) -> Result<Self, XlsxError> {
        let mut page = Page::streamed(workbook, texts, NAME)?;
        page.sheet().set_row_height(0, HEADING_HEIGHT)?;
        let currency = title.currency.as_ref().map(|label| format!(" {label}"));
        let headings = BEFORE.iter().map(|heading| (*heading, None, &styles.heading));
        let amounts = AMOUNTS
            .iter()
            .map(|heading| (*heading, currency.as_deref(), &styles.number_heading));
        let after = AFTER.iter().map(|heading| (*heading, None, &styles.heading));
        for (column, (heading, label, style)) in headings.chain(amounts).chain(after).enumerate() {
            let text = format!("{heading}{}", label.unwrap_or(""));
            page.look(column_number(column), look(column, styles))?;
            page.wrapped_heading(At(0, column_number(column)), &text, style)?;
        }
        Ok(Self {
            page,
            next: 1,
            sums: [None; AMOUNTS.len()],
            quoted_of_both: None,
            zone: title.zone.clone(),
        })
    }

    /// One order, with the row on which its amounts stand.
    pub(super) fn order(&mut self, view: &View, first_line: u32, styles: &Styles) -> Result<(), BookError> {
        let row = self.next;
        let page = &mut self.page;
        let target = format!("{}!A{first_line}", results::NAME);
        page.numbered_link(At(row, 0), &target, first_line, styles)?;
        page.text(At(row, 1), &view.order_id, &styles.text)?;
        page.text(At(row, 2), view.status.word(), styles.status(view.status))?;
        let optional = |text: &Option<String>| Cell::text(text.as_deref().unwrap_or(""));
        page.cell(At(row, 3), &optional(&view.pw_order_id), styles)?;
        if let Some(at) = view.created_at {
            page.date(At(row, 4), at.to_zoned(self.zone.clone()).date(), &styles.date)?;
        }
        page.cell(At(row, 5), &optional(&view.country_code), styles)?;

        for (place, (amount, sum)) in amounts(view.quote.as_ref(), view.service.as_ref())?
            .into_iter()
            .zip(&mut self.sums)
            .enumerate()
        {
            add(sum, amount)?;
            let at = At(row, column_number(BEFORE.len() + place));
            page.cell(at, &Cell::amount(amount), styles)?;
        }

        add(&mut self.quoted_of_both, quoted_of_both(view))?;
        let after = [&view.order_status, &view.payment_status, &view.tracking];
        for (place, text) in after.into_iter().enumerate() {
            let at = At(row, column_number(BEFORE.len() + AMOUNTS.len() + place));
            page.indented(at, text.as_deref().unwrap_or(""), styles)?;
        }
        if let Some(read_at) = view.read_at {
            let moment = read_at.to_zoned(self.zone.clone()).datetime();
            page.moment(At(row, column_number(WIDTH - 1)), moment, &styles.moment)?;
        }
        self.next = row + 1;
        Ok(())
    }

    /// Gives the sheet with its totals, filtered and frozen.
    pub(super) fn finish(mut self, styles: &Styles) -> Result<Worksheet, BookError> {
        let last = self.next - 1;
        if last > 0 && self.next <= LAST_ROW {
            self.totals(styles)?;
        }
        if last > 0
            && self.next < LAST_ROW
            && let Some(charged) = self.charged()?
        {
            self.totals_charged(charged, styles)?;
        }
        let last_column = column_number(WIDTH - 1);
        self.page
            .sheet()
            .autofilter(0, 0, last, last_column)?
            .ignore_error_range(0, 0, last, last_column, IgnoreError::NumberStoredAsText)?
            .set_freeze_panes(1, 2)?
            .set_repeat_rows(0, 0)?
            .set_repeat_columns(0, 2)?
            .set_page_order(true)
            .set_print_fit_to_pages(PAGES_WIDE, 0);
        Ok(self.page.finish()?)
    }

    /// The sums of what the filter shows. Every sum is exact when the page is opened; a spreadsheet reckons it anew
    /// when the filter changes.
    fn totals(&mut self, styles: &Styles) -> Result<(), XlsxError> {
        let row = self.next;
        for column in 0..WIDTH {
            let at = At(row, column_number(column));
            self.page
                .text(at, if column == 0 { "Total" } else { "" }, &styles.total_label)?;
        }
        for (place, sum) in self.sums.into_iter().enumerate() {
            let Some(sum) = sum else { continue };
            let column = column_number(BEFORE.len() + place);
            let letters = column_letters(column);
            let formula = Formula::new(format!("=SUBTOTAL(109,{letters}2:{letters}{row})"))
                .set_result(sum.decimal().to_string());
            self.page.widen(At(row, column), super::fit::amount_length(sum));
            self.page
                .sheet()
                .write_formula_with_format(row, column, formula, styles.total_amount(sum))?;
        }
        Ok(())
    }

    fn charged(&self) -> Result<Option<Charged>, TooLarge> {
        let [quoted, service, difference] =
            [QUOTED, SERVICE, DIFFERENCE].map(|place| self.sums.get(place).copied().flatten());
        charged(quoted, service, (self.quoted_of_both, difference))
    }

    /// The totals whose difference the row above has, where they are not those of all orders. They are reckoned of that row,
    /// so that they too are of what the filter shows.
    fn totals_charged(&mut self, charged: Charged, styles: &Styles) -> Result<(), XlsxError> {
        let total = self.next + 1;
        let row = total;
        self.page.unmeasured(At(row, 0), CHARGED, &styles.text)?;
        let cell = |place: usize| {
            let letters = column_letters(column_number(BEFORE.len() + place));
            format!("{letters}{total}")
        };
        let (service, difference) = (cell(SERVICE), cell(DIFFERENCE));
        let sums = [
            (QUOTED, charged.quoted, format!("={service}-{difference}")),
            (SERVICE, charged.service, format!("={service}")),
            (DIFFERENCE, charged.difference, format!("={difference}")),
        ];
        for (place, sum, formula) in sums {
            let at = At(row, column_number(BEFORE.len() + place));
            if charged.is_all_stated {
                let formula = Formula::new(formula).set_result(sum.decimal().to_string());
                self.page
                    .sheet()
                    .write_formula_with_format(at.0, at.1, formula, styles.amount(sum))?;
            } else {
                self.page.amount(at, sum, styles.amount(sum))?;
            }
        }
        Ok(())
    }
}
