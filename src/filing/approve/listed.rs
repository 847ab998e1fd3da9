//! What a held sheet lists when it comes back: its keys, and the cells beside them that a person may have changed. A row
//! that somebody has struck through is not meant, and of two sheets of keys nobody can tell which is.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

use crate::finding::{Code, Rejection};
use crate::ledger::record::HoldKey;
use crate::order::quoted;
use crate::result::held::{COLUMNS, ITEMS, KEY, ORDER_ID, PIECES, TOTAL};
use crate::sheet::{Limits, Row, Sheet, Tab};

/// A held sheet that has come back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReturnedSheet {
    /// Its rows, each key once.
    pub(super) rows: Vec<ListedRow>,
    /// Those with text that is struck through: only `.xlsx` tells.
    pub(super) struck: Vec<ListedRow>,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedRow {
    /// The row as the spreadsheet shows it.
    pub(super) number: u32,
    /// What names the order; none where the cell holds something else.
    pub(super) key: Option<HoldKey>,
    /// What stands in `order_id`.
    pub(super) order_id: String,
    /// What stands in `total`.
    pub(super) total: String,
    /// What stands in `pieces`.
    pub(super) pieces: String,
    /// What stands in `items`.
    pub(super) items: String,
}

/// Reads a held sheet, in whatever format it was saved.
pub(super) fn read(
    file: File,
    name: &str,
    limits: Limits,
    scratch: &Path,
) -> Result<ReturnedSheet, Rejection> {
    let is_header = |row: &Row| column(row, KEY).is_some();
    let sheet = Sheet::open(file, name, limits, scratch, &is_header).map_err(|why| other(name, why))?;
    let header = sheet.header();
    let Some(key_column) = column(header, KEY) else {
        return Err(no_held_sheet(name));
    };
    if let Some(other) = sheet.tabs().others.iter().find(|tab| lists_orders(tab)) {
        return Err(on_two_sheets(&sheet.tabs().read, &other.name));
    }
    let text = |row: &Row, name: &str| {
        column(header, name).map_or_else(String::new, |column| row.text(column).trim().to_owned())
    };
    let own: Vec<usize> = COLUMNS.iter().filter_map(|name| column(header, name)).collect();
    let mut listed = ReturnedSheet::default();
    let mut seen = HashSet::new();
    let (mut rows, mut row) = (sheet.rows()?, Row::default());
    while rows.next(&mut row)? {
        let written = row.text(key_column).trim();
        // What a person notes below the table is no order.
        if row.number() <= header.number() || written.is_empty() || !seen.insert(written.to_owned()) {
            continue;
        }
        let is_struck = row.struck().iter().any(|column| own.contains(column));
        let rows = if is_struck {
            &mut listed.struck
        } else {
            &mut listed.rows
        };
        rows.push(ListedRow {
            number: row.number(),
            key: written.parse().ok(),
            order_id: text(&row, ORDER_ID),
            total: text(&row, TOTAL),
            pieces: text(&row, PIECES),
            items: text(&row, ITEMS),
        });
    }
    Ok(listed)
}

/// Whether a sheet beside the one that is read has a key.
fn lists_orders(tab: &Tab) -> bool {
    let mut cells = tab.rows.iter().flat_map(Row::iter);
    cells.any(|cell| cell.parse::<HoldKey>().is_ok())
}

fn on_two_sheets(read: &str, other: &str) -> Rejection {
    let (read, other) = (quoted(read), quoted(other));
    Rejection {
        code: Code::HeldOnTwoSheets,
        message: format!(
            "The sheets {read} and {other} of this workbook both list held orders: which of them counts? Nothing was \
             approved or declined."
        ),
        hint: "Delete or hide the one that does not count, save, and move the file there again. held/ has the list as it \
               was."
            .to_owned(),
    }
}

fn column(row: &Row, name: &str) -> Option<usize> {
    row.iter().position(|cell| cell.trim().eq_ignore_ascii_case(name))
}

/// A file that is a sheet but has no keys is told what belongs here.
fn other(name: &str, why: Rejection) -> Rejection {
    match why.code {
        Code::NoHeader | Code::EmptySheet | Code::NotASheet => no_held_sheet(name),
        _ => why,
    }
}

fn no_held_sheet(name: &str) -> Rejection {
    Rejection {
        code: Code::NotHeldSheet,
        message: format!(
            "`{name}` is no held sheet: it has no column {KEY}. Nothing was approved or declined."
        ),
        hint: "Move the file from held/ as it is, or with rows deleted. Order sheets belong in inbox/."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        max_bytes: 1 << 20,
        max_rows: 1000,
    };

    fn read_text(text: &str) -> Result<ReturnedSheet, Rejection> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        crate::files::write_new(&path, text.as_bytes()).unwrap();
        read(File::open(&path).unwrap(), "x.csv", LIMITS, folder.path())
    }

    #[test]
    fn a_held_sheet_is_known_by_its_keys_in_any_order_of_columns() {
        let key = "H7-2-9f3a2c1b".parse::<HoldKey>().unwrap();
        let text = format!(
            "my note,APPROVAL_KEY,Total,order_id\nok,{key},14.00,1001\nok,{key},14.00,1001\n,,,\nsum,,14.00,\n,what,1,2\n"
        );
        let listed = read_text(&text).unwrap();
        assert_eq!(listed.rows.len(), 2, "{listed:?}");
        assert_eq!(listed.rows[0].key, Some(key));
        assert_eq!(
            (listed.rows[0].order_id.as_str(), listed.rows[0].total.as_str()),
            ("1001", "14.00")
        );
        assert_eq!(listed.rows[1].key, None);
    }

    #[test]
    fn another_sheet_is_refused() {
        for text in ["order_id,item_sku\n1001,TEE\n", ""] {
            assert_eq!(read_text(text).unwrap_err().code, Code::NotHeldSheet, "{text}");
        }
    }
}
