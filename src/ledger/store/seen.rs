//! What the service says of orders that it has: states, amounts, trackings. A change leaves a line in the order's trail
//! and marks the results that speak of it.

use rusqlite::{Row, params};

use super::browse::total;
use super::confirm::SHOWN_CANCELED;
use super::gone_on::{goes_on, is_followed};
use super::orders::illegal;
use super::{Store, get, millis, to_json};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, OrderRecord, OrderRef, Seen, Tells, Why};
use crate::ledger::state::{Event, State};
use crate::standing;
use crate::tracking::{self, Parcel};

/// What an order's trail calls its trackings.
const TRACKING: &str = "tracking";

/// How often at most an order's trackings are told: where each answer has other words, none of them is news.
const MOST_TOLD: usize = 20;

/// An order that is still to have news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The order.
    pub order: OrderRef,
    /// When it was entered, or else created.
    pub at: jiff::Timestamp,
    /// Whether the service is known not to know it any more.
    pub is_missing: bool,
    /// When the service was last asked for it by its id, for its list did not show it.
    pub asked_at: Option<jiff::Timestamp>,
}

/// The orders of account `?1` that the service has and that are still to have news, entered since `?2`.
macro_rules! watched {
    () => {
        "orders WHERE account_id = ?1 AND coalesce(entered_at, changed_at) >= ?2
             AND watched = 1 AND (state = 'created' OR state = 'canceling') AND pw_order_id IS NOT NULL"
    };
}

