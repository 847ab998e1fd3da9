//! A sheet's orders read from the list while others of it are still being created, so that little is left to be read when
//! the last one is. Whether the list grows at its front or at its end is not stated: it is seen.

use jiff::Timestamp;
use rustc_hash::FxHashSet;

use super::{List, PAGE, WalkError, full_page, note_page, read_pages};
use crate::clock::Now;
use crate::ledger::record::{AccountRef, ClaimRef};
use crate::ledger::{Ledger, LedgerError};
use crate::order::{IdHash, id_hash};
use crate::service::OrderPage;

/// How far the list is read along with the creates of one sheet.
#[derive(Debug)]
pub struct Along {
    account: AccountRef,
    claim: ClaimRef,
    /// When the sheet was taken: none of its orders is older.
    from: Timestamp,
    /// What the latest round has shown: where the next one comes upon it, it is at its end.
    seen: FxHashSet<IdHash>,
    /// What the first page has shown last, which a round at the end of the list does not come upon.
    front: FxHashSet<IdHash>,
    cursor: Cursor,
    asked: u64,
    /// How many of the sheet's orders were created when it was last read.
    created: u64,
    /// It has failed once: all is read at the end.
    failed: bool,
}

/// What a page has shown.
#[derive(Clone, Copy, Debug)]
struct Shown {
    orders: usize,
    is_full: bool,
    new: usize,
    /// Of these, those that are to be read again: their own creates are not answered yet, or their totals not shown.
    late: usize,
}

