//! Pages of the order list, joined by id, and where they end. Whether the first is 0 or 1 is not stated, nor whether
//! `length` counts the page or all.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

use super::nothing::Nothing;
use super::zero::Zero;
use super::{LEAST_PAGE, PAGE, to_listed};
use crate::ledger::record::ListedRecord;
use crate::order::{IdHash, Order, id_hash};
use crate::service::{ListedOrder, OrderPage};

/// What has been learned of the list: of its first page, so that it is not asked for in vain again, and what it shows
/// without an id.
#[derive(Debug, Default)]
pub struct FirstPage {
    pub(super) zero_is_refused: AtomicBool,
    zero_is_empty: AtomicBool,
    /// Whether there is a page 0 at all.
    pub(super) zero: Zero,
    /// `length` counts orders that a search does not match: it was seen to.
    pub(super) counts_beyond_search: AtomicBool,
    pub(super) nothing: Nothing,
    unidentified: Mutex<Unidentified>,
}

/// What the list shows without an id or a name.
#[derive(Debug, Default)]
struct Unidentified {
    /// Each once, with the reading that has shown it last.
    shown: Vec<(u32, ListedRecord)>,
    /// The number of the reading that goes on.
    reading: u32,
}

/// So many orders without an id and a name are told apart; of a list with more nothing is known.
const MOST_UNIDENTIFIED: usize = 1_000;

impl FirstPage {
    /// Where a reading starts that takes what it gets. One that must be whole always starts at 0.
    pub(super) fn likely(&self) -> u32 {
        u32::from(self.zero_is_refused.load(Ordering::Relaxed) || self.zero_is_empty.load(Ordering::Relaxed))
    }

    /// Notes orders without an id.
    pub(super) fn note_unidentified(&self, shown: Vec<ListedOrder>) {
        if shown.is_empty() {
            return;
        }
        let mut known = self.unidentified.lock().unwrap_or_else(PoisonError::into_inner);
        for order in shown.into_iter().filter(|order| order.order_name.is_empty()) {
            let order = to_listed(&order);
            let is_same = |known: &ListedRecord| {
                known.to_named() == order.to_named() && known.addressee == order.addressee
            };
            let reading = known.reading;
            if let Some((last, _)) = known.shown.iter_mut().find(|(_, known)| is_same(known)) {
                *last = reading;
            } else if known.shown.len() < MOST_UNIDENTIFIED {
                known.shown.push((reading, order));
            }
        }
    }

    /// The list is read once more from where it has shown such orders on.
    pub(super) fn read_again(&self) {
        let mut known = self.unidentified.lock().unwrap_or_else(PoisonError::into_inner);
        known.reading = known.reading.wrapping_add(1);
    }

    /// It was read to its end: what it has not shown again has an id by now.
    pub(super) fn is_read_again(&self) {
        let mut known = self.unidentified.lock().unwrap_or_else(PoisonError::into_inner);
        let reading = known.reading;
        known.shown.retain(|(last, _)| *last == reading);
    }

    /// Whether an order without an id or a name that was shown holds what this one does, and goes to the same place: no
    /// search shows it.
    pub fn may_be_unidentified(&self, order: &Order) -> bool {
        let known = self.unidentified.lock().unwrap_or_else(PoisonError::into_inner);
        let is_this = |known: &ListedRecord| {
            known.zip.is_some() && known.is_same(order) && known.addressee.difference(order).is_none()
        };
        known.shown.len() >= MOST_UNIDENTIFIED || known.shown.iter().any(|(_, known)| is_this(known))
    }

    pub(super) fn learn(&self, page: u32, shown: usize, seen: usize) {
        if page == 0 {
            self.zero.note_answer(shown);
            self.zero_is_empty.store(shown == 0, Ordering::Relaxed);
        } else if page == 1 && seen == 0 {
            // Nothing on either says nothing of which is the first.
            self.zero_is_empty.store(false, Ordering::Relaxed);
        }
    }
}

