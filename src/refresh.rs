//! The catalog that orders are checked against: from the cache while it is young, from the service when it is not,
//! and from the cache again, with a warning, while the service is away. A joint: sees both the disk and the network.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::catalog::cache::{Cache, CacheError, Stored};
use crate::catalog::changes::{self, Change};
use crate::catalog::{Detail, Snapshot};
use crate::clock::moment;
use crate::service::{Client, Failure, Verdict};

/// The most product details that are asked for at once; the client's own limits hold besides.
const DETAILS_AT_ONCE: usize = 8;

/// How long the list is not asked for again after it was not had; each further time twice as long. Every sheet that
/// waits asks at every look.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest of these pauses: two requests a minute while the service is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Details in a row that do not come, after which no more are asked for.
const MOST_UNANSWERED: usize = 4;

/// A product's code and details.
type ProductDetails = (String, Vec<Detail>);

/// The catalog of one account, shared by all its sheets.
#[derive(Debug)]
pub struct Catalog {
    client: Arc<Client>,
    cache: Arc<Cache>,
    /// The zone of shown times.
    zone: TimeZone,
    account: String,
    /// Held while the service is asked, so that it is asked once however many wait.
    known: Mutex<Known>,
}

/// What this process has of the catalog.
#[derive(Debug, Default)]
struct Known {
    snapshot: Option<Arc<Snapshot>>,
    details_read_at: HashMap<String, Timestamp>,
    /// When the list was last asked for, answered or not.
    asked_at: Option<Timestamp>,
    /// Why the list was not had the last time, and the pause that follows.
    failed: Option<(Failure, Pause)>,
    /// The pause after details that did not come.
    details_failed: Option<Pause>,
    /// Why some did not, when they were last asked for.
    details_failure: Option<Failure>,
}

/// A pause after a failure; each further one in a row is twice as long.
#[derive(Clone, Copy, Debug)]
struct Pause {
    until: Instant,
    times: u32,
}

impl Pause {
    fn after(last: Option<Self>) -> Self {
        let times = last.map_or(0, |last| last.times);
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(times.min(16)));
        Self {
            until: Instant::now() + pause.min(LONGEST_PAUSE),
            times: times.saturating_add(1),
        }
    }

    fn is_over(self) -> bool {
        Instant::now() >= self.until
    }
}

/// A catalog to check against.
#[derive(Clone, Debug)]
pub struct Served {
    /// The catalog.
    pub snapshot: Arc<Snapshot>,
    /// Where it is older than it should be: from when it is, and why no newer one could be had, as a sentence for
    /// findings with the code `catalog-old`.
    pub old: Option<String>,
}

/// Products whose details nobody has: what only those tell is not checked.
#[derive(Clone, Debug)]
pub struct Undetailed {
    /// Their codes.
    pub products: BTreeSet<String>,
    /// Why they did not come.
    pub why: Failure,
}

/// Why there is no catalog.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The cache cannot be used.
    #[error(transparent)]
    Cache(CacheError),
    /// None was ever read, and none can be had now.
    #[error("there is no catalog yet, and the service gave none")]
    Away(#[source] Failure),
    /// A newer one was asked for and cannot be had now; the one that was read before is kept.
    #[error("the service gave no newer catalog; the one that was read before stays")]
    NotNewer(#[source] Box<Failure>),
    /// The program ends.
    #[error("reading the catalog was stopped")]
    Stopped(#[source] tokio::task::JoinError),
}

impl CatalogError {
    /// What the service has answered, where that is why.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Away(failure) => Some(failure),
            Self::NotNewer(failure) => Some(failure),
            Self::Cache(_) | Self::Stopped(_) => None,
        }
    }
}

impl Catalog {
    /// The catalog of a client's account; nothing is read yet.
    pub fn new(client: Arc<Client>, cache: Arc<Cache>, zone: TimeZone) -> Self {
        let account = client.account_key();
        Self {
            client,
            cache,
            zone,
            account,
            known: Mutex::default(),
        }
    }

