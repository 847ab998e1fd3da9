//! What a file is by its first bytes, whatever its name says.

use std::fs::File;
use std::sync::Arc;

use super::reject::unreadable;
use super::source::{Source, read_full};
use crate::finding::Rejection;

/// What a file is by its first bytes.
pub(super) enum Content {
    Nothing,
    /// A zip archive, as every workbook since 2007 is.
    Archive,
    /// A compound file: .xls, or a workbook with a password.
    OldWorkbook,
    /// What is called a sheet by its name alone.
    Other(&'static str),
    Text,
}

/// How files begin that are no sheets, and what they are.
const OTHERS: [(&[u8], &str); 10] = [
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n\x1A\n", "a picture (PNG)"),
    (b"\xFF\xD8\xFF", "a picture (JPEG)"),
    (b"GIF87a", "a picture (GIF)"),
    (b"GIF89a", "a picture (GIF)"),
    (b"{\\rtf", "a text document (RTF)"),
    (b"Rar!\x1A\x07", "a packed archive (RAR)"),
    (b"7z\xBC\xAF\x27\x1C", "a packed archive (7z)"),
    (b"\x1F\x8B\x08", "a packed file (gzip)"),
    (b"%!PS-", "a PostScript file"),
];

pub(super) fn content(file: &Arc<File>) -> Result<Content, Rejection> {
    let mut magic = [0_u8; 8];
    let read = read_full(&mut Source::new(file), &mut magic).map_err(|error| unreadable(&error))?;
    let start = magic.get(..read).unwrap_or_default();
    let other = OTHERS.iter().find(|(magic, _)| start.starts_with(magic));
    Ok(match (start, other) {
        ([], _) => Content::Nothing,
        ([b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..], _) => Content::Archive,
        ([0xD0, 0xCF, 0x11, 0xE0, ..], _) => Content::OldWorkbook,
        (_, Some((_, what))) => Content::Other(what),
        (_, None) => Content::Text,
    })
}
