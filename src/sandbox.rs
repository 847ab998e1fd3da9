//! The stand-in print service: the service side of every operation of the interface, with faults to order.
//!
//! It is plain state under an HTTP skin: `state` and what it holds know neither HTTP nor the clock, `routes` has wire
//! types of its own, `faults` decides what goes wrong. Nothing of the program is imported here, wire types least of
//! all: a field name wrong on both sides would pass every test. It is stricter and odder than the real service on
//! purpose, and it listens on loopback only.

mod amount;
mod calls;
mod catalog;
mod connection;
mod faults;
mod journal;
mod names;
mod new_order;
mod notify;
mod operation;
mod options;
mod order;
mod orders;
mod paging;
mod params;
mod prices;
mod request;
mod routes;
mod service;
mod state;
#[cfg(test)]
mod tests;
mod wire;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use amount::{Amount, NotAnAmount};
pub use calls::{Call, Calls};
pub use faults::{Fault, Rule, RuleError, Scope, When};
pub use names::Names;
pub use new_order::{NewLine, NewOrder};
pub use operation::{Hook, Operation};
pub use options::{
    EmptyList, FirstPage, GetParams, ItemsShown, Length, Life, Limit, ListOrder, Options, Refusals, Repeated,
    RetryAfter, Sign,
};
pub use order::{Address, Fees, Item, Order, Payment, Status, Tracking};
pub use state::Registration;

use connection::{Connection, Door, Doorkeeper};
use service::Service;

/// How often what is due by the clock is done where nobody asks.
const TICK: Duration = Duration::from_millis(100);

/// A running sandbox. It stops when it is dropped.
#[derive(Debug)]
pub struct Sandbox {
    service: Arc<Service>,
    address: SocketAddr,
    doorkeeper: Doorkeeper,
    server: Option<JoinHandle<io::Result<()>>>,
}

/// An order at the service, as a look behind the interface shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Placed {
    /// The service's id.
    pub pw_order_id: String,
    /// The client's `order_id`.
    pub order_name: String,
    /// When it came to be.
    pub created_at: Timestamp,
    /// What is charged.
    pub total: Amount,
    /// Where it stands.
    pub status: Status,
    /// Whether `orders/list` shows it yet.
    pub visible: bool,
    /// All that the service knows of it.
    #[serde(serialize_with = "whole")]
    pub order: Arc<Order>,
}

