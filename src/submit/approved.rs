//! Held orders that a person has approved: priced again, and sent with their content as held, at most at the total that
//! was approved. A price that has risen since, or fallen to what no first create leaves at, holds the order again.

mod beside;
mod waits;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::task::JoinSet;

use super::before::Before;
use super::create::{Attempt, Ready, older};
use super::quotes::Priced;
use super::{Blocked, Inquiry, STALE, Sent, SubmitError, Submitter, existing, words_of};
use crate::finding::Code;
use crate::ledger::record::{Approved, ListedRecord, OrderRecord, OrderRef, Outcome};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};
use crate::order::Order;
use crate::quote::{Hold, Quote, not_approved};
pub(super) use waits::{Wait, Waits, held};

/// Approved orders that are sent in one round, so that others of the account get their turn.
const ROUND: usize = 256;

/// What a round of approved orders came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// Sent, whatever the service said.
    pub sent: usize,
    /// Those of them that the service refused.
    pub refused: usize,
    /// At the service already, made by somebody else; nothing was sent.
    pub known: usize,
    /// Held again.
    pub held_again: usize,
    /// Not sent yet: the service is away, or `STOP`.
    pub waiting: usize,
    /// There are more, and the next round comes to them.
    pub more: bool,
}

/// Approved orders that are not sent yet, of inboxes that have been heard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsent {
    /// Those of inboxes that send nothing now, by inbox.
    pub stopped: BTreeMap<String, usize>,
    /// The others.
    pub waiting: usize,
}

#[derive(Debug)]
enum Release {
    Sent,
    Refused,
    Known,
    HeldAgain,
    /// It is not as it was approved any more: its state says what has become of it.
    Overtaken,
    /// Not sent yet, with what keeps it.
    Waiting(Wait),
}

impl Submitter {
    /// Sends the approved orders of the account, of inboxes that are not stopped.
    pub async fn send_approved(self: &Arc<Self>) -> Result<Released, SubmitError> {
        let mut approved = self.ledger.read(|store| store.approved(self.account))?;
        let is_stopped = |one: &Approved| self.heard_stop(&one.inbox) == Some(true);
        let stopped: Vec<_> = approved.iter().filter(|one| is_stopped(one)).map(held).collect();
        if !stopped.is_empty() {
            let (_code, why) = super::stopped();
            self.note_wait(stopped, &Wait::shared(why)).await?;
        }
        approved.retain(|one| !self.is_stopped(&one.inbox));
        let approvals = approved.iter().map(held).collect();
        let mut released = Released {
            waiting: self.let_be(&mut approved),
            ..Released::default()
        };
        if let Err(blocked) = self.read_news(approvals).await? {
            released.waiting += approved.len();
            let all = approved.iter().map(held).collect();
            self.note_wait(all, &self.kept_by(&blocked)).await?;
            return Ok(released);
        }
        let all = approved.len();
        let leaves_new = self.waits.take_round(&mut approved, ROUND);
        let leaves_some = approved.len() < all;
        let mut under_way = JoinSet::new();
        for approved in approved {
            if under_way.len() >= self.config.max_in_flight.max(1)
                && let Some(done) = under_way.join_next().await
            {
                released.note(done)?;
            }
            let submitter = Arc::clone(self);
            let held = held(&approved);
            under_way.spawn(async move { submitter.release_or_wait(held).await });
        }
        while let Some(done) = under_way.join_next().await {
            released.note(done)?;
        }
        // Where all of them wait, and every other was come to before, the next round would only come upon such as wait.
        let any_went = released.sent + released.known + released.held_again > 0;
        released.more = leaves_new || (leaves_some && any_went);
        Ok(released)
    }

    /// Reads what the list has shown since it was last read, once after each approval, of those that are let be too: what
    /// waited for it may have been made by hand meanwhile.
    async fn read_news(
        &self,
        approvals: HashSet<(OrderRef, u32)>,
    ) -> Result<Result<(), Blocked>, SubmitError> {
        let is_read = {
            let read_for = self.news_for.lock().unwrap_or_else(PoisonError::into_inner);
            approvals.is_subset(&read_for)
        };
        if is_read {
            return Ok(Ok(()));
        }
        if let Err(blocked) = self.read_on().await? {
            return Ok(Err(blocked));
        }
        *self.news_for.lock().unwrap_or_else(PoisonError::into_inner) = approvals;
        Ok(Ok(()))
    }

