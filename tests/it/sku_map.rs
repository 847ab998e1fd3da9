//! A shop's own SKUs: asked for in a sheet of their own, which is filled in and dropped, and then what was to be fixed
//! goes through.

mod known;

use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};

use crate::world::{HEADER, Setup, World, row, wait_for, write};

const EXPORT: &str = "Name,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,Shipping Address1,\
                      Shipping City,Shipping Zip,Shipping Province,Shipping Country\n\
                      #1001,paid,1,Fox tee,FOX-S,Ada Example,12 Maple Street,Columbus,'43004,OH,US\n\
                      #1002,paid,2,Hare tee,,Ada Example,12 Maple Street,Columbus,'43004,OH,US\n";

const MAP: &str = "sku,item_sku,artwork_front,ours\n\
                   FOX-S,TEE-CLASSIC-BLK-S,https://example.com/art/fox.png,kept\n";

const ORDER: &str = "order_id,shipping_name,shipping_address1,shipping_city,shipping_zip,shipping_province_code,\
                     shipping_country_code,item_sku,quantity,artwork_front\n\
                     2001,Ada Example,12 Maple Street,Columbus,43004,OH,US,TEE-CLASSIC-BLK-S,1,\
                     https://example.com/art/fox.png\n";

fn shop() -> World {
    let world = World::with(Setup {
        inbox: "sku_map = \"sku-map.csv\"",
        ..Setup::default()
    });
    write(&world.path("sku-map.csv"), MAP.as_bytes());
    world
}

fn map(world: &World) -> String {
    let bytes = std::fs::read(world.path("sku-map.csv")).unwrap();
    String::from_utf8(bytes)
        .unwrap()
        .trim_start_matches('\u{feff}')
        .replace("\r\n", "\n")
}

/// The results whose name ends so.
fn results(world: &World, ending: &str) -> Vec<String> {
    world
        .files("results")
        .into_iter()
        .filter(|name| name.ends_with(ending))
        .collect()
}

#[test]
fn an_unknown_sku_is_asked_for_and_once_it_is_answered_the_rows_to_fix_go_through() {
    let mut world = shop();
    world.drop_bytes("monday.csv", EXPORT.as_bytes());
    world.run_once();
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["created", "invalid"]);
    let asked = results(&world, "monday.sku-map.xlsx");
    assert_eq!(asked.len(), 1, "{:?}", world.files("results"));
    let mut book: Xlsx<_> = open_workbook(world.orders_path("results").join(&asked[0])).unwrap();
    let page = book.worksheet_range_at(0).unwrap().unwrap();
    let lines = page.rows().map(|row| row.last().unwrap().clone());
    let heading = Data::String("lines waiting".to_owned());
    assert_eq!(lines.collect::<Vec<_>>(), [heading, Data::Float(1.0)]);

    let answer = "sku,item_sku,artwork_front,in the shop\n\
                  Hare tee,tee-classic-blk-m,https://example.com/art/hare.png,Hare tee\n\
                  NEW,TEE-NO-SUCH,,\n\
                  GIFT,not-printed-here,,\n\
                  LATER,,,\n\
                  LOST,tee-classic-blk-m,#N/A,\n";
    world.drop_bytes("answer.csv", answer.as_bytes());
    world.run_once();
    let result = world.result("answer.csv");
    assert_eq!(
        result.column("result_status"),
        ["skipped", "invalid", "skipped", "skipped", "invalid"]
    );
    assert_eq!(
        result.column("result_codes"),
        [
            "sku-mapped",
            "unknown-sku",
            "sku-mapped",
            "not-to-print",
            "cell-error"
        ]
    );
    let extended = map(&world);
    assert!(
        extended.starts_with("sku,item_sku,artwork_front,ours,"),
        "{extended}"
    );
    for row in [
        "FOX-S,TEE-CLASSIC-BLK-S,https://example.com/art/fox.png,kept",
        "GIFT,not-printed-here,",
    ] {
        assert!(extended.contains(row), "{extended}");
    }
    assert!(
        ["NEW", "LATER", "LOST"].iter().all(|sku| !extended.contains(sku)),
        "{extended}"
    );
    let older: Vec<String> = crate::world::names(&world.path(""))
        .into_iter()
        .filter(|name| name.starts_with("sku-map.") && name != "sku-map.csv")
        .collect();
    let [older] = &older[..] else {
        panic!("the map as it was is kept: {older:?}")
    };
    assert_eq!(std::fs::read_to_string(world.path(older)).unwrap(), MAP);

    let to_fix = results(&world, "monday.to-fix.xlsx").remove(0);
    let bytes = std::fs::read(world.orders_path("results").join(to_fix)).unwrap();
    world.drop_bytes("monday.to-fix.xlsx", &bytes);
    world.run_once();
    assert_eq!(
        world.result("monday.to-fix.xlsx").column("result_status"),
        ["created"]
    );
    world.end();
}

