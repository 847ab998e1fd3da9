//! Requests, as the interface writes them. They borrow from what is sent; the same order gives the same bytes.

use secrecy::{ExposeSecret, SecretString};
use serde::{Serialize, Serializer};

use crate::order::{Line, Order, ShipTo};
use crate::service::{ListOrders, Webhook};

/// `auth/token`
#[derive(Serialize)]
pub(in crate::service) struct Credentials<'a> {
    pub(in crate::service) email: &'a str,
    #[serde(serialize_with = "exposed")]
    pub(in crate::service) password: &'a SecretString,
}

/// `products/list`
#[derive(Serialize)]
pub(in crate::service) struct ProductQuery<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::service) search: Option<&'a str>,
    pub(in crate::service) limit: u16,
    pub(in crate::service) page: u32,
}

/// `products/detail`
#[derive(Serialize)]
pub(in crate::service) struct ProductCode<'a> {
    pub(in crate::service) code: &'a str,
}

/// `orders/list`
#[derive(Serialize)]
pub(in crate::service) struct OrderQuery<'a> {
    created_at_min: String,
    created_at_max: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<&'a str>,
    limit: u16,
    page: u32,
}

impl<'a> OrderQuery<'a> {
    pub(in crate::service) fn new(query: &ListOrders<'a>) -> Self {
        const FORMAT: &str = "%Y-%m-%d %H:%M:%S";
        Self {
            created_at_min: query.from.strftime(FORMAT).to_string(),
            created_at_max: query.to.strftime(FORMAT).to_string(),
            search: query.search,
            limit: query.limit,
            page: query.page,
        }
    }
}

/// `orders/detail` and `cancel-order`
#[derive(Serialize)]
pub(in crate::service) struct OrderIds<'a> {
    pub(in crate::service) pw_order_id: &'a str,
    pub(in crate::service) order_name: &'a str,
}

/// `calculate-price-order`
#[derive(Serialize)]
pub(in crate::service) struct PriceOf<'a> {
    shipping_province_code: &'a str,
    shipping_country_code: &'a str,
    shipping_service: Option<&'a str>,
    order_items: Vec<PricedItem<'a>>,
}

#[derive(Serialize)]
struct PricedItem<'a> {
    made_in_location: &'a str,
    product_name: &'a str,
    quantity: u32,
    item_sku: &'a str,
}

impl<'a> PriceOf<'a> {
    pub(in crate::service) fn new(order: &'a Order) -> Self {
        let item = |line: &'a Line| PricedItem {
            made_in_location: &line.made_in_location,
            product_name: &line.product_name,
            quantity: line.quantity,
            item_sku: &line.item_sku,
        };
        Self {
            shipping_province_code: &order.ship_to.province_code,
            shipping_country_code: &order.ship_to.country_code,
            shipping_service: order.shipping_service.as_deref(),
            order_items: order.lines.iter().map(item).collect(),
        }
    }
}

/// `create-new-order`
#[derive(Serialize)]
pub(in crate::service) struct NewOrder<'a> {
    order_id: &'a str,
    shipping_name: &'a str,
    shipping_phone: &'a str,
    shipping_address1: &'a str,
    shipping_address2: &'a str,
    shipping_city: &'a str,
    shipping_province: &'a str,
    shipping_province_code: &'a str,
    shipping_zip: &'a str,
    shipping_country: &'a str,
    shipping_country_code: &'a str,
    shipping_service: Option<&'a str>,
    order_items: Vec<NewItem<'a>>,
}

#[derive(Serialize)]
struct NewItem<'a> {
    made_in_location: &'a str,
    product_name: &'a str,
    item_sku: &'a str,
    quantity: u32,
    variant_note: &'a str,
    mockup_url: Option<&'a str>,
    artwork_front: Option<&'a str>,
    artwork_back: Option<&'a str>,
    artwork_2: Option<&'a str>,
    artwork_3: Option<&'a str>,
    artwork_4: Option<&'a str>,
    artwork_5: Option<&'a str>,
}

