//! Separated text with a space between a separator and the quotation mark behind it: `1001, "Ada Example"`. A mark quotes
//! only where it is the first character of its cell, so that these would be printed with the text between them. Where
//! every such cell of a file ends as a quoted one does, they quote, and the spaces are left out.

use std::io::{self, Read};

use super::dialect::QuoteState as Place;

/// Follows a text a byte at a time, and says what of it stays.
#[derive(Debug)]
struct Follower {
    delimiter: u8,
    place: Place,
    /// Spaces at the start of a cell, or behind its closing mark, of which it is not known yet whether they stay.
    spaces: usize,
    /// Whether the cell is quoted behind spaces, and whether any cell was.
    is_spaced: bool,
    has_spaced: bool,
    /// Whether text stands behind the closing mark of such a cell: then it is no quoted one.
    has_text_behind: bool,
}

impl Follower {
    fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            place: Place::CellStart,
            spaces: 0,
            is_spaced: false,
            has_spaced: false,
            has_text_behind: false,
        }
    }

    /// Takes a byte; `keep` is given what stays of the text.
    fn step(&mut self, byte: u8, mut keep: impl FnMut(u8)) {
        if byte == b' ' && matches!(self.place, Place::CellStart | Place::Closing) {
            self.spaces = self.spaces.saturating_add(1);
            return;
        }
        let spaces = std::mem::take(&mut self.spaces);
        let ends = byte == self.delimiter || matches!(byte, b'\n' | b'\r');
        let (next, stay) = match (self.place, byte) {
            (Place::CellStart, b'"') => {
                self.is_spaced = spaces > 0;
                self.has_spaced |= self.is_spaced;
                (Place::Quoted, false)
            }
            (Place::Quoted, b'"') => (Place::Closing, true),
            (Place::Quoted, _) => (Place::Quoted, true),
            (Place::Closing, b'"') if spaces == 0 => (Place::Quoted, true),
            (Place::Closing, _) if ends => (Place::CellStart, !self.is_spaced),
            (Place::Closing, _) => {
                self.has_text_behind |= self.is_spaced;
                (Place::Plain, true)
            }
            (Place::CellStart | Place::Plain, _) if ends => (Place::CellStart, true),
            (Place::CellStart | Place::Plain, _) => (Place::Plain, true),
        };
        if stay {
            (0..spaces).for_each(|_space| keep(b' '));
        }
        keep(byte);
        self.place = next;
    }
}

/// Whether cells of a text are quoted behind spaces, and each of them ends as a quoted one.
pub(super) fn quotes_behind_spaces(mut text: impl Read, delimiter: u8) -> io::Result<bool> {
    let mut follower = Follower::new(delimiter);
    let mut buffer = vec![0_u8; 64 * 1024];
    loop {
        let read = text.read(&mut buffer)?;
        if read == 0 || follower.has_text_behind {
            return Ok(follower.has_spaced && !follower.has_text_behind);
        }
        for byte in buffer.get(..read).unwrap_or_default() {
            follower.step(*byte, |_kept| {});
        }
    }
}

/// Whether a chunk of text may have a cell that is quoted behind a space.
pub(super) fn may_be_in(chunk: &[u8]) -> bool {
    memchr::memmem::find_iter(chunk, b" \"").any(|at| {
        let before = at.checked_sub(1).and_then(|before| chunk.get(before));
        before.is_none_or(|before| b",;|\n \r".contains(before))
    })
}

/// A text without the spaces around its quoted cells, or as it is.
#[derive(Debug)]
pub(super) struct Unspaced<R> {
    text: R,
    /// None where it is given as it is.
    follower: Option<Follower>,
    chunk: Vec<u8>,
    /// What stays of the chunk that was read, and how much of it was given.
    kept: Vec<u8>,
    given: usize,
}

impl<R: Read> Unspaced<R> {
    pub(super) fn new(text: R, delimiter: u8, is_spaced: bool) -> Self {
        Self {
            text,
            follower: is_spaced.then(|| Follower::new(delimiter)),
            chunk: vec![0; if is_spaced { 64 * 1024 } else { 0 }],
            kept: Vec::new(),
            given: 0,
        }
    }
}

impl<R: Read> Read for Unspaced<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(follower) = &mut self.follower else {
            return self.text.read(buffer);
        };
        while self.given == self.kept.len() {
            self.kept.clear();
            self.given = 0;
            let read = self.text.read(&mut self.chunk)?;
            if read == 0 {
                return Ok(0);
            }
            for byte in self.chunk.get(..read).unwrap_or_default() {
                follower.step(*byte, |kept| self.kept.push(kept));
            }
        }
        let left = self.kept.get(self.given..).unwrap_or_default();
        let given = left.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(left) {
            *to = *from;
        }
        self.given = self.given.saturating_add(given);
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unspaced(text: &str) -> String {
        io::read_to_string(Unspaced::new(text.as_bytes(), b',', true)).unwrap()
    }

    #[test]
    fn spaces_around_a_quoted_cell_are_left_out_and_no_others() {
        for (text, without) in [
            (
                "\"a\", \"b, c\",  \"d\" , e f ,\n \"g\"\n",
                "\"a\",\"b, c\",\"d\", e f ,\n\"g\"\n",
            ),
            ("a, \"say \"\"b, c\"\"\", d", "a,\"say \"\"b, c\"\"\", d"),
            ("5, 5 \"b\", c\"", "5, 5 \"b\", c\""),
            ("\"a, \"\"b\"\"\" ,c", "\"a, \"\"b\"\"\" ,c"),
        ] {
            assert_eq!(unspaced(text), without);
        }
    }

    #[test]
    fn marks_behind_spaces_quote_where_every_such_cell_ends_in_one() {
        for (text, quote) in [
            ("a, \"b\"\n1, \"c, d\"", true),
            ("a, \"b\" \n1,\"c\"", true),
            ("a,b\n1, \"c\" shirt", false),
            ("a,\"b, \"\"c\"\", d\"", false),
            ("a,b", false),
            ("a, \"b\"\n1, \"c", true),
        ] {
            assert_eq!(
                quotes_behind_spaces(text.as_bytes(), b',').unwrap(),
                quote,
                "{text}"
            );
            assert!(!quote || may_be_in(text.as_bytes()), "{text}");
        }
    }
}
