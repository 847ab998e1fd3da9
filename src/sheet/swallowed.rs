//! Whether a quoted cell of several lines is one, or whether two stray quotation marks make one of rows: a gift note that
//! begins with one, and one in a later row that ends with one. The rows between them would be lost without a trace.
//!
//! Two things tell them apart, each of them in the text of a single record:
//! - The line in which the cell begins is a whole row if its mark is text, and so is one of the lines that follow.
//!   A cell of ordinary text has fewer separators in a line, and a space behind most of them.
//! - Behind its closing mark stands neither a separator nor the line's end, as it never does where a program quoted.

use memchr::{memchr, memchr_iter, memchr2};

/// The columns from which on the separators of a line say something: two words with a comma are no row.
const FEWEST_COLUMNS: usize = 5;

/// The same between tabs, of which a cell of text has none.
const FEWEST_BETWEEN_TABS: usize = 2;

/// A quoted cell that seems to hold rows. Lines are counted from the record's first, which is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Swallowed {
    /// The line in which the cell begins.
    pub(super) from: usize,
    /// The line in which it ends.
    pub(super) to: usize,
    /// The first line in it that looks like a row; none where only the text behind its closing mark tells.
    pub(super) row: Option<usize>,
}

/// What a row of the sheet looks like as a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    delimiter: u8,
    /// Separators of a whole row.
    separators: usize,
    /// A line with fewer separators is no row; none where no line can be told to be one.
    fewest: Option<usize>,
}

/// The separators of a line, and how many of them stand before a space, as those of prose do.
#[derive(Debug, Default)]
struct Separators {
    all: usize,
    spaced: usize,
}

/// A cell at the start of some text.
struct Cell<'a> {
    /// What stands between its quotation marks.
    quoted: &'a [u8],
    /// The rest of the cell, which is all of it where it is not quoted.
    behind: &'a [u8],
    /// What follows it, from its separator or its line's end on.
    rest: &'a [u8],
}

impl Shape {
    /// The rows of a sheet whose header has so many columns. Blank cells at a row's end are not always written.
    pub(super) fn new(delimiter: u8, columns: usize) -> Self {
        let (fewest_columns, unwritten) = if delimiter == b'\t' {
            (FEWEST_BETWEEN_TABS, 4)
        } else {
            (FEWEST_COLUMNS, 6)
        };
        let separators = columns.saturating_sub(1);
        Self {
            delimiter,
            separators,
            fewest: (columns >= fewest_columns).then(|| separators - separators / unwritten),
        }
    }

    /// Looks for a cell that holds rows in the text of one record. One that is never closed is none: that the file
    /// ends inside it is said of it anyway.
    pub(super) fn swallowed(&self, record: &[u8]) -> Option<Swallowed> {
        let mut before = 0;
        let empty = record.iter().take_while(|byte| **byte == b'\n').count();
        let mut text = record.get(empty..)?;
        loop {
            let cell = self.cell(text)?;
            let found = self.in_cell(record, record.len() - text.len(), before, &cell);
            if found.is_some() {
                return found;
            }
            let (end, next) = cell.rest.split_first()?;
            if *end != self.delimiter {
                return None;
            }
            text = next;
            before += 1;
        }
    }

    /// The same in one cell, which begins at a byte of its record and has so many before it.
    fn in_cell(&self, record: &[u8], at: usize, before: usize, cell: &Cell<'_>) -> Option<Swallowed> {
        let (first, others) = split_line(cell.quoted)?;
        // With the line's beginning: what is quoted there may be a stray pair, too.
        let line = record.get(..at + 1 + first.len())?;
        let line = line.rsplit(|byte| *byte == b'\n').next()?;
        let found = self.separators(first);
        let is_whole = !self.is_cut(first, before + found.all);
        let first = before + self.tight(&found);
        let fewest = self
            .fewest
            .filter(|fewest| (first >= *fewest && is_whole) || self.is_row(line, *fewest));
        let row = fewest.and_then(|fewest| self.row_in(fewest, others, cell));
        if row.is_none() && cell.behind.iter().all(|byte| *byte == b' ') {
            return None;
        }
        let from = lines(record.get(..at)?);
        Some(Swallowed {
            from,
            to: from + lines(cell.quoted),
            row: row.map(|row| from + 1 + row),
        })
    }

