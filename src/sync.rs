//! The service's order list, read with care: looked up for one order, and walked to learn what the ledger does not
//! know.
//!
//! Whether the first page is 0 or 1, whether `length` counts the page or all, and the zone of the dates are not
//! stated. So pages 0, 1, 2, … are joined by id, windows are widened by a day on each side, and a reading that cannot
//! be shown to be whole counts as none.

mod alarms;
mod along;
mod daily;
mod hours;
mod late;
mod list;
mod look;
mod news;
mod nothing;
mod others;
mod pages;
mod reading;
mod walk;
mod whose;
mod zero;

use futures_util::future;
use futures_util::stream::{self, StreamExt};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::clock::Now;
use crate::ledger::record::{AccountRef, ListedRecord, OrderRef, Seen};
use crate::ledger::state::State;
use crate::ledger::{Ledger, LedgerError, Store};
use crate::reconcile::{Addressee, Named, Signature, is_same_id};
use crate::service::{Failure, ListOrders, ListedOrder};
use crate::standing;

pub use along::Along;
pub(crate) use hours::known_to;
pub use list::List;
pub use look::{Looked, Whole, by_name_alone, look_for, look_through, look_up};
pub use news::{Days, News, One, followed_since, read_news, read_one};
pub use nothing::doubt;
pub use pages::FirstPage;
use pages::{Pages, Turn};
use reading::{MOST_PAGES, Reading};
pub use walk::{Progress, Walk, begun, may_hide, walk, walk_again, walk_from};
pub use zero::zero_fails;

/// The interface's largest page.
const PAGE: u16 = 200;

/// The interface's smallest page: fewer orders than this were not cut by any limit.
const LEAST_PAGE: u16 = 20;

/// How many full pages are asked for at once where each is of use by itself.
const AT_ONCE: usize = 8;

/// A day on each side covers every zone the dates may be in.
const WIDEN: SignedDuration = SignedDuration::from_hours(24);

/// The longest window of a walk.
const WINDOW: SignedDuration = SignedDuration::from_hours(24 * 31);

/// Why the list could not be read to its end. Nothing follows from it.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A page did not come.
    #[error("the order list did not answer")]
    Failed(#[source] Failure),
    /// The pages repeat themselves or never end, however short the window.
    #[error("the order list cannot be paged: it repeats itself or never ends")]
    Endless,
    /// It was read to its end, and some of its orders cannot be told from any other.
    #[error(
        "the order list shows an order without an id that can be read (`pw_order_id`), which may be any; tell the print \
         service: until it has one, nothing is taken to be missing from the list"
    )]
    WithoutId,
    /// It counts an order that matches a search, shows none, and counts none for a search that nothing matches.
    #[error(
        "the order list counts an order of this id and does not show it; tell the print service: until it is shown, the \
         order is not taken to be missing"
    )]
    Hidden,
    /// It fails at a search for one name each time it is asked, and answers otherwise.
    #[error("the order list answers, and fails when it is asked for this order")]
    FailsFor(#[source] Failure),
}

