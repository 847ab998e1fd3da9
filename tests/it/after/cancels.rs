//! Cancels, by command and by row.

use std::time::Duration;

use calamine::{Data, Reader, Xlsx, open_workbook};
use dropsheet::files::move_new;
use dropsheet::sandbox::{NewLine, NewOrder, Options};

use crate::faults::lookups::placed;
use crate::world::{HEADER, Setup, World, names, row, sheet, wait_for, write};

/// A sheet that cancels orders.
fn cancels(order_ids: &[&str]) -> String {
    let rows: Vec<String> = order_ids.iter().map(|id| format!("{id},cancel")).collect();
    format!("order_id,action\n{}\n", rows.join("\n"))
}

#[test]
fn beside_a_daemon_a_cancel_is_done_by_the_daemon_and_answered() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let daemon = world.daemon();
    wait_for("the result is there", || {
        world.find_result("monday.csv").is_some()
    });
    assert!(world.service.produce(&world.pw("1002")));
    let dry = world.dropsheet(&["orders", "cancel", "1001", "--dry-run"]);
    assert_eq!(dry.status, 0, "{dry:?}");
    assert_eq!(world.service.count("cancel-order"), 0);
    let done = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(
        (done.status, done.said.contains("has been canceled")),
        (0, true),
        "{done:?}"
    );
    let refused = world.dropsheet(&["orders", "cancel", &world.pw("1002")]);
    assert_eq!(
        (refused.status, refused.said.contains("refused")),
        (3, true),
        "{refused:?}"
    );
    let unknown = world.dropsheet(&["orders", "cancel", "1009"]);
    assert_eq!(unknown.status, 1);
    // It may wait in a sheet all the same.
    for said in [
        "knows no order `1009`",
        "a row of its order_id and `cancel` under action",
    ] {
        assert!(unknown.logged.contains(said), "{unknown:?}");
    }
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["canceled", "created"]);
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn the_service_s_word_to_a_granted_cancel_stands_in_both_results() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_once();
    world.drop_csv("tuesday.csv", &cancels(&["1001"]));
    world.run_once();
    let said = format!(
        "The service answered the cancel with “order {} (1001) has been canceled”.",
        world.pw("1001")
    );
    let monday = world.result("monday.csv");
    assert_eq!(monday.column("result_status"), ["canceled", "created"]);
    assert_eq!(monday.column("result_message"), [said.as_str(), ""]);
    let tuesday = world.result("tuesday.csv");
    assert_eq!(tuesday.column("result_status"), ["canceled"]);
    assert_eq!(tuesday.column("result_message"), [said.as_str()]);
    // Dropped again, the order says how it is printed after all.
    world.drop_csv("wednesday.csv", &sheet(&["1001"]));
    world.run_once();
    let wednesday = world.result("wednesday.csv");
    let message = wednesday.of("1001", "result_message");
    assert!(
        message.starts_with("This order was canceled; nothing was sent again."),
        "{message}"
    );
    world.end();
}

