//! Orders whose create had no answer are counted at the service again, for one that was made twice after all.

use std::time::Duration;

use dropsheet::sandbox::Options;

use super::lookups::placed;
use crate::world::{Setup, World, sheet, wait_for};

/// A service that carries the first create out long after its absence was believed, so that there are two in the end.
fn twice_in_the_end(audit: &'static str) -> World {
    let mut world = World::with(Setup {
        service: Options {
            late: Duration::from_secs(5),
            list_lag: Duration::ZERO,
            ..Setup::default().service
        },
        account: audit,
        ..Setup::default()
    });
    world.excused.push("1001".to_owned());
    world.service.set_fault("late-create=on:1").unwrap();
    world
}

#[test]
fn an_order_made_twice_by_a_late_service_is_found_told_and_not_canceled() {
    let mut world = twice_in_the_end("audit = [\"1s\", \"7s\"]");
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is sent", || world.creates() == 1);
    // Another order shows that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("it is sent again", || world.creates() == 3);
    wait_for("both are there", || world.at_service("1001").len() == 2);
    wait_for("the result tells of both", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.of("1001", "result_codes").contains("several-at-service"))
    });
    let status = world.dropsheet(&["status"]);
    assert!(status.said.contains("duplicate"), "{status:?}");
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.service.count("cancel-order"), 0);
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn what_became_due_while_nothing_ran_is_counted_by_the_next_run_though_no_sheet_is_dropped() {
    let mut world = twice_in_the_end("audit = [\"4s\"]\nsync = \"1h\"");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 3, "sent again after its absence was proved");
    wait_for("both are there", || world.at_service("1001").len() == 2);
    let mut told = world.run_once();
    wait_for("the next run counts them", || {
        if told.status != 3 {
            told = world.run_once();
        }
        told.status == 3
    });
    assert!(
        told.said.contains("order 1001: the service has 1 more"),
        "{told:?}"
    );
    assert!(
        world
            .result("monday.csv")
            .of("1001", "result_codes")
            .contains("several-at-service")
    );
    // It is said once.
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn a_second_order_of_a_created_name_is_noticed_by_the_reading_of_the_list() {
    let mut world = World::with(Setup {
        account: "sync = \"1s\"",
        ..Setup::default()
    });
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is done", || {
        world.find_result("monday.csv").is_some() && world.files("processing").is_empty()
    });
    world.service.insert_order(&placed(&world, "1001", "1001"));
    world.excused.push("1001".to_owned());
    wait_for("the result tells of it", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.of("1001", "result_codes").contains("several-at-service"))
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.service.count("cancel-order"), 0);
    world.end();
}
