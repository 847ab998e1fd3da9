//! Held orders and their way out: the sheet in `held/`, moved to `approved/` or `declined/` as it is, in part, saved as
//! something else or renamed; the limits that hold; and the money of a day.

use std::fs;

use calamine::{Data, Reader};
use dropsheet::files::move_new;
use dropsheet::sandbox::Options;

use crate::faults::lookups::placed;
use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

const REQUIRED: &str = "approval = \"required\"";

fn world(inbox: &str) -> World {
    World::with(Setup {
        inbox,
        ..Setup::default()
    })
}

/// A world in which 1001 is held, and whose prices are asked each time.
fn held_at_a_price() -> World {
    let mut world = World::with(Setup {
        inbox: REQUIRED,
        account: "quote_reuse = \"0s\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    world
}

/// The rows of the only held sheet, its heading first.
fn held(world: &World) -> Vec<Vec<String>> {
    let [name] = &world.files("held")[..] else {
        panic!("one held sheet, not {:?}", world.files("held"))
    };
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(world.orders_path("held").join(name)).unwrap();
    let cell = |cell: &Data| match cell {
        Data::Float(number) => format!("{number:.2}"),
        other => other.to_string(),
    };
    let page = book.worksheet_range_at(0).unwrap().unwrap();
    page.rows().map(|row| row.iter().map(cell).collect()).collect()
}

/// The ids that the only held sheet lists, sorted.
fn listed(world: &World) -> Vec<String> {
    let mut ids: Vec<String> = held(world)
        .into_iter()
        .skip(1)
        .map(|row| row[0].clone())
        .collect();
    ids.sort();
    ids
}

/// Moves the only held sheet, as a person would.
fn move_to(world: &World, part: &str) {
    let mut names = world.files("held").into_iter();
    let name = names.find(|name| !name.starts_with('.')).unwrap();
    move_new(
        &world.orders_path("held").join(&name),
        &world.orders_path(part).join(&name),
    )
    .unwrap();
}

/// What became of an order in its sheet.
fn status(world: &World, id: &str) -> String {
    world.result("monday.csv").of(id, "result_status").to_owned()
}

#[test]
fn what_is_approved_is_sent_and_what_was_deleted_stays_held() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.creates(), 0);
    let rows = held(&world);
    assert_eq!(rows.len(), 4);
    // Saved by another program under another name, with a row deleted, one edited, and the columns turned round.
    let back: Vec<String> = rows
        .iter()
        .filter(|row| row[0] != "1002")
        .map(|row| {
            let total = if row[0] == "1003" { "0.01" } else { &row[1] };
            format!("{},{total},{}", row[8], row[0])
        })
        .collect();
    fs::remove_file(world.orders_path("held").join(&world.files("held")[0])).unwrap();
    write(
        &world.orders_path("approved").join("for Ann.csv"),
        back.join("\n").as_bytes(),
    );
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "one still waits for a person: {ran:?}");
    for (id, expected) in [("1001", "created"), ("1002", "held"), ("1003", "created")] {
        assert_eq!(status(&world, id), expected, "{id}");
    }
    assert_eq!(world.creates(), 2);
    assert_eq!(listed(&world), ["1002"], "the rest has a file of its own again");
    assert_eq!(world.files("approved"), [""; 0]);
    let said = fs::read_to_string(world.orders_path("results").join("for Ann.approved.txt")).unwrap();
    assert!(said.starts_with("2 orders were approved"), "{said}");
    assert!(said.contains("total says `0.01`; 1003 was held at"), "{said}");
    // Now the rest, with the command.
    let stem = world.files("held")[0].replace(".held.xlsx", "");
    let approved = world.dropsheet(&["approve", &stem]);
    assert_eq!(approved.status, 0, "{approved:?}");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(status(&world, "1002"), "created");
    assert_eq!(world.files("held"), [""; 0]);
    world.end();
}

