//! Artwork fetched and judged before its order is sent: each link once a sheet, several at a time, from public
//! addresses alone unless the config allows others. A joint: sees the network and the catalog's cache on disk.

mod fetch;
mod public;
mod stalled;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join_all;
use sha2::{Digest, Sha256};
use tokio::sync::{OnceCell, Semaphore};

use crate::artwork::{self, Found, Unit};
use crate::catalog::Snapshot;
use crate::catalog::cache::Cache;
use crate::clock::Clock;
use crate::config;
use crate::files::hex_digest;
use crate::finding::Finding;
use crate::order::Artwork;

pub use fetch::{Fetcher, FetcherError};

/// The artwork of one sheet.
#[derive(Debug)]
pub struct Preflight {
    fetcher: Fetcher,
    unit: Option<Unit>,
    places: Semaphore,
    cache: Arc<Cache>,
    clock: Clock,
    /// What came, by link.
    fetched: Mutex<HashMap<String, Arc<OnceCell<Fetched>>>>,
}

/// What a link gave, and what it gave the last time.
#[derive(Clone, Debug)]
struct Fetched {
    found: Found,
    before: Option<String>,
}

impl Preflight {
    /// A preflight that has fetched nothing yet; what links gave before is in `cache`.
    ///
    /// # Errors
    /// The machine has no certificates, say.
    pub fn new(settings: &config::Preflight, cache: Arc<Cache>, clock: Clock) -> Result<Self, FetcherError> {
        Ok(Self {
            fetcher: Fetcher::new(settings)?,
            unit: settings.unit,
            places: Semaphore::new(settings.at_once.max(1)),
            cache,
            clock,
            fetched: Mutex::default(),
        })
    }

    /// What is to be said of an order's artwork.
    pub async fn findings(&self, artworks: &[Artwork], catalog: &Snapshot) -> Vec<Finding> {
        // One order's links at once; how many are fetched in all is bounded by the places.
        let fetched = join_all(artworks.iter().map(|artwork| self.fetched(&artwork.url))).await;
        let mut findings = Vec::new();
        for (artwork, fetched) in artworks.iter().zip(&fetched) {
            let found = (&fetched.found, fetched.before.as_deref());
            findings.extend(artwork::judge(artwork, found, catalog, self.unit));
        }
        findings
    }

    /// What a link gives, fetched where nobody has yet.
    async fn fetched(&self, url: &str) -> Fetched {
        let cell = self.cell(url);
        cell.get_or_init(async || self.fetch(url).await).await.clone()
    }

    fn cell(&self, url: &str) -> Arc<OnceCell<Fetched>> {
        let mut fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(fetched.entry(url.to_owned()).or_default())
    }

    async fn fetch(&self, url: &str) -> Fetched {
        // Never closed, so there is always a place to wait for.
        let _place = self.places.acquire().await;
        let found = self.fetcher.fetch(url).await;
        let before = match &found {
            Found::File { hash, .. } => self.remember(url, hash.clone()).await,
            Found::TooLarge { .. } | Found::Unreachable(_) => None,
        };
        Fetched { found, before }
    }

    /// Keeps what a link has given; gives what it gave before.
    async fn remember(&self, url: &str, content: String) -> Option<String> {
        let (cache, at) = (Arc::clone(&self.cache), self.clock.now().wall);
        let key = hex_digest(Sha256::digest(url.as_bytes()));
        let kept = tokio::task::spawn_blocking(move || cache.swap_artwork(&key, &content, at)).await;
        match kept {
            Ok(Ok(before)) => before,
            // A cache: without it nothing is known of earlier files, and the order goes on.
            Ok(Err(error)) => {
                tracing::warn!(%error, "what a link gave cannot be remembered");
                None
            }
            Err(error) => {
                tracing::warn!(%error, "what a link gave cannot be remembered");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
