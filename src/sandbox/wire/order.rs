//! Orders on the wire (`Order` and `OrderItem` in `schema/print-service.openapi.json`).

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::tz::Offset;
use serde::Serialize;

use crate::sandbox::amount::Amount;
use crate::sandbox::options::Sign;
use crate::sandbox::order::{Item, Order, Payment, Status, Tracking};

/// An order (`Order` in `schema/print-service.openapi.json`).
#[derive(Debug, Serialize)]
pub(crate) struct OrderWire<'a> {
    pw_order_id: &'a str,
    order_name: Cow<'a, str>,
    dtime_entered: String,
    shipping_name: &'a str,
    shipping_phone: &'a str,
    shipping_email: &'a str,
    shipping_address1: &'a str,
    shipping_address2: &'a str,
    shipping_city: &'a str,
    shipping_province: &'a str,
    shipping_province_code: &'a str,
    shipping_zip: &'a str,
    shipping_country: &'a str,
    shipping_country_code: &'a str,
    store_name: &'a str,
    total_price: Amount,
    surcharge: Amount,
    discount: Amount,
    base_fee: Amount,
    shipping_fee: Amount,
    tax_fee: Amount,
    trackings: &'a [Tracking],
    order_items: Vec<ItemWire<'a>>,
}

/// A line of an order (`OrderItem` in `schema/print-service.openapi.json`).
#[derive(Debug, Serialize)]
struct ItemWire<'a> {
    product_name: &'a str,
    quantity: u32,
    item_sku: &'a str,
    url_mockup: Option<&'a str>,
    item_note: Option<&'a str>,
    order_status: Status,
    payment_status: Payment,
    base_cost: Amount,
    shipping_cost: Amount,
    tax_cost: Amount,
    item_discount: Amount,
    item_price: Amount,
}

impl<'a> OrderWire<'a> {
    pub(crate) fn new(order: &'a Order, offset: Offset, discounts: Sign) -> Self {
        let (address, fees) = (&order.address, &order.fees);
        Self {
            pw_order_id: &order.pw_order_id,
            order_name: Cow::Borrowed(&order.order_name),
            dtime_entered: moment(order.entered_at, offset),
            shipping_name: &address.name,
            shipping_phone: &address.phone,
            shipping_email: "",
            shipping_address1: &address.address1,
            shipping_address2: &address.address2,
            shipping_city: &address.city,
            shipping_province: &address.province,
            shipping_province_code: &address.province_code,
            shipping_zip: &address.zip,
            shipping_country: &address.country,
            shipping_country_code: &address.country_code,
            store_name: "sandbox",
            total_price: fees.total,
            surcharge: fees.surcharge,
            discount: discounts.of(fees.discount),
            base_fee: fees.base,
            shipping_fee: fees.shipping,
            tax_fee: fees.tax,
            trackings: &order.trackings,
            order_items: order
                .items
                .iter()
                .map(|item| ItemWire::new(item, discounts))
                .collect(),
        }
    }
}

impl OrderWire<'_> {
    /// The same with a blank id, as a broken record may have it.
    pub(crate) fn without_id(self) -> Self {
        Self {
            pw_order_id: " ",
            ..self
        }
    }

    /// The same without what is in it.
    pub(crate) fn without_items(self) -> Self {
        Self {
            order_items: Vec::new(),
            ..self
        }
    }

    /// The same under another name.
    pub(crate) fn named(self, name: String) -> Self {
        Self {
            order_name: Cow::Owned(name),
            ..self
        }
    }

    /// The same with a blank id and a blank name.
    pub(crate) fn without_any(self) -> Self {
        Self {
            order_name: Cow::Borrowed(""),
            ..self.without_id()
        }
    }
}

impl<'a> ItemWire<'a> {
    fn new(item: &'a Item, discounts: Sign) -> Self {
        Self {
            product_name: &item.product_name,
            quantity: item.quantity,
            item_sku: &item.sku,
            url_mockup: item.mockup.as_deref(),
            item_note: item.note.as_deref(),
            order_status: item.status,
            payment_status: item.payment,
            base_cost: item.base,
            shipping_cost: item.shipping,
            tax_cost: item.tax,
            item_discount: discounts.of(item.discount),
            item_price: item.price,
        }
    }
}

/// ISO 8601 with fractional seconds and offset.
fn moment(at: Timestamp, offset: Offset) -> String {
    at.to_zoned(offset.to_time_zone())
        .strftime("%Y-%m-%dT%H:%M:%S%.6f%:z")
        .to_string()
}
