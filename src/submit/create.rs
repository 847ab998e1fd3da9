//! Intent, create, answer: what is committed before a create leaves, and what its answer means.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::MutexGuard;
use tokio::time::Instant;

use super::before::Before;
use super::{
    Blocked, Inquiry, Job, Permit, STALE, Sent, SubmitError, Submitter, Ticket, promise, stopped, waiting,
    with_words, words_of,
};
use crate::clock::{BootTime, Now};
use crate::ledger::record::{DayLimit, Intent, NewOrder, OrderRef, Outcome};
use crate::ledger::state::State;
use crate::ledger::{AttemptEnd, LedgerError, Made};
use crate::order::Order;
use crate::quote::{Daily, over_day};
use crate::service::{Answer, CreatedOrder, Failure, Place, Verdict};

/// How old a price may be where it has grown older than [`STALE`] before its create could leave: as old as one that is asked
/// once for equal orders.
const OLDER: Duration = Duration::from_mins(10);

/// How old an absence may be when a create leaves: while the service is away, it may carry out what it has kept.
const OLDEST_ABSENCE: Duration = OLDER;

/// How old a price may be the next time. Each time as old again: where answers and pauses take longer than any fixed age,
/// nothing would ever leave.
pub(super) fn older(most: Duration) -> Duration {
    most.saturating_mul(2).max(OLDER)
}

/// What the ledger knew of an order when it was judged.
pub(super) fn judged_as(job: &Job) -> Option<(OrderRef, State)> {
    job.known.as_ref().map(|known| (known.id, known.state))
}

impl Submitter {
    /// Whether what was asked before a create was too old for it to leave when its leave was given: a price, and where an
    /// earlier create may have made the order, its absence. How long it has waited for its turn since is told by itself
    /// (see [`super::turns`]).
    pub(super) fn is_old(&self, asked: &Inquiry, most: Duration, leave: &Leave<'_>) -> bool {
        let was_older = |seen: &BootTime, most| leave.given.since(seen).is_none_or(|age| age > most);
        let absent_at = asked.absent_at.as_ref();
        was_older(&asked.at, most) || absent_at.is_some_and(|at| self.is_older(at, OLDEST_ABSENCE))
    }

    /// Intent, create, answer; none, and nothing sent, where what was asked has grown older than `most` meanwhile: a
    /// price, and an absence, are those of a while ago after a long wait.
    pub(super) async fn create(
        &self,
        job: &Job,
        asked: &Inquiry,
        most: Duration,
    ) -> Result<Option<Sent>, SubmitError> {
        if let Some(ticket) = &job.ticket {
            ticket.come().await;
        }
        let is_stopped = || job.stop.load(Ordering::Relaxed);
        let daily = job.terms.daily.clone();
        let known = judged_as(job);
        let (new, outcome) = promise(self.account, job, Some(asked.quote.clone()));
        let new = Arc::new(new);
        loop {
            let leave = match self.ready(&new.content, &is_stopped).await? {
                Ready::Leave(leave) if self.is_old(asked, most, &leave) => return Ok(None),
                Ready::Leave(leave) => leave,
                Ready::Found => return Ok(Some(Sent::Raced)),
                Ready::Waiting(sent) => return Ok(Some(sent)),
            };
            let intended = self.intend((&new, known), &outcome, daily.as_ref()).await?;
            // The day's money is reserved: the answer decides nothing for those behind it.
            job.ticket.iter().for_each(Ticket::pass);
            let order = match intended {
                Intended::Written(order) => order,
                Intended::Held => return Ok(Some(Sent::Done)),
                Intended::Raced => return Ok(Some(Sent::Raced)),
            };
            match self.attempt(order, &new.content, leave, &is_stopped).await? {
                Attempt::Created => self.count_created(new.claim),
                Attempt::Ended => {}
                Attempt::NotSent => continue,
            }
            return Ok(Some(Sent::Done));
        }
    }

    /// Waits until the create of an order may leave.
    pub(super) async fn ready(
        &self,
        content: &Order,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Ready<'_>, SubmitError> {
        loop {
            if is_stopped() {
                let (code, why) = stopped();
                return Ok(Ready::Waiting(Sent::Waiting(code, why)));
            }
            // Boxed, both: what asks the list is large, and each order under way would keep room for it.
            if let Err(blocked) = Box::pin(self.may_create(content)).await? {
                return Ok(Ready::Waiting(waiting(&blocked, &self.zone)));
            }
            match Box::pin(self.look_when_suspect(content)).await? {
                Before::Clear => {}
                Before::Found | Before::Strangers(_) | Before::Nameless | Before::TooEarly => {
                    return Ok(Ready::Found);
                }
                Before::Blocked(blocked) => return Ok(Ready::Waiting(waiting(&blocked, &self.zone))),
            }
            // From its answer on: where each look-up takes longer than it may be relied on, nothing would ever leave.
            let looked_at = self.now().boot;
            match self.leave_while_fresh(&looked_at, is_stopped).await {
                Ok(Some(leave)) => return Ok(Ready::Leave(leave)),
                Ok(None) => {}
                Err(blocked) => return Ok(Ready::Waiting(waiting(&blocked, &self.zone))),
            }
        }
    }

