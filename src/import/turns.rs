//! Who waits for whom among the sheets that are worked at once. A small sheet of an inbox passes a large one, unless
//! they have an order in common: then the older comes first, so that a cancel, say, follows its order. And whoever has
//! a SKU map in common with a sheet that changes it has the map as it is when it is their turn.
//!
//! Everybody waits for older sheets only, so that the eldest never waits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::config::Inbox;
use crate::ledger::record::ClaimRef;
use crate::order::Ids;

/// The sheets under way, oldest first, with what is in them as soon as it is known.
#[derive(Debug, Default)]
pub struct Turns {
    sheets: Mutex<BTreeMap<ClaimRef, Place>>,
    changed: Notify,
}

/// A sheet's place among the others; given back when it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    claim: ClaimRef,
}

/// What is in a sheet.
#[derive(Debug)]
pub struct Contents {
    /// Its orders.
    pub ids: Ids,
    /// Whether it is taken into the inbox's SKU map.
    pub extends_map: bool,
}

#[derive(Debug)]
struct Place {
    inbox: String,
    /// The SKU map that it reads or changes.
    map: Option<PathBuf>,
    /// None until it was read.
    contents: Option<Arc<Contents>>,
    /// Whether it is worked now, or only known of.
    is_worked: bool,
    /// The map as it is for this sheet was read: who comes later may change it.
    has_map: bool,
}

impl Turns {
    /// Puts a sheet in its place. To be called in the order in which the sheets were taken.
    pub fn begin(self: &Arc<Self>, claim: ClaimRef, inbox: &Inbox) -> Turn {
        self.put(claim, &inbox.name, inbox.sku_map.clone())
    }

    fn put(self: &Arc<Self>, claim: ClaimRef, inbox: &str, map: Option<PathBuf>) -> Turn {
        let place = Place {
            inbox: inbox.to_owned(),
            map,
            contents: None,
            is_worked: false,
            has_map: false,
        };
        self.sheets().insert(claim, place);
        Turn {
            turns: Arc::clone(self),
            claim,
        }
    }

    fn sheets(&self) -> MutexGuard<'_, BTreeMap<ClaimRef, Place>> {
        self.sheets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this sheet waits for no older one, as far as is known.
    fn is_free(&self, claim: ClaimRef, contents: &Contents) -> bool {
        let sheets = self.sheets();
        let Some(mine) = sheets.get(&claim) else {
            return true;
        };
        let mut older = sheets.range(..claim);
        older.all(|(_claim, theirs)| !theirs.blocks(mine, contents))
    }
}

impl Place {
    /// Whether a younger sheet has to wait for this one.
    fn blocks(&self, mine: &Self, contents: &Contents) -> bool {
        let same_inbox = self.inbox == mine.inbox;
        let same_map = self.map.is_some() && self.map == mine.map;
        // In another inbox it may wait for a folder that is away: only what is worked comes to its end by itself.
        if !(same_inbox || same_map && self.is_worked) {
            return false;
        }
        let Some(theirs) = &self.contents else { return true };
        same_inbox && theirs.ids.shares(&contents.ids)
            || same_map && (theirs.extends_map || contents.extends_map && !self.has_map)
    }
}

impl Turn {
    /// Says that the sheet is worked from now on.
    pub fn work(&self) {
        self.change(|place| place.is_worked = true);
    }

    /// Says that the sheet waits for its account's service, which may be away for long: sheets of other inboxes, which may
    /// be of other accounts, do not wait for it until it is worked again.
    pub fn rest(&self) {
        self.change(|place| place.is_worked = false);
    }

    /// Says what is in the sheet.
    pub fn know(&self, contents: Contents) -> Arc<Contents> {
        let contents = Arc::new(contents);
        self.change(|place| place.contents = Some(Arc::clone(&contents)));
        contents
    }

    /// Waits until no older sheet has one of these orders, or changes the SKU map.
    pub async fn wait(&self, contents: Contents) {
        let contents = self.know(contents);
        loop {
            // Listened for before the look, so that no change is missed in between.
            let mut changed = std::pin::pin!(self.turns.changed.notified());
            changed.as_mut().enable();
            if self.turns.is_free(self.claim, &contents) {
                return;
            }
            changed.await;
        }
    }

    /// Says that the SKU map was read: what comes later may change it.
    pub fn has_map(&self) {
        self.change(|place| place.has_map = true);
    }

    fn change(&self, change: impl FnOnce(&mut Place)) {
        if let Some(place) = self.turns.sheets().get_mut(&self.claim) {
            change(place);
        }
        self.turns.changed.notify_waiters();
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

    fn is_pending(turn: &Turn, contents: Contents) -> bool {
        let mut waiting = std::pin::pin!(turn.wait(contents));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        Future::poll(waiting.as_mut(), &mut context).is_pending()
    }

    fn waits(turn: &Turn, ids: &[&str]) -> bool {
        let ids = Ids::of(ids.iter().copied());
        is_pending(
            turn,
            Contents {
                ids,
                extends_map: false,
            },
        )
    }

    fn map_waits(turn: &Turn) -> bool {
        let contents = Contents {
            ids: Ids::of([]),
            extends_map: true,
        };
        is_pending(turn, contents)
    }

    #[test]
    fn a_sheet_passes_older_ones_that_have_none_of_its_orders() {
        let turns = Arc::new(Turns::default());
        let [large, small, same] = [1, 2, 3].map(|claim| turns.put(ClaimRef(claim), "main", None));
        assert!(waits(&small, &["7"]), "what is in the older one is not known yet");
        assert!(!waits(&large, &["1", "2", "3"]));
        assert!(!waits(&small, &["7"]));
        assert!(waits(&same, &["3", "8"]));
        drop(large);
        assert!(!waits(&same, &["3", "8"]));
    }

    #[test]
    fn a_sheet_waits_for_an_older_one_that_changes_its_map_and_passes_a_younger_one() {
        let turns = Arc::new(Turns::default());
        let [older, map, younger] =
            [1, 2, 3].map(|claim| turns.put(ClaimRef(claim), "main", Some("map.csv".into())));
        assert!(!waits(&older, &["1"]));
        assert!(map_waits(&map), "the older one has not read the map as it was");
        assert!(waits(&younger, &["2"]));
        older.has_map();
        assert!(
            !map_waits(&map),
            "that is still under way, with the map that it has"
        );
        assert!(waits(&younger, &["2"]));
        drop(map);
        assert!(!waits(&younger, &["2"]));
    }

    #[test]
    fn inboxes_wait_for_each_other_where_they_share_a_map_and_the_older_sheet_is_worked() {
        let turns = Arc::new(Turns::default());
        let put = |claim, inbox, map: Option<&str>| turns.put(ClaimRef(claim), inbox, map.map(Into::into));
        let map = put(1, "anna", Some("map.csv"));
        let same = put(2, "berta", Some("map.csv"));
        let other = put(3, "clara", Some("other.csv"));
        let none = put(4, "dora", None);
        assert!(!waits(&same, &["1"]), "it waits for its folder, say");
        map.work();
        assert!(waits(&same, &["1"]));
        assert!(!map_waits(&map));
        assert!(waits(&same, &["1"]));
        assert!(!waits(&other, &["1"]) && !waits(&none, &["1"]));
        map.rest();
        assert!(!waits(&same, &["1"]), "it waits for its service");
        map.work();
        assert!(waits(&same, &["1"]));
        drop(map);
        assert!(!waits(&same, &["1"]));
        same.work();
        assert!(!waits(&other, &["1"]), "the same number in two shops");
    }
}
