use super::*;
use crate::order::sku_map::{MapLayout, SkuMap};
use crate::order::tests::{NATIVE, drafts, good, text_row};

/// A good order with these values in place of its own.
fn order(changes: &[(&str, &str)]) -> Draft {
    let mut row = good();
    for (name, text) in changes {
        let at = NATIVE.iter().position(|native| native == name).unwrap();
        row[at] = (*text).to_owned();
    }
    drafts(&NATIVE, &[row]).remove(0)
}

fn with_service(service: &str) -> Draft {
    order(&[("shipping_service", service)])
}

#[test]
fn every_word_for_the_standard_service_is_the_same_content() {
    let blank = Fingerprint::of(&with_service(""));
    for word in ["standard", "Standard Shipping", "NULL", "none"] {
        assert_eq!(Fingerprint::of(&with_service(word)), blank, "{word}");
    }
    let other = Fingerprint::of(&with_service("USGR"));
    assert_eq!(other.differing(&blank), ["shipping_service"]);
}

#[test]
fn an_order_kept_with_a_word_for_the_standard_service_is_the_same_without_it() {
    // With `STANDARD`, and with nothing; made from the definition by another program.
    for kept in [
        "2:93f70ba01f949cc37c7ead949cfa8ab71cc798135260b8125501aafbe549223e",
        "2:b6e8e2bbffa070b4e15385072e761a2fa214c0a0cc009952ac2dcafc40180936",
        "1:74f198d040d6163dc1f190563643460b6bc6503ee04ab4f4ed99b38db11f3153",
        "1:20ecbdecb969128d07d847cadcb9d44eeac06606a47b0da23834c12622ed3aa2",
    ] {
        let like = |draft: &Draft| Fingerprint::like(kept, draft);
        for word in ["", "standard", "null"] {
            assert_eq!(like(&with_service(word)).whole, kept, "{word}");
        }
        assert_ne!(like(&with_service("USGR")).whole, kept);
        let moved = order(&[("shipping_city", "Albany"), ("shipping_service", "null")]);
        assert_ne!(like(&moved).whole, kept);
        assert!(like(&moved).is_like(kept));
    }
    let kept = "2:7291ae941df00eb2c578791f67327f3244c990a1d9377ad787c3ca5a2c6e3b94";
    assert_eq!(Fingerprint::like(kept, &with_service("usgr")).whole, kept);
    assert_ne!(Fingerprint::like(kept, &with_service("standard")).whole, kept);
}

#[test]
fn a_phone_that_a_workbook_has_made_a_number_of_is_the_same_one() {
    let of = |phone: &str| order(&[("shipping_phone", phone)]);
    let now = Fingerprint::of(&of("+1 (555) 010-0101"));
    assert_eq!(Fingerprint::of(&of("15550100101")), now);
    assert_eq!(Fingerprint::of(&of("05550100")), Fingerprint::of(&of("5550100")));
    for other in ["15550100102", "", "none"] {
        assert_eq!(
            Fingerprint::of(&of(other)).differing(&now),
            ["shipping_phone"],
            "{other}"
        );
    }
    // As it was kept before.
    let kept = Fingerprint::like("3:", &of("+15550100101"));
    assert_eq!(Fingerprint::like(&kept.whole, &of("+15550100101")), kept);
    assert_ne!(
        Fingerprint::like(&kept.whole, &of("15550100101")).whole,
        kept.whole
    );
}

#[test]
fn an_order_that_was_sent_with_words_for_nothing_is_the_same_by_what_is_written() {
    let words = |address2, phone| {
        order(&[
            ("shipping_address2", address2),
            ("shipping_phone", phone),
            ("variant_note", "none"),
        ])
    };
    // Made from the definition by another program.
    for (draft, line2, kept) in [
        (
            words("N/A", "n/a"),
            "",
            "4:67c46434698d5ed03f8d2d622b5c1ef0e08a47c487bcef2d6d4b3ab1ba91f276",
        ),
        (
            words("Apt 5<br>Rear", "-"),
            "Apt 5, Rear",
            "4:27ea1a269bc2223e8c91452e7825a507aec48bcb70e9b80ba3edf3b96f1e8790",
        ),
        (
            words("Apt 5<br>Rear", "-"),
            "Apt 5, Rear",
            "3:27ea1a269bc2223e8c91452e7825a507aec48bcb70e9b80ba3edf3b96f1e8790",
        ),
    ] {
        assert_eq!(draft.value(Field::ShippingAddress2).text, line2);
        assert_eq!(draft.value(Field::ShippingPhone).text, "");
        assert_eq!(draft.lines()[0].text(Field::VariantNote), "");
        assert_eq!(Fingerprint::like(kept, &draft).whole, kept);
    }
    let line2 = |text| Fingerprint::of(&order(&[("shipping_address2", text)]));
    assert_eq!(line2("N/A").differing(&line2("Apt 5")), ["shipping_address2"]);
}

