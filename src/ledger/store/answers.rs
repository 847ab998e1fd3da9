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

/// How an answer begins, as it is told, that names another order; what stands between the two ids; and its end.
const NAMED_OTHERWISE: [&str; 3] = ["it gave the id ", ", and named another order, `", "`"];

impl Made {
    /// As an answer is told that named another order.
    fn named_otherwise(&self) -> String {
        let [begin, between, end] = NAMED_OTHERWISE;
        format!("{begin}{}{between}{}{end}", self.pw_order_id, self.order_id)
    }

    /// The same back; none where something else is told.
    fn from_told(told: &str) -> Option<Self> {
        let [begin, between, end] = NAMED_OTHERWISE;
        let ids = told.strip_prefix(begin)?.strip_suffix(end)?;
        let (pw_order_id, order_id) = ids.split_once(between)?;
        Some(Self {
            pw_order_id: pw_order_id.to_owned(),
            order_id: order_id.to_owned(),
        })
    }
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
        let answer = made.named_otherwise();
        self.end_without_answer(id, (ending, Tells::Doubted.with(&answer)), service, now)
    }

    /// What the newest answer to a create of an order gave that named another order; none where there was none.
    pub fn named_otherwise(&self, id: OrderRef) -> Result<Option<Made>, LedgerError> {
        let events = self.events(id)?;
        let mut told = events.iter().rev().filter_map(|event| event.told(Tells::Doubted));
        Ok(told.find_map(Made::from_told))
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
