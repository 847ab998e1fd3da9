//! One request over HTTP, sent once, and its answer, judged.
//!
//! Nothing below sends a request a second time once a byte of it may have left:
//!
//! - redirects are off, and so are reqwest's own retries (`reqwest::retry::never`);
//! - hyper-util's pool does send again, on another connection, when a kept connection turns out to be closed, but
//!   only a request that hyper gives back whole: `client/legacy/client.rs` (0.1.21) `send_request` loops on
//!   `TrySendError::Retryable` alone, which `try_send_request` makes from `take_message`. hyper (1.12) returns the
//!   message from two places, both for a request that still waits in the connection's queue: the drop of an unread
//!   `Envelope` (`client/dispatch.rs`) and `rx.try_recv` of a connection that failed before it took the request
//!   (`proto/h1/dispatch.rs`, `Client::recv_msg`). Once `poll_msg` has taken it out to write it, every error
//!   carries no message and is final. So a kept connection is as safe as a fresh one, and creates use the pool.
//!
//! One thing does go again, in `call`: what only reads, once, where its connection broke before an answer came. A service
//! may close a kept connection whenever it likes, and unread what has just been sent on it; what was sent cannot know.
//! From then on no connection is kept for a while (`connections`), so that the next create does not meet the same end: it
//! would be unknown, though it never came.
//!
//! The tests in `src/service/tests/creates.rs` and `connections.rs` hold it to that.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, DATE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Request, Url};
use serde::Serialize;

use super::connections::Connections;
use super::figures::Figures;
use super::operation::{CREATE, Operation, Shape};
use super::pace::{Signal, Slot, Throttle};
use super::verdict::{self, Body, Exchange};
use super::{ClientError, Failure, GetParams, Settings, Verdict, body, moved, page, said, wire};
use crate::clock::{BootTime, Clock};

static TOKEN_HEADER: HeaderName = HeaderName::from_static("pw-access-token");

/// An account's way to the service.
#[derive(Debug)]
pub(super) struct Http {
    connections: Connections,
    /// Read once: to read it for each request would take longer than to write the request.
    base_url: Url,
    /// Its path, without a slash at its end.
    base_path: String,
    get_params: GetParams,
    gate: Throttle,
    figures: Figures,
    /// This machine's clocks.
    machine: Clock,
    /// The service's clock as an answer told it last, and when that was: by the boot clock, for the service's goes on while
    /// this machine sleeps.
    clock: Mutex<Option<(Timestamp, BootTime)>>,
    /// An answer has told no time.
    is_timeless: AtomicBool,
}

/// A request without a token: where it goes, and what is sent there.
#[derive(Debug)]
pub(super) struct Prepared {
    url: Url,
    body: Option<Vec<u8>>,
}

/// An answer that says that what was asked was done.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) bytes: Vec<u8>,
    pub(super) message: Option<String>,
    pub(super) service_date: Option<Timestamp>,
}

/// What came of a request that was not done, as far as is known.
#[derive(Debug)]
pub(super) struct Undone {
    pub(super) failure: Failure,
    /// Whether the token that it had has ended.
    pub(super) token_ended: bool,
    /// Whether the service has turned it away with words that may speak of that token.
    pub(super) may_be_of_token: bool,
    /// Whether its connection broke before an answer came, and may be one that was kept: another may do.
    pub(super) may_be_stale: bool,
}

impl From<Failure> for Undone {
    /// Of a request that did not leave.
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            token_ended: false,
            may_be_of_token: false,
            may_be_stale: false,
        }
    }
}

/// What came back, before it is judged.
#[derive(Debug)]
struct Arrived {
    exchange: Exchange,
    bytes: Vec<u8>,
    message: Option<String>,
    service_date: Option<Timestamp>,
    /// What happened, for a person.
    story: String,
    /// No answer came, for the connection broke, and it may be one that was kept.
    may_be_stale: bool,
}

