//! An order at the service, and its life: waiting, in production, fulfilled with a tracking, or with a problem;
//! canceled only while it waits.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// An order as the service keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    /// The service's id.
    pub pw_order_id: String,
    /// The client's `order_id`.
    pub order_name: String,
    /// When it came to be.
    pub entered_at: Timestamp,
    /// Where it goes.
    pub address: Address,
    /// `AUEX`, `US2DAYS`, `USGR`, or none for standard.
    pub shipping_service: Option<String>,
    /// What it costs.
    pub fees: Fees,
    /// Empty until it is fulfilled.
    pub trackings: Vec<Tracking>,
    /// Its lines.
    pub items: Vec<Item>,
}

/// A shipping address, as it was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the interface's fields without `shipping_`")]
pub struct Address {
    pub name: String,
    pub phone: String,
    pub address1: String,
    pub address2: String,
    pub city: String,
    pub province: String,
    pub province_code: String,
    pub zip: String,
    pub country: String,
    pub country_code: String,
}

/// An order's amounts; discounts are positive here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fees {
    /// Production.
    pub base: Amount,
    /// Shipping, without the surcharge.
    pub shipping: Amount,
    /// Tax.
    pub tax: Amount,
    /// Of an express service.
    pub surcharge: Amount,
    /// Both discounts.
    pub discount: Amount,
    /// What is charged.
    pub total: Amount,
}

/// A line of an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Item {
    /// `item_sku`
    pub sku: String,
    /// `quantity`
    pub quantity: u32,
    /// The catalog's name of the product.
    pub product_name: String,
    /// Where it is made.
    pub location: String,
    /// `variant_note`
    pub note: Option<String>,
    /// `mockup_url`
    pub mockup: Option<String>,
    /// `artwork_front`, `artwork_back`, `artwork_2` to `artwork_5`: name and URL of those given.
    pub artwork: Vec<(String, String)>,
    /// `order_status`
    pub status: Status,
    /// `payment_status`
    pub payment: Payment,
    /// Production.
    pub base: Amount,
    /// Shipping.
    pub shipping: Amount,
    /// Tax.
    pub tax: Amount,
    /// Discount, positive.
    pub discount: Amount,
    /// What the line comes to.
    pub price: Amount,
}

/// A parcel on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tracking {
    pub carrier: String,
    pub tracking_number: String,
    pub tracking_url: String,
}

/// `order_status` of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Pending: it can be canceled.
    Waiting,
    /// Being made.
    InProduction,
    /// On its way.
    Fulfilled,
    /// Stopped: somebody must look at it.
    Problem,
    /// Will not be made.
    Canceled,
}

/// `payment_status` of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Payment {
    Unpaid,
    Paid,
}

impl Order {
    /// `order_status` of the whole: that of its first item, for items move together here.
    pub fn status(&self) -> Status {
        self.items.first().map_or(Status::Waiting, |item| item.status)
    }

    pub(crate) fn set_status(&mut self, status: Status) {
        for item in &mut self.items {
            item.status = status;
            if matches!(status, Status::InProduction | Status::Fulfilled) {
                item.payment = Payment::Paid;
            }
        }
    }

    /// One parcel for the whole order, with a number made from its id.
    pub(crate) fn tracking(&self) -> Tracking {
        let digits: String = self.pw_order_id.chars().filter(char::is_ascii_digit).collect();
        let tracking_number = format!("TRK{digits:0>12}");
        Tracking {
            carrier: "Example Parcel".to_owned(),
            tracking_url: format!("https://tracking.example.com/{tracking_number}"),
            tracking_number,
        }
    }
}
