//! Answers, as the interface writes them, and what the rest of the program knows them as.

use secrecy::SecretString;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use super::fields::{
    Readable, Written, amount, amount_if_readable, count_if_readable, id, if_readable, name, secret,
    text_if_readable, trimmed,
};
use crate::catalog::{self, Detail, Entry};
use crate::money::Money;
use crate::quote::{Answered, Quote, QuoteLine, as_discount, match_lines};
use crate::service::Webhook;

/// `auth/token`
#[derive(Deserialize)]
pub(in crate::service) struct TokenAnswer {
    result: TokenResult,
}

#[derive(Deserialize)]
struct TokenResult {
    #[serde(deserialize_with = "secret")]
    access_token: SecretString,
}

impl TokenAnswer {
    pub(in crate::service) fn into_token(self) -> SecretString {
        self.result.access_token
    }
}

/// `products/list`: the fields of its items are not shown.
#[derive(Deserialize)]
pub(in crate::service) struct ListAnswer {
    pub(in crate::service) products: Vec<Value>,
}

/// `products/detail`
#[derive(Deserialize)]
pub(in crate::service) struct ProductAnswer {
    product: Product,
}

#[derive(Deserialize)]
struct Product {
    variants: Vec<Variant>,
}

#[derive(Deserialize)]
struct Variant {
    #[serde(deserialize_with = "id")]
    item_sku: String,
    #[serde(default, deserialize_with = "text_if_readable")]
    availability: Option<String>,
    #[serde(default, deserialize_with = "if_readable")]
    locations: Option<Vec<Location>>,
    #[serde(default, deserialize_with = "if_readable")]
    attributes: Option<Vec<Attribute>>,
}

#[derive(Deserialize)]
struct Location {
    name: String,
    #[serde(default, deserialize_with = "amount_if_readable")]
    base_cost: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    tier_cost: Option<Money>,
    #[serde(default, deserialize_with = "if_readable")]
    print_areas: Option<Vec<PrintArea>>,
}

#[derive(Deserialize)]
struct PrintArea {
    key: String,
    #[serde(default, deserialize_with = "if_readable")]
    width: Option<Number>,
    #[serde(default, deserialize_with = "if_readable")]
    height: Option<Number>,
    #[serde(default, deserialize_with = "text_if_readable")]
    resolution: Option<String>,
}

#[derive(Deserialize)]
struct Attribute {
    name: String,
    value: String,
    #[serde(default, rename = "hexColor", deserialize_with = "text_if_readable")]
    hex_color: Option<String>,
}

impl ProductAnswer {
    pub(in crate::service) fn into_details(self) -> Vec<Detail> {
        self.product
            .variants
            .into_iter()
            .map(Variant::into_detail)
            .collect()
    }
}

impl Variant {
    fn into_detail(self) -> Detail {
        let attribute = |attribute: Attribute| catalog::Attribute {
            name: trimmed(&attribute.name),
            value: trimmed(&attribute.value),
            hex_color: attribute.hex_color,
        };
        Detail {
            sku: trimmed(&self.item_sku),
            availability: self.availability.as_deref().map(trimmed),
            locations: self
                .locations
                .unwrap_or_default()
                .into_iter()
                .map(Location::into_location)
                .collect(),
            attributes: self
                .attributes
                .unwrap_or_default()
                .into_iter()
                .map(attribute)
                .collect(),
        }
    }
}

impl Location {
    fn into_location(self) -> catalog::Location {
        let area = |area: PrintArea| catalog::PrintArea {
            key: trimmed(&area.key),
            width: area.width,
            height: area.height,
            resolution: area.resolution,
        };
        catalog::Location {
            name: trimmed(&self.name),
            base_cost: self.base_cost,
            tier_cost: self.tier_cost,
            print_areas: self
                .print_areas
                .unwrap_or_default()
                .into_iter()
                .map(area)
                .collect(),
        }
    }
}

/// `list-sku-catalogs`. Names and titles are for people: an order can do without.
#[derive(Deserialize)]
pub(in crate::service) struct CatalogAnswer {
    products: Vec<Readable<CatalogProduct>>,
}

#[derive(Deserialize)]
struct CatalogProduct {
    #[serde(default, deserialize_with = "text_if_readable")]
    product_name: Option<String>,
    #[serde(default, deserialize_with = "name")]
    code: Option<String>,
    #[serde(default, deserialize_with = "if_readable")]
    variants: Option<Vec<Readable<CatalogVariant>>>,
}

#[derive(Deserialize)]
struct CatalogVariant {
    #[serde(default, deserialize_with = "text_if_readable")]
    title: Option<String>,
    #[serde(default, deserialize_with = "name")]
    sku: Option<String>,
    #[serde(default, deserialize_with = "name")]
    variant_id: Option<String>,
}

impl CatalogAnswer {
    /// The SKUs that can be ordered. A product without a code, or one that is none or whose variants or SKUs cannot be
    /// read, is left out, for the others can do without it.
    ///
    /// # Errors
    /// A sentence, where there are no products, or none can be read.
    pub(in crate::service) fn into_entries(self) -> Result<Vec<Entry>, String> {
        let (mut entries, mut left_out) = (Vec::new(), 0_usize);
        for Readable(product) in self.products {
            let Some(product) = product else {
                left_out += 1;
                continue;
            };
            let all = product.variants.as_ref().map_or(1, Vec::len);
            let before = entries.len();
            product.put_entries(&mut entries);
            left_out += all - (entries.len() - before);
        }
        if entries.is_empty() {
            // Against an empty catalog every order would be wrong, and none is.
            return Err(if left_out > 0 {
                "no product in the answer has a code and variants with a SKU".to_owned()
            } else {
                "the service's catalog is empty".to_owned()
            });
        }
        if left_out > 0 {
            tracing::warn!(
                left_out,
                "the catalog has products or variants without a code or a SKU; they cannot be ordered"
            );
        }
        Ok(entries)
    }
}