/// The orders of the only held sheet as a workbook that a person has saved in `approved/`: `Held`, and perhaps a copy of it
/// in front, from which some rows are deleted; rows of some orders are struck through.
fn save_approved(world: &World, name: &str, (struck, copied): (&[&str], Option<&[&str]>)) {
    let rows = held(world);
    let mut book = rust_xlsxwriter::Workbook::new();
    let line = rust_xlsxwriter::Format::new().set_font_strikethrough();
    let plain = rust_xlsxwriter::Format::new();
    let copy = copied.map(|deleted| ("Held (2)", deleted));
    for (tab, deleted) in copy.into_iter().chain([("Held", &[][..])]) {
        let page = book.add_worksheet().set_name(tab).unwrap();
        let kept = rows.iter().filter(|row| !deleted.contains(&row[0].as_str()));
        for (number, cells) in (0..).zip(kept) {
            let is_struck = struck.contains(&cells[0].as_str());
            let format = if is_struck { &line } else { &plain };
            for (column, cell) in (0..).zip(cells) {
                page.write_string_with_format(number, column, cell, format)
                    .unwrap();
            }
        }
    }
    for held in world.files("held") {
        fs::remove_file(world.orders_path("held").join(held)).unwrap();
    }
    let bytes = book.save_to_buffer().unwrap();
    write(&world.orders_path("approved").join(name), &bytes);
}

#[test]
fn a_row_that_is_struck_through_stays_held_and_the_receipt_says_so() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    // By what the file says, nobody relies on a line through a row.
    let path = world.orders_path("held").join(&world.files("held")[0]);
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(path).unwrap();
    let page = book.worksheet_range("What to do").unwrap();
    let told: Vec<String> = page.used_cells().map(|(_, _, cell)| cell.to_string()).collect();
    let is_told = |words: &str| told.iter().any(|line| line.contains(words));
    assert!(is_told("To leave an order out, delete its row."), "{told:?}");
    assert!(
        is_told("struck through keeps a row held only in .xlsx"),
        "{told:?}"
    );
    save_approved(&world, "ours.xlsx", (&["1002"], None));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "1001"), "created");
    assert_eq!(status(&world, "1002"), "held");
    assert_eq!(listed(&world), ["1002"]);
    let said = fs::read_to_string(world.orders_path("results").join("ours.approved.txt")).unwrap();
    assert!(said.starts_with("1 order was approved"), "{said}");
    assert!(said.contains("1002 has text that is struck through"), "{said}");
    assert!(!said.contains("Changed cells"), "{said}");
    world.end();
}

#[test]
fn a_row_that_says_no_or_is_emptied_stays_held_and_every_changed_cell_is_told() {
    let mut world = world(REQUIRED);
    let ids = ["1001", "1002", "1003", "1004", "1005", "1006"];
    world.drop_csv("monday.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 3);
    let mut rows = held(&world);
    for row in &mut rows {
        let own = match row[0].as_str() {
            "order_id" => "Freigabe",
            "1001" => "ja, Ada",
            "1002" => "NEIN",
            _ => "",
        };
        row.push(own.to_owned());
    }
    rows[3][..8].fill(String::new());
    rows[4][2] = "STORNIERT".to_owned();
    rows[5][2] = "checked".to_owned();
    rows[5][4] = String::new();
    let back: Vec<String> = rows
        .iter()
        .map(|row| {
            let quoted: Vec<String> = row.iter().map(|cell| format!("\"{cell}\"")).collect();
            quoted.join(",")
        })
        .collect();
    fs::remove_file(world.orders_path("held").join(&world.files("held")[0])).unwrap();
    write(
        &world.orders_path("approved").join("ours.csv"),
        back.join("\n").as_bytes(),
    );
    assert_eq!(world.run_once().status, 3);
    let said = fs::read_to_string(world.orders_path("results").join("ours.approved.txt")).unwrap();
    let wanted = ["created", "held", "held", "held", "created", "created"];
    let came = ids.map(|id| status(&world, id));
    assert_eq!(came, wanted, "{said}");
    assert_eq!(listed(&world), ["1002", "1003", "1004"]);
    assert!(said.starts_with("3 orders were approved"), "{said}");
    let told: Vec<&str> = said.lines().filter(|line| line.starts_with("  ")).collect();
    let why = &held(&world)[1][2];
    assert_eq!(
        told,
        [
            "  row 4: nothing is left in it but its approval_key; it stays held",
            "  row 3: 1002 stays held, for its row says `NEIN` in `Freigabe`",
            "  row 5: 1004 stays held, for its row says `STORNIERT` in `why`",
            &format!("  row 6: why says `checked`; 1005 was held with `{why}`"),
            "  row 6: country is blank; 1005 was held with `US`",
            "  row 2: `ja, Ada` in `Freigabe`",
        ]
    );
    assert!(said.contains("stays held; held/ has it"), "{said}");
    // What waits now, as it was written: nothing is left.
    move_to(&world, "approved");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 6);
    let receipts = world.files("results");
    let receipt = receipts
        .iter()
        .find(|name| name.ends_with("_monday.approved.txt"))
        .unwrap();
    let said = fs::read_to_string(world.orders_path("results").join(receipt)).unwrap();
    assert!(said.starts_with("3 orders were approved"), "{said}");
    for unsaid in ["stays held", "Changed cells", "other columns", "Nothing was done"] {
        assert!(!said.contains(unsaid), "{said}");
    }
    world.end();
}

