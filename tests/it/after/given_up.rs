//! Orders that were given up without an answer, and come again: whatever they came to since, the service is asked
//! first.

use std::time::Duration;

use dropsheet::files::move_new;
use dropsheet::sandbox::{NewLine, NewOrder, Options, start_on_thread};

use crate::faults::lookups::placed;
use crate::world::run::Daemon;
use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// A sheet of 1001 with so many pieces, whose total is expected to be another one.
fn unexpected(quantity: u32) -> String {
    format!("{HEADER},expected_total\n{},1.00\n", row("1001", quantity))
}

/// Has 1001 ordered as `monday` while a fault keeps the answer back, and given up.
fn order_and_give_up(world: &mut World, fault: &str) {
    world.service.set_fault(fault).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let gone = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert!(gone.said.contains("given up"), "{gone:?}");
}

/// A world in which 1001 was made without an answer, given up while the list did not show it, and is held since it came
/// again with so many pieces, as `tuesday`. The list shows it by now, and nobody has read it.
fn held_again(quantity: u32) -> (World, Daemon) {
    let mut world = World::with(Setup {
        absent_after: "300ms",
        ..Setup::default()
    });
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("monday.csv").column("result_status"), ["unresolved"]);
    let gone = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert!(gone.said.contains("given up"), "{gone:?}");
    let daemon = world.daemon();
    world.drop_csv("tuesday.csv", &unexpected(quantity));
    assert_eq!(becomes(&world, "tuesday.csv", "waiting"), "held");
    world.service.freeze_list(false);
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    (world, daemon)
}

/// Moves the only held sheet, as a person would.
fn decide(world: &World, part: &str) {
    let mut listed = None;
    wait_for("it is listed", || {
        // One that is still being written is hidden.
        listed = world
            .files("held")
            .into_iter()
            .find(|name| !name.starts_with('.'));
        listed.is_some()
    });
    let name = listed.unwrap();
    let from = world.orders_path("held").join(&name);
    move_new(&from, &world.orders_path(part).join(&name)).unwrap();
}

/// Waits until a sheet's result says something else of its order, and gives that.
fn becomes(world: &World, sheet: &str, before: &str) -> String {
    let mut status = String::new();
    wait_for("it is decided", || {
        let result = world.find_result(sheet);
        status = result.map_or_else(String::new, |result| result.column("result_status").concat());
        !status.is_empty() && status != before
    });
    status
}

