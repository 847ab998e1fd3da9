//! Other sheets of a workbook that hold orders too: one sheet of a file is read, and nobody should take the rest for
//! ordered.

use crate::finding::{Code, Finding};
use crate::order::{NEVER_ORDERED, Profiles, RowKey, quoted};
use crate::sheet::{HEADER_ROWS, Row, Tab, Tabs};

/// The most sheets that are named; how many more there are is said too.
const NAMED: usize = 5;

/// What is to be said of the sheets behind the one that was read, on the row of its first order; none where they hold
/// no orders.
pub(super) fn unread(tabs: &Tabs, profiles: &Profiles, row: u32) -> Option<Finding> {
    let names = with_orders(tabs, profiles);
    let (holds, it) = match names.len() {
        0 => return None,
        1 => ("holds orders too and was", "it"),
        _ => ("hold orders too and were", "each of them"),
    };
    let read = quoted(&tabs.read);
    Some(Finding {
        code: Code::UnreadTab,
        row,
        column: None,
        message: format!(
            "Only the tab {read} of this workbook was read; {} {holds} not read.",
            list(&names)
        ),
        hint: format!(
            "Save {it} as a file of its own and drop that, or put its rows below those of {read} and drop the \
             workbook again. Hide a tab that is not to be ordered."
        ),
    })
}

/// What to do about a sheet without orders, where another one of its workbook has some.
pub(super) fn behind_an_empty_one(tabs: &Tabs, profiles: &Profiles) -> Option<String> {
    let names = with_orders(tabs, profiles);
    let read = quoted(&tabs.read);
    (!names.is_empty()).then(|| {
        format!(
            "It was read from the tab {read}; orders stand in {}. Delete or hide the tab {read} and drop the workbook \
             again.",
            list(&names)
        )
    })
}

/// The names of the sheets behind the one that was read that hold orders.
fn with_orders(tabs: &Tabs, profiles: &Profiles) -> Vec<String> {
    let others = tabs.behind.iter().filter(|tab| holds_orders(tab, profiles));
    others.map(|tab| quoted(&tab.name)).collect()
}

fn list(names: &[String]) -> String {
    let (named, others) = names.split_at(names.len().min(NAMED));
    let named = named.join(", ");
    match others.len() {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Whether a sheet would be worked as orders if it stood first: its header has every column that is needed, and
/// something stands below it.
fn holds_orders(tab: &Tab, profiles: &Profiles) -> bool {
    // As the first sheet's header is found: a line above it may look like one.
    let is_header =
        |row: &Row| row.number() <= HEADER_ROWS && profiles.is_header(row) && profiles.layout(row).is_ok();
    let Some(place) = tab.rows.iter().position(is_header) else {
        return false;
    };
    let (above, rows) = tab.rows.split_at(place);
    let Some((header, below)) = rows.split_first() else {
        return false;
    };
    let is_example = |row: &Row| row.iter().any(|text| text.trim().starts_with(NEVER_ORDERED));
    match profiles.layout(header) {
        Ok(layout) if !above.iter().any(is_example) => {
            below.iter().any(|row| RowKey::of(&layout, row) != RowKey::Blank)
        }
        Ok(_) | Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::CellKind;

    const NATIVE: &str = "order_id,shipping_name,shipping_phone,shipping_address1,shipping_city,shipping_province,\
                          shipping_province_code,shipping_zip,shipping_country,shipping_country_code,item_sku,\
                          quantity,artwork_front";

    /// A sheet of these rows, each with its number and its cells between commas.
    fn tab(name: &str, rows: &[(u32, &str)]) -> Tab {
        let filled = |(number, cells): &(u32, &str)| {
            let mut row = Row::default();
            row.start(*number);
            cells.split(',').for_each(|cell| row.push(cell, CellKind::Text));
            row
        };
        Tab {
            name: name.to_owned(),
            rows: rows.iter().map(filled).collect(),
        }
    }

    fn behind_monday(behind: Vec<Tab>) -> Tabs {
        Tabs {
            read: "Mon".to_owned(),
            behind,
        }
    }

    fn said(behind: Vec<Tab>) -> Option<String> {
        unread(&behind_monday(behind), &Profiles::default(), 2).map(|finding| finding.message)
    }

    #[test]
    fn an_empty_tab_is_told_where_the_orders_are() {
        let advice = |rows| {
            let tabs = behind_monday(vec![tab("Tue", rows)]);
            behind_an_empty_one(&tabs, &Profiles::default())
        };
        assert_eq!(
            advice(&[(1, NATIVE), (2, "1001,Ada")]).as_deref(),
            Some(
                "It was read from the tab `Mon`; orders stand in `Tue`. Delete or hide the tab `Mon` and drop the workbook \
                 again."
            )
        );
        assert_eq!(advice(&[(1, NATIVE)]), None);
    }

    #[test]
    fn tabs_that_would_be_worked_are_named() {
        let orders = |name: &str| tab(name, &[(3, NATIVE), (4, "1001,Ada")]);
        assert_eq!(
            said(vec![orders("Tue")]).unwrap(),
            "Only the tab `Mon` of this workbook was read; `Tue` holds orders too and was not read."
        );
        let said = said((1..=7).map(|n| orders(&n.to_string())).collect()).unwrap();
        assert!(
            said.ends_with("; `1`, `2`, `3`, `4`, `5` and 2 more hold orders too and were not read."),
            "{said}"
        );
    }

    #[test]
    fn tabs_without_orders_are_not_told_of() {
        let missing = NATIVE.replace(",item_sku", "");
        let own = format!("{NATIVE},result_status");
        let nothing = ",".repeat(13);
        for (what, rows) in [
            ("nothing", &[][..]),
            ("a header alone", &[(1, NATIVE)]),
            ("a blank row", &[(1, NATIVE), (2, " , ")]),
            ("a result alone", &[(1, &own), (2, &format!("{nothing}created"))]),
            ("a column is missing", &[(1, &missing), (2, "1001,Ada")]),
            ("too far down", &[(21, NATIVE), (22, "1001,Ada")]),
            ("no header", &[(1, "sum"), (2, "12.50")]),
            (
                "an example",
                &[
                    (1, "This page is never ordered. Write elsewhere."),
                    (2, NATIVE),
                    (3, "1001,Ada"),
                ],
            ),
        ] {
            assert_eq!(said(vec![tab(what, rows)]), None, "{what}");
        }
    }
}
