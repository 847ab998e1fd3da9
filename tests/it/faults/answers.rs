//! What the service answers, or does not: creates, cancels, passwords, and a service that is away.

use std::time::Duration;

use dropsheet::sandbox::{Amount, Options, RetryAfter};

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// Twenty ids.
fn twenty() -> Vec<String> {
    (1001..1021).map(|id| id.to_string()).collect()
}

fn sheet_of(ids: &[String]) -> String {
    sheet(&ids.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_sheet_is_worked_from_end_to_end() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 2]);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn orders_that_the_list_shows_under_ids_of_another_kind_are_the_only_ones_and_can_be_canceled() {
    let mut world = World::new();
    world.service.set_fault("other-id=after:0").unwrap();
    let ids = ["1001", "1002"];
    world.drop_csv("monday.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 0);
    wait_for("the list shows them", || {
        ids.iter().all(|id| world.at_service(id)[0].visible)
    });
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    assert_eq!(world.run_once().status, 0);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_codes"), ["", ""]);
    let shown = |id| world.at_service(id).remove(0).pw_order_id;
    assert_eq!(
        result.column("result_pw_order_id"),
        [shown("1001"), shown("1002")]
    );
    assert!(
        result
            .column("result_service_total")
            .iter()
            .all(|total| !total.is_empty())
    );
    let canceled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(canceled.status, 0, "{canceled:?}");
    world.end();
}

#[test]
fn an_order_that_is_answered_with_the_id_of_one_without_an_answer_is_looked_up_once_that_one_is_shown() {
    for canceled in [false, true] {
        let mut world = World::new();
        world.service.freeze_list(true);
        world.service.set_fault("drop-after-create=on:1").unwrap();
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        assert_eq!(world.run_once().status, 3);
        world.service.set_fault("former-id=on:1").unwrap();
        world.drop_csv("tuesday.csv", &sheet(&["1002"]));
        world.run_once();
        let of = |sheet: &str, id: &str| {
            let result = world.result(sheet);
            let [status, pw] = ["result_status", "result_pw_order_id"].map(|column| result.of(id, column));
            (status.to_owned(), pw.to_owned())
        };
        let [first, second] = ["1001", "1002"].map(|id| world.at_service(id).remove(0).pw_order_id);
        assert_eq!(of("monday.csv", "1001").0, "unresolved");
        assert_eq!(of("tuesday.csv", "1002"), ("created".to_owned(), first.clone()));
        world.service.freeze_list(false);
        if canceled {
            // Its cancel is of the order that has its name.
            world.dropsheet(&["orders", "cancel", "1002"]);
        }
        let ran = world.run_until_settled();
        assert_eq!(ran.status, 0, "{ran:?}");
        let status = if canceled { "canceled" } else { "created" };
        assert_eq!(of("monday.csv", "1001"), ("created".to_owned(), first));
        assert_eq!(of("tuesday.csv", "1002"), (status.to_owned(), second));
        assert_eq!(world.creates(), 2, "none was sent twice");
        let shown = world.dropsheet(&["orders", "show", "1002"]);
        assert!(shown.said.contains("and that is the order `1001`"), "{shown:?}");
        let verified = world.dropsheet(&["ledger", "verify"]);
        assert_eq!(verified.status, 0, "{verified:?}");
        world.end();
    }
}

/// Faults after which the order is at the service, or comes to be there, although the answer does not say so.
const MADE: &[&str] = &[
    "drop-after-create=on:2",
    "late-create=on:4",
    "slow-create=on:5",
    "error-500-after=on:7",
    "error-502-after=on:8",
    "error-504-after=on:9",
    "html-after=on:11",
    "cut-body=on:12",
    "wrong-order-id=on:13",
    "redirect=on:15",
    "empty-200=on:16",
    "bare-200=on:17",
];

#[test]
fn whatever_is_answered_after_the_commit_makes_no_second_order() {
    let mut world = World::new();
    for rule in MADE {
        world.service.set_fault(rule).unwrap();
    }
    world.drop_csv("monday.csv", &sheet_of(&twenty()));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["created"; 20]
    );
    assert_eq!(world.creates(), 20, "none was sent twice");
    // One that was taken for refused would be dropped again by who reads that, before the list has shown it.
    for order in twenty() {
        let shown = world.dropsheet(&["orders", "show", &order]);
        assert!(shown.status == 0 && !shown.said.contains("refused"), "{shown:?}");
    }
    let verified = world.dropsheet(&["ledger", "verify"]);
    assert_eq!(verified.status, 0, "{verified:?}");
    world.end();
}

