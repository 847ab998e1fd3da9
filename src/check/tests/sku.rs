//! A SKU that is written otherwise than the catalog writes it.

use super::*;
use crate::order::sku_map::MapLayout;
use crate::order::tests::drafts_of;
use crate::order::{Profiles, SkuMap};

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

#[test]
fn a_sku_that_the_map_has_in_another_writing_is_told_with_that() {
    let header = text_row(1, &["sku", "item_sku"]);
    let columns = MapLayout::read(&header).unwrap();
    let mut map = SkuMap::default();
    map.note(&columns, &text_row(2, &["123", "TEE-CLASSIC-BLK-S"]));
    map.note(&columns, &text_row(3, &["FOX-M", "TEE-CLASSIC-BLK-S"]));
    let found = |sku: &str| {
        let mut draft = drafts(&NATIVE, &[row(&[("item_sku", sku)])]).remove(0);
        draft.map(&map);
        let limits = Limits {
            has_sku_map: true,
            asks_for_skus: true,
            ..Limits::default()
        };
        check(&draft, &catalog(), &limits).findings
    };
    let [damaged] = &found("00123")[..] else {
        panic!("{:?}", found("00123"))
    };
    assert_eq!(damaged.code, Code::UnknownSku);
    assert_eq!(
        damaged.message,
        "`00123` is not in the catalog, and the SKU map has it neither; row 2 of that has `123`."
    );
    assert!(
        damaged.hint.starts_with(
            "If `123` is this one, as a spreadsheet has changed it, write `00123` there, in a cell that is text. Else: Fill in"
        ),
        "{}",
        damaged.hint
    );
    let other = found("foxm").remove(0);
    assert!(
        other.message.contains("row 3 of that has `FOX-M`"),
        "{}",
        other.message
    );
    let unlike = found("00124").remove(0);
    assert_eq!(unlike.message, "`00124` is not in the catalog.");
    assert_eq!(found("fox-m"), [], "the map has it");
}

#[test]
fn what_stands_for_a_sku_is_told_with_the_cells_that_it_stands_in() {
    let names = "Sale Date,Item Name,Quantity,Transaction ID,Listing ID,Date Paid,Date Shipped,Ship Name,Order ID,Variations,SKU";
    let told = |listing: &str, variations: &str, sku: &str| {
        let cells = [
            "11/20/26",
            "Fox",
            "1",
            "4",
            listing,
            "11/20/2026",
            "",
            "Ada",
            "3",
            variations,
            sku,
        ];
        let layout = Profiles::default()
            .layout(&text_row(1, &names.split(',').collect::<Vec<_>>()))
            .unwrap();
        let draft = drafts_of(layout, &[text_row(2, &cells)]).remove(0);
        let found = check(&draft, &catalog(), &Limits::default()).findings;
        let mut found = found.into_iter();
        let found = found.find(|finding| finding.code == Code::UnknownSku).unwrap();
        (found.cell().unwrap().to_string(), found.message)
    };
    for (listing, variations, sku, message) in [
        (
            "111222333",
            "",
            "",
            "The SKU is blank, and what stands for it in E2, `111222333` is not in the catalog.",
        ),
        (
            "111222333",
            "Size:S",
            "",
            "The SKU is blank, and what stands for it in E2 and J2, `111222333 / Size:S` is not in the catalog.",
        ),
        ("111222333", "", "FOX", "`FOX` is not in the catalog."),
    ] {
        let message = message.to_owned();
        assert_eq!(told(listing, variations, sku), ("K2".to_owned(), message));
    }
}
