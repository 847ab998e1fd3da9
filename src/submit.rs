//! One order, from any state to the next: quote, hold or intent, create, and what follows from the answer; a cancel.
//!
//! Properties: an intent is committed before its create leaves, and no transaction is open meanwhile. Every answer is
//! matched in full; after one that cannot be believed only a look-up follows, never another create. The outcome of the
//! order in its sheet is written with the intent, and follows the order's state from then on.
//!
//! Races: two sheets with the same new order may both come here; the ledger refuses the second intent, and its order
//! is judged anew as a known one ([`Sent::Raced`]). A cancel may be asked for of an order that still waits: it is in the
//! ledger before that is said, and every transaction that would promise the order looks for it. Whichever is committed
//! first counts: the order is never sent, or it was sent before and the service is asked.

mod again;
mod anew;
mod approved;
mod at_word;
mod audit;
mod away;
mod before;
mod breaker;
mod cancel;
mod create;
mod early;
mod health;
mod in_order;
mod inboxes;
mod lately;
mod listed;
mod look;
mod others;
mod price;
mod probe;
mod quiet;
mod quotes;
mod resolve;
mod settle;
mod settler;
mod shown;
mod turns;
mod unlike;
mod unpriced;
mod unsent;
mod walked;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::{BootTime, Clock, Now};
use crate::config::{Account, Resend};
use crate::finding::Code;
use crate::ledger::record::{AccountRef, AtShop, ClaimRef, NewOrder, OrderRecord, OrderRef, Outcome, Seen};
use crate::ledger::{Ledger, LedgerError};
use crate::order::{Artwork, Order};
use crate::quote::{Hold, Quote, Terms, holds};
use crate::reconcile::Policy;
use crate::service::{Client, Failure};
use crate::sync;
use jiff::tz::TimeZone;

pub use approved::{Released, Unsent};
pub use audit::Audited;
pub use cancel::{BY_PERSON, Canceled};
pub use health::{Blocked, Health, Permit};
pub use in_order::{Ticket, Tickets};
pub use listed::existing;
pub use price::{not_priced, quote_refused};
pub use resolve::{Resolution, Resolved};
pub use settle::Settled;
pub use settler::Settler;
pub use unlike::Others;

/// How long what a look-up has shown may be relied on, by the boot clock: what was shown before the machine slept is old.
const STALE: Duration = Duration::from_secs(30);

/// Everything that is needed to bring an account's orders to the service.
#[derive(Debug)]
pub struct Submitter {
    /// The ledger.
    pub ledger: Arc<Ledger>,
    /// The account's client.
    pub client: Arc<Client>,
    /// The account in the ledger.
    pub account: AccountRef,
    /// The account in the config.
    pub config: Account,
    /// Whether its service can be asked.
    pub health: Health,
    /// The zone of shown times.
    pub zone: TimeZone,
    clock: Clock,
    first_page: sync::FirstPage,
    quotes: quotes::Quotes,
    quoting: Others,
    creating: Others,
    unpriced: unpriced::Unpriced,
    inboxes: inboxes::Inboxes,
    /// One at a time asks for an order's cancel.
    canceling: cancel::Locks,
    turns: turns::Turns,
    /// The walk before the first create has ended.
    walked: tokio::sync::OnceCell<()>,
    /// How far it came where it failed.
    walk_progress: tokio::sync::Mutex<sync::Progress>,
    /// Held by who reads the list after a quiet time.
    after_quiet: tokio::sync::Mutex<()>,
    /// The approvals for which the list was read: orders, each with the number of its hold.
    news_for: Mutex<HashSet<(OrderRef, u32)>>,
    waits: approved::Waits,
    lately: lately::Lately,
    early: early::Early,
    /// How many orders of each sheet under way were created by this process.
    created: Mutex<HashMap<ClaimRef, u64>>,
}

