//! The service through a real socket, as a client meets it.

mod control;
mod faults;
mod interface;

use serde_json::{Value, json};

use super::{Options, Sandbox, notify, start};

const NEVER: &str = "2000-01-01 00:00:00";
const EVER: &str = "2100-01-01 00:00:00";

/// A client with a token.
struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Client {
    fn new(sandbox: &Sandbox) -> Self {
        Self {
            http: notify::client().unwrap(),
            base: sandbox.base_url(),
            token: String::new(),
        }
    }

    async fn logged_in(sandbox: &Sandbox) -> Self {
        let mut client = Self::new(sandbox);
        client.log_in().await;
        client
    }

    async fn log_in(&mut self) {
        let (status, answer) = self.call("POST", "auth/token", &credentials()).await.unwrap();
        assert_eq!(status, 200, "{answer}");
        self.token = answer["result"]["access_token"].as_str().unwrap().to_owned();
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> reqwest::Result<reqwest::Response> {
        let url = format!("{}/api/v2/{path}", self.base);
        let mut request = self
            .http
            .request(method.parse().unwrap(), url)
            .header("PW-ACCESS-TOKEN", &self.token);
        if !body.is_null() {
            request = request.body(body.to_string());
        }
        request.send().await
    }

    async fn text(&self, method: &str, path: &str, body: &Value) -> reqwest::Result<(u16, String)> {
        let response = self.send(method, path, body).await?;
        Ok((response.status().as_u16(), response.text().await?))
    }

    async fn call(&self, method: &str, path: &str, body: &Value) -> reqwest::Result<(u16, Value)> {
        let (status, text) = self.text(method, path, body).await?;
        Ok((status, serde_json::from_str(&text).unwrap()))
    }

    async fn create(&self, order_id: &str) -> reqwest::Result<(u16, Value)> {
        self.call("POST", "orders/create-new-order", &order(order_id))
            .await
    }

    /// The names that the list shows.
    async fn listed(&self, search: &str) -> Vec<String> {
        let window = json!({"created_at_min": NEVER, "created_at_max": EVER, "search": search});
        let (status, answer) = self.call("GET", "orders/list", &window).await.unwrap();
        assert_eq!(status, 200, "{answer}");
        let orders = answer["orders"].as_array().unwrap();
        orders
            .iter()
            .map(|order| order["order_name"].as_str().unwrap().to_owned())
            .collect()
    }
}

fn credentials() -> Value {
    json!({"email": "shop@example.com", "password": "sandbox"})
}

fn order(order_id: &str) -> Value {
    json!({
        "order_id": order_id,
        "shipping_name": "Ada Example",
        "shipping_phone": "+1 555 0100",
        "shipping_address1": "1 Main St",
        "shipping_address2": "",
        "shipping_city": "Columbus",
        "shipping_province": "Ohio",
        "shipping_province_code": "OH",
        "shipping_zip": "43004",
        "shipping_country": "United States",
        "shipping_country_code": "US",
        "shipping_service": null,
        "order_items": [{
            "made_in_location": "",
            "product_name": "Classic Tee",
            "item_sku": "TEE-CLASSIC-BLK-S",
            "quantity": 2,
            "variant_note": "",
            "mockup_url": null,
            "artwork_front": "https://example.com/a.png"
        }]
    })
}

/// An order request with one field set to another value, by JSON pointer.
fn order_with(pointer: &str, value: Value) -> Value {
    let mut order = order("X-1");
    *order.pointer_mut(pointer).unwrap() = value;
    order
}

fn names(sandbox: &Sandbox) -> Vec<String> {
    sandbox
        .orders()
        .into_iter()
        .map(|placed| placed.order_name)
        .collect()
}

async fn calm() -> (Sandbox, Client) {
    with(Options::default()).await
}

async fn with(options: Options) -> (Sandbox, Client) {
    let sandbox = start(options).await.unwrap();
    let client = Client::logged_in(&sandbox).await;
    (sandbox, client)
}
