//! What names a held order in a held sheet: `H12-1-9f3a2c1b`, the order, how often it was held, and a check of what was
//! shown. A ledger that was restored may give the same order another content, or the same number to another order: what
//! a person saw then is not approved with it. It survives every program that saves the sheet, in whatever format and
//! under any name.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::record::OrderRef;
use crate::files::hex_digest;
use crate::money::Money;

/// Characters of the check.
const CHECK: usize = 8;

/// Names one holding of an order. Held again, an order has another key: an approval covers what was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldKey {
    /// The order.
    pub order: OrderRef,
    /// How often it was held.
    pub hold_number: u32,
    check: String,
}

/// The text is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no approval_key")]
pub struct NotAKey(pub String);

impl HoldKey {
    /// The key of an order of a ledger that was held with this content, at this total.
    pub fn new(order: OrderRef, hold_number: u32, shown: &Shown<'_>) -> Self {
        let Shown {
            ledger,
            order_id,
            fingerprint,
            total,
        } = shown;
        let total = total.map_or_else(String::new, |total| total.to_string());
        let digest = Sha256::digest(format!(
            "{ledger}\n{}\n{hold_number}\n{order_id}\n{fingerprint}\n{total}",
            order.0
        ));
        let mut check = hex_digest(digest);
        check.truncate(CHECK);
        Self {
            order,
            hold_number,
            check,
        }
    }

    /// Whether it was written for this.
    pub fn is_of(&self, shown: &Shown<'_>) -> bool {
        *self == Self::new(self.order, self.hold_number, shown)
    }
}

/// What a held sheet shows of an order, beside its key.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The ledger's own name.
    pub ledger: &'a str,
    /// Its id as in the sheet.
    pub order_id: &'a str,
    /// The fingerprint of its content.
    pub fingerprint: &'a str,
    /// The total that it was held at.
    pub total: Option<Money>,
}

impl fmt::Display for HoldKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "H{}-{}-{}", self.order.0, self.hold_number, self.check)
    }
}

impl FromStr for HoldKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let read = || {
            let mut parts = text.trim().strip_prefix(['H', 'h'])?.split('-');
            let (order, number, check) = (parts.next()?, parts.next()?, parts.next()?);
            let is_check = check.len() == CHECK && check.bytes().all(|byte| byte.is_ascii_hexdigit());
            (parts.next().is_none() && is_check).then_some(())?;
            let (Ok(order), Ok(hold_number)) = (order.parse(), number.parse()) else {
                return None;
            };
            Some(Self {
                order: OrderRef(order),
                hold_number,
                check: check.to_ascii_lowercase(),
            })
        };
        read().ok_or_else(|| NotAKey(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_and_covers_one_ledger_one_order_one_holding_and_what_was_shown() {
        let shown = Shown {
            ledger: "a1",
            order_id: "1001",
            fingerprint: "2:9f",
            total: Some(Money::from_hundredths(1400)),
        };
        let key = HoldKey::new(OrderRef(12), 1, &shown);
        assert_eq!(key.to_string().parse(), Ok(key.clone()));
        assert_eq!(format!(" {key} ").to_uppercase().parse(), Ok(key.clone()));
        assert!(key.is_of(&shown));
        for other in [
            Shown {
                ledger: "b2",
                ..shown
            },
            Shown {
                order_id: "1002",
                ..shown
            },
            Shown {
                fingerprint: "2:a0",
                ..shown
            },
            Shown {
                total: Some(Money::from_hundredths(1401)),
                ..shown
            },
        ] {
            assert!(!key.is_of(&other), "{other:?}");
        }
        for (from, to) in [("H12-", "H13-"), ("-1-", "-2-")] {
            let other: HoldKey = key.to_string().replacen(from, to, 1).parse().unwrap();
            assert!(!other.is_of(&shown), "{other}");
        }
        for text in [
            "",
            "12-1-00000000",
            "H12-1",
            "H12-1-xyz",
            "H12-1-00000000-1",
            "Hx-1-00000000",
        ] {
            assert!(text.parse::<HoldKey>().is_err(), "{text}");
        }
    }
}
