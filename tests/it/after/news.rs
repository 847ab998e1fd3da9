//! States, totals, trackings and troubles, from the service into results, the day's file and `attention.xlsx`.

use std::time::Duration;

use super::rows;
use crate::faults::keeping::lose;
use crate::faults::lookups::place_others;
use crate::world::{EVER, HEADER, World, row, sheet, wait_for, write};

#[test]
fn a_sync_brings_states_and_trackings_into_the_result_the_days_file_and_what_needs_a_person() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    assert_eq!(world.run_once().status, 0);
    assert!(
        world
            .files("results")
            .iter()
            .all(|name| !name.starts_with("attention"))
    );
    let (first, second, _third) = (world.pw("1001"), world.pw("1002"), world.pw("1003"));
    assert!(world.service.fulfil(&first));
    assert!(world.service.trouble(&second));

    let synced = world.dropsheet(&["orders", "sync"]);
    assert_eq!(synced.status, 3, "{synced:?}");
    for word in ["1001", "TRK", "problem", "3 orders read, 2 with news"] {
        assert!(synced.said.contains(word), "{word}: {synced:?}");
    }
    let result = world.result("monday.csv");
    assert_eq!(
        result.column("result_order_status"),
        ["fulfilled", "problem", "waiting"]
    );
    assert!(result.of("1001", "result_tracking").contains("Example Parcel"));
    assert_eq!(result.of("1002", "result_tracking"), "");
    assert_eq!(result.of("1002", "result_codes"), "order-problem");
    let said = result.of("1002", "result_message");
    assert!(
        said.starts_with("The service says `problem` of this order. Look at the order at the print service"),
        "{said}"
    );
    let trackings = rows(&world.own("trackings-"));
    assert_eq!(trackings.len(), 2);
    assert_eq!(trackings[1][..4], ["1001", "1001", &first, "Example Parcel"]);
    let attention = rows(&world.orders_path("results/attention.xlsx"));
    assert_eq!(attention[1][1..4], ["problem", "1002", &second]);
    let shown = world.dropsheet(&["orders", "show", "1001"]);
    assert!(shown.said.contains("order status fulfilled; "), "{shown:?}");
    let shown = world.dropsheet(&["orders", "show", "1002"]);
    assert!(
        shown.said.contains("The service says `problem` of this order."),
        "{shown:?}"
    );

    // Nothing new: nothing is written again.
    let bytes = || std::fs::read(world.own("trackings-")).unwrap();
    let before = bytes();
    let again = world.dropsheet(&["orders", "sync"]);
    assert_eq!(
        (again.status, again.said.contains("nothing is new")),
        (0, true),
        "{again:?}"
    );
    assert_eq!(bytes(), before);
    world.end();
}

#[test]
fn a_file_that_a_person_has_changed_is_left_and_the_news_get_a_name_of_their_own() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_once();
    assert!(world.service.trouble(&world.pw("1001")));
    world.dropsheet(&["orders", "sync"]);
    assert_eq!(world.kinds(), ["problem"]);
    let path = world.orders_path("results/attention.xlsx");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend(b"a note of a person's");
    write(&path, &bytes);
    assert!(world.service.trouble(&world.pw("1002")));
    world.dropsheet(&["orders", "sync"]);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(rows(&world.orders_path("results/attention-2.xlsx")).len(), 3);
    world.end();
}

#[test]
fn a_ledger_that_knows_nothing_of_the_file_writes_over_it_while_no_person_has_saved_it() {
    for is_saved in [false, true] {
        let mut world = World::new();
        let wrong = |order: &str| format!("{HEADER}\n{}\n", row(order, 0));
        world.drop_csv("monday.csv", &wrong("1001"));
        world.run_once();
        let path = world.orders_path("results/attention.xlsx");
        let mut before = std::fs::read(&path).unwrap();
        if is_saved {
            before.extend(b"a note of a person's");
            write(&path, &before);
        }
        lose(&world);
        assert_eq!(world.dropsheet(&["ledger", "rebuild"]).status, 0);
        world.drop_csv("tuesday.csv", &(wrong("1002") + &row("1003", 0) + "\n"));
        world.run_once();
        let second = world.orders_path("results/attention-2.xlsx");
        assert_eq!(second.exists(), is_saved, "{:?}", world.files("results"));
        assert_eq!(std::fs::read(&path).unwrap() == before, is_saved);
        let told = rows(if is_saved { &second } else { &path });
        let told = format!("{told:?}");
        assert!(told.contains("tuesday"), "{told}");
        world.end();
    }
}

