//! The audit: orders that ever had a create without an answer, counted at the service again; and the orders of which
//! it has more than one.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{Store, boot_or_null, count, get, json, millis, moment, moment_or_null, unreadable};
use crate::clock::{BootTime, Now};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ListedRecord, OrderRecord, OrderRef, Seen};
use crate::ledger::state::State;
use crate::reconcile::{Named, Signature, is_recent, is_same_id, of_the_attempt};

/// An order that is to be counted at the service.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The order.
    pub id: OrderRef,
    /// Its id as sent.
    pub order_id: String,
    /// What the service calls it, as far as that is known: what it makes of a create later it calls so too.
    pub name: String,
    /// When its latest create ended (wall clock).
    pub since_at: Timestamp,
    /// The same on the boot clock.
    pub since: BootTime,
    /// How many rounds have been made since then.
    pub rounds: u32,
    /// When its first create was intended (wall clock): orders of its name from before are not its own.
    pub first_intended_at: Timestamp,
    /// The service's id of it, where that is known: a count that does not show that one has not seen all.
    pub pw_order_id: Option<String>,
    /// The service is known not to know it any more.
    pub is_missing: bool,
    /// When it was counted last without that one being shown (wall clock).
    pub in_vain_at: Option<Timestamp>,
}

/// What a count at the service came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Orders of its name and content that are there.
    pub there: u32,
    /// Of those, how many there are beyond the one that the ledger knows.
    pub others: u32,
    /// Whether that was not known before.
    pub is_news: bool,
    /// Whether it had been refused, or given up by a person, and counts as created from here.
    pub after_all: bool,
}

