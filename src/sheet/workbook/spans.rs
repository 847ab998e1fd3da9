//! The merged cells of an OpenDocument sheet, which the library passes over: its content is read once more, for what
//! spans rows alone.

use std::io::{BufRead, BufReader};
use std::sync::Arc;

use calamine::Dimensions;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::super::MAX_COLUMNS;
use super::super::reject::broken;
use super::super::source::Source;
use super::merges::held_to_the_most;
use crate::finding::Rejection;

/// The cells of a sheet that are merged over several rows.
pub(super) fn of_sheet(file: &Arc<std::fs::File>, name: &str) -> Result<Vec<Dimensions>, Rejection> {
    let mut archive = ZipArchive::new(BufReader::new(Source::new(file))).map_err(broken)?;
    let content = archive.by_name("content.xml").map_err(broken)?;
    spans(BufReader::new(content), name)
}

fn spans(content: impl BufRead, name: &str) -> Result<Vec<Dimensions>, Rejection> {
    let mut reader = Reader::from_reader(content);
    reader.config_mut().expand_empty_elements = true;
    let mut found = Vec::new();
    let mut sheet = None;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer).map_err(broken)?;
        match (&event, &mut sheet) {
            (Event::Eof, _) => return Ok(found),
            (Event::Start(tag), None) if tag.name().as_ref() == "table:table" => {
                let title = attribute(tag, "table:name")?.unwrap_or_default();
                sheet = (title == name).then(OdsCursor::default);
            }
            (Event::Start(tag), Some(place)) => place.pass(tag, &mut found)?,
            (Event::End(tag), Some(_)) if tag.name().as_ref() == "table:table" => return Ok(found),
            _ => {}
        }
        held_to_the_most(&found)?;
    }
}

/// Where the reading stands in a sheet: the cell that comes next. Everything is counted from 0.
#[derive(Default)]
struct OdsCursor {
    row: u32,
    /// Rows that the one being read stands for.
    rows: u32,
    column: u32,
}

impl OdsCursor {
    fn pass(&mut self, tag: &BytesStart<'_>, found: &mut Vec<Dimensions>) -> Result<(), Rejection> {
        match tag.name().as_ref() {
            "table:table-row" => {
                self.row = self.row.saturating_add(self.rows);
                self.rows = count(tag, "table:number-rows-repeated")?;
                self.column = 0;
            }
            "table:table-cell" | "table:covered-table-cell" => {
                let cells = count(tag, "table:number-columns-repeated")?;
                let below = count(tag, "table:number-rows-spanned")?.saturating_sub(1);
                let most = u32::try_from(MAX_COLUMNS).unwrap_or(u32::MAX);
                let end = self.column.saturating_add(cells);
                if below > 0 {
                    found.extend((self.column..end.min(most)).map(|column| Dimensions {
                        start: (self.row, column),
                        end: (self.row.saturating_add(below), column),
                    }));
                }
                self.column = end;
            }
            _ => {}
        }
        Ok(())
    }
}

/// A number that is 1 where it is not written.
pub(super) fn count(tag: &BytesStart<'_>, name: &str) -> Result<u32, Rejection> {
    match attribute(tag, name)? {
        None => Ok(1),
        Some(text) => text.trim().parse().map_err(broken),
    }
}

/// An attribute's text; none where it is not there.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, Rejection> {
    let Some(attribute) = tag.try_get_attribute(name).map_err(broken)? else {
        return Ok(None);
    };
    let text = unescape(&attribute.value).map_err(broken)?;
    Ok(Some(text.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &str) -> Vec<((u32, u32), (u32, u32))> {
        let other = r#"<table:table table:name="Cover"><table:table-row><table:table-cell
            table:number-rows-spanned="9"/></table:table-row></table:table>"#;
        let text =
            format!(r#"<x>{other}<table:table table:name="A &amp; B">{rows}</table:table>{other}</x>"#);
        let spans = spans(text.as_bytes(), "A & B").unwrap();
        spans.iter().map(|span| (span.start, span.end)).collect()
    }

    #[test]
    fn what_spans_rows_is_found_at_its_place() {
        let rows = r#"
            <table:table-header-rows><table:table-row><table:table-cell/></table:table-row></table:table-header-rows>
            <table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>
            <table:table-row>
              <table:table-cell table:number-columns-repeated="2"/>
              <table:table-cell table:number-columns-spanned="1" table:number-rows-spanned="2"><text:p>1001</text:p></table:table-cell>
              <table:covered-table-cell/>
              <table:table-cell table:number-columns-repeated="2" table:number-rows-spanned="3"/>
            </table:table-row>"#;
        assert_eq!(
            found(rows),
            [((4, 2), (5, 2)), ((4, 4), (6, 4)), ((4, 5), (6, 5))]
        );
    }

    #[test]
    fn numbers_beyond_every_sheet_are_held_to_its_columns() {
        let cell = r#"<table:table-row table:number-rows-repeated="4294967295"><table:table-cell
            table:number-columns-repeated="4294967295" table:number-rows-spanned="4294967295"/></table:table-row>"#;
        assert_eq!(found(&cell.repeat(2)).len(), 2 * MAX_COLUMNS);
        assert!(
            spans(
                r#"<table:table table:name="A"><table:table-row table:number-rows-repeated="x"/>"#.as_bytes(),
                "A"
            )
            .is_err()
        );
    }
}
