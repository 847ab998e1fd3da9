//! A ledger that was put back from a backup that knows a sheet, and not what was sent of it since.

use std::fs;

use calamine::Reader;
use dropsheet::files::move_new;
use dropsheet::sandbox::{Item, NewLine, NewOrder};

use crate::faults::ledgers::{approve, backup, restore};
use crate::world::{HEADER, Setup, World, row, sheet, wait_for};

/// A world whose ledger holds these orders, and was put back from before they were approved and sent.
fn held_and_sent(order_ids: &[&str]) -> World {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(order_ids));
    assert_eq!(world.run_once().status, 3);
    let held = backup(&world);
    approve(&world);
    assert_eq!(world.run_once().status, 0);
    restore(&world, &held);
    wait_for("the list was read", || {
        world.run_once();
        let synced = world.dropsheet(&["orders", "sync"]);
        assert!([0, 3].contains(&synced.status), "{synced:?}");
        world.run_once();
        let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
        told.matches("has an order of this id already").count() == order_ids.len()
    });
    world
}

fn cancel_of(order_id: &str) -> String {
    let empty = ",".repeat(HEADER.matches(',').count());
    format!("{HEADER},action\n{order_id}{empty},cancel\n")
}

#[test]
fn a_cancel_row_of_a_held_order_that_the_service_has_is_asked_of_the_service() {
    let mut world = held_and_sent(&["1001"]);
    let pw = world.at_service("1001")[0].pw_order_id.clone();
    world.drop_csv("cancel.csv", &cancel_of("1001"));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    let result = world.result("cancel.csv");
    assert_eq!(
        result.columns(&["result_status", "result_pw_order_id", "result_codes"]),
        [["canceled", pw.as_str(), "listed-at-service"]]
    );
    assert_eq!(world.service.count("cancel-order"), 1);
    // Nothing is left to approve, and its own sheet says what has become of it.
    assert_eq!(world.files("held"), Vec::<String>::new());
    let result = world.result("monday.csv");
    assert_eq!(
        result.columns(&["result_status", "result_pw_order_id", "result_codes"]),
        [["canceled", pw.as_str(), "listed-at-service"]]
    );
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_cancel_that_the_service_refuses_of_a_held_order_that_it_has_is_not_canceled() {
    let mut world = held_and_sent(&["1001"]);
    let pw = world.at_service("1001")[0].pw_order_id.clone();
    world.service.fulfil(&pw);
    world.drop_csv("cancel.csv", &cancel_of("1001"));
    world.run_until_settled();
    let result = world.result("cancel.csv");
    assert_eq!(
        result.columns(&["result_status", "result_pw_order_id"]),
        [["not_canceled", pw.as_str()]]
    );
    let result = world.result("monday.csv");
    assert_eq!(
        result.columns(&["result_status", "result_pw_order_id"]),
        [["already_created", pw.as_str()]]
    );
    assert_eq!((world.creates(), world.files("held")), (1, vec![]));
    world.end();
}

#[test]
fn a_cancel_command_of_a_held_order_that_the_service_has_is_asked_of_the_service() {
    let world = held_and_sent(&["1001", "1002"]);
    let pw = world.at_service("1001")[0].pw_order_id.clone();
    let would = world.dropsheet(&["orders", "cancel", "1001", "--dry-run"]);
    assert!(
        would.said.contains(&pw) && would.said.contains("the service is asked to cancel it"),
        "{would:?}"
    );
    let canceled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(canceled.status, 0, "{canceled:?}");
    assert!(
        canceled.said.contains(&pw) && canceled.said.contains("canceled"),
        "{canceled:?}"
    );
    assert_eq!(world.service.count("cancel-order"), 1);
    wait_for("the sheet says it", || {
        world.run_once();
        world.result("monday.csv").column("result_status") == ["canceled", "held"]
    });
    let held = world.files("held");
    assert_eq!((world.creates(), held.len()), (2, 1), "{held:?}");
    approve(&world);
    // What the records may have forgotten may not be in the list yet: nothing is sent for a while.
    wait_for("the other is known", || {
        world.run_once();
        world.result("monday.csv").column("result_status") == ["canceled", "already_created"]
    });
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_cancel_of_a_held_order_waits_while_the_service_that_has_it_does_not_answer() {
    let mut world = held_and_sent(&["1001"]);
    world.service.set_fault("unavailable-cancel=after:0").unwrap();
    world.drop_csv("cancel.csv", &cancel_of("1001"));
    world.run_once();
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["waiting"]);
    world.service.clear_faults();
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("cancel.csv").column("result_status"), ["canceled"]);
    assert_eq!((world.creates(), world.files("held")), (1, vec![]));
    world.end();
}

