//! What a workbook's archive must be before the reader of workbooks may see it: the reader asks for memory by what the
//! archive says, and memory that is refused ends the program.
//!
//! The sizes in the archive's directory are held to while unpacking, so their sum is a bound that holds.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;

use zip::ZipArchive;
use zip::result::ZipError;

use super::reject::{an_archive, another_kind, broken, other_workbook, too_large, unreadable};
use super::source::{Source, read_full};
use crate::finding::Rejection;

/// Entries in the archive; a workbook with a hundred sheets and pictures has some hundreds.
const MAX_ENTRIES: usize = 10_000;
/// Bytes of all entries unpacked: a million rows of 25 columns unpack to about 1.5 GB.
pub(super) const MAX_UNPACKED: u64 = 2 << 30;
/// How many times its size an archive may unpack to, once it is larger than [`SMALL`]; sheets come to 20 to 60.
const MAX_RATIO: u64 = 200;
/// Bytes unpacked that are never too many, whatever the ratio.
const SMALL: u64 = 64 << 20;
/// Bytes of any entry but a worksheet (or the one part that holds all sheets of an .ods): the shared texts are kept in memory, all of them, in up to three times as much.
const MAX_KEPT: u64 = 128 << 20;
/// Bytes at the start of the shared texts in which their count must stand.
const COUNT_WITHIN: usize = 64 * 1024;
/// The shortest shared text there is: `<si/>`.
const SHORTEST_SHARED: u64 = 5;

type Archive = ZipArchive<BufReader<Source>>;

/// Whether the archive's directory, which is written last, can be read.
pub(super) fn is_complete(file: &Arc<File>) -> Result<bool, Rejection> {
    match ZipArchive::new(BufReader::new(Source::new(file))) {
        Ok(_) => Ok(true),
        Err(ZipError::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => Err(unreadable(&error)),
        Err(_incomplete) => Ok(false),
    }
}

/// Which kind of workbook an archive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// .xlsx, .xlsm
    Xlsx,
    /// .xlsb
    Xlsb,
    /// .ods
    Ods,
}

/// What an archive that was checked holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Checked {
    /// Which kind of workbook.
    pub(super) kind: Kind,
    /// Whether any part of it may speak of merged cells.
    pub(super) has_merges: bool,
    /// The indexes of its shared texts and of its sheets, where texts in them may have parts that are struck through.
    pub(super) struck_texts: Vec<usize>,
}

/// Checks an archive that claims to be a workbook.
pub(super) fn check(file: &Arc<File>, bytes: u64) -> Result<Checked, Rejection> {
    let mut archive: Archive = ZipArchive::new(BufReader::new(Source::new(file))).map_err(broken)?;
    if archive.len() > MAX_ENTRIES {
        return Err(too_large(format!(
            "The workbook has {} parts; the limit is {MAX_ENTRIES}.",
            archive.len()
        )));
    }
    let mut unpacked = 0_u64;
    let mut parts = Parts::default();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(broken)?;
        let name = entry
            .name()
            .map_err(broken)?
            .replace('\\', "/")
            .to_ascii_lowercase();
        unpacked = unpacked.saturating_add(entry.size());
        if entry.size() > MAX_KEPT && !is_worksheet(&name) {
            return Err(too_large(format!(
                "The workbook's part {name} has {} bytes; the limit is {MAX_KEPT}.",
                entry.size()
            )));
        }
        parts.see(&name, index, entry.size());
    }
    if unpacked > MAX_UNPACKED || (unpacked > SMALL && unpacked / bytes.max(1) > MAX_RATIO) {
        return Err(too_large(format!(
            "The workbook unpacks from {bytes} to {unpacked} bytes, which no order sheet does."
        )));
    }
    let kind = parts.kind()?;
    for (index, size) in &parts.shared_texts {
        check_shared_texts(&mut archive, *index, *size)?;
    }
    let (mut has_merges, mut struck_texts) = (false, Vec::new());
    for index in 0..archive.len() {
        let [merges, strikes] = check_sum(&mut archive, index, [MERGE, STRIKE])?;
        let is_shared = parts.shared_texts.iter().any(|(shared, _)| *shared == index);
        has_merges |= merges && !is_shared;
        if strikes && (is_shared || parts.sheets.contains(&index)) {
            struck_texts.push(index);
        }
    }
    Ok(Checked {
        kind,
        has_merges,
        struck_texts,
    })
}

