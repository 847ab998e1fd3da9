//! Orders that the service goes on with though it has confirmed their cancel.

use std::time::Duration;

use dropsheet::sandbox::{Amount, Options};

use super::rows;
use crate::shop::Shop;
use crate::world::{EVER, HEADER, Setup, World, row, sheet, wait_for};

fn json(world: &World, arguments: &[&str]) -> serde_json::Value {
    let ran = world.dropsheet(arguments);
    serde_json::from_str(&ran.said).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn costs(world: &World, out: &str) -> (u64, u64) {
    let out = world.path(out);
    let told = json(
        world,
        &[&EVER[..], &["--json", "--out", out.to_str().unwrap()]].concat(),
    );
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

#[test]
fn a_canceled_order_whose_cancel_the_list_has_shown_is_read_again_though_its_days_have_no_other() {
    // The service's clock is ten days late, so that the order's days are past when it is right.
    let ago = Duration::from_hours(10 * 24);
    let setup = Setup::default();
    let mut world = World::with(Setup {
        service: Options {
            behind: ago,
            ..setup.service
        },
        ..setup
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let pw = world.pw("1001");
    assert_eq!(world.dropsheet(&["orders", "cancel", "1001"]).status, 0);
    world.service.advance_clock(ago);
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    assert_eq!(
        json(&world, &["orders", "show", "1001", "--json"])["order_status"],
        "canceled"
    );
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);

    assert!(world.service.charge(&pw, Amount::cents(4242)));
    let synced = world.dropsheet(&["orders", "sync"]);
    assert!(synced.said.contains("→ 42.42"), "{synced:?}");
    assert!(world.service.go_on(&pw));
    let synced = world.dropsheet(&["orders", "sync"]);
    assert!(
        synced.status == 3 && synced.said.contains("→ in_production"),
        "{synced:?}"
    );
    assert_eq!(costs(&world, "meanwhile.xlsx"), (1, 0));
    let needs = json(&world, &["status", "--json"])["attention"]["needs"].to_string();
    assert!(needs.contains("but the service goes on with it"), "{needs}");
    world.excused.push("1001".to_owned());
    world.end();
}

/// A shop that has ordered 1, of one piece, and 2, of two, and whose cancels of both are confirmed.
fn with_both_canceled() -> Shop {
    let shop = Shop::with(Options {
        list_lag: Duration::ZERO,
        ..Options::default()
    });
    let sheet = format!("{HEADER}\n{}\n{}\n", row("1", 1), row("2", 2));
    shop.write("orders/inbox/a.csv", sheet.as_bytes());
    shop.run(&["run", "--once"]).says(0, &["2 created"]);
    shop.run(&["orders", "cancel", "1", "2"]).says(0, &[]);
    shop
}

/// The service's id of an order.
fn placed(shop: &Shop, order_name: &str) -> String {
    let mut orders = shop.service.orders().into_iter();
    let order = orders.find(|order| order.order_name == order_name);
    order.unwrap().pw_order_id
}

/// What the first page of the only result says.
fn summary(shop: &Shop) -> String {
    let names = shop.names("orders/results");
    let result = names.iter().find(|name| name.ends_with(".result.xlsx"));
    let page = rows(&shop.path("orders/results").join(result.unwrap()));
    page.concat().join("\n")
}

#[test]
fn a_result_and_the_report_agree_on_what_a_canceled_order_costs_that_the_service_goes_on_with() {
    let shop = with_both_canceled();
    shop.run(&["orders", "sync"]);
    shop.run(&["run", "--once"]);
    let said = summary(&shop);
    for words in [
        "Of canceled orders these sums have 38.43 quoted, 38.43 charged.",
        "Canceled orders: the service states 38.43 for them",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("goes on with"), "{said}");

    assert!(shop.service.go_on(&placed(&shop, "1")));
    shop.run(&["orders", "sync"]);
    let said = summary(&shop);
    for words in [
        "2 orders in 2 rows: 2 canceled.",
        "Of canceled orders these sums have 24.79 quoted, 24.79 charged.",
        "Of 1 order that the service goes on with after its cancel these sums have 13.64 quoted, 13.64 charged: it counts among \
         the costs, not among the canceled orders.",
        "1 order canceled here and gone on with at the service: ",
        "Canceled orders: the service states 24.79 for them",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let report = [&EVER[..], &["--json", "--out", "costs.xlsx"]].concat();
    let told = &shop.run(&report).json(0)[0];
    for (sums, total) in [("orders", "13.64"), ("canceled", "24.79")] {
        let sums = &told[sums];
        assert_eq!(sums["orders"], 1, "{told}");
        for amount in ["quoted", "service"] {
            assert_eq!(sums[amount].to_string(), total, "{told}");
        }
    }
}

#[test]
fn another_charge_is_asked_about_only_while_the_service_goes_on_with_a_canceled_order() {
    let shop = with_both_canceled();
    let (first, second) = (placed(&shop, "1"), placed(&shop, "2"));
    assert!(shop.service.charge(&first, Amount::ZERO));
    assert!(shop.service.charge(&second, Amount::cents(300)));
    shop.run(&["orders", "sync"]);
    shop.run(&["run", "--once"]);
    let said = summary(&shop);
    assert!(
        said.contains("Canceled orders: the service states 3.00 for them"),
        "{said}"
    );
    for absent in ["total-differs", "charged other than quoted"] {
        assert!(!said.contains(absent), "{said}");
    }
    let kinds = || {
        let needs = shop.run(&["status", "--json"]);
        let needs: serde_json::Value = serde_json::from_str(&needs.out).unwrap();
        let needs = needs["attention"]["needs"].as_array().unwrap().clone();
        needs
            .iter()
            .map(|need| need["kind"].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(), [""; 0]);

    assert!(shop.service.go_on(&first));
    shop.run(&["orders", "sync"]);
    let said = summary(&shop);
    for words in ["total-differs", "1 order charged other than quoted"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let mut kinds = kinds();
    kinds.sort();
    assert_eq!(kinds, ["\"problem\"", "\"total_differs\""]);
}

#[test]
fn an_order_that_is_there_though_it_was_canceled_as_absent_is_told_and_canceled_at_the_service() {
    let mut world = World::new();
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=first:2").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    for id in ["1001", "1002"] {
        assert_eq!(world.dropsheet(&["orders", "cancel", id]).status, 3);
        let gone = world.dropsheet(&["orders", "resolve", id, "--abandon"]);
        assert!(
            gone.status == 0 && gone.said.contains("canceled: it is not in"),
            "{gone:?}"
        );
    }
    assert_eq!(world.service.count("cancel-order"), 0);
    world.service.freeze_list(false);
    wait_for("the list shows them", || {
        ["1001", "1002"].iter().all(|id| world.at_service(id)[0].visible)
    });

    let synced = world.dropsheet(&["orders", "sync"]);
    let says = "The service has 1 of this order, which is `canceled` here.";
    assert!(synced.status == 3 && synced.said.contains(says), "{synced:?}");
    let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    for part in [
        "Order 1001: The service has 1 of this order",
        "`dropsheet orders cancel 1002`",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["canceled"; 2]);
    let message = result.of("1001", "result_message");
    assert!(
        message.contains(says) && message.contains("Drop the cancel again"),
        "{message}"
    );
    let dry = world.dropsheet(&["orders", "cancel", "1002", "--dry-run"]);
    assert!(dry.said.contains("its list shows it after all"), "{dry:?}");

    world.drop_csv("cancel.csv", "order_id,action\n1001,cancel\n");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("cancel.csv").column("result_status"), ["canceled"]);
    assert_eq!(world.service.count("cancel-order"), 1);
    let by_command = world.dropsheet(&["orders", "cancel", "1002"]);
    assert_eq!(by_command.status, 0, "{by_command:?}");
    assert_eq!(world.service.count("cancel-order"), 2);
    for id in ["1001", "1002"] {
        let item = &world.at_service(id)[0].order.items[0];
        assert_eq!(format!("{:?}", item.status), "Canceled", "{id}");
        let again = world.dropsheet(&["orders", "cancel", id]);
        assert!(again.said.contains("it is canceled already"), "{again:?}");
    }
    assert_eq!(world.service.count("cancel-order"), 2);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["canceled"; 2]);
    assert!(
        !result
            .of("1001", "result_message")
            .contains("which is `canceled` here"),
        "{result:?}"
    );
    let needs = &json(&world, &["status", "--json"])["attention"]["needs"];
    assert_eq!(needs, &serde_json::json!([]));
    assert_eq!(world.creates(), 2);
    let verified = world.dropsheet(&["ledger", "verify"]);
    assert_eq!(verified.status, 0, "{verified:?}");
    world.end();
}

#[test]
fn an_order_that_is_there_though_it_was_canceled_as_absent_is_not_canceled_before_the_service_says_so() {
    let mut world = World::new();
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    world.dropsheet(&["orders", "cancel", "1001"]);
    world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    world.service.freeze_list(false);
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    world.dropsheet(&["orders", "sync"]);
    world.service.set_fault("drop-before-cancel=1").unwrap();
    world.drop_csv("cancel.csv", "order_id,action\n1001,cancel\n");
    assert_eq!(world.run_once().status, 3);
    assert!(world.service.count("cancel-order") > 0);
    for sheet in ["cancel.csv", "monday.csv"] {
        let result = world.result(sheet);
        assert_eq!(result.column("result_status"), ["canceling"], "{sheet}");
    }
    world.service.clear_faults();
    let asked = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(asked.status, 0, "{asked:?}");
    for sheet in ["cancel.csv", "monday.csv"] {
        let result = world.result(sheet);
        assert_eq!(result.column("result_status"), ["canceled"], "{sheet}");
    }
    world.end();
}
