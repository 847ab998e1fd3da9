//! Orders: content, states, attempts and the trail of events. Every state passes through [`next`].

use crate::ledger::LedgerError;
use jiff::Timestamp;
use rusqlite::{Row, params};

use super::content::{Apart, filled};
use super::{Store, count, get, millis, parsed};
use crate::clock::Now;
use crate::ledger::record::{AccountRef, ClaimRef, NewOrder, OrderRef, Tells, Why};
use crate::ledger::state::{Event, Illegal, State, next};
use crate::quote::Hold;

/// The columns that make a [`Current`].
macro_rules! current_columns {
    () => {
        "id, account_id, order_id, state, came_from, claim_id, unanswered, sends"
    };
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The service answered with its id.
    Created,
    /// The service said no.
    Refused,
    /// It certainly did not reach the service.
    NotSent,
    /// No answer that can be believed.
    Unknown,
    /// An id, but of an order with another name that is none of ours: it may be this one.
    Contradicted,
    /// The program ended before the answer.
    Crashed,
}

impl Store<'_> {
    /// Writes the intent to create an order that is new, or taken anew. Its create may leave when this is committed.
    ///
    /// # Errors
    /// [`LedgerError::Illegal`] where the ledger has come to know the order otherwise meanwhile.
    pub fn intend(&self, new: &NewOrder, now: &Now) -> Result<OrderRef, LedgerError> {
        const WHY: &str = "its create is about to leave";
        if let Some(known) = self.retake(new, Event::Intend, now)? {
            return self.begin_attempt(&known, WHY, now);
        }
        let state = legal(State::New, &new.content.order_id, Event::Intend)?;
        let order = self.insert(new, (state, 1), now)?;
        // No sheet speaks of it yet.
        self.put_event((order.id, order.claim), (order.state, state), WHY, now)?;
        self.put_attempt(order.id, now)?;
        Ok(order.id)
    }

    /// Writes the intent to send an unresolved order once more, whose absence was looked into while it had been sent so
    /// often: a look tells nothing of what was sent since.
    ///
    /// # Errors
    /// [`LedgerError::Illegal`] where the order was sent again meanwhile, given up, or settled.
    pub fn intend_absent(
        &self,
        id: OrderRef,
        sends: u32,
        why: &str,
        now: &Now,
    ) -> Result<OrderRef, LedgerError> {
        let order = self.known(id)?;
        if order.state != State::Unresolved || order.sends != sends {
            return Err(illegal(&order, Event::Intend));
        }
        self.begin_attempt(&order, why, now)
    }

    pub(super) fn begin_attempt(
        &self,
        order: &Current,
        why: &str,
        now: &Now,
    ) -> Result<OrderRef, LedgerError> {
        let state = legal(order.state, &order.order_id, Event::Intend)?;
        self.run(
            "write an intent",
            "UPDATE orders SET state = ?2, changed_at = ?3, came_from = ?4, sends = sends + 1 WHERE id = ?1",
            params![order.id.0, state.word(), millis(now.wall), order.state.word()],
        )?;
        self.count_state(Some(order.state), state);
        self.trail(order, state, why.into(), now)?;
        self.put_attempt(order.id, now)?;
        Ok(order.id)
    }

    fn put_attempt(&self, id: OrderRef, now: &Now) -> Result<(), LedgerError> {
        self.run(
            "write an attempt",
            "INSERT INTO attempt (order_id, number, intended_at, intended_boot_id, intended_boot)
             VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM attempt WHERE order_id = ?1), ?2, ?3, ?4)",
            params![id.0, millis(now.wall), &*now.boot.id, now.boot.millis],
        )?;
        Ok(())
    }

    /// Holds an order that is new, or taken anew.
    pub fn hold(&self, new: &NewOrder, holds: &[Hold], now: &Now) -> Result<OrderRef, LedgerError> {
        let order = self.find_or_insert(new, Event::Hold, now)?;
        let why = holds
            .iter()
            .map(|hold| hold.code.name())
            .collect::<Vec<_>>()
            .join(" ");
        self.step(&order, Event::Hold, &why, now)?;
        self.put_holds(order.id, holds, now)?;
        Ok(order.id)
    }

    /// Writes down a canceled order of which nothing was ever sent, so that a later row does not create it; `by` says
    /// who asked for that.
    pub fn cancel_unsent(&self, new: &NewOrder, by: &str, now: &Now) -> Result<OrderRef, LedgerError> {
        let order = self.find_or_insert(new, Event::AskCancel, now)?;
        let why = format!("canceled before anything was sent: {by}");
        self.step(&order, Event::AskCancel, &why, now)?;
        self.note(order.id, by)?;
        Ok(order.id)
    }

    /// Finds the order, or inserts it as new, with its content taken over where `event` may follow.
    fn find_or_insert(&self, new: &NewOrder, event: Event, now: &Now) -> Result<Current, LedgerError> {
        match self.retake(new, event, now)? {
            Some(known) => Ok(known),
            None => self.insert(new, (State::New, 0), now),
        }
    }

    /// Inserts an order that the ledger does not know, in the state that follows, sent so often.
    fn insert(
        &self,
        new: &NewOrder,
        (state, sends): (State, u32),
        now: &Now,
    ) -> Result<Current, LedgerError> {
        let (order_id, apart) = (&new.content.order_id, Apart::of(new)?);
        self.run(
            "write an order",
            "INSERT INTO orders (account_id, order_id, inbox, sheet_order_id, claim_id, fingerprint, signature,
                                 country_code, quote, changed_at, shop_order, shop_items, state, came_from,
                                 sends)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 'new', ?14)",
            filled(new, now, [state.word().to_owned().into(), sends.into()])?,
        )?;
        let id = OrderRef(self.db.last_insert_rowid());
        self.count_state(None, state);
        self.put_content(id, &apart)?;
        Ok(Current {
            id,
            account: new.account,
            order_id: order_id.clone(),
            state: State::New,
            came_from: State::New,
            claim: new.claim,
            unanswered: 0,
            sends,
        })
    }

    /// Takes the content over for an order that the ledger knows; none where it does not.
    ///
    /// # Errors
    /// [`LedgerError::Illegal`] where `event` may not follow.
    fn retake(&self, new: &NewOrder, event: Event, now: &Now) -> Result<Option<Current>, LedgerError> {
        let order_id = &new.content.order_id;
        let known = self.one(
            "find an order",
            concat!(
                "SELECT ",
                current_columns!(),
                " FROM orders WHERE inbox = ?3 AND sheet_order_id = ?4
                  UNION ALL SELECT ",
                current_columns!(),
                " FROM orders WHERE account_id = ?1 AND order_id = ?2 LIMIT 1"
            ),
            params![new.account.0, order_id, new.inbox, new.sheet_order_id],
            current,
        )?;
        let Some(known) = known else { return Ok(None) };
        legal(known.state, &known.order_id, event)?;
        // A create without an answer may have made it: with another account, or under another id, nobody would find it.
        if known.unanswered > 0 && (known.account, &known.order_id) != (new.account, order_id) {
            return Err(illegal(&known, event));
        }
        let apart = Apart::of(new)?;
        // An earlier attempt of the same id that is without an answer is still counted: the service may have it, and a
        // notice may speak of it.
        self.run(
            "take an order anew",
            "UPDATE orders SET account_id = ?1, order_id = ?2, inbox = ?3, sheet_order_id = ?4, claim_id = ?5,
                    fingerprint = ?6, signature = ?7, country_code = ?8, quote = ?9, changed_at = ?10,
                    shop_order = ?11, shop_items = ?12, holds = NULL,
                    approved_total = NULL, note = '', reason = NULL, sends = 0,
                    reserved_day = iif(inbox = ?3, reserved_day, NULL), reserved = iif(inbox = ?3, reserved, NULL),
                    noticed_at = iif(unanswered > 0, noticed_at, NULL)
             WHERE id = ?13",
            filled(new, now, [known.id.0.into()])?,
        )?;
        self.put_content(known.id, &apart)?;
        self.known(known.id).map(Some)
    }

    /// The service answered a create with its id.
    pub fn answered(
        &self,
        id: OrderRef,
        pw_order_id: &str,
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        let order = self.known(id)?;
        let state = legal(order.state, &order.order_id, Event::Answered)?;
        self.run(
            "write the service's id",
            "UPDATE orders SET state = ?2, changed_at = ?3, pw_order_id = ?4, note = '', reason = NULL WHERE id = ?1",
            params![id.0, state.word(), millis(now.wall), pw_order_id],
        )?;
        self.count_state(Some(order.state), state);
        self.erase_content_of(id)?;
        self.trail(&order, state, "the service answered with its id".into(), now)?;
        self.look_at_notices_again(id, pw_order_id)?;
        self.end_attempt(id, AttemptEnd::Created, service, now)?;
        if order.unanswered == 0 {
            return Ok(());
        }
        self.audit_anew(&order, now)?;
        self.forget_absence(id)
    }

    /// The service said no to a create. Gives the state that follows: unresolved, where an earlier attempt is without
    /// an answer.
    pub fn refused(
        &self,
        id: OrderRef,
        message: &str,
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<State, LedgerError> {
        let order = self.known(id)?;
        let event = Event::Refuse {
            earlier_unanswered: order.unanswered > 0,
        };
        let state = self.step(&order, event, Tells::Refused.with(message), now)?;
        self.end_attempt(id, AttemptEnd::Refused, service, now)?;
        self.audit_anew(&order, now)?;
        if state == State::Unresolved {
            self.begin_absence(id, service, now)?;
        } else {
            self.note(id, message)?;
            self.give_back(id)?;
        }
        Ok(state)
    }

    /// A create certainly did not reach the service.
    pub fn not_sent(&self, id: OrderRef, why: &str, now: &Now) -> Result<(), LedgerError> {
        let order = self.known(id)?;
        let event = Event::NotSent {
            came_from: order.came_from,
        };
        if self.step(&order, event, why, now)? != State::Unresolved {
            self.give_back(id)?;
        }
        self.end_attempt(id, AttemptEnd::NotSent, None, now)?;
        let sql = "UPDATE orders SET sends = sends - 1 WHERE id = ?1";
        self.run("take an intent back", sql, [id.0])?;
        Ok(())
    }

    /// A create has no answer that can be believed.
    pub fn lost(
        &self,
        id: OrderRef,
        (ending, why): (AttemptEnd, &str),
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        self.end_without_answer(id, (ending, why.into()), service, now)
    }

    pub(super) fn end_without_answer(
        &self,
        id: OrderRef,
        (ending, why): (AttemptEnd, Why<'_>),
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        let order = self.known(id)?;
        self.step(&order, Event::Lose, why, now)?;
        self.end_attempt(id, ending, service, now)?;
        let sql = "UPDATE orders SET unanswered = unanswered + 1 WHERE id = ?1";
        self.run("count an unanswered create", sql, [id.0])?;
        self.begin_audit(id, now)?;
        self.begin_absence(id, service, now)
    }

    /// A further create of an order that has one without an answer: from here it is counted anew.
    fn audit_anew(&self, order: &Current, now: &Now) -> Result<(), LedgerError> {
        if order.unanswered > 0 {
            self.begin_audit(order.id, now)
        } else {
            Ok(())
        }
    }

    /// After a start: every intent without an outcome may have left. Gives how many there were.
    pub fn recover(&self, now: &Now) -> Result<usize, LedgerError> {
        let sql = concat!(
            "SELECT ",
            current_columns!(),
            " FROM orders WHERE state = 'sending'"
        );
        let sending = self.all("list intents", sql, [], current)?;
        for order in &sending {
            self.lost(
                order.id,
                (AttemptEnd::Crashed, "the program ended before the answer"),
                None,
                now,
            )?;
        }
        Ok(sending.len())
    }

    /// A cancel is wished; `why` says by whom. Gives the state that follows.
    pub fn ask_cancel(&self, id: OrderRef, why: &str, now: &Now) -> Result<State, LedgerError> {
        let order = self.known(id)?;
        let state = self.step(&order, Event::AskCancel, why, now)?;
        if order.state == State::Unresolved {
            // What a person was asked may have been about a create that never leaves now.
            self.ask_nobody(id)?;
        }
        Ok(state)
    }

    /// A person gave an unresolved order up. What is known of its absence stays: it counts when it is dropped again.
    pub fn abandon(&self, id: OrderRef, now: &Now) -> Result<(), LedgerError> {
        self.step(&self.known(id)?, Event::Abandon, "a person gave it up", now)
            .map(drop)
    }

    /// The service confirmed a cancel.
    pub fn cancel_confirmed(&self, id: OrderRef, message: &str, now: &Now) -> Result<(), LedgerError> {
        self.step(
            &self.known(id)?,
            Event::CancelConfirmed,
            "the service confirmed the cancel",
            now,
        )?;
        self.note(id, message)
    }

    /// The service refused a cancel.
    pub fn cancel_refused(&self, id: OrderRef, message: &str, now: &Now) -> Result<(), LedgerError> {
        self.step(
            &self.known(id)?,
            Event::CancelRefused,
            "the service refused the cancel",
            now,
        )?;
        self.note(id, message)
    }

    /// An order whose cancel is wished is not at the service; `why` says how that is known.
    pub fn ruled_out(&self, id: OrderRef, why: &str, now: &Now) -> Result<(), LedgerError> {
        let order = self.known(id)?;
        // A person may have named it while it was looked for.
        if self.is_named(id)? {
            return Err(illegal(&order, Event::RuleOut));
        }
        self.step(&order, Event::RuleOut, why, now)?;
        // What a person was asked is answered.
        self.note(id, "")?;
        self.give_back(id)?;
        self.forget_absence(id)
    }

    /// Writes the service's word; what a person was asked is of no account any more.
    pub fn note(&self, id: OrderRef, message: &str) -> Result<(), LedgerError> {
        self.run(
            "write a note",
            "UPDATE orders SET note = ?2, reason = NULL WHERE id = ?1",
            params![id.0, message],
        )?;
        Ok(())
    }

    /// Passes an order through the transition function and writes what follows, with its event.
    pub(super) fn step<'w>(
        &self,
        order: &Current,
        event: Event,
        why: impl Into<Why<'w>>,
        now: &Now,
    ) -> Result<State, LedgerError> {
        let state = legal(order.state, &order.order_id, event)?;
        self.run(
            "write an order's state",
            "UPDATE orders SET state = ?2, changed_at = ?3 WHERE id = ?1",
            params![order.id.0, state.word(), millis(now.wall)],
        )?;
        self.count_state(Some(order.state), state);
        if state.content_is_erased() {
            self.erase_content_of(order.id)?;
        }
        self.trail(order, state, why.into(), now)?;
        Ok(state)
    }

    /// Writes the event of a change of state, and what it makes stale.
    fn trail(&self, order: &Current, state: State, why: Why<'_>, now: &Now) -> Result<(), LedgerError> {
        self.put_event((order.id, order.claim), (order.state, state), why, now)?;
        self.mark_sheets_of(order.id)?;
        if order.state == State::Held || state == State::Held {
            self.mark_held_sheet(order.claim)?;
        }
        Ok(())
    }

    /// Writes a line into an order's trail.
    pub(super) fn put_event<'w>(
        &self,
        (order, claim): (OrderRef, ClaimRef),
        (old, new): (State, State),
        why: impl Into<Why<'w>>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        let Why { tells, words } = why.into();
        let tells = tells.map(Tells::word);
        self.run(
            "write an event",
            "INSERT INTO event (order_id, at, claim_id, old, new, why, tells) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![order.0, millis(now.wall), claim.0, old.word(), new.word(), words, tells],
        )?;
        Ok(())
    }

    pub(super) fn known(&self, id: OrderRef) -> Result<Current, LedgerError> {
        let sql = concat!("SELECT ", current_columns!(), " FROM orders WHERE id = ?1");
        self.one("find an order again", sql, [id.0], current)?
            .ok_or_else(missing)
    }
}