/// The first page of a workbook, as separated text.
fn as_csv(path: &Path) -> String {
    let mut book: Xlsx<_> = open_workbook(path).unwrap();
    let page = book.worksheet_range_at(0).unwrap().unwrap();
    let text = |row: &[Data]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    page.rows().map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_sheet_that_asks_shows_what_the_map_has_and_takes_nothing_away() {
    let mut world = shop();
    let before = "sku,item_sku,artwork_front,artwork_back,made_in_location,variant_note,price\n\
                  A,TEE-GONE,https://example.com/a.png,https://example.com/back.png,US-EAST,note A,9\n\
                  B,TEE-CLASSIC-BLK-S,,,US-WEST,note B,8\n";
    write(&world.path("sku-map.csv"), before.as_bytes());
    let export = EXPORT.replace("FOX-S", "A").replace(",,Ada", ",B,Ada");
    world.drop_bytes("monday.csv", export.as_bytes());
    world.run_once();
    let asked = results(&world, "monday.sku-map.xlsx").remove(0);
    let asked = as_csv(&world.orders_path("results").join(asked));
    let shown = "A,TEE-GONE,https://example.com/a.png,https://example.com/back.png,,,,,US-EAST,,note A,";
    assert!(asked.contains(shown), "{asked}");
    assert!(
        asked.contains("B,TEE-CLASSIC-BLK-S,,,,,,,US-WEST,,note B,"),
        "{asked}"
    );

    let answer = "sku,item_sku,artwork_front,artwork_back,made_in_location,variant_note\n\
                  A,TEE-CLASSIC-BLK-M,,,,\n\
                  B,TEE-CLASSIC-BLK-S,https://example.com/b.png,,,\n";
    world.drop_bytes("answer.csv", answer.as_bytes());
    world.run_once();
    let expected = before
        .replace("TEE-GONE", "TEE-CLASSIC-BLK-M")
        .replace("BLK-S,,,", "BLK-S,https://example.com/b.png,,");
    let extended = map(&world);
    let columns = |line: &str| line.split(',').take(7).collect::<Vec<_>>().join(",");
    let extended: Vec<String> = extended.lines().map(columns).collect();
    assert_eq!(extended, expected.lines().collect::<Vec<_>>());
    world.end();
}

#[test]
fn a_map_that_cannot_be_written_is_told_until_it_can() {
    let mut world = World::with(Setup {
        inbox: "sku_map = \"maps/shop.csv\"",
        ..Setup::default()
    });
    world.drop_bytes("answer.csv", b"sku,item_sku\nHARE,TEE-CLASSIC-BLK-M\n");
    assert_eq!(world.run_once().status, 3);
    let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    let status = world.dropsheet(&["status"]).said;
    for said in [&told, &status] {
        assert!(said.contains("cannot write the SKU map"), "{said}");
        assert!(
            said.contains("maps/shop.csv; check that its folder is there"),
            "{said}"
        );
    }
    let doctor = world.dropsheet(&["doctor"]);
    assert!(
        doctor
            .said
            .contains("/maps is not there: the map cannot be written"),
        "{doctor:?}"
    );

    std::fs::create_dir(world.path("maps")).unwrap();
    world.run_once();
    let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(!told.contains("SKU map"), "{told}");
    assert!(world.path("maps/shop.csv").exists());
    world.end();
}

#[test]
fn a_map_that_cannot_be_replaced_gathers_no_copies_beside_it() {
    let mut world = shop();
    world.drop_bytes("answer.csv", b"sku,item_sku\nHARE,TEE-CLASSIC-BLK-M\n");
    let older = |world: &World| {
        let names = std::fs::read_dir(world.path("")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("sku-map.")).count() - 1
    };
    for _time in 0..2 {
        world.run_once_crashing("file-replace:1:errors");
        assert_eq!(older(&world), 0);
    }
    assert!(!map(&world).contains("HARE"));
    world.run_once();
    assert!(map(&world).contains("HARE"));
    assert_eq!(older(&world), 1, "the map as it was");
    world.end();
}

#[test]
fn a_map_that_was_replaced_though_that_was_said_to_have_failed_is_kept_as_it_was() {
    let mut world = shop();
    let raw = |world: &World| std::fs::read(world.path("sku-map.csv")).unwrap();
    let skus = ["TEE-CLASSIC-BLK-M", "TEE-CLASSIC-BLK-S"].into_iter().cycle();
    let lies = |world: &World, bytes: &[u8]| {
        let names = std::fs::read_dir(world.path("")).unwrap();
        let paths = names.map(|entry| entry.unwrap().path());
        let mut copies = paths.filter(|path| path.to_string_lossy().contains("sku-map."));
        copies.any(|path| path != world.path("sku-map.csv") && std::fs::read(path).unwrap() == bytes)
    };
    let is_hit = (1..100).zip(skus).any(|(nth, sku)| {
        let before = raw(&world);
        world.drop_bytes(
            "answer.csv",
            format!("sku,item_sku\nHARE{nth},{sku}\n").as_bytes(),
        );
        let ran = world.run_once_crashing(&format!("folder-sync:{nth}:error"));
        let is_hit = ran.said.contains("cannot write the SKU map") && raw(&world) != before;
        assert!(!is_hit || lies(&world, &before), "{ran:?}");
        world.run_once();
        is_hit
    });
    assert!(is_hit, "the folder of the map is synced");
    world.end();
}

#[test]
fn orders_wait_for_a_map_that_cannot_be_opened_now() {
    let mut world = shop();
    std::fs::remove_file(world.path("sku-map.csv")).unwrap();
    std::os::unix::fs::symlink("sku-map.csv", world.path("sku-map.csv")).unwrap();
    world.drop_bytes("monday.csv", EXPORT.replace(",,Ada", ",FOX-S,Ada").as_bytes());
    world.drop_bytes("native.csv", ORDER.as_bytes());
    assert_eq!(world.run_once().status, 3);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["waiting", "waiting"]);
    assert_eq!(result.column("result_codes"), ["sku-map-waits", "sku-map-waits"]);
    let said = &result.column("result_message")[0];
    assert!(
        said.contains("The SKU map `sku-map.csv` cannot be opened ("),
        "{said}"
    );
    let status = || std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(
        status().contains("The SKU map `sku-map.csv` cannot be opened ("),
        "{}",
        status()
    );
    // A preview waits for nothing.
    write(&world.path("preview.csv"), EXPORT.as_bytes());
    let checked = world.dropsheet(&["check", "preview.csv"]);
    assert!(checked.said.contains("cannot be opened ("), "{checked:?}");

    std::fs::remove_file(world.path("sku-map.csv")).unwrap();
    write(&world.path("sku-map.csv"), MAP.as_bytes());
    world.run_once();
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["created", "created"]);
    let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(!told.contains("SKU map"), "{told}");
    world.end();
}

