//! A machine whose clock is days behind the service's, or ahead of it.

use std::fs;
use std::time::Duration;

use dropsheet::sandbox::Options;

use crate::world::{Setup, World, names, sheet, wait_for};

#[test]
fn what_the_service_has_is_seen_by_its_own_clock() {
    let mut world = World::new();
    // More than the day by which every window is widened.
    world.service.advance_clock(Duration::from_hours(3 * 24));
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    wait_for("the list shows them", || {
        world.service.orders().iter().all(|order| order.visible)
    });
    // A ledger of before the first order.
    for name in names(&world.path("")) {
        if name == "ledger.db" || name.starts_with("ledger.db-") {
            fs::remove_file(world.path(&name)).unwrap();
        }
    }
    let rebuilt = world.dropsheet(&["ledger", "rebuild"]);
    assert!(rebuilt.said.contains("2 orders"), "{rebuilt:?}");
    world.drop_csv("again.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    let again = world.result("again.csv");
    assert_eq!(again.column("result_status"), ["already_created"; 2]);
    let entered = again.column("result_created_at");
    assert!(entered.iter().all(|at| at.starts_with("20")), "{again:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn what_was_sent_while_the_clock_was_ahead_is_found_when_it_is_right_again() {
    let ahead = Duration::from_hours(3 * 24);
    let setup = Setup::default();
    let mut world = World::with(Setup {
        service: Options {
            behind: ahead,
            ..setup.service
        },
        ..setup
    });
    world.drop_csv("friday.csv", &sheet(&["2001"]));
    assert!(world.run_once_crashing("create-answered").crashed());
    // Three days on, and the clock was put right on the way.
    world.service.advance_clock(ahead);
    world.drop_csv("monday.csv", &sheet(&["2002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    for sheet in ["friday.csv", "monday.csv"] {
        assert_eq!(
            world.result(sheet).column("result_status"),
            ["created"],
            "{sheet}"
        );
    }
    assert_eq!(world.creates(), 2);
    world.end();
}
