//! What an order costs that is to be sent once more: what was agreed to was the price of its first create.

use super::{Blocked, Submitter, words_of};
use crate::ledger::record::OrderRecord;
use crate::order::Order;
use crate::quote::Quote;

/// How a person is told that the price has risen; from what to what follows.
const RISEN: &str = "it is not at the service, and its price has risen from";
/// How a person is told that the service refuses to price it; its words follow.
const UNPRICED: &str = "it is not at the service, which refuses to price it now:";

/// Whether what a person was told is about the price of an order that is to be sent once more.
pub(super) fn is_about_price(told: &str) -> bool {
    told.starts_with(RISEN) || told.starts_with(UNPRICED)
}

/// Whether a person was told this already. A refusal's own words may be others each time; a price has to be the same.
pub(super) fn was_told(told: Option<&str>, why: &str) -> bool {
    told.is_some_and(|told| told == why || (told.starts_with(UNPRICED) && why.starts_with(UNPRICED)))
}

/// Whether an order may be sent once more at its price of now.
#[derive(Debug)]
pub(super) enum Again {
    /// It may, at this price.
    At(Quote),
    /// A person decides: why, as the end of a sentence, and the price where there is one.
    Ask(String, Option<Quote>),
}

impl Submitter {
    /// Prices an order that is not at the service anew. What a person or a limit has agreed to is the total that was
    /// approved, else the one that it was sent at.
    pub(super) async fn price_again(&self, order: &OrderRecord, content: &Order) -> Result<Again, Blocked> {
        self.quotes.forget(content);
        let quote = match self.price(content).await? {
            Ok(quote) => quote,
            Err(refusal) => {
                let why = format!("{UNPRICED} {}", words_of(&refusal));
                return Ok(Again::Ask(why, None));
            }
        };
        let sent_at = order.quote.as_ref().map(|quote| quote.total);
        let agreed = order.approved_total.or(sent_at);
        Ok(match agreed.filter(|agreed| quote.total > *agreed) {
            None => Again::At(quote),
            Some(agreed) => {
                let why = format!(
                    "{RISEN} {agreed} to {} since it was sent; `dropsheet orders resolve {} --resend` sends it at that, \
                     `--abandon` gives it up",
                    quote.total, order.order_id
                );
                Again::Ask(why, Some(quote))
            }
        })
    }
}