#[test]
fn timeout_after_commit_makes_no_second_order() {
    let mut world = World::with(Setup {
        timeout: "500ms",
        ..Setup::default()
    });
    world.service.set_fault("slow-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

/// Faults after which nothing is at the service, although the answer does not say so.
const LOST: &[&str] = &[
    "drop-before=on:1",
    "error-500=on:4",
    "error-502=on:7",
    "error-504=on:9",
    "unavailable-create=on:12",
];

#[test]
fn an_order_that_was_lost_on_its_way_is_sent_once_more_when_its_absence_is_proved() {
    let mut world = World::new();
    for rule in LOST {
        world.service.set_fault(rule).unwrap();
    }
    world.drop_csv("monday.csv", &sheet_of(&twenty()));
    // An order that is answered after all of them shows that the list is live.
    world.run_once();
    world.drop_csv("tuesday.csv", &sheet(&["2001"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["created"; 20]
    );
    assert_eq!(world.creates(), 26, "21 orders and 5 of them again");
    world.end();
}

#[test]
fn a_refusal_is_the_rows_message_and_the_others_go_on() {
    let mut world = World::new();
    world.service.set_fault("refuse=on:2").unwrap();
    world.service.set_fault("envelope-refusal=on:3").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003", "1004"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let mut statuses: Vec<String> = world
        .result("monday.csv")
        .column("result_status")
        .into_iter()
        .map(str::to_owned)
        .collect();
    statuses.sort();
    assert_eq!(statuses, ["created", "created", "refused", "refused"]);
    // Dropped again, the refused ones are tried anew and the others are known.
    world.drop_csv("again.csv", &sheet(&["1001", "1002", "1003", "1004"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 6);
    world.end();
}

#[test]
fn a_token_that_expires_among_many_requests_costs_one_login_and_no_order() {
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::from_millis(20),
            ..Setup::default().service
        },
        ..Setup::default()
    });
    world.service.set_fault("expire-token-create=on:3").unwrap();
    world.drop_csv("monday.csv", &sheet_of(&twenty()));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["created"; 20]
    );
    assert_eq!(world.service.count("token"), 2);
    world.end();
}

#[test]
fn a_wrong_password_is_said_once_and_sends_nothing() {
    let mut world = World::with(Setup {
        password: "wrong",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.creates(), 0);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["waiting"; 2]);
    assert_eq!(result.column("result_order_id"), result.column("order_id"));
    assert_eq!(result.column("result_codes"), ["bad-credentials"; 2]);
    assert!(
        world.service.count("token") <= 2,
        "it is not tried again and again"
    );
    // A look without news leaves the result as it lies.
    let path = world.result_path("monday.csv").unwrap();
    let inode = |path| std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(path).unwrap());
    let before = inode(&path);
    assert_eq!(world.run_once().status, 3);
    assert_eq!(inode(&path), before);
    let refused = "The service refuses the account's password";
    let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(told.contains(refused), "{told}");
    let who = "); the operator has to correct it. Nothing is sent until then; nothing is lost.";
    // The file breaks its lines.
    let told: Vec<&str> = told.split_whitespace().collect();
    assert!(told.join(" ").contains(who), "{told:?}");
    for arguments in [&["status"][..], &["status", "--json"]] {
        let status = world.dropsheet(arguments);
        assert!(status.said.contains(refused), "{status:?}");
    }
    // The right password, and everything goes on.
    write(&world.path("password"), b"sandbox\n");
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 2]);
    let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(!told.contains(refused), "{told}");
    assert!(!world.dropsheet(&["status"]).said.contains(refused));
    world.end();
}

#[test]
fn creates_that_are_turned_away_after_a_new_login_too_stop_the_account_until_it_is_started_again() {
    for (fault, says) in [
        (
            "expire-token-create=after:0",
            "its token is refused at once (create-new-order: HTTP 401, “",
        ),
        (
            "error-403-create=after:0",
            "the service refuses what is asked of it (create-new-order: HTTP 403, “",
        ),
    ] {
        let mut world = World::new();
        world.service.set_fault(fault).unwrap();
        world.drop_csv("monday.csv", &sheet_of(&twenty()));
        let daemon = world.daemon();
        let log = || std::fs::read_to_string(world.path("daemon.log")).unwrap();
        let told = || std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap_or_default();
        wait_for("it is said", || told().contains(says));
        wait_for("the sheet waits", || {
            let result = world.find_result("monday.csv");
            result.is_some_and(|result| result.column("result_status") == ["waiting"; 20])
        });
        let result = world.result("monday.csv");
        assert_eq!(result.column("result_codes"), ["bad-credentials"; 20]);
        for told in result.column("result_message") {
            assert!(
                told.contains("The login is accepted") && told.contains(says),
                "{told}"
            );
        }
        assert_eq!(world.service.count("token"), 2, "one new login: {}", log());
        assert!(world.creates() <= 40, "each is sent twice at most");
        assert_eq!(daemon.terminate().0, 0);
        let said = log().matches("nothing is sent: ").count();
        assert_eq!(said, 1, "it is told once: {}", log());
        world.service.clear_faults();
        assert_eq!(world.run_once().status, 0);
        assert_eq!(
            world.result("monday.csv").column("result_status"),
            ["created"; 20]
        );
        world.end();
    }
}

