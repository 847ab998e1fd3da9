//! What the service knows: its catalog, orders, tokens and registrations, and what is due later. It knows neither
//! HTTP nor the clock: `now` is an argument, and what is due happens when somebody asks after its time.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::catalog::Catalog;
use super::journal::{Entry, Journal};
use super::names::Names;
use super::new_order::{self, NewOrder};
use super::operation::Hook;
use super::options::{ItemsShown, Life, Options};
use super::order::{Order, Status};
use super::orders::Orders;

/// A webhook registration (`Webhook` in `schema/print-service.openapi.json`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// Where notifications go.
    pub endpoint: String,
    /// Sent in a header of each.
    pub access_key: String,
    /// The client's own token.
    pub access_token: String,
}

/// A notification to be sent.
#[derive(Clone, Debug)]
pub(crate) struct News {
    pub(crate) hook: Hook,
    pub(crate) to: Registration,
    pub(crate) order: Arc<Order>,
}

/// What is due at a moment.
#[derive(Debug)]
enum Due {
    Commit(Box<NewOrder>),
    Become(String, Status),
}

/// What the service knows.
#[derive(Debug)]
pub(crate) struct State {
    /// Shared with whoever writes an answer of it.
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) orders: Orders,
    tokens: HashMap<String, Option<Timestamp>>,
    tokens_made: u64,
    hooks: BTreeMap<Hook, Registration>,
    agenda: BTreeMap<(Timestamp, u64), Due>,
    agenda_made: u64,
    /// Notifications that nobody has taken yet.
    news: Vec<News>,
    /// Since when the search index stands still.
    frozen_at: Option<Timestamp>,
    lag: Duration,
    /// A text for which `search` finds nothing.
    pub(crate) search_is_blind_to: Option<String>,
    /// A text at which `search` fails.
    pub(crate) search_fails_for: Option<String>,
    /// A name of which the list shows no order.
    pub(crate) left_out: Option<String>,
    /// A name of which the list shows the orders with blank ids.
    pub(crate) without_id: Option<String>,
    /// A name of which the list shows the orders with blank ids and names, so that no search finds them.
    pub(crate) without_any: Option<String>,
    /// Where it is not shown what is in an order.
    pub(crate) items: ItemsShown,
    /// How the names of new orders are kept.
    pub(crate) names: Names,
    life: Option<Life>,
    journal: Option<Journal>,
}

/// Why a cancel is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotCanceled {
    Unknown,
    NotPending,
}

impl State {
    /// An empty service, or what its state file holds.
    pub(crate) fn open(options: &Options) -> io::Result<Self> {
        let mut state = Self {
            catalog: Arc::new(Catalog::built_in()),
            orders: Orders::default(),
            tokens: HashMap::new(),
            tokens_made: 0,
            hooks: BTreeMap::new(),
            agenda: BTreeMap::new(),
            agenda_made: 0,
            news: Vec::new(),
            frozen_at: None,
            lag: options.list_lag,
            search_is_blind_to: None,
            search_fails_for: None,
            left_out: None,
            without_id: None,
            without_any: None,
            items: ItemsShown::Everywhere,
            names: Names::AsSent,
            life: options.life,
            journal: None,
        };
        if let Some(path) = &options.state {
            let (journal, entries) = Journal::open(path)?;
            for entry in entries {
                state.remember(entry);
            }
            state.journal = Some(journal);
        }
        Ok(state)
    }

    fn remember(&mut self, entry: Entry) {
        match entry {
            Entry::Order(order) => self.orders.put(Arc::new(*order)),
            Entry::Token(token, ends) => {
                self.tokens.insert(token, ends);
            }
            Entry::TokensEnded => self.tokens.clear(),
            Entry::Hook(hook, Some(registration)) => {
                self.hooks.insert(hook, registration);
            }
            Entry::Hook(hook, None) => {
                self.hooks.remove(&hook);
            }
        }
    }

