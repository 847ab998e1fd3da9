//! Orders without an answer, and cancels: looked up again and again, beside other orders and long after their sheet
//! is archived, until their fate is known.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use futures_util::{FutureExt, StreamExt, stream};
use jiff::Timestamp;
use tokio::time::Instant;

use super::look::{LookUp, first_attempt, look_from};
use super::{Blocked, SubmitError, Submitter, seen_of};
use crate::clock::Now;
use crate::ledger::record::{AbsenceRecord, AtLook, OrderRecord, OrderRef};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};
use crate::reconcile::{AlikeOrder, Known, Next, Reason, Round, Step, waited};
use crate::service::ListedOrder;
use crate::sync;

/// Most orders that are looked at in one round: more are never without an answer at once.
const ROUND: u32 = 10_000;

/// Cancels that are asked for at once: some that are never answered keep the others waiting no longer than one.
const CANCELS: usize = 8;

/// While the service cannot be asked, unsettled orders are tried again after this time.
const BLOCKED: Duration = Duration::from_secs(1);

/// What one look at an order came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Its fate is known.
    Known,
    /// It is looked at again after this time.
    Again(Duration),
}

/// Remembers when each unsettled order of one state is to be looked at next. A new one looks at all of them at once, and
/// one that was sent again or found since is looked at at once too, as is one whose inbox sends again.
#[derive(Debug)]
pub struct Settler {
    state: State,
    due: HashMap<OrderRef, Due>,
}

/// When an order is looked at next, as it stood when that was decided.
#[derive(Debug)]
struct Due {
    at: Instant,
    order: Stand,
}

/// What of an order decides when it is looked at next.
#[derive(Debug)]
struct Stand {
    sends: u32,
    /// A person may name it while it is looked for: its cancel is then asked for at once.
    pw_order_id: Option<String>,
    /// Its inbox sends nothing.
    is_stopped: bool,
}

impl Stand {
    fn of(order: &OrderRecord, submitter: &Submitter) -> Self {
        Self {
            sends: order.sends,
            pw_order_id: order.pw_order_id.clone(),
            is_stopped: submitter.is_stopped(&order.inbox),
        }
    }

    /// Whether nothing has come since that it waits for.
    fn is_still(&self, now: &Self) -> bool {
        let may_go_on = self.is_stopped && !now.is_stopped;
        self.sends == now.sends && self.pw_order_id == now.pw_order_id && !may_go_on
    }
}

impl Due {
    /// Whether it is still to be waited for, as the order is now.
    fn holds(&self, order: &Stand) -> bool {
        self.at > Instant::now() && self.order.is_still(order)
    }
}

impl Settler {
    /// For an account's orders without an answer: one after the other, for each look-up may end in a create.
    pub fn of_unresolved() -> Self {
        Self::of(State::Unresolved)
    }

    /// For an account's wished cancels: some at once, for one that is not answered keeps its request open for long.
    pub fn of_cancels() -> Self {
        Self::of(State::Canceling)
    }

    fn of(state: State) -> Self {
        Self {
            state,
            due: HashMap::new(),
        }
    }

    fn at_once(&self) -> usize {
        if self.state == State::Canceling {
            CANCELS
        } else {
            1
        }
    }

