//! Orders at the service that the ledger did not make, written down as soon as a look-up has shown them.

use super::Submitter;
use crate::ledger::LedgerError;
use crate::reconcile::is_same_id;
use crate::service::ListedOrder;
use crate::sync;

impl Submitter {
    /// Writes down those of an order's name at the service that are not the one of it that is known: a person is told of
    /// them by their ids, which the next walk alone would show.
    pub(super) async fn write_others(&self, orders: &[ListedOrder], own: &str) -> Result<(), LedgerError> {
        let others = orders.iter().filter(|one| !is_same_id(&one.pw_order_id, own));
        let others: Vec<ListedOrder> = others.cloned().collect();
        if others.is_empty() {
            return Ok(());
        }
        self.write_listed(&others).await
    }

    /// Writes down orders at the service that the ledger did not make.
    pub(super) async fn write_listed(&self, orders: &[ListedOrder]) -> Result<(), LedgerError> {
        let account = self.account;
        let listed: Vec<_> = orders.iter().map(sync::to_listed).collect();
        self.ledger
            .write(move |store| {
                listed
                    .iter()
                    .try_for_each(|one| store.put_listed(account, one).map(drop))
            })
            .await
    }
}
