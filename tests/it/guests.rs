//! What somebody who may write into an inbox can put there: it costs that inbox a sheet, and nobody else anything.

use std::fs;

use crate::world::{Setup, World, names, sheet, write};

fn world(inbox: &str) -> World {
    World::with(Setup {
        inbox,
        ..Setup::default()
    })
}

#[test]
fn a_file_that_is_too_large_is_rejected_before_a_byte_of_it_is_copied() {
    let mut world = world("max_bytes = 1000");
    let large = fs::File::create(world.orders_path("inbox/large.csv")).unwrap();
    // It has no bytes on the disk, and would fill it.
    large.set_len(1 << 40).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["created"],
        "{ran:?}"
    );
    let rejected = world.files("rejected");
    let reason = rejected
        .iter()
        .find(|name| name.ends_with("large.error.txt"))
        .unwrap();
    let reason = fs::read_to_string(world.orders_path("rejected").join(reason)).unwrap();
    assert!(reason.contains("the limit is 1000 (max_bytes)"), "{reason}");
    assert_eq!(names(&world.path("spool")).len(), 1, "the other one's copy");
    world.end();
}

#[test]
fn a_marker_that_is_a_pipe_or_has_no_end_is_none_of_ours() {
    let mut world = world("");
    let marker = world.orders_path(".dropsheet");
    let ours = fs::read(&marker).unwrap();
    fs::remove_file(&marker).unwrap();
    pipe(&marker);
    assert_ne!(world.run_once().status, 0);
    fs::remove_file(&marker).unwrap();
    fs::File::create(&marker).unwrap().set_len(1 << 40).unwrap();
    assert_ne!(world.run_once().status, 0);
    fs::remove_file(&marker).unwrap();
    write(&marker, &ours);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn what_looks_like_a_leftover_and_cannot_be_seen_to_keeps_no_sheet_waiting() {
    let mut world = world("");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    let left = world.orders_path("results/.dropsheet-1-ab.old");
    pipe(&left);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_once();
    assert_eq!(
        world.result("tuesday.csv").column("result_status"),
        ["created"],
        "{ran:?}"
    );
    fs::remove_file(left).unwrap();
    world.end();
}

#[test]
fn a_name_that_is_too_long_to_be_moved_leaves_no_reason_behind_at_each_look() {
    let world = world("");
    let name = format!("{}.{}", "x".repeat(50), "b".repeat(200));
    write(&world.orders_path("inbox").join(&name), b"what is it?");
    world.run_once();
    world.run_once();
    assert_eq!(world.files("rejected"), [""; 0]);
    world.end();
}

fn pipe(path: &std::path::Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}