#[test]
fn a_file_that_was_open_when_there_was_news_tells_it_under_its_own_name_once_it_is_closed() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_once();
    assert!(world.service.trouble(&world.pw("1001")));
    world.dropsheet(&["orders", "sync"]);
    let lock = world.orders_path("results/~$attention.xlsx");
    write(&lock, b"");
    assert!(world.service.trouble(&world.pw("1002")));
    world.dropsheet(&["orders", "sync"]);
    let (first, second) = (
        world.orders_path("results/attention.xlsx"),
        world.orders_path("results/attention-2.xlsx"),
    );
    assert_eq!((rows(&first).len(), rows(&second).len()), (2, 3));
    std::fs::remove_file(&lock).unwrap();
    world.run_once();
    assert_eq!(rows(&first).len(), 3);
    assert!(!second.exists(), "{:?}", world.files("results"));
    world.run_once();
    assert_eq!(rows(&first).len(), 3);
    // One with a number that a person has changed is theirs.
    write(&lock, b"");
    assert_eq!(world.dropsheet(&["orders", "cancel", "1001"]).status, 3);
    world.drop_csv("tuesday.csv", &(sheet(&["1003"]) + &row("1004", 0) + "\n"));
    world.run_once();
    let mut bytes = std::fs::read(&second).unwrap();
    bytes.extend(b"a note of a person's");
    write(&second, &bytes);
    std::fs::remove_file(&lock).unwrap();
    world.run_once();
    assert_eq!(std::fs::read(&second).unwrap(), bytes);
    world.end();
}

#[test]
fn what_needs_nobody_any_more_says_so_even_after_a_crash_while_it_was_written() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    let pw = world.pw("1001");
    assert!(world.service.trouble(&pw));
    world.dropsheet(&["orders", "sync"]);
    assert_eq!(world.kinds(), ["problem"]);
    assert!(
        world.dropsheet(&["orders", "cancel", "1001"]).status == 3,
        "in trouble it is not pending"
    );
    // Settled at the service: the next sync sees it.
    assert!(world.service.fulfil(&pw) || world.service.produce(&pw));
    assert!(world.crashing("own-aside", &["orders", "sync"]).crashed());
    world.run_once();
    let attention = rows(&world.own("attention"));
    assert_eq!(attention[1][6], "nothing needs a person");
    world.end();
}

#[test]
fn a_file_that_cannot_be_replaced_stays_in_its_place_until_it_can() {
    // Each of the two files is moved aside, and its new one to its place.
    for at in [("file-move", 4), ("folder-sync", 6)]
        .iter()
        .flat_map(|(point, times)| (1..=*times).map(move |nth| format!("{point}:{nth}:error")))
    {
        let mut world = World::new();
        world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
        world.run_once();
        assert!(world.service.trouble(&world.pw("1001")));
        world.dropsheet(&["orders", "sync"]);
        // Its result and the list of what needs a person, and nothing hidden.
        let before = world.files("results");
        assert_eq!(before.len(), 2, "{before:?}");
        assert!(world.service.trouble(&world.pw("1002")));
        let ran = world.crashing(&at, &["orders", "sync"]);
        assert!(ran.came_to_its_point(), "{at}: {ran:?}");
        assert_eq!(world.files("results"), before, "{at}");
        world.run_once();
        assert_eq!(world.files("results"), before, "{at}");
        let result = world.result("monday.csv");
        assert_eq!(
            result.column("result_codes"),
            ["order-problem", "order-problem"],
            "{at}"
        );
        assert_eq!(
            rows(&world.orders_path("results/attention.xlsx")).len(),
            3,
            "{at}"
        );
        world.end();
    }
}

