//! A row that asks for a cancel: of which order, and whether there is anything to cancel. Asks nobody but the ledger.

use super::decide::{By, Decided, finding};
use super::judge::kept;
use super::kept::first_row;
use super::pieces::not_named;
use crate::finding::{Code, Finding, Level};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, CancelWish, ClaimRef, ListedRecord, OrderRecord, Outcome};
use crate::ledger::state::State;
use crate::order::{Action, Draft, Field, behind_prefix, quoted, runs_on};
use crate::outcome::Status;

impl By<'_> {
    /// What follows from a cancel row.
    pub(super) fn cancel(
        &self,
        draft: &Draft,
        known: Option<OrderRecord>,
        mut outcome: Outcome,
    ) -> Result<Decided, LedgerError> {
        let has_error = |outcome: &Outcome| outcome.findings.iter().any(|f| f.level() == Level::Error);
        if has_error(&outcome) {
            outcome.status = Status::Invalid;
            return Ok(Decided::Ended(Box::new(outcome), None));
        }
        let Some(order) = known else {
            return self.cancel_unmade(draft, outcome);
        };
        if self.is_another_there(&order, &outcome)? {
            return self.cancel_unmade(draft, outcome);
        }
        if let Some(why) = nothing_to_cancel(&order) {
            outcome
                .findings
                .push(unknown(draft.order_id(), id_cell(draft, &outcome), why));
            outcome.status = Status::Invalid;
            return Ok(Decided::Ended(Box::new(outcome), None));
        }
        let asks_nobody = order.state.is_canceled_here() && !order.is_canceled_in_vain();
        if !asks_nobody && self.memory.is_elsewhere(&order)? {
            outcome.findings.push(elsewhere(&order, id_cell(draft, &outcome)));
            outcome.status = Status::Invalid;
            return Ok(Decided::Ended(Box::new(outcome), None));
        }
        let is_of_another = order.inbox != self.inbox.name;
        let differing = if is_of_another {
            draft.contradicts(&kept(&order), &order.sheet_order_id)
        } else {
            Vec::new()
        };
        if !differing.is_empty() {
            outcome
                .findings
                .push(another(&order, &differing, id_cell(draft, &outcome)));
            outcome.status = Status::Invalid;
            return Ok(Decided::Ended(Box::new(outcome), None));
        }
        outcome.status = Status::Canceling;
        if is_of_another {
            outcome.findings.push(other_inbox(&order, outcome.first_row));
        }
        outcome.findings.extend(beside_a_bare_cancel(draft));
        // A ledger that was put back from a backup may have an order as held that was approved and sent since.
        let instead = self.listed_instead_of(&order, &order.order_id)?;
        if !instead.is_empty() {
            outcome.order_id.clone_from(&order.order_id);
            return Ok(by_list(outcome, &instead, draft.order_id()));
        }
        outcome
            .findings
            .extend(self.left_there(&order, outcome.first_row)?);
        let unnamed = not_named(draft, &order.signature);
        outcome
            .findings
            .extend(unnamed.map(|others| whole_order(&order, &others, outcome.first_row)));
        Ok(Decided::Cancel(Box::new(order), Box::new(outcome)))
    }

    /// Whether the order came to nothing here, and the service lists one of its name.
    fn is_another_there(&self, order: &OrderRecord, outcome: &Outcome) -> Result<bool, LedgerError> {
        let came_to_nothing = order.state.is_taken_anew();
        Ok(came_to_nothing && !self.listed_instead_of(order, &outcome.order_id)?.is_empty())
    }

    /// What is said of a held order that is declined where the service has one that may be it, and under no name by which it
    /// is canceled with it.
    fn left_there(&self, order: &OrderRecord, row: u32) -> Result<Option<Finding>, LedgerError> {
        if order.state != State::Held {
            return Ok(None);
        }
        let left = self.memory.left_there(order)?;
        let [first, ..] = &left[..] else { return Ok(None) };
        let called: Vec<String> = left.iter().map(|one| one.called(&order.order_id)).collect();
        let message = format!(
            "It was held, and the service lists an order that holds the same, of which this ledger did not know: {}. That one is \
             not canceled by this row.",
            called.join(", ")
        );
        let hint = format!(
            "If it is this order, have the operator cancel it with `dropsheet orders cancel {}`.",
            first.pw_order_id
        );
        Ok(Some(finding(Code::ListedAtService, row, message, &hint)))
    }

    /// What the service lists under an id where nothing of an order is there as far as the ledger knows: that is meant, as any
    /// sheet that has the order says of it. What holds something else, or goes elsewhere, than what was sent is another
    /// shop's.
    fn listed_instead_of(
        &self,
        order: &OrderRecord,
        order_id: &str,
    ) -> Result<Vec<ListedRecord>, LedgerError> {
        if !order.gives_way() || self.memory.is_elsewhere(order)? {
            return Ok(Vec::new());
        }
        let mut listed = self.memory.listed(order_id)?;
        listed.retain(|one| one.may_be(order));
        Ok(listed)
    }

    /// An order that the ledger did not make may be known from the service's list.
    fn cancel_unmade(&self, draft: &Draft, mut outcome: Outcome) -> Result<Decided, LedgerError> {
        let listed = self.memory.listed(&outcome.order_id)?;
        if !listed.is_empty() {
            outcome.findings.extend(beside_a_bare_cancel(draft));
            return Ok(by_list(outcome, &listed, draft.order_id()));
        }
        if let Some(claim) = self.claim
            && self.memory.is_behind(claim)?
        {
            return Ok(Decided::CancelLater);
        }
        if let Some(order) = self.shown_as(draft)? {
            return self.cancel_shown(draft, order, outcome);
        }
        let cell = id_cell(draft, &outcome);
        outcome.status = Status::Invalid;
        let never = self.never_sent(draft, cell)?;
        outcome.findings.push(never);
        Ok(if self.claim.is_none() {
            Decided::Ended(Box::new(outcome), None)
        } else {
            Decided::CancelUnknown(Box::new(outcome))
        })
    }

    /// The cancel of an order by the id that results and the service's pages show, where no sheet has an order of that id. Rows
    /// that say something else of it may speak of one that never came.
    fn cancel_shown(
        &self,
        draft: &Draft,
        order: OrderRecord,
        mut outcome: Outcome,
    ) -> Result<Decided, LedgerError> {
        let cell = id_cell(draft, &outcome);
        let differing = draft.contradicts(&kept(&order), &order.sheet_order_id);
        if !differing.is_empty() {
            outcome.status = Status::Invalid;
            outcome.findings.push(shown_otherwise(&order, &differing, cell));
            return Ok(Decided::Ended(Box::new(outcome), None));
        }
        let mut as_known = draft.clone();
        as_known.keep_former_id(&order.sheet_order_id);
        outcome.findings.push(shown(draft.order_id(), &order, cell));
        outcome.order_id.clone_from(&order.order_id);
        self.cancel(&as_known, Some(order), outcome)
    }
}

