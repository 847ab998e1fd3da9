//! Both full sets of an order's amounts, side by side: one table of headings and one reckoning, for result sheets and
//! for costs.

use crate::money::{Money, TooLarge};
use crate::quote::{Quote, ServiceAmounts};

/// What the amounts of an order are called, quoted and the service's own: the parts with their `other` add up to each
/// total.
pub(crate) const AMOUNTS: [&str; 15] = [
    "Quoted base fee",
    "Quoted shipping",
    "Quoted tax",
    "Quoted discount",
    "Quoted shipping discount",
    "Quoted other",
    "Quoted total",
    "Service base fee",
    "Service shipping",
    "Service tax",
    "Service surcharge",
    "Service discount",
    "Service other",
    "Service total",
    "Difference",
];

/// The amounts of an order in the order of [`AMOUNTS`].
///
/// # Errors
/// [`TooLarge`] when a sum has more than 28 digits.
pub(crate) fn amounts(
    quote: Option<&Quote>,
    service: Option<&ServiceAmounts>,
) -> Result<[Option<Money>; AMOUNTS.len()], TooLarge> {
    let quoted = |part: fn(&Quote) -> Money| quote.map(part);
    let stated = |part: fn(&ServiceAmounts) -> Option<Money>| service.and_then(part);
    Ok([
        quoted(|quote| quote.base_fee),
        quoted(|quote| quote.shipping_fee),
        quoted(|quote| quote.tax_fee),
        quoted(|quote| quote.discount),
        quoted(|quote| quote.shipping_discount),
        quote.map(Quote::other).transpose()?,
        quoted(|quote| quote.total),
        stated(|service| service.base_fee),
        stated(|service| service.shipping_fee),
        stated(|service| service.tax_fee),
        stated(|service| service.surcharge),
        stated(|service| service.discount),
        service.map(service_other).transpose()?,
        service.map(|service| service.total),
        difference(quote, service)?,
    ])
}

/// The service's total less the quoted one; none unless both are there.
///
/// # Errors
/// [`TooLarge`] when it has more than 28 digits.
pub(crate) fn difference(
    quote: Option<&Quote>,
    service: Option<&ServiceAmounts>,
) -> Result<Option<Money>, TooLarge> {
    match (service, quote) {
        (Some(service), Some(quote)) => service.total.minus(quote.total).map(Some),
        (None, _) | (_, None) => Ok(None),
    }
}

/// What a row is called that has only those amounts of the totals above it that belong together.
pub(crate) const CHARGED: &str = "of these, charged";

/// The totals of the orders that have both, the quoted one and the service's: what the difference is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charged {
    /// The sum of their quoted totals.
    pub(crate) quoted: Money,
    /// The sum of the service's totals.
    pub(crate) service: Money,
    /// The sum of the differences.
    pub(crate) difference: Money,
    /// Whether the service states no total of other orders.
    pub(crate) is_all_stated: bool,
}

/// The totals that belong together, where those of all orders do not: of what is held or declined the service charges
/// nothing. `both` is the quoted sum of the orders with both totals, and the sum of their differences.
///
/// # Errors
/// [`TooLarge`] when a sum has more than 28 digits.
pub(crate) fn charged(
    quoted: Option<Money>,
    service: Option<Money>,
    both: (Option<Money>, Option<Money>),
) -> Result<Option<Charged>, TooLarge> {
    let (Some(own), Some(difference)) = both else {
        return Ok(None);
    };
    let stated = own.plus(difference)?;
    let is_all_stated = service == Some(stated);
    let ties = is_all_stated && quoted == Some(own);
    Ok((!ties).then_some(Charged {
        quoted: own,
        service: stated,
        difference,
        is_all_stated,
    }))
}

/// What the service's total has beyond the parts that it names.
fn service_other(amounts: &ServiceAmounts) -> Result<Money, TooLarge> {
    let parts = [
        amounts.base_fee,
        amounts.shipping_fee,
        amounts.tax_fee,
        amounts.surcharge,
        amounts.discount,
    ];
    amounts.total.minus(Money::sum(parts.into_iter().flatten())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::samples::{created, money};

    #[test]
    fn the_parts_of_both_sets_and_their_other_add_up_to_the_totals() {
        let mut view = created(2, "1001");
        if let Some(quote) = &mut view.quote {
            quote.total = money("23.25");
        }
        view.service = Some(ServiceAmounts {
            total: money("30.00"),
            base_fee: Some(money("20.00")),
            shipping_fee: None,
            tax_fee: Some(money("0.20")),
            surcharge: Some(money("1.50")),
            discount: Some(money("-2.00")),
        });
        let amounts = amounts(view.quote.as_ref(), view.service.as_ref()).unwrap();
        let sum =
            |range: std::ops::Range<usize>| Money::sum(amounts[range].iter().copied().flatten()).unwrap();
        assert_eq!((amounts[5], sum(0..6)), (Some(money("0.05")), money("23.25")));
        assert_eq!((amounts[12], sum(7..13)), (Some(money("10.30")), money("30.00")));
        assert_eq!(amounts[14], Some(money("6.75")));
    }
}
