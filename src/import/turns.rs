//! Who waits for whom among the sheets that are worked at once. A small sheet of an inbox passes a large one, unless
//! they have an order in common: then the older comes first, so that a cancel, say, follows its order. And whoever has
//! a SKU map in common with a sheet that changes it has the map as it is when it is their turn.
//!
//! Everybody waits for older sheets only, so that the eldest never waits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use tokio::sync::Notify;

use crate::config::Inbox;
use crate::ledger::record::ClaimRef;
use crate::order::Ids;

/// The sheets under way, oldest first, with what is in them as soon as it is known.
#[derive(Debug, Default)]
pub struct Turns {
    sheets: Mutex<BTreeMap<ClaimRef, QueuedSheet>>,
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
struct QueuedSheet {
    inbox: String,
    /// The SKU map that it reads or changes.
    map: Option<PathBuf>,
    /// None until it was read.
    contents: Option<Arc<Contents>>,
    work: Work,
    /// The map as it is for this sheet was read: who comes later may change it.
    has_map: bool,
    /// It is to be taken into the map, and was not yet.
    owes_map: bool,
}

/// What becomes of a sheet now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// It is only known of.
    Known,
    /// It is worked.
    Worked,
    /// Nobody works it any more, though it owes the map: it is tried again later.
    Left,
}

impl Turns {
    /// Puts a sheet in its place. To be called in the order in which the sheets were taken.
    pub fn begin(self: &Arc<Self>, claim: ClaimRef, inbox: &Inbox) -> Turn {
        self.put(claim, &inbox.name, inbox.sku_map.clone())
    }

    fn put(self: &Arc<Self>, claim: ClaimRef, inbox: &str, map: Option<PathBuf>) -> Turn {
        let place = QueuedSheet {
            inbox: inbox.to_owned(),
            map,
            contents: None,
            work: Work::Known,
            has_map: false,
            owes_map: false,
        };
        self.sheets().insert(claim, place);
        Turn {
            turns: Arc::clone(self),
            claim,
        }
    }

    /// Says that nobody works the sheets of an inbox any more, for its folder does not answer: those of other inboxes do not
    /// wait for them. What one of them owes the SKU map is still owed.
    pub fn give_up(&self, inbox: &str) {
        for theirs in self.sheets().values_mut().filter(|theirs| theirs.inbox == inbox) {
            theirs.work = if theirs.owes_map { Work::Left } else { Work::Known };
        }
        self.changed.notify_waiters();
    }

    fn sheets(&self) -> MutexGuard<'_, BTreeMap<ClaimRef, QueuedSheet>> {
        self.sheets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this sheet waits for no older one any more, as far as is known. Gives then the inbox of one that changes
    /// its SKU map and was left.
    fn is_free(&self, claim: ClaimRef, contents: &Contents) -> Poll<Option<String>> {
        let sheets = self.sheets();
        let Some(mine) = sheets.get(&claim) else {
            return Poll::Ready(None);
        };
        let older = || sheets.range(..claim).map(|(_claim, theirs)| theirs);
        if older().any(|theirs| theirs.blocks(mine, contents)) {
            return Poll::Pending;
        }
        let left = older().find(|theirs| theirs.work == Work::Left && theirs.shares_map(mine));
        Poll::Ready(left.map(|theirs| theirs.inbox.clone()))
    }
}

impl QueuedSheet {
    /// Whether a younger sheet has to wait for this one.
    fn blocks(&self, mine: &Self, contents: &Contents) -> bool {
        if self.work == Work::Left {
            return false;
        }
        let (same_inbox, same_map) = (self.inbox == mine.inbox, self.shares_map(mine));
        // In another inbox it may wait for a folder that is away: only what is worked comes to its end by itself.
        if !(same_inbox || same_map && self.work == Work::Worked) {
            return false;
        }
        let Some(theirs) = &self.contents else { return true };
        same_inbox && theirs.ids.shares(&contents.ids)
            || same_map && (self.owes_map || contents.extends_map && !self.has_map)
    }

    fn hold(&mut self, contents: Arc<Contents>) {
        self.owes_map = contents.extends_map;
        self.contents = Some(contents);
    }

    fn shares_map(&self, mine: &Self) -> bool {
        self.map.is_some() && self.map == mine.map
    }
}

impl Turn {
    /// Says that the sheet is worked from now on.
    pub fn work(&self) {
        self.change(|place| place.work = Work::Worked);
    }

    /// Says that the sheet waits for its account's service, which may be away for long: sheets of other inboxes, which may
    /// be of other accounts, do not wait for it until it is worked again.
    pub fn rest(&self) {
        self.change(|place| place.work = Work::Known);
    }

