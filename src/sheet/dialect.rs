//! How a text file separates its cells: the separator, and whether quotation marks quote.

use std::io::{self, Read};

use super::encoding::Decoder;

/// The separators that are tried, in the order of their use where nothing else decides.
pub(super) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How the cells of one file are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) delimiter: u8,
    /// Whether a cell that begins with a quotation mark is quoted. Reports separated by tabs often are not.
    pub(super) quoting: bool,
    /// Whether the first line is `sep=;`, which a spreadsheet obeys and does not show.
    pub(super) sep_line: bool,
}

/// The separator that a first line such as `sep=;` names.
pub(super) fn sep_line(text: &str) -> Option<u8> {
    let line = text.lines().next()?.trim_end_matches(' ');
    let line = line
        .strip_prefix('"')
        .map_or(line, |line| line.trim_end_matches('"'));
    let named = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep="))?;
    match line.strip_prefix(named)?.as_bytes() {
        [one] if DELIMITERS.contains(one) => Some(*one),
        _ => None,
    }
}

/// What the quotation marks of a text do, followed a chunk at a time. A quotation mark quotes only where it is the
/// first character of a cell, as the reader of rows has it.
#[derive(Debug)]
pub(super) struct QuoteScan {
    delimiter: u8,
    place: Place,
    ill_formed: bool,
    spans_lines: bool,
    /// Separators on this line, on the first line that has any text, and whether all agreed.
    here: u64,
    first: Option<u64>,
    line_empty: bool,
    uneven: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    CellStart,
    Plain,
    Quoted,
    /// After a quotation mark inside a quoted cell.
    Closing,
}

impl QuoteScan {
    pub(super) fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            place: Place::CellStart,
            ill_formed: false,
            spans_lines: false,
            here: 0,
            first: None,
            line_empty: true,
            uneven: false,
        }
    }

    /// Follows the next bytes of text.
    pub(super) fn feed(&mut self, text: &[u8]) {
        for &byte in text {
            self.count(byte);
            self.place = match (self.place, byte) {
                (Place::CellStart | Place::Closing, b'"') => Place::Quoted,
                (Place::Quoted, b'"') => Place::Closing,
                (Place::Quoted, _) => {
                    self.spans_lines |= byte == b'\n';
                    Place::Quoted
                }
                (Place::CellStart | Place::Plain | Place::Closing, _)
                    if byte == self.delimiter || byte == b'\n' =>
                {
                    Place::CellStart
                }
                (Place::CellStart | Place::Plain, _) => {
                    self.ill_formed |= byte == b'"';
                    Place::Plain
                }
                (Place::Closing, _) => {
                    self.ill_formed = true;
                    Place::Plain
                }
            };
        }
    }

    /// Counts the separators of each line as if nothing were quoted.
    fn count(&mut self, byte: u8) {
        if byte == b'\n' {
            if !self.line_empty {
                self.uneven |= *self.first.get_or_insert(self.here) != self.here;
            }
            self.here = 0;
            self.line_empty = true;
            return;
        }
        self.line_empty = false;
        self.here = self.here.saturating_add(u64::from(byte == self.delimiter));
    }

    /// Whether the text seen so far ends inside a quoted cell.
    pub(super) fn ends_inside(&self) -> bool {
        self.place == Place::Quoted
    }

    /// Whether the quotation marks of a text separated by tabs quote. They do only where every one is in its place;
    /// and where a pair would join lines that are even without it, it does not: to join two orders of an unquoted
    /// report into one row would lose one without a trace.
    fn tabs_quote(&self) -> bool {
        !self.ill_formed && !self.ends_inside() && (!self.spans_lines || self.uneven)
    }
}

/// Follows a whole text.
pub(super) fn scan(mut text: Decoder, delimiter: u8) -> io::Result<QuoteScan> {
    let mut scan = QuoteScan::new(delimiter);
    let mut buffer = vec![0_u8; 64 * 1024];
    loop {
        let read = text.read(&mut buffer)?;
        if read == 0 {
            return Ok(scan);
        }
        scan.feed(buffer.get(..read).unwrap_or_default());
    }
}

/// Whether quotation marks quote in a text separated by tabs.
pub(super) fn tabs_quote(text: Decoder) -> io::Result<bool> {
    Ok(scan(text, b'\t')?.tabs_quote())
}

/// The separator that stands most often in the first line, outside quotes; a comma where none does.
pub(super) fn guess(text: &str) -> u8 {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let mut counts = DELIMITERS.map(|delimiter| (0_usize, delimiter));
    let mut quoted = false;
    for byte in line.bytes() {
        quoted ^= byte == b'"';
        for (count, delimiter) in &mut counts {
            *count = count.saturating_add(usize::from(!quoted && *delimiter == byte));
        }
    }
    // The first of equals wins.
    counts
        .into_iter()
        .rev()
        .max_by_key(|(count, _)| *count)
        .map_or(b',', |(_, delimiter)| delimiter)
}
