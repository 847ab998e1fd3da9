//! Orders as they are looked up: by either id, by state, by sheet.

use rusqlite::{Row, params};

use super::{Store, count, get, json, json_or_null, moment, moment_or_null, parsed, parsed_or_null};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ClaimRef, NewOrder, OrderRecord, OrderRef};
use crate::ledger::state::State;

impl Store<'_> {
    /// An order.
    pub fn order(&self, id: OrderRef) -> Result<Option<OrderRecord>, LedgerError> {
        self.one(
            "read an order",
            "SELECT * FROM orders WHERE id = ?1",
            [id.0],
            order,
        )
    }

    /// The order of an account with this id as sent.
    pub fn find_order(
        &self,
        account: AccountRef,
        order_id: &str,
    ) -> Result<Option<OrderRecord>, LedgerError> {
        let sql = "SELECT * FROM orders WHERE account_id = ?1 AND order_id = ?2";
        self.one("find an order", sql, params![account.0, order_id], order)
    }

    /// The order of an inbox with this id as in its sheets, whatever prefix it was sent with.
    pub fn find_sheet_order(
        &self,
        inbox: &str,
        sheet_order_id: &str,
    ) -> Result<Option<OrderRecord>, LedgerError> {
        let sql = "SELECT * FROM orders WHERE inbox = ?1 AND sheet_order_id = ?2";
        self.one("find an order", sql, [inbox, sheet_order_id], order)
    }

    /// The inbox's order with this id as in its sheets, else the account's with this id as sent.
    pub fn find_either(
        &self,
        account: AccountRef,
        order_id: &str,
        (inbox, sheet_order_id): (&str, &str),
    ) -> Result<Option<OrderRecord>, LedgerError> {
        match self.find_sheet_order(inbox, sheet_order_id)? {
            Some(order) => Ok(Some(order)),
            None => self.find_order(account, order_id),
        }
    }

    /// Another order of the account with this id as sent, where the inbox's with this id as in its sheets was sent under
    /// another one: its `order_prefix` was changed, and the two ids of one row are those of two orders.
    pub fn namesake(
        &self,
        account: AccountRef,
        order_id: &str,
        (inbox, sheet_order_id): (&str, &str),
    ) -> Result<Option<OrderRecord>, LedgerError> {
        let sql = "SELECT named.* FROM orders AS named JOIN orders AS own ON own.id <> named.id
                   WHERE named.account_id = ?1 AND named.order_id = ?2 AND own.inbox = ?3 AND own.sheet_order_id = ?4";
        let ids = params![account.0, order_id, inbox, sheet_order_id];
        self.one("find a namesake", sql, ids, order)
    }

    /// Whether the ledger knows an order as it was judged: as this one in this state, or not at all. Another inbox of the
    /// account may be quicker with the same order: what that one holds for a person is not sent or replaced by this one, and neither is anything while its id is another order's.
    pub fn is_still(&self, new: &NewOrder, known: Option<(OrderRef, State)>) -> Result<bool, LedgerError> {
        let sheet = (new.inbox.as_str(), new.sheet_order_id.as_str());
        if self
            .namesake(new.account, &new.content.order_id, sheet)?
            .is_some()
        {
            return Ok(false);
        }
        let there = self.find_either(new.account, &new.content.order_id, sheet)?;
        Ok(match (known, there) {
            (Some(known), Some(there)) => known == (there.id, there.state),
            (None, Some(there)) => there.state == State::New,
            (known, None) => known.is_none(),
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

    /// How many orders a sheet has sent that the service has.
    pub fn created_by(&self, claim: ClaimRef) -> Result<u64, LedgerError> {
        let sql = "SELECT count(*) AS n FROM orders WHERE claim_id = ?1 AND state = 'created'";
        let n = self.one("count a sheet's orders", sql, [claim.0], |row| {
            get::<i64>(row, "n")
        })?;
        Ok(u64::try_from(n.unwrap_or(0)).unwrap_or(0))
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
            "SELECT * FROM orders WHERE account_id = ?1 AND state = '{}' ORDER BY changed_at LIMIT ?2",
            state.word()
        );
        self.all("list orders by state", &sql, params![account.0, most], order)
    }
}

pub(super) fn order(row: &Row<'_>) -> Result<OrderRecord, LedgerError> {
    let amounts = json_or_null(row, "orders", "service")?;
    let read_at = moment_or_null(row, "orders", "service_read_at")?;
    Ok(OrderRecord {
        id: OrderRef(get(row, "id")?),
        account: AccountRef(get(row, "account_id")?),
        order_id: get(row, "order_id")?,
        inbox: get(row, "inbox")?,
        sheet_order_id: get(row, "sheet_order_id")?,
        state: parsed(row, "orders", "state")?,
        came_from: parsed(row, "orders", "came_from")?,
        claim: ClaimRef(get(row, "claim_id")?),
        fingerprint: get(row, "fingerprint")?,
        field_hashes: get(row, "field_hashes")?,
        content: json_or_null(row, "orders", "content")?,
        signature: json(row, "orders", "signature")?,
        country_code: get(row, "country_code")?,
        quote: json_or_null(row, "orders", "quote")?,
        holds: json_or_null(row, "orders", "holds")?.unwrap_or_default(),
        hold_number: count(row, "hold_number")?,
        held_at: moment_or_null(row, "orders", "held_at")?,
        approved_total: parsed_or_null(row, "orders", "approved_total")?,
        note: get(row, "note")?,
        pw_order_id: get(row, "pw_order_id")?,
        others: count(row, "others")?,
        sends: count(row, "sends")?,
        unanswered: count(row, "unanswered")?,
        entered_at: moment_or_null(row, "orders", "entered_at")?,
        service: amounts.zip(read_at),
        order_status: get(row, "order_status")?,
        payment_status: get(row, "payment_status")?,
        trackings: get(row, "trackings")?,
        trouble_at: moment_or_null(row, "orders", "trouble_at")?,
        differs_at: moment_or_null(row, "orders", "differs_at")?,
        missing_at: moment_or_null(row, "orders", "missing_at")?,
        noticed_at: moment_or_null(row, "orders", "noticed_at")?,
        changed_at: moment(row, "orders", "changed_at")?,
    })
}
