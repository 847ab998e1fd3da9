//! What is sent of an order, and a hash of each of its fields: apart from the order, for the one is erased when that is
//! final, and the other is next to never read.

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Params, params, params_from_iter};

use super::{Store, millis, to_json};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{NewOrder, OrderRef};
use crate::reconcile::Signature;

/// Both as JSON: made before the order itself is written, so that nothing can fail in between.
pub(super) struct Apart {
    content: String,
    hashes: String,
}

impl Apart {
    pub(super) fn of(new: &NewOrder) -> Result<Self, LedgerError> {
        Ok(Self {
            content: to_json(&new.content)?,
            hashes: to_json(&new.fingerprint.fields)?,
        })
    }
}

impl Store<'_> {
    /// Writes what is sent of an order and the hashes of its fields, in the place of what they were before.
    pub(super) fn put_content(&self, id: OrderRef, apart: &Apart) -> Result<(), LedgerError> {
        self.run(
            "write an order's hashes",
            "INSERT INTO field_hash (order_id, hashes) VALUES (?1, ?2)
             ON CONFLICT DO UPDATE SET hashes = excluded.hashes",
            params![id.0, apart.hashes],
        )?;
        self.run(
            "write an order's content",
            "INSERT INTO content (order_id, json) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET json = excluded.json",
            params![id.0, apart.content],
        )?;
        Ok(())
    }

    /// Erases it, when that is final.
    pub(super) fn erase_content_of(&self, id: OrderRef) -> Result<(), LedgerError> {
        let sql = "DELETE FROM content WHERE order_id = ?1";
        self.run("erase an order's content", sql, [id.0]).map(drop)
    }

    /// Erases the content of orders that were refused or given up before a moment: dropped again they are taken anew
    /// from the sheet. Of so many at most; gives of how many.
    pub fn erase_content(&self, before: Timestamp, most: u32) -> Result<usize, LedgerError> {
        self.run(
            "erase old content",
            "DELETE FROM content WHERE order_id IN
                 (SELECT id FROM orders INDEXED BY orders_ended_badly
                  WHERE (state = 'refused' OR state = 'abandoned') AND changed_at < ?1
                    AND EXISTS (SELECT 1 FROM content WHERE content.order_id = orders.id) LIMIT ?2)",
            params![millis(before), most],
        )
    }
}

/// What is written of an order's content, as `?1` to `?12`, and what follows it.
pub(super) fn filled<const N: usize>(
    new: &NewOrder,
    now: &Now,
    more: [Value; N],
) -> Result<impl Params, LedgerError> {
    let shop_order = Some(&new.at_shop.order).filter(|order| !order.is_empty());
    let shop_items = Some(&new.at_shop.items).filter(|items| !items.is_empty());
    let content: [Value; 12] = [
        new.account.0.into(),
        new.content.order_id.clone().into(),
        new.inbox.clone().into(),
        new.sheet_order_id.clone().into(),
        new.claim.0.into(),
        new.fingerprint.whole.clone().into(),
        to_json(&Signature::of(&new.content))?.into(),
        new.content.ship_to.country_code.clone().into(),
        new.quote.as_ref().map(to_json).transpose()?.into(),
        millis(now.wall).into(),
        shop_order.cloned().into(),
        shop_items.map(to_json).transpose()?.into(),
    ];
    Ok(params_from_iter(content.into_iter().chain(more)))
}
