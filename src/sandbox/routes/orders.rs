//! The order operations.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use serde::Deserialize;

use super::super::options::{EmptyList, ItemsShown, Length, Repeated};
use super::super::order::Order;
use super::super::orders::Listing;
use super::super::paging::Page;
use super::super::params::Params;
use super::super::request::{self, Refusal, Required};
use super::super::service::Service;
use super::super::state::{NotCanceled, later};
use super::super::wire::{CreatedWire, OrderWire, PriceWire, Reply};
use super::{Asked, Outcome, good};

const DATE_FORMAT: &str = "%Y-%m-%d %H:%M:%S";
const DATE_LENGTH: usize = "YYYY-MM-DD HH:MM:SS".len();

/// orders/list: an order is in it once the search index has it.
pub(super) fn list(asked: &Asked<'_>) -> Outcome {
    let params = asked.params()?;
    let options = &asked.service.options;
    let from = moment(&params, "created_at_min", options.utc_offset)?;
    let to = moment(&params, "created_at_max", options.utc_offset)?;
    let page = Page::read(&params, options.first_page)?;
    let search = params.text("search")?;
    let (names, items) = asked.service.state(|state, _now| (state.names, state.items));
    let fails_for = asked.service.state(|state, _now| state.search_fails_for.clone());
    if search.is_some() && search == fails_for {
        return Err(Refusal::failed("the search index is damaged"));
    }
    let (orders, matches, without_id, without_any) = asked.service.state(|state, now| {
        let blind_to = [&state.search_is_blind_to, &state.without_any];
        let listing = Listing {
            search: search.as_deref(),
            search_is_blind: search.is_some() && blind_to.contains(&&search),
            left_out: state.left_out.as_deref(),
            seen_until: state.seen_until(now),
            order: options.list_order,
            skip: page.skip(),
            take: page.limit,
            count_all: options.length == Length::All,
        };
        let (orders, matches) = state.orders.list(from..=to, listing);
        (
            orders,
            matches,
            state.without_id.clone(),
            state.without_any.clone(),
        )
    });
    if orders.is_empty() && options.empty_list == EmptyList::NotFound {
        return Err(Refusal::not_found("No orders found"));
    }
    let length = match options.length {
        Length::Page => orders.len(),
        Length::All => matches,
    };
    let is = |order: &Order, name: &Option<String>| name.as_deref() == Some(&*order.order_name);
    let orders = orders
        .iter()
        .map(
            |order| match shown(order, asked.service, items == ItemsShown::Everywhere) {
                shown if is(order, &without_any) => shown.without_any(),
                shown if is(order, &without_id) => shown.without_id(),
                shown => shown.named(names.listed(&order.order_name)),
            },
        )
        .collect();
    good(
        "orders",
        Reply::Orders {
            length,
            page: page.number,
            limit: page.limit,
            orders,
        },
    )
}

fn shown<'a>(order: &'a Order, service: &Service, with_items: bool) -> OrderWire<'a> {
    let shown = OrderWire::new(order, service.options.utc_offset, service.options.discounts);
    if with_items { shown } else { shown.without_items() }
}

/// A required date, in the one format there is.
fn moment(params: &Params, name: &str, offset: Offset) -> Result<Timestamp, Refusal> {
    let text = params
        .text(name)?
        .ok_or_else(|| Refusal::bad(format!("required: {name}")))?;
    let wrong = || Refusal::bad(format!("{name} {text} is not of the form YYYY-MM-DD HH:MM:SS"));
    if text.len() != DATE_LENGTH {
        return Err(wrong());
    }
    DateTime::strptime(DATE_FORMAT, &text)
        .and_then(|date| offset.to_timestamp(date))
        .map_err(|_not_a_date| wrong())
}

/// orders/detail: both ids, and they must belong together.
pub(super) fn detail(asked: &Asked<'_>) -> Outcome {
    let params = asked.params()?;
    let mut required = Required::default();
    let id = required.take("pw_order_id", params.text("pw_order_id")?);
    let name = required.take("order_name", params.text("order_name")?);
    required.all_there()?;
    let (order, items) = asked
        .service
        .state(|state, _now| (state.order(&id, &name).cloned(), state.items));
    let order = order.ok_or_else(|| Refusal::bad(format!("there is no order {id} named {name}")))?;
    good(
        "order",
        Reply::Order {
            order: Box::new(shown(&order, asked.service, items != ItemsShown::Nowhere)),
        },
    )
}

/// orders/calculate-price-order
pub(super) fn price(asked: &Asked<'_>) -> Outcome {
    let catalog = asked.service.catalog();
    let (order, price) = request::price(&asked.body, &catalog)?;
    let data = PriceWire::new(&order, &price, &catalog, asked.service.options.discounts);
    good("price", Reply::Price { data })
}

/// orders/create-new-order: at once, or later where a fault says so.
pub(super) fn create(asked: &Asked<'_>) -> Outcome {
    let service = asked.service;
    let mut new = request::create(&asked.body, &service.catalog())?;
    new.order_name = service.state(|state, _now| state.names).kept(&new.order_name);
    let name = new.order_name.clone();
    let placed = service.state(|state, now| {
        if service.options.repeated_create == Repeated::Refused && state.orders.is_named(&name) {
            return Err(Refusal::bad(format!("order_id {name} exists")));
        }
        if asked.late {
            state.place_later(new, later(now, service.options.late));
            return Ok(None);
        }
        Ok(Some(state.place(&new, now)))
    })?;
    // A late create's connection closes, so that nobody reads its answer.
    let pw_order_id = placed.as_ref().map_or("", |order| &order.pw_order_id);
    let data = CreatedWire {
        pw_order_id,
        order_id: &name,
    };
    good("the order has been created", Reply::Created { data })
}

#[derive(Deserialize)]
struct CancelBody {
    pw_order_id: Option<String>,
    order_name: Option<String>,
}

/// orders/cancel-order: only while it waits.
pub(super) fn cancel(asked: &Asked<'_>) -> Outcome {
    let body: CancelBody = request::body(&asked.body)?;
    let mut required = Required::default();
    let id = required.take("pw_order_id", body.pw_order_id);
    let name = required.take("order_name", body.order_name);
    required.all_there()?;
    asked
        .service
        .state(|state, _now| state.cancel(&id, &name))
        .map_err(|why| match why {
            NotCanceled::Unknown => Refusal::bad(format!("there is no order {id} named {name}")),
            NotCanceled::NotPending => {
                Refusal::bad(format!("order {id} is not pending and cannot be canceled"))
            }
        })?;
    good(
        &format!("order {id} ({name}) has been canceled"),
        Reply::Nothing {},
    )
}