    /// How many orders of the account are unsettled now, and how many of them a person has to decide.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn left(&self, submitter: &Submitter) -> Result<(usize, usize), LedgerError> {
        let left = submitter.unsettled(self.state)?;
        let of_persons = left.iter().filter(|order| order.reason.is_some()).count();
        Ok((left.len(), of_persons))
    }

    /// Looks at every unsettled order of the account that is due. Gives how many are still unsettled, and when the
    /// next is due. Past `give_up` none is looked at any more.
    pub async fn round(
        &mut self,
        submitter: &Submitter,
        give_up: Option<Instant>,
    ) -> Result<(usize, Option<Instant>), SubmitError> {
        let orders = submitter.unsettled(self.state)?;
        // A set: of ten thousand cancels that wait, each would be looked for among all the others.
        let unsettled: HashSet<OrderRef> = orders.iter().map(|order| order.id).collect();
        self.due.retain(|id, _| unsettled.contains(id));
        let (waiting, due): (Vec<_>, Vec<_>) = orders.into_iter().partition(|order| {
            self.due
                .get(&order.id)
                .is_some_and(|due| due.holds(&Stand::of(order, submitter)))
        });
        let mut open = waiting.len();
        let looks = due
            .into_iter()
            .map(|order| settle_in_time(submitter, order, give_up).boxed());
        let mut looks = stream::iter(looks).buffer_unordered(self.at_once());
        while let Some(ended) = looks.next().await {
            let (id, order, settled) = ended?;
            match settled {
                Some(Settled::Known) => {
                    self.due.remove(&id);
                }
                Some(Settled::Again(pause)) => {
                    open += 1;
                    let at = Instant::now() + pause;
                    self.due.insert(id, Due { at, order });
                }
                None => open += 1,
            }
        }
        Ok((open, self.due.values().map(|due| due.at).min()))
    }
}

/// Looks at one order; gives it as it stood before, and nothing of what it came to where it is past `give_up`.
async fn settle_in_time(
    submitter: &Submitter,
    order: OrderRecord,
    give_up: Option<Instant>,
) -> Result<(OrderRef, Stand, Option<Settled>), SubmitError> {
    let mut stand = Stand::of(&order, submitter);
    if give_up.is_some_and(|give_up| Instant::now() >= give_up) {
        return Ok((order.id, stand, None));
    }
    let settled = match submitter.settle(&order).await {
        Ok(Ok(settled)) => settled,
        Ok(Err(_blocked)) => Settled::Again(BLOCKED),
        // A cancel row came between the look and what followed from it: it is judged by its new state.
        Err(SubmitError::Ledger(LedgerError::Illegal { .. })) => Settled::Again(Duration::ZERO),
        Err(error) => return Err(error),
    };
    // What was stopped amid the look goes on too when that is over.
    stand.is_stopped |= submitter.is_stopped(&order.inbox);
    Ok((order.id, stand, Some(settled)))
}

impl Submitter {
    /// The orders in a state of which the fate is not known, in the order in which they are asked about.
    fn unsettled(&self, state: State) -> Result<Vec<OrderRecord>, LedgerError> {
        self.ledger
            .read(|store| store.unsettled(self.account, state, ROUND))
    }

    /// Looks once at an order whose fate is not known.
    pub async fn settle(&self, order: &OrderRecord) -> Result<Result<Settled, Blocked>, SubmitError> {
        // Of an order that is not asked about no turn is taken.
        if let Err(blocked) = self.health.permit().await.map(drop) {
            return Ok(Err(blocked));
        }
        let id = order.id;
        self.ledger.write(move |store| store.take_turn(id)).await?;
        if order.state == State::Canceling
            && let Some(pw_order_id) = &order.pw_order_id
        {
            return self.ask_cancel(order, pw_order_id).await;
        }
        let Some(absence) = self.ledger.read(|store| store.absence(order.id))? else {
            // Without a wait there is nothing to settle: it was settled meanwhile.
            return Ok(Ok(Settled::Known));
        };
        let now = self.now();
        let (step, looked) = match self.next_step(order, &absence, &now).await? {
            Err(blocked) => return Ok(Err(blocked)),
            Ok(next) => next,
        };
        self.follow(order, step, looked, now).await
    }

