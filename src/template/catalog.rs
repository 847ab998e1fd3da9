//! The catalog to look SKUs up in: as a workbook, as a page of the template, and as separated text.

use std::io::{self, BufWriter};
use std::path::Path;

use jiff::tz::TimeZone;

use crate::catalog::{Entry, Snapshot};
use crate::clock::moment;
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
pub(super) fn page(book: &mut Book, catalog: &Snapshot, zone: &TimeZone) -> Result<(), ResultError> {
    let table = Table {
        title: format!("Catalog: {} SKUs", catalog.entries().len()),
        lines: vec![format!(
            "Read from the service {}. Availability and locations are known of the products that were ordered.",
            moment(catalog.read_at(), zone)
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

/// Writes the catalog as a workbook to `path`, a new file, with its age in that zone's time.
///
/// # Errors
/// The file is there already, or cannot be written.
pub fn write_workbook(catalog: &Snapshot, zone: &TimeZone, path: &Path) -> Result<(), TemplateError> {
    let about = About {
        title: "Catalog",
        subject: "dropsheet",
        written_at: catalog.read_at(),
    };
    let mut book = Book::new(&about, path)?;
    page(&mut book, catalog, zone)?;
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

#[cfg(test)]
mod tests {
    use calamine::{Data, Reader as _};
    use jiff::Timestamp;

    use super::*;

    /// All texts of a page.
    fn texts(path: &Path, page: &str) -> Vec<String> {
        let mut book = calamine::open_workbook_auto(path).unwrap();
        let page = book.worksheet_range(page).unwrap();
        let cells = page.used_cells();
        cells
            .filter_map(|(_row, _column, cell)| match cell {
                Data::String(text) => Some(text.clone()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn people_read_the_catalog_s_time_in_their_zone() {
        let folder = tempfile::tempdir().unwrap();
        let (skus, template) = (
            folder.path().join("catalog.xlsx"),
            folder.path().join("template.xlsx"),
        );
        let read_at: Timestamp = "2026-11-24T23:08:59Z".parse().unwrap();
        let catalog = Snapshot::new(read_at, Vec::new(), Vec::new());
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        write_workbook(&catalog, &zone, &skus).unwrap();
        super::super::write(Some(&catalog), &zone, &template).unwrap();
        for (path, page, said) in [
            (&skus, PAGE, "Read from the service 2026-11-25 00:08."),
            (&template, PAGE, "Read from the service 2026-11-25 00:08."),
            (&template, "How it works", "of the catalog read 2026-11-25 00:08."),
        ] {
            let texts = texts(path, page);
            assert!(texts.iter().any(|text| text.contains(said)), "{page}: {texts:?}");
        }
    }
}
