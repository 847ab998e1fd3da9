//! Text that is struck through: who crosses out a row has called it off, and who crosses out a value has another in mind.

use super::mark::STRUCK;
use super::{Ends, Mark, Place};
use crate::finding::CellRef;
use crate::order::columns::Field;
use crate::order::layout::Layout;
use crate::sheet::Row;

/// What of a row is struck through: all of it, or a cell that is read. Crossing out a cell that is carried through untouched
/// says nothing of the order. What is done is crossed out as well as what is called off.
///
/// `beside`: the columns in which the row's fields were read besides their own.
pub(in crate::order) fn struck_through(layout: &Layout, row: &Row, beside: &[(Field, u16)]) -> Option<Mark> {
    let why = what_is_struck(layout, row, beside)?;
    Some(Mark {
        why,
        ends: Ends::Done,
        place: Place::Row,
    })
}

fn what_is_struck(layout: &Layout, row: &Row, beside: &[(Field, u16)]) -> Option<String> {
    if row.struck().is_empty() {
        return None;
    }
    let is_struck = |column: &usize| row.struck().contains(column);
    let columns = layout.own_columns().iter().copied();
    let filled: Vec<usize> = columns.filter(|column| row.has_text(*column)).collect();
    if !filled.is_empty() && filled.iter().all(is_struck) {
        return Some(format!("row {} {STRUCK}", row.number()));
    }
    let foreign = layout.foreign_columns();
    let is_read = |column: &usize| {
        let mut beside = beside.iter().map(|(_, beside)| usize::from(*beside));
        !foreign.contains(column) || beside.any(|beside| beside == *column)
    };
    let column = filled
        .into_iter()
        .find(|column| is_struck(column) && is_read(column))?;
    let cell = CellRef {
        row: row.number(),
        column: u16::try_from(column).ok()?,
    };
    Some(format!("{cell} has text that {STRUCK}"))
}

#[cfg(test)]
mod tests {
    use crate::order::Layout;
    use crate::order::tests::{NATIVE, drafts_of, good, text_row};
    use crate::sheet::{CellKind, Row};

    /// What holds an order in which the cells of some columns are struck through, of a sheet with one column more.
    fn holds(struck: &[&str]) -> Vec<String> {
        let header: Vec<&str> = NATIVE.into_iter().chain(["Old price"]).collect();
        let mut row = Row::default();
        row.start(2);
        for (column, cell) in header
            .iter()
            .zip(good().iter().map(String::as_str).chain(["9.99"]))
        {
            let kinds = [CellKind::Text, CellKind::Blank];
            row.push(cell, kinds[usize::from(cell.is_empty())]);
            if struck.contains(column) && !cell.is_empty() {
                row.strike_last();
            }
        }
        let layout = Layout::read(&text_row(1, &header)).unwrap();
        drafts_of(layout, &[row]).remove(0).shop_holds().to_vec()
    }

    #[test]
    fn what_is_struck_through_waits_for_a_person() {
        assert_eq!(holds(&[]), [""; 0]);
        assert_eq!(holds(&["Old price"]), [""; 0], "it is carried through");
        assert_eq!(
            holds(&["quantity", "Old price"]),
            ["N2 has text that is struck through"]
        );
        let all: Vec<&str> = NATIVE.into_iter().chain(["Old price"]).collect();
        assert_eq!(holds(&all), ["row 2 is struck through"]);
    }

    #[test]
    fn what_is_struck_through_in_a_column_that_is_joined_to_another_waits_too() {
        let header = "Order,Vorname,Nachname,Straße,Hausnummer,PLZ,Ort,Suburb,Land,SKU,Menge,Preis";
        let cells = "1,Eva,Beispiel,Musterweg,3,10115,Berlin,Mitte,DE,TEE,1,9.99";
        let holds = |struck: usize| {
            let mut row = Row::default();
            row.start(2);
            let mut cells = cells.split(',');
            let before = cells.by_ref().take(struck + 1);
            before.for_each(|cell| row.push(cell, CellKind::Text));
            row.strike_last();
            cells.for_each(|cell| row.push(cell, CellKind::Text));
            let header: Vec<&str> = header.split(',').collect();
            let layout = Layout::read(&text_row(1, &header)).unwrap();
            drafts_of(layout, &[row]).remove(0).shop_holds().to_vec()
        };
        for (column, cell) in [(1, "B2"), (2, "C2"), (3, "D2"), (4, "E2"), (7, "H2")] {
            assert_eq!(holds(column), [format!("{cell} has text that is struck through")]);
        }
        assert_eq!(holds(11), [""; 0]);
    }
}
