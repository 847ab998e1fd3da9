//! The to-fix sheet beside a result: named where it is, and written when rows first come to be fixed.

use std::fs;
use std::path::PathBuf;

use super::rows;
use crate::world::{Setup, World, names, row, sheet, write};

const INBOX: &str = "[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\n";

/// A world with a second inbox, whose results are workbooks and whose orders are 1001 and 1002.
fn world(settings: &str) -> World {
    let mut world = World::with(Setup {
        inbox: &format!("{INBOX}{settings}"),
        ..Setup::default()
    });
    world.excused = vec!["1001".to_owned(), "1002".to_owned()];
    world
}

/// Drops a sheet into the second inbox.
fn drop_there(world: &World, text: &str) {
    write(&world.path("other/inbox/monday.csv"), text.as_bytes());
}

/// The one file in the second inbox's `results/` whose name ends so.
fn found(world: &World, end: &str) -> Option<PathBuf> {
    let names = names(&world.path("other/results")).into_iter();
    let mut found = names.filter(|name| name.ends_with(end));
    let first = found.next()?;
    assert_eq!(found.next(), None, "one file");
    Some(world.path("other/results").join(first))
}

/// What the Summary says on how to fix rows.
fn fixing(world: &World) -> String {
    let summary = rows(&found(world, "monday.result.xlsx").unwrap());
    let mut cells = summary.into_iter().flatten();
    cells.find(|cell| cell.starts_with("To fix: ")).unwrap()
}

#[test]
fn rows_that_come_to_be_fixed_after_the_end_of_their_sheet_have_a_to_fix_sheet() {
    let world = world("approval = \"required\"");
    let held = world.path("other/held");
    let approve = || {
        let name = names(&held).remove(0);
        dropsheet::files::move_new(&held.join(&name), &world.path("other/approved").join(&name)).unwrap();
    };
    drop_there(&world, &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(found(&world, "to-fix.xlsx"), None);
    world.service.set_fault("refuse=on:1").unwrap();
    approve();
    let ran = world.run_once();
    let to_fix = found(&world, "monday.to-fix.xlsx").unwrap_or_else(|| panic!("{ran:?}"));
    assert_eq!(rows(&to_fix).len(), 2, "the heading and the row that was refused");
    assert!(
        fixing(&world).contains("monday.to-fix.xlsx"),
        "{}",
        fixing(&world)
    );
    world.end();
}

#[test]
fn the_to_fix_sheet_holds_what_came_to_be_fixed_later_and_one_in_hand_is_left_with_another_beside_it() {
    let ids = |path: &std::path::Path| -> Vec<String> {
        let rows = rows(path).into_iter().skip(1);
        rows.map(|cells| cells[0].clone()).collect()
    };
    for in_hand in [false, true] {
        let world = world("approval = \"required\"");
        let held = world.path("other/held");
        drop_there(&world, &(sheet(&["1001", "1002"]) + &row("1003", 0) + "\n"));
        assert_eq!(world.run_once().status, 3);
        let first = found(&world, "monday.to-fix.xlsx").unwrap();
        assert_eq!(ids(&first), ["1003"]);
        let lock = first.with_file_name(format!("~${}", first.file_name().unwrap().to_str().unwrap()));
        if in_hand {
            write(&lock, b"");
        }
        world.service.set_fault("refuse=first:2").unwrap();
        let name = names(&held).remove(0);
        dropsheet::files::move_new(&held.join(&name), &world.path("other/approved").join(&name)).unwrap();
        world.run_once();
        let newest = if in_hand {
            "monday-2.to-fix.xlsx"
        } else {
            "monday.to-fix.xlsx"
        };
        assert_eq!(ids(&found(&world, newest).unwrap()), ["1001", "1002", "1003"]);
        assert!(fixing(&world).contains(newest), "{}", fixing(&world));
        let sheets = names(&world.path("other/results"));
        let sheets = sheets
            .iter()
            .filter(|name| name.ends_with(".to-fix.xlsx") && !name.starts_with('~'));
        assert_eq!(sheets.count(), if in_hand { 2 } else { 1 });
        world.end();
    }
}

#[test]
fn rows_that_are_not_to_be_fixed_any_more_go_from_the_to_fix_sheet_and_with_the_last_the_sheet_goes() {
    for in_hand in [false, true] {
        for wrong in ["", &(row("1003", 0) + "\n")] {
            let world = world("");
            world.service.set_fault("refuse=on:1").unwrap();
            drop_there(&world, &(sheet(&["1001"]) + wrong));
            assert_eq!(world.run_once().status, 3);
            let first = found(&world, "monday.to-fix.xlsx").unwrap();
            let listed = rows(&first);
            assert_eq!(listed.len(), if wrong.is_empty() { 2 } else { 3 });
            if in_hand {
                let name = first.file_name().unwrap().to_str().unwrap();
                write(&first.with_file_name(format!("~${name}")), b"");
            }
            // Dropped again, it is sent.
            write(
                &world.path("other/inbox/tuesday.csv"),
                sheet(&["1001"]).as_bytes(),
            );
            world.run_once();
            assert_eq!(world.at_service("1001").len(), 1);
            if in_hand {
                assert_eq!(rows(&first), listed);
            } else if wrong.is_empty() {
                assert!(!first.exists());
            } else {
                let ids: Vec<String> = rows(&first).into_iter().map(|row| row[0].clone()).collect();
                assert_eq!(ids, ["order_id", "1003"]);
            }
            let sheets = names(&world.path("other/results")).into_iter();
            let sheets = sheets.filter(|name| name.ends_with(".to-fix.xlsx") && !name.starts_with('~'));
            assert_eq!(
                sheets.count(),
                usize::from(in_hand || !wrong.is_empty()),
                "{in_hand} {wrong}"
            );
            world.end();
        }
    }
}

#[test]
fn a_result_that_is_still_to_be_whole_names_no_to_fix_sheet() {
    let world = world("");
    write(&world.path("other/STOP"), b"");
    let wrong = row("1002", 1).replace("TEE-CLASSIC", "TEE-NOBODY-HAS");
    drop_there(&world, &format!("{}{wrong}\n", sheet(&["1001"])));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(found(&world, "to-fix.xlsx"), None);
    assert!(
        fixing(&world).contains("fix the rows in this file"),
        "{}",
        fixing(&world)
    );
    fs::remove_file(world.path("other/STOP")).unwrap();
    assert_eq!(world.run_once().status, 3);
    assert!(found(&world, "monday.to-fix.xlsx").is_some());
    assert!(
        fixing(&world).contains("monday.to-fix.xlsx"),
        "{}",
        fixing(&world)
    );
    // Moved away to be dropped, it is named no more when the result has news.
    fs::remove_file(found(&world, "monday.to-fix.xlsx").unwrap()).unwrap();
    write(
        &world.path("other/inbox/cancel.csv"),
        b"order_id,action\n1001,cancel\n",
    );
    assert_eq!(world.run_once().status, 0);
    assert!(
        fixing(&world).contains("fix the rows in this file"),
        "{}",
        fixing(&world)
    );
    assert_eq!(found(&world, "to-fix.xlsx"), None, "it is written once");
    world.end();
}
