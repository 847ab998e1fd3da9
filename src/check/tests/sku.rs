//! A SKU that is written otherwise than the catalog writes it.

use super::*;

#[test]
fn the_catalogs_own_writing_is_sent() {
    let order = order(&[("item_sku", "tee-classic-blk-s"), ("made_in_location", "LEEDS")]);
    assert_eq!(order.lines[0].item_sku, "TEE-CLASSIC-BLK-S");
    assert_eq!(order.lines[0].made_in_location, "Leeds");
}

#[test]
fn a_sku_with_another_hyphen_is_the_catalogs() {
    let order = order(&[("item_sku", "tee\u{2011}classic\u{2013}blk-s")]);
    assert_eq!(order.lines[0].item_sku, "TEE-CLASSIC-BLK-S");
}
