//! The cells of .xlsx and .xlsm, streamed: the library is never asked for a whole range, which it would make room for
//! by what the file says of itself.

use std::collections::BTreeSet;
use std::fs::File;
use std::sync::Arc;

use calamine::{DataRef, Font, Xlsx, XlsxError};

use super::super::reject::broken;
use super::super::{CellKind, Look, cell};
use super::Trouble;
use super::book::{From, open_xlsx, refused_xlsx};
use super::cells::{CellPosition, Cells, MAX_MARKED, Sink};
use super::struck::StruckTexts;
use crate::finding::Rejection;

/// Reads a sheet's cells.
pub(super) fn read(
    (book, file, struck): (&mut Xlsx<From>, &Arc<File>, &StruckTexts),
    name: &str,
    cells: &mut Cells,
    sink: &mut Sink<'_>,
) -> Result<(), Trouble> {
    let mut reader = match book.worksheet_cells_reader(name) {
        Err(XlsxError::NotAWorksheet(_)) if cells.is_look() => return Ok(()),
        other => other.map_err(refused_xlsx)?,
    };
    let mut no_value: Option<BTreeSet<CellPosition>> = None;
    loop {
        let (read, style) = match reader.next_cell_with_style_id() {
            Ok(Some(found)) => found,
            Ok(None) => return cells.finish(sink),
            Err(XlsxError::CellError(error)) => {
                cells.hold_error(error)?;
                continue;
            }
            Err(error) => return Err(refused_xlsx(error).into()),
        };
        let place = read.get_position();
        let style = reader.styles().get(style);
        let format = style.and_then(|style| style.number_format.as_ref());
        let format = format.map(|format| format.format_code.as_str());
        let font = style.and_then(|style| style.font.as_ref());
        let value = read.get_value();
        cells.is_struck = font.is_some_and(Font::has_strikethrough) || struck.holds(value);
        let mut kind = cell::write(value, format, &mut cells.text);
        cells.look = format.filter(|_| kind == CellKind::Number).and_then(Look::of);
        if *value == DataRef::Empty && !cells.is_look() {
            if no_value.is_none() {
                no_value = Some(formulas_without_value(file, name)?);
            }
            if no_value.as_ref().is_some_and(|places| places.contains(&place)) {
                kind = CellKind::NoValue;
            }
        }
        if !cells.put(place, kind, sink)? {
            return Ok(());
        }
    }
}

/// The places of formulas whose result was never stored. The library gives styles or formulas, never both: whether an
/// empty cell is a formula takes another reading, of the file opened once more.
fn formulas_without_value(file: &Arc<File>, name: &str) -> Result<BTreeSet<CellPosition>, Rejection> {
    let mut book = open_xlsx(file)?;
    let mut cells = book.worksheet_cells_reader(name).map_err(refused_xlsx)?;
    let mut found = BTreeSet::new();
    loop {
        match cells.next_cell_with_formula_metadata() {
            Ok(None) => return Ok(found),
            Ok(Some(cell)) if cell.value == DataRef::Empty && cell.formula.is_some() => {
                found.insert(cell.pos);
                if found.len() > MAX_MARKED {
                    return Err(broken("most of its formulas have no stored result"));
                }
            }
            Ok(Some(_)) | Err(XlsxError::CellError(_)) => {}
            Err(error) => return Err(refused_xlsx(error)),
        }
    }
}