impl Http {
    pub(super) fn new(settings: &Settings) -> Result<Self, ClientError> {
        let (base_url, loopback) = checked(&settings.base_url)?;
        install_crypto();
        Ok(Self {
            connections: Connections::new(settings, loopback)?,
            base_path: base_url.path().trim_end_matches('/').to_owned(),
            base_url,
            get_params: settings.get_params,
            gate: Throttle::new(settings.max_in_flight, settings.rate_limit),
            figures: Figures::default(),
            machine: settings.clock.clone(),
            clock: Mutex::default(),
            is_timeless: AtomicBool::default(),
        })
    }

    /// This moment by the service's clock; none before an answer has told it.
    pub(super) fn service_now(&self) -> Option<Timestamp> {
        let heard = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, at) = heard.as_ref()?;
        told.checked_add(self.machine.now().boot.since(at)?).ok()
    }

    /// Whether the service answers, and no answer has told its time.
    pub(super) fn tells_no_time(&self) -> bool {
        self.is_timeless.load(Ordering::Relaxed) && self.service_now().is_none()
    }

    /// Has nobody wait out a pause of the service's any more: the program is ending.
    pub(super) fn end(&self) {
        self.gate.end();
    }

    pub(super) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// A request without a token, its parameters written once.
    pub(super) fn prepare<P: Serialize>(
        &self,
        operation: &Operation,
        params: Option<&P>,
    ) -> Result<Prepared, Failure> {
        let mut url = self.base_url.clone();
        url.set_path(&format!("{}{}", self.base_path, operation.path));
        let mut prepared = Prepared { url, body: None };
        let Some(params) = params else {
            return Ok(prepared);
        };
        let is_get = travels_as_set(operation);
        if is_get && self.get_params != GetParams::Body {
            let with_query = self.connections.kept().get(prepared.url).query(params).build();
            let with_query = with_query.map_err(|error| unsendable(operation, &describe(error)))?;
            prepared.url = with_query.url().clone();
        }
        if !is_get || self.get_params != GetParams::Query {
            let body = serde_json::to_vec(params)
                .map_err(|error| unsendable(operation, &format!("it cannot be written: {error}")))?;
            prepared.body = Some(body);
        }
        Ok(prepared)
    }

    /// Waits for a request's turn.
    pub(super) async fn enter(&self, operation: &Operation) -> Result<Slot, Failure> {
        let entered = self.gate.enter(operation.queue()).await;
        entered.map_err(|rest| still_paused(operation, rest))
    }

    /// The same where requests are counted; none where they are not.
    pub(super) async fn enter_where_counted(&self, operation: &Operation) -> Result<Option<Slot>, Failure> {
        let entered = self.gate.enter_where_counted().await;
        entered.map_err(|rest| still_paused(operation, rest))
    }

    /// Counts requests of processes before this one, which ended so long ago.
    pub(super) fn count(&self, ended: &[Duration]) {
        self.gate.count(ended);
    }

    /// Sends a request once, whose turn has come, and judges the answer. `attempt` is for the log.
    pub(super) async fn send(
        &self,
        (operation, attempt): (&Operation, u32),
        prepared: &Prepared,
        token: Option<&HeaderValue>,
        place: Slot,
    ) -> Result<Reply, Undone> {
        if attempt > 1 {
            self.figures.repeated(operation.name);
        }
        let has_params = prepared.body.is_some() || prepared.url.query().is_some();
        let under_way = self.figures.begin(operation.name);
        let began = Instant::now();
        let place = place.used();
        let arrived = self.exchange(operation, prepared.request(operation, token)).await;
        place.leave(Signal::of(arrived.exchange));
        let made = said::order_named(operation, arrived.exchange, &arrived.bytes);
        let verdict = match verdict::judge(operation.shape, arrived.exchange) {
            Err(Verdict::Refused) if made.is_some() => Err(Verdict::Unknown),
            verdict => verdict,
        };
        under_way.end(verdict);
        tracing::debug!(
            operation = operation.name,
            attempt,
            duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            outcome = arrived.story,
            "asked the service"
        );
        match verdict {
            Ok(()) => Ok(Reply {
                bytes: arrived.bytes,
                message: arrived.message,
                service_date: arrived.service_date,
            }),
            Err(verdict) => Err(Undone {
                failure: Failure {
                    made,
                    ..self.failure(operation, (verdict, has_params), &arrived)
                },
                token_ended: verdict::ends_token(arrived.exchange),
                may_be_of_token: said::may_be_of_token(
                    operation,
                    arrived.exchange,
                    arrived.message.as_deref(),
                ),
                may_be_stale: arrived.may_be_stale,
            }),
        }
    }

    /// What an answer comes to that is not what was asked for.
    fn failure(
        &self,
        operation: &Operation,
        (verdict, has_params): (Verdict, bool),
        arrived: &Arrived,
    ) -> Failure {
        // A gateway's page, or a service that says no in plain text: a person can tell which.
        let is_no = matches!(
            arrived.exchange,
            Exchange::Answered {
                http: 400..=499,
                body: Body::Unreadable,
                ..
            }
        );
        let is_told = is_no && verdict == Verdict::Unknown && operation.name == CREATE.name;
        let page = || page::text(&arrived.bytes).filter(|_text| is_told);
        Failure {
            operation: operation.name,
            verdict,
            heard: verdict::heard(arrived.exchange),
            has_status: verdict::has_status(arrived.exchange),
            detail: if verdict == Verdict::Refused && has_params && travels_as_set(operation) {
                self.refused_to_read(arrived)
            } else {
                arrived.story.clone()
            },
            service_message: arrived.message.clone().or_else(page),
            service_date: arrived.service_date,
            made: None,
        }
    }

    /// What a GET came to whose parameters were refused, for a person: a service that takes none in a body, or none in the
    /// query, says so in words of its own.
    fn refused_to_read(&self, arrived: &Arrived) -> String {
        let words = arrived.message.as_ref();
        let words = words.map_or_else(String::new, |words| format!(", “{words}”"));
        let get_params = match self.get_params {
            GetParams::Body => "body",
            GetParams::Query => "query",
            GetParams::Both => "both",
        };
        format!(
            "{}{words}; should GET parameters travel otherwise than get_params = \"{get_params}\" says?",
            arrived.story
        )
    }

    async fn exchange(&self, operation: &Operation, request: Request) -> Arrived {
        if let Err(error) = crate::crash::fails("request") {
            return Arrived::broken(error.to_string());
        }
        let way = self.connections.way(operation, Instant::now());
        let response = match way.client.execute(request).await {
            Ok(response) => response,
            Err(error) => {
                let broke = !error.is_connect() && !error.is_timeout();
                if broke {
                    self.connections.note_broken(Instant::now());
                }
                return Arrived {
                    may_be_stale: broke && way.is_kept,
                    ..Arrived::without_answer(error)
                };
            }
        };
        if let Err(error) = crate::crash::fails("answer") {
            return Arrived::broken(error.to_string());
        }
        let http = response.status().as_u16();
        let headers = response.headers();
        let date = text(headers, &DATE).and_then(|date| httpdate::parse_http_date(date).ok());
        let retry_after = text(headers, &RETRY_AFTER).and_then(|asked| verdict::retry_after(asked, date));
        let service_date = date.and_then(|date| Timestamp::try_from(date).ok());
        let moved = text(headers, &LOCATION)
            .and_then(|place| moved::told(http, response.url(), place, operation.path))
            .map_or_else(String::new, |moved| format!(", {moved}"));
        if let Some(told) = service_date {
            let heard = Some((told, self.machine.now().boot));
            *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = heard;
        } else if response.status().is_success() {
            // A gateway's own page says nothing of the service.
            self.is_timeless.store(true, Ordering::Relaxed);
        }
        match body::read(response, operation.answer_bytes).await {
            Ok(bytes) => {
                let (body, message) = wire::envelope(&bytes);
                Arrived {
                    exchange: Exchange::Answered {
                        http,
                        body,
                        retry_after,
                    },
                    bytes,
                    message,
                    service_date,
                    story: told(http, body) + &moved,
                    may_be_stale: false,
                }
            }
            // It had a code, but the rest of it could have said anything.
            Err(trouble) => Arrived {
                exchange: trouble.exchange(),
                service_date,
                ..Arrived::broken(format!("HTTP {http}, but {}", trouble.words()))
            },
        }
    }
}

