//! What a sheet tells of an order for the shop's sake: the shop is to be told of its parcels in its own words.

use crate::ledger::record::{AtShop, AtShopItem};
use crate::order::Draft;

/// What the shop calls the order, and those of its lines that it has numbers for.
pub(super) fn at_shop(draft: &Draft) -> AtShop {
    let order = Some(draft.shop_order()).filter(|order| *order != draft.order_id());
    AtShop {
        order: order.unwrap_or_default().to_owned(),
        items: draft
            .shop_lines()
            .map(|(id, quantity)| AtShopItem {
                id: id.to_owned(),
                quantity,
            })
            .collect(),
    }
}
