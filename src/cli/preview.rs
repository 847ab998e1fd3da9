//! What `check` and `quote` have in common: an inbox's settings, the cached catalog, and what the ledger knows, all
//! without taking anything.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use jiff::Timestamp;
use tokio::task::JoinSet;

use super::exit::{Exit, UsageError};
use super::shown;
use super::work::{account_of, advice, inbox_of, ledger_meaning, meaning};
use crate::catalog::Snapshot;
use crate::catalog::cache::Cache;
use crate::check::Limits;
use crate::clock::Clock;
use crate::config::{self, Account, Config, Inbox};
use crate::daemon;
use crate::files;
use crate::finding::Finding;
use crate::import::decide::{By, Memory};
use crate::import::ledgered::MarkedIds;
use crate::import::preview::Priceable;
use crate::import::read::{How, Read, read};
use crate::import::sku_map::{self, Map};
use crate::import::unplain::UnplainIds;
use crate::import::{check_limits, served_for};
use crate::inbox::names;
use crate::ledger::record::{AccountRef, ClaimRef, ListedRecord, OrderRecord, Outcome};
use crate::ledger::{LedgerError, Reader};
use crate::order::Order;
use crate::preflight::Preflight;
use crate::refresh::{Catalog, CatalogError};
use crate::service::{self, Client, Failure};
use crate::submit::with_words;

/// What a preview works with.
pub(super) struct Preview {
    pub(super) inbox: Inbox,
    pub(super) limits: Limits,
    map: Map,
    pub(super) account: Account,
    pub(super) scratch: PathBuf,
    pub(super) clock: Clock,
    pub(super) zone: jiff::tz::TimeZone,
    cache: Arc<Cache>,
    preflight: config::Preflight,
    max_age: Duration,
    ledger: Option<Reader>,
    in_ledger: OnceCell<Option<AccountRef>>,
    marked: MarkedIds,
    unplain: UnplainIds,
}

/// The catalog for a sheet, and what it lacks.
pub(super) struct Cataloged {
    pub(super) snapshot: Arc<Snapshot>,
    /// Why it is older than it should be.
    pub(super) old: Option<String>,
    undetailed: Option<Undetailed>,
}

/// Products whose details nobody has.
struct Undetailed {
    products: BTreeSet<String>,
    why: String,
    hint: String,
}

/// The number of no account of a ledger: they are counted from 1.
const NOBODY: AccountRef = AccountRef(0);

/// The most products that are named.
const NAMED: usize = 5;

impl Cataloged {
    /// How many lines of an order say where they are to be made, and nobody knows whether they can be.
    pub(super) fn unchecked_locations(&self, order: &Order) -> usize {
        let Some(undetailed) = &self.undetailed else {
            return 0;
        };
        let lines = order
            .lines
            .iter()
            .filter(|line| !line.made_in_location.is_empty());
        lines
            .filter_map(|line| self.snapshot.entry(&line.item_sku))
            .filter(|entry| undetailed.products.contains(&entry.product_code))
            .count()
    }

    /// What could not be checked, and why; `locations` of the lines among it.
    pub(super) fn unchecked(&self, locations: usize) -> Option<String> {
        let undetailed = self.undetailed.as_ref()?;
        let named: Vec<&str> = undetailed
            .products
            .iter()
            .take(NAMED)
            .map(String::as_str)
            .collect();
        let products = match undetailed.products.len().saturating_sub(NAMED) {
            0 => named.join(", "),
            more => format!("{} and {more} more", named.join(", ")),
        };
        let made = match locations {
            0 => String::new(),
            1 => ", and whether 1 line can be made where the sheet says".to_owned(),
            lines => format!(", and whether {lines} lines can be made where the sheet says"),
        };
        Some(format!(
            "The details of {products} could not be read ({}). Not checked: what is in stock{made}. To have it \
             checked, {}.",
            undetailed.why, undetailed.hint
        ))
    }
}

