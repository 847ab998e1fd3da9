//! A ledger that is shared, older than it thinks, broken or somebody else's.

use std::fs;

use dropsheet::files::move_new;

use crate::world::{EVER, HEADER, Setup, World, names, row, sheet, wait_for, write};

/// The bytes of the ledger's files, by name.
pub(crate) fn backup(world: &World) -> Vec<(String, Vec<u8>)> {
    let is_ledger = |name: &String| name == "ledger.db" || name.starts_with("ledger.db-");
    let read = |name: String| {
        let bytes = fs::read(world.path(&name)).unwrap();
        (name, bytes)
    };
    names(&world.path(""))
        .into_iter()
        .filter(is_ledger)
        .map(read)
        .collect()
}

/// Puts an older ledger in place, once the service's list shows all that was sent: a younger loss nothing can see.
pub(crate) fn restore(world: &World, files: &[(String, Vec<u8>)]) {
    wait_for("the list shows all orders", || {
        world.service.orders().iter().all(|order| order.visible)
    });
    for (name, _newer) in backup(world) {
        fs::remove_file(world.path(&name)).unwrap();
    }
    for (name, bytes) in files {
        write(&world.path(name), bytes);
    }
}

#[test]
fn a_second_process_on_one_ledger_ends_with_4() {
    let mut world = World::new();
    let daemon = world.daemon();
    let second = world.run_once();
    assert_eq!(second.status, 4, "{second:?}");
    assert!(
        second.logged.contains("process"),
        "it names the other: {second:?}"
    );
    daemon.kill();
    // A killed process holds nothing.
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn a_ledger_restored_from_yesterday_sends_nothing_twice() {
    let mut world = World::new();
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    world.drop_csv("again.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 2);
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created"; 2]
    );
    world.end();
}

#[test]
fn a_restored_ledger_sends_nothing_twice_that_the_service_lists_under_a_name_in_other_writing() {
    let mut world = World::new();
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["AB-1", "AB-2"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    // Other content under such a name is another order.
    let again = format!("{HEADER}\n{}\n{}\n", row("ab-1", 1), row("ab-2", 3));
    world.drop_csv("again.csv", &again);
    wait_for("what it has forgotten must show by now", || {
        world.run_once().status == 0
    });
    let result = world.result("again.csv");
    assert_eq!(result.column("result_status"), ["already_created", "created"]);
    assert_eq!(result.column("result_codes"), ["listed-at-service", ""]);
    let message = result.column("result_message").concat();
    assert!(message.contains("under the id `AB-1`"), "{message}");
    assert_eq!(world.creates(), 3);
    world.excused.push("AB-1".to_owned());
    world.end();
}

#[test]
fn an_order_that_the_service_lists_as_canceled_is_not_said_to_be_printed() {
    let mut world = World::new();
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.dropsheet(&["orders", "cancel", "1001"]).status, 0);
    // 1001 is canceled by what is forgotten now, 1002 by a row after that.
    restore(&world, &before);
    let cancel = format!("{HEADER},action\n{},cancel\n", row("1002", 1));
    wait_for("what it has forgotten must show by now", || {
        world.drop_csv("cancel.csv", &cancel);
        world.run_until_settled().status == 0
            && world.result("cancel.csv").column("result_status") == ["canceled"]
    });
    world.drop_csv("again.csv", &sheet(&["1001", "1002", "1003"]));
    assert_eq!(world.run_until_settled().status, 0);
    let result = world.result("again.csv");
    assert_eq!(
        result.column("result_status"),
        ["canceled", "canceled", "already_created"]
    );
    assert_eq!(result.column("result_codes"), ["listed-at-service"; 3]);
    let message = result.column("result_message").concat();
    assert_eq!(message.matches("(canceled)").count(), 2, "{message}");
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn an_order_that_a_restored_ledger_has_forgotten_and_that_goes_elsewhere_now_is_changed() {
    let mut world = World::new();
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003", "1004"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    let moved = [
        row("1001", 1).replace("12 Maple Street", "14 Maple Street"),
        row("1002", 1).replace("Columbus", "Dublin"),
        row("1003", 1).replace("Ada Example", "Max Example"),
        row("1004", 1).replace("12 Maple Street", "12  MAPLE street."),
    ];
    world.drop_csv("again.csv", &format!("{HEADER}\n{}\n", moved.join("\n")));
    world.run_until_settled();
    let result = world.result("again.csv");
    assert_eq!(
        result.column("result_status"),
        ["changed", "changed", "changed", "already_created"]
    );
    let messages = result.column("result_message");
    for (message, what) in messages.iter().zip(["street", "city", "name"]) {
        let told = format!("it goes to another {what}");
        assert!(message.contains(&told), "{message}");
    }
    assert_eq!(world.creates(), 4);
    world.end();
}

#[test]
fn a_ledger_restored_from_minutes_ago_sends_nothing_twice() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    // This ledger has read the list just now, and knows nothing of what follows.
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    world.drop_csv("again.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 3);
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created"; 2]
    );
    world.end();
}