    /// Says what is in the sheet, unless that is known: who reads it in passing may come to its end when whoever works it has
    /// long taken it into the map.
    pub fn foresee(&self, contents: Contents) {
        self.change(|place| {
            if place.contents.is_none() {
                place.hold(Arc::new(contents));
            }
        });
    }

    fn know(&self, contents: Contents) -> Arc<Contents> {
        let contents = Arc::new(contents);
        self.change(|place| place.hold(Arc::clone(&contents)));
        contents
    }

    /// Waits until no older sheet has one of these orders, or changes the SKU map. Gives the inbox of one that changes
    /// the map and could not be taken into it: what needs the map has to wait on.
    pub async fn wait(&self, contents: Contents) -> Option<String> {
        let contents = self.know(contents);
        loop {
            // Listened for before the look, so that no change is missed in between.
            let mut changed = std::pin::pin!(self.turns.changed.notified());
            changed.as_mut().enable();
            if let Poll::Ready(left) = self.turns.is_free(self.claim, &contents) {
                return left;
            }
            changed.await;
        }
    }

    /// Says that the sheet is in the SKU map, or never comes into it.
    pub fn settle_map(&self) {
        self.change(|place| place.owes_map = false);
    }

    /// Says that the SKU map was read: what comes later may change it.
    pub fn has_map(&self) {
        self.change(|place| place.has_map = true);
    }

    fn change(&self, change: impl FnOnce(&mut QueuedSheet)) {
        if let Some(place) = self.turns.sheets().get_mut(&self.claim) {
            change(place);
        }
        self.turns.changed.notify_waiters();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut sheets = self.turns.sheets();
        match sheets.get_mut(&self.claim) {
            // By the map as it is now, younger sheets would be sent as other products.
            Some(place) if place.owes_map => place.work = Work::Left,
            _ => drop(sheets.remove(&self.claim)),
        }
        drop(sheets);
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
    fn sheets_of_an_inbox_that_was_given_up_keep_no_other_inbox_waiting_for_their_map() {
        let turns = Arc::new(Turns::default());
        let put = |claim, inbox: &str| turns.put(ClaimRef(claim), inbox, Some("map.csv".into()));
        let [begun, waiting, other] =
            [(1, "silent"), (2, "silent"), (3, "other")].map(|(n, inbox)| put(n, inbox));
        begun.work();
        waiting.work();
        assert!(waits(&other, &["7"]));
        turns.give_up("silent");
        assert!(!waits(&other, &["7"]));
        assert!(
            waits(&waiting, &["8"]),
            "in its own inbox the older one is still first"
        );
        // One that was to be taken into the map is still to be.
        drop(waiting);
        assert!(!map_waits(&begun));
        turns.give_up("silent");
        let contents = Contents {
            ids: Ids::of(["9"]),
            extends_map: false,
        };
        let mut left = std::pin::pin!(other.wait(contents));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert_eq!(
            Future::poll(left.as_mut(), &mut context),
            Poll::Ready(Some("silent".to_owned()))
        );
    }

    #[test]
    fn a_sheet_that_could_not_be_taken_into_the_map_is_passed_by_none_that_has_the_map() {
        let turns = Arc::new(Turns::default());
        let put = |claim, map: &str| turns.put(ClaimRef(claim), "main", Some(map.into()));
        let left = |turn: &Turn| {
            let mut waiting = std::pin::pin!(turn.wait(Contents {
                ids: Ids::of([]),
                extends_map: false,
            }));
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            Future::poll(waiting.as_mut(), &mut context)
        };
        let [map, younger, other] = [put(1, "map.csv"), put(2, "map.csv"), put(3, "other.csv")];
        assert!(!map_waits(&map));
        drop(map);
        assert_eq!(left(&younger), Poll::Ready(Some("main".to_owned())));
        assert_eq!(left(&other), Poll::Ready(None));
        let again = put(1, "map.csv");
        assert!(waits(&younger, &[]), "it is tried again");
        assert!(!map_waits(&again));
        again.settle_map();
        assert_eq!(left(&younger), Poll::Ready(None));
        drop(again);
        assert_eq!(left(&younger), Poll::Ready(None));
        assert_eq!(turns.sheets().len(), 2);
    }

    #[test]
    fn what_is_read_of_a_sheet_in_passing_counts_for_nothing_once_whoever_works_it_knows_more() {
        let turns = Arc::new(Turns::default());
        let [map, younger] = [1, 2].map(|claim| turns.put(ClaimRef(claim), "main", Some("map.csv".into())));
        let read = || Contents {
            ids: Ids::of(["1"]),
            extends_map: true,
        };
        map.foresee(read());
        assert!(waits(&younger, &["2"]), "it is to be taken into the map");
        assert!(!map_waits(&map));
        map.settle_map();
        map.foresee(read());
        assert!(!waits(&younger, &["2"]));
        drop(map);
        assert_eq!(turns.sheets().len(), 1, "its place is given back");
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
