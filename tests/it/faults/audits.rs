//! Orders whose create had no answer are counted at the service again, for one that was made twice after all.

use super::lookups::placed;
use crate::world::{HEADER, Setup, World, row, sheet, wait_for};

/// A service of which the first create gets lost, or seems to.
fn first_create_lost(account: &'static str) -> World {
    let world = World::with(Setup {
        account,
        ..Setup::default()
    });
    world.service.set_fault("drop-before-create=on:1").unwrap();
    world
}

/// Carries the first create out after all, long after its absence was believed: there are two now.
pub(crate) fn carry_out_the_first(world: &mut World) {
    wait_for("the second is there", || !world.at_service("1001").is_empty());
    world.service.insert_order(&placed(world, "1001", "1001"));
    world.excused.push("1001".to_owned());
}

#[test]
fn an_order_made_twice_by_a_late_service_is_found_told_and_not_canceled() {
    let mut world = first_create_lost("audit = [\"1s\", \"7s\"]");
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is sent", || world.creates() == 1);
    // Another order shows that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("it is sent again", || world.creates() == 3);
    carry_out_the_first(&mut world);
    wait_for("the result tells of both", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.of("1001", "result_codes").contains("several-at-service"))
    });
    let ours = world.result("monday.csv").column("result_pw_order_id").concat();
    let there = world
        .at_service("1001")
        .into_iter()
        .map(|order| order.pw_order_id);
    let other: String = there.filter(|id| *id != ours).collect();
    let status = world.dropsheet(&["status"]);
    assert!(
        status.said.contains("duplicate") && status.said.contains(&other),
        "{status:?}"
    );
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.service.count("cancel-order"), 0);
    // Who cancels it is told that the other one is still printed.
    world.drop_csv(
        "cancel.csv",
        &format!("{HEADER},action\n{},cancel\n", row("1001", 1)),
    );
    wait_for("the cancel tells of the other one", || {
        world.find_result("cancel.csv").is_some_and(|result| {
            result.column("result_status") == ["canceled"]
                && result
                    .column("result_codes")
                    .concat()
                    .contains("several-at-service")
        })
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 3);
    world.end();
}

/// A second order that is not as plain to see as the first one is found by the count.
fn is_found(name: &str, is_blind: bool) {
    let mut world = first_create_lost("audit = [\"1s\", \"7s\"]\nsync = \"1h\"");
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["x-2b"]));
    wait_for("it is sent", || world.creates() == 1);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("it is sent again", || world.creates() == 3);
    if is_blind {
        world.service.blind_search_to("x-2b");
    }
    wait_for("the second is there", || !world.at_service("x-2b").is_empty());
    world.service.insert_order(&placed(&world, "x-2b", name));
    world.excused.push(name.to_owned());
    wait_for("the result tells of both", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.of("x-2b", "result_codes").contains("several-at-service"))
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.service.count("cancel-order"), 0);
    world.end();
}

#[test]
fn a_second_order_under_the_name_in_another_writing_is_found_by_the_count() {
    is_found("#x-2b", false);
}

#[test]
fn a_second_order_that_the_search_is_blind_to_is_found_by_the_count() {
    is_found("x-2b", true);
}

#[test]
fn a_count_that_does_not_even_show_the_order_itself_is_made_again() {
    let mut world = first_create_lost("audit = [\"4s\"]\nsync = \"1h\"");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_until_settled().status, 0);
    carry_out_the_first(&mut world);
    world.service.leave_out_of_list(Some("1001"));
    let counted = || {
        let ledger = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
        let counted = "SELECT count(*) FROM audit WHERE counted_at IS NOT NULL";
        ledger.query_row(counted, [], |row| row.get::<_, u32>(0)).unwrap()
    };
    wait_for("it is counted in vain", || {
        assert_eq!(world.run_once().status, 0);
        counted() > 0
    });
    world.service.leave_out_of_list(None);
    wait_for("a later run counts them", || world.run_once().status == 3);
    assert!(
        world
            .result("monday.csv")
            .of("1001", "result_codes")
            .contains("several-at-service")
    );
    world.end();
}

#[test]
fn what_became_due_while_nothing_ran_is_counted_by_the_next_run_though_no_sheet_is_dropped() {
    let mut world = first_create_lost("audit = [\"4s\"]\nsync = \"1h\"");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 3, "sent again after its absence was proved");
    carry_out_the_first(&mut world);
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
    carry_out_the_first(&mut world);
    wait_for("the result tells of it", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.of("1001", "result_codes").contains("several-at-service"))
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.service.count("cancel-order"), 0);
    world.end();
}