impl CatalogProduct {
    fn put_entries(self, entries: &mut Vec<Entry>) {
        let (Some(product_code), Some(variants)) = (self.code, self.variants) else {
            return;
        };
        let text = |text: Option<String>| text.as_deref().map(trimmed).unwrap_or_default();
        let product_name = text(self.product_name);
        entries.extend(variants.into_iter().filter_map(|Readable(variant)| {
            let variant = variant?;
            Some(Entry {
                sku: trimmed(&variant.sku?),
                // The key of the product's detail, which is asked for as it stands.
                product_code: product_code.clone(),
                product_name: product_name.clone(),
                title: text(variant.title),
                variant_id: variant.variant_id.unwrap_or_default(),
            })
        }));
    }
}

/// `calculate-price-order`
#[derive(Deserialize)]
pub(in crate::service) struct QuoteAnswer {
    data: WireQuote,
}

/// What is charged is demanded. Its parts only tell of what it is made: what one of them lacks, the rest of the total
/// shows.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireQuote {
    #[serde(default, deserialize_with = "amount_if_readable")]
    base_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    shipping_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    tax_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    discount_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    discount_shipping: Option<Money>,
    #[serde(deserialize_with = "amount")]
    total_price: Money,
    /// Only tells the parts of a quote: the total stands without.
    #[serde(default, deserialize_with = "if_readable")]
    order_items: Option<Vec<WireQuoteLine>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireQuoteLine {
    #[serde(deserialize_with = "id")]
    sku: String,
    /// Only tells lines of one SKU apart.
    #[serde(default, deserialize_with = "count_if_readable")]
    quantity: Option<u32>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    base_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    shipping_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    tax_fee: Option<Money>,
    #[serde(default, deserialize_with = "amount_if_readable")]
    discount_fee: Option<Money>,
    #[serde(deserialize_with = "amount")]
    total_fee: Money,
}

impl QuoteAnswer {
    /// The quote, its lines matched to an order's own SKUs and pieces, and those lines as they were answered.
    pub(in crate::service) fn into_quote(self, own: &[(&str, u32)]) -> (Quote, Vec<Answered>) {
        let data = self.data;
        let part = Option::unwrap_or_default;
        let answered = |line: WireQuoteLine| Answered {
            quantity: line.quantity,
            line: QuoteLine {
                sku: trimmed(&line.sku),
                base_fee: part(line.base_fee),
                shipping_fee: part(line.shipping_fee),
                tax_fee: part(line.tax_fee),
                discount: as_discount(part(line.discount_fee)),
                total: line.total_fee,
            },
        };
        let quoted: Vec<Answered> = data
            .order_items
            .unwrap_or_default()
            .into_iter()
            .map(answered)
            .collect();
        let quote = Quote {
            base_fee: part(data.base_fee),
            shipping_fee: part(data.shipping_fee),
            tax_fee: part(data.tax_fee),
            discount: as_discount(part(data.discount_fee)),
            shipping_discount: as_discount(part(data.discount_shipping)),
            total: data.total_price,
            lines: match_lines(own, &quoted),
        };
        (quote, quoted)
    }
}

/// `create-new-order`
#[derive(Debug, Deserialize)]
pub(in crate::service) struct CreatedAnswer {
    pub(in crate::service) data: CreatedIds,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::service) struct CreatedIds {
    #[serde(deserialize_with = "id")]
    pub(in crate::service) pw_order_id: String,
    pub(in crate::service) order_id: Repeated,
}

/// Our own id as an answer repeats it.
#[derive(Debug)]
pub(in crate::service) struct Repeated {
    pub(in crate::service) text: String,
    /// Whether it is written as a number, which has lost what only a text keeps: `007` comes back as `7`.
    pub(in crate::service) is_number: bool,
}

impl<'de> Deserialize<'de> for Repeated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::of(<&RawValue>::deserialize(deserializer)?);
        Ok(Self {
            is_number: matches!(written, Written::Number(_)),
            text: written.id().ok_or_else(|| D::Error::custom("not an id"))?,
        })
    }
}

/// GET of a webhook registration.
#[derive(Deserialize)]
pub(in crate::service) struct WebhookAnswer {
    #[serde(default)]
    result: Option<WireWebhook>,
}

#[derive(Deserialize)]
struct WireWebhook {
    #[serde(default)]
    endpoint: Option<String>,
    #[serde(default)]
    access_key: Option<String>,
    #[serde(default)]
    access_token: Option<String>,
}

impl WebhookAnswer {
    /// The registration; none where there is no endpoint.
    pub(in crate::service) fn into_webhook(self) -> Option<Webhook> {
        let found = self.result?;
        Some(Webhook {
            endpoint: found.endpoint.filter(|endpoint| !endpoint.is_empty())?,
            access_key: found.access_key.unwrap_or_default().into(),
            access_token: found.access_token.unwrap_or_default().into(),
        })
    }
}
