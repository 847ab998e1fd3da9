//! Separated text as rows: recognised once, then read from the file each time.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use super::dialect::{self, DELIMITERS, Dialect};
use super::encoding::{self, Decoder, Detected, Encoding};
use super::ending::is_cut;
use super::limit::RowLimit;
use super::records::DelimitedRows;
use super::reject::{
    a_page, empty, lines_in_quotes, no_encoding, no_header, not_a_sheet, unknown_encoding, unreadable,
};
use super::source::Source;
use super::spaced::quotes_behind_spaces;
use super::{Ending, HEADER_ROWS, Row, letters, unnatural};
use crate::finding::{Code, Rejection};

/// The text at the start of a file in which the separator is looked for.
const SAMPLE_BYTES: u64 = 1024 * 1024;

/// A recognised text file.
#[derive(Clone, Debug)]
pub(super) struct Delimited {
    file: Arc<File>,
    encoding: Encoding,
    dialect: Dialect,
    /// Cells of the header.
    columns: usize,
    limit: RowLimit,
}

impl Delimited {
    /// Finds the encoding, the separator and the header row.
    pub(super) fn recognise(
        file: &Arc<File>,
        max_rows: u32,
        is_header: &dyn Fn(&Row) -> bool,
    ) -> Result<(Self, Row), Rejection> {
        let Detected {
            encoding,
            may_quote,
            may_be_spaced,
        } = encoding::detect(Source::new(file))
            .map_err(|error| unreadable(&error))?
            .ok_or_else(|| not_a_sheet("it holds bytes that no text has"))?;
        if encoding == Encoding::Windows1252 {
            refuse_foreign(file)?;
        }
        let sample = sample(file, encoding)?;
        if sample.contains('\0') {
            return Err(not_a_sheet("it holds bytes that no text has"));
        }
        if sample.trim().is_empty() {
            return Err(empty());
        }
        let Some((columns, mut dialect)) = find_dialect(&sample, is_header)? else {
            return Err(refuse_headerless(&sample, is_header));
        };
        dialect.quoting = dialect.quoting && may_quote;
        dialect.is_spaced = is_spaced(file, (encoding, dialect.delimiter), may_be_spaced)?;
        let mut found = Self {
            file: Arc::clone(file),
            encoding,
            dialect,
            columns,
            limit: RowLimit::of(max_rows),
        };
        if dialect.delimiter == b'\t' && may_quote {
            found.dialect.quoting = found.tabs_quote()?;
        }
        if let Some(header) = find_header(found.rows()?, is_header)? {
            found.columns = header.len();
            found.limit = found.limit.below(header.number());
            return Ok((found, header));
        }
        // A header that is only one without its quotation marks, in a file that does not quote well throughout.
        found.dialect = dialect;
        let header =
            find_header(found.rows()?, is_header)?.ok_or_else(|| refuse_headerless(&sample, is_header))?;
        found.limit = found.limit.below(header.number());
        Ok((found, header))
    }

    pub(super) fn delimiter(&self) -> u8 {
        self.dialect.delimiter
    }

    /// Starts at the first row.
    pub(super) fn rows(&self) -> Result<DelimitedRows, Rejection> {
        let text = Decoder::new(Source::new(&self.file), self.encoding);
        let mut rows = DelimitedRows::new(text, self.dialect)?;
        rows.belong_to(self.clone(), self.columns, self.limit);
        Ok(rows)
    }

    /// Whether quotation marks quote in this text, which is separated by tabs. They do only where every one is in its
    /// place; and where a pair would join lines that are rows without it, none does: to join two orders of an unquoted
    /// report into one row would lose one without a trace.
    fn tabs_quote(&self) -> Result<bool, Rejection> {
        let text = Decoder::new(Source::new(&self.file), self.encoding);
        let scan = dialect::scan(text, self.dialect).map_err(|error| unreadable(&error))?;
        if !scan.is_well_formed() || !scan.spans_lines() {
            return Ok(scan.is_well_formed());
        }
        let mut quoted = self.clone();
        quoted.dialect.quoting = true;
        match quoted.rows()?.pass_all() {
            Ok(()) => Ok(true),
            Err(why) if [Code::StrayQuote, Code::CellTooLong].contains(&why.code) => Ok(false),
            Err(why) => Err(why),
        }
    }