/// Starts a sandbox on the runtime that this is called on.
///
/// # Errors
/// `InvalidInput` where the address is not loopback; else what the network or the state file says.
pub async fn start(options: Options) -> io::Result<Sandbox> {
    if !options.listen.ip().is_loopback() {
        let message = format!(
            "the sandbox listens on loopback only, not on {}",
            options.listen.ip()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let listener = TcpListener::bind(options.listen).await?;
    let address = listener.local_addr()?;
    let (door, doorkeeper) = Door::new(listener)?;
    let (news_in, news_out) = tokio::sync::mpsc::unbounded_channel();
    let service = Arc::new(Service::open(options, news_in)?);
    tokio::spawn(notify::send_all(
        Arc::clone(&service),
        news_out,
        notify::client()?,
    ));
    tokio::spawn(tick(Arc::clone(&service)));
    let router = routes::router(Arc::clone(&service));
    let stop = service.stop.clone();
    let server = tokio::spawn(async move {
        axum::serve(door, router.into_make_service_with_connect_info::<Connection>())
            .with_graceful_shutdown(async move { stop.cancelled().await })
            .await
    });
    Ok(Sandbox {
        service,
        address,
        doorkeeper,
        server: Some(server),
    })
}

async fn tick(service: Arc<Service>) {
    while !service.stop.is_cancelled() {
        service.wait(TICK).await;
        service.state(|_state, _now| ());
    }
}

fn whole<S: serde::Serializer>(order: &Arc<Order>, serializer: S) -> Result<S::Ok, S::Error> {
    order.as_ref().serialize(serializer)
}

fn snapshot(service: &Service) -> Vec<Placed> {
    let (orders, seen_until, left_out) = service.state(|state, now| {
        let left_out = state.left_out.clone();
        (state.orders.all().to_vec(), state.seen_until(now), left_out)
    });
    let placed = |order: Arc<Order>| Placed {
        pw_order_id: order.pw_order_id.clone(),
        order_name: order.order_name.clone(),
        created_at: order.entered_at,
        total: order.fees.total,
        status: order.status(),
        visible: order.entered_at <= seen_until && left_out.as_ref() != Some(&order.order_name),
        order,
    };
    orders.into_iter().map(placed).collect()
}

impl Sandbox {
    /// Stops it: connections close, waits end; late orders that are not due yet never come to be.
    pub async fn shutdown(mut self) -> io::Result<()> {
        self.service.stop.cancel();
        match self.server.take() {
            Some(server) => server.await.map_err(io::Error::other)?,
            None => Ok(()),
        }
    }

    /// `http://127.0.0.1:PORT`
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Every order at the service, in the order of arrival.
    pub fn orders(&self) -> Vec<Placed> {
        snapshot(&self.service)
    }

    /// What was asked of it.
    pub fn calls(&self) -> Calls {
        self.service.calls().clone()
    }

    /// How often an operation was asked for: `create-new-order`.
    pub fn count(&self, operation: &str) -> u64 {
        self.service.calls().of(operation)
    }

    /// Orders a fault, in place of one with the same kind and scope: `drop-after-create=on:1`.
    ///
    /// # Errors
    /// What is wrong with the rule.
    pub fn set_fault(&self, rule: &str) -> Result<(), RuleError> {
        self.service.faults().set(rule.parse()?);
        Ok(())
    }

    /// Ends all faults; late orders still come.
    pub fn clear_faults(&self) {
        self.service.faults().clear();
    }

    /// Changes what a piece of a SKU costs from now on, everywhere. False where there is no such SKU.
    pub fn set_cost(&self, sku: &str, cost: Amount) -> bool {
        self.service
            .state(|state, _now| Arc::make_mut(&mut state.catalog).set_cost(sku, cost))
    }

    /// Puts a SKU in or out of stock. False where there is no such SKU.
    pub fn set_stock(&self, sku: &str, in_stock: bool) -> bool {
        self.service
            .state(|state, _now| Arc::make_mut(&mut state.catalog).set_stock(sku, in_stock))
    }

    /// Has a SKU's price told or not: asked for one that is not, the service fails. False where there is no such SKU.
    pub fn set_has_price(&self, sku: &str, has_price: bool) -> bool {
        self.service
            .state(|state, _now| Arc::make_mut(&mut state.catalog).set_has_price(sku, has_price))
    }

    /// Takes a SKU out of the catalog. False where there is no such SKU.
    pub fn remove_sku(&self, sku: &str) -> bool {
        self.service
            .state(|state, _now| Arc::make_mut(&mut state.catalog).remove(sku))
    }

    /// Makes an order as another client would, unchecked; gives its `pw_order_id`.
    pub fn insert_order(&self, order: &NewOrder) -> String {
        self.service
            .state(|state, now| state.place(order, now).pw_order_id.clone())
    }

    /// Moves an order into production. False where there is none, or its life is over.
    pub fn produce(&self, pw_order_id: &str) -> bool {
        self.service
            .state(|state, _now| state.advance(pw_order_id, Status::InProduction))
    }

    /// Cancels an order as the service's own people would. False where there is none, or its life is over.
    pub fn cancel(&self, pw_order_id: &str) -> bool {
        self.service
            .state(|state, _now| state.advance(pw_order_id, Status::Canceled))
    }

    /// Fulfils an order, with a tracking, and notifies. False where there is none, or its life is over.
    pub fn fulfil(&self, pw_order_id: &str) -> bool {
        self.service
            .state(|state, _now| state.advance(pw_order_id, Status::Fulfilled))
    }

    /// Gives an order a problem, and notifies. False where there is none, or its life is over.
    pub fn trouble(&self, pw_order_id: &str) -> bool {
        self.service
            .state(|state, _now| state.advance(pw_order_id, Status::Problem))
    }

    /// Goes on with an order as if it had not been canceled: it is in production. False where none of the id is canceled.
    pub fn go_on(&self, pw_order_id: &str) -> bool {
        self.service.state(|state, _now| state.go_on(pw_order_id))
    }

    /// Charges something else for an order than was quoted. False where there is none.
    pub fn charge(&self, pw_order_id: &str, total: Amount) -> bool {
        self.service.state(|state, _now| state.charge(pw_order_id, total))
    }

    /// Lets the order list stand still (no order made from now on is shown), or go on.
    pub fn freeze_list(&self, frozen: bool) {
        self.service
            .state(|state, now| state.freeze_list(frozen.then_some(now)));
    }

    /// Changes how long a new order stays out of the list.
    pub fn set_list_lag(&self, lag: Duration) {
        self.service.state(|state, _now| state.set_lag(lag));
    }

    /// Lets `search` in the order list find nothing where it is asked for this text.
    pub fn blind_search_to(&self, text: &str) {
        self.service
            .state(|state, _now| state.search_is_blind_to = Some(text.to_owned()));
    }

    /// Lets `search` in the order list fail where it is asked for this text, or for none.
    pub fn fail_search_for(&self, text: Option<&str>) {
        self.service
            .state(|state, _now| state.search_fails_for = text.map(str::to_owned));
    }

    /// Keeps orders of this name out of the list, or of none.
    pub fn leave_out_of_list(&self, order_name: Option<&str>) {
        self.service
            .state(|state, _now| state.left_out = order_name.map(str::to_owned));
    }

    /// Blanks the ids of orders of this name in the list, or of none.
    pub fn list_without_id(&self, order_name: Option<&str>) {
        self.service
            .state(|state, _now| state.without_id = order_name.map(str::to_owned));
    }

    /// Blanks the ids and the names of orders of this name in the list, or of none.
    pub fn list_without_id_or_name(&self, order_name: Option<&str>) {
        self.service
            .state(|state, _now| state.without_any = order_name.map(str::to_owned));
    }

    /// Where it is shown what is in an order.
    pub fn show_items(&self, items: ItemsShown) {
        self.service.state(|state, _now| state.items = items);
    }

    /// How the names of the orders are kept that are created from now on.
    pub fn keep_names(&self, names: Names) {
        self.service.state(|state, _now| state.names = names);
    }

    /// Puts the service's clock forward: tokens end, late orders come, lags pass. Its `Date` header follows.
    pub fn advance_clock(&self, by: Duration) {
        self.service.advance_clock(by);
    }

    /// Stops listening, as a service that is away: connections are refused, open ones end.
    ///
    /// # Errors
    /// `NotConnected` where it was shut down.
    pub async fn go_away(&self) -> io::Result<()> {
        self.doorkeeper.set_open(false).await
    }

    /// Listens again at the same address.
    ///
    /// # Errors
    /// `NotConnected` where it was shut down.
    pub async fn come_back(&self) -> io::Result<()> {
        self.doorkeeper.set_open(true).await
    }

    /// Ends every token, as a service does that was deployed anew.
    pub fn end_tokens(&self) {
        self.service.state(|state, _now| state.end_tokens());
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.service.stop.cancel();
    }
}

/// A sandbox on a thread and a runtime of its own, for tests that are not `async`. It stops when it is dropped.
#[derive(Debug)]
pub struct Running {
    sandbox: Sandbox,
    runtime: tokio::runtime::Handle,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Starts a sandbox on a thread of its own.
///
/// # Errors
/// As [`start`], or what the system says to another thread.
pub fn start_on_thread(options: Options) -> io::Result<Running> {
    let (started_in, started_out) = std::sync::mpsc::channel();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let handle = runtime.handle().clone();
    let thread = std::thread::Builder::new()
        .name("sandbox".to_owned())
        .spawn(move || {
            runtime.block_on(async move {
                let started = start(options).await;
                let stop = started.as_ref().map_or_else(
                    |_error| CancellationToken::new(),
                    |sandbox| sandbox.service.stop.clone(),
                );
                // Whoever asked may be gone; then the sandbox is dropped here, and stops.
                let failed = started.is_err();
                if started_in.send(started).is_ok() && !failed {
                    stop.cancelled().await;
                }
            });
        })?;
    let sandbox = started_out.recv().map_err(io::Error::other)??;
    Ok(Running {
        sandbox,
        runtime: handle,
        thread: Some(thread),
    })
}

impl Running {
    /// As [`Sandbox::go_away`]; waits. Not to be called on a runtime's thread.
    pub fn go_away_now(&self) -> io::Result<()> {
        self.runtime.block_on(self.sandbox.go_away())
    }

    /// As [`Sandbox::come_back`]; waits. Not to be called on a runtime's thread.
    pub fn come_back_now(&self) -> io::Result<()> {
        self.runtime.block_on(self.sandbox.come_back())
    }
}

impl std::ops::Deref for Running {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.sandbox.service.stop.cancel();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the sandbox's thread panicked");
        }
    }
}
