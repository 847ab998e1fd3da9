//! How a sandbox behaves: what the interface leaves open, and what goes wrong on purpose.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use jiff::tz::Offset;

use super::faults::Rule;

/// How a sandbox behaves. The default is a calm one: no faults, no lag, no latency.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens; a loopback address, port 0 for any free one.
    pub listen: SocketAddr,
    /// The file that keeps orders, tokens and registrations; none keeps them in memory.
    pub state: Option<PathBuf>,
    /// The account's e-mail.
    pub email: String,
    /// The account's password.
    pub password: String,
    /// How long a token lives; none is for ever.
    pub token_lifetime: Option<Duration>,
    /// Whether a new login ends older tokens (PUT always does).
    pub single_token: bool,
    /// Which HTTP status a refusal has.
    pub refusals: Refusals,
    /// Where GET parameters are read from.
    pub get_params: GetParams,
    /// The number of the first page.
    pub first_page: FirstPage,
    /// What `length` counts.
    pub length: Length,
    /// In which order orders are listed.
    pub list_order: ListOrder,
    /// What a list without orders is answered with.
    pub empty_list: EmptyList,
    /// The sign of discounts on the wire.
    pub discounts: Sign,
    /// What a second create with the same `order_id` does.
    pub repeated_create: Repeated,
    /// The offset of every time on the wire, and of the dates in `orders/list`.
    pub utc_offset: Offset,
    /// How far its clock is behind the machine's at the beginning.
    pub behind: Duration,
    /// How long a new order stays out of `orders/list`.
    pub list_lag: Duration,
    /// How long after a `late` fault the order comes to be.
    pub late: Duration,
    /// How long a `slow` fault keeps its answer.
    pub slow: Duration,
    /// How long each answer takes, after its work is done.
    pub latency: Duration,
    /// A ceiling on requests, answered with 429 beyond it.
    pub limit: Option<Limit>,
    /// What `Retry-After` says when a `rate-limit` fault strikes.
    pub retry_after: RetryAfter,
    /// Faults to begin with.
    pub faults: Vec<Rule>,
    /// Seeds what is random.
    pub seed: u64,
    /// How orders live by the clock; none leaves them waiting until commanded.
    pub life: Option<Life>,
    /// The header of notifications that carries the access key.
    pub access_key_header: String,
}

/// Which HTTP status a refusal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusals {
    /// The envelope's.
    Http,
    /// 200: only the envelope tells.
    Envelope,
}

/// Where GET parameters are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetParams {
    /// Only the JSON body; a query is refused.
    Body,
    /// Only the query; a body is refused.
    Query,
    /// Either; refused where the two contradict each other.
    Both,
}

/// The number of the first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPage {
    /// 0.
    Zero,
    /// 1; page 0 is refused.
    One,
    /// 1; page 0 shows page 1.
    OneRepeated,
}

/// What `length` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// What is on the page.
    Page,
    /// All that matches.
    All,
}

/// In which order orders are listed, by their time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListOrder {
    /// The newest first.
    Newest,
    /// The oldest first.
    Oldest,
}

/// Where it is shown what is in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemsShown {
    /// In the list and by the order's id.
    Everywhere,
    /// By its id alone.
    ById,
    /// Nowhere.
    Nowhere,
}

/// What a list without orders is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyList {
    /// The empty list.
    Shown,
    /// 404.
    NotFound,
}

/// The sign of discounts on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `5.00` takes five off.
    Positive,
    /// `-5.00` takes five off.
    Negative,
}

/// What a second create with the same `order_id` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeated {
    /// It makes a second order, for the interface promises nothing else.
    SecondOrder,
    /// It is refused with 400 "exists".
    Refused,
}

/// What `Retry-After` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// This text: `2`, `86400`, `soon`.
    Text(String),
    /// The HTTP date so many seconds from now.
    DateIn(i64),
    /// There is no such header.
    Absent,
}

/// A ceiling on requests: so many within each stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Requests.
    pub requests: u32,
    /// In this time.
    pub per: Duration,
}

/// How orders live by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// From their creation to production.
    pub production_after: Duration,
    /// From their creation to fulfilment with a tracking, or to a problem.
    pub fulfilled_after: Duration,
    /// Every so manyth order has a problem instead; 0 is none.
    pub problem_every: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            state: None,
            email: "shop@example.com".to_owned(),
            password: "sandbox".to_owned(),
            token_lifetime: None,
            single_token: false,
            refusals: Refusals::Http,
            get_params: GetParams::Both,
            first_page: FirstPage::One,
            length: Length::Page,
            list_order: ListOrder::Newest,
            empty_list: EmptyList::Shown,
            discounts: Sign::Positive,
            repeated_create: Repeated::SecondOrder,
            utc_offset: Offset::UTC,
            behind: Duration::ZERO,
            list_lag: Duration::ZERO,
            late: Duration::from_secs(5),
            slow: Duration::from_mins(1),
            latency: Duration::ZERO,
            limit: None,
            retry_after: RetryAfter::Text("1".to_owned()),
            faults: Vec::new(),
            seed: 0,
            life: None,
            access_key_header: "PW-ACCESS-KEY".to_owned(),
        }
    }
}
