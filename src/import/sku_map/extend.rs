//! A SKU-map sheet that was dropped: each of its rows is checked against the catalog and taken into the map; the map
//! as it was is kept beside it.

mod answers;

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rust_xlsxwriter::{Workbook, XlsxError};

use answers::Answers;

use super::{older, open};
use crate::catalog::Snapshot;
use crate::files;
use crate::finding::Rejection;
use crate::import::read::Read;
use crate::ledger::record::{ClaimRef, Outcome};
use crate::order::RowKey;
use crate::order::sku_map::{MapLayout, columns, key};
use crate::sheet::{Format, Row, write};

/// Two inboxes may share a map, and work side by side.
static EXTENDING: Mutex<()> = Mutex::new(());

/// What a SKU-map sheet comes to.
#[derive(Debug)]
pub struct Extension {
    /// One a row.
    pub outcomes: Vec<Outcome>,
    /// The rows for the map, in the order of [`columns`].
    rows: Vec<Vec<String>>,
}

/// Why a map could not be extended.
#[derive(Debug, thiserror::Error)]
pub enum ExtendError {
    /// The map, or the sheet, cannot be read.
    #[error("{0}")]
    Unreadable(Rejection),
    /// The map cannot be written.
    #[error(
        "cannot write the SKU map {path}; check that its folder is there, that dropsheet may write in it and that the \
         disk has room"
    )]
    Write {
        /// The map.
        path: std::path::PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl Extension {
    /// Reads and checks the rows of a SKU-map sheet. Nothing is written.
    ///
    /// # Errors
    /// Why the sheet cannot be read.
    pub fn read(read: &Read, claim: ClaimRef, catalog: &Snapshot) -> Result<Self, Rejection> {
        let layout = MapLayout::read(read.sheet.header())?;
        let header = read.sheet.header().number();
        let mut extension = Self {
            outcomes: Vec::new(),
            rows: Vec::new(),
        };
        let mut answers = Answers::default();
        let mut rows = read.sheet.rows()?;
        let mut row = Row::default();
        while rows.next(&mut row)? {
            if row.number() > header && RowKey::of(&read.layout, &row) != RowKey::Blank {
                extension
                    .outcomes
                    .push(answers.take(&layout, &row, claim, catalog));
            }
        }
        extension.rows = answers.settle(&layout, &mut extension.outcomes);
        if let (Some(first), Some(unread)) = (extension.outcomes.first_mut(), &read.unread) {
            first.findings.push(unread.clone());
        }
        Ok(extension)
    }
}

/// Puts the rows of a checked SKU-map sheet into the map; a row of a SKU that the map has takes its place. The map as
/// it was is kept beside it under `time`. Done twice it is as done once.
///
/// # Errors
/// See [`ExtendError`]; the map is then as it was.
pub fn extend(path: &Path, extension: &Extension, time: &str, scratch: &Path) -> Result<(), ExtendError> {
    // Nothing is half done while it is locked.
    let _one_at_a_time = EXTENDING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut table = Table::read(path, scratch).map_err(ExtendError::Unreadable)?;
    let mut is_new = false;
    for row in &extension.rows {
        is_new |= table.put(row);
    }
    if !is_new {
        return Ok(());
    }
    let failed = |source| ExtendError::Write {
        path: path.to_owned(),
        source,
    };
    let bytes = table.bytes(path).map_err(failed)?;
    match std::fs::read(path) {
        Ok(old) => files::write_new(&older(path, time), &old).map_err(failed)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    files::write_over(path, &bytes).map_err(failed)
}

/// A map as text, with all its columns and rows.
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    delimiter: u8,
}

impl Table {
    fn read(path: &Path, scratch: &Path) -> Result<Self, Rejection> {
        let Some(sheet) = open(path, scratch)? else {
            return Ok(Self {
                header: columns().map(str::to_owned).collect(),
                rows: Vec::new(),
                delimiter: b',',
            });
        };
        let texts = |row: &Row| -> Vec<String> { row.iter().map(str::to_owned).collect() };
        let mut table = Self {
            header: texts(sheet.header()),
            rows: Vec::new(),
            delimiter: match sheet.format() {
                Format::Csv { delimiter } => delimiter,
                Format::Workbook => b',',
            },
        };
        let header = sheet.header().number();
        let mut rows = sheet.rows()?;
        let mut row = Row::default();
        while rows.next(&mut row)? {
            if row.number() > header && !row.is_blank() {
                table.rows.push(texts(&row));
            }
        }
        Ok(table)
    }

    /// Puts a row in the order of [`columns`]; whether anything is another than before. A blank cell says nothing: what
    /// the map has there stays.
    fn put(&mut self, texts: &[String]) -> bool {
        let places: Vec<usize> = columns().map(|name| self.place(name)).collect();
        let (Some(own), Some(sku)) = (places.first(), texts.first()) else {
            return false;
        };
        let is_same = |row: &&mut Vec<String>| row.get(*own).is_some_and(|cell| key(cell) == key(sku));
        // The last row of a SKU is the one that counts.
        let found = self.rows.iter_mut().rev().find(is_same);
        let is_new = found.is_none();
        let mut row = found.map_or_else(Vec::new, |row| row.clone());
        row.resize(self.header.len(), String::new());
        let before = row.clone();
        for (place, text) in places.iter().zip(texts).skip(usize::from(!is_new)) {
            if let Some(cell) = row.get_mut(*place).filter(|_| !text.is_empty()) {
                cell.clone_from(text);
            }
        }
        if is_new {
            self.rows.push(row);
        } else if row == before {
            return false;
        } else if let Some(old) = self.rows.iter_mut().rev().find(is_same) {
            *old = row;
        }
        true
    }

    /// The column of a name, which is added where it is missing.
    fn place(&mut self, name: &str) -> usize {
        let found = self
            .header
            .iter()
            .position(|cell| cell.trim().eq_ignore_ascii_case(name));
        found.unwrap_or_else(|| {
            self.header.push(name.to_owned());
            self.header.len() - 1
        })
    }

    /// The map as a file: a workbook where its name says so, else separated text.
    fn bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        let rows = std::iter::once(&self.header).chain(&self.rows);
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase();
        if ending.starts_with("xls") {
            return workbook(rows).map_err(io::Error::other);
        }
        let mut writer = write::Writer::new(Vec::new(), self.delimiter)?;
        for row in rows {
            writer.row(row.iter().map(String::as_str))?;
        }
        writer.finish()
    }
}

fn workbook<'a>(rows: impl Iterator<Item = &'a Vec<String>>) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet().set_name("SKU map")?;
    for (number, row) in (0..).zip(rows) {
        for (column, text) in (0..).zip(row) {
            if !text.is_empty() {
                sheet.write_string(number, column, text)?;
            }
        }
    }
    sheet.set_freeze_panes(1, 1)?;
    workbook.save_to_buffer()
}
