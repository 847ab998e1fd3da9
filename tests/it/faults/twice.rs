//! The same order more than once, at once; and sheets whose trouble shows late.

use std::fs;
use std::time::Duration;

use dropsheet::sandbox::{Names, Options};

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

#[test]
fn the_same_order_in_two_sheets_at_once_is_made_once() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.drop_csv("tuesday.csv", &sheet(&["1002", "1001"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 2);
    let mut all = world.result("monday.csv").column("result_status").concat();
    all.push_str(&world.result("tuesday.csv").column("result_status").concat());
    assert_eq!(all.matches("already_created").count(), 2, "{all}");
    world.end();
}

#[test]
fn the_same_order_in_two_inboxes_at_once_is_made_once() {
    let mut world = World::with(Setup {
        inbox: "[inbox.second]\npath = \"second\"\nstable_for = \"50ms\"\nlook = \"200ms\"\nresult_format = \"csv\"",
        ..Setup::default()
    });
    let ids: Vec<String> = (1001..1041).map(|id| id.to_string()).collect();
    let text = sheet(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    write(&world.path("second/inbox/other.csv"), text.as_bytes());
    world.drop_csv("monday.csv", &text);
    let daemon = world.daemon();
    wait_for("both are worked", || {
        world.find_result("monday.csv").is_some()
            && world.files("processing").is_empty()
            && fs::read_dir(world.path("second/results")).unwrap().count() > 0
            && fs::read_dir(world.path("second/processing")).unwrap().count() == 0
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 40);
    // What the second inbox has sent stands in a result that the end of a world does not read.
    world.excused.extend(ids);
    world.end();
}

#[test]
fn the_same_order_on_rows_that_lie_apart_is_one_order() {
    let mut world = World::new();
    let text = format!(
        "{HEADER}\n{}\n{}\n{}\n",
        row("1001", 1),
        row("1002", 1),
        row("1001", 2)
    );
    world.drop_csv("monday.csv", &text);
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 2);
    assert_eq!(world.at_service("1001")[0].order.items.len(), 2);
    world.end();
}

#[test]
fn a_sku_that_is_gone_since_the_catalog_was_read_costs_its_own_order_alone() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    assert!(world.service.remove_sku("TEE-CLASSIC-BLK-M"));
    let gone = row("1001", 1).replace("BLK-S", "BLK-M");
    world.drop_csv("monday.csv", &format!("{HEADER}\n{gone}\n{}\n", row("1002", 1)));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["refused", "created"]);
    assert!(
        result
            .of("1001", "result_message")
            .contains("The service refuses"),
        "the service's own word: {result:?}"
    );
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_sheet_that_breaks_at_its_last_row_is_rejected_before_its_first_create() {
    let mut world = World::with(Setup {
        service: Options {
            slow: Duration::from_secs(3),
            ..Setup::default().service
        },
        ..Setup::default()
    });
    // Without a catalog no price is asked for ahead: the sheet is read to its end meanwhile, on a busy machine too.
    world.service.set_fault("slow-catalog=on:1").unwrap();
    let mut text = format!("{HEADER}\n");
    for id in 0..5_000 {
        text.push_str(&row(&format!("o{id}"), 1));
        text.push('\n');
    }
    // No cell of a spreadsheet holds so much.
    text.push_str(&row(&"9".repeat(40_000), 1));
    text.push('\n');
    world.drop_bytes("monday.csv", text.as_bytes());
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.creates(), 0);
    assert_eq!(world.service.count("calculate-price-order"), 0);
    let rejected = world.files("rejected");
    assert!(
        rejected.iter().any(|name| name.ends_with("monday.error.txt")),
        "{rejected:?}"
    );
    world.end();
}

