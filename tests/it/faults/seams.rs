//! Where pieces meet: approvals, cancels, `STOP` and orders that are taken anew, beside a ledger or a list that knows
//! more than the piece that acts.

use std::fs;
use std::time::Duration;

use dropsheet::sandbox::{Item, NewLine, NewOrder, Options, RetryAfter};

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

const REQUIRED: &str = "approval = \"required\"";

fn status(world: &World, sheet: &str) -> String {
    world.result(sheet).column("result_status")[0].to_owned()
}

fn approve(world: &World, sheet: &str) -> String {
    let names = world.files("held");
    let stem = names.iter().find(|name| name.contains(sheet)).unwrap();
    let approved = world.dropsheet(&["approve", &stem.replace(".held.xlsx", "")]);
    assert_eq!(approved.status, 0, "{approved:?}");
    approved.said
}

/// Has the service hold an order that the ledger did not make, like `1001`, and the ledger see it in the list.
fn make_elsewhere(world: &World, name: &str) {
    let like = &world.at_service("1001")[0].order;
    let line = |item: &Item| NewLine {
        sku: item.sku.clone(),
        quantity: item.quantity,
        ..NewLine::default()
    };
    world.service.insert_order(&NewOrder {
        order_name: name.to_owned(),
        address: like.address.clone(),
        shipping_service: None,
        lines: like.items.iter().map(line).collect(),
    });
    wait_for("the list shows it", || world.at_service(name)[0].visible);
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
}

