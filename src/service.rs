//! The client of the print service: one method an operation of its interface, each sent once. What an answer means
//! is judged in one place, `verdict`; sending again is nobody's business here but the order's state machine's.

mod body;
mod call;
mod connections;
mod count;
mod create;
mod done;
mod figures;
mod http;
mod listing;
mod moved;
mod operation;
mod pace;
mod page;
mod password;
mod priced;
mod rate_limit;
mod said;
mod token;
mod verdict;
mod wire;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::{Timestamp, civil::DateTime};
use reqwest::Method;
use secrecy::SecretString;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::catalog::{Detail, Entry};
use crate::clock::{Clock, credible};
use crate::quote::ServiceAmounts;

pub use count::Answers;
pub use create::Place;
pub use figures::Figures;
pub(crate) use http::install_crypto;
use http::{Http, Reply};
use operation::Operation;
use priced::Naming;
pub use rate_limit::RateLimit;
use token::Tokens;
pub(crate) use token::account_key;
pub(crate) use verdict::LONGEST_PAUSE;
use wire::{CatalogAnswer, ListAnswer, OrderAnswer, ProductAnswer};

/// How GET parameters travel. Config: `get_params`. The token path is only ever sent a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetParams {
    /// As a JSON body.
    Body,
    /// In the query.
    Query,
    /// Both.
    Both,
}

/// What a client needs to know of its account.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `https://…`, or `http://` on a loopback address; no slash at its end.
    pub base_url: String,
    /// The account's e-mail.
    pub email: String,
    /// The account's password.
    pub password: SecretString,
    /// Most requests under way at once.
    pub max_in_flight: usize,
    /// A ceiling on requests, when the service has told one.
    pub rate_limit: Option<RateLimit>,
    /// For one request, connecting included.
    pub timeout: Duration,
    /// How GET parameters travel.
    pub get_params: GetParams,
    /// Where the token is kept (mode 0600) between runs; none keeps it in memory.
    pub token_file: Option<std::path::PathBuf>,
    /// This machine's clocks: what has passed since the service told its time.
    pub clock: Clock,
}

/// Why an operation gave no answer that can be used; the table is in `service/verdict.rs`.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{operation}: {detail}")]
pub struct Failure {
    /// Which operation, in the interface's words: `create-new-order`.
    pub operation: &'static str,
    /// What the failure means for what was asked.
    pub verdict: Verdict,
    /// What was heard of the service.
    pub heard: Heard,
    /// Whether the answer's body has a `status`, as each of the service's own has. A gateway's knows of none.
    pub has_status: bool,
    /// What happened, for a person; holds no secret, no address and no query.
    pub detail: String,
    /// The service's own words, when it said some; for a person.
    pub service_message: Option<String>,
    /// The `Date` header of the answer, when one came.
    pub service_date: Option<Timestamp>,
    /// The ids in an answer to a create that names another order.
    pub made: Option<Box<CreatedOrder>>,
}

impl Failure {
    /// Of a request that has not left.
    fn unsent(operation: &Operation, verdict: Verdict, detail: String) -> Self {
        Self {
            operation: operation.name,
            verdict,
            heard: Heard::Nothing,
            has_status: false,
            detail,
            service_message: None,
            service_date: None,
            made: None,
        }
    }

    /// Whether a whole answer came, of whatever shape.
    pub fn is_answered(&self) -> bool {
        !matches!(self.heard, Heard::Nothing | Heard::Unread)
    }

    /// Whether the service does not find what was asked for, and says so in its own form and words: a gateway knows
    /// neither.
    pub fn is_not_found(&self) -> bool {
        let words = self.service_message.as_ref();
        self.verdict == Verdict::Misconfigured
            && self.heard == Heard::Said(404)
            && self.has_status
            && words.is_some_and(|words| !words.is_empty())
    }
}

/// What was heard of the service where an operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// No whole answer.
    Nothing,
    /// An answer that nobody reads to its end: the service is there, and has said nothing that can be used.
    Unread,
    /// An answer of the interface's, with this code.
    Said(u16),
    /// An answer that is not the interface's, with this code over HTTP.
    Odd(u16),
    /// A login that it accepts, and then that the token of that login is none (401).
    NoToken,
    /// A login that it accepts, and then that who logged in may not do what was asked (403).
    Denied,
}

/// What a failure means for what was asked. After `Unknown` of a create or a cancel only a look-up may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The request certainly had no effect, for it never reached the service, or was turned away at its door: refused
    /// connection, DNS, TLS. It may be asked again after a pause.
    NotSent,
    /// The service asks for a pause of this length (429), which may be longer than it is obeyed.
    TryLater(Duration),
    /// The credentials are refused, or so is what was asked with the token of a new login: the account stops.
    Credentials,
    /// Nothing of the service's is where it was asked (404, 405, 415): where it stays so, the account is set up
    /// wrongly and stops. What the service itself says so of, in its own form, while it answers others, is that order's
    /// refusal (`submit::unlike`).
    Misconfigured,
    /// The service said no to what was asked (400, 413, 422).
    Refused,
    /// Anything else: it may have happened.
    Unknown,
}

