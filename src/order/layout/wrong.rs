//! What is wrong with a header.

use crate::finding::{CellRef, Code, Finding, Rejection};
use crate::sheet::Row;

use super::super::columns::Field;
use super::{Layout, column_ref};

/// Without one of these no order of the sheet can pass.
pub(super) const REQUIRED: [Field; 7] = [
    Field::OrderId,
    Field::ShippingName,
    Field::ShippingAddress1,
    Field::ShippingCity,
    Field::ShippingZip,
    Field::ItemSku,
    Field::Quantity,
];

/// Findings about the header reject the sheet as a whole: each of its orders would have them.
pub(in crate::order) fn rejection(findings: &[Finding]) -> Rejection {
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

pub(super) fn repeated(header: &Row, field: Field, first: usize, second: usize) -> Finding {
    let named = |column: usize| {
        let text = header.text(column).trim();
        let row = header.number();
        let cell = column_ref(column).map(|column| CellRef { row, column });
        cell.map_or_else(|| format!("`{text}`"), |cell| format!("{cell} (`{text}`)"))
    };
    let name = field.name();
    Finding {
        code: Code::RepeatedColumn,
        row: header.number(),
        column: column_ref(second),
        message: format!(
            "The columns {} and {} both mean {name}.",
            named(first),
            named(second)
        ),
        hint: format!("Name the one that counts `{name}`, and rename or remove the other."),
    }
}

/// What is said of the columns that every order needs and the sheet does not have.
pub(super) fn missing_columns(layout: &Layout, header: &Row) -> Vec<Finding> {
    let has = |field: &Field| layout.column(*field).is_some();
    // A sheet with an `action` column may only cancel: what its creates miss is said at each of them.
    let required = if has(&Field::Action) {
        &[Field::OrderId]
    } else {
        REQUIRED.as_slice()
    };
    let mut missing: Vec<&str> = required
        .iter()
        .filter(|field| !has(field))
        .map(|field| field.name())
        .collect();
    let country = [Field::ShippingCountryCode, Field::ShippingCountry];
    if required.len() > 1 && !country.iter().any(has) {
        missing.push(Field::ShippingCountryCode.name());
    }
    let mut findings: Vec<Finding> = missing
        .into_iter()
        .map(|name| missing_column(header, name))
        .collect();
    if let Some(last) = findings.last_mut() {
        last.hint.push_str(&columns_found(header));
    }
    findings
}

/// What the header has, for who looks for what it lacks: often a column is there under another name.
fn columns_found(header: &Row) -> String {
    /// A header may have hundreds; most exports of shops have fewer than these.
    const SHOWN: usize = 80;
    let named: Vec<String> = (0..header.len())
        .map(|column| header.text(column).trim())
        .filter(|name| !name.is_empty())
        .map(|name| format!("`{name}`"))
        .collect();
    let more = match named.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown: Vec<&str> = named.iter().take(SHOWN).map(String::as_str).collect();
    format!(" The columns found are {}{more}.", shown.join(", "))
}

fn missing_column(header: &Row, name: &str) -> Finding {
    Finding {
        code: Code::MissingColumn,
        row: header.number(),
        column: None,
        message: format!("The sheet has no column for {name}."),
        hint: format!("Rename the column that holds it to `{name}`, or add one."),
    }
}
