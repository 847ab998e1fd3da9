//! The HTTP skin: every call passes the same gate (limit, token, fault) before its operation is done, and the same
//! door, where a fault may still spoil its answer.

mod admin;
mod orders;
mod products;
mod tokens;
mod webhooks;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::on;
use jiff::Timestamp;
use serde::Deserialize;

use super::calls::Call;
use super::connection::Connection;
use super::faults::Fault;
use super::operation::{Operation, ROUTES};
use super::options::{Refusals, RetryAfter};
use super::params::Params;
use super::request::Refusal;
use super::service::Service;
use super::wire::{CreatedWire, Envelope, Reply};

/// The authentication header.
const TOKEN: HeaderName = HeaderName::from_static("pw-access-token");

/// Bytes of a body that leave before it is cut.
const CUT_AFTER: usize = 25;

/// What a gateway shows when the service behind it is in trouble.
const HTML: &str = "<!doctype html><html><head><title>Please wait</title></head><body><h1>We will be right back</h1></body></html>";

/// A request, read.
#[derive(Debug)]
struct Asked<'a> {
    service: &'a Service,
    operation: Operation,
    path: &'static str,
    query: BTreeMap<String, String>,
    body: Bytes,
    /// Whether what it asks for is to happen only later.
    late: bool,
}

/// What an operation comes to: the body of its answer, or a refusal.
type Outcome = Result<Vec<u8>, Refusal>;

impl Asked<'_> {
    /// The parameters of a GET.
    fn params(&self) -> Result<Params, Refusal> {
        Params::read(self.service.options.get_params, &self.query, &self.body)
    }

    /// What it asks for.
    fn perform(&self) -> Outcome {
        match self.operation {
            Operation::GenerateToken | Operation::UpdateToken => tokens::generate(self),
            Operation::ListProducts => products::list(self),
            Operation::ProductDetail => products::detail(self),
            Operation::SkuCatalogs => products::skus(self),
            Operation::ListOrders => orders::list(self),
            Operation::OrderDetail => orders::detail(self),
            Operation::Price => orders::price(self),
            Operation::Create => orders::create(self),
            Operation::Cancel => orders::cancel(self),
            Operation::ReadHook(hook) => webhooks::read(self, hook),
            Operation::SetHook(hook) => webhooks::set(self, hook),
            Operation::RemoveHook(hook) => webhooks::remove(self, hook),
        }
    }
}

/// The body of an answer that is good.
fn good(message: &str, rest: Reply<'_>) -> Outcome {
    envelope(200, message, rest)
}

fn envelope(status: u16, message: &str, rest: Reply<'_>) -> Outcome {
    serde_json::to_vec(&Envelope {
        status,
        message,
        rest,
    })
    .map_err(|error| Refusal {
        status: 500,
        message: format!("the answer cannot be written: {error}"),
    })
}

/// Every operation of the interface, and the sandbox's own.
pub(crate) fn router(service: Arc<Service>) -> Router {
    let mut router = admin::router();
    for &(method, path, operation) in ROUTES {
        let serve = move |State(service): State<Arc<Service>>,
                          ConnectInfo(connection): ConnectInfo<Connection>,
                          query: Result<Query<BTreeMap<String, String>>, QueryRejection>,
                          headers: HeaderMap,
                          body: Result<Bytes, BytesRejection>| async move {
            let (query, body) = match (query, body) {
                (Ok(Query(query)), Ok(body)) => (query, body),
                (Err(rejection), _) => return json(400, 400, &rejection.body_text()),
                (_, Err(rejection)) => return json(400, 400, &rejection.body_text()),
            };
            let asked = Asked {
                service: &service,
                operation,
                path,
                query,
                body,
                late: false,
            };
            let now = service.now();
            let mut response = serve(asked, &headers, &connection).await;
            if service.has_own_clock() {
                set_date(&mut response, now);
            }
            response
        };
        router = router.route(path, on(method, serve));
    }
    router
        .fallback(|| async { json(404, 404, "there is no such path") })
        .method_not_allowed_fallback(|| async { json(405, 405, "there is no such method here") })
        .with_state(service)
}