/// What to do after a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    GoOn,
    Whole,
    Repeats,
}

/// Which orders of a window have come, and whether its pages are at their end.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// As hashes: a day may have a hundred thousand of them.
    pub(super) seen: FxHashSet<IdHash>,
    without_id: usize,
    last_was_full: bool,
    /// The list has told of more than it has shown, or may have cut its last page at a limit that it did not tell.
    says_more: bool,
    /// The list has told of more than it has shown.
    counts_more: bool,
    shape: Shape,
}

/// What the pages that had orders tell of what may lie between or after them.
#[derive(Debug, Default)]
struct Shape {
    /// One had orders that an earlier one has shown, but for a second page that is the first over again.
    overlaps: bool,
    /// The last one may have been cut at a limit.
    may_be_cut: bool,
}

impl Pages {
    /// Joins a page by id; gives what is new on it.
    pub(super) fn next(&mut self, page: u32, answer: OrderPage) -> (Vec<ListedOrder>, Turn) {
        let shown = answer.shown();
        self.without_id = self.without_id.saturating_add(answer.without_id);
        let listed = answer.orders.len();
        let full = shown >= usize::from(PAGE) || answer.limit.is_some_and(|limit| shown >= limit);
        let new: Vec<ListedOrder> = answer
            .orders
            .into_iter()
            .filter(|order| self.seen.insert(id_hash(&order.pw_order_id)))
            .collect();
        if shown > 0 {
            self.shape.overlaps |= new.len() < listed && !(page == 1 && new.is_empty());
            self.shape.may_be_cut = full || (answer.limit.is_none() && shown >= usize::from(LEAST_PAGE));
        }
        let turn = if page == 0 || !new.is_empty() || (page == 1 && shown > 0) {
            Turn::GoOn
        } else if (shown > 0
            && (self.last_was_full || self.shape.may_be_cut)
            && !self.counts_all(shown, answer.length))
            || (answer.length.is_some_and(|all| all > self.known()) && !(shown == 0 && self.is_spent()))
        {
            // The same page over again, which may be a full one where no limit is told, or fewer than the list says it
            // has: there may be more.
            Turn::Repeats
        } else {
            Turn::Whole
        };
        self.last_was_full = full;
        self.counts_more = answer.length.is_some_and(|all| all > self.known());
        self.says_more = self.counts_more || (answer.limit.is_none() && shown >= usize::from(LEAST_PAGE));
        (new, turn)
    }

    /// Whether the list has counted orders and shown none at all.
    pub(super) fn hides(&self) -> bool {
        self.known() == 0 && self.counts_more
    }

    /// How many orders have come. Those without an id cannot be joined and may count twice: a reading that has one is no
    /// whole one however it ends.
    fn known(&self) -> usize {
        self.seen.len().saturating_add(self.without_id)
    }

    /// Whether the list says how many it has in all, and they have come: more than are on one page, so that it is not the
    /// page that it counts. A page past the end may show the last one over again.
    fn counts_all(&self, shown: usize, length: Option<usize>) -> bool {
        length.is_some_and(|all| all == self.known() && all > shown)
    }

    /// Whether a page without orders is the end, however many the list says that it has: `length` may count the whole
    /// account, of which a window or a search shows a part. That nothing is left out is shown by the pages themselves: none
    /// overlaps another, so that they are paged through in order, and the last one with orders had room for more. Where none
    /// had any, two pages in a row were empty.
    fn is_spent(&self) -> bool {
        !self.shape.overlaps && !self.shape.may_be_cut
    }