/// An order that has passed every check, with what its sheet says besides.
#[derive(Debug)]
pub struct Job {
    /// The order, as it is sent.
    pub new: NewOrderParts,
    /// Its outcome in this sheet, to be completed.
    pub outcome: Outcome,
    /// What it must keep to, to be sent without asking.
    pub terms: Terms,
    /// Further reasons to hold it, known before its quote.
    pub holds: Vec<Hold>,
    /// What the ledger knew of it.
    pub known: Option<Box<OrderRecord>>,
    /// Its content in the version in which the ledger kept that order's.
    pub as_kept: Option<crate::order::Fingerprint>,
    /// Set while its inbox sends nothing (`STOP`).
    pub stop: Arc<AtomicBool>,
    /// Its artwork, where that is looked at before it is sent.
    pub artworks: Vec<Artwork>,
    /// Its place in the sheet, where those before it are sent first.
    pub ticket: Option<Ticket>,
}

/// An order to be promised, without its quote.
#[derive(Clone, Debug)]
pub struct NewOrderParts {
    /// The inbox.
    pub inbox: String,
    /// The id as in the sheet.
    pub sheet_order_id: String,
    /// The sheet.
    pub claim: ClaimRef,
    /// The merchant's own content.
    pub fingerprint: crate::order::Fingerprint,
    /// What is sent.
    pub content: Order,
    /// What its shop calls it.
    pub at_shop: AtShop,
}

/// What was asked before an order is promised.
#[derive(Debug)]
struct Inquiry {
    quote: Quote,
    /// When its answer came.
    at: BootTime,
    /// When the service was seen not to have the order, where an earlier create may have made it.
    absent_at: Option<BootTime>,
}

/// What became of a job.
#[derive(Debug)]
pub enum Sent {
    /// Its outcome is written.
    Done,
    /// Nothing was sent, and its sheet waits: the service is away, `STOP`, credentials.
    Waiting(Code, String),
    /// Another sheet was quicker, or asks for its cancel: it is to be judged again.
    Raced,
}

/// What stops the program.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The ledger cannot be read or written.
    #[error("cannot keep the ledger")]
    Ledger(#[from] LedgerError),
    /// A task of ours ended with a panic.
    #[error("sending an order ended with a defect of dropsheet")]
    Panicked,
}

impl Submitter {
    /// A submitter that has asked nothing yet.
    pub fn new(
        ledger: Arc<Ledger>,
        client: Arc<Client>,
        (account, config): (AccountRef, Account),
        health: Health,
        (clock, zone): (Clock, TimeZone),
    ) -> Self {
        let quotes = quotes::Quotes::new(config.quote_reuse);
        let health = health.counting(client.answers(), clock.clone());
        Self {
            ledger,
            client,
            account,
            config,
            health,
            zone,
            clock,
            first_page: sync::FirstPage::default(),
            quotes,
            quoting: Others::default(),
            creating: Others::default(),
            unpriced: unpriced::Unpriced::default(),
            walked: tokio::sync::OnceCell::new(),
            walk_progress: tokio::sync::Mutex::default(),
            after_quiet: tokio::sync::Mutex::new(()),
            news_for: Mutex::default(),
            waits: approved::Waits::default(),
            lately: lately::Lately::default(),
            early: early::Early::default(),
            created: Mutex::default(),
            inboxes: inboxes::Inboxes::default(),
            canceling: cancel::Locks::default(),
            turns: turns::Turns::default(),
        }
    }

