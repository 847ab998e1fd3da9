//! What a sheet's result has said stays said while its other orders wait, however often it is worked.

use crate::world::{HEADER, Setup, World, row, sheet, write};

/// A world that has a catalog and one order, from a sheet of its own.
fn world(setup: Setup<'_>) -> World {
    let mut world = World::with(setup);
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    assert_eq!(world.run_once().status, 0);
    world
}

fn cell(world: &World, sheet: &str, order_id: &str, column: &str) -> String {
    world.result(sheet).of(order_id, column).to_owned()
}

fn status(world: &World, sheet: &str, order_id: &str) -> String {
    cell(world, sheet, order_id, "result_status")
}

#[test]
fn a_cancel_that_the_service_refused_is_asked_for_once() {
    let mut world = world(Setup::default());
    assert!(world.service.produce(&world.pw("900")));
    world.stop();
    world.drop_csv("monday.csv", &with_cancel("900", "1001"));
    for _pass in 0..3 {
        assert_eq!(world.run_once().status, 3);
        assert_eq!(status(&world, "monday.csv", "900"), "not_canceled");
        assert_eq!(status(&world, "monday.csv", "1001"), "waiting");
    }
    world.go_on();
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "monday.csv", "900"), "not_canceled");
    assert_eq!(status(&world, "monday.csv", "1001"), "created");
    assert_eq!(world.service.count("cancel-order"), 1);
    // Dropped again, it is asked for once more.
    world.drop_csv("tuesday.csv", "order_id,action\n900,cancel\n");
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.service.count("cancel-order"), 2);
    world.end();
}

/// A sheet that cancels an order and makes another.
fn with_cancel(canceled: &str, made: &str) -> String {
    let empty = ",".repeat(HEADER.matches(',').count());
    format!(
        "{HEADER},action\n{canceled}{empty},cancel\n{},create\n",
        row(made, 1)
    )
}

#[test]
fn a_cancel_does_not_reach_what_a_later_sheet_has_made_of_the_order() {
    let mut world = world(Setup {
        inbox: "max_order_total = 20\n\
                [inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\nresult_format = \"csv\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "monday.csv", "1001"), "held");
    // The other order of the sheet that cancels it has to wait.
    write(&world.path("other/STOP"), b"");
    write(
        &world.path("other/inbox/cancel.csv"),
        with_cancel("1001", "1002").as_bytes(),
    );
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "monday.csv", "1001"), "declined");
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "tuesday.csv", "1001"), "created");
    std::fs::remove_file(world.path("other/STOP")).unwrap();
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(status(&world, "tuesday.csv", "1001"), "created");
    assert_eq!(world.service.count("cancel-order"), 0);
    assert_eq!(world.at_service("1002").len(), 1);
    world.excused.push("1002".to_owned());
    world.end();
}

#[test]
fn what_was_refused_is_not_sent_by_its_own_sheet_later() {
    let mut world = world(Setup {
        account: "max_in_flight = 1\nquote_reuse = \"0s\"",
        ..Setup::default()
    });
    let mug = row("1001", 1).replace("TEE-CLASSIC-BLK-S", "MUG-CERAMIC-WHT-11OZ");
    assert!(world.service.remove_sku("MUG-CERAMIC-WHT-11OZ"));
    world.service.set_fault("error-500-quote=after:1").unwrap();
    world.drop_csv("monday.csv", &format!("{HEADER}\n{mug}\n{}\n", row("1002", 1)));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "monday.csv", "1001"), "refused");
    assert_eq!(status(&world, "monday.csv", "1002"), "waiting");
    world.service.clear_faults();
    let quotes = world.service.count("calculate-price-order");
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "monday.csv", "1001"), "refused");
    assert_eq!(status(&world, "monday.csv", "1002"), "created");
    let asked = world.service.count("calculate-price-order") - quotes;
    assert_eq!(asked, 1, "its price is not asked again");
    world.end();
}

