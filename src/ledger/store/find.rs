//! Orders as they are looked up: by either id, by state, by sheet.

use std::str::FromStr;

use jiff::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Row, params, params_from_iter};
use serde::de::DeserializeOwned;

use super::{Store, get, parsed, unreadable};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ClaimRef, NewOrder, OrderRecord, OrderRef, Unsettled};
use crate::ledger::state::State;
use crate::order::beginnings_before_an_id;

/// Most ids behind one word that are read at once.
const MOST_READ: u32 = 64;

impl Store<'_> {
    /// An order.
    pub fn order(&self, id: OrderRef) -> Result<Option<OrderRecord>, LedgerError> {
        self.one(
            "read an order",
            concat!("SELECT ", order_columns!(), " FROM orders WHERE id = ?1"),
            [id.0],
            order,
        )
    }

    /// The inbox's order with this id as in its sheets, whatever prefix it was sent with, else the account's with this id
    /// as sent.
    pub fn find_either(
        &self,
        account: AccountRef,
        order_id: &str,
        (inbox, sheet_order_id): (&str, &str),
    ) -> Result<Option<OrderRecord>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            order_columns!(),
            " FROM orders WHERE inbox = ?3 AND sheet_order_id = ?4
                   UNION ALL SELECT ",
            order_columns!(),
            " FROM orders WHERE account_id = ?1 AND order_id = ?2 LIMIT 1"
        );
        self.one(
            "find an order",
            sql,
            params![account.0, order_id, inbox, sheet_order_id],
            order,
        )
    }

    /// The account's order with this id as sent.
    pub fn sent_as(&self, account: AccountRef, order_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        self.one(
            "find an order",
            concat!(
                "SELECT ",
                order_columns!(),
                " FROM orders WHERE account_id = ?1 AND order_id = ?2"
            ),
            params![account.0, order_id],
            order,
        )
    }

    /// The orders of the inbox whose id in its sheets is this one with a sign or a space and more behind it.
    pub fn called_with_more(
        &self,
        inbox: &str,
        sheet_order_id: &str,
    ) -> Result<Vec<OrderRecord>, LedgerError> {
        // The index goes by bytes, in which digits and letters stand between three rows of signs.
        let mut found = Vec::new();
        for (from, to) in [(' ', '0'), (':', 'A'), ('[', 'a')] {
            let (from, to) = (format!("{sheet_order_id}{from}"), format!("{sheet_order_id}{to}"));
            found.extend(self.all(
                "find an order by how its id begins",
                concat!(
                    "SELECT ",
                    order_columns!(),
                    " FROM orders WHERE inbox = ?1 AND sheet_order_id >= ?2 AND sheet_order_id < ?3 LIMIT 64"
                ),
                params![inbox, from, to],
                order,
            )?);
        }
        Ok(found)
    }

    /// The ids in the inbox's sheets of orders that have a word before them which may say that the order has ended. With
    /// them, how those ids begin of which there are too many to read all: they are looked for one by one.
    pub fn called_behind_words(&self, inbox: &str) -> Result<(Vec<String>, Vec<String>), LedgerError> {
        let (mut found, mut too_many) = (Vec::new(), Vec::new());
        for from in beginnings_before_an_id() {
            // The sign behind a space.
            let to = format!("{}!", from.trim_end());
            let ids = self.all(
                "find ids behind words",
                "SELECT sheet_order_id FROM orders
                 WHERE inbox = ?1 AND sheet_order_id >= ?2 AND sheet_order_id < ?3 LIMIT ?4",
                params![inbox, &from, to, MOST_READ],
                |row| get(row, "sheet_order_id"),
            )?;
            if u32::try_from(ids.len()).is_ok_and(|read| read >= MOST_READ) {
                too_many.push(from);
            }
            found.extend(ids);
        }
        Ok((found, too_many))
    }

    /// The orders of the inbox that have one of these ids in its sheets.
    pub fn called_any(
        &self,
        inbox: &str,
        sheet_order_ids: &[String],
    ) -> Result<Vec<OrderRecord>, LedgerError> {
        if sheet_order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let places = vec!["?"; sheet_order_ids.len()].join(", ");
        let sql = format!(
            concat!(
                "SELECT ",
                order_columns!(),
                " FROM orders WHERE inbox = ? AND sheet_order_id IN ({})"
            ),
            places
        );
        let ids = std::iter::once(inbox).chain(sheet_order_ids.iter().map(String::as_str));
        self.all("find an order", &sql, params_from_iter(ids), order)
    }

    /// The ids in the inbox's sheets that have another writing by which they are compared; none where there are more than
    /// so many.
    pub fn called_unplain(&self, inbox: &str, most: u32) -> Result<Option<Vec<String>>, LedgerError> {
        let ids = self.all(
            "find ids in other writings",
            "SELECT sheet_order_id FROM orders INDEXED BY orders_unplain
             WHERE inbox = ?1 AND (sheet_order_id GLOB '*[^A-Z0-9_-]*' OR sheet_order_id GLOB '0*') LIMIT ?2",
            params![inbox, most.saturating_add(1)],
            |row| get(row, "sheet_order_id"),
        )?;
        let is_all = u32::try_from(ids.len()).is_ok_and(|read| read <= most);
        Ok(is_all.then_some(ids))
    }

    /// Another order of the account with this id as sent, where the inbox's with this id as in its sheets was sent under
    /// another one: its `order_prefix` was changed, and the two ids of one row are those of two orders.
    pub fn namesake(
        &self,
        account: AccountRef,
        order_id: &str,
        (inbox, sheet_order_id): (&str, &str),
    ) -> Result<Option<OrderRecord>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            order_columns!(),
            " FROM orders WHERE account_id = ?1 AND order_id = ?2
                 AND id <> (SELECT id FROM orders WHERE inbox = ?3 AND sheet_order_id = ?4)"
        );
        let ids = params![account.0, order_id, inbox, sheet_order_id];
        self.one("find a namesake", sql, ids, order)
    }

    /// Whether the ledger knows an order as it was judged: as this one in this state, or not at all. Another inbox of the
    /// account may be quicker with the same order: what that one holds for a person is not sent or replaced by this one,
    /// and neither is anything while its id is another order's.
    pub fn is_still(&self, new: &NewOrder, known: Option<(OrderRef, State)>) -> Result<bool, LedgerError> {
        let there = self.all(
            "find an order",
            "SELECT id, state FROM orders WHERE inbox = ?3 AND sheet_order_id = ?4
             UNION SELECT id, state FROM orders WHERE account_id = ?1 AND order_id = ?2",
            params![new.account.0, new.content.order_id, new.inbox, new.sheet_order_id],
            |row| Ok((OrderRef(get(row, "id")?), parsed(row, "orders", "state")?)),
        )?;
        Ok(match (known, &there[..]) {
            (Some(known), [there]) => known == *there,
            (None, [(_, state)]) => *state == State::New,
            (known, []) => known.is_none(),
            (_, _namesakes) => false,
        })
    }

    /// What a listed name is to the ledger: the order, its state, and the service's id of it.
    pub fn named(
        &self,
        account: AccountRef,
        order_id: &str,
    ) -> Result<Option<(OrderRef, State, Option<String>)>, LedgerError> {
        let sql = "SELECT id, state, pw_order_id FROM orders WHERE account_id = ?1 AND order_id = ?2";
        self.one("find an order", sql, params![account.0, order_id], |row| {
            Ok((
                OrderRef(get(row, "id")?),
                parsed(row, "orders", "state")?,
                get(row, "pw_order_id")?,
            ))
        })
    }

    /// How many orders a sheet has sent that the service has, and of how many of these its total was not read yet.
    pub fn created_by(&self, claim: ClaimRef) -> Result<(u64, u64), LedgerError> {
        let sql = "SELECT count(*) AS n, count(*) - count(service) AS unread
                   FROM orders WHERE claim_id = ?1 AND state = 'created'";
        let counts = self.one("count a sheet's orders", sql, [claim.0], |row| {
            Ok((get::<i64>(row, "n")?, get::<i64>(row, "unread")?))
        })?;
        let (created, unread) = counts.unwrap_or_default();
        Ok((
            u64::try_from(created).unwrap_or(0),
            u64::try_from(unread).unwrap_or(0),
        ))
    }

    /// The orders of an account in a state, eldest change first.
    pub fn orders_in(
        &self,
        account: AccountRef,
        state: State,
        most: u32,
    ) -> Result<Vec<OrderRecord>, LedgerError> {
        // The state is one of our own words, written out so that the partial indexes serve.
        let sql = format!(
            concat!(
                "SELECT ",
                order_columns!(),
                " FROM orders WHERE account_id = ?1 AND state = '{}' ORDER BY changed_at LIMIT ?2"
            ),
            state.word(),
        );
        self.all("list orders by state", &sql, params![account.0, most], order)
    }

    /// The orders of an account in a state in which their fate is found out: first those that were never asked about, the
    /// eldest change first, then those that were asked about longest ago.
    pub fn unsettled(
        &self,
        account: AccountRef,
        state: State,
        most: u32,
    ) -> Result<Vec<Unsettled>, LedgerError> {
        let sql = format!(
            "SELECT id, inbox, sends, pw_order_id, reason IS NOT NULL AS is_for_person
             FROM orders WHERE account_id = ?1 AND state = '{}'
             ORDER BY asked_turn NULLS FIRST, changed_at LIMIT ?2",
            state.word(),
        );
        self.all("list unsettled orders", &sql, params![account.0, most], |row| {
            Ok(Unsettled {
                id: OrderRef(get(row, "id")?),
                inbox: get(row, "inbox")?,
                sends: get(row, "sends")?,
                pw_order_id: get(row, "pw_order_id")?,
                is_for_person: get(row, "is_for_person")?,
            })
        })
    }

    /// Notes that an order is asked about now: the next time all others come before it, whatever becomes of it this time.
    pub fn take_turn(&self, id: OrderRef) -> Result<(), LedgerError> {
        let sql = "UPDATE orders SET asked_turn =
                       1 + coalesce((SELECT max(asked_turn) FROM orders WHERE asked_turn IS NOT NULL), 0)
                   WHERE id = ?1";
        self.run("take an order's turn", sql, [id.0])?;
        Ok(())
    }
}

