//! A workbook's rows, unpacked once into a temporary file, so that each later reading costs next to nothing.
//!
//! A stored row is its length in bytes, its number, and for each cell its kind, how it looks if it says so, its length and
//! its text. Rows without
//! a cell are not stored; the reading fills the gaps.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

use super::archive::MAX_UNPACKED;
use super::limit::RowLimit;
use super::reject::{scratch_failed, too_large};
use super::source::{Source, read_full};
use super::{CellKind, Look, Row};
use crate::finding::Rejection;

/// The unpacked rows of a workbook's sheet; the file has no name and goes with the last reading of it.
#[derive(Debug)]
pub(super) struct Unpacked {
    file: Arc<File>,
    last_row: u32,
    limit: RowLimit,
}

impl Unpacked {
    /// Starts at row 1.
    pub(super) fn rows(&self) -> UnpackedRows {
        UnpackedRows {
            reader: BufReader::with_capacity(64 * 1024, Source::new(&self.file)),
            number: 0,
            last_row: self.last_row,
            limit: self.limit,
            next_stored: None,
            bytes: Vec::new(),
        }
    }
}

/// Takes the rows of a sheet.
pub(super) struct Packer {
    writer: BufWriter<File>,
    bytes: Vec<u8>,
    /// How many are written, and how many may be.
    written: u64,
    most: u64,
    last_row: u32,
    limit: RowLimit,
}

impl Packer {
    pub(super) fn new(scratch: &Path, limit: RowLimit) -> Result<Self, Rejection> {
        let file = tempfile::tempfile_in(scratch).map_err(|error| scratch_failed(&error))?;
        Ok(Self {
            writer: BufWriter::with_capacity(64 * 1024, file),
            bytes: Vec::new(),
            written: 0,
            most: MAX_UNPACKED,
            last_row: 0,
            limit,
        })
    }

    /// Says where the header is.
    pub(super) fn has_header_in(&mut self, row: u32) {
        self.limit = self.limit.below(row);
    }

    /// Appends a row; their numbers rise.
    pub(super) fn push(&mut self, row: &Row) -> Result<(), Rejection> {
        let says_something = !row.is_blank() || row.cells.iter().any(|cell| cell.1 == CellKind::NoValue);
        if says_something {
            self.limit.check(row.number)?;
            self.last_row = row.number;
        }
        self.bytes.clear();
        encode(row, &mut self.bytes).map_err(|error| scratch_failed(&error))?;
        let length = length(self.bytes.len()).map_err(|error| scratch_failed(&error))?;
        // Cells share their texts: a small workbook may say one long text a million times.
        self.written = self.written.saturating_add(length.into());
        if self.written > self.most {
            return Err(too_large(format!(
                "The cells of the workbook hold more than {} bytes, which no order sheet does.",
                self.most
            )));
        }
        let head = length.to_le_bytes();
        self.writer
            .write_all(&head)
            .and_then(|()| self.writer.write_all(&self.bytes))
            .map_err(|error| scratch_failed(&error))
    }

    pub(super) fn finish(self) -> Result<Unpacked, Rejection> {
        let file = self
            .writer
            .into_inner()
            .map_err(|error| scratch_failed(error.error()))?;
        Ok(Unpacked {
            file: Arc::new(file),
            last_row: self.last_row,
            limit: self.limit,
        })
    }
}

fn length(bytes: usize) -> io::Result<u32> {
    u32::try_from(bytes).map_err(io::Error::other)
}

/// In the byte of a cell's kind: it is merged with the cell above.
const MERGED: u8 = 0x80;

/// In the same byte: text in it is struck through.
const STRUCK: u8 = 0x40;

/// In the same byte: how its number looks stands behind it.
const LOOKS: u8 = 0x20;

