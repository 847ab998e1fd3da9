//! One look at an order without an answer, or whose cancel is wished: what the list is asked, and what follows from that.

use std::time::Duration;

use jiff::Timestamp;

use super::look::{LookUp, first_attempt, look_from};
use super::{Blocked, SubmitError, Submitter, seen_of};
use crate::clock::Now;
use crate::ledger::record::{AbsenceRecord, AtLook, OrderRecord, OrderRef};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};
use crate::reconcile::{AlikeOrder, Known, Next, Reading, Reason, Round, Step, waited};
use crate::service::ListedOrder;
use crate::sync;

/// What one look at an order came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Its fate is known.
    Known,
    /// It is looked at again after this time.
    Again(Duration),
    /// The list did not answer for it: the same, and later each time.
    Unanswered(Duration),
}

impl Submitter {
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
                if looked.reading() == Reading::Incomplete {
                    return Ok(Ok(Settled::Unanswered(after)));
                }
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
                    Reason::Contradicted => self.ledger.read(|store| named_otherwise(store, id))?,
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

/// Why a person is asked about an order of which an answer named another one: with what it gave, where that is known.
fn named_otherwise(store: &Store<'_>, id: OrderRef) -> Result<Reason, LedgerError> {
    let made = store.named_otherwise(id)?;
    Ok(made.map_or(Reason::Contradicted, |made| {
        Reason::NamedOtherwise(AlikeOrder {
            pw_order_id: made.pw_order_id,
            order_name: made.order_id,
        })
    }))
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
}
