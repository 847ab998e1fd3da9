//! Ids as results and the service's pages show them, with the prefix of their inbox: it would be put before them once more.

use dropsheet::sandbox::Options;

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

#[test]
fn an_id_with_the_prefix_that_it_was_sent_with_is_the_known_one() {
    let mut world = World::with(Setup {
        inbox: "order_prefix = \"B-\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    let shown = world.result("monday.csv");
    assert_eq!(shown.column("result_order_id"), ["B-1001", "B-1002"]);
    let tuesday = [row("B-1001", 1), row("B-1002", 7), row("B-1003", 3)];
    world.drop_csv("tuesday.csv", &format!("{HEADER}\n{}\n", tuesday.join("\n")));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("tuesday.csv");
    assert_eq!(
        result.columns(&["result_status", "result_order_id"]),
        [
            ["already_created", "B-1001"],
            ["held", "B-B-1002"],
            ["created", "B-B-1003"]
        ]
    );
    let why = result.of("B-1002", "result_message");
    assert!(why.contains("`1002` of "), "{why}");
    assert!(why.contains("may be the same id in another writing"), "{why}");
    assert_eq!(world.creates(), 3);
    // It is no other order for having been declined.
    let held = world.files("held").remove(0);
    let declined = world.dropsheet(&["decline", held.trim_end_matches(".held.xlsx")]);
    assert_eq!(declined.status, 0, "{declined:?}");
    world.drop_csv("again.csv", &format!("{HEADER}\n{}\n", row("B-1002", 7)));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("again.csv").column("result_status"), ["held"]);
    assert_eq!(world.creates(), 3);
    world.end();
}

fn with_prefix(prefix: &str) -> World {
    World::with(Setup {
        inbox: &format!("order_prefix = \"{prefix}\""),
        ..Setup::default()
    })
}

#[test]
fn an_id_as_it_was_sent_is_the_known_one_in_another_writing_too() {
    let mut world = with_prefix("S-");
    world.drop_csv("monday.csv", &sheet(&["1001", "00777", "po-1", "S-1003"]));
    assert_eq!(world.run_once().status, 0);
    for (name, id) in [
        ("dash", "S\u{2013}1001"),
        ("letters", "s-1001"),
        ("mark", "S-1001."),
        ("word", "Order S-1001"),
        ("zeros", "S-777"),
        ("capitals", "S-PO-1"),
        ("without", "1003"),
    ] {
        let file = format!("{name}.csv");
        world.drop_csv(&file, &sheet(&[id]));
        assert_eq!(world.run_once().status, 0);
        let result = world.result(&file);
        assert_eq!(
            result.column("result_status"),
            ["already_created"],
            "{id}: {result:?}"
        );
    }
    world.drop_csv("changed.csv", &format!("{HEADER}\n{}\n", row("s-01001", 3)));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("changed.csv").column("result_status"), ["held"]);
    // Side by side in one sheet, neither is sent by itself.
    world.drop_csv("both.csv", &sheet(&["1005", "S-1005"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("both.csv").column("result_status"), ["held", "held"]);
    assert_eq!(world.creates(), 4);
    world.end();
}

/// Behind a `1`, `23` is sent as `123`; and that is the next customer's order.
#[test]
fn where_the_prefix_runs_into_the_id_another_order_is_never_taken_for_the_known_one() {
    let mut world = with_prefix("1");
    world.drop_csv("monday.csv", &sheet(&["23", "24", "25"]));
    assert_eq!(world.run_once().status, 0);
    let elsewhere = row("124", 1)
        .replace("Ada Example", "Bob Example")
        .replace("12 Maple Street", "9 Elm Road");
    world.drop_csv(
        "tuesday.csv",
        &format!("{HEADER}\n{}\n{elsewhere}\n", row("123", 1)),
    );
    assert_eq!(world.run_once().status, 3);
    let result = world.result("tuesday.csv");
    assert_eq!(result.column("result_status"), ["held", "created"], "{result:?}");
    world.drop_csv("wednesday.csv", &sheet(&["125."]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("wednesday.csv").column("result_status"), ["held"]);
    world.end();
}

#[test]
fn an_order_is_canceled_by_the_id_that_its_result_shows_whether_it_waits_or_was_sent() {
    let mut world = with_prefix("S-");
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_once();
    let monday = world.result("monday.csv");
    assert_eq!(
        monday.columns(&["result_status", "result_order_id"])[0],
        ["waiting", "S-1001"]
    );
    world.drop_csv("tuesday.csv", "order_id,action\nS-1001,cancel\n");
    world.run_once();
    std::fs::remove_file(world.orders_path("STOP")).unwrap();
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(world.creates(), 1);
    assert!(world.at_service("S-1001").is_empty());
    for sheet in ["monday.csv", "tuesday.csv"] {
        let result = world.result(sheet);
        assert_eq!(result.column("result_status")[0], "canceled", "{result:?}");
        assert_eq!(result.column("result_order_id")[0], "S-1001", "{result:?}");
    }
    world.drop_csv("sent.csv", "order_id,action\nS-1002,cancel\n");
    assert_eq!(world.run_until_settled().status, 0);
    let result = world.result("sent.csv");
    assert_eq!(result.column("result_status"), ["canceled"], "{result:?}");
    assert!(
        result.column("result_message")[0].contains("is the order `1002` of this inbox"),
        "{result:?}"
    );
    world.end();
}

#[test]
fn a_sheet_with_an_id_as_it_is_sent_waits_for_an_older_one_that_has_the_order() {
    let mut world = World::with(Setup {
        service: Options {
            latency: std::time::Duration::from_millis(100),
            ..Setup::default().service
        },
        account: "max_in_flight = 1",
        inbox: "order_prefix = \"S-\"",
        ..Setup::default()
    });
    let ids: Vec<String> = (1..=12).map(|n| format!("{}", 2000 + n)).collect();
    let mut monday: Vec<&str> = ids.iter().map(String::as_str).collect();
    monday.push("1001");
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("monday.csv", &sheet(&monday));
    world.run_once();
    world.drop_csv("tuesday.csv", &sheet(&["S-1001"]));
    world.run_once();
    std::fs::remove_file(world.orders_path("STOP")).unwrap();
    let daemon = world.daemon();
    wait_for("both are done", || {
        ["monday.csv", "tuesday.csv"].into_iter().all(|sheet| {
            let result = world.find_result(sheet);
            result.is_some_and(|result| !result.column("result_status").contains(&"waiting"))
        })
    });
    assert_eq!(
        world.result("tuesday.csv").column("result_status"),
        ["already_created"]
    );
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 13);
    world.end();
}

#[test]
fn the_result_of_another_inbox_is_held_and_its_order_under_another_id_is_sent() {
    let mut world = World::with(Setup {
        inbox: "order_prefix = \"S-\"\n[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\n",
        ..Setup::default()
    });
    assert_eq!(world.dropsheet(&["init"]).status, 0);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let pw = world.at_service("S-1001")[0].pw_order_id.clone();
    let result = format!(
        "{HEADER},result_pw_order_id\n{},{pw}\n{},{pw}\n",
        row("1001", 1),
        row("1001-2", 1)
    );
    write(&world.path("other/inbox/result.csv"), result.as_bytes());
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.creates(), 2);
    assert!(world.at_service("1001").is_empty());
    assert_eq!(
        world.at_service("1001-2").len(),
        1,
        "under an id of its own it is another one"
    );
    let held = world.dropsheet(&["orders", "show", "1001"]);
    assert!(
        held.said.contains("it is the order S-1001 of the inbox `main`"),
        "{held:?}"
    );
    // What was canceled there is nobody's any more.
    assert_eq!(world.dropsheet(&["orders", "cancel", "S-1001"]).status, 0);
    let held = std::fs::read_dir(world.path("other/held")).unwrap().next();
    let held = held.unwrap().unwrap().file_name().into_string().unwrap();
    let declined = world.dropsheet(&["decline", held.trim_end_matches(".held.xlsx")]);
    assert_eq!(declined.status, 0, "{declined:?}");
    write(
        &world.path("other/inbox/again.csv"),
        result.replace("1001-2", "1001-3").as_bytes(),
    );
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.at_service("1001").len(), 1);
    world.excused.extend(["1001", "1001-3"].map(str::to_owned));
    world.excused.push("1001-2".to_owned());
    world.end();
}

/// What was sent as `T-1001` is shown as that: `S-1001` is not its name, whatever the prefix is by now.
#[test]
fn a_cancel_by_an_id_that_no_result_shows_cancels_nothing() {
    let mut world = with_prefix("T-");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let config = world.path("dropsheet.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    write(&config, text.replace("\"T-\"", "\"S-\"").as_bytes());
    world.drop_csv("wrong.csv", "order_id,action\nS-1001,cancel\n");
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("wrong.csv").column("result_status"), ["invalid"]);
    world.drop_csv("shown.csv", "order_id,action\nT-1001,cancel\n");
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(world.result("shown.csv").column("result_status"), ["canceled"]);
    world.end();
}