impl Prepared {
    fn request(&self, operation: &Operation, token: Option<&HeaderValue>) -> Request {
        let mut request = Request::new(operation.method.clone(), self.url.clone());
        if let Some(body) = &self.body {
            let json = HeaderValue::from_static("application/json");
            request.headers_mut().insert(CONTENT_TYPE, json);
            *request.body_mut() = Some(body.clone().into());
        }
        if let Some(token) = token {
            request.headers_mut().insert(&TOKEN_HEADER, token.clone());
        }
        request
    }
}

impl Arrived {
    fn without_answer(error: reqwest::Error) -> Self {
        // reqwest says `is_connect` only of what hyper-util's `connect_to` and `connection_for` give, before a
        // request is handed to a connection; its own connect timeout counts among them.
        let exchange = if error.is_connect() {
            Exchange::NotConnected
        } else {
            Exchange::Broken
        };
        Self {
            exchange,
            ..Self::broken(describe(error))
        }
    }

    fn broken(story: String) -> Self {
        Self {
            exchange: Exchange::Broken,
            bytes: Vec::new(),
            message: None,
            service_date: None,
            story,
            may_be_stale: false,
        }
    }
}

/// Whether an operation's parameters travel as `get_params` says.
fn travels_as_set(operation: &Operation) -> bool {
    operation.method == reqwest::Method::GET && operation.shape != Shape::Token
}

