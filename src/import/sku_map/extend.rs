//! A SKU-map sheet that was dropped: each of its rows is checked against the catalog and taken into the map; the map
//! as it was is kept beside it.

mod answers;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rust_xlsxwriter::{Workbook, XlsxError};

use answers::Answers;

use super::{older, open};
use crate::catalog::Snapshot;
use crate::files;
use crate::finding::{Code, Rejection};
use crate::import::read::Read;
use crate::inbox::is_open;
use crate::ledger::record::{ClaimRef, Outcome};
use crate::order::sku_map::{MapLayout, column_of, columns, key};
use crate::order::{RowKey, SkuMap};
use crate::sheet::{Format, Row, write};

/// Two inboxes may share a map, and work side by side: of each map, what is held while it is extended.
static EXTENDING: Mutex<BTreeMap<PathBuf, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());

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
    /// Somebody is at work on the map: what they save would take its place.
    #[error("the SKU map {0} is open in another program; it is extended when it is closed there")]
    Open(PathBuf),
    /// Somebody has saved the map while it was extended.
    #[error("the SKU map {0} has changed just now; it is extended as it is then")]
    Changed(PathBuf),
    /// Its file does not answer.
    #[error("the SKU map {0} does not answer: is its share away? It is extended when it does")]
    Silent(PathBuf),
    /// The map cannot be written.
    #[error(
        "cannot write the SKU map {path}; check that its folder is there, that dropsheet may write in it and that the \
         disk has room"
    )]
    Write {
        /// The map.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl Extension {
    /// Reads and checks the rows of a SKU-map sheet that is to extend this map. Nothing is written.
    ///
    /// # Errors
    /// Why the sheet cannot be read.
    pub fn read(
        read: &Read,
        claim: ClaimRef,
        (catalog, map): (&Snapshot, &SkuMap),
    ) -> Result<Self, Rejection> {
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
                    .push(answers.take((&layout, &row), claim, (catalog, map)));
            }
        }
        extension.rows = answers.settle(&layout, &mut extension.outcomes);
        if let (Some(first), Some(unread)) = (extension.outcomes.first_mut(), &read.unread.told) {
            first.findings.push(unread.clone());
        }
        Ok(extension)
    }

    /// The same where its rows are not taken into the map.
    #[must_use]
    pub fn only_tried(mut self) -> Self {
        let findings = self.outcomes.iter_mut().flat_map(|outcome| &mut outcome.findings);
        for finding in findings.filter(|finding| finding.code == Code::SkuMapped) {
            finding.message = format!("Not taken, only tried. Dropped into inbox/: {}", finding.message);
        }
        self
    }
}

/// Puts the rows of a checked SKU-map sheet into the map; a row of a SKU that the map has takes its place. The map as
/// it was is kept beside it under `time`. Done twice it is as done once.
///
/// # Errors
/// See [`ExtendError`]; the map is then as it was.
pub fn extend(path: &Path, extension: &Extension, time: &str, scratch: &Path) -> Result<(), ExtendError> {
    // Nothing is half done while it is locked.
    let turn = turn_at(path);
    let _one_at_a_time = turn.lock().unwrap_or_else(PoisonError::into_inner);
    let failed = |source| ExtendError::Write {
        path: path.to_owned(),
        source,
    };
    let before = as_it_lies(path).map_err(failed)?;
    let mut table = Table::read(path, scratch).map_err(ExtendError::Unreadable)?;
    let mut is_new = false;
    for row in &extension.rows {
        is_new |= table.put(row);
    }
    if !is_new {
        return Ok(());
    }
    if is_open(path) {
        return Err(ExtendError::Open(path.to_owned()));
    }
    let bytes = table.bytes(path).map_err(failed)?;
    let kept = before.as_ref().map(|before| keep_older(path, time, before));
    let kept = kept.transpose().map_err(failed)?;
    let replaced = match as_it_lies(path) {
        Ok(lies) if lies == before => files::write_over(path, &bytes).map_err(failed),
        Ok(_saved) => Err(ExtendError::Changed(path.to_owned())),
        Err(error) => Err(failed(error)),
    };
    if let (Err(_), Some(kept)) = (&replaced, kept) {
        drop_unneeded(&kept, (path, &bytes));
    }
    replaced
}

/// Removes the copy of a map that was not replaced: that is tried again, each time under another name. What is said to have
/// failed may have happened all the same, and then the copy is all that is left of the map as it was.
fn drop_unneeded(kept: &Path, (path, bytes): (&Path, &[u8])) {
    let is_replaced = as_it_lies(path).map_or(true, |lies| lies.as_deref() == Some(bytes));
    if is_replaced {
        return;
    }
    if let Err(error) = std::fs::remove_file(kept) {
        tracing::warn!(kept = %kept.display(), %error, "a copy of the SKU map that is not needed stays");
    }
}

/// Keeps a map as it was beside it.
fn keep_older(path: &Path, time: &str, before: &[u8]) -> io::Result<PathBuf> {
    let kept = older(path, time);
    files::write_new(&kept, before)?;
    Ok(kept)
}