#[test]
fn an_approved_order_that_the_list_has_shown_long_ago_is_not_made_again() {
    let mut world = World::with(Setup {
        inbox: REQUIRED,
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_once();
    // What a ledger of before its approval knows of an order that was approved and made: nothing.
    approve(&world, "monday");
    world.run_once();
    assert_eq!(world.creates(), 2);
    world.drop_csv("tuesday.csv", &sheet(&["1003"]));
    world.run_once();
    make_elsewhere(&world, "1003");
    // Days later nobody looks each order up any more.
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let sql =
        "UPDATE account SET suspect_until_at = 0, suspect_boot_id = NULL WHERE suspect_until_at IS NOT NULL";
    assert_eq!(db.execute(sql, []).unwrap(), 1);
    drop(db);
    let said = approve(&world, "tuesday");
    assert!(
        said.contains(
            "approved; none of the orders listed in it is sent. Not sent: 1 the service has already; "
        ),
        "{said}"
    );
    world.run_once();
    assert_eq!(world.creates(), 2, "the service has it already");
    let results = world.files("results");
    let receipt = results
        .iter()
        .find(|name| name.ends_with("_tuesday.approved.txt"));
    assert!(said.contains(receipt.unwrap()), "{said}: {results:?}");
    let receipt = fs::read_to_string(world.orders_path("results").join(receipt.unwrap())).unwrap();
    assert!(
        receipt.contains("Not sent, for the service has an order"),
        "{receipt}"
    );
    assert_eq!(status(&world, "tuesday.csv"), "already_created");
    world.excused.push("1003".to_owned());
    world.end();
}

#[test]
fn a_cancel_of_an_order_that_gave_way_is_asked_of_the_one_at_the_service() {
    let mut world = World::with(Setup {
        inbox: REQUIRED,
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    approve(&world, "monday");
    world.run_once();
    world.drop_csv("tuesday.csv", &sheet(&["1002", "1003"]));
    world.run_once();
    make_elsewhere(&world, "1002");
    make_elsewhere(&world, "1003");
    approve(&world, "tuesday");
    world.run_once();
    assert_eq!(status(&world, "tuesday.csv"), "already_created");
    world.drop_csv("cancel.csv", "order_id,action\n1002,cancel\n");
    world.run_once();
    assert_eq!(status(&world, "cancel.csv"), "canceled");
    let by_command = world.dropsheet(&["orders", "cancel", "1003"]);
    assert_eq!(
        (by_command.status, by_command.said.contains("has been canceled")),
        (0, true),
        "{by_command:?}"
    );
    assert_eq!((world.creates(), world.service.count("cancel-order")), (1, 2));
    for id in ["1002", "1003"] {
        world.excused.push(id.to_owned());
    }
    world.end();
}

#[test]
fn each_row_of_a_sheet_that_waits_says_what_it_waits_for() {
    let mut world = World::new();
    let stop = world.orders_path("STOP.txt");
    write(&stop, b"");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    let rows = format!(
        "{HEADER},action\n{},cancel\n{},\n",
        row("1001", 1),
        row("2001", 1)
    );
    world.drop_csv("tuesday.csv", &rows);
    world.run_once();
    let result = world.result("tuesday.csv");
    let [canceled, sent] = result.column("result_message")[..] else {
        panic!("{result:?}")
    };
    assert!(!canceled.contains("will be sent"), "{canceled}");
    let says =
        "Not sent yet. A file named STOP lies in the inbox's folder; when it is deleted, sending goes on.";
    assert!(sent.starts_with(says), "{sent}");
    assert_eq!(result.of("2001", "result_codes"), "stopped");
    fs::remove_file(stop).unwrap();
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(world.result("tuesday.csv").of("2001", "result_status"), "created");
    world.end();
}

#[test]
fn stop_holds_approved_orders_back_beside_a_sheet_of_another_folder() {
    let mut world = World::with(Setup {
        inbox: REQUIRED,
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    write(&world.orders_path("STOP.txt"), b"");
    approve(&world, "monday");
    world.run_once();
    assert_eq!(world.creates(), 0);
    let apart = world.path("apart.csv");
    write(&apart, sheet(&["1002"]).as_bytes());
    world.dropsheet(&["import", "--inbox", "main", apart.to_str().unwrap()]);
    assert_eq!(world.creates(), 0, "STOP lies in the inbox of the approved order");
    fs::remove_file(world.orders_path("STOP.txt")).unwrap();
    world.run_once();
    assert_eq!(world.creates(), 1);
    world.excused.push("1002".to_owned());
    world.end();
}

#[test]
fn a_run_ends_while_more_approved_orders_wait_than_one_round_takes() {
    let mut world = World::with(Setup {
        service: Options {
            retry_after: RetryAfter::Text("600".to_owned()),
            ..Setup::default().service
        },
        inbox: REQUIRED,
        ..Setup::default()
    });
    let ids: Vec<String> = (1..=257).map(|n| n.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.drop_csv("monday.csv", &sheet(&ids));
    world.run_once();
    approve(&world, "monday");
    world.service.set_fault("rate-limit-all=first:1000").unwrap();
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.creates(), 0);
    world.service.clear_faults();
    world.run_until_settled();
    assert_eq!(world.creates(), 257);
    world.end();
}

#[test]
fn while_stop_lies_there_no_price_is_asked_for_either() {
    let mut world = World::new();
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    for _again in 0..2 {
        assert_eq!(world.run_once().status, 3);
    }
    let calls = world.service.calls();
    assert_eq!(calls.counts.get("calculate-price-order"), None);
    fs::remove_file(world.orders_path("STOP")).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn stop_holds_a_resend_by_hand_back_where_no_other_process_works() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    assert_eq!(world.run_once().status, 3);
    write(&world.orders_path("STOP.txt"), b"");
    let no = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!((no.status, no.said.contains("STOP")), (1, true), "{no:?}");
    assert_eq!(world.creates(), 0);
    fs::remove_file(world.orders_path("STOP.txt")).unwrap();
    let sent = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!((sent.status, world.creates()), (0, 1), "{sent:?}");
    world.end();
}

#[test]
fn a_refused_order_whose_second_create_did_not_leave_is_sent_by_the_next_run() {
    let mut world = World::with(Setup {
        service: Options {
            retry_after: RetryAfter::Text("600".to_owned()),
            ..Setup::default().service
        },
        ..Setup::default()
    });
    world.service.set_fault("refuse=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    assert_eq!(status(&world, "monday.csv"), "refused");
    world.service.clear_faults();
    world.service.set_fault("rate-limit-create=first:1000").unwrap();
    world.drop_csv("again.csv", &sheet(&["1001"]));
    world.run_once();
    assert_eq!(status(&world, "again.csv"), "waiting");
    world.service.clear_faults();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(status(&world, "again.csv"), "created");
    assert_eq!(world.at_service("1001").len(), 1);
    world.end();
}

#[test]
fn a_cancel_of_an_order_that_waits_in_an_older_sheet_ends_with_it_and_nothing_is_asked() {
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::ZERO,
            ..Setup::default().service
        },
        ..Setup::default()
    });
    write(&world.orders_path("STOP.txt"), b"");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    world.drop_csv("regret.csv", "order_id,action\n1001,cancel\n");
    world.run_once();
    for name in ["regret.csv", "monday.csv"] {
        assert_eq!(status(&world, name), "canceled", "{name}, while it waits");
    }
    fs::remove_file(world.orders_path("STOP.txt")).unwrap();
    world.run_until_settled();
    assert_eq!(status(&world, "regret.csv"), "canceled");
    assert_eq!(status(&world, "monday.csv"), "canceled");
    assert_eq!((world.creates(), world.service.count("cancel-order")), (0, 0));
    world.end();
}

#[test]
fn a_refused_order_stays_refused_in_its_sheet_when_another_inbox_has_one_of_its_number() {
    let mut world = World::with(Setup {
        inbox: "[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\nresult_format = \"csv\"",
        ..Setup::default()
    });
    world.service.set_fault("refuse=on:1,2").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    let refused = world.result("monday.csv");
    assert_eq!(refused.column("result_status"), ["refused"; 2]);
    // Another order altogether, and the same one mended.
    let theirs = format!("{HEADER}\n{}\n", row("1001", 7));
    write(&world.path("other/inbox/theirs.csv"), theirs.as_bytes());
    let mended = format!("{HEADER}\n{}\n", row("1002", 3));
    world.expect_csv("mended.csv", &mended);
    write(&world.orders_path("inbox/mended.csv"), mended.as_bytes());
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.at_service("1001")[0].order.items[0].quantity, 7);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["refused", "already_created"]);
    let said = result.of("1001", "result_message");
    let before = refused.of("1001", "result_message");
    let words = before.split_once(" Fix what").map_or(before, |(words, _)| words);
    assert!(
        said.starts_with(words) && said.contains("has brought this order with other content"),
        "{said}, and before {before}"
    );
    // Its result lies in the other inbox.
    world.excused.push("1001".to_owned());
    world.end();
}