/// An answer, with the service's own clock where it told it.
#[derive(Clone, Debug)]
pub struct Answer<T> {
    /// What was asked for.
    pub value: T,
    /// The `Date` header.
    pub service_date: Option<Timestamp>,
}

/// The ids of a created order (`CreatedIds` in `schema/print-service.openapi.json`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedOrder {
    /// `pwOrderId`
    pub pw_order_id: String,
    /// `orderId`
    pub order_id: String,
}

/// A page of the order list to ask for.
#[derive(Clone, Debug)]
pub struct ListOrders<'a> {
    /// `created_at_min`, sent as `YYYY-MM-DD HH:MM:SS`; the zone is not stated.
    pub from: DateTime,
    /// `created_at_max`
    pub to: DateTime,
    /// `search`: matches order id or order name.
    pub search: Option<&'a str>,
    /// `limit`, 20 to 200.
    pub limit: u16,
    /// `page`
    pub page: u32,
}

/// A page of the order list.
#[derive(Clone, Debug)]
pub struct OrderPage {
    /// The orders on it that have an id.
    pub orders: Vec<ListedOrder>,
    /// How many have none that can be read.
    pub without_id: usize,
    /// What is known of those, without their ids.
    pub unidentified: Vec<ListedOrder>,
    /// Whether one of them has a place for an id, be it blank: else they are no orders as the interface has them.
    pub is_of_orders: bool,
    /// `length`; whether it counts the page or all is not stated.
    pub length: Option<usize>,
    /// `limit`, as the service repeats it.
    pub limit: Option<usize>,
}

impl OrderPage {
    /// Whether it shows several orders and none of them has even a place for an id.
    fn is_unreadable(&self) -> bool {
        self.without_id > 1 && !self.is_of_orders
    }

    /// How many orders it shows, whether they have an id or not.
    pub fn shown(&self) -> usize {
        self.orders.len().saturating_add(self.without_id)
    }
}

/// An order as the service lists it (`Order` and `OrderItem` in `schema/print-service.openapi.json`). Only what identifies
/// it is demanded.
#[derive(Clone, Debug)]
pub struct ListedOrder {
    /// `pw_order_id`
    pub pw_order_id: String,
    /// `order_name`: the `order_id` that was sent. Empty where the service shows no name.
    pub order_name: String,
    /// `dtime_entered`; none where it cannot be read.
    pub entered_at: Option<Timestamp>,
    /// `shipping_country_code`; none where it is missing.
    pub country_code: Option<String>,
    /// `shipping_zip`; none where it is missing.
    pub zip: Option<String>,
    /// `shipping_name`; empty where it is missing.
    pub name: String,
    /// `shipping_address1`; empty where it is missing.
    pub street: String,
    /// `shipping_address2`; none where it is missing.
    pub second_line: Option<String>,
    /// `shipping_city`; empty where it is missing.
    pub city: String,
    /// Amounts; none where `total_price` is missing.
    pub amounts: Option<ServiceAmounts>,
    /// The items.
    pub items: Vec<ListedItem>,
    /// `trackings`, raw JSON, as they came: the fields of its items are not shown.
    pub trackings: Vec<serde_json::Value>,
}

/// An item of a listed order.
#[derive(Clone, Debug)]
pub struct ListedItem {
    /// `item_sku`
    pub sku: String,
    /// `quantity`
    pub quantity: u32,
    /// `order_status`
    pub order_status: Option<String>,
    /// `payment_status`
    pub payment_status: Option<String>,
}

/// The three operations of `auth/token`. Any of them may end the tokens of other clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRequest {
    /// GET, which generates one too. Never sent by itself.
    Read,
    /// POST: what a login is here.
    Generate,
    /// PUT. Never sent by itself.
    Update,
}

/// Which of the two registrations: `webhook/status-order-pending` or `webhook/tracking`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookKind {
    /// `status-order-pending`: an order has a problem.
    OrderProblem,
    /// `tracking`
    Tracking,
}

/// A registration (`Webhook` in `schema/print-service.openapi.json`).
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Where notifications go.
    pub endpoint: String,
    /// Sent by the service in a header of each.
    pub access_key: SecretString,
    /// The client's own token.
    pub access_token: SecretString,
}

/// A client of one account, shared by all who talk to it.
#[derive(Debug)]
pub struct Client {
    base_url: String,
    email: String,
    /// Another one once its file has changed.
    password: Mutex<SecretString>,
    http: Http,
    tokens: Tokens,
    naming: Naming,
    answers: Answers,
}

/// Why no client can be made.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The base URL is not one.
    #[error("`{0}` is no base URL; expected https://HOST, or http:// on a loopback address")]
    BaseUrl(String),
    /// The HTTP library refused, for example because the machine has no certificates.
    #[error("cannot set up HTTPS; install the system's CA certificates (ca-certificates)")]
    Http(#[source] reqwest::Error),
}

/// The parameters of an operation that has none.
const NONE: Option<&()> = None;

