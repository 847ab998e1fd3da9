//! Sheets that were taken under a config that was changed since: their orders are what they were, and what cannot be
//! read any more is said by name.

use std::fs;
use std::time::SystemTime;

use dropsheet::files::move_new;

use crate::world::{HEADER, Setup, World, names, row, sheet, wait_for, write};

/// Changes the config of the inbox; empty is as it was.
fn set(world: &World, lines: &str) {
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let (begin, _end) = config.split_once("result_format = \"csv\"\n").unwrap();
    write(
        &path,
        format!("{begin}result_format = \"csv\"\n{lines}\n").as_bytes(),
    );
}

fn told(world: &World) -> String {
    fs::read_to_string(world.orders_path("STATUS.txt")).unwrap()
}

/// A sheet of two orders that has news, a tracking, after the config has changed.
fn news_under(world: &mut World, lines: &str) {
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    set(world, lines);
    assert!(world.service.fulfil(&world.pw("1001")));
    world.dropsheet(&["orders", "sync"]);
}

/// Whether its result has come to tell them.
fn tells(world: &World) -> bool {
    !world
        .result("monday.csv")
        .of("1001", "result_tracking")
        .is_empty()
}

#[test]
fn a_result_that_a_changed_profile_keeps_from_being_written_is_told_of_by_a_pass() {
    let mut world = World::with(Setup {
        inbox: "max_order_total = 100",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", row("1001", 50)));
    assert_eq!(world.run_once().status, 3);
    set(&world, "max_order_total = 100\nprofile = \"etsy\"");
    let held = world.files("held").remove(0);
    move_new(
        &world.orders_path("held").join(&held),
        &world.orders_path("approved").join(&held),
    )
    .unwrap();
    for _pass in 0..2 {
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.said.contains("The result of monday.csv"), "{ran:?}");
        assert!(!ran.logged.contains("the sheet is rejected"), "{ran:?}");
        let told = told(&world);
        for part in [
            "Needs a person",
            "The result of monday.csv cannot be written again",
            "the profile `etsy`",
            "set back what was changed",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
    assert_eq!(world.result("monday.csv").column("result_status"), ["held"]);
    assert_eq!(world.creates(), 1);
    set(&world, "max_order_total = 100");
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.run_once().status, 0);
    assert!(!told(&world).contains("The result of"), "{}", told(&world));
    world.end();
}

#[test]
fn a_sheet_that_was_worked_has_its_news_whatever_the_limits_have_come_to_be() {
    for lines in ["max_rows = 2", "max_bytes = \"300 B\""] {
        let mut world = World::new();
        news_under(&mut world, lines);
        let ran = world.run_once();
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(tells(&world), "{lines}");
        world.end();
    }
}

#[test]
fn a_sheet_that_is_partly_sent_when_its_limit_changes_is_named_and_not_to_be_split() {
    for lines in ["max_rows = 2", "profile = \"shopify\""] {
        let mut world = World::with(Setup {
            account: "max_in_flight = 1",
            settle_for: "1s",
            ..Setup::default()
        });
        world.service.set_fault("unavailable-quote=after:1").unwrap();
        // Equal orders would have one price request.
        let rows: Vec<String> = (1..=3).map(|n| row(&format!("100{n}"), n)).collect();
        world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", rows.join("\n")));
        assert_eq!(world.run_once().status, 3);
        world.service.clear_faults();
        assert_eq!(world.creates(), 1, "{lines}");
        set(&world, lines);
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        let told = told(&world);
        assert!(told.contains("monday.csv: The sheet "), "{told}");
        assert!(told.contains("set back what was changed"), "{told}");
        assert!(!told.contains("Split the sheet"), "{told}");
        set(&world, "");
        assert_eq!(world.run_once().status, 0);
        assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 3]);
        world.end();
    }
}

#[test]
fn the_copy_of_a_sheet_whose_result_is_owed_news_outlives_keep_spool() {
    let keep = "[keep]\nspool = \"1ms\"\n";
    let mut world = World::with(Setup {
        account: "sync = \"1s\"",
        ..Setup::default()
    });
    news_under(&mut world, &format!("profile = \"etsy\"\n{keep}"));
    let copies = || fs::read_dir(world.path("spool")).unwrap().count();
    let tidy = || {
        let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
        db.execute("DELETE FROM notice WHERE key = 'tidied'", []).unwrap();
        // What was copied just now is never removed.
        for name in names(&world.path("spool")) {
            let copy = fs::File::options()
                .write(true)
                .open(world.path("spool").join(name));
            copy.unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        let mut status = 0;
        // A pass that asks the service nothing removes nothing.
        wait_for("it is tidied", || {
            status = world.run_once().status;
            let tidied = "SELECT count(*) FROM notice WHERE key = 'tidied'";
            db.query_row(tidied, [], |row| row.get::<_, i64>(0)).unwrap() == 1
        });
        status
    };
    assert_eq!(tidy(), 3);
    assert_eq!((copies(), tells(&world)), (1, false));
    set(&world, keep);
    assert_eq!(tidy(), 0);
    assert_eq!((copies(), tells(&world)), (0, true), "nothing is owed any more");
    world.end();
}

#[test]
fn a_waiting_sheet_that_is_rejected_leaves_no_result_that_says_it_will_be_sent() {
    for is_edited in [false, true] {
        let mut world = World::with(Setup {
            settle_for: "1s",
            ..Setup::default()
        });
        world.service.set_fault("unavailable=1").unwrap();
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        assert_eq!(world.run_once().status, 3);
        world.service.clear_faults();
        let result = world.result_path("monday.csv").unwrap();
        let as_written = fs::read_to_string(&result).unwrap();
        assert!(as_written.contains("waiting"), "{as_written}");
        if is_edited {
            write(&result, b"a person's own");
        }
        set(&world, "profile = \"etsy\"");
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        assert_eq!(world.files("rejected").len(), 2);
        assert_eq!(result.exists(), is_edited);
        if is_edited {
            assert_eq!(fs::read(&result).unwrap(), b"a person's own");
            fs::remove_file(&result).unwrap();
        }
        let status: serde_json::Value =
            serde_json::from_str(&world.dropsheet(&["status", "--json"]).said).unwrap();
        assert!(!status.to_string().contains(".result.csv"), "{status}");
        assert_eq!(world.creates(), 0);
        world.end();
    }
}
