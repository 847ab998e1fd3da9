//! Orders without an answer, and cancels: looked up again and again, beside other orders and long after their sheet
//! is archived, until their fate is known.
//!
//! Several are looked at at once, each by its own pauses: one that the service answers late keeps no other waiting. Only
//! what tells when an order is due is held in memory; the order itself is read when it is looked at. Each look may end in
//! a create: that one leaves by the same gates as any other, and the ledger takes its intent for this order once.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::time::{Instant, timeout};

use super::settle::Settled;
use super::{SubmitError, Submitter};
use crate::ledger::LedgerError;
use crate::ledger::record::{OrderRef, Unsettled};
use crate::ledger::state::State;
use crate::reconcile::{Policy, pause};

/// Most orders that are looked at in one round: more are never without an answer at once.
const ROUND: u32 = 10_000;

/// Look-ups that are made at once, where the account may have as many requests and as many again for what else is asked
/// of it.
const LOOKS: usize = 8;

/// Cancels that are asked for at once: some that are never answered keep the others waiting no longer than one.
const CANCELS: usize = 8;

/// While the service cannot be asked, unsettled orders are tried again after this time.
const BLOCKED: Duration = Duration::from_secs(1);

/// How often it is looked amid a round which orders have become due.
const AMID: Duration = Duration::from_millis(500);

/// The longest pause of an order for which the list does not answer.
const LONGEST_UNANSWERED: Duration = Duration::from_secs(30);

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
    /// Looks in a row for which the list did not answer.
    unanswered: u32,
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
    fn of(order: &Unsettled, submitter: &Submitter) -> Self {
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
    /// After a look that came to this; none where it is looked at no more. `unanswered` looks before it had no answer.
    fn after(settled: Settled, order: Stand, unanswered: u32, policy: &Policy) -> Option<Self> {
        let (pause, unanswered) = match settled {
            Settled::Known => return None,
            Settled::Again(pause) => (pause, 0),
            Settled::Unanswered(least) => {
                let own = pause(unanswered, policy).min(LONGEST_UNANSWERED);
                (least.max(own), unanswered.saturating_add(1))
            }
        };
        Some(Self {
            at: Instant::now() + pause,
            order,
            unanswered,
        })
    }

    /// Whether it is still to be waited for, as the order is now.
    fn holds(&self, order: &Stand) -> bool {
        self.at > Instant::now() && self.order.is_still(order)
    }
}

impl Settler {
    /// For an account's orders without an answer.
    pub fn of_unresolved() -> Self {
        Self::of(State::Unresolved)
    }

    /// For an account's wished cancels.
    pub fn of_cancels() -> Self {
        Self::of(State::Canceling)
    }

    fn of(state: State) -> Self {
        Self {
            state,
            due: HashMap::new(),
        }
    }

    fn at_once(&self, submitter: &Submitter) -> usize {
        if self.state == State::Canceling {
            CANCELS
        } else {
            LOOKS.min(submitter.config.max_in_flight / 2).max(1)
        }
    }

    /// How many orders of the account are unsettled now, and how many of them a person has to decide.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn left(&self, submitter: &Submitter) -> Result<(usize, usize), LedgerError> {
        let left = self.unsettled(submitter)?;
        let of_persons = left.iter().filter(|order| order.is_for_person).count();
        Ok((left.len(), of_persons))
    }

    /// Looks at every unsettled order of the account that is due, and at those that become due while others are looked at.
    /// Gives how many are still unsettled, and when the next is due. Past `give_up` none is looked at any more.
    pub async fn round(
        &mut self,
        submitter: &Submitter,
        give_up: Option<Instant>,
    ) -> Result<(usize, Option<Instant>), SubmitError> {
        let (state, most) = (self.state, self.at_once(submitter));
        let mut under_way = HashSet::new();
        let mut due = self.are_due(submitter, &under_way)?;
        let mut read_at = Instant::now();
        let mut looks = FuturesUnordered::new();
        loop {
            while looks.len() < most
                && let Some(order) = due.pop_front()
            {
                under_way.insert(order.id);
                looks.push(settle_in_time(submitter, state, order, give_up).boxed());
            }
            match timeout(AMID, looks.next()).await {
                Ok(None) => break,
                Ok(Some(ended)) => {
                    let (id, order, settled) = ended?;
                    under_way.remove(&id);
                    self.note((id, order), settled, &submitter.policy());
                }
                Err(_all_under_way) => {}
            }
            let is_over = give_up.is_some_and(|give_up| Instant::now() >= give_up);
            let goes_on = !under_way.is_empty() && !is_over && !submitter.health.turns_away();
            if goes_on && due.is_empty() && read_at.elapsed() >= AMID {
                due = self.are_due(submitter, &under_way)?;
                read_at = Instant::now();
            }
        }
        let left = self.unsettled(submitter)?;
        self.forget_all_but(&left);
        Ok((left.len(), self.due.values().map(|due| due.at).min()))
    }

    fn unsettled(&self, submitter: &Submitter) -> Result<Vec<Unsettled>, LedgerError> {
        let (account, state) = (submitter.account, self.state);
        submitter
            .ledger
            .read(|store| store.unsettled(account, state, ROUND))
    }

    /// The orders that are to be looked at now, in their order; those that are looked at already are none.
    fn are_due(
        &mut self,
        submitter: &Submitter,
        under_way: &HashSet<OrderRef>,
    ) -> Result<VecDeque<Unsettled>, LedgerError> {
        let orders = self.unsettled(submitter)?;
        self.forget_all_but(&orders);
        let waits = |order: &Unsettled| {
            let due = self.due.get(&order.id);
            due.is_some_and(|due| due.holds(&Stand::of(order, submitter)))
        };
        let is_due = |order: &Unsettled| !under_way.contains(&order.id) && !waits(order);
        Ok(orders.into_iter().filter(is_due).collect())
    }

    fn forget_all_but(&mut self, unsettled: &[Unsettled]) {
        // A set: of ten thousand cancels that wait, each would be looked for among all the others.
        let unsettled: HashSet<OrderRef> = unsettled.iter().map(|order| order.id).collect();
        self.due.retain(|id, _| unsettled.contains(id));
    }

    /// Notes what a look at an order came to, as that stood before; nothing where it was not looked at any more.
    fn note(&mut self, (id, order): (OrderRef, Stand), settled: Option<Settled>, policy: &Policy) {
        let Some(settled) = settled else { return };
        let unanswered = self.due.remove(&id).map_or(0, |due| due.unanswered);
        if let Some(due) = Due::after(settled, order, unanswered, policy) {
            self.due.insert(id, due);
        }
    }
}