#[test]
fn an_order_that_only_the_whole_list_shows_is_found_and_not_sent_again() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.service.set_fault("error-500-after=on:1").unwrap();
    world.service.blind_search_to("1001");
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.creates(), 1);
    // What is found of this one shows that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn an_order_that_the_service_has_under_a_name_in_capitals_is_never_sent_again() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["1000"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday.csv", &sheet(&["x-2b"]));
    world.service.keep_names(Names::Capitals);
    assert_eq!(world.run_once().status, 3);
    // Others, whose names are the same in capitals, show that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let settled = |world: &mut World| {
        let ran = world.run_once();
        let asked = world.result("monday.csv").column("result_message").concat();
        (ran.status == 3 && asked.contains("X-2B")).then_some(asked)
    };
    let asked = (0..200).find_map(|_| settled(&mut world));
    assert!(
        asked.is_some(),
        "{:?}",
        world.result("monday.csv").column("result_message")
    );
    assert_eq!(world.creates(), 3);
    world.excused.push("X-2B".to_owned());
    let there = world.at_service("X-2B")[0].pw_order_id.clone();
    for decision in ["--resend", "--abandon"] {
        let refused = world.dropsheet(&["orders", "resolve", "x-2b", decision]);
        assert_eq!(refused.status, 1, "{decision}: {refused:?}");
        assert!(
            refused.said.contains(&there) || refused.logged.contains(&there),
            "{decision}: {refused:?}"
        );
    }
    let adopted = world.dropsheet(&["orders", "resolve", "x-2b", "--created", &there]);
    assert_eq!(adopted.status, 0, "{adopted:?}");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("monday.csv").column("result_pw_order_id"), [there]);
    assert_eq!(world.creates(), 3);
    // The service knows it by its own writing of the name alone.
    let canceled = world.dropsheet(&["orders", "cancel", "x-2b"]);
    assert_eq!(canceled.status, 0, "{canceled:?}");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["canceled"]);
    world.end();
}

#[test]
fn an_order_without_an_answer_of_a_service_that_gives_orders_names_of_its_own_is_never_sent_again() {
    // Beside orders that have an answer, and alone: then its absence counts by itself after a while.
    for others in [&["1000", "2000", "2001"][..], &[]] {
        let mut world = World::with(Setup {
            account: "sync = \"50ms\"",
            absent_after: "200ms",
            absent_after_unproven: "400ms",
            ..Setup::default()
        });
        world.service.keep_names(Names::OfShop);
        let daemon = world.daemon();
        let create = |world: &mut World, id: &str| {
            let name = format!("{id}.csv");
            world.drop_csv(&name, &format!("{HEADER}\n{}\n", row(id, 2)));
            wait_for(
                "another order is made, and the name that it was given is known",
                || {
                    let result = world.find_result(&name);
                    result.is_some_and(|result| !result.column("result_order_status").concat().is_empty())
                },
            );
        };
        if let Some(first) = others.first() {
            create(&mut world, first);
        }
        world.service.set_fault("drop-after-create=on:1").unwrap();
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        let there = |world: &World| world.at_service("1001").len();
        wait_for("its create is lost", || there(&world) == 1);
        for id in others.iter().skip(1) {
            create(&mut world, id);
        }
        wait_for("a person is asked", || {
            let result = world.find_result("monday.csv");
            let said = result.map(|result| result.column("result_message").concat());
            said.is_some_and(|said| said.contains("a person has to decide"))
        });
        assert_eq!(there(&world), 1);
        world.excused.push("1001".to_owned());
        // Nor by a person's word; what the service has is believed.
        let id = world.at_service("1001")[0].pw_order_id.clone();
        let resent = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
        assert_eq!(resent.status, 1, "{resent:?}");
        assert_eq!(there(&world), 1);
        let adopted = world.dropsheet(&["orders", "resolve", "1001", "--created", &id]);
        assert_eq!(adopted.status, 0, "{adopted:?}");
        // It is asked for by either name.
        if let Some(first) = others.first() {
            let canceled = world.dropsheet(&["orders", "cancel", first]);
            assert_eq!(canceled.status, 0, "{canceled:?}");
        }
        assert_eq!(daemon.terminate().0, 0);
        world.end();
    }
}