/// Reads an order from the columns of `order_columns!`, one after the other.
pub(super) fn order(row: &Row<'_>) -> Result<OrderRecord, LedgerError> {
    let mut row = InOrder { row, next: 0 };
    Ok(OrderRecord {
        id: OrderRef(row.value()?),
        account: AccountRef(row.value()?),
        order_id: row.value()?,
        inbox: row.value()?,
        sheet_order_id: row.value()?,
        state: row.word("state")?,
        came_from: row.word("came_from")?,
        claim: ClaimRef(row.value()?),
        fingerprint: row.value()?,
        field_hashes: row.value()?,
        content: row.json("content")?,
        signature: row
            .json("signature")?
            .ok_or_else(|| unreadable("orders", "signature", ""))?,
        country_code: row.value()?,
        quote: row.json("quote")?,
        holds: row.json("holds")?.unwrap_or_default(),
        hold_number: row.value()?,
        held_at: row.moment("held_at")?,
        approved_total: row.parsed("approved_total")?,
        note: row.value()?,
        reason: row.json("reason")?,
        pw_order_id: row.value()?,
        others: row.value()?,
        sends: row.value()?,
        unanswered: row.value()?,
        entered_at: row.moment("entered_at")?,
        service: row.json("service")?.zip(row.moment("service_read_at")?),
        order_status: row.value()?,
        payment_status: row.value()?,
        trackings: row.value()?,
        trouble_at: row.moment("trouble_at")?,
        differs_at: row.moment("differs_at")?,
        missing_at: row.moment("missing_at")?,
        noticed_at: row.moment("noticed_at")?,
        changed_at: row
            .moment("changed_at")?
            .ok_or_else(|| unreadable("orders", "changed_at", ""))?,
        service_name: row.value()?,
        approved_waits: row.value()?,
        doubted: row.value()?,
    })
}

