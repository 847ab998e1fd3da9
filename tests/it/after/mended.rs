//! An order with errors that a later sheet has brought: nothing of the sheet that had them is to be fixed any more, and that
//! one dropped once more, as it was, has nothing to fix either.

use super::rows;
use crate::world::{HEADER, World, row, write};

/// The names of the to-fix sheets.
fn to_fix(world: &World) -> Vec<String> {
    let names = world.files("results").into_iter();
    names.filter(|name| name.ends_with(".to-fix.xlsx")).collect()
}

fn status_txt(world: &World) -> String {
    std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap()
}

/// What is open, by its kind.
fn open_lines(world: &World) -> Vec<String> {
    let lines = rows(&world.orders_path("results/attention.xlsx")).into_iter();
    lines.skip(1).map(|line| line[1].clone()).collect()
}

#[test]
fn what_a_later_sheet_has_mended_is_not_to_be_fixed_in_the_earlier_one_nor_where_that_is_dropped_again() {
    let mut world = World::new();
    let wrong = format!("{HEADER}\n{}\n{}\n", row("1001", 0), row("1002", 1));
    let right = format!("{HEADER}\n{}\n", row("1001", 2));
    world.drop_csv("monday.csv", &wrong);
    assert_eq!(world.run_once().status, 3);
    assert_eq!(to_fix(&world).len(), 1);
    assert!(status_txt(&world).contains("1 order of monday.csv cannot be sent as it is."));
    world.drop_csv("tuesday.csv", &right);
    world.run_once();
    let later = world.result("tuesday.csv");
    assert_eq!(later.of("1001", "result_status"), "created");

    // News of the other order have the first result written again.
    assert!(world.service.fulfil(&world.pw("1002")));
    world.dropsheet(&["orders", "sync"]);
    let result = world.result("monday.csv");
    assert!(result.of("1002", "result_tracking").contains("Example Parcel"));
    assert_eq!(result.of("1001", "result_status"), "invalid");
    assert_eq!(result.of("1001", "result_codes"), "bad-quantity brought-since");
    let said = result.of("1001", "result_message");
    assert!(
        said.contains("Since then")
            && said.contains("tuesday has brought this order: nothing is to be fixed here."),
        "{said}"
    );
    assert!(
        result.of("1001", "result_first_sheet").ends_with("_tuesday"),
        "{result:?}"
    );
    assert_eq!(result.of("1001", "result_quoted_total"), "");
    assert_eq!(to_fix(&world), [""; 0]);

    world.drop_csv("monday.csv", &wrong);
    assert_eq!(
        world.run_once().status,
        3,
        "a person may have meant another order"
    );
    assert_eq!(world.creates(), 2);
    assert_eq!(to_fix(&world), [""; 0], "{:?}", world.files("results"));
    let status = status_txt(&world);
    for said in [
        "1 order of monday.csv is known already, with other content; nothing was sent for it.",
        "Where what is known is right, there is nothing to do.",
        "give it another order_id, such as 1001-2, and drop the sheet.",
    ] {
        assert!(status.contains(said), "{status}");
    }
    assert!(!status.contains("Fix the rows"), "{status}");
    let attention = rows(&world.orders_path("results/attention.xlsx"));
    assert_eq!(attention.len(), 2, "{attention:?}");
    assert_eq!(attention[1][1], "changed");
    world.end();
}

#[test]
fn a_sheet_with_errors_alone_says_at_once_that_a_later_one_has_brought_its_orders() {
    let mut world = World::new();
    let of = |ids: [&str; 2], quantity| {
        let rows = ids.map(|id| row(id, quantity));
        format!("{HEADER}\n{}\n", rows.join("\n"))
    };
    world.drop_csv("monday.csv", &of(["1001", "1002"], 0));
    world.run_once();
    world.drop_csv("tuesday.csv", &of(["1001", "1003"], 2));
    assert_eq!(world.run_once().status, 0);
    let result = world.result("monday.csv");
    assert_eq!(result.of("1001", "result_codes"), "bad-quantity brought-since");
    assert_eq!(result.of("1002", "result_codes"), "bad-quantity");
    assert_eq!(to_fix(&world).len(), 1, "1002 is to be fixed");

    world.drop_csv("wednesday.csv", &of(["1002", "1004"], 2));
    assert_eq!(world.run_once().status, 0);
    let result = world.result("monday.csv");
    assert_eq!(result.of("1002", "result_codes"), "bad-quantity brought-since");
    assert_eq!(to_fix(&world), [""; 0]);
    world.end();
}

