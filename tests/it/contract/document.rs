//! The interface's document, and what an exchange has against it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::recorder::Exchange;

const TEXT: &str = include_str!("../../../schema/print-service.openapi.json");

/// The document.
pub(super) struct Document {
    paths: Value,
    /// The schemas, where a validator finds them.
    schemas: Value,
}

impl Document {
    pub(super) fn read() -> Self {
        let text = TEXT.replace("#/components/schemas/", "#/$defs/");
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["openapi"], "3.1.0");
        Self {
            paths: document["paths"].clone(),
            schemas: document["components"]["schemas"].clone(),
        }
    }

    /// The name of every operation.
    pub(super) fn operations(&self) -> BTreeSet<String> {
        let paths = self.paths.as_object().unwrap().values();
        paths
            .flat_map(|path| path.as_object().unwrap().values())
            .map(|operation| operation["operationId"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The name of an exchange's operation.
    pub(super) fn operation(&self, exchange: &Exchange) -> String {
        let named = self.described(exchange)["operationId"].as_str();
        named
            .unwrap_or_else(|| panic!("not in the document: {exchange:?}"))
            .to_owned()
    }

    fn described(&self, exchange: &Exchange) -> &Value {
        &self.paths[&exchange.path][exchange.method.to_lowercase()]
    }

    /// What is wrong with a request.
    pub(super) fn faults_of_request(&self, exchange: &Exchange) -> Vec<String> {
        let operation = self.described(exchange);
        let wants_token = operation["security"]
            .as_array()
            .is_some_and(|all| !all.is_empty());
        let mut faults = Vec::new();
        if wants_token != exchange.has_token {
            faults.push(format!(
                "token wanted: {wants_token}, sent: {}",
                exchange.has_token
            ));
        }
        let body = &operation["requestBody"];
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        // A GET's parameters travel in the query, in the body, or in both: one of them has to be whole.
        let in_query = query(&exchange.query, &parameters, &mut faults);
        let sent = if exchange.body.is_empty() {
            in_query.clone()
        } else {
            serde_json::from_str(&exchange.body).unwrap_or(Value::Null)
        };
        if !in_query.is_null() && sent != in_query {
            faults.push(format!("the query says {in_query}, the body {sent}"));
        }
        match body["content"]["application/json"].get("schema") {
            None if sent.is_null() => {}
            None => faults.push(format!("a body where none is wanted: {sent}")),
            Some(schema) => faults.extend(self.faults(schema, &sent)),
        }
        faults
    }

    /// What is wrong with an answer.
    pub(super) fn faults_of_answer(&self, exchange: &Exchange) -> Vec<String> {
        let answers = &self.described(exchange)["responses"];
        let described = &answers[exchange.status.to_string()];
        if described.is_null() {
            return vec![format!("HTTP {} is not shown", exchange.status)];
        }
        let answer: Value = serde_json::from_str(&exchange.answer).unwrap_or(Value::Null);
        match described["content"]["application/json"].get("schema") {
            None => Vec::new(),
            Some(schema) => self.faults(schema, &answer),
        }
    }

    fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        let schema = json!({"$defs": self.schemas, "allOf": [schema]});
        let validator = jsonschema::validator_for(&schema).unwrap();
        validator
            .iter_errors(value)
            .map(|error| error.to_string())
            .collect()
    }
}

/// The parameters of a query, as the values that they stand for; null where there are none.
fn query(text: &str, parameters: &[Value], faults: &mut Vec<String>) -> Value {
    let url = reqwest::Url::parse(&format!("http://localhost/?{text}")).unwrap();
    let mut values = serde_json::Map::new();
    for (name, value) in url.query_pairs() {
        let Some(parameter) = parameters
            .iter()
            .find(|parameter| parameter["name"] == name.as_ref())
        else {
            faults.push(format!("`{name}` in the query is no parameter"));
            continue;
        };
        let value = if parameter["schema"]["type"] == "integer" {
            serde_json::from_str(&value).unwrap_or(Value::Null)
        } else {
            Value::from(value.into_owned())
        };
        values.insert(name.into_owned(), value);
    }
    if values.is_empty() {
        Value::Null
    } else {
        Value::Object(values)
    }
}