    /// The account's order list.
    pub fn list(&self) -> sync::List<'_> {
        sync::List::new(&self.client, &self.first_page)
    }

    /// The same, for who looks for one order.
    fn list_for_one(&self) -> sync::List<'_> {
        self.list().where_there(self.health.is_there())
    }

    /// How many orders of a sheet under way this process has created.
    pub fn created(&self, claim: ClaimRef) -> u64 {
        let created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        created.get(&claim).copied().unwrap_or(0)
    }

    /// Forgets how many that were: the sheet is not under way any more.
    pub fn forget_created(&self, claim: ClaimRef) {
        let mut created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        created.remove(&claim);
    }

    fn count_created(&self, claim: ClaimRef) {
        let mut created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        *created.entry(claim).or_default() += 1;
    }

    /// This moment.
    pub fn now(&self) -> Now {
        self.clock.now()
    }

    /// This moment as a create that is about to leave has it: where this machine's clock and the service's are far apart, by
    /// the earlier one. By a clock that is ahead, and is set right later, it would be looked for from a day on when it had
    /// long been made.
    pub(crate) fn leaving_now(&self) -> Now {
        let now = self.now();
        let wall = sync::known_to(now.wall, self.client.service_now());
        Now { wall, ..now }
    }

    /// Whether what was seen at a moment is older than it may be when it is relied on.
    fn is_older(&self, seen: &BootTime, most: Duration) -> bool {
        self.now().boot.since(seen).is_none_or(|age| age > most)
    }

    fn policy(&self) -> Policy {
        Policy {
            absent_after: self.config.absent_after,
            absent_after_unproven: self.config.absent_after_unproven,
            resend: self.config.resend == Resend::WhenAbsent,
        }
    }

    /// Why nothing of an order can be sent or priced now, before anything is asked: `STOP` lies there, or its account is
    /// stopped, or it was looked up only now and an earlier create of it without an answer may come to be yet. What a person
    /// is asked about in any case is priced for them while `STOP` lies there.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub fn holds_back(&self, job: &Job) -> Result<Option<(Code, String)>, LedgerError> {
        let is_asked_about = job.terms.approval_required || !job.holds.is_empty();
        if job.stop.load(Ordering::Relaxed) && !is_asked_about {
            return Ok(Some(stopped()));
        }
        if let Some(blocked) = self.health.stopped().filter(|_| self.health.turns_away()) {
            return Ok(Some(blocked.told(&self.zone)));
        }
        Ok(match job.unanswered() {
            Some(order) if self.is_left_alone(order)? => Some(early::too_early(order)),
            Some(_) | None => None,
        })
    }

    /// Brings an order to the service, or to the ledger's `held`.
    pub async fn send(&self, job: &Job) -> Result<Sent, SubmitError> {
        if let Some((code, why)) = self.holds_back(job)? {
            return Ok(Sent::Waiting(code, why));
        }
        let anew = job.known.as_deref().filter(|known| known.may_be_made());
        let mut most = STALE;
        loop {
            let asked = match self.ask_before(job, anew).await? {
                Ok(asked) => asked,
                Err(ended) => return Ok(ended),
            };
            // A price that was old already is one that may be used again for so long.
            let is_reused = self.is_older(&asked.at, most);
            let at_most = if is_reused {
                most.max(self.config.quote_reuse)
            } else {
                most
            };
            if let Some(sent) = self.hold_or_create(job, &asked, at_most).await? {
                return Ok(sent);
            }
            most = create::older(most);
        }
    }

    /// Looks an order up that may be at the service, and prices it; in the inner error what has ended it instead.
    async fn ask_before(
        &self,
        job: &Job,
        anew: Option<&OrderRecord>,
    ) -> Result<Result<Inquiry, Sent>, SubmitError> {
        // Boxed, as all that asks the list: each order under way would keep room for it.
        let mut looked_at = match Box::pin(self.look_if_anew(job, anew)).await? {
            Ok(looked_at) => looked_at,
            Err(ended) => return Ok(Err(ended)),
        };
        let quotes::Priced { quote, at } = match self.priced(&job.new.content).await {
            Ok(Ok(priced)) => priced,
            Ok(Err(refusal)) => return Ok(Err(self.refuse_quote(job, &refusal).await?)),
            Err(blocked) => return Ok(Err(self.waits_unpriced(&blocked))),
        };
        // A price may be long in coming.
        if anew.is_some() && self.is_older(&looked_at, STALE) {
            looked_at = match Box::pin(self.look_if_anew(job, anew)).await? {
                Ok(looked_at) => looked_at,
                Err(ended) => return Ok(Err(ended)),
            };
        }
        let absent_at = anew.is_some().then_some(looked_at);
        Ok(Ok(Inquiry { quote, at, absent_at }))
    }

    /// Holds an order at its quote, or creates it; none where what was asked has grown older than `most` before its
    /// create could leave.
    async fn hold_or_create(
        &self,
        job: &Job,
        asked: &Inquiry,
        most: Duration,
    ) -> Result<Option<Sent>, SubmitError> {
        let mut reasons = job.holds.clone();
        reasons.extend(holds(&asked.quote, &job.terms));
        if reasons.is_empty() {
            return self.create(job, asked, most).await;
        }
        // Nobody is asked about an order that the service has already, as only its list may know.
        if let Err(blocked) = Box::pin(self.walked()).await? {
            return Ok(Some(waiting(&blocked, &self.zone)));
        }
        self.hold(job, asked.quote.clone(), reasons).await.map(Some)
    }

    /// Writes down what became of an order in its sheet, for good.
    async fn end(&self, outcome: Outcome) -> Result<Sent, SubmitError> {
        self.ledger
            .write(move |store| store.put_outcome(&outcome))
            .await?;
        Ok(Sent::Done)
    }

    async fn refuse_quote(&self, job: &Job, refusal: &Failure) -> Result<Sent, SubmitError> {
        let mut outcome = job.outcome.clone();
        outcome.status = crate::outcome::Status::Refused;
        outcome.findings.push(quote_refused(outcome.first_row, refusal));
        self.end(outcome).await
    }

    async fn hold(&self, job: &Job, quote: Quote, reasons: Vec<Hold>) -> Result<Sent, SubmitError> {
        let (now, known) = (self.now(), create::judged_as(job));
        let (new, mut outcome) = promise(self.account, job, Some(quote));
        let written = self.ledger.write(move |store| {
            // Since it was judged, the list may have shown one of its name, or a younger sheet asked for its cancel.
            if !store.may_promise(&new, known)? {
                return Ok(Sent::Raced);
            }
            outcome.order = Some(store.hold(&new, &reasons, &now)?);
            store.put_outcome(&outcome)?;
            Ok(Sent::Done)
        });
        match written.await {
            Err(LedgerError::Illegal { .. }) => Ok(Sent::Raced),
            written => Ok(written?),
        }
    }
}