pub(super) fn missing() -> LedgerError {
    LedgerError::Statement {
        operation: "find an order again",
        source: rusqlite::Error::QueryReturnedNoRows,
    }
}

/// An event that its pair of states would allow, and what else is known of the order does not.
pub(super) fn illegal(order: &Current, event: Event) -> LedgerError {
    LedgerError::Illegal {
        order_id: order.order_id.clone(),
        source: Illegal {
            state: order.state,
            event,
        },
    }
}

fn legal(state: State, order_id: &str, event: Event) -> Result<State, LedgerError> {
    next(state, event).map_err(|source| LedgerError::Illegal {
        order_id: order_id.to_owned(),
        source,
    })
}

/// What a change needs to know of an order.
#[derive(Debug)]
pub(super) struct Current {
    pub(super) id: OrderRef,
    account: AccountRef,
    order_id: String,
    pub(super) state: State,
    came_from: State,
    claim: ClaimRef,
    unanswered: u32,
    sends: u32,
}

fn current(row: &Row<'_>) -> Result<Current, LedgerError> {
    Ok(Current {
        id: OrderRef(get(row, "id")?),
        account: AccountRef(get(row, "account_id")?),
        order_id: get(row, "order_id")?,
        state: parsed(row, "orders", "state")?,
        came_from: parsed(row, "orders", "came_from")?,
        claim: ClaimRef(get(row, "claim_id")?),
        unanswered: count(row, "unanswered")?,
        sends: count(row, "sends")?,
    })
}
