//! What an approval covers of a price that is asked again.

use super::Hold;
use crate::finding::Code;
use crate::money::Money;

/// Whether no first create leaves at a total: it is less than nothing, or nothing where that is held.
pub fn is_odd(total: Money, hold_zero: bool) -> bool {
    total.is_negative() || (total.is_zero() && hold_zero)
}

/// The reason for which an approved order is held again; none where its approval covers the new total. A lower one is
/// covered, unless it is one that no first create leaves at.
pub fn not_approved(total: Money, approved: Money, hold_zero: bool) -> Option<Hold> {
    let (code, asks) = if total > approved {
        (Code::PriceRisen, "asks")
    } else if total < approved && is_odd(total, hold_zero) {
        (Code::ZeroQuote, "quotes")
    } else {
        return None;
    };
    let message = format!("It was approved at {approved}, and the service {asks} {total} now.");
    Some(Hold { code, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approval_covers_its_total_and_less_but_not_what_no_first_create_leaves_at() {
        let money = |text: &str| text.parse::<Money>().unwrap();
        let again = |total: &str, approved: &str, hold_zero| {
            not_approved(money(total), money(approved), hold_zero).map(|hold| hold.code)
        };
        for (total, approved, hold_zero, code) in [
            ("14.00", "14.00", true, None),
            ("13.99", "14.00", true, None),
            ("14.01", "14.00", true, Some(Code::PriceRisen)),
            ("0.00", "14.00", true, Some(Code::ZeroQuote)),
            ("0.00", "14.00", false, None),
            ("-0.01", "14.00", false, Some(Code::ZeroQuote)),
            ("0.00", "0.00", true, None),
            ("-5.00", "-5.00", true, None),
            ("-5.01", "-5.00", true, Some(Code::ZeroQuote)),
        ] {
            assert_eq!(again(total, approved, hold_zero), code, "{total} {approved}");
        }
    }
}
