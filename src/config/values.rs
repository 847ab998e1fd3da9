//! The values of the config that are written as text, each with its form and what is said where the form is wrong.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{self, StrDeserializer};
use serde::de::{Error, IntoDeserializer, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::money::Money;
use crate::service::RateLimit;

/// A value read from text, with the text as it was written.
#[derive(Clone, Debug)]
pub(super) struct Written<T> {
    text: Cow<'static, str>,
    pub(super) value: T,
}

/// What can be read from the text of a config value.
pub(super) trait FromText: Sized {
    /// The name of its schema.
    const NAME: &'static str;
    /// Completes "expected …".
    const EXPECTED: &'static str;
    /// A regular expression that the text matches, spaces around it aside, for the schema.
    const PATTERN: &'static str;
    /// The kind of number above zero that it may be written as without quotes, for the schema.
    const NUMBER: Option<&'static str> = None;

    /// None where the text has not the form.
    fn from_text(text: &str) -> Option<Self>;

    /// Reads a whole number written without quotes; none where that is no form of it.
    fn from_number(_number: u64) -> Option<Self> {
        None
    }
}

impl<T: FromText> Written<T> {
    /// A default: `text` has to have the form, which a test sees to.
    pub(super) fn default_of(text: &'static str, value: T) -> Self {
        Self {
            text: Cow::Borrowed(text),
            value,
        }
    }
}

impl<T> Serialize for Written<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T: FromText> Deserialize<'de> for Written<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WrittenVisitor(PhantomData))
    }
}

struct WrittenVisitor<T>(PhantomData<T>);

impl<T: FromText> Visitor<'_> for WrittenVisitor<T> {
    type Value = Written<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Written<T>, E> {
        let value =
            T::from_text(text.trim()).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &T::EXPECTED))?;
        Ok(Written {
            text: text.to_owned().into(),
            value,
        })
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Written<T>, E> {
        let value = u64::try_from(number)
            .ok()
            .and_then(T::from_number)
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &T::EXPECTED))?;
        Ok(Written {
            text: number.to_string().into(),
            value,
        })
    }
}

impl<T: FromText> JsonSchema for Written<T> {
    fn schema_name() -> Cow<'static, str> {
        T::NAME.into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        let pattern = format!("^\\s*({})\\s*$", T::PATTERN);
        match T::NUMBER {
            Some(number) => {
                json_schema!({ "type": ["string", number], "pattern": pattern, "exclusiveMinimum": 0 })
            }
            None => json_schema!({ "type": "string", "pattern": pattern }),
        }
    }
}

/// Reads one of a few words; what is no text at all is told which words there are, too.
pub(super) fn word<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(WordVisitor(PhantomData))
}

struct WordVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for WordVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is said of a word that is none of them ends in those that there are.
        let none: StrDeserializer<'_, value::Error> = "".into_deserializer();
        let said = T::deserialize(none).err().map(|error| error.to_string());
        let words = said.as_deref().and_then(|said| said.split_once("expected "));
        f.write_str(words.map_or("another text", |(_, words)| words))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::deserialize(text.into_deserializer())
    }
}

/// The whole number and the unit of a text such as `15m`.
fn number_and_unit(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(end)?;
    Some((number.parse().ok()?, unit.trim_start()))
}

/// In seconds: a century and more is a slip, and no clock arithmetic has to fear it.
const LONGEST: u64 = 100 * 366 * 24 * 60 * 60;

/// What a time that may not be zero matches besides, for the schema.
pub(super) const NOT_ZERO: &str = "[1-9]";

/// A time: a whole number and a unit.
impl FromText for Duration {
    const NAME: &'static str = "Duration";
    const EXPECTED: &'static str =
        "a time as a whole number and a unit (ms, s, m, h, d, w), such as \"30s\" or \"15m\"";
    const PATTERN: &'static str = r"[0-9]+\s*(ms|s|m|h|d|w)";

    fn from_text(text: &str) -> Option<Self> {
        let (number, unit) = number_and_unit(text)?;
        let seconds = match unit {
            "ms" => return Some(Self::from_millis(number)).filter(|time| time.as_secs() <= LONGEST),
            "s" => 1,
            "m" => 60,
            "h" => 60 * 60,
            "d" => 24 * 60 * 60,
            "w" => 7 * 24 * 60 * 60,
            _ => return None,
        };
        let seconds = number.checked_mul(seconds)?;
        (seconds <= LONGEST).then(|| Self::from_secs(seconds))
    }
}

/// How long something is kept; none is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keep(pub(super) Option<Duration>);

impl FromText for Keep {
    const NAME: &'static str = "Keep";
    const EXPECTED: &'static str = "a time such as \"90d\", or \"for ever\"";
    const PATTERN: &'static str = r"[0-9]+\s*(ms|s|m|h|d|w)|for ever|forever";

    fn from_text(text: &str) -> Option<Self> {
        match text {
            "for ever" | "forever" => Some(Self(None)),
            _ => Duration::from_text(text).map(|time| Self(Some(time))),
        }
    }
}