    /// Asks the list all that is needed to know what follows; gives that, and the look-up that it follows from.
    pub(super) async fn next_step(
        &self,
        order: &OrderRecord,
        absence: &AbsenceRecord,
        now: &Now,
    ) -> Result<Result<(Step, LookUp), Blocked>, SubmitError> {
        let from = look_from(order, Some(absence), self.client.service_now(), now);
        let mut looked = match self.look_for(order, from, now).await {
            Err(blocked) => return Ok(Err(blocked)),
            Ok(looked) => looked,
        };
        let (known, policy) = (known(order, absence, looked.service_date, now), self.policy());
        let mut round = Round::new(&known, &policy);
        let mut next = round.looked(&looked.reading());
        let step = loop {
            next = match next {
                Next::Witness => match self.witness(absence, now).await? {
                    Err(blocked) => return Ok(Err(blocked)),
                    Ok(witness) => round.witnessed(witness),
                },
                Next::Newest => match self.newest(now).await? {
                    Err(blocked) => return Ok(Err(blocked)),
                    Ok(newest) => round.newest(newest),
                },
                Next::Whole => {
                    looked = match self.look_through((order, round.is_live()), from, now).await? {
                        Err(blocked) => return Ok(Err(blocked)),
                        Ok(looked) => looked,
                    };
                    round.whole(&looked.reading(), &looked.alike())
                }
                Next::Follow(step) => break step,
            };
        };
        if let Some(lag) = round.lag().filter(|_| absence.lag.is_none()) {
            let look = order.at_look();
            self.ledger.write(move |store| store.set_lag(look, lag)).await?;
        }
        tracing::debug!(
            order_id = order.order_id,
            looks = known.looks,
            lag = ?round.lag(),
            ?step,
            "looked up"
        );
        Ok(Ok((step, looked)))
    }

    async fn follow(
        &self,
        order: &OrderRecord,
        step: Step,
        looked: LookUp,
        now: Now,
    ) -> Result<Result<Settled, Blocked>, SubmitError> {
        let (id, look) = (order.id, order.at_look());
        let date = looked.service_date;
        let answered_empty = looked.orders.as_ref().is_some_and(Vec::is_empty);
        let after = match step {
            Step::Adopt { pw_order_id, others } => {
                let orders = looked.orders.as_deref().unwrap_or_default();
                let seen = seen_of(orders, &pw_order_id);
                if others > 0 {
                    tracing::error!(
                        order_id = order.order_id,
                        pw_order_id,
                        others,
                        "the service has more than one order of this id; none is canceled"
                    );
                }
                self.write_others(orders, &pw_order_id).await?;
                self.ledger
                    .write(move |store| store.found(id, &seen, others, &now))
                    .await?;
                // An order whose cancel is wished is found now: it is asked for in the next round.
                return Ok(Ok(if order.state == State::Canceling {
                    Settled::Again(Duration::ZERO)
                } else {
                    Settled::Known
                }));
            }
            Step::SendAgain => return self.send_again(order).await,
            Step::RuledOut => {
                self.ledger
                    .write(move |store| store.ruled_out(id, "it is not at the service", &now))
                    .await?;
                return Ok(Ok(Settled::Known));
            }
            Step::LookAgain(after) => {
                self.ledger
                    .write(move |store| still_absent(store, look, (date, answered_empty), &now))
                    .await?;
                after
            }
            Step::WaitAnew(after) => {
                self.ledger
                    .write(move |store| store.restart_wait(look, date, &now))
                    .await?;
                after
            }
            Step::AskPerson { why, again } => {
                let absence = self.ledger.read(|store| store.absence(id))?;
                let asked = absence.and_then(|absence| absence.asked);
                if asked.is_some_and(|asked| !is_news(&why, &asked)) {
                    return Ok(Ok(Settled::Again(again)));
                }
                let why = match why {
                    Reason::Alike { one: None } => Reason::Alike {
                        one: the_very_one(&looked.alike, order),
                    },
                    Reason::AbsentTwice => self.ledger.read(|store| absent_twice(store, id))?,
                    why => why,
                };
                self.ledger
                    .write(move |store| store.ask_person(look, &why))
                    .await?;
                again
            }
        };
        Ok(Ok(Settled::Again(after)))
    }
}

/// Whether a person is told why one is asked now, who was asked before. Who is asked about its price knows that it is not
/// there, and the whole list, which has shown one that is alike, is read once. Anything else is news.
fn is_news(why: &Reason, asked: &Reason) -> bool {
    let is_absent = matches!(why, Reason::AbsentTwice | Reason::NeverResend);
    !is_absent || !(asked.is_of_an_absent_one() || matches!(asked, Reason::Alike { .. }))
}

