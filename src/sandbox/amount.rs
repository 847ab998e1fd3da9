//! Money of the sandbox: whole cents, written to the wire as a JSON number with exactly two decimals.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::Number;

/// An exact amount of whole cents; the interface states no currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i64);

/// Why a text is no amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no amount; expected a number with at most two decimals, such as 12.10")]
pub struct NotAnAmount(String);

impl Amount {
    /// Nothing: `0.00`.
    pub const ZERO: Self = Self(0);

    /// So many cents.
    pub const fn cents(cents: i64) -> Self {
        Self(cents)
    }

    /// The same amount as a decimal with a scale of two.
    pub fn decimal(self) -> Decimal {
        Decimal::new(self.0, 2)
    }

    /// So many of it.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        Self(self.0.saturating_mul(i64::from(count)))
    }

    /// So many hundredths of it, half a cent rounded away from zero, as a merchant rounds.
    #[must_use]
    pub fn percent(self, percent: u32) -> Self {
        let hundredths = self.0.saturating_mul(i64::from(percent));
        let half = if hundredths < 0 { -50 } else { 50 };
        Self(hundredths.saturating_add(half) / 100)
    }
}

impl std::ops::Add for Amount {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Amount {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Neg for Amount {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl std::iter::Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, std::ops::Add::add)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

impl FromStr for Amount {
    type Err = NotAnAmount;

    fn from_str(text: &str) -> Result<Self, NotAnAmount> {
        let refused = || NotAnAmount(text.to_owned());
        let decimal = Decimal::from_str_exact(text).map_err(|_not_decimal| refused())?;
        if decimal.scale() > 2 {
            return Err(refused());
        }
        let shift = 10_i128.pow(2 - decimal.scale());
        i64::try_from(decimal.mantissa() * shift)
            .map(Self)
            .map_err(|_too_large| refused())
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A Number keeps the digits it was read from, so that 12.10 does not become 12.1.
        Number::from_str(&self.to_string())
            .map_err(ser::Error::custom)?
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Number::deserialize(deserializer)?
            .to_string()
            .parse()
            .map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_has_exactly_two_decimals() {
        for (cents, wire) in [
            (1210, "12.10"),
            (0, "0.00"),
            (-5, "-0.05"),
            (100, "1.00"),
            (-123_456, "-1234.56"),
        ] {
            let amount = Amount::cents(cents);
            assert_eq!(serde_json::to_string(&amount).unwrap(), wire);
            assert_eq!(serde_json::from_str::<Amount>(wire).unwrap(), amount);
        }
    }

    #[test]
    fn fewer_decimals_are_read_and_more_are_refused() {
        assert_eq!("12.1".parse(), Ok(Amount::cents(1210)));
        assert_eq!("12".parse(), Ok(Amount::cents(1200)));
        for text in ["12.101", "1e2", "twelve", ""] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }

    #[test]
    fn half_a_cent_rounds_away_from_zero() {
        assert_eq!(Amount::cents(250).percent(5), Amount::cents(13));
        assert_eq!(Amount::cents(-250).percent(5), Amount::cents(-13));
        assert_eq!(Amount::cents(249).percent(5), Amount::cents(12));
    }
}
