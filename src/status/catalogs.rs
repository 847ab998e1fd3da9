//! What has changed in the catalogs lately, for those who order: SKUs that are new, gone or dearer.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::catalog::cache::{Cache, CacheError};
use crate::catalog::changes;
use crate::config::Config;
use crate::files;
use crate::service::account_key;

/// A change is told for so long: somebody who was away for a week reads of it too.
const TOLD_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);

/// What has changed in the catalog of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CatalogNews {
    /// The account.
    pub account: String,
    /// The changes of the last seven days: `2 new (A, B), 1 gone (C)`.
    pub changed: String,
}

/// The news of all accounts; nothing of those whose catalog has not changed.
///
/// # Errors
/// The cache cannot be read.
pub fn news(config: &Config, now: Timestamp) -> Result<Vec<CatalogNews>, CacheError> {
    let path = files::folder_of(&config.ledger).join("catalog.db");
    // Who only looks makes no cache.
    if path.exists() {
        read(&path, config, now)
    } else {
        Ok(Vec::new())
    }
}

fn read(path: &Path, config: &Config, now: Timestamp) -> Result<Vec<CatalogNews>, CacheError> {
    let cache = Cache::open(path)?;
    let since = now.checked_sub(TOLD_FOR).unwrap_or(now);
    let mut news = Vec::new();
    for account in &config.accounts {
        let changed = cache.changes(&account_key(&account.base_url, &account.email), since)?;
        news.extend(changes::sentence(&changed).map(|changed| CatalogNews {
            account: account.name.clone(),
            changed,
        }));
    }
    Ok(news)
}
