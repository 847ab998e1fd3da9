//! Rights to folders that are taken away for a while and given back, and whose group results belong to. The program is
//! held to them as everybody is, though a test may run as root.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

use dropsheet::files::move_new;

use super::is_done;
use crate::world::{Setup, World, sheet, wait_for, write};

fn set(folder: &Path, mode: u32) {
    fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
}

fn status_txt(world: &World) -> String {
    fs::read_to_string(world.orders_path("STATUS.txt")).unwrap_or_default()
}

#[test]
fn an_inbox_that_cannot_be_read_for_a_while_is_told_of_and_worked_afterwards() {
    let mut world = World::new();
    let Some(daemon) = world.daemon_held_to_rights() else {
        return world.end();
    };
    let inbox = world.orders_path("inbox");
    // Whoever knows a name may write it; nobody may list.
    set(&inbox, 0o300);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is told", || {
        status_txt(&world).contains("cannot work the folder")
    });
    let log = fs::read_to_string(world.path("daemon.log")).unwrap();
    assert_eq!(
        log.matches("tried again at each look").count(),
        1,
        "said once: {log}"
    );
    assert_eq!(world.creates(), 0);
    set(&inbox, 0o755);
    wait_for("it is worked", || is_done(&world, &["monday.csv"]));
    wait_for("all is told to be well", || {
        !status_txt(&world).contains("cannot work the folder")
    });
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_folder_that_cannot_be_looked_through_keeps_no_other_inbox_from_its_pass() {
    let mut world = World::with(Setup {
        inbox: "[inbox.two]\npath = \"two\"\nstable_for = \"50ms\"\nresult_format = \"csv\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    write(&world.path("two/inbox/day.csv"), sheet(&["1002"]).as_bytes());
    // Its result lies in that inbox.
    world.excused.push("1002".to_owned());
    let processing = world.orders_path("processing");
    // It can be written, and nobody may list it.
    set(&processing, 0o300);
    let Some(ran) = world.run_once_held_to_rights() else {
        return world.end();
    };
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.said.contains("inbox `main`: "), "{ran:?}");
    assert_eq!(
        (world.at_service("1001").len(), world.at_service("1002").len()),
        (0, 1)
    );
    set(&processing, 0o755);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn an_original_that_cannot_be_put_away_is_told_of_and_put_away_afterwards() {
    let mut world = World::new();
    let Some(daemon) = world.daemon_held_to_rights() else {
        return world.end();
    };
    let done = world.orders_path("done");
    set(&done, 0o555);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is told", || {
        status_txt(&world).contains("cannot be moved to done/: let dropsheet write there")
    });
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    set(&done, 0o755);
    wait_for("it is put away", || is_done(&world, &["monday.csv"]));
    wait_for("and told no more", || {
        !status_txt(&world).contains("cannot be moved")
    });
    assert_eq!(world.creates(), 1);
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn results_that_may_not_be_written_for_a_while_are_told_of_and_written_afterwards() {
    let mut world = World::new();
    let Some(daemon) = world.daemon_held_to_rights() else {
        return world.end();
    };
    let results = world.orders_path("results");
    set(&results, 0o555);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    wait_for("the orders are sent", || world.creates() == 2);
    wait_for("it is told with what to do", || {
        let told = status_txt(&world);
        told.contains("cannot write the result of monday.csv")
            && told.contains("check that dropsheet may write there")
            && !told.contains(".dropsheet-")
    });
    assert!(world.find_result("monday.csv").is_none());
    set(&results, 0o755);
    wait_for("the result is written", || is_done(&world, &["monday.csv"]));
    wait_for("all is told to be well", || {
        status_txt(&world).contains("nothing needs a person")
    });
    assert_eq!(world.creates(), 2, "nothing is sent again");
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_sheet_that_cannot_be_rejected_says_why_and_hides_nothing_else_and_its_reason_stays_when_it_is_gone() {
    let world = World::new();
    let (inbox, of_anna) = (world.orders_path("inbox"), world.orders_path("inbox/anna"));
    fs::create_dir(&of_anna).unwrap();
    write(&of_anna.join("bad.csv"), b"hello,world\n");
    write(&inbox.join("secret.csv"), sheet(&["1001"]).as_bytes());
    set(&inbox.join("secret.csv"), 0o000);
    set(&of_anna, 0o555);
    let Some(daemon) = world.daemon_held_to_rights() else {
        set(&of_anna, 0o755);
        return world.end();
    };
    wait_for("its reason is told, and the other file too", || {
        let told = status_txt(&world);
        let reason = told.contains("bad.csv was not worked: No header row was found");
        reason && told.contains("secret.csv")
    });
    let status = world.dropsheet(&["status", "--json"]).said;
    assert!(status.contains("secret.csv"), "{status}");
    set(&of_anna, 0o755);
    fs::remove_file(of_anna.join("bad.csv")).unwrap();
    wait_for("its reason lies in rejected/", || {
        let names = world.files("rejected");
        names.len() == 1 && names[0].ends_with("_bad.error.txt")
    });
    fs::remove_file(inbox.join("secret.csv")).unwrap();
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_sheet_that_may_not_be_moved_away_is_worked_once_and_left_in_place() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let inbox = world.orders_path("inbox");
    set(&inbox, 0o555);
    let Some(daemon) = world.daemon_held_to_rights() else {
        set(&inbox, 0o755);
        return world.end();
    };
    wait_for("it is worked", || world.find_result("monday.csv").is_some());
    wait_for("it is told that it stays", || {
        status_txt(&world).contains("could not be moved away")
    });
    set(&inbox, 0o755);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("another is worked", || world.find_result("tuesday.csv").is_some());
    // Only after the daemon: a result that is written again stands aside for a moment.
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 2);
    let results = world.files("results");
    let of_monday = results.iter().filter(|name| name.contains("monday")).count();
    assert_eq!(of_monday, 1, "it was worked once: {results:?}");
    world.end();
}

#[test]
fn a_sheet_that_could_not_be_moved_away_is_as_soon_as_it_may_be() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let inbox = world.orders_path("inbox");
    set(&inbox, 0o555);
    let Some(daemon) = world.daemon_held_to_rights() else {
        set(&inbox, 0o755);
        return world.end();
    };
    wait_for("it is told that it stays", || {
        status_txt(&world).contains("could not be moved away")
    });
    wait_for("it is worked", || world.find_result("monday.csv").is_some());
    set(&inbox, 0o755);
    wait_for("it is where worked sheets are", || {
        is_done(&world, &["monday.csv"]) && world.files("done").len() == 1
    });
    wait_for("all is told to be well", || {
        status_txt(&world).contains("nothing needs a person")
    });
    assert_eq!(world.files("inbox"), [""; 0]);
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_sheet_that_was_left_in_place_is_not_taken_anew_when_its_own_rights_are_mended() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let inbox = world.orders_path("inbox");
    set(&inbox, 0o555);
    let Some(daemon) = world.daemon_held_to_rights() else {
        set(&inbox, 0o755);
        return world.end();
    };
    wait_for("it is told that it stays", || {
        status_txt(&world).contains("could not be moved away")
    });
    wait_for("it is worked", || world.find_result("monday.csv").is_some());
    assert_eq!(daemon.terminate().0, 0);
    // As `chown -R` and `chmod -R` do: the file itself is touched, and not written.
    set(&inbox.join("monday.csv"), 0o600);
    set(&inbox, 0o755);
    world.run_until_settled();
    assert_eq!(world.files("inbox"), [""; 0]);
    assert_eq!(world.files("done").len(), 1);
    let results = world.files("results");
    let of_monday = results.iter().filter(|name| name.contains("monday")).count();
    assert_eq!(of_monday, 1, "it was worked once: {results:?}");
    world.end();
}

