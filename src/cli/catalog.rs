//! `dropsheet catalog`: the cached catalog, refreshed, searched and shown. It needs no ledger and no lock; the password
//! is read only where the service is asked.

mod page;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;

use super::args::{self, CatalogCommand};
use super::exit::{Exit, UsageError};
use super::target::target;
use super::{print, shown, work};
use crate::catalog::cache::{Cache, CacheError};
use crate::catalog::changes;
use crate::catalog::{Attribute, Detail, Entry, Location, Snapshot};
use crate::clock::Clock;
use crate::config::{self, Account, Config};
use crate::money::Money;
use crate::refresh::{Catalog, Served};
use crate::{daemon, files, service, template};

/// How many SKUs are suggested for one that is not known.
const SUGGESTED: usize = 5;

/// Does what was asked with the catalog.
pub(super) async fn run(args: &args::Catalog, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let shelf = Shelf::of(&config, args.account.as_deref())?;
    match &args.command {
        CatalogCommand::Refresh {} => shelf.refresh().await,
        CatalogCommand::Search { words, listing } => shelf.search(words, listing.json).await,
        CatalogCommand::Export { out } => shelf.export(out.as_deref()).await,
        CatalogCommand::Show { sku, listing } => shelf.show(sku, listing.json).await,
    }
}

/// The account that is named, else the only one.
fn whose<'a>(config: &'a Config, named: Option<&str>) -> Result<&'a Account, UsageError> {
    match (named, config.accounts.as_slice()) {
        (Some(name), _) => work::account_of(config, name),
        (None, [only]) => Ok(only),
        (None, _several) => Err(UsageError(format!(
            "which account's catalog? Add --account, one of {}",
            work::accounts(config).join(", ")
        ))),
    }
}

/// One account's catalog, on disk and at the service.
pub(super) struct Shelf<'a> {
    config: &'a Config,
    account: &'a Account,
    cache: Arc<Cache>,
    now: Timestamp,
}

/// A SKU as `--json` prints it.
#[derive(Serialize)]
struct Shown<'a> {
    sku: &'a str,
    product_code: &'a str,
    product_name: &'a str,
    title: &'a str,
    variant_id: &'a str,
}

/// A SKU that was searched for, as `--json` prints it.
#[derive(Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    entry: Shown<'a>,
    /// The least that it costs to make; null where no cost is known.
    from: Option<Money>,
}

/// A SKU with all that is known of it, as `--json` prints it.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    entry: Shown<'a>,
    /// The service's own word; null where it says nothing.
    availability: Option<&'a str>,
    /// Null where the product's detail could not be read.
    locations: Option<&'a [Location]>,
    /// Null where the product's detail could not be read.
    attributes: Option<&'a [Attribute]>,
    catalog_read_at: Timestamp,
    /// When the product's detail was read.
    detail_read_at: Option<Timestamp>,
}

impl<'a> Shown<'a> {
    fn of(entry: &'a Entry) -> Self {
        Self {
            sku: &entry.sku,
            product_code: &entry.product_code,
            product_name: &entry.product_name,
            title: &entry.title,
            variant_id: &entry.variant_id,
        }
    }
}

impl<'a> Shelf<'a> {
    /// The catalog of the account that is named, else of the only one.
    pub(super) fn of(config: &'a Config, account: Option<&str>) -> anyhow::Result<Self> {
        Ok(Self {
            account: whose(config, account)?,
            cache: Arc::new(Cache::open(&files::folder_of(&config.ledger).join("catalog.db"))?),
            config,
            now: Clock::system().now().wall,
        })
    }
}

