//! What a client asks for: the bodies of price and create requests, and what of them is refused. Field names are the
//! sandbox's own reading of the interface, on purpose.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::catalog::Catalog;
use super::new_order::{NewLine, NewOrder, priced};
use super::order::Address;
use super::prices::{Express, Price};

/// Most pieces of a line, so that no sum leaves its type.
const MAX_QUANTITY: u32 = 100_000;
/// Most lines of an order.
const MAX_LINES: usize = 500;

/// A refusal: its status, in the envelope and perhaps over HTTP, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) message: String,
}

impl Refusal {
    /// What was asked is wrong.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self {
            status: 400,
            message: message.into(),
        }
    }

    /// There is none of what was asked for.
    pub(crate) fn not_found(message: &str) -> Self {
        Self {
            status: 404,
            message: message.to_owned(),
        }
    }

    /// The service has failed.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self {
            status: 500,
            message: message.into(),
        }
    }

    /// Who asks is not let in.
    pub(crate) fn unauthorized(message: &str) -> Self {
        Self {
            status: 401,
            message: message.to_owned(),
        }
    }
}

/// The body of a create request (`CreateRequest` in `schema/print-service.openapi.json`).
#[derive(Debug, Deserialize)]
struct CreateBody {
    order_id: Option<String>,
    shipping_name: Option<String>,
    shipping_phone: Option<String>,
    shipping_address1: Option<String>,
    shipping_address2: Option<String>,
    shipping_city: Option<String>,
    shipping_province: Option<String>,
    shipping_province_code: Option<String>,
    shipping_zip: Option<String>,
    shipping_country: Option<String>,
    shipping_country_code: Option<String>,
    shipping_service: Option<String>,
    order_items: Option<Vec<LineBody>>,
}

/// The body of a price request (`PriceRequest` in `schema/print-service.openapi.json`).
#[derive(Debug, Deserialize)]
struct PriceBody {
    shipping_province_code: Option<String>,
    shipping_country_code: Option<String>,
    shipping_service: Option<String>,
    order_items: Option<Vec<LineBody>>,
}

/// A line of either; a price request has the first four alone.
#[derive(Debug, Deserialize)]
struct LineBody {
    made_in_location: Option<String>,
    /// Read for its type; the catalog's own name is what counts.
    #[serde(rename = "product_name")]
    _product_name: Option<String>,
    item_sku: Option<String>,
    quantity: Option<u32>,
    variant_note: Option<String>,
    mockup_url: Option<String>,
    artwork_front: Option<String>,
    artwork_back: Option<String>,
    artwork_2: Option<String>,
    artwork_3: Option<String>,
    artwork_4: Option<String>,
    artwork_5: Option<String>,
}

/// Reads a body, refusing what is no JSON object of its shape.
pub(crate) fn body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(bytes).map_err(|error| Refusal::bad(format!("the body cannot be read: {error}")))
}

/// Collects the required fields that are missing or blank, so that a refusal names them all.
#[derive(Debug, Default)]
pub(crate) struct Required(Vec<&'static str>);

impl Required {
    /// The value of a required field, or a note that it is missing.
    pub(crate) fn take(&mut self, name: &'static str, value: Option<String>) -> String {
        let value = value.filter(|text| !text.trim().is_empty());
        value.unwrap_or_else(|| {
            self.0.push(name);
            String::new()
        })
    }

    /// Refuses where any was missing.
    pub(crate) fn all_there(self) -> Result<(), Refusal> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Refusal::bad(format!("required: {}", self.0.join(", "))))
    }
}

/// The order that a create request asks for.
pub(crate) fn create(bytes: &[u8], catalog: &Catalog) -> Result<NewOrder, Refusal> {
    let body: CreateBody = body(bytes)?;
    let mut required = Required::default();
    let order_name = required.take("order_id", body.order_id);
    let address = Address {
        name: required.take("shipping_name", body.shipping_name),
        phone: body.shipping_phone.unwrap_or_default(),
        address1: required.take("shipping_address1", body.shipping_address1),
        address2: body.shipping_address2.unwrap_or_default(),
        city: required.take("shipping_city", body.shipping_city),
        province: required.take("shipping_province", body.shipping_province),
        province_code: required.take("shipping_province_code", body.shipping_province_code),
        zip: required.take("shipping_zip", body.shipping_zip),
        country: required.take("shipping_country", body.shipping_country),
        country_code: required.take("shipping_country_code", body.shipping_country_code),
    };
    required.all_there()?;
    country(&address.country_code)?;
    let shipping_service = service(body.shipping_service, &address.country_code)?;
    let lines = lines(body.order_items, catalog)?;
    if let Some(line) = lines.iter().find(|line| !is_in_stock(catalog, &line.sku)) {
        return Err(Refusal::bad(format!("item_sku {} is out of stock", line.sku)));
    }
    Ok(NewOrder {
        order_name,
        address,
        shipping_service,
        lines,
    })
}

