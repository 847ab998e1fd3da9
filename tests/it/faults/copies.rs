//! A sheet's copy in the spool, which alone is read, that is not what was taken any more.

use std::fs;
use std::path::PathBuf;

use crate::world::{Table, World, sheet, wait_for, write};

/// A world in which a sheet of two orders was taken and waits, and its copy.
fn waiting() -> (World, PathBuf) {
    let mut world = World::new();
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    fs::remove_file(world.orders_path("STOP")).unwrap();
    let copies = copies(&world);
    let [copy] = &copies[..] else {
        panic!("one copy, not {copies:?}")
    };
    (world, copy.clone())
}

/// The copies in the spool.
fn copies(world: &World) -> Vec<PathBuf> {
    let entries = fs::read_dir(world.path("spool")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.file_name().unwrap().len() == 64)
        .collect()
}

const CANCEL: &str = "order_id,action\n1001,cancel\n";

/// The same, with a younger sheet that was taken, cancels an order of it, and of which the copy is gone; and its original.
fn waiting_for_a_cancel() -> (World, PathBuf) {
    let (mut world, older) = waiting();
    world.drop_csv("cancel.csv", CANCEL);
    assert!(world.run_once_crashing("moved-to-processing").crashed());
    let mut copies = copies(&world);
    copies.retain(|copy| *copy != older);
    let [copy] = &copies[..] else {
        panic!("one copy more, not {copies:?}")
    };
    fs::remove_file(copy).unwrap();
    let files = world.files("processing");
    let original = files.iter().find(|name| name.ends_with("_cancel.csv")).unwrap();
    let original = world.orders_path("processing").join(original);
    (world, original)
}

#[test]
fn a_copy_that_was_changed_or_is_gone_is_made_anew_from_the_original_and_nothing_of_it_is_sent() {
    let (other, cut) = (sheet(&["7001", "7002"]), sheet(&["1001"]));
    for changed in [Some(other), Some(cut), None] {
        let (world, copy) = waiting();
        fs::remove_file(&copy).unwrap();
        if let Some(changed) = changed {
            write(&copy, changed.as_bytes());
        }
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.said.contains("made anew from the original"), "{ran:?}");
        assert_eq!(world.creates(), 0);
        assert_eq!(world.run_once().status, 0);
        assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 2]);
        for id in ["1001", "1002"] {
            assert_eq!(world.at_service(id).len(), 1, "{id}");
        }
        world.end();
    }
}

