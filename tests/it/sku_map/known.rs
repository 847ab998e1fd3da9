//! Orders that were sent, or are held, before their SKU map was changed.

use super::shop;
use crate::world::{HEADER, Setup, World, row, write};

/// An inbox whose map is written for the first time, and a sheet of one order with these SKUs of one's own.
fn own_sheet(skus: &[&str]) -> String {
    let line = |sku: &&str| row("1", 1).replace("TEE-CLASSIC-BLK-S", sku);
    let lines: Vec<String> = skus.iter().map(line).collect();
    let sheet = format!("{HEADER}\n{}\n", lines.join("\n"));
    sheet.replace("https://example.com/art/fox.png", "")
}

fn maps(world: &World, entries: &[(&str, &str)]) {
    let art = "https://example.com/art/fox.png";
    let line = |(sku, item): &(&str, &str)| match *item {
        "not-printed-here" => format!("{sku},{item},\n"),
        _ => format!("{sku},{item},{art}\n"),
    };
    let head = "sku,item_sku,artwork_front\n".to_owned();
    let text = entries.iter().map(line).fold(head, |text, line| text + &line);
    write(&world.path("sku-map.csv"), text.as_bytes());
}

/// What the rows of a sheet say: status and message.
fn said(world: &World, sheet: &str) -> Vec<(String, String)> {
    let result = world.result(sheet);
    let statuses = result.column("result_status").into_iter().map(str::to_owned);
    let messages = result.column("result_message").into_iter().map(str::to_owned);
    statuses.zip(messages).collect()
}

#[test]
fn a_line_that_a_map_did_not_print_and_one_that_it_does_not_print_now_are_told_by_what_was_sent() {
    let mut world = shop();
    let (tee, mug, none) = ("TEE-CLASSIC-BLK-S", "MUG-CERAMIC-BLK-15OZ", "not-printed-here");
    let sheet = own_sheet(&["FOX", "GIFT"]);
    maps(&world, &[("FOX", tee), ("GIFT", none)]);
    world.drop_csv("a.csv", &sheet);
    assert_eq!(world.run_once().status, 0);
    let again = |world: &mut World, name: &str, fox: &str, gift: &str| {
        maps(world, &[("FOX", fox), ("GIFT", gift)]);
        world.drop_csv(name, &sheet);
        assert_eq!(world.run_once().status, 0, "{name}");
        said(world, name)
    };
    let as_before = again(&mut world, "b.csv", tee, none);
    assert_eq!(as_before[0].0, "already_created");
    assert!(
        as_before[1]
            .1
            .contains("the SKU map says that `GIFT` is not printed here")
    );
    assert!(!as_before[0].1.contains("SKU map"), "{as_before:?}");
    // The same shirt with another print, and something else.
    for (name, gift) in [("c.csv", mug), ("d.csv", tee)] {
        let now = again(&mut world, name, tee, gift);
        let gift = now[1].1.as_str();
        let is_told = match name {
            "c.csv" => {
                gift.contains("`GIFT` is no part of what was sent of this order") && gift.contains("as 1-2")
            }
            _ => gift.contains("does not tell whether `GIFT` is part of what was sent of this order"),
        };
        assert!(is_told, "{name}: {now:?}");
        assert_eq!(now[0].0, "already_created");
    }
    let turned = again(&mut world, "e.csv", none, mug);
    for (status, message) in &turned {
        assert_eq!(status, "already_created", "{turned:?}");
        assert!(message.contains("that is 1 × `TEE-CLASSIC-BLK-S`"), "{turned:?}");
        assert!(!message.contains("Not printed"), "{turned:?}");
    }
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_sent_line_that_the_map_has_otherwise_by_now_is_not_said_to_be_unprinted() {
    let mut world = shop();
    maps(&world, &[("FOX", "TEE-CLASSIC-BLK-S")]);
    world.drop_csv("a.csv", &own_sheet(&["FOX"]));
    assert_eq!(world.run_once().status, 0);
    for (name, item) in [("b.csv", "not-printed-here"), ("c.csv", "TEE-CLASSIC-BLK-M")] {
        maps(&world, &[("FOX", item)]);
        world.drop_csv(name, &own_sheet(&["FOX"]));
        assert_eq!(world.run_once().status, 0);
        let said = said(&world, name);
        assert_eq!(said[0].0, "already_created", "{said:?}");
        assert!(
            !said[0].1.contains("rinted") && !said[0].1.contains("SKU map"),
            "{said:?}"
        );
    }
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_line_that_a_held_order_was_held_without_is_told() {
    let mut world = World::with(Setup {
        inbox: "sku_map = \"sku-map.csv\"\napproval = \"required\"",
        ..Setup::default()
    });
    let sheet = own_sheet(&["FOX", "GIFT"]);
    maps(
        &world,
        &[("FOX", "TEE-CLASSIC-BLK-S"), ("GIFT", "not-printed-here")],
    );
    world.drop_csv("a.csv", &sheet);
    assert_eq!(world.run_once().status, 3);
    maps(
        &world,
        &[("FOX", "TEE-CLASSIC-BLK-S"), ("GIFT", "MUG-CERAMIC-BLK-15OZ")],
    );
    world.drop_csv("b.csv", &sheet);
    assert_eq!(world.run_once().status, 3);
    let said = said(&world, "b.csv");
    assert_eq!(said[0].0, "held");
    assert!(
        said[1].1.contains("`GIFT` is no part of what is held"),
        "{said:?}"
    );
    assert!(
        said[1].1.contains("decline the order, then drop it again"),
        "{said:?}"
    );
    world.end();
}
