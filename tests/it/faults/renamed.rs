//! An inbox that is called otherwise in the config: it is the inbox that it was.

use std::fs;

use dropsheet::files::move_new;

use super::ledgers::{backup, restore};
use crate::shop::Shop;
use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// Calls the inbox `shop` and gives it a prefix, as who adds a second one does.
fn rename(world: &World) {
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let renamed = config.replace("[inbox.main]", "[inbox.shop]\norder_prefix = \"S-\"");
    write(&path, renamed.as_bytes());
}

#[test]
fn an_inbox_that_is_renamed_amid_a_sheet_and_given_a_prefix_sends_no_order_again() {
    let mut world = World::with(Setup {
        account: "max_in_flight = 1",
        ..Setup::default()
    });
    let ids = ["1001", "1002", "1003", "1004", "1005", "1006"];
    world.drop_csv("monday.csv", &sheet(&ids));
    assert!(world.run_once_crashing("create-answered:3").crashed());
    rename(&world);
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 6, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 6]);
    world.drop_csv("tuesday.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 0);
    let again = world.result("tuesday.csv");
    assert_eq!(again.column("result_status"), ["already_created"; 6]);
    assert_eq!(world.creates(), 6);
    let marker = fs::read_to_string(world.orders_path(".dropsheet")).unwrap();
    assert!(marker.contains("inbox = shop\n"), "{marker}");
    world.end();
}

#[test]
fn what_an_inbox_held_before_it_was_renamed_is_approved_as_ever() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    rename(&world);
    let held = world.files("held").remove(0);
    let [from, to] = ["held", "approved"].map(|part| world.orders_path(part).join(&held));
    move_new(&from, &to).unwrap();
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 2]);
    assert_eq!(world.at_service("1001").len(), 1, "as it was approved");
    world.end();
}

#[test]
fn a_ledger_that_is_put_back_from_before_its_inbox_was_renamed_knows_the_orders_of_then() {
    let mut world = World::new();
    let monday = format!(
        "{HEADER},expected_total\n{},\n{},1.00\n",
        row("1001", 1),
        row("1002", 1)
    );
    world.drop_csv("monday.csv", &monday);
    assert_eq!(world.run_once().status, 3);
    let before = backup(&world);
    rename(&world);
    assert_eq!(world.run_once().status, 3);
    restore(&world, &before);
    let held = world.files("held").remove(0);
    let [from, to] = ["held", "approved"].map(|part| world.orders_path(part).join(&held));
    move_new(&from, &to).unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1001", "1003"]));
    wait_for("what it may have forgotten must show by now", || {
        world.run_once().status == 0
    });
    let [monday, tuesday] = ["monday.csv", "tuesday.csv"].map(|sheet| world.result(sheet));
    assert_eq!(monday.column("result_status"), ["created"; 2]);
    assert_eq!(tuesday.column("result_status"), ["already_created", "created"]);
    assert_eq!(tuesday.column("result_order_id"), ["1001", "S-1003"]);
    assert_eq!(world.creates(), 3);
    world.end();
}

/// Has another folder worked as the inbox `main`, by a sheet of its own.
fn use_its_name_elsewhere(world: &World) {
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let second = "[inbox.main]\npath = \"elsewhere\"\nstable_for = \"50ms\"\n";
    write(&path, format!("{config}{second}").as_bytes());
    assert_eq!(world.dropsheet(&["init"]).status, 0);
    write(
        &world.path("elsewhere/inbox/monday.csv"),
        sheet(&["2001"]).as_bytes(),
    );
    assert_eq!(world.run_once().status, 0);
}

#[test]
fn a_former_name_of_an_inbox_may_be_another_ones_as_long_as_the_ledger_tells_them_apart() {
    let mut world = World::new();
    world.excused.push("2001".to_owned());
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let before = backup(&world);
    rename(&world);
    assert_eq!(world.run_once().status, 0);
    use_its_name_elsewhere(&world);
    world.drop_csv("tuesday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    let result = world.result("tuesday.csv");
    assert_eq!(result.column("result_status"), ["already_created", "created"]);
    assert_eq!(world.creates(), 3);
    restore(&world, &before);
    world.drop_csv("wednesday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert!(ran.status == 1 || ran.status == 3, "{ran:?}");
    assert!(ran.logged.contains("was worked as inbox `main`"), "{ran:?}");
    assert_eq!(world.files("inbox"), ["wednesday.csv"]);
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn an_inbox_that_was_never_worked_by_its_former_name_is_none_of_that_name() {
    let mut world = World::new();
    world.excused.push("2001".to_owned());
    rename(&world);
    assert_eq!(world.run_once().status, 0);
    use_its_name_elsewhere(&world);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!((ran.status, world.creates()), (0, 2), "{ran:?}");
    world.end();
}

#[test]
fn a_folder_that_another_inbox_of_the_config_worked_is_not_worked() {
    let shop = Shop::new();
    let orders = fs::read(shop.path("orders.csv")).unwrap();
    shop.write("orders/inbox/monday.csv", &orders);
    shop.run(&["run", "--once"]).says(3, &["9 created"]);
    let swapped = shop.config().replace("path = \"orders\"", "path = \"elsewhere\"");
    let second = "[inbox.shop]\npath = \"orders\"\norder_prefix = \"S-\"\nstable_for = \"50ms\"\n";
    shop.write("dropsheet.toml", format!("{swapped}{second}").as_bytes());
    assert_eq!(shop.run(&["init"]).status, 0);
    shop.write("orders/inbox/tuesday.csv", &orders);
    let creates = || shop.service.count("create-new-order");
    shop.run(&["run", "--once"])
        .says(3, &["was worked as inbox `main`", "`dropsheet init`"]);
    assert_eq!(creates(), 9);
    // Unless a person says that it is a new one.
    fs::remove_file(shop.path("orders/.dropsheet")).unwrap();
    assert_eq!(shop.run(&["init"]).status, 0);
    shop.run(&["run", "--once"]).says(3, &["tuesday.csv: 9 created"]);
    assert_eq!(creates(), 18);
}
