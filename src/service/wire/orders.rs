//! Orders as the service lists and shows them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{
    amount_if_readable, count_if_readable, id, if_readable, name, text_if_readable, trimmed, word_if_readable,
};
use crate::money::Money;
use crate::quote::{ServiceAmounts, as_discount};
use crate::service::{ListedItem, ListedOrder, OrderPage};

/// Nothing is older: 2000-01-01.
const OLDEST: Timestamp = Timestamp::constant(946_684_800, 0);

/// `orders/list`
#[derive(Deserialize)]
pub(in crate::service) struct OrdersAnswer {
    orders: Vec<WireOrder>,
    /// Of use where it is a number, and not needed.
    #[serde(default, deserialize_with = "count_if_readable")]
    length: Option<usize>,
    #[serde(default, deserialize_with = "count_if_readable")]
    limit: Option<usize>,
}

impl OrdersAnswer {
    pub(in crate::service) fn into_page(self) -> OrderPage {
        OrderPage {
            length: self.length,
            limit: self.limit,
            without_id: 0,
            unidentified: Vec::new(),
            is_of_orders: true,
            orders: self.orders.into_iter().map(WireOrder::into_listed).collect(),
        }
    }
}

/// `orders/list` without an order, where null, an empty object or nothing at all stands in the place of an empty list.
#[derive(Deserialize)]
pub(in crate::service) struct NoOrdersAnswer {
    #[serde(default)]
    orders: Option<serde_json::Map<String, Value>>,
    #[serde(default, deserialize_with = "count_if_readable")]
    length: Option<usize>,
}

impl NoOrdersAnswer {
    /// An empty page, where the answer counts none as well: else it may be one that was not read.
    pub(in crate::service) fn into_page(self) -> Option<OrderPage> {
        let is_empty = self.orders.is_none_or(|orders| orders.is_empty());
        (is_empty && self.length == Some(0)).then(|| OrderPage {
            orders: Vec::new(),
            without_id: 0,
            unidentified: Vec::new(),
            is_of_orders: true,
            length: Some(0),
            limit: None,
        })
    }
}

/// `orders/list` where not every order has an id that can be read.
#[derive(Deserialize)]
pub(in crate::service) struct SomeOrdersAnswer {
    orders: Vec<SomeOrder>,
    #[serde(default, deserialize_with = "count_if_readable")]
    length: Option<usize>,
    #[serde(default, deserialize_with = "count_if_readable")]
    limit: Option<usize>,
}

/// All that is odd about an order is read over.
enum SomeOrder {
    Identified(Box<WireOrder>),
    /// It has no id; none where it is no order at all.
    Unidentified(Option<Box<Unidentified>>),
}

impl<'de> Deserialize<'de> for SomeOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        Ok(serde_json::from_str(text).map_or_else(
            |_no_id| Self::Unidentified(Unidentified::read(text).map(Box::new)),
            |order| Self::Identified(Box::new(order)),
        ))
    }
}

/// An order without an id.
struct Unidentified {
    /// Whether it has a place for one, be it blank.
    has_place: bool,
    /// All else that it says.
    order: ListedOrder,
}

impl Unidentified {
    fn read(text: &str) -> Option<Self> {
        const ID: &str = "pw_order_id";
        let mut fields: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
        let has_place = fields.contains_key(ID);
        fields.insert(ID.to_owned(), serde_json::from_str("\"?\"").ok()?);
        let whole = serde_json::to_string(&fields).ok()?;
        let order: WireOrder = serde_json::from_str(&whole).ok()?;
        Some(Self {
            has_place,
            order: ListedOrder {
                pw_order_id: String::new(),
                ..order.into_listed()
            },
        })
    }
}

impl SomeOrdersAnswer {
    /// The orders that have an id, and how many have none.
    pub(in crate::service) fn into_page(self) -> OrderPage {
        let shown = self.orders.len();
        let (mut orders, mut unidentified, mut has_place) = (Vec::new(), Vec::new(), false);
        for order in self.orders {
            match order {
                SomeOrder::Identified(order) => orders.push(order.into_listed()),
                SomeOrder::Unidentified(order) => {
                    has_place |= order.as_ref().is_some_and(|order| order.has_place);
                    unidentified.extend(order.map(|order| order.order));
                }
            }
        }
        OrderPage {
            length: self.length,
            limit: self.limit,
            without_id: shown.saturating_sub(orders.len()),
            is_of_orders: has_place || !orders.is_empty(),
            orders,
            unidentified,
        }
    }
}