#[test]
fn orders_that_are_held_for_what_they_say_of_themselves_are_sent_by_the_sheet_that_says_so() {
    let mut world = world("");
    let canceled = format!(
        "{HEADER},Status\n{},canceled\n{},on hold\n",
        row("1001", 1),
        row("1002", 1)
    );
    world.drop_csv("monday.csv", &canceled);
    assert_eq!(world.run_once().status, 3);
    assert_eq!(listed(&world), ["1001", "1002"]);
    move_to(&world, "approved");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn of_two_sheets_that_list_held_orders_neither_approves_anything() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    save_approved(&world, "ours.xlsx", (&[], Some(&["1002"])));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.creates(), 0);
    let rejected = world.files("rejected");
    let why = rejected.iter().find(|name| name.ends_with(".error.txt")).unwrap();
    let why = fs::read_to_string(world.orders_path("rejected").join(why)).unwrap();
    assert!(
        why.contains("held-on-two-sheets") && why.contains("`Held (2)` and `Held`"),
        "{why}"
    );
    assert_eq!(listed(&world), ["1001", "1002"]);
    world.end();
}

#[test]
fn what_is_being_declined_is_not_sent_by_its_copy_in_approved() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let name = world.files("held").remove(0);
    let bytes = fs::read(world.orders_path("held").join(&name)).unwrap();
    move_to(&world, "approved");
    let declined = world.orders_path("declined").join(&name);
    write(&declined, &bytes[..bytes.len() / 2]);
    world.run_once();
    assert_eq!(world.creates(), 0);
    fs::remove_file(&declined).unwrap();
    write(&declined, &bytes);
    // Somebody looks at it.
    let lock = world.orders_path("declined").join(format!(".~lock.{name}#"));
    write(&lock, b"ada");
    world.run_once();
    assert_eq!(world.creates(), 0);
    fs::remove_file(&lock).unwrap();
    world.run_once();
    assert_eq!(status(&world, "1001"), "declined");
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn what_the_service_refuses_after_its_approval_is_told_though_its_sheet_was_told() {
    let mut world = world("approval = \"required\"\n[notify]\ncommand = [\"sh\", \"-c\", \"cat >> told\"]");
    let path = world.path("told");
    let told = || -> Vec<String> {
        let told = fs::read_to_string(&path).unwrap_or_default();
        told.lines().map(str::to_owned).collect()
    };
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(told().len(), 1, "{:?}", told());
    assert!(told()[0].contains("1 held"), "{:?}", told());
    move_to(&world, "approved");
    world.service.set_fault("refuse=on:1").unwrap();
    assert_eq!(world.run_once().status, 3, "it needs a person");
    assert_eq!(status(&world, "1001"), "refused");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(told().len(), 2, "{:?}", told());
    assert!(told()[1].contains("refused order 1001"), "{:?}", told());
    world.end();
}

#[test]
fn what_is_declined_is_never_sent_until_it_is_dropped_again() {
    let mut world = world("max_order_total = 20");
    world.drop_csv(
        "monday.csv",
        &format!("{HEADER}\n{}\n{}\n", row("1001", 1), row("1002", 5)),
    );
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "1001"), "created");
    assert_eq!(listed(&world), ["1002"]);
    let stem = world.files("held")[0].clone();
    assert_eq!(world.dropsheet(&["decline", &stem]).status, 0);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(status(&world, "1002"), "declined");
    assert_eq!((world.creates(), world.files("held")), (1, vec![]));
    world.drop_csv("again.csv", &format!("{HEADER}\n{}\n", row("1002", 5)));
    world.run_once();
    assert_eq!(world.result("again.csv").of("1002", "result_status"), "held");
    world.end();
}