#[test]
fn a_map_that_somebody_has_open_is_extended_when_it_is_closed() {
    let mut world = shop();
    let lock = world.path(".~lock.sku-map.csv#");
    write(&lock, b",ada,desk,21.11.2026 09:14");
    world.drop_bytes("answer.csv", b"sku,item_sku\nHARE,TEE-CLASSIC-BLK-M\n");
    assert_eq!(world.run_once().status, 3);
    assert!(!map(&world).contains("HARE"));
    let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(told.contains("is open in another program"), "{told}");
    std::fs::remove_file(lock).unwrap();
    world.run_once();
    assert!(map(&world).contains("HARE"));
    world.end();
}

#[test]
fn orders_wait_for_an_older_sheet_that_cannot_be_taken_into_the_map() {
    let mut world = World::with(Setup {
        inbox: "sku_map = \"maps/shop.csv\"",
        ..Setup::default()
    });
    world.drop_bytes("1-native.csv", ORDER.as_bytes());
    world.run_once();
    world.drop_bytes("1-map.csv", MAP.as_bytes());
    world.drop_bytes("2-orders.csv", EXPORT.replace(",,Ada", ",FOX-S,Ada").as_bytes());
    world.drop_bytes("3-cancel.csv", b"order_id,action\n2001,cancel\n");
    assert_eq!(world.run_once().status, 3);
    // What is known needs no map.
    assert_eq!(world.result("3-cancel.csv").column("result_status"), ["canceled"]);
    let result = world.result("2-orders.csv");
    assert_eq!(result.column("result_status"), ["waiting", "waiting"]);
    assert_eq!(
        result.column("result_codes"),
        ["sku-map-waits", "sku-map-waits"],
        "{result:?}"
    );

    std::fs::create_dir(world.path("maps")).unwrap();
    world.run_once();
    assert_eq!(
        world.result("2-orders.csv").column("result_status"),
        ["created", "created"]
    );
    world.end();
}