#[test]
fn what_is_sent_alike_is_the_same_content_however_it_is_written() {
    for (name, text, alike) in [
        ("shipping_address2", "Apt 5<br>Rear", "Apt 5, Rear"),
        ("shipping_address2", "N/A", ""),
        ("shipping_phone", "-", ""),
        ("shipping_zip", "43004\u{2013}1234", "43004-1234"),
        ("item_sku", "TEE\u{2013}CLASSIC\u{2011}BLK-S", "tee-classic-blk-s"),
        ("variant_note", "none", ""),
        ("shipping_province", "State of New York", "New York"),
        (
            "artwork_back",
            "https://example.com/a.png?b=1&amp;c=2",
            "https://example.com/a.png?b=1&c=2",
        ),
    ] {
        let of = |text| order(&[(name, text)]);
        assert_eq!(
            Fingerprint::of(&of(text)),
            Fingerprint::of(&of(alike)),
            "{name} {text}"
        );
        let kept = Fingerprint::like("4:", &of(text));
        assert_eq!(Fingerprint::like(&kept.whole, &of(text)), kept, "{name} {text}");
        assert_ne!(
            Fingerprint::like(&kept.whole, &of(alike)).whole,
            kept.whole,
            "{name} {text}"
        );
    }
    let line2 = |text| Fingerprint::of(&order(&[("shipping_address2", text)]));
    assert_eq!(line2("N/A").differing(&line2("Apt 5")), ["shipping_address2"]);
}

#[test]
fn a_line_behind_a_row_of_the_sku_map_is_what_it_was_before() {
    let layout = MapLayout::read(&text_row(
        1,
        &["sku", "item_sku", "variant_note", "artwork_front"],
    ))
    .unwrap();
    let mut map = SkuMap::default();
    let link = "https://example.com/map.png";
    map.note(
        &layout,
        &text_row(2, &["TEE-CLASSIC-BLK-S", "MUG-11OZ", "thick", link]),
    );
    for version in ["4:", "5:"] {
        for note in ["", "N/A", "thin"] {
            let draft = order(&[("variant_note", note)]);
            let mut mapped = draft.clone();
            mapped.map(&map);
            assert_eq!(mapped.lines()[0].text(Field::ItemSku), "MUG-11OZ");
            let of = |draft| Fingerprint::like(version, draft);
            assert_eq!(of(&mapped), of(&draft), "{version} {note}");
        }
    }
    let [mut none, mut words] = ["", "N/A"].map(|note| order(&[("variant_note", note)]));
    none.map(&map);
    words.map(&map);
    assert_eq!(Fingerprint::of(&none), Fingerprint::of(&words));
}

#[test]
fn what_a_part_of_an_order_says_is_held_against_the_whole() {
    for version in ["1:", "2:", "3:", "4:", "5:"] {
        let kept = Fingerprint::like(version, &order(&[]));
        let row = |cells: &[(&str, &str)]| {
            let cells = [cells, &[("action", "cancel")]].concat();
            let header: Vec<&str> = cells.iter().map(|(name, _)| *name).collect();
            let texts = cells.iter().map(|(_, text)| (*text).to_owned()).collect();
            kept.contradicted("1001", &drafts(&header, &[texts]).remove(0))
        };
        let city = ("shipping_city", "New York City");
        let none = [""; 0];
        assert_eq!(row(&[("order_id", "1001"), city]), none, "{version}");
        assert_eq!(row(&[("order_id", "A-1001"), city]), none, "{version}");
        let zip = ("shipping_zip", "43004");
        assert_eq!(row(&[("order_id", "1001"), city, zip]), ["shipping_zip"]);
        let quantity = row(&[("order_id", "1001"), ("quantity", "3")]);
        let lines = if version == "1:" { LINES } else { "quantity" };
        assert_eq!(quantity, [lines], "{version}");
        assert_eq!(kept.contradicted("1001", &order(&[])), none, "{version}");
    }
}

#[test]
fn a_line_more_changes_the_lines_and_nothing_that_each_of_them_says() {
    let of = |rows: &[(&str, &str)]| {
        let row = |(sku, quantity): &(&str, &str)| {
            let mut row = good();
            for (name, text) in [("item_sku", sku), ("quantity", quantity)] {
                let at = NATIVE.iter().position(|native| native == &name).unwrap();
                (*text).clone_into(&mut row[at]);
            }
            row
        };
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        Fingerprint::of(&drafts(&NATIVE, &rows).remove(0))
    };
    let one = of(&[("TEE-CLASSIC-BLK-S", "1")]);
    let two = of(&[("TEE-CLASSIC-BLK-S", "1"), ("TEE-CLASSIC-BLK-S", "2")]);
    assert_eq!(two.differing(&one), ["order lines"]);
    assert_eq!(of(&[("TEE-CLASSIC-BLK-S", "2")]).differing(&one), ["quantity"]);
}
