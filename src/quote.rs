//! What the service asks for an order, and the decision that follows: send it, or hold it, and why.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::finding::Code;
use crate::money::{Money, TooLarge};

/// The service's answer to a price request (interface 2.10). Discounts are kept negative, as result sheets show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// `baseFee`
    pub base_fee: Money,
    /// `shippingFee`
    pub shipping_fee: Money,
    /// `taxFee`
    pub tax_fee: Money,
    /// `discountFee`, zero or negative
    pub discount: Money,
    /// `discountShipping`, zero or negative
    pub shipping_discount: Money,
    /// `totalPrice`: what is charged
    pub total: Money,
    /// The order's own lines by position; none where the service's lines could not be matched to it.
    pub lines: Vec<Option<QuoteLine>>,
}

/// One line of a quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteLine {
    /// `sku`
    pub sku: String,
    /// `baseFee`
    pub base_fee: Money,
    /// `shippingFee`
    pub shipping_fee: Money,
    /// `taxFee`
    pub tax_fee: Money,
    /// `discountFee`, zero or negative
    pub discount: Money,
    /// `totalFee`
    pub total: Money,
}

/// An order's amounts as the service's order list states them (interface 2.8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceAmounts {
    /// `total_price`
    pub total: Money,
    /// `base_fee`
    pub base_fee: Option<Money>,
    /// `shipping_fee`
    pub shipping_fee: Option<Money>,
    /// `tax_fee`
    pub tax_fee: Option<Money>,
    /// `surcharge`
    pub surcharge: Option<Money>,
    /// `discount`, zero or negative
    pub discount: Option<Money>,
}

#[cfg(test)]
impl ServiceAmounts {
    /// The total alone.
    pub(crate) fn of_total(total: Money) -> Self {
        Self {
            total,
            base_fee: None,
            shipping_fee: None,
            tax_fee: None,
            surcharge: None,
            discount: None,
        }
    }
}

impl Quote {
    /// What the total has beyond its parts: normally 0.00.
    ///
    /// # Errors
    /// [`TooLarge`] when the sum has more than 28 digits.
    pub fn other(&self) -> Result<Money, TooLarge> {
        let parts = Money::sum([
            self.base_fee,
            self.shipping_fee,
            self.tax_fee,
            self.discount,
            self.shipping_discount,
        ])?;
        self.total.minus(parts)
    }
}

/// A discount as result sheets show it: zero or negative, whichever sign the service writes.
pub fn as_discount(amount: Money) -> Money {
    if amount.is_zero() {
        amount.abs()
    } else {
        -amount.abs()
    }
}

/// Finds each of an order's lines among a quote's: by position where the SKUs agree, else by a SKU that stands once
/// in both, else not at all.
pub fn match_lines(own_skus: &[&str], quoted: &[QuoteLine]) -> Vec<Option<QuoteLine>> {
    let alone = |sku: &str| {
        let mut found = quoted.iter().filter(|line| line.sku == sku);
        let one = found.next()?;
        let alone_here = own_skus.iter().filter(|own| **own == sku).count() == 1;
        (alone_here && found.next().is_none()).then_some(one)
    };
    let find = |(position, sku): (usize, &&str)| {
        quoted
            .get(position)
            .filter(|line| line.sku == **sku)
            .or_else(|| alone(sku))
            .cloned()
    };
    own_skus.iter().enumerate().map(find).collect()
}

/// What a person has set as the limits of an order that is sent without asking.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// Every order waits for a person. Config: `approval = "required"`.
    pub approval_required: bool,
    /// Config: `max_order_total`.
    pub max_order_total: Option<Money>,
    /// Whether an order quoted at zero is held. Config: `zero_quote`.
    pub hold_zero: bool,
    /// The sheet's own `expected_total`.
    pub expected_total: Option<Money>,
    /// What may be sent in one day. Kept with the intent to send an order, for many are decided on at once.
    pub daily: Option<Daily>,
}

/// The most that may be sent in one day. Config: `daily_limit`.
#[derive(Clone, Debug)]
pub struct Daily {
    /// The most.
    pub limit: Money,
    /// Whose days.
    pub zone: TimeZone,
}

/// The reason for which an order is held that would pass the limit of a day.
pub fn over_day(total: Money, spent: Money, limit: Money) -> Hold {
    Hold {
        code: Code::OverDailyLimit,
        message: format!("With {total} more the day comes over its limit of {limit}; {spent} are sent."),
    }
}

/// The reason for which every order of a sheet is held that has too many.
pub fn over_sheet(orders: u64, most: u64) -> Hold {
    Hold {
        code: Code::OverSheetOrders,
        message: format!("The sheet has {orders} orders; more than {most} are not sent without approval."),
    }
}

/// The reason for which an approved order is held again; none where its approval covers the new total.
pub fn risen(total: Money, approved: Money) -> Option<Hold> {
    (total > approved).then(|| Hold {
        code: Code::PriceRisen,
        message: format!("It was approved at {approved}, and the service asks {total} now."),
    })
}