#[test]
fn an_approved_order_that_stop_keeps_is_told_by_every_pass_and_by_status() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    let kept = "1002";
    let rows: Vec<Vec<String>> = held(&world).into_iter().filter(|row| row[0] != kept).collect();
    let lines: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    write(
        &world.orders_path("approved").join("one.csv"),
        lines.join("\n").as_bytes(),
    );
    write(&world.orders_path("STOP"), b"");
    for _pass in 0..2 {
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "it needs another run: {ran:?}");
        assert!(
            ran.said.contains("inbox `main`: approved orders that wait")
                && ran.said.contains(": 1; they are sent"),
            "{ran:?}"
        );
    }
    let said = world.result("monday.csv");
    let said = |id: &str| said.of(id, "result_message").to_owned();
    let why = "Not yet: A file named STOP lies in the inbox's folder; when it is deleted, sending goes on.";
    assert!(said("1001").contains(why), "{}", said("1001"));
    assert!(!said(kept).contains("STOP"), "{}", said(kept));
    let status = world.dropsheet(&["status"]).said;
    let line = |id: &str| status.lines().find(|line| line.starts_with(id)).unwrap();
    assert!(line("1001").contains("approved, at most at"), "{status}");
    assert!(!line(kept).contains("approved, at most at"), "{status}");
    fs::remove_file(world.orders_path("STOP")).unwrap();
    let ran = world.run_once();
    let said = "approved orders: 1 sent\n\
                1 order waits for approval: move the sheets from held/ to approved/ or declined/\n";
    assert_eq!((ran.status, ran.said.as_str()), (3, said), "{ran:?}");
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_row_that_was_declined_stays_so_when_a_later_sheet_brings_other_content() {
    let mut world = world("max_order_total = 20");
    let of = |rows: &[String]| format!("{HEADER}\n{}\n", rows.join("\n"));
    world.drop_csv("monday.csv", &of(&[row("1001", 5), row("1002", 5)]));
    world.run_once();
    let stem = world.files("held")[0].clone();
    assert_eq!(world.dropsheet(&["decline", &stem]).status, 0);
    world.run_once();
    // One comes with fewer pieces, the other as it was.
    world.drop_csv("tuesday.csv", &of(&[row("1001", 1), row("1002", 5)]));
    world.run_once();
    assert_eq!(
        world.result("tuesday.csv").column("result_status"),
        ["created", "held"]
    );
    let monday = world.result("monday.csv");
    assert_eq!(monday.column("result_status"), ["declined", "held"]);
    assert_eq!(monday.of("1001", "result_codes"), "declined-by-person");
    assert_eq!(monday.of("1001", "result_pw_order_id"), "");
    let message = monday.of("1001", "result_message");
    assert!(
        message.contains("It was declined. Since then") && message.contains("tuesday has brought this order"),
        "{message}"
    );
    // What becomes of the newer content is no news of the older.
    let stem = world.files("held")[0].clone();
    assert_eq!(world.dropsheet(&["approve", &stem]).status, 0);
    world.run_once();
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["declined", "already_created"]
    );
    world.end();
}

#[test]
fn a_daemon_that_knows_the_price_of_a_moment_ago_asks_for_that_of_now() {
    let mut world = world(REQUIRED);
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is held", || {
        world.files("held").iter().any(|name| !name.starts_with('.'))
    });
    assert!(
        world
            .service
            .set_cost("TEE-CLASSIC-BLK-S", "99.00".parse().unwrap())
    );
    move_to(&world, "approved");
    wait_for("it is held again, for its price has risen", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.of("1001", "result_codes").contains("price-risen"))
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn a_price_that_falls_below_nothing_after_the_approval_holds_the_order_again() {
    let world = held_at_a_price();
    move_to(&world, "approved");
    let cost = |cost: &str| assert!(world.service.set_cost("TEE-CLASSIC-BLK-S", cost.parse().unwrap()));
    cost("-99.00");
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!((world.creates(), status(&world, "1001").as_str()), (0, "held"));
    let codes = world.result("monday.csv").of("1001", "result_codes").to_owned();
    assert!(codes.contains("zero-quote"), "{codes}");
    // A person who wants it at that says so.
    move_to(&world, "approved");
    let ran = world.run_once();
    assert_eq!((ran.status, world.creates()), (0, 1), "{ran:?}");
    world.end();
}