/// Why a walk ended early. What it has committed stays.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// The list could not be read.
    #[error("cannot read the account's order list")]
    Read(#[from] ReadError),
    /// The ledger could not be written.
    #[error("cannot write down what the order list shows")]
    Ledger(#[from] LedgerError),
}

/// A window in the interface's own terms, widened by a day on each side.
fn window(from: Timestamp, to: Timestamp) -> (DateTime, DateTime) {
    let civil = |at: Timestamp| TimeZone::UTC.to_datetime(at).with().subsec_nanosecond(0).build();
    let from = from.checked_sub(WIDEN).unwrap_or(Timestamp::MIN);
    let to = to.checked_add(WIDEN).unwrap_or(Timestamp::MAX);
    (
        civil(from).unwrap_or(DateTime::MIN),
        civil(to).unwrap_or(DateTime::MAX),
    )
}

/// Reads every order of a window and writes down what each page shows: whatever the reading comes to, that is true, and
/// stands in `noted`.
async fn read_window(
    list: List<'_>,
    (ledger, account): (&Ledger, AccountRef),
    window: (DateTime, DateTime),
    now: &Now,
    noted: &mut Noted,
) -> Result<(), WalkError> {
    let mut reading = Reading::new(list, window, None);
    while let Some((page, _date)) = reading.next().await? {
        let shown = note_page(ledger, account, page, now).await?;
        noted.read = noted.read.saturating_add(shown.read);
        noted.known.extend(shown.known);
        noted.changes.extend(shown.changes);
        noted.after_all.extend(shown.after_all);
        noted.several.extend(shown.several);
    }
    noted.by_word |= reading.is_by_word();
    Ok(())
}

/// A page of the list between two moments, with its number.
async fn full_page(list: List<'_>, (from, to): (DateTime, DateTime), page: u32) -> (u32, list::PageAnswer) {
    let query = ListOrders {
        from,
        to,
        search: None,
        limit: PAGE,
        page,
    };
    (page, list.client.list_orders(&query).await)
}

/// Writes down what a page shows.
async fn note_page(
    ledger: &Ledger,
    account: AccountRef,
    page: Vec<ListedOrder>,
    now: &Now,
) -> Result<Noted, LedgerError> {
    if page.is_empty() {
        return Ok(Noted::default());
    }
    let seen_at = now.clone();
    ledger
        .write(move |store| note_all(store, account, &page, &seen_at))
        .await
}

/// Reads what the list says of so many orders that were entered since a moment, with at most so many requests.
async fn read_pages(
    list: List<'_>,
    ledger: &Ledger,
    (account, orders, most): (AccountRef, u64, u64),
    from: Timestamp,
    now: &Now,
) -> Result<(), WalkError> {
    let (from, to) = list.window(from, now);
    let first = list.first_page.likely();
    let after = |pages: u64| first.saturating_add(u32::try_from(pages).unwrap_or(u32::MAX));
    let end = after(most).min(MOST_PAGES);
    // Up to here the pages are full: they need not wait for each other.
    let full = after(orders / u64::from(PAGE)).min(end);
    let ask = move |page| full_page(list, (from, to), page);
    let together = stream::iter(first..full).map(ask).buffered(AT_ONCE);
    let mut answers = together.chain(stream::iter(full..end).then(ask)).boxed();
    let mut pages = Pages::default();
    let mut shown = Vec::new();
    loop {
        // While a page is written down, the next one comes.
        let note = note_page(ledger, account, std::mem::take(&mut shown), now);
        let (noted, answer) = future::join(note, answers.next()).await;
        noted?;
        let Some((page, answer)) = answer else {
            return Ok(());
        };
        let answer = match answer {
            Ok(answer) => answer,
            // What is on it then, the next walk reads.
            Err(failure) if page == 0 && list.first_page.zero.may_be_none(&failure) => continue,
            // It shows none of them yet.
            Err(failure) if failure.is_not_found() => return Ok(()),
            Err(failure) => return Err(ReadError::Failed(failure).into()),
        };
        let (new, turn) = pages.next(page, answer.value);
        shown = new;
        if turn != Turn::GoOn {
            note_page(ledger, account, shown, now).await?;
            return Ok(());
        }
    }
}

/// What a part of the list has shown.
#[derive(Debug, Default)]
struct Noted {
    /// How many orders it shows.
    read: u64,
    /// The ledger's own among them.
    known: Vec<OrderRef>,
    /// What is new of one, in words for a person.
    changes: Vec<(OrderRef, String)>,
    /// Those that were refused or given up, and are there after all.
    after_all: Vec<OrderRef>,
    /// Those of which there are more than was known.
    several: Vec<OrderRef>,
    /// The service's ids of those whose creates are under way: their answers are not written down yet.
    under_way: Vec<String>,
    /// A part of it is empty by the list's word alone, see `nothing`.
    by_word: bool,
}

/// Writes down what the list says. A name that the ledger did not know is a sign that the ledger is older than it
/// thinks: for a day each order is looked up before its first create.
fn note_all(
    store: &Store<'_>,
    account: AccountRef,
    orders: &[ListedOrder],
    now: &Now,
) -> Result<Noted, LedgerError> {
    let mut noted = Noted {
        read: u64::try_from(orders.len()).unwrap_or(u64::MAX),
        ..Noted::default()
    };
    let mut strangers = Vec::new();
    for order in orders {
        match known(store, account, order, now)? {
            Some((id, _, Some(pw))) if is_same_id(&pw, &order.pw_order_id) => {
                noted.known.push(id);
                let change = store.see(id, &seen(order), now)?;
                noted.changes.extend(change.map(|told| (id, told)));
            }
            Some((id, State::Created | State::Canceling, Some(_)))
                if store.take_shown_id(id, &to_listed(order), &seen(order), now)? =>
            {
                // Not louder: such a service does so with each order, and the order's trail has it.
                tracing::debug!(
                    order_id = order.order_name,
                    pw_order_id = order.pw_order_id,
                    "the service shows this order under another id than it answered its create with"
                );
                noted.known.push(id);
            }
            Some((_, State::Sending, _)) => noted.under_way.push(order.pw_order_id.clone()),
            // Its fate is decided by the look-up, which knows what a candidate must have.
            Some((_, State::Unresolved | State::Canceling, _)) => {}
            Some((id, ..)) if store.find_after_all(id, &to_listed(order), &seen(order), now)? => {
                tracing::warn!(
                    order_id = order.order_name,
                    pw_order_id = order.pw_order_id,
                    "the service has an order after all that it has refused, or that a person has given up; it is not canceled"
                );
                noted.after_all.push(id);
            }
            named => {
                let known = named.map(|(id, _, _)| id);
                if note_stranger(store, account, (order, known), &mut noted)? {
                    strangers.push(order.pw_order_id.clone());
                }
            }
        }
    }
    if !strangers.is_empty() {
        store.mark_held_beside(account, &strangers)?;
        tracing::info!(
            strangers = strangers.len(),
            "the service lists orders that this ledger did not make"
        );
        store.suspect(account, now)?;
    }
    Ok(noted)
}

/// The order of the ledger that a listed one is: by its name, and then no other order is, whatever a create was answered
/// with; else, where a person has said so, by the service's id.
fn known(
    store: &Store<'_>,
    account: AccountRef,
    order: &ListedOrder,
    now: &Now,
) -> Result<Option<(OrderRef, State, Option<String>)>, LedgerError> {
    if let Some(named) = store.named(account, &order.order_name)? {
        store.take_from_others((named.0, account), &to_listed(order), now)?;
        return Ok(Some(named));
    }
    let Some(id) = store.holder(account, &order.pw_order_id)? else {
        return Ok(None);
    };
    let held = store.order(id)?;
    Ok(held.map(|held| (id, held.state, held.pw_order_id)))
}

/// Writes down an order that the ledger did not make, though it may have one of its name; true where it was not known.
fn note_stranger(
    store: &Store<'_>,
    account: AccountRef,
    (order, named): (&ListedOrder, Option<OrderRef>),
    noted: &mut Noted,
) -> Result<bool, LedgerError> {
    let listed = to_listed(order);
    // One that was canceled, and is gone on with, is one too many again.
    let is_canceled = |store: &Store<'_>| {
        let known = store.listed(account, &listed.order_id)?.into_iter();
        let mut known = known.filter(|known| known.pw_order_id == listed.pw_order_id);
        Ok::<bool, LedgerError>(known.any(|known| known.is_canceled()))
    };
    if let Some(id) = named.filter(|_id| others::is_paid_back(order))
        && store.is_taken_off(id, &listed)?
    {
        return Ok(false);
    }
    let was_canceled = named.is_some() && is_canceled(store)?;
    let is_new = store.put_listed(account, &listed)?;
    if let Some(id) = named.filter(|_id| is_new || was_canceled)
        && store.note_another(id, &listed)?
    {
        tracing::error!(
            order_id = listed.order_id,
            pw_order_id = listed.pw_order_id,
            "the service has more of this order than there should be; none is canceled: ask the print service"
        );
        noted.several.push(id);
    }
    Ok(is_new)
}