/// Asserts that the cancel was heard before the order that it cancels was sent.
fn is_heard(world: World) {
    let monday = world.result("monday.csv");
    assert_eq!(monday.of("1001", "result_status"), "canceled");
    assert_eq!(monday.of("1002", "result_status"), "created");
    assert_eq!(world.result("cancel.csv").column("result_status"), ["canceled"]);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_younger_sheet_whose_copy_is_gone_is_heard_by_its_original_before_an_older_one_is_sent() {
    let (world, _original) = waiting_for_a_cancel();
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    is_heard(world);
}

#[test]
fn an_older_sheet_waits_for_a_younger_one_that_cannot_be_read_until_it_can_be_or_is_taken_away() {
    for is_taken_away in [false, true] {
        let (world, original) = waiting_for_a_cancel();
        write(&original, b"something else\n");
        for _pass in 0..2 {
            let ran = world.run_once();
            assert_eq!(ran.status, 3, "{ran:?}");
            let told = "The younger sheet cancel.csv cannot be read now";
            assert!(ran.said.contains(told), "{ran:?}");
            let monday = world.result("monday.csv");
            assert_eq!(monday.column("result_status"), ["waiting"; 2]);
            assert_eq!(monday.column("result_codes"), ["cancels-unheard"; 2]);
            assert_eq!(world.creates(), 0);
        }
        if is_taken_away {
            fs::remove_file(&original).unwrap();
            // Of other bytes: the lost one is never read any more, and ends.
            let again = format!("{CANCEL}\n");
            write(&world.orders_path("inbox/cancel.csv"), again.as_bytes());
            assert_eq!(world.run_once().status, 3);
            let [why] = &world.files("rejected")[..] else {
                panic!("one reason, not {:?}", world.files("rejected"))
            };
            assert!(why.ends_with("_cancel.error.txt"), "{why}");
            let why = fs::read_to_string(world.orders_path("rejected").join(why)).unwrap();
            assert!(
                why.contains("No order of it was sent.") && why.contains("Drop it again"),
                "{why}"
            );
            assert_eq!(world.run_once().status, 0);
        } else {
            write(&original, CANCEL.as_bytes());
            assert_eq!(world.run_once().status, 0);
        }
        is_heard(world);
    }
}

#[test]
fn a_daemon_sends_nothing_of_an_older_sheet_before_it_has_heard_a_younger_one() {
    let (world, original) = waiting_for_a_cancel();
    write(&original, b"something else\n");
    let daemon = world.daemon();
    wait_for("the older sheet says that it waits", || {
        let monday = world.find_result("monday.csv");
        monday.is_some_and(|monday| monday.column("result_codes") == ["cancels-unheard"; 2])
    });
    assert_eq!(world.creates(), 0);
    write(&original, CANCEL.as_bytes());
    wait_for("the older sheet goes on", || {
        let results = ["monday.csv", "cancel.csv"].map(|name| world.find_result(name));
        let are_worked = |result: &Table| !result.column("result_status").contains(&"waiting");
        results
            .iter()
            .flatten()
            .filter(|result| are_worked(result))
            .count()
            == 2
    });
    assert_eq!(daemon.terminate().0, 0);
    is_heard(world);
}

#[test]
fn a_sheet_of_which_nothing_is_left_amid_its_orders_is_not_rejected_and_goes_on_when_its_copy_is_back() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    let copy = copies(&world).remove(0);
    let bytes = fs::read(&copy).unwrap();
    fs::remove_file(&copy).unwrap();
    let original = world.files("processing").remove(0);
    fs::remove_file(world.orders_path("processing").join(original)).unwrap();
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.files("rejected"), [""; 0]);
    write(&copy, &bytes);
    // What is found of this one shows that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn a_sheet_of_which_nothing_is_left_amid_its_orders_ends_when_those_are_decided_and_says_what_was_sent() {
    for is_changed in [false, true] {
        let mut world = World::new();
        world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
        assert!(world.run_once_crashing("intent-written:2").crashed());
        let copy = copies(&world).remove(0);
        fs::remove_file(&copy).unwrap();
        if is_changed {
            write(&copy, b"something else\n");
        }
        let original = world.files("processing").remove(0);
        fs::remove_file(world.orders_path("processing").join(original)).unwrap();
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        // One is found or given up by the operator, whose create was under way.
        let open = world
            .dropsheet(&["orders", "list", "--state", "unresolved", "--json"])
            .said;
        for id in ["1001", "1002"] {
            if open.contains(&format!("\"{id}\"")) {
                assert!(ran.said.contains("drop the same file again"), "{ran:?}");
                let given_up = world.dropsheet(&["orders", "resolve", id, "--abandon"]);
                assert_eq!(given_up.status, 0, "{given_up:?}");
            }
        }
        world.run_once();
        let told = world.files("results");
        let [told] = &told
            .iter()
            .filter(|name| name.ends_with("_monday.lost.txt"))
            .collect::<Vec<_>>()[..]
        else {
            panic!("no end: {told:?}")
        };
        let told = fs::read_to_string(world.orders_path("results").join(told)).unwrap();
        for placed in world.service.orders() {
            let name = &placed.order_name;
            assert!(
                told.contains(&format!("{name}: created ({})", placed.pw_order_id)),
                "{told}"
            );
            world.excused.push(name.clone());
        }
        assert!(told.contains("Drop the sheet again"), "{told}");
        // Nothing is owed of it any more, and it keeps nobody waiting.
        assert_eq!(world.run_once().status, 0);
        world.drop_csv("cancel.csv", "order_id,action\n7001,cancel\n");
        world.run_once();
        assert_eq!(
            world.result("cancel.csv").column("result_codes"),
            ["cancel-unknown"]
        );
        world.end();
    }
}
