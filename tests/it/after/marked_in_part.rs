//! Known orders of which a sheet of one's own says by hand that something is canceled or done, and not the order as a whole.

use crate::world::{HEADER, Setup, Table, World, row, sheet};

/// A sheet of good orders with a column of one's own.
fn with_column(heading: &str, rows: &[(&str, &str)]) -> String {
    let line = |(id, says): &(&str, &str)| format!("{},,\"{says}\"\n", row(id, 1));
    let head = format!("{HEADER},variant_note,{heading}\n");
    rows.iter().map(line).fold(head, |text, line| text + &line)
}

fn statuses(result: &Table) -> String {
    result.column("result_status").join(" ")
}

/// What is said in a column of one's own of an order, each of which has a new order wait.
const GOES_ON: [(&str, &[&str]); 4] = [
    (
        "Status",
        &[
            "verschickt, Rechnung storniert",
            "Shipped - duplicate label voided",
            "Delivered, refund issued for late delivery",
            "In production - proof draft approved",
            "cancel request declined",
            "Cancellation refused - already in production",
            "Partially refunded",
            "Versandkosten erstattet",
        ],
    ),
    (
        "Notes",
        &["Rechnung storniert", "Order 998 canceled, this one stays"],
    ),
    ("Refunded amount", &["3.50"]),
    ("Print?", &["no - already printed"]),
];

#[test]
fn what_is_canceled_beside_a_known_order_calls_it_off_no_more_than_what_was_denied() {
    let mut world = World::new();
    for (at, (heading, says)) in GOES_ON.iter().enumerate() {
        let ids: Vec<String> = (0..says.len()).map(|n| format!("{at}{n}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let name = format!("{at}.csv");
        world.drop_csv(&name, &sheet(&ids));
        assert_eq!(world.run_once().status, 0);
        let rows: Vec<(&str, &str)> = ids.iter().copied().zip(says.iter().copied()).collect();
        let name = format!("{at}-later.csv");
        world.drop_csv(&name, &with_column(heading, &rows));
        assert_eq!(world.run_once().status, 0, "{heading}");
        let expected = vec!["already_created"; says.len()].join(" ");
        assert_eq!(statuses(&world.result(&name)), expected, "{heading}");
    }
    world.end();
}

#[test]
fn a_new_order_waits_for_each_of_these_and_who_approves_a_held_one_is_told_of_it() {
    let mut world = World::new();
    for (at, (heading, says)) in GOES_ON.iter().enumerate() {
        let ids: Vec<String> = (0..says.len()).map(|n| format!("{at}{n}")).collect();
        let rows: Vec<(&str, &str)> = ids.iter().map(String::as_str).zip(says.iter().copied()).collect();
        let name = format!("{at}.csv");
        world.drop_csv(&name, &with_column(heading, &rows));
        assert_eq!(world.run_once().status, 3, "{heading}");
        let expected = vec!["held"; says.len()].join(" ");
        assert_eq!(statuses(&world.result(&name)), expected, "{heading}");
    }
    assert_eq!(world.creates(), 0);
    world.end();
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("a.csv", &sheet(&["1"]));
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("b.csv", &with_column("Status", &[("1", "Partially refunded")]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("b.csv")), "changed");
    let said = world.result("a.csv").of("1", "result_message").to_owned();
    assert!(
        said.contains("By now `Status` says `Partially refunded`, in "),
        "{said}"
    );
    world.end();
}

/// Two lines of an order with these ids.
fn lines(first: &str, second: &str) -> String {
    let second = row(second, 1).replace("TEE-CLASSIC-BLK-S", "TEE-CLASSIC-BLK-M");
    format!("{HEADER}\n{}\n{second}\n", row(first, 1))
}

#[test]
fn lines_of_a_known_order_that_are_ticked_beside_its_id_are_parts_of_it() {
    let mut world = World::new();
    world.drop_csv("a.csv", &lines("2", "2"));
    assert_eq!(world.run_once().status, 0);
    for (name, first, second) in [
        ("b.csv", "2", "2 done"),
        ("c.csv", "2 done", "2"),
        ("d.csv", "2 shipped", "2 done"),
        ("e.csv", "2 done", "2 done"),
    ] {
        world.drop_csv(name, &lines(first, second));
        assert_eq!(world.run_once().status, 0, "{name}");
        let result = world.result(name);
        assert_eq!(statuses(&result), "already_created already_created", "{name}");
    }
    // It goes elsewhere, or has more pieces.
    let elsewhere = lines("2", "2 done").replace("12 Maple Street", "14 Maple Street");
    world.drop_csv("f.csv", &elsewhere);
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("f.csv")), "changed changed");
    let more = format!("{HEADER}\n{}\n{}\n", row("2", 2), row("2 done", 1));
    world.drop_csv("g.csv", &more);
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("g.csv")), "changed already_created");
    // Without a tick it is the order with a line less.
    world.drop_csv("h.csv", &format!("{HEADER}\n{}\n", row("2", 1)));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world.result("h.csv")), "changed");
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_line_that_is_canceled_by_hand_is_told_once_with_all_that_a_cancel_is_of() {
    let mut world = World::new();
    world.drop_csv("a.csv", &lines("3", "3"));
    world.drop_csv("b.csv", &sheet(&["4"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("c.csv", &lines("3 canceled", "3"));
    world.drop_csv("d.csv", &with_column("Status", &[("4", "canceled")]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("c.csv");
    assert_eq!(statuses(&result), "changed changed");
    for said in result.column("result_message") {
        assert!(
            said.ends_with("or let it be printed. A cancel is of the whole order, of all its 2 pieces."),
            "{said}"
        );
    }
    let said = world.result("d.csv").of("4", "result_message").to_owned();
    assert!(said.ends_with("or let it be printed."), "{said}");
    let status = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    for id in ["3", "4"] {
        let told = status.matches(&format!("Order {id}: It is canceled")).count();
        assert_eq!(told, 1, "{status}");
    }
    world.end();
}
