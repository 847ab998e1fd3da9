//! The records of a text in which no cell is quoted: each line is one, and each separator ends a cell. To find them takes a
//! fraction of the time of a reader that has to know of each character whether it stands in quotation marks.

use std::io::{self, Read};
use std::ops::Range;

use memchr::memchr;

/// How many bytes are asked for at once.
const CHUNK: usize = 64 * 1024;

/// Lines that are not empty, one at a time.
pub(super) struct Lines<R> {
    text: R,
    delimiter: u8,
    longest: usize,
    buffer: Vec<u8>,
    /// What is in the buffer and not given yet.
    unread: Range<usize>,
    line: String,
    ended: bool,
    has_begun: bool,
}

impl<R: Read> Lines<R> {
    /// The lines of a text; one of more than `longest` bytes is not read to its end.
    pub(super) fn new(text: R, delimiter: u8, longest: usize) -> Self {
        Self {
            text,
            delimiter,
            longest,
            buffer: Vec::new(),
            unread: 0..0,
            line: String::new(),
            ended: false,
            has_begun: false,
        }
    }

    /// Reads the next line and gives the number of empty lines before it; none at the end.
    ///
    /// # Errors
    /// The text's own; [`io::ErrorKind::FileTooLarge`] for a line that is too long, [`io::ErrorKind::InvalidData`] for one
    /// that is not UTF-8.
    pub(super) fn read(&mut self) -> io::Result<Option<u64>> {
        let mut empty = 0_u64;
        while let Some(line) = self.next()? {
            let line = self.buffer.get(line).unwrap_or_default();
            let text = std::str::from_utf8(line)
                .map_err(|damage| io::Error::new(io::ErrorKind::InvalidData, damage))?;
            // A second one, which the reader of quoted records leaves out too.
            let begins = !std::mem::replace(&mut self.has_begun, true);
            let text = text.strip_prefix('\u{FEFF}').filter(|_| begins).unwrap_or(text);
            if !text.is_empty() {
                self.line.clear();
                self.line.push_str(text);
                return Ok(Some(empty));
            }
            empty = empty.saturating_add(1);
        }
        Ok(None)
    }

    /// The line that was read, with its separators.
    pub(super) fn line(&self) -> &str {
        &self.line
    }

    /// What separates its cells.
    pub(super) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Its cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = &str> {
        // Most cells have a few bytes: to look at each costs less than to begin a search for each.
        let cells = self.line.as_bytes().split(|byte| *byte == self.delimiter);
        let mut from = 0;
        cells.map(move |cell| {
            let text = self.line.get(from..from + cell.len()).unwrap_or_default();
            from += cell.len() + 1;
            text
        })
    }

    /// Where the next line stands in the buffer, without its end; none at the end.
    fn next(&mut self) -> io::Result<Option<Range<usize>>> {
        let mut looked_at = 0;
        loop {
            let unread = self.buffer.get(self.unread.clone()).unwrap_or_default();
            let from = self.unread.start;
            if let Some(at) = memchr(b'\n', unread.get(looked_at..).unwrap_or_default()) {
                let end = from + looked_at + at;
                self.unread.start = end + 1;
                return Ok(Some(from..end));
            }
            looked_at = unread.len();
            if self.ended {
                self.unread.start = self.unread.end;
                return Ok((looked_at > 0).then_some(from..from + looked_at));
            }
            if looked_at > self.longest {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            self.fill()?;
        }
    }

    /// Reads on behind what is not given yet.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        if self.buffer.len() < self.unread.end + CHUNK {
            self.buffer.resize(self.unread.end + CHUNK, 0);
        }
        let free = self.buffer.get_mut(self.unread.end..).unwrap_or_default();
        let read = self.text.read(free)?;
        self.ended = read == 0;
        self.unread.end += read;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(buffer.len());
            self.0.read(&mut buffer[..most])
        }
    }

    fn all(text: &[u8], at_once: usize, longest: usize) -> io::Result<Vec<(u64, Vec<String>)>> {
        let mut lines = Lines::new(Slowly(text, at_once), b',', longest);
        let mut all = Vec::new();
        while let Some(empty) = lines.read()? {
            all.push((empty, lines.cells().map(str::to_owned).collect()));
        }
        Ok(all)
    }

    #[test]
    fn cells_are_what_stands_between_separators_wherever_the_pieces_end() {
        let text = "a,b\n\n\n,é,\nlast".as_bytes();
        for at_once in 1..=text.len() {
            let found = all(text, at_once, 100).unwrap();
            let told: Vec<String> = found
                .iter()
                .map(|(empty, cells)| format!("{empty}:{}", cells.join("/")))
                .collect();
            assert_eq!(told, ["0:a/b", "2:/é/", "0:last"], "{at_once} at once");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_not_gathered() {
        let text = "short\n".to_owned() + &"x".repeat(1_000_000);
        let error = all(text.as_bytes(), 1000, 10_000).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        let mut lines = Lines::new(Slowly(text.as_bytes(), 1000), b',', 10_000);
        while lines.read().is_ok_and(|read| read.is_some()) {}
        assert!(lines.buffer.len() < 200_000, "{} bytes", lines.buffer.len());
    }

    #[test]
    fn what_is_not_utf_8_is_no_line() {
        let error = all(b"a\n\xFF\n", 8, 100).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