    /// The line of the quotation mark that is never closed, where the text ends inside a quoted cell.
    pub(super) fn unclosed(&self) -> Result<Option<u64>, Rejection> {
        let text = Decoder::new(Source::new(&self.file), self.encoding);
        let scan = dialect::scan(text, self.dialect).map_err(|error| unreadable(&error))?;
        Ok(scan.unclosed().filter(|_line| self.dialect.quoting))
    }
}

/// How a text file ends. Of text separated by tabs it is never asked.
pub(super) fn ending(file: &Arc<File>, name: &str) -> Result<Ending, Rejection> {
    let detected = encoding::detect(Source::new(file)).map_err(|error| unreadable(&error))?;
    let Some(Detected {
        encoding,
        may_quote,
        may_be_spaced,
    }) = detected
    else {
        return Ok(Ending::Whole);
    };
    let sample = sample(file, encoding)?;
    let declared = dialect::sep_line(&sample);
    let delimiter = declared.unwrap_or_else(|| dialect::guess(&sample));
    if delimiter == b'\t' || name.to_ascii_lowercase().ends_with(".tsv") {
        return Ok(Ending::Whole);
    }
    let mut dialect = Dialect {
        delimiter,
        quoting: true,
        is_spaced: false,
        sep_line: declared.is_some(),
    };
    if may_quote {
        dialect.is_spaced = is_spaced(file, (encoding, delimiter), may_be_spaced)?;
        let text = Decoder::new(Source::new(file), encoding);
        let scan = dialect::scan(text, dialect).map_err(|error| unreadable(&error))?;
        if let Some(line) = scan.unclosed() {
            return Ok(Ending::InQuotes { line });
        }
    }
    let is_cut = is_cut(file, (encoding, dialect))?;
    Ok(if is_cut { Ending::Doubtful } else { Ending::Whole })
}

/// Whether cells of a text are quoted behind spaces. Nobody writes tabs so.
fn is_spaced(
    file: &Arc<File>,
    (encoding, delimiter): (Encoding, u8),
    may_be: bool,
) -> Result<bool, Rejection> {
    if !may_be || delimiter == b'\t' {
        return Ok(false);
    }
    let text = Decoder::new(Source::new(file), encoding);
    quotes_behind_spaces(text, delimiter).map_err(|error| unreadable(&error))
}