/// The price that a price request asks for, with the order that it would be.
pub(crate) fn price(bytes: &[u8], catalog: &Catalog) -> Result<(NewOrder, Price), Refusal> {
    let body: PriceBody = body(bytes)?;
    let mut required = Required::default();
    let address = Address {
        province_code: required.take("shipping_province_code", body.shipping_province_code),
        country_code: required.take("shipping_country_code", body.shipping_country_code),
        ..Address::default()
    };
    required.all_there()?;
    country(&address.country_code)?;
    let shipping_service = service(body.shipping_service, &address.country_code)?;
    let lines = lines(body.order_items, catalog)?;
    if let Some(line) = lines.iter().find(|line| !has_price(catalog, &line.sku)) {
        return Err(Refusal::failed(format!("item_sku {} has no price", line.sku)));
    }
    let order = NewOrder {
        order_name: String::new(),
        address,
        shipping_service,
        lines,
    };
    let (price, _) = priced(&order, catalog);
    Ok((order, price))
}

fn country(code: &str) -> Result<(), Refusal> {
    if code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Ok(());
    }
    Err(Refusal::bad(format!(
        "shipping_country_code {code} is no ISO 3166-1 alpha-2 code"
    )))
}

fn service(code: Option<String>, country: &str) -> Result<Option<String>, Refusal> {
    let Some(code) = code else { return Ok(None) };
    let express = Express::from_code(&code)
        .ok_or_else(|| Refusal::bad(format!("shipping_service {code} is not known")))?;
    if express.country() != country {
        let only = express.country();
        return Err(Refusal::bad(format!(
            "shipping_service {code} goes to {only} only, not to {country}"
        )));
    }
    Ok(Some(code))
}

fn is_in_stock(catalog: &Catalog, sku: &str) -> bool {
    catalog.find(sku).is_some_and(|(_, variant)| variant.in_stock)
}

fn has_price(catalog: &Catalog, sku: &str) -> bool {
    catalog.find(sku).is_some_and(|(_, variant)| variant.has_price)
}

fn lines(bodies: Option<Vec<LineBody>>, catalog: &Catalog) -> Result<Vec<NewLine>, Refusal> {
    let bodies = bodies.filter(|lines| !lines.is_empty());
    let bodies = bodies.ok_or_else(|| Refusal::bad("required: order_items"))?;
    if bodies.len() > MAX_LINES {
        return Err(Refusal::bad(format!("more than {MAX_LINES} order_items")));
    }
    bodies.into_iter().map(|body| line(body, catalog)).collect()
}

fn line(body: LineBody, catalog: &Catalog) -> Result<NewLine, Refusal> {
    let mut required = Required::default();
    let sku = required.take("item_sku", body.item_sku);
    required.all_there()?;
    let quantity = body.quantity.ok_or_else(|| Refusal::bad("required: quantity"))?;
    if !(1..=MAX_QUANTITY).contains(&quantity) {
        return Err(Refusal::bad(format!(
            "quantity {quantity} is outside 1 to {MAX_QUANTITY}"
        )));
    }
    let Some((_, variant)) = catalog.find(&sku) else {
        return Err(Refusal::bad(format!("item_sku {sku} is not in the catalog")));
    };
    let location = body.made_in_location.filter(|location| !location.is_empty());
    if let Some(location) = location
        .as_deref()
        .filter(|location| variant.cost_at(location).is_none())
    {
        return Err(Refusal::bad(format!("item_sku {sku} is not made in {location}")));
    }
    let artwork = [
        ("artwork_front", body.artwork_front),
        ("artwork_back", body.artwork_back),
        ("artwork_2", body.artwork_2),
        ("artwork_3", body.artwork_3),
        ("artwork_4", body.artwork_4),
        ("artwork_5", body.artwork_5),
    ];
    let given = artwork
        .into_iter()
        .filter_map(|(name, url)| Some((name.to_owned(), url?)));
    Ok(NewLine {
        quantity,
        location,
        note: body.variant_note,
        mockup: body.mockup_url,
        artwork: given.filter(|(_, url)| !url.is_empty()).collect(),
        sku,
    })
}
