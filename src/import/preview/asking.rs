//! The prices of a sheet's orders, asked for many at a time. An order whose price does not come keeps none of the others
//! from theirs.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};

use super::Priceable;
use crate::quote::Quote as Price;
use crate::service::{Client, Failure, Verdict};
use crate::submit::Others;

/// How often a price is asked for that does not come.
const TRIES: usize = 3;

/// The longest that an order waits in the pauses that the service asks for.
const PATIENCE: Duration = Duration::from_mins(2);

/// The least pause of an order that the service asks for one, so that its patience comes to an end.
const LEAST_PAUSE: Duration = Duration::from_millis(250);

/// After so many orders in a row without an answer no more are asked for: each may take its time in vain.
const MOST_UNANSWERED: usize = 20;

/// An order, and its price or why it has none.
pub(crate) type Answered = (Priceable, Result<Price, Failure>);

/// Who asks.
pub(crate) struct Asking {
    client: Arc<Client>,
    others: Arc<Others>,
    most_in_flight: usize,
}

/// How far a round has come.
#[derive(Default)]
struct Round {
    answers: Vec<Answered>,
    /// Orders in a row without an answer.
    unanswered: usize,
    /// Why no more are asked for.
    given_up: Option<Failure>,
}

impl Asking {
    pub(crate) fn new(client: Arc<Client>, most_in_flight: usize) -> Self {
        Self {
            client,
            others: Arc::default(),
            most_in_flight: most_in_flight.max(1),
        }
    }

    /// Asks for the price of each order; `done` hears of each that has ended.
    ///
    /// # Errors
    /// A task ended with a defect of dropsheet.
    pub(crate) async fn ask_all(
        &self,
        orders: Vec<Priceable>,
        done: &dyn Fn(),
    ) -> Result<Vec<Answered>, JoinError> {
        let round = self.round(orders, done).await?;
        let is_answered = |(_order, answer): &Answered| !is_unanswered(answer);
        if round.given_up.is_some() || !round.answers.iter().any(is_answered) {
            return Ok(round.answers);
        }
        // The service answers by now: what it does not find may be the order's own fault, and what it did not answer may
        // have passed.
        let (mut answers, left): (Vec<Answered>, Vec<Answered>) =
            round.answers.into_iter().partition(is_answered);
        let left = left.into_iter().map(|(order, _failure)| order).collect();
        answers.extend(self.round(left, &|| {}).await?.answers);
        Ok(answers)
    }

    async fn round(&self, orders: Vec<Priceable>, done: &dyn Fn()) -> Result<Round, JoinError> {
        let mut waiting = orders.into_iter();
        let mut under_way = JoinSet::new();
        let mut round = Round::default();
        loop {
            while under_way.len() < self.most_in_flight
                && round.given_up.is_none()
                && let Some(order) = waiting.next()
            {
                let (client, others) = (Arc::clone(&self.client), Arc::clone(&self.others));
                under_way.spawn(answered(client, others, order));
            }
            let Some(ended) = under_way.join_next().await else {
                break;
            };
            round.note(ended?);
            done();
        }
        if let Some(failure) = &round.given_up {
            let rest = waiting.map(|order| (order, Err(failure.clone())));
            round.answers.extend(rest);
        }
        Ok(round)
    }
}

impl Round {
    fn note(&mut self, (order, answer): Answered) {
        match &answer {
            Err(failure) if failure.verdict != Verdict::Refused => {
                self.unanswered += 1;
                // No other order fares better with credentials that are refused.
                if self.unanswered >= MOST_UNANSWERED || failure.verdict == Verdict::Credentials {
                    self.given_up.get_or_insert_with(|| failure.clone());
                }
            }
            Ok(_) | Err(_) => self.unanswered = 0,
        }
        self.answers.push((order, answer));
    }
}

fn is_unanswered(answer: &Result<Price, Failure>) -> bool {
    answer
        .as_ref()
        .is_err_and(|failure| failure.verdict != Verdict::Refused)
}

async fn answered(client: Arc<Client>, others: Arc<Others>, order: Priceable) -> Answered {
    let answer = ask(&client, &others, &order).await;
    (order, answer)
}

