//! How single fields of an answer are read, where they may be odd: as they are written, without a value of JSON's own
//! made of them first, for a page of the order list has thousands.

use std::borrow::Cow;

use secrecy::SecretString;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::money::Money;

/// A value of which only a text or a number is of use.
pub(super) enum Written<'a> {
    /// A text, read.
    Text(Cow<'a, str>),
    /// The digits of a number.
    Number(&'a str),
    /// Anything else: null, a truth value, a list, an object.
    Other,
}

impl<'a> Written<'a> {
    pub(super) fn of(value: &'a RawValue) -> Self {
        let text = value.get();
        match text.bytes().next() {
            Some(b'"') => {
                // One without escapes is there already.
                let plain = serde_json::from_str(text).map(Cow::Borrowed);
                let text = plain.or_else(|_escaped| serde_json::from_str(text).map(Cow::Owned));
                text.map_or(Self::Other, Self::Text)
            }
            Some(b'-' | b'0'..=b'9') => Self::Number(text),
            _ => Self::Other,
        }
    }

    /// A whole number, also where it is written as a text: `2`, `"2"`.
    pub(super) fn count(&self) -> Option<u64> {
        match self {
            Self::Number(digits) => super::whole_of(digits),
            Self::Text(text) => super::whole_of(text.trim()),
            Self::Other => None,
        }
    }

    /// An amount, also where it is written as a text. One that no order can cost is none.
    fn amount(&self) -> Option<Money> {
        let read = match self {
            Self::Number(digits) => Money::of_json(digits).ok(),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Other => None,
        };
        read.filter(|amount: &Money| !amount.is_beyond_orders())
    }

    /// An id, also where it is written as a number: `7` is `"7"`. A blank text is none: two orders that have it would be
    /// taken for one.
    pub(super) fn id(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.into_owned()).filter(|id| !id.trim().is_empty()),
            Self::Number(digits) => super::whole_of(digits).map(|whole| whole.to_string()),
            Self::Other => None,
        }
    }
}

/// A field that can be done without: none where it is missing, null, or not what the interface says.
pub(super) fn if_readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = <&RawValue>::deserialize(deserializer)?;
    // What is wrong with it does not matter: the caller says at the field why it can do without.
    Ok(serde_json::from_str(value.get()).ok())
}

/// A text that can be done without.
pub(super) fn text_if_readable<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let value = <&RawValue>::deserialize(deserializer)?;
    Ok(match Written::of(value) {
        Written::Text(text) => Some(text.into_owned()),
        Written::Number(_) | Written::Other => None,
    })
}

/// The service's own word for how something stands, also where it is written as a number: `17` is `"17"`. What no sheet can
/// show, as a NUL, is a space.
pub(super) fn word_if_readable<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let value = <&RawValue>::deserialize(deserializer)?;
    Ok(match Written::of(value) {
        Written::Text(text) => Some(text.replace(char::is_control, " ")),
        Written::Number(digits) => Some(digits.to_owned()),
        Written::Other => None,
    })
}

/// An item of a list that can be done without, as [`if_readable`].
#[derive(Deserialize)]
#[serde(transparent, bound(deserialize = "T: DeserializeOwned"))]
pub(super) struct Readable<T>(#[serde(deserialize_with = "if_readable")] pub(super) Option<T>);

/// A whole number that can be done without, however it is written: `2`, `2.0`, `2e0`, `"2"`.
pub(super) fn count_if_readable<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = <&RawValue>::deserialize(deserializer)?;
    let count = Written::of(value).count();
    Ok(count.and_then(|count| T::try_from(count).ok()))
}

/// A name as it is compared with what stands in an order sheet, whose cells are read without the blanks around them.
pub(super) fn trimmed(name: &str) -> String {
    name.trim().to_owned()
}

/// An amount, also where it is written as a text: `12.50`, `"12.50"`. One that no order can cost is none.
pub(super) fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
    // Nothing of the answer stands in an error.
    amount_if_readable(deserializer)?.ok_or_else(|| D::Error::custom("not an amount"))
}

/// An amount that can be done without.
pub(super) fn amount_if_readable<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Money>, D::Error> {
    let value = <&RawValue>::deserialize(deserializer)?;
    Ok(Written::of(value).amount())
}

/// What somebody is called, also where it is written as a number: `7` is `"7"`. None where it is missing, blank, or
/// anything else.
pub(super) fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let value = <&RawValue>::deserialize(deserializer)?;
    let name = Written::of(value).id();
    Ok(name.filter(|name| !name.trim().is_empty()))
}

/// An id that cannot be done without, also where it is written as a number: `7` is `"7"`.
pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let value = <&RawValue>::deserialize(deserializer)?;
    Written::of(value)
        .id()
        .ok_or_else(|| D::Error::custom("not an id"))
}

pub(super) fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SecretString, D::Error> {
    String::deserialize(deserializer).map(SecretString::from)
}
