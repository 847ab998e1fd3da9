//! Orders that count as not there, refused or given up, and that the service shows after all: they are ours, a person is
//! told, and nothing is canceled by itself.

use crate::faults::lookups::placed;
use crate::world::{World, sheet, wait_for};

/// A world with an order of monday's that a person gave up while the service's list hid it; the list shows it by now.
fn given_up() -> World {
    let mut world = World::new();
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let given_up = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(given_up.status, 0, "{given_up:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["abandoned"]);
    world.service.freeze_list(false);
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    world
}

/// What `status` says of the order that is at the service.
fn told(world: &World) -> String {
    let status = world.dropsheet(&["status"]).said;
    let lines = status.lines().filter(|line| line.starts_with("1001"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_order_that_was_given_up_and_is_there_is_ours_told_and_not_canceled() {
    let mut world = given_up();
    let synced = world.dropsheet(&["orders", "sync"]);
    assert_eq!(
        (
            synced.status,
            synced.said.contains("the service has it after all")
        ),
        (3, true),
        "{synced:?}"
    );
    let pw = world.at_service("1001")[0].pw_order_id.clone();
    let result = world.result("monday.csv");
    assert_eq!(
        result.columns(&["result_status", "result_pw_order_id"]),
        [["created", pw.as_str()]]
    );
    let said = told(&world);
    assert!(
        said.contains("there after all") && said.contains("A person gave it up"),
        "{said}"
    );
    let shown = world.dropsheet(&["orders", "show", "1001"]).said;
    assert!(
        shown.contains(&format!("the service has it after all, as {pw}")),
        "{shown}"
    );
    assert_eq!(world.service.count("cancel-order"), 0);
    // Dropped again it is known.
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let again = world.result("tuesday.csv");
    assert_eq!(again.column("result_status"), ["already_created"]);
    let said = again.of("1001", "result_message");
    assert!(!said.contains("no record of having sent it"), "{said}");
    assert_eq!(world.creates(), 1);
    // Once it is canceled nobody is told of it.
    assert_eq!(world.dropsheet(&["orders", "cancel", "1001"]).status, 0);
    assert_eq!(told(&world), "");
    world.end();
}

#[test]
fn an_order_that_was_refused_and_is_there_is_ours_and_told() {
    let mut world = World::new();
    world.service.set_fault("refuse=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_once().status, 0);
    world.service.insert_order(&placed(&world, "1002", "1001"));
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 3);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    let said = told(&world);
    assert!(
        said.contains("The service refused it, and the service has it after all"),
        "{said}"
    );
    world.end();
}

#[test]
fn an_order_that_was_canceled_as_absent_and_is_there_is_told() {
    let mut world = World::new();
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.dropsheet(&["orders", "cancel", "1001"]).status, 3);
    let given_up = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(given_up.status, 0, "{given_up:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["canceled"]);
    assert_eq!(told(&world), "");
    world.service.freeze_list(false);
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    world.dropsheet(&["orders", "sync"]);
    let said = told(&world);
    assert!(
        said.contains("The service has 1 of this order, which is `canceled` here"),
        "{said}"
    );
    assert_eq!(world.service.count("cancel-order"), 0);
    world.excused.push("1001".to_owned());
    world.end();
}
