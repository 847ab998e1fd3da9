//! What an order costs that is to be sent once more: what was agreed to was the price of its first create.

use super::{Blocked, Submitter, words_of};
use crate::ledger::record::OrderRecord;
use crate::order::Order;
use crate::quote::Quote;

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
                let why = format!(
                    "it is not at the service, which refuses to price it now: {}",
                    words_of(&refusal)
                );
                return Ok(Again::Ask(why, None));
            }
        };
        let sent_at = order.quote.as_ref().map(|quote| quote.total);
        let agreed = order.approved_total.or(sent_at);
        Ok(match agreed.filter(|agreed| quote.total > *agreed) {
            None => Again::At(quote),
            Some(agreed) => {
                let why = format!(
                    "it is not at the service, and its price has risen from {agreed} to {} since it was sent",
                    quote.total
                );
                Again::Ask(why, Some(quote))
            }
        })
    }
}
