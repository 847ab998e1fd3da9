//! What the service's list is asked for an order without an answer: the order itself, whether the list shows others,
//! and the whole of it.

use std::time::Duration;

use jiff::Timestamp;

use super::{Blocked, SubmitError, Submitter};
use crate::clock::{BootTime, Now};
use crate::ledger::record::{AbsenceRecord, OrderRecord};
use crate::ledger::{LedgerError, Proof};
use crate::reconcile::{
    Liveness, Named, Reading, Witness, is_alike, is_ours_behind_something, is_same_id, liveness,
    on_service_clock, plain,
};
use crate::service::{Failure, Heard, ListedOrder, Verdict};
use crate::sync;

/// What a look-up gave for an order without an answer: no orders where the list did not answer, or told nothing.
#[derive(Debug, Default)]
pub(super) struct LookUp {
    pub(super) orders: Option<Vec<ListedOrder>>,
    /// Whether it answered.
    is_answered: bool,
    /// Orders that nobody here has sent, under names that differ from ours in writing alone, or that hold the same and go to
    /// the same zip; of a look through the whole list only.
    pub(super) alike: Vec<ListedOrder>,
    pub(super) service_date: Option<Timestamp>,
    /// That there is none is the list's word alone.
    by_word: bool,
    /// What the service says where it fails at this order alone.
    fails: Option<String>,
}

impl LookUp {
    pub(super) fn unanswered(failure: &Failure) -> Self {
        tracing::debug!(%failure, "a look-up did not answer");
        Self {
            service_date: failure.service_date,
            ..Self::default()
        }
    }

    /// Where the service fails at a search for the order alone, and says these words; `orders` are what the whole list shows
    /// of its name.
    pub(super) fn at_a_failing_search(
        orders: Vec<ListedOrder>,
        words: String,
        service_date: Option<Timestamp>,
    ) -> Self {
        Self {
            fails: Some(words),
            orders: Some(orders).filter(|orders| !orders.is_empty()),
            is_answered: true,
            service_date,
            ..Self::default()
        }
    }

    pub(super) fn alike(&self) -> Vec<Named> {
        self.alike.iter().map(sync::to_named).collect()
    }

    pub(super) fn reading(&self) -> Reading {
        match &self.orders {
            None if let Some(words) = &self.fails => Reading::Fails(words.clone()),
            None if self.is_answered => Reading::Unclear,
            None => Reading::Incomplete,
            Some(orders) if orders.is_empty() && self.by_word => Reading::NoneByWord,
            Some(orders) => Reading::Complete(orders.iter().map(sync::to_named).collect()),
        }
    }
}

impl Submitter {
    /// The list answered, and nothing follows from that.
    fn told_nothing(&self) -> LookUp {
        LookUp {
            is_answered: true,
            service_date: self.client.service_now(),
            ..LookUp::default()
        }
    }

    /// Looks an order up by its name.
    pub(super) async fn look_for(
        &self,
        order: &OrderRecord,
        from: Timestamp,
        now: &Now,
    ) -> Result<LookUp, Blocked> {
        let look = async || match sync::look_for(self.list_for_one(), &order.order_id, from, now).await {
            Err(sync::ReadError::FailsFor(failure)) => Ok(Err(failure)),
            read => told(read).map(Ok),
        };
        Ok(match self.health.ask_for_one(look).await? {
            Ok(Err(failure)) => return self.look_where_the_search_fails(order, &failure, from, now).await,
            Ok(Ok(None)) => self.told_nothing(),
            Ok(Ok(Some(mut looked))) => {
                self.complete(order, &mut looked.orders).await;
                let service_date = looked.service_date;
                // One without a name that holds the same may be this one: nothing follows from its absence.
                let tells = !looked.orders.is_empty() || looked.is_absent(order.ours());
                LookUp {
                    orders: tells.then_some(looked.orders),
                    is_answered: true,
                    service_date,
                    by_word: looked.by_word,
                    ..LookUp::default()
                }
            }
            Err(failure) => LookUp::unanswered(&failure),
        })
    }

