//! Quotes that were asked a short while ago: an equal price request is asked once within `quote_reuse`, and at the
//! same moment only once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::order::Order;
use crate::quote::Quote;

/// Most quotes that are kept; beyond it all are forgotten. A quote takes about a kilobyte.
const MOST: usize = 4_096;

/// What a price request depends on (interface 4.3.1).
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

/// Quotes by what was asked.
#[derive(Debug)]
pub(super) struct Quotes {
    reuse: Duration,
    asked: Mutex<HashMap<Key, Asked>>,
}

/// When it was asked, and the answer when it has come.
type Asked = (Instant, Arc<OnceCell<Quote>>);

impl Quotes {
    pub(super) fn new(reuse: Duration) -> Self {
        Self {
            reuse,
            asked: Mutex::new(HashMap::new()),
        }
    }

    /// The quote of an equal request of late, else what `ask` answers. An error is not kept: whoever waited for the
    /// same request asks again.
    pub(super) async fn quote<E>(
        &self,
        order: &Order,
        ask: impl AsyncFnOnce() -> Result<Quote, E>,
    ) -> Result<Quote, E> {
        if self.reuse.is_zero() {
            return ask().await;
        }
        self.cell(order).get_or_try_init(|| ask()).await.cloned()
    }

    /// Lets the next equal request be asked, however short a while ago one was.
    pub(super) fn forget(&self, order: &Order) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.remove(&Key::of(order));
    }

    fn cell(&self, order: &Order) -> Arc<OnceCell<Quote>> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() >= MOST {
            asked.clear();
        }
        let now = Instant::now();
        let entry = asked
            .entry(Key::of(order))
            .or_insert_with(|| (now, Arc::default()));
        if now.duration_since(entry.0) >= self.reuse {
            *entry = (now, Arc::default());
        }
        Arc::clone(&entry.1)
    }
}
