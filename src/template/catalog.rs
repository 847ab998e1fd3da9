//! The catalog to look SKUs up in: as a workbook, as a page of the template, and as separated text.

use std::io::{self, BufWriter};
use std::path::Path;

use crate::catalog::{Entry, Snapshot};
use crate::files;
use crate::result::ResultError;
use crate::result::tables::{About, Book, Column, Table, Value};
use crate::sheet::write::Writer;

use super::TemplateError;

/// The page's name.
pub(super) const PAGE: &str = "Catalog";

/// The first row with a SKU, as a spreadsheet counts: a title, a line and a blank one stand above the header.
pub(super) const FIRST_ROW: usize = 5;

const HEADINGS: [&str; 6] = [
    "SKU",
    "Product",
    "Variant",
    "Product code",
    "Availability",
    "Made in",
];

/// Writes the page.
pub(super) fn page(book: &mut Book, catalog: &Snapshot) -> Result<(), ResultError> {
    let table = Table {
        title: format!("Catalog: {} SKUs", catalog.entries().len()),
        lines: vec![format!(
            "Read from the service {}. Availability and locations are known of the products that were ordered.",
            catalog.read_at().strftime("%Y-%m-%d %H:%M UTC")
        )],
        frozen_columns: 1,
        ..Table::new(PAGE, HEADINGS.map(Column::text).to_vec())
    };
    let rows = catalog.entries().iter();
    let rows = rows.map(|entry| cells(catalog, entry).map(Value::text).to_vec());
    book.page(&table, rows)?;
    Ok(())
}

fn cells(catalog: &Snapshot, entry: &Entry) -> [String; 6] {
    let detail = catalog.detail(&entry.sku);
    [
        entry.sku.clone(),
        entry.product_name.clone(),
        entry.title.clone(),
        entry.product_code.clone(),
        detail
            .and_then(|detail| detail.availability.clone())
            .unwrap_or_default(),
        detail
            .map(|detail| {
                let names: Vec<&str> = detail
                    .locations
                    .iter()
                    .map(|location| location.name.as_str())
                    .collect();
                names.join(", ")
            })
            .unwrap_or_default(),
    ]
}

/// Writes the catalog as a workbook to `path`, a new file.
///
/// # Errors
/// The file is there already, or cannot be written.
pub fn write_workbook(catalog: &Snapshot, path: &Path) -> Result<(), TemplateError> {
    let about = About {
        title: "Catalog",
        subject: "dropsheet",
        written_at: catalog.read_at(),
    };
    let mut book = Book::new(&about, path)?;
    page(&mut book, catalog)?;
    book.save()?;
    Ok(())
}

/// Writes the catalog as separated text to `path`, a new file.
///
/// # Errors
/// The file is there already, or cannot be written.
pub fn write_csv(catalog: &Snapshot, path: &Path) -> Result<(), TemplateError> {
    let write = || {
        let staged = files::stage(path)?;
        let mut writer = Writer::new(BufWriter::new(staged.as_file()), b',')?;
        writer.row(HEADINGS)?;
        for entry in catalog.entries() {
            writer.row(cells(catalog, entry).iter().map(String::as_str))?;
        }
        let buffer = writer.finish()?;
        buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
        files::place(staged, path)
    };
    write().map_err(|source| TemplateError::Write {
        path: path.to_owned(),
        source,
    })
}
