//! The drop-downs of a to-fix sheet: the nearest SKUs at a wrong one, the locations that make a row's SKU, the
//! services, the countries.

use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::catalog::Snapshot;
use crate::check::services;
use crate::finding::{Code, column_letters};
use crate::order::{Field, countries};
use crate::result::shape::Shape;
use crate::result::walk::Line;
use crate::result::workbook::choices;
use crate::result::workbook::page::{At, column_number};
use crate::sheet::Row;

/// The hidden page with the lists that are too long for a drop-down of their own.
const LISTS: &str = "Lists";

/// How many SKUs are offered for a wrong one.
const NEAREST: usize = 8;

/// The places of the lists on their page.
const COUNTRY_CODES: u16 = 0;
const LOCATIONS: u16 = 1;

/// The drop-downs that every row has.
pub(super) fn for_columns(
    sheet: &mut Worksheet,
    shape: &Shape,
    last: u32,
    catalog: Option<&Snapshot>,
) -> Result<(), XlsxError> {
    let locations = catalog.map_or(0, |catalog| catalog.locations().len());
    let lists = [
        (Field::ShippingCountryCode, COUNTRY_CODES, countries().len()),
        (Field::MadeInLocation, LOCATIONS, locations),
    ];
    for (field, list, length) in lists {
        let Some(place) = shape.place_of(field).filter(|_| length > 0) else {
            continue;
        };
        let (letters, column) = (column_letters(list), column_number(place));
        let choice = choices::of_cells(&format!("={LISTS}!${letters}$1:${letters}${length}"));
        sheet.add_data_validation(1, column, last, column, &choice)?;
    }
    if let (Some(place), Some(choice)) = (
        shape.place_of(Field::ShippingService),
        choices::of_texts(&services())?,
    ) {
        let column = column_number(place);
        sheet.add_data_validation(1, column, last, column, &choice)?;
    }
    Ok(())
}

/// The drop-down of a cell at which something was found: the SKUs most like the one that is not in the catalog.
pub(super) fn for_cell(
    sheet: &mut Worksheet,
    At(number, column): At,
    (row, line): (&Row, &Line<'_>),
    (shape, catalog): (&Shape, &Snapshot),
) -> Result<(), XlsxError> {
    let is_wrong_sku = |finding: &crate::finding::Finding| {
        finding.code == Code::UnknownSku
            && shape
                .cell(finding)
                .is_some_and(|cell| (cell.row, cell.column) == (line.row, column))
    };
    if shape.place_of(Field::ItemSku) != Some(usize::from(column))
        || !line.found_here().into_iter().any(is_wrong_sku)
    {
        return Ok(());
    }
    let sku = shape
        .own_cells(row)
        .nth(usize::from(column))
        .map(|cell| cell.text.trim().to_owned())
        .unwrap_or_default();
    let nearest = catalog.nearest(&sku, NEAREST);
    let skus: Vec<&str> = nearest.iter().map(|entry| entry.sku.as_str()).collect();
    if let Some(choice) = choices::of_texts(&skus)? {
        sheet.add_data_validation(number, column, number, column, &choice)?;
    }
    Ok(())
}

/// The page with the lists.
pub(super) fn lists(catalog: Option<&Snapshot>) -> Result<Worksheet, XlsxError> {
    let mut sheet = Worksheet::new();
    sheet.set_name(LISTS)?.set_hidden(true);
    for (row, (code, _name)) in (0..).zip(countries()) {
        sheet.write_string(row, COUNTRY_CODES, code)?;
    }
    let locations = catalog.map(Snapshot::locations).unwrap_or_default();
    for (row, name) in (0..).zip(locations) {
        sheet.write_string(row, LOCATIONS, name)?;
    }
    Ok(sheet)
}