/// The order as it is promised, and its outcome in its sheet.
fn promise(account: AccountRef, job: &Job, quote: Option<Quote>) -> (NewOrder, Outcome) {
    let parts = job.new.clone();
    let new = NewOrder {
        account,
        inbox: parts.inbox,
        sheet_order_id: parts.sheet_order_id,
        claim: parts.claim,
        fingerprint: parts.fingerprint,
        content: parts.content,
        quote,
        at_shop: parts.at_shop,
    };
    (new, job.outcome.clone())
}

/// The service's own words, or what happened.
fn words_of(failure: &Failure) -> String {
    let words = failure.service_message.clone();
    words
        .filter(|words| !words.is_empty())
        .unwrap_or_else(|| failure.detail.clone())
}

/// What happened, and the service's own words where it said some. Not for the log: they may name anybody.
pub fn with_words(failure: &Failure) -> String {
    let words = failure.service_message.as_ref();
    // Some failures quote them already.
    let words = words.filter(|words| !words.is_empty() && !failure.detail.contains(words.as_str()));
    words.map_or_else(|| failure.to_string(), |words| format!("{failure}, “{words}”"))
}

fn waiting(blocked: &Blocked, zone: &TimeZone) -> Sent {
    let (code, message) = blocked.told(zone);
    Sent::Waiting(code, message)
}

fn stopped() -> (Code, String) {
    let why = "A file named STOP lies in the inbox's folder; when it is deleted, sending goes on.";
    (Code::Stopped, why.to_owned())
}

/// What the ledger keeps of an order that a look-up has found.
fn seen_of(orders: &[crate::service::ListedOrder], pw_order_id: &str) -> Seen {
    let found = orders.iter().find(|order| order.pw_order_id == pw_order_id);
    found.map_or_else(
        || Seen {
            pw_order_id: pw_order_id.to_owned(),
            ..Seen::default()
        },
        sync::seen,
    )
}

#[cfg(test)]
mod tests;
