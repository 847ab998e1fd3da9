//! What commands ask of the process that works the ledger: cancels of one request beside each other, and what the end of
//! that process comes upon.

use std::time::Duration;

use dropsheet::sandbox::{Options, RetryAfter};

use crate::world::{Setup, World, sheet, wait_for};

#[test]
fn orders_of_one_request_wait_for_no_other_one_s_answer() {
    let mut world = World::with(Setup {
        service: Options {
            slow: Duration::from_hours(1),
            ..Setup::default().service
        },
        timeout: "5m",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_fault("slow-cancel=first:2").unwrap();
    let mut asking = world
        .command(&["orders", "cancel", "1001", "1002"])
        .spawn()
        .unwrap();
    wait_for("both are asked for, and neither is answered", || {
        world.service.count("cancel-order") == 2
    });
    asking.kill().unwrap();
    asking.wait().unwrap();
    assert_eq!(world.run_once().status, 0, "the request stands in the ledger");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["canceled"; 2]
    );
    world.end();
}

#[test]
fn what_became_of_orders_is_told_in_the_order_in_which_they_were_named() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_fault("slow-cancel=on:1").unwrap();
    let done = world.dropsheet(&["orders", "cancel", "1003", "1001", "1002"]);
    let told = ["1003", "1001", "1002"].map(|id| done.said.find(id).unwrap());
    assert!(told.is_sorted(), "{done:?}");
    world.run_until_settled();
    world.end();
}

#[test]
fn a_decision_that_the_end_of_the_daemon_comes_upon_is_carried_out_by_who_works_the_ledger_next() {
    let mut world = World::with(Setup {
        service: Options {
            retry_after: RetryAfter::Text("60".to_owned()),
            ..Setup::default().service
        },
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    assert_eq!(world.run_once().status, 3);
    let daemon = world.daemon();
    world.service.set_fault("rate-limit=1").unwrap();
    wait_for("a minute's pause is asked for", || {
        world.service.calls().log.iter().any(|call| call.status == 429)
    });
    let is_taken = || {
        let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
        let sql = "SELECT count(*) FROM request WHERE taken_at IS NOT NULL";
        db.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap() == 1
    };
    std::thread::scope(|scope| {
        let world = &world;
        let given_up = scope.spawn(move || world.dropsheet(&["orders", "resolve", "1001", "--abandon"]));
        wait_for("the daemon has taken it", is_taken);
        assert_eq!(daemon.terminate().0, 0);
        world.service.clear_faults();
        let given_up = given_up.join().unwrap();
        assert_eq!(
            (given_up.status, given_up.said.contains("given up")),
            (0, true),
            "{given_up:?}"
        );
    });
    assert_eq!(world.creates(), 0);
    world.end();
}
