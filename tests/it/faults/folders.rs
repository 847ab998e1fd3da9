//! What happens to the folders and the sheets in them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::time::SystemTime;

use dropsheet::files::move_new;

use crate::world::{HEADER, Setup, World, names, row, sheet, wait_for, write};

#[test]
fn without_its_marker_nothing_in_a_folder_is_taken() {
    let mut world = World::new();
    fs::remove_file(world.orders_path(".dropsheet")).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 1, "{ran:?}");
    assert_eq!(world.files("inbox"), ["monday.csv"]);
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn nothing_is_created_where_a_share_is_not_mounted() {
    let world = World::new();
    fs::remove_dir_all(world.orders_path("")).unwrap();
    fs::create_dir(world.orders_path("")).unwrap();
    let ran = world.run_once();
    assert_eq!(ran.status, 1, "{ran:?}");
    assert_eq!(world.files(""), [""; 0]);
    // It is mounted again.
    fs::create_dir(world.orders_path("processing")).unwrap();
    world.end();
}

#[test]
fn a_daemon_writes_nothing_into_a_folder_without_its_marker() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    let help = world.orders_path("help");
    assert!(help.join("template.xlsx").exists());
    fs::remove_dir_all(&help).unwrap();
    fs::create_dir(&help).unwrap();
    fs::remove_file(world.orders_path(".dropsheet")).unwrap();
    let daemon = world.daemon();
    wait_for("it is said", || {
        world.dropsheet(&["status"]).said.contains(".dropsheet")
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(names(&help), [""; 0]);
    world.end();
}

#[test]
fn an_inbox_that_was_added_beside_a_daemon_is_not_said_to_be_worked() {
    let world = World::new();
    let daemon = world.daemon();
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap() + "\n[inbox.later]\npath = \"later\"\n";
    write(&path, config.as_bytes());
    assert_eq!(world.dropsheet(&["init"]).status, 0);
    let unknown = || {
        let said = world.dropsheet(&["status"]).said;
        said.matches("the running dropsheet does not know it").count()
    };
    assert_eq!(unknown(), 0, "it may only have begun");
    let lock = fs::File::options().write(true).open(world.path("ledger.db.lock"));
    lock.unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    // The other one from its first look on is known.
    wait_for("it is said of the added one alone", || unknown() == 1);
    assert!(world.dropsheet(&["status"]).said.contains("NOT WORKED"));
    let doctor = world.dropsheet(&["doctor"]);
    let told = "WRONG  inbox later: daemon: the running dropsheet does not know it, so nothing is taken";
    assert!(doctor.status == 1 && doctor.said.contains(told), "{doctor:?}");
    assert_eq!(doctor.said.matches("does not know it").count(), 1, "{doctor:?}");
    let init = world.dropsheet(&["init"]);
    let told = "inbox `later`: the running dropsheet does not know it, so nothing is taken: end that and start it again";
    assert!(init.status == 0 && init.said.contains(told), "{init:?}");
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(unknown(), 0, "nobody is at work");
    assert!(!world.dropsheet(&["doctor"]).said.contains("does not know it"));
    world.end();
}

#[test]
fn a_config_that_was_changed_beside_a_daemon_is_said_not_to_count_yet() {
    let world = World::new();
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let works = || {
        world
            .dropsheet(&["status"])
            .said
            .contains("dropsheet is at work: ")
    };
    let daemon = world.daemon();
    wait_for("it works", works);
    let told = "its config was changed since it began, which does not count yet";
    let is_told = |command: &str| world.dropsheet(&[command]).said.contains(told);
    assert_eq!([is_told("status"), is_told("doctor")], [false; 2]);
    write(&path, format!("{config}max_order_total = 5\n").as_bytes());
    assert_eq!([is_told("status"), is_told("doctor")], [true; 2]);
    write(&path, config.as_bytes());
    assert_eq!([is_told("status"), is_told("doctor")], [false; 2], "as it was");
    write(&path, format!("{config}max_order_total = 5\n").as_bytes());
    assert_eq!(daemon.terminate().0, 0);
    let daemon = world.daemon();
    wait_for("it works", works);
    assert_eq!([is_told("status"), is_told("doctor")], [false; 2]);
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn an_inbox_that_comes_back_is_worked() {
    let mut world = World::new();
    let (mounted, away) = (world.orders_path(""), world.path("away"));
    move_new(&mounted, &away).unwrap();
    let daemon = world.daemon();
    move_new(&away, &mounted).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is worked", || {
        world.find_result("monday.csv").is_some() && world.files("processing").is_empty()
    });
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_file_whose_name_is_not_utf_8_is_renamed_and_worked_as_any_other() {
    let mut world = World::new();
    let put = |part: &str, name: &[u8], text: &str| {
        let folder = world.orders_path(part);
        write(&folder.join(OsStr::from_bytes(name)), text.as_bytes());
    };
    let text = sheet(&["1001"]);
    put("inbox", b"Auftr\xe4ge.csv", &text);
    put("inbox", b"Auftr\xe4ge.pdf", "no sheet");
    put("try", b"Probe f\xfcr Jo\xebl.csv", &text);
    world.expect_csv("Auftr_ge.csv", &text);
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "one is rejected: {ran:?}");
    assert!(ran.logged.contains("its name was not UTF-8"), "{ran:?}");
    assert_eq!(world.result("Auftr_ge.csv").column("result_status"), ["created"]);
    assert_eq!(world.at_service("1001").len(), 1);
    for part in ["inbox", "try", "processing"] {
        assert_eq!(world.files(part), [""; 0], "{part}");
    }
    let done = world.files("done");
    assert!(
        done.iter().any(|name| name.ends_with("_Auftr_ge.csv")),
        "{done:?}"
    );
    assert!(
        done.iter().any(|name| name.ends_with("_Probe f_r Jo_l.csv")),
        "{done:?}"
    );
    let rejected = world.files("rejected");
    assert!(
        rejected.iter().any(|name| name.ends_with("_Auftr_ge.error.txt")),
        "{rejected:?}"
    );
    world.end();
}

