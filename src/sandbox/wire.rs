//! What goes over the wire: every answer of the interface, in field names written down here and nowhere else.

mod catalog;
mod order;
mod price;

use serde::Serialize;

use super::amount::Amount;
use super::options::Sign;
use super::state::Registration;

pub(crate) use catalog::{ProductBrief, ProductWire, SkusWire};
pub(crate) use order::OrderWire;
pub(crate) use price::PriceWire;

/// The envelope around every answer.
#[derive(Debug, Serialize)]
pub(crate) struct Envelope<'a, T: Serialize> {
    pub(crate) status: u16,
    pub(crate) message: &'a str,
    #[serde(flatten)]
    pub(crate) rest: T,
}

/// What an answer has beside its envelope.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Reply<'a> {
    Nothing {},
    Token {
        result: TokenWire<'a>,
    },
    Skus {
        length: usize,
        products: Vec<SkusWire<'a>>,
    },
    Products {
        length: usize,
        products: Vec<ProductBrief<'a>>,
    },
    Product {
        product: ProductWire<'a>,
    },
    Orders {
        length: usize,
        page: usize,
        limit: usize,
        orders: Vec<OrderWire<'a>>,
    },
    Order {
        order: Box<OrderWire<'a>>,
    },
    Price {
        data: PriceWire<'a>,
    },
    Created {
        data: CreatedWire<'a>,
    },
    Hook {
        result: &'a Registration,
    },
}

/// The access token (`Token` in `schema/print-service.openapi.json`).
#[derive(Debug, Serialize)]
pub(crate) struct TokenWire<'a> {
    pub(crate) access_token: &'a str,
}

/// The ids of a created order (`CreatedIds` in `schema/print-service.openapi.json`).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedWire<'a> {
    pub(crate) pw_order_id: &'a str,
    pub(crate) order_id: &'a str,
}

impl Sign {
    /// A discount as it goes over the wire.
    pub(super) fn of(self, discount: Amount) -> Amount {
        match self {
            Self::Positive => discount,
            Self::Negative => -discount,
        }
    }
}