/// What is held while a map is extended.
fn turn_at(path: &Path) -> Arc<Mutex<()>> {
    let mut turns = EXTENDING.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(turns.entry(path.to_owned()).or_default())
}

/// The bytes of a map; none where there is no such file.
fn as_it_lies(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match files::read_regular(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A map as text, with all its columns and rows.
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The places in `rows` of each SKU, by its key.
    places: HashMap<String, Vec<usize>>,
    delimiter: u8,
}

impl Table {
    fn read(path: &Path, scratch: &Path) -> Result<Self, Rejection> {
        let Some(sheet) = open(path, scratch)? else {
            return Ok(Self {
                header: columns().map(str::to_owned).collect(),
                rows: Vec::new(),
                places: HashMap::new(),
                delimiter: b',',
            });
        };
        let layout = MapLayout::read(sheet.header())?;
        let mut table = Self {
            header: sheet.header().iter().map(str::to_owned).collect(),
            rows: Vec::new(),
            places: HashMap::new(),
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
                table.rows.push(texts(&layout, &row));
            }
        }
        let own = columns().next().map(|name| table.place(name)).unwrap_or_default();
        for (place, row) in table.rows.iter().enumerate() {
            if let Some(sku) = row.get(own) {
                table.places.entry(key(sku)).or_default().push(place);
            }
        }
        Ok(table)
    }

    /// Puts a row in the order of [`columns`]; whether anything is another than before. A blank cell says nothing: what
    /// the map has there stays.
    fn put(&mut self, texts: &[String]) -> bool {
        let places: Vec<usize> = columns().map(|name| self.place(name)).collect();
        let Some(sku) = texts.first().map(|sku| key(sku)) else {
            return false;
        };
        let said: Vec<(usize, &String)> = places.into_iter().zip(texts).collect();
        let known = self.known(&sku, texts.first().map_or("", |own| own.trim()));
        if known.is_empty() {
            let mut row = Vec::new();
            fill(&mut row, &said, self.header.len());
            self.places.entry(sku).or_default().push(self.rows.len());
            self.rows.push(row);
            return true;
        }
        // One that was left as it was would contradict the others.
        let mut is_new = false;
        for place in known {
            if let Some(row) = self.rows.get_mut(place) {
                is_new |= fill(row, said.get(1..).unwrap_or_default(), self.header.len());
            }
        }
        is_new
    }

    /// The places of the rows that count for a SKU, by its key and as it is written: those of just this one, else those
    /// that are written as the last of all.
    fn known(&mut self, sku: &str, own: &str) -> Vec<usize> {
        let column = columns().next().map(|name| self.place(name)).unwrap_or_default();
        let written = |place: usize| {
            let cell = self.rows.get(place).and_then(|row| row.get(column));
            cell.map_or("", |cell| cell.trim())
        };
        let places = self.places.get(sku).map_or(&[][..], Vec::as_slice);
        let of = |own: &str| -> Vec<usize> {
            let alike = places.iter().copied();
            alike.filter(|place| written(*place) == own).collect()
        };
        match (of(own), places.last()) {
            (just_this, Some(last)) if just_this.is_empty() => of(written(*last)),
            (just_this, _) => just_this,
        }
    }

    /// The column of a name, which is added where it is missing.
    fn place(&mut self, name: &str) -> usize {
        let found = column_of(self.header.iter().map(String::as_str), name);
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

/// Writes what is said into a row, each text into its column; whether anything is another than before. A blank text says
/// nothing.
fn fill(row: &mut Vec<String>, said: &[(usize, &String)], columns: usize) -> bool {
    row.resize(columns.max(row.len()), String::new());
    let mut is_new = false;
    for (place, text) in said.iter().filter(|(_, text)| !text.is_empty()) {
        if let Some(cell) = row.get_mut(*place).filter(|cell| *cell != *text) {
            cell.clone_from(text);
            is_new = true;
        }
    }
    is_new
}

/// The texts of a row. What is lost in a cell must still be lost when the map is read again: as blank, or as text that
/// looks whole, it would be left out of orders or printed.
fn texts(layout: &MapLayout, row: &Row) -> Vec<String> {
    let mut texts: Vec<String> = row.iter().map(str::to_owned).collect();
    for lost in layout.lost(row) {
        let cell = texts.get_mut(usize::from(lost.cell.column));
        // A spreadsheet's error is lost as it stands.
        if let Some(cell) = cell.filter(|_| lost.code != Code::CellError) {
            "#VALUE!".clone_into(cell);
        }
    }
    texts
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Field;
    use crate::sheet::CellKind;

    fn layout() -> MapLayout {
        let mut header = Row::default();
        header.start(1);
        for name in columns() {
            header.push(name, CellKind::Text);
        }
        MapLayout::read(&header).unwrap()
    }

    #[test]
    fn of_two_skus_that_differ_in_case_alone_the_one_that_is_answered_is_put_right() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.csv");
        files::write_new(&path, b"sku,item_sku\nAB-1,TEE-S\nab-1,TEE-M\n").unwrap();
        let mut table = Table::read(&path, folder.path()).unwrap();
        let answer = |own: &str, sku: &str| {
            let mut texts = vec![String::new(); columns().count()];
            (texts[0], texts[1]) = (own.to_owned(), sku.to_owned());
            texts
        };
        assert!(table.put(&answer("AB-1", "TEE-L")));
        assert!(table.put(&answer("Ab-1", "TEE-XL")), "neither: the last one's");
        let rows: Vec<&[String]> = table.rows.iter().map(|row| &row[..2]).collect();
        assert_eq!(rows, [["AB-1", "TEE-L"], ["ab-1", "TEE-XL"]]);
    }

    #[test]
    fn a_map_that_contradicts_itself_says_one_thing_of_a_sku_once_that_is_answered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.csv");
        let before = b"sku,item_sku,ours\nA,TEE-S,one\nB,MUG,\nA,TEE-M,two\n";
        for answer in ["TEE-M", "TEE-XL", "not-printed-here"] {
            files::write_over(&path, before).unwrap();
            let mut texts = vec![String::new(); columns().count()];
            (texts[0], texts[1]) = ("A".to_owned(), answer.to_owned());
            let extension = Extension {
                outcomes: Vec::new(),
                rows: vec![texts],
            };
            extend(&path, &extension, "2026-11-21_0914", folder.path()).unwrap();
            let map = super::super::read(&path, folder.path()).unwrap();
            assert_eq!(map.contradiction("A"), None, "{answer}");
            let written = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
            let rows: Vec<&str> = written.lines().skip(1).collect();
            let starts = [
                format!("A,{answer},one,"),
                "B,MUG,".to_owned(),
                format!("A,{answer},two,"),
            ];
            assert!(
                rows.len() == 3
                    && rows
                        .iter()
                        .zip(&starts)
                        .all(|(row, start)| row.starts_with(start)),
                "{written}"
            );
        }
    }

    #[test]
    fn what_is_lost_in_a_cell_is_lost_in_the_text_too() {
        let layout = layout();
        for (text, kind, written) in [
            ("", CellKind::NoValue, "#VALUE!"),
            ("12345678901234568", CellKind::LostDigits, "#VALUE!"),
            ("#N/A", CellKind::Error, "#N/A"),
            ("1", CellKind::Number, "1"),
            ("", CellKind::Blank, ""),
        ] {
            // The columns of the map, and one of the merchant's own, in which nothing is lost.
            let count = columns().count();
            let mut row = Row::default();
            row.start(2);
            (0..=count).for_each(|_| row.push(text, kind));
            let texts = texts(&layout, &row);
            assert!(texts[1..count].iter().all(|cell| cell == written), "{texts:?}");
            assert_eq!([&texts[0], &texts[count]], [text, text]);
            let mut again = Row::default();
            again.start(2);
            for text in &texts {
                again.push(text, CellKind::Text);
            }
            let lost = |row: &Row| layout.lost(row).into_iter().map(|lost| lost.cell);
            assert!(lost(&row).eq(lost(&again)), "{text:?}");
        }
    }

    #[test]
    fn what_a_map_has_lost_is_still_lost_once_the_map_is_extended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sku-map.xlsx");
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet
            .write_row(0, 0, ["sku", "item_sku", "artwork_back", "variant_note"])
            .unwrap();
        sheet.write_row(1, 0, ["FOX", "TEE-S", "#N/A"]).unwrap();
        sheet.write_number(1, 3, 12_345_678_901_234_568.0).unwrap();
        workbook.save(&path).unwrap();
        let lost = || -> Vec<Field> {
            let map = super::super::read(&path, folder.path()).unwrap();
            let lost = &map.entry("FOX").unwrap().lost;
            lost.iter().map(|lost| lost.field).collect()
        };
        assert_eq!(lost(), [Field::ArtworkBack, Field::VariantNote]);
        let extension = Extension {
            outcomes: Vec::new(),
            rows: vec![vec!["HARE".to_owned(), "TEE-M".to_owned()]],
        };
        extend(&path, &extension, "2026-11-21_0914", folder.path()).unwrap();
        assert_eq!(lost(), [Field::ArtworkBack, Field::VariantNote]);
        let map = super::super::read(&path, folder.path()).unwrap();
        assert_eq!(map.item_sku("hare"), "TEE-M");
    }

    #[test]
    fn what_is_added_goes_into_the_column_that_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sku-map.csv");
        let map = "SKU,item_sku,Artwork Front\nFOX,TEE-S,https://example.com/old.png\n";
        files::write_new(&path, map.as_bytes()).unwrap();
        let row = columns().map(|name| match name {
            "sku" => "FOX".to_owned(),
            "artwork_front" => "https://example.com/new.png".to_owned(),
            "item_sku" => "TEE-S".to_owned(),
            _ => String::new(),
        });
        let extension = Extension {
            outcomes: Vec::new(),
            rows: vec![row.collect()],
        };
        extend(&path, &extension, "2026-11-21_0914", folder.path()).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(
            !written.contains("old.png") && !written.contains("artwork_front"),
            "{written}"
        );
        assert!(written.contains("SKU,item_sku,Artwork Front"), "{written}");
    }
}
