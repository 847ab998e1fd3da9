//! Sheets and orders for tests.

use jiff::Timestamp;

use super::{AccountRef, AtShop, ClaimRef, NewClaim, NewOrder, Purpose};
use crate::money::Money;
use crate::order::{Fingerprint, Order, ShipTo};
use crate::quote::Quote;

impl NewClaim {
    /// A sheet of the inbox `main`.
    pub(crate) fn sample(account: AccountRef, stem: &str, taken_at: Timestamp) -> Self {
        Self {
            account,
            inbox: "main".to_owned(),
            purpose: Purpose::Send,
            place: format!("/orders/inbox/{stem}.csv"),
            sheet_name: format!("{stem}.csv"),
            stem: stem.to_owned(),
            hash: "0".repeat(64),
            stamp: "1 2 3".to_owned(),
            taken_at,
            out_path: None,
        }
    }
}

impl NewOrder {
    /// An order of such a sheet that holds nothing and goes nowhere, quoted at its base fee alone.
    pub(crate) fn sample((account, claim): (AccountRef, ClaimRef), order_id: &str, total: Money) -> Self {
        Self {
            account,
            inbox: "main".to_owned(),
            sheet_order_id: order_id.to_owned(),
            claim,
            fingerprint: Fingerprint {
                whole: "1:a".to_owned(),
                fields: Vec::new(),
            },
            content: Order {
                order_id: order_id.to_owned(),
                ship_to: ShipTo::default(),
                shipping_service: None,
                lines: Vec::new(),
                expected_total: None,
            },
            quote: Some(Quote::sample(total)),
            at_shop: AtShop::default(),
        }
    }
}

impl Quote {
    /// Of one line, of which nothing is told.
    pub(crate) fn sample(total: Money) -> Self {
        Self {
            base_fee: total,
            shipping_fee: Money::ZERO,
            tax_fee: Money::ZERO,
            discount: Money::ZERO,
            shipping_discount: Money::ZERO,
            total,
            lines: vec![None],
        }
    }
}
