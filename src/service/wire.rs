//! Requests and answers as the interface writes them, and how an answer is read: fields that it does not list are
//! ignored; a listed one that is missing or of another type is an error that names it, unless what was asked can do
//! without. No value of an answer ever stands in an error.

mod answers;
mod fields;
mod orders;
mod requests;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::verdict::Body;
use fields::Written;

pub(super) use answers::{
    CatalogAnswer, CreatedAnswer, ListAnswer, ProductAnswer, QuoteAnswer, TokenAnswer, WebhookAnswer,
};
pub(super) use orders::{NoOrdersAnswer, OrderAnswer, OrdersAnswer, SomeOrdersAnswer};
pub(super) use requests::Registration;
pub(super) use requests::{Credentials, NewOrder, OrderIds, OrderQuery, PriceOf, ProductCode, ProductQuery};

/// The most characters of the service's own words that are passed on.
const MESSAGE_CHARS: usize = 500;

/// What every answer begins with.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default, borrow)]
    status: Option<&'a RawValue>,
    #[serde(default, borrow)]
    message: Option<&'a RawValue>,
    /// Other places of a service's words: the shape of an error's body is not shown.
    #[serde(default, borrow)]
    error: Option<&'a RawValue>,
    #[serde(default, borrow)]
    errors: Option<&'a RawValue>,
}

/// What is written at one of those places.
///
/// # Errors
/// Where it cannot be read: a text that is cut within a character, or what nests without end.
fn value_at(place: Option<&RawValue>) -> serde_json::Result<Value> {
    place.map_or(Ok(Value::Null), |value| serde_json::from_str(value.get()))
}

/// The words in a value of any shape, with the names that they stand under; none where there are none.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Array(values) => joined(values.iter().filter_map(words), "; "),
        Value::Object(fields) => {
            let named = |(name, value): (&String, &Value)| Some(format!("{name}: {}", words(value)?));
            joined(fields.iter().filter_map(named), ", ")
        }
    }
}

fn joined(texts: impl Iterator<Item = String>, between: &str) -> Option<String> {
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join(between))
}

/// What the body of an answer is, and the service's own words in it.
pub(super) fn envelope(bytes: &[u8]) -> (Body, Option<String>) {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return (Body::Empty, None);
    }
    // Serde reads a struct from an array too; the interface's envelope is an object.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return (Body::Unreadable, None);
    }
    let Ok(Envelope {
        status,
        message,
        error,
        errors,
    }) = serde_json::from_slice(bytes)
    else {
        return (Body::Unreadable, None);
    };
    // An error that cannot be read is one all the same.
    let mut places = [message, errors, error].map(value_at);
    if places.iter().any(Result::is_err) {
        return (Body::Unreadable, None);
    }
    let body = match status {
        None => Body::Envelope(None),
        Some(status) => match Written::of(status)
            .count()
            .and_then(|code| u16::try_from(code).ok())
        {
            Some(code) => Body::Envelope(Some(code)),
            None => Body::Unreadable,
        },
    };
    // "ok" is not what went wrong.
    if matches!(body, Body::Envelope(Some(200..300))) {
        places.rotate_left(1);
    }
    let message = places
        .iter()
        .flatten()
        .find_map(words)
        .map(|words| words.chars().take(MESSAGE_CHARS).collect());
    (body, message)
}

/// Whether an answer has words under a name for errors, whatever its code.
pub(super) fn names_error(bytes: &[u8]) -> bool {
    serde_json::from_slice(bytes).is_ok_and(|Envelope { error, errors, .. }| {
        [error, errors]
            .map(value_at)
            .iter()
            .flatten()
            .any(|value| words(value).is_some())
    })
}

/// Whether an answer has no place for orders at all.
pub(super) fn lacks_orders(bytes: &[u8]) -> bool {
    let fields = serde_json::from_slice::<BTreeMap<String, &RawValue>>(bytes);
    fields.is_ok_and(|fields| !fields.contains_key("orders"))
}

/// Reads what was asked for.
///
/// # Errors
/// A sentence that names the field; it quotes nothing of the answer.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    // To keep track of the path takes twice as long: only one that cannot be read is asked where.
    if let Ok(answer) = serde_json::from_slice(bytes) {
        return Ok(answer);
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let what = error.inner().to_string();
        // Serde names a missing field in its message, and the object that lacks it in the path.
        match what
            .strip_prefix("missing field `")
            .and_then(|rest| rest.split_once('`'))
        {
            Some((field, _)) if path == "." => format!("the answer lacks `{field}`"),
            Some((field, _)) => format!("the answer lacks `{path}.{field}`"),
            None => format!("`{path}` in the answer is not what the interface says"),
        }
    })
}

