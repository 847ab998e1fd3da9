//! The merged cells of an .xlsb sheet, which the library passes over: its part is read once more, for the records that
//! tell of them. Kinds and layouts of records are those of [MS-XLSB] 2.3.2, 2.4.304 and 2.4.689.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use calamine::Dimensions;
use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::super::reject::broken;
use super::super::source::Source;
use super::merges::held_to_the_most;
use super::spans::attribute;
use crate::finding::Rejection;

/// The part that lists the sheets, and the one that says where theirs are.
const BOOK: &str = "xl/workbook.bin";
const RELATIONS: &str = "xl/_rels/workbook.bin.rels";

/// `BrtBundleSh`, a sheet of the workbook, and `BrtMergeCell`.
const SHEET: u16 = 0x9C;
const MERGE: u16 = 0xB0;

/// Bytes of a record that is looked into: names of sheets are short.
const MAX_RECORD: u32 = 64 * 1024;

/// The ranges of merged cells of a sheet.
pub(super) fn of_sheet(file: &Arc<File>, name: &str) -> Result<Vec<Dimensions>, Rejection> {
    let mut archive = ZipArchive::new(BufReader::new(Source::new(file))).map_err(broken)?;
    let id = with_part(&mut archive, BOOK, |book| relation(book, name))?;
    let place = with_part(&mut archive, RELATIONS, |relations| target(relations, &id))?;
    with_part(&mut archive, &format!("xl/{place}"), merges)
}

/// Reads a part of the archive, whatever the case of its name there.
fn with_part<T>(
    archive: &mut ZipArchive<BufReader<Source>>,
    path: &str,
    read: impl FnOnce(&mut dyn BufRead) -> Result<T, Rejection>,
) -> Result<T, Rejection> {
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).map_err(broken)?;
        let name = part.name().map_err(broken)?.replace('\\', "/");
        if name.eq_ignore_ascii_case(path) {
            return read(&mut BufReader::new(&mut part));
        }
    }
    Err(broken(format!("its part {path} is missing")))
}

/// By which name the relations know the part of a sheet.
fn relation(book: &mut dyn BufRead, name: &str) -> Result<String, Rejection> {
    let mut records = Records::new(book);
    while let Some(record) = records.next_of(SHEET).map_err(broken)? {
        // Its state and its number stand before them.
        let texts = record.get(8..).and_then(|rest| {
            let (id, rest) = wide_text(rest)?;
            Some((id, wide_text(rest)?.0))
        });
        match texts {
            Some((id, sheet)) if sheet == name => return Ok(id),
            Some(_other) => {}
            None => return Err(broken("its list of sheets is cut off")),
        }
    }
    Err(broken(format!("it does not say where its sheet {name} is")))
}

/// A text that is preceded by its length, and what follows it.
fn wide_text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    // Without a text its length is the greatest number.
    let (text, rest) = rest
        .split_at_checked(length.checked_mul(2)?)
        .unwrap_or((&[], rest));
    let (units, _odd) = text.as_chunks::<2>();
    let units = units.iter().map(|unit| u16::from_le_bytes(*unit));
    let text = char::decode_utf16(units).map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER));
    Some((text.collect(), rest))
}

/// Where the part of a relation is, below `xl/`.
fn target(relations: &mut dyn BufRead, id: &str) -> Result<String, Rejection> {
    let mut reader = Reader::from_reader(relations);
    reader.config_mut().expand_empty_elements = true;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let tag = match reader.read_event_into(&mut buffer).map_err(broken)? {
            Event::Eof => return Err(broken(format!("it does not say where its sheet {id} is"))),
            Event::Start(tag) => tag,
            _ => continue,
        };
        if attribute(&tag, "Id")?.is_some_and(|of| of == id)
            && let Some(target) = attribute(&tag, "Target")?
        {
            return Ok(target);
        }
    }
}

fn merges(sheet: &mut dyn BufRead) -> Result<Vec<Dimensions>, Rejection> {
    let mut records = Records::new(sheet);
    let mut found = Vec::new();
    while let Some(record) = records.next_of(MERGE).map_err(broken)? {
        found.push(region(record).ok_or_else(|| broken("a record of merged cells is cut off"))?);
        held_to_the_most(&found)?;
    }
    Ok(found)
}

/// The range that a record of merged cells tells: first and last row, first and last column.
fn region(record: &[u8]) -> Option<Dimensions> {
    let mut numbers = record
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes));
    let (top, bottom) = (numbers.next()?, numbers.next()?);
    let (left, right) = (numbers.next()?, numbers.next()?);
    Some(Dimensions {
        start: (top, left),
        end: (bottom, right),
    })
}

