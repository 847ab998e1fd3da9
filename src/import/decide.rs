//! What is to be done with one draft: what is known of it and what the shop says of it are judged before anything
//! else, then it is checked. The same for a sheet that was taken and for a preview; nothing is sent or written here.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::age::{Age, too_old};
use super::by_shop::{holds_of, kept_back, repeated_rows, shop_hold};
use super::foremost::keep_foremost;
use super::instead::{Instead, changed, say_what_a_cancel_is_of};
use super::judge::{Difference, Judged, id_taken, judge, of_another_account, unanswered_elsewhere};
use crate::catalog::Snapshot;
use crate::check::{Limits, check};
use crate::config::Inbox;
use crate::finding::{Code, Finding, Level};
use crate::ledger::LedgerError;
use crate::ledger::record::{Apart, ClaimRef, ListedRecord, OrderRecord, Outcome};
use crate::ledger::state::State;
use crate::order::{Action, Artwork, Draft, Order, Why};
use crate::outcome::Status;
use crate::quote::Hold;
use crate::submit::existing;

use super::brought::whole_skus;
use super::kept::first_row;
use super::known_as::KnownAs;
use super::marked::Marked;
use super::pieces::{other_than_before, printed_before};
use super::remapped::remapped;
use super::said_before::waits_then;
use super::since::{hold_besides, since};
use super::skipped::{set_aside, skip_whole, skipped};
use super::sku_map::Map;
use super::ticked::is_ticked_part;

/// What is remembered of orders: a ledger, or nothing at all.
pub trait Memory {
    /// The order that was sent, or is held, under an id: as in the sheet of this inbox, else as sent.
    fn find(&self, sent_id: &str, sheet_id: &str) -> Result<Option<OrderRecord>, LedgerError>;
    /// The orders of this inbox whose id in its sheets may be this one with words before or behind it.
    fn written_with_more(&self, sheet_id: &str) -> Result<Vec<OrderRecord>, LedgerError>;
    /// The orders of this inbox that have an id in another writing in its sheets, in which this may be put before each id.
    fn written_otherwise(&self, sheet_id: &str, order_prefix: &str) -> Result<Vec<OrderRecord>, LedgerError>;
    /// The orders of this inbox that have one of these ids in its sheets.
    fn called_any(&self, sheet_ids: &[String]) -> Result<Vec<OrderRecord>, LedgerError>;
    /// The order with this id as sent, whatever its sheet calls it.
    fn sent_as(&self, sent_id: &str) -> Result<Option<OrderRecord>, LedgerError>;
    /// The order that the service has as this id.
    fn made_as(&self, pw_order_id: &str) -> Result<Option<OrderRecord>, LedgerError>;
    /// Another order with this id as sent, beside the one with the id as in the sheet of this inbox.
    fn namesake(&self, sent_id: &str, sheet_id: &str) -> Result<Option<OrderRecord>, LedgerError>;
    /// The stem of a sheet, as told in another one.
    fn stem(&self, claim: ClaimRef, told_in: Option<ClaimRef>) -> Result<Option<String>, LedgerError>;
    /// Orders of this name at the service that the ledger did not make.
    fn listed(&self, order_id: &str) -> Result<Vec<ListedRecord>, LedgerError>;
    /// What is at the service, and not made by the ledger, that an order would be made a second time beside.
    fn at_service(&self, order: &Order, sheet_id: &str) -> Result<Vec<ListedRecord>, LedgerError>;
    /// What the service goes on with of a held order that is declined.
    fn left_there(&self, order: &OrderRecord) -> Result<Vec<ListedRecord>, LedgerError>;
    /// Whether an order is of another account than the inbox has now.
    fn is_elsewhere(&self, order: &OrderRecord) -> Result<bool, LedgerError>;
    /// Whether orders of an older sheet of this account or inbox may still have to be sent.
    fn is_behind(&self, claim: ClaimRef) -> Result<bool, LedgerError>;
    /// What the newest sheet of this inbox before this one said of an order with this id as sent of which nothing was sent.
    fn said_of(&self, sent_id: &str, before: Option<ClaimRef>) -> Result<Option<Outcome>, LedgerError>;
    /// Whether a younger sheet asks to cancel this order of a sheet, by either of its ids.
    fn is_canceled_ahead(&self, sent_id: &str, sheet_id: &str, claim: ClaimRef) -> Result<bool, LedgerError>;
}