#[test]
fn an_order_that_a_live_list_shows_with_lost_letters_is_not_sent_again() {
    let mut world = World::with(Setup {
        account: "sync = \"50ms\"",
        absent_after: "200ms",
        absent_after_unproven: "1h",
        ..Setup::default()
    });
    world.service.keep_names(Names::Ascii);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["Ä-1é"]));
    wait_for("its create is lost", || world.creates() == 1);
    // It is entered later, and shown by its own name: the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["2001"]));
    wait_for("a person is asked", || {
        let result = world.find_result("monday.csv");
        let said = result.map(|result| result.column("result_message").concat());
        said.is_some_and(|said| said.contains("a person has to decide"))
    });
    assert_eq!(world.creates(), 2);
    world.excused.push("Ä-1é".to_owned());
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn an_id_in_another_writing_is_one_order_whichever_sheet_comes_first() {
    for (first, second) in [
        ("00123", "123"),
        ("123", "00123"),
        ("40011", "40.011"),
        ("PO-1", "po-1"),
        ("A\u{2013}9", "A-9"),
    ] {
        let mut world = World::new();
        world.drop_csv("monday.csv", &sheet(&[first]));
        assert_eq!(world.run_once().status, 0);
        world.drop_csv("tuesday.csv", &sheet(&[second]));
        assert_eq!(world.run_once().status, 0);
        let result = world.result("tuesday.csv");
        assert_eq!(result.column("result_status"), ["already_created"], "{second}");
        assert_eq!(
            result.column("result_codes"),
            ["fixed-id known-order"],
            "{second}"
        );
        assert_eq!(world.creates(), 1, "{first} {second}");
        // With other content it may be the same one with a change, where it goes to the same person.
        let changed = format!("{HEADER}\n{}\n", row(second, 3));
        world.drop_csv("wednesday.csv", &changed);
        assert_eq!(world.run_once().status, 3);
        let result = world.result("wednesday.csv");
        assert_eq!(result.column("result_status"), ["held"], "{second}");
        assert_eq!(world.creates(), 1, "{first} {second}");
        let [held] = &world.files("held")[..] else {
            panic!("one held sheet, not {:?}", world.files("held"))
        };
        let declined = world.dropsheet(&["decline", held.trim_end_matches(".held.xlsx")]);
        assert_eq!(declined.status, 0, "{declined:?}");
        world.drop_csv("again.csv", &changed);
        assert_eq!(world.run_once().status, 3);
        let result = world.result("again.csv");
        assert_eq!(result.column("result_status"), ["held"], "{second} once more");
        // Else it is another order.
        let another = row(second, 3)
            .replace("Ada Example", "Bo Sample")
            .replace("12 Maple Street", "9 Birch Road");
        let declined = world.dropsheet(&["decline", world.files("held")[0].trim_end_matches(".held.xlsx")]);
        assert_eq!(declined.status, 0, "{declined:?}");
        world.drop_csv("thursday.csv", &format!("{HEADER}\n{another}\n"));
        assert_eq!(world.run_once().status, 0);
        assert_eq!(world.creates(), 2, "{first} {second}");
        world.end();
    }
}

#[test]
fn an_id_that_stands_in_one_sheet_in_two_writings_waits_for_a_person() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["PO-1", "PO-2", "po-1"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["held", "created", "held"]);
    let said = result.of("po-1", "result_message");
    assert!(
        said.contains("The sheet has another order whose id differs from this one"),
        "{said}"
    );
    // A person knows whether they are two.
    let name = world.files("held").remove(0);
    let approved = world.dropsheet(&["approve", name.trim_end_matches(".held.xlsx")]);
    assert_eq!(approved.status, 0, "{approved:?}");
    world.run_once();
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn an_order_that_the_service_has_under_a_number_without_its_zeros_is_never_sent_again() {
    let mut world = World::new();
    world.service.keep_names(Names::Numbers);
    world.drop_csv("sunday.csv", &sheet(&["1000"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["0999"]));
    assert_eq!(world.run_once().status, 3);
    // Others, whose numbers have no zeros in front, show that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let there = world.at_service("999")[0].pw_order_id.clone();
    let asked = (0..20).find_map(|_| {
        let ran = world.run_once();
        let asked = world.result("monday.csv").column("result_message").concat();
        (ran.status == 3 && asked.contains(&there)).then_some(asked)
    });
    assert!(
        asked.is_some(),
        "{:?}",
        world.result("monday.csv").column("result_message")
    );
    assert_eq!(world.creates(), 3, "nothing was sent again");
    world.excused.push("999".to_owned());
    let adopted = world.dropsheet(&["orders", "resolve", "0999", "--created", &there]);
    assert_eq!(adopted.status, 0, "{adopted:?}");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("monday.csv").column("result_pw_order_id"), [there]);
    world.end();
}
