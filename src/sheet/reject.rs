//! What is said of a file that cannot be read as a sheet.

use std::io;

use super::swallowed::Swallowed;
use crate::finding::{Code, Rejection};

/// The longest text of the sheet's own that a message repeats, in characters.
const LONGEST_ECHO: usize = 120;

/// A rejection, from its code, what is wrong and what to do.
pub(super) fn reject(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Rejection {
    Rejection {
        code,
        message: message.into(),
        hint: hint.into(),
    }
}

/// The disk did not give the file.
pub(crate) fn unreadable(error: &io::Error) -> Rejection {
    reject(
        Code::UnreadableFile,
        format!("The file cannot be read: {error}."),
        "Check the disk or the share, then drop the file again.",
    )
}

/// The scratch folder took no rows or gave none back.
pub(super) fn scratch_failed(error: &io::Error) -> Rejection {
    reject(
        Code::UnreadableFile,
        format!("The sheet cannot be unpacked: {error}."),
        "Check the free space of the disk, then drop the file again.",
    )
}

/// Nothing is in it.
pub(super) fn empty() -> Rejection {
    reject(
        Code::EmptySheet,
        "The sheet is empty.",
        "Save it again with its header row and its orders, then drop it again.",
    )
}

/// None of the first rows is the header that the caller looks for. `first` is what the first row with text holds, and its
/// number; `below`, the row further down that would be one, where it is known.
pub(super) fn no_header<'a>(
    (number, first): (u32, impl Iterator<Item = &'a str>),
    below: Option<u32>,
) -> Rejection {
    let mut held = String::new();
    for text in first.map(str::trim).filter(|text| !text.is_empty()) {
        if !held.is_empty() {
            held.push_str(", ");
        }
        held.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
        if held.chars().count() > LONGEST_ECHO {
            held = held.chars().take(LONGEST_ECHO).collect();
            held.push('…');
            break;
        }
    }
    let rows = super::HEADER_ROWS;
    let (there, hint) = match below {
        Some(row) => (
            format!("It stands in row {row}."),
            "Remove rows above it, and drop the sheet again.",
        ),
        None => (
            if number > rows {
                format!("They are blank; row {number} is the first that is not, and holds: {held}.")
            } else {
                format!("The first row holds: {held}.")
            },
            "Give the columns their names in one of the first rows, as in the template, and drop the sheet again.",
        ),
    };
    reject(
        Code::NoHeader,
        format!("No header row was found in the first {rows} rows. {there}"),
        hint,
    )
}

/// Each of its lines is quoted as a whole: the header would be found without these quotation marks, in the line of this
/// number.
pub(super) fn lines_in_quotes(number: u32, line: &str) -> Rejection {
    let held: String = line.trim().chars().take(LONGEST_ECHO).collect();
    let more = if held.len() < line.trim().len() { "…" } else { "" };
    let rows = super::HEADER_ROWS;
    reject(
        Code::NoHeader,
        format!(
            "No header row was found in the first {rows} rows: line {number} stands in quotation marks as a whole, which makes \
             one cell of all its columns. It holds: {held}{more}"
        ),
        "Save the sheet anew so that its program quotes each cell, not each line. Or open it in Excel, mark the first column, \
         split it by Data, Text to Columns, save it as .xlsx, and drop that.",
    )
}

/// Its letters are of an encoding that is not read.
pub(super) fn unknown_encoding(encoding: &str, word: &str) -> Rejection {
    reject(
        Code::UnknownEncoding,
        format!(
            "The letters of the file are stored in a way that is not read ({encoding}, it seems, in which it says \
             \u{201c}{word}\u{201d}): names would be printed wrong."
        ),
        "Save it as .xlsx or as CSV UTF-8, and drop that.",
    )
}

/// Text in another encoding of Latin letters: of Central Europe, of old Macs or of DOS.
pub(super) fn no_encoding(word: &str) -> Rejection {
    reject(
        Code::UnknownEncoding,
        format!(
            "The letters of the file cannot be told for certain: read the usual way it would say \u{201c}{word}\u{201d}. \
             It seems to come from an old Mac, from DOS, or from an Excel of Central Europe."
        ),
        "Save it as .xlsx or as CSV UTF-8, and drop that.",
    )
}

/// It holds what a sheet never holds.
pub(super) fn not_a_sheet(what: &str) -> Rejection {
    reject(
        Code::NotASheet,
        format!("The file is not a sheet: {what}."),
        "Save it as .xlsx or as CSV and drop that.",
    )
}

/// It is something else that has the name of a sheet.
pub(super) fn another_kind(what: &str) -> Rejection {
    reject(
        Code::NotASheet,
        format!("The file is {what}, another kind of file than a sheet, whatever its name says."),
        "Save the orders as .xlsx or as CSV, in the program that has them, and drop that: a file does not become a sheet by \
         its name.",
    )
}

/// It is a packed folder, and no workbook.
pub(super) fn an_archive() -> Rejection {
    reject(
        Code::NotASheet,
        "The file is a packed folder (ZIP), no sheet: it holds no workbook's parts.",
        "If sheets are in it, unpack it and drop each of them; else save the orders as .xlsx or as CSV and drop that.",
    )
}

/// A workbook of a kind that is not read.
pub(super) fn other_workbook(what: &str) -> Rejection {
    reject(
        Code::NotASheet,
        format!("The file is {what}, which is not read."),
        "Open it, save it as .xlsx (without a password) or as CSV, and drop that.",
    )
}

/// It is a text of another kind that has the name of a workbook.
pub(super) fn a_page(what: &str) -> Rejection {
    reject(
        Code::NotASheet,
        format!("The file is {what}, whatever its name says; some shops export such."),
        "Open it in Excel or LibreOffice, save it as .xlsx, and drop that.",
    )
}

/// Reading it was ended by the limit on memory, in MiB.
pub(super) fn needs_too_much(limit: u64) -> Rejection {
    costs_too_much(&format!("more than {limit} MiB of memory"))
}

/// Reading it was ended by the limit on time, in seconds.
pub(super) fn takes_too_long(limit: u64) -> Rejection {
    costs_too_much(&format!("longer than {limit} seconds"))
}

fn costs_too_much(what: &str) -> Rejection {
    reject(
        Code::SheetTooLarge,
        format!("Reading the workbook takes {what}, which is the limit for a file of its size."),
        "Copy the orders into an empty workbook, save it as .xlsx or as CSV, and drop that.",
    )
}

/// The reader of workbooks could not do its work, for no fault of the workbook.
pub(super) fn reader_failed(error: &io::Error) -> Rejection {
    reader_stopped(&error.to_string())
}

/// The reader of workbooks was stopped, for no fault of the workbook.
pub(super) fn reader_stopped(why: &str) -> Rejection {
    reject(
        Code::UnreadableFile,
        format!("The workbook could not be read: the process that reads it did not finish ({why})."),
        "Check the free memory of the machine, then drop the file again.",
    )
}

/// It began as a workbook and went wrong.
pub(super) fn broken(what: impl std::fmt::Display) -> Rejection {
    reject(
        Code::BrokenSheet,
        format!("The workbook is damaged: {what}."),
        "Open it in Excel or LibreOffice, save it anew as .xlsx, and drop that.",
    )
}

/// A workbook's end is missing.
pub(super) fn cut_workbook() -> Rejection {
    reject(
        Code::IncompleteSheet,
        "The workbook is incomplete: its end is missing.",
        "Copy or save it again and drop it once more.",
    )
}

/// A quoted cell, which begins in this line, has no end.
pub(super) fn ends_in_quotes(line: u64) -> Rejection {
    reject(
        Code::IncompleteSheet,
        format!(
            "The file ends inside the cell that a quotation mark begins in line {line}: the mark that closes it is missing, or \
             the file's end is."
        ),
        format!(
            "If that mark is text, take it out, or quote its cell and double it; close the cell if it is not. If the file \
             goes on behind line {line} in its program, it was cut: export or copy it again. Then drop it once more."
        ),
    )
}

/// A quoted cell seems to hold rows, which would be lost in it. `line` is the number of the record's first line.
pub(super) fn stray_quote(line: u64, found: Swallowed) -> Rejection {
    let number = |from_first: usize| line.saturating_add(u64::try_from(from_first).unwrap_or(u64::MAX));
    let (from, to) = (number(found.from), number(found.to));
    let sign = match found.row.map(number) {
        Some(row) => format!("line {row} looks like a row of its own"),
        None => format!(
            "text follows the mark that closes it in line {to}, and line {} may be a row of its own",
            from.saturating_add(1)
        ),
    };
    reject(
        Code::StrayQuote,
        format!(
            "The quotation mark that begins a cell in line {from} makes one cell of lines {from} to {to}: {sign}."
        ),
        format!(
            "Double the quotation mark, or take it out, in line {from}, and the one in line {to}, and drop the sheet again. \
             If these lines are meant to be one cell, save the sheet as .xlsx and drop that."
        ),
    )
}

/// More than a limit lets in.
pub(super) fn too_large(what: impl Into<String>) -> Rejection {
    reject(
        Code::SheetTooLarge,
        what,
        "Split the sheet into several and drop each.",
    )
}

/// More rows than `limit`.
pub(super) fn too_many_rows(limit: u32) -> Rejection {
    reject(
        Code::TooManyRows,
        format!("The sheet has more than {limit} rows below its header."),
        "Split the sheet into several and drop each (the limit is max_rows).",
    )
}

/// More columns than are read.
pub(super) fn too_many_columns(row: u32) -> Rejection {
    let limit = super::MAX_COLUMNS;
    reject(
        Code::TooManyColumns,
        format!("Row {row} has more than {limit} columns."),
        "Delete what stands at the right of the orders and drop the sheet again.",
    )
}

/// A cell or a whole row longer than a spreadsheet can hold.
pub(super) fn cell_too_long(row: u32) -> Rejection {
    let limit = super::MAX_CELL_UNITS;
    reject(
        Code::CellTooLong,
        format!("A cell in row {row} has more than {limit} characters."),
        "Shorten it (a missing quotation mark makes a cell swallow what follows it) and drop the sheet again.",
    )
}
