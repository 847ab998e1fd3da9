//! Orders that come again while an earlier create of them, which has no answer, may still arrive: looked up, and then left
//! alone for a while.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::{Job, Submitter};
use crate::clock::BootTime;
use crate::finding::Code;
use crate::ledger::LedgerError;
use crate::ledger::record::{OrderRecord, OrderRef};

/// For so long nothing is asked of one after a look: its sheet comes by every few seconds, and each time its artwork would be
/// fetched and the whole list read.
const LEFT_ALONE: Duration = Duration::from_mins(5);

/// When this process looked each of them up last, and whether it had been absent for long enough by then.
#[derive(Debug, Default)]
pub(super) struct Early(Mutex<HashMap<OrderRef, (BootTime, bool)>>);

impl Early {
    /// Notes a look at an order, and forgets those that are too old to leave one alone.
    fn note(&self, order: OrderRef, look: (BootTime, bool), is_old: impl Fn(&BootTime) -> bool) {
        let mut early = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        early.retain(|_order, (at, _has_waited)| !is_old(at));
        early.insert(order, look);
    }
}

impl Job {
    /// Whether the order can be ended before it is sent without asking the service whether it is there.
    pub fn asks_nobody(&self) -> bool {
        self.unanswered().is_none()
    }

    /// What is known of the order, where an earlier create of it without an answer may have made it.
    pub(super) fn unanswered(&self) -> Option<&OrderRecord> {
        let known = self.known.as_deref();
        known.filter(|known| known.may_be_made() && !known.is_answered())
    }
}

impl Submitter {
    /// Notes that an order was looked up and is still too early.
    pub(super) fn note_too_early(&self, order: &OrderRecord) -> Result<(), LedgerError> {
        let look = (self.now().boot, self.has_waited(order)?);
        self.early
            .note(order.id, look, |at| self.is_older(at, LEFT_ALONE));
        Ok(())
    }

    /// Whether such an order was looked up only now, and nothing has changed since but the time.
    pub(super) fn is_left_alone(&self, order: &OrderRecord) -> Result<bool, LedgerError> {
        let has_waited = self.has_waited(order)?;
        let early = self.early.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(early
            .get(&order.id)
            .is_some_and(|(at, had_waited)| *had_waited == has_waited && !self.is_older(at, LEFT_ALONE)))
    }
}

/// Why it waits. Time settles that, or the list: it is sent then, or found, without anybody.
pub(super) fn too_early(order: &OrderRecord) -> (Code, String) {
    let id = &order.sheet_order_id;
    let why = format!(
        "An earlier attempt to order {id} has no answer, and may still be on its way to the service or hidden by its list."
    );
    (Code::NoAnswer, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_that_leave_no_order_alone_any_more_are_not_kept() {
        let early = Early::default();
        let at = |minute: i64| BootTime {
            id: "boot".into(),
            millis: minute * 60_000,
        };
        for minute in 0..100 {
            let is_old = |seen: &BootTime| at(minute).since(seen).is_none_or(|age| age > LEFT_ALONE);
            early.note(OrderRef(minute), (at(minute), false), is_old);
        }
        assert_eq!(early.0.lock().unwrap().len(), 6);
    }
}
