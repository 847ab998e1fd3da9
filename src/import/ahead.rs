//! What is asked for while a sheet is still read, so that its first create need not wait for it: the order list, where
//! the sheet has something to send; what is to be known of its products; the table of countries.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use super::read::Early;
use super::{Importer, products_of, sends};
use crate::config::Inbox;
use crate::ledger::record::Claim;
use crate::order::know_countries;
use crate::refresh::Catalog;
use crate::submit::Submitter;

/// Who asks, until it is dropped.
pub(super) struct Ahead {
    _tasks: JoinSet<()>,
}

/// Begins for a sheet. The sender is told what its first rows say.
pub(super) fn begin(importer: &Importer, claim: &Claim, inbox: &Inbox) -> (Ahead, UnboundedSender<Early>) {
    let (tell, told) = unbounded_channel();
    let asking = Asking {
        submitter: Arc::clone(&importer.submitter),
        catalog: Arc::clone(&importer.catalog),
        catalog_max_age: importer.catalog_max_age,
        inbox: inbox.name.clone(),
        order_prefix: inbox.order_prefix.clone(),
        sends: sends(claim.new.purpose),
    };
    let mut tasks = JoinSet::new();
    // It takes some milliseconds, and while the sheet is read there is a processor to spare.
    tasks.spawn_blocking(know_countries);
    tasks.spawn(asking.until_told_all(told));
    (Ahead { _tasks: tasks }, tell)
}

struct Asking {
    submitter: Arc<Submitter>,
    catalog: Arc<Catalog>,
    catalog_max_age: Duration,
    inbox: String,
    order_prefix: String,
    sends: bool,
}

impl Asking {
    async fn until_told_all(self, mut told: UnboundedReceiver<Early>) {
        let mut asked = JoinSet::new();
        while let Some(early) = told.recv().await {
            match early {
                Early::Order(id) if self.sends && self.is_new(&id) => {
                    asked.spawn(Arc::clone(&self.submitter).walk_ahead());
                }
                Early::Order(_known) => {}
                Early::Skus(skus) => {
                    let now = self.submitter.now().wall;
                    let catalog = Arc::clone(&self.catalog);
                    asked.spawn(know_products(catalog, skus, now, self.catalog_max_age));
                }
            }
        }
        while asked.join_next().await.is_some() {}
    }

    /// Whether the ledger has no order of this id. A sheet whose first order is known may have been dropped before, and
    /// have nothing to send; where it has, who sends walks the list.
    fn is_new(&self, id: &str) -> bool {
        let (account, sent) = (self.submitter.account, format!("{}{id}", self.order_prefix));
        let known = self
            .submitter
            .ledger
            .read(|store| store.find_either(account, &sent, (&self.inbox, id)));
        match known {
            Ok(known) => known.is_none(),
            Err(error) => {
                tracing::debug!(%error, "the order list is not read ahead of the sheet");
                false
            }
        }
    }
}

/// Asks for what is to be known of these SKUs. Who checks the sheet finds the answers, or why there are none.
async fn know_products(catalog: Arc<Catalog>, skus: BTreeSet<String>, now: Timestamp, max_age: Duration) {
    let asked = async {
        let served = catalog.snapshot(now, max_age).await?;
        let products = products_of(&skus, &served.snapshot);
        catalog.with_details(&products, now, max_age).await
    };
    if let Err(error) = asked.await {
        tracing::debug!(%error, "products are not asked for ahead of their sheet");
    }
}