    /// Where the next page is refused as one that is not there: after a page that was not full this is the end. After a
    /// full one there may be more that cannot be reached, as where the list says how many there are.
    pub(super) fn refused(&self) -> Turn {
        if self.last_was_full || self.says_more {
            Turn::Repeats
        } else {
            Turn::Whole
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(ids: &[u32]) -> OrderPage {
        let orders = ids
            .iter()
            .map(|id| ListedOrder {
                pw_order_id: format!("PW-{id}"),
                order_name: id.to_string(),
                entered_at: None,
                country_code: None,
                zip: None,
                name: String::new(),
                street: String::new(),
                second_line: None,
                city: String::new(),
                amounts: None,
                items: Vec::new(),
                trackings: Vec::new(),
            })
            .collect();
        OrderPage {
            orders,
            without_id: 0,
            unidentified: Vec::new(),
            is_of_orders: true,
            length: None,
            limit: None,
        }
    }

    fn full(from: u32) -> Vec<u32> {
        (from..from + u32::from(PAGE)).collect()
    }

    /// Pages as a service would answer them, and whether the reading is whole; the pages after that are not asked.
    fn reads(pages: &[&[u32]]) -> (usize, Turn) {
        let mut state = Pages::default();
        let mut found = 0;
        for (number, ids) in pages.iter().enumerate() {
            let (new, turn) = state.next(u32::try_from(number).unwrap(), page(ids));
            found += new.len();
            if turn != Turn::GoOn {
                return (found, turn);
            }
        }
        (found, Turn::GoOn)
    }

    #[test]
    fn pages_end_whether_the_first_is_0_or_1() {
        assert_eq!(reads(&[&[], &[]]), (0, Turn::Whole), "nothing at all");
        assert_eq!(
            reads(&[&[1, 2], &[]]),
            (2, Turn::Whole),
            "one page, the first is 0"
        );
        assert_eq!(
            reads(&[&[1, 2], &[1, 2], &[]]),
            (2, Turn::Whole),
            "one page, 0 is taken for 1"
        );
        assert_eq!(
            reads(&[&[], &[1, 2], &[]]),
            (2, Turn::Whole),
            "one page, the first is 1"
        );
        assert_eq!(
            reads(&[&full(0), &full(0), &full(500), &[9999], &[]]),
            (401, Turn::Whole),
            "0 is taken for 1"
        );
        assert_eq!(
            reads(&[&full(0), &full(500), &[9999], &[]]),
            (401, Turn::Whole),
            "the first is 0"
        );
    }

    #[test]
    fn a_full_page_over_again_is_no_end() {
        assert_eq!(reads(&[&full(0), &full(0), &full(0)]), (200, Turn::Repeats));
        assert_eq!(
            reads(&[&[1, 2], &[1, 2], &[1, 2]]),
            (2, Turn::Whole),
            "all fit on the page that is repeated"
        );
    }

    #[test]
    fn a_repeated_page_that_a_service_may_have_cut_is_no_end() {
        let least: Vec<u32> = (0..u32::from(LEAST_PAGE)).collect();
        assert_eq!(reads(&[&least, &least, &least]).1, Turn::Repeats);
        let fewer = &least[1..];
        assert_eq!(reads(&[fewer, fewer, fewer]).1, Turn::Whole);
        assert_eq!(reads(&[&least, &least, &[]]).1, Turn::Whole, "0 is taken for 1");
    }

    #[test]
    fn the_last_page_over_again_is_the_end_where_it_had_room_or_all_are_counted() {
        let least: Vec<u32> = (0..u32::from(LEAST_PAGE)).collect();
        let most: Vec<u32> = (0..45).collect();
        let second = full(500);
        let turns = |limit: usize, length: Option<usize>, pages: &[&[u32]]| {
            let mut state = Pages::default();
            let answers = pages.iter().zip(0..).map(|(ids, number)| {
                let answer = OrderPage {
                    length,
                    limit: Some(limit),
                    ..page(ids)
                };
                state.next(number, answer).1
            });
            answers.last().unwrap()
        };
        for (limit, length, pages, turn) in [
            (200, None, &[&most[..], &most, &most][..], Turn::Whole),
            (200, Some(45), &[&most, &most, &most], Turn::Whole),
            (200, Some(46), &[&most, &most, &most], Turn::Repeats),
            (45, None, &[&most, &most, &most], Turn::Repeats),
            // It may be the page that is counted.
            (45, Some(45), &[&most, &most, &most], Turn::Repeats),
            (200, Some(400), &[&full(0), &second, &second], Turn::Whole),
            (200, Some(200), &[&full(0), &second, &second], Turn::Repeats),
            (20, Some(40), &[&least, &second[..20], &second[..20]], Turn::Whole),
            (
                20,
                Some(60),
                &[&least, &second[..20], &second[..20]],
                Turn::Repeats,
            ),
        ] {
            assert_eq!(turns(limit, length, pages), turn, "{limit} {length:?} {pages:?}");
        }
    }

    #[test]
    fn an_empty_page_is_no_end_while_the_list_says_there_is_more() {
        let mut pages = Pages::default();
        let first = OrderPage {
            length: Some(500),
            ..page(&full(0))
        };
        assert_eq!(pages.next(0, first).1, Turn::GoOn);
        let empty = OrderPage {
            length: Some(500),
            ..page(&[])
        };
        assert_eq!(pages.next(1, empty).1, Turn::Repeats);
    }

    #[test]
    fn an_empty_page_after_one_with_room_is_the_end_whatever_the_whole_account_has() {
        let least: Vec<u32> = (0..u32::from(LEAST_PAGE)).collect();
        let ends = |limit: Option<usize>, pages: &[&[u32]]| {
            let mut state = Pages::default();
            let answers = pages.iter().zip(0..).map(|(ids, number)| {
                let answer = OrderPage {
                    length: Some(900),
                    limit,
                    ..page(ids)
                };
                state.next(number, answer).1
            });
            answers.last().unwrap()
        };
        for (limit, pages, turn) in [
            (None, &[&[][..], &[]][..], Turn::Whole),
            (None, &[&[1, 2], &[]], Turn::Whole),
            (None, &[&[], &[1, 2], &[]], Turn::Whole),
            (None, &[&[1, 2], &[1, 2], &[]], Turn::Whole),
            (None, &[&full(0), &full(500)[..7], &[]], Turn::Whole),
            (Some(200), &[&least, &[]], Turn::Whole),
            (None, &[&least, &[]], Turn::Repeats),
            (Some(2), &[&[1, 2], &[]], Turn::Repeats),
            (Some(200), &[&full(0), &[]], Turn::Repeats),
            (None, &[&[1, 2, 3], &[3, 4], &[]], Turn::Repeats),
            (None, &[&[1, 2], &[1, 2], &[1, 2]], Turn::Repeats),
        ] {
            assert_eq!(ends(limit, pages), turn, "{limit:?} {pages:?}");
        }
    }

    #[test]
    fn a_refused_page_is_the_end_only_after_one_that_was_not_full() {
        for (length, ids, turn) in [
            (None, vec![], Turn::Whole),
            (None, vec![1, 2], Turn::Whole),
            (Some(2), vec![1, 2], Turn::Whole),
            (Some(3), vec![1, 2], Turn::Repeats),
            (None, full(0), Turn::Repeats),
            (Some(200), full(0), Turn::Repeats),
        ] {
            let mut pages = Pages::default();
            let answer = OrderPage { length, ..page(&ids) };
            pages.next(0, answer);
            assert_eq!(pages.refused(), turn, "{} of {length:?}", ids.len());
        }
    }

    #[test]
    fn a_length_of_all_tells_that_more_is_there() {
        let mut pages = Pages::default();
        let short = || OrderPage {
            length: Some(90),
            ..page(&[1, 2])
        };
        assert_eq!(pages.next(0, short()).1, Turn::GoOn);
        assert_eq!(pages.next(1, short()).1, Turn::GoOn);
        assert_eq!(pages.next(2, short()).1, Turn::Repeats);
    }
}