impl By<'_> {
    /// What to say of an id that is not known, where one that is written otherwise may be meant. That order is not canceled by
    /// this: a cancel of the wrong order cannot be taken back.
    fn never_sent(&self, draft: &Draft, cell: IdCell) -> Result<Finding, LedgerError> {
        let id = draft.order_id();
        let mut alike = self.memory.written_otherwise(id, &self.limits.order_prefix)?;
        alike.retain(|order| order.sheet_order_id != id && nothing_to_cancel(order).is_none());
        let alike: Vec<&str> = alike.iter().map(|order| order.sheet_order_id.as_str()).collect();
        let Some(first) = alike.first() else {
            return Ok(unknown(id, cell, "was never sent from this inbox"));
        };
        let message = format!(
            "There is nothing to cancel: no order {id} was sent from this inbox. Its order {} has an id that is written \
             otherwise.",
            alike.join(" or ")
        );
        let hint = format!("If that one is meant, write its id as it is written there: {first}.");
        Ok(not_canceled(cell, message, &hint))
    }
}

/// The cancel of an order that was said to be unknown, where the service lists it after all: as [`of_listed`].
pub(super) fn known_after_all(
    mut outcome: Outcome,
    listed: &[ListedRecord],
    sheet_order_id: &str,
) -> Result<Box<Outcome>, Box<Outcome>> {
    outcome
        .findings
        .retain(|finding| finding.code != Code::CancelUnknown);
    of_listed(outcome, listed, sheet_order_id)
}

/// What follows from a cancel of an order by what the service lists of its name.
fn by_list(outcome: Outcome, listed: &[ListedRecord], sheet_order_id: &str) -> Decided {
    match of_listed(outcome, listed, sheet_order_id) {
        Ok(one) => Decided::CancelListed(one),
        Err(several) => Decided::Ended(several, None),
    }
}

