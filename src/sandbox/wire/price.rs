//! Prices on the wire (`Price` in `schema/print-service.openapi.json`).

use serde::Serialize;

use crate::sandbox::amount::Amount;
use crate::sandbox::catalog::Catalog;
use crate::sandbox::new_order::NewOrder;
use crate::sandbox::options::Sign;
use crate::sandbox::prices::Price;

/// A price (`Price` in `schema/print-service.openapi.json`).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PriceWire<'a> {
    discount_applied: Vec<AppliedWire>,
    quantity: u32,
    base_fee: Amount,
    shipping_fee: Amount,
    tax_fee: Amount,
    total_fee: Amount,
    discount_fee: Amount,
    discount_shipping: Amount,
    total_price: Amount,
    order_items: Vec<PriceLineWire<'a>>,
}

/// A discount that was applied; the interface shows no fields.
#[derive(Debug, Serialize)]
struct AppliedWire {
    name: &'static str,
    amount: Amount,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PriceLineWire<'a> {
    variant_id: &'a str,
    sku: &'a str,
    quantity: u32,
    base_fee: Amount,
    shipping_fee: Amount,
    tax_fee: Amount,
    discount_fee: Amount,
    total_fee: Amount,
}

impl<'a> PriceWire<'a> {
    /// The price of an order; the surcharge of an express service is part of its shipping here.
    pub(crate) fn new(order: &'a NewOrder, price: &Price, catalog: &'a Catalog, discounts: Sign) -> Self {
        let lines = order
            .lines
            .iter()
            .zip(&price.lines)
            .map(|(line, price)| PriceLineWire {
                variant_id: catalog.find(&line.sku).map_or("", |(_, variant)| &variant.id),
                sku: &line.sku,
                quantity: line.quantity,
                base_fee: price.base,
                shipping_fee: price.shipping,
                tax_fee: price.tax,
                discount_fee: discounts.of(price.discount),
                total_fee: price.total(),
            });
        let shipping = price.shipping + price.surcharge;
        let applied = [
            ("volume", price.discount),
            ("bundle-shipping", price.shipping_discount),
        ];
        let applied = applied.into_iter().filter(|(_, amount)| *amount != Amount::ZERO);
        Self {
            discount_applied: applied
                .map(|(name, amount)| AppliedWire { name, amount })
                .collect(),
            quantity: order.lines.iter().map(|line| line.quantity).sum(),
            base_fee: price.base,
            shipping_fee: shipping,
            tax_fee: price.tax,
            total_fee: price.base + shipping + price.tax,
            discount_fee: discounts.of(price.discount),
            discount_shipping: discounts.of(price.shipping_discount),
            total_price: price.total(),
            order_items: lines.collect(),
        }
    }
}
