//! A workbook of any kind behind one face: its visible sheets, and the cells of one of them.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::sync::Arc;

use calamine::{
    Ods, OdsError, Reader, Sheet, SheetType, SheetVisible, Xls, XlsError, Xlsb, XlsbError, Xlsx, XlsxError,
};

use super::super::archive::{self, Kind};
use super::super::reject::{broken, other_workbook, unreadable};
use super::super::source::Source;
use super::super::{Content, content};
use super::Trouble;
use super::cells::{Cells, Sink};
use super::merges::Merges;
use super::struck::StruckTexts;
use super::{empties, ranges, regions, spans, xlsb, xlsx};
use crate::finding::Rejection;

/// What the libraries read from.
pub(super) type From = BufReader<Source>;

/// An open workbook.
pub(super) enum Book {
    /// .xlsx, .xlsm: streamed.
    Xlsx {
        book: Box<Xlsx<From>>,
        /// To open it once more.
        file: Arc<File>,
        /// Whether it may have merged cells.
        has_merges: bool,
        struck: StruckTexts,
    },
    /// .xlsb: streamed.
    Xlsb {
        book: Box<Xlsb<From>>,
        /// To look for merged cells in it.
        file: Arc<File>,
    },
    /// .xls: read whole.
    Xls(Box<Xls<From>>),
    /// .ods: read whole.
    Ods {
        book: Box<Ods<From>>,
        /// To look for merged cells in it.
        file: Arc<File>,
    },
}

impl Book {
    /// Opens a workbook by its content, once its archive is found to be what it says of itself.
    pub(super) fn open(file: &Arc<File>) -> Result<Self, Rejection> {
        let bytes = file.metadata().map_err(|error| unreadable(&error))?.len();
        if matches!(content(file)?, Content::OldWorkbook) {
            return match Xls::new(from(file)) {
                Ok(book) => Ok(Self::Xls(Box::new(book))),
                Err(XlsError::Cfb(_)) if is_encrypted(file)? => Err(locked()),
                Err(error) => Err(refused_xls(error)),
            };
        }
        let checked = archive::check(file, bytes)?;
        Ok(match checked.kind {
            Kind::Xlsx => Self::Xlsx {
                book: Box::new(open_xlsx(file)?),
                file: Arc::clone(file),
                has_merges: checked.has_merges,
                struck: StruckTexts::read(file, &checked.struck_texts)?,
            },
            Kind::Xlsb => Self::Xlsb {
                book: Box::new(Xlsb::new(from(file)).map_err(refused_xlsb)?),
                file: Arc::clone(file),
            },
            Kind::Ods => Self::Ods {
                book: Box::new(Ods::new(from(file)).map_err(refused_ods)?),
                file: Arc::clone(file),
            },
        })
    }

    /// The names of the worksheets that are not hidden, in order.
    pub(super) fn visible_sheets(&self) -> Vec<String> {
        let sheets: &[Sheet] = match self {
            Self::Xlsx { book, .. } => book.sheets_metadata(),
            Self::Xlsb { book, .. } => book.sheets_metadata(),
            Self::Xls(book) => book.sheets_metadata(),
            Self::Ods { book, .. } => book.sheets_metadata(),
        };
        sheets
            .iter()
            .filter(|sheet| sheet.typ == SheetType::WorkSheet && sheet.visible == SheetVisible::Visible)
            .map(|sheet| sheet.name.clone())
            .collect()
    }

    /// The cells of a sheet that are merged down the rows below its header.
    pub(super) fn merges(&mut self, name: &str, header: u32) -> Result<Merges, Rejection> {
        let regions = match self {
            Self::Xlsx {
                book,
                has_merges: true,
                ..
            } => book.merge_cells_by_sheet_name(name).map_err(refused_xlsx)?,
            Self::Xls(book) => book.merge_cells_by_sheet_name(name).map_err(refused_xls)?,
            Self::Xlsb { file, .. } => regions::of_sheet(file, name)?,
            Self::Ods { file, .. } => spans::of_sheet(file, name)?,
            Self::Xlsx { .. } => Vec::new(),
        };
        Ok(Merges::below(header, &regions))
    }

    /// Reads a sheet's cells, in order.
    pub(super) fn read(&mut self, name: &str, cells: &mut Cells, sink: &mut Sink<'_>) -> Result<(), Trouble> {
        match self {
            Self::Xlsx {
                book, file, struck, ..
            } => xlsx::read((book, file, struck), name, cells, sink),
            Self::Xlsb { book, .. } => xlsb::read(book, name, cells, sink),
            Self::Xls(book) => {
                let values = book.worksheet_range(name).map_err(refused_xls)?;
                let formulas = book.worksheet_formula(name).map_err(refused_xls)?;
                let lacking = ranges::without_value(&values, &formulas);
                ranges::read(&values, lacking, cells, sink)
            }
            Self::Ods { book, file } => {
                let values = book.worksheet_range(name).map_err(refused_ods)?;
                let formulas = book.worksheet_formula(name).map_err(refused_ods)?;
                let mut lacking = ranges::without_value(&values, &formulas);
                if !lacking.is_empty() && !cells.is_look() {
                    empties::take_out(file, name, &mut lacking)?;
                }
                ranges::read(&values, lacking, cells, sink)
            }
        }
    }
}

fn from(file: &Arc<File>) -> From {
    BufReader::new(Source::new(file))
}

pub(super) fn open_xlsx(file: &Arc<File>) -> Result<Xlsx<From>, Rejection> {
    Xlsx::new(from(file)).map_err(refused_xlsx)
}

/// Damaged bytes in an archive come as errors of the disk of some kinds too.
fn refused_io(error: io::Error) -> Rejection {
    let damaged = matches!(
        error.kind(),
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof | ErrorKind::Other
    );
    if damaged {
        broken(error)
    } else {
        unreadable(&error)
    }
}

/// Whether a compound file is the wrapping of a newer workbook that has a password: one of its streams has the name of
/// such a package.
fn is_encrypted(file: &Arc<File>) -> Result<bool, Rejection> {
    /// What is looked at, in bytes: the names of the streams stand near the beginning or, in small files, anywhere.
    const LOOKED_AT: u64 = 1024 * 1024;
    let name: Vec<u8> = "EncryptedPackage"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let mut bytes = Vec::new();
    Source::new(file)
        .take(LOOKED_AT)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    Ok(bytes.windows(name.len()).any(|window| window == name))
}

fn locked() -> Rejection {
    other_workbook("a workbook with a password")
}

pub(super) fn refused_xlsx(error: XlsxError) -> Rejection {
    match error {
        XlsxError::Io(error) => refused_io(error),
        XlsxError::Password => locked(),
        XlsxError::FileNotFound(_) => broken("parts of it are missing, or it is another kind of file"),
        other => broken(other),
    }
}

pub(super) fn refused_xlsb(error: XlsbError) -> Rejection {
    match error {
        XlsbError::Io(error) => refused_io(error),
        XlsbError::Password => locked(),
        other => broken(other),
    }
}

fn refused_xls(error: XlsError) -> Rejection {
    match error {
        XlsError::Io(error) => refused_io(error),
        XlsError::Password => locked(),
        other => broken(other),
    }
}

fn refused_ods(error: OdsError) -> Rejection {
    match error {
        OdsError::Io(error) => refused_io(error),
        OdsError::Password => locked(),
        other => broken(other),
    }
}
