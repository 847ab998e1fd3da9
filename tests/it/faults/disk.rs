//! Disks that are full, broken or read-only, under the spool, the ledger and the results.

use std::fs;
use std::os::unix::fs::symlink;

use dropsheet::files::move_new;

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// A folder in which nobody can make a file, whoever asks.
const READ_ONLY: &str = "/sys/kernel";

fn twenty() -> Vec<String> {
    (1001..1021).map(|id| id.to_string()).collect()
}

/// A world that has read its catalog, so that what fails afterwards is what the test is about.
fn warm() -> World {
    warm_with(Setup::default())
}

fn warm_with(setup: Setup<'_>) -> World {
    let mut world = World::with(setup);
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world
}

#[test]
fn a_sheet_that_does_not_fit_into_the_spool_is_not_taken_and_nothing_is_sent() {
    let mut world = warm();
    // More than a million bytes in cells that nobody reads.
    let notes: Vec<String> = (0..60).map(|n| format!("note {n}")).collect();
    let wide = vec!["x".repeat(20_000); 60].join(",");
    let text = format!("{HEADER},{}\n{},{wide}\n", notes.join(","), row("1001", 1));
    world.drop_csv("monday.csv", &text);
    let ran = world.run_once_with_small_files(2000);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.logged.contains("cannot write the copy"), "{ran:?}");
    assert_eq!(world.creates(), 1, "only that of sunday");
    assert_eq!(world.files("inbox"), ["monday.csv"]);
    // The disk is mended.
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn a_ledger_that_cannot_be_written_stops_the_program_and_no_order_is_sent_twice() {
    let ids = twenty();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut stopped_amid = 0;
    for blocks in [16, 100, 300, 500, 700] {
        // Few at once, so that the ledger grows by many small steps.
        let mut world = warm_with(Setup {
            account: "max_in_flight = 2",
            ..Setup::default()
        });
        world.drop_csv("monday.csv", &sheet(&ids));
        let ran = world.run_once_with_small_files(blocks);
        assert_eq!(ran.status, 1, "{blocks} blocks: {ran:?}");
        assert!(
            ran.logged.contains("make room") || ran.logged.contains("its disk failed"),
            "it says what to do: {ran:?}"
        );
        stopped_amid += u32::from((2..21).contains(&world.creates()));
        // The disk is mended: what was under way is looked up, the rest is sent.
        // Another order's answer shows that the service's list is live.
        world.drop_csv("tuesday.csv", &sheet(&["2001"]));
        let ran = world.run_until_settled();
        assert_eq!(ran.status, 0, "{blocks} blocks: {ran:?}");
        assert_eq!(
            world.result("monday.csv").column("result_status"),
            ["created"; 20]
        );
        world.end();
    }
    assert!(stopped_amid > 0, "none of the limits struck amid the sheet");
}

#[test]
fn a_result_that_cannot_be_written_is_written_later_and_no_order_is_sent_again() {
    let mut world = World::new();
    let results = world.orders_path("results");
    fs::remove_dir(&results).unwrap();
    symlink(READ_ONLY, &results).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.creates(), 2, "the orders are sent all the same");
    assert!(!world.files("processing").is_empty());
    fs::remove_file(&results).unwrap();
    fs::create_dir(&results).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 2);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 2]);
    world.end();
}

#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once_with_full_log(), 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    // An error is logged there too.
    world.drop_csv("bad.csv", "hello,world\n");
    assert_eq!(world.run_once_with_full_log(), 3);
    world.end();
}

#[test]
fn a_decision_that_cannot_be_unpacked_waits_and_nothing_is_sent_against_it() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 3);
    let held = |world: &World| world.files("held").remove(0);
    let name = held(&world);
    let from = world.orders_path("held").join(&name);
    fs::copy(&from, world.orders_path("approved").join(&name)).unwrap();
    move_new(&from, &world.orders_path("declined").join(&name)).unwrap();
    let spool = world.path("spool");
    move_new(&spool, &world.path("aside")).unwrap();
    symlink(READ_ONLY, &spool).unwrap();
    let ran = world.run_once();
    assert_eq!(
        (world.files("rejected").len(), world.creates()),
        (0, 0),
        "{ran:?}"
    );
    fs::remove_file(&spool).unwrap();
    move_new(&world.path("aside"), &spool).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("sunday.csv").column("result_status"), ["declined"]);
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn a_sheet_that_cannot_be_moved_to_another_disk_is_worked_once_and_not_at_every_look() {
    let mut world = World::new();
    let Some(other) = world.elsewhere() else {
        println!("SKIPPED: this machine has one disk alone");
        return world.end();
    };
    let processing = world.orders_path("processing");
    fs::remove_dir(&processing).unwrap();
    symlink(other.path(), &processing).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let daemon = world.daemon();
    wait_for("it is worked", || world.find_result("monday.csv").is_some());
    let looks = world.service.count("calculate-price-order");
    // Another sheet is taken after many more looks.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("the other is worked", || {
        world.find_result("tuesday.csv").is_some()
    });
    assert_eq!(daemon.terminate().0, 0);
    let results = world.files("results");
    let of_monday = results.iter().filter(|name| name.contains("monday")).count();
    assert_eq!(of_monday, 1, "{results:?}");
    assert_eq!(world.creates(), 2);
    assert!(world.service.count("calculate-price-order") <= looks + 1);
    world.end();
}

#[test]
fn a_ledger_where_nothing_can_be_written_is_refused_with_why() {
    let world = World::new();
    let config = world.path("dropsheet.toml");
    let text = fs::read_to_string(&config).unwrap();
    write(
        &config,
        format!("{text}\n[ledger]\npath = \"{READ_ONLY}/ledger.db\"\n").as_bytes(),
    );
    let ran = world.run_once();
    assert_eq!(ran.status, 1, "{ran:?}");
    for said in [
        "cannot make the ledger's lock file /sys/kernel/ledger.db.lock",
        "let the user that runs dropsheet write it and its folder",
    ] {
        assert!(ran.logged.contains(said), "{ran:?}");
    }
    world.end();
}

#[test]
fn a_start_that_is_killed_while_it_names_itself_leaves_the_sign_that_the_one_before_was_killed() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("ledger-commit:3").crashed());
    assert!(world.run_once_crashing("lock-named").crashed());
    let name = fs::read(world.path("ledger.db.lock")).unwrap();
    assert!(!name.is_empty(), "an empty one says that all has ended in order");
    assert_eq!(world.run_until_settled().status, 0);
    world.end();
}

#[test]
fn a_catalog_s_cache_that_cannot_be_used_keeps_no_order_from_going_out_and_is_told() {
    let mut world = World::new();
    let cache = world.path("catalog.db");
    fs::create_dir(&cache).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.creates(), 1);
    assert_eq!(
        ran.logged.matches("is kept in memory meanwhile").count(),
        1,
        "{ran:?}"
    );
    let not_kept = "The catalog is not kept on the disk";
    let told = |world: &World| fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(told(&world).contains(not_kept), "{}", told(&world));
    let status = world.dropsheet(&["status"]);
    assert!(status.said.contains(not_kept), "{status:?}");
    let doctor = world.dropsheet(&["doctor"]);
    assert!(
        doctor
            .said
            .contains("Let dropsheet's user read and write catalog.db"),
        "{doctor:?}"
    );
    fs::remove_dir(&cache).unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(!told(&world).contains(not_kept), "{}", told(&world));
    assert!(cache.is_file());
    world.end();
}
