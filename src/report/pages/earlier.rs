//! The page of a month that was written by itself: what has changed in the months before it since they were written.

use crate::ledger::ToldOrder;
use crate::report::figures::{is_canceled, state};
use crate::report::months::{Changes, Delta, LateChange};
use crate::report::{Costs, ReportError};
use crate::result::tables::{Book, Column, Table, Value};

use super::{amount, table};

/// The page's name.
pub(super) const NAME: &str = "Changes to earlier months";

const EXPLAINED: [&str; 2] = [
    "A month that is written stays as it is. What has come to light since stands here, once: add the changes to the \
     sums of the earlier workbooks.",
    "An order that was canceled since is taken out of the orders and stands among the canceled ones.",
];

/// An order a row.
pub(super) fn page(book: &mut Book, costs: &Costs, changes: &Changes) -> Result<(), ReportError> {
    let mut columns = [
        "Order",
        "Service's id",
        "Month",
        "Inbox",
        "Sheet",
        "As written",
        "As it is",
    ]
    .map(Column::text)
    .to_vec();
    let changed = [
        "Change of quoted",
        "Change of service",
        "Change of difference",
        "Canceled: change of quoted",
        "Canceled: change of service",
    ];
    columns.extend(changed.map(|what| amount(costs, what)));
    let title = format!("{NAME}: {} orders", changes.orders.len());
    let page = Table {
        frozen_columns: 2,
        ..table(NAME, title, &EXPLAINED, columns)
    };
    book.page(&page, changes.orders.iter().map(row))?;
    Ok(())
}

fn row(change: &LateChange) -> Vec<Value> {
    let LateChange {
        cost, kept, canceled, ..
    } = change;
    let as_written = change.before.as_ref().map_or("not known", state_told);
    let mut row: Vec<Value> = [
        cost.order_id.as_str(),
        &cost.pw_order_id,
        &change.month,
        &cost.inbox,
        &cost.sheet,
        as_written,
        state(cost),
    ]
    .map(Value::text)
    .to_vec();
    let amounts = [
        kept.quoted,
        kept.service,
        kept.difference,
        canceled.quoted,
        canceled.service,
    ];
    row.extend(amounts.map(|amount| Value::amount(Some(amount).filter(|amount| !amount.is_zero()))));
    row
}

fn state_told(told: &ToldOrder) -> &'static str {
    match (told.canceled, told.service) {
        (true, _) => "canceled",
        (false, Some(_total)) => "created",
        (false, None) => "created, without a total of the service",
    }
}

/// The lines of the summary.
pub(super) fn sums(changes: &Changes) -> [(&'static str, u64, Delta); 2] {
    let count = |touches: &dyn Fn(&LateChange) -> bool| {
        let touched = changes.orders.iter().filter(|change| touches(change)).count();
        u64::try_from(touched).unwrap_or(u64::MAX)
    };
    let was_kept = |change: &LateChange| change.before.as_ref().is_some_and(|told| !told.canceled);
    let was_canceled = |change: &LateChange| change.before.as_ref().is_some_and(|told| told.canceled);
    [
        (
            "Changes to earlier months, not in the lines above",
            count(&|change| was_kept(change) || !is_canceled(&change.cost)),
            changes.kept,
        ),
        (
            "The same for canceled orders",
            count(&|change| was_canceled(change) || is_canceled(&change.cost)),
            changes.canceled,
        ),
    ]
}
