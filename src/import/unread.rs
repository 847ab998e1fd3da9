//! Other sheets of a workbook that hold orders too: one sheet of a file is read, and nobody should take the rest for
//! ordered.

use std::sync::Arc;

use super::decide::Decided;
use super::two_tabs::TwoTabs;
use crate::finding::{Code, Finding};
use crate::order::{Draft, Layout, NEVER_ORDERED, Profiles, RowKey, quoted};
use crate::sheet::{HEADER_ROWS, Row, Tab, Tabs};

/// The most sheets that are named; how many more there are is said too.
const NAMED: usize = 5;

/// What there is to say of the sheets beside the one that was read.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    /// That they hold orders, on the row of the first order of the one that was read.
    pub(super) told: Option<Finding>,
    /// The orders that they have more lines of.
    pub(super) orders: Arc<TwoTabs>,
}

impl Unread {
    /// Says it of the order that it speaks of, and keeps that one back which has lines there, or may have.
    pub(super) fn tell(&self, decided: Decided, draft: &Draft) -> Decided {
        let mut decided = self.orders.keep_back(decided, draft);
        decided.tell(self.told.as_ref());
        decided
    }
}

/// What is to be said of the sheets beside the one that was read, on the row of its first order; none where they hold
/// no orders.
///
/// `layout` is that of the sheet that was read: another one may go on with its rows, without a header of its own.
pub(super) fn unread(tabs: &Tabs, profiles: &Profiles, (layout, row): (&Layout, u32)) -> Option<Finding> {
    let holds = |tab: &Tab| holds_orders(tab, profiles) || goes_on(tab, layout, profiles);
    let names = named_where(tabs, holds);
    let (holds, it) = match names.len() {
        0 => return None,
        1 => ("holds orders too and was", "it"),
        _ => ("hold orders too and were", "each of them"),
    };
    let read = quoted(&tabs.read);
    let has_none = tabs.others.iter().any(|tab| goes_on(tab, layout, profiles));
    let with_one = if has_none { ", below a header," } else { "" };
    Some(Finding {
        code: Code::UnreadTab,
        row,
        column: None,
        message: format!(
            "Only the tab {read} of this workbook was read; {} {holds} not read.",
            list(&names)
        ),
        hint: format!(
            "Save {it} as a file of its own{with_one} and drop that, or put its rows below those of {read} and drop the \
             workbook again. Hide a tab that is not to be ordered."
        ),
    })
}

/// What to do about a sheet without orders, where another one of its workbook has some.
pub(super) fn behind_an_empty_one(tabs: &Tabs, profiles: &Profiles) -> Option<String> {
    let names = named_where(tabs, |tab| holds_orders(tab, profiles));
    let read = quoted(&tabs.read);
    (!names.is_empty()).then(|| {
        format!(
            "It was read from the tab {read}; orders stand in {}. Delete or hide the tab {read} and drop the workbook \
             again.",
            list(&names)
        )
    })
}

/// What to do about a sheet without orders, where its workbook has a page that is never ordered: they may stand there.
pub(super) fn beside_an_example(tabs: &Tabs) -> Option<String> {
    let names = named_where(tabs, |tab| tab.rows.iter().any(is_never_ordered));
    (!names.is_empty()).then(|| {
        format!(
            "What stands on {} is never ordered: write your orders on {}, and drop it again.",
            list(&names),
            quoted(&tabs.read)
        )
    })
}

/// Whether a row says that the page which it stands on is laid out as an order sheet and is none.
pub(super) fn is_never_ordered(row: &Row) -> bool {
    row.iter().any(|text| text.trim().starts_with(NEVER_ORDERED))
}

/// The names of the sheets beside the one that was read that hold orders.
fn named_where(tabs: &Tabs, holds: impl Fn(&Tab) -> bool) -> Vec<String> {
    let others = tabs.others.iter().filter(|tab| holds(tab));
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
pub(super) fn holds_orders(tab: &Tab, profiles: &Profiles) -> bool {
    let Some(place) = tab.rows.iter().position(|row| is_worked(row, profiles)) else {
        return false;
    };
    let (above, rows) = tab.rows.split_at(place);
    let Some((header, below)) = rows.split_first() else {
        return false;
    };
    match profiles.layout(header) {
        Ok(layout) if !above.iter().any(is_never_ordered) => {
            below.iter().any(|row| RowKey::of(&layout, row) != RowKey::Blank)
        }
        Ok(_) | Err(_) => false,
    }
}

/// Whether a row is a header that can be worked, as the first sheet's is found: a line above it may look like one.
pub(super) fn is_worked(row: &Row, profiles: &Profiles) -> bool {
    row.number() <= HEADER_ROWS && profiles.is_header(row) && profiles.layout(row).is_ok()
}

/// Whether a sheet without a header goes on with the rows of the one that was read: one of them says under the columns of
/// that what each order has to say.
pub(super) fn goes_on(tab: &Tab, layout: &Layout, profiles: &Profiles) -> bool {
    let has_header = tab.rows.iter().any(|row| profiles.is_header(row));
    !has_header && tab.rows.iter().any(|row| layout.reads_as_an_order(row))
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
            others: behind,
        }
    }

    fn native() -> Layout {
        let header = tab("", &[(1, NATIVE)]).rows.remove(0);
        Profiles::default().layout(&header).unwrap()
    }

    fn said(behind: Vec<Tab>) -> Option<String> {
        unread(&behind_monday(behind), &Profiles::default(), (&native(), 2)).map(|finding| finding.message)
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
    fn a_tab_that_goes_on_without_a_header_is_told_of() {
        let order = "1002,Bob,,5 Elm,Austin,,TX,78701,,US,TEE-CLASSIC-BLK-S,1,https://example.com/a.png";
        let told = said(vec![tab("Page 2", &[(1, order)])]).unwrap();
        assert!(told.contains("`Page 2` holds orders too"), "{told}");
        let tabs = behind_monday(vec![tab("Page 2", &[(1, order)])]);
        let hint = unread(&tabs, &Profiles::default(), (&native(), 2)).unwrap().hint;
        assert!(
            hint.starts_with("Save it as a file of its own, below a header, and drop that"),
            "{hint}"
        );
        for (what, row) in [
            ("a list of products", "TEE-CLASSIC-BLK-S,Tee,12.50,Black,S"),
            ("no number of pieces", &order.replace(",1,", ",one,")),
            ("no SKU", &order.replace("TEE-CLASSIC-BLK-S", "")),
            (
                "a sentence for a SKU",
                &order.replace("TEE-CLASSIC-BLK-S", "see the other page"),
            ),
            ("no address", &order.replace("5 Elm", "")),
            ("a note", "All of these, as agreed, are done"),
        ] {
            assert_eq!(said(vec![tab(what, &[(1, row)])]), None, "{what}");
        }
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