/// The first order of a name that differs in writing alone with the very content.
fn the_very_one(alike: &[ListedOrder], order: &OrderRecord) -> Option<AlikeOrder> {
    let one = alike
        .iter()
        .find(|one| sync::to_named(one).is_like(order.ours()))?;
    Some(AlikeOrder {
        pw_order_id: one.pw_order_id.clone(),
        order_name: one.order_name.clone(),
    })
}

/// Why a person is asked about an order that stayed absent after two creates: the second may have been refused, or have
/// been answered in a way that proves nothing.
fn absent_twice(store: &Store<'_>, id: OrderRef) -> Result<Reason, LedgerError> {
    if let Some(words) = store.last_refusal(id)? {
        return Ok(Reason::RefusedAgain { words });
    }
    let answer = store.last_doubted(id)?;
    Ok(answer.map_or(Reason::AbsentTwice, |answer| Reason::DoubtedTwice { answer }))
}

/// Notes a look-up that decided nothing.
fn still_absent(
    store: &Store<'_>,
    look: AtLook,
    (service_date, answered_empty): (Option<Timestamp>, bool),
    now: &Now,
) -> Result<(), LedgerError> {
    if let Some(date) = service_date {
        store.date_wait(look, date)?;
    }
    if answered_empty {
        store.seen_absent(look, now)
    } else {
        Ok(())
    }
}

fn known(order: &OrderRecord, absence: &AbsenceRecord, service_date: Option<Timestamp>, now: &Now) -> Known {
    Known {
        signature: order.signature.clone(),
        zip: order.ours().zip.map(str::to_owned),
        first_attempt: first_attempt(order, Some(absence), service_date, now),
        looks: absence.looks,
        waited: waited(&absence.since, absence.since_service, service_date, now),
        lag: absence.lag,
        sends: order.sends,
        cancel: order.state == State::Canceling,
        person: absence.asked.is_some(),
        contradicted: absence.contradicted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Money;
    use crate::reconcile::PERSON_PAUSE;

    #[test]
    fn who_was_asked_about_a_price_or_about_one_that_is_alike_is_not_told_that_it_is_absent() {
        let price = Reason::Price {
            total: Money::ZERO,
            agreed: None,
            limit: None,
        };
        let alike = Reason::Alike { one: None };
        // In the very words of the other one: they decide nothing.
        let in_its_words = Reason::Earlier {
            words: alike.words("1001"),
            is_absent: false,
        };
        for (why, asked, is_told) in [
            (Reason::AbsentTwice, &price, false),
            (Reason::NeverResend, &alike, false),
            (Reason::NeverResend, &in_its_words, true),
            (Reason::AbsentTwice, &Reason::NeverResend, true),
            (Reason::OtherContent, &price, true),
            (Reason::Contradicted, &alike, true),
        ] {
            assert_eq!(is_news(&why, asked), is_told, "{why:?} after {asked:?}");
        }
    }

    #[test]
    fn an_order_that_was_sent_again_or_found_since_or_may_be_sent_by_now_waits_no_longer() {
        let stand = |sends, pw_order_id: Option<&str>| Stand {
            sends,
            pw_order_id: pw_order_id.map(str::to_owned),
            is_stopped: false,
        };
        let stopped = |is_stopped| Stand {
            is_stopped,
            ..stand(1, None)
        };
        let due = Due {
            at: Instant::now() + PERSON_PAUSE,
            order: stand(1, None),
        };
        assert!(due.holds(&stand(1, None)));
        assert!(!due.holds(&stand(2, None)));
        assert!(!due.holds(&stand(1, Some("PW-1"))));
        assert!(due.holds(&stopped(true)), "nothing can come of a look");
        let due = Due {
            order: stopped(true),
            ..due
        };
        assert!(due.holds(&stopped(true)));
        assert!(!due.holds(&stopped(false)));
    }
}
