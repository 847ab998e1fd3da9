//! Exact decimal amounts, from the wire to the sheet: `12.10` stays `12.10`, sums are exact.
//!
//! An amount never passes through a float: it is read from the digits of a JSON number and written back as digits.

use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;

/// An amount of the service's own currency, which the interface does not name.
///
/// Keeps the number of decimals it was written with; comparisons ignore them (`12.1 == 12.10`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(Decimal);

/// The text is not an amount that can be kept to the digit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an exact decimal amount")]
pub struct NotMoney(pub String);

/// A sum left the range of 28 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an amount has more than 28 digits")]
pub struct TooLarge;

impl Money {
    /// Nothing, written `0.00`.
    pub const ZERO: Self = Self(Decimal::from_parts(0, 0, 0, false, 2));

    /// An amount from a whole number of hundredths: `Money::from_hundredths(1210)` is `12.10`.
    pub fn from_hundredths(hundredths: i64) -> Self {
        Self(Decimal::new(hundredths, 2))
    }

    /// Whether the amount is zero, with whatever decimals.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Whether the amount is below zero.
    pub fn is_negative(self) -> bool {
        self.0.is_sign_negative() && !self.0.is_zero()
    }

    /// Whether the amount is beyond whatever an order can cost, in any currency: more than 12 digits before the point. Of
    /// amounts below that, more can be added up than there are orders before a sum has more digits than are kept.
    pub fn is_beyond_orders(self) -> bool {
        self.0.abs() >= Decimal::from(1_000_000_000_000_u64)
    }

    /// The amount without its sign.
    #[must_use]
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The exact sum.
    ///
    /// # Errors
    /// [`TooLarge`] when the sum has more than 28 digits.
    pub fn plus(self, other: Self) -> Result<Self, TooLarge> {
        self.0.checked_add(other.0).map(Self).ok_or(TooLarge)
    }

    /// The exact difference.
    ///
    /// # Errors
    /// [`TooLarge`] when the difference has more than 28 digits.
    pub fn minus(self, other: Self) -> Result<Self, TooLarge> {
        self.0.checked_sub(other.0).map(Self).ok_or(TooLarge)
    }

    /// The exact sum of many amounts.
    ///
    /// # Errors
    /// [`TooLarge`] when a partial sum has more than 28 digits.
    pub fn sum(amounts: impl IntoIterator<Item = Self>) -> Result<Self, TooLarge> {
        amounts.into_iter().try_fold(Self::ZERO, Self::plus)
    }

    /// Reads the digits of a JSON number; an exponent is written out. What a service's own binary fractions leave behind an
    /// amount, `13.360000000000001`, is none of it.
    ///
    /// # Errors
    /// [`NotMoney`] for anything else, and for more digits than can be kept.
    pub fn of_json(digits: &str) -> Result<Self, NotMoney> {
        if digits.contains(['e', 'E']) {
            let written_out = Decimal::from_scientific(digits);
            return written_out
                .map(|amount| Self(without_noise(amount)))
                .map_err(|_unreadable| NotMoney(digits.to_owned()));
        }
        digits.parse().map(|Self(amount)| Self(without_noise(amount)))
    }

    /// The amount as the decimal library's own type, for a writer that needs a number.
    pub fn decimal(self) -> Decimal {
        self.0
    }
}

/// Decimals that a price may have.
const DECIMALS: u32 = 6;

/// What is left between an amount and the nearest one with so many decimals is noise where it is smaller than this.
const NOISE: Decimal = Decimal::from_parts(1, 0, 0, false, 9);

fn without_noise(amount: Decimal) -> Decimal {
    let rounded = amount.round_dp(DECIMALS);
    if amount.scale() > DECIMALS && (amount - rounded).abs() < NOISE {
        rounded.normalize()
    } else {
        amount
    }
}

/// The digits as they came, with at least two decimals: `12.1` is shown as `12.10`, `0.125` as `0.125`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = if self.0.is_zero() {
            Decimal::new(0, self.0.scale())
        } else {
            self.0
        };
        if shown.scale() < 2 {
            write!(f, "{shown:.2}")
        } else {
            write!(f, "{shown}")
        }
    }
}

impl FromStr for Money {
    type Err = NotMoney;

    /// Reads plain digits with an optional sign and decimals; an exponent, a space or a group separator is refused.
    fn from_str(text: &str) -> Result<Self, NotMoney> {
        let refused = || NotMoney(text.to_owned());
        if !text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'))
        {
            return Err(refused());
        }
        Decimal::from_str_exact(text)
            .map(Self)
            .map_err(|_too_many_digits| refused())
    }
}

impl Neg for Money {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Serialize for Money {
    /// A JSON number with the digits as they came.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::Number::from_str(&self.0.to_string())
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Money {
    /// A JSON number, read from its digits; an exponent is written out.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As it is written: a number of JSON's own kind would be read digit by digit, written down and read again.
        let number = Box::<RawValue>::deserialize(deserializer)?;
        let digits = number.get();
        if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return Err(de::Error::custom("an amount is not a JSON number"));
        }
        Self::of_json(digits).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_survive_json_both_ways() {
        for digits in ["12.10", "0.1", "0.30", "1234567890123456.789", "-3.50", "0", "7"] {
            let money: Money = serde_json::from_str(digits).unwrap();
            assert_eq!(serde_json::to_string(&money).unwrap(), digits);
        }
    }

    #[test]
    fn what_binary_fractions_leave_behind_an_amount_is_none_of_it() {
        for (digits, amount) in [
            ("13.360000000000001", "13.36"),
            ("13.359999999999999", "13.36"),
            ("0.30000000000000004", "0.30"),
            ("1.3360000000000001e1", "13.36"),
            ("13.3612345", "13.3612345"),
            ("12.1000000", "12.10"),
        ] {
            let money: Money = serde_json::from_str(digits).unwrap();
            assert_eq!(money.to_string(), amount, "{digits}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "\"12.10\"",
            "null",
            "true",
            "[12.10]",
            "{}",
            "",
            "-",
            "1.",
            "12.10 5",
        ] {
            assert!(serde_json::from_str::<Money>(text).is_err(), "{text}");
        }
        assert_eq!(
            serde_json::from_str::<Option<Money>>(" 1.25e2 ").unwrap(),
            Some("125".parse().unwrap())
        );
        assert_eq!(serde_json::from_str::<Option<Money>>("null").unwrap(), None);
    }

    #[test]
    fn more_digits_than_can_be_kept_are_refused_not_rounded() {
        assert!(serde_json::from_str::<Money>("0.12345678901234567890123456789012").is_err());
        assert!("1e2".parse::<Money>().is_err());
        assert!("".parse::<Money>().is_err());
        assert!("1,20".parse::<Money>().is_err());
    }

    #[test]
    fn at_least_two_decimals_are_shown() {
        for (digits, shown) in [
            ("5", "5.00"),
            ("12.1", "12.10"),
            ("12.10", "12.10"),
            ("0.125", "0.125"),
            ("-0.00", "0.00"),
        ] {
            assert_eq!(digits.parse::<Money>().unwrap().to_string(), shown);
        }
    }

    #[test]
    fn a_sum_of_tenths_is_exact() {
        let tenth: Money = "0.1".parse().unwrap();
        assert_eq!(Money::sum([tenth; 10]).unwrap(), "1".parse().unwrap());
    }
}