async fn serve(asked: Asked<'_>, headers: &HeaderMap, connection: &Connection) -> Response {
    let service = asked.service;
    if let Some(wait) = service.too_fast() {
        note(&asked, 429, None);
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        return too_many(service, &RetryAfter::Text(seconds.to_string()));
    }
    if asked.operation.needs_token()
        && let Err(refusal) = let_in(service, headers)
    {
        note(&asked, refusal.status, None);
        return refused(service, &refusal);
    }
    let fault = service.faults().strike(asked.operation);
    let Some(response) = fault.and_then(|fault| turned_away(service, fault, connection)) else {
        return do_it(asked, fault, connection).await;
    };
    let in_envelope = fault == Some(Fault::EnvelopeRefusal);
    let status = if in_envelope {
        400
    } else {
        response.status().as_u16()
    };
    note(&asked, status, fault);
    response
}

/// The answer to a call whose fault lets nothing be done.
fn turned_away(service: &Service, fault: Fault, connection: &Connection) -> Option<Response> {
    match fault {
        Fault::DropBefore => {
            connection.close();
            Some(StatusCode::SERVICE_UNAVAILABLE.into_response())
        }
        Fault::ErrorBefore(status) => Some(json(status, status, "something went wrong")),
        Fault::EnvelopeRefusal => Some(json(200, 400, "the request is refused")),
        Fault::Refuse => Some(refused(service, &Refusal::bad("the request is refused"))),
        Fault::ExpireToken => {
            service.state(|state, _now| state.end_tokens());
            Some(refused(
                service,
                &Refusal::unauthorized("the access token has ended"),
            ))
        }
        Fault::RateLimit => Some(too_many(service, &service.options.retry_after)),
        Fault::Unavailable => Some(json(503, 503, "the service is away for a while")),
        Fault::DropAfter
        | Fault::Late
        | Fault::Slow
        | Fault::ErrorAfter(_)
        | Fault::HtmlAfter
        | Fault::CutBody
        | Fault::WrongOrderId
        | Fault::OtherId
        | Fault::FormerId
        | Fault::Redirect
        | Fault::Empty200
        | Fault::Bare200 => None,
    }
}

/// Does what is asked for, and spoils the answer where a fault says so.
async fn do_it(mut asked: Asked<'_>, fault: Option<Fault>, connection: &Connection) -> Response {
    let service = asked.service;
    asked.late = fault == Some(Fault::Late);
    let outcome = asked.perform();
    let status = outcome
        .as_ref()
        .map_or_else(|refusal| refusal.status, |_body| 200);
    note(&asked, status, fault);
    service.wait(service.options.latency).await;
    let answer = match outcome {
        Ok(body) if fault == Some(Fault::OtherId) => {
            answer(StatusCode::OK, with_id(body, |id| format!("internal/{id}")))
        }
        Ok(body) if fault == Some(Fault::FormerId) => {
            let former = |id: &str| service.state(|state, _now| state.orders.before(id));
            answer(
                StatusCode::OK,
                with_id(body, |id| former(id).unwrap_or_else(|| id.to_owned())),
            )
        }
        Ok(body) => answer(StatusCode::OK, body),
        Err(refusal) => refused(service, &refusal),
    };
    let Some(fault) = fault else { return answer };
    match fault {
        Fault::DropAfter | Fault::Late => {
            connection.close();
            answer
        }
        Fault::Slow => {
            service.wait(service.options.slow).await;
            answer
        }
        Fault::ErrorAfter(status) => json(status, status, "something went wrong"),
        Fault::HtmlAfter => axum::response::Html(HTML).into_response(),
        Fault::CutBody => {
            connection.cut_body_after(CUT_AFTER);
            answer
        }
        Fault::WrongOrderId if status == 200 => another_order(&asked),
        Fault::Redirect => redirect(asked.path),
        Fault::Empty200 => answer_empty(),
        Fault::Bare200 => json(200, 200, "ok"),
        Fault::WrongOrderId
        | Fault::OtherId
        | Fault::FormerId
        | Fault::DropBefore
        | Fault::ErrorBefore(_)
        | Fault::EnvelopeRefusal
        | Fault::Refuse
        | Fault::ExpireToken
        | Fault::RateLimit
        | Fault::Unavailable => answer,
    }
}