#[test]
fn a_restored_ledger_sends_nothing_twice_that_the_list_does_not_show_yet() {
    let mut world = behind_by(&["1001", "1002"]);
    world.service.leave_out_of_list(Some("1002"));
    world.drop_csv("again.csv", &sheet(&["1001", "1002"]));
    for _start in 0..2 {
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        let result = world.result("again.csv");
        assert_eq!(result.column("result_status"), ["already_created", "waiting"]);
        assert_eq!(result.of("1002", "result_codes"), "ledger-behind");
    }
    assert_eq!(world.creates(), 3);
    let_all_show(&world);
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created"; 2]
    );
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn a_report_does_not_hide_that_a_ledger_was_restored() {
    let mut world = World::with(Setup {
        absent_after: "1h",
        ..Setup::default()
    });
    let known: Vec<String> = (900..912).map(|id| id.to_string()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    world.drop_csv("sunday.csv", &sheet(&known));
    assert_eq!(world.run_once().status, 0);
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    // More news than it has forgotten.
    for order in world.service.orders() {
        world.service.fulfil(&order.pw_order_id);
    }
    world.service.leave_out_of_list(Some("1001"));
    let report = world.dropsheet(&EVER);
    assert_eq!(report.status, 0, "{report:?}");
    world.drop_csv("again.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(
        world.result("again.csv").of("1001", "result_codes"),
        "ledger-behind"
    );
    assert_eq!(world.creates(), 13);
    assert!(report.said.contains("was put back from before"), "{report:?}");
    let_all_show(&world);
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created"]
    );
    assert_eq!(world.creates(), 13);
    world.end();
}

#[test]
fn a_restored_ledger_cancels_what_it_has_forgotten_once_the_list_has_shown_it() {
    let mut world = behind_by(&["1001"]);
    let empty = ",".repeat(HEADER.matches(',').count());
    let cancel = format!("{HEADER},action\n1001{empty},cancel\n{},create\n", row("1002", 1));
    world.drop_csv("cancel.csv", &cancel);
    for _pass in 0..3 {
        assert_eq!(world.run_once().status, 3);
    }
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["canceled", "waiting"]);
    assert_eq!(world.service.count("cancel-order"), 1);
    soon(&world);
    wait_for("what it has forgotten must show by now", || {
        world.run_once().status == 0
    });
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["canceled", "created"]);
    assert_eq!((world.creates(), world.service.count("cancel-order")), (3, 1));
    world.end();
}

/// A world whose ledger was put back from before it sent these orders, and is to wait for an hour.
fn behind_by(order_ids: &[&str]) -> World {
    let mut world = World::with(Setup {
        absent_after: "1h",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(order_ids));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    world
}

#[test]
fn a_restored_ledger_says_which_account_it_knows_otherwise_however_many_are_new() {
    let mut world = behind_by(&["1001"]);
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let (_, from_main) = config.split_once("[account.main]").unwrap();
    let of_main = from_main.split("\n[").next().unwrap();
    // It stands before the one that is refused.
    let early = of_main.replace("shop@example.com", "early@example.com");
    let other = config
        .replace("shop@example.com", "other@example.com")
        .replace("[inbox.main]\n", "[inbox.main]\naccount = \"main\"\n");
    write(&path, format!("{other}\n[account.early]{early}\n").as_bytes());
    let ran = world.run_once();
    assert_eq!(ran.status, 2, "{ran:?}");
    let why = "account `main` is shop@example.com at ";
    assert!(ran.logged.contains(why), "{ran:?}");
    write(&path, config.as_bytes());
    world.drop_csv("again.csv", &sheet(&["1001"]));
    let_all_show(&world);
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created"]
    );
    assert_eq!(world.creates(), 2);
    world.end();
}