#[test]
fn a_sheet_that_is_in_the_map_is_not_taken_again_before_its_result_is_written() {
    let mut world = shop();
    let correction = MAP.replace("BLK-S", "BLK-M");
    world.drop_bytes("map.csv", correction.as_bytes());
    world.run_once_crashing("result-written");
    assert!(map(&world).contains("BLK-M"), "{}", map(&world));
    let by_hand = MAP.replace("BLK-S", "BLK-XL");
    write(&world.path("sku-map.csv"), by_hand.as_bytes());
    world.run_once();
    assert_eq!(world.result("map.csv").column("result_codes"), ["sku-mapped"]);
    assert_eq!(map(&world), by_hand);
    world.end();
}

#[test]
fn the_same_answer_dropped_twice_changes_the_map_once() {
    let mut world = shop();
    let answer = "sku,item_sku\nHARE,TEE-CLASSIC-BLK-M\n";
    world.drop_bytes("answer.csv", answer.as_bytes());
    world.run_once();
    let once = map(&world);
    world.drop_bytes("again.csv", answer.as_bytes());
    world.run_once();
    assert_eq!(map(&world), once);
    assert_eq!(once.matches("HARE").count(), 1);
    world.end();
}

#[test]
fn a_changed_map_is_read_and_makes_no_sent_order_another_one() {
    let mut world = shop();
    world.drop_bytes("monday.csv", EXPORT.as_bytes());
    world.run_once();
    write(
        &world.path("sku-map.csv"),
        MAP.replace("BLK-S", "BLK-XL")
            .replace("fox.png", "wolf.png")
            .as_bytes(),
    );
    let export = EXPORT.replace("#1002", "#1003").replace(",,Ada", ",FOX-S,Ada");
    world.drop_bytes("tuesday.csv", export.as_bytes());
    world.run_once();
    let result = world.result("tuesday.csv");
    assert_eq!(result.column("result_status"), ["already_created", "created"]);
    let skus: Vec<String> = world
        .service
        .orders()
        .iter()
        .map(|order| order.order.items[0].sku.clone())
        .collect();
    assert_eq!(skus, ["TEE-CLASSIC-BLK-S", "TEE-CLASSIC-BLK-XL"]);
    world.end();
}

