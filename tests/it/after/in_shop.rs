//! Orders that their shop has canceled since an earlier export: what is not sent yet is not sent, and what is at the
//! service stays there until somebody asks for its cancel.

use dropsheet::files::move_new;
use dropsheet::sandbox::{Options, start_on_thread};

use crate::world::{Setup, World, wait_for, write};

/// The head of an export with what an order needs.
const EXPORT: &str = "Name,Financial Status,Cancelled at,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,\
                      Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone\n";

/// What an export says of an order.
#[derive(Clone, Copy)]
enum Order {
    Paid,
    Canceled,
}

/// An export of orders of a shirt each.
fn export(orders: &[(&str, Order)]) -> String {
    let row = |(name, order): &(&str, Order)| {
        let standing = match order {
            Order::Paid => "paid,",
            Order::Canceled => "refunded,2026-11-21 10:00:00 +0100",
        };
        format!(
            "{name},{standing},1,Fox,FOX-S,Ada Example,12 Maple Street,Columbus,43004,OH,US,+15550100101\n"
        )
    };
    orders
        .iter()
        .map(row)
        .fold(EXPORT.to_owned(), |text, row| text + &row)
}

/// A world with a SKU map and a catalog, from an export of one order.
fn world(inbox: &str) -> World {
    let mut world = World::with(Setup {
        inbox: &format!("sku_map = \"sku-map.csv\"\n{inbox}"),
        ..Setup::default()
    });
    write(
        &world.path("sku-map.csv"),
        b"sku,item_sku,artwork_front\nFOX-S,TEE-CLASSIC-BLK-S,https://art.example/fox.png\n",
    );
    world.drop_csv("sunday.csv", &export(&[("#900", Order::Paid)]));
    world.run_once();
    world
}

fn column(world: &World, sheet: &str, column: &str) -> Vec<String> {
    let result = world.result(sheet);
    let cells = result.column(column).into_iter();
    cells.map(|cell| cell.to_owned()).collect()
}

fn statuses(world: &World, sheet: &str) -> Vec<String> {
    column(world, sheet, "result_status")
}

/// Asserts that the first order of friday's export was not sent because monday's says that it is canceled.
fn assert_never_sent(world: &World) {
    assert_eq!(statuses(world, "friday.csv"), ["canceled", "created"]);
    assert_eq!(statuses(world, "monday.csv"), ["canceled", "already_created"]);
    assert!(column(world, "friday.csv", "result_codes")[0].contains("canceled-unsent"));
    for sheet in ["friday.csv", "monday.csv"] {
        let said = &column(world, sheet, "result_message")[0];
        assert!(
            said.contains("It was canceled before it was sent: the shop has canceled it, as the sheet ")
                && said.contains("_monday says"),
            "{said}"
        );
    }
    assert!(world.at_service("1").is_empty());
    assert_eq!(world.creates(), 2);
    assert_eq!(world.service.count("cancel-order"), 0);
}

#[test]
fn an_order_that_waits_is_not_sent_when_a_younger_export_says_that_it_is_canceled() {
    let mut world = world("");
    // The account stops, and everything waits.
    world.service.set_fault("error-404-all=after:0").unwrap();
    world.drop_csv("friday.csv", &export(&[("#1", Order::Paid), ("#2", Order::Paid)]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world, "friday.csv"), ["waiting"; 2]);
    world.service.clear_faults();
    world.drop_csv(
        "monday.csv",
        &export(&[("#1", Order::Canceled), ("#2", Order::Paid)]),
    );
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_never_sent(&world);
    world.end();
}

#[test]
fn a_daemon_ends_an_order_that_waits_for_an_absent_service_when_a_younger_export_has_it_canceled() {
    let mut world = world("");
    let daemon = world.daemon();
    world.service.go_away_now().unwrap();
    world.drop_csv("friday.csv", &export(&[("#1", Order::Paid), ("#2", Order::Paid)]));
    wait_for("friday is taken", || !world.files("processing").is_empty());
    world.drop_csv(
        "monday.csv",
        &export(&[("#1", Order::Canceled), ("#2", Order::Paid)]),
    );
    wait_for("the order ends while nobody can be asked", || {
        world
            .dropsheet(&["orders", "show", "1"])
            .said
            .contains("canceled before anything was sent")
    });
    world.service.come_back_now().unwrap();
    wait_for("both sheets are done", || world.files("processing").is_empty());
    assert_eq!(daemon.terminate().0, 0);
    assert_never_sent(&world);
    let verified = world.dropsheet(&["ledger", "verify"]);
    assert_eq!(verified.status, 0, "{verified:?}");
    world.end();
}