impl FromText for RateLimit {
    const NAME: &'static str = "RateLimit";
    const EXPECTED: &'static str = "requests and a time, such as \"20/s\" or \"50/3s\"";
    const PATTERN: &'static str = r"0*[1-9][0-9]*\s*/\s*(0*[1-9][0-9]*\s*)?(ms|s|m|h|d|w)";

    fn from_text(text: &str) -> Option<Self> {
        let (requests, time) = text.split_once('/')?;
        let time = time.trim_start();
        let per = if time.starts_with(|c: char| c.is_ascii_digit()) {
            Duration::from_text(time)?
        } else {
            Duration::from_text(&format!("1{time}"))?
        };
        let requests = requests.trim_end().parse().ok()?;
        (requests > 0 && !per.is_zero()).then_some(Self { requests, per })
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes(pub(super) u64);

impl FromText for Bytes {
    const NAME: &'static str = "Bytes";
    const EXPECTED: &'static str =
        "a number of bytes, or text such as \"256 MiB\" (KiB, MiB, GiB, KB, MB, GB)";
    const PATTERN: &'static str = r"0*[1-9][0-9]*\s*(B|KiB|MiB|GiB|KB|MB|GB)?";
    const NUMBER: Option<&'static str> = Some("integer");

    fn from_text(text: &str) -> Option<Self> {
        let Some((number, unit)) = number_and_unit(text) else {
            return text.parse().ok().and_then(Self::from_number);
        };
        let unit = match unit {
            "B" => 1,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            "KB" => 1_000,
            "MB" => 1_000_000,
            "GB" => 1_000_000_000,
            _ => return None,
        };
        number.checked_mul(unit).and_then(Self::from_number)
    }

    fn from_number(number: u64) -> Option<Self> {
        (number > 0).then_some(Self(number))
    }
}

/// An amount, exact: the digits are kept whether they were written with or without quotes.
impl FromText for Money {
    const NAME: &'static str = "Amount";
    const EXPECTED: &'static str = "an amount above zero in plain digits, such as 100.00 or \"100.00\"";
    const PATTERN: &'static str = r"0*[1-9][0-9]*(\.[0-9]*)?|[0-9]*\.0*[1-9][0-9]*";
    const NUMBER: Option<&'static str> = Some("number");

    fn from_text(text: &str) -> Option<Self> {
        let amount: Self = text.parse().ok()?;
        (!amount.is_negative() && !amount.is_zero()).then_some(amount)
    }
}

impl FromText for Date {
    const NAME: &'static str = "Date";
    const EXPECTED: &'static str = "a date such as 2026-11-21";
    const PATTERN: &'static str = "[0-9]{4}-[0-9]{2}-[0-9]{2}";

    fn from_text(text: &str) -> Option<Self> {
        Self::strptime("%Y-%m-%d", text).ok()
    }
}

impl FromText for TimeZone {
    const NAME: &'static str = "Zone";
    const EXPECTED: &'static str = "the name of a time zone, such as \"Europe/Berlin\"";
    const PATTERN: &'static str = "[A-Za-z0-9/_+-]+";

    fn from_text(text: &str) -> Option<Self> {
        Self::get(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_whole_number_and_a_unit() {
        for (text, seconds) in [
            ("0s", 0),
            ("30s", 30),
            ("10m", 600),
            ("24h", 86_400),
            ("90d", 7_776_000),
            ("2 w", 1_209_600),
        ] {
            assert_eq!(
                Duration::from_text(text),
                Some(Duration::from_secs(seconds)),
                "{text}"
            );
        }
        assert_eq!(Duration::from_text("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(Duration::from_text("18446744073709551615ms"), None);
        for text in [
            "",
            "30",
            "s",
            "1.5h",
            "-5s",
            "5 minutes",
            "99999999999999999999s",
            "900000d",
        ] {
            assert_eq!(Duration::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_rate_is_requests_in_a_time_that_is_one_where_no_number_stands() {
        let rate = |requests, seconds| RateLimit {
            requests,
            per: Duration::from_secs(seconds),
        };
        for (text, read) in [
            ("20/s", rate(20, 1)),
            ("50/3s", rate(50, 3)),
            ("600 / m", rate(600, 60)),
        ] {
            assert_eq!(RateLimit::from_text(text), Some(read), "{text}");
        }
        for text in ["20", "0/s", "20/0s", "/s", "20/", "fast"] {
            assert_eq!(RateLimit::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn bytes_have_binary_and_decimal_units() {
        for (text, bytes) in [("1", 1), ("256 MiB", 268_435_456), ("2MB", 2_000_000), ("5 B", 5)] {
            assert_eq!(Bytes::from_text(text), Some(Bytes(bytes)), "{text}");
        }
        for text in ["0", "12 parsecs", "99999999999 GiB", "-1"] {
            assert_eq!(Bytes::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_limit_of_zero_is_no_amount() {
        assert!(Money::from_text("0.01").is_some());
        for text in ["0", "0.00", "-1", "1e3", "10 EUR"] {
            assert!(Money::from_text(text).is_none(), "{text}");
        }
    }

    #[test]
    fn what_is_kept_for_ever_has_no_time() {
        assert_eq!(Keep::from_text("for ever"), Some(Keep(None)));
        assert_eq!(Keep::from_text("1d"), Some(Keep(Some(Duration::from_hours(24)))));
    }
}
