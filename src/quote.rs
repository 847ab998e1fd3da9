//! What the service asks for an order, and the decision that follows: send it, or hold it, and why.

mod approval;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::finding::{Code, Finding};
use crate::money::{Money, TooLarge};

pub use approval::{is_odd, not_approved};

/// The service's answer to a price request (`Price` in `schema/print-service.openapi.json`). Discounts are kept negative,
/// as result sheets show them.
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

/// An order's amounts as the service's order list states them (`Order` in `schema/print-service.openapi.json`).
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

/// One line of a quote as the service answers it.
#[derive(Clone, Debug)]
pub struct Answered {
    /// What it says of the line.
    pub line: QuoteLine,
    /// The pieces of it, where it says how many.
    pub quantity: Option<u32>,
}

/// Finds each of an order's lines, a SKU and its pieces, among a quote's: by position where the SKUs agree and the
/// pieces do not differ, else by a SKU that stands once in both, else by a SKU with its pieces that do, else not at all.
pub fn match_lines(own: &[(&str, u32)], quoted: &[Answered]) -> Vec<Option<QuoteLine>> {
    let find = |(position, line): (usize, &(&str, u32))| {
        let (sku, pieces) = *line;
        let has_sku = |answered: &&Answered| is_same_sku(sku, &answered.line.sku);
        let found = quoted
            .get(position)
            .filter(has_sku)
            .filter(|answered| answered.quantity.is_none_or(|theirs| theirs == pieces))
            .or_else(|| {
                let found = quoted.iter().filter(has_sku);
                alone(own.iter().filter(|(other, _)| *other == sku), found)
            })
            .or_else(|| {
                let with_pieces = |answered: &&Answered| answered.quantity == Some(pieces);
                let found = quoted.iter().filter(has_sku).filter(with_pieces);
                alone(own.iter().filter(|other| *other == line), found)
            });
        found.map(|answered| QuoteLine {
            sku: sku.to_owned(),
            ..answered.line.clone()
        })
    };
    own.iter().enumerate().map(find).collect()
}

/// Whether the service's word for a SKU may be ours, whatever its capitals.
pub(crate) fn has_same_sku(ours: &str, theirs: &str) -> bool {
    let theirs = theirs.trim();
    is_same_sku(ours, theirs) || ours.to_lowercase() == theirs.to_lowercase()
}

/// Whether the service's word for a SKU is ours. One that writes it as a number drops the zeros in front.
fn is_same_sku(ours: &str, theirs: &str) -> bool {
    let is_number = |sku: &str| !sku.is_empty() && sku.bytes().all(|byte| byte.is_ascii_digit());
    let digits = |sku: &str| sku.trim_start_matches('0').to_owned();
    ours == theirs || (is_number(ours) && is_number(theirs) && digits(ours) == digits(theirs))
}

/// What was answered of the only one of its kind, where one alone was answered of that kind too.
fn alone<'a, T>(
    own: impl Iterator<Item = T>,
    mut answered: impl Iterator<Item = &'a Answered>,
) -> Option<&'a Answered> {
    let one = answered.next()?;
    (answered.next().is_none() && own.take(2).count() == 1).then_some(one)
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
        message: format!(
            "With {total} more the day comes over its limit of {limit}; orders for {spent} were sent already."
        ),
    }
}

/// The reason for which every order of a sheet is held that has too many.
pub fn over_sheet(orders: u64, most: u64) -> Hold {
    Hold {
        code: Code::OverSheetOrders,
        message: format!("The sheet has {orders} orders; more than {most} are not sent without approval."),
    }
}

/// One reason for which an order is held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// Why it is held, as a code.
    pub code: Code,
    /// Why it is held, as a sentence; a limit with its figure.
    pub message: String,
}

/// How the sentences begin and go on that speak of the sheet which an order was held with.
const OF_THE_SHEET: [(&str, &str); 2] = [("the sheet", " expects "), ("The sheet", " has ")];

impl Hold {
    /// The sentence as another sheet says it, in which the order came again: it names the sheet that is spoken of.
    pub fn said_elsewhere(&self, held_with: &str) -> String {
        let mut said = self.message.clone();
        for (sheet, goes_on) in OF_THE_SHEET {
            said = said.replacen(&format!("{sheet}{goes_on}"), &format!("{held_with}{goes_on}"), 1);
        }
        said
    }
}