impl Shelf<'_> {
    /// Writes the catalog to a file, by its ending.
    async fn export(&self, out: Option<&Path>) -> anyhow::Result<Exit> {
        let out = target(out, "catalog", &["xlsx", "csv"])?;
        let is_csv = out
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
        let served = self.served().await?;
        if is_csv {
            template::write_csv(&served.snapshot, &out)?;
        } else {
            template::write_workbook(&served.snapshot, &self.config.zone, &out)?;
        }
        print::line(&self.said_of(&served, served.snapshot.entries().len()))?;
        print::line(&format!("wrote {}", out.display()))?;
        Ok(Exit::Done)
    }

    async fn refresh(&self) -> anyhow::Result<Exit> {
        let snapshot = self.refreshed().await?;
        print::line(&format!(
            "The catalog of account {} has {} SKUs of {} products, read {}.",
            self.account.name,
            snapshot.entries().len(),
            products(&snapshot),
            self.moment(snapshot.read_at()),
        ))?;
        if let Some(changed) = changes::sentence(&self.cache.changes(&self.key(), self.now)?) {
            print::line(&format!("Since the refresh before: {changed}."))?;
        }
        Ok(Exit::Done)
    }

    async fn search(&self, words: &[String], json: bool) -> anyhow::Result<Exit> {
        let served = self.served().await?;
        let found: Vec<&Entry> = served.snapshot.search(words).collect();
        if json {
            let shown = |entry| Found {
                entry: Shown::of(entry),
                from: from(entry, &served.snapshot),
            };
            let found: Vec<Found<'_>> = found.into_iter().map(shown).collect();
            print::json(&found)?;
        } else {
            print::text(&listed(&found, &served.snapshot))?;
            print::line(&self.said_of(&served, found.len()))?;
        }
        Ok(Exit::Done)
    }

    async fn show(&self, sku: &str, json: bool) -> anyhow::Result<Exit> {
        let mut served = self.served().await?;
        if served.snapshot.entry(sku).is_none() {
            served = self.newer(served).await;
        }
        let Some(entry) = served.snapshot.entry(sku) else {
            anyhow::bail!("{}", unknown(sku, &served.snapshot));
        };
        let detailed = self.with_detail(&served.snapshot, entry).await;
        let detail = detailed.detail(&entry.sku);
        let catalog_read_at = served.snapshot.read_at();
        let detail_read_at = self.detail_read_at(entry)?.filter(|_| detail.is_some());
        if json {
            print::json(&Whole {
                entry: Shown::of(entry),
                availability: detail.and_then(|detail| detail.availability.as_deref()),
                locations: detail.map(|detail| detail.locations.as_slice()),
                attributes: detail.map(|detail| detail.attributes.as_slice()),
                catalog_read_at,
                detail_read_at,
            })?;
        } else {
            print::text(&page::of(entry, detail))?;
            print::line(&format!("  catalog of    {}", self.moment(catalog_read_at)))?;
            if let Some(read_at) = detail_read_at {
                print::line(&format!("  details of    {}", self.moment(read_at)))?;
            }
        }
        Ok(Exit::Done)
    }

    /// The catalog: from the cache alone while that is young, asked for anew when it is not. While the service cannot
    /// be asked, an older one serves.
    pub(super) async fn served(&self) -> anyhow::Result<Served> {
        let Some(stored) = self.cache.load(&self.key())? else {
            let snapshot = self.refreshed().await?;
            return Ok(Served { snapshot, old: None });
        };
        let is_young = shown::age(stored.read_at, self.now) <= self.config.catalog_max_age;
        let snapshot = Arc::new(Snapshot::new(stored.read_at, stored.entries, stored.details));
        let cached = Served { snapshot, old: None };
        if is_young {
            return Ok(cached);
        }
        match self.at_the_service() {
            Ok(catalog) => Ok(catalog.snapshot(self.now, self.config.catalog_max_age).await?),
            Err(error) => Ok(Served {
                old: Some(format!("The service cannot be asked for a newer one: {error:#}.")),
                ..cached
            }),
        }
    }

    /// The catalog as the service has it now.
    async fn refreshed(&self) -> anyhow::Result<Arc<Snapshot>> {
        let refreshed = self.at_the_service()?.refresh(self.now).await;
        refreshed.map_err(|error| {
            let advice = error
                .failure()
                .map(|failure| work::advice(&self.account.name, failure));
            let error = anyhow::Error::new(error);
            match advice {
                Some(advice) => error.context(advice),
                None => error,
            }
        })
    }

    /// The catalog asked for once more, for a SKU that this one does not have.
    async fn newer(&self, served: Served) -> Served {
        let asked = match self.at_the_service() {
            Ok(catalog) => catalog
                .snapshot_since(self.now, self.now)
                .await
                .map_err(anyhow::Error::from),
            Err(error) => Err(error),
        };
        asked.unwrap_or_else(|error| {
            tracing::warn!("the catalog cannot be refreshed: {error:#}");
            served
        })
    }

    /// The catalog with the detail of an entry's product, as far as that can be had.
    async fn with_detail(&self, snapshot: &Arc<Snapshot>, entry: &Entry) -> Arc<Snapshot> {
        let asked = match self.is_known(snapshot, entry) {
            Ok(true) => return Arc::clone(snapshot),
            Ok(false) => self.asked_for_detail(entry).await,
            Err(error) => Err(error.into()),
        };
        asked.unwrap_or_else(|error| {
            tracing::warn!("the product's detail cannot be read: {error:#}");
            Arc::clone(snapshot)
        })
    }

    /// Whether the detail of an entry's product is known, and no refresh has come since it was read.
    fn is_known(&self, snapshot: &Snapshot, entry: &Entry) -> Result<bool, CacheError> {
        let is_doubted = self.cache.doubted(&self.key())?.contains(&entry.product_code);
        Ok(snapshot.detail(&entry.sku).is_some() && !is_doubted)
    }

    async fn asked_for_detail(&self, entry: &Entry) -> anyhow::Result<Arc<Snapshot>> {
        let product = BTreeSet::from([entry.product_code.clone()]);
        let catalog = self.at_the_service()?;
        let max_age = self.config.catalog_max_age;
        Ok(catalog.with_details(&product, self.now, max_age).await?)
    }

    /// When the detail of an entry's product was read.
    fn detail_read_at(&self, entry: &Entry) -> anyhow::Result<Option<Timestamp>> {
        let stored = self.cache.load(&self.key())?;
        Ok(stored.and_then(|stored| stored.details_read_at.get(&entry.product_code).copied()))
    }

    fn key(&self) -> String {
        service::account_key(&self.account.base_url, &self.account.email)
    }

    /// The way to the service; reads the password.
    fn at_the_service(&self) -> anyhow::Result<Catalog> {
        let client = daemon::client(self.account, &Clock::system()).map_err(work::meaning)?;
        Ok(Catalog::new(
            client,
            Arc::clone(&self.cache),
            self.config.zone.clone(),
        ))
    }

    fn moment(&self, at: Timestamp) -> String {
        let ago = shown::span(shown::age(at, self.now));
        format!("{} ({ago} ago)", shown::moment(at, &self.config.zone))
    }

    fn said_of(&self, served: &Served, found: usize) -> String {
        let of = format!(
            "{found} of {} SKUs, of {}",
            served.snapshot.entries().len(),
            self.moment(served.snapshot.read_at())
        );
        match &served.old {
            None => of,
            Some(why) => format!("{of}. {why}"),
        }
    }
}