impl Store<'_> {
    /// A create has ended without an answer, or another one of an order that has such a one: it is counted from here.
    pub(super) fn begin_audit(&self, id: OrderRef, now: &Now) -> Result<(), LedgerError> {
        self.run(
            "begin an audit",
            "INSERT OR REPLACE INTO audit (order_id, since_at, since_boot_id, since_boot) VALUES (?1, ?2, ?3, ?4)",
            params![id.0, millis(now.wall), &*now.boot.id, now.boot.millis],
        )?;
        Ok(())
    }

    /// The orders of an account of which a round is still to come, those first that have waited longest.
    pub fn open_audits(&self, account: AccountRef) -> Result<Vec<Audit>, LedgerError> {
        let sql = "SELECT audit.*, orders.order_id AS sent_id, coalesce(service_name, orders.order_id) AS name,
                          pw_order_id, missing_at IS NOT NULL AS is_missing,
                          (SELECT min(intended_at) FROM attempt WHERE attempt.order_id = audit.order_id) AS first_at
                   FROM audit INDEXED BY audit_open CROSS JOIN orders ON orders.id = audit.order_id
                   WHERE is_open = 1 AND account_id = ?1 ORDER BY since_at";
        self.all("list audits", sql, [account.0], audit)
    }

    /// Writes down what a count has shown, and that these rounds are made; where they are none more than before, that it
    /// was made in vain. Orders of its name that are not the ledger's own are written down as listed.
    pub fn count_at_service(
        &self,
        audit: &Audit,
        (rounds, is_last): (u32, bool),
        orders: &[ListedRecord],
        now: &Now,
    ) -> Result<Counted, LedgerError> {
        let read = || {
            let known = self.order(audit.id)?;
            known.ok_or_else(|| unreadable("audit", "order_id", &audit.order_id))
        };
        let mut known = read()?;
        let is_replaced = self.is_replaced(&known)?;
        let ours = |listed: &&ListedRecord| {
            is_of(listed, &known, audit.first_intended_at)
                || (is_replaced && is_recent(listed.entered_at, audit.first_intended_at))
        };
        let there: Vec<&ListedRecord> = orders.iter().filter(ours).collect();
        // What has its name in another writing is told, and never taken for it by itself.
        let eldest = there
            .iter()
            .filter(|listed| [&*known.order_id, known.name_at_service()].contains(&&*listed.order_id))
            .min_by_key(|listed| (listed.entered_at, &listed.pw_order_id));
        let mut after_all = false;
        if let Some(eldest) = eldest {
            let seen = Seen {
                pw_order_id: eldest.pw_order_id.clone(),
                entered_at: eldest.entered_at,
                ..Seen::default()
            };
            after_all = self.find_after_all(audit.id, eldest, &seen, now)?;
            known = read()?;
        }
        let others = beyond(&known, &there);
        for listed in &there {
            let is_it = |own: &String| is_same_id(own, &listed.pw_order_id);
            if !known.pw_order_id.as_ref().is_some_and(is_it) && !is_undecided(known.state) {
                self.put_listed(known.account, listed)?;
            }
        }
        let is_news = self.set_others(&known, others)?;
        let there = u32::try_from(there.len()).unwrap_or(u32::MAX);
        let counted = (rounds > audit.rounds).then_some(there);
        self.run(
            "write what an audit has counted",
            "UPDATE audit SET rounds = ?2, is_open = ?3, counted = ?4, counted_at = ?5
             WHERE order_id = ?1 AND since_at = ?6",
            params![
                audit.id.0,
                rounds,
                !is_last,
                counted,
                millis(now.wall),
                millis(audit.since_at)
            ],
        )?;
        Ok(Counted {
            there,
            others,
            is_news,
            after_all,
        })
    }

    /// The service's list shows another order of the name of one of ours: where it has the same content and is not
    /// older, it is one too many. True where that was not known before.
    pub fn note_another(&self, id: OrderRef, listed: &ListedRecord) -> Result<bool, LedgerError> {
        let (Some(known), Some(first)) = (self.order(id)?, self.first_intended_at(id)?) else {
            return Ok(false);
        };
        // No create of ours has made anything, and it is not what was refused.
        if known.state == State::Refused && goes_elsewhere(listed, &known) {
            return Ok(false);
        }
        let may_be_replaced = || Ok(is_recent(listed.entered_at, first) && self.is_replaced(&known)?);
        if !is_of(listed, &known, first) && !may_be_replaced()? {
            return Ok(false);
        }
        let others = u32::try_from(self.listed_like(&known, first)?).unwrap_or(u32::MAX);
        self.set_others(&known, others)
    }

    /// The service's list shows an order of the name of one that it has refused, or that a person has given up: where it is
    /// what was sent, and goes to the same addressee, it is that one. True where it is: a person is told, and it is not
    /// canceled by itself.
    pub fn find_after_all(
        &self,
        id: OrderRef,
        listed: &ListedRecord,
        seen: &Seen,
        now: &Now,
    ) -> Result<bool, LedgerError> {
        let (Some(mut known), Some(first)) = (self.order(id)?, self.first_intended_at(id)?) else {
            return Ok(false);
        };
        if known.pw_order_id.is_some()
            || !may_be_there(&known)
            || !is_of(listed, &known, first)
            || goes_elsewhere(listed, &known)
            || self.is_proved_another_s(id, &listed.pw_order_id)?
        {
            return Ok(false);
        }
        self.forget_listed(known.account, listed)?;
        known.pw_order_id = Some(listed.pw_order_id.clone());
        let others = u32::try_from(self.listed_like(&known, first)?).unwrap_or(u32::MAX);
        self.found_after_all(id, seen, others, now)?;
        Ok(true)
    }

    /// Takes what the list has shown of an order that was canceled as not being there for that order; the eldest of several,
    /// and none that is canceled by now. False where there is none.
    pub(super) fn take_what_is_there(&self, order: &OrderRecord, now: &Now) -> Result<bool, LedgerError> {
        let Some(first) = self.first_intended_at(order.id)? else {
            return Ok(false);
        };
        for listed in self.listed(order.account, &order.order_id)? {
            let is_it = !listed.is_canceled() && is_of(&listed, order, first);
            if !is_it || self.is_proved_another_s(order.id, &listed.pw_order_id)? {
                continue;
            }
            self.own_alone(order.id, &listed.pw_order_id, now)?;
            self.forget_listed(order.account, &listed)?;
            let known = OrderRecord {
                pw_order_id: Some(listed.pw_order_id.clone()),
                ..order.clone()
            };
            self.run(
                "take what is there for an order",
                "UPDATE orders SET pw_order_id = ?2, others = ?3, entered_at = ?4 WHERE id = ?1",
                params![
                    order.id.0,
                    listed.pw_order_id,
                    u32::try_from(self.listed_like(&known, first)?).unwrap_or(u32::MAX),
                    self.entered_at(&known, listed.entered_at)?.map(millis)
                ],
            )?;
            self.take_back(order.id)?;
            self.look_at_notices_again(order.id, &listed.pw_order_id)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// An order of ours is no listed one: an earlier reading may have taken it for somebody else's.
    pub(super) fn forget_listed(
        &self,
        account: AccountRef,
        listed: &ListedRecord,
    ) -> Result<(), LedgerError> {
        self.run(
            "forget a listed order",
            "DELETE FROM listed WHERE account_id = ?1 AND order_id = ?2 AND pw_order_id = ?3",
            params![account.0, listed.order_id, listed.pw_order_id],
        )?;
        Ok(())
    }

    /// Whether a create without an answer was of another content than the order has by now: what that was is not known any
    /// more, and whatever has the order's name since may be it.
    pub(super) fn is_replaced(&self, order: &OrderRecord) -> Result<bool, LedgerError> {
        if order.unanswered == 0 {
            return Ok(false);
        }
        let sql = "SELECT count(*) AS n FROM attempt WHERE order_id = ?1 AND answer IS NOT 'not-sent'";
        let left = self.one("count creates", sql, [order.id.0], |row| count(row, "n"))?;
        Ok(left.unwrap_or(0) > order.sends)
    }

    /// When the first create of an order was intended (wall clock), of every content that it ever had; none where none may
    /// have left. Where one may, those count that did not, as the answer had it: the next may have waited for hours since,
    /// and what was made then is not older than our first attempt.
    pub fn first_intended_at(&self, id: OrderRef) -> Result<Option<Timestamp>, LedgerError> {
        let sql = "SELECT iif(max(answer IS NOT 'not-sent'), min(intended_at), NULL) AS first_at FROM attempt WHERE order_id = ?1";
        let first = self.one("find a first attempt", sql, [id.0], |row| {
            moment_or_null(row, "attempt", "first_at")
        })?;
        Ok(first.flatten())
    }

    /// Whether an order at the service can be what the creates of one of ours have made.
    pub(super) fn may_be_one_of(
        &self,
        order: &OrderRecord,
        listed: &ListedRecord,
    ) -> Result<bool, LedgerError> {
        let first = self.first_intended_at(order.id)?;
        Ok(first.is_some_and(|first| is_of(listed, order, first)))
    }

    /// How many listed orders have the name and content of one of ours, go to its place, are not older, and are not known
    /// to be canceled.
    fn listed_like(&self, order: &OrderRecord, first: Timestamp) -> Result<usize, LedgerError> {
        let sql = "SELECT pw_order_id, signature, zip, entered_at FROM listed
                   WHERE account_id = ?1 AND order_id = ?2 AND canceled IS NOT 1";
        let all = self.all(
            "find listed orders",
            sql,
            params![order.account.0, order.order_id],
            |row| {
                Ok(Named {
                    pw_order_id: get(row, "pw_order_id")?,
                    signature: json::<Signature>(row, "listed", "signature")?,
                    zip: get(row, "zip")?,
                    entered_at: moment_or_null(row, "listed", "entered_at")?,
                })
            },
        )?;
        let is_replaced = self.is_replaced(order)?;
        let is_like = |named: &&Named| {
            order.pw_order_id.as_ref() != Some(&named.pw_order_id)
                && (of_the_attempt(named, order.ours(), first)
                    || (is_replaced && is_recent(named.entered_at, first)))
        };
        Ok(all.iter().filter(is_like).count())
    }

    /// Notes how many more the service has of an order. Never fewer than were seen before: one that a list does not show
    /// may be there all the same, and [a look for all of them](Self::lower_others) tells. True where it is more than was
    /// known.
    fn set_others(&self, order: &OrderRecord, others: u32) -> Result<bool, LedgerError> {
        if others <= order.others {
            return Ok(false);
        }
        let sql = "UPDATE orders SET others = ?2 WHERE id = ?1";
        self.run("write how many there are", sql, params![order.id.0, others])?;
        self.mark_sheets_of(order.id)?;
        Ok(true)
    }
}

/// Whether an order at the service can be what our attempts have made.
fn is_of(listed: &ListedRecord, order: &OrderRecord, first: Timestamp) -> bool {
    of_the_attempt(&listed.to_named(), order.ours(), first)
}

/// Whether an order at the service goes to another name, street or city than one of ours whose content is still known: what
/// was mended and dropped again has the same pieces, and a ledger that was put back knows only what was before that.
fn goes_elsewhere(listed: &ListedRecord, order: &OrderRecord) -> bool {
    let content = order.content.as_ref();
    content.is_some_and(|content| listed.addressee.difference(content).is_some())
}

/// Whether an order that nobody looks up counts as created when the service shows it: it was sent with the content that
/// it has.
fn may_be_there(order: &OrderRecord) -> bool {
    match order.state {
        State::Refused | State::Abandoned => order.was_decided(),
        State::New
        | State::Held
        | State::Sending
        | State::Unresolved
        | State::Created
        | State::Canceling
        | State::Canceled
        | State::Declined => false,
    }
}

/// How many of the candidates there are beyond the one that there should be. Of an order that should not be there at
/// all, each is one too many. What is canceled there is none.
fn beyond(order: &OrderRecord, there: &[&ListedRecord]) -> u32 {
    let live = there.iter().filter(|listed| !listed.is_canceled());
    let more = match &order.pw_order_id {
        Some(own) => live
            .filter(|listed| !is_same_id(&listed.pw_order_id, own))
            .count(),
        // Which of them is adopted is the look-up's to decide.
        None if is_undecided(order.state) => live.count().saturating_sub(1),
        None => live.count(),
    };
    u32::try_from(more).unwrap_or(u32::MAX)
}

/// Whether it is not known yet if the service has the order.
fn is_undecided(state: State) -> bool {
    match state {
        State::Sending | State::Unresolved | State::Canceling => true,
        State::New
        | State::Held
        | State::Created
        | State::Canceled
        | State::Refused
        | State::Abandoned
        | State::Declined => false,
    }
}

fn audit(row: &Row<'_>) -> Result<Audit, LedgerError> {
    let since = boot_or_null(row, "since_boot_id", "since_boot")?
        .ok_or_else(|| unreadable("audit", "since_boot", "nothing"))?;
    let since_at = moment(row, "audit", "since_at")?;
    let is_counted = get::<Option<i64>>(row, "counted")?.is_some();
    let counted_at = moment_or_null(row, "audit", "counted_at")?;
    Ok(Audit {
        id: OrderRef(get(row, "order_id")?),
        order_id: get(row, "sent_id")?,
        name: get(row, "name")?,
        since_at,
        since,
        rounds: count(row, "rounds")?,
        first_intended_at: moment_or_null(row, "attempt", "first_at")?.unwrap_or(since_at),
        pw_order_id: get(row, "pw_order_id")?,
        is_missing: get(row, "is_missing")?,
        in_vain_at: counted_at.filter(|_| !is_counted),
    })
}