/// What drafts are judged by.
#[expect(missing_debug_implementations, reason = "it holds whatever remembers")]
pub struct By<'a> {
    /// The catalog.
    pub catalog: &'a Snapshot,
    /// The limits of the checks.
    pub limits: &'a Limits,
    /// The inbox whose settings count.
    pub inbox: &'a Inbox,
    /// The merchant's own SKUs.
    pub map: &'a Map,
    /// The sheet; none for a preview.
    pub claim: Option<ClaimRef>,
    /// What is remembered.
    pub memory: &'a dyn Memory,
    /// Whether the artwork of orders is wanted.
    pub artworks: bool,
    /// The zone of `not_before`.
    pub zone: &'a TimeZone,
    /// The day in the zone of the days.
    pub today: Date,
}

/// What is to be done with a draft.
#[derive(Debug)]
pub enum Decided {
    /// Nothing: its outcome is complete. With the order that its status follows.
    Ended(Box<Outcome>, Option<Box<OrderRecord>>),
    /// A held order that its shop has canceled since, or its sheet has called off: it is held for that besides. Its outcome
    /// is complete.
    HoldBesides(Box<OrderRecord>, Hold, Box<Outcome>),
    /// A known order is to be canceled.
    Cancel(Box<OrderRecord>, Box<Outcome>),
    /// An order that the service listed and the ledger did not make is to be canceled.
    CancelListed(Box<Outcome>),
    /// Nobody knows the order that is to be canceled, as its outcome says, unless what the service lists by now shows it.
    CancelUnknown(Box<Outcome>),
    /// An order to be canceled may be in an older sheet that waits: the row waits for that one.
    CancelLater,
    /// It would be sent by a SKU map that cannot be read now, or that an older sheet of this inbox is still to change: why
    /// it waits.
    MapLater((Code, String)),
    /// It could be sent, and a younger sheet asks for its cancel: it is not.
    CancelUnsent(Box<Ready>),
    /// It can be priced and sent.
    Ready(Box<Ready>),
}

/// An order that passed every check.
#[derive(Debug)]
pub struct Ready {
    /// What would be sent.
    pub order: Order,
    /// Its outcome, to be completed.
    pub outcome: Outcome,
    /// The order that it takes the place of.
    pub known: Option<Box<OrderRecord>>,
    /// Why it is to wait for a person, whatever its price.
    pub holds: Vec<Hold>,
    /// Its artwork, where it is wanted.
    pub artworks: Vec<Artwork>,
}

impl Decided {
    /// Says something of the whole sheet on the order whose first row it names.
    pub(super) fn tell(&mut self, of_the_sheet: Option<&Finding>) {
        let Some(outcome) = self.outcome() else { return };
        let own = of_the_sheet.filter(|finding| finding.row == outcome.first_row);
        outcome.findings.extend(own.cloned());
    }

    pub(super) fn outcome(&mut self) -> Option<&mut Outcome> {
        match self {
            Self::Ended(outcome, _)
            | Self::HoldBesides(_, _, outcome)
            | Self::Cancel(_, outcome)
            | Self::CancelListed(outcome)
            | Self::CancelUnknown(outcome) => Some(outcome),
            Self::Ready(ready) | Self::CancelUnsent(ready) => Some(&mut ready.outcome),
            // It has none yet.
            Self::CancelLater | Self::MapLater(_) => None,
        }
    }
}

