//! The client of the print service: one method an operation of its interface, each sent once. What an answer means
//! is judged in one place, `verdict`; sending again is nobody's business here but the order's state machine's.

use std::time::Duration;

use jiff::{Timestamp, civil::DateTime};
use secrecy::SecretString;

use crate::catalog::{Detail, Entry};
use crate::money::Money;
use crate::order::Order;
use crate::quote::{Quote, ServiceAmounts};

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

/// A ceiling on requests. Config: `rate_limit = "50/3s"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests.
    pub requests: u32,
    /// In this time.
    pub per: Duration,
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
}

/// Why an operation gave no answer that can be used; the table is in `service/verdict.rs`.
#[derive(Debug, thiserror::Error)]
#[error("{operation}: {detail}")]
pub struct Failure {
    /// Which operation, in the interface's words: `create-new-order`.
    pub operation: &'static str,
    /// What the failure means for what was asked.
    pub verdict: Verdict,
    /// What happened, for a person; holds no secret, no address and no query.
    pub detail: String,
    /// The service's own words, when it said some; for a person.
    pub service_message: Option<String>,
    /// The `Date` header of the answer, when one came.
    pub service_date: Option<Timestamp>,
}

/// What a failure means for what was asked. After `Unknown` of a create or a cancel only a look-up may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The request certainly had no effect, for it never reached the service, or was turned away at its door: refused
    /// connection, DNS, TLS. It may be asked again after a pause.
    NotSent,
    /// The service asks for a pause of this length (429).
    TryLater(Duration),
    /// The credentials are refused, after one new login: the account stops.
    Credentials,
    /// The account is set up wrongly (404, 405, 415): it stops; no order is refused.
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

/// The ids of a created order (interface 4.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedOrder {
    /// `pwOrderId`
    pub pw_order_id: String,
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
    /// The orders on it.
    pub orders: Vec<ListedOrder>,
    /// `length`; whether it counts the page or all is not stated.
    pub length: Option<usize>,
    /// `limit`, as the service repeats it.
    pub limit: Option<usize>,
}

/// An order as the service lists it (interface 2.8 and 2.9). Only what identifies it is demanded.
#[derive(Clone, Debug)]
pub struct ListedOrder {
    /// `pw_order_id`
    pub pw_order_id: String,
    /// `order_name`: the order_id that was sent.
    pub order_name: String,
    /// `dtime_entered`; none where it cannot be read.
    pub entered_at: Option<Timestamp>,
    /// `shipping_country_code`; none where it is missing.
    pub country_code: Option<String>,
    /// `shipping_zip`; none where it is missing.
    pub zip: Option<String>,
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

/// Which of the two registrations (interface 4.4 and 4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookKind {
    /// `status-order-pending`: an order has a problem.
    OrderProblem,
    /// `tracking`
    Tracking,
}

/// A registration (interface 2.11).
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
pub struct Client {}

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

impl Client {
    /// A client that has not talked to the service yet.
    pub fn new(_settings: Settings) -> Result<Self, ClientError> {
        todo!()
    }

    /// Asks for a token anew, as `doctor` does to try credentials (POST auth/token).
    pub async fn log_in(&self) -> Result<(), Failure> {
        todo!()
    }

    /// `products/list`: codes and names; the interface shows no fields of its items.
    pub async fn list_products(
        &self,
        _search: Option<&str>,
        _limit: u16,
        _page: u32,
    ) -> Result<Vec<serde_json::Value>, Failure> {
        todo!()
    }

    /// `products/detail`: the details of every variant of a product.
    pub async fn product(&self, _code: &str) -> Result<Vec<Detail>, Failure> {
        todo!()
    }

    /// `products/list-sku-catalogs`: every SKU.
    pub async fn sku_catalog(&self) -> Result<Vec<Entry>, Failure> {
        todo!()
    }

    /// `orders/list`: one page.
    pub async fn list_orders(&self, _query: &ListOrders<'_>) -> Result<Answer<OrderPage>, Failure> {
        todo!()
    }

    /// `orders/detail`: one order.
    pub async fn order(&self, _pw_order_id: &str, _order_name: &str) -> Result<ListedOrder, Failure> {
        todo!()
    }

    /// `orders/calculate-price-order`: the price, its lines matched to the order's.
    pub async fn quote(&self, _order: &Order) -> Result<Quote, Failure> {
        todo!()
    }

    /// `orders/create-new-order`. Sent at most once by every layer below; the caller has committed the intent.
    pub async fn create(&self, _order: &Order) -> Result<Answer<CreatedOrder>, Failure> {
        todo!()
    }

    /// `orders/cancel-order`; gives the service's own message.
    pub async fn cancel(&self, _pw_order_id: &str, _order_name: &str) -> Result<String, Failure> {
        todo!()
    }

    /// The registration of a kind (GET); none where nothing is registered.
    pub async fn webhook(&self, _kind: WebhookKind) -> Result<Option<Webhook>, Failure> {
        todo!()
    }

    /// Registers anew (POST).
    pub async fn register_webhook(&self, _kind: WebhookKind, _hook: &Webhook) -> Result<(), Failure> {
        todo!()
    }

    /// Replaces a registration (PUT).
    pub async fn replace_webhook(&self, _kind: WebhookKind, _hook: &Webhook) -> Result<(), Failure> {
        todo!()
    }

    /// Removes a registration (DELETE).
    pub async fn remove_webhook(&self, _kind: WebhookKind) -> Result<(), Failure> {
        todo!()
    }
}
