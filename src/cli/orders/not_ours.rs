//! The orders that the service lists and this ledger does not have: made by hand, elsewhere or before the ledger, or a second
//! time of one of its own.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Names;
use crate::cli::{print, shown};
use crate::ledger::record::{AccountRef, ListedRecord};
use crate::ledger::{LedgerError, Store};

/// Such an order as `--json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct NotOurs {
    order_id: String,
    pw_order_id: String,
    account: String,
    /// When it was entered at the service.
    entered_at: Option<Timestamp>,
    /// Whether it is canceled there; none where the service has not said.
    canceled: Option<bool>,
    lines: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    item_sku: String,
    quantity: u64,
}

impl NotOurs {
    /// The newest of an account, or of all.
    pub(super) fn newest(
        store: &Store<'_>,
        names: &Names,
        account: Option<AccountRef>,
        most: u32,
    ) -> Result<Vec<Self>, LedgerError> {
        let newest = store.newest_strangers(account, most)?;
        Ok(newest.into_iter().map(|one| Self::of(one, names)).collect())
    }

    pub(super) fn of((account, listed): (AccountRef, ListedRecord), names: &Names) -> Self {
        let lines = listed.signature.items().map(|(sku, quantity)| Line {
            item_sku: sku.to_owned(),
            quantity,
        });
        Self {
            account: names.of(account),
            lines: lines.collect(),
            order_id: listed.order_id,
            pw_order_id: listed.pw_order_id,
            entered_at: listed.entered_at,
            canceled: listed.canceled,
        }
    }

    fn pieces(&self) -> String {
        let lines = self.lines.iter();
        let pieces = lines.map(|line| format!("{} × {}", line.item_sku, line.quantity));
        pieces.collect::<Vec<_>>().join(", ")
    }

    fn state(&self) -> &'static str {
        match self.canceled {
            Some(true) => "canceled",
            Some(false) | None => "",
        }
    }

    /// Its page for a person.
    pub(super) fn text(&self, zone: &TimeZone) -> String {
        let entered = self.entered_at.map(|at| shown::moment(at, zone));
        let facts = [
            (
                "not ours",
                "the service lists it, and this ledger does not have it".to_owned(),
            ),
            ("service id", self.pw_order_id.clone()),
            ("state", self.state().to_owned()),
            ("account", self.account.clone()),
            ("entered", entered.unwrap_or_default()),
            ("pieces", self.pieces()),
        ];
        let told = facts.into_iter().filter(|(_label, value)| !value.is_empty());
        let lines = told.map(|(label, value)| format!("  {label:<15} {}\n", shown::plain(&value)));
        let heading = print::bold(&shown::plain(&self.order_id));
        format!("{heading}\n{}", lines.collect::<String>())
    }
}

/// A list of them for a person.
pub(super) fn text(listed: &[NotOurs], zone: &TimeZone) -> String {
    if listed.is_empty() {
        return "no orders but those that this ledger has\n".to_owned();
    }
    let moment = |at| shown::moment(at, zone);
    shown::table(
        ["order", "state", "service id", "entered", "pieces"],
        listed.iter().map(|order| {
            [
                order.order_id.clone(),
                order.state().to_owned(),
                order.pw_order_id.clone(),
                order.entered_at.map(moment).unwrap_or_default(),
                order.pieces(),
            ]
        }),
    )
}

/// How a list of the ledger's own orders ends where there are others.
pub(super) fn others(count: u64) -> String {
    format!("the service lists {count} more that this ledger does not have; --not-ours lists them\n")
}
