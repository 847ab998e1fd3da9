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
    world.end();
}