/// Asks for one price, a few times, and however often the service asks for a pause that can be waited for.
async fn ask(client: &Client, others: &Others, order: &Priceable) -> Result<Price, Failure> {
    let (mut tries, mut waited) = (1, Duration::ZERO);
    loop {
        let failure = match others.held_against(client.quote(&order.order).await) {
            Ok(price) => return Ok(price),
            Err(failure) => failure,
        };
        match failure.verdict {
            Verdict::NotSent | Verdict::Unknown if tries < TRIES => tries += 1,
            Verdict::TryLater(pause) if waited.saturating_add(pause) <= PATIENCE => {
                let pause = pause.max(LEAST_PAUSE);
                waited += pause;
                tokio::time::sleep(pause).await;
            }
            Verdict::NotSent
            | Verdict::Unknown
            | Verdict::TryLater(_)
            | Verdict::Credentials
            | Verdict::Misconfigured
            | Verdict::Refused => return Err(failure),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::quote::Terms;
    use crate::service::tests::stub::{Act, Stub, fine, order};

    const PRICE: &str = r#"{"status":200,"data":{"totalPrice":13.00}}"#;

    fn priceable(first_row: u32, sku: &str) -> Priceable {
        let mut order = order(&first_row.to_string());
        order.lines[0].item_sku = sku.to_owned();
        Priceable {
            first_row,
            order,
            terms: Terms::default(),
            holds: Vec::new(),
            artworks: Vec::new(),
        }
    }

    /// Asks for the prices of these SKUs one after the other; gives what each came to, and how often prices were asked for.
    async fn asked(
        skus: &[&str],
        script: impl Fn(&str, usize) -> Act + Send + Sync + 'static,
    ) -> (Vec<Option<Verdict>>, usize) {
        let count = AtomicUsize::new(0);
        let stub = Stub::start(move |seen| {
            // It is asked by the head alone too.
            if seen.body.is_empty() || seen.line.contains("auth/token") {
                return fine(seen);
            }
            script(&seen.body, count.fetch_add(1, Ordering::SeqCst))
        })
        .await;
        let asking = Asking::new(Arc::new(stub.client()), 1);
        let orders = (2..).zip(skus).map(|(row, sku)| priceable(row, sku)).collect();
        let mut answers = asking.ask_all(orders, &|| {}).await.unwrap();
        answers.sort_by_key(|(order, _answer)| order.first_row);
        let verdict = |(_order, answer): Answered| answer.err().map(|failure| failure.verdict);
        let verdicts = answers.into_iter().map(verdict).collect();
        (verdicts, stub.seen("calculate-price-order").len())
    }

    fn price() -> Act {
        Act::Answer(200, PRICE.to_owned())
    }

    #[tokio::test]
    async fn an_order_that_is_not_found_or_not_answered_keeps_no_other_from_its_price() {
        let (verdicts, _asked) = asked(&["GONE", "TEE-M", "BROKEN", "TEE-M"], |body, _n| match body {
            gone if gone.contains("GONE") => {
                Act::Answer(404, r#"{"status":404,"message":"no such SKU"}"#.into())
            }
            broken if broken.contains("BROKEN") => Act::Answer(500, String::new()),
            _ => price(),
        })
        .await;
        assert_eq!(
            verdicts,
            [Some(Verdict::Refused), None, Some(Verdict::Unknown), None]
        );
    }

    #[tokio::test]
    async fn a_pause_that_the_service_asks_for_is_waited_for() {
        let (verdicts, asked) = asked(&["TEE-M", "TEE-M"], |_body, n| match n {
            0 => Act::AnswerWith(429, "retry-after: 0", r#"{"status":429}"#.into()),
            _ => price(),
        })
        .await;
        assert_eq!((verdicts, asked), (vec![None, None], 3));
    }

    #[tokio::test]
    async fn a_pause_that_is_too_long_is_told() {
        let (verdicts, asked) = asked(&["TEE-M"], |_body, _n| {
            Act::AnswerWith(429, "retry-after: 600", r#"{"status":429}"#.into())
        })
        .await;
        let pause = Duration::from_mins(10);
        assert_eq!((verdicts, asked), (vec![Some(Verdict::TryLater(pause))], 1));
    }

    #[tokio::test]
    async fn of_a_service_that_answers_nobody_no_more_is_asked_than_tells_that() {
        let skus = vec!["TEE-M"; 2 * MOST_UNANSWERED];
        let (verdicts, asked) = asked(&skus, |_body, _n| Act::Answer(500, String::new())).await;
        assert_eq!(verdicts, vec![Some(Verdict::Unknown); skus.len()]);
        assert_eq!(asked, MOST_UNANSWERED * TRIES);
    }
}
