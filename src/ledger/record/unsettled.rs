//! An order of which the fate is not known, in a list of many.

use super::OrderRef;

/// What of such an order tells when it is asked about next, and who waits for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsettled {
    /// The order.
    pub id: OrderRef,
    /// Its inbox.
    pub inbox: String,
    /// How often it was sent.
    pub sends: u32,
    /// The service's id, where one is known.
    pub pw_order_id: Option<String>,
    /// A person has to decide it.
    pub is_for_person: bool,
}
