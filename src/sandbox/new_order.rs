//! An order that was found good, its price, and what becomes of it at the service.

use jiff::Timestamp;

use super::amount::Amount;
use super::catalog::{Catalog, Cost, Kind};
use super::order::{Address, Fees, Item, Order, Payment, Status};
use super::prices::{self, Destination, Express, LinePrice, LineToPrice, Price};

/// An order that is good, not yet at the service.
#[derive(Clone, Debug)]
pub struct NewOrder {
    /// The client's `order_id`.
    pub order_name: String,
    /// Where it goes.
    pub address: Address,
    /// `AUEX`, `US2DAYS`, `USGR`, or none for standard.
    pub shipping_service: Option<String>,
    /// Its lines.
    pub lines: Vec<NewLine>,
}

/// A line of a new order.
#[derive(Clone, Debug, Default)]
pub struct NewLine {
    /// `item_sku`
    pub sku: String,
    /// `quantity`
    pub quantity: u32,
    /// `made_in_location`; none lets the service choose.
    pub location: Option<String>,
    /// `variant_note`
    pub note: Option<String>,
    /// `mockup_url`
    pub mockup: Option<String>,
    /// Name and URL of each artwork.
    pub artwork: Vec<(String, String)>,
}

/// An order's price, and for each line where it is made and the product's name.
pub(crate) fn priced(order: &NewOrder, catalog: &Catalog) -> (Price, Vec<(&'static str, String)>) {
    let to = Destination {
        country: &order.address.country_code,
        province: &order.address.province_code,
    };
    let (lines, made): (Vec<_>, Vec<_>) = order
        .lines
        .iter()
        .map(|line| {
            let (kind, cost, name) = made_how(line, to, catalog);
            (
                LineToPrice {
                    kind,
                    cost,
                    quantity: line.quantity,
                },
                (cost.location, name),
            )
        })
        .unzip();
    let express = order.shipping_service.as_deref().and_then(Express::from_code);
    (prices::price(to, express, &lines), made)
}

fn made_how(line: &NewLine, to: Destination<'_>, catalog: &Catalog) -> (Kind, Cost, String) {
    let found = catalog.find(&line.sku).and_then(|(product, variant)| {
        let cost = match &line.location {
            Some(location) => variant.cost_at(location),
            None => prices::suggest(&variant.costs, to),
        };
        Some((product.kind, cost?, product.name.clone()))
    });
    // A SKU that left the catalog between a request and its late commit, or that a test made up, costs nothing.
    let nothing = Cost {
        location: "",
        base: Amount::ZERO,
        tier: Amount::ZERO,
    };
    found.unwrap_or_else(|| (Kind::Paper, nothing, line.sku.clone()))
}

/// The order that comes of a new one, at today's prices.
pub(crate) fn to_order(new: &NewOrder, pw_order_id: String, catalog: &Catalog, now: Timestamp) -> Order {
    let (price, made) = priced(new, catalog);
    let lines = new.lines.iter().zip(&price.lines).zip(made);
    let items = lines
        .map(|((line, price), (location, name))| item(line, price, location, name))
        .collect();
    Order {
        pw_order_id,
        order_name: new.order_name.clone(),
        entered_at: now,
        address: new.address.clone(),
        shipping_service: new.shipping_service.clone(),
        fees: Fees {
            base: price.base,
            shipping: price.shipping,
            tax: price.tax,
            surcharge: price.surcharge,
            discount: price.discount + price.shipping_discount,
            total: price.total(),
        },
        trackings: Vec::new(),
        items,
    }
}

fn item(line: &NewLine, price: &LinePrice, location: &str, product_name: String) -> Item {
    Item {
        sku: line.sku.clone(),
        quantity: line.quantity,
        product_name,
        location: location.to_owned(),
        note: line.note.clone(),
        mockup: line.mockup.clone(),
        artwork: line.artwork.clone(),
        status: Status::Waiting,
        payment: Payment::Unpaid,
        base: price.base,
        shipping: price.shipping,
        tax: price.tax,
        discount: price.discount,
        price: price.total(),
    }
}
