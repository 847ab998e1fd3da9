//! The held workbook: a plain table of the orders that wait, and a page that says how to approve and to decline.
//!
//! It has no filter: rows that a filter hides are still in the file, and would be approved unseen.

use std::path::Path;

use rust_xlsxwriter::{Formula, IgnoreError, Workbook, Worksheet, XlsxError};

use crate::money::Money;
use crate::result::held::{COLUMNS, HeldRow};
use crate::result::{ResultError, Title};

use super::page::{At, Page, Texts, column_number};
use super::styles::Styles;
use super::{BookError, Properties, begin, save};

/// The names of the pages.
const NAME: &str = "Held";
const HOW: &str = "What to do";

/// The most orders of a page, below its heading.
const LAST_ROW: usize = 1_048_575;

/// Of more orders the texts are kept in the cells: each has a key of its own.
const FEW: usize = 1_000;

/// How wide the reasons and the items are, in characters; they are wrapped.
const WHY: (u16, u16) = (2, 60);
const ITEMS: (u16, u16) = (6, 40);

/// How wide the page that says what to do is, in characters.
const HOW_WIDTH: u16 = 90;

/// Writes the workbook; gives how many orders it lists.
pub(in crate::result) fn write(
    rows: &mut dyn Iterator<Item = Result<HeldRow, ResultError>>,
    title: &Title,
    path: &Path,
) -> Result<u32, ResultError> {
    let failed = |error: BookError| error.at(path);
    let first: Vec<HeldRow> = rows.take(FEW + 1).collect::<Result<_, _>>()?;
    if first.is_empty() {
        return Ok(0);
    }
    let texts = if first.len() > FEW {
        Texts::Inline
    } else {
        Texts::Shared
    };
    let rows = first.into_iter().map(Ok).chain(rows);
    let styles = Styles::new();
    let properties = Properties {
        title: &format!("Held orders of {}", title.sheet_name),
        subject: &title.stem,
        written_at: title.written_at,
    };
    let mut workbook = begin(&properties, path).map_err(|error| failed(error.into()))?;
    let mut page = heading(&mut workbook, texts, title, &styles).map_err(|error| failed(error.into()))?;
    let (mut listed, mut sum) = (0_u32, Money::ZERO);
    for row in rows.take(LAST_ROW) {
        let row = row?;
        listed += 1;
        sum = sum.plus(row.total.unwrap_or(Money::ZERO))?;
        order(&mut page, listed, &row, title, &styles).map_err(|error| failed(error.into()))?;
    }
    let pages = finish(page, listed, &styles).and_then(|table| Ok([table, how(title, sum, &styles)?]));
    for page in pages.map_err(|error| failed(error.into()))? {
        workbook.push_worksheet(page);
    }
    save(&mut workbook, path)?;
    Ok(listed)
}

fn heading(workbook: &mut Workbook, texts: Texts, title: &Title, styles: &Styles) -> Result<Page, XlsxError> {
    let mut page = Page::streamed(workbook, texts, NAME)?;
    for (column, name) in COLUMNS.into_iter().enumerate() {
        let format = if name == "total" {
            &styles.number_heading
        } else {
            &styles.heading
        };
        page.text(At(0, column_number(column)), name, format)?;
    }
    if let Some(currency) = &title.currency {
        page.note(At(0, 1), currency)?;
    }
    Ok(page)
}

fn order(
    page: &mut Page,
    row: u32,
    order: &HeldRow,
    title: &Title,
    styles: &Styles,
) -> Result<(), XlsxError> {
    page.text(At(row, 0), &order.order_id, &styles.text)?;
    if let Some(total) = order.total {
        page.amount(At(row, 1), total, styles.amount(total))?;
    }
    page.wrap(row, &[(&order.why, WHY.1), (&order.items, ITEMS.1)])?;
    page.unmeasured(At(row, WHY.0), &order.why, &styles.indented_wrapped)?;
    if let Some(since) = order.held_since {
        let since = since.to_zoned(title.zone.clone()).datetime();
        page.moment(At(row, 3), since, &styles.moment)?;
    }
    page.text(At(row, 4), &order.country, &styles.text)?;
    page.count(At(row, 5), order.pieces, &styles.count)?;
    page.unmeasured(At(row, ITEMS.0), &order.items, &styles.indented_wrapped)?;
    page.count(At(row, 7), u64::from(order.sheet_row), &styles.row_number)?;
    page.text(At(row, 8), &order.key, &styles.text)
}

fn finish(mut page: Page, listed: u32, styles: &Styles) -> Result<Worksheet, XlsxError> {
    let last_column = column_number(COLUMNS.len() - 1);
    page.sheet()
        .ignore_error_range(0, 0, listed, last_column, IgnoreError::NumberStoredAsText)?
        .set_freeze_panes(1, 1)?
        .set_repeat_rows(0, 0)?
        .set_print_fit_to_pages(1, 0)
        .set_column_format(0, &styles.text)?;
    let mut sheet = page.finish()?;
    for (column, width) in [WHY, ITEMS] {
        sheet.set_column_width(column, width)?;
    }
    Ok(sheet)
}

/// The page that says what to do. Its sums are reckoned anew by a spreadsheet when rows are deleted.
fn how(title: &Title, sum: Money, styles: &Styles) -> Result<Worksheet, XlsxError> {
    let mut page = Page::short(HOW)?;
    page.unmeasured(At(0, 0), "Orders that wait for you", &styles.title)?;
    let from = format!(
        "From {}, inbox {}",
        title.sheet_name,
        title.inbox.as_deref().unwrap_or("-")
    );
    let lines = [
        from.as_str(),
        "To approve: close this file and move it into the folder approved/. The orders that are listed in it are sent, with \
         the content that they have now, for no more than the total that is listed.",
        "Not all of them? Delete the rows of the others, save, and then move it. What you delete stays held and is listed \
         in a new file.",
        "To decline: move it into the folder declined/. What is listed is not sent; dropped again, it is checked anew.",
        "To leave an order out, delete its row. Do not hide it, colour it or strike it through: hidden rows are listed too, and \
         text that is struck through keeps a row held only in .xlsx.",
        "The column approval_key tells which orders are meant. A row stays held as well where it is emptied but for its key, \
         or where a cell that you add or change says no, canceled, on hold or the like. Other changes change nothing.",
        "If a price has risen until it is sent, the order is held again, and listed with the new total.",
    ];
    for (row, line) in (2..).zip(lines) {
        page.wrap(row, &[(line, HOW_WIDTH)])?;
        page.unmeasured(At(row, 0), line, &styles.wrapped)?;
    }
    let row = 10;
    let currency = title
        .currency
        .as_ref()
        .map_or(String::new(), |label| format!(" {label}"));
    page.unmeasured(
        At(row, 0),
        &format!("Total of what is listed{currency}:"),
        &styles.label,
    )?;
    let formula = Formula::new(format!("=SUM({NAME}!B2:B1048576)")).set_result(sum.decimal().to_string());
    page.sheet().write_formula_with_format(
        row + 1,
        0,
        formula,
        &rust_xlsxwriter::Format::clone(styles.total_amount(sum))
            .set_align(rust_xlsxwriter::FormatAlign::Left),
    )?;
    page.sheet().set_print_fit_to_pages(1, 0);
    let mut sheet = page.finish()?;
    sheet.set_column_width(0, HOW_WIDTH)?;
    Ok(sheet)
}
