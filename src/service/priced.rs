//! `orders/calculate-price-order`, and whether its answer is the price of what was asked.
//!
//! The interface shows a SKU and a number of pieces on each line of a price (2.10), and no example of one: a service may call
//! both otherwise than we do. What it has called as we do once, it does not call otherwise the next time: then the price is
//! another order's. Before that an answer that fits nothing is asked for again, and believed when it stays so.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::wire::{self, QuoteAnswer};
use super::{Client, Failure, operation, read, unreadable};
use crate::order::Order;
use crate::quote::{Answered, Quote, has_same_sku};

/// So many answers that fit nothing are asked for again, of a service that has never called anything as we do.
const ASKED_AGAIN: u32 = 2;

/// How the service calls what it prices, as far as its answers have shown.
#[derive(Debug, Default)]
pub(super) struct Naming(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    skus: Habit,
    pieces: Habit,
}

/// Whether the service does something as we do.
#[derive(Debug, Default)]
struct Habit {
    is_shown: bool,
    /// Answers that did not, before one did.
    unlike: u32,
}

impl Habit {
    /// Whether an answer that is not as others were is another order's, as far as can be known.
    fn doubts(&mut self) -> bool {
        self.unlike = self.unlike.saturating_add(1);
        self.is_shown || self.unlike <= ASKED_AGAIN
    }
}

impl Naming {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why a price is not that of an order's `own` lines, each a SKU and its pieces; none where it may be.
    fn doubt(&self, own: &[(&str, u32)], answered: &[Answered]) -> Option<String> {
        if answered.is_empty() {
            return None;
        }
        let seen = &mut *self.seen();
        let is_ours = |line: &&Answered| own.iter().any(|(sku, _)| has_same_sku(sku, &line.line.sku));
        let ours: Vec<&Answered> = answered.iter().filter(is_ours).collect();
        if ours.is_empty() {
            let skus: Vec<&str> = answered.iter().map(|line| line.line.sku.as_str()).collect();
            let detail = || {
                format!(
                    "the price in the answer is of other products: {}",
                    skus.join(", ")
                )
            };
            return seen.skus.doubts().then(detail);
        }
        seen.skus.is_shown = true;
        let all: Option<u64> = ours.iter().map(|line| line.quantity.map(u64::from)).sum();
        let answered_for = |sku: &str| ours.iter().any(|line| has_same_sku(sku, &line.line.sku));
        let asked = own.iter().filter(|(sku, _)| answered_for(sku));
        let asked: u64 = asked.map(|(_, pieces)| u64::from(*pieces)).sum();
        match all {
            // One piece of each is what any order may have.
            Some(all) if all == asked => {
                let lines = u64::try_from(ours.len()).unwrap_or(u64::MAX);
                seen.pieces.is_shown = seen.pieces.is_shown || all > lines;
                None
            }
            Some(all) => {
                let detail = || format!("the price in the answer is for {all} in place of {asked} pieces");
                seen.pieces.doubts().then(detail)
            }
            None => None,
        }
    }
}

impl Client {
    /// The price of an order, its lines matched to the order's. One that names other products, or other pieces, than the
    /// service has named before for what was asked is an answer that proves nothing.
    pub async fn quote(&self, order: &Order) -> Result<Quote, Failure> {
        let operation = &operation::QUOTE;
        let reply = self.call(operation, Some(&wire::PriceOf::new(order))).await?;
        let own: Vec<(&str, u32)> = order
            .lines
            .iter()
            .map(|line| (line.item_sku.as_str(), line.quantity))
            .collect();
        let (quote, answered) = read::<QuoteAnswer>(operation, &reply)?.into_quote(&own);
        match self.naming.doubt(&own, &answered) {
            Some(detail) => Err(unreadable(operation, &reply, detail)),
            None => Ok(quote),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Money;
    use crate::quote::QuoteLine;

    fn answered(lines: &[(&str, Option<u32>)]) -> Vec<Answered> {
        let line = |(sku, quantity): &(&str, Option<u32>)| Answered {
            line: QuoteLine {
                sku: (*sku).to_owned(),
                base_fee: Money::ZERO,
                shipping_fee: Money::ZERO,
                tax_fee: Money::ZERO,
                discount: Money::ZERO,
                total: Money::ZERO,
            },
            quantity: *quantity,
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn a_price_of_other_products_is_doubted_where_the_service_has_named_ours() {
        let naming = Naming::default();
        assert_eq!(naming.doubt(&[("TEE", 1)], &answered(&[("tee ", Some(1))])), None);
        for _ in 0..10 {
            let doubt = naming.doubt(&[("TEE", 1)], &answered(&[("MUG", Some(1))]));
            assert_eq!(
                doubt.as_deref(),
                Some("the price in the answer is of other products: MUG")
            );
        }
        // Lines that the service adds, or leaves out, are its own affair.
        let fee = [("TEE", Some(1)), ("GIFT-WRAP", Some(1))];
        assert_eq!(naming.doubt(&[("TEE", 1), ("MUG", 1)], &answered(&fee)), None);
        assert_eq!(naming.doubt(&[("TEE", 1)], &[]), None);
    }

    #[test]
    fn a_service_that_never_names_ours_is_believed_when_it_stays_so() {
        let naming = Naming::default();
        let doubts: Vec<bool> = (0..5)
            .map(|_| {
                naming
                    .doubt(&[("TEE", 3)], &answered(&[("4711", Some(3))]))
                    .is_some()
            })
            .collect();
        assert_eq!(doubts, [true, true, false, false, false]);
    }

    #[test]
    fn a_price_of_other_pieces_is_doubted_where_the_service_has_counted_as_we_do() {
        let naming = Naming::default();
        let of = |asked: u32, told: Option<u32>| naming.doubt(&[("TEE", asked)], &answered(&[("TEE", told)]));
        assert_eq!(of(2, None), None);
        assert_eq!(of(1, Some(1)), None);
        assert_eq!(of(3, Some(3)), None);
        for _ in 0..10 {
            assert_eq!(
                of(40, Some(1)).as_deref(),
                Some("the price in the answer is for 1 in place of 40 pieces")
            );
        }
        let two_lines = answered(&[("TEE", Some(5))]);
        assert_eq!(
            naming.doubt(&[("TEE", 2), ("TEE", 3)], &two_lines),
            None,
            "merged"
        );
        let of_lines = Naming::default();
        let doubts: Vec<bool> = (0..4)
            .map(|_| {
                of_lines
                    .doubt(&[("TEE", 40)], &answered(&[("TEE", Some(1))]))
                    .is_some()
            })
            .collect();
        assert_eq!(
            doubts,
            [true, true, false, false],
            "it may count lines, and not pieces"
        );
    }
}
