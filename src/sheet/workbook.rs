//! Workbooks of every kind: the first visible sheet that has the header, read once by a reader apart (see `apart.rs`)
//! into [`Unpacked`] rows. Of the sheets before it and behind it the first rows are looked at, so that somebody can say
//! what is in them.
//!
//! The reader's side is [`serve`]; what it says is checked again on this side, for a workbook may have taken it over.

mod book;
mod cells;
mod empties;
mod frames;
mod merges;
mod ranges;
mod regions;
mod spans;
mod struck;
mod xlsb;
mod xlsx;

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

use super::apart::Apart;
use super::limit::RowLimit;
use super::reject::{broken, empty, no_header, unreadable};
use super::unpacked::{Packer, Unpacked};
use super::{HEADER_ROWS, Limits, Row, Tab, Tabs};
use crate::defect::contained;
use crate::finding::Rejection;

use book::Book;
use cells::Cells;
use frames::{Answer, Listener, Said, Speaker};

/// Sheets beside the one that is read that are looked at; nobody needs to be told of more.
const MOST_OTHERS: usize = 64;
/// The rows of such a sheet that are looked at: those that the header is looked for in, and one below.
const ROWS_OF_OTHERS: u32 = HEADER_ROWS + 1;
/// Bytes of their rows that are kept, all together: headers and first orders are a few hundred.
const BYTES_OF_OTHERS: usize = 4 * 1024 * 1024;

/// What is found in a workbook.
pub(super) struct Found {
    /// The rows of the sheet that has the header.
    pub(super) rows: Unpacked,
    /// The header.
    pub(super) header: Row,
    /// That sheet among the others.
    pub(super) tabs: Tabs,
}

/// Finds the sheet with the header and unpacks its rows: the first one that can be seen and has it, or the one of this
/// name alone.
pub(super) fn unpack(
    file: &Arc<File>,
    limits: Limits,
    scratch: &Path,
    is_header: &dyn Fn(&Row) -> bool,
    name: Option<&str>,
) -> Result<Found, Rejection> {
    let bytes = file.metadata().map_err(|error| unreadable(&error))?.len();
    let apart = Apart::start(file, bytes)?;
    let packer = Packer::new(scratch, RowLimit::of(limits.max_rows))?;
    match Asking::new(&apart, name).unpack(packer, is_header) {
        Ok(found) => Ok(found),
        Err(Trouble::Rejected(why)) => Err(why),
        Err(Trouble::Lost(seen)) => Err(apart.why(&seen)),
    }
}

/// Why a workbook was not unpacked.
enum Trouble {
    /// It cannot be worked.
    Rejected(Rejection),
    /// The reader was lost.
    Lost(io::Error),
}

impl From<Rejection> for Trouble {
    fn from(why: Rejection) -> Self {
        Self::Rejected(why)
    }
}

impl From<io::Error> for Trouble {
    fn from(seen: io::Error) -> Self {
        Self::Lost(seen)
    }
}

/// The side that asks.
struct Asking<'a> {
    link: &'a UnixStream,
    listener: Listener<BufReader<&'a UnixStream>>,
    row: Row,
    /// The name of the sheet whose rows are said.
    name: String,
    /// That of the only one that is asked for; none where any is.
    only: Option<&'a str>,
    /// The sheets that are not read, as far as they have text and there is room for their rows.
    others: Vec<Tab>,
    /// How many bytes of their rows may still be kept.
    room: usize,
}

/// Of a workbook no row further down is asked for but the first with text.
fn headerless(first: &Row, is_header: &dyn Fn(&Row) -> bool) -> Rejection {
    let number = first.number();
    let below = (number > HEADER_ROWS && is_header(first)).then_some(number);
    no_header((number, first.iter()), below)
}

impl<'a> Asking<'a> {
    fn new(apart: &'a Apart, only: Option<&'a str>) -> Self {
        Self {
            link: apart.link(),
            listener: Listener::new(BufReader::with_capacity(64 * 1024, apart.link())),
            row: Row::default(),
            name: String::new(),
            only,
            others: Vec::new(),
            room: BYTES_OF_OTHERS,
        }
    }

    fn unpack(mut self, mut packer: Packer, is_header: &dyn Fn(&Row) -> bool) -> Result<Found, Trouble> {
        let header = self.find_header(is_header)?;
        packer.has_header_in(header.number());
        let answer = Answer::Take {
            header: header.number(),
            width: u32::try_from(header.len()).unwrap_or(u32::MAX),
        };
        answer.write(self.link)?;
        let read = std::mem::take(&mut self.name);
        let mut last = 0;
        while self.hear_row()? {
            let number = self.row.number();
            if number <= last {
                return Err(io::Error::from(io::ErrorKind::InvalidData).into());
            }
            last = number;
            packer.push(&self.row)?;
        }
        // Whoever asks for one by its name knows what the others are.
        if self.only.is_none() {
            self.look_behind();
        }
        Ok(Found {
            rows: packer.finish()?,
            header,
            tabs: Tabs {
                read,
                others: self.others,
            },
        })
    }

    /// The header of the first sheet that has one. What those before it begin with is kept.
    fn find_header(&mut self, is_header: &dyn Fn(&Row) -> bool) -> Result<Row, Trouble> {
        let mut first: Option<Row> = None;
        let mut header = None;
        let mut rows = Vec::new();
        loop {
            match self.listener.next(&mut self.row)? {
                Said::Sheet(name) => self.name = name,
                Said::Row if header.is_some() || self.only.is_some_and(|only| only != self.name) => {}
                Said::Row => {
                    first = first.or_else(|| Some(self.row.clone()).filter(|row| !row.is_blank()));
                    let is_looked_at = self.row.number() <= HEADER_ROWS;
                    header = Some(&self.row)
                        .filter(|row| is_looked_at && is_header(row))
                        .cloned();
                    self.keep(&mut rows);
                }
                Said::End if header.is_some() => break,
                Said::End => {
                    let name = std::mem::take(&mut self.name);
                    self.pass_over(name, std::mem::take(&mut rows));
                    Answer::Next.write(self.link)?;
                }
                Said::NoMore => {
                    return Err(first.map_or_else(empty, |row| headerless(&row, is_header)).into());
                }
                Said::Rejected(why) => return Err(why.into()),
            }
        }
        header.ok_or_else(|| empty().into())
    }

