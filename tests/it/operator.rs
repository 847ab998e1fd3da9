//! What an operator and a merchant are told while nobody looks: `STATUS.txt`, mail, a command, figures, and a log that
//! names nobody.

mod smtp;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use dropsheet::sandbox::Options;

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

use smtp::Smtp;

/// A sheet with one order that is made, one whose SKU is unknown, and one over the limit of [`LIMITED`].
fn mixed() -> String {
    let unknown = row("1002", 1).replace("TEE-CLASSIC-BLK-S", "NO-SUCH-SKU");
    format!("{HEADER}\n{}\n{unknown}\n{}\n", row("1001", 1), row("1003", 9))
}

const LIMITED: &str = "max_order_total = \"30.00\"";

/// What stands in the sheets of these tests and names a person.
const PERSONAL: [&str; 6] = [
    "Ada Example",
    "Maple",
    "Columbus",
    "43004",
    "555 010",
    "shop@example.com",
];

fn status_txt(world: &World) -> String {
    std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap()
}

#[test]
fn status_txt_tells_what_needs_a_person_and_which_files_are_left_alone() {
    let mut world = World::with(Setup {
        inbox: LIMITED,
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &mixed());
    write(&world.orders_path("inbox").join("notes"), b"no ending");
    assert_eq!(world.run_once().status, 3);
    let told = status_txt(&world);
    for text in [
        "dropsheet made a pass: ",
        " UTC\r\n",
        "Needs a person:\r\n",
        "Order 1003: It waits for approval",
        "notes: a name without an ending: give it one, such as .csv",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
    assert_eq!(
        told.matches('\n').count(),
        told.matches("\r\n").count(),
        "every line ends for Notepad"
    );
    std::fs::remove_file(world.orders_path("inbox").join("notes")).unwrap();
    world.end();
}

#[test]
fn status_txt_tells_of_a_sheet_that_is_left_alone_before_it_tells_of_other_files() {
    let world = World::new();
    let inbox = world.orders_path("inbox");
    for number in 0..30 {
        write(&inbox.join(format!("n{number}.tmp")), b"temporary");
    }
    write(&inbox.join("sheet.csv"), mixed().as_bytes());
    write(&inbox.join(".~lock.sheet.csv#"), b"somebody");
    world.run_once();
    let told = status_txt(&world);
    let (_, left) = told.split_once("Files left alone:").unwrap();
    assert!(left.trim_start().starts_with("sheet.csv: "), "{told}");
    assert!(left.contains("and 12 more"), "{told}");
    std::fs::remove_dir_all(&inbox).unwrap();
    world.end();
}

#[test]
fn status_txt_that_an_editor_has_saved_anew_is_written_again_and_another_s_file_is_told_of() {
    let world = World::new();
    let path = world.orders_path("STATUS.txt");
    for saved in [
        &b""[..],
        b"\xEF\xBB\xBFdropsheet made a pass: then\r\n",
        b"\xFF\xFEd\0r\0o\0p\0s\0h\0e\0e\0t\0 \0",
    ] {
        write(&path, saved);
        assert_eq!(world.run_once().status, 0);
        assert!(
            status_txt(&world).starts_with("dropsheet made a pass: "),
            "{saved:?}"
        );
    }
    let said = |command| world.dropsheet(&[command]).said;
    for command in ["status", "doctor"] {
        assert!(!said(command).contains("STATUS.txt"), "{}", said(command));
    }
    write(&path, b"My own notes");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(status_txt(&world), "My own notes");
    for command in ["status", "doctor"] {
        let said = said(command);
        assert!(
            said.contains("STATUS.txt") && said.contains("somebody else's"),
            "{said}"
        );
    }
    world.end();
}

#[test]
fn a_file_that_is_rejected_or_not_whole_is_told_by_its_name() {
    let world = World::new();
    let inbox = world.orders_path("inbox");
    write(&inbox.join("photo.pdf"), b"%PDF");
    write(&inbox.join("half.csv"), b"order_id,\"shipping_na");
    assert_eq!(world.run_once().status, 3);
    let rejected = world.files("rejected");
    let rejected = rejected.iter().find(|name| name.contains("photo.pdf")).unwrap();
    // Another run has not rejected it, and tells of it all the same.
    world.run_once();
    let told = status_txt(&world);
    let says = format!(
        "Needs a person:\r\n  rejected/{rejected}: `photo.pdf` has an ending that no order sheet has."
    );
    assert!(told.contains(&says), "{told}");
    let says =
        "Files not taken yet:\r\n  1 file still changing or not whole\r\n  half.csv: its end is missing";
    assert!(told.contains(says), "{told}");
    let said = world.dropsheet(&["status"]).said;
    for text in [
        "half.csv: its end is missing",
        "photo.pdf` has an ending that no order sheet has",
    ] {
        assert!(said.contains(text), "{said}");
    }
    std::fs::remove_file(world.orders_path("rejected").join(rejected)).unwrap();
    std::fs::remove_file(inbox.join("half.csv")).unwrap();
    world.run_once();
    let told = status_txt(&world);
    assert!(told.contains("nothing needs a person"), "{told}");
    world.end();
}

#[test]
fn status_and_status_txt_tell_what_a_refresh_has_changed_in_the_catalog() {
    let world = World::new();
    assert_eq!(world.dropsheet(&["catalog", "refresh"]).status, 0);
    assert_eq!(world.run_once().status, 0);
    assert!(
        !status_txt(&world).contains("catalog"),
        "the first catalog is no news"
    );
    assert!(world.service.remove_sku("TEE-CLASSIC-BLK-S"));
    assert_eq!(world.dropsheet(&["catalog", "refresh"]).status, 0);
    assert_eq!(world.run_once().status, 0);
    let told = status_txt(&world);
    assert!(
        told.contains("In the catalog, in the last seven days:\r\n  1 gone (TEE-CLASSIC-BLK-S)\r\n"),
        "{told}"
    );
    let said = world.dropsheet(&["status"]);
    assert!(
        said.said
            .contains("The catalog of main in the last seven days: 1 gone (TEE-CLASSIC-BLK-S)"),
        "{said:?}"
    );
    world.end();
}

#[test]
fn status_txt_tells_of_a_stop_until_it_is_removed() {
    let mut world = World::new();
    let stop = world.orders_path("STOP.txt");
    write(&stop, b"");
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n", row("1001", 1)));
    world.run_once();
    let told = status_txt(&world);
    assert!(told.contains("while a file named STOP lies here"), "{told}");
    std::fs::remove_file(stop).unwrap();
    world.run_once();
    let told = status_txt(&world);
    assert!(!told.contains("STOP"), "{told}");
    world.end();
}

#[test]
fn status_says_of_a_sheet_that_waits_that_it_does_and_not_when_it_is_done() {
    let mut world = World::new();
    let stop = world.orders_path("STOP.txt");
    write(&stop, b"");
    let wrong = row("1002", 1).replace("TEE-CLASSIC-BLK-S", "NO-SUCH-SKU");
    world.drop_csv("monday.csv", &format!("{HEADER}\n{}\n{wrong}\n", row("1001", 1)));
    world.run_once();
    let said = world.dropsheet(&["status"]).said;
    let line = said.lines().find(|line| line.starts_with("monday.csv")).unwrap();
    assert!(line.ends_with("1 of 2            it waits"), "{said}");
    std::fs::remove_file(stop).unwrap();
    world.run_once();
    world.end();
}

#[test]
fn a_status_txt_of_somebody_else_is_left_as_it_is() {
    let world = World::new();
    write(&world.orders_path("STATUS.txt"), b"my own notes");
    assert_eq!(world.run_once().status, 0);
    assert_eq!(status_txt(&world), "my own notes");
    world.end();
}

#[test]
fn a_daemon_keeps_status_txt_and_says_when_it_ends() {
    let mut world = World::with(Setup {
        inbox: LIMITED,
        ..Setup::default()
    });
    let daemon = world.daemon();
    wait_for("it is said to be alive", || {
        world.files("").contains(&"STATUS.txt".to_owned()) && status_txt(&world).contains("is alive")
    });
    assert!(status_txt(&world).contains("Nothing is under way"));
    world.drop_csv("monday.csv", &mixed());
    wait_for("the held order is told", || {
        status_txt(&world).contains("Order 1003: It waits for approval")
    });
    assert_eq!(daemon.terminate().0, 0);
    assert!(
        status_txt(&world).contains("was stopped"),
        "{}",
        status_txt(&world)
    );
    world.end();
}

#[test]
fn a_daemon_that_an_error_stops_says_so_in_status_txt_and_ends_with_1() {
    let world = World::new();
    let daemon = world.daemon_with(&[("DROPSHEET_CRASH_AT", "ledger-commit:10:errors")]);
    wait_for("it is said to have stopped", || {
        world.files("").contains(&"STATUS.txt".to_owned()) && status_txt(&world).contains("has stopped")
    });
    assert_eq!(daemon.terminate().0, 1);
    let told = status_txt(&world);
    for text in [
        "dropsheet has stopped: ",
        " UTC. Nothing is taken and nothing is sent.\r\n\r\nNeeds a person:\r\n  dropsheet cannot use its own records.\r\n",
        "Tell the operator, who has to mend it",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
    assert_eq!(world.run_once().status, 0);
    assert!(status_txt(&world).contains("made a pass"), "it works again");
    world.end();
}

#[test]
fn a_pass_over_a_damaged_ledger_says_in_status_txt_that_dropsheet_has_stopped() {
    let world = World::new();
    assert_eq!(world.run_once().status, 0);
    assert!(status_txt(&world).contains("nothing needs a person"));
    for name in ["ledger.db-wal", "ledger.db-shm"] {
        drop(std::fs::remove_file(world.path(name)));
    }
    write(
        &world.path("ledger.db"),
        b"this is no ledger at all, and longer than a header of a page",
    );
    assert_eq!(world.run_once().status, 1);
    let told = status_txt(&world);
    assert!(told.starts_with("dropsheet has stopped: "), "{told}");
    assert!(
        told.contains("  dropsheet's own records are damaged.\r\n"),
        "{told}"
    );
    assert!(!told.contains("nothing needs a person"), "{told}");
    // Who starts a second one beside a dropsheet that works does not say that it has stopped.
    std::fs::remove_file(world.path("ledger.db")).unwrap();
    let rebuilt = world.dropsheet(&["ledger", "rebuild"]);
    assert_eq!(rebuilt.status, 0, "{rebuilt:?}");
    let daemon = world.daemon();
    wait_for("it is alive", || status_txt(&world).contains("is alive"));
    assert_eq!(world.run_once().status, 4);
    assert!(status_txt(&world).contains("is alive"));
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn an_address_that_the_server_refuses_keeps_the_mail_from_no_other_one() {
    let server = Smtp::start();
    let both = "[\"nobody@example.com\", \"ops@example.com\"]";
    let config = server.config().replace("[\"ops@example.com\"]", both);
    let mut world = World::with(Setup {
        inbox: &format!("{LIMITED}\n{config}"),
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &mixed());
    let ran = world.run_once();
    let mails = server.mails();
    assert_eq!(mails.len(), 1, "{ran:?}");
    assert!(mails[0].contains("To: ops@example.com"), "{mails:?}");
    assert!(
        ran.logged.contains("address 1 of `notify.mail_to` gets no mail")
            && ran.logged.contains("no such user"),
        "{ran:?}"
    );
    let told = "[notify]: mails to nobody@example.com could not be sent since";
    assert_eq!(ran.status, 3, "{ran:?}");
    let ran = world.run_once();
    assert_eq!(server.mails().len(), 1, "told once");
    assert!(ran.said.contains(told), "{ran:?}");
    let said = world.dropsheet(&["status"]).said;
    assert!(
        said.contains(told) && said.contains("no such user here"),
        "{said}"
    );
    let text = status_txt(&world);
    assert!(
        text.contains("dropsheet's mails to nobody@example.com are not taken"),
        "{text}"
    );
    let tried = world.dropsheet(&["doctor"]);
    assert_eq!(tried.status, 1, "{tried:?}");
    assert!(
        tried
            .said
            .contains("127.0.0.1 takes no mail for nobody@example.com"),
        "{tried:?}"
    );
    server.get_to_know_nobody();
    world.run_once();
    let said = world.dropsheet(&["status"]).said;
    assert!(!said.contains("[notify]"), "{said}");
    let tried = world.dropsheet(&["doctor"]).said;
    assert!(
        tried.contains("127.0.0.1 takes mail for nobody@example.com, ops@example.com"),
        "{tried}"
    );
    assert_eq!(server.mails().len(), 1, "nothing was sent to try it");
    world.end();
}

#[test]
fn a_sheet_that_needs_a_person_is_mailed_once_and_names_nobody() {
    let server = Smtp::start();
    let inbox = format!("{LIMITED}\n{}", server.config());
    let mut world = World::with(Setup {
        inbox: &inbox,
        ..Setup::default()
    });
    world.drop_csv("good.csv", &sheet(&["2001"]));
    world.run_once();
    assert_eq!(server.mails(), [""; 0], "what is as it should be is not told");
    world.drop_csv("monday.csv", &mixed());
    world.run_once();
    world.run_once();
    let mails = server.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].contains("monday.csv is done"), "{mails:?}");
    assert!(mails[0].contains("1 held, 1 invalid"), "{mails:?}");
    let told = mails[0].replace("To: ops@example.com", "");
    for personal in PERSONAL {
        assert!(!told.contains(personal), "{personal}: {told}");
    }
    // A folder that is away, and comes back, and is away again within the hour, is told once.
    let marker = world.orders_path(".dropsheet");
    let text = std::fs::read(&marker).unwrap();
    for _ in 0..2 {
        std::fs::remove_file(&marker).unwrap();
        assert_eq!(world.run_once().status, 1);
        write(&marker, &text);
        world.run_once();
    }
    let mails = server.mails();
    assert_eq!(mails.len(), 2, "{mails:?}");
    assert!(mails[1].contains("Inbox main cannot be worked"), "{mails:?}");
    world.end();
}

#[test]
fn a_mail_that_cannot_be_sent_stops_no_work_and_is_sent_later() {
    let server = Smtp::start();
    server.refuse(true);
    let inbox = format!(
        "{LIMITED}\n{}command = [\"sh\", \"-c\", \"cat > told.json\"]\n",
        server.config()
    );
    let mut world = World::with(Setup {
        inbox: &inbox,
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &mixed());
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.logged.contains("a person could not be told"), "{ran:?}");
    assert_eq!(world.creates(), 1, "the order is made all the same");
    let told = std::fs::read_to_string(world.path("told.json")).unwrap();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["concerns"][0]["orders"]["invalid"], 1, "{told}");
    let not_told = |world: &World| {
        let status = world.dropsheet(&["status", "--json"]).said;
        let status: serde_json::Value = serde_json::from_str(&status).unwrap();
        status["not_told"].clone()
    };
    let failed = not_told(&world);
    assert_eq!(failed[0]["by"], "mail", "{failed}");
    assert!(failed[0]["why"].as_str().unwrap().contains("not now"), "{failed}");
    assert!(
        ran.said.contains("[notify]: mails could not be sent since"),
        "{ran:?}"
    );
    let said = world.dropsheet(&["status"]).said;
    assert!(said.contains("[notify]: mails could not be sent since"), "{said}");
    let text = status_txt(&world);
    assert!(text.contains("dropsheet cannot send its mails"), "{text}");
    world.run_once();
    assert_eq!(not_told(&world)[0]["since"], failed[0]["since"]);
    server.refuse(false);
    world.run_once();
    assert_eq!(server.mails().len(), 1);
    assert_eq!(not_told(&world), serde_json::json!([]));
    assert!(!status_txt(&world).contains("its mails"));
    world.end();
}

#[test]
fn refused_credentials_are_mailed() {
    let server = Smtp::start();
    let inbox = server.config();
    let mut world = World::with(Setup {
        inbox: &inbox,
        password: "wrong-secret",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let mails = server.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(
        mails[0].contains("refuses the password of account main"),
        "{mails:?}"
    );
    write(&world.path("password"), b"sandbox");
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn a_service_that_one_pass_after_the_other_finds_away_is_mailed() {
    let server = Smtp::start();
    let inbox = server.config();
    let mut world = World::with(Setup {
        inbox: &inbox,
        ..Setup::default()
    });
    assert_eq!(world.run_once().status, 0);
    world.service.set_fault("unavailable-all=after:0").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    // As passes before this one have left it.
    let ledger = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    for (which, minutes) in [("since", 70), ("still at", 5)] {
        let sql = "INSERT INTO meta (key, value) VALUES (?1, 1000 * (unixepoch() - 60 * ?2))";
        let key = format!("service of main is away {which}");
        ledger.execute(sql, rusqlite::params![key, minutes]).unwrap();
    }
    drop(ledger);
    assert_eq!(world.run_once().status, 3);
    let mails = server.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(
        mails[0].contains("The service of account main has not answered for 1 h"),
        "{mails:?}"
    );
    world.service.clear_faults();
    assert_eq!(world.run_once().status, 0);
    world.end();
}

/// The answer to a GET, headers and body.
fn get(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn figures_tell_orders_and_requests_and_readiness_follows_the_folder() {
    let mut world = World::with(Setup {
        inbox: "[metrics]\nlisten = \"127.0.0.1:0\"\n[notify]\ncommand = [\"false\"]\n",
        ..Setup::default()
    });
    let daemon = world.daemon();
    let log = || std::fs::read_to_string(world.path("daemon.log")).unwrap();
    wait_for("it listens", || log().contains("address="));
    let log = log();
    let address = log.split("address=").nth(1).unwrap();
    let address: SocketAddr = address.split_whitespace().next().unwrap().parse().unwrap();
    let stop = world.orders_path("STOP");
    write(&stop, b"");
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    wait_for("the sheet is taken", || {
        get(address, "/metrics").contains("dropsheet_sheets{state=\"taken\"} 1")
    });
    std::fs::remove_file(&stop).unwrap();
    wait_for("both orders are counted", || {
        get(address, "/metrics").contains("dropsheet_orders{state=\"created\"} 2")
    });
    wait_for("the sheet is done", || {
        get(address, "/metrics").contains("dropsheet_sheets{state=\"done\"} 1")
    });
    let figures = get(address, "/metrics");
    for line in [
        "dropsheet_request_seconds_count{account=\"main\",operation=\"create-new-order\",outcome=\"answered\"} 2",
        "dropsheet_requests_in_flight{account=\"main\"} ",
        "dropsheet_sheets{state=\"taken\"} 0",
        "dropsheet_inbox_workable{inbox=\"main\"} 1",
        "dropsheet_unresolved_orders{account=\"main\"} 0",
        "dropsheet_account_stopped{account=\"main\"} 0",
        "dropsheet_notifications_total{by=\"command\",outcome=\"sent\"} 0",
        "# EOF",
    ] {
        assert!(figures.contains(line), "{line}: {figures}");
    }
    assert!(get(address, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(get(address, "/readyz").starts_with("HTTP/1.1 200"));
    let marker = world.orders_path(".dropsheet");
    let text = std::fs::read(&marker).unwrap();
    std::fs::remove_file(&marker).unwrap();
    wait_for("it is not ready", || {
        get(address, "/readyz").starts_with("HTTP/1.1 503")
    });
    assert!(get(address, "/readyz").contains("Is the share mounted?"));
    wait_for("a person could not be told of it", || {
        get(address, "/metrics")
            .contains("dropsheet_notifications_total{by=\"command\",outcome=\"failed\"} 1")
    });
    assert!(
        get(address, "/healthz").starts_with("HTTP/1.1 200"),
        "starting anew would not help"
    );
    write(&marker, &text);
    wait_for("it is ready again", || {
        get(address, "/readyz").starts_with("HTTP/1.1 200")
    });
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_log_of_everything_names_nobody_and_no_secret() {
    let mut world = World::with(Setup {
        service: Options {
            password: "hush-hush".to_owned(),
            ..Options::default()
        },
        password: "hush-hush",
        ..Setup::default()
    });
    for rule in ["drop=on:1", "refuse=on:2"] {
        world.service.set_fault(rule).unwrap();
    }
    // Five digits alone may stand in the fraction of a second.
    let zip = "43004-0199";
    let [first, second, third] = ["1001", "1002", "1003"].map(|id| row(id, 1).replace("43004", zip));
    let unknown = second.replace("TEE-CLASSIC-BLK-S", "NO-SUCH-SKU");
    world.drop_csv("monday.csv", &format!("{HEADER}\n{first}\n{unknown}\n{third}\n"));
    let first = world.dropsheet(&["run", "--once", "-vv"]);
    let second = world.dropsheet(&["run", "--once", "-vv"]);
    let logged = first.logged + &second.logged;
    assert!(logged.contains("order_id=\"1001\""), "orders are named: {logged}");
    let token = std::fs::read_to_string(world.path("tokens/main.json")).unwrap();
    let token: serde_json::Value = serde_json::from_str(&token).unwrap();
    let token = token["token"].as_str().unwrap().to_owned();
    let secrets = [token.as_str(), "hush-hush"];
    let personal = PERSONAL.map(|text| if text == "43004" { zip } else { text });
    for secret in personal.iter().chain(&secrets) {
        let line = logged.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret}");
    }
    world.end();
}

#[test]
fn originals_that_are_older_than_keep_done_are_removed_and_others_are_not() {
    let mut world = World::with(Setup {
        inbox: "[keep]\ndone = \"1ms\"\n",
        ..Setup::default()
    });
    write(&world.orders_path("done").join("mine.csv"), b"somebody's own");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.files("done"), ["mine.csv"]);
    // Nor is what a person keeps there under the name of a sheet.
    let results = world.files("results");
    let stem = results
        .iter()
        .find_map(|name| name.strip_suffix(".result.csv"))
        .unwrap();
    let note = format!("{stem}.pdf");
    write(&world.orders_path("done").join(&note), b"a note of mine");
    tidy_again(&world);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.files("done"), [note.as_str(), "mine.csv"]);
    world.end();
}

/// Has the next pass tidy, however short a while ago that was done.
fn tidy_again(world: &World) {
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let ahead = "UPDATE notice SET told_at = told_at + 100000000000 WHERE key = 'tidied'";
    assert_eq!(db.execute(ahead, []).unwrap(), 1);
}

#[test]
fn what_is_old_is_removed_after_a_clock_that_was_years_ahead_was_set_right() {
    let mut world = World::with(Setup {
        inbox: "[keep]\ndone = \"1ms\"\n",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    tidy_again(&world);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.files("done"), [""; 0]);
    world.end();
}

#[test]
fn nothing_is_removed_by_a_clock_that_is_half_a_day_from_the_services() {
    let mut world = World::with(Setup {
        inbox: "[keep]\ndone = \"1ms\"\n",
        ..Setup::default()
    });
    world.service.advance_clock(Duration::from_hours(13));
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.files("done").len(), 1);
    assert!(ran.logged.contains("nothing that is old is removed"), "{ran:?}");
    world.end();
}
