//! What names a held order in a held sheet: `H12-1-9f3a2c1b`, the order, how often it was held, and a check that the
//! sheet belongs to this ledger. It survives every program that saves the sheet, in whatever format and under any name.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::record::OrderRef;
use crate::files::hex_digest;

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
    /// The key of an order in a ledger.
    pub fn new(ledger: &str, order: OrderRef, hold_number: u32) -> Self {
        let digest = Sha256::digest(format!("{ledger} {} {hold_number}", order.0));
        let mut check = hex_digest(digest);
        check.truncate(CHECK);
        Self {
            order,
            hold_number,
            check,
        }
    }

    /// Whether this ledger wrote it.
    pub fn is_of(&self, ledger: &str) -> bool {
        *self == Self::new(ledger, self.order, self.hold_number)
    }
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
    fn a_key_reads_back_and_belongs_to_one_ledger_one_order_and_one_holding() {
        let key = HoldKey::new("a1", OrderRef(12), 1);
        assert_eq!(key.to_string().parse(), Ok(key.clone()));
        assert_eq!(format!(" {key} ").to_uppercase().parse(), Ok(key.clone()));
        assert!(key.is_of("a1") && !key.is_of("b2"));
        for (from, to) in [("H12-", "H13-"), ("-1-", "-2-")] {
            let other: HoldKey = key.to_string().replacen(from, to, 1).parse().unwrap();
            assert!(!other.is_of("a1"), "{other}");
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
