//! The door that the service knocks at: one path an account and kind, the access key in a header, a body of any
//! shape. It answers 200 when the notification is durable, and not before.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;
use tokio::sync::Notify;
use tower_http::timeout::TimeoutLayer;

use crate::clock::Clock;
use crate::ledger::Ledger;
use crate::ledger::record::{AccountRef, NoticeKind, Notification};
use crate::serving::TIMEOUT;

/// The most bytes of a notification: a thousand orders have room in it.
const MOST_BYTES: usize = 1024 * 1024;

/// Notifications that are kept and not looked at yet; at more, the service is told to come again.
const MOST_UNREAD: u64 = 10_000;

/// Who may knock, and where what they bring is put.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) ledger: Arc<Ledger>,
    /// By the name in the config.
    pub(super) accounts: BTreeMap<String, AccountRef>,
    pub(super) key: SecretString,
    /// The header that holds the key; every header is looked at where none is named.
    pub(super) header: Option<String>,
    pub(super) clock: Clock,
    /// Rung when something was brought.
    pub(super) bell: Arc<Notify>,
}

/// The router of a door.
pub(super) fn router(door: Arc<Door>) -> Router {
    Router::new()
        .fallback(knock)
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            TIMEOUT,
        ))
        .with_state(door)
}

async fn knock(State(door): State<Arc<Door>>, request: Request<Body>) -> StatusCode {
    // Nothing is read of a body before its sender has shown the key.
    if !door.knows(request.headers()) {
        return StatusCode::UNAUTHORIZED;
    }
    let Some((account, kind)) = door.place(request.uri().path()) else {
        return StatusCode::NOT_FOUND;
    };
    if !matches!(*request.method(), Method::POST | Method::PUT) {
        return StatusCode::METHOD_NOT_ALLOWED;
    }
    let Ok(body) = to_bytes(request.into_body(), MOST_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE;
    };
    let at = door.clock.now().wall;
    let brought = Notification {
        account,
        kind,
        body: body.to_vec(),
    };
    let kept = door
        .ledger
        .write(move |store| store.keep_notification(&brought, at, MOST_UNREAD))
        .await;
    match kept {
        Ok(true) => {
            door.bell.notify_one();
            StatusCode::OK
        }
        Ok(false) => StatusCode::SERVICE_UNAVAILABLE,
        Err(error) => {
            tracing::error!(%error, "a notification cannot be kept");
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

impl Door {
    /// Whether the request shows the key. Each value is compared in a time that does not tell how much of it is right.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let key = self.key.expose_secret().as_bytes();
        let is_key = |value: &[u8]| bool::from(value.ct_eq(key));
        match &self.header {
            Some(name) => headers.get_all(name).iter().any(|value| is_key(value.as_bytes())),
            // The interface does not show the header's name.
            None => headers.values().any(|value| is_key(value.as_bytes())),
        }
    }

    /// Whose door a path is, and of which kind, by its last two parts: what a proxy has put before them does not
    /// matter.
    fn place(&self, path: &str) -> Option<(AccountRef, NoticeKind)> {
        let (rest, kind) = path.trim_end_matches('/').rsplit_once('/')?;
        let account = rest.rsplit('/').next()?;
        Some((*self.accounts.get(account)?, kind.parse().ok()?))
    }
}
