//! What is sent once more counts in the day on which it is: the limit of a day holds for it as for any other order.

use crate::world::{Setup, World, sheet};

const CLASSIC: &str = "TEE-CLASSIC-BLK-S";

/// A world with a limit of 50 a day, in which 1001 was promised at 13.64 and never left.
fn lost() -> World {
    let mut world = World::with(Setup {
        inbox: "daily_limit = 50",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    world
}

/// What a sheet's result says of an order.
fn told(world: &World, sheet: &str, id: &str) -> (String, String) {
    let result = world.result(sheet);
    let cell = |column| result.of(id, column).to_owned();
    (cell("result_status"), cell("result_message"))
}

fn cost(world: &World, cost: &str) {
    assert!(world.service.set_cost(CLASSIC, cost.parse().unwrap()));
}

#[test]
fn a_resend_over_the_limit_of_the_day_is_told_once_and_then_fills_it() {
    let mut world = lost();
    assert_eq!(world.run_once().status, 3);
    cost(&world, "99.00");
    let first = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(first.status, 1, "{first:?}");
    for said in [
        "its price has risen from 13.64",
        "the day comes over its limit of 50",
    ] {
        assert!(
            first.logged.contains(said) || first.said.contains(said),
            "{said}: {first:?}"
        );
    }
    assert_eq!(world.creates(), 0);
    let again = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(again.status, 0, "{again:?}");
    assert_eq!(world.creates(), 1);
    // The day is full by what it was sent at, not by what it was promised at first.
    cost(&world, "5.00");
    world.drop_csv("wednesday.csv", &sheet(&["1003"]));
    world.run_once();
    let result = world.result("wednesday.csv");
    assert_eq!(result.of("1003", "result_codes"), "over-daily-limit");
    assert_eq!(world.creates(), 1);
    world.end();
}

/// Has what was sent today be an earlier day's.
fn a_day_passes(world: &World) {
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    for sql in [
        "UPDATE day_money SET day = '2026-01-01'",
        "UPDATE orders SET reserved_day = '2026-01-01', changed_at = changed_at - 86400000",
    ] {
        assert_eq!(db.execute(sql, []).unwrap(), 1);
    }
}

#[test]
fn where_the_day_is_full_nothing_is_sent_once_more_before_a_person_says_so() {
    let mut world = lost();
    assert_eq!(world.run_once().status, 3);
    a_day_passes(&world);
    // They fill today, and show that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002", "1003", "1004"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.creates(), 3);
    let (status, message) = told(&world, "monday.csv", "1001");
    assert_eq!(status, "unresolved");
    assert!(
        message.contains("the day comes over its limit of 50"),
        "{message}"
    );
    assert!(
        message.contains("`dropsheet orders resolve 1001 --resend`"),
        "{message}"
    );
    // Who was told of it and says so means it.
    let ran = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 4);
    assert_eq!(told(&world, "monday.csv", "1001").0, "created");
    world.end();
}

#[test]
fn what_is_sent_once_more_on_its_day_takes_no_more_of_it_than_it_costs() {
    let mut world = lost();
    cost(&world, "0.50");
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(world.creates(), 2);
    let total = |sheet: &str, id: &str| world.result(sheet).of(id, "result_quoted_total").to_owned();
    let small: usize = total("monday.csv", "1001").replace('.', "").parse().unwrap();
    assert_eq!(total("tuesday.csv", "1002"), total("monday.csv", "1001"));
    let room = 5000 / small;
    let ids: Vec<String> = (1003..1003 + room).map(|id| id.to_string()).collect();
    world.drop_csv(
        "wednesday.csv",
        &sheet(&ids.iter().map(String::as_str).collect::<Vec<_>>()),
    );
    world.run_once();
    // Two of those that the day has room for were sent before.
    let result = world.result("wednesday.csv");
    let held = result.column("result_status");
    assert_eq!(
        held.iter().filter(|status| **status == "held").count(),
        2,
        "{held:?}"
    );
    world.end();
}
