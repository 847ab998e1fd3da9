//! Figures for Prometheus, and whether the program is alive and ready, over HTTP. Read at the moment they are asked
//! for; there is no login, so the address is one that only friends reach.

mod health;

use std::sync::Arc;

use axum::Router;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::causes::chain;
use crate::config::Config;
use crate::daemon::{Desks, Pulse};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Reader};
use crate::serving;
use crate::status::{Status, age};

/// What Prometheus reads: `OpenMetrics` text.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The states of a sheet in the ledger, so that one without sheets is shown as 0.
const SHEETS: [&str; 4] = ["taken", "worked", "done", "rejected"];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByState {
    state: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByInbox {
    inbox: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByAccount {
    account: String,
}

/// What is looked at.
#[derive(Debug)]
pub struct Observed {
    /// The ledger, the accounts and the inboxes.
    pub desks: Desks,
    /// The config.
    pub config: Arc<Config>,
    /// Whether the inboxes are seen to.
    pub pulse: Arc<Pulse>,
}

/// What is shown.
#[derive(Debug)]
struct Metrics {
    shown: Observed,
    registry: Registry,
    orders: Family<ByState, Gauge>,
    sheets: Family<ByState, Gauge>,
    last_look: Family<ByInbox, Gauge>,
    workable: Family<ByInbox, Gauge>,
    left_alone: Family<ByInbox, Gauge>,
    unresolved: Family<ByAccount, Gauge>,
    oldest: Family<ByAccount, Gauge>,
    stopped: Family<ByAccount, Gauge>,
    ledger_bytes: Gauge,
}

/// Answers at an address until the program ends.
pub async fn serve(listener: TcpListener, shown: Observed, ending: &CancellationToken) {
    let metrics = Arc::new(Metrics::new(shown));
    serving::serve(listener, router(metrics), ending).await;
}

fn router(metrics: Arc<Metrics>) -> Router {
    Router::new()
        .route("/metrics", get(figures))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .with_state(metrics)
}

async fn figures(Shared(metrics): Shared<Arc<Metrics>>) -> Response {
    let reading = Arc::clone(&metrics);
    let read = tokio::task::spawn_blocking(move || reading.read()).await;
    let told = match read {
        Ok(Ok(text)) => return ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Ok(Err(error)) => chain(&error),
        Err(panic) => panic.to_string(),
    };
    (StatusCode::SERVICE_UNAVAILABLE, told).into_response()
}

impl Metrics {
    fn new(shown: Observed) -> Self {
        let mut metrics = Self {
            shown,
            registry: Registry::with_prefix("dropsheet"),
            orders: Family::default(),
            sheets: Family::default(),
            last_look: Family::default(),
            workable: Family::default(),
            left_alone: Family::default(),
            unresolved: Family::default(),
            oldest: Family::default(),
            stopped: Family::default(),
            ledger_bytes: Gauge::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("orders", "Orders by state", self.orders.clone());
        registry.register("sheets", "Taken sheets by how far they are", self.sheets.clone());
        registry.register(
            "last_look_timestamp_seconds",
            "When an inbox was last looked at",
            self.last_look.clone(),
        );
        registry.register(
            "inbox_workable",
            "Whether nothing was wrong with an inbox's folder then",
            self.workable.clone(),
        );
        registry.register(
            "files_left_alone",
            "Files that are not taken",
            self.left_alone.clone(),
        );
        registry.register(
            "unresolved_orders",
            "Orders without an answer",
            self.unresolved.clone(),
        );
        registry.register(
            "unresolved_oldest_seconds",
            "For how long the oldest of them has had none",
            self.oldest.clone(),
        );
        registry.register(
            "account_stopped",
            "Whether nothing is sent: wrong password, or wrong setup",
            self.stopped.clone(),
        );
        registry.register(
            "ledger_bytes",
            "The size of the ledger",
            self.ledger_bytes.clone(),
        );
        self.shown.desks.told.register(registry);
        for (name, importer) in &self.shown.desks.accounts {
            let labelled = registry.sub_registry_with_label(("account".into(), name.clone().into()));
            importer.submitter.client.figures().register(labelled);
        }
    }

    /// The figures as they are now.
    fn read(&self) -> Result<String, LedgerError> {
        let now = self.shown.desks.clock.now().wall;
        let reader = Reader::open(&self.shown.config.ledger)?;
        let status = reader.read(|store| {
            let sheets = store.claims_by_state()?;
            for state in SHEETS {
                let n = sheets.iter().find(|(known, _n)| known == state);
                let state = state.to_owned();
                let n = n.map_or(0, |(_state, n)| *n);
                self.sheets.get_or_create(&ByState { state }).set(signed(n));
            }
            for (account, name) in store.accounts()? {
                let (n, since) = store.eldest_unresolved(account)?;
                let account = ByAccount { account: name };
                self.unresolved.get_or_create(&account).set(signed(n));
                let oldest = since.map_or(0, |since| age(since, now).as_secs());
                self.oldest.get_or_create(&account).set(signed(oldest));
            }
            Status::read(store, &self.shown.config, now)
        })?;
        for state in State::ALL {
            let n = status.orders.iter().find(|count| count.state == state.word());
            let state = state.word().to_owned();
            let n = n.map_or(0, |count| count.orders);
            self.orders.get_or_create(&ByState { state }).set(signed(n));
        }
        for inbox in &status.inboxes {
            let by = ByInbox {
                inbox: inbox.name.clone(),
            };
            let looked = inbox.looked_at.map_or(0, jiff::Timestamp::as_second);
            self.last_look.get_or_create(&by).set(looked);
            let workable = inbox.looked_at.is_some() && inbox.trouble.is_none();
            self.workable.get_or_create(&by).set(workable.into());
            let left = u64::try_from(inbox.left_alone.len()).unwrap_or(u64::MAX);
            self.left_alone.get_or_create(&by).set(signed(left));
        }
        for (name, importer) in &self.shown.desks.accounts {
            let account = ByAccount {
                account: name.clone(),
            };
            let is_stopped = importer.submitter.health.stopped().is_some();
            self.stopped.get_or_create(&account).set(is_stopped.into());
        }
        let bytes = std::fs::metadata(&self.shown.config.ledger).map_or(0, |file| file.len());
        self.ledger_bytes.set(signed(bytes));
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(|_fmt| LedgerError::Stopped)?;
        Ok(text)
    }
}

/// Prometheus' gauges have a sign: what is beyond them is as much as they hold.
fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
