//! The ledger's own promises. What the transition function allows is tested beside it.

mod answers;
mod audits;
mod browsing;
mod days;
mod doorbell;
mod forgotten;
mod growth;
mod held;
mod keeping;
mod opening;
mod orders;
mod seen;
mod statuses;
mod wishes;
mod writing;

use jiff::Timestamp;

use super::record::{
    AccountRef, AtShop, ClaimRef, NewClaim, NewOrder, OrderRecord, OrderRef, Outcome, Purpose,
};
use super::{Ledger, LedgerError, Store};
use crate::clock::{BootTime, Now};
use crate::money::Money;
use crate::order::{Fingerprint, Line, Order, ShipTo};
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
    NewClaim {
        account,
        inbox: "main".to_owned(),
        purpose: Purpose::Send,
        place: format!("/orders/inbox/{stem}.csv"),
        sheet_name: format!("{stem}.csv"),
        stem: stem.to_owned(),
        hash: "0".repeat(64),
        stamp: "1 2 3".to_owned(),
        taken_at: at(0).wall,
        out_path: None,
    }
}

fn quote(total: i64) -> Quote {
    Quote {
        base_fee: Money::from_hundredths(total),
        shipping_fee: Money::ZERO,
        tax_fee: Money::ZERO,
        discount: Money::ZERO,
        shipping_discount: Money::ZERO,
        total: Money::from_hundredths(total),
        lines: vec![None],
    }
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
        let ship_to = ShipTo {
            name: "Ann Example".to_owned(),
            country_code: "US".to_owned(),
            ..ShipTo::default()
        };
        let line = Line {
            item_sku: "TEE-S".to_owned(),
            quantity: 2,
            ..Line::default()
        };
        NewOrder {
            account: self.account,
            inbox: "main".to_owned(),
            sheet_order_id: order_id.to_owned(),
            claim: self.claim,
            fingerprint: Fingerprint {
                whole: "1:a".to_owned(),
                fields: Vec::new(),
            },
            content: Order {
                order_id: order_id.to_owned(),
                ship_to,
                shipping_service: None,
                lines: vec![line],
                expected_total: None,
            },
            quote: Some(quote(1210)),
            at_shop: AtShop::default(),
        }
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