#[test]
fn a_price_that_rises_after_the_approval_holds_the_order_again() {
    let world = held_at_a_price();
    let before = held(&world)[1].clone();
    move_to(&world, "approved");
    assert!(
        world
            .service
            .set_cost("TEE-CLASSIC-BLK-S", "99.00".parse().unwrap())
    );
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!((world.creates(), status(&world, "1001").as_str()), (0, "held"));
    let result = world.result("monday.csv");
    assert!(
        result.of("1001", "result_codes").contains("price-risen"),
        "{result:?}"
    );
    let after = held(&world)[1].clone();
    assert!(
        after[1] != before[1] && after[8] != before[8],
        "{before:?} {after:?}"
    );
    // The old file approves nothing any more, the new one does.
    let old = format!("order_id,total,approval_key\n1001,{},{}\n", before[1], before[8]);
    write(&world.orders_path("approved").join("old.csv"), old.as_bytes());
    world.run_once();
    assert_eq!(world.creates(), 0);
    let said = fs::read_to_string(world.orders_path("results").join("old.approved.txt")).unwrap();
    assert!(said.contains("held again since this file was written"), "{said}");
    move_to(&world, "approved");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(status(&world, "1001"), "created");
    world.end();
}

#[test]
fn an_approved_order_that_waits_says_why_in_its_sheet_and_in_status() {
    let mut world = world(REQUIRED);
    world.drop_csv("first.csv", &sheet(&["1001"]));
    world.run_once();
    move_to(&world, "approved");
    assert_eq!(world.run_once().status, 0);
    // The same to the same address: it may be what the list shows without an id.
    world.service.set_list_lag(std::time::Duration::ZERO);
    world.service.list_without_id_or_name(Some("1001"));
    world.drop_csv("monday.csv", &sheet(&["1001-R1"]));
    world.run_once();
    move_to(&world, "approved");
    wait_for("the list shows it without an id", || {
        world.run_once();
        let result = world.result("monday.csv");
        result.of("1001-R1", "result_message").contains("Not yet: ")
    });
    let result = world.result("monday.csv");
    assert_eq!(result.of("1001-R1", "result_status"), "held");
    let why = "without an id";
    assert!(result.of("1001-R1", "result_message").contains(why), "{result:?}");
    for args in [&["status"][..], &["orders", "show", "1001-R1"]] {
        let ran = world.dropsheet(args);
        assert!(ran.said.contains(why), "{ran:?}");
    }
    assert_eq!(world.creates(), 1);
    world.service.list_without_id_or_name(None);
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.said.contains("approved orders: 1 sent"), "{ran:?}");
    assert_eq!(status(&world, "1001-R1"), "created");
    world.end();
}

#[test]
fn while_an_order_is_held_the_same_again_is_held_and_another_content_is_changed() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    world.drop_csv("same.csv", &sheet(&["1001"]));
    world.drop_csv("other.csv", &format!("{HEADER}\n{}\n", row("1001", 7)));
    world.run_once();
    assert_eq!(world.result("same.csv").of("1001", "result_status"), "held");
    assert_eq!(world.result("other.csv").of("1001", "result_status"), "changed");
    move_to(&world, "approved");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.at_service("1001").len(), 1);
    assert_eq!(status(&world, "1001"), "created");
    assert_eq!(
        world.result("same.csv").of("1001", "result_status"),
        "already_created"
    );
    world.end();
}

#[test]
fn sixteen_at_once_cannot_pass_the_limit_of_a_day_and_the_first_of_the_sheet_are_sent() {
    let mut world = world("daily_limit = 50");
    let ids: Vec<String> = (1001..1121).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.drop_csv("monday.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 3);
    // 13.64 each: three fit, a fourth does not.
    assert_eq!(world.creates(), 3);
    assert_eq!(listed(&world).len(), 117);
    let result = world.result("monday.csv");
    assert_eq!(
        result.column("result_status")[..4],
        ["created", "created", "created", "held"]
    );
    let held = result.column("result_codes");
    assert_eq!(
        held.iter()
            .filter(|codes| codes.contains("over-daily-limit"))
            .count(),
        117
    );
    // An approval lets pass what is over the limit.
    move_to(&world, "approved");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 120);
    // What a program reads is not cut, and what a person reads says so.
    let all = world.dropsheet(&["orders", "list", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&all.said).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 120);
    let newest = world.dropsheet(&["orders", "list"]);
    assert!(newest.said.contains("the newest 100"), "{newest:?}");
    world.end();
}