impl Store<'_> {
    /// A look-up found it at the service, with this many others of its id.
    pub fn found(&self, id: OrderRef, seen: &Seen, others: u32, now: &Now) -> Result<(), LedgerError> {
        let why = format!("found at the service as {}", seen.pw_order_id);
        self.find(id, seen, (others, why.as_str().into()), now)
    }

    /// The service shows an order, with this many others of its id, that it has refused or that a person has given up,
    /// and that nobody looks up: a person is told.
    pub(super) fn found_after_all(
        &self,
        id: OrderRef,
        seen: &Seen,
        others: u32,
        now: &Now,
    ) -> Result<(), LedgerError> {
        self.find(id, seen, (others, Tells::AfterAll.with(&seen.pw_order_id)), now)
    }

    fn find(
        &self,
        id: OrderRef,
        seen: &Seen,
        (others, why): (u32, Why<'_>),
        now: &Now,
    ) -> Result<(), LedgerError> {
        let order = self.known(id)?;
        // Somebody else was quicker: a person, or a look-up.
        if self.is_named(id)? {
            return Err(illegal(&order, Event::Find));
        }
        self.step(&order, Event::Find, why, now)?;
        self.own_alone(id, &seen.pw_order_id, now)?;
        let sql = "UPDATE orders SET pw_order_id = ?2, others = ?3, note = '', reason = NULL WHERE id = ?1";
        self.run(
            "write the service's id",
            sql,
            params![id.0, seen.pw_order_id, others],
        )?;
        self.take_back(id)?;
        self.forget_absence(id)?;
        self.look_at_notices_again(id, &seen.pw_order_id)?;
        self.see(id, seen, now).map(drop)
    }

    /// Whether the service's id of an order is known.
    pub(super) fn is_named(&self, id: OrderRef) -> Result<bool, LedgerError> {
        Ok(self.order(id)?.is_some_and(|order| order.pw_order_id.is_some()))
    }

    /// What the service's list says of an order. Gives what is new, as words for a person; none where it is all known
    /// already, or is read for the first time and as it should be.
    pub fn see(&self, id: OrderRef, seen: &Seen, now: &Now) -> Result<Option<String>, LedgerError> {
        let Some(before) = self.order(id)? else {
            return Err(super::orders::missing());
        };
        let told = self.take_in(&before, seen, now)?;
        let confirmed = self.confirm_as_shown(&before, seen, now)?;
        Ok(told.or_else(|| confirmed.then(|| SHOWN_CANCELED.to_owned())))
    }

    fn take_in(&self, before: &OrderRecord, seen: &Seen, now: &Now) -> Result<Option<String>, LedgerError> {
        let id = before.id;
        let mut after = merged(before, seen, now);
        after.entered_at = self.entered_at(before, seen.entered_at)?;
        if is_known(before, &after) && !self.says_something_new(before, &after)? {
            self.keep_unnumbered(before, &after)?;
            return Ok(None);
        }
        let flags = Flags::of(before, &after);
        let trouble_before = if before.state == State::Canceled {
            before.gone_on_since()
        } else {
            before.trouble_at
        };
        let trouble_at = flags.trouble.then(|| trouble_before.unwrap_or(now.wall));
        let amounts = after
            .service
            .as_ref()
            .map(|(amounts, _at)| to_json(amounts))
            .transpose()?;
        self.run(
            "write what the service says",
            "UPDATE orders SET entered_at = ?2, service = ?3, order_status = ?4, payment_status = ?5, trackings = ?6,
                    service_read_at = ?7, watched = ?8, missing_at = NULL,
                    noticed_at = CASE WHEN ?8 THEN noticed_at END,
                    trouble_at = ?9,
                    differs_at = iif(?10, coalesce(differs_at, ?7), NULL),
                    service_name = ?11
             WHERE id = ?1",
            params![
                id.0,
                after.entered_at.map(millis),
                amounts,
                after.order_status,
                after.payment_status,
                after.trackings,
                millis(now.wall),
                flags.watched,
                trouble_at.map(millis),
                flags.differs,
                after.service_name,
            ],
        )?;
        self.put_parcels(&after, now)?;
        self.mark_sheets_of(id)?;
        // The first reading of an order is no change of it, unless it tells more than that the service has it.
        let is_first =
            before.service.is_none() && before.order_status.is_none() && before.missing_at.is_none();
        if is_first && after.trackings.is_none() && !flags.trouble && !flags.differs {
            return Ok(None);
        }
        let told = difference(before, &after);
        self.tell(before, &told, now)?;
        Ok(Some(told))
    }

    /// Whether trackings without a number or a link say what they never said before. Their figures may be others with each
    /// answer, and their words may come and go: what was told once is not told again.
    fn says_something_new(&self, before: &OrderRecord, after: &OrderRecord) -> Result<bool, LedgerError> {
        let (Some(old), Some(new)) = (unnumbered(before), unnumbered(after)) else {
            return Ok(false);
        };
        let new = tracking::words(&new);
        if tracking::words(&old) == new {
            return Ok(false);
        }
        let events = self.events(before.id)?;
        let told = events.iter().map(|event| event.words.as_str());
        let told: Vec<&str> = told.filter(|words| words.contains(TRACKING)).collect();
        Ok(told.len() < MOST_TOLD && told.iter().all(|told| !tracking::words(told).contains(&new)))
    }

    /// Keeps such trackings as they came last.
    fn keep_unnumbered(&self, before: &OrderRecord, after: &OrderRecord) -> Result<(), LedgerError> {
        if before.trackings != after.trackings && unnumbered(after).is_some() {
            let sql = "UPDATE orders SET trackings = ?2 WHERE id = ?1";
            self.run(
                "write trackings as they came",
                sql,
                params![before.id.0, after.trackings],
            )?;
        }
        Ok(())
    }

    fn put_parcels(&self, order: &OrderRecord, now: &Now) -> Result<(), LedgerError> {
        let Some(raw) = &order.trackings else {
            return Ok(());
        };
        for parcel in tracking::parcels(raw).iter().filter(|parcel| parcel.is_told()) {
            self.run(
                "write a parcel",
                "INSERT INTO parcel (order_id, name, number, carrier, link, known_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT DO UPDATE SET number = excluded.number, carrier = excluded.carrier, link = excluded.link",
                params![
                    order.id.0,
                    parcel.name(),
                    parcel.number,
                    parcel.carrier,
                    parcel.link,
                    millis(now.wall)
                ],
            )?;
        }
        Ok(())
    }

    /// The service does not know an order any more. False where that was known.
    pub fn miss(&self, id: OrderRef, now: &Now) -> Result<bool, LedgerError> {
        let missed = self.run(
            "write that an order is missing",
            "UPDATE orders SET missing_at = ?2 WHERE id = ?1 AND missing_at IS NULL",
            params![id.0, millis(now.wall)],
        )?;
        if missed == 0 {
            return Ok(false);
        }
        if let Some(order) = self.order(id)? {
            self.tell(&order, "the service does not know it any more", now)?;
        }
        self.mark_sheets_of(id)?;
        Ok(true)
    }

    /// A line in an order's trail that changes nothing of its state.
    fn tell(&self, order: &OrderRecord, why: &str, now: &Now) -> Result<(), LedgerError> {
        self.put_event((order.id, order.claim), (order.state, order.state), why, now)
    }

    /// Notes that the service is asked for an order by its id, for its list did not show it.
    pub fn asked(&self, id: OrderRef, at: jiff::Timestamp) -> Result<(), LedgerError> {
        let sql = "UPDATE orders SET asked_at = ?2 WHERE id = ?1";
        self.run("note that an order is asked for", sql, params![id.0, millis(at)])?;
        Ok(())
    }

    /// How many orders of an account the service has that are still to have news, entered since a moment.
    pub fn watched_orders(&self, account: AccountRef, since: jiff::Timestamp) -> Result<u64, LedgerError> {
        let sql = concat!("SELECT count(*) AS n FROM ", watched!());
        let counted = self.one(
            "count watched orders",
            sql,
            params![account.0, millis(since)],
            total,
        )?;
        Ok(counted.unwrap_or_default())
    }

    /// These orders, eldest first.
    pub fn watched(&self, account: AccountRef, since: jiff::Timestamp) -> Result<Vec<Watched>, LedgerError> {
        let sql = concat!(
            "SELECT id, coalesce(entered_at, changed_at) AS at, missing_at IS NOT NULL AS is_missing, asked_at FROM ",
            watched!(),
            " ORDER BY coalesce(entered_at, changed_at)"
        );
        self.all(
            "list watched orders",
            sql,
            params![account.0, millis(since)],
            |row: &Row<'_>| {
                Ok(Watched {
                    order: OrderRef(get(row, "id")?),
                    at: super::moment(row, "orders", "at")?,
                    is_missing: get(row, "is_missing")?,
                    asked_at: super::moment_or_null(row, "orders", "asked_at")?,
                })
            },
        )
    }
}

