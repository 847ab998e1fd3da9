//! Orders of which the service has more than it should: which those are, and what a look for them leaves of them.

use jiff::{SignedDuration, Timestamp};
use rusqlite::params;

use super::listed::listed;
use super::{Store, get, moment, moment_or_null};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ListedRecord, OrderRecord, OrderRef};
use crate::ledger::state::State;
use crate::reconcile::{is_recent, is_same_id, plain};

/// By how much more an order that is one too many may seem older than the first create: a clock that was wrong then may
/// have been put right since. What may be one too many keeps the alarm.
const CLOCKS_APART: SignedDuration = SignedDuration::from_hours(24);

/// An order of which something stands in what needs a person until the service says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// The order.
    pub order: OrderRef,
    /// When it was entered, or else created.
    pub at: Timestamp,
    /// When the service was last asked for it by itself.
    pub asked_at: Option<Timestamp>,
    /// The service has more of it than it should.
    pub has_others: bool,
    /// The service's words for it name a trouble, or it does not know it any more.
    pub is_in_trouble: bool,
    /// It is still to have news, so that its day is read while it is young.
    pub is_watched: bool,
}

/// What a look for all orders of the name of one of ours has shown.
#[derive(Clone, Debug, Default)]
pub struct LookAtOthers {
    /// Those that are there, but for the order itself.
    pub shown: Vec<ListedRecord>,
    /// The service's ids of those of them that are over there.
    pub over: Vec<String>,
    /// The service's ids of those that it does not know any more.
    pub gone: Vec<String>,
    /// Nothing else of it is there: the list has shown the order itself, or each that is known was asked for by its id.
    pub is_whole: bool,
}

