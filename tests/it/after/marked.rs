//! Orders that a sheet of one's own marks as canceled once they are known: in a column, or beside their id.

use dropsheet::files::move_new;
use dropsheet::sandbox::Status;

use crate::world::{HEADER, Setup, Table, World, row, sheet, wait_for, write};

/// A sheet of good orders with what three columns of one's own say of each.
fn marked(rows: &[(&str, [&str; 3])]) -> String {
    let line = |(id, own): &(&str, [&str; 3])| format!("{},,{}\n", row(id, 1), own.join(","));
    let head = format!("{HEADER},variant_note,Status,Notes,Print?\n");
    rows.iter().map(line).fold(head, |text, line| text + &line)
}

fn required() -> World {
    World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    })
}

fn statuses(result: &Table) -> String {
    result.column("result_status").join(" ")
}

/// Moves every held sheet that is not hidden, as who approves all of them.
fn approve_all(world: &World) {
    for name in world
        .files("held")
        .into_iter()
        .filter(|name| !name.starts_with('.'))
    {
        let (from, to) = (world.orders_path("held"), world.orders_path("approved"));
        move_new(&from.join(&name), &to.join(&name)).unwrap();
    }
}

#[test]
fn an_order_that_its_sheet_cancels_after_it_was_sent_is_told_and_what_is_done_there_is_not() {
    let mut world = World::new();
    let ids = ["1", "2", "3", "4", "5", "6", "7"];
    world.drop_csv("a.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 0);
    let by_now = |first: &str| {
        marked(&[
            ("1", [first, "", ""]),
            ("2", ["", "CANCELED by customer", ""]),
            ("3", ["", "", "no"]),
            ("4", ["Shipped", "", ""]),
            ("5", ["", "gift wrap please", "yes"]),
            ("6", ["partially paid", "", ""]),
            ("7", ["at the printer", "", ""]),
        ])
    };
    let expected = "changed changed changed already_created already_created already_created already_created";
    for (name, first) in [("b.csv", "canceled"), ("c.csv", "refunded")] {
        world.drop_csv(name, &by_now(first));
        assert_eq!(world.run_once().status, 3);
        let result = world.result(name);
        assert_eq!(statuses(&result), expected);
        let said = result.of("1", "result_message");
        let there = format!("It is still at the printer as {}", world.pw("1"));
        assert!(
            said.contains(&format!("marked in its sheet: `Status` says `{first}`. {there}")),
            "{said}"
        );
        assert_eq!(result.of("2", "result_codes"), "canceled-in-shop");
    }
    assert_eq!(world.service.count("cancel-order"), 0);
    assert_eq!(world.creates(), 7);
    world.end();
}

#[test]
fn a_mark_with_which_a_person_let_an_order_be_printed_is_no_news() {
    let mut world = World::new();
    let held = marked(&[("1", ["canceled", "", ""]), ("2", ["", "", "no"])]);
    world.drop_csv("a.csv", &held);
    assert_eq!(world.run_once().status, 3);
    approve_all(&world);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 2);
    let tail = marked(&[
        ("1", ["canceled", "", ""]),
        ("2", ["", "", "no"]),
        ("3", ["", "", ""]),
    ]);
    world.drop_csv("c.csv", &tail);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        statuses(&world.result("c.csv")),
        "already_created already_created created"
    );
    world.end();
}

#[test]
fn who_approves_an_order_that_its_sheet_has_canceled_since_is_told() {
    let mut world = required();
    world.drop_csv("a.csv", &sheet(&["1", "2", "3", "4"]));
    assert_eq!(world.run_once().status, 3);
    let held = world.orders_path("held").join(&world.files("held")[0]);
    let old = world.path("old.held.xlsx");
    std::fs::copy(&held, &old).unwrap();
    world.drop_csv(
        "b.csv",
        &marked(&[
            ("1", ["", "CANCELED by customer", ""]),
            ("2", ["on hold", "", ""]),
            ("3", ["Shipped", "", ""]),
            ("4", ["", "gift wrap please", ""]),
        ]),
    );
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("b.csv")), "changed changed changed held");
    let said = world.result("a.csv").of("1", "result_message").to_owned();
    assert!(
        said.contains("By now `Notes` says `CANCELED by customer`, in "),
        "{said}"
    );
    // The list that did not say so sends what it said all of.
    move_new(&old, &world.orders_path("approved").join("old.held.xlsx")).unwrap();
    world.run_once();
    assert_eq!(world.at_service("4").len(), 1);
    assert_eq!(world.creates(), 1);
    approve_all(&world);
    world.run_once();
    assert_eq!(world.creates(), 4);
    // It was approved with that said.
    world.drop_csv(
        "c.csv",
        &marked(&[
            ("1", ["", "CANCELED by customer", ""]),
            ("2", ["on hold", "", ""]),
            ("3", ["Shipped", "", ""]),
        ]),
    );
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        statuses(&world.result("c.csv")),
        "already_created already_created already_created"
    );
    world.end();
}

