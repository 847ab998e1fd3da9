//! Orders that the service goes on with though it has confirmed their cancel.

use super::rows;
use crate::world::{World, sheet};

fn json(world: &World, arguments: &[&str]) -> serde_json::Value {
    let ran = world.dropsheet(arguments);
    serde_json::from_str(&ran.said).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn costs(world: &World, out: &str) -> (u64, u64) {
    let out = world.path(out);
    let span = [
        "report",
        "--from",
        "2020-01-01",
        "--to",
        "2099-12-31",
        "--json",
        "--out",
    ];
    let told = json(world, &[&span[..], &[out.to_str().unwrap()]].concat());
    let orders = |what: &str| told[0][what]["orders"].as_u64().unwrap();
    (orders("orders"), orders("canceled"))
}

#[test]
fn a_canceled_order_that_the_service_goes_on_with_is_told_counted_and_canceled_once_more() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let pw = world.pw("1001");
    let canceled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(canceled.status, 0, "{canceled:?}");
    assert_eq!(costs(&world, "before.xlsx"), (0, 1));

    assert!(world.service.go_on(&pw));
    let synced = world.dropsheet(&["orders", "sync"]);
    let told = "→ in_production";
    assert!(synced.status == 3 && synced.said.contains(told), "{synced:?}");
    let says = "It is canceled here, but the service goes on with it: in_production.";
    let needs = &json(&world, &["status", "--json"])["attention"]["needs"];
    assert_eq!(
        (&needs[0]["kind"], &needs[0]["what"]),
        (&"problem".into(), &says.into())
    );
    assert!(
        needs[0]["todo"]
            .as_str()
            .unwrap()
            .contains("`dropsheet orders cancel 1001`"),
        "{needs}"
    );
    let attention = rows(&world.orders_path("results/attention.xlsx"));
    assert_eq!(attention[1][1..4], ["problem", "1001", &pw]);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["canceled"]);
    assert!(result.of("1001", "result_message").contains(says));
    assert_eq!(costs(&world, "meanwhile.xlsx"), (1, 0), "it will be charged");

    world.drop_csv("cancel.csv", "order_id,action\n1001,cancel\n");
    world.run_once();
    assert_eq!(world.service.count("cancel-order"), 2);
    assert_eq!(
        world.result("cancel.csv").column("result_status"),
        ["not_canceled"]
    );
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(costs(&world, "after.xlsx"), (1, 0));
    let verified = world.dropsheet(&["ledger", "verify"]);
    assert_eq!(verified.status, 0, "{verified:?}");
    world.end();
}

#[test]
fn a_cancel_by_command_asks_the_service_again_only_where_it_goes_on_with_the_order() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    for _twice in 0..2 {
        let canceled = world.dropsheet(&["orders", "cancel", "1001", "1002"]);
        assert_eq!(canceled.status, 0, "{canceled:?}");
    }
    assert_eq!(
        world.service.count("cancel-order"),
        2,
        "both are canceled already"
    );
    assert!(world.service.go_on(&world.pw("1001")));
    world.dropsheet(&["orders", "sync"]);
    let dry = world.dropsheet(&["orders", "cancel", "1001", "1002", "--dry-run"]);
    for would in [
        "is asked to cancel it, again: it goes on with it",
        "nothing: it is canceled already",
    ] {
        assert!(dry.said.contains(would), "{dry:?}");
    }
    let again = world.dropsheet(&["orders", "cancel", "1001", "1002"]);
    assert_eq!(
        (again.status, world.service.count("cancel-order")),
        (3, 3),
        "{again:?}"
    );
    assert!(
        again.said.contains("refused the cancel, it is still printing"),
        "{again:?}"
    );
    world.end();
}