impl By<'_> {
    /// Judges and checks a draft, once the SKU map is laid over it.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn decide(&self, draft: &mut Draft) -> Result<Decided, LedgerError> {
        let known_as = self.call_as_known(draft)?;
        let mut decided = match self.marked(draft, known_as)? {
            Marked::Break(decided) => *decided,
            Marked::Continue(known_as) => self.decide_at_length(draft, known_as)?,
        };
        if let Some(outcome) = decided.outcome() {
            keep_foremost(&mut outcome.findings);
        }
        Ok(decided)
    }

    fn decide_at_length(&self, draft: &mut Draft, known_as: KnownAs) -> Result<Decided, LedgerError> {
        let KnownAs { known, alike } = known_as;
        let first_row = first_row(draft);
        let sent_id = self.limits.sent_id(draft.order_id());
        let mut outcome = Outcome::blank(self.claim.unwrap_or(ClaimRef(0)), first_row, sent_id.clone());
        if draft.is_footer() {
            let message = "This row is no order line: it has neither a SKU nor an address.".to_owned();
            outcome.findings = vec![finding(Code::NotToPrint, first_row, message, "")];
            outcome.order_id.clear();
            return Ok(skipped(outcome));
        }
        if draft.is_no_order() {
            outcome.findings = set_aside(draft, &|_, _| true);
            outcome.order_id.clear();
            return Ok(skipped(outcome));
        }
        draft.map(&self.map.map);
        outcome.findings = draft.findings().to_vec();
        if sent_id.is_empty() || is_not_whole(draft) || has_unclear_action(draft) {
            return self.check(draft, outcome, None);
        }
        if draft.action() == Action::Cancel {
            return self.cancel(draft, known, outcome);
        }
        match judge(
            |kept| draft.fingerprint_like(kept),
            (&self.inbox.name, draft.order_id()),
            self.claim,
            known,
        ) {
            Judged::New => self.take(draft, outcome, None, &alike),
            Judged::Anew(order) => {
                let ids = (&*sent_id, draft.order_id());
                match in_the_way(self.memory, Some(&order), &self.inbox.name, ids)? {
                    Some((other, message)) => self.changed(outcome, &other, Instead::InTheWay(message)),
                    None => self.take(draft, outcome, Some(order), &alike),
                }
            }
            Judged::Follow(order) => {
                if let Some(why) = since(draft, &order) {
                    return self.taken_back(draft, outcome, order, why);
                }
                if let Some(instead) = self.elsewhere(draft, &order)? {
                    return self.changed(outcome, &order, instead);
                }
                let outcome = follow_with(draft, outcome, &order);
                Ok(Decided::Ended(Box::new(outcome), Some(order)))
            }
            // Whatever else has become of it in the shop: nothing of it is to be printed there or here.
            Judged::Changed(order, _)
                if matches!(order.state, State::Canceling | State::Canceled) && draft.is_canceled() =>
            {
                Ok(Decided::Ended(Box::new(follow(outcome, &order)), Some(order)))
            }
            Judged::Changed(order, difference) => {
                if let Some(why) = since(draft, &order) {
                    return self.taken_back(draft, outcome, order, why);
                }
                let instead = match self.elsewhere(draft, &order)? {
                    Some(instead) => instead,
                    None if is_ticked_part(draft, &order) => {
                        return Ok(Decided::Ended(Box::new(follow(outcome, &order)), Some(order)));
                    }
                    None => self.instead(draft, &order, difference),
                };
                self.changed(outcome, &order, instead)
            }
        }
    }

    /// What is said of an order that is to be printed, and that another account has than its inbox has now: to this one it is
    /// unknown. None where this very sheet has sent it.
    fn elsewhere(&self, draft: &Draft, order: &OrderRecord) -> Result<Option<Instead>, LedgerError> {
        let is_wanted = draft.has_lines() && draft.canceled().or(draft.unpaid()).is_none();
        let is_own = Some(order.claim) == self.claim;
        let is_elsewhere = is_wanted && !is_own && self.memory.is_elsewhere(order)?;
        Ok(is_elsewhere.then(|| Instead::InTheWay(of_another_account(order))))
    }

    /// A draft of which nothing was sent: what the shop says of it counts in full.
    fn take(
        &self,
        draft: &Draft,
        mut outcome: Outcome,
        known: Option<Box<OrderRecord>>,
        alike: &[OrderRecord],
    ) -> Result<Decided, LedgerError> {
        if let Some(why) = self.map.wait.as_ref().filter(|_| self.claim.is_some()) {
            return Ok(Decided::MapLater(why.clone()));
        }
        if let Some(why) = draft.canceled().or(draft.unpaid()) {
            return Ok(skip_whole(draft, outcome, why));
        }
        let mut holds = holds_of(draft);
        match too_old(draft.day(), self.inbox.not_before, self.zone) {
            Age::Old(why) => return Ok(skip_whole(draft, outcome, &why)),
            Age::Unclear(why) => holds.push(shop_hold(&why)),
            Age::Young => {}
        }
        let aside = set_aside(draft, &|_, _| true);
        if !draft.has_lines() {
            outcome.findings = aside;
            return Ok(skipped(outcome));
        }
        holds.extend(self.hold_beside(draft, alike)?);
        holds.extend(self.hold_of_another_inbox(draft)?);
        holds.extend(self.beside_a_marked_one(draft, known.as_deref())?);
        holds.extend(self.hold_of_before(draft, known.as_deref(), &outcome.order_id)?);
        if let Some((trouble, hint)) = self.map.unreadable() {
            let first_row = outcome.first_row;
            outcome
                .findings
                .push(finding(Code::SkuMapUnreadable, first_row, trouble, &hint));
            outcome.status = Status::Invalid;
            return Ok(Decided::Ended(Box::new(outcome), None));
        }
        let mut decided = kept_back(self.check(draft, outcome, known)?, draft.too_early(self.today));
        match &mut decided {
            Decided::Ended(outcome, _) => {
                outcome.findings.extend(aside);
                if outcome.status == Status::Invalid {
                    outcome.findings.extend(waits_then(draft, &holds));
                }
            }
            Decided::Ready(ready) | Decided::CancelUnsent(ready) => {
                ready.outcome.findings.extend(aside);
                ready.holds.extend(holds);
            }
            Decided::HoldBesides(..)
            | Decided::Cancel(..)
            | Decided::CancelListed(_)
            | Decided::CancelUnknown(_)
            | Decided::CancelLater
            | Decided::MapLater(_) => {}
        }
        Ok(decided)
    }

    fn check(
        &self,
        draft: &Draft,
        mut outcome: Outcome,
        known: Option<Box<OrderRecord>>,
    ) -> Result<Decided, LedgerError> {
        let checked = check(draft, self.catalog, self.limits);
        outcome.findings = checked.findings;
        let Some(order) = checked.order else {
            outcome.country_code = draft.agreed_country().map(|country| country.code.clone());
            outcome.whole_skus = whole_skus(draft, &outcome.findings, self.catalog);
            outcome.status = Status::Invalid;
            return Ok(Decided::Ended(Box::new(outcome), None));
        };
        outcome.country_code = Some(order.ship_to.country_code.clone());
        // An order of this name may be at the service that the ledger did not make.
        let listed = self.memory.at_service(&order, draft.order_id())?;
        if existing(&listed, &order, known.as_deref(), &mut outcome) {
            return Ok(Decided::Ended(Box::new(outcome), None));
        }
        let holds = draft.repeated_rows().then(repeated_rows).into_iter().collect();
        let artworks = if self.artworks {
            draft.artworks(&order)
        } else {
            Vec::new()
        };
        let ready = Box::new(Ready {
            order,
            outcome,
            known,
            holds,
            artworks,
        });
        Ok(if self.is_canceled_ahead(&ready.order, draft)? {
            Decided::CancelUnsent(ready)
        } else {
            Decided::Ready(ready)
        })
    }

    /// Whether a younger sheet asks to cancel an order of this one; a preview is of none.
    fn is_canceled_ahead(&self, order: &Order, draft: &Draft) -> Result<bool, LedgerError> {
        self.claim.map_or(Ok(false), |claim| {
            self.memory
                .is_canceled_ahead(&order.order_id, draft.order_id(), claim)
        })
    }

    /// What differs, with the pieces of each SKU where the lines do. A SKU map may have changed since: then nobody could
    /// tell the sheet's difference from the map's.
    fn instead(&self, draft: &Draft, order: &OrderRecord, difference: Difference) -> Instead {
        let in_lines = matches!(difference, Difference::Content { in_lines: true, .. });
        let tells = in_lines && self.inbox.sku_map.is_none();
        let pieces = tells.then(|| other_than_before(draft, &order.signature));
        Instead::of(Some(draft), difference, pieces.flatten())
    }

    /// An order that its shop has canceled since, or its sheet has called off. Where it waits for a person, who approves it
    /// has to know.
    pub(super) fn taken_back(
        &self,
        draft: &Draft,
        outcome: Outcome,
        order: Box<OrderRecord>,
        apart: Apart,
    ) -> Result<Decided, LedgerError> {
        let stem_there = |claim| self.memory.stem(claim, Some(order.claim));
        let own = self.claim.map(stem_there).transpose()?.flatten();
        let hold = hold_besides(draft, &order, own.as_deref());
        let stem = self.memory.stem(order.claim, self.claim)?;
        let mut outcome = Box::new(changed(outcome, &order, Instead::Apart(apart), stem));
        if !draft.is_canceled() {
            say_what_a_cancel_is_of(&mut outcome, &order);
        }
        Ok(match hold {
            Some(hold) => Decided::HoldBesides(order, hold, outcome),
            None => Decided::Ended(outcome, None),
        })
    }

    fn changed(
        &self,
        outcome: Outcome,
        order: &OrderRecord,
        instead: Instead,
    ) -> Result<Decided, LedgerError> {
        let stem = self.memory.stem(order.claim, self.claim)?;
        let outcome = changed(outcome, order, instead, stem);
        Ok(Decided::Ended(Box::new(outcome), None))
    }
}

