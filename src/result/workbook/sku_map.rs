//! The SKU-map sheet: the shop's own SKUs that nothing is known of, with the catalog's nearest to choose from. Filled
//! in and dropped, it extends the map.

use std::collections::BTreeMap;
use std::path::Path;

use rust_xlsxwriter::{
    DataValidation, DataValidationErrorStyle, Format, FormatAlign, Formula, Note, Workbook, Worksheet,
    XlsxError,
};

use crate::catalog::Snapshot;
use crate::order::sku_map::{NOT_PRINTED_HERE, OWN_SKU, columns};
use crate::result::{ResultError, Title};

use super::page::column_number;
use super::styles::Styles;
use super::{BookError, Properties, begin, guarded, save};

/// The names of the pages.
const NAME: &str = "SKU map";
const NEAREST: &str = "Nearest";
const CATALOG: &str = "Catalog";

/// SKUs of the catalog that are listed to look them up; more are found with `dropsheet catalog search`.
const MOST_LISTED: usize = 50_000;

/// What is told beside the map's own columns; it is not read again.
const TOLD: [&str; 2] = ["in the shop", "lines waiting"];

/// What is told of an own SKU that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedSku {
    /// It, as the sheet writes it first.
    pub own: String,
    /// What the shop calls the product.
    pub name: String,
    /// Lines that have it.
    pub lines: u64,
    /// What is known of it, in the order of the map's columns after its own SKU: to be completed, or corrected.
    pub known: Vec<String>,
    /// The SKUs of the catalog that are most like it, nearest first.
    pub nearest: Vec<String>,
}

/// Writes the SKU-map sheet to `path`, a new file, and syncs it.
///
/// # Errors
/// See [`ResultError`]; the file at `path` is then of no use.
pub fn write(
    asked: &BTreeMap<String, AskedSku>,
    catalog: &Snapshot,
    title: &Title,
    path: &Path,
) -> Result<(), ResultError> {
    guarded(path, || {
        let made = || {
            let properties = Properties {
                title: &format!("SKUs of {} that are not in the map", title.sheet_name),
                subject: &title.stem,
                written_at: title.written_at,
            };
            let mut workbook = begin(&properties, path)?;
            let styles = Styles::new();
            for page in [
                map_page(asked, catalog, &styles)?,
                nearest_page(asked)?,
                catalog_page(catalog, &styles)?,
            ] {
                workbook.push_worksheet(page);
            }
            Ok(workbook)
        };
        let mut workbook: Workbook = made().map_err(|error: XlsxError| BookError::from(error).at(path))?;
        save(&mut workbook, path)
    })
}

fn map_page(
    asked: &BTreeMap<String, AskedSku>,
    catalog: &Snapshot,
    styles: &Styles,
) -> Result<Worksheet, XlsxError> {
    let mut page = Worksheet::new();
    page.set_name(NAME)?.set_landscape().set_print_fit_to_pages(1, 0);
    let names: Vec<&str> = columns().chain(TOLD).collect();
    for (column, name) in names.iter().enumerate() {
        let column = column_number(column);
        page.write_string_with_format(0, column, *name, &styles.heading)?;
        if let Some(text) = explained(name) {
            page.insert_note(0, column, &Note::new(text))?;
        }
        let width = match *name {
            OWN_SKU | "item_sku" | "in the shop" => 30,
            "artwork_front" | "artwork_back" => 26,
            _ => 16,
        };
        page.set_column_width(column, width)?
            .set_column_format(column, &styles.text)?;
    }
    let (name_column, lines_column) = (column_number(names.len() - 2), column_number(names.len() - 1));
    let count = Format::new().set_align(FormatAlign::Right);
    for (row, asked) in (1..).zip(asked.values()) {
        page.write_string_with_format(row, 0, &asked.own, &styles.text)?;
        for (column, known) in (1..).zip(&asked.known).filter(|(_, known)| !known.is_empty()) {
            page.write_string_with_format(row, column, known, &styles.text)?;
        }
        page.add_data_validation(row, 1, row, 1, &choices(row, asked, catalog))?;
        page.write_string_with_format(row, name_column, &asked.name, &styles.text)?;
        let lines = u32::try_from(asked.lines).unwrap_or(u32::MAX);
        page.write_number_with_format(row, lines_column, lines, &count)?;
    }
    page.set_freeze_panes(1, 1)?.set_repeat_rows(0, 0)?;
    Ok(page)
}

/// What a note says of a column.
fn explained(name: &str) -> Option<&'static str> {
    Some(match name {
        OWN_SKU => "The shop's own SKU, or what stands for it where a line has none. Leave it as it is.",
        "item_sku" => {
            "The SKU of the print service's catalog: choose one of the list, or look it up on the page Catalog. Write \
             not-printed-here where the service does not print it. Rows left blank are asked for again."
        }
        "artwork_front" => "The web address of the artwork; for the other sides the columns at the right.",
        "in the shop" => "What the shop calls it, to recognise it; not read again.",
        _ => return None,
    })
}

/// The drop-down of a row: its nearest SKUs, or the whole catalog where none is like it. Anything else may be written.
fn choices(row: u32, asked: &AskedSku, catalog: &Snapshot) -> DataValidation {
    let list = if asked.nearest.is_empty() {
        let last = catalog.entries().len().min(MOST_LISTED) + 1;
        format!("={CATALOG}!$A$2:$A${last}")
    } else {
        // `not-printed-here` stands first.
        let last = crate::finding::column_letters(column_number(asked.nearest.len()));
        let row = row + 1;
        format!("={NEAREST}!$A${row}:${last}${row}")
    };
    DataValidation::new()
        .allow_list_formula(Formula::new(list))
        .set_error_style(DataValidationErrorStyle::Information)
}

/// The lists behind the drop-downs, a row each.
fn nearest_page(asked: &BTreeMap<String, AskedSku>) -> Result<Worksheet, XlsxError> {
    let mut page = Worksheet::new();
    page.set_name(NEAREST)?.set_hidden(true);
    for (row, asked) in (1..).zip(asked.values()) {
        let choices = std::iter::once(NOT_PRINTED_HERE).chain(asked.nearest.iter().map(String::as_str));
        for (column, sku) in choices.enumerate() {
            page.write_string(row, column_number(column), sku)?;
        }
    }
    Ok(page)
}

fn catalog_page(catalog: &Snapshot, styles: &Styles) -> Result<Worksheet, XlsxError> {
    let mut page = Worksheet::new();
    page.set_name(CATALOG)?
        .set_landscape()
        .set_print_fit_to_pages(1, 0);
    for (column, (name, width)) in [("catalog SKU", 30), ("product", 34), ("variant", 28)]
        .into_iter()
        .enumerate()
    {
        page.write_string_with_format(0, column_number(column), name, &styles.heading)?
            .set_column_width(column_number(column), width)?;
    }
    let mut last = 0;
    for (row, entry) in (1..).zip(catalog.entries().iter().take(MOST_LISTED)) {
        for (column, text) in [&entry.sku, &entry.product_name, &entry.title]
            .into_iter()
            .enumerate()
        {
            page.write_string(row, column_number(column), text)?;
        }
        last = row;
    }
    page.autofilter(0, 0, last, 2)?.set_freeze_panes(1, 0)?;
    Ok(page)
}
