//! A cancel that is asked for of an order which the ledger does not know yet.

use super::{AccountRef, ClaimRef};

/// A row that asks to cancel an order which an older sheet may still have to send, or that says that its shop has canceled
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelWish {
    /// The sheet that asks. It speaks of older sheets alone.
    pub claim: ClaimRef,
    /// Its row.
    pub first_row: u32,
    /// The account.
    pub account: AccountRef,
    /// The order's id as it would be sent.
    pub order_id: String,
    /// The inbox of the sheet that asks.
    pub inbox: String,
    /// The order's id as in that sheet.
    pub sheet_order_id: String,
    /// Whether it speaks of orders of its own inbox alone, for the row says more than an id. One of the same id in
    /// another inbox may be another order, which is known when it is there.
    pub is_of_its_inbox: bool,
    /// Whether it is the shop's word of an order of its own, and nobody has asked for anything: the order is not sent, and
    /// no cancel is asked of one that may be at the service.
    pub by_shop: bool,
}
