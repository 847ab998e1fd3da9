//! How a text file separates its cells: the separator, and whether quotation marks quote.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter};

use super::encoding::Decoder;
use super::spaced::Unspaced;

/// The separators that are tried, in the order of their use where nothing else decides.
pub(super) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How the cells of one file are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) delimiter: u8,
    /// Whether a cell that begins with a quotation mark is quoted. Reports separated by tabs often are not.
    pub(super) quoting: bool,
    /// Whether it does so behind spaces too: `1001, "Ada"`.
    pub(super) is_spaced: bool,
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
    place: QuoteState,
    ill_formed: bool,
    spans_lines: bool,
    /// The line that is followed, from 1, and the one in which the last quoted cell began.
    line: u64,
    opened: u64,
    /// The line in which a cell of several lines began behind whose closing mark text stands.
    wrong: Option<u64>,
}

/// What the reading of quoted cells stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuoteState {
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
            place: QuoteState::CellStart,
            ill_formed: false,
            spans_lines: false,
            line: 1,
            opened: 1,
            wrong: None,
        }
    }

    /// Follows the next bytes of text.
    pub(super) fn feed(&mut self, mut text: &[u8]) {
        while !text.is_empty() {
            let to_mark = match self.place {
                QuoteState::Closing => 0,
                QuoteState::CellStart | QuoteState::Plain | QuoteState::Quoted => {
                    memchr(b'"', text).unwrap_or(text.len())
                }
            };
            let (without, from_mark) = text.split_at(to_mark);
            self.pass(without);
            let Some((byte, rest)) = from_mark.split_first() else {
                return;
            };
            self.step(*byte);
            text = rest;
        }
    }

    /// Follows text without a quotation mark, not right after one.
    fn pass(&mut self, text: &[u8]) {
        let lines = memchr_iter(b'\n', text).count();
        self.line = self.line.saturating_add(u64::try_from(lines).unwrap_or(u64::MAX));
        match (self.place, text.last()) {
            (_, None) => {}
            (QuoteState::Quoted, _) => self.spans_lines |= lines > 0,
            (_, Some(last)) => self.place = self.after(*last),
        }
    }

    /// Follows a quotation mark, or what comes after one.
    fn step(&mut self, byte: u8) {
        let line = self.line;
        self.line = line.saturating_add(u64::from(byte == b'\n'));
        self.place = match (self.place, byte) {
            (QuoteState::CellStart, b'"') => {
                self.opened = line;
                QuoteState::Quoted
            }
            (QuoteState::Closing, b'"') => QuoteState::Quoted,
            (QuoteState::Quoted, _) => QuoteState::Closing,
            (QuoteState::Plain, _) => {
                self.ill_formed = true;
                QuoteState::Plain
            }
            (QuoteState::CellStart | QuoteState::Closing, _) => {
                let place = self.after(byte);
                self.ill_formed |= place == QuoteState::Plain;
                if place == QuoteState::Plain && self.opened < line {
                    self.wrong = self.wrong.or(Some(self.opened));
                }
                place
            }
        };
    }

    /// The place after a character that is no quotation mark, outside quotes.
    fn after(&self, byte: u8) -> QuoteState {
        if byte == self.delimiter || byte == b'\n' {
            QuoteState::CellStart
        } else {
            QuoteState::Plain
        }
    }

    /// Whether the text seen so far ends inside a quoted cell.
    pub(super) fn ends_inside(&self) -> bool {
        self.place == QuoteState::Quoted
    }

    /// The line of the quotation mark that is never closed; none where the text does not end inside a quoted cell. Where an
    /// earlier cell was closed by what began another one, it is the mark of that.
    pub(super) fn unclosed(&self) -> Option<u64> {
        self.ends_inside().then(|| self.wrong.unwrap_or(self.opened))
    }

    /// Whether every quotation mark of the text is in its place.
    pub(super) fn is_well_formed(&self) -> bool {
        !self.ill_formed && !self.ends_inside()
    }

    /// Whether a quoted cell goes on in another line.
    pub(super) fn spans_lines(&self) -> bool {
        self.spans_lines
    }
}

/// Follows a whole text.
pub(super) fn scan(text: Decoder, dialect: Dialect) -> io::Result<QuoteScan> {
    let mut scan = QuoteScan::new(dialect.delimiter);
    let mut text = Unspaced::new(text, dialect.delimiter, dialect.is_spaced);
    let mut buffer = vec![0_u8; 64 * 1024];
    loop {
        let read = text.read(&mut buffer)?;
        if read == 0 {
            return Ok(scan);
        }
        scan.feed(buffer.get(..read).unwrap_or_default());
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a text ends inside quotes, and whether every quotation mark is in its place: one character at a time.
    fn plainly(text: &str) -> (bool, bool) {
        let (mut inside, mut well_formed) = (false, true);
        let mut before = ',';
        let mut characters = text.chars().peekable();
        while let Some(now) = characters.next() {
            let at_start = matches!(before, ',' | '\n');
            before = now;
            match (now, inside) {
                ('"', false) if at_start => inside = true,
                ('"', false) => well_formed = false,
                // Two are one that is quoted; one ends the cell, and only a separator may follow it.
                ('"', true) if characters.next_if_eq(&'"').is_none() => {
                    inside = false;
                    well_formed &= characters.peek().is_none_or(|next| matches!(next, ',' | '\n'));
                }
                _ => {}
            }
        }
        (inside, well_formed)
    }

    #[test]
    fn the_line_of_a_mark_that_is_never_closed_is_told_wherever_pieces_end() {
        for (text, line) in [
            ("a,b\n1,x\n2,\"y\n3,z\n", Some(3)),
            ("\"a\n", Some(1)),
            ("a,b\n\n\"1\",\"x\"\n2,\"y\"\"", Some(4)),
            ("a,\"b\nc\"\n1,\"x", Some(3)),
            // The mark of line 2 is closed by that of line 3, and that of line 4 by none.
            ("a,b\n1,\"x\n2,\"y\n3,\"z\n", Some(2)),
            ("a,b\n1,\"x\"\n", None),
            ("a,b\n1,5\" x\n", None),
        ] {
            for cut in 0..=text.len() {
                let (first, second) = text.as_bytes().split_at(cut);
                let mut scan = QuoteScan::new(b',');
                scan.feed(first);
                scan.feed(second);
                assert_eq!(scan.unclosed(), line, "{text} {cut}");
            }
        }
    }

    proptest! {
        #[test]
        fn quotes_are_followed_wherever_pieces_end(text in "[a,\"\n]{0,24}", cut in 0_usize..24) {
            let (first, second) = text.as_bytes().split_at(cut.min(text.len()));
            let mut scan = QuoteScan::new(b',');
            scan.feed(first);
            scan.feed(second);
            let (inside, well_formed) = plainly(&text);
            prop_assert_eq!(scan.ends_inside(), inside);
            prop_assert_eq!(!scan.ill_formed, well_formed);
        }
    }
}
