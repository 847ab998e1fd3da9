//! Workbooks of every kind: the first visible sheet that has the header, read once by a reader apart (see `apart.rs`)
//! into [`Unpacked`] rows.
//!
//! The reader's side is [`serve`]; what it says is checked again on this side, for a workbook may have taken it over.

mod book;
mod cells;
mod frames;
mod merges;
mod ranges;
mod regions;
mod spans;
mod xlsb;
mod xlsx;

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

use super::apart::Apart;
use super::reject::{broken, empty, no_header, unreadable};
use super::unpacked::{Packer, Unpacked};
use super::{HEADER_ROWS, Limits, Row};
use crate::defect::contained;
use crate::finding::Rejection;

use book::Book;
use cells::Cells;
use frames::{Answer, Listener, Said, Speaker};

/// Finds the sheet with the header and unpacks its rows.
pub(super) fn unpack(
    file: &Arc<File>,
    limits: Limits,
    scratch: &Path,
    is_header: &dyn Fn(&Row) -> bool,
) -> Result<(Unpacked, Row), Rejection> {
    let bytes = file.metadata().map_err(|error| unreadable(&error))?.len();
    let apart = Apart::start(file, bytes)?;
    let packer = Packer::new(scratch, limits.max_rows)?;
    match Asking::new(&apart).unpack(packer, is_header) {
        Ok(unpacked) => Ok(unpacked),
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
}

impl<'a> Asking<'a> {
    fn new(apart: &'a Apart) -> Self {
        Self {
            link: apart.link(),
            listener: Listener::new(BufReader::with_capacity(64 * 1024, apart.link())),
            row: Row::default(),
        }
    }

    fn unpack(
        mut self,
        mut packer: Packer,
        is_header: &dyn Fn(&Row) -> bool,
    ) -> Result<(Unpacked, Row), Trouble> {
        let header = self.find_header(is_header)?;
        let answer = Answer::Take {
            header: header.number(),
            width: u32::try_from(header.len()).unwrap_or(u32::MAX),
        };
        answer.write(self.link)?;
        let mut last = 0;
        while self.hear_row()? {
            let number = self.row.number();
            if number <= last {
                return Err(io::Error::from(io::ErrorKind::InvalidData).into());
            }
            last = number;
            packer.push(&self.row)?;
        }
        Ok((packer.finish()?, header))
    }

    /// The header of the first sheet that has one.
    fn find_header(&mut self, is_header: &dyn Fn(&Row) -> bool) -> Result<Row, Trouble> {
        let mut first: Option<Row> = None;
        let mut header = None;
        loop {
            match self.listener.next(&mut self.row)? {
                Said::Row if header.is_some() => {}
                Said::Row => {
                    first = first.or_else(|| Some(self.row.clone()).filter(|row| !row.is_blank()));
                    header = Some(&self.row).filter(|row| is_header(row)).cloned();
                }
                Said::End => match header.take() {
                    Some(header) => return Ok(header),
                    None => Answer::Next.write(self.link)?,
                },
                Said::NoMore => return Err(first.map_or_else(empty, |row| no_header(row.iter())).into()),
                Said::Rejected(why) => return Err(why.into()),
            }
        }
    }

    /// Hears the next row; false at the end.
    fn hear_row(&mut self) -> Result<bool, Trouble> {
        match self.listener.next(&mut self.row)? {
            Said::Row => Ok(true),
            Said::End | Said::NoMore => Ok(false),
            Said::Rejected(why) => Err(why.into()),
        }
    }
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
        for name in book.visible_sheets() {
            let mut cells = Cells::looking(HEADER_ROWS);
            book.read(&name, &mut cells, &mut |row| {
                self.speaker.row(row)?;
                Ok(true)
            })?;
            self.speaker.end()?;
            match Answer::read(self.link)? {
                Answer::Next => {}
                Answer::Take { header, width } => return self.give(&mut book, &name, header, width),
            }
        }
        Ok(self.speaker.no_more()?)
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
