//! Another shop's order of our name on the same account, of the same shirt to the same country: it is never taken for ours.

use dropsheet::sandbox::{NewOrder, Options, Placed, Repeated};

use super::lookups::placed;
use crate::world::run::Daemon;
use crate::world::{HEADER, Setup, World, sheet, wait_for};

/// A daemon that has read the list, at a service that refuses a repeated name, and another shop's order `1001`.
fn beside_another_shop() -> (World, Daemon, Placed) {
    let mut world = World::with(Setup {
        service: Options {
            repeated_create: Repeated::Refused,
            ..Setup::default().service
        },
        absent_after: "300ms",
        ..Setup::default()
    });
    let daemon = world.daemon();
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    is(&world, "sunday.csv", "created");
    let ours = placed(&world, "900", "1001");
    let mut address = ours.address.clone();
    address.zip = "99999".to_owned();
    world.service.insert_order(&NewOrder { address, ..ours });
    world.excused.push("1001".to_owned());
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    let theirs = world.at_service("1001").remove(0);
    (world, daemon, theirs)
}

/// Waits until the only row of a sheet has a status.
fn is(world: &World, sheet: &str, status: &str) {
    wait_for(&format!("{sheet} is {status}"), || {
        let result = world.find_result(sheet);
        result.is_some_and(|result| result.column("result_status") == [status])
    });
}

/// Nothing has happened to the other shop's order, and there is none of ours beside it.
fn is_left_alone(world: &World, theirs: &Placed) {
    let there = world.at_service("1001");
    assert_eq!(there.len(), 1);
    assert_eq!(there[0].pw_order_id, theirs.pw_order_id);
    assert_eq!(world.service.count("cancel-order"), 0);
}

#[test]
fn an_order_refused_beside_another_shops_is_changed_when_it_comes_again_and_a_cancel_leaves_the_other_alone()
{
    let (mut world, daemon, theirs) = beside_another_shop();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    is(&world, "monday.csv", "refused");
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    is(&world, "tuesday.csv", "changed");
    // The reading of the list does not take it for the refused one either.
    let synced = world.dropsheet(&["orders", "sync"]);
    assert!(!synced.said.contains("after all"), "{synced:?}");
    is(&world, "monday.csv", "refused");
    world.drop_csv(
        "wednesday.csv",
        &format!("{HEADER},action\n1001,,,,,,,,,,,,,,cancel\n"),
    );
    is(&world, "wednesday.csv", "invalid");
    let canceled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(canceled.status, 1, "{canceled:?}");
    assert_eq!(daemon.terminate().0, 0);
    is_left_alone(&world, &theirs);
    world.end();
}

#[test]
fn an_order_whose_create_was_lost_beside_another_shops_is_for_a_person_and_can_be_given_up() {
    let (mut world, daemon, theirs) = beside_another_shop();
    world.service.set_fault("drop-before-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("a person is asked", || {
        let result = world.find_result("monday.csv");
        result.is_some_and(|result| result.column("result_codes") == ["person-needed"])
    });
    let gone = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert!(gone.said.contains("given up"), "{gone:?}");
    is(&world, "monday.csv", "abandoned");
    // Nor is it once it is given up.
    world.dropsheet(&["orders", "sync"]);
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    is(&world, "tuesday.csv", "changed");
    is(&world, "monday.csv", "abandoned");
    assert_eq!(daemon.terminate().0, 0);
    is_left_alone(&world, &theirs);
    world.end();
}
