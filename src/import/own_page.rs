//! The pages of dropsheet's own workbooks that are no order sheets, as somebody saves one of them as a file of its own and
//! drops it: what is missing in them would be told at length.

use std::fs::File;

use super::read::How;
use crate::finding::{Code, Rejection};
use crate::sheet::{Row, Sheet};

/// How every page with amounts names one of its columns; a label of the currency may follow.
const AMOUNT: &str = "Quoted total";

/// What the first column is called of the pages of a cost report that have such a column.
const OF_COSTS: [&str; 6] = ["What", "Order", "Product", "Country", "Inbox", "Day"];

/// How the pages without amounts begin.
const FINDINGS: [&str; 4] = ["Row", "Cell", "Order", "Status"];
const STRANGERS: [&str; 3] = ["Order", "Service's id", "Entered"];

/// What stands above the first table of a result's first page, alone in its row.
const STEPS: &str = "What to do next";

/// What is said of a sheet with this header, where that is one of ours.
pub(super) fn of(header: &Row) -> Option<Rejection> {
    let cells: Vec<&str> = header.iter().map(str::trim).collect();
    let first = *cells.first()?;
    let has_amount = cells.iter().any(|cell| cell.starts_with(AMOUNT));
    let is_alone = cells.iter().skip(1).all(|cell| cell.is_empty());
    let of_result = match first {
        STEPS if is_alone => Some("Summary"),
        "Status" if has_amount => Some("Summary"),
        "Row" if has_amount => Some("Orders"),
        "Row" if cells.starts_with(&FINDINGS) => Some("Findings"),
        _ => None,
    };
    let is_of_costs = (has_amount && OF_COSTS.contains(&first)) || cells.starts_with(&STRANGERS);
    match of_result {
        Some(page) => Some(page_of_a_result(page)),
        None => is_of_costs.then(page_of_costs),
    }
}

/// Why a file cannot be worked in which no header was found: that it is one of ours, where it is.
pub(super) fn instead(why: Rejection, file: File, name: &str, how: How<'_>) -> Rejection {
    if why.code != Code::NoHeader {
        return why;
    }
    let is_one = |row: &Row| of(row).is_some();
    match Sheet::open(file, name, how.limits, how.scratch, &is_one) {
        Ok(sheet) => of(sheet.header()).unwrap_or(why),
        Err(_none_of_ours) => why,
    }
}

fn page_of_a_result(page: &str) -> Rejection {
    Rejection {
        code: Code::OwnPage,
        message: format!("This is the page {page} of a result, as dropsheet writes it, and no order sheet."),
        hint:
            "Drop the page Results of that workbook, which has the rows of the sheet, or the whole workbook."
                .to_owned(),
    }
}

fn page_of_costs() -> Rejection {
    Rejection {
        code: Code::OwnPage,
        message: "This is a cost report, as dropsheet writes it, or a page of one, and no order sheet."
            .to_owned(),
        hint: "Drop the sheet with the orders, or the whole workbook of a result.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::CellKind;

    fn said(header: &str) -> Option<String> {
        let mut row = Row::default();
        row.start(1);
        header.split(',').for_each(|cell| row.push(cell, CellKind::Text));
        of(&row).map(|why| why.message)
    }

    #[test]
    fn the_pages_of_our_own_workbooks_are_known_by_their_headers_and_no_other_sheet_is() {
        for (header, page) in [
            (
                "Status,Rows,Orders,Quoted total,Service total,Difference,First row",
                "page Summary of a result",
            ),
            ("Status,Rows,Orders,Quoted total EUR", "page Summary of a result"),
            ("What to do next,,,", "page Summary of a result"),
            (
                "Row,Order,Status,Service's id,Created,Country,Quoted base fee,Quoted total",
                "page Orders of a result",
            ),
            (
                "Row,Cell,Order,Status,Level,Code,What is wrong",
                "page Findings of a result",
            ),
            (
                "What,Orders,Quoted total (EUR),Service total (EUR)",
                "a cost report",
            ),
            (
                "Order,Service's id,State,Day,Country,Inbox,Sheet,Quoted base fee,Quoted total",
                "a cost report",
            ),
            ("Order,Service's id,Entered,SKUs and pieces", "a cost report"),
        ] {
            assert!(
                said(header).is_some_and(|said| said.contains(page)),
                "{header}: {:?}",
                said(header)
            );
        }
        for header in [
            "",
            "order_id,item_sku,quantity,result_quoted_total",
            "Order,Status,Total",
            "Row,Order,Status",
            "What to do next,order_id",
            "Product,Quantity,Price",
        ] {
            assert_eq!(said(header), None, "{header}");
        }
    }
}