#[test]
fn beside_a_daemon_no_cancel_waits_for_another_one_s_answer() {
    let mut world = World::with(Setup {
        timeout: "5s",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let daemon = world.daemon();
    wait_for("the result is there", || {
        world.find_result("monday.csv").is_some()
    });
    world.service.set_fault("slow-cancel=on:1").unwrap();
    std::thread::scope(|scope| {
        let world = &world;
        let slow = scope.spawn(move || world.dropsheet(&["orders", "cancel", "1001"]));
        wait_for("it is asked", || world.service.count("cancel-order") == 1);
        let quick = world.dropsheet(&["orders", "cancel", "1002"]);
        assert_eq!((quick.status, slow.is_finished()), (0, false), "{quick:?}");
        assert_eq!(slow.join().unwrap().status, 0);
    });
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["canceled"; 2]
    );
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn an_inbox_or_account_that_is_not_in_the_config_is_wrong_usage() {
    let mut world = World::new();
    let unknown = |world: &World| {
        for (asked, has) in [
            (
                &["cancel", "1001", "--inbox", "nope"][..],
                "no inbox `nope`; it has main",
            ),
            (
                &["cancel", "1001", "--account", "nope"],
                "no account `nope`; it has main",
            ),
            (
                &["resolve", "1001", "--resend", "--inbox", "nope"],
                "no inbox `nope`; it has main",
            ),
            (&["list", "--account", "nope"], "no account `nope`; it has main"),
        ] {
            let said = world.dropsheet(&[&["orders"], asked].concat());
            assert_eq!((said.status, said.logged.contains(has)), (2, true), "{said:?}");
        }
    };
    // Where there is no ledger yet, too.
    unknown(&world);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    unknown(&world);
    assert_eq!(world.service.count("cancel-order"), 0);
    let other = world.dropsheet(&["orders", "cancel", "1009", "--inbox", "main"]);
    assert_eq!(other.status, 1, "{other:?}");
    world.end();
}

#[test]
fn a_request_that_was_done_before_a_crash_is_answered_and_not_done_twice() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    assert!(
        world
            .crashing("request-done", &["orders", "cancel", "1001"])
            .crashed()
    );
    assert_eq!(world.service.count("cancel-order"), 1);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        world.service.count("cancel-order"),
        1,
        "the next run found it done"
    );
    assert_eq!(world.result("monday.csv").column("result_status"), ["canceled"]);
    let again = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(
        (again.status, again.said.contains("already")),
        (0, true),
        "{again:?}"
    );
    world.end();
}

#[test]
fn a_cancel_row_that_is_refused_says_in_whole_sentences_that_it_is_printing() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    assert!(world.service.produce(&world.pw("1001")));
    world.drop_csv("cancel.csv", &cancels(&["1001"]));
    world.run_once();
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["not_canceled"]);
    let said = &result.column("result_message")[0];
    assert!(
        said.starts_with("It is still printing: the service refused the cancel with “"),
        "{said}"
    );
    assert!(said.ends_with("”. Ask the print service."), "{said}");
    world.end();
}

#[test]
fn a_refused_cancel_of_one_line_does_not_say_that_the_others_are_canceled_and_to_be_ordered_again() {
    let mut world = World::new();
    let mug = row("1001", 1).replace("TEE-CLASSIC-BLK-S", "MUG-CERAMIC-WHT-11OZ");
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n{mug}\n", row("1001", 1)));
    assert_eq!(world.run_once().status, 0);
    assert!(world.service.produce(&world.pw("1001")));
    let cancel = format!("{HEADER},action\n{},cancel\n", row("1001", 1));
    world.drop_csv("cancel.csv", &cancel);
    world.run_once();
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["not_canceled"]);
    assert_eq!(result.column("result_codes"), ["cancel-refused"]);
    let said = &result.column("result_message")[0];
    assert!(!said.contains("1001-2"), "{said}");
    world.end();
}

#[test]
fn an_order_that_the_service_shows_no_more_after_a_cancel_without_an_answer_is_not_said_to_be_printing() {
    let mut world = World::new();
    let ids = ["1001", "1002"];
    world.drop_csv("monday.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 0);
    // Both are canceled, nobody hears of it, and the service shows no order that is.
    let hides = [
        "error-500-after-cancel=on:1,2",
        "error-404-cancel=after:2",
        "error-404-detail=after:0",
    ];
    for fault in hides {
        world.service.set_fault(fault).unwrap();
    }
    world.drop_csv("cancel.csv", &cancels(&ids));
    for _pass in 0..2 {
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
    }
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["canceling"; 2]);
    for said in result.column("result_message") {
        assert!(
            said.contains("a person has to decide: the service does not know it any more"),
            "{said}"
        );
    }
    let status = world.dropsheet(&["status", "--json"]).said;
    assert!(status.contains("orders resolve 1001 --abandon"), "{status}");
    // One is ended by a person, of the other one the service tells in the end.
    let resolved = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(resolved.status, 0, "{resolved:?}");
    assert!(
        resolved
            .said
            .contains("canceled at your word: the service was not asked again")
    );
    world.service.clear_faults();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        world.result("cancel.csv").column("result_status"),
        ["canceled"; 2]
    );
    world.end();
}

