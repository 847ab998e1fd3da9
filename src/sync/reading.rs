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
/// begin the whole list anew, and might never come to the end of a long one.
const PAGE_REPEATS: u32 = 2;

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
            repeats: if answers { PAGE_REPEATS } else { 0 },
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
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;

    use serde_json::json;

    use super::*;
    use crate::service::tests::stub::{Act, Seen, Stub, fine};
    use crate::sync::FirstPage;

    /// A list of which every page of every window has an order that no other has.
    fn endless(seen: &Seen) -> Act {
        if !seen.line.contains("orders/list") {
            return fine(seen);
        }
        let query = seen.json();
        let id = format!(
            "PW {} {} {}",
            query["created_at_min"], query["created_at_max"], query["page"]
        );
        let page = json!({"status": 200, "orders": [{"pw_order_id": id, "order_name": "1001"}]});
        Act::Answer(200, page.to_string())
    }

    /// What a reading of a week comes to: the orders that it has shown, and whether it is whole.
    async fn read(stub: &Stub) -> (usize, Result<(), ReadError>) {
        let (client, first_page) = (stub.client(), FirstPage::default());
        let days = (
            DateTime::constant(2026, 11, 1, 0, 0, 0, 0),
            DateTime::constant(2026, 11, 8, 0, 0, 0, 0),
        );
        let mut reading = Reading::new(List::new(&client, &first_page), days, None);
        let mut shown = 0;
        loop {
            match reading.next().await {
                Ok(Some((orders, _date))) => shown += orders.len(),
                Ok(None) => return (shown, Ok(())),
                Err(error) => return (shown, Err(error)),
            }
        }
    }

    /// A list that refuses every page but those from `first` on that have orders, and the first one.
    async fn strict(first: u64, orders: usize, code: u16) -> Stub {
        Stub::start(move |seen| {
            let Some(page) = seen.json()["page"].as_u64() else {
                return fine(seen);
            };
            let ids: Vec<usize> = (0..orders).collect();
            let pages: Vec<&[usize]> = ids.chunks(usize::from(PAGE)).collect();
            let shown = page
                .checked_sub(first)
                .and_then(|at| pages.get(usize::try_from(at).unwrap()));
            match shown {
                None if page != first => Act::Answer(code, json!({"status": code}).to_string()),
                shown => {
                    let order = |id: &usize| json!({"pw_order_id": id.to_string(), "order_name": "F"});
                    let orders: Vec<_> = shown.into_iter().copied().flatten().map(order).collect();
                    Act::Answer(200, json!({"status": 200, "orders": orders}).to_string())
                }
            }
        })
        .await
    }

    #[tokio::test]
    async fn a_page_past_the_end_may_be_refused() {
        for (code, first, orders) in [
            (400, 0, 0),
            (422, 0, 3),
            (404, 0, 203),
            (404, 1, 0),
            (400, 1, 3),
            (422, 1, 203),
            (404, 1, 203),
        ] {
            let (shown, ended) = read(&strict(first, orders, code).await).await;
            assert_eq!(shown, orders, "{code} from {first}");
            assert!(ended.is_ok(), "{orders} with {code} from {first}: {ended:?}");
        }
    }

    #[tokio::test]
    async fn null_past_the_end_is_an_empty_page() {
        let stub = Stub::start(|seen| match seen.json()["page"].as_u64() {
            None => fine(seen),
            Some(0) => {
                let order = json!({"pw_order_id": "1", "order_name": "F"});
                Act::Answer(200, json!({"status": 200, "orders": [order]}).to_string())
            }
            Some(_) => Act::Answer(
                200,
                json!({"status": 200, "orders": null, "length": 0}).to_string(),
            ),
        })
        .await;
        let (shown, ended) = read(&stub).await;
        assert_eq!(shown, 1);
        assert!(ended.is_ok(), "{ended:?}");
    }

    /// Each page is answered with 429 the first time.
    fn reluctant(asked: &Mutex<HashSet<u64>>, seen: &Seen) -> Act {
        let Some(page) = seen.json()["page"].as_u64() else {
            return fine(seen);
        };
        if asked.lock().unwrap().insert(page) {
            return Act::AnswerWith(429, "Retry-After: 1", json!({"status": 429}).to_string());
        }
        let orders = match page {
            0 => (0..200).collect(),
            1 => vec![200],
            _ => Vec::new(),
        };
        let order = |id: u64| json!({"pw_order_id": id.to_string(), "order_name": "F"});
        let orders: Vec<_> = orders.into_iter().map(order).collect();
        Act::Answer(200, json!({"status": 200, "orders": orders}).to_string())
    }

    #[tokio::test]
    async fn a_list_that_allows_few_requests_is_read_to_its_end_in_one_reading() {
        let asked = Mutex::new(HashSet::new());
        let stub = Stub::start(move |seen| reluctant(&asked, seen)).await;
        let (shown, ended) = read(&stub).await;
        assert_eq!(shown, 201);
        assert!(ended.is_ok(), "{ended:?}");
    }

    #[tokio::test]
    async fn a_page_that_is_answered_with_429_for_ever_is_given_up() {
        let too_many = || Act::AnswerWith(429, "Retry-After: 60", json!({"status": 429}).to_string());
        let is_login = |seen: &Seen| seen.line.contains("auth/");
        let stub = Stub::start(move |seen| if is_login(seen) { fine(seen) } else { too_many() }).await;
        let (_, ended) = read(&stub).await;
        assert!(matches!(ended, Err(ReadError::Failed(_))), "{ended:?}");
        assert_eq!(
            stub.seen("orders/list").len(),
            1,
            "the pause that is asked for is long"
        );
    }

    #[tokio::test]
    async fn a_refusal_after_a_full_page_is_no_end() {
        // Whatever window is asked for, so that halves show no less.
        let (shown, ended) = read(&strict(1, 200, 404).await).await;
        assert!(
            shown >= 200 && matches!(ended, Err(ReadError::Endless)),
            "{shown} {ended:?}"
        );
    }

    #[tokio::test]
    async fn a_list_that_refuses_its_first_pages_is_refused() {
        let stub = Stub::start(|seen| match fine(seen) {
            login if seen.line.contains("auth/") => login,
            _ => Act::Answer(404, json!({"status": 404}).to_string()),
        })
        .await;
        let (shown, ended) = read(&stub).await;
        let Err(ReadError::Failed(failure)) = ended else {
            panic!("{ended:?}")
        };
        assert_eq!(
            (shown, failure.verdict),
            (0, crate::service::Verdict::Misconfigured)
        );
        assert_eq!(stub.seen("orders/list").len(), 2);
    }

    #[tokio::test]
    async fn a_list_without_an_end_is_given_up() {
        let stub = Stub::start(endless).await;
        let (client, first_page) = (stub.client(), FirstPage::default());
        let days = (
            DateTime::constant(2026, 11, 1, 0, 0, 0, 0),
            DateTime::constant(2026, 11, 8, 0, 0, 0, 0),
        );
        let mut reading = Reading::new(List::new(&client, &first_page), days, None);
        let (mut pages, mut shown) = (0, HashSet::new());
        let ended = loop {
            let (orders, _date) = match reading.next().await {
                Ok(Some(page)) => page,
                ended => break ended,
            };
            pages += 1;
            shown.extend(orders.into_iter().map(|order| order.pw_order_id));
        };
        assert!(matches!(ended, Err(ReadError::Endless)), "{ended:?}");
        assert_eq!(pages, MOST_IN_A_ROW * MOST_PAGES);
        assert_eq!(
            shown.len(),
            3000,
            "each page of each window has an order of its own"
        );
        assert_eq!(stub.seen("orders/list").len(), 3000);
    }
}
