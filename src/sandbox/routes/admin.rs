//! The sandbox's own paths, `/sandbox/…`: for scripts that look behind the interface or move orders on. Without a
//! token, for they are only on loopback.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Router, http::StatusCode};
use serde::{Deserialize, Serialize};

use super::super::amount::Amount;
use super::super::faults::Rule;
use super::super::names::Names;
use super::super::order::Status;
use super::super::request;
use super::super::service::Service;
use super::super::snapshot;
use super::{answer, json};

type Shared = State<Arc<Service>>;

/// The sandbox's own paths.
pub(super) fn router() -> Router<Arc<Service>> {
    Router::new()
        .route("/sandbox/orders", get(orders))
        .route("/sandbox/orders/{pw_order_id}/{command}", post(command))
        .route("/sandbox/calls", get(calls))
        .route("/sandbox/faults", post(set_faults).delete(clear_faults))
        .route("/sandbox/products", post(change_product))
        .route("/sandbox/list", post(change_list))
        .route("/sandbox/clock", post(advance_clock))
}

fn written(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => answer(StatusCode::OK, body),
        Err(error) => json(500, 500, &error.to_string()),
    }
}

async fn orders(State(service): Shared) -> Response {
    written(&snapshot(&service))
}

async fn calls(State(service): Shared) -> Response {
    let calls = service.calls().clone();
    written(&calls)
}

/// `produce`, `fulfil` or `trouble`.
async fn command(State(service): Shared, Path((id, command)): Path<(String, String)>) -> Response {
    let status = match command.as_str() {
        "produce" => Status::InProduction,
        "fulfil" => Status::Fulfilled,
        "trouble" => Status::Problem,
        _ => return json(404, 404, "the commands are produce, fulfil and trouble"),
    };
    if service.state(|state, _now| state.advance(&id, status)) {
        return json(200, 200, "done");
    }
    json(409, 409, "there is no such order, or its life is over")
}

#[derive(Deserialize)]
struct FaultsBody {
    faults: Vec<String>,
}

/// `{"faults": ["drop-after-create=0.05"]}`: each in place of one of the same name.
async fn set_faults(State(service): Shared, body: Bytes) -> Response {
    let rules: Result<Vec<Rule>, String> =
        request::body(&body)
            .map_err(|refusal| refusal.message)
            .and_then(|body: FaultsBody| {
                let rules = body.faults.iter().map(|text| text.parse());
                rules
                    .collect::<Result<_, super::super::faults::RuleError>>()
                    .map_err(|error| error.to_string())
            });
    match rules {
        Ok(rules) => {
            let mut faults = service.faults();
            for rule in rules {
                faults.set(rule);
            }
            json(200, 200, "done")
        }
        Err(message) => json(400, 400, &message),
    }
}

async fn clear_faults(State(service): Shared) -> Response {
    service.faults().clear();
    json(200, 200, "done")
}

#[derive(Deserialize)]
struct ProductBody {
    sku: String,
    cost: Option<Amount>,
    in_stock: Option<bool>,
    has_price: Option<bool>,
    #[serde(default)]
    removed: bool,
}

/// `{"sku": …, "cost": 9.99, "in_stock": false, "has_price": false, "removed": true}`, what is given.
async fn change_product(State(service): Shared, body: Bytes) -> Response {
    let body: ProductBody = match request::body(&body) {
        Ok(body) => body,
        Err(refusal) => return json(400, 400, &refusal.message),
    };
    let known = service.state(|state, _now| {
        let catalog = Arc::make_mut(&mut state.catalog);
        let known = catalog.find(&body.sku).is_some();
        if let Some(cost) = body.cost {
            catalog.set_cost(&body.sku, cost);
        }
        if let Some(in_stock) = body.in_stock {
            catalog.set_stock(&body.sku, in_stock);
        }
        if let Some(has_price) = body.has_price {
            catalog.set_has_price(&body.sku, has_price);
        }
        if body.removed {
            catalog.remove(&body.sku);
        }
        known
    });
    if known {
        json(200, 200, "done")
    } else {
        json(400, 400, "there is no such SKU")
    }
}

#[derive(Deserialize)]
struct ListBody {
    frozen: Option<bool>,
    lag_ms: Option<u64>,
    search_is_blind_to: Option<String>,
    leaves_out: Option<String>,
    without_id: Option<String>,
    without_any: Option<String>,
    names: Option<Names>,
}

/// `{"frozen": true, "lag_ms": 120000, "search_is_blind_to": "1001", "leaves_out": "1001", "without_id": "1001",
/// "without_any": "1001", "names": "capitals"}`, what is given.
async fn change_list(State(service): Shared, body: Bytes) -> Response {
    let body: ListBody = match request::body(&body) {
        Ok(body) => body,
        Err(refusal) => return json(400, 400, &refusal.message),
    };
    service.state(|state, now| {
        if let Some(frozen) = body.frozen {
            state.freeze_list(frozen.then_some(now));
        }
        if let Some(lag) = body.lag_ms {
            state.set_lag(Duration::from_millis(lag));
        }
        if body.search_is_blind_to.is_some() {
            state.search_is_blind_to = body.search_is_blind_to;
        }
        if body.leaves_out.is_some() {
            state.left_out = body.leaves_out;
        }
        if body.without_id.is_some() {
            state.without_id = body.without_id;
        }
        if body.without_any.is_some() {
            state.without_any = body.without_any;
        }
        state.names = body.names.unwrap_or(state.names);
    });
    json(200, 200, "done")
}

#[derive(Deserialize)]
struct ClockBody {
    seconds: u64,
}

/// `{"seconds": 900}`: puts the service's clock forward.
async fn advance_clock(State(service): Shared, body: Bytes) -> Response {
    match request::body::<ClockBody>(&body) {
        Ok(body) => {
            service.advance_clock(Duration::from_secs(body.seconds));
            json(200, 200, "done")
        }
        Err(refusal) => json(400, 400, &refusal.message),
    }
}