    /// The catalog, asked for anew when it is older than `max_age`. While the service is away an older one serves.
    pub async fn snapshot(&self, now: Timestamp, max_age: Duration) -> Result<Served, CatalogError> {
        let mut known = self.known.lock().await;
        if let Some(snapshot) = self.recalled(&mut known).await?
            && age(snapshot.read_at(), now) <= max_age
        {
            return Ok(Served { snapshot, old: None });
        }
        self.ask_or_serve_old(&mut known, now).await
    }

    /// The catalog for a sheet that names an unknown SKU: asked for anew unless that was tried since `since`, when
    /// the sheet was begun. So a sheet costs one refresh at most, however many SKUs it has wrong.
    pub async fn snapshot_since(&self, since: Timestamp, now: Timestamp) -> Result<Served, CatalogError> {
        let mut known = self.known.lock().await;
        if let Some(snapshot) = self.recalled(&mut known).await?
            && (snapshot.read_at() >= since || known.asked_at.is_some_and(|asked| asked >= since))
        {
            let failed = known.failed.as_ref().map(|(failure, _pause)| failure);
            let failed = failed.filter(|_failure| snapshot.read_at() < since);
            let old = failed.map(|failure| no_newer(&snapshot, failure, &self.zone));
            return Ok(Served { snapshot, old });
        }
        self.ask_or_serve_old(&mut known, now).await
    }

    /// The catalog, asked for anew in any case; so are details from then on, each when it is next needed.
    pub async fn refresh(&self, now: Timestamp) -> Result<Arc<Snapshot>, CatalogError> {
        let mut known = self.known.lock().await;
        let asked = self.ask(&mut known, now).await;
        if asked.is_ok() {
            let account = self.account.clone();
            self.cached(move |cache| cache.doubt_details(&account)).await?;
        }
        match (asked, self.recalled(&mut known).await?) {
            (Err(CatalogError::Away(failure)), Some(_kept)) => Err(CatalogError::NotNewer(Box::new(failure))),
            (asked, _) => asked,
        }
    }

    /// Lets the list be asked for at once though it was not had a moment ago: what stood in the way is mended.
    pub async fn forget_failure(&self) {
        let mut known = self.known.lock().await;
        known.failed = None;
        known.details_failed = None;
    }

    /// Why the catalog is not kept on the disk; none where it is.
    pub fn not_kept(&self) -> Option<String> {
        self.cache.without_file()
    }

    /// The catalog as it was last read: the service is not asked. None where none was ever read; waits for the disk.
    ///
    /// # Errors
    /// The cache cannot be read.
    pub fn kept(&self) -> Result<Option<Arc<Snapshot>>, CacheError> {
        // While somebody asks the service, what is on disk serves: nobody waits for the network here.
        let mut known = self.known.try_lock();
        if let Ok(known) = &known
            && let Some(snapshot) = &known.snapshot
        {
            return Ok(Some(Arc::clone(snapshot)));
        }
        let Some(stored) = self.cache.load(&self.account)? else {
            return Ok(None);
        };
        Ok(Some(match &mut known {
            Ok(known) => known.take(stored),
            Err(_busy) => Known::default().take(stored),
        }))
    }

