//! The two long pages: an order a row with both full sets of amounts, and a line a row.

use crate::catalog::Snapshot;
use crate::ledger::Cost;
use crate::money::TooLarge;
use crate::report::figures::{in_no_line, is_canceled, product, state};
use crate::report::{Costs, ReportError};
use crate::result::amounts::{AMOUNTS, amounts};
use crate::result::tables::{Book, Column, Table, Value};

use super::{amount, table};

/// What an order asks beyond its lines.
pub(super) const IN_NO_LINE: &str = "in no single line";

const BEFORE: [&str; 7] = [
    "Order",
    "Service's id",
    "State",
    "Day",
    "Country",
    "Inbox",
    "Sheet",
];

/// An order a row.
pub(super) fn orders(
    book: &mut Book,
    costs: &Costs,
    (name, title, lines): (&str, &str, &[&str]),
    which: &mut dyn Iterator<Item = &Cost>,
) -> Result<(), ReportError> {
    let mut columns = BEFORE.map(Column::text).to_vec();
    columns.extend(AMOUNTS.map(|what| amount(costs, what)));
    columns.extend(["Order status", "Payment status", "Read at"].map(Column::text));
    let page = Table {
        frozen_columns: 2,
        ..table(name, title.to_owned(), lines, columns)
    };
    book.stream(&page, which.map(|cost| order(cost, costs)))?;
    Ok(())
}

fn order(cost: &Cost, costs: &Costs) -> Result<Vec<Value>, ReportError> {
    let zoned = |at: jiff::Timestamp| at.to_zoned(costs.zone.clone());
    let word = |word: &Option<String>| Value::text(word.as_deref().unwrap_or_default());
    let mut row = vec![
        Value::text(cost.order_id.as_str()),
        Value::text(cost.pw_order_id.as_str()),
        Value::text(state(cost)),
        Value::Date(zoned(cost.dated_at).date()),
        Value::text(cost.country_code.as_str()),
        Value::text(cost.inbox.as_str()),
        Value::text(cost.sheet.as_str()),
    ];
    let service = cost.service.as_ref().map(|(amounts, _read_at)| amounts);
    row.extend(amounts(cost.quote.as_ref(), service)?.map(Value::amount));
    row.push(word(&cost.order_status));
    row.push(word(&cost.payment_status));
    let read_at = cost.service.as_ref().map(|(_amounts, read_at)| *read_at);
    row.push(Value::moment(read_at.map(|at| zoned(at).datetime())));
    Ok(row)
}

/// A line a row; what an order asks beyond its lines is a row of its own, so that the sum is the quoted total.
pub(super) fn lines(book: &mut Book, costs: &Costs, catalog: Option<&Snapshot>) -> Result<(), ReportError> {
    let mut columns = ["Order", "Service's id", "SKU", "Product"]
        .map(Column::text)
        .to_vec();
    columns.push(Column::count("Pieces"));
    let parts = ["Base fee", "Shipping", "Tax", "Discount", "Quoted total"];
    columns.extend(parts.map(|what| amount(costs, what)));
    let explained = "Pieces are counted by SKU: where an order has several lines of one SKU, they stand at the first. An \
                     amount that belongs to no line has a row of its own.";
    let page = Table {
        frozen_columns: 1,
        ..table("Lines", "Lines".to_owned(), &[explained], columns)
    };
    let of_orders = costs.orders.iter().filter(|cost| !is_canceled(cost));
    let mut rows = Vec::new();
    for cost in of_orders {
        lines_of(cost, catalog, &mut rows)?;
    }
    book.page(&page, rows)?;
    Ok(())
}

fn lines_of(cost: &Cost, catalog: Option<&Snapshot>, rows: &mut Vec<Vec<Value>>) -> Result<(), TooLarge> {
    let start = |sku: &str, name: String| {
        vec![
            Value::text(cost.order_id.as_str()),
            Value::text(cost.pw_order_id.as_str()),
            Value::text(sku),
            Value::text(name),
        ]
    };
    let mut pieces: Vec<(&str, u64)> = cost.signature.items().collect();
    for line in cost.quote.iter().flat_map(|quote| quote.lines.iter().flatten()) {
        let counted = pieces
            .iter()
            .position(|(sku, _pieces)| sku.eq_ignore_ascii_case(&line.sku));
        let counted = counted.map(|place| pieces.swap_remove(place).1);
        let mut row = start(&line.sku, product(catalog, &line.sku));
        row.push(counted.map_or(Value::Blank, Value::Count));
        let amounts = [
            line.base_fee,
            line.shipping_fee,
            line.tax_fee,
            line.discount,
            line.total,
        ];
        row.extend(amounts.map(Value::Amount));
        rows.push(row);
    }
    // Lines that the quote did not name: nothing is known of their amounts.
    for (sku, count) in pieces {
        let mut row = start(sku, product(catalog, sku));
        row.push(Value::Count(count));
        rows.push(row);
    }
    let rest = in_no_line(cost)?;
    if !rest.is_zero() {
        let mut row = start("", IN_NO_LINE.to_owned());
        row.extend(std::iter::repeat_n(Value::Blank, 5));
        row.push(Value::Amount(rest));
        rows.push(row);
    }
    Ok(())
}