#[test]
fn a_map_dropped_into_an_inbox_without_one_is_rejected_with_the_key_to_set() {
    let mut world = World::new();
    world.drop_bytes("answer.csv", b"sku,item_sku\nHARE,TEE-CLASSIC-BLK-M\n");
    world.run_once();
    let rejected = world.files("rejected");
    let reason = rejected.iter().find(|name| name.ends_with(".error.txt")).unwrap();
    let reason = std::fs::read_to_string(world.orders_path("rejected").join(reason)).unwrap();
    assert!(reason.contains("inbox.main.sku_map"), "{reason}");
    world.end();
}

#[test]
fn what_the_map_has_lost_is_not_left_out_of_an_order() {
    let mut world = shop();
    let map = "sku,item_sku,artwork_front,artwork_back,made_in_location\n\
               FOX-S,TEE-CLASSIC-BLK-S,https://example.com/art/fox.png,#N/A,\n\
               Hare tee,TEE-CLASSIC-BLK-S,https://example.com/art/hare.png,,#REF!\n";
    write(&world.path("sku-map.csv"), map.as_bytes());
    world.drop_bytes("monday.csv", EXPORT.as_bytes());
    world.run_once();
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["invalid", "invalid"]);
    assert_eq!(result.column("result_codes"), ["cell-error", "cell-error"]);
    for (message, said) in result.column("result_message").into_iter().zip([
        "Row 2 of the SKU map says what `FOX-S` is, and its cell D2 cannot be read: The cell for artwork_back holds the \
         error `#N/A`.",
        "Row 3 of the SKU map says what `Hare tee` is, and its cell E3 cannot be read: The cell for made_in_location \
         holds the error `#REF!`.",
    ]) {
        assert!(message.contains(said), "{message}");
    }
    world.end();
}

#[test]
fn orders_dropped_after_a_corrected_map_are_sent_by_it_under_a_daemon_too() {
    let mut world = shop();
    let correction = MAP
        .replace("BLK-S", "BLK-XL")
        .replace(",ours", "")
        .replace(",kept", "");
    world.drop_bytes("1-map.csv", correction.as_bytes());
    world.drop_bytes("2-orders.csv", EXPORT.replace(",,Ada", ",FOX-S,Ada").as_bytes());
    let daemon = world.daemon();
    wait_for("the orders", || world.find_result("2-orders.csv").is_some());
    drop(daemon);
    world.run_until_settled();
    assert_eq!(
        world.result("2-orders.csv").column("result_status"),
        ["created", "created"]
    );
    let orders = world.service.orders();
    let skus: Vec<&str> = orders
        .iter()
        .map(|order| order.order.items[0].sku.as_str())
        .collect();
    assert_eq!(skus, ["TEE-CLASSIC-BLK-XL", "TEE-CLASSIC-BLK-XL"]);
    world.end();
}