    /// The leave for a create, by what was `seen` at a moment; none where that is old by now, or creates are not to leave
    /// any more: what was found out before a long wait may be true no longer. It is waited for before the intent, not after
    /// it: what waits for an absent service must not look as if it was sent.
    pub(super) async fn leave_while_fresh(
        &self,
        seen: &BootTime,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Leave<'_>>, Blocked> {
        let trial = self.health.turn_to_try().await;
        let permit = self.health.permit().await?;
        let given = self.now().boot;
        let may_leave = || self.health.lets_leave(trial.is_some()) && !is_stopped();
        if self.is_older(seen, STALE) || !may_leave() {
            return Ok(None);
        }
        let place = match self.client.place_for_create().await {
            Ok(place) => place,
            Err(failure) => {
                // Whoever asks next waits it out, or is told.
                permit.note(Some(&failure));
                return Ok(None);
            }
        };
        let most = self.turns.most();
        if place.is_some() && self.is_older(&given, most) {
            self.turns.came_too_late(most);
            return Ok(None);
        }
        let is_left = may_leave() && permit.still_holds();
        Ok(is_left.then_some(Leave {
            permit,
            given,
            trial,
            place,
        }))
    }

    /// Commits the intent with the order's outcome, and its money of the day; an order for which the day has not enough
    /// is held in the same transaction.
    async fn intend(
        &self,
        (new, known): (&Arc<NewOrder>, Option<(OrderRef, State)>),
        outcome: &Outcome,
        daily: Option<&Daily>,
    ) -> Result<Intended, SubmitError> {
        let (new, mut outcome) = (Arc::clone(new), outcome.clone());
        let (now, leaving) = (self.now(), self.leaving_now());
        let day = daily.map(|daily| day(daily, &new.inbox, &now));
        let written = self.ledger.write_in_company(move |store| {
            // Since it was judged, the list may have shown one of its name, or a younger sheet asked for its cancel.
            if !store.may_promise(&new, known)? {
                return Ok(Intended::Raced);
            }
            let intent = match &day {
                None => Intent::Written(store.intend(&new, &leaving)?),
                Some(day) => store.intend_within(&new, day, &leaving)?,
            };
            let (order, intended) = match (intent, &day) {
                (Intent::OverDay { spent }, Some(day)) => {
                    let hold = over_day(new.total(), spent, day.limit);
                    (store.hold(&new, &[hold], &now)?, Intended::Held)
                }
                (Intent::OverDay { .. }, None) | (Intent::Beside, _) => return Ok(Intended::Raced),
                (Intent::Written(order), _) => (order, Intended::Written(order)),
            };
            outcome.order = Some(order);
            store.put_outcome(&outcome)?;
            Ok(intended)
        });
        match written.await {
            Ok(intended) => Ok(intended),
            Err(LedgerError::Illegal { .. }) => Ok(Intended::Raced),
            Err(error) => Err(error.into()),
        }
    }

    /// Sends the create of an order whose intent is committed, once, and writes what the answer means. It may wait for its
    /// turn among the requests: where creates are not to leave any more then, or what was asked before its leave was given
    /// has grown old, its intent is taken back.
    pub(super) async fn attempt(
        &self,
        order: OrderRef,
        content: &Order,
        leave: Leave<'_>,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Attempt, SubmitError> {
        crate::crash::point("intent-written");
        let Leave {
            permit,
            given,
            trial,
            place,
        } = leave;
        let has_turn = trial.is_some();
        let began = Instant::now();
        let is_withheld = AtomicBool::new(false);
        let most = self.turns.most();
        let is_late = || self.is_older(&given, most);
        let may_leave = || {
            let may = !is_late() && !is_stopped() && self.health.lets_leave(has_turn) && permit.still_holds();
            is_withheld.store(!may, Ordering::Relaxed);
            if may {
                self.turns
                    .came_after(self.now().boot.since(&given).unwrap_or_default());
            }
            may
        };
        let answer = self.client.create_if(content, place, &may_leave).await;
        if let Err(failure) = &answer
            && is_withheld.load(Ordering::Relaxed)
        {
            if is_late() {
                self.turns.came_too_late(most);
            }
            // It says nothing of the service.
            return self.failed(order, failure.clone(), self.now()).await;
        }
        let answer = self.creating.held_against(answer);
        crate::crash::point("create-answered");
        permit.note(answer.as_ref().err());
        tracing::debug!(
            account = self.config.name,
            order_id = content.order_id,
            state = state_after(&answer).word(),
            duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            "a create has ended"
        );
        let now = self.now();
        match &answer {
            Ok(_) => self.health.create_answered(),
            Err(failure) if failure.verdict == Verdict::Refused => self.health.create_answered(),
            Err(failure) if failure.verdict == Verdict::Unknown => {
                self.health.create_unanswered(failure, has_turn);
            }
            // It never reached the service: it says nothing of its answers.
            Err(_not_sent) => {}
        }
        drop(trial);
        match answer {
            Ok(made) => self.made((order, content), made, now).await,
            Err(failure) => self.failed(order, failure, now).await,
        }
    }

