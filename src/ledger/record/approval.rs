//! An order that a person has approved and that is not sent yet.

use super::OrderRef;

/// An approved order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved {
    /// The order.
    pub order: OrderRef,
    /// Which of its holds was approved: one that is held again has to be approved anew.
    pub hold_number: u32,
    /// Its inbox.
    pub inbox: String,
}