/// Unpacks a part once, for its check sum: the reader stops at the last row of a sheet, before the sum is
/// compared, and would take a damaged address for an address. On the way it is seen which names occur in it: whether
/// cells may be merged, the reader could only tell from another reading of the whole sheet.
fn check_sum<const N: usize>(
    archive: &mut Archive,
    index: usize,
    names: [&'static [u8]; N],
) -> Result<[bool; N], Rejection> {
    let mut searches = Searches(names.map(Search::of));
    let mut entry = archive.by_index(index).map_err(broken)?;
    io::copy(&mut entry, &mut searches).map_err(broken)?;
    Ok(searches.0.map(|search| search.found))
}

/// The name of what a merged cell is in XML.
const MERGE: &[u8] = b"mergeCell";

/// The name of what strikes a part of a text through.
const STRIKE: &[u8] = b"strike";

/// Looks for a name in all that is written to it.
struct Search {
    name: &'static [u8],
    found: bool,
    /// The end of what was written last: the name may lie across.
    tail: Vec<u8>,
}

impl Search {
    fn of(name: &'static [u8]) -> Self {
        Self {
            name,
            found: false,
            tail: Vec::new(),
        }
    }

    fn is_in(&self, bytes: &[u8]) -> bool {
        memchr::memmem::find(bytes, self.name).is_some()
    }

    fn see(&mut self, bytes: &[u8]) {
        if !self.found {
            let length = self.name.len();
            let across = bytes.get(..length).unwrap_or(bytes);
            self.tail.extend_from_slice(across);
            self.found = self.is_in(&self.tail) || self.is_in(bytes);
            if let Some((_, end)) = bytes
                .len()
                .checked_sub(length)
                .and_then(|at| bytes.split_at_checked(at))
            {
                self.tail.clear();
                self.tail.extend_from_slice(end);
            }
            let excess = self.tail.len().saturating_sub(length);
            self.tail.drain(..excess);
        }
    }
}

/// Several names that are looked for at once.
struct Searches<const N: usize>([Search; N]);

impl<const N: usize> Write for Searches<N> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for search in &mut self.0 {
            search.see(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a part is streamed. The reader looks for the parts that it keeps by the ends of their names, in whatever
/// folder the archive says.
pub(super) fn is_worksheet(name: &str) -> bool {
    let kept = [
        "sharedstrings.xml",
        "styles.xml",
        "theme1.xml",
        "workbook.xml",
        ".rels",
    ];
    (name.contains("worksheets/") || name == "content.xml") && !kept.iter().any(|end| name.ends_with(end))
}

/// The parts that tell the kinds of archive apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    ContentTypes,
    BinaryBook,
    OpenDocument,
    Numbers,
    Word,
    PowerPoint,
}

/// What is seen in an archive.
#[derive(Default)]
struct Parts {
    marks: BTreeSet<Mark>,
    /// Index and size of each part that the reader may take for the shared texts.
    shared_texts: Vec<(usize, u64)>,
    /// Indexes of those that are streamed.
    sheets: Vec<usize>,
}

impl Parts {
    fn see(&mut self, name: &str, index: usize, size: u64) {
        let mark = match name {
            "[content_types].xml" => Some(Mark::ContentTypes),
            "content.xml" => Some(Mark::OpenDocument),
            "index/document.iwa" => Some(Mark::Numbers),
            "word/document.xml" => Some(Mark::Word),
            "ppt/presentation.xml" => Some(Mark::PowerPoint),
            _ if name.ends_with("workbook.bin") => Some(Mark::BinaryBook),
            _ => None,
        };
        self.marks.extend(mark);
        if name.ends_with("sharedstrings.xml") {
            self.shared_texts.push((index, size));
        } else if is_worksheet(name) {
            self.sheets.push(index);
        }
    }

    fn kind(&self) -> Result<Kind, Rejection> {
        let has = |mark| self.marks.contains(&mark);
        if has(Mark::Word) {
            return Err(another_kind("a document of Word"));
        }
        if has(Mark::PowerPoint) {
            return Err(another_kind("a presentation of PowerPoint"));
        }
        if has(Mark::ContentTypes) {
            let binary = has(Mark::BinaryBook);
            return Ok(if binary { Kind::Xlsb } else { Kind::Xlsx });
        }
        if has(Mark::OpenDocument) {
            return Ok(Kind::Ods);
        }
        Err(if has(Mark::Numbers) {
            other_workbook("a document of Numbers")
        } else {
            an_archive()
        })
    }
}

/// Refuses shared texts that claim to be more than could stand in their bytes: room for all is made at once.
fn check_shared_texts(archive: &mut Archive, index: usize, size: u64) -> Result<(), Rejection> {
    let mut start = Vec::new();
    let mut entry = archive.by_index(index).map_err(broken)?;
    start.resize(COUNT_WITHIN, 0);
    let read = read_full(&mut entry.by_ref(), &mut start).map_err(broken)?;
    let start = String::from_utf8_lossy(start.get(..read).unwrap_or_default());
    let tag = root_tag(&start).ok_or_else(|| broken("its shared texts do not begin as such"))?;
    let most = size / SHORTEST_SHARED;
    for claim in tag.split("uniqueCount").skip(1) {
        let digits = claim.trim_start_matches([' ', '\t', '\r', '\n', '=', '"', '\'', '+']);
        let digits = digits.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
        if !digits.is_empty() && digits.parse::<u64>().map_or(true, |count| count > most) {
            return Err(broken(format_args!(
                "it claims {digits} shared texts, more than it can hold"
            )));
        }
    }
    Ok(())
}

/// The first tag of an XML text, which must be that of shared texts; comments and declarations before it are skipped.
fn root_tag(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches('\u{FEFF}');
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->")?.1;
        } else if let Some(declaration) = rest.strip_prefix("<?") {
            rest = declaration.split_once("?>")?.1;
        } else {
            break;
        }
    }
    let tag = rest.strip_prefix('<')?.split_once('>')?.0;
    let name = tag.split([' ', '\t', '\r', '\n', '/']).next()?;
    let local = name.rsplit(':').next()?;
    (local == "sst").then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_merge_is_found_wherever_pieces_end() {
        let text = b"<sheetData/><mmergeCells count='1'><mergeCell ref='A1:A2'/>";
        for length in 1..text.len() {
            let mut searches = Searches([MERGE, STRIKE].map(Search::of));
            for piece in text.chunks(length) {
                searches.write_all(piece).unwrap();
            }
            let found = searches.0.map(|search| search.found);
            assert_eq!(found, [true, false], "in pieces of {length}");
        }
        let mut search = Search::of(MERGE);
        search.see(b"<mergeCel");
        search.see(b" l/>");
        assert!(!search.found);
    }
}
