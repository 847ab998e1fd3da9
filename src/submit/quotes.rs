//! Quotes that were asked a short while ago: an equal price request is asked once within `quote_reuse`, and at the
//! same moment only once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;

use crate::clock::BootTime;
use crate::order::Order;
use crate::quote::Quote;

/// Most quotes that are kept; beyond it all are forgotten. A quote takes about a kilobyte.
const MOST: usize = 4_096;

/// What a price request depends on (`PriceRequest` in `schema/print-service.openapi.json`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    province_code: String,
    country_code: String,
    service: Option<String>,
    lines: Vec<(String, u32, String, String)>,
}

impl Key {
    fn of(order: &Order) -> Self {
        let line = |l: &crate::order::Line| {
            (
                l.item_sku.clone(),
                l.quantity,
                l.made_in_location.clone(),
                l.product_name.clone(),
            )
        };
        Self {
            province_code: order.ship_to.province_code.clone(),
            country_code: order.ship_to.country_code.clone(),
            service: order.shipping_service.clone(),
            lines: order.lines.iter().map(line).collect(),
        }
    }
}

/// What the service has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Priced {
    pub(super) quote: Quote,
    /// When its answer came, whoever asked: a price that is used again is as old as it is.
    pub(super) at: BootTime,
}

/// Quotes by what was asked.
#[derive(Debug)]
pub(super) struct Quotes {
    reuse: Duration,
    asked: Mutex<HashMap<Key, PendingQuote>>,
}

/// When it was asked, and the answer when it has come.
type PendingQuote = (BootTime, Arc<OnceCell<Priced>>);

impl Quotes {
    pub(super) fn new(reuse: Duration) -> Self {
        Self {
            reuse,
            asked: Mutex::new(HashMap::new()),
        }
    }

    /// The quote of an equal request of late, else what `ask` answers. An error is not kept: whoever waited for the
    /// same request asks again. Its age is that of the boot clock, which goes on while the machine sleeps.
    pub(super) async fn quote<E>(
        &self,
        order: &Order,
        now: &BootTime,
        ask: impl AsyncFnOnce() -> Result<Priced, E>,
    ) -> Result<Priced, E> {
        if self.reuse.is_zero() {
            return ask().await;
        }
        self.cell(order, now).get_or_try_init(|| ask()).await.cloned()
    }

    /// Lets the next equal request be asked, however short a while ago one was.
    pub(super) fn forget(&self, order: &Order) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.remove(&Key::of(order));
    }

    fn cell(&self, order: &Order, now: &BootTime) -> Arc<OnceCell<Priced>> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() >= MOST {
            asked.clear();
        }
        let entry = asked
            .entry(Key::of(order))
            .or_insert_with(|| (now.clone(), Arc::default()));
        if now.since(&entry.0).is_none_or(|age| age >= self.reuse) {
            *entry = (now.clone(), Arc::default());
        }
        Arc::clone(&entry.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Money;
    use crate::order::ShipTo;

    fn priced(hundredths: i64, at: &BootTime) -> Priced {
        let quote = Quote {
            base_fee: Money::ZERO,
            shipping_fee: Money::ZERO,
            tax_fee: Money::ZERO,
            discount: Money::ZERO,
            shipping_discount: Money::ZERO,
            total: Money::from_hundredths(hundredths),
            lines: Vec::new(),
        };
        let at = at.clone();
        Priced { quote, at }
    }

    #[tokio::test]
    async fn a_quote_of_before_a_nights_sleep_is_asked_for_again_and_one_that_is_reused_keeps_its_moment() {
        let quotes = Quotes::new(Duration::from_mins(10));
        let order = Order {
            order_id: "1001".to_owned(),
            ship_to: ShipTo::default(),
            shipping_service: None,
            lines: Vec::new(),
            expected_total: None,
        };
        let evening = BootTime {
            id: "a".into(),
            millis: 1000,
        };
        let night = Duration::from_hours(8);
        for (after, asked, gives, answered) in [
            (Duration::ZERO, 1, 1, Duration::ZERO),
            (Duration::from_mins(9), 2, 1, Duration::ZERO),
            // No time has passed for who slept.
            (night, 3, 3, night),
            (night + Duration::from_mins(9), 4, 3, night),
        ] {
            let now = &evening + after;
            let ask = async || Ok::<_, ()>(priced(asked, &now));
            let given = quotes.quote(&order, &now, ask).await;
            assert_eq!(given, Ok(priced(gives, &(&evening + answered))), "{after:?}");
        }
    }
}
