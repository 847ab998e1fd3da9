//! What a run needs, opened: the ledger, a client and a catalog an account, a desk an inbox.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{DaemonError, Desk, open_ledger};
use crate::catalog::cache::Cache;
use crate::clock::Clock;
use crate::config::{Account, Config};
use crate::files;
use crate::import::Importer;
use crate::inbox::Folder;
use crate::ledger::Ledger;
use crate::refresh::Catalog;
use crate::service::Client;
use crate::submit::{Health, Submitter};

/// Everything a run works with.
#[derive(Clone, Debug)]
pub struct Desks {
    /// The ledger.
    pub ledger: Arc<Ledger>,
    /// By account name.
    pub accounts: BTreeMap<String, Arc<Importer>>,
    /// By inbox, in the order of the config.
    pub inboxes: Vec<Arc<Desk>>,
    /// The clock.
    pub clock: Clock,
}

impl Desks {
    /// Turns away everybody who waits for a service: the program is ending.
    pub fn end(&self) {
        for importer in self.accounts.values() {
            importer.submitter.health.end();
        }
    }

    /// The desk of an inbox.
    pub fn desk(&self, inbox: &str) -> Option<&Arc<Desk>> {
        self.inboxes.iter().find(|desk| desk.inbox.name == inbox)
    }
}

/// Opens the ledger, settles what a killed process left as `sending`, and makes a desk an inbox. With a patience,
/// nobody waits longer than that for a service.
pub fn open(config: &Config, clock: Clock, patience: Option<Duration>) -> Result<Desks, DaemonError> {
    let ledger = Arc::new(open_ledger(config, "dropsheet run")?);
    let now = clock.now();
    let left = ledger.write_blocking(move |store| store.recover(&now))?;
    if left > 0 {
        tracing::warn!(
            orders = left,
            "creates were under way when dropsheet was last stopped; they are looked up"
        );
    }
    let home = files::folder_of(&config.ledger).to_owned();
    let cache = Arc::new(Cache::open(&home.join("catalog.db")).map_err(DaemonError::Cache)?);
    let mut accounts = BTreeMap::new();
    for account in &config.accounts {
        let importer = importer(config, account, &ledger, &cache, &clock, patience, &home)?;
        accounts.insert(account.name.clone(), Arc::new(importer));
    }
    let desks = config.inboxes.iter().filter_map(|inbox| {
        let importer = Arc::clone(accounts.get(&inbox.account)?);
        Some(Arc::new(Desk {
            inbox: inbox.clone(),
            folder: Folder::new(inbox.path.clone()),
            importer,
            stop: Arc::new(AtomicBool::new(false)),
            recovered: AtomicBool::new(false),
        }))
    });
    Ok(Desks {
        inboxes: desks.collect(),
        ledger,
        accounts,
        clock,
    })
}

#[expect(
    clippy::too_many_arguments,
    reason = "each is one part of the machine, used once"
)]
fn importer(
    config: &Config,
    account: &Account,
    ledger: &Arc<Ledger>,
    cache: &Arc<Cache>,
    clock: &Clock,
    patience: Option<Duration>,
    home: &Path,
) -> Result<Importer, DaemonError> {
    let settings = account.service()?;
    let client = Client::new(settings).map_err(|source| DaemonError::Client {
        account: account.name.clone(),
        source,
    })?;
    let client = Arc::new(client);
    let (name, url, email) = (
        account.name.clone(),
        account.base_url.clone(),
        account.email.clone(),
    );
    let in_ledger = ledger.write_blocking(move |store| store.account(&name, &url, &email))?;
    let submitter = Submitter::new(
        Arc::clone(ledger),
        Arc::clone(&client),
        in_ledger,
        account.clone(),
        Health::new(patience),
        clock.clone(),
    );
    Ok(Importer {
        submitter: Arc::new(submitter),
        catalog: Arc::new(Catalog::new(client, Arc::clone(cache))),
        catalog_max_age: config.catalog_max_age,
        spool: home.join("spool"),
        zone: config.zone.clone(),
    })
}