/// A whole number, also where it is written with decimals or an exponent: `2`, `2.0`, `2e0`.
fn whole_of(text: &str) -> Option<u64> {
    // As nearly every one is written.
    if !text.is_empty() && text.len() < 20 && text.bytes().all(|digit| digit.is_ascii_digit()) {
        return text.parse().ok();
    }
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if before.is_empty() || !are_digits(before) || !are_digits(after) {
        return None;
    }
    let exponent: i32 = exponent.parse().ok()?;
    let all = format!("{before}{after}");
    let digits = match all.trim_end_matches('0') {
        "" => return Some(0),
        digits => digits,
    };
    let zeros = all.len() - digits.len();
    // How many zeros follow the digits once the exponent has moved the point.
    let moved = i64::from(exponent) + i64::try_from(zeros).ok()? - i64::try_from(after.len()).ok()?;
    let value: u64 = digits.parse().ok()?;
    value.checked_mul(10_u64.checked_pow(u32::try_from(moved).ok()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_is_read_however_the_number_is_written() {
        for (json, body) in [
            (r#"{"status":200}"#, Body::Envelope(Some(200))),
            (r#" {"status":200.0,"x":[1]} "#, Body::Envelope(Some(200))),
            (r#"{"status":null}"#, Body::Envelope(None)),
            ("{}", Body::Envelope(None)),
            (r#"{"status":"200"}"#, Body::Envelope(Some(200))),
            (r#"{"status":" 422 "}"#, Body::Envelope(Some(422))),
            (r#"{"status":2e2}"#, Body::Envelope(Some(200))),
            (r#"{"status":2.00E+2}"#, Body::Envelope(Some(200))),
            (r#"{"status":"ok"}"#, Body::Unreadable),
            (r#"{"status":""}"#, Body::Unreadable),
            (r#"{"status":"-200"}"#, Body::Unreadable),
            (r#"{"status":2e20}"#, Body::Unreadable),
            (r#"{"status":200.5}"#, Body::Unreadable),
            (r#"{"status":-1}"#, Body::Unreadable),
            (r#"{"status":70000}"#, Body::Unreadable),
            (r#"{"status":200"#, Body::Unreadable),
            (r#"{"status":200,"error":"cut \ud83d"}"#, Body::Unreadable),
            (r#"{"status":200} x"#, Body::Unreadable),
            ("[200,\"m\"]", Body::Unreadable),
            ("200", Body::Unreadable),
            ("<html>", Body::Unreadable),
            (" \n", Body::Empty),
        ] {
            assert_eq!(envelope(json.as_bytes()).0, body, "{json}");
        }
    }

    #[test]
    fn a_whole_number_is_read_however_it_is_written() {
        for (text, number) in [
            ("0", Some(0)),
            ("12", Some(12)),
            ("007", Some(7)),
            ("12.00", Some(12)),
            ("1e0", Some(1)),
            ("1.2E+1", Some(12)),
            ("1200e-2", Some(12)),
            ("0.0e99", Some(0)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("1e20", None),
            ("1e99999999999", None),
            ("12.5", None),
            ("12e-1", None),
            ("-1", None),
            ("+1", None),
            (".5e1", None),
            ("e1", None),
            ("1e", None),
            ("0e", None),
            ("1 000", None),
            ("", None),
        ] {
            assert_eq!(whole_of(text), number, "{text}");
        }
    }

    #[test]
    fn the_pieces_of_a_listed_order_are_read_however_they_are_written() {
        let pieces = |quantity: &str| {
            let page = format!(
                r#"{{"orders":[{{"pw_order_id":"P","order_name":"1",
                    "order_items":[{{"item_sku":" TEE-M ","quantity":{quantity}}}]}}]}}"#
            );
            let page = read::<OrdersAnswer>(page.as_bytes()).unwrap().into_page();
            assert_eq!(page.orders[0].items[0].sku, "TEE-M");
            page.orders[0].items[0].quantity
        };
        for two in ["2", "2.0", "2e0", "0.2E+1", r#""2""#, r#"" 2.0 ""#, r#""2e0""#] {
            assert_eq!(pieces(two), 2, "{two}");
        }
        for none in ["2.5", r#""two""#, r#""""#, "null", "[2]", "-2", "4294967296"] {
            assert_eq!(pieces(none), 0, "{none}: like none of ours");
        }
    }

    #[test]
    fn the_size_of_a_page_is_read_however_it_is_written() {
        for (size, read_as) in [
            ("50", Some(50)),
            ("50.0", Some(50)),
            (r#""50""#, Some(50)),
            (r#""fifty""#, None),
            ("-50", None),
            ("null", None),
        ] {
            let order = r#"{"pw_order_id":"P","order_name":"1"}"#;
            let page = format!(r#"{{"limit":{size},"length":{size},"orders":[{order}]}}"#);
            let all = read::<OrdersAnswer>(page.as_bytes()).unwrap().into_page();
            let some = read::<SomeOrdersAnswer>(page.as_bytes()).unwrap().into_page();
            for page in [all, some] {
                assert_eq!((page.limit, page.length), (read_as, read_as), "{size}");
            }
        }
    }

    #[test]
    fn the_service_s_own_words_are_kept_short() {
        let words = |json: &str| envelope(json.as_bytes()).1;
        assert_eq!(
            words(r#"{"message":" No such SKU "}"#).as_deref(),
            Some("No such SKU")
        );
        for (json, told) in [
            (
                r#"{"status":200,"message":"ok","error":"shard down"}"#,
                "shard down",
            ),
            (r#"{"status":200,"message":"ok","errors":[]}"#, "ok"),
            (
                r#"{"status":400,"message":"No such SKU","error":"Bad Request"}"#,
                "No such SKU",
            ),
            (
                r#"{"message":"No such SKU","error":"Bad Request"}"#,
                "No such SKU",
            ),
        ] {
            assert_eq!(words(json).as_deref(), Some(told), "{json}");
        }
        assert_eq!(words(r#"{"message":""}"#), None);
        assert_eq!(words(r#"{"message":{"a":1}}"#), None);
        let long = format!(r#"{{"message":"{}"}}"#, "ä".repeat(2000));
        assert_eq!(words(&long).unwrap().chars().count(), MESSAGE_CHARS);
    }

    #[test]
    fn the_service_s_own_id_may_be_a_number() {
        let page =
            r#"{"orders":[{"pw_order_id":777,"order_name":"1"},{"pw_order_id":"P","order_name":"2"}]}"#;
        let page = read::<OrdersAnswer>(page.as_bytes()).unwrap().into_page();
        let ids: Vec<&str> = page
            .orders
            .iter()
            .map(|order| order.pw_order_id.as_str())
            .collect();
        assert_eq!(ids, ["777", "P"]);
        let made = read::<CreatedAnswer>(br#"{"data":{"pwOrderId":777,"orderId":"1"}}"#).unwrap();
        assert_eq!(made.data.pw_order_id, "777");
        assert_eq!(
            (made.data.order_id.text.as_str(), made.data.order_id.is_number),
            ("1", false)
        );
        let made = read::<CreatedAnswer>(br#"{"data":{"pwOrderId":"P","orderId":1001}}"#).unwrap();
        assert_eq!(
            (made.data.order_id.text.as_str(), made.data.order_id.is_number),
            ("1001", true)
        );
        for odd in ["null", "{}", "7.5", "-7", "true"] {
            let page = format!(r#"{{"orders":[{{"pw_order_id":{odd},"order_name":"1"}}]}}"#);
            assert!(read::<OrdersAnswer>(page.as_bytes()).is_err(), "{odd}");
        }
    }

    #[test]
    fn what_is_no_list_is_an_empty_one_where_the_answer_counts_none() {
        let page = |text: &str| read::<NoOrdersAnswer>(text.as_bytes()).ok()?.into_page();
        assert!(page(r#"{"orders":null,"length":0}"#).is_some());
        for none in [
            r#"{"orders":null,"length":"0"}"#,
            r#"{"orders":{},"length":0}"#,
            r#"{"length":0}"#,
        ] {
            assert!(page(none).is_some(), "{none}");
        }
        for other in [
            r#"{"orders":null}"#,
            r#"{"orders":{}}"#,
            r#"{"orders":{"1":{}},"length":0}"#,
            "{}",
            r#"{"orders":null,"length":3}"#,
            r#"{"orders":[],"length":0}"#,
        ] {
            assert!(page(other).is_none(), "{other}");
        }
    }

    #[test]
    fn an_answer_lacks_orders_where_it_has_no_place_for_them() {
        assert!(lacks_orders(br#"{"status":200,"message":"no page 0"}"#));
        for other in [
            r#"{"status":200,"orders":null,"length":3}"#,
            r#"{"status":200,"orders":{"a":1}}"#,
            r#"{"status":200,"orders":[{"pw_ord"#,
            "[]",
            "<html>",
        ] {
            assert!(!lacks_orders(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn an_order_without_an_id_is_counted_and_keeps_no_other_from_being_read() {
        let page = |text: &str| {
            let page = read::<SomeOrdersAnswer>(text.as_bytes()).unwrap().into_page();
            (page.orders.len(), page.without_id)
        };
        for odd in ["null", "{}", "7.5", "-7", "true"] {
            let order = format!(r#"{{"pw_order_id":{odd},"order_name":"1"}}"#);
            let others = r#"{"order_name":"2"},null,{"pw_order_id":"P","order_name":"3"}"#;
            assert_eq!(
                page(&format!(r#"{{"orders":[{order},{others}]}}"#)),
                (1, 3),
                "{odd}"
            );
            assert_eq!(page(&format!(r#"{{"orders":[{order}]}}"#)), (0, 1), "{odd}");
        }
    }

    #[test]
    fn an_error_names_the_field_and_quotes_nothing() {
        let read = |json: &str| read::<CreatedAnswer>(json.as_bytes()).map(|_| ()).unwrap_err();
        assert_eq!(read(r#"{"status":200}"#), "the answer lacks `data`");
        assert_eq!(
            read(r#"{"data":{"orderId":"1"}}"#),
            "the answer lacks `data.pwOrderId`"
        );
        assert_eq!(
            read(r#"{"data":{"pwOrderId":{},"orderId":"1"}}"#),
            "`data.pwOrderId` in the answer is not what the interface says"
        );
        assert_eq!(
            read(r#"{"data":{"pwOrderId":"P","orderId":null}}"#),
            "`data.orderId` in the answer is not what the interface says"
        );
    }
}
