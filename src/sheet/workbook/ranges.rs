//! The cells of kinds that the library reads as a whole (.xls, .ods): values and formulas side by side.

use std::collections::BTreeSet;

use calamine::{Data, DataRef, Range};

use super::super::cell;
use super::Trouble;
use super::cells::{CellPosition, Cells, Formulas, Sink};

/// The places of formulas at which no value stands.
pub(super) fn without_value(values: &Range<Data>, formulas: &Range<String>) -> BTreeSet<CellPosition> {
    let mut places: BTreeSet<CellPosition> = placed(formulas)
        .filter(|(_, formula)| !formula.is_empty())
        .map(|(place, _)| place)
        .collect();
    for (place, _value) in placed(values) {
        places.remove(&place);
    }
    places
}

/// Reads a sheet's cells, and the places of formulas that have no value.
pub(super) fn read(
    values: &Range<Data>,
    without_value: BTreeSet<CellPosition>,
    cells: &mut Cells,
    sink: &mut Sink<'_>,
) -> Result<(), Trouble> {
    let mut formulas = Formulas::new(without_value);
    for (place, value) in placed(values) {
        if !formulas.pass(place, cells, sink)? {
            return Ok(());
        }
        let kind = cell::write(&borrowed(value), None, &mut cells.text);
        if !cells.put(place, kind, sink)? {
            return Ok(());
        }
    }
    if !formulas.pass((u32::MAX, u32::MAX), cells, sink)? {
        return Ok(());
    }
    cells.finish(sink)
}

/// The cells that are not empty, each with its place in the sheet.
fn placed<T: calamine::CellType>(range: &Range<T>) -> impl Iterator<Item = (CellPosition, &T)> {
    let (row, column) = range.start().unwrap_or_default();
    let at = |from: u32, by: usize| from.saturating_add(u32::try_from(by).unwrap_or(u32::MAX));
    range
        .used_cells()
        .map(move |(r, c, value)| ((at(row, r), at(column, c)), value))
}

fn borrowed(value: &Data) -> DataRef<'_> {
    match value {
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::String(text) => DataRef::SharedString(text),
        Data::Bool(truth) => DataRef::Bool(*truth),
        Data::DateTime(date) => DataRef::DateTime(*date),
        Data::DateTimeIso(date) => DataRef::DateTimeIso(date.clone()),
        Data::DurationIso(duration) => DataRef::DurationIso(duration.clone()),
        Data::Error(error) => DataRef::Error(error.clone()),
        Data::Empty => DataRef::Empty,
    }
}
