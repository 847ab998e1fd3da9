//! One row's known cells, mended.

use crate::finding::{Code, Finding, Level};
use crate::sheet::Row;

use super::columns::Field;
use super::layout::{Layout, column_ref};
use super::mend::{Remark, mend, quoted};

/// One row's known cells, mended.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    row: u32,
    texts: [String; Field::COUNT],
    /// A bit a field: its value was lost, and a finding says so.
    spoiled: u32,
}

/// The bits of [`Cells::spoiled`] are enough.
const _: () = assert!(Field::COUNT <= 32);

impl Cells {
    /// Mends a row's cells; what is to be said of them goes to `findings`.
    pub(crate) fn read(layout: &Layout, row: &Row, findings: &mut Vec<Finding>) -> Self {
        let mut cells = Self {
            row: row.number(),
            texts: Default::default(),
            spoiled: 0,
        };
        let known = Field::ALL
            .into_iter()
            .filter_map(|field| Some((field, layout.column(field)?)));
        for (field, column) in known {
            let mended = mend(field, row.text(column), row.kind(column));
            cells.replace(field, mended.text);
            let Some(remark) = mended.remark else { continue };
            if remark.code.level() == Level::Error {
                cells.spoiled |= 1 << field.index();
            }
            findings.push(remark.at(row.number(), column_ref(column)));
        }
        findings.extend(beyond_the_header(layout, row));
        cells
    }

    /// The row, as the spreadsheet shows it.
    pub(crate) fn row(&self) -> u32 {
        self.row
    }

    /// A field's text; empty where it is blank.
    pub(crate) fn text(&self, field: Field) -> &str {
        self.texts.get(field.index()).map_or("", String::as_str)
    }

    /// Whether the field's value was lost on the way: a finding says so already.
    pub(crate) fn is_spoiled(&self, field: Field) -> bool {
        self.spoiled & (1 << field.index()) != 0
    }

    /// Puts a better text in a field's place.
    pub(crate) fn replace(&mut self, field: Field, text: String) {
        if let Some(slot) = self.texts.get_mut(field.index()) {
            *slot = text;
        }
    }
}

impl Remark {
    fn at(self, row: u32, column: Option<u16>) -> Finding {
        Finding {
            code: self.code,
            row,
            column,
            message: self.message,
            hint: self.hint,
        }
    }
}

/// Text to the right of the last column is what an unquoted comma in an address makes: every cell after it has moved.
fn beyond_the_header(layout: &Layout, row: &Row) -> Option<Finding> {
    let column = (layout.width()..row.len()).find(|column| !row.text(*column).trim().is_empty())?;
    let text = quoted(row.text(column).trim());
    Some(Finding {
        code: Code::RaggedRow,
        row: row.number(),
        column: column_ref(column),
        message: format!("The row has more cells than the header; {text} is in none of its columns."),
        hint: "Put quotes around a text that holds the separator, or remove what stands right of the last column."
            .to_owned(),
    })
}