#[test]
fn a_sync_that_is_killed_is_done_anew() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    assert!(world.service.fulfil(&world.pw("1001")));
    assert!(world.crashing("sync-window", &["orders", "sync"]).crashed());
    // The request is still there: the next run does it.
    world.run_once();
    assert_eq!(
        world.result("monday.csv").column("result_order_status"),
        ["fulfilled"]
    );
    assert_eq!(rows(&world.own("trackings-")).len(), 2);
    world.end();
}

#[test]
fn a_tracking_that_a_report_has_read_while_nothing_ran_is_in_its_days_file_however_late_the_next_pass_is() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    assert!(world.service.fulfil(&world.pw("1001")));
    let report = world.dropsheet(&EVER);
    assert!(report.status == 0 || report.status == 3, "{report:?}");
    // Three weeks pass.
    let weeks = Duration::from_hours(24 * 21).as_millis().to_string();
    let ledger = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let moved = ledger.execute(
        "UPDATE parcel SET known_at = known_at - CAST(?1 AS INTEGER)",
        [weeks],
    );
    assert_eq!(moved.unwrap(), 1);
    drop(ledger);
    world.run_once();
    assert_eq!(rows(&world.own("trackings-")).len(), 2);
    world.end();
}

#[test]
fn a_daemon_reads_the_news_by_itself() {
    let mut world = World::with(crate::world::Setup {
        account: "sync = \"1s\"",
        ..crate::world::Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let daemon = world.daemon();
    wait_for("the order is created", || !world.at_service("1001").is_empty());
    wait_for("its result is there", || {
        world.find_result("monday.csv").is_some()
    });
    assert!(world.service.fulfil(&world.pw("1001")));
    wait_for("its tracking is in the result", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.column("result_tracking")[0].contains("TRK"))
    });
    wait_for("the day's file is there", || {
        world
            .files("results")
            .iter()
            .any(|name| name.starts_with("trackings-"))
    });
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn the_pass_that_reads_of_a_trouble_says_so_and_the_next_one_does_not() {
    let mut world = World::with(crate::world::Setup {
        account: "sync = \"1s\"",
        ..crate::world::Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    assert!(world.service.trouble(&world.pw("1002")));
    wait_for("a pass reads of it", || {
        let pass = world.run_once();
        let says = pass
            .said
            .contains("orders that need a person by what the service says of them: 1 more");
        assert_eq!(pass.status, if says { 3 } else { 0 }, "{pass:?}");
        says
    });
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn a_pass_reads_of_all_orders_when_that_is_due_though_it_has_sent_some_just_before() {
    let mut world = World::with(crate::world::Setup {
        account: "sync = \"1s\"",
        ..crate::world::Setup::default()
    });
    let synced = |world: &World| -> i64 {
        let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
        db.query_row("SELECT synced_boot FROM account", [], |row| row.get(0))
            .unwrap()
    };
    world.drop_csv("1.csv", &sheet(&["1"]));
    assert_eq!(world.run_once().status, 0);
    let first = synced(&world);
    let mut passes = 1;
    wait_for("a pass that sends reads of them", || {
        passes += 1;
        world.drop_csv(&format!("{passes}.csv"), &sheet(&[&passes.to_string()]));
        assert_eq!(world.run_once().status, 0);
        synced(&world) > first
    });
    assert_eq!(world.creates(), passes);
    world.end();
}

#[test]
fn an_import_whose_folder_is_gone_is_no_trouble_of_the_inbox() {
    let mut world = World::with(crate::world::Setup {
        account: "sync = \"1s\"",
        ..crate::world::Setup::default()
    });
    world.excused.push("1001".to_owned());
    let out = world.path("out");
    std::fs::create_dir(&out).unwrap();
    write(&world.path("monday.csv"), sheet(&["1001"]).as_bytes());
    let imported = world.dropsheet(&["import", "monday.csv", "--out", "out"]);
    assert_eq!(imported.status, 0, "{imported:?}");
    std::fs::remove_dir_all(&out).unwrap();
    assert!(world.service.fulfil(&world.pw("1001")));
    let daemon = world.daemon();
    wait_for("its result has news", || {
        let log = std::fs::read_to_string(world.path("daemon.log")).unwrap();
        log.contains("its result is written again later")
    });
    // Taken by a later look.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("the inbox is worked", || {
        world.find_result("tuesday.csv").is_some()
    });
    let status = world.dropsheet(&["status", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&status.said).unwrap();
    assert!(status["inboxes"][0]["trouble"].is_null(), "{status}");
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn news_of_pages_that_came_are_told_though_a_later_page_does_not() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    // Others, on pages of their own.
    world.service.set_list_lag(Duration::ZERO);
    place_others(&mut world, "1001", "other", 450);
    // The newest stands first.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_once().status, 0);
    assert!(world.service.fulfil(&world.pw("1002")));
    world.service.set_fault("html-list=after:2").unwrap();
    let synced = world.dropsheet(&["orders", "sync"]);
    assert_eq!(synced.status, 1, "{synced:?}");
    for word in ["1002", "TRK", "some days could not be read"] {
        assert!(synced.said.contains(word), "{word}: {synced:?}");
    }
    world.service.clear_faults();
    let again = world.dropsheet(&["orders", "sync"]);
    assert_eq!(
        (again.status, again.said.contains("1002")),
        (0, false),
        "{again:?}"
    );
    world.end();
}

#[test]
fn an_order_that_the_service_does_not_know_any_more_is_said_once_until_it_is_back() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    let pw = world.pw("1001");
    world.dropsheet(&["orders", "sync"]);
    // The sandbox forgets nothing: the ledger is made to know the order under an id that the service never gave, for
    // longer than a list may be late.
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let known_as = |id: &str| {
        let sql = "UPDATE orders SET pw_order_id = ?1, entered_at = entered_at - 7200000, others = 0";
        assert_eq!(db.execute(sql, [id]).unwrap(), 1);
    };
    known_as("PW-999");
    let synced = world.dropsheet(&["orders", "sync"]);
    assert_eq!(
        (synced.status, synced.said.contains("does not know it any more")),
        (3, true),
        "{synced:?}"
    );
    // What the list shows under the id that it gave counts as another order of that name.
    assert_eq!(world.kinds(), ["duplicate", "missing"]);
    let again = world.dropsheet(&["orders", "sync"]);
    assert_eq!(
        (again.status, again.said.contains("nothing is new")),
        (0, true),
        "{again:?}"
    );
    known_as(&pw);
    let back = world.dropsheet(&["orders", "sync"]);
    assert!(back.said.contains("the service has it again"), "{back:?}");
    assert_eq!(rows(&world.own("attention"))[1][6], "nothing needs a person");
    world.end();
}

#[test]
fn however_many_orders_the_service_does_not_know_any_more_all_of_them_are_told() {
    let mut world = World::new();
    let ids: Vec<String> = (1001..=1052).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.drop_csv("monday.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 0);
    world.pw("1052");
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    // The sandbox forgets nothing: the ledger is made to know the orders under ids that the service never gave.
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let change = |what: &str| {
        let sql = format!("UPDATE orders SET {what}, others = 0");
        assert_eq!(db.execute(&sql, []).unwrap(), 52);
    };
    change("pw_order_id = 'X' || pw_order_id, entered_at = entered_at - 7200000");
    let missing = || {
        let sql = "SELECT count(missing_at) FROM orders";
        db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    let synced = world.dropsheet(&["orders", "sync"]);
    assert_eq!((synced.status, missing()), (3, 50), "{synced:?}");
    let synced = world.dropsheet(&["orders", "sync"]);
    assert_eq!((synced.status, missing()), (3, 52), "{synced:?}");
    change("pw_order_id = substr(pw_order_id, 2)");
    world.dropsheet(&["orders", "sync"]);
    assert_eq!(missing(), 0);
    world.end();
}