/// A row whose columns are read from the first to the last. The names are for whoever is told that one is unreadable.
struct InOrder<'a> {
    row: &'a Row<'a>,
    next: usize,
}

impl InOrder<'_> {
    fn value<T: FromSql>(&mut self) -> Result<T, LedgerError> {
        let at = self.next;
        self.next = at.saturating_add(1);
        self.row.get(at).map_err(|source| LedgerError::Statement {
            operation: "read a column",
            source,
        })
    }

    fn parsed<T: FromStr>(&mut self, column: &'static str) -> Result<Option<T>, LedgerError> {
        let text: Option<String> = self.value()?;
        text.map(|text| {
            text.parse()
                .map_err(|_unknown_word| unreadable("orders", column, &text))
        })
        .transpose()
    }

    fn word<T: FromStr>(&mut self, column: &'static str) -> Result<T, LedgerError> {
        self.parsed(column)?
            .ok_or_else(|| unreadable("orders", column, ""))
    }

    fn json<T: DeserializeOwned>(&mut self, column: &'static str) -> Result<Option<T>, LedgerError> {
        let text: Option<String> = self.value()?;
        text.map(|text| serde_json::from_str(&text).map_err(|_not_ours| unreadable("orders", column, &text)))
            .transpose()
    }

    fn moment(&mut self, column: &'static str) -> Result<Option<Timestamp>, LedgerError> {
        let at: Option<i64> = self.value()?;
        at.map(|at| {
            Timestamp::from_millisecond(at)
                .map_err(|_out_of_range| unreadable("orders", column, &at.to_string()))
        })
        .transpose()
    }
}