    /// Looks through the whole list; what is alike are orders that nobody here has sent. A list that is live shows orders
    /// by our names, if need be with something in front. Where nothing proves it, the service may give them names of its own:
    /// what holds the same counts too.
    pub(super) async fn look_through(
        &self,
        (order, is_live): (&OrderRecord, bool),
        from: Timestamp,
        now: &Now,
    ) -> Result<Result<LookUp, Blocked>, SubmitError> {
        let is_same = |listed: &ListedOrder| {
            let may_be = !is_live || is_ours_behind_something(&order.order_id, &listed.order_name);
            may_be && is_of_another_name(listed, order)
        };
        let wanted = (order.order_id.as_str(), is_same);
        let look = async || told(sync::look_through(self.list_for_one(), wanted, from, now).await);
        let mut whole = match self.health.ask_for_one(look).await {
            Err(blocked) => return Ok(Err(blocked)),
            Ok(Err(failure)) => return Ok(Ok(LookUp::unanswered(&failure))),
            Ok(Ok(None)) => return Ok(Ok(self.told_nothing())),
            Ok(Ok(Some(whole))) => whole,
        };
        self.complete(order, &mut whole.orders).await;
        Ok(Ok(LookUp {
            alike: self.of_nobody(whole.alike)?,
            orders: Some(whole.orders),
            is_answered: true,
            service_date: whole.service_date,
            by_word: whole.by_word,
            ..LookUp::default()
        }))
    }

    /// Those orders at the service that the ledger knows neither by their name nor by the service's id.
    pub(super) fn of_nobody(&self, mut orders: Vec<ListedOrder>) -> Result<Vec<ListedOrder>, LedgerError> {
        let account = self.account;
        let is_ours = |order: &ListedOrder| {
            self.ledger.read(|store| {
                Ok(store.named(account, &order.order_name)?.is_some()
                    || store.holder(account, &order.pw_order_id)?.is_some())
            })
        };
        let ours: Vec<bool> = orders.iter().map(is_ours).collect::<Result<_, LedgerError>>()?;
        let mut ours = ours.into_iter();
        orders.retain(|_| ours.next() == Some(false));
        Ok(orders)
    }

    /// Whether the service's list is shown to be live, by the same kind of look-up for an answered order.
    pub(super) async fn liveness(
        &self,
        absence: &AbsenceRecord,
        now: &Now,
    ) -> Result<Result<Liveness, Blocked>, SubmitError> {
        let policy = self.policy();
        let witness = self.witness(absence, now).await?;
        Ok(witness.map(|witness| liveness(witness, absence.lag, &policy)))
    }

    /// Looks for an answered order that was sent after an unanswered one had ended, or else for one from before it.
    pub(super) async fn witness(
        &self,
        absence: &AbsenceRecord,
        now: &Now,
    ) -> Result<Result<Option<Witness>, Blocked>, SubmitError> {
        let (account, at) = (self.account, absence.last_intended_at);
        let found = self.ledger.read(|store| {
            Ok(
                match store.proof_after(account, (at, &absence.since), &now.boot)? {
                    Some(proof) => Some((proof, true)),
                    // A clock that was set back can hide what was sent before; then whatever there is serves.
                    None => match store.proof_before(account, at)? {
                        None => store.proof_before(account, Timestamp::MAX)?,
                        found => found,
                    }
                    .map(|proof| (proof, false)),
                },
            )
        })?;
        Ok(self.ask_for(found, now).await)
    }

    /// Looks for the newest answered order that is itself older than `absent_after`.
    pub(super) async fn newest(&self, now: &Now) -> Result<Result<Option<Witness>, Blocked>, SubmitError> {
        let (account, age) = (self.account, self.config.absent_after);
        let proof = self.ledger.read(|store| store.newest_proof(account, age, now))?;
        Ok(self.ask_for(proof.map(|proof| (proof, true)), now).await)
    }

    async fn ask_for(&self, found: Option<(Proof, bool)>, now: &Now) -> Result<Option<Witness>, Blocked> {
        let Some((proof, sent_after)) = found else {
            return Ok(None);
        };
        let shown = self.shows(&proof, now).await?;
        Ok(Some(Witness {
            sent_after,
            age: age(&proof, sent_after, now),
            shown,
        }))
    }