fn products(snapshot: &Snapshot) -> usize {
    let codes: BTreeSet<&str> = snapshot
        .entries()
        .iter()
        .map(|entry| entry.product_code.as_str())
        .collect();
    codes.len()
}

/// The least that a SKU costs to make; none where no cost is known.
fn from(entry: &Entry, snapshot: &Snapshot) -> Option<Money> {
    snapshot.detail(&entry.sku).and_then(Detail::lowest_cost)
}

fn listed(found: &[&Entry], snapshot: &Snapshot) -> String {
    if found.is_empty() {
        return String::new();
    }
    let cost = |entry: &Entry| from(entry, snapshot).map_or_else(String::new, |cost| cost.to_string());
    shown::table(
        ["sku", "product", "variant", "from"],
        found.iter().map(|entry| {
            [
                entry.sku.clone(),
                entry.product_name.clone(),
                entry.title.clone(),
                cost(entry),
            ]
        }),
    )
}

fn unknown(sku: &str, snapshot: &Snapshot) -> String {
    let near: Vec<&str> = snapshot
        .nearest(sku, SUGGESTED)
        .into_iter()
        .map(|entry| entry.sku.as_str())
        .collect();
    let advice = if near.is_empty() {
        "`dropsheet catalog search WORD` lists those that have a word".to_owned()
    } else {
        format!("the nearest are {}", near.join(", "))
    };
    format!("the catalog has no SKU `{}`; {advice}", shown::plain(sku))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot() -> Snapshot {
        let entry = |sku: &str| Entry {
            sku: sku.to_owned(),
            product_code: "TEE".to_owned(),
            product_name: "Classic Tee".to_owned(),
            title: "Black / S".to_owned(),
            variant_id: "TEE-1".to_owned(),
        };
        let entries = vec![entry("TEE-BLK-S"), entry("TEE-BLK-M")];
        Snapshot::new(Timestamp::UNIX_EPOCH, entries, Vec::new())
    }

    #[test]
    fn an_unknown_sku_is_answered_with_the_nearest_or_with_the_way_to_search() {
        let near = unknown("TEE-BLK-X", &snapshot());
        assert!(
            near.contains("no SKU `TEE-BLK-X`; the nearest are TEE-BLK-"),
            "{near}"
        );
        let far = unknown("POSTER", &snapshot());
        assert!(far.contains("catalog search WORD"), "{far}");
    }
}