/// The most pages that a round asks for in which so many orders have come: what comes while it reads shifts others to later
/// pages, where they are shown again, and a round that ends before all are read leaves some for the end.
fn pages_of(orders: u64) -> u64 {
    orders.saturating_mul(3) / (2 * u64::from(PAGE)) + 2
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
        let after = self.page.saturating_add(1);
        // The pages before it were; one that has to be read again is none of them.
        if shown.is_full && shown.late == 0 && self.page == self.full_to {
            self.full_to = after;
        }
        let next = if self.end.is_some() {
            self.next_at_end(shown, after)
        } else if self.page == self.first && self.has_grown && shown.new == 0 {
            self.end = Some(self.full_to);
            self.end
        } else {
            // 0 may be taken for 1, and shown twice.
            let is_repeated = self.page == 1 && self.first == 0 && shown.new == 0;
            // Orders that come meanwhile shift the others to later pages, where some of them are shown again.
            let is_new = shown.new.saturating_mul(2) >= shown.orders;
            (shown.is_full && (is_new || is_repeated)).then_some(after)
        };
        self.page = next.unwrap_or(self.page);
        next
    }

    fn next_at_end(&mut self, shown: Shown, after: u32) -> Option<u32> {
        if shown.orders > 0 && shown.new == 0 {
            // Nothing has come here either: it was the list that was late.
            self.end = None;
            return None;
        }
        let next = (shown.is_full && shown.late == 0).then_some(after);
        self.end = next.or(self.end);
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
            front: FxHashSet::default(),
            cursor: Cursor::default(),
            asked: 0,
            created: 0,
            failed: false,
        }
    }

    /// Whether so many of the sheet's orders are created that another page may be full.
    pub fn is_due(&self, created: u64) -> bool {
        !self.failed && created >= self.created.saturating_add(u64::from(PAGE))
    }

    /// Reads what has come, when so many of the sheet's orders are created: far fewer pages than one for five creates.
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
        let most = pages_of(created.saturating_sub(self.created));
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
                Err(failure) if page == 0 && list.first_page.zero.may_be_none(&failure) => {
                    next = Some(self.cursor.begin(1, has_grown));
                    continue;
                }
                Err(failure) => {
                    tracing::debug!(%failure, "the list is read when all orders of the sheet are created");
                    self.failed = true;
                    return Ok(());
                }
            };
            if page == 0 && answer.shown() == 0 {
                next = Some(self.cursor.begin(1, has_grown));
                continue;
            }
            let shown = self.note((page, answer), &mut shown_now, (ledger, now)).await?;
            next = self.cursor.next(shown);
        }
        self.seen = shown_now;
        Ok(())
    }

    /// Writes down what is new on a page.
    async fn note(
        &mut self,
        (page, answer): (u32, OrderPage),
        shown_now: &mut FxHashSet<IdHash>,
        (ledger, now): (&Ledger, &Now),
    ) -> Result<Shown, LedgerError> {
        let orders = answer.shown();
        let is_full = orders >= usize::from(PAGE) || answer.limit.is_some_and(|limit| orders >= limit);
        let mut new = answer.orders;
        let ids: Vec<IdHash> = new.iter().map(|order| id_hash(&order.pw_order_id)).collect();
        new.retain(|order| {
            let id = id_hash(&order.pw_order_id);
            shown_now.insert(id) && !self.seen.contains(&id) && !self.front.contains(&id)
        });
        let new_ones = new.len();
        let without_total = new.iter().filter(|order| order.amounts.is_none());
        let mut late: Vec<String> = without_total.map(|order| order.pw_order_id.clone()).collect();
        let noted = note_page(ledger, self.account, new, now).await?;
        late.extend(noted.under_way);
        for pw_order_id in &late {
            shown_now.remove(&id_hash(pw_order_id));
        }
        if page == self.cursor.first {
            self.front = ids.into_iter().filter(|id| shown_now.contains(id)).collect();
        }
        Ok(Shown {
            orders,
            is_full,
            new: new_ones,
            late: late.len(),
        })
    }

    /// Reads the rest when the last order of the sheet is created, of so many; with what was read along with at most a
    /// request for each five of them. What these do not reach comes with the next walk.
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

    /// Reads a list that shows so many orders at each round, while more and more are created; gives how many pages were
    /// asked for, and how many orders were shown when their creates were answered.
    fn read(counts: &[u32], newest_first: bool) -> (usize, usize) {
        read_growing(counts, 0, newest_first)
    }

    /// The same where so many orders come with each page that is read.
    fn read_growing(counts: &[u32], with_each_page: u32, newest_first: bool) -> (usize, usize) {
        let mut cursor = Cursor::default();
        let [mut all, mut seen, mut front] = [(); 3].map(|()| FxHashSet::<u32>::default());
        let (mut asked, mut before) = (0, 0);
        for (round, &count) in counts.iter().enumerate() {
            let is_last = round + 1 == counts.len();
            let most = usize::try_from(pages_of(u64::from(count - before))).unwrap();
            let most = if is_last { 1_000 } else { asked + most };
            before = count;
            let growth = if is_last { 0 } else { with_each_page };
            let mut count = count;
            let answered = count.saturating_sub(if is_last { 0 } else { UNDER_WAY });
            let mut shown_now = FxHashSet::default();
            let mut next = Some(cursor.begin(1, round > 0 && !is_last));
            while let Some(page) = next.filter(|_page| asked < most) {
                asked += 1;
                assert!(asked < 1_000, "without an end");
                let names = names(page, count, newest_first);
                count += growth;
                let is_known =
                    |name: &u32| seen.contains(name) || front.contains(name) || shown_now.contains(name);
                let is_new = |name: &&u32| !is_known(name);
                let new = names.iter().filter(is_new).count();
                // What comes while the round reads is answered by the time when its page is written down.
                let is_answered = |name: &u32| with_each_page > 0 || *name <= answered;
                let read: Vec<u32> = names.iter().copied().filter(is_answered).collect();
                let late = names.len() - read.len();
                all.extend(&read);
                shown_now.extend(&read);
                let first_page = (page == 1).then(|| read.into_iter().collect());
                front = first_page.unwrap_or(front);
                next = cursor.next(Shown {
                    orders: names.len(),
                    is_full: names.len() == usize::from(PAGE),
                    new,
                    late,
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
    fn orders_that_come_while_a_round_reads_leave_no_gap_behind_it() {
        // At 20 ms a page comes every 45 ms, and a thousand orders in a second and more.
        let mut counts: Vec<u32> = (1..=14).map(|round| round * 1_390).collect();
        counts.push(14 * 1_390 + 540);
        let (asked, shown) = read_growing(&counts, 48, true);
        assert_eq!(shown, 20_000);
        assert!(asked <= 100 * 3 / 2, "{asked}");
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
    fn a_list_that_is_late_is_read_where_it_grows_all_the_same() {
        for newest_first in [true, false] {
            let late = [700, 700, 700];
            let counts: Vec<u32> = late
                .into_iter()
                .chain((2..=12).map(|round| round * 700))
                .collect();
            assert_eq!(
                read(&counts, newest_first).1,
                8_400,
                "newest first: {newest_first}"
            );
        }
    }

    #[test]
    fn a_list_that_shows_nothing_yet_costs_a_request_a_round() {
        let (asked, shown) = read(&[0; 10], true);
        // Once more, to see whether it grows at its end.
        assert_eq!((asked, shown), (11, 0));
    }
}
