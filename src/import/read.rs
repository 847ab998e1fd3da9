//! The first pass: the whole sheet is read once, before anything is sent, so that what rejects it is known.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use crate::finding::{Code, Finding, Rejection};
use crate::order::{Index, Layout};
use crate::sheet::{Limits, Row, Sheet};

/// Different SKUs that are looked at before the second pass; a sheet with more has its catalog refreshed by age alone.
const MOST_SKUS: usize = 20_000;

/// A sheet that was read once.
#[derive(Debug)]
pub struct Read {
    /// The sheet.
    pub sheet: Sheet,
    /// Its columns.
    pub layout: Layout,
    /// Which rows belong together.
    pub index: Index,
    /// The different SKUs in it, as far as they are looked at.
    pub skus: BTreeSet<String>,
}

/// Reads a sheet from its first row to its last.
///
/// # Errors
/// Why it cannot be worked.
pub fn read(file: File, name: &str, limits: Limits, scratch: &Path) -> Result<Read, Rejection> {
    let sheet = Sheet::open(file, name, limits, scratch, &Layout::is_header)?;
    let layout = Layout::read(sheet.header()).map_err(|findings| columns(&findings))?;
    let mut index = Index::default();
    let mut skus = BTreeSet::new();
    let header = sheet.header().number();
    let mut rows = sheet.rows()?;
    let mut row = Row::default();
    while rows.next(&mut row)? {
        if row.number() <= header {
            continue;
        }
        index.note(&layout, &row);
        if let Some(column) = layout.sku_column() {
            let sku = row.text(column).trim();
            if !sku.is_empty() && skus.len() < MOST_SKUS && !skus.contains(sku) {
                skus.insert(sku.to_owned());
            }
        }
    }
    if index.rows() == 0 {
        return Err(Rejection {
            code: Code::EmptySheet,
            message: format!("`{name}` has a header and no order below it."),
            hint: "Add the orders and drop it again.".to_owned(),
        });
    }
    Ok(Read {
        sheet,
        layout,
        index,
        skus,
    })
}

/// Findings about the header reject the sheet as a whole: each of its orders would have them.
fn columns(findings: &[Finding]) -> Rejection {
    let code = findings
        .first()
        .map_or(Code::MissingColumn, |finding| finding.code);
    let joined = |part: fn(&Finding) -> &str| {
        let mut parts: Vec<&str> = findings
            .iter()
            .map(part)
            .filter(|text| !text.is_empty())
            .collect();
        parts.dedup();
        parts.join(" ")
    };
    Rejection {
        code,
        message: joined(|f| &f.message),
        hint: joined(|f| &f.hint),
    }
}