/// `orders/detail`
#[derive(Deserialize)]
pub(in crate::service) struct OrderAnswer {
    order: WireOrder,
}

impl OrderAnswer {
    pub(in crate::service) fn into_order(self) -> ListedOrder {
        self.order.into_listed()
    }
}

/// An order. A look-up must find an order by its ids whatever else is odd about it, so nothing else is demanded.
#[derive(Deserialize)]
struct WireOrder {
    #[serde(deserialize_with = "id")]
    pw_order_id: String,
    /// An order that somebody has made by hand may have none.
    #[serde(default, deserialize_with = "name")]
    order_name: Option<String>,
    #[serde(default, deserialize_with = "text_if_readable")]
    dtime_entered: Option<String>,
    #[serde(default, deserialize_with = "text_if_readable")]
    shipping_country_code: Option<String>,
    #[serde(default, deserialize_with = "name")]
    shipping_zip: Option<String>,
    #[serde(default, deserialize_with = "name")]
    shipping_name: Option<String>,
    #[serde(default, deserialize_with = "name")]
    shipping_address1: Option<String>,
    #[serde(default, deserialize_with = "text_if_readable")]
    shipping_address2: Option<String>,
    #[serde(default, deserialize_with = "name")]
    shipping_city: Option<String>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    total_price: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    surcharge: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    discount: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    base_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    shipping_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    tax_fee: Option<Money>,
    #[serde(default, deserialize_with = "if_readable")]
    trackings: Option<Value>,
    #[serde(default, deserialize_with = "if_readable")]
    order_items: Option<Vec<WireItem>>,
}

#[derive(Deserialize)]
struct WireItem {
    #[serde(default, deserialize_with = "name")]
    item_sku: Option<String>,
    #[serde(default, deserialize_with = "count_if_readable")]
    quantity: Option<u32>,
    #[serde(default, deserialize_with = "word_if_readable")]
    order_status: Option<String>,
    #[serde(default, deserialize_with = "word_if_readable")]
    payment_status: Option<String>,
}

impl WireOrder {
    fn into_listed(self) -> ListedOrder {
        let amounts = self.total_price.map(|total| ServiceAmounts {
            total,
            base_fee: self.base_fee,
            shipping_fee: self.shipping_fee,
            tax_fee: self.tax_fee,
            surcharge: self.surcharge,
            discount: self.discount.map(as_discount),
        });
        // An item without a SKU or a quantity is like none of ours, and says so by being empty.
        let item = |item: WireItem| ListedItem {
            sku: item.item_sku.as_deref().map(trimmed).unwrap_or_default(),
            quantity: item.quantity.unwrap_or_default(),
            order_status: item.order_status,
            payment_status: item.payment_status,
        };
        ListedOrder {
            pw_order_id: self.pw_order_id,
            order_name: self.order_name.unwrap_or_default(),
            entered_at: self.dtime_entered.as_deref().and_then(moment),
            country_code: self.shipping_country_code,
            zip: self.shipping_zip,
            name: self.shipping_name.unwrap_or_default(),
            street: self.shipping_address1.unwrap_or_default(),
            second_line: self.shipping_address2,
            city: self.shipping_city.unwrap_or_default(),
            amounts,
            items: self
                .order_items
                .unwrap_or_default()
                .into_iter()
                .map(item)
                .collect(),
            trackings: self.trackings.map(listed_trackings).unwrap_or_default(),
        }
    }
}

/// The trackings of an order, of which a service may give one alone, without the list around it. What says nothing is
/// none.
fn listed_trackings(trackings: Value) -> Vec<Value> {
    match trackings {
        Value::Array(all) => all,
        Value::Null | Value::Bool(_) => Vec::new(),
        Value::String(text) if text.trim().is_empty() => Vec::new(),
        Value::Object(fields) if fields.is_empty() => Vec::new(),
        one @ (Value::Number(_) | Value::String(_) | Value::Object(_)) => vec![one],
    }
}

/// A moment in ISO 8601 with an offset, with `T` or a space between date and time. The first day of 1970, or of year 1, is
/// what programs write where they know none: nothing was entered before 2000.
fn moment(text: &str) -> Option<Timestamp> {
    let at: Timestamp = text.trim().parse().ok()?;
    (at >= OLDEST).then_some(at)
}
