//! What keeps `run` from its work, or from its backups, is what `doctor` finds: as it is, and to be mended.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use crate::world::run::Ran;
use crate::world::{World, sheet};

fn set(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// The lines of a doctor that say so.
fn said<'a>(examined: &'a Ran, word: &str) -> Vec<&'a str> {
    let lines = examined.said.lines();
    lines.filter(|line| line.starts_with(word)).collect()
}

#[test]
fn a_file_or_folder_without_which_nothing_starts_is_wrong() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(said(&world.dropsheet(&["doctor"]), "WRONG"), [""; 0]);
    for (name, shut, open, part) in [
        ("spool", 0o555, 0o755, "ledger: spool/"),
        ("tokens", 0o555, 0o755, "ledger: tokens/"),
        ("ledger.db.backups", 0o555, 0o755, "ledger: backups"),
        (
            "ledger.db.mark",
            0,
            0o644,
            "ledger.db.mark cannot be opened: Permission denied",
        ),
        (
            "ledger.db.lock",
            0,
            0o600,
            "ledger.db.lock cannot be opened: Permission denied",
        ),
    ] {
        let path = world.path(name);
        set(&path, shut);
        let Some(examined) = world.dropsheet_held_to_rights(&["doctor"]) else {
            set(&path, open);
            return world.end();
        };
        let wrong = said(&examined, "WRONG").join("\n");
        assert!(wrong.contains(part), "{name}: {examined:?}");
        if name == "ledger.db.mark" {
            let ran = world.run_once_held_to_rights().unwrap();
            assert_eq!(ran.status, 1, "{ran:?}");
            assert!(
                ran.logged.contains("cannot open the mark beside the ledger"),
                "{ran:?}"
            );
        }
        set(&path, open);
    }
    assert_eq!(
        said(&world.dropsheet_held_to_rights(&["doctor"]).unwrap(), "WRONG"),
        [""; 0]
    );
    world.end();
}

#[test]
fn a_backup_that_fails_is_told_until_one_is_made() {
    let mut world = World::new();
    let backups = world.path("ledger.db.backups");
    fs::create_dir(&backups).unwrap();
    set(&backups, 0o555);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let Some(ran) = world.run_once_held_to_rights() else {
        set(&backups, 0o755);
        return world.end();
    };
    let status_txt = || fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.said.contains("the ledger's daily backup failed: "), "{ran:?}");
    let told = status_txt();
    assert!(
        told.contains("Needs a person") && told.contains("daily backup"),
        "{told}"
    );
    let shown = world.dropsheet(&["status"]).said;
    assert!(shown.contains("Its daily backup failed: "), "{shown}");
    set(&backups, 0o755);
    let examined = world.dropsheet(&["doctor"]);
    assert!(
        said(&examined, "note")
            .join("\n")
            .contains("the newest try failed"),
        "{examined:?}"
    );
    assert_eq!(world.run_once().status, 0);
    assert!(
        status_txt().contains("nothing needs a person"),
        "{}",
        status_txt()
    );
    assert!(!world.dropsheet(&["status"]).said.contains("backup failed"));
    // An old one is as it should be, unless something was sent since.
    let old = backups.join(world.files("../ledger.db.backups").remove(0));
    let then = fs::metadata(&old).unwrap().modified().unwrap() - Duration::from_hours(72);
    File::options()
        .write(true)
        .open(old)
        .unwrap()
        .set_modified(then)
        .unwrap();
    let examined = world.dropsheet(&["doctor"]);
    assert!(
        said(&examined, "note")
            .join("\n")
            .contains("sheets were worked since"),
        "{examined:?}"
    );
    assert_eq!(world.dropsheet(&["ledger", "backup"]).status, 0);
    let examined = world.dropsheet(&["doctor"]);
    assert!(
        !examined.said.contains("sheets were worked since"),
        "{examined:?}"
    );
    for name in world.files("../ledger.db.backups") {
        fs::remove_file(backups.join(name)).unwrap();
    }
    let examined = world.dropsheet(&["doctor"]);
    assert!(
        said(&examined, "note")
            .join("\n")
            .contains("though one was made at"),
        "{examined:?}"
    );
    world.end();
}

#[test]
fn a_folder_that_is_a_link_to_another_disk_is_wrong() {
    let world = World::new();
    let Some(elsewhere) = world.elsewhere() else {
        println!("SKIPPED: this machine has one disk alone");
        return world.end();
    };
    let inbox = world.orders_path("inbox");
    fs::remove_dir(&inbox).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), &inbox).unwrap();
    let examined = world.dropsheet(&["doctor"]);
    let wrong = said(&examined, "WRONG");
    assert_eq!(wrong.len(), 1, "{examined:?}");
    assert!(
        wrong[0].contains("inbox/ to processing/: no file can be moved there"),
        "{examined:?}"
    );
    assert_eq!(
        fs::read_dir(elsewhere.path()).unwrap().count(),
        0,
        "it leaves nothing"
    );
    fs::remove_file(&inbox).unwrap();
    fs::create_dir(&inbox).unwrap();
    world.end();
}
