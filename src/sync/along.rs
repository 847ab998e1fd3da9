//! A sheet's orders read from the list while others of it are still being created, so that little is left to be read when
//! the last one is. Whether the list grows at its front or at its end is not stated: it is seen.

use jiff::Timestamp;
use rustc_hash::FxHashSet;

use super::reading::is_no_page;
use super::{List, PAGE, WalkError, full_page, note_page, read_pages};
use crate::clock::Now;
use crate::ledger::record::{AccountRef, ClaimRef};
use crate::ledger::{Ledger, LedgerError};
use crate::order::{IdHash, id_hash};

/// How far the list is read along with the creates of one sheet.
#[derive(Debug)]
pub struct Along {
    account: AccountRef,
    claim: ClaimRef,
    /// When the sheet was taken: none of its orders is older.
    from: Timestamp,
    /// What the latest round has shown: where the next one comes upon it, it is at its end.
    seen: FxHashSet<IdHash>,
    cursor: Cursor,
    asked: u64,
    /// How many creates were answered when it was last read.
    created: u64,
    /// It has failed once: all is read at the end.
    failed: bool,
}

/// What a page has shown.
#[derive(Clone, Copy, Debug)]
struct Shown {
    orders: usize,
    new: usize,
    /// Of these, orders whose own creates are not answered yet: they are to be read again.
    under_way: usize,
}

/// Which page is asked for next, by what those before it have shown.
#[derive(Debug, Default)]
struct Cursor {
    first: u32,
    page: u32,
    /// A page's worth of orders has come since the round before, of which the first page must show some.
    has_grown: bool,
    /// The pages before this one have been full, and whatever is on them is read.
    full_to: u32,
    /// Where a list that grows at its end is read on.
    end: Option<u32>,
}

impl Cursor {
    /// Begins a round; gives the page to ask for.
    fn begin(&mut self, first: u32, has_grown: bool) -> u32 {
        self.first = first;
        self.has_grown = has_grown;
        self.full_to = self.full_to.max(first);
        self.page = self.end.unwrap_or(first);
        self.page
    }

    /// The next page of the round; none at its end.
    fn next(&mut self, shown: Shown) -> Option<u32> {
        let is_full = shown.orders >= usize::from(PAGE) && (shown.under_way == 0 || self.end.is_none());
        let after = self.page.saturating_add(1);
        // The pages before it were; one that has to be read again is none of them.
        if is_full && shown.under_way == 0 && self.page == self.full_to {
            self.full_to = after;
        }
        let next = if self.end.is_some() {
            let next = is_full.then_some(after);
            self.end = next.or(self.end);
            next
        } else if self.page == self.first && self.has_grown && shown.new == 0 {
            self.end = Some(self.full_to);
            self.end
        } else {
            // Orders that come meanwhile shift the others to later pages, where some of them are shown again.
            (is_full && shown.new.saturating_mul(2) >= shown.orders).then_some(after)
        };
        self.page = next.unwrap_or(self.page);
        next
    }
}

impl Along {
    /// Nothing is read yet of a sheet's orders.
    pub fn new(account: AccountRef, (claim, taken_at): (ClaimRef, Timestamp)) -> Self {
        Self {
            account,
            claim,
            from: taken_at,
            seen: FxHashSet::default(),
            cursor: Cursor::default(),
            asked: 0,
            created: 0,
            failed: false,
        }
    }

    /// Whether so many creates have been answered since the sheet's first that another page may be full.
    pub fn is_due(&self, created: u64) -> bool {
        !self.failed && created >= self.created.saturating_add(u64::from(PAGE))
    }

    /// Reads what has come, when so many creates have been answered: a page for each page of them and two besides, which
    /// are far fewer than one for five creates.
    ///
    /// # Errors
    /// Where the ledger cannot be kept. What cannot be read is read at the end.
    pub async fn read(
        &mut self,
        list: List<'_>,
        ledger: &Ledger,
        created: u64,
        now: &Now,
    ) -> Result<(), LedgerError> {
        let most = created.saturating_sub(self.created) / u64::from(PAGE) + 2;
        self.round(list, ledger, (created, most), now).await
    }

