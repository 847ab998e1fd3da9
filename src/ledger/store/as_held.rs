//! Orders as they were held, and shown to a person: what the cells of a held sheet say.

use jiff::Timestamp;

use super::{Store, count};
use crate::ledger::LedgerError;
use crate::ledger::record::{HoldKey, ListedRecord, OrderRecord};
use crate::ledger::state::State;
use crate::money::Money;
use crate::quote::Hold;
use crate::reconcile::Signature;

/// An order as it was held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsHeld {
    /// Its id as in the sheet.
    pub order_id: String,
    /// What the service asks for it.
    pub total: Option<Money>,
    /// What it holds, and where it goes.
    pub signature: Signature,
    /// ISO 3166-1 alpha-2.
    pub country_code: String,
    /// Why it is held.
    pub holds: Vec<Hold>,
    /// Since when.
    pub held_at: Option<Timestamp>,
    /// Its first row in the sheet that it is held with.
    pub first_row: Option<u32>,
    /// What the service has of it already, made by somebody else: its ids there.
    pub there: Vec<String>,
}

impl Store<'_> {
    /// What a key names, as it is held; none where it waits for nobody, or was held again since.
    pub fn held_by(&self, key: &HoldKey) -> Result<Option<AsHeld>, LedgerError> {
        let waits = |order: &OrderRecord| {
            let is_decided = order.state != State::Held || order.approved_total.is_some();
            !is_decided && order.hold_number == key.hold_number
        };
        let order = self.order(key.order)?.filter(waits);
        order.map(|order| self.as_held(&order)).transpose()
    }

    /// An order as it is held.
    pub(super) fn as_held(&self, order: &OrderRecord) -> Result<AsHeld, LedgerError> {
        let sql =
            "SELECT first_row FROM outcome WHERE order_ref = ?1 AND claim_id = ?2 ORDER BY first_row LIMIT 1";
        let row_of = [order.id.0, order.claim.0];
        let first_row = self.one("find a held order's row", sql, row_of, |row| {
            count(row, "first_row")
        })?;
        Ok(AsHeld {
            order_id: order.sheet_order_id.clone(),
            total: order.quote.as_ref().map(|quote| quote.total),
            signature: order.signature.clone(),
            country_code: order.country_code.clone(),
            holds: order.holds.clone(),
            held_at: order.held_at,
            first_row,
            there: Vec::new(),
        })
    }

    /// The same of one that is decided now, with what the service has of it.
    pub(super) fn as_decided(
        &self,
        order: &OrderRecord,
        there: &[ListedRecord],
    ) -> Result<AsHeld, LedgerError> {
        let called = |one: &ListedRecord| one.called(&order.order_id);
        Ok(AsHeld {
            there: there.iter().map(called).collect(),
            ..self.as_held(order)?
        })
    }
}