    /// Which of the lines behind a cell's first one looks like a row.
    fn row_in(&self, fewest: usize, others: &[u8], cell: &Cell<'_>) -> Option<usize> {
        let mut others = others;
        let mut at = 0;
        while let Some((line, rest)) = split_line(others) {
            if self.is_row(line, fewest) {
                return Some(at);
            }
            at += 1;
            others = rest;
        }
        // The last line goes on behind the cell.
        let last = [others, b"\"", cell.behind, self.up_to_line_end(cell.rest)];
        self.is_row(&last.concat(), fewest).then_some(at)
    }

    /// What follows a cell up to its line's end, or to the next cell that goes on in another line.
    fn up_to_line_end<'a>(&self, behind: &'a [u8]) -> &'a [u8] {
        let mut text = behind;
        while let Some((end, next)) = text.split_first()
            && *end == self.delimiter
        {
            text = next;
            let Some(cell) = self
                .cell(next)
                .filter(|cell| memchr(b'\n', cell.quoted).is_none())
            else {
                break;
            };
            text = cell.rest;
        }
        behind.get(..behind.len() - text.len()).unwrap_or_default()
    }

    /// Whether a line looks like a row: by its separators outside the quotes of its own cells, if these end in it.
    fn is_row(&self, line: &[u8], fewest: usize) -> bool {
        let (mut found, mut within, mut text) = (Separators::default(), 0, line);
        let found = loop {
            let Some(cell) = self.cell(text) else {
                // What is quoted before it may be stray pairs around cells of a row; the separators of prose are none.
                let rest = self.separators(text);
                break Separators {
                    all: found.all + within + rest.all,
                    spaced: found.spaced + rest.spaced,
                };
            };
            within += self.tight(&self.separators(cell.quoted));
            let Some((_, rest)) = cell.rest.split_first() else {
                break found;
            };
            found.add(rest);
            text = rest;
        };
        if self.is_cut(line, found.all) {
            return false;
        }
        // In exactly as many as a row has, a few cells may well begin with a space. Prose may end a line with one, too.
        let prose = found.spaced + usize::from(self.ends_in_one(line));
        self.tight(&found) >= fewest || (found.all == self.separators && prose * 4 < found.all)
    }

    /// Whether a line with so many separators ends as prose may and no row does: the blank cells at a row's end that are
    /// not written have no separator before them either.
    fn is_cut(&self, line: &[u8], separators: usize) -> bool {
        separators < self.separators && self.ends_in_one(line)
    }

    /// Whether a line ends in one separator behind a word.
    fn ends_in_one(&self, line: &[u8]) -> bool {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let before = line.strip_suffix(&[self.delimiter]);
        let is_word = |byte: &u8| *byte != self.delimiter && *byte != b'"';
        self.delimiter != b'\t' && before.is_some_and(|before| before.last().is_some_and(is_word))
    }

    /// The separators of a text, whether quoted or not.
    fn separators(&self, text: &[u8]) -> Separators {
        let mut found = Separators::default();
        for at in memchr_iter(self.delimiter, text) {
            found.add(text.get(at + 1..).unwrap_or_default());
        }
        found
    }

    /// Those that are no prose.
    fn tight(&self, found: &Separators) -> usize {
        match self.delimiter {
            b'\t' => found.all,
            _ => found.all - found.spaced,
        }
    }

    /// The cell at the start of a text; none where it is quoted and does not end.
    fn cell<'a>(&self, text: &'a [u8]) -> Option<Cell<'a>> {
        let (quoted, behind) = match text.strip_prefix(b"\"") {
            Some(inside) => {
                let end = closing(inside)?;
                (inside.get(..end)?, inside.get(end + 1..)?)
            }
            None => (&b""[..], text),
        };
        let end = memchr2(self.delimiter, b'\n', behind).unwrap_or(behind.len());
        let (behind, rest) = behind.split_at(end);
        Some(Cell { quoted, behind, rest })
    }
}

impl Separators {
    /// Counts one that a text follows.
    fn add(&mut self, behind: &[u8]) {
        self.all += 1;
        self.spaced += usize::from(behind.starts_with(b" "));
    }
}

/// Where the mark stands that closes a quoted cell: one that is not doubled.
fn closing(inside: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr(b'"', inside.get(from..)?)?;
        if inside.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        from = at + 2;
    }
}

/// A text's first line and what follows it; none where no line ends in it.
fn split_line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr(b'\n', text)?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// How many lines end in a text.
fn lines(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count()
}
