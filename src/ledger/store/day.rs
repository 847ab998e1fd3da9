//! The money of a day: reserved with the intent to send an order, in the same transaction, so that many at once cannot
//! pass a limit; given back when the order certainly was not sent, or was refused, and reserved again where the service
//! has it after all. A cancel gives nothing back: what was sent on a day counts in it.

use rusqlite::params;

use super::orders::illegal;
use super::{Store, get, json_or_null, millis, parsed, parsed_or_null};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{DayLimit, Intent, NewOrder, OrderRef, ResendIntent};
use crate::ledger::state::Event;
use crate::money::{Money, TooLarge};
use crate::quote::Quote;

impl Store<'_> {
    /// As [`Store::intend`], where the order's quote still fits into the day; else nothing is written.
    ///
    /// # Errors
    /// As [`Store::intend`].
    pub fn intend_within(&self, new: &NewOrder, day: &DayLimit, now: &Now) -> Result<Intent, LedgerError> {
        // What is reserved for an earlier create of it is given back with this one.
        let known = self.named(new.account, &new.content.order_id)?;
        let spent = self.spent_besides(day, known.map(|(id, ..)| id))?;
        let total = sum(spent, new.total())?;
        if total > day.limit {
            return Ok(Intent::OverDay { spent });
        }
        let order = self.intend(new, now)?;
        self.reserve(order, new.total(), day)?;
        Ok(Intent::Written(order))
    }

    /// Writes the intent to send an unresolved order once more. Its money counts in the day of this create, and no
    /// longer in that of the one before, which was not found at the service.
    ///
    /// # Errors
    /// As [`Store::intend_absent`]; also where it has other content now.
    pub fn intend_resend(
        &self,
        id: OrderRef,
        again: &ResendIntent,
        now: &Now,
    ) -> Result<Intent, LedgerError> {
        let order = self.order(id)?;
        if let Some(order) = &order
            && self.is_at_service(order)?
        {
            return Ok(Intent::Beside);
        }
        if order
            .as_ref()
            .is_some_and(|order| order.fingerprint != again.fingerprint)
        {
            return Err(illegal(&self.known(id)?, Event::Intend));
        }
        let known = order.and_then(|order| order.quote);
        let total = again.quote.as_ref().or(known.as_ref());
        let total = total.map_or(Money::ZERO, |quote| quote.total);
        if let Some(day) = again.day.as_ref().filter(|_day| !again.is_let_pass)
            && let Some(spent) = self.over_day((id, total), day)?
        {
            return Ok(Intent::OverDay { spent });
        }
        // First: where it was settled meanwhile, nothing of it is changed.
        self.intend_absent(id, again.sends, again.why, now)?;
        if let Some(quote) = &again.quote {
            self.put_quote(id, quote)?;
        }
        if let Some(day) = &again.day {
            self.reserve(id, total, day)?;
        }
        Ok(Intent::Written(id))
    }

    /// What others have of a day that an order does not fit into, at an amount; none where it does, or where it takes
    /// no more of the day than it has of it already.
    pub fn over_day(
        &self,
        (id, amount): (OrderRef, Money),
        day: &DayLimit,
    ) -> Result<Option<Money>, LedgerError> {
        let others = self.spent_besides(day, Some(id))?;
        let after = sum(others, amount)?;
        let is_over = after > day.limit && after > self.spent(day)?;
        Ok(is_over.then_some(others))
    }

    /// What an inbox has reserved of a day. Where nothing was reserved yet, what it has sent since the day began.
    pub fn spent(&self, day: &DayLimit) -> Result<Money, LedgerError> {
        self.spent_besides(day, None)
    }

    /// The same without what is an order's own.
    fn spent_besides(&self, day: &DayLimit, own: Option<OrderRef>) -> Result<Money, LedgerError> {
        let own = own.map(|order| order.0);
        if let Some(reserved) = self.reserved(&day.inbox, &day.name)? {
            let sql = "SELECT reserved FROM orders WHERE id = ?1 AND inbox = ?2 AND reserved_day = ?3";
            let of_own = self.one(
                "read what is reserved",
                sql,
                params![own, day.inbox, day.name],
                |row| parsed_or_null::<Money>(row, "orders", "reserved"),
            )?;
            let of_own = of_own.flatten().unwrap_or(Money::ZERO);
            return reserved.minus(of_own).map_err(too_large);
        }
        let quotes: Vec<Option<Quote>> = self.all(
            "add up the money of a day",
            "SELECT quote FROM orders
             WHERE changed_at >= ?1 AND inbox = ?2 AND id IS NOT ?3
               AND (state IN ('sending', 'unresolved', 'created', 'canceling', 'abandoned')
                    OR (state = 'canceled' AND pw_order_id IS NOT NULL))
               AND EXISTS (SELECT 1 FROM attempt
                           WHERE order_id = orders.id AND intended_at >= ?1 AND answer IS NOT 'not-sent')",
            params![millis(day.begins), day.inbox, own],
            |row| json_or_null(row, "orders", "quote"),
        )?;
        quotes
            .into_iter()
            .flatten()
            .try_fold(Money::ZERO, |spent, quote| sum(spent, quote.total))
    }

    /// Reserves an order's money of a day, whatever the limit says: what a person approved counts too. What was
    /// reserved for an earlier create of it, which was not found at the service, is given back.
    pub(super) fn reserve(&self, order: OrderRef, amount: Money, day: &DayLimit) -> Result<(), LedgerError> {
        self.give_back(order)?;
        let reserved = sum(self.spent_besides(day, Some(order))?, amount)?;
        self.put_spent(&day.inbox, &day.name, reserved)?;
        self.run(
            "reserve an order's money",
            "UPDATE orders SET reserved_day = ?2, reserved = ?3 WHERE id = ?1",
            params![order.0, day.name, amount.to_string()],
        )?;
        Ok(())
    }

    /// Gives back what was reserved for an order. Its day stays with it: it may be at the service after all.
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
        if let Some(spent) = self.reserved(&inbox, &day)? {
            let left = spent.minus(amount).map_err(too_large)?;
            self.put_spent(&inbox, &day, left)?;
        }
        self.run(
            "give back what is reserved",
            "UPDATE orders SET reserved = NULL WHERE id = ?1",
            [order.0],
        )?;
        Ok(())
    }

    /// Reserves again what was given back for an order that is at the service after all, of the day of that create.
    pub(super) fn take_back(&self, order: OrderRef) -> Result<(), LedgerError> {
        let sql = "SELECT orders.inbox AS inbox, day, day_money.reserved AS spent, quote FROM orders
                   JOIN day_money ON day_money.inbox = orders.inbox AND day = reserved_day
                   WHERE id = ?1 AND orders.reserved IS NULL";
        let found = self.one("read what was given back", sql, [order.0], |row| {
            Ok((
                get::<String>(row, "inbox")?,
                get::<String>(row, "day")?,
                parsed::<Money>(row, "day_money", "spent")?,
                json_or_null::<Quote>(row, "orders", "quote")?,
            ))
        })?;
        let Some((inbox, day, spent, Some(quote))) = found else {
            return Ok(());
        };
        self.put_spent(&inbox, &day, sum(spent, quote.total)?)?;
        self.run(
            "reserve an order's money again",
            "UPDATE orders SET reserved = ?2 WHERE id = ?1",
            params![order.0, quote.total.to_string()],
        )?;
        Ok(())
    }

    /// What an inbox has reserved of a day; none where nothing was reserved yet.
    fn reserved(&self, inbox: &str, day: &str) -> Result<Option<Money>, LedgerError> {
        let sql = "SELECT reserved FROM day_money WHERE inbox = ?1 AND day = ?2";
        self.one("read the money of a day", sql, [inbox, day], |row| {
            parsed(row, "day_money", "reserved")
        })
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