    /// The approved orders of the account that are not sent yet.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub fn unsent_approved(&self) -> Result<Unsent, SubmitError> {
        let mut unsent = Unsent::default();
        for Approved { inbox, .. } in self.ledger.read(|store| store.approved(self.account))? {
            match self.heard_stop(&inbox) {
                Some(true) => *unsent.stopped.entry(inbox).or_default() += 1,
                Some(false) => unsent.waiting += 1,
                // Whoever works that inbox sends them.
                None => {}
            }
        }
        Ok(unsent)
    }

    /// Sends an approved order, or notes why it waits.
    async fn release_or_wait(&self, held: (OrderRef, u32)) -> Result<Release, SubmitError> {
        let released = self.release(held.0).await?;
        if let Release::Waiting(wait) = &released {
            self.note_wait(vec![held], wait).await?;
        }
        Ok(released)
    }

    fn kept_by(&self, blocked: &Blocked) -> Wait {
        let (_code, why) = blocked.told(&self.zone);
        Wait::shared(why)
    }

    async fn release(&self, id: OrderRef) -> Result<Release, SubmitError> {
        let (order, content) = match self.still_approved(id)? {
            Ok(approved) => approved,
            Err(ended) => return Ok(ended),
        };
        if let Some(hold) = self.beside_its_own(&order)? {
            return self.hold_again(&order, hold, None).await;
        }
        // A create without an answer may still be on its way: nothing is asked before it has come to be or will not.
        if !order.is_answered() && !self.has_waited(&order)? {
            return Ok(Release::Waiting(on_its_way()));
        }
        let mut most = STALE;
        loop {
            let Priced { quote, at } = match self.price_approved(&order, &content).await? {
                Ok(priced) => priced,
                Err(ended) => return Ok(ended),
            };
            if let Some(ended) = self.look_approved(&order, &content).await? {
                return Ok(ended);
            }
            let absent_at = order.may_be_made().then(|| self.now().boot);
            let asked = Inquiry { quote, at, absent_at };
            if let Some(released) = self.create_approved(&order, &content, (&asked, most)).await? {
                return Ok(released);
            }
            most = older(most);
        }
    }

    /// What an approved order costs now; in the inner error what has become of it instead.
    async fn price_approved(
        &self,
        order: &OrderRecord,
        content: &Order,
    ) -> Result<Result<Priced, Release>, SubmitError> {
        // The quote of a while ago may be what the approval was given on: it covers no price that has risen since.
        self.quotes.forget(content);
        let priced = match self.priced(content).await {
            Err(blocked) => return Ok(Err(Release::Waiting(self.kept_by(&blocked)))),
            Ok(Ok(priced)) => priced,
            Ok(Err(refusal)) => {
                let message = format!(
                    "It was approved, and the service refuses to price it: “{}” Approve it again where that has passed; where it \
                     lasts, decline it, and drop it again with what the service takes.",
                    words_of(&refusal)
                );
                let hold = hold(Code::QuoteRefused, message);
                return self.hold_again(order, hold, None).await.map(Err);
            }
        };
        let approved = order.approved_total;
        let hold_zero = self.holds_zero(&order.inbox);
        match approved.and_then(|approved| not_approved(priced.quote.total, approved, hold_zero)) {
            Some(hold) => self.hold_again(order, hold, Some(priced.quote)).await.map(Err),
            None => Ok(Ok(priced)),
        }
    }

    /// Looks an approved order up of which an earlier create may be at the service: what it was held with says nothing
    /// of that. None where it is not there.
    async fn look_approved(
        &self,
        order: &OrderRecord,
        content: &Order,
    ) -> Result<Option<Release>, SubmitError> {
        if !order.may_be_made() {
            return Ok(None);
        }
        match self.look_before_anew(order, content).await? {
            Before::Clear => Ok(None),
            Before::Strangers(listed) => self.give_way(order, content, listed).await.map(Some),
            Before::Nameless => {
                let message = "The service has an order without an `order_id` that holds the same and may be this one: look at it \
                               there before you approve it again.";
                let hold = hold(Code::ListedAtService, message.to_owned());
                self.hold_again(order, hold, None).await.map(Some)
            }
            Before::Found => Ok(Some(Release::Overtaken)),
            Before::TooEarly => Ok(Some(Release::Waiting(on_its_way()))),
            Before::Blocked(blocked) => Ok(Some(Release::Waiting(self.kept_by(&blocked)))),
        }
    }

    /// The order with its content, if it is still as the person approved it and no sheet has its cancel still to say; in the
    /// inner error what has become of it instead.
    fn still_approved(&self, id: OrderRef) -> Result<Result<(OrderRecord, Order), Release>, LedgerError> {
        self.ledger.read(|store| {
            let order = store.order(id)?;
            let Some(order) = order.filter(is_approved) else {
                return Ok(Err(Release::Overtaken));
            };
            if let Some(wait) = cancel_to_come(store, &order)? {
                return Ok(Err(Release::Waiting(wait)));
            }
            Ok(match order.content.clone() {
                Some(content) => Ok((order, content)),
                None => Err(Release::Overtaken),
            })
        })
    }

    /// Creates it; none, and nothing sent, where its price has grown old meanwhile.
    async fn create_approved(
        &self,
        order: &OrderRecord,
        content: &Order,
        (asked, most): (&Inquiry, Duration),
    ) -> Result<Option<Release>, SubmitError> {
        loop {
            let is_stopped = || self.is_stopped(&order.inbox);
            let leave = match self.ready(content, &is_stopped).await? {
                Ready::Leave(leave) if self.is_old(asked, most, &leave) => return Ok(None),
                // It was judged when it was held: the list may have shown one of its name since.
                Ready::Leave(leave) if !self.is_at_service(order, content)? => leave,
                Ready::Leave(_) | Ready::Found => {
                    return self.give_way(order, content, Vec::new()).await.map(Some);
                }
                // Priced just now: what keeps it is not that the service is away.
                Ready::Waiting(Sent::Waiting(_code, why)) => {
                    let is_alone = !is_stopped();
                    return Ok(Some(Release::Waiting(Wait { why, is_alone })));
                }
                Ready::Waiting(Sent::Done | Sent::Raced) => return Ok(Some(Release::Overtaken)),
            };
            let (id, quote, now) = (order.id, asked.quote.clone(), self.leaving_now());
            let day = self.day(&order.inbox, &self.now());
            let held = (id, order.hold_number);
            let intended = self
                .ledger
                .write(move |store| store.intend_approved(held, &quote, day.as_ref(), &now))
                .await;
            match intended {
                Ok(true) => {}
                // Declined, canceled or held again meanwhile, or a sheet has come that asks for its cancel.
                Ok(false) | Err(LedgerError::Illegal { .. }) => {
                    return Ok(Some(self.still_approved(id)?.err().unwrap_or(Release::Overtaken)));
                }
                Err(error) => return Err(error.into()),
            }
            match self.attempt(id, content, leave, &is_stopped).await? {
                Attempt::Created | Attempt::Ended => return self.sent_or_refused(id).map(Some),
                Attempt::NotSent => {}
            }
        }
    }

    fn sent_or_refused(&self, id: OrderRef) -> Result<Release, SubmitError> {
        let order = self.ledger.read(|store| store.order(id))?;
        Ok(match order {
            Some(order) if order.state == State::Refused => Release::Refused,
            Some(_) | None => Release::Sent,
        })
    }

    /// A held order of which the service has one of its name: nothing is left to approve, and its sheets say what
    /// the one at the service is to it. What the ledger has of those goes before what was `found`.
    async fn give_way(
        &self,
        order: &OrderRecord,
        content: &Order,
        found: Vec<ListedRecord>,
    ) -> Result<Release, SubmitError> {
        let (account, content, now) = (self.account, content.clone(), self.now());
        let known = order.clone();
        let written = self.ledger.write(move |store| {
            let mut listed = store.at_service(account, &content, &known.sheet_order_id)?;
            if listed.is_empty() {
                listed = found;
            }
            let is_known = |outcome: &mut Outcome| existing(&listed, &content, Some(&known), outcome);
            let why = "the service has an order of this id already";
            store.give_way((known.id, known.hold_number), why, is_known, &now)
        });
        match written.await {
            Ok(()) => {
                tracing::warn!(
                    order_id = order.order_id,
                    "the service has an order of the id of a held one already; nothing was sent"
                );
                Ok(Release::Known)
            }
            // Declined, canceled or held again meanwhile.
            Err(LedgerError::Illegal { .. }) => Ok(Release::Overtaken),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes a held order back whose name one at the service has that a person wished to be canceled.
    pub(super) async fn held_gives_way(&self, order_id: &str, pw_order_id: &str) -> Result<(), SubmitError> {
        let held = self.ledger.read(|store| {
            let Some((id, State::Held, _)) = store.named(self.account, order_id)? else {
                return Ok(None);
            };
            let Some(order) = store.order(id)? else {
                return Ok(None);
            };
            let meant = store.meant_instead_of(&order)?;
            let is_meant = meant.iter().any(|one| one.pw_order_id == pw_order_id);
            Ok(is_meant.then_some(order))
        })?;
        if let Some(order) = held
            && let Some(content) = &order.content
        {
            self.give_way(&order, content, Vec::new()).await?;
        }
        Ok(())
    }

    fn is_at_service(&self, order: &OrderRecord, content: &Order) -> Result<bool, LedgerError> {
        let found = self
            .ledger
            .read(|store| store.at_service(self.account, content, &order.sheet_order_id))?;
        Ok(!found.is_empty())
    }

    async fn hold_again(
        &self,
        order: &OrderRecord,
        hold: Hold,
        quote: Option<Quote>,
    ) -> Result<Release, SubmitError> {
        tracing::warn!(
            order_id = order.order_id,
            code = hold.code.name(),
            "an approved order is held again: its approval does not cover this"
        );
        let (held, now) = ((order.id, order.hold_number), self.now());
        // What its sheet has said of it stays known: it is no news when that comes again.
        let is_said_by_its_sheet =
            |known: &&Hold| matches!(known.code, Code::ShopHold | Code::CanceledInShop) && **known != hold;
        let mut holds = vec![hold.clone()];
        holds.extend(order.holds.iter().filter(is_said_by_its_sheet).cloned());
        let written = self
            .ledger
            .write(move |store| store.hold_again(held, &holds, quote.as_ref(), &now));
        match written.await {
            Ok(()) => Ok(Release::HeldAgain),
            Err(LedgerError::Illegal { .. }) => Ok(Release::Overtaken),
            Err(error) => Err(error.into()),
        }
    }
}

impl Released {
    fn note(
        &mut self,
        done: Result<Result<Release, SubmitError>, tokio::task::JoinError>,
    ) -> Result<(), SubmitError> {
        match done.map_err(|_panic| SubmitError::Panicked)?? {
            Release::Sent => self.sent += 1,
            Release::Refused => {
                self.sent += 1;
                self.refused += 1;
            }
            Release::Known => self.known += 1,
            Release::HeldAgain => self.held_again += 1,
            Release::Overtaken => {}
            Release::Waiting(_wait) => self.waiting += 1,
        }
        Ok(())
    }
}

fn is_approved(order: &OrderRecord) -> bool {
    order.state == State::Held && order.approved_total.is_some()
}

/// The sheet that has still to say that an order is canceled: it ends the order when it has its turn, or puts that before
/// the person.
fn cancel_to_come(store: &Store<'_>, order: &OrderRecord) -> Result<Option<Wait>, LedgerError> {
    let Some(wish) = store.cancel_to_come(order)? else {
        return Ok(None);
    };
    let sheet = store.stem_in(wish.claim, Some(order.claim))?.unwrap_or_default();
    let says = if wish.by_shop {
        "says that the shop has canceled it"
    } else {
        "asks for its cancel"
    };
    let why = format!("The sheet {sheet} {says}, and has not had its turn yet.");
    Ok(Some(Wait::shared(why)))
}

fn on_its_way() -> Wait {
    let why = "An earlier attempt to order it has no answer and may still be on its way to the service.";
    Wait::shared(why.to_owned())
}

fn hold(code: Code, message: String) -> Hold {
    Hold { code, message }
}
