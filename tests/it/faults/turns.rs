//! Orders that wait for their turn where requests are counted.

use std::fs;

use crate::world::{Setup, World, sheet, wait_for, write};

const COUNTED: &str = "rate_limit = \"1/1s\"";

/// A sheet of sixteen orders, as many as are under way at once, of which one request leaves each second.
fn queue() -> World {
    let mut world = World::with(Setup {
        account: COUNTED,
        ..Setup::default()
    });
    let ids: Vec<String> = (1001..=1016).map(|id: u32| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.drop_csv("queue.csv", &sheet(&ids));
    world
}

/// How many orders may have been sent, as far as the ledger knows, and have no answer.
fn in_doubt(world: &World) -> usize {
    let listed = world.dropsheet(&["orders", "list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.said).unwrap();
    let states = listed.as_array().unwrap().iter().map(|order| &order["state"]);
    states
        .filter(|state| ["sending", "unresolved"].contains(&state.as_str().unwrap()))
        .count()
}

/// Lets all leave that is left, and sees that each was created once.
fn let_all_leave(world: World) {
    let config = world.path("dropsheet.toml");
    let text = fs::read_to_string(&config).unwrap();
    assert!(text.contains(COUNTED));
    write(&config, text.replace(COUNTED, "").as_bytes());
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 16);
    world.end();
}

#[test]
fn a_stop_leaves_none_in_doubt_that_waited_for_its_turn() {
    let world = queue();
    let daemon = world.daemon();
    wait_for("an order is created", || world.creates() > 0);
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(in_doubt(&world), 0);
    assert!(world.creates() < 16, "most of them waited");
    let_all_leave(world);
}

#[test]
fn a_kill_leaves_none_in_doubt_but_what_had_its_turn() {
    let world = queue();
    let daemon = world.daemon();
    wait_for("an order is created", || world.creates() > 0);
    daemon.kill();
    assert!(in_doubt(&world) <= 2, "{}", in_doubt(&world));
    let_all_leave(world);
}

#[test]
fn a_cancel_goes_before_the_orders_that_wait_for_their_turn() {
    let world = queue();
    let daemon = world.daemon();
    let first = || {
        let mut orders = world.service.orders().into_iter();
        orders.next().map(|order| order.order_name)
    };
    wait_for("an order is created", || first().is_some());
    let before = world.creates();
    let canceled = world.dropsheet(&["orders", "cancel", &first().unwrap()]);
    assert_eq!(canceled.status, 0, "{canceled:?}");
    assert_eq!(world.service.count("cancel-order"), 1);
    let meanwhile = world.creates() - before;
    assert!(meanwhile <= 6, "{meanwhile} of the orders went before it");
    assert_eq!(daemon.terminate().0, 0);
    let_all_leave(world);
}