    /// Keeps the row that was heard beside those of its sheet. False where it does not follow on them, or there is no room.
    fn keep(&self, rows: &mut Vec<Row>) -> bool {
        // The one that is filled again and again keeps the room of the longest row so far.
        let row = self.row.clone();
        let kept: usize = rows.iter().map(Row::bytes).sum();
        let is_kept = row.number() > last_number(rows) && kept.saturating_add(row.bytes()) <= self.room;
        if is_kept {
            rows.push(row);
        }
        is_kept
    }

    /// Notes a sheet that is not read, where it has text.
    fn pass_over(&mut self, name: String, rows: Vec<Row>) {
        if self.others.len() < MOST_OTHERS && rows.iter().any(|row| !row.is_blank()) {
            let kept = rows.iter().map(Row::bytes).sum();
            self.room = self.room.saturating_sub(kept);
            self.others.push(Tab { name, rows });
        }
    }

    /// The sheets behind the one that was read. What goes wrong with them is no fault of that one: it ends the look.
    fn look_behind(&mut self) {
        for _ in 0..MOST_OTHERS {
            let Ok(Some((name, rows))) = self.look_at_next() else {
                break;
            };
            self.pass_over(name, rows);
        }
    }

    /// The first rows of the next sheet; none where there is no further one, or no room for them.
    fn look_at_next(&mut self) -> io::Result<Option<(String, Vec<Row>)>> {
        let Said::Sheet(name) = self.listener.next(&mut self.row)? else {
            return Ok(None);
        };
        let mut rows = Vec::new();
        while matches!(self.listener.next(&mut self.row)?, Said::Row) {
            if self.row.number() > ROWS_OF_OTHERS || !self.keep(&mut rows) {
                return Ok(None);
            }
        }
        Ok(Some((name, rows)))
    }

    /// Hears the next row; false at the end.
    fn hear_row(&mut self) -> Result<bool, Trouble> {
        match self.listener.next(&mut self.row)? {
            Said::Row => Ok(true),
            Said::End | Said::NoMore => Ok(false),
            Said::Sheet(_) => Err(io::Error::from(io::ErrorKind::InvalidData).into()),
            Said::Rejected(why) => Err(why.into()),
        }
    }
}

fn last_number(rows: &[Row]) -> u32 {
    rows.last().map_or(0, Row::number)
}

/// The reader's side: reads the workbook and says what is in it, until it is over or nobody listens. A panic of a
/// reading library is a rejection.
///
/// # Errors
/// Nobody listens any more.
pub(super) fn serve(file: &Arc<File>, link: &UnixStream) -> io::Result<()> {
    let mut telling = Telling {
        speaker: Speaker::new(BufWriter::with_capacity(64 * 1024, link)),
        link,
    };
    let told = contained(|| telling.tell(file))
        .unwrap_or_else(|_panicked| Err(broken("what it says of itself does not fit together").into()));
    match told {
        Ok(()) => Ok(()),
        Err(Trouble::Rejected(why)) => telling.speaker.rejected(&why),
        Err(Trouble::Lost(error)) => Err(error),
    }
}

/// The side that reads.
struct Telling<'a> {
    speaker: Speaker<BufWriter<&'a UnixStream>>,
    link: &'a UnixStream,
}

impl Telling<'_> {
    fn tell(&mut self, file: &Arc<File>) -> Result<(), Trouble> {
        let mut book = Book::open(file)?;
        let mut sheets = book.visible_sheets().into_iter();
        while let Some(name) = sheets.next() {
            self.offer(&mut book, &name, Cells::looking_for_text(HEADER_ROWS))?;
            self.speaker.end()?;
            match Answer::read(self.link)? {
                Answer::Next => {}
                Answer::Take { header, width } => {
                    self.give(&mut book, &name, header, width)?;
                    self.offer_behind(&mut book, sheets.take(MOST_OTHERS))?;
                    break;
                }
            }
        }
        Ok(self.speaker.no_more()?)
    }

    /// Says the first rows of a sheet.
    fn offer(&mut self, book: &mut Book, name: &str, mut cells: Cells) -> Result<(), Trouble> {
        self.speaker.sheet(name)?;
        book.read(name, &mut cells, &mut |row| {
            self.speaker.row(row)?;
            Ok(true)
        })
    }

    /// Says the first rows of sheets that are not asked for. One that cannot be read has none.
    fn offer_behind(&mut self, book: &mut Book, sheets: impl Iterator<Item = String>) -> Result<(), Trouble> {
        for name in sheets {
            match self.offer(book, &name, Cells::looking(ROWS_OF_OTHERS)) {
                Ok(()) | Err(Trouble::Rejected(_)) => self.speaker.end()?,
                Err(lost @ Trouble::Lost(_)) => return Err(lost),
            }
        }
        Ok(())
    }

    fn give(&mut self, book: &mut Book, name: &str, header: u32, width: u32) -> Result<(), Trouble> {
        let mut cells = Cells::new(width, book.merges(name, header)?);
        book.read(name, &mut cells, &mut |row| {
            self.speaker.row(row)?;
            Ok(true)
        })?;
        Ok(self.speaker.end()?)
    }
}

#[cfg(test)]
mod tests;