#[test]
fn a_daemon_tries_a_password_once_it_is_another_one_and_never_twice() {
    let mut world = World::with(Setup {
        password: "wrong",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let daemon = world.daemon();
    let log = || std::fs::read_to_string(world.path("daemon.log")).unwrap();
    let waits = || {
        let result = world.find_result("monday.csv");
        result.is_some_and(|result| result.column("result_status") == ["waiting"; 2])
    };
    wait_for("the sheet waits", waits);
    // Written again, and no other: then another one that is wrong, and one that is right.
    write(&world.path("password"), b"wrong\r\n");
    write(&world.path("password"), b"also wrong");
    wait_for("it is refused too", || {
        log().matches("correct the account's password").count() == 2
    });
    assert_eq!(world.service.count("token"), 2, "each is tried once: {}", log());
    write(&world.path("password"), b"sandbox\n");
    wait_for("both orders are created", || {
        let result = world.find_result("monday.csv");
        result.is_some_and(|result| result.column("result_status") == ["created"; 2])
    });
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_service_that_is_away_makes_orders_wait_and_none_unresolved() {
    let mut world = World::new();
    world.service.go_away_now().unwrap();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    wait_for("the sheet is taken", || !world.files("processing").is_empty());
    world.service.come_back_now().unwrap();
    wait_for("it is worked", || world.files("processing").is_empty());
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 2);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 2]);
    world.end();
}

#[test]
fn a_service_that_goes_away_amid_creates_costs_no_order() {
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::from_millis(30),
            ..Setup::default().service
        },
        account: "max_in_flight = 3",
        ..Setup::default()
    });
    let ids: Vec<String> = (1001..1061).map(|id| id.to_string()).collect();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet_of(&ids));
    wait_for("some are sent", || world.service.orders().len() > 10);
    world.service.go_away_now().unwrap();
    let sent = world.service.orders().len();
    assert!(sent < 60, "it goes away amid the sheet");
    world.service.come_back_now().unwrap();
    wait_for("all are there", || world.service.orders().len() >= 60);
    wait_for("the result says so", || {
        world.find_result("monday.csv").is_some_and(|result| {
            result
                .column("result_status")
                .iter()
                .all(|status| *status == "created")
        })
    });
    wait_for("it is done", || world.files("processing").is_empty());
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_service_that_asks_for_a_pause_gets_it() {
    for retry_after in [
        RetryAfter::Text("1".to_owned()),
        RetryAfter::DateIn(1),
        RetryAfter::Text("soon".to_owned()),
        RetryAfter::Absent,
    ] {
        let mut world = World::with(Setup {
            service: Options {
                retry_after,
                ..Setup::default().service
            },
            ..Setup::default()
        });
        world.service.set_fault("rate-limit-create=on:1").unwrap();
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        let ran = world.run_once();
        assert_eq!(ran.status, 0, "{ran:?}");
        assert_eq!(world.creates(), 2);
        world.end();
    }
}

#[test]
fn a_pause_of_a_day_is_not_waited_for_and_said() {
    let mut world = World::with(Setup {
        service: Options {
            retry_after: RetryAfter::Text("86400".to_owned()),
            ..Setup::default().service
        },
        ..Setup::default()
    });
    world.service.set_fault("rate-limit-create=first:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["waiting"]);
    let said = "The print service takes no more requests for now";
    let asks = "it asks for a pause of 1 d and is asked again at 20";
    let why = world.result("monday.csv").column("result_message").concat();
    assert!(why.contains(asks), "{why}");
    let status = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(status.contains(said) && status.contains(asks), "{status}");
    let status = world.dropsheet(&["status", "--json"]).said;
    assert!(status.contains(said) && status.contains(asks), "{status}");
    assert!(!ran.logged.contains("does not answer as it should"), "{ran:?}");
    // The next run asks again.
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    world.end();
}

#[test]
fn a_price_that_changed_before_the_send_shows_in_the_result() {
    let mut world = World::with(Setup {
        account: "sync = \"1s\"\nquote_reuse = \"1h\"",
        ..Setup::default()
    });
    let daemon = world.daemon();
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    wait_for("the price is asked", || world.creates() == 1);
    assert!(world.service.set_cost("TEE-CLASSIC-BLK-S", Amount::cents(99_00)));
    world.excused.push("1001".to_owned());
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("the list's totals are in the result", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| !result.of("1001", "result_difference").is_empty())
    });
    wait_for("both are done", || world.files("processing").is_empty());
    assert_eq!(daemon.terminate().0, 0);
    let result = world.result("monday.csv");
    let charged = world.at_service("1001")[0].total.decimal();
    let quoted: rust_decimal::Decimal = result.of("1001", "result_quoted_total").parse().unwrap();
    assert!(charged > quoted);
    assert_eq!(
        result.of("1001", "result_difference"),
        (charged - quoted).to_string(),
        "{result:?}"
    );
    world.end();
}

