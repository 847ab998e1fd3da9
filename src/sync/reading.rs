//! Every order of the list between two moments, page by page: a window that has more pages than are read of one, or
//! cannot be paged, is read by halves.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use jiff::SignedDuration;
use jiff::Timestamp;
use jiff::civil::DateTime;

use super::list::PageAnswer;
use super::pages::{Pages, Turn};
use super::{List, PAGE, ReadError};
use crate::service::{Answer, Failure, Heard, ListOrders, ListedOrder, OrderPage};

/// Most pages of one window; more are read by halves. 1 000 pages are 200 000 orders, of which the ids are held in memory.
pub(super) const MOST_PAGES: u32 = 1_000;

/// After so many windows in a row that have more pages than are read of one, each a half of the one before it, the list
/// has no end: none of them came to one.
const MOST_IN_A_ROW: u32 = 3;

/// A window that cannot be paged is not halved below this.
const SHORTEST_WINDOW: SignedDuration = SignedDuration::from_mins(1);

/// How often a page that does not come is asked for again at once, where the one before it came: whoever gave up would
/// begin the whole list anew, and might never come to the end of a long one. Of a service that harms every third answer a
/// list of fifty pages is read at the second time.
const PAGE_REPEATS: u32 = 4;

/// The same for the first page, where the service is there as far as is known.
const FIRST_REPEATS: u32 = 2;

/// A page's orders, without those that an earlier page of its window has shown, and the service's own clock.
pub(super) type Page = (Vec<ListedOrder>, Option<Timestamp>);

/// A reading of the list. It is whole when its end was reached; before that, what it has shown is there all the same.
pub(super) struct Reading<'a> {
    list: List<'a>,
    search: Option<&'a str>,
    /// What is still to be read, the next one last.
    windows: Vec<(DateTime, DateTime)>,
    open: Option<Window>,
    /// Windows that had too many pages, since one came to its end.
    too_long: u32,
    /// A page has shown an order without an id.
    without_id: bool,
    /// A window is empty by the list's word alone, see `nothing`.
    by_word: bool,
}

/// A window of which pages are being read.
struct Window {
    from: DateTime,
    to: DateTime,
    pages: Pages,
    page: u32,
    zero_refused: bool,
    /// Why page 0 did not come, where it may only fail for a while.
    doubt: Option<Failure>,
    repeats: u32,
    /// Pages that have been asked for already.
    asked: VecDeque<PageAnswer>,
}

/// What came of asking for a page.
enum Came {
    Page(Answer<OrderPage>),
    /// Page 0 is none, as it seems: the first is 1.
    NoFirst,
    /// It lies past the last one.
    NoMore,
    /// The list says that it has none at all there.
    Nothing,
}

impl<'a> Reading<'a> {
    /// A reading between two moments that has asked for nothing yet; `search` asks for the orders of a name.
    pub(super) fn new(list: List<'a>, (from, to): (DateTime, DateTime), search: Option<&'a str>) -> Self {
        Self {
            list,
            search,
            windows: vec![(from, to)],
            open: None,
            too_long: 0,
            without_id: false,
            by_word: false,
        }
    }

    /// Whether a part of what was read is empty by the list's word alone.
    pub(super) fn is_by_word(&self) -> bool {
        self.by_word
    }

    /// The next page; none at the end. Where a window is begun anew by halves, orders come again.
    ///
    /// An order without an id is on no page: it cannot be joined, adopted or canceled. The others are, and what they say
    /// is true. But it may be the very one that is looked for, also where another name stands at it, for its record is
    /// broken: were its reading a whole one, an order that was made would be ruled out and sent a second time.
    ///
    /// # Errors
    /// When a page does not come, or the pages have no end; at the end, when an order had no id.
    pub(super) async fn next(&mut self) -> Result<Option<Page>, ReadError> {
        loop {
            let mut window = match self.open.take() {
                Some(window) => window,
                None => match self.windows.pop() {
                    Some((from, to)) => self.begin(from, to).await,
                    None if self.without_id => return Err(ReadError::WithoutId),
                    None => return Ok(None),
                },
            };
            if window.page >= MOST_PAGES {
                self.too_long += 1;
                self.halve(&window)?;
                continue;
            }
            let mut answer = match self.ask(&mut window).await? {
                Came::Page(answer) => answer,
                Came::NoFirst => {
                    window.page = 1;
                    self.open = Some(window);
                    continue;
                }
                came @ (Came::NoMore | Came::Nothing) => {
                    self.by_word |= matches!(came, Came::Nothing);
                    let turn = window.pages.refused();
                    self.close(&window, turn)?;
                    continue;
                }
            };
            let query = query((window.from, window.to), self.search, window.page);
            if let Some(failure) = window.doubt.take() {
                let settled = Box::pin(self.list.without_zero(&query, failure, &answer.value));
                settled.await.map_err(ReadError::Failed)?;
            }
            window.repeats = PAGE_REPEATS;
            if window.zero_refused {
                self.list
                    .first_page
                    .zero_is_refused
                    .store(true, Ordering::Relaxed);
            }
            let shown = answer.value.shown();
            self.without_id |= answer.value.without_id > 0;
            let unidentified = std::mem::take(&mut answer.value.unidentified);
            self.list.first_page.note_unidentified(unidentified);
            let (new, turn) = window.pages.next(window.page, answer.value);
            self.list
                .first_page
                .learn(window.page, shown, window.pages.seen.len());
            if turn == Turn::Whole && window.pages.hides() {
                self.shows_all(&query).await?;
            }
            window.page += 1;
            if turn == Turn::GoOn {
                self.open = Some(window);
            } else {
                self.close(&window, turn)?;
            }
            return Ok(Some((new, answer.service_date)));
        }
    }

