//! What the ledger remembers of the orders of one inbox, as its sheets are judged by it.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::decide::Memory;
use super::unplain::UnplainIds;
use crate::ledger::record::{AccountRef, ClaimRef, ListedRecord, OrderRecord, Outcome};
use crate::ledger::{LedgerError, Store};
use crate::order::{Order, ids_beside_a_mark};

/// What the ledger remembers for one inbox.
pub(super) struct Ledgered<'a> {
    pub(super) store: &'a Store<'a>,
    account: AccountRef,
    inbox: &'a str,
    marked: MarkedIds,
    unplain: UnplainIds,
}

impl<'a> Ledgered<'a> {
    /// What it remembers now.
    pub(super) fn new(store: &'a Store<'a>, account: AccountRef, inbox: &'a str) -> Self {
        Self {
            store,
            account,
            inbox,
            marked: MarkedIds::default(),
            unplain: UnplainIds::default(),
        }
    }
}

impl Memory for Ledgered<'_> {
    fn find(&self, sent_id: &str, sheet_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        self.store
            .find_either(self.account, sent_id, (self.inbox, sheet_id))
    }

    fn written_with_more(&self, sheet_id: &str) -> Result<Vec<OrderRecord>, LedgerError> {
        self.marked.with_more(self.store, (self.inbox, sheet_id))
    }

    fn written_otherwise(&self, sheet_id: &str, order_prefix: &str) -> Result<Vec<OrderRecord>, LedgerError> {
        let ids = (self.inbox, sheet_id);
        self.unplain.written_otherwise(self.store, ids, order_prefix)
    }

    fn called_any(&self, sheet_ids: &[String]) -> Result<Vec<OrderRecord>, LedgerError> {
        self.store.called_any(self.inbox, sheet_ids)
    }

    fn sent_as(&self, sent_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        self.store.sent_as(self.account, sent_id)
    }

    fn made_as(&self, pw_order_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        let known = self.store.holder(self.account, pw_order_id)?;
        known.map_or(Ok(None), |known| self.store.order(known))
    }

    fn namesake(&self, sent_id: &str, sheet_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        self.store.namesake(self.account, sent_id, (self.inbox, sheet_id))
    }

    fn stem(&self, claim: ClaimRef, told_in: Option<ClaimRef>) -> Result<Option<String>, LedgerError> {
        self.store.stem_in(claim, told_in)
    }

    fn listed(&self, order_id: &str) -> Result<Vec<ListedRecord>, LedgerError> {
        self.store.listed(self.account, order_id)
    }

    fn at_service(&self, order: &Order, sheet_id: &str) -> Result<Vec<ListedRecord>, LedgerError> {
        self.store.at_service(self.account, order, sheet_id)
    }

    fn left_there(&self, order: &OrderRecord) -> Result<Vec<ListedRecord>, LedgerError> {
        self.store.left_there(order)
    }

    fn is_elsewhere(&self, order: &OrderRecord) -> Result<bool, LedgerError> {
        Ok(order.account != self.account)
    }

    fn is_behind(&self, claim: ClaimRef) -> Result<bool, LedgerError> {
        self.store.is_behind(self.account, self.inbox, claim)
    }

    fn said_of(&self, sent_id: &str, before: Option<ClaimRef>) -> Result<Option<Outcome>, LedgerError> {
        self.store.said_of((self.account, self.inbox), sent_id, before)
    }

    fn is_canceled_ahead(&self, sent_id: &str, sheet_id: &str, claim: ClaimRef) -> Result<bool, LedgerError> {
        let (store, account) = (self.store, self.account);
        let wish = store.canceled_ahead(account, sent_id, (self.inbox, sheet_id), claim)?;
        Ok(wish.is_some())
    }
}

/// The orders of an inbox whose ids have words before or behind them. An index finds what stands behind an id; those with
/// words before are few, and are read once.
#[derive(Debug, Default)]
pub struct MarkedIds {
    before: OnceCell<Before>,
}

/// The ids with words before them.
#[derive(Debug)]
struct Before {
    /// By the ids that they may be.
    read: HashMap<String, Vec<String>>,
    /// How those begin of which there are too many to read.
    beginnings: Vec<String>,
}

impl Before {
    /// The ids, with words before it, that may be this one.
    fn of(&self, sheet_id: &str) -> Vec<String> {
        let read = self.read.get(sheet_id).into_iter().flatten().cloned();
        let unread = self.beginnings.iter().map(|begin| format!("{begin}{sheet_id}"));
        read.chain(unread).collect()
    }
}

impl MarkedIds {
    /// The orders whose id in the inbox's sheets may be this one with words before or behind it.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn with_more(
        &self,
        store: &Store<'_>,
        (inbox, sheet_id): (&str, &str),
    ) -> Result<Vec<OrderRecord>, LedgerError> {
        let mut found = store.called_with_more(inbox, sheet_id)?;
        let before = self.before(store, inbox)?.of(sheet_id);
        found.extend(store.called_any(inbox, &before)?);
        Ok(found)
    }

    fn before(&self, store: &Store<'_>, inbox: &str) -> Result<&Before, LedgerError> {
        if let Some(known) = self.before.get() {
            return Ok(known);
        }
        let mut read: HashMap<String, Vec<String>> = HashMap::new();
        let (ids, beginnings) = store.called_behind_words(inbox)?;
        for written in ids {
            for id in ids_beside_a_mark(&written) {
                read.entry(id).or_default().push(written.clone());
            }
        }
        Ok(self.before.get_or_init(|| Before { read, beginnings }))
    }
}
