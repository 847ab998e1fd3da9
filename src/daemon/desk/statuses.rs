//! What the orders of a sheet have come to, where no result is written that says it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Desk;
use crate::daemon::DaemonError;
use crate::import::write::LedgerViews;
use crate::ledger::record::ClaimRef;
use crate::ledger::{Ledger, LedgerError, Reader};
use crate::outcome::Status;
use crate::result::ResultError;

impl Desk {
    /// A sheet's orders by status, as the ledger has them now.
    pub(super) async fn statuses(
        self: &Arc<Self>,
        claim: ClaimRef,
    ) -> Result<BTreeMap<Status, u64>, DaemonError> {
        let desk = Arc::clone(self);
        // A large sheet takes seconds.
        let counting = tokio::task::spawn_blocking(move || count(desk.ledger(), claim));
        Ok(counting.await.map_err(|_panic| DaemonError::Panicked)??)
    }
}

/// The same, by a connection of its own: who works orders does not wait for it.
fn count(ledger: &Ledger, claim: ClaimRef) -> Result<BTreeMap<Status, u64>, LedgerError> {
    let reader = Reader::open(ledger.path())?;
    let mut orders = BTreeMap::new();
    for view in LedgerViews::states(&reader, claim) {
        let status = match view {
            Ok(view) if !view.is_of_order() => continue,
            Ok(view) => view.status,
            Err(ResultError::View(error)) => {
                return Err(error.downcast().map_or(LedgerError::Stopped, |error| *error));
            }
            Err(_sheet) => continue,
        };
        *orders.entry(status).or_insert(0) += 1;
    }
    Ok(orders)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;

    use super::*;
    use crate::ledger::record::{NewClaim, Outcome};

    #[test]
    fn who_works_orders_goes_on_while_the_orders_of_a_sheet_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Arc::new(Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap());
        let take = ledger.write_blocking(|store| {
            let account = store.account("main", "https://api.example.com", "shop@example.com")?;
            let claim = store.take(&NewClaim::sample(account, "monday", Timestamp::UNIX_EPOCH))?;
            // More than are read at once.
            for row in 2..1002 {
                store.put_outcome(&Outcome {
                    status: Status::Invalid,
                    ..Outcome::blank(claim, row, format!("1{row}"))
                })?;
            }
            Ok(claim)
        });
        let (counting, claim) = (Arc::clone(&ledger), take.unwrap());
        let (done, is_done) = std::sync::mpsc::channel();
        let counted = ledger.read(|_store| {
            std::thread::spawn(move || done.send(count(&counting, claim).unwrap()));
            Ok(is_done.recv_timeout(Duration::from_secs(30)))
        });
        assert_eq!(
            counted.unwrap(),
            Ok(BTreeMap::from([(Status::Invalid, 1000)])),
            "it waits for the ledger's one reader"
        );
    }
}
