//! The ledger's own commands: its check, its backups, and what makes it anew when it is lost.

use std::fs;
use std::path::PathBuf;

use dropsheet::files::move_new;

use crate::world::{HEADER, Setup, World, names, row, sheet, wait_for, write};

/// Takes the ledger away, with all that SQLite keeps beside it, once the service's list shows what was sent.
pub(crate) fn lose(world: &World) {
    wait_for("the list shows all orders", || {
        world.service.orders().iter().all(|order| order.visible)
    });
    for name in names(&world.path("")) {
        if name == "ledger.db" || name.starts_with("ledger.db-") {
            fs::remove_file(world.path(&name)).unwrap();
        }
    }
}

fn backups(world: &World) -> Vec<PathBuf> {
    let folder = world.path("ledger.db.backups");
    names(&folder).iter().map(|name| folder.join(name)).collect()
}

#[test]
fn a_run_backs_its_ledger_up_once_a_day_and_that_is_the_ledger() {
    let mut world = World::new();
    assert_eq!(world.run_once().status, 0);
    assert!(!world.path("ledger.db.backups").exists(), "nothing to lose yet");
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(backups(&world).len(), 1);
    world.drop_csv("tuesday.csv", &sheet(&["2001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(backups(&world).len(), 1, "the next one is due tomorrow");
    // Put in the ledger's place, it knows what it knew, and learns the rest from the service.
    lose(&world);
    fs::copy(&backups(&world)[0], world.path("ledger.db")).unwrap();
    world.drop_csv("again.csv", &sheet(&["1001", "1002", "2001"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created"; 3]
    );
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn a_pass_after_one_that_was_killed_checks_by_a_backup_a_ledger_too_large_to_be_looked_through() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let ledger = fs::File::options().write(true).open(world.path("ledger.db"));
    ledger.unwrap().set_len(257 << 20).unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert!(world.run_once_crashing("create-answered").crashed());
    assert_eq!(backups(&world).len(), 1, "the next one is due tomorrow");
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.logged.contains("did not end in order"), "{ran:?}");
    assert_eq!(backups(&world).len(), 2);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(backups(&world).len(), 2, "what ended in order is not checked");
    world.end();
}

#[test]
fn a_backup_and_a_check_need_no_pause_of_the_daemon() {
    let mut world = World::new();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    for n in 0..3 {
        let out = format!("copy-{n}.db");
        let ran = world.dropsheet(&["ledger", "backup", "--out", &out]);
        assert_eq!(ran.status, 0, "{ran:?}");
        let ran = world.dropsheet(&["ledger", "verify"]);
        assert_eq!(ran.status, 0, "{ran:?}");
    }
    wait_for("it is worked", || {
        world.find_result("monday.csv").is_some() && world.files("processing").is_empty()
    });
    assert_eq!(daemon.terminate().0, 0);
    let again = world.dropsheet(&["ledger", "backup", "--out", "copy-0.db"]);
    assert_eq!(again.status, 1, "nothing is replaced: {again:?}");
    world.end();
}

#[test]
fn a_lost_ledger_is_rebuilt_and_the_old_sheets_send_nothing() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    lose(&world);
    world.drop_csv("again.csv", &sheet(&["1001", "1002"]));
    let other = format!("{HEADER}\n{}\n", row("1001", 7));
    world.drop_csv("other.csv", &other);
    let refused = world.run_once();
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.logged.contains("dropsheet ledger rebuild"), "{refused:?}");
    assert_eq!(world.files("inbox").len(), 2, "nothing was taken");

    let rebuilt = world.dropsheet(&["ledger", "rebuild"]);
    assert_eq!(rebuilt.status, 0, "{rebuilt:?}");
    assert!(rebuilt.said.contains("the service lists 2 orders"), "{rebuilt:?}");
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(
        world.result("again.csv").column("result_status"),
        ["already_created"; 2]
    );
    assert_eq!(world.result("other.csv").column("result_status"), ["changed"]);
    assert_eq!(world.creates(), 2);
    // What is new is sent, when what may have been under way would show.
    world.drop_csv("new.csv", &sheet(&["3001"]));
    wait_for("it is sent", || world.run_once().status == 0);
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn what_a_lost_ledger_sent_before_there_was_a_prefix_is_not_sent_again_under_one() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let prefixed = config.replace("[inbox.main]", "[inbox.main]\norder_prefix = \"S-\"");
    write(&path, prefixed.as_bytes());
    lose(&world);
    assert_eq!(world.dropsheet(&["ledger", "rebuild"]).status, 0);
    world.drop_csv("again.csv", &sheet(&["1001"]));
    // Another shop's of this number is another order.
    world.drop_csv("other.csv", &format!("{HEADER}\n{}\n", row("1002", 7)));
    wait_for("the new one is sent", || world.run_once().status == 0);
    let again = world.result("again.csv");
    assert_eq!(again.column("result_status"), ["already_created"]);
    assert!(again.of("1001", "result_message").contains("under the id `1001`"));
    // Its row has the id of now.
    world.excused.push("1001".to_owned());
    assert_eq!(world.at_service("S-1002").len(), 1);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_ledger_that_is_gone_is_not_taken_for_one_that_never_was() {
    let world = World::new();
    assert_eq!(world.run_once().status, 0);
    lose(&world);
    for command in ["status", "doctor"] {
        let said = world.dropsheet(&[command]).said;
        assert!(
            said.contains("\"What is kept where\" in the README"),
            "{command}: {said}"
        );
        assert!(!said.contains("Run `dropsheet init`"), "{command}: {said}");
    }
    let status: serde_json::Value =
        serde_json::from_str(&world.dropsheet(&["status", "--json"]).said).unwrap();
    assert_eq!(
        (&status["ledger"]["exists"], &status["ledger"]["lost"]),
        (&false.into(), &true.into())
    );
    world.end();
}

#[test]
fn a_ledger_that_cannot_be_read_has_doctor_say_nothing_of_whose_the_folders_are() {
    let world = World::new();
    assert_eq!(world.run_once().status, 0);
    let ledger = world.path("ledger.db");
    let set_version = |version: i64| {
        let db = rusqlite::Connection::open(&ledger).unwrap();
        let own = db.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0));
        db.pragma_update(None, "user_version", version).unwrap();
        own.unwrap()
    };
    let own = set_version(99);
    let told = world.dropsheet(&["doctor"]);
    assert_eq!(told.status, 1, "{told:?}");
    assert!(
        told.said.contains("Install the newer dropsheet again"),
        "{told:?}"
    );
    set_version(own);
    let aside = world.path("aside.db");
    move_new(&ledger, &aside).unwrap();
    write(&ledger, &b"order_id,item_sku\n".repeat(100));
    let damaged = world.dropsheet(&["doctor"]);
    assert!(damaged.said.contains("the newest backup"), "{damaged:?}");
    fs::remove_file(&ledger).unwrap();
    move_new(&aside, &ledger).unwrap();
    for said in [told.said, damaged.said] {
        for text in ["marker", "its rights", "that is not here"] {
            assert!(!said.contains(text), "{text}: {said}");
        }
        assert!(said.contains("inbox main: results/: can be written to"), "{said}");
    }
    world.end();
}

#[test]
fn a_damaged_ledger_is_said_to_be_refused_and_moved_aside_by_a_rebuild() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    lose(&world);
    let garbage = b"order_id,item_sku\n1001,TEE-S\n".repeat(50);
    write(&world.path("ledger.db"), &garbage);
    let verified = world.dropsheet(&["ledger", "verify", "--json"]);
    assert_eq!(verified.status, 1, "{verified:?}");
    let told: serde_json::Value = serde_json::from_str(&verified.said).unwrap();
    assert_eq!(told["sound"], false);
    assert_eq!(told["problems"][0]["kind"], "file");
    let ran = world.run_once();
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.logged.contains("restore the newest backup"), "{ran:?}");
    let status = world.dropsheet(&["status"]);
    assert_eq!(status.status, 1, "{status:?}");
    for said in [status.logged, world.dropsheet(&["doctor"]).said] {
        assert!(said.contains("\"What is kept where\" in the README"), "{said}");
        assert!(said.contains("`dropsheet ledger rebuild`"), "{said}");
    }
    let rebuilt = world.dropsheet(&["ledger", "rebuild"]);
    assert_eq!(rebuilt.status, 0, "{rebuilt:?}");
    assert_eq!(fs::read(world.path("ledger.db.damaged-1")).unwrap(), garbage);
    world.drop_csv("again.csv", &sheet(&["1001"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn another_program_s_file_in_the_ledger_s_place_is_refused_and_moved_aside_by_a_rebuild() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    lose(&world);
    let catalog = fs::read(world.path("catalog.db")).unwrap();
    write(&world.path("ledger.db"), &catalog);
    for command in [&["run", "--once"][..], &["run"], &["status"], &["orders", "list"]] {
        let ran = world.dropsheet(command);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(ran.logged.contains("without the tables of a ledger"), "{ran:?}");
        assert!(
            ran.logged.contains("set `ledger.path` to a path of its own"),
            "{ran:?}"
        );
        assert!(ran.logged.contains("restore the newest backup"), "{ran:?}");
        assert!(ran.logged.contains("`dropsheet ledger rebuild`"), "{ran:?}");
    }
    assert_eq!(fs::read(world.path("ledger.db")).unwrap(), catalog);
    let rebuilt = world.dropsheet(&["ledger", "rebuild"]);
    assert_eq!(rebuilt.status, 0, "{rebuilt:?}");
    assert_eq!(fs::read(world.path("ledger.db.damaged-1")).unwrap(), catalog);
    world.drop_csv("again.csv", &sheet(&["1001"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn what_a_rebuild_has_mended_is_told_no_further_and_what_it_has_not_is() {
    let mut world = World::new();
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let second = format!("{config}\n[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\n");
    write(&path, second.as_bytes());
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    lose(&world);
    assert_eq!(world.run_once().status, 1, "both are refused");
    let status = || world.dropsheet(&["status"]).said;
    let (others, missing) = ("belongs to another ledger", "`.dropsheet` is missing");
    assert!(
        status().contains(others) && status().contains(missing),
        "{}",
        status()
    );
    let rebuilt = world.dropsheet(&["ledger", "rebuild"]);
    assert_eq!(rebuilt.status, 0, "{rebuilt:?}");
    assert!(!status().contains(others), "{}", status());
    assert!(
        status().contains(missing),
        "its folder is not there: {}",
        status()
    );
    write(&path, config.as_bytes());
    wait_for("what was lost must show by now", || world.run_once().status == 0);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_rebuild_beside_a_daemon_ends_with_4_and_one_that_reads_nothing_marks_nothing() {
    let world = World::new();
    let daemon = world.daemon();
    let ran = world.dropsheet(&["ledger", "rebuild"]);
    assert_eq!(ran.status, 4, "{ran:?}");
    assert_eq!(daemon.terminate().0, 0);
    lose(&world);
    write(&world.path("password"), b"wrong");
    // The daemon has logged in, and its token is kept.
    world.service.end_tokens();
    let marker = fs::read(world.orders_path(".dropsheet")).unwrap();
    let ran = world.dropsheet(&["ledger", "rebuild"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.logged.contains("No inbox was marked"), "{ran:?}");
    assert_eq!(fs::read(world.orders_path(".dropsheet")).unwrap(), marker);
    world.end();
}

#[test]
fn a_sheet_whose_inbox_left_the_config_is_not_forgotten_silently() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("claimed").crashed());
    let config = world.path("dropsheet.toml");
    let text = fs::read_to_string(&config).unwrap();
    write(
        &config,
        text.replace("[inbox.main]", "[inbox.renamed]").as_bytes(),
    );
    let status = world.dropsheet(&["status"]);
    assert!(
        status
            .said
            .contains("wait in inbox `main`, which is not in the config"),
        "{status:?}"
    );
    let ran = world.run_once();
    assert!(ran.logged.contains("its inbox is not in the config"), "{ran:?}");
    // Its folder is worked under the other name, and the sheet with it.
    assert_eq!(
        (ran.status, ran.said.contains("is not in the config")),
        (0, false),
        "{ran:?}"
    );
    write(&config, text.as_bytes());
    assert_eq!(world.run_until_settled().status, 0);
    world.end();
}

#[test]
fn an_order_whose_account_left_the_config_is_asked_for_by_nobody_and_that_is_said() {
    let mut world = World::new();
    world.service.set_fault("error-500-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let other = config.replace("[account.main]", "[account.second]");
    write(
        &path,
        other.replace("shop@example.com", "second@example.com").as_bytes(),
    );
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let why = "account `main` is not in the config";
    assert!(ran.said.contains(why), "{ran:?}");
    assert!(ran.logged.contains("nobody asks the service"), "{ran:?}");
    let said = world.dropsheet(&["status"]).said;
    assert!(said.contains("put [account.main] back"), "{said}");
    assert!(!said.contains("The service is being asked"), "{said}");
    let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(told.contains("nobody asks the service"), "{told}");
    // Another name alone would lose it too: that is refused.
    let renamed = config.replace("[account.main]", "[account.third]");
    write(
        &path,
        renamed.replace("shop@example.com", "Shop@Example.com").as_bytes(),
    );
    let ran = world.run_once();
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.logged.contains("is called `main` in this ledger"), "{ran:?}");
    write(&path, config.as_bytes());
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(world.creates(), 3, "the first was not made");
    world.end();
}

#[test]
fn what_a_killed_import_left_beside_its_result_is_swept() {
    let mut world = World::new();
    write(&world.path("monday.csv"), sheet(&["1001"]).as_bytes());
    let out = world.path("out");
    fs::create_dir(&out).unwrap();
    world.excused.push("1001".to_owned());
    let mut command = world.command(&["import", "monday.csv", "--out", "out"]);
    command.env("DROPSHEET_CRASH_AT", "result-written");
    assert!(crate::world::ran(command).crashed());
    let left = names(&out);
    assert!(
        left.iter().any(|name| name.starts_with(".dropsheet-")),
        "{left:?}"
    );
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(names(&out), ["monday.result.csv"]);
    world.end();
}

#[test]
fn a_sheet_under_way_whose_copy_is_gone_is_found_by_the_check() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("claimed").crashed());
    let spool = world.path("spool");
    let copy = spool.join(&names(&spool)[0]);
    move_new(&copy, &world.path("away")).unwrap();
    let ran = world.dropsheet(&["ledger", "verify"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.said.contains("copy-missing: sheet `monday.csv`"), "{ran:?}");
    move_new(&world.path("away"), &copy).unwrap();
    assert_eq!(world.run_until_settled().status, 0);
    world.end();
}

#[test]
fn a_ledger_that_knew_of_orders_and_is_gone_is_not_made_anew_by_anything_but_a_rebuild() {
    let mut world = World::with(Setup {
        absent_after: "1h",
        ..Setup::default()
    });
    world.service.freeze_list(true);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    for name in ["ledger.db", "ledger.db-wal", "ledger.db-shm"] {
        // What is not there need not be removed.
        drop(fs::remove_file(world.path(name)));
    }
    write(&world.path("sheet.csv"), sheet(&["1001"]).as_bytes());
    let lost = |world: &World| {
        for command in [
            &["run", "--once"][..],
            &["run"],
            &["import", "sheet.csv"],
            &["init"],
            &["orders", "list"],
            &["report", "--month", "2026-10"],
            &["ledger", "verify"],
            &["ledger", "backup"],
        ] {
            let ran = world.dropsheet(command);
            assert_eq!(
                (ran.status, ran.logged.contains("`dropsheet ledger rebuild`")),
                (1, true),
                "{command:?}: {ran:?}"
            );
        }
        let status = world.dropsheet(&["status"]).said;
        assert!(status.contains("Do not start dropsheet"), "{status}");
    };
    lost(&world);
    // A disk may leave a file of no bytes; and without backups the mark tells.
    write(&world.path("ledger.db"), b"");
    fs::remove_dir_all(world.path("ledger.db.backups")).unwrap();
    lost(&world);
    assert_eq!(world.creates(), 1);
    let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(told.contains("dropsheet's own records are gone."), "{told}");
    // A rebuilt one waits for what the list does not show yet.
    assert_eq!(world.dropsheet(&["ledger", "rebuild"]).status, 0);
    let waits = world.dropsheet(&["import", "sheet.csv"]);
    assert_eq!(waits.status, 3, "{waits:?}");
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn an_import_with_another_ledger_than_its_inbox_s_sends_nothing() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    write(&world.path("sheet.csv"), sheet(&["1001"]).as_bytes());
    let config = fs::read_to_string(world.path("dropsheet.toml")).unwrap();
    let other = format!("{config}\n[ledger]\npath = \"other.db\"\n");
    write(&world.path("dropsheet.toml"), other.as_bytes());
    let ran = world.dropsheet(&["import", "sheet.csv"]);
    assert_eq!(
        (ran.status, ran.logged.contains("belongs to another ledger")),
        (1, true),
        "{ran:?}"
    );
    assert_eq!(world.creates(), 1);
    world.end();
}
