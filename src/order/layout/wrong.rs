//! What is wrong with a header.

use crate::finding::{CellRef, Code, Finding, Rejection};
use crate::sheet::Row;

use super::super::columns::{Field, Fit};
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
    let mut missing: Vec<Field> = required.iter().copied().filter(|field| !has(field)).collect();
    let country = [Field::ShippingCountryCode, Field::ShippingCountry];
    if required.len() > 1 && !country.iter().any(has) {
        missing.push(Field::ShippingCountryCode);
    }
    let mut findings: Vec<Finding> = missing
        .iter()
        .map(|field| missing_column(header, field.name()))
        .collect();
    tell_of_another_address(&mut findings, (layout, header), &missing);
    if let Some(last) = findings.last_mut() {
        last.hint.push_str(&columns_found(header));
    }
    findings
}

/// Says of columns that are missing, and that the header has, why they are not read: beside one that says whose address it is
/// of, as `Shipping address` does, they may be of another one. To rename one would leave the others.
fn tell_of_another_address(findings: &mut [Finding], (layout, header): (&Layout, &Row), missing: &[Field]) {
    let columns_of = |field: Field| -> Vec<usize> {
        let is_it = |column: &usize| {
            let named = Field::named(header.text(*column));
            named.is_some_and(|(named, fit)| {
                fit == Fit::Weak && (named == field || named.twin() == Some(field))
            })
        };
        (0..header.len()).filter(is_it).collect()
    };
    let places = || Field::ALL.into_iter().filter(|field| field.is_place());
    let mut passed_over = Vec::new();
    for (field, finding) in missing.iter().zip(findings.iter_mut()) {
        let columns = columns_of(*field);
        if !columns.is_empty() && field.is_place() {
            finding.hint.clear();
            passed_over.extend(columns);
        }
    }
    let read: Vec<usize> = places().filter_map(|field| layout.column(field)).collect();
    let Some(last) = findings.last_mut().filter(|_| !passed_over.is_empty()) else {
        return;
    };
    let list = |columns: Vec<usize>| {
        let names = columns
            .into_iter()
            .map(|column| format!("`{}`", header.text(column).trim()));
        names.collect::<Vec<String>>().join(", ")
    };
    let (passed_over, read) = (list(passed_over), list(read));
    last.message = format!(
        "{} Beside {read} these are not read, for they may be of another address: {passed_over}.",
        last.message
    );
    last.hint = format!(
        "{}Where {read} is blank, remove it. Else add the other columns of its address, such as `Shipping City`, or, where all \
         is one address, name its columns alike.",
        last.hint
    );
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::text_row;

    #[test]
    fn columns_that_are_there_and_not_read_beside_those_of_a_recipient_are_named_with_the_reason() {
        let told = |more: &str| {
            let header = format!("Order,Name,Street,City,State,Zip,Country,SKU,Qty,{more}");
            let cells: Vec<&str> = header.split(',').collect();
            rejection(&Layout::read(&text_row(1, &cells)).unwrap_err())
        };
        for whole in ["Shipping address", "Delivery address", "Ship to address"] {
            let rejection = told(whole);
            assert_eq!(rejection.code, Code::MissingColumn);
            let why = format!(
                "Beside `{whole}` these are not read, for they may be of another address: `City`, `Zip`, `Country`."
            );
            assert!(rejection.message.ends_with(&why), "{}", rejection.message);
            assert!(
                rejection
                    .hint
                    .starts_with(&format!("Where `{whole}` is blank, remove it.")),
                "{}",
                rejection.hint
            );
            assert!(!rejection.hint.contains("Rename"), "{}", rejection.hint);
        }
        let lacking = Layout::read(&text_row(
            1,
            &["Order", "Name", "Street", "City", "Zip", "Country", "SKU"],
        ));
        let rejection = rejection(&lacking.unwrap_err());
        assert_eq!(rejection.message, "The sheet has no column for quantity.");
    }
}
