//! What is asked for while a sheet is still read, so that its first create need not wait for it: the order list, where
//! the sheet has something to send; what is to be known of its products; the prices of its first orders; the table of
//! countries. All of it only reads. Who needs it finds the answers, or asks by itself.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use jiff::civil::Date;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use super::decide::{By, Decided};
use super::ledgered::Ledgered;
use super::read::{Early, FirstRows};
use super::served::products_of;
use super::sku_map::Map;
use super::{Importer, check_limits, sends};
use crate::catalog::Snapshot;
use crate::config::Inbox;
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimRef};
use crate::order::{Draft, Order, know_countries};
use crate::refresh::{Catalog, CatalogError};
use crate::submit::Submitter;

/// How many prices are asked for: as many as requests are under way at first.
const PRICES: usize = 8;

/// Who asks, until it is dropped.
pub(super) struct Ahead {
    _tasks: JoinSet<()>,
}

/// Begins for a sheet. The sender is told what its first rows say.
pub(super) fn begin(
    importer: &Importer,
    claim: &Claim,
    inbox: &Inbox,
    (map, stop): (&Map, &AtomicBool),
) -> (Ahead, UnboundedSender<Early>) {
    let (tell, told) = unbounded_channel();
    let asking = Asking {
        submitter: Arc::clone(&importer.submitter),
        catalog: Arc::clone(&importer.catalog),
        catalog_max_age: importer.catalog_max_age,
        claim: claim.id,
        inbox: inbox.clone(),
        map: map.clone(),
        sends: sends(claim.new.purpose),
        // Artwork is looked at first: an order whose artwork is wrong is not priced.
        prices: importer.preflight.is_none() && !stop.load(Ordering::Relaxed),
        today: importer.today(),
    };
    let mut tasks = JoinSet::new();
    // It takes some milliseconds, and while the sheet is read there is a processor to spare.
    tasks.spawn_blocking(know_countries);
    tasks.spawn(Arc::new(asking).until_told_all(told));
    (Ahead { _tasks: tasks }, tell)
}

struct Asking {
    submitter: Arc<Submitter>,
    catalog: Arc<Catalog>,
    catalog_max_age: Duration,
    claim: ClaimRef,
    inbox: Inbox,
    map: Map,
    sends: bool,
    prices: bool,
    today: Date,
}

impl Asking {
    async fn until_told_all(self: Arc<Self>, mut told: UnboundedReceiver<Early>) {
        let mut asked = JoinSet::new();
        while let Some(early) = told.recv().await {
            match early {
                Early::Order(id) if self.sends && self.is_new(&id) => {
                    asked.spawn(Arc::clone(&self.submitter).walk_ahead());
                }
                Early::Order(_known) => {}
                Early::Rows(rows) => {
                    asked.spawn(Arc::clone(&self).know_first(*rows));
                }
            }
        }
        while asked.join_next().await.is_some() {}
    }

    /// Whether the ledger has no order of this id. A sheet whose first order is known may have been dropped before, and
    /// have nothing to send; where it has, who sends walks the list.
    fn is_new(&self, id: &str) -> bool {
        let sent = format!("{}{id}", self.inbox.order_prefix);
        let known = self
            .submitter
            .ledger
            .read(|store| store.find_either(self.submitter.account, &sent, (&self.inbox.name, id)));
        match known {
            Ok(known) => known.is_none(),
            Err(error) => {
                tracing::debug!(%error, "the order list is not read ahead of the sheet");
                false
            }
        }
    }

    /// Asks for what is to be known of the products that the first rows name, then for the prices of their first orders.
    async fn know_first(self: Arc<Self>, rows: FirstRows) {
        let snapshot = match self.know_products(&rows.skus).await {
            Ok(snapshot) => snapshot,
            Err(error) => return tracing::debug!(%error, "products are not asked for ahead of their sheet"),
        };
        let orders = match self.to_price(&rows, &snapshot) {
            Ok(orders) => orders,
            Err(error) => return tracing::debug!(%error, "prices are not asked for ahead of their sheet"),
        };
        drop(rows);
        // What comes is kept for as long as quotes are used again; what does not is asked for by who sends, and told
        // there.
        join_all(orders.iter().map(|order| self.submitter.price(order))).await;
    }

    async fn know_products(&self, skus: &BTreeSet<String>) -> Result<Arc<Snapshot>, CatalogError> {
        let now = self.submitter.now().wall;
        let served = self.catalog.snapshot(now, self.catalog_max_age).await?;
        let products = products_of(skus, &served.snapshot);
        self.catalog
            .with_details(&products, now, self.catalog_max_age)
            .await
    }

    /// The first orders that would be priced and sent, if the sheet ended here.
    fn to_price(&self, rows: &FirstRows, snapshot: &Snapshot) -> Result<Vec<Order>, LedgerError> {
        if !self.sends || !self.prices || self.submitter.config.quote_reuse.is_zero() {
            return Ok(Vec::new());
        }
        let limits = check_limits(&self.inbox);
        self.submitter.ledger.read_at_once(|store| {
            let by = By {
                catalog: snapshot,
                limits: &limits,
                inbox: &self.inbox,
                map: &self.map,
                claim: Some(self.claim),
                memory: &Ledgered::new(store, self.submitter.account, &self.inbox.name),
                artworks: false,
                zone: &self.submitter.zone,
                today: self.today,
            };
            let ready = |mut draft: Draft| match by.decide(&mut draft) {
                Ok(Decided::Ready(ready)) => Some(Ok(ready.order)),
                Ok(_nothing_to_price) => None,
                Err(error) => Some(Err(error)),
            };
            rows.drafts(PRICES).into_iter().filter_map(ready).collect()
        })
    }
}