#[test]
fn an_order_that_is_told_to_be_dropped_again_is_not_sent_without_that() {
    let mut world = world(Setup {
        inbox: "sku_map = \"skus.csv\"",
        ..Setup::default()
    });
    let own = row("1001", 1).replace("TEE-CLASSIC-BLK-S", "OWN-1");
    world.stop();
    world.drop_csv("monday.csv", &format!("{HEADER}\n{own}\n{}\n", row("1002", 1)));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "monday.csv", "1001"), "invalid");
    write(
        &world.path("skus.csv"),
        b"sku,item_sku\nOWN-1,TEE-CLASSIC-BLK-S\n",
    );
    world.go_on();
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "monday.csv", "1001"), "invalid");
    assert_eq!(status(&world, "monday.csv", "1002"), "created");
    world.drop_csv("tuesday.csv", &format!("{HEADER}\n{own}\n"));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(status(&world, "tuesday.csv", "1001"), "created");
    assert_eq!(world.at_service("1001").len(), 1);
    world.end();
}

#[test]
fn a_sheet_whose_columns_are_read_otherwise_while_it_waits_gets_its_result() {
    let mut world = World::new();
    world.stop();
    let config = std::fs::read_to_string(world.path("dropsheet.toml")).unwrap();
    let columns = HEADER.split(',').filter(|name| *name != "order_id");
    let same: Vec<String> = columns.map(|name| format!("{name} = \"{name}\"")).collect();
    let same = same.join("\n");
    let read_by = |column: &str| {
        let profile =
            "[profile.mine]\nrecognise = [\"line\", \"order\"]\n[profile.mine.columns]\norder_id = ";
        let text = format!("{config}profile = \"mine\"\n{profile}\"{column}\"\n{same}\n");
        write(&world.path("dropsheet.toml"), text.as_bytes());
    };
    read_by("line");
    let cells = row("", 1);
    let sheet = format!(
        "line,order{}\nL-1,1001{cells}\n1.23E+12,1001{cells}\n",
        HEADER.replacen("order_id", "", 1)
    );
    write(&world.orders_path("inbox").join("monday.csv"), sheet.as_bytes());
    assert_eq!(world.run_once().status, 3);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["waiting", "invalid"]);
    read_by("order");
    world.go_on();
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["created", "created"]);
    assert_eq!(result.column("result_order_id"), ["1001", "1001"]);
    assert_eq!(world.creates(), 1);
    world.excused.push("1001".to_owned());
    world.end();
}

#[test]
fn a_row_that_may_be_a_line_of_a_created_order_does_not_change_that() {
    let mut world = world(Setup::default());
    let columns = HEADER.split(',');
    let stray = columns.map(|name| match name {
        "item_sku" => "TEE-CLASSIC-BLK-M",
        "quantity" => "1",
        "artwork_front" => "https://example.com/art/fox.png",
        _ => "",
    });
    let stray: Vec<&str> = stray.collect();
    let again = |below: &str| format!("{HEADER}\n{}\n{below}\n", row("900", 1));
    world.drop_csv("monday.csv", &again(&stray.join(",")));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(status(&world, "monday.csv", "900"), "invalid");
    assert_eq!(cell(&world, "monday.csv", "900", "result_codes"), "missing-value");
    let sum = stray.join(",").replace("TEE-CLASSIC-BLK-M", "Total");
    world.drop_csv("tuesday.csv", &again(&sum));
    world.run_once();
    assert_eq!(status(&world, "tuesday.csv", "900"), "already_created");
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_copy_that_is_gone_before_its_time_is_made_anew_from_the_original_for_its_result_s_news() {
    let mut world = world(Setup::default());
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert!(world.service.fulfil(&world.pw("1001")));
    let remove_copies = || {
        for copy in std::fs::read_dir(world.path("spool")).unwrap() {
            std::fs::remove_file(copy.unwrap().path()).unwrap();
        }
    };
    remove_copies();
    let synced = world.dropsheet(&["orders", "sync"]);
    assert!(
        synced.logged.contains("made anew from the original"),
        "{synced:?}"
    );
    let tracking = cell(&world, "monday.csv", "1001", "result_tracking");
    assert!(tracking.contains("TRK"), "{tracking}");
    // Without its original too, the result stays as it is.
    remove_copies();
    for name in world.files("done") {
        std::fs::remove_file(world.orders_path("done").join(name)).unwrap();
    }
    assert!(world.service.trouble(&world.pw("900")));
    let synced = world.dropsheet(&["orders", "sync"]);
    assert!(synced.logged.contains("its result stays as it is"), "{synced:?}");
    assert_ne!(
        cell(&world, "sunday.csv", "900", "result_order_status"),
        "problem"
    );
    world.end();
}