/// The order for which one of a sheet must not be sent under its id of now, and what to say of that: the one that is
/// `known` of it may be at the service where only its own account and id would find it, or another one has the id.
pub(super) fn in_the_way(
    memory: &dyn Memory,
    known: Option<&OrderRecord>,
    inbox: &str,
    (sent_id, sheet_id): (&str, &str),
) -> Result<Option<(OrderRecord, String)>, LedgerError> {
    if let Some(order) = known
        && let Some(message) = unanswered_elsewhere(order, (sent_id, memory.is_elsewhere(order)?))
    {
        return Ok(Some((order.clone(), message)));
    }
    let namesake = memory.namesake(sent_id, sheet_id)?;
    Ok(namesake.map(|other| {
        let message = id_taken(&other, inbox);
        (other, message)
    }))
}

/// The outcome of an order whose status follows the one in the ledger, with its rows that are no lines of it.
pub(super) fn follow_with(draft: &Draft, outcome: Outcome, order: &OrderRecord) -> Outcome {
    let before = printed_before(draft, &order.signature);
    let remapped = remapped(draft, order);
    let wanted = |row, why: Why| {
        let may_be_sent = why == Why::NotPrintedHere && remapped.may_be_sent;
        !may_be_sent && (why.is_lasting() || !before.contains(&row))
    };
    let mut aside = set_aside(draft, &wanted);
    aside.extend(remapped.findings);
    let is_aside = |finding: &Finding| finding.code == Code::NotToPrint;
    // Every row of an order that is at the service cannot be none of its lines.
    if aside.iter().filter(|finding| is_aside(finding)).count() >= draft.rows().len() {
        aside.retain(|finding| !is_aside(finding));
    }
    let mut outcome = follow(outcome, order);
    outcome.findings.extend(aside);
    outcome
}

/// Whether what was read of an order may not be all of it, or more than it: nothing can be said of whether it has changed.
fn is_not_whole(draft: &Draft) -> bool {
    let is_open = draft.action() == Action::Create && draft.rows_without_id().next().is_some();
    draft.left_out() > 0 || is_open
}

/// A row that says neither what is to be done with an order, nor an order.
fn has_unclear_action(draft: &Draft) -> bool {
    draft
        .findings()
        .iter()
        .any(|finding| matches!(finding.code, Code::UnknownAction | Code::MixedActions))
}

/// The outcome of an order whose status follows the one in the ledger.
pub(super) fn follow(mut outcome: Outcome, order: &OrderRecord) -> Outcome {
    outcome.order = Some(order.id);
    // Whatever was wrong with its cells, it was sent with them: only mends are worth repeating.
    outcome.findings.retain(|finding| finding.level() != Level::Error);
    outcome
}

/// A finding about a whole row.
pub(super) fn finding(code: Code, row: u32, message: String, hint: &str) -> Finding {
    Finding {
        code,
        row,
        column: None,
        message,
        hint: hint.to_owned(),
    }
}

#[cfg(test)]
mod tests;