#[test]
fn a_sheet_that_was_left_in_place_and_taken_away_is_worked_when_it_is_dropped_again_as_it_was() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let (inbox, monday) = (world.orders_path("inbox"), world.orders_path("inbox/monday.csv"));
    let written = fs::metadata(&monday).unwrap().modified().unwrap();
    set(&inbox, 0o555);
    let Some(daemon) = world.daemon_held_to_rights() else {
        set(&inbox, 0o755);
        return world.end();
    };
    wait_for("it is worked", || world.find_result("monday.csv").is_some());
    assert_eq!(daemon.terminate().0, 0);
    set(&inbox, 0o755);
    fs::remove_file(&monday).unwrap();
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    // As what copies a file leaves its date.
    let file = fs::File::options().write(true).open(&monday).unwrap();
    file.set_modified(written).unwrap();
    world.run_until_settled();
    let results = world.files("results");
    let of_monday = results.iter().filter(|name| name.contains("monday")).count();
    assert_eq!(of_monday, 2, "{results:?}");
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_file_that_may_not_be_read_is_left_alone_until_it_may() {
    let mut world = World::new();
    let Some(daemon) = world.daemon_held_to_rights() else {
        return world.end();
    };
    let hidden = world.orders_path("inbox").join(".monday");
    let text = sheet(&["1001"]);
    write(&hidden, text.as_bytes());
    set(&hidden, 0o000);
    let monday = world.orders_path("inbox").join("monday.csv");
    move_new(&hidden, &monday).unwrap();
    world.expect_csv("monday.csv", &text);
    wait_for("it is told", || {
        let told = status_txt(&world);
        told.contains("Needs a person") && told.contains("monday.csv: Permission denied")
    });
    assert_eq!(world.files("inbox"), ["monday.csv"]);
    set(&monday, 0o644);
    wait_for("it is worked", || is_done(&world, &["monday.csv"]));
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_pass_says_which_files_it_may_not_read_and_works_what_was_taken_before() {
    let mut world = World::new();
    let secret = world.orders_path("inbox").join("secret.csv");
    world.drop_csv("secret.csv", &sheet(&["1001"]));
    set(&secret, 0o000);
    let Some(ran) = world.run_once_held_to_rights() else {
        set(&secret, 0o644);
        return world.end();
    };
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.said.contains("secret.csv cannot be read"), "{ran:?}");
    set(&secret, 0o644);
    // It is seen, as it is now, by one pass, and taken by one that comes when it has stayed so for long enough.
    let tries = world.orders_path("try");
    set(&tries, 0o000);
    wait_for("what is taken is worked", || {
        let ran = world.run_once_held_to_rights().unwrap();
        assert_eq!(ran.status, 3, "{ran:?}");
        assert_eq!(ran.said.matches("cannot work the folder").count(), 1, "{ran:?}");
        is_done(&world, &["secret.csv"])
    });
    set(&tries, 0o755);
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn what_may_not_be_read_or_seen_into_is_for_a_person_wherever_it_lies() {
    let mut world = World::new();
    let (anna, text) = (world.orders_path("inbox/anna"), sheet(&["1001"]));
    fs::create_dir(&anna).unwrap();
    write(&anna.join("monday.csv"), text.as_bytes());
    world.expect_csv("monday.csv", &text);
    let decision = world.orders_path("approved/monday.held.csv");
    write(&decision, b"approval_key\n");
    // Nobody means that one to be looked into.
    let hidden = world.orders_path("inbox/.git");
    fs::create_dir(&hidden).unwrap();
    let all = [&anna, &decision, &hidden];
    let set_all = |mode| {
        for path in all {
            set(path, mode);
        }
    };
    set_all(0);
    let Some(ran) = world.run_once_held_to_rights() else {
        set_all(0o755);
        return world.end();
    };
    assert_eq!(ran.status, 3, "{ran:?}");
    let examined = world.dropsheet_held_to_rights(&["doctor"]).unwrap();
    let told = status_txt(&world);
    for path in [&anna, &decision] {
        let name = path.file_name().unwrap().to_str().unwrap();
        let said = format!("{} cannot be read: Permission denied", path.display());
        assert!(ran.said.contains(&said), "{ran:?}");
        assert!(
            ran.said.contains("let dropsheet read it, or take it away"),
            "{ran:?}"
        );
        let said = format!(
            "{name}: Permission denied (os error 13). Nothing is done with it: let dropsheet read it"
        );
        assert!(told.contains("Needs a person") && told.contains(&said), "{told}");
        let wrong = examined
            .said
            .lines()
            .any(|line| line.contains("WRONG") && line.contains(name));
        assert!(wrong, "{name}: {examined:?}");
    }
    for said in [&ran.said, &told, &examined.said] {
        assert!(
            !said.contains("still changing") && !said.contains(".git"),
            "{said}"
        );
    }
    set_all(0o755);
    fs::remove_file(&decision).unwrap();
    fs::remove_dir(&hidden).unwrap();
    world.run_until_settled();
    assert_eq!(world.creates(), 1);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn what_is_written_into_a_shared_folder_belongs_to_its_group() {
    /// Nobody's.
    const GROUP: u32 = 54_321;
    let mut world = World::new();
    let orders = world.orders_path("");
    if chown(&orders, None, Some(GROUP)).is_err() {
        println!("SKIPPED: only root may give a folder to any group");
        return world.end();
    }
    set(&orders, 0o2770);
    for part in world.files("") {
        let part = world.orders_path(&part);
        if part.is_dir() {
            fs::remove_dir_all(part).unwrap();
        }
    }
    assert_eq!(world.dropsheet(&["init"]).status, 0);
    let bad = sheet(&["1001"]) + &crate::world::row("1002", 0) + "\n";
    world.drop_csv("monday.csv", &bad);
    assert_eq!(world.run_once().status, 3);
    let mut files = vec![world.orders_path("STATUS.txt")];
    for part in ["inbox", "results", "done", "held", "rejected"] {
        let folder = world.orders_path(part);
        let about = fs::metadata(&folder).unwrap();
        assert_eq!((about.gid(), about.mode() & 0o7777), (GROUP, 0o2770), "{part}");
        if part == "results" {
            files.extend(world.files(part).iter().map(|name| folder.join(name)));
        }
    }
    assert!(files.len() >= 3, "a result and a to-fix sheet: {files:?}");
    for file in files {
        assert_eq!(fs::metadata(&file).unwrap().gid(), GROUP, "{}", file.display());
    }
    world.end();
}

#[test]
fn while_a_folder_of_declined_cannot_be_looked_into_nothing_is_approved() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let Some(ran) = world.run_once_held_to_rights() else {
        return world.end();
    };
    assert_eq!(ran.status, 3, "{ran:?}");
    let name = world.files("held").remove(0);
    let (held, annas) = (world.orders_path("held"), world.orders_path("declined/anna"));
    fs::create_dir(&annas).unwrap();
    fs::copy(held.join(&name), annas.join(&name)).unwrap();
    move_new(&held.join(&name), &world.orders_path("approved").join(&name)).unwrap();
    set(&annas, 0);
    let ran = world.run_once_held_to_rights().unwrap();
    assert_eq!((ran.status, world.creates()), (3, 0), "{ran:?}");
    assert!(status_txt(&world).contains("anna"), "{}", status_txt(&world));
    set(&annas, 0o777);
    world.run_once_held_to_rights().unwrap();
    assert_eq!(world.result("monday.csv").of("1001", "result_status"), "declined");
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn folders_of_a_group_that_dropsheet_is_not_of_keep_the_bit_that_gives_its_files_that_group() {
    let world = World::new();
    let (root, results) = (world.orders_path(""), world.orders_path("results"));
    fs::remove_dir(&results).unwrap();
    if chown(&root, None, Some(12_345)).is_err() {
        println!("SKIPPED: this user cannot give a folder to a group");
        return world.end();
    }
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    // As this umask has it, so that nothing is to be opened further.
    set(&root, mode(&world.orders_path("inbox")) | 0o2000);
    let Some(ran) = world.dropsheet_held_to_rights(&["init"]) else {
        return world.end();
    };
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(mode(&results), mode(&root));
    assert_eq!(fs::metadata(&results).unwrap().gid(), 12_345);
    // What has to be opened further loses it, and that is told.
    fs::remove_dir(&results).unwrap();
    set(&root, 0o2777);
    let ran = world.dropsheet_held_to_rights(&["init"]).unwrap();
    assert_eq!(mode(&results) & 0o777, 0o777);
    let is_told = ran.logged.contains("chmod g+s");
    assert_eq!(is_told, mode(&results) & 0o2000 == 0, "{ran:?}");
    set(&root, 0o755);
    world.end();
}

#[test]
fn a_trouble_that_is_over_is_not_told_of_a_daemon_that_is_stopped_then() {
    let mut world = World::new();
    let config = fs::read_to_string(world.path("dropsheet.toml")).unwrap();
    // The next look comes late.
    let config = config.replace("look = \"200ms\"", "look = \"3s\"");
    write(&world.path("dropsheet.toml"), config.as_bytes());
    let Some(daemon) = world.daemon_held_to_rights() else {
        return world.end();
    };
    let results = world.orders_path("results");
    set(&results, 0o555);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is told", || {
        status_txt(&world).contains("cannot write the result")
    });
    set(&results, 0o755);
    wait_for("it is worked", || is_done(&world, &["monday.csv"]));
    assert_eq!(daemon.terminate().0, 0);
    let told = status_txt(&world);
    assert!(
        told.contains("was stopped") && !told.contains("Needs a person"),
        "{told}"
    );
    assert!(
        !world
            .dropsheet(&["status"])
            .said
            .contains("cannot write the result")
    );
    world.end();
}