/// Notes among the findings of an order that is only priced why it would be held, were it sent; gives what is said of
/// it as a whole.
pub fn would_be_held(holds: Vec<Hold>, first_row: u32, findings: &mut Vec<Finding>) -> String {
    if holds.is_empty() {
        return String::new();
    }
    // What is said at its own row already is not said of the order once more.
    let said: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
    let unsaid = holds.into_iter().filter(|hold| !said.contains(&hold.code));
    findings.extend(unsaid.map(|hold| Finding {
        code: hold.code,
        row: first_row,
        column: None,
        message: hold.message,
        hint: String::new(),
    }));
    "It would be held for a person's approval.".to_owned()
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

    /// The totals that a quote's lines, SKU and pieces, are matched with.
    fn totals(own: &[(&str, u32)], quoted: &[(&str, Option<u32>, &str)]) -> Vec<String> {
        let answered: Vec<Answered> = quoted
            .iter()
            .map(|(sku, quantity, total)| Answered {
                line: line(sku, total),
                quantity: *quantity,
            })
            .collect();
        match_lines(own, &answered)
            .into_iter()
            .map(|line| line.map_or_else(String::new, |line| line.total.to_string()))
            .collect()
    }

    #[test]
    fn lines_are_matched_by_position_then_by_a_sku_that_is_alone() {
        let quoted = [("A", None, "1.00"), ("B", None, "2.00"), ("B", None, "3.00")];
        assert_eq!(
            totals(&[("A", 1), ("B", 1), ("B", 1)], &quoted),
            ["1.00", "2.00", "3.00"]
        );
        assert_eq!(totals(&[("B", 1), ("A", 1)], &quoted), ["", "1.00"]);
        assert_eq!(totals(&[("C", 1)], &quoted), [""]);
        // Whatever pieces the service counts: there is no other line that could be meant.
        assert_eq!(totals(&[("A", 5)], &[("A", Some(1), "1.00")]), ["1.00"]);
    }

    #[test]
    fn lines_of_one_sku_are_told_apart_by_their_pieces() {
        let answered = [("A", Some(1), "1.00"), ("A", Some(5), "5.00")];
        assert_eq!(totals(&[("A", 5), ("A", 1)], &answered), ["5.00", "1.00"]);
        assert_eq!(totals(&[("A", 1), ("A", 5)], &answered), ["1.00", "5.00"]);
        assert_eq!(
            totals(&[("A", 5), ("B", 1), ("A", 2)], &answered),
            ["5.00", "", ""]
        );
        // Alike in both, they are told apart by their positions alone.
        let alike = [
            ("A", Some(2), "2.00"),
            ("A", Some(2), "2.50"),
            ("B", Some(1), "1.00"),
        ];
        assert_eq!(
            totals(&[("A", 2), ("A", 2), ("B", 1)], &alike),
            ["2.00", "2.50", "1.00"]
        );
        assert_eq!(
            totals(&[("B", 1), ("A", 2), ("A", 2)], &alike),
            ["1.00", "2.50", ""]
        );
    }

    #[test]
    fn other_ties_the_total_to_its_parts() {
        assert_eq!(quote("14.00").other().unwrap(), Money::ZERO);
        assert_eq!(quote("15.25").other().unwrap(), money("1.25"));
    }

    #[test]
    fn each_limit_holds_with_its_own_code() {
        let codes = |total: &str, terms: Terms| -> Vec<Code> {
            let holds = holds(&quote(total), &terms);
            assert!(holds.iter().all(|hold| hold.code.holds()));
            holds.into_iter().map(|h| h.code).collect()
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
    fn what_would_be_held_says_each_reason_once_with_its_code() {
        let at_its_row = Finding {
            code: Code::RepeatedRow,
            row: 3,
            column: None,
            message: "This row is equal to row 2.".to_owned(),
            hint: String::new(),
        };
        let hold = |code, message: &str| Hold {
            code,
            message: message.to_owned(),
        };
        let mut findings = vec![at_its_row];
        let holds = vec![
            hold(Code::RepeatedRow, "Rows say the same."),
            hold(Code::ShopHold, "Partly paid."),
            hold(Code::ShopHold, "Picked up."),
        ];
        let said = would_be_held(holds, 2, &mut findings);
        assert_eq!(said, "It would be held for a person's approval.");
        let told: Vec<(Code, u32)> = findings.iter().map(|found| (found.code, found.row)).collect();
        let shop = (Code::ShopHold, 2);
        assert_eq!(told, [(Code::RepeatedRow, 3), shop, shop]);
        assert!(findings.iter().all(|finding| finding.code.holds()));
        assert_eq!(would_be_held(Vec::new(), 2, &mut findings), "");
        assert_eq!(findings.len(), 3);
    }

    #[test]
    fn what_is_said_of_the_sheet_names_it_in_another_one() {
        let expects = Terms {
            expected_total: Some(money("13.9")),
            ..Terms::default()
        };
        assert_eq!(
            holds(&quote("14.00"), &expects)[0].said_elsewhere("monday"),
            "The quote is 14.00, but monday expects 13.90."
        );
        assert_eq!(
            over_sheet(4, 3).said_elsewhere("monday"),
            "monday has 4 orders; more than 3 are not sent without approval."
        );
        let risen = not_approved(money("14.01"), money("14.00"), true).unwrap();
        assert_eq!(risen.said_elsewhere("monday"), risen.message);
    }

    #[test]
    fn a_discount_is_negative_whichever_sign_the_service_writes() {
        assert_eq!(as_discount(money("1.50")), money("-1.50"));
        assert_eq!(as_discount(money("-1.50")), money("-1.50"));
        assert_eq!(as_discount(money("0.00")).to_string(), "0.00");
    }
}
