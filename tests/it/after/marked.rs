//! Orders that a sheet of one's own marks as canceled once they are known: in a column, or beside their id.

use dropsheet::files::move_new;

use crate::world::{HEADER, Setup, Table, World, row, sheet};

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
    world.drop_csv("a.csv", &sheet(&["1", "2", "3"]));
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
        ]),
    );
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("b.csv")), "changed held changed");
    let said = world.result("a.csv").of("1", "result_message").to_owned();
    assert!(
        said.contains("By now `Notes` says `CANCELED by customer`, in "),
        "{said}"
    );
    // The list that did not say so sends what it said all of.
    move_new(&old, &world.orders_path("approved").join("old.held.xlsx")).unwrap();
    world.run_once();
    assert!(world.at_service("1").is_empty() && world.at_service("3").is_empty());
    assert_eq!(world.at_service("2").len(), 1);
    approve_all(&world);
    world.run_once();
    assert_eq!(world.creates(), 3);
    // It was approved with that said.
    world.drop_csv(
        "c.csv",
        &marked(&[
            ("1", ["", "CANCELED by customer", ""]),
            ("3", ["Shipped", "", ""]),
        ]),
    );
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        statuses(&world.result("c.csv")),
        "already_created already_created"
    );
    world.end();
}

#[test]
fn an_id_with_a_mark_speaks_of_the_known_order_and_is_none_of_its_own() {
    let mut world = World::new();
    world.drop_csv("a.csv", &sheet(&["5", "8", "9", "10"]));
    assert_eq!(world.run_once().status, 0);
    let bare = |id: &str| format!("{id}{}\n", ",".repeat(HEADER.matches(',').count()));
    let rows = [row("5 CANCELED", 1), row("10 done", 1), row("CANCELED 9", 2)].join("\n");
    world.drop_csv(
        "b.csv",
        &format!(
            "{HEADER}\n{rows}\n{}{}",
            bare("8 - cancelled"),
            bare("10 shipped")
        ),
    );
    assert_eq!(world.run_once().status, 3);
    let result = world.result("b.csv");
    assert_eq!(
        statuses(&result),
        "changed already_created changed changed skipped"
    );
    for (at, id) in [(0, "5"), (2, "9"), (3, "8")] {
        let said = result.column("result_message")[at];
        let there = format!("It is still at the printer as {}", world.pw(id));
        assert!(said.contains(&there), "{said}");
    }
    assert_eq!(world.files("held"), [""; 0]);
    let status = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(status.contains("dropsheet orders cancel 5"), "{status}");
    assert_eq!(world.creates(), 4);
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
    world.drop_csv("a.csv", &sheet(&["6 CANCELED", "CANCELED 7", "66 CANCELED"]));
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("b.csv", &sheet(&["6", "7", "8"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("b.csv");
    assert_eq!(statuses(&result), "held held created");
    let said = result.of("6", "result_message");
    assert!(
        said.contains("an earlier row had this id with a word beside it, `6 CANCELED`"),
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