    /// Asks for a window's next page.
    async fn ask(&self, window: &mut Window) -> Result<Came, ReadError> {
        let query = query((window.from, window.to), self.search, window.page);
        let zero = &self.list.first_page.zero;
        let asked = window.asked.pop_front();
        let mut once = 0;
        let repeats = if window.page == 0 && zero.is_none() {
            &mut once
        } else {
            &mut window.repeats
        };
        match self.list.page(&query, repeats, asked).await {
            Ok(answer) => Ok(Came::Page(answer)),
            // The first page may be 1.
            Err(failure) if window.page == 0 && zero.may_be_none(&failure) => {
                window.zero_refused = true;
                window.doubt = Some(failure).filter(|failure| !is_no_page(failure));
                if window.doubt.is_none() {
                    // That is an answer: the service is there.
                    window.repeats = PAGE_REPEATS;
                }
                Ok(Came::NoFirst)
            }
            // A page was read, so that what is asked is right but for the page: it may lie past the last one.
            Err(failure) if window.page > u32::from(window.zero_refused) && is_no_page(&failure) => {
                Ok(Came::NoMore)
            }
            // No page was read, nor did one fail for a while.
            Err(failure) if window.doubt.is_none() && self.list.says_nothing(&failure).await => {
                Ok(Came::Nothing)
            }
            Err(failure) => Err(ReadError::Failed(failure)),
        }
    }

    /// Whether a search that has shown none, and counted some, is to be believed.
    async fn shows_all(&self, query: &ListOrders<'_>) -> Result<(), ReadError> {
        if self.search.is_none() {
            return Ok(());
        }
        match self.list.counts_beyond_search(query).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(ReadError::Hidden),
            Err(failure) => Err(ReadError::Failed(failure)),
        }
    }

    async fn begin(&self, from: DateTime, to: DateTime) -> Window {
        let first = query((from, to), self.search, 0);
        let asked = Box::pin(self.list.first_two(&first)).await;
        // Where one of two came, the other is asked for again.
        let answers = asked.iter().any(Result::is_ok);
        Window {
            from,
            to,
            pages: Pages::default(),
            page: 0,
            zero_refused: false,
            doubt: None,
            repeats: match (answers, self.list.is_there) {
                (true, _) => PAGE_REPEATS,
                (false, true) => FIRST_REPEATS,
                (false, false) => 0,
            },
            asked,
        }
    }

    /// Ends a window that has come to its end, or cannot be read to it.
    fn close(&mut self, window: &Window, turn: Turn) -> Result<(), ReadError> {
        match turn {
            Turn::GoOn | Turn::Whole => {
                self.too_long = 0;
                Ok(())
            }
            Turn::Repeats => self.halve(window),
        }
    }

    /// Puts a window's halves in its place.
    fn halve(&mut self, window: &Window) -> Result<(), ReadError> {
        let (from, to) = (window.from, window.to);
        let length = from.duration_until(to);
        let middle = from.checked_add(length / 2).unwrap_or(to);
        if self.too_long >= MOST_IN_A_ROW || length <= SHORTEST_WINDOW || middle >= to {
            return Err(ReadError::Endless);
        }
        // Both halves hold the second in the middle: an order there comes twice and is joined by its id.
        self.windows.push((middle, to));
        self.windows.push((from, middle));
        Ok(())
    }
}

/// Whether the service says that it has no such page: the first may be 1, and one past the end may be refused.
pub(super) fn is_no_page(failure: &Failure) -> bool {
    matches!(failure.heard, Heard::Said(400 | 404 | 422))
}

fn query((from, to): (DateTime, DateTime), search: Option<&str>, page: u32) -> ListOrders<'_> {
    ListOrders {
        from,
        to,
        search,
        limit: PAGE,
        page,
    }
}

#[cfg(test)]
mod tests;
