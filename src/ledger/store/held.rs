//! Orders that wait for a person: what is listed in held sheets, approvals, and the sheets themselves.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::as_held::AsHeld;
use super::orders::{Current, illegal};
use super::{Store, count, get, json, json_or_null, ledger_id, millis, moment_or_null, to_json};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{
    AccountRef, Approved, Claim, ClaimRef, DayLimit, HoldKey, OrderRecord, OrderRef, Outcome, Shown,
};
use crate::ledger::state::{Event, State};
use crate::money::Money;
use crate::outcome::Status;
use crate::quote::{Hold, Quote};
use crate::reconcile::Signature;

/// Whether an order is held, and was held just so often.
fn is_held(order: &OrderRecord, hold_number: u32) -> bool {
    order.state == State::Held && order.hold_number == hold_number
}

/// A held order as a held sheet lists it.
#[derive(Clone, Debug)]
pub struct ListedHeld {
    /// The order.
    pub order: OrderRef,
    /// How often it was held.
    pub hold_number: u32,
    /// The id as in the sheet.
    pub order_id: String,
    /// Its first row in the sheet.
    pub first_row: u32,
    /// The fingerprint of its content.
    pub fingerprint: String,
    /// What the service asks for it.
    pub total: Option<Money>,
    /// What it holds, and where it goes.
    pub signature: Signature,
    /// ISO 3166-1 alpha-2.
    pub country_code: String,
    /// Why it is held.
    pub holds: Vec<Hold>,
    /// Since when.
    pub held_at: Option<Timestamp>,
    /// What the service has of it already, made by somebody else: its ids there.
    pub there: Vec<String>,
}

/// The held sheet of a taken sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldSheet {
    /// How many news there have been since it was written.
    pub stale: u32,
    /// Where it was put, and the SHA-256 it had.
    pub own: Option<(String, String)>,
}

/// What a person's decision about one listed order came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionResult {
    /// It counts.
    Taken(Box<AsHeld>),
    /// The order was decided so before, or is sent already.
    Before(String),
    /// It was held again since, at another price or for another reason.
    HeldAgain(String),
    /// It waits for nobody any more: its state.
    NotHeld(String, State),
    /// It waits in another inbox, which is named.
    Elsewhere(String),
    /// There is no such order, or it is not what the held sheet showed: the ledger is another one, or was restored since.
    Unknown,
}

