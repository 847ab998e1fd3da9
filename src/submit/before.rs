//! What has to be true before a create leaves: the service's list was walked, no quiet time runs, the service answers,
//! and an order that may be there already is not.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::look::{first_attempt, is_of_another_name, look_from, told};
use super::{Blocked, SubmitError, Submitter, seen_of};
use crate::clock::{BootTime, Now};
use crate::ledger::LedgerError;
use crate::ledger::record::{AbsenceRecord, ListedRecord, OrderRecord};
use crate::order::Order;
use crate::reconcile::{Anew, Liveness, anew, is_in_another_writing, is_recent, plain, plain_ascii, waited};
use crate::service::{Failure, Heard, ListedOrder, Verdict};
use crate::sync;

/// How far the service's clock may be from this machine's where nothing else tells: the list is read by as much more.
const CLOCKS_APART: Duration = Duration::from_hours(1);

/// What a look-up before a create has shown.
#[derive(Debug)]
pub(super) enum Before {
    /// It is not there: it may be sent.
    Clear,
    /// It is there: it is judged again as a known order.
    Found,
    /// These of its name are there, and whether one of them is what was sent cannot be told.
    Strangers(Vec<ListedRecord>),
    /// One without a name is there that holds the same.
    Nameless,
    /// A create without an answer may still be on its way.
    TooEarly,
    /// The service cannot be asked.
    Blocked(Blocked),
}

/// How the list is asked for an order.
#[derive(Clone, Copy, Debug)]
enum By<'a> {
    /// By its name.
    Search,
    /// By reading all of it: a search may be blind to some names, or find none that is written in another way.
    WholeList(&'a OrderRecord),
}

impl Submitter {
    /// Waits until a create may leave; in the inner error, why none may.
    pub(super) async fn may_create(&self, order: &Order) -> Result<Result<(), Blocked>, SubmitError> {
        if let Err(blocked) = self.walked_and_quiet().await? {
            return Ok(Err(blocked));
        }
        Ok(self.prove(order).await)
    }

    /// Waits for the walk; in the inner error, why no create may leave besides: the ledger may be older than it thinks.
    pub(super) async fn walked_and_quiet(&self) -> Result<Result<(), Blocked>, SubmitError> {
        if let Err(blocked) = self.walked().await? {
            return Ok(Err(blocked));
        }
        if self.ledger.guards(self.account)?.quiet_since.is_none() {
            return Ok(Ok(()));
        }
        // Who comes together waits for one reading of the list.
        let _reading = self.after_quiet.lock().await;
        let Some(since) = self.ledger.guards(self.account)?.quiet_since else {
            return Ok(Ok(()));
        };
        let (account, now) = (self.account, self.now());
        let Some(waited) = now.boot.since(&since) else {
            // The machine was booted: the wait cannot be measured, and begins anew.
            let begin = now.boot.clone();
            let anew = self
                .ledger
                .write(move |store| store.set_quiet(account, Some(&begin)));
            anew.await?;
            return Ok(self.quiet_until(&now.boot, &now).map_or(Ok(()), Err));
        };
        if let Some(blocked) = self.quiet_until(&since, &now) {
            return Ok(Err(blocked));
        }
        // What the list did not show yet when it was walked shows by now, and a search may be blind to it.
        let hidden = waited
            .saturating_add(self.config.absent_after)
            .saturating_add(CLOCKS_APART);
        let hidden = SignedDuration::try_from(hidden).unwrap_or(SignedDuration::MAX);
        let from = now.wall.checked_sub(hidden).unwrap_or(Timestamp::MIN);
        if let Err(blocked) = self.read_history(from).await? {
            return Ok(Err(blocked));
        }
        self.ledger
            .write(move |store| store.end_quiet(account, &since))
            .await?;
        Ok(Ok(()))
    }