impl Store<'_> {
    /// The orders of an account with an open alarm, those that were asked for longest ago first. Of what is over here it is
    /// told if it came to that since a moment.
    pub fn alarms(&self, account: AccountRef, told_since: Timestamp) -> Result<Vec<Alarm>, LedgerError> {
        let sql = "SELECT id, coalesce(entered_at, changed_at) AS at, asked_at, others > 0 AS has_others,
                          pw_order_id IS NOT NULL AND (trouble_at IS NOT NULL OR missing_at IS NOT NULL) AS is_in_trouble,
                          watched = 1 AND state IN ('created', 'canceling') AS is_watched
                   FROM orders INDEXED BY orders_flagged
                   WHERE (trouble_at IS NOT NULL OR missing_at IS NOT NULL OR noticed_at IS NOT NULL OR others > 0)
                     AND account_id = ?1
                     AND ((state IN ('created', 'canceling')
                           AND (trouble_at IS NOT NULL OR missing_at IS NOT NULL OR others > 0))
                          OR (state IN ('canceled', 'refused', 'declined', 'abandoned') AND others > 0 AND changed_at >= ?2)
                          OR (state = 'canceled' AND trouble_at >= changed_at AND trouble_at >= ?2))
                   ORDER BY asked_at IS NOT NULL, asked_at, id";
        let args = params![account.0, super::millis(told_since)];
        self.all("list orders with an alarm", sql, args, |row| {
            Ok(Alarm {
                order: OrderRef(get(row, "id")?),
                at: moment(row, "orders", "at")?,
                asked_at: moment_or_null(row, "orders", "asked_at")?,
                has_others: get(row, "has_others")?,
                is_in_trouble: get(row, "is_in_trouble")?,
                is_watched: get(row, "is_watched")?,
            })
        })
    }

    /// What the service has listed that may be one too many of an order, canceled there or not, eldest first: what has its
    /// name, and where too few of those are still to be printed, what has it in another writing.
    pub fn surplus(&self, order: &OrderRecord) -> Result<Vec<ListedRecord>, LedgerError> {
        let mut all = Vec::new();
        for name in order.names() {
            all.extend(self.listed(order.account, name)?);
        }
        let mut all = self.of_its_kind(order, all)?;
        let live = all.iter().filter(|one| !one.is_canceled()).count();
        if u32::try_from(live).is_ok_and(|live| live < order.others) {
            let sql = "SELECT * FROM listed WHERE account_id = ?1 AND plain = ?2 AND plain <> ''
                       ORDER BY entered_at, pw_order_id";
            let args = params![order.account.0, plain(&order.order_id)];
            let alike = self.all("find listed orders", sql, args, listed)?;
            let mut alike = self.of_its_kind(order, alike)?;
            alike.retain(|one| all.iter().all(|known| known.pw_order_id != one.pw_order_id));
            all.extend(alike);
        }
        Ok(all)
    }

    /// Of listed orders those that hold what an order of ours does, go to its place, and may be of its creates.
    fn of_its_kind(
        &self,
        order: &OrderRecord,
        listed: Vec<ListedRecord>,
    ) -> Result<Vec<ListedRecord>, LedgerError> {
        if listed.is_empty() {
            return Ok(listed);
        }
        let first = self.first_intended_at(order.id)?;
        let first = first.map(|first| first.checked_sub(CLOCKS_APART).unwrap_or(Timestamp::MIN));
        let is_replaced = self.is_replaced(order)?;
        let mut kind = Vec::new();
        for one in listed {
            let own = order.pw_order_id.as_ref();
            let is_it = own.is_some_and(|own| is_same_id(own, &one.pw_order_id));
            let is_recent = first.is_none_or(|first| is_recent(one.entered_at, first));
            let is_like = is_replaced || one.to_named().is_like(order.ours());
            let another = || Ok(self.holder(order.account, &one.pw_order_id)?.is_some());
            if !is_it && is_recent && is_like && !another()? {
                kind.push(one);
            }
        }
        Ok(kind)
    }

    /// Whether an order that the list shows as paid back is none too many of one of ours, and unknown: as long as it is, it is
    /// news when the service goes on with it.
    pub fn is_taken_off(&self, id: OrderRef, listed: &ListedRecord) -> Result<bool, LedgerError> {
        let order = self.order(id)?;
        let Some(order) = order.filter(|order| order.pw_order_id.is_some() && is_decided(order)) else {
            return Ok(false);
        };
        let known = self.listed(order.account, &listed.order_id)?;
        let is_known = known.iter().any(|one| one.pw_order_id == listed.pw_order_id);
        Ok(!is_known && self.may_be_one_of(&order, listed)?)
    }

    /// Writes down what a look for the orders of the name of one of ours has shown, and that the service has no more of it
    /// than that. Never that it has more: what has come is counted where it is found. Gives the change in words for a person;
    /// none where as many are left, or where the look was no whole one.
    pub fn lower_others(
        &self,
        id: OrderRef,
        look: &LookAtOthers,
        now: &Now,
    ) -> Result<Option<String>, LedgerError> {
        let order = self.order(id)?;
        let Some(order) = order.filter(|order| order.others > 0 && is_decided(order)) else {
            return Ok(None);
        };
        for one in &look.shown {
            if self.holder(order.account, &one.pw_order_id)?.is_none() {
                self.put_listed(order.account, one)?;
            }
        }
        if !look.is_whole {
            return Ok(None);
        }
        let known = self.surplus(&order)?;
        let is_of = |ids: &[String], one: &ListedRecord| ids.contains(&one.pw_order_id);
        // Shown once more, it is news again; and so is one that is paid back, where the service goes on with it.
        let is_forgotten = |one: &&ListedRecord| {
            is_of(&look.gone, one)
                || (order.pw_order_id.is_some() && is_of(&look.over, one) && !one.is_canceled())
        };
        for gone in known.iter().filter(is_forgotten) {
            self.forget_listed(order.account, gone)?;
        }
        let left = known
            .iter()
            .filter(|one| !one.is_canceled() && !is_of(&look.over, one) && !is_of(&look.gone, one));
        let left = u32::try_from(left.count()).unwrap_or(u32::MAX);
        if left >= order.others {
            return Ok(None);
        }
        let sql = "UPDATE orders SET others = ?2 WHERE id = ?1";
        self.run("write how many are left", sql, params![id.0, left])?;
        self.mark_sheets_of(id)?;
        let told = match left {
            0 => "the service has no more of this id that are to be printed".to_owned(),
            left => format!("the service has {left} more of this id that are to be printed"),
        };
        self.put_event((id, order.claim), (order.state, order.state), &told, now)?;
        Ok(Some(told))
    }
}

/// Whether it is known which of the orders of its name is the one that it should be.
fn is_decided(order: &OrderRecord) -> bool {
    match order.state {
        State::Created | State::Canceled | State::Refused | State::Abandoned | State::Declined => true,
        State::Canceling => order.pw_order_id.is_some(),
        State::New | State::Held | State::Sending | State::Unresolved => false,
    }
}