/// Has the list show everything, and the hour pass for which nothing is sent.
pub(super) fn let_all_show(world: &World) {
    world.service.leave_out_of_list(None);
    soon(world);
    wait_for("what it has forgotten must show by now", || {
        world.run_once().status == 0
    });
}

/// Shortens the hour for which a ledger that is behind sends nothing.
fn soon(world: &World) {
    let config = fs::read_to_string(world.path("dropsheet.toml")).unwrap();
    let soon = config.replace("absent_after = \"1h\"", "absent_after = \"1s\"");
    write(&world.path("dropsheet.toml"), soon.as_bytes());
}

/// Moves the only held sheet, as a person would.
pub(crate) fn approve(world: &World) {
    let [name] = &world.files("held")[..] else {
        panic!("one held sheet, not {:?}", world.files("held"))
    };
    move_new(
        &world.orders_path("held").join(name),
        &world.orders_path("approved").join(name),
    )
    .unwrap();
}

#[test]
fn a_restored_ledger_asks_nobody_about_orders_that_the_service_has() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    approve(&world);
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    let again = format!("{HEADER}\n{}\n{}\n", row("1001", 1), row("1002", 2));
    world.drop_csv("again.csv", &again);
    world.run_until_settled();
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created", "changed"]
    );
    assert_eq!((world.creates(), world.files("held")), (2, vec![]));
    world.end();
}

#[test]
fn an_approved_order_that_the_service_turns_out_to_have_is_settled_as_that_one() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    let again = format!("{HEADER}\n{}\n{}\n", row("1001", 1), row("1002", 2));
    world.drop_csv("again.csv", &again);
    assert_eq!(world.run_once().status, 3);
    // Held here; then another machine sends two of these names.
    let held = backup(&world);
    approve(&world);
    assert_eq!(world.run_once().status, 0);
    restore(&world, &held);
    let name = world
        .files("done")
        .into_iter()
        .find(|name| name.ends_with(".held.xlsx"));
    move_new(
        &world.orders_path("done").join(name.unwrap()),
        &world.orders_path("approved").join("again.held.xlsx"),
    )
    .unwrap();
    let is_settled = || {
        let ran = world.run_once();
        let result = world.result("again.csv");
        ran.status == 0 && result.column("result_status") == ["already_created"; 2]
    };
    wait_for("what it has forgotten must show by now", is_settled);
    let result = world.result("again.csv");
    assert_eq!(result.column("result_codes"), ["listed-at-service"; 2]);
    assert_eq!((world.creates(), world.files("held")), (2, vec![]));
    world.end();
}

