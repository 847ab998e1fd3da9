//! Orders that their shop has canceled since the ledger knows them, as a later sheet says.

use jiff::Timestamp;
use rusqlite::params;

use super::find::order;
use super::{Store, get, millis, moment};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, CanceledInShop, OrderRecord, OrderRef, Outcome};
use crate::ledger::state::State;
use crate::quote::Hold;

/// Whether the findings of an outcome tell by their code that its order is canceled in the shop. They are read of rows that are
/// `changed` alone, of which there are few.
macro_rules! in_shop {
    () => {
        "EXISTS (SELECT 1 FROM json_each(findings) WHERE json_extract(value, '$.code') = 'canceled-in-shop')"
    };
}
pub(super) use in_shop;

impl Store<'_> {
    /// The orders that are at the service, or may be, of which a sheet taken since a moment said that the shop has canceled
    /// them, and no later one said anything; eldest sheet first. Each once, in however many rows its sheet marks it.
    pub fn canceled_in_shop(&self, since: Timestamp, most: u32) -> Result<Vec<CanceledInShop>, LedgerError> {
        let sql = concat!(
            "SELECT claim.account_id, claim.inbox, sheet_name, stem, taken_at, own.order_id,
                    coalesce(known.pw_order_id, own.pw_order_id) AS pw_order_id
             FROM claim INDEXED BY claim_taken CROSS JOIN outcome AS own INDEXED BY outcome_to_fix
                  ON own.claim_id = claim.id AND own.order_ref IS NULL
             LEFT JOIN orders AS known ON known.account_id = claim.account_id AND known.order_id = own.order_id
             WHERE purpose = 'send' AND claim.state = 'done' AND taken_at >= ?1 AND own.status = 'changed' AND ",
            in_shop!(),
            " AND coalesce(known.state, 'created') IN ('created', 'sending', 'unresolved') AND NOT ",
            mended!(),
            " GROUP BY claim.id, own.order_id ORDER BY claim.id, min(first_row) LIMIT ?2"
        );
        self.all(
            "list orders canceled in the shop",
            sql,
            params![millis(since), most],
            |row| {
                Ok(CanceledInShop {
                    account: AccountRef(get(row, "account_id")?),
                    inbox: get(row, "inbox")?,
                    sheet_name: get(row, "sheet_name")?,
                    stem: get(row, "stem")?,
                    taken_at: moment(row, "claim", "taken_at")?,
                    order_id: get(row, "order_id")?,
                    pw_order_id: get(row, "pw_order_id")?,
                })
            },
        )
    }

    /// Whether a later sheet than an order's own says that its shop has canceled it, and no sheet after that one has it as an
    /// order again.
    pub fn is_canceled_in_shop(&self, known: &OrderRecord) -> Result<bool, LedgerError> {
        if self.is_called_off(known)? {
            return Ok(true);
        }
        let sql = concat!(
            "SELECT 1 FROM outcome AS own JOIN claim ON claim.id = own.claim_id
             WHERE own.order_ref IS NULL AND own.order_id = ?1 AND own.claim_id > ?2 AND claim.account_id = ?3
                 AND purpose = 'send' AND own.status = 'changed' AND ",
            in_shop!(),
            " AND NOT ",
            mended!(),
            " LIMIT 1"
        );
        let asked = params![known.order_id, known.claim.0, known.account.0];
        let found = self.one(
            "look whether an order is canceled in the shop",
            sql,
            asked,
            |_row| Ok(()),
        )?;
        Ok(found.is_some())
    }

    /// The order of another sheet that a row speaks of which follows none: of an older one, or of one that has taken it anew
    /// since.
    pub fn spoken_of(&self, outcome: &Outcome) -> Result<Option<OrderRecord>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            order_columns!(),
            " FROM orders WHERE account_id = (SELECT account_id FROM claim WHERE id = ?1) AND order_id = ?2
                 AND claim_id <> ?1"
        );
        self.one(
            "find the order that is spoken of",
            sql,
            params![outcome.claim.0, outcome.order_id],
            order,
        )
    }

    /// Holds an order for another reason besides; an approval that did not know of it is taken back. Nothing is done with
    /// one that is not held, or was held for that before.
    pub fn hold_besides(&self, id: OrderRef, hold: Hold, now: &Now) -> Result<(), LedgerError> {
        let held = self.order(id)?.filter(|order| order.state == State::Held);
        let Some(order) = held.filter(|order| !order.holds.contains(&hold)) else {
            return Ok(());
        };
        let mut holds = order.holds;
        holds.push(hold);
        self.hold_again((id, order.hold_number), &holds, None, now)
    }
}