#[test]
fn the_same_sheet_under_another_name_sends_nothing_and_counts_no_amount_twice() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday (copy).csv", &sheet(&["1001", "1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    let result = world.result("monday (copy).csv");
    assert_eq!(result.column("result_status"), ["already_created"; 2]);
    assert_eq!(result.column("result_quoted_total"), ["", ""]);
    assert_eq!(result.column("result_service_total"), ["", ""]);
    assert!(
        result.column("result_first_sheet")[0].contains("monday"),
        "{result:?}"
    );
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_sheet_of_another_inbox_that_is_called_like_its_own_is_named_with_that_inbox() {
    let mut world = World::with(Setup {
        inbox: "[inbox.two]\npath = \"two\"\nstable_for = \"50ms\"\nresult_format = \"csv\"",
        ..Setup::default()
    });
    wait_for("both sheets can come within one minute", || {
        jiff::Timestamp::now().as_second() % 60 < 30
    });
    let both = |pieces| format!("{}{}\n", sheet(&["1001"]), row("1002", pieces));
    write(&world.path("two/inbox/day.csv"), both(1).as_bytes());
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("day.csv", &both(2));
    assert_eq!(world.run_once().status, 3);
    let stem = |results: Vec<String>| {
        let mut stems = results.iter().filter_map(|name| name.strip_suffix(".result.csv"));
        stems.next().unwrap().to_owned()
    };
    let there = stem(names(&world.path("two/results")));
    assert_eq!(stem(world.files("results")), there, "within one minute");
    let result = world.result("day.csv");
    assert_eq!(result.column("result_status"), ["already_created", "changed"]);
    let named = format!("two/{there}");
    assert_eq!(result.column("result_first_sheet"), [&named; 2]);
    let said = result.column("result_message");
    assert_eq!(
        said[0],
        format!("{named} has sent this order; nothing was sent again.")
    );
    assert!(
        said[1].contains(&format!("The result of {named} shows the order")),
        "{said:?}"
    );
    // Its own inbox has one of that name, which did not create it.
    world.drop_csv("night.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("night.csv").column("result_first_sheet"), [named]);
    // Where the names tell them apart, the name alone is told.
    write(&world.path("two/inbox/dawn.csv"), sheet(&["1003"]).as_bytes());
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("noon.csv", &sheet(&["1003"]));
    assert_eq!(world.run_once().status, 0);
    let result = world.result("noon.csv");
    assert!(
        result.column("result_first_sheet")[0].ends_with("_dawn")
            && !result.column("result_first_sheet")[0].contains('/'),
        "{result:?}"
    );
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn the_same_order_in_two_sheets_at_once_is_one_order() {
    let mut world = World::new();
    world.drop_csv("a.csv", &sheet(&["1001", "1002"]));
    world.drop_csv("b.csv", &sheet(&["1002", "1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_known_order_with_other_content_is_changed_and_not_sent() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("again.csv", &format!("{HEADER}\n{}\n", row("1001", 5)));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let result = world.result("again.csv");
    assert_eq!(result.column("result_status"), ["changed"]);
    assert_eq!(result.column("result_codes"), ["content-changed"]);
    let message = result.of("1001", "result_message");
    assert!(
        message.contains("with other content: quantity changed"),
        "{message}"
    );
    assert!(
        message.contains("This sheet asks for 5 × `TEE-CLASSIC-BLK-S` instead of 1."),
        "{message}"
    );
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn temporary_files_locks_links_and_folders_are_left_alone() {
    let mut world = World::new();
    let inbox = world.orders_path("inbox");
    for name in [
        "~$x.xlsx",
        "._x.csv",
        ".DS_Store",
        "x.csv.part",
        "Thumbs.db",
        "noending",
    ] {
        write(&inbox.join(name), b"order_id\n");
    }
    write(&inbox.join("locked.csv"), sheet(&["3001"]).as_bytes());
    write(&inbox.join(".~lock.locked.csv#"), b",ada,desk,;");
    std::os::unix::fs::symlink("/etc/hostname", inbox.join("link.csv")).unwrap();
    fs::create_dir(inbox.join("folder.csv")).unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert!(
        ran.status == 3 && ran.said.contains("1 file is still changing, open in another"),
        "{ran:?}"
    );
    assert_eq!(world.creates(), 1, "only monday.csv is taken");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    let left = world.files("inbox");
    assert!(
        left.contains(&"locked.csv".to_owned()) && left.len() == 10,
        "{left:?}"
    );
    // Its lock is gone: it is taken.
    fs::remove_file(inbox.join(".~lock.locked.csv#")).unwrap();
    world.excused.push("3001".to_owned());
    world.run_once();
    assert_eq!(world.creates(), 2);
    for name in ["._x.csv", ".DS_Store"] {
        fs::remove_file(inbox.join(name)).unwrap();
    }
    world.end();
}

#[test]
fn a_csv_that_ends_inside_a_quote_waits_and_sends_nothing() {
    let mut world = World::new();
    let whole = format!("{HEADER}\n{}\n1002,\"Bo \"\n", row("1001", 1));
    let cut = whole.rsplit_once('"').unwrap().0;
    world.drop_bytes("monday.csv", cut.as_bytes());
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.files("inbox"), ["monday.csv"]);
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn an_original_that_grows_while_it_is_worked_comes_back_as_a_new_sheet() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("moved-to-processing").crashed());
    let [name] = &world.files("processing")[..] else {
        panic!("{:?}", world.files("processing"))
    };
    let grown = sheet(&["1001", "1002"]);
    write(&world.orders_path("processing").join(name), grown.as_bytes());
    world.now_holds("monday.csv", &grown);
    let ran = world.run_once();
    assert_eq!(world.run_once().status, 0, "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["already_created", "created"]
    );
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_file_named_stop_sends_nothing_until_it_is_removed() {
    let mut world = World::new();
    write(&world.orders_path("STOP.txt"), b"");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.creates(), 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["waiting"]);
    fs::remove_file(world.orders_path("STOP.txt")).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn a_sheet_that_waits_is_no_stranger_whatever_it_is_called() {
    let mut world = World::with(Setup {
        absent_after: "15m",
        ..Setup::default()
    });
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("monday.try.csv", &sheet(&["1001"]));
    let tried = sheet(&["1002"]);
    write(&world.orders_path("try").join("tuesday.csv"), tried.as_bytes());
    for _look in 0..2 {
        let ran = world.run_once();
        assert!(!ran.logged.contains("is unknown to the ledger"), "{ran:?}");
        assert_eq!(world.result("monday.try.csv").column("result_codes"), ["stopped"]);
    }
    fs::remove_file(world.orders_path("STOP")).unwrap();
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!((world.creates(), world.files("try").len()), (1, 0));
    world.end();
}

#[test]
fn a_result_that_waits_may_be_looked_at_and_is_not_written_beside_itself() {
    let mut world = World::new();
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_once();
    let [result] = &world
        .files("results")
        .into_iter()
        .filter(|name| name.ends_with("monday.result.csv"))
        .collect::<Vec<_>>()[..]
    else {
        panic!("{:?}", world.files("results"))
    };
    let lock = world.orders_path("results").join(format!(".~lock.{result}#"));
    write(&lock, b",ada,desk,;");
    let before = world.files("results");
    for _look in 0..2 {
        assert_eq!(world.run_once().status, 3);
        assert_eq!(world.files("results"), before);
    }
    // With news it lies beside the one that is open, and is left there in its turn.
    fs::remove_file(world.orders_path("STOP")).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert!(
        world
            .files("results")
            .contains(&result.replace(".result", "-2.result")),
        "{:?}",
        world.files("results")
    );
    fs::remove_file(lock).unwrap();
    world.end();
}

#[test]
fn two_shops_with_the_same_numbers_need_a_prefix() {
    let mut world = World::with(Setup {
        inbox: "order_prefix = \"B-\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.at_service("B-1001").len(), 1);
    assert_eq!(world.result("monday.csv").of("1001", "result_order_id"), "B-1001");
    world.end();
}

#[test]
fn a_sheet_with_the_longest_name_that_a_folder_takes_gets_its_result() {
    let mut world = World::new();
    let name = format!("{}.csv", "x".repeat(251));
    write(
        &world.orders_path("inbox").join(name),
        sheet(&["1001"]).as_bytes(),
    );
    world.excused.push("1001".to_owned());
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    let [result] = &world.files("results")[..] else {
        panic!("{:?}", world.files("results"))
    };
    assert!(result.ends_with("x.result.csv"), "{result}");
    assert_eq!(world.files("done").len(), 1);
    assert_eq!((world.files("inbox").len(), world.creates()), (0, 1));
    world.end();
}

#[test]
fn a_sheet_that_is_tried_takes_no_place_of_one_that_is_called_as_tried_ones_are_marked() {
    let mut world = World::new();
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("x.try.csv", &sheet(&["1001"]));
    world.run_once();
    write(&world.orders_path("try/x.csv"), sheet(&["1002"]).as_bytes());
    world.run_once();
    fs::remove_file(world.orders_path("STOP")).unwrap();
    world.run_until_settled();
    assert_eq!(world.result("x.try.csv").column("result_status"), ["created"]);
    let quotes = world.files("results");
    let quotes = quotes.iter().filter(|name| name.ends_with(".quote.xlsx"));
    assert_eq!(
        quotes.count(),
        1,
        "it is priced once: {:?}",
        world.files("results")
    );
    assert_eq!(world.files("done").len(), 2, "{:?}", world.files("done"));
    assert_eq!(world.files("try"), [""; 0]);
    world.end();
}
