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

#[test]
fn orders_that_the_service_lists_and_this_ledger_does_not_have_can_be_listed_and_shown() {
    let mut world = World::with(Setup {
        absent_after: "300ms",
        ..Setup::default()
    });
    let none = world.dropsheet(&["orders", "list", "--not-ours"]);
    assert!(none.said.contains("no orders but those"), "{none:?}");
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_list_lag(std::time::Duration::ZERO);
    let own = world.dropsheet(&["orders", "list"]);
    assert!(!own.said.contains("--not-ours"), "{own:?}");
    for name in ["ledger.db", "ledger.db-wal", "ledger.db-shm"] {
        let gone = std::fs::remove_file(world.path(name));
        assert!(gone.is_ok() || !world.path(name).exists(), "{gone:?}");
    }
    let rebuilt = world.dropsheet(&["ledger", "rebuild"]);
    assert!(
        rebuilt.said.contains("`dropsheet orders list --not-ours`"),
        "{rebuilt:?}"
    );
    world.drop_csv("tuesday.csv", &sheet(&["1003"]));
    wait_for("1003 is sent", || world.run_once().status == 0);
    let own = world.dropsheet(&["orders", "list"]).said;
    assert!(own.contains("1003") && !own.contains("1001"), "{own}");
    assert!(
        own.ends_with("the service lists 2 more that this ledger does not have; --not-ours lists them\n"),
        "{own}"
    );
    let json = world.dropsheet(&["orders", "list", "--not-ours", "--json"]).said;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    let there = |id: &str| world.at_service(id)[0].pw_order_id.clone();
    assert_eq!(listed.len(), 2, "{json}");
    for order in &listed {
        let id = order["order_id"].as_str().unwrap();
        assert_eq!(order["pw_order_id"], there(id));
        assert_eq!(order["account"], "main");
        assert_eq!(order["lines"][0]["quantity"], 1);
        assert!(order["entered_at"].is_string(), "{order}");
    }
    let one = world
        .dropsheet(&["orders", "list", "--not-ours", "--limit", "1"])
        .said;
    assert!(one.contains("the newest 1; --limit lists more"), "{one}");
    for name in ["1001", &there("1001")] {
        let shown = world.dropsheet(&["orders", "show", name]);
        assert_eq!(shown.status, 0, "{shown:?}");
        for said in ["1001", &there("1001"), "this ledger does not have it"] {
            assert!(shown.said.contains(said), "{said}: {shown:?}");
        }
    }
    let unknown = world.dropsheet(&["orders", "show", "1009"]);
    assert_eq!(unknown.status, 1, "{unknown:?}");
    world.end();
}

#[test]
fn a_sync_that_finds_a_second_order_of_an_id_says_so_and_wants_a_person() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    world.service.insert_order(&placed(&world, "1001", "1001"));
    world.excused.push("1001".to_owned());
    wait_for("the list shows both", || {
        world.at_service("1001").iter().filter(|one| one.visible).count() == 2
    });
    let synced = world.dropsheet(&["orders", "sync", "--json"]);
    assert_eq!(synced.status, 3, "{synced:?}");
    let told: serde_json::Value = serde_json::from_str(&synced.said).unwrap();
    assert_eq!(told["lines"].as_array().map(Vec::len), Some(1), "{told}");
    let line = &told["lines"][0];
    assert_eq!(
        (&line["order_id"], &line["state"], &line["said"]),
        (
            &"1001".into(),
            &"created".into(),
            &"The service has 1 more of this id.".into()
        )
    );
    let status = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(
        status.starts_with("dropsheet did what a command asked for: ")
            && status.contains("Order 1001: The service has 1 more of this id"),
        "{status}"
    );
    // It stays told, and is no news.
    let again = world.dropsheet(&["orders", "sync"]);
    assert!(
        again.status == 0 && again.said.contains("nothing is new"),
        "{again:?}"
    );
    let status = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(status.contains("Order 1001: "), "{status}");
    world.end();
}

#[test]
fn what_has_stopped_dropsheet_stays_told_when_a_command_is_done() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let path = world.orders_path("STATUS.txt");
    let stopped = "dropsheet has stopped: then. Nothing is taken and nothing is sent.\r\n";
    crate::world::write(&path, stopped.as_bytes());
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), stopped);
    assert_eq!(world.run_once().status, 0);
    assert!(std::fs::read_to_string(&path).unwrap().contains("made a pass"));
    world.end();
}