#[test]
fn a_cancel_that_is_forbidden_is_its_order_s_refusal_and_keeps_no_other_order_waiting() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_fault("error-403-cancel=after:0").unwrap();
    world.drop_csv("cancel.csv", &cancels(&["1001"]));
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["not_canceled"]);
    assert_eq!(result.column("result_codes"), ["cancel-refused"]);
    assert_eq!(world.result("tuesday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn the_answer_to_a_cancel_counts_where_a_person_ends_it_meanwhile() {
    let mut world = World::with(Setup {
        service: Options {
            slow: Duration::from_millis(1500),
            ..Setup::default().service
        },
        timeout: "1m",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    for fault in [
        "error-404-cancel=on:1",
        "error-404-detail=first:2",
        "slow-cancel=on:2",
    ] {
        world.service.set_fault(fault).unwrap();
    }
    let daemon = world.daemon();
    let asked = world.dropsheet(&["orders", "cancel", "1001"]);
    assert!(asked.said.contains("asked again"), "{asked:?}");
    let mut again = world.command(&["orders", "cancel", "1001"]).spawn().unwrap();
    wait_for("it is asked for again", || {
        world.service.count("cancel-order") == 2
    });
    let ended = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert!(
        ended.status == 0 && ended.said.contains("the service has canceled it meanwhile"),
        "{ended:?}"
    );
    assert!(again.wait().unwrap().success());
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn a_held_order_is_declined_by_a_cancel_however_often_its_sheet_is_dropped() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_once();
    for name in ["cancel.csv", "again.csv"] {
        world.drop_csv(name, &cancels(&["1001"]));
        world.run_once();
        let result = world.result(name);
        assert_eq!(result.column("result_status"), ["declined"], "{name}");
        assert!(
            !result.column("result_codes")[0].contains("cancel-unknown"),
            "{name}"
        );
    }
    let declined = world.dropsheet(&["orders", "cancel", "1002"]);
    assert_eq!(
        (declined.status, declined.said.contains("declined")),
        (0, true),
        "{declined:?}"
    );
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["declined", "declined"]
    );
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn a_cancel_of_another_inboxes_order_is_warned_about() {
    let mut world = World::with(Setup {
        inbox: "[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\nresult_format = \"csv\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    write(
        &world.path("other/inbox/cancel.csv"),
        cancels(&["1001"]).as_bytes(),
    );
    world.run_once();
    let results = world.path("other/results");
    let names = names(&results);
    let path = names
        .iter()
        .find(|name| name.ends_with("_cancel.result.csv"))
        .unwrap();
    let result = crate::world::Table::read(&results.join(path)).unwrap();
    assert_eq!(result.column("result_status"), ["canceled"]);
    assert!(result.column("result_codes")[0].contains("other-inbox"));
    world.end();
}

#[test]
fn a_cancel_of_a_shops_own_order_leaves_another_shops_of_the_same_number_alone() {
    let mut world = World::with(Setup {
        inbox: "[inbox.two]\npath = \"two\"\nstable_for = \"50ms\"\nresult_format = \"csv\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    let drop_into_two = |world: &mut World, name: &str, text: &str| {
        write(&world.path(&format!("two/inbox/{name}.csv")), text.as_bytes());
        world.run_once();
        let results = world.path("two/results");
        let names = names(&results);
        let of_it = format!("_{name}.result.csv");
        let path = names.iter().find(|found| found.ends_with(&of_it)).unwrap();
        crate::world::Table::read(&results.join(path)).unwrap()
    };
    let full = |text: &str| format!("{HEADER},action\n{text},cancel\n");
    let own = row("1001", 1).replace("Ada Example", "Zoe Example");
    assert_ne!(own, row("1001", 1));
    let never_sent = drop_into_two(&mut world, "own", &format!("{HEADER}\n{own}\n"));
    assert_eq!(never_sent.column("result_status"), ["changed"]);
    let mut refused = |name: &str, text: &str, differing: &str| {
        let result = drop_into_two(&mut world, name, text);
        assert_eq!(result.column("result_status"), ["invalid"], "{name}");
        assert_eq!(result.column("result_codes"), ["cancel-unknown"], "{name}");
        let said = result.column("result_message")[0].to_owned();
        for part in [
            "Nothing was canceled",
            "of the inbox `main`",
            differing,
            "no more than order_id",
        ] {
            assert!(said.contains(part), "{name}: {said}");
        }
    };
    refused("full", &full(&own), "(shipping_name)");
    refused("part", "order_id,quantity,action\n1001,7,cancel\n", "(quantity)");
    assert_eq!(world.service.count("cancel-order"), 0);
    // What is given is the known order's: that one is meant.
    let part = "order_id,shipping_city,action\n1001,Columbus,cancel\n";
    assert!(row("1001", 1).contains(",Columbus,"));
    let same = drop_into_two(&mut world, "same", part);
    assert_eq!(same.column("result_status"), ["canceled"]);
    assert_eq!(same.column("result_codes"), ["other-inbox"]);
    let same = drop_into_two(&mut world, "again", &full(&row("1001", 1)));
    assert_eq!(same.column("result_status"), ["canceled"]);
    world.end();
}

/// A world whose ledger knows orders of these names by the service's list alone.
fn listed_alone(names: &[&str]) -> World {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    let like = &world.at_service("1001")[0].order;
    let line = |item: &dropsheet::sandbox::Item| NewLine {
        sku: item.sku.clone(),
        quantity: item.quantity,
        ..NewLine::default()
    };
    for name in names {
        world.service.insert_order(&NewOrder {
            order_name: (*name).to_owned(),
            address: like.address.clone(),
            shipping_service: None,
            lines: like.items.iter().map(line).collect(),
        });
    }
    wait_for("the list shows them", || {
        names.iter().all(|name| world.at_service(name)[0].visible)
    });
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    world
}

#[test]
fn an_order_that_only_the_services_list_knows_is_canceled_by_row_and_by_command() {
    let mut world = listed_alone(&["77", "78"]);
    world.excused.push("78".to_owned());
    let text = format!("{HEADER},action\n{},cancel\n", row("77", 1));
    world.drop_csv("cancel.csv", &text);
    world.run_once();
    assert_eq!(world.result("cancel.csv").column("result_status"), ["canceled"]);
    let by_command = world.dropsheet(&["orders", "cancel", "78"]);
    assert_eq!(
        (by_command.status, by_command.said.contains("canceled")),
        (0, true),
        "{by_command:?}"
    );
    assert_eq!(world.service.count("cancel-order"), 2);
    world.end();
}

#[test]
fn an_order_that_the_service_refuses_to_cancel_and_shows_no_more_is_not_said_to_be_printing() {
    let mut world = listed_alone(&["77", "78"]);
    world.excused.push("78".to_owned());
    for fault in ["error-404-cancel=after:0", "error-404-detail=after:0"] {
        world.service.set_fault(fault).unwrap();
    }
    world.drop_csv(
        "cancel.csv",
        &format!("{HEADER},action\n{},cancel\n", row("77", 1)),
    );
    world.run_once();
    let result = world.result("cancel.csv");
    assert_eq!(result.column("result_status"), ["not_canceled"]);
    let said = &result.column("result_message")[0];
    assert!(said.contains("It may be canceled, or printing: "), "{said}");
    assert!(!said.contains("still printing"), "{said}");
    let by_command = world.dropsheet(&["orders", "cancel", "78"]);
    assert_eq!(by_command.status, 3, "{by_command:?}");
    assert!(
        by_command
            .said
            .contains("shows no such order; ask the print service"),
        "{by_command:?}"
    );
    assert!(!by_command.said.contains("still printing"), "{by_command:?}");
    world.end();
}

#[test]
fn cancels_that_are_not_answered_keep_neither_each_other_nor_other_orders_waiting() {
    let mut world = World::with(Setup {
        service: Options {
            slow: Duration::from_hours(1),
            ..Setup::default().service
        },
        timeout: "1h",
        ..Setup::default()
    });
    let ids = ["1001", "1002", "1003"];
    world.drop_csv("monday.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 0);
    // It is done each time, and nobody hears of it.
    world.service.set_fault("slow-cancel=after:0").unwrap();
    let daemon = world.daemon();
    world.drop_csv("cancel.csv", &cancels(&ids));
    wait_for("all three are asked for at once", || {
        world.service.count("cancel-order") == 3
    });
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1004"]));
    wait_for("an order without an answer is found beside them", || {
        world
            .find_result("tuesday.csv")
            .is_some_and(|result| result.column("result_status") == ["created"])
    });
    daemon.kill();
    world.service.clear_faults();
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("cancel.csv").column("result_status"),
        ["canceled"; 3]
    );
    world.end();
}

#[test]
fn a_cancel_that_is_not_confirmed_is_not_called_an_order_without_an_answer() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_fault("error-500-cancel=after:0").unwrap();
    world.drop_csv("cancel.csv", &cancels(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let told = "1 cancel is not confirmed by the service yet: the next run goes on";
    assert!(ran.said.contains(told), "{ran:?}");
    assert!(!ran.said.contains("without an answer"), "{ran:?}");
    world.service.clear_faults();
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(world.result("cancel.csv").column("result_status"), ["canceled"]);
    world.end();
}

#[test]
fn a_cancel_that_declined_a_held_order_says_so_after_the_order_was_taken_anew_too() {
    let mut world = World::new();
    let dear = format!("{HEADER},expected_total\n{},0.01\n", row("1001", 1));
    world.drop_csv("monday.csv", &dear);
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("cancel.csv", &cancels(&["1001"]));
    world.run_once();
    assert_eq!(world.result("cancel.csv").column("result_status"), ["declined"]);
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    assert_eq!(world.result("tuesday.csv").column("result_status"), ["created"]);
    assert_eq!(world.result("cancel.csv").column("result_status"), ["declined"]);
    assert_eq!(world.service.count("cancel-order"), 0);
    let status = world.dropsheet(&["status", "--json"]);
    assert!(!status.said.contains("not_canceled"), "{}", status.said);
    world.end();
}

#[test]
fn a_cancel_row_in_try_says_that_nothing_was_canceled_and_what_would_be() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let row = b"order_id,action\n1001,cancel\n";
    write(&world.orders_path("try/maybe.csv"), row);
    write(&world.path("maybe.csv"), row);
    for arguments in [["run", "--once"], ["quote", "maybe.csv"]] {
        let ran = world.dropsheet(&arguments);
        assert_eq!(ran.status, 0, "{ran:?}");
    }
    let results = world.orders_path("results");
    let quote = names(&results)
        .into_iter()
        .find(|name| name.ends_with("maybe.quote.xlsx"));
    let mut book: Xlsx<_> = open_workbook(results.join(quote.unwrap())).unwrap();
    let page = book.worksheet_range("Results").unwrap();
    let told: Vec<String> = page.rows().flatten().map(Data::to_string).collect();
    assert!(told.contains(&"skipped".to_owned()), "{told:?}");
    let says = |words: &str| told.iter().any(|cell| cell.contains(words));
    assert!(
        says("Nothing was canceled") && says("which is `created` now"),
        "{told:?}"
    );
    assert_eq!(world.service.count("cancel-order"), 0);
    world.end();
}

#[test]
fn a_canceled_order_that_is_dropped_again_says_how_to_have_it_printed() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    world.drop_csv("cancel.csv", "order_id,action\n1001,cancel\n");
    world.run_once();
    world.drop_csv("again.csv", &sheet(&["1001"]));
    world.run_once();
    let again = world.result("again.csv");
    assert_eq!(again.column("result_status"), ["canceled"]);
    assert_eq!(again.column("result_codes"), ["known-canceled"]);
    let message = again.of("1001", "result_message");
    assert!(
        message.contains("was canceled; nothing was sent again") && message.contains("such as `1001-2`"),
        "{message}"
    );
    for name in ["monday.csv", "cancel.csv"] {
        assert_eq!(world.result(name).column("result_codes"), [""], "{name}");
    }
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_cancel_of_what_nobody_knows_waits_while_the_service_is_away_and_is_told_when_the_list_was_read() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.excused.push("EXT-1".to_owned());
    world.service.insert_order(&placed(&world, "1001", "EXT-1"));
    wait_for("the list shows it", || world.at_service("EXT-1")[0].visible);
    world.service.go_away_now().unwrap();
    world.drop_csv("tuesday.csv", &cancels(&["EXT-1", "EXT-2"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let result = world.result("tuesday.csv");
    assert_eq!(result.column("result_status"), ["waiting"; 2]);
    world.service.come_back_now().unwrap();
    world.run_until_settled();
    let result = world.result("tuesday.csv");
    assert_eq!(result.column("result_status"), ["canceled", "invalid"]);
    assert_eq!(result.of("EXT-2", "result_codes"), "cancel-unknown");
    world.end();
}

#[test]
fn a_held_order_is_canceled_though_another_sheet_waits() {
    let mut world = World::with(Setup {
        inbox: "max_order_total = 20",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    assert_eq!(world.run_once().status, 3);
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    world.run_once();
    let canceled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(canceled.status, 0, "{canceled:?}");
    assert!(
        canceled
            .said
            .contains("it was held and is declined; nothing was sent"),
        "{canceled:?}"
    );
    std::fs::remove_file(world.orders_path("STOP")).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_cancel_of_a_held_order_says_what_cancels_it_where_a_younger_sheet_may_have_it_too() {
    let mut world = World::with(Setup {
        inbox: "max_order_total = 20",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("tuesday.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    // It is taken, and not read yet.
    assert!(world.run_once_crashing("claimed").crashed());
    let canceled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert!(
        canceled.said.contains("it was held and is declined"),
        "{canceled:?}"
    );
    assert!(
        canceled
            .said
            .contains("a row of its order_id and `cancel` under action"),
        "{canceled:?}"
    );
    world.run_until_settled();
    world.end();
}

#[test]
fn a_cancel_of_a_refused_order_that_waits_to_be_sent_anew_says_what_cancels_it() {
    let mut world = World::new();
    world.service.set_fault("refuse=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("monday.csv").column("result_status"), ["refused"]);
    let settled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert!(!settled.said.contains("action"), "{settled:?}");
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    world.run_once();
    let waits = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(waits.status, 1, "{waits:?}");
    assert!(
        waits
            .said
            .contains("a row of its order_id and `cancel` under action"),
        "{waits:?}"
    );
    world.drop_csv("wednesday.csv", &cancels(&["1001"]));
    world.run_once();
    std::fs::remove_file(world.orders_path("STOP")).unwrap();
    world.run_until_settled();
    assert_eq!(world.creates(), 1, "the refused one");
    world.excused.push("1001".to_owned());
    world.end();
}

#[test]
fn a_cancel_of_an_approved_order_is_heard_before_its_turn_though_no_older_sheet_has_anything_to_send() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    let held = world.files("held").remove(0);
    let [from, to] = ["held", "approved"].map(|part| world.orders_path(part).join(&held));
    move_new(&from, &to).unwrap();
    world.drop_csv("tuesday.csv", &cancels(&["1001"]));
    assert!(world.run_once_crashing("cancels-heard").crashed());
    assert_eq!(world.run_once().status, 0);
    let monday = world.result("monday.csv");
    assert_eq!(monday.column("result_status"), ["declined", "created"]);
    assert_eq!((world.creates(), world.service.count("cancel-order")), (1, 0));
    world.end();
}

#[test]
fn an_order_without_an_answer_is_not_sent_once_more_while_its_cancel_lies_in_the_inbox() {
    let mut world = without_an_answer("");
    world.drop_csv("tuesday.csv", &cancels(&["1001"]));
    let daemon = world.daemon_with(&[("DROPSHEET_INBOX__MAIN__STABLE_FOR", "5s")]);
    wait_for("it is canceled", || {
        world
            .find_result("tuesday.csv")
            .is_some_and(|result| result.column("result_status") == ["canceled"])
    });
    assert_eq!((world.creates(), world.service.count("cancel-order")), (1, 0));
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

/// A world in which 1001 has no answer and was not made, beside further inboxes.
fn without_an_answer(inbox: &'static str) -> World {
    let mut world = World::with(Setup {
        settle_for: "0s",
        inbox,
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    // What is sent after it shows that the list is live.
    world.drop_csv("sunday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.creates(), 1);
    world
}

/// The same, with the order's cancel in another inbox, where it takes seconds to be taken.
fn with_a_cancel_in_the_other_inbox() -> World {
    let world = without_an_answer(
        "[inbox.other]\npath = \"other\"\nstable_for = \"5s\"\nlook = \"200ms\"\nresult_format = \"csv\"",
    );
    write(
        &world.path("other/inbox/tuesday.csv"),
        cancels(&["1001"]).as_bytes(),
    );
    world
}

/// What the cancel's row in the other inbox says by now.
fn told_in_the_other(world: &World) -> Option<String> {
    let results = world.path("other/results");
    let names = names(&results);
    let path = names.iter().find(|name| name.ends_with("_tuesday.result.csv"))?;
    let result = crate::world::Table::read(&results.join(path))?;
    Some(result.column("result_status").concat())
}

#[test]
fn an_order_without_an_answer_is_not_sent_once_more_while_its_cancel_lies_in_another_inbox_of_the_account() {
    let world = with_a_cancel_in_the_other_inbox();
    let daemon = world.daemon();
    wait_for("it is canceled", || {
        told_in_the_other(&world).as_deref() == Some("canceled")
    });
    assert_eq!((world.creates(), world.service.count("cancel-order")), (1, 0));
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn neither_is_it_by_a_single_pass() {
    let world = with_a_cancel_in_the_other_inbox();
    let mut pass = world.command(&["run", "--once"]);
    pass.env("DROPSHEET_ACCOUNT__MAIN__SETTLE_FOR", "6s");
    crate::world::ran(pass);
    assert_eq!(told_in_the_other(&world).as_deref(), Some("canceled"));
    assert_eq!((world.creates(), world.service.count("cancel-order")), (1, 0));
    world.end();
}

#[test]
fn an_inbox_that_cannot_be_worked_keeps_no_order_of_another_one_from_being_sent_once_more() {
    let mut world = with_a_cancel_in_the_other_inbox();
    // As of a share that is away.
    std::fs::remove_file(world.path("other/.dropsheet")).unwrap();
    let daemon = world.daemon();
    wait_for("it is sent once more", || world.creates() == 2);
    assert_eq!(daemon.terminate().0, 0);
    world.drop_csv("wednesday.csv", &sheet(&["1001"]));
    world.run_once();
    assert_eq!(
        world.result("wednesday.csv").column("result_status"),
        ["already_created"]
    );
    world.end();
}
