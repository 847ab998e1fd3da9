//! Cancels of orders that still wait to be sent: they are never sent, whatever they wait for.

use crate::world::{HEADER, Setup, Table, World, names, row, sheet, wait_for, write};

/// A sheet that cancels orders.
fn cancels(order_ids: &[&str]) -> String {
    let rows: Vec<String> = order_ids.iter().map(|id| format!("{id},cancel")).collect();
    format!("order_id,action\n{}\n", rows.join("\n"))
}

/// A world that has a catalog, from a sheet of one order.
fn world(inbox: &str) -> World {
    let mut world = World::with(Setup {
        inbox,
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    assert_eq!(world.run_once().status, 0);
    world
}

fn statuses(world: &World, sheet: &str) -> Vec<String> {
    let result = world.result(sheet);
    let statuses = result.column("result_status").into_iter();
    statuses.map(|status| status.to_owned()).collect()
}

fn cell(world: &World, sheet: &str, order_id: &str, column: &str) -> String {
    world.result(sheet).of(order_id, column).to_owned()
}

/// Asserts that the middle order of monday's sheet was canceled before it was sent, and the others were sent once.
fn assert_canceled_unsent(world: &World) {
    assert_eq!(statuses(world, "monday.csv"), ["created", "canceled", "created"]);
    assert_eq!(statuses(world, "cancel.csv"), ["canceled"]);
    assert!(cell(world, "monday.csv", "1002", "result_codes").contains("canceled-unsent"));
    let said = cell(world, "monday.csv", "1002", "result_message");
    assert!(
        said.contains("It was canceled before it was sent: the sheet ")
            && said.contains("_cancel asked for that"),
        "{said}"
    );
    let said = cell(world, "cancel.csv", "1002", "result_message");
    assert!(said.contains("It was canceled before it was sent"), "{said}");
    assert_eq!(cell(world, "monday.csv", "1002", "result_quoted_total"), "");
    assert_eq!(world.creates(), 3);
    assert!(world.at_service("1002").is_empty());
    assert_eq!(world.service.count("cancel-order"), 0);
}

#[test]
fn a_daemon_cancels_an_order_that_waits_for_an_absent_service_at_once() {
    let mut world = world("");
    let daemon = world.daemon();
    world.service.go_away_now().unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    wait_for("monday is taken", || !world.files("processing").is_empty());
    world.drop_csv("cancel.csv", &cancels(&["1002"]));
    wait_for("the order is canceled while nobody can be asked", || {
        world
            .dropsheet(&["orders", "show", "1002"])
            .said
            .contains("canceled before anything was sent")
    });
    world.service.come_back_now().unwrap();
    wait_for("both sheets are done", || world.files("processing").is_empty());
    assert_eq!(daemon.terminate().0, 0);
    assert_canceled_unsent(&world);
    // Its result dropped again sends nothing either.
    let result = std::fs::read_to_string(world.result_path("monday.csv").unwrap()).unwrap();
    world.drop_csv("again.csv", result.trim_start_matches('\u{feff}'));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        statuses(&world, "again.csv"),
        ["already_created", "canceled", "already_created"]
    );
    assert_eq!(world.creates(), 3);
    let verified = world.dropsheet(&["ledger", "verify"]);
    assert_eq!(verified.status, 0, "{verified:?}");
    world.end();
}

#[test]
fn a_pass_hears_a_cancel_before_it_sends_what_has_waited_since_the_one_before() {
    let mut world = world("");
    // The account stops, and everything waits.
    world.service.set_fault("error-404-all=after:0").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world, "monday.csv"), ["waiting"; 3]);
    world.service.clear_faults();
    world.drop_csv("cancel.csv", &cancels(&["1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_canceled_unsent(&world);
    world.end();
}

#[test]
fn a_cancel_holds_across_the_inboxes_of_an_account_and_a_kill() {
    let mut world = world("[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\nresult_format = \"csv\"");
    world.stop();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    assert_eq!(world.run_once().status, 3);
    write(
        &world.path("other/inbox/cancel.csv"),
        cancels(&["1002"]).as_bytes(),
    );
    assert!(world.run_once_crashing("cancels-heard").crashed());
    let results = world.path("other/results");
    let told = || {
        let names = names(&results);
        let path = names.iter().find(|name| name.ends_with("_cancel.result.csv"))?;
        Table::read(&results.join(path))
    };
    for _pass in 0..3 {
        let ran = world.run_once();
        assert!(ran.status == 3, "monday waits for STOP: {ran:?}");
    }
    let cancel = told().unwrap();
    assert_eq!(cancel.column("result_status"), ["canceled"]);
    assert!(cancel.column("result_codes")[0].contains("other-inbox"));
    assert_eq!(statuses(&world, "monday.csv"), ["waiting", "canceled", "waiting"]);
    world.go_on();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(statuses(&world, "monday.csv"), ["created", "canceled", "created"]);
    let said = cell(&world, "monday.csv", "1002", "result_message");
    assert!(said.contains("of the inbox `other` asked for that"), "{said}");
    assert!(world.at_service("1002").is_empty());
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn a_cancel_of_a_shops_own_order_keeps_no_order_of_another_shop_from_being_sent() {
    let mut world = world("[inbox.two]\npath = \"two\"\nstable_for = \"50ms\"\nresult_format = \"csv\"");
    world.stop();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let own = row("1001", 1).replace("Ada Example", "Zoe Example");
    let full = format!("{HEADER},action\n{own},cancel\n");
    write(&world.path("two/inbox/cancel.csv"), full.as_bytes());
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world, "monday.csv"), ["waiting"]);
    let results = world.path("two/results");
    let told = || {
        let names = names(&results);
        let path = names.iter().find(|name| name.ends_with("_cancel.result.csv"))?;
        Table::read(&results.join(path))
    };
    world.go_on();
    // The cancel is worked in the pass that sends monday's, or in the one after it.
    world.run_until_settled();
    assert_eq!(statuses(&world, "monday.csv"), ["created"]);
    let cancel = told().unwrap();
    assert_eq!(cancel.column("result_status"), ["invalid"]);
    assert!(cancel.column("result_message")[0].contains("is another one than this row says (shipping_name)"));
    assert_eq!(world.service.count("cancel-order"), 0);
    world.end();
}

#[test]
fn a_cancel_of_what_no_older_sheet_has_is_unknown_and_an_order_dropped_after_it_is_sent() {
    let mut world = world("");
    world.stop();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    world.drop_csv("cancel.csv", &cancels(&["1005"]));
    world.run_once();
    assert_eq!(statuses(&world, "cancel.csv"), ["waiting"]);
    let said = cell(&world, "cancel.csv", "1005", "result_message");
    assert!(
        said.contains("Not canceled yet") && !said.contains("It will be sent"),
        "{said}"
    );
    world.drop_csv("tuesday.csv", &sheet(&["1005"]));
    world.run_once();
    world.go_on();
    assert_eq!(world.run_once().status, 3, "the cancel is a row to fix");
    assert_eq!(statuses(&world, "monday.csv"), ["created"]);
    assert_eq!(
        cell(&world, "cancel.csv", "1005", "result_codes"),
        "cancel-unknown"
    );
    assert_eq!(statuses(&world, "tuesday.csv"), ["created"]);
    world.end();
}

#[test]
fn an_order_that_was_declined_and_dropped_again_is_not_sent_when_it_is_canceled_while_it_waits() {
    let mut world = world("");
    let dear = format!("{HEADER},expected_total\n{},0.01\n", row("1001", 1));
    world.drop_csv("held.csv", &dear);
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("decline.csv", &cancels(&["1001"]));
    world.run_once();
    world.stop();
    world.drop_csv("monday.csv", &sheet(&["1001", "1003"]));
    world.run_once();
    world.drop_csv("cancel.csv", &cancels(&["1001"]));
    world.run_once();
    assert_eq!(statuses(&world, "cancel.csv"), ["declined"]);
    world.go_on();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(statuses(&world, "monday.csv"), ["declined", "created"]);
    assert!(cell(&world, "monday.csv", "1001", "result_codes").contains("canceled-unsent"));
    assert!(world.at_service("1001").is_empty());
    // As every declined order it is taken anew.
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(statuses(&world, "tuesday.csv"), ["created"]);
    world.end();
}

#[test]
fn a_cancel_in_try_keeps_no_order_from_being_sent() {
    let mut world = world("");
    world.stop();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    write(&world.orders_path("try/maybe.csv"), cancels(&["1001"]).as_bytes());
    write(&world.path("maybe.csv"), cancels(&["1001"]).as_bytes());
    world.dropsheet(&["check", "maybe.csv"]);
    world.run_once();
    assert_eq!(
        names(&world.orders_path("processing")).len(),
        1,
        "what is only tried waits for no other sheet"
    );
    world.go_on();
    world.run_until_settled();
    assert_eq!(statuses(&world, "monday.csv"), ["created"]);
    world.end();
}

#[test]
fn sheets_given_to_import_hear_each_others_cancels() {
    let mut world = world("");
    // Its result lies beside the sheet.
    world.excused.push("1001".to_owned());
    world.service.set_fault("error-404-all=after:0").unwrap();
    write(&world.path("a.csv"), sheet(&["1001", "1002"]).as_bytes());
    write(&world.path("b.csv"), cancels(&["1002"]).as_bytes());
    assert_eq!(world.dropsheet(&["import", "a.csv", "b.csv"]).status, 3);
    world.service.clear_faults();
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    let told = |name: &str| Table::read(&world.path(name)).unwrap();
    assert_eq!(
        told("a.result.csv").column("result_status"),
        ["created", "canceled"]
    );
    assert_eq!(told("b.result.csv").column("result_status"), ["canceled"]);
    assert!(world.at_service("1002").is_empty());
    world.end();
}