/// A listed order as the ledger keeps those that it did not make.
pub fn to_listed(listed: &ListedOrder) -> ListedRecord {
    ListedRecord {
        order_id: listed.order_name.clone(),
        pw_order_id: listed.pw_order_id.clone(),
        signature: signature(listed),
        zip: listed.zip.clone(),
        addressee: Addressee::new(
            &listed.name,
            (&listed.street, listed.second_line.as_deref()),
            &listed.city,
        ),
        entered_at: listed.entered_at,
        canceled: is_canceled(listed),
    }
}

/// Whether the service says that it is canceled; none where it says neither that nor that it goes on with it.
fn is_canceled(listed: &ListedOrder) -> Option<bool> {
    let words = order_status(listed);
    let words = words.as_deref();
    let canceled = standing::says_canceled(words);
    (canceled || standing::goes_on(words).is_some()).then_some(canceled)
}

/// The service's words for the items of an order.
fn order_status(listed: &ListedOrder) -> Option<String> {
    standing::words(listed.items.iter().map(|item| item.order_status.as_deref()))
}

/// A listed order as `reconcile` judges it.
pub fn to_named(listed: &ListedOrder) -> Named {
    Named {
        pw_order_id: listed.pw_order_id.clone(),
        signature: signature(listed),
        zip: listed.zip.clone(),
        entered_at: listed.entered_at,
    }
}

fn signature(listed: &ListedOrder) -> Signature {
    let items = listed.items.iter().map(|item| (item.sku.as_str(), item.quantity));
    Signature::new(items, listed.country_code.as_deref())
}

/// What a listed order tells of one of ours.
pub fn seen(listed: &ListedOrder) -> Seen {
    let trackings = (!listed.trackings.is_empty())
        .then(|| serde_json::Value::Array(listed.trackings.clone()).to_string());
    Seen {
        pw_order_id: listed.pw_order_id.clone(),
        order_name: listed.order_name.clone(),
        entered_at: listed.entered_at,
        amounts: listed.amounts.clone(),
        order_status: order_status(listed),
        payment_status: standing::words(listed.items.iter().map(|item| item.payment_status.as_deref())),
        trackings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_a_day_wider_on_each_side() {
        let at: Timestamp = "2026-11-21T09:14:03.5Z".parse().unwrap();
        let (from, to) = window(at, at);
        assert_eq!(
            (from.to_string(), to.to_string()),
            ("2026-11-20T09:14:03".into(), "2026-11-22T09:14:03".into())
        );
    }
}