#[test]
fn another_ledger_refuses_the_folder() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    for (name, _bytes) in backup(&world) {
        fs::remove_file(world.path(&name)).unwrap();
    }
    let ran = world.run_once();
    assert!(ran.status == 1 || ran.status == 3, "{ran:?}");
    assert!(ran.logged.contains("another ledger"), "{ran:?}");
    assert_eq!(world.files("inbox"), ["monday.csv"]);
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn who_drops_a_sheet_reads_that_a_lost_ledger_keeps_it_from_being_taken() {
    let mut world = World::new();
    let daemon = world.daemon();
    let path = world.orders_path("STATUS.txt");
    let told = || fs::read_to_string(&path).unwrap_or_default();
    wait_for("it lives", || told().contains("is alive"));
    assert_eq!(daemon.terminate().0, 0);
    assert!(told().starts_with("dropsheet was stopped"), "{}", told());
    for (name, _bytes) in backup(&world) {
        fs::remove_file(world.path(&name)).unwrap();
    }
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let daemon = world.daemon();
    wait_for("it is said", || {
        let told = told();
        told.starts_with("dropsheet is alive") && told.contains("belongs to another ledger")
    });
    assert_eq!(daemon.terminate().0, 0);
    assert!(told().starts_with("dropsheet was stopped"), "{}", told());
    assert_eq!(world.run_once().status, 1);
    assert!(told().starts_with("dropsheet made a pass"), "{}", told());
    assert!(told().contains("ledger rebuild"), "{}", told());
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn a_ledger_that_cannot_be_read_is_not_worked_and_not_replaced() {
    let world = World::new();
    for broken in [
        &b"this is no ledger at all, and longer than a header of a page"[..],
        b"SQLite format 3\0 cut",
    ] {
        for (name, _bytes) in backup(&world) {
            fs::remove_file(world.path(&name)).unwrap();
        }
        write(&world.path("ledger.db"), broken);
        let ran = world.run_once();
        assert_eq!(ran.status, 1, "{ran:?}");
        assert_eq!(fs::read(world.path("ledger.db")).unwrap(), broken);
    }
    world.end();
}

#[test]
fn a_file_in_processing_that_the_ledger_does_not_know_goes_back_and_is_sent_after_a_wait() {
    let mut world = World::with(Setup {
        absent_after: "2s",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    move_new(
        &world.orders_path("inbox").join("monday.csv"),
        &world.orders_path("processing").join("monday.csv"),
    )
    .unwrap();
    let ran = world.run_once();
    assert_eq!(world.creates(), 0, "{ran:?}");
    assert_eq!(ran.status, 3, "{ran:?}");
    let begun = std::time::Instant::now();
    wait_for("it is sent", || world.run_once().status == 0);
    assert!(begun.elapsed().as_secs() < 30);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn what_programs_leave_in_processing_is_no_sign_of_an_older_ledger() {
    let mut world = World::with(Setup {
        absent_after: "15m",
        ..Setup::default()
    });
    let processing = world.orders_path("processing");
    let beside = [".~lock.monday.csv#", "Thumbs.db", "~$monday.xlsx"];
    for name in beside {
        write(&processing.join(name), b"");
    }
    std::os::unix::fs::symlink("/etc/hostname", processing.join("link.csv")).unwrap();
    fs::create_dir(processing.join("folder.csv")).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.files("processing").len(), 5, "they stay where they are");
    for name in beside.into_iter().chain(["link.csv"]) {
        fs::remove_file(processing.join(name)).unwrap();
    }
    fs::remove_dir(processing.join("folder.csv")).unwrap();
    world.end();
}

#[test]
fn while_the_ledger_may_be_older_than_what_was_sent_that_is_what_is_said() {
    let mut world = World::with(Setup {
        absent_after: "15m",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    move_new(
        &world.orders_path("inbox").join("monday.csv"),
        &world.orders_path("processing").join("monday.csv"),
    )
    .unwrap();
    // The first run takes it back, the second one works it.
    wait_for("it is worked", || {
        assert_eq!(world.run_once().status, 3);
        world.find_result("monday.csv").is_some()
    });
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["waiting"; 2]);
    assert_eq!(result.column("result_codes"), ["ledger-behind"; 2]);
    let why = "dropsheet's records may be older than what was sent, so that nothing is sent before 2";
    for told in result.column("result_message") {
        assert!(told.contains(why), "{told}");
    }
    let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(told.contains(why) && !told.contains("a minute"), "{told}");
    assert!(world.dropsheet(&["status"]).said.contains(why));
    write_config(&world, "absent_after = \"15m\"", "absent_after = \"1s\"");
    wait_for("it is sent", || world.run_once().status == 0);
    assert_eq!(world.creates(), 2);
    world.end();
}

/// Changes a setting in the world's config.
fn write_config(world: &World, from: &str, to: &str) {
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    assert!(config.contains(from), "{config}");
    write(&path, config.replace(from, to).as_bytes());
}