#[test]
fn an_approved_order_that_was_given_up_before_is_looked_up_and_not_made_twice() {
    let (world, daemon) = held_again(1);
    decide(&world, "approved");
    assert_eq!(becomes(&world, "tuesday.csv", "held"), "already_created");
    assert_eq!(world.creates(), 1);
    let result = world.result("tuesday.csv");
    assert_eq!(
        result.of("1001", "result_pw_order_id"),
        world.at_service("1001")[0].pw_order_id
    );
    let message = result.of("1001", "result_message");
    assert!(
        message.contains("an earlier attempt that got no answer"),
        "{message}"
    );
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn an_approved_order_whose_name_is_there_with_other_content_is_not_sent() {
    let (world, daemon) = held_again(2);
    decide(&world, "approved");
    assert_eq!(becomes(&world, "tuesday.csv", "held"), "changed");
    assert_eq!(world.creates(), 1);
    let result = world.result("tuesday.csv");
    let message = result.of("1001", "result_message");
    let there = world.at_service("1001")[0].pw_order_id.clone();
    for said in [there.as_str(), "an earlier attempt that got no answer"] {
        assert!(message.contains(said), "{said}: {message}");
    }
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_declined_order_that_was_given_up_before_is_looked_up_when_it_is_dropped_again() {
    for (quantity, is) in [(1, "already_created"), (2, "changed")] {
        let (mut world, daemon) = held_again(quantity);
        decide(&world, "declined");
        assert_eq!(becomes(&world, "tuesday.csv", "held"), "declined");
        world.drop_csv("wednesday.csv", &format!("{HEADER}\n{}\n", row("1001", quantity)));
        assert_eq!(becomes(&world, "wednesday.csv", ""), is);
        assert_eq!(world.creates(), 1);
        assert_eq!(daemon.terminate().0, 0);
        world.end();
    }
}

#[test]
fn a_given_up_order_is_not_sent_beside_one_of_its_id_and_the_merchant_is_told_which() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    let gone = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert!(gone.said.contains("given up"), "{gone:?}");
    let daemon = world.daemon();
    // From here the list is read for single orders alone.
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    assert_eq!(becomes(&world, "sunday.csv", ""), "created");
    let like = world.at_service("900").remove(0).order;
    world.service.insert_order(&NewOrder {
        order_name: "1001".to_owned(),
        address: like.address.clone(),
        shipping_service: None,
        lines: vec![NewLine {
            sku: like.items[0].sku.clone(),
            quantity: 7,
            ..NewLine::default()
        }],
    });
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(becomes(&world, "tuesday.csv", ""), "changed");
    let message = world
        .result("tuesday.csv")
        .of("1001", "result_message")
        .to_owned();
    let there = world.at_service("1001")[0].pw_order_id.clone();
    for said in [
        there.as_str(),
        "with other content (other SKUs",
        "give it another id",
    ] {
        assert!(message.contains(said), "{said}: {message}");
    }
    assert_eq!(world.creates(), 1, "the other's");
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn an_order_that_its_sheet_has_taken_anew_and_must_not_be_sent_yet_keeps_that_sheet_waiting() {
    let mut world = World::with(Setup {
        absent_after: "1h",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    assert_eq!(world.run_once().status, 3);
    let given_up = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(given_up.status, 0, "{given_up:?}");
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    // As it is when a create of that sheet has not left.
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let sql = "UPDATE orders SET sends = 0, claim_id = (SELECT max(id) FROM claim)";
    assert_eq!(db.execute(sql, []).unwrap(), 1);
    drop(db);
    std::fs::remove_file(world.orders_path("STOP")).unwrap();
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.said.contains("tuesday.csv: 1 waiting"), "{ran:?}");
    assert_eq!(world.files("processing").len(), 1, "its sheet is open");
    assert_eq!(world.creates(), 0);
    let config = std::fs::read_to_string(world.path("dropsheet.toml")).unwrap();
    let short = config.replace("absent_after = \"1h\"", "absent_after = \"1s\"");
    write(&world.path("dropsheet.toml"), short.as_bytes());
    wait_for("it has been absent for long enough", || {
        world.run_once().status == 0
    });
    assert_eq!(world.result("tuesday.csv").column("result_status"), ["created"]);
    assert_eq!(world.creates(), 1);
    world.end();
}

/// A world in which 1001 was never made, and is given up; half an hour has to pass before it may be sent anew.
fn given_up() -> World {
    let mut world = World::with(Setup {
        settle_for: "1s",
        absent_after: "30m",
        ..Setup::default()
    });
    order_and_give_up(&mut world, "error-500=on:1");
    world
}

/// Has the machine be booted, after so many minutes by the service's clock. Gives since when the order waits by that.
fn boot(world: &World, minutes: u64) -> Option<i64> {
    world.service.advance_clock(Duration::from_mins(minutes));
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let booted = "UPDATE absence SET since_boot_id = 'the boot before'";
    assert_eq!(db.execute(booted, []).unwrap(), 1);
    db.query_row("SELECT since_service_at FROM absence", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn after_a_reboot_the_wait_of_a_given_up_order_goes_on_by_the_services_clock() {
    let mut world = given_up();
    let begun = boot(&world, 20);
    assert!(begun.is_some(), "the service has told the time");
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.said.contains("tuesday.csv: 1 waiting"), "{ran:?}");
    assert_eq!(boot(&world, 20), begun, "its wait is still that of its create");
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("tuesday.csv").column("result_status"), ["created"]);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_given_up_order_that_comes_too_early_waits_in_each_of_its_sheets_and_is_sent_by_itself() {
    let mut world = given_up();
    for name in ["tuesday.csv", "wednesday.csv"] {
        world.drop_csv(name, &sheet(&["1001"]));
    }
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.files("processing").len(), 2, "{ran:?}");
    assert_eq!(world.creates(), 1);
    boot(&world, 40);
    assert_eq!(world.run_once().status, 0);
    let told = ["tuesday.csv", "wednesday.csv"].map(|name| {
        let result = world.result(name);
        let message = result.of("1001", "result_message").to_owned();
        assert!(!message.contains("may still be on its way"), "{message}");
        result.column("result_status").concat()
    });
    assert_eq!(told, ["created", "already_created"]);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn the_silence_of_a_list_that_hides_orders_has_no_given_up_order_made_again() {
    let mut world = World::with(Setup {
        settle_for: "1s",
        absent_after: "30m",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    assert_eq!(world.run_once().status, 0);
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    // A later one is answered, and never shows.
    world.drop_csv("other.csv", &sheet(&["1002"]));
    world.run_once();
    let gone = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert!(gone.said.contains("given up"), "{gone:?}");
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    for minutes in [0, 40, 600] {
        boot(&world, minutes);
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        let told = world.result("tuesday.csv");
        assert_eq!(told.column("result_status"), ["waiting"]);
        let message = told.of("1001", "result_message");
        assert!(message.contains("hidden by its list"), "{message}");
    }
    assert_eq!(world.at_service("1001").len(), 1);
    world.service.freeze_list(false);
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        world.result("tuesday.csv").column("result_status"),
        ["already_created"]
    );
    assert_eq!(world.at_service("1001").len(), 1);
    world.end();
}

#[test]
fn a_cancel_of_a_given_up_order_that_the_list_shows_by_now_is_asked_of_the_service() {
    let mut world = World::with(Setup {
        settle_for: "1s",
        absent_after: "1h",
        ..Setup::default()
    });
    world.service.freeze_list(true);
    order_and_give_up(&mut world, "drop-after-create=on:1");
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3, "it may still be on its way");
    world.service.freeze_list(false);
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    world.drop_csv("cancel.csv", "order_id,action\n1001,cancel\n");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.service.count("cancel-order"), 1);
    for name in ["tuesday.csv", "cancel.csv"] {
        assert_eq!(world.result(name).column("result_status"), ["canceled"], "{name}");
    }
    world.end();
}

#[test]
fn what_a_person_decided_before_a_crash_is_not_done_again_of_what_a_sheet_has_brought_since() {
    let mut world = World::with(Setup {
        settle_for: "1s",
        absent_after: "30m",
        ..Setup::default()
    });
    world.service.set_fault("drop-before-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let given_up = world.crashing("request-done", &["orders", "resolve", "1001", "--abandon"]);
    assert!(given_up.crashed(), "{given_up:?}");
    boot(&world, 40);
    world.service.clear_faults();
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(
        world.result("tuesday.csv").column("result_status"),
        ["unresolved"],
        "nobody has given this create up"
    );
    world.service.freeze_list(false);
    assert_eq!(world.run_until_settled().status, 0);
    world.end();
}

#[test]
fn a_cancel_that_was_done_before_a_crash_is_not_done_again_of_what_a_sheet_has_brought_since() {
    let mut world = World::with(Setup {
        settle_for: "1s",
        inbox: "max_order_total = 20",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("monday.csv").column("result_status"), ["held"]);
    let declined = world.crashing("request-done", &["orders", "cancel", "1001"]);
    assert!(declined.crashed(), "{declined:?}");
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("tuesday.csv").column("result_status"), ["created"]);
    assert_eq!(world.service.count("cancel-order"), 0);
    world.end();
}

#[test]
fn what_was_said_of_an_order_that_is_not_sent_anew_is_not_said_beside_what_it_has_come_to() {
    let mut world = World::with(Setup {
        settle_for: "1s",
        absent_after: "1h",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    assert_eq!(world.run_once().status, 0);
    order_and_give_up(&mut world, "drop-before-create=on:1");
    // One without a name may be it.
    world.service.insert_order(&placed(&world, "900", ""));
    world.excused.push(String::new());
    wait_for("the list shows it", || world.at_service("")[0].visible);
    boot(&world, 70);
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    let says_so = |world: &World| {
        let told = world.result("tuesday.csv");
        told.of("1001", "result_message").contains("drop it again when")
    };
    assert!(
        says_so(&world),
        "{ran:?}: {:?}",
        world.result("tuesday.csv").column("result_message")
    );
    world.service.leave_out_of_list(Some(""));
    world.drop_csv("wednesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("wednesday.csv").column("result_status"), ["created"]);
    assert_eq!(becomes(&world, "tuesday.csv", "abandoned"), "already_created");
    assert!(!says_so(&world));
    world.end();
}

#[test]
fn an_order_that_was_given_up_is_not_made_under_another_id_when_a_prefix_is_set_later() {
    let mut world = World::with(Setup {
        settle_for: "1s",
        absent_after: "300ms",
        ..Setup::default()
    });
    world.service.freeze_list(true);
    order_and_give_up(&mut world, "drop-after-create=on:1");
    let config = world.path("dropsheet.toml");
    let mut prefixed = std::fs::read_to_string(&config).unwrap();
    prefixed.push_str("order_prefix = \"A-\"\n");
    write(&config, prefixed.as_bytes());
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    wait_for("it is judged", || {
        world.run_once();
        world.files("processing").is_empty()
    });
    let result = world.result("tuesday.csv");
    assert_eq!(world.creates(), 1, "{:?}", result.column("result_message"));
    assert_eq!(result.column("result_status"), ["changed"]);
    let message = result.of("1001", "result_message");
    for said in ["was sent as `1001`", "no answer has come", "drop it as 1001-2"] {
        assert!(message.contains(said), "{said}: {message}");
    }
    // Who asks beforehand is told the same.
    write(&world.path("wednesday.csv"), sheet(&["1001"]).as_bytes());
    let checked = world.dropsheet(&["check", "wednesday.csv"]).said;
    assert!(checked.contains("was sent as `1001`"), "{checked}");
    world.service.freeze_list(false);
    world.excused.push("1001".to_owned());
    world.end();
}

#[test]
fn an_order_that_was_given_up_at_one_account_is_not_made_at_another_one() {
    let abroad = start_on_thread(Options::default()).unwrap();
    let other = format!(
        "account = \"main\"\n[account.abroad]\nbase_url = \"{}\"\nemail = \"shop@example.com\"\n\
         password_file = \"password\"",
        abroad.base_url()
    );
    let mut world = World::with(Setup {
        settle_for: "1s",
        absent_after: "300ms",
        inbox: &other,
        ..Setup::default()
    });
    world.service.freeze_list(true);
    order_and_give_up(&mut world, "drop-after-create=on:1");
    world.service.freeze_list(false);
    let config = world.path("dropsheet.toml");
    let moved = std::fs::read_to_string(&config)
        .unwrap()
        .replace("account = \"main\"", "account = \"abroad\"");
    write(&config, moved.as_bytes());
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let result = world.result("tuesday.csv");
    assert_eq!(result.column("result_status"), ["changed"]);
    let message = result.of("1001", "result_message");
    assert!(message.contains("another account"), "{message}");
    assert_eq!((world.creates(), abroad.count("create-new-order")), (1, 0));
    world.excused.push("1001".to_owned());
    world.end();
}
