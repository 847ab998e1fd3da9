//! A service whose order list is answered with 404 where it has nothing to show.

use std::time::Duration;

use dropsheet::sandbox::{EmptyList, Options};

use crate::world::{Setup, World, sheet, wait_for, write};

fn world() -> World {
    World::with(Setup {
        service: Options {
            empty_list: EmptyList::NotFound,
            ..Setup::default().service
        },
        ..Setup::default()
    })
}

#[test]
fn a_new_account_of_a_service_that_finds_no_orders_sends_its_first_ones() {
    let mut world = world();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 2]);
    world.drop_csv("again.csv", &sheet(&["1001", "1003"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created", "created"]
    );
    let doctor = world.dropsheet(&["doctor"]);
    assert!(!doctor.said.contains("order list cannot be read"), "{doctor:?}");
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn a_lost_ledger_is_not_made_anew_from_a_list_that_says_that_it_finds_nothing() {
    let mut world = world();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    for name in ["ledger.db", "ledger.db-wal", "ledger.db-shm"] {
        drop(std::fs::remove_file(world.path(name)));
    }
    world.service.leave_out_of_list(Some("1001"));
    let marker = || std::fs::read(world.orders_path(".dropsheet")).unwrap();
    let marked = marker();
    for _again in 0..2 {
        let ran = world.dropsheet(&["ledger", "rebuild"]);
        assert_eq!(ran.status, 1, "{ran:?}");
        let said = "the order list says that it finds nothing (404), from which a ledger that was lost is not made anew";
        assert!(
            ran.logged.contains(said) && ran.logged.contains("No inbox was marked"),
            "{ran:?}"
        );
        assert_eq!(marker(), marked);
    }
    // Nor is anything sent by what it has left.
    write(&world.path("more.csv"), sheet(&["1001"]).as_bytes());
    let imported = world.dropsheet(&["import", "more.csv"]);
    assert_eq!(world.creates(), 1, "{imported:?}");
    world.service.leave_out_of_list(None);
    let rebuilt = world.dropsheet(&["ledger", "rebuild"]);
    assert_eq!(rebuilt.status, 0, "{rebuilt:?}");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn what_is_not_found_by_the_list_s_word_alone_is_not_sent_again_though_the_list_is_live() {
    let mut world = world();
    world.service.set_fault("drop-before-create=on:1").unwrap();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is sent", || world.creates() == 1);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("the other is created", || {
        world.find_result("tuesday.csv").is_some()
    });
    let looks = world.service.count("orders-list");
    wait_for("it is looked up again and again", || {
        world.service.count("orders-list") > looks + 40
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["unresolved"]);
    assert_eq!(world.result("tuesday.csv").column("result_status"), ["created"]);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn where_nothing_shows_it_longer_than_the_unproven_wait_it_is_sent_once_more() {
    let mut world = World::with(Setup {
        service: Options {
            empty_list: EmptyList::NotFound,
            list_lag: Duration::ZERO,
            ..Setup::default().service
        },
        absent_after_unproven: "2s",
        ..Setup::default()
    });
    world.service.set_fault("drop-before-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.creates(), 2);
    world.end();
}