/// The answer to a create with another id in the place of the order's.
fn with_id(body: Vec<u8>, other: impl FnOnce(&str) -> String) -> Vec<u8> {
    let Ok(mut answer) = serde_json::from_slice::<serde_json::Value>(&body) else {
        return body;
    };
    if let Some(id) = answer.pointer_mut("/data/pwOrderId") {
        *id = other(id.as_str().unwrap_or_default()).into();
    }
    answer.to_string().into_bytes()
}

fn let_in(service: &Service, headers: &HeaderMap) -> Result<(), Refusal> {
    let token = headers
        .get(TOKEN)
        .ok_or_else(|| Refusal::unauthorized("the header PW-ACCESS-TOKEN is missing"))?;
    let known = token
        .to_str()
        .is_ok_and(|token| service.state(|state, now| state.knows_token(token, now)));
    if known {
        return Ok(());
    }
    Err(Refusal::unauthorized("the access token is wrong or has ended"))
}

/// The names by which creates and cancels are told apart in the log.
#[derive(Default, Deserialize)]
struct Names {
    order_id: Option<String>,
    order_name: Option<String>,
}

/// What names a body has; a body that cannot be read has none, and is refused elsewhere.
fn names(body: &[u8]) -> Names {
    serde_json::from_slice(body).unwrap_or_default()
}

fn note(asked: &Asked<'_>, status: u16, fault: Option<Fault>) {
    let named = matches!(asked.operation, Operation::Create | Operation::Cancel);
    let names = if named {
        names(&asked.body)
    } else {
        Names::default()
    };
    asked.service.calls().note(Call {
        operation: asked.operation.name(),
        order_id: names.order_id.or(names.order_name),
        at: asked.service.now(),
        status,
        fault: fault.map(|fault| fault.to_string()),
    });
}

fn answer(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

fn answer_empty() -> Response {
    answer(StatusCode::OK, Vec::new())
}

/// An envelope with nothing else in it.
fn json(http: u16, status: u16, message: &str) -> Response {
    let body = envelope(status, message, Reply::Nothing {});
    answer(
        StatusCode::from_u16(http).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        body.unwrap_or_else(|refusal| refusal.message.into_bytes()),
    )
}

fn refused(service: &Service, refusal: &Refusal) -> Response {
    let http = match service.options.refusals {
        Refusals::Http => refusal.status,
        Refusals::Envelope => 200,
    };
    json(http, refusal.status, &refusal.message)
}

fn too_many(service: &Service, retry_after: &RetryAfter) -> Response {
    let mut response = json(429, 429, "too many requests");
    let text = match retry_after {
        RetryAfter::Absent => return response,
        RetryAfter::Text(text) => text.clone(),
        RetryAfter::DateIn(seconds) => {
            let wait = Duration::from_secs(u64::try_from(*seconds).unwrap_or(0));
            http_date(super::state::later(service.now(), wait))
        }
    };
    if let Ok(value) = HeaderValue::from_str(&text) {
        response.headers_mut().insert(header::RETRY_AFTER, value);
    }
    response
}

/// Sends the client to the same place: whoever follows does it twice.
fn redirect(path: &'static str) -> Response {
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, path)]).into_response()
}

/// A good answer to a create, but of another order: the newest that has another name, else one that never was.
fn another_order(asked: &Asked<'_>) -> Response {
    let ours = names(&asked.body).order_id.unwrap_or_default();
    let another = asked.service.state(|state, _now| {
        let mut newest_first = state.orders.all().iter().rev();
        newest_first.find(|order| order.order_name != ours).cloned()
    });
    let (pw_order_id, order_id) = another
        .as_ref()
        .map_or(("PW-1", "somebody-elses-order"), |order| {
            (&order.pw_order_id, &order.order_name)
        });
    let data = CreatedWire {
        pw_order_id,
        order_id,
    };
    match good("the order has been created", Reply::Created { data }) {
        Ok(body) => answer(StatusCode::OK, body),
        Err(refusal) => json(500, 500, &refusal.message),
    }
}

fn set_date(response: &mut Response, now: Timestamp) {
    if let Ok(value) = HeaderValue::from_str(&http_date(now)) {
        response.headers_mut().insert(header::DATE, value);
    }
}

fn http_date(at: Timestamp) -> String {
    httpdate::fmt_http_date(at.into())
}
