//! What goes over the wire: every answer of the interface, in field names written down here and nowhere else.

use jiff::Timestamp;
use jiff::tz::Offset;
use serde::Serialize;

use super::amount::Amount;
use super::catalog::{self, Product};
use super::options::Sign;
use super::order::{Item, Order, Tracking};
use super::prices::Price;
use super::request::NewOrder;
use super::state::Registration;

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

/// The access token (interface 2.1).
#[derive(Debug, Serialize)]
pub(crate) struct TokenWire<'a> {
    pub(crate) access_token: &'a str,
}

/// The ids of a created order (interface 4.3).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedWire<'a> {
    pub(crate) pw_order_id: &'a str,
    pub(crate) order_id: &'a str,
}

/// A product in a list; the interface shows no fields.
#[derive(Debug, Serialize)]
pub(crate) struct ProductBrief<'a> {
    product_name: &'a str,
    code: &'a str,
    mockup_url: String,
}

/// A product in the SKU list (interface 2.7).
#[derive(Debug, Serialize)]
pub(crate) struct SkusWire<'a> {
    product_name: &'a str,
    code: &'a str,
    variants: Vec<SkuWire<'a>>,
}

#[derive(Debug, Serialize)]
struct SkuWire<'a> {
    title: &'a str,
    sku: &'a str,
    variant_id: &'a str,
}

/// A product in detail (interface 2.2 to 2.6).
#[derive(Debug, Serialize)]
pub(crate) struct ProductWire<'a> {
    product_name: &'a str,
    code: &'a str,
    mockup_url: String,
    description: String,
    variants: Vec<VariantWire<'a>>,
}

#[derive(Debug, Serialize)]
struct VariantWire<'a> {
    variant_title: &'a str,
    item_sku: &'a str,
    variant_id: &'a str,
    locations: Vec<LocationWire<'a>>,
    attributes: Vec<AttributeWire<'a>>,
    availability: &'a str,
}

#[derive(Debug, Serialize)]
struct LocationWire<'a> {
    name: &'a str,
    base_cost: Amount,
    tier_cost: Amount,
    print_areas: Vec<AreaWire<'a>>,
}

#[derive(Debug, Serialize)]
struct AreaWire<'a> {
    key: &'a str,
    width: u32,
    height: u32,
    resolution: String,
}

#[derive(Debug, Serialize)]
struct AttributeWire<'a> {
    name: &'a str,
    value: &'a str,
    #[serde(rename = "hexColor")]
    hex_color: Option<&'a str>,
}

fn mockup_url(code: &str) -> String {
    format!("https://cdn.example.com/mockups/{}.png", code.to_lowercase())
}

impl<'a> ProductBrief<'a> {
    pub(crate) fn new(product: &'a Product) -> Self {
        Self {
            product_name: &product.name,
            code: &product.code,
            mockup_url: mockup_url(&product.code),
        }
    }
}

impl<'a> SkusWire<'a> {
    pub(crate) fn new(product: &'a Product) -> Self {
        let variants = product.variants.iter().map(|variant| SkuWire {
            title: &variant.title,
            sku: &variant.sku,
            variant_id: &variant.id,
        });
        Self {
            product_name: &product.name,
            code: &product.code,
            variants: variants.collect(),
        }
    }
}

impl<'a> ProductWire<'a> {
    pub(crate) fn new(product: &'a Product) -> Self {
        Self {
            product_name: &product.name,
            code: &product.code,
            mockup_url: mockup_url(&product.code),
            description: format!("<p>{}, printed to order.</p>", product.name),
            variants: product
                .variants
                .iter()
                .map(|variant| variant_wire(product, variant))
                .collect(),
        }
    }
}

fn variant_wire<'a>(product: &'a Product, variant: &'a catalog::Variant) -> VariantWire<'a> {
    let color = variant.color.map(|(value, hex)| AttributeWire {
        name: "color",
        value,
        hex_color: Some(hex),
    });
    let size = AttributeWire {
        name: "size",
        value: variant.size,
        hex_color: None,
    };
    let locations = variant.costs.iter().map(|cost| LocationWire {
        name: cost.location,
        base_cost: cost.base,
        tier_cost: cost.tier,
        print_areas: areas(product.kind),
    });
    VariantWire {
        variant_title: &variant.title,
        item_sku: &variant.sku,
        variant_id: &variant.id,
        locations: locations.collect(),
        attributes: color.into_iter().chain([size]).collect(),
        availability: if variant.in_stock {
            "in_stock"
        } else {
            "out_of_stock"
        },
    }
}

fn areas(kind: catalog::Kind) -> Vec<AreaWire<'static>> {
    let areas = catalog::print_areas(kind).iter();
    areas
        .map(|area| AreaWire {
            key: area.key,
            width: area.width,
            height: area.height,
            resolution: format!("{} ppi", area.ppi),
        })
        .collect()
}

/// An order (interface 2.8).
#[derive(Debug, Serialize)]
pub(crate) struct OrderWire<'a> {
    pw_order_id: &'a str,
    order_name: &'a str,
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

/// A line of an order (interface 2.9).
#[derive(Debug, Serialize)]
struct ItemWire<'a> {
    product_name: &'a str,
    quantity: u32,
    item_sku: &'a str,
    url_mockup: Option<&'a str>,
    item_note: Option<&'a str>,
    order_status: super::order::Status,
    payment_status: super::order::Payment,
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
            order_name: &order.order_name,
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
pub(crate) fn moment(at: Timestamp, offset: Offset) -> String {
    at.to_zoned(offset.to_time_zone())
        .strftime("%Y-%m-%dT%H:%M:%S%.6f%:z")
        .to_string()
}

impl Sign {
    /// A discount as it goes over the wire.
    fn of(self, discount: Amount) -> Amount {
        match self {
            Self::Positive => discount,
            Self::Negative => -discount,
        }
    }
}

/// A price (interface 2.10).
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
    pub(crate) fn new(
        order: &'a NewOrder,
        price: &Price,
        catalog: &'a catalog::Catalog,
        discounts: Sign,
    ) -> Self {
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
