//! Damaged sheets from good ones: bytes turned, cut, doubled and moved; and for archives the same inside of one member,
//! whose numbers are what libraries make room by.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Numbers that break what counts.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "65536",
    "1048576",
    "16777216",
    "4294967295",
    "4294967296",
    "1000000000000",
    "18446744073709551615",
    "99999999999999999999999",
    "1e308",
    "NaN",
];

/// A generator whose numbers follow from its seed alone.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`, which is above zero.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    pub(super) fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A damaged sheet of at most `largest` bytes; `other` is one that may lend it a piece.
pub(super) fn mutated(seed: &[u8], other: &[u8], largest: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = match members(seed) {
        Some(parts) if random.below(4) > 0 => rezipped(parts, members(other).as_ref(), random),
        _ => seed.to_vec(),
    };
    if bytes == seed {
        for _ in 0..=random.below(3) {
            damage(&mut bytes, other, random);
        }
    }
    bytes.truncate(largest);
    bytes
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len());
    let length = 1 + random.below(1 + bytes.len() / 4);
    let end = (at + length).min(bytes.len());
    match random.below(8) {
        0 => {
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let piece = bytes[at..end].to_vec();
            for _ in 0..=random.below(200) {
                bytes.splice(at..at, piece.iter().copied());
                if bytes.len() > 1 << 21 {
                    break;
                }
            }
        }
        4 => {
            let from = random.below(other.len());
            let to = (from + length).min(other.len());
            bytes.splice(at..end, other[from..to].iter().copied());
        }
        5 => {
            for value in &mut bytes[at..end.min(at + 8)] {
                *value = *random.one_of(&[0, 1, 0x7f, 0x80, 0xff]);
            }
        }
        6 => bytes.insert(at, *random.one_of(b"\"\n\r\t\0;,|<>&'\xff")),
        _ => other_number(bytes, random),
    }
}

/// Puts another number in the place of one that is written in digits.
fn other_number(bytes: &mut Vec<u8>, random: &mut Random) {
    let from = random.below(bytes.len());
    let Some(start) = (from..bytes.len()).find(|at| bytes[*at].is_ascii_digit()) else {
        return;
    };
    let end = (start..bytes.len())
        .find(|at| !bytes[*at].is_ascii_digit())
        .unwrap_or(bytes.len());
    bytes.splice(start..end, random.one_of(NUMBERS).bytes());
}

type Parts = Vec<(String, Vec<u8>)>;

/// The members of an archive; none where it is none.
fn members(bytes: &[u8]) -> Option<Parts> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut parts = Vec::new();
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).ok()?;
        let name = member.name().ok()?.into_owned();
        let mut content = Vec::new();
        member.read_to_end(&mut content).ok()?;
        parts.push((name, content));
    }
    (!parts.is_empty()).then_some(parts)
}

/// The archive again, with one member damaged, gone, doubled under another's name, or taken from the other archive.
fn rezipped(mut parts: Parts, other: Option<&Parts>, random: &mut Random) -> Vec<u8> {
    let at = random.below(parts.len());
    match random.below(8) {
        0 => drop(parts.remove(at)),
        1 => {
            let name = random.one_of(&parts).0.clone();
            parts[at].0 = name;
        }
        2 => {
            if let Some(lent) = other.and_then(|other| other.get(at)) {
                parts[at].1.clone_from(&lent.1);
            }
        }
        _ => {
            let lent = random.one_of(&parts).1.clone();
            let content = &mut parts[at].1;
            for _ in 0..=random.below(4) {
                if random.below(2) == 0 {
                    other_number(content, random);
                } else {
                    damage(content, &lent, random);
                }
            }
        }
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        let method = *random.one_of(&[CompressionMethod::Deflated, CompressionMethod::Stored]);
        let options = SimpleFileOptions::default().compression_method(method);
        // A name that is there already is refused; then it is one member fewer.
        if zip.start_file(name, options).is_ok() {
            zip.write_all(&content).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}
