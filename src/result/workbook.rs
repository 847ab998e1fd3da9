//! The workbook: Summary, Results, Orders and Findings, written while the sheet is read once.
//!
//! The three long pages go to scratch files row by row; in memory stay the links and, of a sheet that is not very
//! large, the different texts, once each.
//! The Summary stands first and is written last.

mod by_order;
mod choices;
mod dates;
mod findings;
mod fit;
pub(super) mod held;
pub(super) mod list;
mod orders;
mod page;
mod results;
pub mod sku_map;
mod spent;
mod styles;
mod summary;
pub mod tables;
pub(super) mod to_fix;

use std::any::Any;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic::AssertUnwindSafe;
use std::path::Path;

use jiff::Timestamp;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use crate::ahead::behind;
use crate::files;
use crate::finding::{Finding, Level};
use crate::money::TooLarge;
use crate::sheet::Row;

use self::by_order::{ByOrder, OrderSink};
use self::page::Texts;
use self::results::Results;
use self::spent::Spent;
use self::styles::Styles;
use super::shape::Shape;
use super::tally::Tally;
use super::walk::{Line, Ordered, Sink, walk};
use super::{ResultError, Source, Title, Views};

/// How the library's panics begin when a scratch file cannot be written, or not be read back for what was not written of
/// it yet. Nothing of ours unwraps.
const SCRATCH_PANICS: [&str; 2] = [
    "Couldn't write to xml file",
    "called `Result::unwrap()` on an `Err` value: Os {",
];

/// How hard a workbook is compressed, of 9: a third of the time that 6 takes, and a quarter more bytes.
const COMPRESSION: u8 = 2;

/// What stops a page.
#[derive(Debug, thiserror::Error)]
enum BookError {
    #[error("the workbook library refused")]
    Library(#[from] XlsxError),
    #[error("cannot add up")]
    Sum(#[from] TooLarge),
}

impl BookError {
    fn at(self, path: &Path) -> ResultError {
        match self {
            Self::Library(source) => ResultError::Workbook {
                path: path.to_owned(),
                source,
            },
            Self::Sum(error) => ResultError::Sum(error),
        }
    }
}

/// Writes the workbook of a sheet to `path`, a new file. Its scratch files, which have no name, lie in that folder.
///
/// # Errors
/// See [`ResultError`].
pub(super) fn write(
    source: &Source<'_>,
    views: &mut Views<'_>,
    title: &Title,
    path: &Path,
) -> Result<Tally, ResultError> {
    let shape = Shape::of(source.layout, source.sheet.header());
    let styles = Styles::new();
    let look = (&shape, &styles);
    let texts = Texts::suiting(source.index.rows());
    let begin = || {
        let mut workbook = begin_result(title, path)?;
        styles.register(&mut workbook)?;
        let results = Results::new(&mut workbook, texts)?;
        let by_order = ByOrder::new(&mut workbook, texts, title, look)?;
        Ok((workbook, results, by_order))
    };
    let (mut workbook, mut results, mut by_order) =
        begin().map_err(|error: XlsxError| BookError::from(error).at(path))?;
    let mut walk = |orders| {
        let mut writing = Writing {
            results: &mut results,
            orders,
            look,
            title,
            path,
        };
        let tally = walk(source, views, &mut writing)?;
        writing.orders.end();
        Ok(tally)
    };
    let tally: Result<Tally, ResultError> = match texts {
        // The pages share their texts, which are numbered as they come.
        Texts::Shared => walk(OrderSink::Here(&mut by_order)),
        Texts::Inline => {
            let take = |orders| by_order.write_all(orders);
            let (tally, written) = behind(by_order::BATCHES, take, |give| walk(OrderSink::beside(give)));
            written.map_err(|error| error.at(path))?;
            tally
        }
    };
    let tally = tally?;
    let pages = || {
        let results = results.finish(&shape)?;
        let summary = summary::write(&tally, title, page::column_number(shape.own_width()), &styles)?;
        let [orders, findings] = by_order.finish()?;
        Ok(vec![summary, results, orders, findings])
    };
    for page in pages().map_err(|error: BookError| error.at(path))? {
        workbook.push_worksheet(page);
    }
    save(&mut workbook, path)?;
    Ok(tally)
}

/// Writes the rows of a sheet, and hands its orders on.
struct Writing<'a, 'b> {
    results: &'a mut Results,
    orders: OrderSink<'a, 'b>,
    look: (&'a Shape, &'a Styles),
    title: &'a Title,
    path: &'a Path,
}

impl Sink for Writing<'_, '_> {
    fn above(&mut self, row: &Row) -> Result<(), ResultError> {
        let copied = self.results.copy(row, self.look);
        copied.map_err(|error| BookError::from(error).at(self.path))
    }

    fn header(&mut self, row: &Row) -> Result<(), ResultError> {
        let written = self.results.header(row, self.look);
        written.map_err(|error| BookError::from(error).at(self.path))
    }

    fn line(&mut self, row: &Row, line: &Line<'_>) -> Result<(), ResultError> {
        let written = self.results.line(row, line, self.look, self.title);
        written.map_err(|error| error.at(self.path))
    }

    fn order(&mut self, order: Ordered) -> Result<(), ResultError> {
        self.orders.order(order).map_err(|error| error.at(self.path))
    }
}

/// What stands in a workbook's properties. Its moment is given, so that the same content gives the same bytes.
#[derive(Clone, Copy, Debug)]
struct Properties<'a> {
    title: &'a str,
    subject: &'a str,
    written_at: Timestamp,
}

/// A workbook with the properties that every one of ours has, its scratch files in the folder of `path`.
fn begin(properties: &Properties<'_>, path: &Path) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    workbook.set_tempdir(files::folder_of(path))?;
    workbook.set_zip_compression_level(COMPRESSION);
    let written = ExcelDateTime::from_timestamp(properties.written_at.as_second())?;
    workbook.set_properties(
        &DocProperties::new()
            .set_title(properties.title)
            .set_subject(properties.subject)
            .set_author("dropsheet")
            .set_creation_datetime(&written),
    );
    Ok(workbook)
}

/// The workbook of a sheet's result.
fn begin_result(title: &Title, path: &Path) -> Result<Workbook, XlsxError> {
    let properties = Properties {
        title: &format!("Result of {}", title.sheet_name),
        subject: &title.stem,
        written_at: title.written_at,
    };
    begin(&properties, path)
}

/// Saves a workbook to a new file and syncs it.
fn save(workbook: &mut Workbook, path: &Path) -> Result<(), ResultError> {
    let failed = |source| ResultError::Write {
        path: path.to_owned(),
        source,
    };
    let file = File::create_new(path).map_err(failed)?;
    write_out(workbook, &file, path)?;
    files::sync(&file).map_err(failed)
}

/// Writes a workbook into a file that is, or will be, at `path`.
fn write_out(workbook: &mut Workbook, file: &File, path: &Path) -> Result<(), ResultError> {
    let mut file = BufWriter::new(file);
    workbook
        .save_to_writer(Spent::new(&mut file))
        .map_err(|error| BookError::from(error).at(path))?;
    file.flush().map_err(|source| ResultError::Write {
        path: path.to_owned(),
        source,
    })
}

/// Does what writes a workbook. The library panics where a row cannot go to its scratch file, which happens when the
/// disk is full: that is an error like any other, and the result is written again later.
pub(super) fn guarded<T>(
    path: &Path,
    work: impl FnOnce() -> Result<T, ResultError>,
) -> Result<T, ResultError> {
    let panic = match std::panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => return done,
        Err(panic) => panic,
    };
    match scratch_panic(panic.as_ref()) {
        Some(said) => Err(ResultError::Write {
            path: path.to_owned(),
            source: io::Error::other(words_of_disk(said)),
        }),
        None => std::panic::resume_unwind(panic),
    }
}