    /// Why nothing leaves while a sign of a lost claim is young, if it is.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub fn quiet(&self) -> Result<Option<Blocked>, SubmitError> {
        let since = self.ledger.guards(self.account)?.quiet_since;
        let now = self.now();
        Ok(since.and_then(|since| self.quiet_until(&since, &now)))
    }

    /// The quiet time that began then; none where it is over. One from before a boot begins anew.
    fn quiet_until(&self, since: &BootTime, now: &Now) -> Option<Blocked> {
        let waited = now.boot.since(since).unwrap_or_default();
        let left = self.config.absent_after.checked_sub(waited)?;
        (!left.is_zero()).then(|| Blocked::Quiet(now.wall.checked_add(left).unwrap_or(Timestamp::MAX)))
    }

    /// Waits until creates may leave; proves that the service works where it is this order's turn to.
    async fn prove(&self, order: &Order) -> Result<(), Blocked> {
        while let Some(prover) = self.health.turn_to_prove().await? {
            let proof = self.probe(order).await?;
            prover.note(proof.as_ref().err());
        }
        Ok(())
    }

    /// Whether creates may leave, for who waits for nobody: where it is to be proved now, and nobody else does, it is
    /// tried once.
    pub(super) async fn proved_now(&self, order: &Order) -> bool {
        if let Some(prover) = self.health.turn_to_prove_now()
            && let Ok(proof) = self.probe(order).await
        {
            prover.note(proof.as_ref().err());
        }
        !self.health.creates_are_stopped()
    }

    /// After creates without answers: a look-up and a quote have to succeed. A probe is a read, never a create.
    async fn probe(&self, order: &Order) -> Result<Result<(), Failure>, Blocked> {
        let now = self.now();
        // One that tells nothing of this order is an answer too.
        let look = async || told(sync::look_up(self.list(), &order.order_id, now.wall, &now).await);
        if let Err(failure) = self.health.ask(look).await? {
            return Ok(Err(failure));
        }
        match self.health.ask(async || self.client.quote(order).await).await? {
            Ok(_quote) => Ok(Ok(())),
            // A refusal is an answer too: the service is there.
            Err(failure) if failure.verdict == Verdict::Refused => Ok(Ok(())),
            Err(failure) => {
                tracing::debug!(%failure, "no create leaves yet");
                Ok(Err(failure))
            }
        }
    }

    /// Walks the order list before the first create of this process.
    pub async fn walked(&self) -> Result<Result<(), Blocked>, SubmitError> {
        match self.walked.get_or_try_init(|| self.walk()).await {
            Ok(()) => Ok(Ok(())),
            Err(Ok(blocked)) => Ok(Err(blocked)),
            Err(Err(error)) => Err(error.into()),
        }
    }

    /// Begins the walk while the sheet is still read. Who sends waits for its end, and is told of a failure.
    pub async fn walk_ahead(self: Arc<Self>) {
        match self.walked().await {
            Ok(Ok(())) => {}
            Ok(Err(blocked)) => {
                tracing::debug!(blocked = blocked.code().name(), "the order list is not read yet");
            }
            Err(error) => tracing::debug!(%error, "the order list is not read yet"),
        }
    }

    async fn walk(&self) -> Result<(), Result<Blocked, LedgerError>> {
        let now = self.leaving_now();
        let from = sync::walk_from(&self.ledger, self.account, &self.config, &now).map_err(Err)?;
        let orders = self.read_list(from).await?;
        tracing::info!(
            account = self.config.name,
            orders,
            "the service's order list is read"
        );
        Ok(())
    }

    /// Reads the order list from a moment until now into the ledger, until it answers to its end. Gives how many orders
    /// it has shown.
    ///
    /// # Errors
    /// In the inner result why the service cannot be asked.
    pub async fn read_history(&self, from: Timestamp) -> Result<Result<u64, Blocked>, SubmitError> {
        match self.read_list(from).await {
            Ok(orders) => Ok(Ok(orders)),
            Err(Ok(blocked)) => Ok(Err(blocked)),
            Err(Err(error)) => Err(error.into()),
        }
    }

    /// Reads the list once more, where it has shown an order without an id, from there on: until each has one, each order is
    /// looked up before its create, and one that may be it waits. In the inner error why it could not be read. What was not
    /// walked yet, the walk reads.
    pub async fn read_again(&self) -> Result<Result<(), sync::ReadError>, LedgerError> {
        let (now, begun) = (self.now(), sync::begun(&self.config, &self.leaving_now()));
        let without_id = self.ledger.guards(self.account)?.without_id_from;
        let Some(from) = without_id.filter(|from| self.walked.initialized() && sync::may_hide(*from, begun))
        else {
            return Ok(Ok(()));
        };
        let kept = (&*self.ledger, self.account);
        match sync::walk_again(self.list(), kept, (from.max(begun), begun), &now).await {
            Ok(_walk) => Ok(Ok(())),
            Err(sync::WalkError::Read(error)) => Ok(Err(error)),
            Err(sync::WalkError::Ledger(error)) => Err(error),
        }
    }

    async fn read_list(&self, from: Timestamp) -> Result<u64, Result<Blocked, LedgerError>> {
        loop {
            let now = self.now();
            let mut walked = None;
            let kept = (&*self.ledger, self.account);
            let begun = sync::begun(&self.config, &self.leaving_now());
            let walk = async || match sync::walk(self.list(), kept, (from, begun), &now).await {
                Err(sync::WalkError::Read(error)) => Err(unread(error)),
                Err(sync::WalkError::Ledger(error)) => {
                    walked = Some(Err(error));
                    Ok(())
                }
                Ok(walk) => {
                    walked = Some(Ok(walk));
                    Ok(())
                }
            };
            let asked = self.health.ask(walk).await.map_err(Ok)?;
            if let Err(failure) = asked {
                tracing::warn!(%failure, "the order list is read again later; nothing is sent before");
            }
            match walked {
                Some(Ok(walk)) => {
                    self.note_walk(walk);
                    return Ok(walk.orders);
                }
                Some(Err(error)) => return Err(Err(error)),
                None => {}
            }
        }
    }

    /// An order without an id may be any that this ledger does not know: while there is one, each order is looked up before
    /// its create.
    fn note_walk(&self, walk: sync::Walk) {
        if walk.without_id_from.is_some() {
            tracing::warn!(
                account = self.config.name,
                "{}; each order is looked up before it is sent",
                sync::ReadError::WithoutId
            );
        }
    }

    /// For a day after the list has shown what the ledger did not know, each order is looked up before its create.
    pub(super) async fn look_when_suspect(&self, order: &Order) -> Result<Before, SubmitError> {
        let now = self.now();
        let from = sync::begun(&self.config, &self.leaving_now());
        let guards = self.ledger.guards(self.account)?;
        let hides = guards.without_id_from.is_some_and(|at| sync::may_hide(at, from));
        if !hides && !guards.is_suspect(&now) {
            return Ok(Before::Clear);
        }
        let looked = match self.look_until_answered(&order.order_id, from, By::Search).await {
            Err(blocked) => return Ok(Before::Blocked(blocked)),
            Ok(looked) => looked,
        };
        let mut orders = looked.orders;
        if orders.is_empty() {
            orders = self.same_of_nobody(looked.alike, order)?;
        }
        if orders.is_empty() && hides && self.first_page.may_be_unidentified(order) {
            return Ok(Before::Blocked(Blocked::of(&unread(sync::ReadError::WithoutId))));
        }
        if orders.is_empty() {
            return Ok(Before::Clear);
        }
        self.write_listed(&orders).await?;
        Ok(Before::Found)
    }

    /// Of orders whose name differs in writing alone, those that nobody here has sent and that are this one over again.
    fn same_of_nobody(
        &self,
        alike: Vec<ListedOrder>,
        order: &Order,
    ) -> Result<Vec<ListedOrder>, LedgerError> {
        let mut same = self.of_nobody(alike)?;
        // As the ledger compares names: what is found here is judged by what it finds.
        let writings = [plain(&order.order_id), plain_ascii(&order.order_id)];
        same.retain(|one| writings.contains(&plain(&one.order_name)) && sync::to_listed(one).is_same(order));
        Ok(same)
    }

    /// Before an order is sent anew of which a create has left, as `content`: looked up once, and where one has no
    /// answer, it must have been absent for long enough.
    pub(super) async fn look_before_anew(
        &self,
        order: &OrderRecord,
        content: &Order,
    ) -> Result<Before, SubmitError> {
        let absence = self.ledger.read(|store| store.absence(order.id))?;
        let from = look_from(order, absence.as_ref(), self.client.service_now(), &self.now());
        // What has no answer may be there under its name in another writing, which a search need not find.
        let by = if order.is_answered() {
            By::Search
        } else {
            By::WholeList(order)
        };
        let looked = match self.look_until_answered(&order.order_id, from, by).await {
            Err(blocked) => return Ok(Before::Blocked(blocked)),
            Ok(looked) => looked,
        };
        let date = looked.service_date.or_else(|| self.client.service_now());
        if looked.orders.is_empty() && !looked.is_absent(&order.signature) {
            // One without a name that holds the same may be this one.
            return Ok(Before::Nameless);
        }
        if looked.orders.is_empty() {
            let alike = self.alike(looked.alike, (order, from), content)?;
            if !alike.is_empty() {
                return self.strangers(&alike).await;
            }
        }
        let first = first_attempt(order, absence.as_ref(), looked.service_date, &self.now());
        let orders = looked.orders;
        let named: Vec<_> = orders.iter().map(sync::to_named).collect();
        let waited = self.waited(order, absence.as_ref(), date).await?;
        match anew(
            (order.sent(), first),
            &named,
            (order.is_answered(), waited),
            &self.policy(),
        ) {
            Anew::Clear => self.clear_where_the_list_lives(order, absence.as_ref()).await,
            Anew::Found { pw_order_id, others } => {
                let (id, seen, now) = (order.id, seen_of(&orders, &pw_order_id), self.now());
                self.write_others(&orders, &pw_order_id).await?;
                let found = self
                    .ledger
                    .write(move |store| store.found(id, &seen, others, &now))
                    .await;
                match found {
                    // Another sheet was quicker.
                    Ok(()) | Err(LedgerError::Illegal { .. }) => Ok(Before::Found),
                    Err(error) => Err(error.into()),
                }
            }
            Anew::Strangers => self.strangers(&orders).await,
            Anew::TooEarly => Ok(Before::TooEarly),
        }
    }

    /// The silence of a list that is known to hide orders tells nothing of one whose create has no answer.
    async fn clear_where_the_list_lives(
        &self,
        order: &OrderRecord,
        absence: Option<&AbsenceRecord>,
    ) -> Result<Before, SubmitError> {
        let Some(absence) = absence.filter(|_| !order.is_answered()) else {
            return Ok(Before::Clear);
        };
        Ok(match self.liveness(absence, &self.now()).await? {
            Err(blocked) => Before::Blocked(blocked),
            Ok(Liveness::Dead | Liveness::Young) => Before::TooEarly,
            Ok(Liveness::Live { .. } | Liveness::Unproven) => Before::Clear,
        })
    }

    /// Whether an order without an answer has been absent for long enough to be looked up before it is sent anew. Where no
    /// clock can tell yet, the answer to that look does.
    pub(super) fn has_waited(&self, order: &OrderRecord) -> Result<bool, LedgerError> {
        let Some(absence) = self.ledger.read(|store| store.absence(order.id))? else {
            return Ok(false);
        };
        let waited = waited_of(&absence, self.client.service_now(), &self.now());
        Ok(waited.is_none_or(|waited| waited >= self.config.absent_after))
    }

    /// How long an order has been absent, where the service's clock shows that `date`. Where no clock can tell, the wait
    /// begins anew.
    async fn waited(
        &self,
        order: &OrderRecord,
        absence: Option<&AbsenceRecord>,
        date: Option<Timestamp>,
    ) -> Result<Option<Duration>, LedgerError> {
        let Some(absence) = absence else { return Ok(None) };
        let now = self.now();
        let waited = waited_of(absence, date, &now);
        if waited.is_none() {
            let id = order.id;
            self.ledger
                .write(move |store| store.restart_wait(id, date, &now))
                .await?;
        }
        Ok(waited)
    }

    /// Of orders whose name differs in writing alone, those that nobody here has sent and that are this one over again,
    /// or may be what was sent of it since a moment.
    fn alike(
        &self,
        alike: Vec<ListedOrder>,
        (order, from): (&OrderRecord, Timestamp),
        content: &Order,
    ) -> Result<Vec<ListedOrder>, LedgerError> {
        let may_be_sent = |one: &ListedOrder| {
            let is_sent = |sent| sync::to_named(one).is_like(sent);
            !order.is_answered() && is_recent(one.entered_at, from) && order.sent().is_none_or(is_sent)
        };
        let mut alike = self.of_nobody(alike)?;
        alike.retain(|one| {
            let is_same = sync::to_listed(one).is_same(content);
            (is_in_another_writing(&order.order_id, &one.order_name) && (may_be_sent(one) || is_same))
                || (is_of_another_name(one, order) && may_be_sent(one))
        });
        Ok(alike)
    }

    async fn strangers(&self, orders: &[ListedOrder]) -> Result<Before, SubmitError> {
        self.write_listed(orders).await?;
        Ok(Before::Strangers(orders.iter().map(sync::to_listed).collect()))
    }

    /// Looks an order up until the list answers. One that answers and cannot be read is not asked again by this order: it
    /// waits, and keeps no other from being sent.
    async fn look_until_answered(
        &self,
        name: &str,
        from: Timestamp,
        by: By<'_>,
    ) -> Result<sync::Looked, Blocked> {
        loop {
            let now = self.now();
            let look = async || {
                let looked = match by {
                    By::Search => sync::look_up(self.list(), name, from, &now).await,
                    By::WholeList(order) => sync::look_through(
                        self.list(),
                        (name, |one: &ListedOrder| is_of_another_name(one, order)),
                        from,
                        &now,
                    )
                    .await
                    .map(sync::Looked::from),
                };
                match looked {
                    Err(error @ sync::ReadError::Failed(_)) => Err(unread(error)),
                    answered => Ok(answered),
                }
            };
            match self.health.ask(look).await? {
                Ok(answered) => return answered.map_err(|error| Blocked::of(&unread(error))),
                Err(failure) => tracing::debug!(%failure, "a look-up is asked again"),
            }
        }
    }
}

fn waited_of(absence: &AbsenceRecord, date: Option<Timestamp>, now: &Now) -> Option<Duration> {
    waited(&absence.since, absence.since_service, date, now)
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