#[test]
fn what_was_refused_is_not_taken_for_what_was_sent_to_another_city_since() {
    let mut world = World::new();
    world.service.set_fault("refuse=on:1").unwrap();
    let wrong = row("1001", 1).replace("Columbus", "Dublin");
    world.drop_csv("monday.csv", &format!("{HEADER}\n{wrong}\n"));
    assert_eq!(world.run_once().status, 3);
    let refused = backup(&world);
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let pw = world.at_service("1001")[0].pw_order_id.clone();
    restore(&world, &refused);
    wait_for("the list was read", || {
        world.run_once();
        world.dropsheet(&["orders", "sync"]);
        world.run_once();
        let listed = world.dropsheet(&["orders", "list", "--not-ours"]).said;
        listed.contains(&pw)
    });
    let result = world.result("monday.csv");
    assert_ne!(result.column("result_status"), ["created"]);
    let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(!told.contains("after all"), "{told}");
    // The sheet that has sent it is known when it comes again.
    world.drop_csv("again.csv", &sheet(&["1001"]));
    world.run_until_settled();
    let result = world.result("again.csv");
    assert_eq!(
        result.columns(&["result_status", "result_pw_order_id"]),
        [["already_created", pw.as_str()]]
    );
    assert_eq!(world.creates(), 2);
    world.end();
}

/// What the receipt of the newest decision says: where there was one before, it is called `-2`.
fn receipt(world: &World, ending: &str) -> String {
    let files = world.files("results");
    let name = files.iter().find(|name| name.ends_with(ending)).unwrap();
    fs::read_to_string(world.orders_path("results").join(name)).unwrap()
}

#[test]
fn the_held_sheet_and_the_receipt_say_of_what_the_service_has_that_nothing_is_sent() {
    let world = held_and_sent(&["1001", "1002"]);
    let pw = world.at_service("1001")[0].pw_order_id.clone();
    let why = |id: &str| {
        let held = world.orders_path("held").join(&world.files("held")[0]);
        let mut book: calamine::Xlsx<_> = calamine::open_workbook(held).unwrap();
        let page = book.worksheet_range_at(0).unwrap().unwrap();
        let row = page.rows().find(|row| row[0] == id).unwrap();
        row[2].to_string()
    };
    let said = why("1001");
    assert!(
        said.starts_with(&format!("The service has an order of this id already, {pw}, ")),
        "{said}"
    );
    assert!(said.contains("nothing is sent"), "{said}");
    approve(&world);
    wait_for("the sheet says it", || {
        world.run_once();
        world.result("monday.csv").column("result_status") == ["already_created"; 2]
    });
    let receipt = receipt(&world, ".approved.txt");
    assert!(receipt.contains(&format!("row 2: 1001: {pw}")), "{receipt}");
    assert!(!receipt.contains("are sent with"), "{receipt}");
    assert!(!receipt.contains("Changed cells"), "{receipt}");
    assert_eq!(world.creates(), 2);
    world.end();
}

/// A world that holds orders which the service's list shows under these names, made by somebody else, and their ids there.
fn held_beside(order_ids: [&str; 3], names: [&str; 3]) -> (World, [String; 3]) {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["1000"]));
    assert_eq!(world.run_once().status, 3);
    approve(&world);
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday.csv", &sheet(&order_ids));
    assert_eq!(world.run_once().status, 3);
    let like = &world.at_service("1000")[0].order;
    let line = |item: &Item| NewLine {
        sku: item.sku.clone(),
        quantity: item.quantity,
        ..NewLine::default()
    };
    for name in names {
        world.service.insert_order(&NewOrder {
            order_name: name.to_owned(),
            address: like.address.clone(),
            shipping_service: None,
            lines: like.items.iter().map(line).collect(),
        });
    }
    wait_for("the list shows them", || {
        world.dropsheet(&["orders", "sync"]);
        world.run_once();
        let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
        told.matches("has an order of this id already").count() == names.len()
    });
    let there = names.map(|name| world.at_service(name)[0].pw_order_id.clone());
    world.excused.extend(names.map(str::to_owned));
    (world, there)
}

#[test]
fn what_is_declined_while_the_service_has_it_under_its_name_in_another_writing_is_told() {
    let (mut world, there) = held_beside(["po-1", "po-2", "po-3"], ["PO-1", "PO-2", "PO-3"]);
    let [by_row, by_command, by_file] = there;
    world.drop_csv("cancel.csv", &cancel_of("po-1"));
    world.run_until_settled();
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["declined"]);
    assert!(result.column("result_codes")[0].contains("listed-at-service"));
    let said = result.column("result_message")[0].to_owned();
    assert!(
        said.contains(&format!("{by_row} under the id `PO-1`")) && said.contains("is not canceled"),
        "{said}"
    );
    let canceled = world.dropsheet(&["orders", "cancel", "po-2"]);
    assert!(
        canceled.said.contains("declined") && canceled.said.contains(&by_command),
        "{canceled:?}"
    );
    world.run_once();
    let held = world.files("held").remove(0);
    let [from, to] = ["held", "declined"].map(|part| world.orders_path(part).join(&held));
    move_new(&from, &to).unwrap();
    world.run_until_settled();
    let receipt = receipt(&world, ".declined.txt");
    assert!(receipt.contains(&format!("po-3: {by_file} under")), "{receipt}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["declined"; 3]
    );
    assert_eq!((world.creates(), world.service.count("cancel-order")), (1, 0));
    world.end();
}