#[test]
fn of_an_order_that_the_service_has_no_cancel_is_asked_for_the_word_of_its_shop() {
    let mut world = world("");
    world.drop_csv("friday.csv", &export(&[("#1", Order::Paid)]));
    assert_eq!(world.run_once().status, 0);
    // An older export that waits, so that the younger one is heard before its turn.
    world.service.set_fault("error-404-all=after:0").unwrap();
    world.drop_csv("saturday.csv", &export(&[("#2", Order::Paid)]));
    assert_eq!(world.run_once().status, 3);
    world.drop_csv(
        "monday.csv",
        &export(&[("#1", Order::Canceled), ("#2", Order::Paid)]),
    );
    assert_eq!(world.run_once().status, 3);
    world.service.clear_faults();
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world, "monday.csv"), ["changed", "already_created"]);
    assert_eq!(
        column(&world, "monday.csv", "result_codes")[0],
        "canceled-in-shop"
    );
    assert_eq!(statuses(&world, "friday.csv"), ["created"]);
    assert_eq!(world.service.count("cancel-order"), 0);
    world.end();
}

#[test]
fn an_order_without_an_answer_that_the_shop_has_canceled_since_is_not_sent_again_by_itself() {
    let mut world = world("");
    world.drop_csv("friday.csv", &export(&[("#1", Order::Paid)]));
    assert!(world.run_once_crashing("intent-written").crashed());
    // The other order shows that the list is live.
    world.drop_csv(
        "monday.csv",
        &export(&[("#1", Order::Canceled), ("#2", Order::Paid)]),
    );
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(world.at_service("1").is_empty());
    assert_eq!(statuses(&world, "friday.csv"), ["unresolved"]);
    assert_eq!(statuses(&world, "monday.csv"), ["changed", "created"]);
    let said = &column(&world, "friday.csv", "result_message")[0];
    assert!(
        said.contains("the shop has canceled it, or a line of it, since"),
        "{said}"
    );
    // Who says so all the same has it sent.
    let ran = world.dropsheet(&["orders", "resolve", "1", "--resend"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    world.run_until_settled();
    assert_eq!(statuses(&world, "friday.csv"), ["created"]);
    assert_eq!(world.at_service("1").len(), 1);
    world.end();
}

#[test]
fn an_order_without_an_answer_that_is_paid_again_in_the_shop_is_sent_again() {
    let mut world = world("");
    world.drop_csv("friday.csv", &export(&[("#1", Order::Paid)]));
    assert!(world.run_once_crashing("intent-written").crashed());
    world.service.set_fault("error-404-all=after:0").unwrap();
    world.drop_csv("monday.csv", &export(&[("#1", Order::Canceled)]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world, "monday.csv"), ["changed"]);
    world.drop_csv(
        "tuesday.csv",
        &export(&[("#1", Order::Paid), ("#2", Order::Paid)]),
    );
    world.run_once();
    world.service.clear_faults();
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(statuses(&world, "friday.csv"), ["created"]);
    assert_eq!(world.at_service("1").len(), 1);
    world.end();
}

#[test]
fn an_order_canceled_in_the_shop_is_to_be_canceled_and_not_to_be_fixed() {
    let mut world = world("");
    world.drop_csv("friday.csv", &export(&[("#1", Order::Paid), ("#2", Order::Paid)]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv(
        "monday.csv",
        &export(&[("#1", Order::Canceled), ("#2", Order::Paid)]),
    );
    assert_eq!(world.run_once().status, 3);
    let files = world.files("results");
    assert!(files.iter().all(|name| !name.contains("to-fix")), "{files:?}");
    let status = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    let pw = world.pw("1");
    assert!(!status.contains("cannot be sent as"), "{status}");
    for said in [pw.as_str(), "dropsheet orders cancel 1"] {
        assert!(status.contains(said), "{said}: {status}");
    }
    assert_eq!(world.dropsheet(&["orders", "cancel", "1"]).status, 0);
    world.run_once();
    let status = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(!status.contains("dropsheet orders cancel"), "{status}");
    world.end();
}

/// The text of the only held sheet's first page, and the sheet moved.
fn approve(world: &World) -> String {
    let [name] = &world.files("held")[..] else {
        panic!("one held sheet, not {:?}", world.files("held"))
    };
    let path = world.orders_path("held").join(name);
    let text: Vec<String> = super::rows(&path).into_iter().map(|row| row.join(" ")).collect();
    move_new(&path, &world.orders_path("approved").join(name)).unwrap();
    text.join("\n")
}

#[test]
fn who_approves_an_order_that_the_shop_has_canceled_since_is_told_and_its_row_follows_it() {
    let mut world = world("approval = \"required\"");
    // What sunday's world began with is none of this.
    approve(&world);
    world.run_once();
    world.drop_csv("friday.csv", &export(&[("#1", Order::Paid)]));
    assert_eq!(world.run_once().status, 3);
    let held = world.orders_path("held").join(&world.files("held")[0]);
    let old = world.path("old.held.xlsx");
    std::fs::copy(&held, &old).unwrap();
    world.drop_csv("monday.csv", &export(&[("#1", Order::Canceled)]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world, "monday.csv"), ["changed"]);
    let said = |sheet: &str| column(&world, sheet, "result_message")[0].clone();
    assert!(
        said("monday.csv").contains("It is held, and would be printed"),
        "{}",
        said("monday.csv")
    );
    assert!(
        said("friday.csv").contains("_monday says"),
        "{}",
        said("friday.csv")
    );
    let status = world.dropsheet(&["status"]).said;
    assert!(status.contains("by now, as"), "{status}");
    // The list that did not say so approves nothing.
    move_new(&old, &world.orders_path("approved").join("old.held.xlsx")).unwrap();
    world.run_once();
    assert!(world.at_service("1").is_empty());
    let list = approve(&world);
    assert!(list.contains("_monday says"), "{list}");
    world.run_once();
    assert_eq!(statuses(&world, "friday.csv"), ["created"]);
    let pw = world.pw("1");
    let said = column(&world, "monday.csv", "result_message")[0].clone();
    assert!(
        said.contains(&format!("It is still at the printer as {pw}")),
        "{said}"
    );
    assert_eq!(column(&world, "monday.csv", "result_pw_order_id"), [pw.as_str()]);
    let attention = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(attention.contains("dropsheet orders cancel 1"), "{attention}");
    // The next day's export does not hold what is printed, and says the same.
    assert_eq!(world.dropsheet(&["orders", "cancel", "1"]).status, 0);
    world.run_once();
    assert_eq!(statuses(&world, "monday.csv"), ["canceled"]);
    world.end();
}

#[test]
fn a_row_of_a_held_order_with_other_content_follows_what_becomes_of_it() {
    let mut world = world("approval = \"required\"");
    approve(&world);
    world.run_once();
    let friday = export(&[("#1", Order::Paid)]);
    world.drop_csv("friday.csv", &friday);
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("monday.csv", &friday.replace("12 Maple Street", "14 Elm Street"));
    assert_eq!(world.run_once().status, 3);
    let said = || column(&world, "monday.csv", "result_message")[0].clone();
    let held = said();
    assert!(
        held.contains("The order 1 is held already with other content: "),
        "{held}"
    );
    approve(&world);
    world.run_once();
    assert_eq!(statuses(&world, "monday.csv"), ["changed"]);
    let created = said();
    assert!(
        created.contains("The order 1 is created already with other content: ")
            && created.contains("cancel it, then drop it as 1-2"),
        "{created}"
    );
    world.end();
}

#[test]
fn an_export_of_an_inbox_with_another_account_says_what_the_shop_canceled_and_advises_no_reprint_of_it() {
    let mut world = world("");
    let both = [("#1", Order::Paid), ("#2", Order::Paid)];
    world.drop_csv("friday.csv", &export(&both));
    assert_eq!(world.run_until_settled().status, 0);
    let other = start_on_thread(Options::default()).unwrap();
    let path = world.path("dropsheet.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    let moved = config
        .replace("[account.main]", "[account.second]")
        .replace(&world.service.base_url(), &other.base_url());
    write(&path, moved.as_bytes());
    world.drop_csv(
        "monday.csv",
        &export(&[("#1", Order::Canceled), ("#2", Order::Paid)]),
    );
    assert_eq!(world.run_once().status, 3);
    let codes = column(&world, "monday.csv", "result_codes");
    assert!(codes[0].contains("canceled-in-shop"), "{codes:?}");
    let said = column(&world, "monday.csv", "result_message");
    assert!(!said[0].contains("drop it as"), "{said:?}");
    assert!(
        said[1].contains("another account than this inbox has now"),
        "{said:?}"
    );
    assert_eq!(other.count("create-new-order"), 0);
    world.end();
}

#[test]
fn who_approves_an_order_that_the_shop_has_canceled_has_it_sent_though_a_sheet_of_another_inbox_waits() {
    let mut world = world(
        "approval = \"required\"\n\n[inbox.two]\npath = \"two\"\nstable_for = \"50ms\"\nresult_format = \"csv\"",
    );
    approve(&world);
    world.run_once();
    write(&world.path("two/STOP"), b"");
    let other = crate::world::sheet(&["9001"]);
    write(&world.path("two/inbox/other.csv"), other.as_bytes());
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("friday.csv", &export(&[("#1", Order::Paid)]));
    assert_eq!(world.run_once().status, 3);
    world.drop_csv("monday.csv", &export(&[("#1", Order::Canceled)]));
    assert_eq!(world.run_once().status, 3);
    let list = approve(&world);
    assert!(list.contains("_monday says"), "{list}");
    world.run_once();
    assert_eq!(statuses(&world, "friday.csv"), ["created"]);
    assert_eq!(world.at_service("1").len(), 1);
    assert!(world.at_service("9001").is_empty(), "it waits yet");
    world.end();
}