    async fn round(
        &mut self,
        list: List<'_>,
        ledger: &Ledger,
        (created, most): (u64, u64),
        now: &Now,
    ) -> Result<(), LedgerError> {
        let window = list.window(self.from, now);
        let has_grown = !self.seen.is_empty() && created >= self.created.saturating_add(u64::from(PAGE));
        self.created = created;
        let mut next = Some(self.cursor.begin(list.first_page.likely(), has_grown));
        let most = self.asked.saturating_add(most);
        let mut shown_now = FxHashSet::default();
        while let Some(page) = next.filter(|_page| self.asked < most) {
            self.asked += 1;
            let answer = match full_page(list, window, page).await.1 {
                Ok(answer) => answer.value,
                // The first is 1.
                Err(failure) if page == 0 && is_no_page(&failure) => {
                    next = Some(self.cursor.begin(1, has_grown));
                    continue;
                }
                Err(failure) => {
                    tracing::debug!(%failure, "the list is read when all orders of the sheet are created");
                    self.failed = true;
                    return Ok(());
                }
            };
            let orders = answer.shown();
            let mut new = answer.orders;
            new.retain(|order| {
                let id = id_hash(&order.pw_order_id);
                shown_now.insert(id) && !self.seen.contains(&id)
            });
            let new_ones = new.len();
            let noted = note_page(ledger, self.account, new, now).await?;
            for pw_order_id in &noted.under_way {
                shown_now.remove(&id_hash(pw_order_id));
            }
            next = self.cursor.next(Shown {
                orders,
                new: new_ones,
                under_way: noted.under_way.len(),
            });
        }
        self.seen = shown_now;
        Ok(())
    }

    /// Reads the rest when the last order of the sheet is created, and so many creates have been answered; with what was
    /// read along with at most a request for each five of the sheet's. What these do not reach comes with the next walk.
    ///
    /// # Errors
    /// Where the list does not answer, or the ledger cannot be kept.
    pub async fn finish(
        mut self,
        list: List<'_>,
        ledger: &Ledger,
        answered: u64,
        now: &Now,
    ) -> Result<(), WalkError> {
        let claim = self.claim;
        let (created, _unread) = ledger.read(|store| store.created_by(claim))?;
        if created == 0 {
            return Ok(());
        }
        let most = (created / 5).max(1);
        if self.asked > 0 && !self.failed {
            let left = most.saturating_sub(self.asked);
            self.round(list, ledger, (answered, left), now).await?;
            if ledger.read(|store| store.created_by(claim))?.1 == 0 {
                return Ok(());
            }
        }
        let most = most.saturating_sub(self.asked);
        read_pages(list, ledger, (self.account, created, most), self.from, now).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The newest orders of a round, whose creates are under way.
    const UNDER_WAY: u32 = 48;

    /// The names on a page of a list of so many orders, the eldest of which is 1.
    fn names(page: u32, count: u32, newest_first: bool) -> Vec<u32> {
        let size = u32::from(PAGE);
        let places = ((page - 1) * size).min(count)..(page * size).min(count);
        places
            .map(|place| if newest_first { count - place } else { place + 1 })
            .collect()
    }

    /// Reads a list of so many orders, some more at each round; gives how many pages were asked for, and how many orders
    /// were shown when their creates were answered.
    fn read(counts: &[u32], newest_first: bool) -> (usize, usize) {
        let mut cursor = Cursor::default();
        let (mut all, mut seen) = (FxHashSet::<u32>::default(), FxHashSet::<u32>::default());
        let mut asked = 0;
        let mut before = None;
        for (round, &count) in counts.iter().enumerate() {
            let under_way = if round + 1 == counts.len() { 0 } else { UNDER_WAY };
            let answered = count.saturating_sub(under_way);
            let has_grown = before.is_some_and(|before| count >= before + u32::from(PAGE));
            before = Some(count);
            let mut shown_now = FxHashSet::default();
            let mut next = Some(cursor.begin(1, has_grown));
            while let Some(page) = next {
                asked += 1;
                assert!(asked < 1_000, "without an end");
                let names = names(page, count, newest_first);
                let new = names.iter().filter(|name| !seen.contains(name)).count();
                let read = names.iter().filter(|name| **name <= answered);
                all.extend(read.clone());
                let late = names.iter().filter(|name| **name > answered).count();
                shown_now.extend(read.copied());
                next = cursor.next(Shown {
                    orders: names.len(),
                    new,
                    under_way: late,
                });
            }
            seen = shown_now;
        }
        (asked, all.len())
    }

    #[test]
    fn a_list_that_grows_at_its_front_or_its_end_is_read_once() {
        // Nothing has come since the last round but answers to those under way.
        let counts: Vec<u32> = (1..=20).map(|round| round * 700).chain([14_000]).collect();
        for newest_first in [true, false] {
            let (asked, shown) = read(&counts, newest_first);
            assert_eq!(shown, 14_000, "newest first: {newest_first}");
            // 70 pages are full of them; each round ends at one that it has seen, or that is not full.
            assert!(asked <= 70 + 2 * 21, "{asked}");
        }
    }

    #[test]
    fn orders_from_before_the_sheet_are_read_past() {
        let counts: Vec<u32> = (0..10).map(|round| 5_000 + round * 300).collect();
        for newest_first in [true, false] {
            let (asked, shown) = read(&counts, newest_first);
            assert_eq!(shown, 7_700, "newest first: {newest_first}");
            assert!(asked <= 39 + 2 * 10, "{asked}");
        }
    }

    #[test]
    fn a_list_that_shows_nothing_yet_costs_a_request_a_round() {
        let (asked, shown) = read(&[0; 10], true);
        assert_eq!((asked, shown), (10, 0));
    }
}
