//! The operations of the interface as a table: name, method, path, and how large an answer may be.

use reqwest::Method;

use super::WebhookKind;
use super::pace::Queue;

/// The most bytes of an answer that holds a list; a catalog of a hundred thousand SKUs has about twenty million.
const LIST_BYTES: usize = 64 * 1024 * 1024;

/// The most bytes of a product's detail: a variant with twenty locations of five print areas each takes some eight
/// thousand, and products have hundreds of variants.
const DETAIL_BYTES: usize = 8 * 1024 * 1024;

/// The most bytes of any other answer.
pub(super) const ANSWER_BYTES: usize = 1024 * 1024;

/// What an operation answers when it has worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A token. Whatever turns a login away, turns its credentials away.
    Token,
    /// The envelope with what was asked for.
    Envelope,
    /// The interface does not show it.
    NotShown,
}

/// One operation of the interface.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// In the interface's words: the end of its path, as much of it as names it.
    pub(super) name: &'static str,
    /// The method.
    pub(super) method: Method,
    /// The path below the base URL.
    pub(super) path: &'static str,
    /// What it answers.
    pub(super) shape: Shape,
    /// The most bytes that are read of its answer, after decompression.
    pub(super) answer_bytes: usize,
}

impl Operation {
    /// Whether it only reads, so that it may be asked again whatever became of it.
    pub(super) fn only_reads(&self) -> bool {
        (self.method == Method::GET && self.shape != Shape::Token) || self.name == QUOTE.name
    }

    /// Where it waits for its turn. A cancel goes ahead, and so does the login that it may need.
    pub(super) fn queue(&self) -> Queue {
        if self.name == CANCEL.name || self.shape == Shape::Token {
            Queue::Ahead
        } else {
            Queue::InLine
        }
    }
}

const fn envelope(name: &'static str, method: Method, path: &'static str) -> Operation {
    Operation {
        name,
        method,
        path,
        shape: Shape::Envelope,
        answer_bytes: ANSWER_BYTES,
    }
}

const fn list(name: &'static str, path: &'static str) -> Operation {
    Operation {
        name,
        method: Method::GET,
        path,
        shape: Shape::Envelope,
        answer_bytes: LIST_BYTES,
    }
}

pub(super) static LIST_PRODUCTS: Operation = list("products/list", "/api/v2/products/list");
pub(super) static PRODUCT: Operation = Operation {
    name: "products/detail",
    method: Method::GET,
    path: "/api/v2/products/detail",
    shape: Shape::Envelope,
    answer_bytes: DETAIL_BYTES,
};
pub(super) static SKU_CATALOG: Operation = list("list-sku-catalogs", "/api/v2/products/list-sku-catalogs");
pub(super) static LIST_ORDERS: Operation = list("orders/list", "/api/v2/orders/list");
pub(super) static ORDER: Operation = envelope("orders/detail", Method::GET, "/api/v2/orders/detail");
pub(super) static QUOTE: Operation = envelope(
    "calculate-price-order",
    Method::POST,
    "/api/v2/orders/calculate-price-order",
);
pub(super) static CREATE: Operation = envelope(
    "create-new-order",
    Method::POST,
    "/api/v2/orders/create-new-order",
);
pub(super) static CANCEL: Operation = envelope("cancel-order", Method::POST, "/api/v2/orders/cancel-order");

/// One of the three token operations.
pub(super) const fn token(method: Method) -> Operation {
    Operation {
        name: "auth/token",
        method,
        path: "/api/v2/auth/token",
        shape: Shape::Token,
        answer_bytes: ANSWER_BYTES,
    }
}

/// A method of one of the two webhook registrations; only GET has an answer that is shown.
pub(super) fn webhook(kind: WebhookKind, method: Method) -> Operation {
    let (name, path) = match kind {
        WebhookKind::OrderProblem => (
            "webhook/status-order-pending",
            "/api/v2/webhook/status-order-pending",
        ),
        WebhookKind::Tracking => ("webhook/tracking", "/api/v2/webhook/tracking"),
    };
    let shape = if method == Method::GET {
        Shape::Envelope
    } else {
        Shape::NotShown
    };
    Operation {
        name,
        method,
        path,
        shape,
        answer_bytes: ANSWER_BYTES,
    }
}
