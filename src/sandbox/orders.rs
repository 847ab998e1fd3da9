//! All orders at the service, found by id, by name and by time without looking at the others.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use jiff::Timestamp;

use super::options::ListOrder;
use super::order::Order;

/// The first `pw_order_id` is one above this.
const SEQUENCE_START: usize = 100_000;

/// Every order, in the order of arrival. An order is shared with whoever writes an answer of it, so that nobody
/// writes answers while the others wait.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    all: Vec<Arc<Order>>,
    by_id: HashMap<String, usize>,
    names: HashSet<String>,
    by_time: BTreeSet<(Timestamp, usize)>,
}

/// Which orders of a window a list shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listing<'a> {
    /// A part of an id or a name.
    pub(crate) search: Option<&'a str>,
    /// A search finds nothing.
    pub(crate) search_is_blind: bool,
    /// A name of which no order is shown.
    pub(crate) left_out: Option<&'a str>,
    /// Only orders that came to be by then are in the search index.
    pub(crate) seen_until: Timestamp,
    pub(crate) order: ListOrder,
    /// Matches to pass over, and the most to give.
    pub(crate) skip: usize,
    pub(crate) take: usize,
    /// Whether all matches are counted, or the walk ends with the page.
    pub(crate) count_all: bool,
}

impl Orders {
    /// The id of the next order.
    pub(crate) fn next_id(&self) -> String {
        format!("PW-{}", SEQUENCE_START + self.all.len() + 1)
    }

    /// Adds an order, or puts a later version in the place of the one with its id.
    pub(crate) fn put(&mut self, order: Arc<Order>) {
        if let Some(place) = self
            .by_id
            .get(&order.pw_order_id)
            .and_then(|&at| self.all.get_mut(at))
        {
            *place = order;
            return;
        }
        let at = self.all.len();
        self.by_id.insert(order.pw_order_id.clone(), at);
        self.names.insert(order.order_name.clone());
        self.by_time.insert((order.entered_at, at));
        self.all.push(order);
    }

    /// Changes an order in place; gives it as it then is, or none where there is no such order.
    pub(crate) fn change(
        &mut self,
        pw_order_id: &str,
        change: impl FnOnce(&mut Order),
    ) -> Option<Arc<Order>> {
        let &at = self.by_id.get(pw_order_id)?;
        let order = self.all.get_mut(at)?;
        change(Arc::make_mut(order));
        Some(Arc::clone(order))
    }

    pub(crate) fn all(&self) -> &[Arc<Order>] {
        &self.all
    }

    pub(crate) fn by_id(&self, pw_order_id: &str) -> Option<&Arc<Order>> {
        self.all.get(*self.by_id.get(pw_order_id)?)
    }

    /// The id of the order that was made before another one.
    pub(crate) fn before(&self, pw_order_id: &str) -> Option<String> {
        let at = self.by_id.get(pw_order_id)?.checked_sub(1)?;
        Some(self.all.get(at)?.pw_order_id.clone())
    }

    pub(crate) fn is_named(&self, order_name: &str) -> bool {
        self.names.contains(order_name)
    }

    /// A page of a window, and how many matched (as far as the walk went).
    pub(crate) fn list(
        &self,
        window: RangeInclusive<Timestamp>,
        listing: Listing<'_>,
    ) -> (Vec<Arc<Order>>, usize) {
        if window.start() > window.end() {
            return (Vec::new(), 0);
        }
        let range = self
            .by_time
            .range((*window.start(), 0)..=(*window.end(), usize::MAX));
        match listing.order {
            ListOrder::Oldest => self.page(range, listing),
            ListOrder::Newest => self.page(range.rev(), listing),
        }
    }

    fn page<'a>(
        &self,
        places: impl Iterator<Item = &'a (Timestamp, usize)>,
        listing: Listing<'_>,
    ) -> (Vec<Arc<Order>>, usize) {
        let mut page = Vec::new();
        let mut matches = 0;
        let orders = places.filter_map(|&(_, at)| self.all.get(at));
        for order in orders.filter(|order| listing.shows(order)) {
            matches += 1;
            if matches > listing.skip && page.len() < listing.take {
                page.push(Arc::clone(order));
            }
            if page.len() == listing.take && !listing.count_all {
                break;
            }
        }
        (page, matches)
    }
}

impl Listing<'_> {
    fn shows(&self, order: &Order) -> bool {
        order.entered_at <= self.seen_until
            && self.left_out != Some(order.order_name.as_str())
            && self.search.is_none_or(|part| {
                let is_there = order.order_name.contains(part) || order.pw_order_id.contains(part);
                is_there && !self.search_is_blind
            })
    }
}
