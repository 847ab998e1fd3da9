//! One of the service's ids is one order's. The answer to a create is the service's word alone: an id that it shows with the
//! name of another order is that one's, and the order that was answered with it has no answer that can be believed.
//!
//! An order that the service has shown under its id itself keeps it: a service that forgets orders may give their ids out
//! again, and such an order is missing.

use rusqlite::params;

use super::Store;
use super::answers::anothers;
use super::find::order;
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ListedRecord, OrderRecord, OrderRef, Tells};
use crate::ledger::state::{Event, State};
use crate::reconcile::{is_alike, is_ours_behind_something, is_same_id};

impl Store<'_> {
    /// The service shows an id with the name of this order: where that is what it has of the order, another one that has the
    /// id from an answer alone has it no more. True where one had.
    pub fn take_from_others(
        &self,
        (id, account): (OrderRef, AccountRef),
        shown: &ListedRecord,
        now: &Now,
    ) -> Result<bool, LedgerError> {
        // Of nearly all that a list shows no other order has the id, which the index tells.
        if self.others_with_id((id, account), &shown.pw_order_id)?.is_empty() {
            return Ok(false);
        }
        let Some(order) = self.order(id)? else {
            return Ok(false);
        };
        let own = order.pw_order_id.as_ref();
        let has_it = own.is_some_and(|own| is_same_id(own, &shown.pw_order_id));
        // A service that gives orders names of its own may give one the name that another has here.
        if has_it || (!is_named_otherwise(&order) && self.may_be_one_of(&order, shown)?) {
            return self.own_alone(id, &shown.pw_order_id, now);
        }
        Ok(false)
    }

    /// An order is known to be what the service has under an id: another one that has it from an answer alone has it no more.
    /// True where one had.
    pub(super) fn own_alone(&self, id: OrderRef, pw_order_id: &str, now: &Now) -> Result<bool, LedgerError> {
        let Some(owner) = self.order(id)? else {
            return Ok(false);
        };
        let mut is_taken = false;
        for other in self.others_with_id((id, owner.account), pw_order_id)? {
            if self.is_by_answer_alone(&other)? {
                self.disown(&other, &owner.order_id, now)?;
                is_taken = true;
            }
        }
        Ok(is_taken)
    }

    /// Whether another order than this has an id that the service has shown it under.
    pub(super) fn is_proved_another_s(&self, id: OrderRef, pw_order_id: &str) -> Result<bool, LedgerError> {
        let Some(owner) = self.order(id)? else {
            return Ok(false);
        };
        for other in self.others_with_id((id, owner.account), pw_order_id)? {
            if !self.is_by_answer_alone(&other)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The orders of an account that have an id, but for this one.
    fn others_with_id(
        &self,
        (id, account): (OrderRef, AccountRef),
        pw_order_id: &str,
    ) -> Result<Vec<OrderRecord>, LedgerError> {
        let [as_shown, upper, lower, number] = writings(pw_order_id);
        let sql = concat!(
            "SELECT ",
            order_columns!(),
            " FROM orders WHERE account_id = ?1 AND pw_order_id IN (?2, ?3, ?4, ?5) AND id <> ?6"
        );
        let values = params![account.0, as_shown, upper, lower, number, id.0];
        let mut others = self.all("find other orders of an id", sql, values, order)?;
        let is_it = |own: &String| is_same_id(own, pw_order_id);
        others.retain(|other| other.pw_order_id.as_ref().is_some_and(is_it));
        Ok(others)
    }

    /// Whether nothing but the answer to its create says that an order has its id.
    fn is_by_answer_alone(&self, order: &OrderRecord) -> Result<bool, LedgerError> {
        let may_be_disowned = match order.state {
            State::Created | State::Canceling | State::Canceled => true,
            State::New
            | State::Held
            | State::Sending
            | State::Unresolved
            | State::Refused
            | State::Abandoned
            | State::Declined => false,
        };
        let is_shown = order.service.is_some() || order.order_status.is_some() || order.entered_at.is_some();
        if !may_be_disowned || (is_shown && !is_named_otherwise(order)) {
            return Ok(false);
        }
        let sql = "SELECT 1 FROM attempt WHERE order_id = ?1 AND answer = 'created'";
        let answered = self.one("find an answered create", sql, [order.id.0], |_row| Ok(()))?;
        Ok(answered.is_some())
    }

    /// An order loses its id, and all that was read of it by that: it is what the service calls by another name. Its create
    /// has no answer that can be believed, and it is looked for by its own name.
    fn disown(&self, order: &OrderRecord, owner: &str, now: &Now) -> Result<(), LedgerError> {
        let current = self.known(order.id)?;
        let pw_order_id = order.pw_order_id.as_deref().unwrap_or_default();
        let answer = anothers(pw_order_id, owner);
        tracing::error!(
            order_id = order.order_id,
            pw_order_id,
            owner,
            "the service has answered a create with the id of another order; it is looked up"
        );
        self.step(&current, Event::Disown, Tells::Doubted.with(&answer), now)?;
        let sql = "UPDATE attempt SET answer = 'unknown' WHERE order_id = ?1 AND answer = 'created'";
        let doubted = self.run("doubt an answer", sql, [order.id.0])?;
        self.run(
            "take the service's id from an order",
            "UPDATE orders SET pw_order_id = NULL, service_name = NULL, entered_at = NULL, service = NULL,
                    service_read_at = NULL, order_status = NULL, payment_status = NULL, trackings = NULL,
                    trouble_at = NULL, differs_at = NULL, missing_at = NULL, noticed_at = NULL, watched = 1,
                    unanswered = unanswered + ?2
             WHERE id = ?1",
            params![order.id.0, u32::try_from(doubted).unwrap_or(u32::MAX)],
        )?;
        let sql = "DELETE FROM parcel WHERE order_id = ?1";
        self.run("forget an order's parcels", sql, [order.id.0])?;
        self.begin_audit(order.id, now)?;
        self.begin_absence(order.id, None, now)
    }
}

/// How an answer may have written an id that is shown so: in other letters, or without them.
fn writings(pw_order_id: &str) -> [String; 4] {
    let number = pw_order_id.trim_start_matches(|c: char| !c.is_ascii_digit());
    [
        pw_order_id.to_owned(),
        pw_order_id.to_ascii_uppercase(),
        pw_order_id.to_ascii_lowercase(),
        number.to_owned(),
    ]
}

/// Whether the service shows an order under a name that is none of ours in any writing.
fn is_named_otherwise(order: &OrderRecord) -> bool {
    order.service_name.as_ref().is_some_and(|name| {
        !is_alike(&order.order_id, name) && !is_ours_behind_something(&order.order_id, name)
    })
}