/// The codes of an answer, for a person.
fn told(http: u16, body: Body) -> String {
    match body {
        Body::Envelope(Some(status)) if status != http => format!("HTTP {http} with a status of {status}"),
        Body::Envelope(_) => format!("HTTP {http}"),
        Body::Empty => format!("HTTP {http} without a body"),
        Body::Unreadable => format!("HTTP {http} with a body that is not the interface's"),
    }
}

/// What happened on the way, for a person: without the address, and without the query.
fn describe(error: reqwest::Error) -> String {
    let what = if error.is_connect() && error.is_timeout() {
        "the service could not be reached in time"
    } else if error.is_connect() {
        "the service could not be reached"
    } else if error.is_timeout() {
        "no answer came in time"
    } else {
        "the connection broke before an answer came"
    };
    // Its last cause is the machine's own word: refused, reset, a certificate's fault.
    format!("{what}: {}", crate::causes::innermost(&error.without_url()))
}

fn still_paused(operation: &Operation, rest: Duration) -> Failure {
    let detail = format!(
        "not sent: the service takes no more requests for now, and is asked again in {} s",
        rest.as_secs()
    );
    Failure::unsent(operation, Verdict::TryLater(rest), detail)
}

fn unsendable(operation: &Operation, why: &str) -> Failure {
    let detail = format!("the request cannot be made: {why}");
    Failure::unsent(operation, Verdict::Misconfigured, detail)
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A base URL, and whether it is `http://` on this machine; an error when it is neither that nor `https://`.
fn checked(base_url: &str) -> Result<(Url, bool), ClientError> {
    let wrong = || ClientError::BaseUrl(base_url.to_owned());
    let url = Url::parse(base_url).map_err(|_not_a_url| wrong())?;
    let bare = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    let host = url.host_str().filter(|_| bare).ok_or_else(wrong)?;
    match url.scheme() {
        "https" => Ok((url, false)),
        "http" if is_loopback(host) => Ok((url, true)),
        _ => Err(wrong()),
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Names the one provider of TLS's arithmetic, which this build of reqwest leaves to the program.
pub(crate) fn install_crypto() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        if rustls::crypto::ring::default_provider()
            .install_default()
            .is_err()
        {
            tracing::debug!("another provider of TLS is installed already");
        }
    });
}