impl Preview {
    pub(super) fn open(config: &Config, inbox: Option<&str>) -> anyhow::Result<Self> {
        let inbox = inbox_of(config, inbox)?.clone();
        let account = account_of(config, &inbox.account)?.clone();
        let home = files::folder_of(&config.ledger);
        std::fs::create_dir_all(home).with_context(|| format!("cannot make {}", home.display()))?;
        let cache = Arc::new(Cache::open(&home.join("catalog.db"))?);
        let ledger = match Reader::open(&config.ledger) {
            Ok(ledger) => Some(ledger),
            // Nothing was ever sent: nothing is known.
            Err(LedgerError::Missing { .. }) => None,
            Err(error) => return Err(ledger_meaning(error)),
        };
        Ok(Self {
            // Nothing is written beside a preview.
            limits: Limits {
                asks_for_skus: false,
                ..check_limits(&inbox)
            },
            map: sku_map::load(&inbox, &std::env::temp_dir()),
            cache,
            preflight: config.preflight.clone(),
            scratch: std::env::temp_dir(),
            max_age: config.catalog_max_age,
            zone: config.zone.clone(),
            in_ledger: OnceCell::new(),
            marked: MarkedIds::default(),
            unplain: UnplainIds::default(),
            clock: Clock::system(),
            inbox,
            account,
            ledger,
        })
    }

    /// Reads sheets with another profile than the inbox's.
    pub(super) fn choose(&mut self, profile: &str) -> anyhow::Result<()> {
        let Some(chosen) = self.inbox.profiles.choose(profile) else {
            let names = self.inbox.profiles.names().join(", ");
            return Err(UsageError(format!(
                "there is no profile `{profile}`; expected one of {names}"
            ))
            .into());
        };
        self.inbox.profiles = chosen;
        Ok(())
    }

    /// The account's client; reads the password.
    pub(super) fn client(&self) -> anyhow::Result<Arc<Client>> {
        daemon::client(&self.account, &self.clock).map_err(meaning)
    }

    /// The catalog for these SKUs: the cached one alone where no password can be read to ask the service with.
    pub(super) async fn catalog(&self, skus: &BTreeSet<String>) -> anyhow::Result<Cataloged> {
        let now = self.clock.now().wall;
        let client = match self.client() {
            Ok(client) => client,
            Err(error) => return self.cached(skus, now, &error)?.ok_or(error),
        };
        let catalog = Catalog::new(client, Arc::clone(&self.cache), self.zone.clone());
        let served = served_for(&catalog, skus, now, self.max_age)
            .await
            .map_err(|error| {
                let (hint, error) = match error {
                    // That there is no catalog is said before it.
                    CatalogError::Away(failure) => (self.hint(&failure), anyhow::Error::new(failure)),
                    CatalogError::NotNewer(failure) => (self.hint(&failure), anyhow::Error::new(failure)),
                    CatalogError::Cache(error) => (
                        "move catalog.db aside; it is made and filled anew".to_owned(),
                        anyhow::Error::new(error),
                    ),
                    CatalogError::Stopped(error) => {
                        ("dropsheet is ending".to_owned(), anyhow::Error::new(error))
                    }
                };
                error.context(format!("there is no catalog to check against: {hint}"))
            })?;
        let undetailed = catalog.undetailed(skus).await;
        Ok(Cataloged {
            snapshot: served.snapshot,
            old: served.old,
            undetailed: undetailed.map(|undetailed| Undetailed {
                products: undetailed.products,
                why: with_words(&undetailed.why),
                hint: self.hint(&undetailed.why),
            }),
        })
    }

    /// What to do about a service that does not answer as it should.
    pub(super) fn hint(&self, failure: &Failure) -> String {
        advice(&self.account.name, failure)
    }

    /// The cached catalog as it is, with a note where it would be asked for anew; none where nothing is cached.
    fn cached(
        &self,
        skus: &BTreeSet<String>,
        now: Timestamp,
        why: &anyhow::Error,
    ) -> anyhow::Result<Option<Cataloged>> {
        let key = service::account_key(&self.account.base_url, &self.account.email);
        let Some(stored) = self.cache.load(&key)? else {
            return Ok(None);
        };
        let is_young = shown::age(stored.read_at, now) <= self.max_age;
        let with_details: HashSet<String> = stored.details_read_at.into_keys().collect();
        let snapshot = Arc::new(Snapshot::new(stored.read_at, stored.entries, stored.details));
        let suffices = is_young && skus.iter().all(|sku| snapshot.entry(sku).is_some());
        let old = (!suffices).then(|| {
            format!(
                "The catalog is of {}: no newer one could be asked for ({why:#}).",
                shown::moment(snapshot.read_at(), &self.zone)
            )
        });
        let products = skus.iter().filter_map(|sku| snapshot.entry(sku));
        let products: BTreeSet<String> = products
            .map(|entry| entry.product_code.clone())
            .filter(|code| !with_details.contains(code))
            .collect();
        let undetailed = (!products.is_empty()).then(|| Undetailed {
            products,
            why: format!("{why:#}"),
            hint: "see that the password can be read".to_owned(),
        });
        Ok(Some(Cataloged {
            snapshot,
            old,
            undetailed,
        }))
    }