fn sample(file: &Arc<File>, encoding: Encoding) -> Result<String, Rejection> {
    let mut bytes = Vec::new();
    Decoder::new(Source::new(file), encoding)
        .take(SAMPLE_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    // The sample's end may cut a character.
    Ok(String::from_utf8(bytes).unwrap_or_else(|cut| String::from_utf8_lossy(cut.as_bytes()).into_owned()))
}

/// The separator with which one of the first rows is a header; of several the one with the most columns, whose number
/// is given with it.
///
/// # Errors
/// There is none, and with one of the separators a row has too many columns.
fn find_dialect(
    sample: &str,
    is_header: &dyn Fn(&Row) -> bool,
) -> Result<Option<(usize, Dialect)>, Rejection> {
    let declared = dialect::sep_line(sample);
    let tried: Vec<u8> = declared.map_or_else(|| DELIMITERS.to_vec(), |one| vec![one]);
    let mut best: Option<(usize, Dialect)> = None;
    let mut too_wide = None;
    for delimiter in tried {
        // Whether tabs quote is only known from the whole file.
        for quoting in [true, false] {
            if !quoting && delimiter != b'\t' {
                continue;
            }
            let dialect = Dialect {
                delimiter,
                quoting,
                is_spaced: false,
                sep_line: declared.is_some(),
            };
            let header =
                DelimitedRows::new(sample.as_bytes(), dialect).and_then(|rows| find_header(rows, is_header));
            let columns = match header {
                Ok(header) => header.map_or(0, |row| row.len()),
                Err(why) => {
                    too_wide = too_wide.or(Some(why).filter(|why| why.code == Code::TooManyColumns));
                    0
                }
            };
            if columns > best.as_ref().map_or(0, |best| best.0) {
                best = Some((columns, dialect));
            }
        }
    }
    match (best, too_wide) {
        (None, Some(why)) => Err(why),
        (best, _) => Ok(best),
    }
}

fn find_header<R: Read>(
    mut rows: DelimitedRows<R>,
    is_header: &dyn Fn(&Row) -> bool,
) -> Result<Option<Row>, Rejection> {
    let mut row = Row::default();
    while rows.next(&mut row)? && row.number() <= HEADER_ROWS {
        if is_header(&row) {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

/// What a text is that begins like markup; shops export such under the names of workbooks.
fn markup(sample: &str) -> Option<&'static str> {
    /// The characters at the beginning in which it says what it is.
    const LOOKED_AT: usize = 2000;
    let start: String = sample.trim_start().chars().take(LOOKED_AT).collect();
    let start = start.to_ascii_lowercase();
    let begins = |tags: &[&str]| tags.iter().any(|tag| start.starts_with(tag));
    if begins(&["<?xml", "<workbook", "<ss:workbook"]) && start.contains("office:spreadsheet") {
        return Some("an XML spreadsheet of Excel 2003");
    }
    let page = begins(&[
        "<!doctype html",
        "<html",
        "<head",
        "<meta",
        "<style",
        "<table",
        "<div",
        "<body",
    ]);
    (page || (start.starts_with('<') && start.contains("<html"))).then_some("a web page (HTML)")
}

fn refuse_foreign(file: &Arc<File>) -> Result<(), Rejection> {
    let source = Source::new(file);
    if let Some(found) = letters::foreign(&source).map_err(|error| unreadable(&error))? {
        return Err(unknown_encoding(found.encoding, &found.word));
    }
    match unnatural::word(&source).map_err(|error| unreadable(&error))? {
        Some(word) => Err(no_encoding(&word)),
        None => Ok(()),
    }
}

fn refuse_headerless(sample: &str, is_header: &dyn Fn(&Row) -> bool) -> Rejection {
    if let Some(what) = markup(sample) {
        return a_page(what);
    }
    let delimiter = dialect::sep_line(sample).unwrap_or_else(|| dialect::guess(sample));
    let mut lines = (1..).zip(sample.lines());
    let (number, line) = lines.find(|(_, line)| !line.trim().is_empty()).unwrap_or((1, ""));
    if let Some(inner) = without_its_quotes(line).filter(|inner| header_in(inner, is_header)) {
        return lines_in_quotes(number, &inner);
    }
    let cells = line
        .split(char::from(delimiter))
        .map(|cell| cell.trim_matches('"'));
    no_header((number, cells), header_below(sample, is_header))
}

/// What a line holds that is quoted as a whole.
fn without_its_quotes(line: &str) -> Option<String> {
    let empty = [' ', '\r', ',', ';', '\t', '|'];
    let line = line.trim_start_matches('\u{feff}').trim_end_matches(empty);
    let inner = line.strip_prefix('"')?.strip_suffix('"')?;
    Some(inner.replace("\"\"", "\""))
}

/// Whether a line is the header, whatever it is separated by.
fn header_in(line: &str, is_header: &dyn Fn(&Row) -> bool) -> bool {
    DELIMITERS.into_iter().any(|delimiter| {
        let dialect = Dialect {
            delimiter,
            quoting: true,
            is_spaced: false,
            sep_line: false,
        };
        let mut row = Row::default();
        let read = DelimitedRows::new(line.as_bytes(), dialect).and_then(|mut rows| rows.next(&mut row));
        read.unwrap_or(false) && row.len() > 1 && is_header(&row)
    })
}

/// The row of a sample, whatever it is separated by, that would be the header if it stood further up.
fn header_below(sample: &str, is_header: &dyn Fn(&Row) -> bool) -> Option<u32> {
    let sep_line = dialect::sep_line(sample);
    let tried: Vec<u8> = sep_line.map_or_else(|| DELIMITERS.to_vec(), |one| vec![one]);
    tried.into_iter().find_map(|delimiter| {
        let dialect = Dialect {
            delimiter,
            quoting: true,
            is_spaced: false,
            sep_line: sep_line.is_some(),
        };
        let mut rows = DelimitedRows::new(sample.as_bytes(), dialect).ok()?;
        let mut row = Row::default();
        while rows.next(&mut row).ok()? {
            if row.len() > 1 && is_header(&row) {
                return Some(row.number());
            }
        }
        None
    })
}

#[cfg(test)]
mod tests;