/// Looks at one order; gives it as it stood before, and nothing of what it came to where it is past `give_up`.
async fn settle_in_time(
    submitter: &Submitter,
    state: State,
    order: Unsettled,
    give_up: Option<Instant>,
) -> Result<(OrderRef, Stand, Option<Settled>), SubmitError> {
    let mut stand = Stand::of(&order, submitter);
    if give_up.is_some_and(|give_up| Instant::now() >= give_up) {
        return Ok((order.id, stand, None));
    }
    let read = submitter.ledger.read(|store| store.order(order.id))?;
    // It may have waited for its turn, and be settled by now.
    let Some(record) = read.filter(|order| order.state == state) else {
        return Ok((order.id, stand, Some(Settled::Known)));
    };
    stand.sends = record.sends;
    stand.pw_order_id.clone_from(&record.pw_order_id);
    let settled = match submitter.settle(&record).await {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::PERSON_PAUSE;

    fn stand(sends: u32, pw_order_id: Option<&str>) -> Stand {
        Stand {
            sends,
            pw_order_id: pw_order_id.map(str::to_owned),
            is_stopped: false,
        }
    }

    #[test]
    fn an_order_that_was_sent_again_or_found_since_or_may_be_sent_by_now_waits_no_longer() {
        let stopped = |is_stopped| Stand {
            is_stopped,
            ..stand(1, None)
        };
        let due = Due {
            at: Instant::now() + PERSON_PAUSE,
            order: stand(1, None),
            unanswered: 0,
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

    /// The pauses after looks that came to these, one after the other, in milliseconds.
    fn pauses(absent_after: Duration, looks: &[Settled]) -> Vec<u128> {
        let policy = Policy {
            absent_after,
            absent_after_unproven: Duration::from_hours(24),
            resend: true,
        };
        let (begun, mut unanswered, mut pauses) = (Instant::now(), 0, Vec::new());
        for settled in looks {
            let due = Due::after(*settled, stand(1, None), unanswered, &policy).unwrap();
            unanswered = due.unanswered;
            pauses.push((due.at - begun).as_millis());
        }
        pauses
    }

    #[tokio::test(start_paused = true)]
    async fn an_order_for_which_the_list_does_not_answer_waits_longer_each_time_and_an_answer_ends_that() {
        let (minutes, seconds) = (Duration::from_mins(15), Duration::from_secs(4));
        let lost = Settled::Unanswered(Duration::from_millis(500));
        assert_eq!(
            pauses(minutes, &[lost; 8]),
            [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
        );
        assert_eq!(
            pauses(seconds, &[lost; 4]),
            [500, 1000, 1000, 1000],
            "as any look-up"
        );
        let answered = Settled::Again(Duration::from_secs(3));
        assert_eq!(
            pauses(minutes, &[lost, lost, answered, lost]),
            [500, 1000, 3000, 500]
        );
        let later = Settled::Unanswered(Duration::from_mins(2));
        assert_eq!(pauses(minutes, &[later]), [120_000]);
    }
}
