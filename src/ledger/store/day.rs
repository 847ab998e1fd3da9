//! The money of a day: reserved with the intent to send an order, in the same transaction, so that many at once cannot
//! pass a limit; given back when the order certainly was not sent, or was refused.

use rusqlite::params;

use super::{Store, get, json_or_null, millis, parsed, parsed_or_null};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{Day, Intent, NewOrder, OrderRef};
use crate::money::{Money, TooLarge};
use crate::quote::Quote;

impl Store<'_> {
    /// As [`Store::intend`], where the order's quote still fits into the day; else nothing is written.
    ///
    /// # Errors
    /// As [`Store::intend`].
    pub fn intend_within(&self, new: &NewOrder, day: &Day, now: &Now) -> Result<Intent, LedgerError> {
        let spent = self.spent(day)?;
        let total = sum(spent, new.total())?;
        if total > day.limit {
            return Ok(Intent::OverDay { spent });
        }
        let order = self.intend(new, now)?;
        self.reserve(order, new.total(), day)?;
        Ok(Intent::Written(order))
    }

    /// What an inbox has reserved of a day. Where nothing was reserved yet, what it has sent since the day began.
    pub fn spent(&self, day: &Day) -> Result<Money, LedgerError> {
        let sql = "SELECT reserved FROM day_money WHERE inbox = ?1 AND day = ?2";
        let known = self.one("read the money of a day", sql, [&day.inbox, &day.name], |row| {
            parsed(row, "day_money", "reserved")
        })?;
        if let Some(reserved) = known {
            return Ok(reserved);
        }
        let quotes: Vec<Option<Quote>> = self.all(
            "add up the money of a day",
            "SELECT quote FROM orders
             WHERE changed_at >= ?1 AND inbox = ?2 AND state IN ('sending', 'unresolved', 'created')",
            params![millis(day.begins), day.inbox],
            |row| json_or_null(row, "orders", "quote"),
        )?;
        quotes
            .into_iter()
            .flatten()
            .try_fold(Money::ZERO, |spent, quote| sum(spent, quote.total))
    }

    /// Reserves an order's money of a day, whatever the limit says: what a person approved counts too.
    pub(super) fn reserve(&self, order: OrderRef, amount: Money, day: &Day) -> Result<(), LedgerError> {
        let reserved = sum(self.spent_before(order, day)?, amount)?;
        self.put_spent(&day.inbox, &day.name, reserved)?;
        self.run(
            "reserve an order's money",
            "UPDATE orders SET reserved_day = ?2, reserved = ?3 WHERE id = ?1",
            params![order.0, day.name, amount.to_string()],
        )?;
        Ok(())
    }

    /// What is reserved without an order that is `sending` already, where the day has to be added up.
    fn spent_before(&self, order: OrderRef, day: &Day) -> Result<Money, LedgerError> {
        let sql = "SELECT 1 FROM day_money WHERE inbox = ?1 AND day = ?2";
        let is_known = self.one("find the money of a day", sql, [&day.inbox, &day.name], |_row| {
            Ok(())
        })?;
        let spent = self.spent(day)?;
        if is_known.is_some() {
            return Ok(spent);
        }
        let own = self.order(order)?.and_then(|order| order.quote);
        own.map_or(Ok(spent), |own| spent.minus(own.total).map_err(too_large))
    }

    /// Gives back what was reserved for an order.
    pub(super) fn give_back(&self, order: OrderRef) -> Result<(), LedgerError> {
        let sql =
            "SELECT inbox, reserved_day, reserved FROM orders WHERE id = ?1 AND reserved_day IS NOT NULL";
        let found = self.one("read what is reserved", sql, [order.0], |row| {
            Ok((
                get::<String>(row, "inbox")?,
                get::<String>(row, "reserved_day")?,
                parsed_or_null::<Money>(row, "orders", "reserved")?,
            ))
        })?;
        let Some((inbox, day, Some(amount))) = found else {
            return Ok(());
        };
        let sql = "SELECT reserved FROM day_money WHERE inbox = ?1 AND day = ?2";
        let spent: Option<Money> = self.one("read the money of a day", sql, [&inbox, &day], |row| {
            parsed(row, "day_money", "reserved")
        })?;
        if let Some(spent) = spent {
            let left = spent.minus(amount).map_err(too_large)?;
            self.put_spent(&inbox, &day, left)?;
        }
        self.run(
            "give back what is reserved",
            "UPDATE orders SET reserved_day = NULL, reserved = NULL WHERE id = ?1",
            [order.0],
        )?;
        Ok(())
    }

    fn put_spent(&self, inbox: &str, day: &str, spent: Money) -> Result<(), LedgerError> {
        self.run(
            "write the money of a day",
            "INSERT INTO day_money (inbox, day, reserved) VALUES (?1, ?2, ?3)
             ON CONFLICT (inbox, day) DO UPDATE SET reserved = excluded.reserved",
            params![inbox, day, spent.to_string()],
        )?;
        Ok(())
    }
}

fn sum(spent: Money, amount: Money) -> Result<Money, LedgerError> {
    spent.plus(amount).map_err(too_large)
}

fn too_large(error: TooLarge) -> LedgerError {
    LedgerError::Statement {
        operation: "add up the money of a day",
        source: rusqlite::Error::ToSqlConversionFailure(Box::new(error)),
    }
}
