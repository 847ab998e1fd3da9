//! The catalog that a sheet is checked against, and the wait for one where there is none at all.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;

use super::turns::Turn;
use super::{ImportError, Importer};
use crate::catalog::Snapshot;
use crate::catalog::cache::CacheError;
use crate::finding::Code;
use crate::refresh::{Catalog, CatalogError, Served};
use crate::service::{Failure, Verdict};
use crate::submit::Blocked;

impl Importer {
    /// Why a sheet waits that has waited for minutes: as a code and a sentence for the merchant.
    ///
    /// # Errors
    /// The catalog's cache cannot be read.
    pub fn waits_for(&self, blocked: &Blocked) -> Result<(Code, String), CacheError> {
        let told = blocked.told(&self.zone);
        let has_catalog = self.catalog.kept()?.is_some();
        Ok(if has_catalog { told } else { without_catalog(told) })
    }

    /// The catalog for these SKUs; in the inner error, why the sheet has to wait for one.
    pub(super) async fn served(
        &self,
        skus: &BTreeSet<String>,
        turn: Option<&Turn>,
    ) -> Result<Result<Served, (Code, String)>, ImportError> {
        // A cached catalog serves while the service is away, so that the first look waits for nobody.
        let mut permit = self.submitter.health.permit_at_once();
        let served = loop {
            let failure = match served_for(
                &self.catalog,
                skus,
                self.submitter.now().wall,
                self.catalog_max_age,
            )
            .await
            {
                Ok(served) => break served,
                Err(CatalogError::Away(failure)) => failure,
                Err(error) => return Err(ImportError::Catalog(error)),
            };
            // Without any catalog nothing can be checked: everybody waits for the service together. One that is
            // refused is asked for again after a pause, as one that does not come.
            let verdict = if failure.verdict == Verdict::Refused {
                Verdict::Unknown
            } else {
                failure.verdict
            };
            permit.note(Some(&Failure { verdict, ..failure }));
            if let Some(turn) = turn {
                turn.rest();
            }
            permit = match self.submitter.health.permit().await {
                Ok(permit) => permit,
                Err(blocked) => return Ok(Err(without_catalog(blocked.told(&self.zone)))),
            };
        };
        if let Some(turn) = turn {
            turn.work();
        }
        Ok(Ok(served))
    }
}

/// Why a sheet waits for whose orders there is no catalog: while the service is only away, more than their create waits
/// for it. What else is said of the service stays, for it needs a person.
fn without_catalog((code, why): (Code, String)) -> (Code, String) {
    let code = if code == Code::ServiceAway {
        Code::CatalogMissing
    } else {
        code
    };
    (code, why)
}

/// The products that these SKUs are of.
pub(super) fn products_of(skus: &BTreeSet<String>, snapshot: &Snapshot) -> BTreeSet<String> {
    let entries = skus.iter().filter_map(|sku| snapshot.entry(sku));
    entries.map(|entry| entry.product_code.clone()).collect()
}

/// The catalog by its age; asked for once more where a SKU is unknown, with the details of the products meant.
pub async fn served_for(
    catalog: &Catalog,
    skus: &BTreeSet<String>,
    now: Timestamp,
    max_age: Duration,
) -> Result<Served, CatalogError> {
    let mut served = catalog.snapshot(now, max_age).await?;
    if skus.iter().any(|sku| served.snapshot.entry(sku).is_none()) {
        served = catalog.snapshot_since(now, now).await?;
    }
    let products = products_of(skus, &served.snapshot);
    let snapshot = catalog.with_details(&products, now, max_age).await?;
    Ok(Served {
        snapshot,
        old: served.old,
    })
}