#[test]
fn a_held_order_whose_id_comes_with_a_mark_is_held_for_that_besides() {
    let mut world = required();
    world.drop_csv("a.csv", &sheet(&["5", "6"]));
    assert_eq!(world.run_once().status, 3);
    let old = world.orders_path("held").join(&world.files("held")[0]);
    let copy = world.path("old.held.xlsx");
    std::fs::copy(&old, &copy).unwrap();
    world.drop_csv("b.csv", &sheet(&["5 CANCELED"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("b.csv")), "changed");
    move_new(&copy, &world.orders_path("approved").join("old.held.xlsx")).unwrap();
    world.run_once();
    assert!(world.at_service("5").is_empty());
    assert_eq!(world.at_service("6").len(), 1);
    world.end();
}

#[test]
fn an_order_is_held_whose_id_an_earlier_row_had_with_a_mark_and_both_are_not_sent_unknowingly() {
    let mut world = World::new();
    world.drop_csv(
        "a.csv",
        &sheet(&["6 CANCELED", "CANCELED 7", "66 CANCELED", "9-canceled"]),
    );
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("b.csv", &sheet(&["6", "7", "8", "9"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("b.csv");
    assert_eq!(statuses(&result), "held held created held");
    let said = result.of("6", "result_message");
    assert!(
        said.contains("An earlier order has this id with a word beside it, `6 CANCELED`, and is held"),
        "{said}"
    );
    approve_all(&world);
    world.run_once();
    assert_eq!(
        world.at_service("6").len() + world.at_service("6 CANCELED").len(),
        1
    );
    assert_eq!(
        world.at_service("7").len() + world.at_service("CANCELED 7").len(),
        1
    );
    assert_eq!(world.at_service("66 CANCELED").len(), 1);
    let said = world
        .result("a.csv")
        .of("6 CANCELED", "result_message")
        .to_owned();
    assert!(said.contains("this would be a second one"), "{said}");
    world.end();
}

#[test]
fn of_an_order_and_its_id_with_a_mark_in_one_sheet_the_second_is_no_order_and_the_first_waits() {
    let mut world = World::new();
    world.drop_csv("a.csv", &sheet(&["6 CANCELED", "6", "7"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("a.csv");
    assert_eq!(statuses(&result), "skipped held created");
    let said = result.of("6", "result_message");
    assert!(said.contains("row 2 says that it is canceled"), "{said}");
    approve_all(&world);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.at_service("6").len(), 1);
    assert_eq!(world.creates(), 2);
    // Wherever the row stands by then, that was said.
    world.drop_csv("b.csv", &sheet(&["7", "6 CANCELED", "6"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        statuses(&world.result("b.csv")),
        "already_created already_created already_created"
    );
    world.end();
}

/// Approved, it would be a second parcel of an order that was to be none.
#[test]
fn a_row_that_has_a_known_id_with_a_word_for_its_end_speaks_of_that_order() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["5", "6", "7", "9"]));
    assert_eq!(world.run_once().status, 0);
    let bare = format!("6 - cancelled{}", ",".repeat(HEADER.matches(',').count()));
    let tuesday = [
        row("8", 1),
        row("7 done", 1),
        row("9 - shipped", 1),
        row("5 CANCELED", 1),
        bare,
    ];
    world.drop_csv("tuesday.csv", &format!("{HEADER}\n{}\n", tuesday.join("\n")));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("tuesday.csv");
    assert_eq!(
        result.column("result_status"),
        [
            "created",
            "already_created",
            "already_created",
            "changed",
            "changed"
        ]
    );
    assert_eq!(
        result.column("result_codes")[1..],
        [
            "known-order",
            "known-order",
            "canceled-in-shop",
            "canceled-in-shop"
        ]
    );
    for (row, id) in ["5", "6"].into_iter().enumerate() {
        let pw = &world.at_service(id)[0].pw_order_id;
        let message = &result.column("result_message")[row + 3];
        assert!(
            message.contains(&format!(
                "It is still at the printer as {pw}; set action to cancel"
            )),
            "{message}"
        );
    }
    let status = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(status.contains("dropsheet orders cancel 5"), "{status}");
    // As its result asks.
    let cancel = format!("{HEADER},action\n{},cancel\n", row("5 CANCELED", 1));
    world.drop_csv("wednesday.csv", &cancel);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        world.result("wednesday.csv").column("result_status"),
        ["canceled"]
    );
    let again = format!("{HEADER}\n{}\n", row("5 CANCELED", 1));
    world.drop_csv("thursday.csv", &again);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("thursday.csv").column("result_status"), ["canceled"]);
    assert_eq!(world.files("held"), [""; 0]);
    assert_eq!(world.creates(), 5);
    world.end();
}

/// A row of its own person, as a merchant copies it.
fn of(id: &str, name: &str) -> String {
    row(id, 1)
        .replace("Ada Example", name)
        .replace("12 Maple Street", &format!("1 {name} Road"))
}

fn whole(rows: &[String]) -> String {
    format!("{HEADER}\n{}\n", rows.join("\n"))
}

#[test]
fn an_id_with_two_numbers_speaks_of_the_first_and_cancels_no_other() {
    let mut world = World::new();
    let names = [
        ("1007", "Bo"),
        ("1008", "Cy"),
        ("11", "Di"),
        ("2026", "Ed"),
        ("2107", "Flo"),
    ];
    world.drop_csv("a.csv", &whole(&names.map(|(id, name)| of(id, name))));
    assert_eq!(world.run_once().status, 0);
    let marked = [
        of("1008 duplicate of 1007", "Cy"),
        of("2107 canceled 26 Nov 2026", "Flo"),
        of("11 CANCELED", "Gil").replace(",1,", ",2,"),
    ];
    let cancel: Vec<String> = marked.iter().map(|row| format!("{row},cancel")).collect();
    world.drop_csv("b.csv", &format!("{HEADER},action\n{}\n", cancel.join("\n")));
    world.run_once();
    let result = world.result("b.csv");
    assert_eq!(result.column("result_order_id")[..2], ["1008", "2107"]);
    let is_canceled = |id: &str| world.at_service(id)[0].status == Status::Canceled;
    assert!(is_canceled("1008") && is_canceled("2107"), "{result:?}");
    // Another person's row, whatever its id says, is none of the order 11.
    for id in ["1007", "2026", "11"] {
        assert!(!is_canceled(id), "{id}: {result:?}");
    }
    // Nor is it guessed which of two is meant where nothing else is said.
    let columns = HEADER.matches(',').count();
    let bare = format!("11 Nov: cancel 1007{},cancel", ",".repeat(columns));
    world.drop_csv("c.csv", &format!("{HEADER},action\n{bare}\n"));
    assert_eq!(world.run_once().status, 3);
    assert!(
        ["11", "1007"]
            .iter()
            .all(|id| !(world.at_service(id)[0].status == Status::Canceled))
    );
    assert_eq!(world.creates(), 5);
    world.end();
}

#[test]
fn what_else_stands_beside_an_id_or_goes_to_somebody_else_is_an_order_that_a_person_is_asked_about() {
    let mut world = World::new();
    let names = [("26", "Bo"), ("1003", "Cy"), ("13", "Di"), ("1001", "Ed")];
    world.drop_csv("a.csv", &whole(&names.map(|(id, name)| of(id, name))));
    assert_eq!(world.run_once().status, 0);
    let later = [
        of("26 Nov cancelled 1003", "Cy"),
        of("13 done", "Flo"),
        of("1001 reprint (delivered damaged)", "Ed"),
        of("1001 done", "Ed"),
    ];
    world.drop_csv("b.csv", &whole(&later));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("b.csv");
    assert_eq!(statuses(&result), "changed held held already_created");
    let said = result.column("result_message")[0];
    assert!(
        said.contains("of the order 1003. It is still at the printer"),
        "{said}"
    );
    assert_eq!(world.creates(), 4);
    world.end();
}

#[test]
fn however_a_mark_is_written_it_makes_no_second_order() {
    let mut world = World::new();
    let ids: Vec<String> = (1001..1013).map(|id| id.to_string()).collect();
    let rows: Vec<String> = ids.iter().map(|id| of(id, &format!("P{id}"))).collect();
    world.drop_csv("a.csv", &whole(&rows));
    assert_eq!(world.run_once().status, 0);
    let marked = [
        ("1001", "1001-CANCELED", "changed"),
        ("1002", "CANCELED_1002", "changed"),
        ("1003", "DO NOT PRINT 1003", "changed"),
        ("1004", "1004 nicht drucken", "changed"),
        ("1005", "1005 stop!", "changed"),
        ("1006", "1006 \u{274c}", "changed"),
        ("1007", "1007 unpaid", "already_created"),
        ("1008", "1008 cancelled by Ada", "changed"),
        ("1009", "1009 - cancel pls", "changed"),
        ("1010", "1010(canceled)", "changed"),
        ("1011", "1011 \u{2713}", "already_created"),
        ("1012", "1012 HOLD", "changed"),
    ];
    let rows = marked.map(|(id, said, _)| of(said, &format!("P{id}")));
    let item_alone = format!("1001 CANCELED{}TEE-CLASSIC-BLK-S,,,", ",".repeat(10));
    let bare = |id: &str| format!("{id}{}", ",".repeat(HEADER.matches(',').count()));
    let expected = marked.map(|(_, _, status)| status).join(" ");
    for (name, sheet) in [
        ("b.csv", whole(&rows)),
        ("c.csv", whole(&[bare("1008 cancelled by Ada")])),
        ("d.csv", whole(&[item_alone])),
        ("e.csv", whole(&[bare("DO NOT PRINT 1003")])),
    ] {
        world.drop_csv(name, &sheet);
        assert_eq!(world.run_once().status, 3, "{name}");
        let expected = if name == "b.csv" { &*expected } else { "changed" };
        assert_eq!(statuses(&world.result(name)), expected, "{name}");
    }
    let said = world.result("e.csv").column("result_message")[0].to_owned();
    assert!(
        said.contains("its id says `DO NOT PRINT 1003` of the order 1003"),
        "{said}"
    );
    assert_eq!(world.files("held"), [""; 0]);
    assert_eq!(world.creates(), 12);
    world.end();
}

#[test]
fn a_cancel_is_told_though_the_order_was_approved_with_another_word_beside_its_id() {
    let mut world = World::new();
    world.drop_csv("a.csv", &sheet(&["6", "6 on hold"]));
    assert_eq!(world.run_once().status, 3);
    approve_all(&world);
    assert_eq!(world.run_once().status, 0);
    for (name, id, status) in [
        ("b.csv", "6 on hold", "already_created"),
        ("c.csv", "6 CANCELED", "changed"),
    ] {
        world.drop_csv(name, &sheet(&[id]));
        world.run_once();
        assert_eq!(statuses(&world.result(name)), status, "{name}");
    }
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_marked_row_beside_its_order_adds_nothing_to_the_sums_whenever_it_is_worked() {
    let mut world = World::new();
    let stop = world.orders_path("STOP");
    std::fs::File::create(&stop).unwrap();
    world.drop_csv("a.csv", &sheet(&["5", "5 done", "8 CANCELED", "8"]));
    world.run_once();
    std::fs::remove_file(&stop).unwrap();
    world.run_once();
    approve_all(&world);
    world.run_once();
    let result = world.result("a.csv");
    assert_eq!(statuses(&result), "created skipped skipped created");
    let amounts = result.column("result_quoted_total");
    assert!(amounts[1].is_empty() && amounts[2].is_empty(), "{amounts:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn of_two_rows_that_mark_one_order_the_graver_is_told() {
    let mut world = World::new();
    world.drop_csv("a.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("b.csv", &sheet(&["1001", "1001 done", "1001 CANCELED"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(
        statuses(&world.result("b.csv")),
        "changed already_created changed"
    );
    world.end();
}

#[test]
fn a_lone_row_that_calls_a_known_order_off_says_nothing_of_the_known_orders_below_it() {
    let mut world = World::new();
    world.drop_csv("a.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    let bare = format!("1001 CANCELED{}", ",".repeat(HEADER.matches(',').count()));
    world.drop_csv("b.csv", &whole(&[bare, row("1002", 1)]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("b.csv")), "changed already_created");
    world.end();
}

/// A row that has an id with words beside it, and nothing else.
fn bare(text: &str) -> String {
    format!("{text}{}", ",".repeat(HEADER.matches(',').count()))
}

#[test]
fn an_order_that_waits_in_an_older_sheet_is_not_sent_where_a_row_alone_calls_it_off() {
    for is_daemon in [false, true] {
        let mut world = World::new();
        write(&world.orders_path("STOP"), b"");
        world.drop_csv("monday.csv", &sheet(&["1003", "1004", "1005", "5", "26"]));
        assert_eq!(world.run_once().status, 3);
        let daemon = is_daemon.then(|| world.daemon());
        let rows = [
            row("1006", 1),
            bare("1003 CANCELED"),
            bare("do not print #1004"),
            // On hold is not called off, and a day is no order.
            bare("1005 HOLD"),
            bare("5 done"),
            bare("Canceled 26 Nov"),
        ];
        world.drop_csv("tuesday.csv", &format!("{HEADER}\n{}\n", rows.join("\n")));
        // What is called off waits for nobody.
        let are_called_off = |world: &World| {
            let results = ["monday.csv", "tuesday.csv"].map(|name| world.find_result(name));
            let canceled = results
                .iter()
                .flatten()
                .filter(|result| statuses(result).contains("canceled"));
            canceled.count() == 2
        };
        if daemon.is_none() {
            assert_eq!(world.run_once().status, 3);
            assert!(are_called_off(&world));
        }
        wait_for("both rows say so", || are_called_off(&world));
        std::fs::remove_file(world.orders_path("STOP")).unwrap();
        if daemon.is_none() {
            assert_eq!(world.run_once().status, 3);
        }
        wait_for("both are worked", || {
            let results = ["monday.csv", "tuesday.csv"].map(|name| world.find_result(name));
            let worked = results
                .iter()
                .flatten()
                .filter(|result| !statuses(result).contains("waiting"));
            worked.count() == 2
        });
        let ended = daemon.map(|daemon| daemon.terminate().0);
        assert!(ended.is_none_or(|status| status == 0), "{ended:?}");
        let monday = world.result("monday.csv");
        assert_eq!(statuses(&monday), "canceled canceled created created created");
        assert_eq!(monday.of("1003", "result_codes"), "canceled-unsent");
        let tuesday = world.result("tuesday.csv");
        assert_eq!(tuesday.of("1003 CANCELED", "result_status"), "canceled");
        assert_eq!(tuesday.of("1006", "result_status"), "created");
        assert_eq!(tuesday.of("do not print #1004", "result_status"), "canceled");
        assert_eq!(world.creates(), 4);
        world.end();
    }
}

#[test]
fn a_row_alone_that_calls_off_what_no_older_sheet_has_says_that_nothing_is_known_of_it() {
    let mut world = World::new();
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("tuesday.csv", &format!("{HEADER}\n{}\n", bare("1003 CANCELED")));
    let ran = world.run_once();
    assert_eq!(ran.status, 3);
    let waits = world.result("tuesday.csv");
    assert_eq!(statuses(&waits), "waiting");
    assert!(
        waits.column("result_message")[0].contains("from one of this inbox it is not sent"),
        "{waits:?}"
    );
    std::fs::remove_file(world.orders_path("STOP")).unwrap();
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("tuesday.csv")), "invalid");
    assert_eq!(statuses(&world.result("monday.csv")), "created");
    world.end();
}

#[test]
fn an_order_is_held_whose_id_an_earlier_row_had_with_words_before_it_in_any_sheet() {
    let mut world = World::new();
    let marked = ["DO NOT PRINT 1", "HOLD 2", "On hold 3", "don't ship 4", "Shop 5"];
    world.drop_csv("a.csv", &sheet(&[&marked[..], &["1", "9"][..]].concat()));
    assert_eq!(world.run_once().status, 3);
    let first = "skipped held held held created held created";
    assert_eq!(statuses(&world.result("a.csv")), first);
    world.drop_csv("b.csv", &sheet(&["2", "3", "4", "5", "22"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("b.csv");
    assert_eq!(statuses(&result), "held held held created created");
    let said = result.of("2", "result_message");
    assert!(
        said.contains("with a word beside it, `HOLD 2`, and is held"),
        "{said}"
    );
    world.end();
}