impl Client {
    /// A client that has not talked to the service yet.
    pub fn new(settings: Settings) -> Result<Self, ClientError> {
        let http = Http::new(&settings)?;
        Ok(Self {
            answers: Answers::with(http.figures().asked_pause()),
            http,
            tokens: Tokens::new(&settings),
            naming: Naming::default(),
            base_url: settings.base_url,
            email: settings.email,
            password: Mutex::new(settings.password),
        })
    }

    /// Names the account without telling its e-mail: a hash of base URL and e-mail, the same in every run.
    pub fn account_key(&self) -> String {
        account_key(&self.base_url, &self.email)
    }

    /// Counts requests that processes before this one have sent with the account, and that ended so long ago, among those of
    /// the ceiling: the service does.
    pub fn count_earlier(&self, ended: &[Duration]) {
        self.http.count(ended);
    }

    /// Has nobody wait out a pause of the service's any more: the program is ending.
    pub fn end(&self) {
        self.http.end();
    }

    /// This moment by the service's clock, as the last answer told it (the `Date` header), however long the machine has slept
    /// since; none before one did, or where that cannot be its time.
    pub fn service_now(&self) -> Option<Timestamp> {
        self.http.service_now().and_then(credible)
    }

    /// Whether the service answers, and none of its answers had a `Date` header.
    pub fn tells_no_time(&self) -> bool {
        self.http.tells_no_time()
    }

    /// What it counts of its requests.
    pub fn figures(&self) -> &Figures {
        self.http.figures()
    }

    /// The count of the pages of its order list that came, or were refused. Who hears of other answers notes them too.
    pub fn answers(&self) -> Answers {
        self.answers.clone()
    }

    /// Asks for a token anew, as `doctor` does to try credentials (POST auth/token). Credentials that were refused
    /// before are tried again.
    pub async fn log_in(&self) -> Result<(), Failure> {
        self.tokens
            .anew(async || self.ask_token(TokenRequest::Generate).await)
            .await
    }

    /// One of the three token operations; who asks keeps the token.
    pub async fn ask_token(&self, request: TokenRequest) -> Result<SecretString, Failure> {
        let operation = operation::token(match request {
            TokenRequest::Read => Method::GET,
            TokenRequest::Generate => Method::POST,
            TokenRequest::Update => Method::PUT,
        });
        let password = self
            .password
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let credentials = wire::Credentials {
            email: &self.email,
            password: &password,
        };
        let prepared = self.http.prepare(&operation, Some(&credentials))?;
        let place = self.http.enter(&operation).await?;
        let sent = self.http.send((&operation, 1), &prepared, None, place).await;
        let reply = sent.map_err(|undone| undone.failure)?;
        read::<wire::TokenAnswer>(&operation, &reply).map(wire::TokenAnswer::into_token)
    }

    /// `products/list`: codes and names; the interface shows no fields of its items.
    pub async fn list_products(
        &self,
        search: Option<&str>,
        limit: u16,
        page: u32,
    ) -> Result<Vec<serde_json::Value>, Failure> {
        let query = wire::ProductQuery { search, limit, page };
        let answer: ListAnswer = self.ask(&operation::LIST_PRODUCTS, Some(&query)).await?;
        Ok(answer.products)
    }

    /// `products/detail`: the details of every variant of a product.
    pub async fn product(&self, code: &str) -> Result<Vec<Detail>, Failure> {
        let query = wire::ProductCode { code };
        let answer: ProductAnswer = self.ask(&operation::PRODUCT, Some(&query)).await?;
        Ok(answer.into_details())
    }

    /// `products/list-sku-catalogs`: every SKU.
    pub async fn sku_catalog(&self) -> Result<Vec<Entry>, Failure> {
        let operation = &operation::SKU_CATALOG;
        let reply = self.call(operation, NONE).await?;
        let answer: CatalogAnswer = read(operation, &reply)?;
        answer
            .into_entries()
            .map_err(|detail| unreadable(operation, &reply, detail))
    }

    /// `orders/detail`: one order.
    pub async fn order(&self, pw_order_id: &str, order_name: &str) -> Result<ListedOrder, Failure> {
        let ids = wire::OrderIds {
            pw_order_id,
            order_name,
        };
        let answer: OrderAnswer = self.ask(&operation::ORDER, Some(&ids)).await?;
        Ok(answer.into_order())
    }

    /// Asks, and reads the answer.
    async fn ask<P: Serialize, A: DeserializeOwned>(
        &self,
        operation: &Operation,
        params: Option<&P>,
    ) -> Result<A, Failure> {
        let reply = self.call(operation, params).await?;
        read(operation, &reply)
    }
}

/// Reads what a reply holds; one that cannot be read proves nothing.
fn read<A: DeserializeOwned>(operation: &Operation, reply: &Reply) -> Result<A, Failure> {
    wire::read(&reply.bytes).map_err(|detail| unreadable(operation, reply, detail))
}

fn unreadable(operation: &Operation, reply: &Reply, detail: String) -> Failure {
    Failure {
        operation: operation.name,
        verdict: Verdict::Unknown,
        heard: Heard::Odd(200),
        has_status: false,
        detail,
        service_message: reply.message.clone(),
        service_date: reply.service_date,
        made: None,
    }
}

#[cfg(test)]
pub(crate) mod tests;