impl Store<'_> {
    /// The orders of a sheet that wait for a person, after a row, by first row.
    pub fn held_after(&self, claim: ClaimRef, row: u32, most: u32) -> Result<Vec<ListedHeld>, LedgerError> {
        let mut held = self.all(
            "list held orders",
            "SELECT orders.id, hold_number, sheet_order_id, orders.fingerprint, orders.quote, signature, orders.country_code, holds, held_at,
                    outcome.first_row
             FROM outcome JOIN orders ON orders.id = outcome.order_ref AND orders.claim_id = outcome.claim_id
             WHERE outcome.claim_id = ?1 AND outcome.first_row > ?2 AND orders.state = 'held'
                   AND orders.approved_total IS NULL
             ORDER BY outcome.first_row LIMIT ?3",
            params![claim.0, row, most],
            listed,
        )?;
        for one in &mut held {
            if let Some(order) = self.order(one.order)? {
                let there = self.there_already(&order)?.into_iter();
                one.there = there.map(|there| there.called(&order.order_id)).collect();
            }
        }
        Ok(held)
    }

    /// A person approves what a key names, with its content as held, at most at its total as held.
    pub fn approve(&self, inbox: &str, key: &HoldKey, now: &Now) -> Result<DecisionResult, LedgerError> {
        let result = self.foresee_approval(inbox, key)?;
        let total = match &result {
            DecisionResult::Taken(as_held) => as_held.total,
            DecisionResult::Before(_)
            | DecisionResult::HeldAgain(_)
            | DecisionResult::NotHeld(..)
            | DecisionResult::Elsewhere(_)
            | DecisionResult::Unknown => None,
        };
        let Some(total) = total else { return Ok(result) };
        let why = format!("a person approved it, at most at {total}");
        self.step(&self.known(key.order)?, Event::Approve, &why, now)?;
        self.run(
            "write an approval",
            "UPDATE orders SET approved_total = ?2, approved_waits = '' WHERE id = ?1",
            params![key.order.0, total.to_string()],
        )?;
        Ok(result)
    }

    /// What an approval of what a key names comes to; nothing is written.
    pub fn foresee_approval(&self, inbox: &str, key: &HoldKey) -> Result<DecisionResult, LedgerError> {
        let Some(order) = self.order(key.order)? else {
            return Ok(DecisionResult::Unknown);
        };
        let is_shown = self.is_shown(key, &order)?;
        if order.inbox != inbox {
            return Ok(elsewhere(order, is_shown));
        }
        let id = order.sheet_order_id.clone();
        match (order.state, order.approved_total) {
            _ if order.hold_number != key.hold_number => return Ok(DecisionResult::HeldAgain(id)),
            _ if !is_shown => return Ok(DecisionResult::Unknown),
            (State::Held, None) => {}
            (State::Held, Some(_)) | (State::Sending | State::Unresolved | State::Created, _) => {
                return Ok(DecisionResult::Before(id));
            }
            (state, _) => return Ok(DecisionResult::NotHeld(id, state)),
        }
        let as_held = self.as_decided(&order, &self.there_already(&order)?)?;
        Ok(match as_held.total {
            Some(_total) => DecisionResult::Taken(Box::new(as_held)),
            None => DecisionResult::NotHeld(id, order.state),
        })
    }

    /// A person declines what a key names, even where it was approved and is not sent yet.
    pub fn decline(&self, inbox: &str, key: &HoldKey, now: &Now) -> Result<DecisionResult, LedgerError> {
        let Some(order) = self.order(key.order)? else {
            return Ok(DecisionResult::Unknown);
        };
        let is_shown = self.is_shown(key, &order)?;
        if order.inbox != inbox {
            return Ok(elsewhere(order, is_shown));
        }
        let id = order.sheet_order_id.clone();
        match order.state {
            _ if order.hold_number != key.hold_number => return Ok(DecisionResult::HeldAgain(id)),
            _ if !is_shown => return Ok(DecisionResult::Unknown),
            State::Held => {}
            State::Declined => return Ok(DecisionResult::Before(id)),
            state => return Ok(DecisionResult::NotHeld(id, state)),
        }
        let as_held = self.as_decided(&order, &self.left_there(&order)?)?;
        self.step(
            &self.known(key.order)?,
            Event::Decline,
            "a person declined it",
            now,
        )?;
        Ok(DecisionResult::Taken(Box::new(as_held)))
    }

    /// Whether an order is what a held sheet showed with this key. What it was approved at stands when its quote falls.
    fn is_shown(&self, key: &HoldKey, order: &OrderRecord) -> Result<bool, LedgerError> {
        let total = order.quote.as_ref().map(|quote| quote.total);
        Ok(key.is_of(&Shown {
            ledger: &ledger_id(self.db)?,
            order_id: &order.sheet_order_id,
            fingerprint: &order.fingerprint,
            total: order.approved_total.or(total),
        }))
    }

    /// The approved orders of an account that are not sent yet, eldest approval first.
    pub fn approved(&self, account: AccountRef) -> Result<Vec<Approved>, LedgerError> {
        self.all(
            "list approved orders",
            "SELECT id, hold_number, inbox FROM orders
             WHERE account_id = ?1 AND state = 'held' AND approved_total IS NOT NULL ORDER BY changed_at, id",
            [account.0],
            |row| {
                Ok(Approved {
                    order: OrderRef(get(row, "id")?),
                    hold_number: get(row, "hold_number")?,
                    inbox: get(row, "inbox")?,
                })
            },
        )
    }

    /// Writes why an approved order, held the `hold_number`th time, is not sent yet, for its sheets and whoever asks; gives
    /// whether that is new.
    pub fn put_approved_waits(
        &self,
        (id, hold_number): (OrderRef, u32),
        why: &str,
    ) -> Result<bool, LedgerError> {
        let changed = self.run(
            "write why an approved order waits",
            "UPDATE orders SET approved_waits = ?3 WHERE id = ?1 AND hold_number = ?2 AND state = 'held'
             AND approved_total IS NOT NULL AND approved_waits <> ?3",
            params![id.0, hold_number, why],
        )?;
        if changed > 0 {
            self.mark_sheets_of(id)?;
        }
        Ok(changed > 0)
    }

    /// Writes the intent to create an approved order, as it was held the `hold_number`th time, at a quote that its approval
    /// covers; false where it is not approved at that any more, a sheet has its cancel still to say, or the list has come to
    /// show one that it would be made beside. Its money counts in the day, which cannot stop it: a person let it pass.
    pub fn intend_approved(
        &self,
        (id, hold_number): (OrderRef, u32),
        quote: &Quote,
        day: Option<&DayLimit>,
        now: &Now,
    ) -> Result<bool, LedgerError> {
        let covered = self.order(id)?.filter(|order| {
            is_held(order, hold_number) && order.approved_total.is_some_and(|most| quote.total <= most)
        });
        let Some(order) = covered else { return Ok(false) };
        if self.cancel_to_come(&order)?.is_some() || self.is_at_service(&order)? {
            return Ok(false);
        }
        self.begin_attempt(&self.known(id)?, "approved; its create is about to leave", now)?;
        self.put_quote(id, quote)?;
        if let Some(day) = day {
            self.reserve(id, quote.total, day)?;
        }
        Ok(true)
    }

    /// Holds an approved order again, as it was held the `hold_number`th time, which takes its approval away.
    ///
    /// # Errors
    /// [`LedgerError::Illegal`] where it is not held so any more: declined, canceled, sent or held anew meanwhile.
    pub fn hold_again(
        &self,
        (id, hold_number): (OrderRef, u32),
        holds: &[Hold],
        quote: Option<&Quote>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        let why = holds.iter().map(|hold| hold.code.name()).collect::<Vec<_>>();
        let order = self.known_as_held(id, hold_number, Event::Hold)?;
        self.step(&order, Event::Hold, &why.join(" "), now)?;
        if let Some(quote) = quote {
            self.put_quote(id, quote)?;
        }
        self.put_holds(id, holds, now)
    }

    /// Takes a held order back for one of its name that the service has and the ledger did not make; what `say` completes,
    /// for each of the sheets that have it, stands by itself from then on. Dropped again, it is judged anew.
    ///
    /// # Errors
    /// [`LedgerError::Illegal`] where it is not held so any more: declined, canceled, sent or held anew meanwhile.
    pub fn give_way(
        &self,
        (id, hold_number): (OrderRef, u32),
        why: &str,
        say: impl Fn(&mut Outcome) -> bool,
        now: &Now,
    ) -> Result<(), LedgerError> {
        self.step(
            &self.known_as_held(id, hold_number, Event::Decline)?,
            Event::Decline,
            why,
            now,
        )?;
        // No person has decided this: without its holds it does not count as declined in its own sheet.
        let sql = "UPDATE orders SET holds = NULL, approved_total = NULL WHERE id = ?1";
        self.run("take a held order back", sql, [id.0])?;
        for mut outcome in self.followers_of(id)? {
            outcome.order = None;
            // A row that asks for a cancel speaks of what was declined.
            if outcome.status != Status::Canceling && say(&mut outcome) {
                self.put_outcome(&outcome)?;
            }
        }
        Ok(())
    }

    /// An order that is still held as it was the `hold_number`th time. One that was declined may be held anew by a sheet, with
    /// other content: never is that touched by what an earlier approval came to.
    fn known_as_held(&self, id: OrderRef, hold_number: u32, event: Event) -> Result<Current, LedgerError> {
        let known = self.known(id)?;
        let order = self.order(id)?;
        if order.is_some_and(|order| is_held(&order, hold_number)) {
            Ok(known)
        } else {
            Err(illegal(&known, event))
        }
    }

    /// Writes what the service asks for an order now.
    pub fn put_quote(&self, id: OrderRef, quote: &Quote) -> Result<(), LedgerError> {
        let sql = "UPDATE orders SET quote = ?2 WHERE id = ?1";
        self.run("write a quote", sql, params![id.0, to_json(quote)?])?;
        Ok(())
    }

    /// Writes why an order is held; an earlier approval does not cover it.
    pub(super) fn put_holds(&self, id: OrderRef, holds: &[Hold], now: &Now) -> Result<(), LedgerError> {
        self.run(
            "write why an order is held",
            "UPDATE orders SET holds = ?2, hold_number = hold_number + 1, held_at = ?3, approved_total = NULL
             WHERE id = ?1",
            params![id.0, to_json(&holds)?, millis(now.wall)],
        )?;
        Ok(())
    }

    /// Notes that a sheet's held orders are not as its held sheet lists them.
    pub fn mark_held_sheet(&self, claim: ClaimRef) -> Result<(), LedgerError> {
        self.run(
            "write a held sheet's news",
            "INSERT INTO held_sheet (claim_id, stale) VALUES (?1, 1)
             ON CONFLICT (claim_id) DO UPDATE SET stale = stale + 1",
            [claim.0],
        )?;
        Ok(())
    }

    /// The done sheets of an inbox whose held sheet is to be written anew, oldest first.
    pub fn stale_held_sheets(&self, inbox: &str) -> Result<Vec<Claim>, LedgerError> {
        self.all(
            "list held sheets with news",
            "SELECT claim.* FROM held_sheet INDEXED BY held_sheet_stale CROSS JOIN claim ON claim.id = held_sheet.claim_id
             WHERE held_sheet.stale > 0 AND claim.inbox = ?1 AND claim.state = 'done' ORDER BY claim.id",
            [inbox],
            super::claims::claim,
        )
    }

    /// How many orders of an inbox wait for approval.
    pub fn held_of(&self, inbox: &str) -> Result<u64, LedgerError> {
        let sql = "SELECT count(*) AS n FROM orders INDEXED BY orders_open
                   WHERE state = 'held' AND approved_total IS NULL AND inbox = ?1";
        let n = self.one("count held orders", sql, [inbox], |row| get::<i64>(row, "n"))?;
        Ok(n.and_then(|n| u64::try_from(n).ok()).unwrap_or(0))
    }

    /// How many held orders of an inbox are in no held sheet yet.
    pub fn unlisted_held(&self, inbox: &str) -> Result<u64, LedgerError> {
        let sql = "SELECT count(*) AS n FROM held_sheet INDEXED BY held_sheet_stale
                   CROSS JOIN orders ON orders.claim_id = held_sheet.claim_id
                   WHERE held_sheet.stale > 0 AND orders.inbox = ?1 AND orders.state = 'held'";
        let n = self.one("count held orders", sql, [inbox], |row| get::<i64>(row, "n"))?;
        Ok(n.and_then(|n| u64::try_from(n).ok()).unwrap_or(0))
    }

    /// The held sheets of an inbox that have been put somewhere, by claim.
    pub fn held_sheets(&self, inbox: &str) -> Result<Vec<(ClaimRef, String)>, LedgerError> {
        self.all(
            "list held sheets",
            "SELECT claim_id, path FROM held_sheet JOIN claim ON claim.id = held_sheet.claim_id
             WHERE path IS NOT NULL AND claim.inbox = ?1",
            [inbox],
            |row| Ok((ClaimRef(get(row, "claim_id")?), get(row, "path")?)),
        )
    }

    /// The held sheet of a taken sheet.
    pub fn held_sheet(&self, claim: ClaimRef) -> Result<HeldSheet, LedgerError> {
        let sql = "SELECT stale, path, hash FROM held_sheet WHERE claim_id = ?1";
        let found = self.one("read a held sheet", sql, [claim.0], |row| {
            let path: Option<String> = get(row, "path")?;
            let hash: Option<String> = get(row, "hash")?;
            Ok(HeldSheet {
                stale: count(row, "stale")?,
                own: path.zip(hash),
            })
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Notes where a held sheet is about to be put and what it holds; none where nothing is listed any more.
    pub fn set_held_sheet(&self, claim: ClaimRef, own: Option<(&str, &str)>) -> Result<(), LedgerError> {
        let (path, hash) = own.unzip();
        self.run(
            "write a held sheet",
            "INSERT INTO held_sheet (claim_id, path, hash) VALUES (?1, ?2, ?3)
             ON CONFLICT (claim_id) DO UPDATE SET path = excluded.path, hash = excluded.hash",
            params![claim.0, path, hash],
        )?;
        Ok(())
    }

    /// Notes that a held sheet tells these news; others that came meanwhile make it be written again.
    pub fn held_sheet_told(&self, claim: ClaimRef, news: u32) -> Result<(), LedgerError> {
        let sql = "UPDATE held_sheet SET stale = 0 WHERE claim_id = ?1 AND stale = ?2";
        self.run("write a held sheet's news", sql, params![claim.0, news])?;
        Ok(())
    }

    /// The sheets of an inbox with orders that have waited for a person since before a moment, which was not said since
    /// then: how many wait. That it is said now is noted.
    pub fn say_held_since(
        &self,
        inbox: &str,
        before: Timestamp,
        now: &Now,
    ) -> Result<Vec<(String, u32)>, LedgerError> {
        let waiting = self.all(
            "list orders held for long",
            "SELECT claim.id AS id, claim.stem AS stem, count(*) AS waiting
             FROM orders INDEXED BY orders_held JOIN claim ON claim.id = orders.claim_id LEFT JOIN held_sheet ON held_sheet.claim_id = claim.id
             WHERE orders.state = 'held' AND orders.inbox = ?1 AND approved_total IS NULL AND held_at < ?2
                   AND coalesce(said_at, 0) < ?2
             GROUP BY claim.id",
            params![inbox, millis(before)],
            |row| {
                Ok((
                    ClaimRef(get(row, "id")?),
                    get(row, "stem")?,
                    count(row, "waiting")?,
                ))
            },
        )?;
        for (claim, _stem, _orders) in &waiting {
            self.run(
                "note that held orders were spoken of",
                "INSERT INTO held_sheet (claim_id, said_at) VALUES (?1, ?2)
                 ON CONFLICT (claim_id) DO UPDATE SET said_at = excluded.said_at",
                params![claim.0, millis(now.wall)],
            )?;
        }
        Ok(waiting
            .into_iter()
            .map(|(_claim, stem, waiting)| (stem, waiting))
            .collect())
    }
}

/// What is to be said of an order of another inbox; with a key that is not its own it is nobody's.
fn elsewhere(order: OrderRecord, is_shown: bool) -> DecisionResult {
    match order.state {
        _ if !is_shown => DecisionResult::Unknown,
        State::Held => DecisionResult::Elsewhere(order.inbox),
        state => DecisionResult::NotHeld(order.sheet_order_id, state),
    }
}

fn listed(row: &Row<'_>) -> Result<ListedHeld, LedgerError> {
    let quote: Option<Quote> = json_or_null(row, "orders", "quote")?;
    Ok(ListedHeld {
        order: OrderRef(get(row, "id")?),
        hold_number: count(row, "hold_number")?,
        order_id: get(row, "sheet_order_id")?,
        fingerprint: get(row, "fingerprint")?,
        first_row: count(row, "first_row")?,
        total: quote.map(|quote| quote.total),
        signature: json(row, "orders", "signature")?,
        country_code: get(row, "country_code")?,
        holds: json_or_null(row, "orders", "holds")?.unwrap_or_default(),
        held_at: moment_or_null(row, "orders", "held_at")?,
        there: Vec::new(),
    })
}
