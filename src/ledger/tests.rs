//! The ledger's own promises. What the transition function allows is tested beside it.

mod answers;
mod audits;
mod backups;
mod browsing;
mod cut;
mod days;
mod doorbell;
mod forgotten;
mod growth;
mod held;
mod keeping;
mod opening;
mod orders;
mod own_id;
mod reasons;
mod seen;
mod statuses;
mod wishes;
mod writing;

use jiff::Timestamp;

use super::record::{AccountRef, ClaimRef, NewClaim, NewOrder, OrderRecord, OrderRef, Outcome, Purpose};
use super::{Ledger, LedgerError, Store};
use crate::clock::{BootTime, Now};
use crate::money::Money;
use crate::order::Line;
use crate::outcome::Status;
use crate::quote::Quote;

/// A ledger with one account and one taken sheet.
struct Book {
    ledger: Ledger,
    account: AccountRef,
    claim: ClaimRef,
    folder: tempfile::TempDir,
}

/// The accounts of a ledger.
fn accounts(store: &Store<'_>) -> Result<Vec<(AccountRef, String)>, LedgerError> {
    store.accounts()
}

impl Store<'_> {
    /// The order of an account with this id as sent.
    fn find_order(&self, account: AccountRef, order_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        self.find_either(account, order_id, ("", ""))
    }
}

/// A moment, in milliseconds since some other.
fn at(millis: i64) -> Now {
    Now {
        wall: Timestamp::from_millisecond(1_790_000_000_000 + millis).unwrap(),
        boot: boot("boot-1", millis),
    }
}

fn boot(id: &str, millis: i64) -> BootTime {
    BootTime {
        id: id.into(),
        millis,
    }
}

fn sheet(account: AccountRef, stem: &str) -> NewClaim {
    NewClaim::sample(account, stem, at(0).wall)
}

fn quote(total: i64) -> Quote {
    Quote::sample(Money::from_hundredths(total))
}

impl Book {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let (account, claim) = ledger
            .write_blocking(|store| {
                let account = store.account("main", "https://api.example.com", "shop@example.com")?;
                Ok((account, store.take(&sheet(account, "monday"))?))
            })
            .unwrap();
        Self {
            ledger,
            account,
            claim,
            folder,
        }
    }

    /// An order of the sheet, two shirts to the United States.
    fn new_order(&self, order_id: &str) -> NewOrder {
        let whose = (self.account, self.claim);
        let mut new = NewOrder::sample(whose, order_id, Money::from_hundredths(1210));
        new.content.ship_to.name = "Ann Example".to_owned();
        new.content.ship_to.country_code = "US".to_owned();
        new.content.lines = vec![Line {
            item_sku: "TEE-S".to_owned(),
            quantity: 2,
            ..Line::default()
        }];
        new
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        self.ledger.write_blocking(work)
    }

    fn order(&self, id: OrderRef) -> OrderRecord {
        self.ledger.read(|store| store.order(id)).unwrap().unwrap()
    }

    /// Each step of an order's trail: from, to.
    fn trail(&self, id: OrderRef) -> Vec<(String, String)> {
        let events = self.ledger.read(|store| store.events(id)).unwrap();
        events.into_iter().map(|event| (event.old, event.new)).collect()
    }

    fn outcome(&self, first_row: u32, status: Status, order: Option<OrderRef>) -> Outcome {
        Outcome {
            order,
            status,
            ..Outcome::blank(self.claim, first_row, format!("row-{first_row}"))
        }
    }
}
