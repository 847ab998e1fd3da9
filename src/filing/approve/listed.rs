//! What a held sheet lists when it comes back: its keys, and the cells beside them that a person may have changed. A row
//! that somebody has struck through or emptied is not meant, and of two sheets of keys nobody can tell which is.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

use crate::finding::{Code, Rejection};
use crate::ledger::record::HoldKey;
use crate::order::quoted;
use crate::result::held::{COLUMNS, COUNTRY, KEY, ORDER_ID, TOTAL};
use crate::sheet::{Limits, Row, Sheet, Tab};

/// A held sheet that has come back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReturnedSheet {
    /// Its rows, each key once.
    pub(super) rows: Vec<ListedRow>,
    /// Those whose orders are not meant.
    pub(super) unmeant: Vec<(ListedRow, Unmeant)>,
}

/// By what a row shows that its order is not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unmeant {
    /// Text of it is struck through: only `.xlsx` tells.
    Struck,
    /// Nothing is left in it but its key.
    Emptied,
    /// Its key is gone.
    Keyless,
    /// A cell says no.
    SaysNo {
        /// The heading of its column.
        column: String,
        /// What it says.
        text: String,
    },
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListedRow {
    /// The row as the spreadsheet shows it.
    pub(super) number: u32,
    /// What names the order; none where the cell holds something else.
    pub(super) key: Option<HoldKey>,
    /// What stands in those columns of a held sheet that the file has.
    pub(super) written: Vec<(&'static str, String)>,
    /// What stands in other columns, by their headings; cells without text are left out.
    pub(super) own: Vec<(String, String)>,
}

impl ListedRow {
    /// What stands in a column of a held sheet; blank where the file has it not.
    pub(super) fn text(&self, column: &str) -> &str {
        let cell = self.written.iter().find(|(name, _text)| *name == column);
        cell.map_or("", |(_name, text)| text)
    }

    /// Whether it has what each row has that a held sheet is written with; a sum below the table has no country.
    fn is_of_an_order(&self) -> bool {
        let names = [ORDER_ID, TOTAL, COUNTRY];
        names.iter().all(|name| !self.text(name).is_empty())
    }

    /// Whether nothing is left of what a held sheet says of an order: a file may have keys alone.
    fn is_emptied(&self) -> bool {
        let has_ids = self.written.iter().any(|(name, _text)| *name == ORDER_ID);
        has_ids && self.written.iter().all(|(_name, text)| text.is_empty()) && self.own.is_empty()
    }
}

/// The columns of a file that is a held sheet.
struct Columns<'a> {
    header: &'a Row,
    key: usize,
    written: Vec<(&'static str, usize)>,
}

impl<'a> Columns<'a> {
    fn of(header: &'a Row) -> Option<Self> {
        let written = COLUMNS.into_iter().filter(|name| *name != KEY);
        Some(Self {
            header,
            key: column(header, KEY)?,
            written: written
                .filter_map(|name| Some((name, column(header, name)?)))
                .collect(),
        })
    }

    /// Whether a column is one that a held sheet is written with.
    fn are_written(&self, column: usize) -> bool {
        column == self.key || self.written.iter().any(|(_name, written)| *written == column)
    }

    fn read(&self, row: &Row) -> ListedRow {
        let text = |column: usize| row.text(column).trim().to_owned();
        let own = (0..row.len()).filter(|column| !self.are_written(*column));
        let own = own.map(|column| (self.header.text(column).trim().to_owned(), text(column)));
        ListedRow {
            number: row.number(),
            key: row.text(self.key).trim().parse().ok(),
            written: self
                .written
                .iter()
                .map(|(name, column)| (*name, text(*column)))
                .collect(),
            own: own.filter(|(_heading, text)| !text.is_empty()).collect(),
        }
    }
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
    let Some(columns) = Columns::of(header) else {
        return Err(no_held_sheet(name));
    };
    if let Some(other) = sheet.tabs().others.iter().find(|tab| lists_orders(tab)) {
        return Err(on_two_sheets(&sheet.tabs().read, &other.name));
    }
    let mut listed = ReturnedSheet::default();
    let mut seen = HashSet::new();
    let (mut rows, mut row) = (sheet.rows()?, Row::default());
    while rows.next(&mut row)? {
        if row.number() <= header.number() {
            continue;
        }
        let key = row.text(columns.key).trim();
        if key.is_empty() {
            let read = columns.read(&row);
            // What a person notes below the table is no order.
            if read.is_of_an_order() {
                listed.unmeant.push((read, Unmeant::Keyless));
            }
            continue;
        }
        if !seen.insert(key.to_owned()) {
            continue;
        }
        let is_struck = row.struck().iter().any(|column| columns.are_written(*column));
        let read = columns.read(&row);
        if is_struck {
            listed.unmeant.push((read, Unmeant::Struck));
        } else if read.is_emptied() {
            listed.unmeant.push((read, Unmeant::Emptied));
        } else {
            listed.rows.push(read);
        }
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
        let said = [ORDER_ID, TOTAL].map(|column| listed.rows[0].text(column).to_owned());
        assert_eq!(said, ["1001", "14.00"]);
        assert_eq!(listed.rows[0].own, [("my note".to_owned(), "ok".to_owned())]);
        assert_eq!(listed.rows[1].key, None);
    }

    #[test]
    fn a_row_that_is_emptied_but_for_its_key_is_not_meant_and_a_file_of_keys_alone_is() {
        let keys = ["H7-2-9f3a2c1b", "H8-1-9f3a2c1b", "H9-1-9f3a2c1b"];
        let [first, second, third] = keys;
        let text = format!(
            "order_id,total,why,approval_key,ok\n1001,1.00,x,{first},\n , ,,{second},\n,,,{third},ja\n"
        );
        let listed = read_text(&text).unwrap();
        let numbers: Vec<u32> = listed.rows.iter().map(|row| row.number).collect();
        assert_eq!(numbers, [2, 4]);
        let [(row, Unmeant::Emptied)] = &listed.unmeant[..] else {
            panic!("{listed:?}")
        };
        assert_eq!((row.number, row.key.clone()), (3, second.parse().ok()));
        for text in [
            format!("approval_key\n{first}\n{second}\n"),
            format!("total,approval_key\n,{first}\n,{second}\n"),
        ] {
            let listed = read_text(&text).unwrap();
            assert_eq!((listed.rows.len(), listed.unmeant.len()), (2, 0), "{text}");
        }
    }

    #[test]
    fn a_row_whose_key_is_gone_is_told_and_what_stands_below_the_table_is_not() {
        let text = "order_id,total,country,approval_key\n1001,1.00,US,H7-2-9f3a2c1b\n1002,2.00,US,\nTotal,3.00,,\nAsk Ann,,,\n";
        let listed = read_text(text).unwrap();
        assert_eq!(listed.rows.len(), 1);
        let [(row, Unmeant::Keyless)] = &listed.unmeant[..] else {
            panic!("{listed:?}")
        };
        assert_eq!((row.number, row.text(ORDER_ID)), (3, "1002"));
    }

    #[test]
    fn another_sheet_is_refused() {
        for text in ["order_id,item_sku\n1001,TEE\n", ""] {
            assert_eq!(read_text(text).unwrap_err().code, Code::NotHeldSheet, "{text}");
        }
    }
}
