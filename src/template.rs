//! What a merchant fills in and looks up: a blank order sheet with drop-downs from the catalog, and the catalog as a
//! workbook or as separated text. The same catalog gives the same bytes.

mod catalog;
mod columns;

use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::catalog::Snapshot;
use crate::check::services;
use crate::clock::moment;
use crate::finding::column_letters;
use crate::order::{NEVER_ORDERED, countries};
use crate::result::ResultError;
use crate::result::tables::{About, Book, Column, Offers, Table, Value};

use self::columns::{Native, native};

pub use self::catalog::{write_csv, write_workbook};

/// The page that orders are written on: the first one, so it is the one that is read.
pub(crate) const ORDERS: &str = "Orders";

/// The page with orders that nobody has placed.
pub(crate) const EXAMPLE: &str = "Example";
const HELP: &str = "How it works";
const LISTS: &str = "Lists";

/// How many rows have drop-downs.
const ENTRY_ROWS: u32 = 2_000;

/// The width of explanations, in characters.
const WIDE: u16 = 70;

/// Why a template could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The workbook could not be written.
    #[error(transparent)]
    Workbook(#[from] ResultError),
    /// The file could not be written.
    #[error("cannot write {path}")]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The table of columns that the program carries is broken: a bug.
    #[error("the table of columns cannot be read")]
    Columns(#[source] serde_json::Error),
}

/// Writes a blank order sheet to `path`, a new file, with the catalog's age in that zone's time. Without a catalog it has
/// no drop-downs for what only that knows.
///
/// # Errors
/// The file is there already, or cannot be written.
pub fn write(catalog: Option<&Snapshot>, zone: &TimeZone, path: &Path) -> Result<(), TemplateError> {
    let about = About {
        title: "Order sheet",
        subject: "dropsheet",
        written_at: catalog.map_or(Timestamp::UNIX_EPOCH, Snapshot::read_at),
    };
    let native = native()?;
    let lists = Lists::of(catalog);
    let mut book = Book::new(&about, path)?;
    book.page(&orders(&native, &lists), [])?;
    book.page(&example_page(&native), example(&native))?;
    book.page(&help_page(catalog, zone), native.iter().map(Native::explained))?;
    if let Some(catalog) = catalog {
        catalog::page(&mut book, catalog, zone)?;
    }
    lists.write(&mut book)?;
    book.save()?;
    Ok(())
}

/// The blank page.
fn orders(native: &[Native], lists: &Lists<'_>) -> Table {
    let place = |name: &str| {
        let place = native.iter().position(|column| column.name == name);
        column_letters(place.and_then(|place| u16::try_from(place).ok()).unwrap_or(0))
    };
    let product = place("product_name");
    let column = |column: &Native| {
        let offers = match column.name.as_str() {
            "item_sku" => lists.skus(&product),
            "product_name" => Lists::cells(Lists::PRODUCTS, lists.products.len()),
            "made_in_location" => Lists::cells(Lists::LOCATIONS, lists.locations.len()),
            "shipping_country_code" => Lists::cells(Lists::CODES, lists.countries.len()),
            "shipping_country" => Lists::cells(Lists::COUNTRIES, lists.countries.len()),
            "shipping_service" => Offers::Texts(services().map(str::to_owned).to_vec()),
            "action" => Offers::Texts(vec!["create".to_owned(), "cancel".to_owned()]),
            _ => Offers::Nothing,
        };
        Column::text(&column.name).noted(&column.note()).offering(offers)
    };
    Table {
        frozen_columns: 1,
        entry_rows: ENTRY_ROWS,
        ..Table::new(ORDERS, native.iter().map(column).collect())
    }
}

/// A page of its own: it is never read as orders, for the page for orders stands before it.
fn example_page(native: &[Native]) -> Table {
    Table {
        title: "Example: one order of two lines, and one of one line".to_owned(),
        lines: vec![format!("{NEVER_ORDERED} Write your orders on the page Orders.")],
        frozen_columns: 1,
        ..Table::new(
            EXAMPLE,
            native.iter().map(|column| Column::text(&column.name)).collect(),
        )
    }
}

fn example(native: &[Native]) -> Vec<Vec<Value>> {
    let rows: [&[(&str, &str)]; 3] = [columns::FIRST_LINE, columns::SECOND_LINE, columns::OTHER_ORDER];
    let row = |cells: &[(&str, &str)]| {
        let cell = |column: &Native| {
            let found = cells.iter().find(|(name, _text)| *name == column.name);
            let text = found.map_or("", |(_name, text)| *text);
            let pieces = text.parse().ok().filter(|_| column.name == "quantity");
            pieces.map_or_else(|| Value::text(text), Value::Count)
        };
        native.iter().map(cell).collect()
    };
    rows.into_iter().map(row).collect()
}

fn help_page(catalog: Option<&Snapshot>, zone: &TimeZone) -> Table {
    let mut lines: Vec<String> = columns::HOW_IT_WORKS.map(str::to_owned).to_vec();
    lines.push(match catalog {
        Some(catalog) => format!(
            "The drop-downs and the page Catalog are of the catalog read {}.",
            moment(catalog.read_at(), zone)
        ),
        None => {
            "The catalog was not read yet: the drop-downs for SKUs and locations come with it.".to_owned()
        }
    });
    Table {
        title: "How to fill in the page Orders".to_owned(),
        lines,
        ..Table::new(
            HELP,
            vec![
                Column::text("Column"),
                Column::text("Needed"),
                Column::sentence("What it says", WIDE),
            ],
        )
    }
}

/// What drop-downs offer that is too long to stand in them.
struct Lists<'a> {
    skus: usize,
    products: Vec<&'a str>,
    locations: Vec<&'a str>,
    countries: Vec<(&'static str, &'static str)>,
}