    /// What a sheet's orders are judged by.
    pub(super) fn by<'a>(&'a self, catalog: &'a Snapshot) -> By<'a> {
        By {
            catalog,
            limits: &self.limits,
            inbox: &self.inbox,
            map: &self.map,
            claim: None,
            memory: self,
            artworks: self.preflight.enabled,
            zone: &self.zone,
            today: self.clock.now().wall.to_zoned(self.zone.clone()).date(),
        }
    }

    /// Whether artwork is fetched and looked at: the config says so, or the command line.
    pub(super) fn looks_at_artwork(&self, asked: bool) -> bool {
        asked || self.preflight.enabled
    }

    /// Looks at the artwork of orders; gives what is to be said of each, by its first row.
    pub(super) async fn preflight(
        &self,
        orders: &[Priceable],
        catalog: &Arc<Snapshot>,
    ) -> anyhow::Result<BTreeMap<u32, Vec<Finding>>> {
        let mut found = BTreeMap::new();
        if orders.iter().all(|order| order.artworks.is_empty()) {
            return Ok(found);
        }
        let preflight = Arc::new(Preflight::new(
            &self.preflight,
            Arc::clone(&self.cache),
            self.clock.clone(),
        )?);
        let bar = super::progress::bar(orders.len(), "artwork");
        let mut looks = JoinSet::new();
        for order in orders {
            let (preflight, catalog) = (Arc::clone(&preflight), Arc::clone(catalog));
            let (row, artworks) = (order.first_row, order.artworks.clone());
            looks.spawn(async move { (row, preflight.findings(&artworks, &catalog).await) });
        }
        while let Some(looked) = looks.join_next().await {
            let (row, findings) = looked.context("a task ended with a defect of dropsheet")?;
            bar.inc(1);
            found.insert(row, findings);
        }
        bar.finish_and_clear();
        Ok(found)
    }

    /// The ledger and the account in it, where it may know orders of the sheet. One that was never worked with has nobody's
    /// number: its inbox may have orders of another one.
    fn in_ledger(&self) -> Result<Option<(&Reader, AccountRef)>, LedgerError> {
        let Some(ledger) = &self.ledger else {
            return Ok(None);
        };
        let account = if let Some(known) = self.in_ledger.get() {
            *known
        } else {
            let (url, email) = (&self.account.base_url, &self.account.email);
            let found = ledger.read(|store| {
                Ok::<_, LedgerError>(match store.find_account(url, email)? {
                    None if store.knows_inbox(&self.inbox.name)? => Some(NOBODY),
                    found => found,
                })
            })?;
            *self.in_ledger.get_or_init(|| found)
        };
        Ok(account.map(|account| (ledger, account)))
    }

    /// Reads a sheet that is in no inbox, once.
    pub(super) fn open_sheet(&self, path: &Path) -> anyhow::Result<Read> {
        let file = files::open_regular(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let cannot = || format!("{} cannot be worked", path.display());
        // As an inbox does: what it would not take is not to be called good.
        if let Some(why) = names::refuse(&name) {
            return Err(why).with_context(cannot);
        }
        let how = How {
            limits: self.inbox.limits,
            profiles: &self.inbox.profiles,
            map: &self.map.map,
            order_prefix: &self.inbox.order_prefix,
            scratch: &self.scratch,
            early: None,
        };
        read(file, &name, how).with_context(cannot)
    }
}

/// The sheets among several that could not be read: the others are looked at all the same.
#[derive(Default)]
pub(super) struct Unread(Vec<anyhow::Error>);

impl Unread {
    /// Notes one; gives why as it is told.
    pub(super) fn note(&mut self, error: anyhow::Error) -> String {
        let why = format!("{error:#}");
        self.0.push(error);
        why
    }

