//! A result sheet as a test reads it: cells by row and column name.

use std::io::ErrorKind;
use std::path::Path;

use dropsheet::outcome::Status;

/// A result in separated text.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a result, whatever its delimiter; none where it was moved away just now to be written again.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        let text = std::str::from_utf8(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes)).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let delimiter = *b",;\t|"
            .iter()
            .max_by_key(|delimiter| first.bytes().filter(|byte| byte == *delimiter).count())
            .unwrap();
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .from_reader(text.as_bytes());
        let mut rows = reader
            .records()
            .map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
            // A row without anything in it is none.
            .filter(|row| row.iter().any(|cell| !cell.is_empty()));
        // What stands above the header came with the sheet.
        let header = rows
            .find(|row| row.iter().any(|cell| cell == "result_status"))
            .unwrap_or_else(|| panic!("{} has no header", path.display()));
        Some(Self {
            header,
            rows: rows.collect(),
        })
    }

    /// How many rows it has, without the header.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A column from top to bottom.
    pub(crate) fn column(&self, name: &str) -> Vec<&str> {
        let at = self
            .header
            .iter()
            .position(|header| header == name)
            .unwrap_or_else(|| panic!("no column {name} in {:?}", self.header));
        self.rows.iter().map(|row| row[at].as_str()).collect()
    }

    /// The cell of a column in the first row of an order, by the id in the sheet.
    pub(crate) fn of(&self, order_id: &str, column: &str) -> &str {
        let ids = self.column("order_id");
        let at = ids
            .iter()
            .position(|id| *id == order_id)
            .unwrap_or_else(|| panic!("no order {order_id} in {ids:?}"));
        self.column(column)[at]
    }

    /// Asserts that every row has exactly one of the statuses that there are.
    pub(crate) fn assert_statuses(&self) {
        for word in self.column("result_status") {
            assert!(
                Status::ALL.iter().any(|status| status.word() == word),
                "`{word}` is no status"
            );
        }
    }

    /// Its columns of these names, as text: for comparing.
    pub(crate) fn columns(&self, names: &[&str]) -> Vec<Vec<&str>> {
        let columns: Vec<Vec<&str>> = names.iter().map(|name| self.column(name)).collect();
        (0..self.len())
            .map(|row| columns.iter().map(|column| column[row]).collect())
            .collect()
    }
}
