//! The cells of .xlsb, streamed. The library gives no number formats, and passes over the errors of formulas in
//! silence: a formula at whose place no value comes is marked, so that none passes for blank.

use std::collections::BTreeSet;

use calamine::{Xlsb, XlsbError};

use super::super::cell;
use super::Trouble;
use super::book::{From, refused_xlsb};
use super::cells::{CellPosition, Cells, Formulas, Sink};
use crate::finding::Rejection;

/// Reads a sheet's cells.
pub(super) fn read(
    book: &mut Xlsb<From>,
    name: &str,
    cells: &mut Cells,
    sink: &mut Sink<'_>,
) -> Result<(), Trouble> {
    let places = if cells.is_look() {
        BTreeSet::new()
    } else {
        formulas(book, name)?
    };
    let mut formulas = Formulas::new(places);
    let mut reader = book.worksheet_cells_reader(name).map_err(refused_xlsb)?;
    loop {
        let read = match reader.next_cell() {
            Ok(Some(read)) => read,
            Ok(None) => break,
            Err(XlsbError::CellError(_unknown)) => {
                cells.hold_error("#ERROR!".to_owned())?;
                continue;
            }
            Err(error) => return Err(refused_xlsb(error).into()),
        };
        let place = read.get_position();
        if !formulas.pass(place, cells, sink)? {
            return Ok(());
        }
        let kind = cell::write(read.get_value(), None, &mut cells.text);
        if !cells.put(place, kind, sink)? {
            return Ok(());
        }
    }
    formulas.pass((u32::MAX, u32::MAX), cells, sink)?;
    cells.finish(sink)
}

/// The places of all formulas that the library can read.
fn formulas(book: &mut Xlsb<From>, name: &str) -> Result<BTreeSet<CellPosition>, Rejection> {
    let mut reader = book.worksheet_cells_reader(name).map_err(refused_xlsb)?;
    let mut places = BTreeSet::new();
    loop {
        match reader.next_formula() {
            Ok(Some(formula)) => {
                places.insert(formula.get_position());
            }
            Ok(None) => return Ok(places),
            Err(error @ XlsbError::Io(_)) => return Err(refused_xlsb(error)),
            // A formula that it cannot spell out; its value is read all the same.
            Err(_unknown_formula) => {}
        }
    }
}
