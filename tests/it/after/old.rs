//! Orders that are older than thirty days: what of them is still read.

use std::time::Duration;

use dropsheet::sandbox::Options;

use super::rows;
use crate::world::{EVER, Setup, World, sheet, wait_for};

/// A world of the orders 1001 and 1002, made so many days ago.
fn ago(days: u64, account: &'static str) -> World {
    let behind = Duration::from_hours(24 * days);
    let setup = Setup::default();
    let mut world = World::with(Setup {
        account,
        service: Options {
            behind,
            ..setup.service
        },
        ..setup
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    for id in ["1001", "1002"] {
        world.pw(id);
    }
    world.service.advance_clock(behind);
    world
}

/// Has the tracking of 1001 read, by a person's sync or by a pass.
fn read_the_tracking(world: &World, by_hand: bool) {
    if by_hand {
        let synced = world.dropsheet(&["orders", "sync"]);
        assert!(synced.said.contains("TRK"), "{synced:?}");
        return;
    }
    wait_for("a pass reads of it", || {
        world.run_once();
        let result = world.result("monday.csv");
        !result.of("1001", "result_tracking").is_empty()
    });
}

fn report(world: &World) {
    let ran = world.dropsheet(&[&EVER[..], &["--out", "costs.xlsx"]].concat());
    assert!(ran.status == 0 || ran.status == 3, "{ran:?}");
}

#[test]
fn the_trouble_of_an_old_order_is_read_again_for_as_long_as_it_stands() {
    for by_hand in [true, false] {
        let world = ago(40, "sync = \"1s\"");
        let (first, second) = (world.pw("1001"), world.pw("1002"));
        assert!(world.service.trouble(&first));
        report(&world);
        world.dropsheet(&["orders", "sync"]);
        assert_eq!(world.kinds(), ["problem"]);
        assert!(world.service.fulfil(&first));
        assert!(world.service.fulfil(&second));
        // A day has passed.
        let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
        db.execute("UPDATE orders SET asked_at = asked_at - 86400000", [])
            .unwrap();
        drop(db);
        read_the_tracking(&world, by_hand);
        assert_eq!(rows(&world.own("attention"))[1][6], "nothing needs a person");
        let result = world.result("monday.csv");
        assert!(result.of("1001", "result_tracking").contains("TRK"));
        assert_eq!(
            result.of("1002", "result_tracking"),
            "",
            "nothing is wrong with it, and it is old"
        );
        world.end();
    }
}

#[test]
fn an_old_order_that_the_service_has_again_is_missing_no_more() {
    let world = ago(100, "history = \"200d\"");
    let pw = world.pw("1001");
    report(&world);
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let known_as = |id: &str| {
        let sql = "UPDATE orders SET pw_order_id = ?1, missing_at = 1 WHERE order_id = '1001'";
        assert_eq!(db.execute(sql, [id]).unwrap(), 1);
    };
    known_as("PW-999");
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    assert_eq!(world.kinds(), ["missing"]);
    known_as(&pw);
    let back = world.dropsheet(&["orders", "sync"]);
    assert!(back.said.contains("the service has it again"), "{back:?}");
    assert_eq!(rows(&world.own("attention"))[1][6], "nothing needs a person");
    world.end();
}

#[test]
fn what_grew_too_old_to_be_followed_while_nothing_ran_is_read_once_more() {
    for by_hand in [true, false] {
        let world = ago(40, "sync = \"1s\"");
        world.dropsheet(&["orders", "sync"]);
        assert!(world.service.fulfil(&world.pw("1001")));
        // It was last read when the orders were fifteen days old.
        let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
        let sql = "UPDATE meta SET value = value - 25 * 86400000 WHERE key LIKE 'old orders of%'";
        assert_eq!(db.execute(sql, []).unwrap(), 1);
        drop(db);
        read_the_tracking(&world, by_hand);
        assert!(world.service.fulfil(&world.pw("1002")));
        let again = world.dropsheet(&["orders", "sync"]);
        assert!(again.said.contains("nothing is new"), "once: {again:?}");
        world.end();
    }
}
