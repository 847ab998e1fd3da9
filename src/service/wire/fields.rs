//! How single fields of an answer are read, where they may be odd.

use secrecy::SecretString;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::money::Money;

/// A field that can be done without: none where it is missing, null, or not what the interface says.
pub(super) fn if_readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    // What is wrong with it does not matter: the caller says at the field why it can do without.
    Ok(T::deserialize(value).ok())
}

/// An item of a list that can be done without, as [`if_readable`].
#[derive(Deserialize)]
#[serde(transparent, bound(deserialize = "T: DeserializeOwned"))]
pub(super) struct Readable<T>(#[serde(deserialize_with = "if_readable")] pub(super) Option<T>);

/// A number of pieces, however the number is written: `2`, `2.0`, `2e0`, `"2"`.
pub(super) struct Pieces(pub(super) u32);

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        super::count(&value)
            .and_then(|pieces| u32::try_from(pieces).ok())
            .map(Self)
            .ok_or_else(|| D::Error::custom("not a number of pieces"))
    }
}

/// A name as it is compared with what stands in an order sheet, whose cells are read without the blanks around them.
pub(super) fn trimmed(name: &str) -> String {
    name.trim().to_owned()
}

/// An amount, also where it is written as a text: `12.50`, `"12.50"`. One that no order can cost is none.
pub(super) fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
    // Nothing of the answer stands in an error.
    let read = match Value::deserialize(deserializer)? {
        Value::String(text) => text.trim().parse().ok(),
        value => Money::deserialize(value).ok(),
    };
    read.filter(|amount: &Money| !amount.is_beyond_orders())
        .ok_or_else(|| D::Error::custom("not an amount"))
}

/// An amount that can be done without.
pub(super) fn amount_if_readable<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Money>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    // As for `if_readable`.
    Ok(amount(value).ok())
}

/// What somebody is called, also where it is written as a number: `7` is `"7"`. None where it is missing, blank, or
/// anything else.
pub(super) fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) if !text.trim().is_empty() => Some(text),
        Value::Number(number) => super::whole(&number).map(|whole| whole.to_string()),
        _ => None,
    })
}

/// An id that cannot be done without, also where it is written as a number: `7` is `"7"`.
pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Some(text),
        Value::Number(number) => super::whole(&number).map(|whole| whole.to_string()),
        _ => None,
    }
    .ok_or_else(|| D::Error::custom("not an id"))
}

pub(super) fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SecretString, D::Error> {
    String::deserialize(deserializer).map(SecretString::from)
}
