//! Closed months: what their cost workbooks said of each order, and which orders have come or changed since.

use jiff::Timestamp;
use rusqlite::{Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::costs::{COSTS, Cost, cost};
use super::{Store, get, json, json_or_null, millis, moment, to_json};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, OrderRef};
use crate::money::Money;

/// A month whose workbook is written. `S` is what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedMonth<S> {
    /// Its name: `2026-10`.
    pub month: String,
    /// When it began, in the zone of the config then.
    pub from: Timestamp,
    /// When its workbook was written.
    pub closed_at: Timestamp,
    /// The sums of its workbook.
    pub said: S,
}

/// What a closed month's workbook said of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldOrder {
    /// The month that the order counts in.
    pub month: String,
    /// It was told among the canceled ones.
    pub canceled: bool,
    /// The quoted total.
    pub quoted: Option<Money>,
    /// The service's total.
    pub service: Option<Money>,
}

impl Store<'_> {
    /// An account's closed months, the earliest first.
    pub fn closed_months<S: DeserializeOwned>(
        &self,
        account: AccountRef,
    ) -> Result<Vec<ClosedMonth<S>>, LedgerError> {
        let sql =
            "SELECT month, from_at, closed_at, said FROM closed_month WHERE account_id = ?1 ORDER BY month";
        self.all("list closed months", sql, [account.0], |row| {
            Ok(ClosedMonth {
                month: get(row, "month")?,
                from: moment(row, "closed_month", "from_at")?,
                closed_at: moment(row, "closed_month", "closed_at")?,
                said: json(row, "closed_month", "said")?,
            })
        })
    }

    /// The orders of an account that were entered from a moment until before another and that no closed month has told
    /// of, oldest first.
    pub fn untold_costs(
        &self,
        account: AccountRef,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<Cost>, LedgerError> {
        let sql = format!(
            "{COSTS} AND dated_at >= ?2 AND dated_at < ?3
                 AND NOT EXISTS (SELECT 1 FROM told_cost WHERE told_cost.order_id = orders.id)
             ORDER BY dated_at, orders.id"
        );
        let span = params![account.0, millis(from), millis(until)];
        self.all("read what orders cost", &sql, span, cost)
    }

    /// The orders of an account of which a closed month has told otherwise than they stand, oldest first.
    pub fn retold_costs(&self, account: AccountRef) -> Result<Vec<(ToldOrder, Cost)>, LedgerError> {
        // `->` gives a number's own digits: equal texts are equal amounts. Texts that differ are compared as amounts by
        // whoever asks.
        let sql = format!(
            "SELECT costs.*, told_cost.month AS told_month, told_cost.canceled AS told_canceled,
                    told_cost.quoted AS told_quoted, told_cost.service AS told_service
             FROM told_cost JOIN ({COSTS}) AS costs ON costs.id = told_cost.order_id
             WHERE told_cost.canceled IS NOT costs.is_canceled
                OR told_cost.quoted IS NOT (costs.quote -> '$.total')
                OR told_cost.service IS NOT (costs.service -> '$.total')
             ORDER BY dated_at, costs.id"
        );
        self.all("read what orders have come to cost", &sql, [account.0], |row| {
            Ok((told(row)?, cost(row)?))
        })
    }

    /// Notes that a month's workbook is written, with what it told of orders of this and of earlier months.
    pub fn close_month<S: Serialize>(
        &self,
        account: AccountRef,
        closed: &ClosedMonth<S>,
        orders: &[(OrderRef, ToldOrder)],
    ) -> Result<(), LedgerError> {
        let said = to_json(&closed.said)?;
        let (from, at) = (millis(closed.from), millis(closed.closed_at));
        self.run(
            "close a month",
            "INSERT INTO closed_month (account_id, month, from_at, closed_at, said) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![account.0, closed.month, from, at, said],
        )?;
        for (order, told) in orders {
            let quoted = told.quoted.as_ref().map(to_json).transpose()?;
            let service = told.service.as_ref().map(to_json).transpose()?;
            self.run(
                "note what was told of an order",
                "INSERT OR REPLACE INTO told_cost (order_id, month, canceled, quoted, service)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![order.0, told.month, told.canceled, quoted, service],
            )?;
        }
        Ok(())
    }

    /// Has a closed month be open again. What its workbook told of orders stays told.
    pub fn open_month(&self, account: AccountRef, month: &str) -> Result<(), LedgerError> {
        let sql = "DELETE FROM closed_month WHERE account_id = ?1 AND month = ?2";
        self.run("open a month again", sql, params![account.0, month])?;
        Ok(())
    }
}

fn told(row: &Row<'_>) -> Result<ToldOrder, LedgerError> {
    Ok(ToldOrder {
        month: get(row, "told_month")?,
        canceled: get(row, "told_canceled")?,
        quoted: json_or_null(row, "told_cost", "told_quoted")?,
        service: json_or_null(row, "told_cost", "told_service")?,
    })
}