/// The records of a part, one after the other: a kind, a length, and so many bytes.
struct Records<'a> {
    from: &'a mut dyn BufRead,
    record: Vec<u8>,
}

impl<'a> Records<'a> {
    fn new(from: &'a mut dyn BufRead) -> Self {
        Self {
            from,
            record: Vec::new(),
        }
    }

    /// The next record of a kind; those of others are passed over.
    fn next_of(&mut self, kind: u16) -> io::Result<Option<&[u8]>> {
        while !self.from.fill_buf()?.is_empty() {
            let (of, length) = (self.number(2)?, self.number(4)?);
            let mut rest = (&mut *self.from).take(u64::from(length));
            self.record.clear();
            let read = if of == u32::from(kind) && length <= MAX_RECORD {
                rest.read_to_end(&mut self.record)?;
                u64::try_from(self.record.len()).unwrap_or(u64::MAX)
            } else {
                io::copy(&mut rest, &mut io::sink())?
            };
            if read < u64::from(length) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if of == u32::from(kind) {
                return Ok(Some(&self.record));
            }
        }
        Ok(None)
    }

    /// A number in bytes of seven bits each, the lowest first; the eighth says that more follow.
    fn number(&mut self, most_bytes: u32) -> io::Result<u32> {
        let mut number = 0;
        for place in 0..most_bytes {
            let mut byte = [0_u8];
            self.from.read_exact(&mut byte)?;
            let [byte] = byte;
            number |= u32::from(byte & 0x7F) << (7 * place);
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: [u8; 2], payload: &[u8]) -> Vec<u8> {
        [&kind[..], &[u8::try_from(payload.len()).unwrap()], payload].concat()
    }

    fn numbers(of: &[u32]) -> Vec<u8> {
        of.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn text(of: &str) -> Vec<u8> {
        let units: Vec<u16> = of.encode_utf16().collect();
        let length = u32::try_from(units.len()).unwrap().to_le_bytes();
        let units = units.into_iter().flat_map(u16::to_le_bytes);
        length.into_iter().chain(units).collect()
    }

    fn sheet(id: &str, name: &str) -> Vec<u8> {
        record([0x9C, 0x01], &[numbers(&[0, 1]), text(id), text(name)].concat())
    }

    #[test]
    fn merged_cells_are_found_among_other_records() {
        let part = [
            record([0x81, 0x01], &[]),
            record([0x87, 0x01], &[9; 100]),
            // Of two bytes for its length.
            [&[0x12, 0x82, 0x01][..], &[7; 130]].concat(),
            record([0xB0, 0x01], &numbers(&[1, 2, 0, 3])),
            record([0xB0, 0x01], &numbers(&[4, 9, 5, 5])),
            record([0xB2, 0x01], &[]),
        ];
        let found = merges(&mut part.concat().as_slice()).unwrap();
        let found: Vec<_> = found.iter().map(|region| (region.start, region.end)).collect();
        assert_eq!(found, [((1, 0), (2, 3)), ((4, 5), (9, 5))]);
    }

    #[test]
    fn a_sheet_is_found_by_its_name() {
        let book = [
            record([0x83, 0x01], &[]),
            sheet("rId7", "Cover"),
            sheet("rId1", "Bestellungen für May"),
        ]
        .concat();
        let find = |name| relation(&mut book.as_slice(), name);
        assert_eq!(find("Bestellungen für May").unwrap(), "rId1");
        assert!(find("Orders").is_err());
        let relations = r#"<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.bin"/>
            <Relationship Id="rId1" Type="x" Target="worksheets/a&amp;b.bin"/></Relationships>"#;
        let place = |id| target(&mut relations.as_bytes(), id);
        assert_eq!(place("rId1").unwrap(), "worksheets/a&b.bin");
        assert!(place("rId2").is_err());
    }

    #[test]
    fn what_is_cut_off_is_broken() {
        let whole = [
            sheet("rId1", "Orders"),
            record([0xB0, 0x01], &numbers(&[1, 2, 0, 3])),
        ]
        .concat();
        let cut = |at: usize| whole.get(..at).unwrap();
        for at in 1..whole.len() {
            let mut part = cut(at);
            if at != sheet("rId1", "Orders").len() {
                assert!(merges(&mut part).is_err(), "{at}");
            }
        }
        for payload in [&[][..], &[0; 15]] {
            assert!(merges(&mut record([0xB0, 0x01], payload).as_slice()).is_err());
            assert!(relation(&mut record([0x9C, 0x01], payload).as_slice(), "").is_err());
        }
        // A length beyond every part.
        assert!(merges(&mut &[0xB0, 0x01, 0xFF, 0xFF, 0xFF, 0x7F, 0][..]).is_err());
    }
}