    /// What comes of the whole: a sheet that could not be read outranks whatever is to be said of the others.
    pub(super) fn end(mut self, otherwise: Exit) -> anyhow::Result<Exit> {
        match self.0.len() {
            0 => Ok(otherwise),
            1 => Err(self.0.remove(0)),
            _ => {
                let told: Vec<String> = self.0.iter().map(|error| format!("{error:#}")).collect();
                anyhow::bail!("{}", told.join("\n"))
            }
        }
    }
}

impl Memory for Preview {
    fn find(&self, sent_id: &str, sheet_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        let Some((ledger, account)) = self.in_ledger()? else {
            return Ok(None);
        };
        ledger.read(|store| store.find_either(account, sent_id, (&self.inbox.name, sheet_id)))
    }

    fn written_with_more(&self, sheet_id: &str) -> Result<Vec<OrderRecord>, LedgerError> {
        let Some((ledger, _)) = self.in_ledger()? else {
            return Ok(Vec::new());
        };
        ledger.read(|store| self.marked.with_more(store, (&self.inbox.name, sheet_id)))
    }

    fn written_otherwise(&self, sheet_id: &str, order_prefix: &str) -> Result<Vec<OrderRecord>, LedgerError> {
        let Some((ledger, _)) = self.in_ledger()? else {
            return Ok(Vec::new());
        };
        let ids = (&*self.inbox.name, sheet_id);
        ledger.read(|store| self.unplain.written_otherwise(store, ids, order_prefix))
    }

    fn called_any(&self, sheet_ids: &[String]) -> Result<Vec<OrderRecord>, LedgerError> {
        let Some((ledger, _)) = self.in_ledger()? else {
            return Ok(Vec::new());
        };
        ledger.read(|store| store.called_any(&self.inbox.name, sheet_ids))
    }

    fn sent_as(&self, sent_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        let Some((ledger, account)) = self.in_ledger()? else {
            return Ok(None);
        };
        ledger.read(|store| store.sent_as(account, sent_id))
    }

    fn made_as(&self, pw_order_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        let Some((ledger, account)) = self.in_ledger()? else {
            return Ok(None);
        };
        ledger.read(|store| {
            let known = store.holder(account, pw_order_id)?;
            known.map_or(Ok(None), |known| store.order(known))
        })
    }

    fn namesake(&self, sent_id: &str, sheet_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        let Some((ledger, account)) = self.in_ledger()? else {
            return Ok(None);
        };
        ledger.read(|store| store.namesake(account, sent_id, (&self.inbox.name, sheet_id)))
    }

    fn stem(&self, claim: ClaimRef, told_in: Option<ClaimRef>) -> Result<Option<String>, LedgerError> {
        match self.in_ledger()? {
            None => Ok(None),
            Some((ledger, _)) => ledger.read(|store| store.stem_in(claim, told_in)),
        }
    }

    fn listed(&self, order_id: &str) -> Result<Vec<ListedRecord>, LedgerError> {
        match self.in_ledger()? {
            None => Ok(Vec::new()),
            Some((ledger, account)) => ledger.read(|store| store.listed(account, order_id)),
        }
    }

    fn at_service(&self, order: &Order, sheet_id: &str) -> Result<Vec<ListedRecord>, LedgerError> {
        match self.in_ledger()? {
            None => Ok(Vec::new()),
            Some((ledger, account)) => ledger.read(|store| store.at_service(account, order, sheet_id)),
        }
    }

    fn left_there(&self, order: &OrderRecord) -> Result<Vec<ListedRecord>, LedgerError> {
        match self.in_ledger()? {
            None => Ok(Vec::new()),
            Some((ledger, _)) => ledger.read(|store| store.left_there(order)),
        }
    }

    fn is_elsewhere(&self, order: &OrderRecord) -> Result<bool, LedgerError> {
        Ok(self
            .in_ledger()?
            .is_some_and(|(_, account)| order.account != account))
    }

    // A preview is of no taken sheet: it waits for none.
    fn is_behind(&self, _claim: ClaimRef) -> Result<bool, LedgerError> {
        Ok(false)
    }

    fn said_of(&self, sent_id: &str, before: Option<ClaimRef>) -> Result<Option<Outcome>, LedgerError> {
        let Some((ledger, account)) = self.in_ledger()? else {
            return Ok(None);
        };
        ledger.read(|store| store.said_of((account, &self.inbox.name), sent_id, before))
    }

    fn is_canceled_ahead(
        &self,
        _sent_id: &str,
        _sheet_id: &str,
        _claim: ClaimRef,
    ) -> Result<bool, LedgerError> {
        Ok(false)
    }
}