impl<'a> NewOrder<'a> {
    pub(in crate::service) fn new(order: &'a Order) -> Self {
        // Named one by one, so that a field which the address gains cannot be forgotten here.
        let ShipTo {
            name,
            phone,
            address1,
            address2,
            city,
            province,
            province_code,
            zip,
            country,
            country_code,
        } = &order.ship_to;
        Self {
            order_id: &order.order_id,
            shipping_name: name,
            shipping_phone: phone,
            shipping_address1: address1,
            shipping_address2: address2,
            shipping_city: city,
            shipping_province: province,
            shipping_province_code: province_code,
            shipping_zip: zip,
            shipping_country: country,
            shipping_country_code: country_code,
            shipping_service: order.shipping_service.as_deref(),
            order_items: order.lines.iter().map(NewItem::new).collect(),
        }
    }
}

impl<'a> NewItem<'a> {
    fn new(line: &'a Line) -> Self {
        let [artwork_2, artwork_3, artwork_4, artwork_5] = &line.artwork_more;
        Self {
            made_in_location: &line.made_in_location,
            product_name: &line.product_name,
            item_sku: &line.item_sku,
            quantity: line.quantity,
            variant_note: &line.variant_note,
            mockup_url: line.mockup_url.as_deref(),
            artwork_front: line.artwork_front.as_deref(),
            artwork_back: line.artwork_back.as_deref(),
            artwork_2: artwork_2.as_deref(),
            artwork_3: artwork_3.as_deref(),
            artwork_4: artwork_4.as_deref(),
            artwork_5: artwork_5.as_deref(),
        }
    }
}

/// POST and PUT of a webhook registration.
#[derive(Serialize)]
pub(in crate::service) struct Registration<'a> {
    endpoint: &'a str,
    #[serde(serialize_with = "exposed")]
    access_key: &'a SecretString,
    #[serde(serialize_with = "exposed")]
    access_token: &'a SecretString,
}

impl<'a> Registration<'a> {
    pub(in crate::service) fn new(hook: &'a Webhook) -> Self {
        Self {
            endpoint: &hook.endpoint,
            access_key: &hook.access_key,
            access_token: &hook.access_token,
        }
    }
}

/// Writes a secret into the body of a request, the one place it is meant for.
fn exposed<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_create_has_every_field_of_the_interface() {
        let order = Order {
            order_id: "S-1001".into(),
            ship_to: ShipTo {
                name: "A. Example".into(),
                address1: "1 Main St".into(),
                city: "Springfield".into(),
                province: "Oregon".into(),
                province_code: "OR".into(),
                zip: "02134".into(),
                country: "United States".into(),
                country_code: "US".into(),
                ..ShipTo::default()
            },
            shipping_service: None,
            lines: vec![Line {
                item_sku: "TEE-M".into(),
                quantity: 2,
                artwork_front: Some("https://example.com/f.png".into()),
                artwork_more: [None, None, Some("https://example.com/4.png".into()), None],
                ..Line::default()
            }],
            expected_total: None,
        };
        let sent = serde_json::to_value(NewOrder::new(&order)).unwrap();
        let expected = json!({
            "order_id": "S-1001", "shipping_name": "A. Example", "shipping_phone": "",
            "shipping_address1": "1 Main St", "shipping_address2": "", "shipping_city": "Springfield",
            "shipping_province": "Oregon", "shipping_province_code": "OR", "shipping_zip": "02134",
            "shipping_country": "United States", "shipping_country_code": "US", "shipping_service": null,
            "order_items": [{
                "made_in_location": "", "product_name": "", "item_sku": "TEE-M", "quantity": 2,
                "variant_note": "", "mockup_url": null, "artwork_front": "https://example.com/f.png",
                "artwork_back": null, "artwork_2": null, "artwork_3": null,
                "artwork_4": "https://example.com/4.png", "artwork_5": null,
            }],
        });
        assert_eq!(sent, expected);
        let once = serde_json::to_vec(&NewOrder::new(&order)).unwrap();
        assert_eq!(once, serde_json::to_vec(&NewOrder::new(&order.clone())).unwrap());
    }

    #[test]
    fn days_of_the_order_list_are_written_as_the_interface_says() {
        let query = OrderQuery::new(&ListOrders {
            from: date(2026, 11, 1).at(0, 0, 0, 0),
            to: date(2026, 11, 2).at(23, 59, 59, 999_999_999),
            search: None,
            limit: 200,
            page: 0,
        });
        assert_eq!(
            serde_json::to_value(query).unwrap(),
            json!({"created_at_min": "2026-11-01 00:00:00", "created_at_max": "2026-11-02 23:59:59",
                "limit": 200, "page": 0})
        );
    }
}