    /// The catalog with the details of these products, as far as they can be had: those that are missing, doubted or
    /// older than `max_age` are asked for, several at once. A product whose detail cannot be read is left as it is, for
    /// an order can be checked without.
    pub async fn with_details(
        &self,
        products: &BTreeSet<String>,
        now: Timestamp,
        max_age: Duration,
    ) -> Result<Arc<Snapshot>, CatalogError> {
        let mut known = self.known.lock().await;
        let snapshot = match self.recalled(&mut known).await? {
            Some(snapshot) => snapshot,
            None => self.ask(&mut known, now).await?,
        };
        // Another process may have been asked to refresh them.
        let account = self.account.clone();
        let doubted = self.cached(move |cache| cache.doubted(&account)).await?;
        let is_young = |code: &&String| {
            let read_at = known.details_read_at.get(*code);
            !doubted.contains(*code) && read_at.is_some_and(|read_at| age(*read_at, now) <= max_age)
        };
        let wanted: Vec<String> = products.iter().filter(|code| !is_young(code)).cloned().collect();
        if wanted.is_empty() || known.details_failed.is_some_and(|pause| !pause.is_over()) {
            return Ok(snapshot);
        }
        if let Some(failure) = known.is_out_of_reach() {
            known.details_failure = Some(failure);
            return Ok(snapshot);
        }
        let (found, come, failure) = self.details_of(wanted).await?;
        known.details_failed = (!come).then(|| Pause::after(known.details_failed));
        known.details_failure = failure;
        if found.is_empty() {
            return Ok(snapshot);
        }
        let account = self.account.clone();
        let old = Arc::clone(&snapshot);
        self.cached(move |cache| {
            let mut dearer = Vec::new();
            for (code, details) in &found {
                let known = known_of(&old, code, details);
                dearer.extend(changes::of_costs(&known, details));
                cache.put_details(&account, code, now, details)?;
            }
            note(cache, &account, now, &dearer)
        })
        .await?;
        known.snapshot = None;
        match self.recalled(&mut known).await? {
            Some(snapshot) => Ok(snapshot),
            // The cache was lost meanwhile. The details stand in the one that is in its place, without their list.
            None => match self.ask(&mut known, now).await {
                Err(CatalogError::Away(_failure)) => Ok(snapshot),
                asked => asked,
            },
        }
    }

    /// The products of these SKUs whose details could not be had, neither now nor ever before.
    pub async fn undetailed(&self, skus: &BTreeSet<String>) -> Option<Undetailed> {
        let known = self.known.lock().await;
        let (why, snapshot) = (known.details_failure.clone()?, known.snapshot.as_ref()?);
        let products: BTreeSet<String> = skus
            .iter()
            .filter_map(|sku| Some(snapshot.entry(sku)?.product_code.clone()))
            .filter(|code| !known.details_read_at.contains_key(code))
            .collect();
        (!products.is_empty()).then_some(Undetailed { products, why })
    }

    /// Asks for the details of products, and gives those that were answered, whether they do come, and why one did not:
    /// after some in a row that did not, no more are asked for, lest every sheet waits for each of them in vain.
    async fn details_of(
        &self,
        products: Vec<String>,
    ) -> Result<(Vec<ProductDetails>, bool, Option<Failure>), CatalogError> {
        let places = Arc::new(Semaphore::new(DETAILS_AT_ONCE));
        let mut asking = JoinSet::new();
        for code in products {
            let (client, places) = (Arc::clone(&self.client), Arc::clone(&places));
            asking.spawn(async move {
                // Never closed, so there is always a place to wait for.
                let _place = places.acquire().await;
                let details = client.product(&code).await;
                (code, details)
            });
        }
        let mut found = Vec::new();
        let (mut unanswered, mut why) = (0, None);
        while let Some(ended) = asking.join_next().await {
            let (code, answer) = ended.map_err(CatalogError::Stopped)?;
            match answer {
                Ok(details) => {
                    unanswered = 0;
                    found.push((code, details));
                }
                Err(failure) => {
                    tracing::warn!(product = code, %failure, "a product's detail cannot be read");
                    unanswered += usize::from(failure.verdict != Verdict::Refused);
                    why.get_or_insert(failure);
                }
            }
            if unanswered >= MOST_UNANSWERED {
                break;
            }
        }
        let come = unanswered == 0 || (unanswered < MOST_UNANSWERED && !found.is_empty());
        Ok((found, come, why))
    }

