//! The known orders whose ids may be one in another writing. Of most ids there are dozens of writings, and of most inboxes
//! hardly an order has any but the plain one: it is those few that are looked through.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::ledger::record::OrderRecord;
use crate::ledger::{LedgerError, Store};
use crate::order::{forms_in_inbox, plain_form, writings_in_inbox};

/// Most ids that are read to look through. Of an inbox with more of them, every writing is asked for.
const MOST_READ: u32 = 256;

/// The orders of an inbox whose ids are not in their plain form, read once.
#[derive(Debug, Default)]
pub struct UnplainIds {
    /// Those ids by their plain form; none where there are too many.
    read: OnceCell<Option<HashMap<String, Vec<String>>>>,
}

impl UnplainIds {
    /// The orders whose id in the inbox's sheets may be this one: in another writing, behind the inbox's prefix, or with it.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn written_otherwise(
        &self,
        store: &Store<'_>,
        (inbox, sheet_id): (&str, &str),
        order_prefix: &str,
    ) -> Result<Vec<OrderRecord>, LedgerError> {
        let writings = || writings_in_inbox(sheet_id, order_prefix);
        let Some(unplain) = self.read(store, inbox)? else {
            return store.called_any(inbox, &writings());
        };
        let mut ids = forms_in_inbox(sheet_id, order_prefix);
        let found = ids.iter().filter_map(|form| unplain.get(form)).flatten();
        let found: Vec<String> = found.cloned().collect();
        ids.extend(found);
        ids.retain(|id| id != sheet_id);
        let mut orders = store.called_any(inbox, &ids)?;
        if !orders.is_empty() {
            // More is read of what stands beside an id than is looked for.
            let writings = writings();
            orders.retain(|order| writings.contains(&order.sheet_order_id));
        }
        Ok(orders)
    }

    fn read(
        &self,
        store: &Store<'_>,
        inbox: &str,
    ) -> Result<Option<&HashMap<String, Vec<String>>>, LedgerError> {
        if let Some(known) = self.read.get() {
            return Ok(known.as_ref());
        }
        let by_form = |ids: Vec<String>| {
            let mut by_form: HashMap<String, Vec<String>> = HashMap::new();
            for id in ids {
                by_form.entry(plain_form(&id)).or_default().push(id);
            }
            by_form
        };
        let read = store.called_unplain(inbox, MOST_READ)?.map(by_form);
        Ok(self.read.get_or_init(|| read).as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{BootTime, Now};
    use crate::ledger::Ledger;
    use crate::ledger::record::{NewClaim, NewOrder};
    use crate::money::Money;

    const KNOWN: [&str; 12] = [
        "1001",
        "777",
        "00777",
        "po-1",
        "PO-2",
        "Order 1002",
        "Dec-45",
        "(1003)",
        "S-1004",
        "40,011",
        "A\u{2013}9",
        "1005'",
    ];

    /// A ledger that knows orders under these ids, and so many more in small letters.
    fn book(more: u32) -> (tempfile::TempDir, Ledger) {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let boot = BootTime {
            id: "boot".into(),
            millis: 0,
        };
        let wall = jiff::Timestamp::UNIX_EPOCH;
        let now = Now { wall, boot };
        let written = ledger.write_blocking(move |store| {
            let account = store.account("main", "https://api.example.com", "shop@example.com")?;
            let claim = store.take(&NewClaim::sample(account, "monday", now.wall))?;
            let more = (0..more).map(|n| format!("web-{n}"));
            KNOWN
                .into_iter()
                .map(str::to_owned)
                .chain(more)
                .try_for_each(|id| {
                    let new = NewOrder::sample((account, claim), &id, Money::ZERO);
                    store.intend(&new, &now).map(drop)
                })
        });
        written.unwrap();
        (folder, ledger)
    }

    fn ids(orders: Vec<OrderRecord>) -> Vec<String> {
        orders.into_iter().map(|order| order.sheet_order_id).collect()
    }

    #[test]
    fn what_is_looked_through_is_what_is_found_by_asking_for_every_writing() {
        for (more, are_few) in [(0, true), (MOST_READ, false)] {
            let (_folder, ledger) = book(more);
            let read = ledger
                .read(|store| store.called_unplain("main", MOST_READ))
                .unwrap();
            assert_eq!(read.is_some(), are_few);
            let mut found = 0;
            for (id, prefix) in [
                ("1001", ""),
                ("1001.", ""),
                ("777", ""),
                ("0777", ""),
                ("PO-1", ""),
                ("po\u{2013}2", ""),
                ("1002", ""),
                ("12-45", ""),
                ("1003", ""),
                ("#1003", ""),
                ("1004", "S-"),
                ("s-1001", "S-"),
                ("S-40011", "S-"),
                ("40011", ""),
                ("a-9", ""),
                ("1005", ""),
                ("Order 1005", ""),
                ("WEB-7", ""),
                ("9999", ""),
                ("S-9999", "S-"),
            ] {
                let of =
                    |store: &Store<'_>| UnplainIds::default().written_otherwise(store, ("main", id), prefix);
                let of = ids(ledger.read(of).unwrap());
                let asked = ledger.read(|store| store.called_any("main", &writings_in_inbox(id, prefix)));
                assert_eq!(of, ids(asked.unwrap()), "{id} {prefix}");
                found += of.len();
            }
            assert!(found > 15, "{found}");
        }
    }
}
