//! Who waits for whom among the sheets of an inbox that are worked at once: a small sheet passes a large one, unless
//! they have an order in common. Then the older comes first, so that a cancel, say, follows its order.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::ledger::record::ClaimRef;
use crate::order::Ids;

/// The sheets under way, oldest first, with the orders in them as soon as they are known.
#[derive(Debug, Default)]
pub struct Turns {
    sheets: Mutex<BTreeMap<ClaimRef, Option<Arc<Ids>>>>,
    changed: Notify,
}

/// A sheet's place among the others; given back when it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    claim: ClaimRef,
}

impl Turns {
    /// Puts a sheet in its place. To be called in the order in which the sheets were taken.
    pub fn begin(self: &Arc<Self>, claim: ClaimRef) -> Turn {
        self.sheets().insert(claim, None);
        Turn {
            turns: Arc::clone(self),
            claim,
        }
    }

    fn sheets(&self) -> MutexGuard<'_, BTreeMap<ClaimRef, Option<Arc<Ids>>>> {
        self.sheets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no older sheet has an order of this one, as far as is known.
    fn is_free(&self, claim: ClaimRef, ids: &Ids) -> bool {
        let sheets = self.sheets();
        let mut older = sheets.range(..claim);
        older.all(|(_claim, theirs)| theirs.as_ref().is_some_and(|theirs| !theirs.shares(ids)))
    }
}

impl Turn {
    /// Says which orders are in the sheet.
    pub fn know(&self, ids: Ids) -> Arc<Ids> {
        let ids = Arc::new(ids);
        self.turns.sheets().insert(self.claim, Some(Arc::clone(&ids)));
        self.turns.changed.notify_waiters();
        ids
    }

    /// Waits until no older sheet has one of these orders.
    pub async fn wait(&self, ids: Ids) {
        let ids = self.know(ids);
        loop {
            // Listened for before the look, so that no change is missed in between.
            let mut changed = std::pin::pin!(self.turns.changed.notified());
            changed.as_mut().enable();
            if self.turns.is_free(self.claim, &ids) {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.sheets().remove(&self.claim);
        self.turns.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(turn: &Turn, ids: &[&str]) -> bool {
        let mut waiting = std::pin::pin!(turn.wait(Ids::of(ids.iter().copied())));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        Future::poll(waiting.as_mut(), &mut context).is_pending()
    }

    #[test]
    fn a_sheet_passes_older_ones_that_have_none_of_its_orders() {
        let turns = Arc::new(Turns::default());
        let [large, small, same] = [1, 2, 3].map(|claim| turns.begin(ClaimRef(claim)));
        assert!(waits(&small, &["7"]), "what is in the older one is not known yet");
        assert!(!waits(&large, &["1", "2", "3"]));
        assert!(!waits(&small, &["7"]));
        assert!(waits(&same, &["3", "8"]));
        drop(large);
        assert!(!waits(&same, &["3", "8"]));
    }
}
