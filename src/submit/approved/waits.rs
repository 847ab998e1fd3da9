//! Why an approved order is not sent yet, and for how long it is let be before it is priced again.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
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

/// The approved orders that wait while the service answers.
#[derive(Debug, Default)]
pub(in crate::submit) struct Waits(Mutex<HashMap<Held, LetBe>>);

#[derive(Clone, Debug)]
struct LetBe {
    since: BootTime,
    pause: Duration,
}

/// What keeps an approved order.
#[derive(Debug)]
pub(super) struct Wait {
    /// A sentence for the merchant.
    pub(super) why: String,
    /// Whether it was priced just now, so that asking about it at every round would only burden the service.
    pub(super) is_alone: bool,
}

impl Wait {
    /// What keeps others of the account as well, or costs no request.
    pub(super) fn shared(why: String) -> Self {
        Self { why, is_alone: false }
    }
}

impl Submitter {
    /// Leaves those out that were found to wait so lately that they are let be; gives how many.
    pub(super) fn let_be(&self, approved: &mut Vec<Approved>) -> usize {
        let mut waits = self.waits.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known: HashSet<Held> = approved.iter().map(|one| (one.order, one.hold_number)).collect();
        waits.retain(|held, _let_be| known.contains(held));
        let before = approved.len();
        approved.retain(|one| {
            waits
                .get(&(one.order, one.hold_number))
                .is_none_or(|one| self.is_older(&one.since, one.pause))
        });
        before - approved.len()
    }

    /// Notes why approved orders wait, for their sheets and for `status`.
    pub(super) async fn note_wait(&self, orders: Vec<Held>, wait: Wait) -> Result<(), SubmitError> {
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
        let mut waits = self.waits.0.lock().unwrap_or_else(PoisonError::into_inner);
        for held in orders {
            let pause = waits
                .get(held)
                .map_or(SHORTEST, |before| (before.pause * 2).min(LONGEST));
            let since = since.clone();
            waits.insert(*held, LetBe { since, pause });
        }
    }
}