    /// Asks for the list; where it cannot be had, the old one serves with a note.
    async fn ask_or_serve_old(&self, known: &mut Known, now: Timestamp) -> Result<Served, CatalogError> {
        let old = known.snapshot.clone();
        let asked = match &known.failed {
            Some((failure, pause)) if !pause.is_over() => Err(CatalogError::Away(failure.clone())),
            _ => self.ask(known, now).await,
        };
        match (asked, old) {
            (Ok(snapshot), _) => Ok(Served { snapshot, old: None }),
            (Err(CatalogError::Away(failure)), Some(snapshot)) => {
                tracing::warn!(%failure, "the catalog cannot be refreshed; an older one serves");
                let old = Some(no_newer(&snapshot, &failure, &self.zone));
                Ok(Served { snapshot, old })
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Asks for the list and caches it.
    async fn ask(&self, known: &mut Known, now: Timestamp) -> Result<Arc<Snapshot>, CatalogError> {
        known.asked_at = Some(now);
        let entries = match self.client.sku_catalog().await {
            Ok(entries) => entries,
            Err(failure) => return Err(CatalogError::Away(known.failed(failure))),
        };
        known.failed = None;
        let account = self.account.clone();
        let stored = self
            .cached(move |cache| {
                // The first list that is ever read is no news.
                let changed = cache
                    .load(&account)?
                    .map_or_else(Vec::new, |old| changes::of_entries(&old.entries, &entries));
                cache.replace_entries(&account, now, &entries)?;
                note(cache, &account, now, &changed)?;
                cache.load(&account)
            })
            .await?;
        Ok(known.take(stored.unwrap_or_else(|| Stored {
            read_at: now,
            entries: Vec::new(),
            details: Vec::new(),
            details_read_at: HashMap::new(),
        })))
    }

    /// What is known already: in memory, else on disk.
    async fn recalled(&self, known: &mut Known) -> Result<Option<Arc<Snapshot>>, CatalogError> {
        if known.snapshot.is_none() {
            let account = self.account.clone();
            if let Some(stored) = self.cached(move |cache| cache.load(&account)).await? {
                known.take(stored);
            }
        }
        Ok(known.snapshot.clone())
    }

    /// Works with the cache on a thread that may wait for the disk.
    async fn cached<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cache) -> Result<T, CacheError> + Send + 'static,
    ) -> Result<T, CatalogError> {
        let cache = Arc::clone(&self.cache);
        tokio::task::spawn_blocking(move || work(&cache))
            .await
            .map_err(CatalogError::Stopped)?
            .map_err(CatalogError::Cache)
    }
}

/// What is known of a product's variants; nothing of those that are another product's: what they cost there is nothing
/// that they have cost here.
fn known_of(old: &Snapshot, product_code: &str, details: &[Detail]) -> Vec<Detail> {
    let own = details.iter().filter(|new| {
        let entry = old.entry(&new.sku);
        entry.is_some_and(|entry| entry.product_code == product_code)
    });
    own.filter_map(|new| old.detail(&new.sku).cloned()).collect()
}

/// Keeps what has changed in the catalog, and logs it.
fn note(cache: &Cache, account: &str, now: Timestamp, changed: &[Change]) -> Result<(), CacheError> {
    let Some(sentence) = changes::sentence(changed) else {
        return Ok(());
    };
    tracing::info!("the catalog has changed: {sentence}");
    cache.note_changes(account, now, changed)
}

impl Known {
    /// Notes that the list was not had.
    fn failed(&mut self, failure: Failure) -> Failure {
        let pause = Pause::after(self.failed.as_ref().map(|(_failure, pause)| *pause));
        self.failed = Some((failure.clone(), pause));
        failure
    }

    /// Why the service is not asked for anything else: it could not even be connected to, a moment ago.
    fn is_out_of_reach(&self) -> Option<Failure> {
        let (failure, pause) = self.failed.as_ref()?;
        let is_now = failure.verdict == Verdict::NotSent && !pause.is_over();
        is_now.then(|| failure.clone())
    }

    fn take(&mut self, stored: Stored) -> Arc<Snapshot> {
        let snapshot = Arc::new(Snapshot::new(stored.read_at, stored.entries, stored.details));
        self.details_read_at = stored.details_read_at;
        self.snapshot = Some(Arc::clone(&snapshot));
        snapshot
    }
}

/// Says of what time the catalog is, and why there is no newer one.
fn no_newer(snapshot: &Snapshot, failure: &Failure, zone: &TimeZone) -> String {
    format!(
        "The catalog is of {}: the service did not give a newer one ({}).",
        moment(snapshot.read_at(), zone),
        failure.detail
    )
}

/// How long ago something was read; a moment still to come, after a clock was set back, counts as long ago.
fn age(read_at: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(read_at)).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests;