#[test]
fn an_order_of_the_same_id_that_another_inbox_has_mends_nothing() {
    let mut world = World::with(crate::world::Setup {
        inbox: "[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\n",
        ..crate::world::Setup::default()
    });
    world.excused = vec!["1001".to_owned()];
    let wrong = format!("{HEADER}\n{}\n{}\n", row("1001", 0), row("1002", 1));
    world.drop_csv("monday.csv", &wrong);
    world.run_once();
    let other = format!("{HEADER}\n{}\n", row("1001", 2));
    write(&world.path("other/inbox/other.csv"), other.as_bytes());
    world.run_once();
    assert_eq!(world.at_service("1001").len(), 1);
    assert_eq!(open_lines(&world), ["to fix"]);
    assert!(status_txt(&world).contains("1 order of monday.csv cannot be sent as it is."));
    let status = world.dropsheet(&["status"]);
    assert!(status.said.contains("1001"), "{status:?}");
    assert!(world.service.fulfil(&world.pw("1002")));
    world.dropsheet(&["orders", "sync"]);
    let result = world.result("monday.csv");
    assert!(result.of("1002", "result_tracking").contains("Example Parcel"));
    assert_eq!(result.of("1001", "result_codes"), "bad-quantity");
    assert_eq!(to_fix(&world).len(), 1);
    world.end();
}

#[test]
fn an_order_that_came_after_one_of_its_id_from_another_inbox_stays_told_as_changed() {
    let mut world = World::with(crate::world::Setup {
        inbox: "[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\n",
        ..crate::world::Setup::default()
    });
    world.excused = vec!["1001".to_owned()];
    let stop = world.orders_path("STOP");
    write(&stop, b"");
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", row("1001", 1)));
    world.run_once();
    let other = format!("{HEADER}\n{}\n", row("1001", 2));
    write(&world.path("other/inbox/other.csv"), other.as_bytes());
    world.run_once();
    assert_eq!(world.at_service("1001").len(), 1);
    std::fs::remove_file(&stop).unwrap();
    world.run_until_settled();
    assert_eq!(world.result("monday.csv").of("1001", "result_status"), "changed");
    assert_eq!(open_lines(&world), ["changed"]);
    world.end();
}

/// An export that was cut in two within an order, its second half dropped first.
#[test]
fn the_other_half_of_an_order_does_not_mend_it() {
    let mut world = World::new();
    let mug = row("1001", 2).replace("TEE-CLASSIC-BLK-S", "MUG-CERAMIC-BLK-15OZ");
    let second = mug.replace("Ada Example", "").replace("12 Maple Street", "");
    world.drop_csv("second.csv", &format!("{HEADER}\n{second}\n{}\n", row("1002", 1)));
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("first.csv", &format!("{HEADER}\n{}\n", row("1001", 1)));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("first.csv").column("result_status"), ["created"]);
    // News of the other order have its result written again.
    assert!(world.service.fulfil(&world.pw("1002")));
    world.dropsheet(&["orders", "sync"]);
    let result = world.result("second.csv");
    assert!(result.of("1002", "result_tracking").contains("Example Parcel"));
    assert_eq!(result.of("1001", "result_codes"), "missing-value", "{result:?}");
    assert_eq!(to_fix(&world).len(), 1);
    assert!(
        open_lines(&world).contains(&"to fix".to_owned()),
        "{:?}",
        open_lines(&world)
    );
    assert!(status_txt(&world).contains("1 order of second.csv cannot be sent as it is."));
    // With its other line as well it is.
    let whole = format!("{HEADER}\n{}\n{mug}\n", row("1001", 1));
    world.drop_csv("whole.csv", &whole);
    world.run_once();
    assert_eq!(world.result("whole.csv").of("1001", "result_status"), "changed");
    world.end();
}
