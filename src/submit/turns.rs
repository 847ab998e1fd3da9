//! How long a create may wait for its turn among the requests, once it was found that it may leave. Pure.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::STALE;
use super::create::older;
use crate::ledger::record::OrderRef;

/// Most orders that are remembered; beyond it all are forgotten, and begin anew with the shortest wait.
const MOST: usize = 4_096;

/// The longest waits of the orders whose turn has come too late.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<HashMap<OrderRef, Duration>>);

impl Turns {
    fn waits(&self) -> MutexGuard<'_, HashMap<OrderRef, Duration>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long the create of an order may wait for its turn.
    pub(super) fn most(&self, order: OrderRef) -> Duration {
        self.waits().get(&order).copied().unwrap_or(STALE)
    }

    /// Its turn has come too late: the next time it may wait for longer. Where each turn takes longer than any fixed time,
    /// nothing would ever leave.
    pub(super) fn came_too_late(&self, order: OrderRef) {
        let mut waits = self.waits();
        if waits.len() >= MOST {
            waits.clear();
        }
        let wait = waits.entry(order).or_insert(STALE);
        *wait = older(*wait);
    }

    /// Its create has left.
    pub(super) fn came(&self, order: OrderRef) {
        self.waits().remove(&order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_create_whose_turn_comes_too_late_may_wait_for_longer_each_time_until_it_leaves() {
        let (turns, order) = (Turns::default(), OrderRef(1));
        let mut waits = vec![turns.most(order)];
        for _ in 0..6 {
            turns.came_too_late(order);
            waits.push(turns.most(order));
        }
        assert_eq!(waits[0], STALE);
        assert!(waits.is_sorted_by(|a, b| a < b) && waits[6] > Duration::from_hours(2));
        assert_eq!(turns.most(OrderRef(2)), STALE, "the others' turns are their own");
        turns.came(order);
        assert_eq!(turns.most(order), STALE);
    }
}