    async fn shows(&self, proof: &Proof, now: &Now) -> Result<Option<bool>, Blocked> {
        // A service that gives orders names of its own shows none by the name that it is looked for by.
        if !proof.is_under_our_name() {
            return Ok(Some(false));
        }
        let name = proof.name();
        let look = async || told(sync::look_for(self.list_for_one(), name, proof.intended_at, now).await);
        Ok(match self.health.ask_for_one(look).await? {
            Ok(looked) => looked.map(|looked| {
                // Its id tells, in whatever writing the service keeps its name.
                let mut orders = looked.orders.iter().chain(&looked.alike);
                orders.any(|order| is_same_id(&order.pw_order_id, &proof.pw_order_id))
            }),
            Err(_no_answer) => None,
        })
    }
}

/// Whether a listed order holds what one of ours does, and goes to the same zip, under a name that is not alike: a service
/// may give orders names of its own.
pub(super) fn is_of_another_name(listed: &ListedOrder, order: &OrderRecord) -> bool {
    listed.zip.is_some()
        && !plain(&listed.order_name).is_empty()
        && !is_alike(&order.order_id, &listed.order_name)
        && sync::to_named(listed).is_like(order.ours())
}

/// A reading as the service's health takes it. One with an order without an id, or that hides one, is no whole one, and the
/// service is there all the same: other orders need not wait.
pub(super) fn told<T>(read: Result<T, sync::ReadError>) -> Result<Option<T>, Failure> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(
            error @ (sync::ReadError::WithoutId | sync::ReadError::Hidden | sync::ReadError::FailsFor(_)),
        ) => {
            tracing::debug!(%error, "a look-up tells nothing");
            Ok(None)
        }
        Err(error) => Err(unread(error)),
    }
}

/// A list that could not be read, as a failure of the service's health.
pub(super) fn unread(error: sync::ReadError) -> Failure {
    match error {
        // A list that is refused is no list: asked again after a pause, as one that does not answer.
        sync::ReadError::Failed(failure) if failure.verdict == Verdict::Refused => Failure {
            verdict: Verdict::Unknown,
            ..failure
        },
        sync::ReadError::Failed(failure) => failure,
        // It is there, and cannot be used for this order.
        sync::ReadError::FailsFor(failure) => Failure {
            verdict: Verdict::Unknown,
            heard: Heard::Odd(200),
            detail: format!(
                "it answers, and fails when it is asked for this order: {}",
                failure.detail
            ),
            ..failure
        },
        sync::ReadError::Endless | sync::ReadError::WithoutId | sync::ReadError::Hidden => Failure {
            operation: "orders/list",
            verdict: Verdict::Unknown,
            heard: Heard::Odd(200),
            has_status: false,
            detail: error.to_string(),
            service_message: None,
            service_date: None,
            made: None,
        },
    }
}

/// When the first create of an order was intended, by the service's clock as well as it is known: an order of its name
/// from before is somebody else's.
pub(super) fn first_attempt(
    order: &OrderRecord,
    absence: Option<&AbsenceRecord>,
    service_date: Option<Timestamp>,
    now: &Now,
) -> Timestamp {
    if let Some(absence) = absence {
        let intended = (absence.first_intended_at, &absence.first_intended);
        return on_service_clock(intended, absence.since_service, service_date, now);
    }
    // Its create was answered at once, when it came to be as it is; the wall clock alone knows when that was.
    let no_boot = BootTime {
        id: "".into(),
        millis: 0,
    };
    on_service_clock((order.changed_at, &no_boot), None, service_date, now)
}

/// From when on an order is looked for: its first create, by whichever clock has it the earliest.
pub(super) fn look_from(
    order: &OrderRecord,
    absence: Option<&AbsenceRecord>,
    service_date: Option<Timestamp>,
    now: &Now,
) -> Timestamp {
    let noted = absence.map_or(order.changed_at, |absence| absence.first_intended_at);
    noted.min(first_attempt(order, absence, service_date, now))
}

/// How long ago an answered create was sent. Across a boot the wall clock serves to call a list dead, but never to say how
/// late it was.
fn age(proof: &Proof, sent_after: bool, now: &Now) -> Duration {
    now.boot.since(&proof.intended).unwrap_or_else(|| {
        if sent_after {
            Duration::MAX
        } else {
            Duration::try_from(now.wall.duration_since(proof.intended_at)).unwrap_or(Duration::ZERO)
        }
    })
}
