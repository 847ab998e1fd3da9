//! The formulas of an OpenDocument sheet whose result is an empty text, which the library does not tell from formulas
//! without a result: its content is read once more, for them alone. A result that is there, and empty, has a paragraph
//! in which nothing stands.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::super::reject::broken;
use super::super::source::Source;
use super::cells::CellPosition;
use super::spans::{attribute, count};
use crate::finding::Rejection;

/// What says that a cell has a value of its own.
const VALUES: [&str; 6] = [
    "office:value-type",
    "office:value",
    "office:string-value",
    "office:date-value",
    "office:time-value",
    "office:boolean-value",
];

/// Takes the formulas of a sheet whose result is an empty text out of `places`.
pub(super) fn take_out(
    file: &Arc<std::fs::File>,
    name: &str,
    places: &mut BTreeSet<CellPosition>,
) -> Result<(), Rejection> {
    let mut archive = ZipArchive::new(BufReader::new(Source::new(file))).map_err(broken)?;
    let content = archive.by_name("content.xml").map_err(broken)?;
    take_out_of(BufReader::new(content), name, places)
}

fn take_out_of(
    content: impl BufRead,
    name: &str,
    places: &mut BTreeSet<CellPosition>,
) -> Result<(), Rejection> {
    let mut reader = Reader::from_reader(content);
    reader.config_mut().expand_empty_elements = true;
    let mut sheet: Option<Reading<'_>> = None;
    let mut places = Some(places);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer).map_err(broken)?;
        match (&event, &mut sheet) {
            (Event::Eof, _) => return Ok(()),
            (Event::Start(tag), None) if tag.name().as_ref() == "table:table" => {
                let title = attribute(tag, "table:name")?.unwrap_or_default();
                if title == name {
                    sheet = places.take().map(Reading::new);
                }
            }
            (Event::Start(tag), Some(reading)) => reading.begin(tag)?,
            (Event::Text(_) | Event::GeneralRef(_) | Event::CData(_), Some(reading)) => reading.text(),
            (Event::End(tag), Some(_)) if tag.name().as_ref() == "table:table" => return Ok(()),
            (Event::End(tag), Some(reading)) => reading.end(tag.name().as_ref()),
            _ => {}
        }
    }
}

/// Where the reading stands in a sheet. Everything is counted from 0.
struct Reading<'a> {
    places: &'a mut BTreeSet<CellPosition>,
    row: u32,
    /// Rows that the one being read stands for.
    rows: u32,
    /// The column of the cell that comes next.
    column: u32,
    /// Cells that the one being read stands for, where it is a formula without a value.
    formula: Option<u32>,
    has_paragraph: bool,
    in_paragraph: bool,
    /// In a comment, whose paragraphs are none of the cell's.
    in_comment: bool,
}

impl<'a> Reading<'a> {
    fn new(places: &'a mut BTreeSet<CellPosition>) -> Self {
        Self {
            places,
            row: 0,
            rows: 0,
            column: 0,
            formula: None,
            has_paragraph: false,
            in_paragraph: false,
            in_comment: false,
        }
    }

    fn begin(&mut self, tag: &BytesStart<'_>) -> Result<(), Rejection> {
        match tag.name().as_ref() {
            "table:table-row" => {
                self.row = self.row.saturating_add(self.rows);
                self.rows = count(tag, "table:number-rows-repeated")?;
                self.column = 0;
            }
            "table:table-cell" | "table:covered-table-cell" => {
                let cells = count(tag, "table:number-columns-repeated")?;
                self.column = self.column.saturating_add(cells);
                self.has_paragraph = false;
                let mut has_value = false;
                for value in VALUES {
                    has_value |= attribute(tag, value)?.is_some();
                }
                let is_formula = !has_value && attribute(tag, "table:formula")?.is_some();
                self.formula = is_formula.then_some(cells);
            }
            "office:annotation" => self.in_comment = true,
            "text:p" if !self.in_comment => {
                self.has_paragraph = true;
                self.in_paragraph = true;
            }
            _ => {}
        }
        Ok(())
    }

    /// A cell that shows something has a value that was not understood.
    fn text(&mut self) {
        if self.in_paragraph && !self.in_comment {
            self.formula = None;
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "office:annotation" => self.in_comment = false,
            "text:p" => self.in_paragraph = false,
            "table:table-cell" | "table:covered-table-cell" => {
                if let Some(cells) = self.formula.take().filter(|_| self.has_paragraph) {
                    self.take_out(cells);
                }
            }
            _ => {}
        }
    }

    /// Takes out what the cell stands for, which ends before the next column.
    fn take_out(&mut self, cells: u32) {
        let columns = self.column.saturating_sub(cells)..self.column;
        let rows = (self.row, columns.start)..(self.row.saturating_add(self.rows), 0);
        let range = self.places.range(rows);
        let found: Vec<CellPosition> = range
            .filter(|place| columns.contains(&place.1))
            .copied()
            .collect();
        for place in found {
            self.places.remove(&place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(rows: &str, places: &[CellPosition]) -> Vec<CellPosition> {
        let other = r#"<table:table table:name="Cover"><table:table-row><table:table-cell table:formula="of:=A1"><text:p/>
            </table:table-cell></table:table-row></table:table>"#;
        let text = format!(r#"<x>{other}<table:table table:name="A">{rows}</table:table></x>"#);
        let mut places = places.iter().copied().collect();
        take_out_of(text.as_bytes(), "A", &mut places).unwrap();
        places.into_iter().collect()
    }

    #[test]
    fn a_formula_with_an_empty_paragraph_is_an_empty_text_and_one_with_nothing_has_no_result() {
        let rows = r#"
            <table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>
            <table:table-row>
              <table:table-cell table:formula="of:=A1"/>
              <table:table-cell table:formula="of:=A1"><text:p/></table:table-cell>
              <table:table-cell table:formula="of:=A1"><text:p></text:p></table:table-cell>
              <table:table-cell table:formula="of:=A1"><text:p>12</text:p></table:table-cell>
              <table:table-cell table:formula="of:=A1"><office:annotation><text:p>a</text:p></office:annotation></table:table-cell>
              <table:table-cell table:formula="of:=A1"><office:annotation><text:p>a</text:p></office:annotation><text:p/></table:table-cell>
            </table:table-row>"#;
        let places: Vec<CellPosition> = (0..6).map(|column| (2, column)).collect();
        assert_eq!(left(rows, &places), [(2, 0), (2, 3), (2, 4)]);
    }

    #[test]
    fn a_cell_that_stands_for_many_is_taken_out_as_many_times() {
        let rows = r#"<table:table-row table:number-rows-repeated="3">
            <table:table-cell table:number-columns-repeated="2"/>
            <table:table-cell table:number-columns-repeated="2" table:formula="of:=A1"><text:p/></table:table-cell>
            </table:table-row>"#;
        let places = [(0, 1), (0, 2), (0, 3), (2, 2), (2, 4), (3, 2)];
        assert_eq!(left(rows, &places), [(0, 1), (2, 4), (3, 2)]);
    }
}