/// The order with what the service says of it; what it leaves out stays as it was.
fn merged(before: &OrderRecord, seen: &Seen, now: &Now) -> OrderRecord {
    let mut after = before.clone();
    if let Some(amounts) = &seen.amounts {
        after.service = Some((amounts.clone(), now.wall));
    }
    let newer = |new: &Option<String>, old: &Option<String>| new.clone().or_else(|| old.clone());
    after.order_status = newer(&seen.order_status, &before.order_status);
    after.payment_status = newer(&seen.payment_status, &before.payment_status);
    after.trackings = newer(&seen.trackings, &before.trackings);
    if !seen.order_name.is_empty() {
        after.service_name = Some(seen.order_name.clone()).filter(|name| *name != before.order_id);
    }
    after
}

/// Whether nothing of an order has changed.
fn is_known(before: &OrderRecord, after: &OrderRecord) -> bool {
    let amounts = |order: &OrderRecord| order.service.as_ref().map(|(amounts, _at)| amounts.clone());
    before.missing_at.is_none()
        && before.entered_at == after.entered_at
        && amounts(before) == amounts(after)
        && before.order_status == after.order_status
        && before.payment_status == after.payment_status
        && before.service_name == after.service_name
        && (before.trackings == after.trackings || told(before) == told(after))
}

/// The parcels of an order that can be followed, and whether there is anything else: that, and what stands beside them, may
/// be another with each answer.
fn told(order: &OrderRecord) -> (Vec<Parcel>, bool) {
    let parcels = order.trackings.as_deref().map(tracking::parcels);
    let (told, others): (Vec<Parcel>, Vec<Parcel>) =
        parcels.unwrap_or_default().into_iter().partition(Parcel::is_told);
    (told, !others.is_empty())
}

/// An order's trackings as they are shown, where there are some and none has a number or a link.
fn unnumbered(order: &OrderRecord) -> Option<String> {
    let trackings = order.trackings.as_deref()?;
    let is_numbered = tracking::parcels(trackings).iter().any(Parcel::is_told);
    tracking::shown(trackings).filter(|_| !is_numbered)
}

/// What follows from what the service says.
struct Flags {
    watched: bool,
    trouble: bool,
    differs: bool,
}

impl Flags {
    fn of(before: &OrderRecord, order: &OrderRecord) -> Self {
        let words = [&order.order_status, &order.payment_status];
        let is_named = || {
            words
                .into_iter()
                .any(|word| standing::trouble(word.as_deref()).is_some())
        };
        // A service may give an empty item, or one that announces a label, before it gives the number.
        let is_on_its_way = is_followed(order);
        let quoted = order.quote.as_ref().map(|quote| quote.total);
        let charged = order.service.as_ref().map(|(amounts, _at)| amounts.total);
        Self {
            watched: !is_on_its_way || !standing::items_agree(order.order_status.as_deref()),
            trouble: match order.state {
                State::Canceled => goes_on(before, order),
                State::Canceling => false,
                State::New
                | State::Held
                | State::Sending
                | State::Unresolved
                | State::Created
                | State::Refused
                | State::Abandoned
                | State::Declined => is_named(),
            },
            differs: quoted
                .zip(charged)
                .is_some_and(|(quoted, charged)| quoted != charged),
        }
    }
}

/// What has changed, in words for a person; no address, no name.
fn difference(before: &OrderRecord, after: &OrderRecord) -> String {
    let mut told = Vec::new();
    let mut word = |what: &str, old: &Option<String>, new: &Option<String>| {
        if old != new {
            let new = new.as_deref().unwrap_or("none");
            told.push(match old {
                Some(old) => format!("{what} {old} → {new}"),
                None => format!("{what} {new}"),
            });
        }
    };
    word("order status", &before.order_status, &after.order_status);
    word("payment status", &before.payment_status, &after.payment_status);
    word("name at the service", &before.service_name, &after.service_name);
    let total = |order: &OrderRecord| {
        order
            .service
            .as_ref()
            .map(|(amounts, _at)| amounts.total.to_string())
    };
    word("total", &total(before), &total(after));
    let shown = |order: &OrderRecord| order.trackings.as_deref().and_then(tracking::shown);
    word(TRACKING, &shown(before), &shown(after));
    match told.as_slice() {
        [] if before.missing_at.is_some() => "the service has it again".to_owned(),
        [] if before.entered_at != after.entered_at => "when it was entered".to_owned(),
        [] => "the parts of its total".to_owned(),
        told => told.join("; "),
    }
}