#[test]
fn an_expected_total_that_is_corrected_releases_nothing_and_is_told_of_the_sheet_that_had_it() {
    let mut world = world("");
    let expecting = |total: &str| format!("{HEADER},expected_total\n{},{total}\n", row("1001", 1));
    world.drop_csv("monday.csv", &expecting("24.00"));
    assert_eq!(world.run_once().status, 3);
    let said = world.result("monday.csv");
    let said = said.of("1001", "result_message");
    assert!(said.contains("but the sheet expects 24.00."), "{said}");
    let total = world
        .result("monday.csv")
        .of("1001", "result_quoted_total")
        .to_owned();
    for (name, corrected) in [("tuesday.csv", total.as_str()), ("friday.csv", "")] {
        world.drop_csv(name, &expecting(corrected));
        assert_eq!(world.run_once().status, 3);
        let result = world.result(name);
        assert_eq!(result.of("1001", "result_status"), "held");
        let said = result.of("1001", "result_message");
        let monday = format!("but {} expects 24.00. ", result.of("1001", "result_first_sheet"));
        assert!(
            said.contains(&monday) && !said.contains("the sheet expects"),
            "{said}"
        );
        assert!(
            said.contains("approve it; or decline it, and drop it again."),
            "{said}"
        );
    }
    // As it says.
    move_to(&world, "declined");
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("again.csv", &expecting(&total));
    assert_eq!(world.run_once().status, 0);
    for (name, status) in [("tuesday.csv", "already_created"), ("again.csv", "created")] {
        assert_eq!(world.result(name).of("1001", "result_status"), status, "{name}");
    }
    world.end();
}

#[test]
fn a_sheet_with_too_many_orders_is_held_as_a_whole() {
    let mut world = world("max_orders_per_sheet = 2");
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    world.drop_csv("small.csv", &sheet(&["2001", "2002"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(listed(&world), ["1001", "1002", "1003"]);
    assert_eq!(world.result("small.csv").column("result_status"), ["created"; 2]);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn another_file_in_approved_is_rejected_and_a_held_sheet_that_is_lost_is_written_again() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    fs::remove_file(world.orders_path("held").join(&world.files("held")[0])).unwrap();
    write(
        &world.orders_path("approved").join("monday.csv"),
        sheet(&["1001"]).as_bytes(),
    );
    write(
        &world.orders_path("approved").join("forged.csv"),
        b"order_id,total,approval_key\n1001,13.64,H1-1-00000000\n",
    );
    world.run_once();
    assert_eq!((world.creates(), world.files("approved")), (0, vec![]));
    let rejected = world.files("rejected");
    assert_eq!(rejected.len(), 2, "{rejected:?}");
    let why = rejected.iter().find(|name| name.ends_with(".error.txt")).unwrap();
    let why = fs::read_to_string(world.orders_path("rejected").join(why)).unwrap();
    assert!(why.contains("not-a-held-sheet") && why.contains("\r\n"), "{why}");
    assert_eq!(listed(&world), ["1001"]);
    world.end();
}

#[test]
fn a_held_sheet_that_was_moved_and_is_open_in_a_program_is_not_written_again() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let [name] = &world.files("held")[..] else {
        panic!("one held sheet, not {:?}", world.files("held"))
    };
    move_to(&world, "approved");
    let lock = world.orders_path("approved").join(format!("~${name}"));
    write(&lock, b"somebody");
    for _ in 0..2 {
        world.run_once();
        assert!(world.files("held").is_empty(), "{:?}", world.files("held"));
        assert_eq!(world.creates(), 0);
    }
    fs::remove_file(&lock).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert!(world.files("held").is_empty());
    assert_eq!(status(&world, "1001"), "created");
    world.end();
}

#[test]
fn pause_stops_what_is_approved_too_and_resume_sends_it() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    // A share that is not mounted: STOP would lie under it when it is back.
    let marker = world.orders_path(".dropsheet");
    let away = world.path("marker");
    move_new(&marker, &away).unwrap();
    let refused = world.dropsheet(&["pause"]);
    assert_eq!(
        (refused.status, refused.logged.contains("is the share mounted?")),
        (1, true),
        "{refused:?}"
    );
    assert!(!world.orders_path("STOP.txt").exists());
    move_new(&away, &marker).unwrap();
    assert_eq!(world.dropsheet(&["pause"]).status, 0);
    let text = fs::read_to_string(world.orders_path("STOP.txt")).unwrap();
    assert!(
        text.contains("Stopped") && text.contains("dropsheet pause"),
        "{text}"
    );
    move_to(&world, "approved");
    world.run_once();
    assert_eq!((world.creates(), status(&world, "1001").as_str()), (0, "held"));
    assert_eq!(world.dropsheet(&["resume", "main"]).status, 0);
    assert!(!world.orders_path("STOP.txt").exists());
    assert_eq!(world.run_once().status, 0);
    assert_eq!(status(&world, "1001"), "created");
    world.end();
}

#[test]
fn an_approved_order_whose_inbox_went_to_another_account_is_told_of_and_sent_when_it_is_back() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_once();
    assert_eq!(world.dropsheet(&["pause"]).status, 0);
    move_to(&world, "approved");
    world.run_once();
    assert_eq!(world.dropsheet(&["resume"]).status, 0);
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let second = format!(
        "[account.second]\nbase_url = \"{}\"\nemail = \"second@example.com\"\npassword_file = \"password\"\n\n",
        world.service.base_url()
    );
    let moved = config.replace(
        "[inbox.main]",
        &format!("{second}[inbox.main]\naccount = \"second\""),
    );
    write(&path, moved.as_bytes());
    let ran = world.run_once();
    assert_eq!(world.creates(), 0, "{ran:?}");
    let nobody = "inbox `main`: orders that nobody sends";
    assert_eq!((ran.status, ran.said.contains(nobody)), (3, true), "{ran:?}");
    let why =
        "It was approved for account `main` and is not sent: its inbox `main` belongs to account `second`";
    assert!(ran.logged.contains(why), "{ran:?}");
    let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(told.contains(why), "{told}");
    let said = world.dropsheet(&["status"]).said;
    assert!(said.contains(&format!("Order 1001 and 1 more: {why}")), "{said}");
    assert!(
        said.contains("Set account = \"main\" in [inbox.main] again"),
        "{said}"
    );
    write(&path, config.replace("[inbox.main]", "[inbox.other]").as_bytes());
    let said = world.dropsheet(&["status"]).said;
    assert!(
        said.contains("its inbox `main` is not in the config any more"),
        "{said}"
    );
    write(&path, config.as_bytes());
    assert_eq!(world.run_once().status, 0);
    assert_eq!((world.creates(), status(&world, "1001").as_str()), (2, "created"));
    let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(told.contains("nothing needs a person"), "{told}");
    world.end();
}

