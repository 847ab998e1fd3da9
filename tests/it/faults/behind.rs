//! Starts on a ledger that is older than the one that was here, or new in the place of one that is lost, which fail before
//! they have done anything: the next one must not take it for the newest.

use std::fs;
use std::time::Duration;

use dropsheet::files::move_new;
use dropsheet::sandbox::Options;

use super::keeping::lose;
use super::ledgers::{let_all_show, restore};
use crate::world::run::Ran;
use crate::world::{Setup, World, names, sheet, wait_for, write};

/// How many creates are under way when the backup is made: at the next start each of them is written down, and there are
/// more of them than there is about the order that is forgotten.
const UNDER_WAY: [&str; 4] = ["2001", "2002", "2003", "2004"];

/// A world whose ledger was put back from amid these creates, before 1001 was sent, which the list does not show yet.
fn put_back_amid_creates() -> World {
    let mut world = World::with(Setup {
        service: Options {
            slow: Duration::from_mins(2),
            ..Setup::default().service
        },
        timeout: "1m",
        absent_after: "1h",
        inbox: "\n[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\nlook = \"200ms\"",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_fault("slow-create=first:4").unwrap();
    let daemon = world.daemon();
    write(&world.path("other/inbox/slow.csv"), sheet(&UNDER_WAY).as_bytes());
    wait_for("they are under way", || world.creates() == 5);
    let backups = world.path("ledger.db.backups");
    let earlier = names(&backups);
    assert_eq!(world.dropsheet(&["ledger", "backup"]).status, 0);
    let made = names(&backups).into_iter().find(|name| !earlier.contains(name));
    let before = fs::read(backups.join(made.unwrap())).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is worked", || {
        world.find_result("monday.csv").is_some() && world.files("processing").is_empty()
    });
    daemon.kill();
    restore(&world, &[("ledger.db".to_owned(), before)]);
    world.service.leave_out_of_list(Some("1001"));
    world.excused.extend(UNDER_WAY.map(str::to_owned));
    world
}

/// A start that finds no password.
fn without_its_password(world: &World, arguments: &[&str]) -> Ran {
    let (here, away) = (world.path("password"), world.path("password.away"));
    move_new(&here, &away).unwrap();
    let ran = world.dropsheet(arguments);
    move_new(&away, &here).unwrap();
    ran
}

#[test]
fn a_restored_ledger_is_known_to_be_one_whatever_its_first_start_fails_of() {
    let crashes = ["ledger-commit:1", "ledger-committed:1", "ledger-commit:2:error"];
    let worlds = crashes.map(Some).into_iter().chain([None]).map(|crash| {
        std::thread::spawn(move || {
            let mut world = put_back_amid_creates();
            let first = match crash {
                Some(at) => world.run_once_crashing(at),
                None => without_its_password(&world, &["run", "--once"]),
            };
            assert!(first.status != 0 && first.status != 3, "{crash:?}: {first:?}");
            world.drop_csv("again.csv", &sheet(&["1001"]));
            world.run_once();
            let result = world.result("again.csv");
            assert_eq!(result.column("result_status"), ["waiting"], "{crash:?}");
            assert_eq!(result.column("result_codes"), ["ledger-behind"], "{crash:?}");
            assert_eq!(world.creates(), 6, "{crash:?}");
            let_all_show(&world);
            let result = world.result("again.csv");
            assert_eq!(result.column("result_status"), ["already_created"], "{crash:?}");
            assert_eq!(world.creates(), 6, "{crash:?}");
            world.end();
        })
    });
    for world in worlds.collect::<Vec<_>>() {
        world.join().unwrap();
    }
}

#[test]
fn a_new_ledger_in_the_place_of_a_lost_one_waits_although_rebuilding_it_failed() {
    let mut world = World::with(Setup {
        absent_after: "1h",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    lose(&world);
    world.service.leave_out_of_list(Some("1001"));
    let ran = without_its_password(&world, &["ledger", "rebuild"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    // Somebody who does not know better marks the folder for it.
    fs::remove_file(world.orders_path(".dropsheet")).unwrap();
    assert_eq!(world.dropsheet(&["init"]).status, 0);
    world.drop_csv("again.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!((ran.status, world.creates()), (3, 1), "{ran:?}");
    let_all_show(&world);
    let result = world.result("again.csv");
    assert_eq!(result.column("result_status"), ["already_created"]);
    assert_eq!(world.creates(), 1);
    world.end();
}