/// What a panic says that is no defect but a full disk: who writes the workbook tells it as an error.
pub fn scratch_panic(payload: &(dyn Any + Send)) -> Option<&str> {
    let said = payload.downcast_ref::<String>()?;
    let is_known = SCRATCH_PANICS.iter().any(|begin| said.starts_with(begin));
    is_known.then_some(said)
}

/// The machine's own words in such a panic, which shows its error as a programmer reads it.
fn words_of_disk(said: &str) -> String {
    let quoted = said
        .split_once("message: \"")
        .and_then(|(_, rest)| rest.split_once('"'));
    let words = quoted.map_or("is the disk full?", |(words, _)| words);
    format!("its scratch file cannot be written: {words}")
}

/// The worst of what was found in a row at one of its own cells, its columns counted as in the result.
fn worst_level(here: &[&Finding], shape: &Shape, column: usize) -> Option<Level> {
    let is_there = |finding: &&&Finding| {
        shape
            .cell(finding)
            .is_some_and(|cell| usize::from(cell.column) == column)
    };
    here.iter().filter(is_there).map(|finding| finding.level()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_an_error_and_other_panics_go_on() {
        let path = Path::new("monday.result.xlsx");
        let row = || panic!("{}: {}", SCRATCH_PANICS[0], "no space left");
        // What is still to be written when a scratch file is read back.
        let rest = || {
            File::open("there is no such file").unwrap();
            Ok(())
        };
        for full in [guarded::<()>(path, row), guarded(path, rest)] {
            let Err(ResultError::Write { source, .. }) = full else {
                panic!("{full:?}")
            };
            assert!(
                source
                    .to_string()
                    .starts_with("its scratch file cannot be written: ")
            );
            assert!(!source.to_string().contains("unwrap"), "{source}");
        }
        for begin in SCRATCH_PANICS {
            let said: Box<dyn Any + Send> = Box::new(format!("{begin} no space left"));
            assert!(scratch_panic(said.as_ref()).is_some());
        }
        let bug = std::panic::catch_unwind(|| guarded::<()>(path, || panic!("a bug")));
        assert!(bug.is_err());
    }
}
