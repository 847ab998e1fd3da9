//! Why an approved order is not sent yet, and for how long it is let be before it is priced again.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::super::{SubmitError, Submitter};
use crate::clock::BootTime;
use crate::ledger::record::{Approved, OrderRef};

/// How long an order that waits alone is let be at first; each time twice as long.
const SHORTEST: Duration = Duration::from_secs(2);

/// At most so long: what it waits for may have passed.
const LONGEST: Duration = Duration::from_mins(1);

/// An order as it was held for the number of times that its approval names.
type Held = (OrderRef, u32);

/// What is remembered of approved orders that wait.
#[derive(Debug, Default)]
pub(in crate::submit) struct Waits(Mutex<Remembered>);

#[derive(Debug, Default)]
struct Remembered {
    /// Those that wait while the service answers.
    let_be: HashMap<Held, LetBe>,
    /// In which round each was last come to.
    come_to: HashMap<Held, u64>,
    round: u64,
}

#[derive(Clone, Debug)]
struct LetBe {
    since: BootTime,
    pause: Duration,
}

/// What keeps an approved order.
#[derive(Debug)]
pub(in crate::submit) struct Wait {
    /// A sentence for the merchant.
    pub(in crate::submit) why: String,
    /// Whether it was priced just now, so that asking about it at every round would only burden the service.
    pub(in crate::submit) is_alone: bool,
}

impl Wait {
    /// What keeps others of the account as well, or costs no request.
    pub(super) fn shared(why: String) -> Self {
        Self { why, is_alone: false }
    }
}

impl Waits {
    fn remembered(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes so many orders for a round: those that no round has come to, then those that were come to the longest ago.
    /// Eldest approvals that cannot go now would be all of every round. Gives whether no round has come yet to some that
    /// are left.
    pub(super) fn take_round(&self, approved: &mut Vec<Approved>, most: usize) -> bool {
        let mut remembered = self.remembered();
        let round_of = |one: &Approved| remembered.come_to.get(&held(one)).copied();
        approved.sort_by_key(round_of);
        let left = approved.split_off(most.min(approved.len()));
        let leaves_new = left.iter().any(|one| round_of(one).is_none());
        remembered.round += 1;
        let round = remembered.round;
        let come_to = approved.iter().map(|one| (held(one), round));
        remembered.come_to.extend(come_to);
        leaves_new
    }
}

/// An order as it was approved.
pub(in crate::submit) fn held(one: &Approved) -> Held {
    (one.order, one.hold_number)
}

impl Submitter {
    /// Leaves those out that were found to wait so lately that they are let be; gives how many.
    pub(super) fn let_be(&self, approved: &mut Vec<Approved>) -> usize {
        let mut remembered = self.waits.remembered();
        let known: HashSet<Held> = approved.iter().map(held).collect();
        remembered.let_be.retain(|one, _let_be| known.contains(one));
        remembered.come_to.retain(|one, _round| known.contains(one));
        let before = approved.len();
        approved.retain(|one| {
            remembered
                .let_be
                .get(&held(one))
                .is_none_or(|one| self.is_older(&one.since, one.pause))
        });
        before - approved.len()
    }

    /// Notes why approved orders wait, for their sheets and for `status`.
    pub(in crate::submit) async fn note_wait(
        &self,
        orders: Vec<Held>,
        wait: &Wait,
    ) -> Result<(), SubmitError> {
        if wait.is_alone {
            self.pause_longer(&orders);
        }
        let why = wait.why.clone();
        let noted = self.ledger.write(move |store| {
            let mut noted = Vec::new();
            for held in orders {
                let is_new = store.put_approved_waits(held, &why)?;
                let order = is_new.then(|| store.order(held.0)).transpose()?.flatten();
                noted.extend(order.map(|order| order.order_id));
            }
            Ok(noted)
        });
        for order_id in noted.await? {
            tracing::warn!(order_id, "an approved order is not sent yet: {}", wait.why);
        }
        Ok(())
    }

    fn pause_longer(&self, orders: &[Held]) {
        let since = self.now().boot;
        let let_be = &mut self.waits.remembered().let_be;
        for held in orders {
            let pause = let_be
                .get(held)
                .map_or(SHORTEST, |before| (before.pause * 2).min(LONGEST));
            let since = since.clone();
            let_be.insert(*held, LetBe { since, pause });
        }
    }
}
