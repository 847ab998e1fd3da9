//! What an order costs, asked until it is told.

use jiff::tz::TimeZone;
use tokio::time::Instant;

use super::quotes::Priced;
use super::unpriced::{Kind, PAUSE_ALONE, Standing, TRIES_ALONE};
use super::{Blocked, Submitter, words_of};
use crate::finding::{Code, Finding};
use crate::order::Order;
use crate::quote::Quote;
use crate::service::{Failure, Verdict};

/// How often one order's price is asked for before the order waits and lets others pass.
const PRICE_TRIES: usize = 9;

impl Submitter {
    /// Prices an order without sending it.
    ///
    /// # Errors
    /// In the outer result where the service cannot be asked; in the inner one what it said.
    pub async fn price(&self, order: &Order) -> Result<Result<Quote, Failure>, Blocked> {
        let priced = self.priced(order).await?;
        Ok(priced.map(|priced| priced.quote))
    }

    /// The same, with when the service gave the price.
    pub(super) async fn priced(&self, order: &Order) -> Result<Result<Priced, Failure>, Blocked> {
        let (kind, mut failed) = (Kind::of(order), Vec::new());
        let priced = self.price_or_fail((order, &kind), &mut failed).await;
        match (&priced, failed.last()) {
            (Ok(Err(_refusal)), _) => self.unpriced.ended(&kind),
            (Err(_), Some(failure)) => self.tell_apart(&kind, failure).await,
            // One that was asked of late tells nothing of the service as it is now.
            (Ok(Ok(_)) | Err(_), _) => {}
        }
        priced
    }

    async fn price_or_fail(
        &self,
        (order, kind): (&Order, &Kind),
        failed: &mut Vec<Failure>,
    ) -> Result<Result<Priced, Failure>, Blocked> {
        // A quote only reads: whatever goes wrong but a refusal is asked again.
        loop {
            let ask = async || self.ask_priced(order, kind).await;
            let failure = match self.quotes.quote(order, &self.now().boot, ask).await {
                Ok(priced) => return Ok(Ok(priced)),
                Err(Err(blocked)) => return Err(blocked),
                Err(Ok(failure)) if failure.verdict == Verdict::Refused => return Ok(Err(failure)),
                Err(Ok(failure)) => failure,
            };
            failed.push(failure.clone());
            if self.gives_up(kind, (&failure, failed.len())).await {
                return Err(Blocked::of(&failure));
            }
            self.client.figures().repeated(failure.operation);
            tracing::debug!(%failure, "a quote is asked again");
        }
    }

    async fn ask_priced(&self, order: &Order, kind: &Kind) -> Result<Priced, Result<Failure, Blocked>> {
        let quote = match self.ask_price(order, kind).await {
            Ok(Ok(quote)) => quote,
            Ok(Err(failure)) => return Err(Ok(failure)),
            Err(blocked) => return Err(Err(blocked)),
        };
        self.unpriced.ended(kind);
        Ok(Priced {
            quote,
            at: self.now().boot,
        })
    }

    /// Whether an order waits and lets others pass, after so many tries; before that, waits for its next one where the
    /// service makes nobody wait.
    async fn gives_up(&self, kind: &Kind, (failure, tries): (&Failure, usize)) -> bool {
        match self.unpriced.failed(kind, failure, Instant::now()) {
            Standing::Again => tries >= PRICE_TRIES,
            Standing::Suspect => {
                self.tell_apart(kind, failure).await;
                // It has shared in all that its kind was asked.
                self.unpriced.is_alone(kind) || tries >= PRICE_TRIES
            }
            Standing::Alone if tries >= TRIES_ALONE => true,
            Standing::Alone => {
                tokio::time::sleep(PAUSE_ALONE).await;
                false
            }
        }
    }
}

/// What is said of an order that the service refuses to price.
pub fn quote_refused(row: u32, refusal: &Failure) -> Finding {
    Finding {
        code: Code::QuoteRefused,
        row,
        column: None,
        message: format!("The service refuses to price this order: {}", words_of(refusal)),
        hint: "Fix what it names and drop the order again.".to_owned(),
    }
}

/// What is said of an order whose price did not come, where nobody asks for it again by himself.
pub fn not_priced(row: u32, failure: &Failure, zone: &TimeZone) -> Finding {
    let (code, why) = Blocked::told_of(failure, zone);
    Finding {
        code,
        row,
        column: None,
        message: format!("Not priced. {why}"),
        hint: "Ask for the price again.".to_owned(),
    }
}