    async fn made(
        &self,
        (order, content): (OrderRef, &Order),
        made: Answer<CreatedOrder>,
        now: Now,
    ) -> Result<Attempt, SubmitError> {
        let account = self.account;
        let is_ours = self
            .ledger
            .write_in_company(move |store| {
                store.made((order, account), &made.value.pw_order_id, made.service_date, &now)
            })
            .await?;
        if !is_ours {
            tracing::warn!(
                order_id = content.order_id,
                "a create was answered with the id of another order; it is looked up"
            );
        }
        crate::crash::point("outcome-written");
        Ok(if is_ours { Attempt::Created } else { Attempt::Ended })
    }

    async fn failed(&self, order: OrderRef, failure: Failure, now: Now) -> Result<Attempt, SubmitError> {
        let why = failure.to_string();
        let date = failure.service_date;
        match failure.verdict {
            Verdict::NotSent | Verdict::TryLater(_) | Verdict::Credentials | Verdict::Misconfigured => {
                self.ledger
                    .write(move |store| store.not_sent(order, &why, &now))
                    .await?;
                Ok(Attempt::NotSent)
            }
            Verdict::Refused => {
                let message = words_of(&failure);
                self.ledger
                    .write(move |store| store.refused(order, &message, date, &now))
                    .await?;
                Ok(Attempt::Ended)
            }
            Verdict::Unknown => {
                tracing::warn!(%failure, "a create has no answer that can be believed; it is looked up");
                let (account, is_answered) = (self.account, failure.is_answered());
                let answer = with_words(&failure);
                let made = failure.made.map(|made| as_made(*made));
                self.ledger
                    .write(move |store| match &made {
                        Some(made) => store.contradicted((order, account), made, date, &now),
                        None if is_answered => store.doubted(order, &answer, date, &now),
                        None => store.lost(order, (AttemptEnd::Unknown, &why), date, &now),
                    })
                    .await?;
                Ok(Attempt::Ended)
            }
        }
    }
}

/// Whether a create may leave.
#[derive(Debug)]
pub(super) enum Ready<'a> {
    /// It may, now.
    Leave(Leave<'a>),
    /// The service has an order of this name.
    Found,
    /// It may not, and why.
    Waiting(Sent),
}

/// The leave to send one create.
#[derive(Debug)]
pub(super) struct Leave<'a> {
    permit: Permit<'a>,
    /// When it was given.
    given: BootTime,
    /// Held where creates leave one by one.
    trial: Option<MutexGuard<'a, ()>>,
    /// Its turn among the requests, where they are counted: it was waited for as well.
    place: Option<Place>,
}

/// What an intent came to.
#[derive(Debug)]
enum Intended {
    /// It is committed.
    Written(OrderRef),
    /// The day's limit holds the order.
    Held,
    /// Another sheet was quicker, or asks for its cancel.
    Raced,
}

/// What a create came to.
#[derive(Debug)]
pub(super) enum Attempt {
    /// The service has made it, and the ledger knows its id.
    Created,
    /// The ledger has another outcome.
    Ended,
    /// It certainly did not reach the service: it may be tried again.
    NotSent,
}

fn as_made(made: CreatedOrder) -> Made {
    Made {
        pw_order_id: made.pw_order_id,
        order_id: made.order_id,
    }
}

/// The day of an inbox that a moment lies in.
pub(super) fn day(daily: &Daily, inbox: &str, now: &Now) -> DayLimit {
    let today = now.wall.to_zoned(daily.zone.clone());
    DayLimit {
        inbox: inbox.to_owned(),
        name: today.date().to_string(),
        // A day without a beginning, at the end of time, is summed up from now on.
        begins: today.start_of_day().map_or(now.wall, |start| start.timestamp()),
        limit: daily.limit,
    }
}

/// The state of an order after an answer to its create; that of before it, where it was not sent, for the log.
fn state_after(answer: &Result<Answer<CreatedOrder>, Failure>) -> State {
    match answer.as_ref().map_err(|failure| failure.verdict) {
        Ok(_) => State::Created,
        Err(Verdict::Refused) => State::Refused,
        Err(Verdict::Unknown) => State::Unresolved,
        Err(Verdict::NotSent | Verdict::TryLater(_) | Verdict::Credentials | Verdict::Misconfigured) => {
            State::New
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_may_be_older_each_time_so_that_what_takes_long_leaves_at_last() {
        let ages: Vec<Duration> = std::iter::successors(Some(STALE), |most| Some(older(*most)))
            .take(5)
            .collect();
        assert_eq!(ages[..3], [STALE, OLDER, OLDER * 2]);
        assert!(ages.is_sorted() && ages[4] > Duration::from_hours(1));
    }
}