/// The cancel of an order by what the service lists of its name; in the error its last word, where that is not one order.
fn of_listed(
    mut outcome: Outcome,
    listed: &[ListedRecord],
    sheet_order_id: &str,
) -> Result<Box<Outcome>, Box<Outcome>> {
    let row = outcome.first_row;
    let [one] = listed else {
        let ids: Vec<&str> = listed.iter().map(|one| one.pw_order_id.as_str()).collect();
        let why = format!(
            "is {} times at the service ({}); the operator cancels one of them by its id with `dropsheet orders cancel`",
            ids.len(),
            ids.join(", ")
        );
        outcome.status = Status::Invalid;
        outcome.findings.push(unknown(sheet_order_id, (row, None), &why));
        return Err(Box::new(outcome));
    };
    outcome.status = Status::Canceling;
    outcome.pw_order_id = Some(one.pw_order_id.clone());
    let message = format!(
        "dropsheet has no record of having sent this order; the service lists it as {}.",
        one.pw_order_id
    );
    outcome
        .findings
        .push(finding(Code::ListedAtService, row, message, ""));
    Ok(Box::new(outcome))
}

/// The sheet whose rows ask for cancels of orders that are not known yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asks<'a> {
    pub(super) account: AccountRef,
    pub(super) inbox: &'a str,
    pub(super) order_prefix: &'a str,
    pub(super) claim: ClaimRef,
}

impl Asks<'_> {
    /// What a row asks for whose order an older sheet may have: a cancel row, or one that calls it off.
    pub(super) fn wish(&self, draft: &Draft) -> CancelWish {
        let called_off = self.calling_off(draft).into_iter().next();
        called_off.unwrap_or_else(|| self.cancel(draft))
    }

    /// What follows for older sheets from rows that say of an order that it is called off, and nothing else; by each id that
    /// it may have.
    pub(super) fn calling_off(&self, draft: &Draft) -> Vec<CancelWish> {
        let wish = |id: String| CancelWish {
            order_id: format!("{}{id}", self.order_prefix),
            sheet_order_id: id,
            ..self.word_of_shop(draft)
        };
        draft.calls_off().into_iter().map(wish).collect()
    }

    /// What a cancel row asks for, by each id that its order may have: results show that with the inbox's prefix.
    pub(super) fn cancels(&self, draft: &Draft) -> Vec<CancelWish> {
        let behind = behind_prefix(draft.order_id(), self.order_prefix).into_iter();
        let shown = behind.filter(|id| !runs_on(self.order_prefix, id));
        let wish = |id: String| CancelWish {
            order_id: format!("{}{id}", self.order_prefix),
            sheet_order_id: id,
            ..self.cancel(draft)
        };
        std::iter::once(self.cancel(draft))
            .chain(shown.map(wish))
            .collect()
    }

    /// What a cancel row asks for.
    pub(super) fn cancel(&self, draft: &Draft) -> CancelWish {
        CancelWish {
            claim: self.claim,
            first_row: first_row(draft),
            account: self.account,
            order_id: format!("{}{}", self.order_prefix, draft.order_id()),
            inbox: self.inbox.to_owned(),
            sheet_order_id: draft.order_id().to_owned(),
            is_of_its_inbox: draft.has_content(),
            by_shop: false,
        }
    }

    /// What follows for older sheets from an order that its shop has canceled.
    pub(super) fn word_of_shop(&self, draft: &Draft) -> CancelWish {
        CancelWish {
            is_of_its_inbox: true,
            by_shop: true,
            ..self.cancel(draft)
        }
    }
}

/// Whether a draft asks for a cancel, and nothing is wrong with its id.
pub(super) fn asks_for_cancel(draft: &Draft) -> bool {
    let is_wrong = |finding: &Finding| finding.level() == Level::Error;
    draft.action() == Action::Cancel
        && !draft.order_id().is_empty()
        && draft.left_out() == 0
        && !draft.findings().iter().any(is_wrong)
}

/// A cancel row of a sheet that is checked or priced alone: nothing is asked of anybody, and nothing follows the order.
pub(super) fn not_asked(mut outcome: Outcome, order: Option<&OrderRecord>) -> Outcome {
    let (it, now) = match order {
        Some(order) => (
            order.order_id.as_str(),
            format!(", which is `{}` now", order.state),
        ),
        None => (outcome.order_id.as_str(), String::new()),
    };
    let message = format!(
        "Nothing was canceled: this sheet was only checked. Dropped into inbox/, the row cancels the order {it}{now}."
    );
    let row = outcome.first_row;
    outcome.findings.push(finding(Code::NotToPrint, row, message, ""));
    outcome.status = Status::Skipped;
    outcome.order = None;
    outcome
}

/// Why there is nothing to cancel of a known order, as the end of a sentence.
fn nothing_to_cancel(order: &OrderRecord) -> Option<&'static str> {
    match order.state {
        State::Refused => Some("was refused by the service"),
        State::Abandoned => Some("was given up by a person; drop it again to have it looked up"),
        // Declined is what the cancel of a held order comes to: asked for again, it still is.
        State::New
        | State::Held
        | State::Sending
        | State::Unresolved
        | State::Created
        | State::Canceling
        | State::Canceled
        | State::Declined => None,
    }
}