impl<'a> Lists<'a> {
    const PRODUCTS: u16 = 0;
    const LOCATIONS: u16 = 1;
    const CODES: u16 = 2;
    const COUNTRIES: u16 = 3;

    fn of(catalog: Option<&'a Snapshot>) -> Self {
        let entries = catalog.map_or(&[][..], Snapshot::entries);
        let mut products: Vec<&str> = entries.iter().map(|entry| entry.product_name.as_str()).collect();
        products.dedup();
        Self {
            skus: entries.len(),
            products,
            locations: catalog.map(Snapshot::locations).unwrap_or_default(),
            countries: countries(),
        }
    }

    /// What stands in a column of the page of lists.
    fn cells(column: u16, length: usize) -> Offers {
        if length == 0 {
            return Offers::Nothing;
        }
        let letters = column_letters(column);
        // The first row is the page's header.
        Offers::Cells(format!("={LISTS}!${letters}$2:${letters}${}", length + 1))
    }

    /// The SKUs of the product that stands in the row's `product_name`, or all of them where it is none of the catalog's.
    fn skus(&self, product: &str) -> Offers {
        if self.skus == 0 {
            return Offers::Nothing;
        }
        let page = catalog::PAGE;
        let range = |column: &str| {
            let (first, last) = (catalog::FIRST_ROW, catalog::FIRST_ROW + self.skus - 1);
            format!("{page}!${column}${first}:${column}${last}")
        };
        let (products, skus) = (range("B"), range("A"));
        let above = format!("{page}!$A${}", catalog::FIRST_ROW - 1);
        Offers::Cells(format!(
            "=IF(COUNTIF({products},${product}2)=0,{skus},OFFSET({above},MATCH(${product}2,{products},0),0,\
             COUNTIF({products},${product}2),1))"
        ))
    }

    fn write(&self, book: &mut Book) -> Result<(), ResultError> {
        let columns = ["Products", "Locations", "Countries by code", "Countries by name"];
        let table = Table {
            is_hidden: true,
            ..Table::new(LISTS, columns.map(Column::text).to_vec())
        };
        let length = self
            .products
            .len()
            .max(self.locations.len())
            .max(self.countries.len());
        let text = |texts: &[&str], row: usize| Value::text(texts.get(row).copied().unwrap_or_default());
        let rows = (0..length).map(|row| {
            let (code, name) = self.countries.get(row).copied().unwrap_or_default();
            vec![
                text(&self.products, row),
                text(&self.locations, row),
                Value::text(code),
                Value::text(name),
            ]
        });
        book.page(&table, rows)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_the_example_are_numbers_and_everything_else_is_text() {
        let native = native().unwrap();
        let place = native
            .iter()
            .position(|column| column.name == "quantity")
            .unwrap();
        for row in example(&native) {
            for (column, value) in row.iter().enumerate() {
                assert_eq!(matches!(value, Value::Count(_)), column == place, "{value:?}");
            }
        }
    }
}
