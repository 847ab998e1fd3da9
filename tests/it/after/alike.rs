//! Ids that look the same, whatever characters they are written with.

use crate::world::{HEADER, World, row, sheet};

/// As a Mac writes it, which takes the letter and its mark apart.
const APART: &str = "Mu\u{308}ller-12";
const COMPOSED: &str = "M\u{fc}ller-12";

#[test]
fn ids_that_look_the_same_are_one_order() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&[COMPOSED, "A-12"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("tuesday.csv", &sheet(&[APART, "A\u{2011}12"]));
    assert_eq!(world.run_once().status, 0);
    let statuses = |sheet: &str| world.result(sheet).column("result_status").join(" ");
    assert_eq!(statuses("tuesday.csv"), "already_created already_created");
    assert_eq!(world.creates(), 2);
    // In one sheet they are lines of one order, as those of one id are.
    let lines = [row("B\u{2010}7", 1), row("B\u{2212}7", 2)];
    world.drop_csv("wednesday.csv", &format!("{HEADER}\n{}\n", lines.join("\n")));
    world.run_once();
    assert_eq!(world.creates(), 3);
    let ids = world.result("wednesday.csv").column("result_order_id").join(" ");
    assert_eq!(ids, "B-7 B-7");
    world.end();
}
