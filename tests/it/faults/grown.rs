//! Sheets that grow after they were archived: who wrote them had them open all the while.

use std::fs::{self, File};
use std::io::Write;

use crate::world::{World, row, sheet, wait_for};

/// A program's own hold on a dropped sheet: it follows the file wherever that is moved.
fn held_open(world: &World, name: &str) -> File {
    let path = world.orders_path("inbox").join(name);
    File::options().append(true).open(path).unwrap()
}

fn append(file: &mut File, order_ids: &[&str]) {
    for id in order_ids {
        writeln!(file, "{}", row(id, 1)).unwrap();
    }
}

#[test]
fn a_sheet_that_grows_in_done_comes_back_to_a_daemon_as_a_new_sheet() {
    let mut world = World::new();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let mut writer = held_open(&world, "monday.csv");
    wait_for("it is archived", || world.files("done").len() == 1);
    append(&mut writer, &["1002", "1003"]);
    drop(writer);
    world.now_holds("monday.csv", &sheet(&["1001", "1002", "1003"]));
    wait_for("the rest is ordered", || {
        world.creates() == 3 && world.files("done").len() == 2 && world.files("processing").is_empty()
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["already_created", "created", "created"]
    );
    // Both as they were worked.
    let done = world.files("done").into_iter();
    let mut sizes: Vec<_> = done
        .map(|name| fs::read_to_string(world.orders_path("done").join(name)).unwrap())
        .collect();
    sizes.sort_by_key(String::len);
    assert_eq!(sizes, [sheet(&["1001"]), sheet(&["1001", "1002", "1003"])]);
    world.end();
}

#[test]
fn a_sheet_that_grows_in_done_between_two_runs_comes_back_as_a_new_sheet() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let mut writer = held_open(&world, "monday.csv");
    assert_eq!(world.run_once().status, 0);
    append(&mut writer, &["1002"]);
    world.now_holds("monday.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["already_created", "created"]
    );
    assert_eq!(world.run_once().status, 0);
    assert_eq!((world.creates(), world.files("done").len()), (2, 2));
    world.end();
}

#[test]
fn a_sheet_that_was_rejected_without_a_row_comes_back_when_its_rows_come() {
    let mut world = World::new();
    world.drop_csv("monday.csv", "\n");
    let mut writer = held_open(&world, "monday.csv");
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.files("rejected").len(), 2, "{:?}", world.files("rejected"));
    write!(writer, "{}", sheet(&["1001"])).unwrap();
    world.now_holds("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn killed_while_it_comes_back_a_sheet_comes_back_once() {
    for nth in [
        "file-move:1",
        "folder-sync:1",
        "file-sync:1",
        "ledger-commit:2",
        "ledger-commit:3",
    ] {
        let mut world = World::new();
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        let mut writer = held_open(&world, "monday.csv");
        assert_eq!(world.run_once().status, 0);
        append(&mut writer, &["1002"]);
        world.now_holds("monday.csv", &sheet(&["1001", "1002"]));
        assert!(world.run_once_crashing(nth).crashed(), "{nth}");
        let ran = world.run_until_settled();
        assert_eq!(ran.status, 0, "{nth}: {ran:?}");
        assert_eq!((world.creates(), world.files("inbox")), (2, Vec::new()), "{nth}");
        world.end();
    }
}
