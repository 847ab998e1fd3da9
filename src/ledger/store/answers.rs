//! What the service's answer to a create is taken for.

use jiff::Timestamp;
use rusqlite::params;

use super::orders::AttemptEnd;
use super::{Store, get};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, OrderRecord, OrderRef, Tells};

/// What a service's answer to a create says that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The service's id.
    pub pw_order_id: String,
    /// The order's id, as the answer has it.
    pub order_id: String,
}

impl Store<'_> {
    /// The service answered a create with its id. False where the id is another order's: then the create is without an
    /// answer.
    pub fn made(
        &self,
        (id, account): (OrderRef, AccountRef),
        pw_order_id: &str,
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<bool, LedgerError> {
        let other = self.holder(account, pw_order_id)?.filter(|other| *other != id);
        let Some(other) = other else {
            self.answered(id, pw_order_id, service, now)?;
            return Ok(true);
        };
        let name = self.order(other)?.map(|other| other.order_id).unwrap_or_default();
        self.doubted(id, &anothers(pw_order_id, &name), service, now)?;
        Ok(false)
    }

    /// The service answered a create, and not in a way that can be believed.
    pub fn doubted(
        &self,
        id: OrderRef,
        answer: &str,
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        self.end_without_answer(
            id,
            (AttemptEnd::Unknown, Tells::Doubted.with(answer)),
            service,
            now,
        )
    }

    /// The service answered a create with the id of an order that it names otherwise. Where that is no order that is
    /// known here, it may be this one under another name.
    pub fn contradicted(
        &self,
        (id, account): (OrderRef, AccountRef),
        made: &Made,
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        let is_another = self.named(account, &made.order_id)?.is_some()
            || self.holder(account, &made.pw_order_id)?.is_some()
            || !self.listed_called(account, &made.pw_order_id)?.is_empty();
        let ending = if is_another {
            AttemptEnd::Unknown
        } else {
            AttemptEnd::Contradicted
        };
        let why = format!(
            "the service answered with {} for the order `{}`",
            made.pw_order_id, made.order_id
        );
        self.lost(id, (ending, &why), service, now)
    }

    /// An order of an account that the service has as this id.
    pub fn holder(&self, account: AccountRef, pw_order_id: &str) -> Result<Option<OrderRef>, LedgerError> {
        let sql = "SELECT id FROM orders WHERE account_id = ?1 AND pw_order_id = ?2";
        self.one(
            "find an order by the service's id",
            sql,
            params![account.0, pw_order_id],
            |row| Ok(OrderRef(get(row, "id")?)),
        )
    }

    /// The name of another order of the account that the service has answered for with the id of this one: a service that
    /// forgets orders may give their ids out again.
    pub fn shares_its_id(&self, order: &OrderRecord) -> Result<Option<String>, LedgerError> {
        let sql = "SELECT order_id FROM orders WHERE account_id = ?1 AND pw_order_id = ?2 AND id <> ?3 ORDER BY id DESC LIMIT 1";
        let of_it = params![order.account.0, order.pw_order_id, order.id.0];
        self.one("find another order of the same id", sql, of_it, |row| {
            get(row, "order_id")
        })
    }
}

/// What came of a create that was answered with the id of another order.
pub(super) fn anothers(pw_order_id: &str, name: &str) -> String {
    format!("it was {pw_order_id}, and that is the order `{name}`")
}
