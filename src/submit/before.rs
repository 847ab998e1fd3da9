//! An order that may be at the service already, looked up before its create leaves.

use std::time::Duration;

use jiff::Timestamp;

use super::look::{first_attempt, is_of_another_name, look_from, unread};
use super::{Blocked, SubmitError, Submitter, seen_of};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{AbsenceRecord, ListedRecord, OrderRecord};
use crate::order::Order;
use crate::reconcile::{Anew, Liveness, anew, is_in_another_writing, is_recent, plain, plain_ascii, waited};
use crate::service::ListedOrder;
use crate::sync;

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
        let (mut orders, by_word) = (looked.orders, looked.by_word);
        if orders.is_empty() {
            orders = self.same_of_nobody(looked.alike, order)?;
        }
        if orders.is_empty() && hides && self.first_page.may_be_unidentified(order) {
            return Ok(Before::Blocked(Blocked::of(&unread(sync::ReadError::WithoutId))));
        }
        if orders.is_empty() {
            return self.clear_where_believed(by_word, &now).await;
        }
        self.write_listed(&orders).await?;
        Ok(Before::Found)
    }

    /// An order is not there, be it by the list's word alone.
    async fn clear_where_believed(&self, by_word: bool, now: &Now) -> Result<Before, SubmitError> {
        if !by_word {
            return Ok(Before::Clear);
        }
        let doubt = sync::doubt(self.list(), (&*self.ledger, self.account), now).await?;
        Ok(doubt.map_or(Before::Clear, |error| {
            Before::Blocked(Blocked::of(&unread(error)))
        }))
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
        if looked.orders.is_empty() && !looked.is_absent(order.ours()) {
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
        let mut policy = self.policy();
        if looked.by_word {
            policy.absent_after = policy.absent_after.max(policy.absent_after_unproven);
        }
        let orders = looked.orders;
        let named: Vec<_> = orders.iter().map(sync::to_named).collect();
        let waited = self.waited(order, absence.as_ref(), date).await?;
        match anew(
            (order.sent(), first),
            &named,
            (order.is_answered(), waited),
            &policy,
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
            let look = order.at_look();
            self.ledger
                .write(move |store| store.restart_wait(look, date, &now))
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