/// A cancel row of an order.
fn cancel(order_id: &str) -> String {
    format!("order_id,action\n{order_id},cancel\n")
}

#[test]
fn a_cancel_without_an_answer_is_asked_again_for_the_same_order() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_fault("drop-after-cancel=on:1").unwrap();
    world.drop_csv("cancel.csv", &cancel("1001"));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.service.count("cancel-order"), 2);
    assert_eq!(world.result("cancel.csv").column("result_status"), ["canceled"]);
    assert_eq!(world.result("monday.csv").of("1001", "result_status"), "canceled");
    assert_eq!(world.result("monday.csv").of("1002", "result_status"), "created");
    assert!(format!("{:?}", world.at_service("1001")[0].status).starts_with("Cancel"));
    assert!(!format!("{:?}", world.at_service("1002")[0].status).starts_with("Cancel"));
    world.end();
}

#[test]
fn a_cancel_of_an_order_without_an_answer_waits_until_it_is_found() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("create-answered").crashed());
    world.drop_csv("cancel.csv", &cancel("1001"));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("cancel.csv").column("result_status"), ["canceled"]);
    assert_eq!(world.creates(), 1);
    assert_eq!(world.service.count("cancel-order"), 1);
    world.end();
}

#[test]
fn a_cancel_of_an_order_that_never_left_rules_it_out_and_sends_nothing() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    world.drop_csv(
        "cancel.csv",
        &format!(
            "{HEADER},action\n{},cancel\n{},\n",
            row("1001", 1),
            row("2001", 1)
        ),
    );
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("cancel.csv").column("result_status"),
        ["canceled", "created"]
    );
    assert!(world.at_service("1001").is_empty());
    assert_eq!(world.creates(), 1);
    world.end();
}

/// The next run makes what is left of a sheet of twenty orders.
fn twenty_are_made(world: World) {
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["created"; 20]
    );
    world.end();
}

#[test]
fn told_to_end_amid_creates_it_ends_soon_and_the_next_run_finishes() {
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::from_millis(100),
            ..Setup::default().service
        },
        account: "max_in_flight = 3",
        ..Setup::default()
    });
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet_of(&twenty()));
    wait_for("some are sent", || world.service.orders().len() > 3);
    let (status, took) = daemon.terminate();
    assert_eq!(status, 0);
    assert!(took < Duration::from_secs(10), "it took {took:?}");
    assert!(world.service.orders().len() < 20, "it ended amid the sheet");
    twenty_are_made(world);
}

#[test]
fn told_to_end_or_stopped_it_sends_nothing_whose_turn_has_not_come() {
    for by_file in [false, true] {
        let mut world = World::with(Setup {
            service: Options {
                slow: Duration::from_millis(1500),
                ..Setup::default().service
            },
            account: "max_in_flight = 2",
            ..Setup::default()
        });
        world.service.set_fault("slow-create=first:99").unwrap();
        let daemon = world.daemon();
        world.drop_csv("monday.csv", &sheet_of(&twenty()));
        let asked = |world: &World| world.service.count("create-new-order");
        wait_for("as many as may are under way", || asked(&world) == 2);
        if by_file {
            write(&world.orders_path("STOP"), b"");
            wait_for("they are answered", || world.service.orders().len() == 2);
            wait_for("it is heard", || {
                world.dropsheet(&["status"]).said.contains("STOPPED")
            });
        }
        assert_eq!(daemon.terminate().0, 0);
        assert_eq!(asked(&world), 2, "{by_file}");
        if by_file {
            std::fs::remove_file(world.orders_path("STOP")).unwrap();
        }
        twenty_are_made(world);
    }
}