/// One reason for which an order is held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// Which limit.
    pub code: Code,
    /// The limit and the figure, as a sentence.
    pub message: String,
}

/// Every reason for which a quoted order must wait for a person; none at all means: send it.
pub fn holds(quote: &Quote, terms: &Terms) -> Vec<Hold> {
    let total = quote.total;
    let mut holds = Vec::new();
    if terms.hold_zero && total.is_zero() {
        holds.push(Hold {
            code: Code::ZeroQuote,
            message: "The service quotes 0.00 for this order.".to_owned(),
        });
    }
    if total.is_negative() {
        holds.push(Hold {
            code: Code::ZeroQuote,
            message: format!("The service quotes {total} for this order."),
        });
    }
    if let Some(most) = terms.max_order_total.filter(|most| total > *most) {
        let message = format!("The quote of {total} is over the limit of {most} an order.");
        holds.push(Hold {
            code: Code::OverOrderTotal,
            message,
        });
    }
    if let Some(expected) = terms.expected_total.filter(|expected| total != *expected) {
        let message = format!("The quote is {total}, but the sheet expects {expected}.");
        holds.push(Hold {
            code: Code::UnexpectedTotal,
            message,
        });
    }
    if terms.approval_required {
        let message = format!("This inbox sends nothing without approval; the quote is {total}.");
        holds.push(Hold {
            code: Code::NeedsApproval,
            message,
        });
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str) -> Money {
        text.parse().unwrap()
    }

    fn line(sku: &str, total: &str) -> QuoteLine {
        let zero = Money::ZERO;
        QuoteLine {
            sku: sku.to_owned(),
            base_fee: zero,
            shipping_fee: zero,
            tax_fee: zero,
            discount: zero,
            total: money(total),
        }
    }

    fn quote(total: &str) -> Quote {
        Quote {
            base_fee: money("10.00"),
            shipping_fee: money("4.50"),
            tax_fee: money("0.60"),
            discount: money("-1.00"),
            shipping_discount: money("-0.10"),
            total: money(total),
            lines: Vec::new(),
        }
    }

    #[test]
    fn lines_are_matched_by_position_then_by_a_sku_that_is_alone() {
        let totals = |own: &[&str], quoted: &[QuoteLine]| -> Vec<Option<String>> {
            match_lines(own, quoted)
                .into_iter()
                .map(|l| l.map(|l| l.total.to_string()))
                .collect()
        };
        let quoted = [line("A", "1.00"), line("B", "2.00"), line("B", "3.00")];
        assert_eq!(
            totals(&["A", "B", "B"], &quoted),
            [Some("1.00".into()), Some("2.00".into()), Some("3.00".into())]
        );
        assert_eq!(totals(&["B", "A"], &quoted), [None, Some("1.00".into())]);
        assert_eq!(totals(&["C"], &quoted), [None]);
    }

    #[test]
    fn other_ties_the_total_to_its_parts() {
        assert_eq!(quote("14.00").other().unwrap(), Money::ZERO);
        assert_eq!(quote("15.25").other().unwrap(), money("1.25"));
    }

    #[test]
    fn each_limit_holds_with_its_own_code() {
        let codes = |total: &str, terms: Terms| -> Vec<Code> {
            holds(&quote(total), &terms).into_iter().map(|h| h.code).collect()
        };
        assert_eq!(
            codes(
                "14.00",
                Terms {
                    hold_zero: true,
                    ..Terms::default()
                }
            ),
            []
        );
        assert_eq!(
            codes(
                "0.00",
                Terms {
                    hold_zero: true,
                    ..Terms::default()
                }
            ),
            [Code::ZeroQuote]
        );
        assert_eq!(codes("0.00", Terms::default()), []);
        let most = Terms {
            max_order_total: Some(money("13.99")),
            ..Terms::default()
        };
        assert_eq!(codes("14.00", most), [Code::OverOrderTotal]);
        let expected = |text| Terms {
            expected_total: Some(money(text)),
            ..Terms::default()
        };
        assert_eq!(codes("14.00", expected("14")), []);
        assert_eq!(codes("14.00", expected("13.9")), [Code::UnexpectedTotal]);
        assert_eq!(
            codes(
                "14.00",
                Terms {
                    approval_required: true,
                    ..Terms::default()
                }
            ),
            [Code::NeedsApproval]
        );
    }

    #[test]
    fn an_approval_covers_its_total_and_less() {
        let again = |total: &str| risen(money(total), money("14.00")).map(|hold| hold.code);
        assert_eq!(again("14.00"), None);
        assert_eq!(again("13.99"), None);
        assert_eq!(again("14.01"), Some(Code::PriceRisen));
    }

    #[test]
    fn a_discount_is_negative_whichever_sign_the_service_writes() {
        assert_eq!(as_discount(money("1.50")), money("-1.50"));
        assert_eq!(as_discount(money("-1.50")), money("-1.50"));
        assert_eq!(as_discount(money("0.00")).to_string(), "0.00");
    }
}