#[test]
fn a_pass_that_leaves_undone_what_an_inbox_had_that_left_the_config_ends_with_3() {
    let mut world = world("max_order_total = 20");
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.dropsheet(&["pause"]).status, 0);
    move_to(&world, "approved");
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.dropsheet(&["resume"]).status, 0);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert!(world.run_once_crashing("claimed").crashed());
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let (here, elsewhere) = (
        "[inbox.main]\npath = \"orders\"",
        "[inbox.other]\npath = \"other\"",
    );
    write(&path, config.replace(here, elsewhere).as_bytes());
    assert_eq!(world.dropsheet(&["init"]).status, 0);
    for _pass in 0..2 {
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        for said in [
            "inbox `main`: orders that nobody sends, for it is not in the config, or belongs to another account there: 1;",
            "inbox `main` is not in the config, and sheets of it are not at their end: 1;",
        ] {
            assert!(ran.said.contains(said), "{ran:?}");
        }
    }
    assert_eq!(world.creates(), 0);
    // Another inbox beside it is no trouble of its own.
    let both = format!("{config}\n{elsewhere}\nstable_for = \"50ms\"\n");
    write(&path, both.as_bytes());
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_daemon_follows_what_a_person_decides() {
    let mut world = World::with(Setup {
        service: Options {
            list_lag: std::time::Duration::ZERO,
            ..Setup::default().service
        },
        inbox: REQUIRED,
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let daemon = world.daemon();
    wait_for("the orders are listed", || {
        world
            .files("held")
            .iter()
            .any(|name| name.ends_with("_monday.held.xlsx"))
    });
    move_to(&world, "approved");
    wait_for("the result tells of both", || {
        world.find_result("monday.csv").is_some_and(|result| {
            result.column("result_status") == ["created"; 2] && world.files("held").is_empty()
        })
    });
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn what_was_made_by_hand_while_it_waited_for_approval_is_not_made_again() {
    let mut world = world("");
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let daemon = world.daemon();
    let unexpected = format!("{HEADER},expected_total\n{},1.00\n", row("1001", 1));
    world.drop_csv("monday.csv", &unexpected);
    wait_for("it is held", || {
        world.files("held").iter().any(|name| !name.starts_with('.'))
    });
    // Nothing has read the list since.
    let by_hand = placed(&world, "999", "1001");
    world.service.insert_order(&by_hand);
    world.excused.push("1001".to_owned());
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    move_to(&world, "approved");
    wait_for("it is decided", || status(&world, "1001") != "held");
    assert_eq!(status(&world, "1001"), "already_created");
    assert_eq!(world.creates(), 1);
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn what_was_made_by_hand_after_a_first_approval_is_not_made_again_by_the_next() {
    let mut world = world("");
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let by_hand = placed(&world, "999", "1001");
    let daemon = world.daemon();
    let unexpected = format!("{HEADER},expected_total\n{},1.00\n", row("1001", 1));
    world.drop_csv("monday.csv", &unexpected);
    let is_listed = |world: &World| world.files("held").iter().any(|name| !name.starts_with('.'));
    wait_for("it is held", || is_listed(&world));
    let risen = "99.00".parse().unwrap();
    assert!(world.service.set_cost("TEE-CLASSIC-BLK-S", risen));
    move_to(&world, "approved");
    let codes = |world: &World| world.result("monday.csv").of("1001", "result_codes").to_owned();
    wait_for("it is held again, for its price has risen", || {
        codes(&world).contains("price-risen") && is_listed(&world)
    });
    world.service.insert_order(&by_hand);
    world.excused.push("1001".to_owned());
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    move_to(&world, "approved");
    wait_for("it is decided", || status(&world, "1001") != "held");
    assert_eq!(status(&world, "1001"), "already_created");
    assert_eq!(world.creates(), 1);
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn an_approved_order_that_is_not_sent_yet_is_nowhere_told_to_wait_for_a_person() {
    let mut world = world(REQUIRED);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let held = world.dropsheet(&["orders", "show", "1001"]).said;
    assert!(held.contains("held because"), "{held}");
    write(&world.orders_path("STOP"), b"");
    move_to(&world, "approved");
    world.run_once();
    world.drop_csv("tuesday.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    world.run_once();
    let tuesday = world.result("tuesday.csv");
    assert_eq!(tuesday.of("1001", "result_status"), "changed");
    let said = tuesday.of("1001", "result_message");
    assert!(
        said.contains("is approved already") && said.contains("cancel it, then drop it again"),
        "{said}"
    );
    let approved = "approved, at most at 13.64; not sent yet";
    for args in [&["orders", "list"][..], &["orders", "show", "1001"]] {
        let ran = world.dropsheet(args);
        assert!(
            ran.said.contains(approved) && !ran.said.contains("held because"),
            "{ran:?}"
        );
    }
    let listed = world.dropsheet(&["orders", "list", "--json"]).said;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed[0]["approved_total"].to_string(), "13.64");
    write(&world.path("again.csv"), sheet(&["1001", "1002"]).as_bytes());
    let checked = world.dropsheet(&["check", "again.csv"]).said;
    assert!(
        checked.contains("held for a person: 1, 1 known already or not to be sent"),
        "{checked}"
    );
    // As the message says.
    assert_eq!(world.dropsheet(&["orders", "cancel", "1001"]).status, 0);
    fs::remove_file(world.orders_path("STOP")).unwrap();
    world.drop_csv("again.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    world.run_once();
    assert_eq!(world.result("again.csv").of("1001", "result_status"), "held");
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn what_the_service_does_not_price_any_more_says_that_approving_alone_may_not_help() {
    let world = held_at_a_price();
    assert!(world.service.remove_sku("TEE-CLASSIC-BLK-S"));
    move_to(&world, "approved");
    world.run_once();
    assert_eq!(status(&world, "1001"), "held");
    let said = world.result("monday.csv").of("1001", "result_message").to_owned();
    assert!(
        said.contains("decline it, and drop it again with what the service takes"),
        "{said}"
    );
    world.end();
}

#[test]
fn rows_that_are_ordered_twice_by_a_persons_word_are_not_to_be_taken_out_of_the_sheet() {
    let mut world = world("");
    let twice = format!("{HEADER}\n{0}\n{0}\n", row("1001", 1));
    world.drop_csv("monday.csv", &twice);
    assert_eq!(world.run_once().status, 3);
    let said = world.result("monday.csv").column("result_message").join(" ");
    assert!(said.contains("remove the row and drop the sheet again"), "{said}");
    move_to(&world, "approved");
    assert_eq!(world.run_once().status, 0);
    let said = world.result("monday.csv").column("result_message").join(" ");
    assert!(
        said.contains("Both are ordered.") && !said.contains("drop the sheet again"),
        "{said}"
    );
    world.end();
}
