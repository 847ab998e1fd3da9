//! What is wrong with one of several cells that are read as one text.

use super::*;
use crate::order::Layout;
use crate::order::tests::drafts_of;
use crate::sheet::{CellKind, Row};

const HEADER: &str =
    "Bestellnummer,Vorname,Nachname,Straße,Hausnummer,PLZ,Ort,Suburb,Bundesland,Land,SKU,Menge,artwork_front";

/// What is said of an order with these rows. A cell `=` is a formula without a stored result.
fn told(rows: &[&str]) -> Vec<(Code, String)> {
    let header: Vec<&str> = HEADER.split(',').collect();
    let layout = Layout::read(&text_row(1, &header)).unwrap();
    let row = |(number, cells): (u32, &&str)| {
        let mut row = Row::default();
        row.start(number);
        for cell in cells.split(',') {
            match cell {
                "" => row.push("", CellKind::Blank),
                "=" => row.push("", CellKind::NoValue),
                text => row.push(text, CellKind::Text),
            }
        }
        row
    };
    let rows: Vec<Row> = (2..).zip(rows).map(row).collect();
    let mut drafts = drafts_of(layout, &rows);
    assert_eq!(drafts.len(), 1);
    findings(&check(&drafts.remove(0), &catalog(), &Limits::default()))
}

fn order(who: &str, suburb: &str) -> String {
    let rest = "TEE-CLASSIC-BLK-S,1,https://example.com/a.png";
    format!("1,{who},10115,Berlin,{suburb},Berlin,Deutschland,{rest}")
}

#[test]
fn what_one_of_two_joined_cells_has_lost_is_told_of_that_cell() {
    for (who, code, cell) in [
        ("=,Beispiel,Musterweg,3", Code::NoCachedValue, "B2"),
        ("Eva,=,Musterweg,3", Code::NoCachedValue, "C2"),
        ("Eva,Beispiel,=,3", Code::NoCachedValue, "D2"),
        ("Eva,Beispiel,Musterweg,=", Code::NoCachedValue, "E2"),
        ("Eva,Beispiel,Musterweg 3,=", Code::NoCachedValue, "E2"),
        ("Eva,#N/A,Musterweg,3", Code::CellError, "C2"),
        ("Eva,Beispiel,Musterweg 3,#N/A", Code::CellError, "E2"),
        ("Eva,Beispiel,Musterweg,\u{fffd}", Code::BadCharacter, "E2"),
        ("Eva,M\u{fffd}ller,Musterweg,3", Code::BadCharacter, "C2"),
        ("Eva,M?ller,Musterweg,3", Code::BadCharacter, "C2"),
        ("?va,M?ller,Musterweg,3", Code::BadCharacter, "C2"),
        ("Eva,M***r,Musterweg,3", Code::BadCharacter, "C2"),
        ("E?a,Beispiel,Musterweg,3", Code::BadCharacter, "B2"),
        ("???,Beispiel,Musterweg,3", Code::BadCharacter, "B2"),
        ("Eva,???,Musterweg,3", Code::BadCharacter, "C2"),
        ("Eva,******,Musterweg,3", Code::MissingValue, "C2"),
        ("Eva,Beispiel,Musterweg,ditto", Code::MissingValue, "E2"),
        ("Eva,Beispiel,Musterweg,\"", Code::MissingValue, "E2"),
        ("Eva,Beispiel,Musterweg,TBD", Code::MissingValue, "E2"),
        ("Eva,Beispiel,Musterweg,0", Code::MissingValue, "E2"),
        ("ditto,Beispiel,Musterweg,3", Code::MissingValue, "B2"),
        ("Eva,n/a,Musterweg,3", Code::MissingValue, "C2"),
    ] {
        assert_eq!(told(&[&order(who, "")]), [(code, cell.to_owned())], "{who}");
    }
    for who in [
        "Eva,Beispiel,Musterweg,3",
        "Eva,,Musterweg,3",
        "Eva,-,Musterweg,3",
        "Eva,Beispiel,Musterweg 3,",
        "Eva,Beispiel,Musterweg 3,-",
        "Eva,NA,Musterweg,3a-c",
        "Nan,Idemu,Am Ditto,3",
    ] {
        assert_eq!(told(&[&order(who, "")]), [], "{who}");
    }
}

#[test]
fn the_cell_that_differs_in_another_row_is_the_one_that_is_told() {
    for (other, suburb, cell) in [
        ("Eva,Beispiel,Musterweg,5", "Mitte", "E3"),
        ("Eva,Beispiel,Musterweg,", "Mitte", "E3"),
        ("Eva,Beispiel,Feldweg,3", "Mitte", "D3"),
        ("Ada,Beispiel,Musterweg,3", "Mitte", "B3"),
        ("Eva,Muster,Musterweg,3", "Mitte", "C3"),
        ("Eva,Beispiel,Musterweg,3", "Wedding", "H3"),
    ] {
        let (first, other) = (order("Eva,Beispiel,Musterweg,3", "Mitte"), order(other, suburb));
        let told = told(&[&first, &other.replace(",1,https", ",2,https")]);
        assert_eq!(told, [(Code::DifferingValues, cell.to_owned())], "{other}");
    }
}

#[test]
fn what_a_suburb_has_lost_is_told_of_its_own_cell() {
    let who = "Eva,Beispiel,Musterweg,3";
    let lost = vec![(Code::BadCharacter, "H2".to_owned())];
    assert_eq!(told(&[&order(who, "\u{fffd}Mitte")]), lost);
    assert_eq!(told(&[&order(who, "Mitte")]), []);
}