#[test]
fn a_map_that_waits_for_another_account_s_service_keeps_no_orders_waiting() {
    // Nobody answers at that address, and there is no catalog of that account yet.
    let mut world = World::with(Setup {
        account: "[account.away]\nbase_url = \"http://127.0.0.1:0\"\nemail = \"a@example.com\"\npassword_file = \"password\"",
        inbox: "account = \"main\"\nsku_map = \"sku-map.csv\"\n\
                [inbox.away]\npath = \"away\"\naccount = \"away\"\nsku_map = \"sku-map.csv\"\nstable_for = \"50ms\"",
        ..Setup::default()
    });
    write(&world.path("sku-map.csv"), MAP.as_bytes());
    write(&world.path("away/inbox/map.csv"), MAP.as_bytes());
    let daemon = world.daemon();
    wait_for("the map is taken", || {
        let processing = world.path("away/processing");
        crate::world::names(&processing)
            .iter()
            .any(|name| !name.starts_with('.'))
    });
    world.drop_bytes("orders.csv", EXPORT.replace(",,Ada", ",FOX-S,Ada").as_bytes());
    wait_for("the orders", || world.find_result("orders.csv").is_some());
    assert_eq!(
        world.result("orders.csv").column("result_status"),
        ["created", "created"]
    );
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn rows_of_one_dropped_map_that_contradict_each_other_are_errors_and_none_of_them_is_taken() {
    let mut world = shop();
    let answer = "sku,item_sku,artwork_front\n\
                  HARE,TEE-CLASSIC-BLK-M,https://example.com/art/hare.png\n\
                  WOLF,TEE-CLASSIC-BLK-M,\n\
                  hare,TEE-CLASSIC-BLK-L,\n\
                  Wolf,tee-classic-blk-m,https://example.com/art/wolf.png\n\
                  OWL,TEE-CLASSIC-BLK-M,https://example.com/art/owl.png\n\
                  OWL,TEE-NO-SUCH,\n";
    world.drop_bytes("answer.csv", answer.as_bytes());
    world.run_once();
    let result = world.result("answer.csv");
    assert_eq!(
        result.column("result_codes"),
        [
            "sku-answered-twice",
            "sku-mapped",
            "sku-answered-twice",
            "sku-mapped",
            "sku-answered-twice",
            "unknown-sku sku-answered-twice",
        ]
    );
    let messages = result.column("result_message");
    assert!(
        messages[0]
            .contains("Row 4 says something else of `HARE`: nothing of it was taken into the SKU map."),
        "{}",
        messages[0]
    );
    let extended = map(&world).to_lowercase();
    assert!(
        !extended.contains("hare") && !extended.contains("owl"),
        "{extended}"
    );
    assert_eq!(
        extended.matches("wolf,tee-classic-blk-m").count(),
        1,
        "{extended}"
    );
    world.end();
}

#[test]
fn spellings_that_the_map_takes_for_one_sku_are_asked_for_in_one_row() {
    let mut world = shop();
    let export = EXPORT.replace("FOX-S", "HARE-S").replace(",,Ada", ",hare-s,Ada");
    world.drop_bytes("monday.csv", export.as_bytes());
    world.run_once();
    let asked = results(&world, "monday.sku-map.xlsx").remove(0);
    let asked = as_csv(&world.orders_path("results").join(asked));
    let rows: Vec<&str> = asked.lines().skip(1).collect();
    assert_eq!(rows.len(), 1, "{asked}");
    assert!(
        rows[0].starts_with("HARE-S,") && rows[0].ends_with(",2"),
        "{asked}"
    );
    world.end();
}

#[test]
fn what_would_be_an_error_of_every_order_is_not_taken_into_the_map() {
    let mut world = shop();
    // The catalog, by which the locations are known.
    world.drop_bytes("monday.csv", ORDER.as_bytes());
    world.run_once();
    let note = "x".repeat(600);
    let answer = format!(
        "sku,item_sku,artwork_front,made_in_location,variant_note\n\
         N1,TEE-CLASSIC-BLK-S,fox.png,,\n\
         N2,TEE-CLASSIC-BLK-S,https://example.com/a.png,MARS,\n\
         N3,TEE-CLASSIC-BLK-S,https://example.com/a.png,,{note}\n\
         N4,TEE-CLASSIC-BLK-S,https://example.com/a.png,,\n"
    );
    world.drop_bytes("answer.csv", answer.as_bytes());
    world.run_once();
    let result = world.result("answer.csv");
    assert_eq!(
        result.column("result_codes"),
        ["bad-url", "unknown-location", "too-long", "sku-mapped"]
    );
    assert_eq!(
        result.column("result_status"),
        ["invalid", "invalid", "invalid", "skipped"]
    );
    let extended = map(&world);
    assert!(
        ["N1", "N2", "N3"].iter().all(|sku| !extended.contains(sku)) && extended.contains("N4"),
        "{extended}"
    );
    world.end();
}

#[test]
fn a_value_of_the_map_that_cannot_be_sent_is_said_to_be_the_maps_and_is_asked_for() {
    let mut world = shop();
    write(
        &world.path("sku-map.csv"),
        MAP.replace("https://example.com/art/fox.png", "fox.png")
            .as_bytes(),
    );
    world.drop_bytes("monday.csv", EXPORT.as_bytes());
    world.run_once();
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_codes")[0], "bad-url");
    let said = result.column("result_message")[0];
    assert!(
        said.contains("artwork_front `fox.png` is no web address; row 2 of the SKU map has it for `FOX-S`."),
        "{said}"
    );
    let asked = results(&world, "monday.sku-map.xlsx").remove(0);
    let asked = as_csv(&world.orders_path("results").join(asked));
    assert!(
        asked
            .lines()
            .any(|line| line.starts_with("FOX-S,") && line.contains("fox.png")),
        "{asked}"
    );
    world.end();
}

#[test]
fn a_sku_of_which_rows_of_the_map_say_different_things_is_not_printed() {
    let mut world = World::with(Setup {
        inbox: "sku_map = \"skus.csv\"",
        ..Setup::default()
    });
    let map = "sku,item_sku\nFOX,TEE-CLASSIC-BLK-S\nFOX,TEE-CLASSIC-BLK-M\nHARE,TEE-CLASSIC-BLK-S\n";
    write(&world.path("skus.csv"), map.as_bytes());
    let of = |id: &str, own: &str| row(id, 1).replace("TEE-CLASSIC-BLK-S", own);
    world.drop_csv(
        "monday.csv",
        &format!("{HEADER}\n{}\n{}\n", of("1001", "FOX"), of("1002", "HARE")),
    );
    assert_eq!(world.run_once().status, 3);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["invalid", "created"]);
    assert_eq!(result.of("1001", "result_codes"), "sku-answered-twice");
    assert!(
        result.of("1001", "result_message").contains("Rows 2 and 3"),
        "{result:?}"
    );
    // A map that was mended since says nothing else of an order that is known.
    write(&world.path("skus.csv"), map.replace("BLK-M", "BLK-S").as_bytes());
    world.drop_csv("tuesday.csv", &format!("{HEADER}\n{}\n", of("1001", "FOX")));
    assert_eq!(world.run_once().status, 0);
    write(&world.path("skus.csv"), map.as_bytes());
    world.drop_csv("wednesday.csv", &format!("{HEADER}\n{}\n", of("1001", "FOX")));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(
        world.result("wednesday.csv").column("result_status"),
        ["already_created"]
    );
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_map_whose_columns_are_called_otherwise_keeps_what_stands_in_them_when_it_is_extended() {
    let mut world = World::with(Setup {
        inbox: "sku_map = \"skus.csv\"",
        ..Setup::default()
    });
    let fox = "https://example.com/art/our-fox.png";
    let map = format!("SKU,Item SKU,Artwork,Location\nFOX,TEE-CLASSIC-BLK-S,{fox},US-EAST\n");
    write(&world.path("skus.csv"), map.as_bytes());
    world.drop_csv(
        "hare.csv",
        "sku,item_sku,artwork_front,made_in_location\n\
         HARE,TEE-CLASSIC-BLK-M,https://example.com/art/hare.png,US-EAST\n",
    );
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?} {:?}", world.result("hare.csv"));
    let of = |id: &str, own: &str| {
        let row = row(id, 1).replace("TEE-CLASSIC-BLK-S", own);
        let (before, _artwork) = row.rsplit_once(',').unwrap();
        format!("{before},\n")
    };
    world.drop_csv(
        "monday.csv",
        &format!("{HEADER}\n{}{}", of("1001", "FOX"), of("1002", "HARE")),
    );
    assert_eq!(world.run_once().status, 0);
    for (id, artwork) in [("1001", fox), ("1002", "https://example.com/art/hare.png")] {
        let line = &world.at_service(id)[0].order.items[0];
        assert_eq!(line.location, "US-EAST", "{line:?}");
        assert!(line.artwork.iter().any(|(_, url)| url == artwork), "{line:?}");
    }
    world.end();
}

