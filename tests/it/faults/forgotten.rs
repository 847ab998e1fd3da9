//! Sheets that were worked after the backup was made from which a ledger was put back: they lie in `done/`, and what
//! became of their orders is not known to it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use dropsheet::files::move_new;
use dropsheet::sandbox::Options;

use super::keeping::lose;
use super::ledgers::{backup, let_all_show, restore};
use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// What is said of such a sheet, in words that nothing else is said in.
const SAID: &str = "worked after the backup was made";

/// The only file in `done/` whose name holds this.
fn done(world: &World, part: &str) -> String {
    let mut found = world.files("done");
    found.retain(|name| name.contains(part));
    let [name] = &found[..] else {
        panic!("one original, not {found:?}")
    };
    name.clone()
}

/// Moves an original back to where it was dropped, as a person would.
fn drop_again(world: &mut World, name: &str) {
    let from = world.orders_path("done").join(name);
    let text = fs::read_to_string(&from).unwrap();
    move_new(&from, &world.orders_path("inbox").join(name)).unwrap();
    world.expect_csv(name, &text);
}

/// The sheets that `dropsheet status` says were forgotten.
fn told(world: &World) -> Vec<String> {
    let ran = world.dropsheet(&["status", "--json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let status: serde_json::Value = serde_json::from_str(&ran.said).unwrap();
    let needs = status["attention"]["needs"].as_array().unwrap();
    let forgotten = needs.iter().filter(|need| need["kind"] == "forgotten");
    forgotten
        .map(|need| {
            assert!(need["what"].as_str().unwrap().contains(SAID), "{need}");
            assert!(need["todo"].as_str().unwrap().contains("into inbox/"), "{need}");
            need["sheet"].as_str().unwrap().to_owned()
        })
        .collect()
}

/// Has 1001 sent by `monday`, of which the ledger that is put back then knows nothing.
fn forget_monday(world: &mut World) {
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let before = backup(world);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    restore(world, &before);
}

fn status_txt(world: &World) -> String {
    fs::read_to_string(world.orders_path("STATUS.txt")).unwrap_or_default()
}

#[test]
fn a_sheet_that_a_restored_ledger_has_forgotten_is_told_until_it_is_dropped_again_and_ordered_once() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let before = backup(&world);
    // The second is at the service, and no answer has said so when the ledger is put back.
    world.service.set_fault("drop-after-create=first:9").unwrap();
    world.service.leave_out_of_list(Some("1002"));
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("monday.csv");
    assert_eq!(result.of("1002", "result_status"), "unresolved");
    world.service.leave_out_of_list(None);
    restore(&world, &before);
    let monday = done(&world, "monday");
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(
        ran.said.contains(SAID) && ran.said.contains("inbox `main`"),
        "{ran:?}"
    );
    for _pass in 0..2 {
        assert_eq!(told(&world), [monday.as_str()]);
        let page = world.dropsheet(&["status"]).said;
        assert!(page.contains(&monday) && page.contains("into inbox/"), "{page}");
        assert!(
            status_txt(&world).contains(&format!("{monday}: It lies in done/")),
            "{}",
            status_txt(&world)
        );
        assert_eq!(world.run_once().status, 0, "it was said once; it stays told");
    }
    drop_again(&mut world, &monday);
    wait_for("what it has forgotten must show by now", || {
        world.run_once().status == 0
    });
    assert_eq!(
        world.result(&monday).column("result_status"),
        ["already_created"; 2]
    );
    assert_eq!(world.creates(), 3);
    assert_eq!(told(&world), [""; 0]);
    world.end();
}

#[test]
fn what_the_list_shows_while_an_order_waits_for_it_is_known_in_the_same_pass() {
    let mut world = World::with(Setup {
        service: Options {
            slow: Duration::from_secs(1),
            ..Setup::default().service
        },
        absent_after: "1h",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    // The sheet is judged long before its list has come.
    world.service.set_fault("slow-list=on:1,2").unwrap();
    world.drop_csv("again.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("again.csv");
    assert_eq!(result.column("result_status"), ["already_created", "waiting"]);
    assert_eq!(result.of("1002", "result_codes"), "ledger-behind");
    let_all_show(&world);
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn what_a_restored_ledger_has_forgotten_is_not_ordered_again_under_another_prefix() {
    for (then, now) in [("S-", ""), ("shop2-", "Q-")] {
        let mut world = World::new();
        let path = world.path("dropsheet.toml");
        let config = fs::read_to_string(&path).unwrap();
        let prefixed = |prefix: &str| {
            config.replace(
                "[inbox.main]",
                &format!("[inbox.main]\norder_prefix = \"{prefix}\""),
            )
        };
        write(&path, prefixed(then).as_bytes());
        world.drop_csv("sunday.csv", &sheet(&["999"]));
        assert_eq!(world.run_once().status, 0);
        let before = backup(&world);
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        world.drop_csv("tuesday.csv", &sheet(&["1002"]));
        assert_eq!(world.run_once().status, 0);
        world
            .excused
            .extend(["999", "1001", "1002"].map(|id| format!("{then}{id}")));
        let now = if now.is_empty() {
            config.clone()
        } else {
            prefixed(now)
        };
        write(&path, now.as_bytes());
        restore(&world, &before);
        assert_eq!(world.run_once().status, 3);
        let monday = done(&world, "monday");
        drop_again(&mut world, &monday);
        // Another order of the number that another one had under the prefix of then.
        world.drop_csv("other.csv", &format!("{HEADER}\n{}\n", row("1002", 7)));
        wait_for("the new one is sent", || world.run_once().status == 0);
        let again = world.result(&monday);
        assert_eq!(again.column("result_status"), ["already_created"]);
        let message = again.of("1001", "result_message");
        assert!(
            message.contains(&format!("under the id `{then}1001`")),
            "{message}"
        );
        assert_eq!(world.result("other.csv").column("result_status"), ["created"]);
        assert_eq!(world.creates(), 4);
        world.end();
    }
}

#[test]
fn what_the_list_shows_late_and_no_search_finds_is_not_ordered_again_after_a_restore() {
    let mut world = World::with(Setup {
        absent_after: "4s",
        ..Setup::default()
    });
    forget_monday(&mut world);
    world.service.blind_search_to("1001");
    world.service.leave_out_of_list(Some("1001"));
    let daemon = world.daemon();
    world.drop_csv("tuesday.csv", &sheet(&["1001"]));
    let log = || fs::read_to_string(world.path("daemon.log")).unwrap();
    // A process walks the list once, before its first create.
    wait_for("the list is walked", || log().contains("order list is read"));
    world.service.leave_out_of_list(None);
    let becomes = |world: &World| Some(world.find_result("tuesday.csv")?.column("result_status").concat());
    wait_for("the quiet time is over", || {
        becomes(&world).is_some_and(|status| status != "waiting")
    });
    assert_eq!(becomes(&world).as_deref(), Some("already_created"));
    assert_eq!(world.creates(), 2);
    let monday = done(&world, "monday");
    drop_again(&mut world, &monday);
    wait_for("what it has forgotten is known again", || told(&world).is_empty());
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn what_had_no_answer_when_a_ledger_was_lost_is_told_after_its_rebuilding() {
    let mut world = World::with(Setup {
        settle_for: "0s",
        ..Setup::default()
    });
    world.service.set_fault("drop-before-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("monday.csv").column("result_status"), ["unresolved"]);
    let monday = done(&world, "monday");
    lose(&world);
    assert_eq!(world.dropsheet(&["ledger", "rebuild"]).status, 0);
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(told(&world), [monday.as_str()]);
    drop_again(&mut world, &monday);
    wait_for("what was under way must show by now", || {
        world.run_once().status == 0
    });
    assert_eq!(world.result(&monday).column("result_status"), ["created"]);
    assert_eq!(world.at_service("1001").len(), 1);
    assert_eq!(told(&world), [""; 0]);
    world.end();
}

#[test]
fn what_is_forgotten_is_told_as_long_as_it_lies_there() {
    let mut world = World::new();
    forget_monday(&mut world);
    let monday = done(&world, "monday");
    // An inbox whose share is away at that start is gone through when it is back.
    let (marker, away) = (world.orders_path(".dropsheet"), world.path("marker"));
    move_new(&marker, &away).unwrap();
    assert_eq!(world.run_once().status, 1);
    assert_eq!(told(&world), [""; 0]);
    move_new(&away, &marker).unwrap();
    assert_eq!(world.run_once().status, 3);
    assert_eq!(told(&world), [monday.as_str()]);
    fs::remove_file(world.orders_path("done").join(&monday)).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(told(&world), [""; 0]);
    world.end();
}

#[test]
fn bytes_that_the_ledger_knows_from_before_do_not_hide_that_they_were_worked_again() {
    let mut world = World::new();
    world.service.set_fault("refuse=on:1").unwrap();
    world.drop_csv("sunday.csv", &sheet(&["1001"]));
    world.run_once();
    assert_eq!(world.result("sunday.csv").column("result_status"), ["refused"]);
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    restore(&world, &before);
    world.run_once();
    assert_eq!(told(&world), [done(&world, "monday")]);
    world.excused.push("1001".to_owned());
    world.end();
}

#[test]
fn what_was_only_priced_a_decision_and_known_sheets_are_not_told_as_forgotten() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 3);
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let text = sheet(&["2001"]);
    write(&world.orders_path("try").join("tried.csv"), text.as_bytes());
    for name in world.files("held") {
        let approved = world.orders_path("approved").join(format!("x{name}"));
        move_new(&world.orders_path("held").join(&name), &approved).unwrap();
    }
    assert_eq!(world.run_once().status, 3, "what is tried would be held");
    assert_eq!(world.files("done").len(), 5, "{:?}", world.files("done"));
    restore(&world, &before);
    world.run_once();
    assert_eq!(told(&world), [done(&world, "_monday.csv")]);
    world.end();
}

#[test]
fn an_approval_of_what_a_restored_ledger_has_forgotten_says_what_to_do() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    restore(&world, &before);
    world.run_once();
    let [held] = &world.files("held")[..] else {
        panic!("one held sheet, not {:?}", world.files("held"))
    };
    move_new(
        &world.orders_path("held").join(held),
        &world.orders_path("approved").join(held),
    )
    .unwrap();
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    for said in [held.as_str(), "approval_key", "drop its sheet again"] {
        assert!(ran.said.contains(said), "{said}: {ran:?}");
    }
    let receipt = done(&world, "held").replace(".held.xlsx", ".approved.txt");
    let receipt = fs::read_to_string(world.orders_path("results").join(receipt)).unwrap();
    assert!(receipt.contains("drop its sheet again"), "{receipt}");
    assert_eq!(world.run_once().status, 0);
    let monday = done(&world, "monday.csv");
    drop_again(&mut world, &monday);
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result(&monday).column("result_status"), ["held"]);
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn a_folder_that_cannot_be_gone_through_is_told_of_until_it_is() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let before = backup(&world);
    let text = format!("{HEADER}\n{}\n", row("1001", 1));
    world.drop_csv("monday.csv", &text);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    let (folder, monday) = (world.orders_path("done"), done(&world, "monday"));
    let set = |path: &std::path::Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    set(&folder, 0o300);
    set(&folder.join(&monday), 0o000);
    let Some(daemon) = world.daemon_held_to_rights() else {
        set(&folder, 0o755);
        return world.end();
    };
    let told = |part: &str| wait_for(part, || status_txt(&world).contains(part));
    told("done/ cannot be gone through");
    set(&folder, 0o755);
    told(&format!("{}: It lies in done/", done(&world, "tuesday")));
    told(&format!("{monday} cannot be read"));
    set(&folder.join(&monday), 0o644);
    told(&format!("{monday}: It lies in done/"));
    wait_for("that is all", || !status_txt(&world).contains("cannot be"));
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_ledger_put_back_with_its_mark_looks_for_what_it_has_forgotten_when_processing_shows_that() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let (before, mark) = (backup(&world), fs::read(world.path("ledger.db.mark")).unwrap());
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let text = sheet(&["2001"]);
    world.drop_csv("tuesday.csv", &text);
    assert!(world.run_once_crashing("moved-to-processing").crashed());
    let [taken] = &world.files("processing")[..] else {
        panic!("one original, not {:?}", world.files("processing"))
    };
    restore(&world, &before);
    write(&world.path("ledger.db.mark"), &mark);
    world.expect_csv(taken, &text);
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(told(&world), [done(&world, "monday")]);
    wait_for("what came back is sent", || world.run_once().status == 0);
    assert_eq!(world.result(taken).column("result_status"), ["created"]);
    assert_eq!(world.creates(), 3);
    world.end();
}