/// Appends a row as it is stored: its number, and for each cell its kind, its length and its text.
pub(super) fn encode(row: &Row, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.extend(row.number.to_le_bytes());
    for column in 0..row.len() {
        let text = row.text(column);
        let merged = if row.is_merged(column) { MERGED } else { 0 };
        let struck = if row.struck().contains(&column) { STRUCK } else { 0 };
        let look = row.look(column);
        let looks = if look.is_some() { LOOKS } else { 0 };
        bytes.push(kind_to_byte(row.kind(column)) | merged | struck | looks);
        bytes.extend(look.into_iter().flat_map(Look::to_bytes));
        bytes.extend(length(text.len())?.to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    Ok(())
}

/// The row that [`encode`] has written; none where the bytes are no such row.
pub(super) fn decode(bytes: &[u8], row: &mut Row) -> Option<()> {
    let (number, cells) = bytes.split_first_chunk::<4>()?;
    row.start(u32::from_le_bytes(*number));
    fill(row, cells)
}

/// One reading of the unpacked rows.
pub(super) struct UnpackedRows {
    reader: BufReader<Source>,
    /// The number of the last row given.
    number: u32,
    last_row: u32,
    limit: RowLimit,
    /// The number of the stored row whose cells are in `bytes`.
    next_stored: Option<u32>,
    bytes: Vec<u8>,
}

impl UnpackedRows {
    /// See [`super::Rows::next`].
    pub(super) fn next(&mut self, row: &mut Row) -> Result<bool, Rejection> {
        if self.number >= self.last_row {
            return Ok(false);
        }
        let number = self.number.saturating_add(1);
        self.limit.check(number)?;
        self.number = number;
        row.start(self.number);
        if self.next_stored.is_none() {
            self.read().map_err(|error| scratch_failed(&error))?;
        }
        if self.next_stored == Some(self.number) {
            self.next_stored = None;
            fill(row, self.bytes.get(4..).unwrap_or_default())
                .ok_or_else(|| scratch_failed(&io::ErrorKind::InvalidData.into()))?;
        }
        Ok(true)
    }

    fn read(&mut self) -> io::Result<()> {
        let mut head = [0_u8; 4];
        if read_full(&mut self.reader, &mut head)? == 0 {
            return Ok(());
        }
        let length = usize::try_from(u32::from_le_bytes(head)).map_err(io::Error::other)?;
        self.bytes.resize(length, 0);
        self.reader.read_exact(&mut self.bytes)?;
        let number = self.bytes.first_chunk::<4>().ok_or(io::ErrorKind::InvalidData)?;
        self.next_stored = Some(u32::from_le_bytes(*number));
        Ok(())
    }
}

fn fill(row: &mut Row, mut bytes: &[u8]) -> Option<()> {
    while let Some((kind, mut rest)) = bytes.split_first() {
        let mut look = None;
        if kind & LOOKS != 0 {
            let (stored, behind) = rest.split_first_chunk::<4>()?;
            look = Some(Look::from_bytes(*stored)?);
            rest = behind;
        }
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (text, rest) = rest.split_at_checked(length)?;
        let text = std::str::from_utf8(text).ok()?;
        let cell = byte_to_kind(kind & !(MERGED | STRUCK | LOOKS))?;
        if kind & MERGED == 0 {
            row.push(text, cell);
        } else {
            row.push_merged(text, cell);
        }
        if kind & STRUCK != 0 {
            row.strike_last();
        }
        if let Some(look) = look {
            row.look_last(look);
        }
        bytes = rest;
    }
    Some(())
}

const KINDS: [CellKind; 8] = [
    CellKind::Blank,
    CellKind::Text,
    CellKind::Number,
    CellKind::LostDigits,
    CellKind::Date,
    CellKind::Bool,
    CellKind::Error,
    CellKind::NoValue,
];

fn kind_to_byte(kind: CellKind) -> u8 {
    match kind {
        CellKind::Blank => 0,
        CellKind::Text => 1,
        CellKind::Number => 2,
        CellKind::LostDigits => 3,
        CellKind::Date => 4,
        CellKind::Bool => 5,
        CellKind::Error => 6,
        CellKind::NoValue => 7,
    }
}

fn byte_to_kind(byte: u8) -> Option<CellKind> {
    KINDS.get(usize::from(byte)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_comes_back_as_it_went() {
        for kind in KINDS {
            assert_eq!(byte_to_kind(kind_to_byte(kind)), Some(kind));
        }
    }

    #[test]
    fn gaps_are_filled_and_what_follows_the_last_text_is_not_given() {
        let scratch = tempfile::tempdir().unwrap();
        let mut packer = Packer::new(scratch.path(), RowLimit::of(10)).unwrap();
        let mut row = Row::default();
        for (number, text) in [(2, "é"), (4, "b"), (6, " ")] {
            row.start(number);
            row.push("", CellKind::Blank);
            row.push(text, CellKind::Text);
            packer.push(&row).unwrap();
        }
        let unpacked = packer.finish().unwrap();
        for _time in 0..2 {
            let mut rows = unpacked.rows();
            let mut seen = Vec::new();
            while rows.next(&mut row).unwrap() {
                seen.push((row.number(), row.text(1).to_owned()));
            }
            let expected = [(1, ""), (2, "é"), (3, ""), (4, "b")];
            assert_eq!(seen, expected.map(|(number, text)| (number, text.to_owned())));
        }
    }

    #[test]
    fn a_row_comes_back_with_all_that_is_said_of_its_cells() {
        let mut row = Row::default();
        row.start(7);
        row.push("a", CellKind::Text);
        row.push("0.5", CellKind::Number);
        row.look_last(Look::of("0%").unwrap());
        row.push_merged("b", CellKind::Text);
        row.strike_last();
        let (mut bytes, mut read) = (Vec::new(), Row::default());
        encode(&row, &mut bytes).unwrap();
        decode(&bytes, &mut read).unwrap();
        let codes = [0, 1, 2].map(|column| read.look(column).map(Look::code));
        assert_eq!(codes, [None, Some("0%".to_owned()), None]);
        assert_eq!((read.struck(), read.is_merged(2)), (&[2][..], true));
        assert_eq!(read.iter().collect::<Vec<_>>(), ["a", "0.5", "b"]);
    }

    #[test]
    fn rows_whose_texts_have_no_measure_are_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let mut packer = Packer::new(scratch.path(), RowLimit::of(10)).unwrap();
        packer.most = 100;
        let mut row = Row::default();
        let mut push = |number| {
            row.start(number);
            row.push(&"x".repeat(40), CellKind::Text);
            packer.push(&row)
        };
        push(1).unwrap();
        push(2).unwrap();
        assert_eq!(push(3).unwrap_err().code, crate::finding::Code::SheetTooLarge);
    }
}