#[test]
fn a_sku_map_sheet_that_is_only_tried_is_not_taken_and_says_so() {
    let world = shop();
    let answer = "sku,item_sku,artwork_front\nNEW,tee-classic-blk-m,https://example.com/art/new.png\n";
    write(&world.orders_path("try/answer.csv"), answer.as_bytes());
    world.run_until_settled();
    assert_eq!(map(&world), MAP);
    let quotes = results(&world, "answer.quote.xlsx");
    let path = world.orders_path("results").join(&quotes[0]);
    let mut book: Xlsx<_> = open_workbook(&path).unwrap();
    let text = |name: &str, book: &mut Xlsx<_>| -> String {
        let page = book.worksheet_range(name).unwrap();
        let cells: Vec<String> = page
            .cells()
            .map(|(_row, _column, cell)| cell.to_string())
            .collect();
        cells.join(
            "
",
        )
    };
    let summary = text("Summary", &mut book);
    assert!(summary.contains("drop this sheet into inbox/"), "{summary}");
    assert!(!summary.contains("The SKU map has these rows"), "{summary}");
    let rows = text("Results", &mut book);
    assert!(rows.contains("Not taken, only tried."), "{rows}");
    world.end();
}

#[test]
fn a_blank_sku_leaves_what_the_map_has_and_one_that_became_a_date_is_that_of_no_order() {
    let mut world = shop();
    let mut book = rust_xlsxwriter::Workbook::new();
    let page = book.add_worksheet();
    let date = rust_xlsxwriter::Format::new().set_num_format("yyyy-mm-dd");
    page.write_row(0, 0, ["sku", "item_sku", "artwork_front"])
        .unwrap();
    page.write_row(1, 0, ["FOX-S", "", "https://example.com/art/new.png"])
        .unwrap();
    page.write_row(2, 0, ["HARE", "", "https://example.com/art/hare.png"])
        .unwrap();
    page.write_number_with_format(3, 0, 46115, &date).unwrap();
    page.write_boolean(4, 0, true).unwrap();
    for row in [3, 4] {
        page.write_string(row, 1, "TEE-CLASSIC-BLK-M").unwrap();
    }
    world.drop_bytes("answer.xlsx", &book.save_to_buffer().unwrap());
    world.run_once();
    let result = world.result("answer.xlsx");
    assert_eq!(
        result.column("result_codes"),
        ["sku-mapped", "missing-value", "lost-digits", "lost-digits"]
    );
    let said = result.column("result_message");
    assert!(said[0].contains("`FOX-S` is TEE-CLASSIC-BLK-S"), "{said:?}");
    assert!(
        said[2].contains("has turned sku into `2026-04-03`") && said[3].contains("`TRUE`"),
        "{said:?}"
    );
    assert_eq!(map(&world).replace("art/new.png", "art/fox.png"), {
        let columns = map(&world).lines().next().unwrap().to_owned();
        let blanks =
            ",".repeat(columns.matches(',').count() - MAP.lines().next().unwrap().matches(',').count());
        format!("{columns}\n{}{blanks}\n", MAP.lines().nth(1).unwrap())
    });
    assert!(map(&world).contains("art/new.png"));
    world.end();
}

#[test]
fn a_check_names_no_sheet_that_it_does_not_write_and_takes_nothing_into_the_map() {
    let world = shop();
    let order = ORDER.replace("TEE-CLASSIC-BLK-S", "TEE-CLASIC-BLK-S");
    write(&world.path("orders.csv"), order.as_bytes());
    let said = world.dropsheet(&["check", "orders.csv"]).said;
    assert!(
        said.contains("Did you mean TEE-CLASSIC-BLK-S") && !said.contains("Fill in its row"),
        "{said}"
    );
    assert!(
        said.contains("Once the order is dropped, a SKU-map sheet"),
        "{said}"
    );
    let answer = "sku,item_sku\nOWL,TEE-CLASSIC-BLK-M\nNEW,TEE-NO-SUCH\n";
    write(&world.path("answer.csv"), answer.as_bytes());
    let said = world.dropsheet(&["check", "answer.csv"]).said;
    for words in [
        "Not taken, only tried. Dropped into inbox/: In the SKU map: `OWL` is",
        "rows of a SKU map: 2, can be taken: 1; errors: 1",
    ] {
        assert!(said.contains(words), "{said}");
    }
    assert!(!said.contains("orders:"), "{said}");
    assert_eq!(map(&world), MAP);
    world.end();
}
