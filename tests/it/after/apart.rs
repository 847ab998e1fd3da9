//! What a sheet says of an order beside its own cells, in a heading, in the name of its tab or by crossing it out, is not in
//! the rows that come back of it to be fixed, or not all of it: the order waits for it all the same.

use dropsheet::files::move_new;
use rust_xlsxwriter::{Format, Workbook};

use crate::world::{HEADER, World, row, write};

/// A workbook of one tab with these rows, of which the first is the header; one that begins with `~` is crossed out.
fn workbook(tab: &str, rows: &[&str]) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name(tab).unwrap();
    let struck = Format::new().set_font_strikethrough();
    for (at, row) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(row.trim_start_matches('~').split(',')) {
            if row.starts_with('~') {
                sheet.write_with_format(at, column, cell, &struck).unwrap();
            } else {
                sheet.write(at, column, cell).unwrap();
            }
        }
    }
    book.save_to_buffer().unwrap()
}

/// The row as it is fixed, or with another mistake.
fn again(id: &str, quantity: u32) -> String {
    format!("{HEADER}\n{}\n", row(id, quantity))
}

#[test]
fn an_order_that_was_to_wait_waits_once_it_is_fixed_whatever_the_rows_to_fix_lack() {
    let mut world = World::new();
    let [heading, tab, struck, alone] = ["1001", "1002", "1003", "1004"].map(|id| row(id, 0));
    let good = row("2001", 1);
    let struck = format!("~{struck}");
    for (id, tab, rows, why) in [
        (
            "1001",
            "Orders",
            &[&good, "ALREADY SHIPPED", &heading][..],
            "it stands below `ALREADY SHIPPED`",
        ),
        (
            "1002",
            "Shipped 2025",
            &[&tab],
            "its tab is called `Shipped 2025`",
        ),
        ("1003", "Orders", &[&struck], "row 2 is struck through"),
        (
            "1004",
            "Orders",
            &[&alone, "1004 CANCELED"],
            "row 3 says that it is canceled or not to be printed",
        ),
    ] {
        let rows = [&[HEADER], rows].concat();
        world.drop_bytes(&format!("wrong-{id}.xlsx"), &workbook(tab, &rows));
        assert_eq!(world.run_once().status, 3, "{id}");
        let result = world.result(&format!("wrong-{id}.xlsx"));
        assert_eq!(result.of(id, "result_codes"), "bad-quantity shop-hold", "{id}");
        let said = result.of(id, "result_message");
        assert!(
            said.contains(why) && said.contains("it waits for a person"),
            "{said}"
        );
        // It is fixed at the second time.
        for (name, quantity, status, codes) in [
            (format!("still-{id}.csv"), 0, "invalid", "bad-quantity shop-hold"),
            (format!("fixed-{id}.csv"), 1, "held", "shop-hold"),
        ] {
            world.drop_csv(&name, &again(id, quantity));
            assert_eq!(world.run_once().status, 3, "{name}");
            let result = world.result(&name);
            let told = [result.of(id, "result_status"), result.of(id, "result_codes")];
            assert_eq!(told, [status, codes], "{name}");
            let said = result.of(id, "result_message");
            assert!(said.contains(&format!("_wrong-{id} {why}")), "{said}");
        }
    }
    assert_eq!(world.creates(), 1, "2001 alone");
    world.end();
}

#[test]
fn a_declined_order_waits_again_where_its_result_does_not_say_why_it_waited() {
    let mut world = World::new();
    world.drop_bytes("old.xlsx", &workbook("Shipped 2025", &[HEADER, &row("1001", 1)]));
    assert_eq!(world.run_once().status, 3);
    move_held(&world, "declined");
    world.run_once();
    assert_eq!(world.result("old.xlsx").of("1001", "result_status"), "declined");
    let result = std::fs::read(world.result_path("old.xlsx").unwrap()).unwrap();
    world.drop_bytes("copy.xlsx", &result);
    assert_eq!(world.run_once().status, 3);
    let copy = world.result("copy.xlsx");
    assert_eq!(copy.of("1001", "result_status"), "held");
    assert!(
        copy.of("1001", "result_message")
            .contains("_old its tab is called `Shipped 2025`")
    );
    // Who approves it has read that.
    move_held(&world, "approved");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn what_was_tried_waits_for_the_same_reason_when_its_quote_is_dropped() {
    let mut world = World::new();
    let tried = workbook("Orders", &[HEADER, &format!("~{}", row("1001", 1))]);
    write(&world.orders_path("try").join("tried.xlsx"), &tried);
    world.run_once();
    world.drop_csv("sent.csv", &again("1001", 1));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("sent.csv");
    assert_eq!(result.of("1001", "result_status"), "held");
    assert!(
        result
            .of("1001", "result_message")
            .contains("_tried row 2 is struck through")
    );
    world.end();
}

#[test]
fn an_order_on_two_tabs_waits_while_it_comes_with_no_other_lines_than_the_one_tab_has() {
    let mut world = World::new();
    let mut book = Workbook::new();
    let medium = row("1001", 1).replace("TEE-CLASSIC-BLK-S", "TEE-CLASSIC-BLK-M");
    for (tab, rows) in [
        ("Sheet1", [row("1001", 1), row("1002", 0)]),
        ("More", [medium.clone(), row("1003", 1)]),
    ] {
        let sheet = book.add_worksheet().set_name(tab).unwrap();
        sheet.write_row(0, 0, HEADER.split(',')).unwrap();
        for (at, row) in (1..).zip(rows) {
            sheet.write_row(at, 0, row.split(',')).unwrap();
        }
    }
    world.drop_bytes("two.xlsx", &book.save_to_buffer().unwrap());
    assert_eq!(world.run_once().status, 3);
    let result = world.result("two.xlsx");
    let codes = result.of("1001", "result_codes");
    assert!(codes.starts_with("on-two-tabs"), "{codes}");
    world.drop_csv("again.csv", &again("1001", 1));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("again.csv");
    assert_eq!(result.of("1001", "result_status"), "held");
    let said = result.of("1001", "result_message");
    assert!(
        said.contains("_two row 2 of the tab `More` has a line of it that it comes without"),
        "{said}"
    );
    move_held(&world, "declined");
    world.run_once();
    world.drop_csv("whole.csv", &format!("{HEADER}\n{}\n{medium}\n", row("1001", 1)));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{:?}", world.result("whole.csv"));
    assert_eq!(world.result("whole.csv").column("result_status"), ["created"; 2]);
    world.end();
}

/// Moves all that is held.
fn move_held(world: &World, to: &str) {
    for name in world.files("held") {
        let (from, to) = (world.orders_path("held"), world.orders_path(to));
        move_new(&from.join(&name), &to.join(&name)).unwrap();
    }
}