    fn keep(&mut self, entry: impl FnOnce() -> Entry) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.add(&entry())
        {
            tracing::error!(%error, file = %journal.path().display(), "the sandbox's state file cannot be written");
        }
    }

    /// Does all that is due by now.
    pub(crate) fn settle(&mut self, now: Timestamp) {
        while let Some(next) = self.agenda.first_entry() {
            let (due_at, _) = *next.key();
            if due_at > now {
                return;
            }
            match next.remove() {
                Due::Commit(order) => {
                    self.place(&order, due_at);
                }
                Due::Become(id, status) => {
                    self.advance(&id, status);
                }
            }
        }
    }

    fn due(&mut self, at: Timestamp, what: Due) {
        self.agenda_made += 1;
        self.agenda.insert((at, self.agenda_made), what);
    }

    /// Makes an order at once.
    pub(crate) fn place(&mut self, new: &NewOrder, now: Timestamp) -> Arc<Order> {
        let order = new_order::to_order(new, self.orders.next_id(), &self.catalog, now);
        let id = order.pw_order_id.clone();
        self.keep(|| Entry::Order(Box::new(order.clone())));
        let shared = Arc::new(order);
        self.orders.put(Arc::clone(&shared));
        if let Some(life) = self.life {
            self.live(&id, life, now);
        }
        shared
    }

    fn live(&mut self, id: &str, life: Life, now: Timestamp) {
        let nth = u64::try_from(self.orders.all().len()).unwrap_or(u64::MAX);
        let troubled = life.problem_every > 0 && nth.is_multiple_of(life.problem_every);
        let end = if troubled {
            Status::Problem
        } else {
            Status::Fulfilled
        };
        self.due(
            later(now, life.production_after),
            Due::Become(id.to_owned(), Status::InProduction),
        );
        self.due(later(now, life.fulfilled_after), Due::Become(id.to_owned(), end));
    }

    /// Makes an order later, as a service does that commits a request after its client has given up.
    pub(crate) fn place_later(&mut self, new: NewOrder, at: Timestamp) {
        self.due(at, Due::Commit(Box::new(new)));
    }

    /// Moves an order on in its life; an order that is canceled or fulfilled stays so. False where nothing changed.
    pub(crate) fn advance(&mut self, pw_order_id: &str, status: Status) -> bool {
        let Some(order) = self.orders.by_id(pw_order_id) else {
            return false;
        };
        if matches!(order.status(), Status::Canceled | Status::Fulfilled) {
            return false;
        }
        let changed = self.orders.change(pw_order_id, |order| {
            order.set_status(status);
            if status == Status::Fulfilled {
                order.trackings = vec![order.tracking()];
            }
        });
        let Some(order) = changed else { return false };
        self.keep(|| Entry::Order(Box::new(Order::clone(&order))));
        let hook = match status {
            Status::Fulfilled => Hook::Tracking,
            Status::Problem => Hook::Problem,
            Status::Waiting | Status::InProduction | Status::Canceled => return true,
        };
        if let Some(to) = self.hooks.get(&hook).cloned() {
            self.news.push(News { hook, to, order });
        }
        true
    }

    /// Puts a canceled order into production all the same. False where there is none.
    pub(crate) fn go_on(&mut self, pw_order_id: &str) -> bool {
        let order = self.orders.by_id(pw_order_id);
        if order.is_none_or(|order| order.status() != Status::Canceled) {
            return false;
        }
        let changed = self
            .orders
            .change(pw_order_id, |order| order.set_status(Status::InProduction));
        let Some(order) = changed else { return false };
        self.keep(|| Entry::Order(Box::new(Order::clone(&order))));
        true
    }

    /// Charges something else for an order from now on. False where there is none.
    pub(crate) fn charge(&mut self, pw_order_id: &str, total: Amount) -> bool {
        let changed = self.orders.change(pw_order_id, |order| order.fees.total = total);
        let Some(order) = changed else { return false };
        self.keep(|| Entry::Order(Box::new(Order::clone(&order))));
        true
    }

    /// Cancels a pending order.
    pub(crate) fn cancel(&mut self, pw_order_id: &str, order_name: &str) -> Result<(), NotCanceled> {
        let order = self.order(pw_order_id, order_name).ok_or(NotCanceled::Unknown)?;
        if order.status() != Status::Waiting {
            return Err(NotCanceled::NotPending);
        }
        self.advance(pw_order_id, Status::Canceled);
        Ok(())
    }

    /// The notifications to be sent; they are given once.
    pub(crate) fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// A new token.
    pub(crate) fn log_in(&mut self, ends: Option<Timestamp>, now: Timestamp) -> String {
        self.tokens_made += 1;
        // The moment is part of it, so that a token of an earlier sandbox is never good by accident.
        let token = format!("sbx-{:x}-{}", now.as_nanosecond(), self.tokens_made);
        self.keep(|| Entry::Token(token.clone(), ends));
        self.tokens.insert(token.clone(), ends);
        token
    }

    /// Ends every token.
    pub(crate) fn end_tokens(&mut self) {
        self.tokens.clear();
        self.keep(|| Entry::TokensEnded);
    }

    /// Whether a token is good.
    pub(crate) fn knows_token(&self, token: &str, now: Timestamp) -> bool {
        self.tokens
            .get(token)
            .is_some_and(|ends| ends.is_none_or(|ends| now < ends))
    }

    /// Sets or removes a registration.
    pub(crate) fn set_hook(&mut self, hook: Hook, registration: Option<Registration>) {
        self.keep(|| Entry::Hook(hook, registration.clone()));
        self.remember(Entry::Hook(hook, registration));
    }

    /// A registration.
    pub(crate) fn hook(&self, hook: Hook) -> Option<&Registration> {
        self.hooks.get(&hook)
    }

    /// Lets the search index stand still from now on, or go on.
    pub(crate) fn freeze_list(&mut self, since: Option<Timestamp>) {
        self.frozen_at = since;
    }

    /// Changes how long a new order stays out of the list.
    pub(crate) fn set_lag(&mut self, lag: Duration) {
        self.lag = lag;
    }

    /// Orders that came to be by this moment are in the search index.
    pub(crate) fn seen_until(&self, now: Timestamp) -> Timestamp {
        let lagging = now.checked_sub(self.lag).unwrap_or(Timestamp::MIN);
        self.frozen_at.map_or(lagging, |since| lagging.min(since))
    }

    /// The order of both ids.
    pub(crate) fn order(&self, pw_order_id: &str, order_name: &str) -> Option<&Arc<Order>> {
        let found = self.orders.by_id(pw_order_id);
        found.filter(|order| order.order_name == order_name)
    }
}

/// A moment so much later; the last there is where it would be beyond it.
pub(crate) fn later(now: Timestamp, wait: Duration) -> Timestamp {
    now.checked_add(wait).unwrap_or(Timestamp::MAX)
}
