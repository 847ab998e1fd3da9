//! The parameters of a GET: from the JSON body, from the query, or from both where they agree. In a body a number
//! is a number and a text a text, as the interface's tables say; in a query everything is text.

use std::collections::BTreeMap;

use serde_json::Value;

use super::options::GetParams;
use super::request::Refusal;

/// The parameters of one GET.
#[derive(Debug, Default)]
pub(crate) struct Params(BTreeMap<String, Param>);

#[derive(Debug)]
enum Param {
    Text(String),
    Number(String),
    /// Of a query: may be read as either.
    Raw(String),
}

impl Param {
    fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Raw(text) => text,
        }
    }
}

impl Params {
    /// Reads them from where they may be.
    pub(crate) fn read(
        accepted: GetParams,
        query: &BTreeMap<String, String>,
        body: &[u8],
    ) -> Result<Self, Refusal> {
        match accepted {
            GetParams::Body if !query.is_empty() => {
                return Err(Refusal::bad("parameters belong in the body, not in the query"));
            }
            GetParams::Query if !body.is_empty() => {
                return Err(Refusal::bad("parameters belong in the query, not in a body"));
            }
            GetParams::Body | GetParams::Query | GetParams::Both => {}
        }
        let mut params = from_body(body)?;
        for (name, text) in query {
            match params.get(name) {
                Some(param) if param.text() == text => {}
                Some(_) => return Err(Refusal::bad(format!("{name} differs between body and query"))),
                None => {
                    params.insert(name.clone(), Param::Raw(text.clone()));
                }
            }
        }
        Ok(Self(params))
    }

    /// A text; none where it is missing or blank.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Param::Text(text) | Param::Raw(text)) => {
                Ok(Some(text.clone()).filter(|text| !text.is_empty()))
            }
            Some(Param::Number(_)) => Err(Refusal::bad(format!("{name} is not a text"))),
        }
    }

    /// A whole number that is not negative; none where it is missing.
    pub(crate) fn number(&self, name: &str) -> Result<Option<usize>, Refusal> {
        let wrong = || Refusal::bad(format!("{name} is not a whole number"));
        match self.0.get(name) {
            None => Ok(None),
            Some(Param::Number(text) | Param::Raw(text)) => {
                text.parse().map(Some).map_err(|_not_a_number| wrong())
            }
            Some(Param::Text(_)) => Err(wrong()),
        }
    }
}

fn from_body(body: &[u8]) -> Result<BTreeMap<String, Param>, Refusal> {
    if body.is_empty() {
        return Ok(BTreeMap::new());
    }
    let object: BTreeMap<String, Value> = super::request::body(body)?;
    let mut params = BTreeMap::new();
    for (name, value) in object {
        let param = match value {
            Value::Null => continue,
            Value::String(text) => Param::Text(text),
            Value::Number(number) => Param::Number(number.to_string()),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                return Err(Refusal::bad(format!("{name} is neither a text nor a number")));
            }
        };
        params.insert(name, param);
    }
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn body_and_query_are_joined_where_they_agree() {
        let body = br#"{"search":"1001","limit":50,"page":null}"#;
        let params = Params::read(GetParams::Both, &query(&[("limit", "50"), ("page", "1")]), body).unwrap();
        assert_eq!(params.text("search").unwrap().as_deref(), Some("1001"));
        assert_eq!(params.number("limit").unwrap(), Some(50));
        assert_eq!(params.number("page").unwrap(), Some(1));
    }

    #[test]
    fn a_contradiction_is_refused() {
        let read = Params::read(GetParams::Both, &query(&[("limit", "20")]), br#"{"limit":50}"#);
        assert_eq!(read.unwrap_err().status, 400);
    }

    #[test]
    fn only_the_accepted_place_is_read() {
        let both = (query(&[("limit", "20")]), br#"{"limit":20}"#);
        assert!(Params::read(GetParams::Body, &both.0, both.1).is_err());
        assert!(Params::read(GetParams::Query, &both.0, both.1).is_err());
        assert!(Params::read(GetParams::Body, &query(&[]), both.1).is_ok());
        assert!(Params::read(GetParams::Query, &both.0, b"").is_ok());
    }

    #[test]
    fn types_in_a_body_are_those_of_the_interface() {
        let params = Params::read(GetParams::Both, &query(&[]), br#"{"limit":"50","search":1001}"#).unwrap();
        assert!(params.number("limit").is_err());
        assert!(params.text("search").is_err());
        let negative = Params::read(GetParams::Both, &query(&[("page", "-1")]), b"").unwrap();
        assert!(negative.number("page").is_err());
    }
}
