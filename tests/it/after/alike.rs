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

/// Ids that were copied out of a mail, with what stands beside them there.
#[test]
fn an_id_with_the_marks_and_words_of_a_mail_beside_it_is_the_known_one() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "(1002)", "Order #1003"]));
    assert_eq!(world.run_once().status, 0);
    for (at, id) in [
        "\"1001,\"",
        "1001.",
        "(1001)",
        "Order #1001",
        "\u{2116}1001",
        "1001*",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("tuesday-{at}.csv");
        world.drop_csv(&name, &sheet(&[id]));
        assert_eq!(world.run_once().status, 0);
        let result = world.result(&name);
        assert_eq!(result.column("result_status"), ["already_created"], "{id}");
        assert_eq!(result.column("result_codes"), ["fixed-id known-order"], "{id}");
        assert_eq!(result.column("result_order_id"), ["1001"], "{id}");
    }
    world.drop_csv("friday.csv", &sheet(&["1002", "1003", "1001-R1", "1001 (Ada)"]));
    world.run_once();
    assert_eq!(
        world.result("friday.csv").column("result_status"),
        ["already_created", "already_created", "created", "created"]
    );
    assert_eq!(world.creates(), 5);
    world.end();
}

/// An id without the zeros that a spreadsheet took, and a cell that was corrected in it: a second parcel that nobody wanted.
#[test]
fn an_order_that_may_be_a_known_one_with_a_change_waits_for_a_person() {
    let mut world = World::new();
    let monday = ["00777", "PO-1", "00888", "7-A"];
    world.drop_csv("monday.csv", &sheet(&monday));
    assert_eq!(world.run_once().status, 0);
    let another = row("888", 3)
        .replace("Ada Example", "Bo Sample")
        .replace("12 Maple Street", "9 Birch Road");
    let tuesday = [row("777", 2), row("po-1", 2), another, row("7-B", 1)];
    world.drop_csv("tuesday.csv", &format!("{HEADER}\n{}\n", tuesday.join("\n")));
    world.run_once();
    let result = world.result("tuesday.csv");
    assert_eq!(
        result.column("result_status"),
        ["held", "held", "created", "created"]
    );
    let why = result.of("777", "result_message");
    assert!(
        why.contains("_monday may be the same id in another writing. It is still at the printer as PW"),
        "{why}"
    );
    assert!(
        why.contains("decline it if it is that one with a change"),
        "{why}"
    );
    assert_eq!(world.creates(), 6);
    // Who knows better approves it.
    let held = world.files("held").remove(0);
    let approved = world.dropsheet(&["approve", held.trim_end_matches(".held.xlsx")]);
    assert_eq!(approved.status, 0, "{approved:?}");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 8);
    world.end();
}