/// The row of a cancel and the column of its id, counted from 0.
type IdCell = (u32, Option<u16>);

fn id_cell(draft: &Draft, outcome: &Outcome) -> IdCell {
    (outcome.first_row, draft.column_ref(Field::OrderId))
}

fn not_canceled((row, column): IdCell, message: String, hint: &str) -> Finding {
    Finding {
        column,
        ..finding(Code::CancelUnknown, row, message, hint)
    }
}

/// A row names an order as results show it.
fn shown(id: &str, order: &OrderRecord, (row, column): IdCell) -> Finding {
    let message = format!(
        "{} is the order `{}` of this inbox's sheets, as results show it.",
        quoted(id),
        order.sheet_order_id
    );
    Finding {
        column,
        ..finding(Code::FixedId, row, message, "")
    }
}

/// A row names an order as results show it, and says something else of it than was sent.
fn shown_otherwise(order: &OrderRecord, differing: &[String], cell: IdCell) -> Finding {
    let (id, in_sheets) = (&order.order_id, &order.sheet_order_id);
    let message = format!(
        "Nothing was canceled: no sheet of this inbox has an order of this id, and the one that was sent as {id} is another one \
         than this row says ({}).",
        differing.join(", ")
    );
    let hint = format!("To cancel that one, write `{in_sheets}`, and no more than order_id and action.");
    not_canceled(cell, message, &hint)
}

fn unknown(sheet_order_id: &str, cell: IdCell, why: &str) -> Finding {
    let message = format!("There is nothing to cancel: the order {sheet_order_id} {why}.");
    let hint = "Look for the id that the order was sent with.";
    not_canceled(cell, message, hint)
}

/// The account that the inbox has now knows no such order, and may have a stranger's under the same id.
fn elsewhere(order: &OrderRecord, cell: IdCell) -> Finding {
    let message = format!(
        "Nothing was canceled: the order {} was sent with another account than this inbox has now.",
        order.order_id
    );
    let hint = format!(
        "The operator cancels it with `dropsheet orders cancel {}`, while that account is in the config; else ask the \
         print service.",
        order.order_id
    );
    not_canceled(cell, message, &hint)
}

/// Two inboxes have an order each under one id, and only the other's was sent.
fn another(order: &OrderRecord, differing: &[String], cell: IdCell) -> Finding {
    let (id, inbox) = (&order.order_id, &order.inbox);
    let message = format!(
        "Nothing was canceled: the order {id} is of the inbox `{inbox}`, and is another one than this row says ({}).",
        differing.join(", ")
    );
    let hint = format!(
        "To cancel that one, drop the cancel into the inbox `{inbox}`, or write no more than order_id and action. \
         Give one of the two inboxes an `order_prefix`, so that each has ids of its own."
    );
    not_canceled(cell, message, &hint)
}

/// The service cancels orders, and no lines of them.
fn whole_order(order: &OrderRecord, others: &str, row: u32) -> Finding {
    let id = &order.order_id;
    let message = format!(
        "A cancel is of the whole order: {others} of the order {id} is canceled with it, though no row asks for that."
    );
    let hint = format!(
        "To have that printed all the same, drop it again under another id, such as {id}-2, once the row says `canceled`."
    );
    finding(Code::CancelsAll, row, message, &hint)
}

/// A row without an action below a row that has nothing but a cancel: who wants an order replaced writes it so.
fn beside_a_bare_cancel(draft: &Draft) -> Option<Finding> {
    let (row, id) = (draft.row_beside_a_bare_cancel()?, draft.order_id());
    let message = format!(
        "A cancel is of the whole order: nothing of this row is printed, though it does not ask for the cancel of the order \
         {id}."
    );
    let hint = format!(
        "To have it printed, drop it under another id, such as {id}-2, once the row says `canceled`."
    );
    Some(finding(Code::CancelsAll, row, message, &hint))
}

fn other_inbox(order: &OrderRecord, row: u32) -> Finding {
    let (id, inbox) = (&order.order_id, &order.inbox);
    let was_sent = order.sends > 0 || order.pw_order_id.is_some();
    let (message, remedy) = if was_sent {
        (
            format!("The order {id} was sent from the inbox `{inbox}`, not from this one."),
            "ask the print service at once",
        )
    } else {
        (
            format!("The order {id} is of the inbox `{inbox}`, not of this one, and was not sent."),
            "drop that one there again",
        )
    };
    let hint =
        format!("If another order was meant, {remedy}; give one of the two inboxes an `order_prefix`.");
    finding(Code::OtherInbox, row, message, &hint)
}
