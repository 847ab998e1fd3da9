//! What nobody meant: each ends in a sentence that names the thing and what to do, and in the promised exit status;
//! nothing is sent, nothing is lost, and there is no panic and no backtrace (`shop` looks for them).

use std::process::Stdio;
use std::time::Duration;

use dropsheet::files::move_new;
use dropsheet::sandbox::Options;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::imports::cells;
use crate::shop::{HEADER, Shop};
use crate::world::{World, ran, row, wait_for};

/// A sheet that cannot be worked, and words that have to be said of it.
struct Bad {
    name: &'static str,
    bytes: Vec<u8>,
    words: &'static [&'static str],
}

/// Bytes without any meaning, the same every time.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}

/// The orders of `orders.csv`, with a gift note in two of them that begins and ends with a quotation mark.
fn strays() -> Vec<u8> {
    let orders = include_str!("../../examples/sheets/orders.csv");
    let ends = ["gift", "\"For Mum", "", "love\""];
    let lines = orders
        .lines()
        .zip(ends)
        .map(|(line, end)| format!("{line},{end}\r\n"));
    lines.collect::<String>().into_bytes()
}

fn bad_sheets() -> Vec<Bad> {
    let bad = |name, bytes: &[u8], words| Bad {
        name,
        bytes: bytes.to_owned(),
        words,
    };
    let compound = [
        &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
        &noise(4096)[..],
    ]
    .concat();
    // What a newer workbook with a password is wrapped in.
    let name: Vec<u8> = "EncryptedPackage"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let locked = [&compound[..], &name].concat();
    vec![
        bad("empty.csv", b"", &["empty", "drop it again"]),
        bad("blank.csv", b"\r\n\r\n\r\n", &["drop it again"]),
        bad(
            "header.csv",
            format!("{HEADER}\n").as_bytes(),
            &["no order below it", "Add the orders"],
        ),
        bad(
            "unknown.csv",
            b"colour,size\nred,L\nblue,M\n",
            &["No header row", "colour, size"],
        ),
        bad(
            "strays.csv",
            &strays(),
            &["lines 2 to 4: line 3", "in line 2", "drop the sheet again"],
        ),
        bad("noise.csv", &noise(9000), &["drop"]),
        bad("noise.xlsx", &noise(9000), &["drop"]),
        bad("locked.xlsx", &locked, &["password", "save it as .xlsx"]),
        bad("old.xls", &compound, &["damaged", "save it anew as .xlsx"]),
        bad(
            "page.xls",
            b"<html><body><table><tr><td>order_id</td></tr></table></body></html>",
            &["web page", "save it as .xlsx"],
        ),
    ]
}

#[test]
fn a_sheet_that_cannot_be_read_is_rejected_with_a_reason() {
    let shop = Shop::new();
    for bad in bad_sheets() {
        shop.write(bad.name, &bad.bytes);
        for command in ["check", "quote", "import"] {
            let said = shop.run(&[command, bad.name]);
            said.says(1, &[bad.name]);
            said.says(1, bad.words);
        }

        shop.write(&format!("orders/inbox/{}", bad.name), &bad.bytes);
        shop.run(&["run", "--once"]).says(3, &[bad.name, "rejected"]);
        assert!(shop.names("orders/inbox").is_empty());
        let rejected = shop.names("orders/rejected");
        let (reason, kept) = rejected
            .iter()
            .partition::<Vec<_>, _>(|name| name.ends_with(".error.txt"));
        let ([reason], [kept]) = (&reason[..], &kept[..]) else {
            panic!("{}: {rejected:?}", bad.name);
        };
        assert_eq!(
            std::fs::read(shop.path("orders/rejected").join(kept)).unwrap(),
            bad.bytes
        );
        let reason = std::fs::read_to_string(shop.path("orders/rejected").join(reason)).unwrap();
        for word in bad.words.iter().chain([&bad.name]) {
            assert!(reason.contains(word), "`{word}` is missing: {reason}");
        }
        assert!(
            reason.lines().count() > 2 && !reason.replace("\r\n", "").contains('\n'),
            "{reason:?}"
        );
        for name in rejected {
            std::fs::remove_file(shop.path("orders/rejected").join(name)).unwrap();
        }
    }
    assert!(shop.service.orders().is_empty());
    assert!(shop.names("orders/done").is_empty());
    let results = shop.names("orders/results");
    assert!(results.iter().all(|name| name == "attention.xlsx"), "{results:?}");
}

#[test]
fn a_rejected_sheet_does_not_keep_others_from_being_worked() {
    let shop = Shop::new();
    shop.write("orders/inbox/a.csv", b"colour,size\nred,L\n");
    shop.write(
        "orders/inbox/b.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    shop.write("orders/inbox/c.pdf", b"no sheet at all");
    shop.run(&["run", "--once"]).says(
        3,
        &[
            "a.csv: rejected",
            "b.csv: 9 created, 3 invalid",
            "c.pdf: rejected",
            "b.to-fix.xlsx",
        ],
    );
    assert_eq!(shop.service.orders().len(), 9);
}

#[test]
fn a_file_that_the_first_look_of_a_run_rejects_is_told() {
    let shop = Shop::new();
    // So it is with a timer: the run before has seen it come.
    let at_once = shop
        .config()
        .replace("stable_for = \"50ms\"", "stable_for = \"0s\"");
    shop.write("dropsheet.toml", at_once.as_bytes());
    shop.write("orders/inbox/c.pdf", b"no sheet at all");
    shop.run(&["run", "--once"]).says(
        3,
        &["c.pdf: rejected. `c.pdf` has an ending that no order sheet has."],
    );
}

#[test]
fn a_file_that_is_rejected_for_its_ending_stands_in_the_list_of_what_needs_a_person_until_it_is_taken_away() {
    let shop = Shop::new();
    shop.write("orders/inbox/a.csv", b"colour,size\nred,L\n");
    shop.write("orders/inbox/z.pdf", b"no sheet at all");
    shop.run(&["run", "--once"]).says(3, &["z.pdf: rejected"]);
    let told = || cells(&shop, "orders/results/attention.xlsx");
    for words in [
        "a.csv could not be read; nothing of it was sent.",
        "It was not worked, and nothing of it was sent.",
        "`z.pdf` has an ending that no order sheet has. Save it as .xlsx or .csv and drop that. It lies in rejected/.",
    ] {
        assert!(told().contains(words), "`{words}` is missing: {}", told());
    }
    let lies = shop.names("orders/rejected");
    let pdf = lies.iter().find(|name| name.ends_with("_z.pdf")).unwrap();
    assert!(told().lines().any(|cell| cell == pdf), "{}", told());
    let with_both = told().lines().filter(|cell| *cell == "rejected").count();
    assert_eq!(with_both, 2, "{}", told());

    std::fs::remove_file(shop.path("orders/rejected").join(pdf)).unwrap();
    shop.run(&["run", "--once"]);
    assert!(!told().contains("z.pdf"), "{}", told());
    assert!(told().contains("a.csv could not be read"), "{}", told());
}

#[test]
fn with_a_wrong_password_nothing_is_sent_and_the_sheet_waits() {
    let shop = Shop::new();
    shop.write("password", b"wrong\n");
    shop.write(
        "orders/inbox/a.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    let said = shop.run(&["run", "--once"]);
    assert!([1, 3].contains(&said.status), "{said:?}");
    said.says(said.status, &["password", "main"]);
    shop.run(&["check", "orders.csv"]).says(1, &["password"]);
    assert!(shop.service.orders().is_empty());
    assert!(
        !said.all().contains("wrong\n"),
        "the password itself is never told"
    );

    shop.write("password", b"sandbox\n");
    shop.run(&["run", "--once"]).says(3, &["9 created", "3 invalid"]);
    assert_eq!(shop.service.orders().len(), 9);
}

#[test]
fn a_refused_password_is_told_in_the_same_words_by_every_command() {
    let shop = Shop::new();
    shop.write("password", b"wrong\n");
    let refused = "the service refuses the e-mail and password of account `main`; correct them";
    for command in [
        &["check", "orders.csv"][..],
        &["catalog", "refresh"],
        &["catalog", "search", "tee"],
        &["webhooks", "show"],
        &["webhooks", "remove"],
    ] {
        let said = shop.run(command);
        said.says(1, &[refused]);
        assert!(!said.all().contains("try again"), "{said:?}");
        assert!(said.all().matches("there is no catalog").count() < 2, "{said:?}");
    }
    let said = shop.run(&["orders", "sync"]);
    said.says(1, &["password"]);
    assert!(!said.all().contains("orders read"), "{said:?}");
    std::fs::remove_file(shop.path("password")).unwrap();
    shop.run(&["doctor"])
        .says(1, &["Write the password into ", "dropsheet's user"]);
}

#[test]
fn what_keeps_run_from_starting_is_told_before_it() {
    let shop = Shop::new();
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let metrics = format!("[metrics]\nlisten = \"{}\"\n", other.local_addr().unwrap());
    shop.write("dropsheet.toml", (shop.config() + &metrics).as_bytes());
    shop.run(&["doctor"]).says(
        1,
        &[
            "WRONG  metrics: port: ",
            "Choose another port for `metrics.listen`",
        ],
    );
    drop(other);
    shop.run(&["doctor"]).says(0, &["metrics: port"]);

    std::fs::create_dir(shop.path("books")).unwrap();
    let ledger = "[ledger]\npath = \"books\"\n";
    shop.write("dropsheet.toml", (shop.config() + ledger).as_bytes());
    shop.run(&["status"]).says(
        2,
        &["`ledger.path`: `books` is a folder; expected a file, such as \"books/ledger.db\""],
    );
}

#[test]
fn what_an_inbox_needs_first_is_said() {
    let shop = Shop::new();
    std::fs::remove_file(shop.path("orders/.dropsheet")).unwrap();
    shop.run(&["pause"]).says(1, &["run `dropsheet init`"]);
    shop.write("orders/.dropsheet", b"garbage");
    shop.run(&["init"])
        .says(1, &["`.dropsheet` cannot be read", "move the file aside"]);
    shop.run(&["doctor"]).says(1, &["`.dropsheet` cannot be read"]);
    let config = shop.config();
    let without = config.split("[inbox.main]").next().unwrap();
    shop.write("dropsheet.toml", without.as_bytes());
    shop.run(&["init"]).says(
        2,
        &["dropsheet.toml: the config has no inbox; add one: [inbox.main] path = \"orders\""],
    );
}

#[test]
fn without_a_network_nothing_is_sent_and_the_next_run_sends_it() {
    let shop = Shop::new();
    shop.write(
        "orders/inbox/a.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    shop.service.go_away_now().unwrap();
    shop.run(&["check", "orders.csv"])
        .says(1, &["catalog", "network", "try again later"]);
    let said = shop.run(&["run", "--once"]);
    said.says(3, &["a.csv"]);

    shop.service.come_back_now().unwrap();
    shop.run(&["run", "--once"]).says(3, &["9 created", "3 invalid"]);
    assert_eq!(shop.service.orders().len(), 9);
}

#[test]
fn a_sheet_to_try_that_waits_does_not_say_that_it_will_be_sent() {
    let shop = Shop::new();
    shop.write(
        "orders/try/a.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    shop.service.go_away_now().unwrap();
    shop.run(&["run", "--once"]).says(3, &["12 waiting"]);
    let results = shop.names("orders/results");
    let quote = results.iter().find(|name| name.ends_with(".quote.xlsx")).unwrap();
    let told = cells(&shop, &format!("orders/results/{quote}"));
    assert!(
        told.contains("It is checked and priced without you when there is one, and not sent."),
        "{told}"
    );
    assert!(!told.to_lowercase().contains("will be sent"), "{told}");
}

#[test]
fn a_results_folder_that_cannot_be_written_stops_the_inbox_before_anything_is_sent() {
    let shop = Shop::new();
    std::fs::remove_dir(shop.path("orders/results")).unwrap();
    shop.write("orders/results", b"a file in its place");
    shop.write(
        "orders/inbox/a.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    shop.run(&["run", "--once"])
        .says(1, &["orders/results", "inbox `main`"]);
    assert!(shop.service.orders().is_empty());
    assert_eq!(shop.names("orders/inbox"), ["a.csv"]);

    std::fs::remove_file(shop.path("orders/results")).unwrap();
    shop.run(&["run", "--once"]).says(3, &["9 created"]);
    assert_eq!(shop.service.orders().len(), 9);
}

#[test]
fn a_wrong_config_names_the_file_the_line_and_the_key() {
    let shop = Shop::new();
    let config = shop.config();
    for (wrong, words) in [
        (
            config.replace("stable_for", "stable_four"),
            ["stable_four", "stable_for", "dropsheet.toml"],
        ),
        (
            config.replace("50ms", "soon"),
            ["stable_for", "soon", "dropsheet.toml"],
        ),
        (
            config.replace("http://127.0.0.1", "http://shop.example.com"),
            ["base_url", "https", "dropsheet.toml"],
        ),
        (
            format!("{config}profile = \"shopfy\"\n"),
            ["inbox.main.profile", "shopfy", "shopify"],
        ),
        (
            config.replace("password_file = \"password\"", "password_file = \"nowhere\""),
            ["password", "nowhere", "main"],
        ),
        (
            config.replace("[inbox.main]", "[inbox.main"),
            ["dropsheet.toml:7", "TOML", "unclosed table"],
        ),
    ] {
        shop.write("dropsheet.toml", wrong.as_bytes());
        shop.run(&["run", "--once"]).says(2, &words);
        shop.run(&["check", "orders.csv"]).says(2, &words);
    }
    std::fs::remove_file(shop.path("dropsheet.toml")).unwrap();
    shop.run(&["run", "--once"])
        .says(2, &["dropsheet.toml", "dropsheet init"]);
    shop.run(&["run", "--sometimes"]).says(2, &["--sometimes"]);
    assert!(shop.service.orders().is_empty());
}

#[test]
fn a_ledger_that_cannot_be_used_is_left_as_it_is() {
    let shop = Shop::new();
    shop.write(
        "orders/inbox/a.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    let ledger = shop.path("ledger.db");
    let future = rusqlite::Connection::open(&ledger).unwrap();
    future.pragma_update(None, "user_version", 99).unwrap();
    drop(future);
    for command in [&["run", "--once"][..], &["import", "orders.csv"]] {
        shop.run(command)
            .says(1, &["ledger.db", "version 99", "install the newer dropsheet"]);
    }
    shop.run(&["check", "orders.csv"])
        .says(1, &["ledger.db", "version 99"]);

    let bytes = noise(20_000);
    for aside in ["ledger.db-wal", "ledger.db-shm"] {
        drop(std::fs::remove_file(shop.path(aside)));
    }
    shop.write("ledger.db", &bytes);
    shop.run(&["run", "--once"]).says(1, &["ledger.db", "backup"]);
    assert_eq!(std::fs::read(&ledger).unwrap(), bytes);
    assert!(shop.service.orders().is_empty());
    assert_eq!(shop.names("orders/inbox"), ["a.csv"]);
}

#[test]
fn a_folder_without_its_marker_is_not_worked() {
    let shop = Shop::new();
    std::fs::remove_file(shop.path("orders/.dropsheet")).unwrap();
    shop.write(
        "orders/inbox/a.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    shop.run(&["run", "--once"])
        .says(1, &["orders", ".dropsheet", "dropsheet init"]);
    assert!(shop.service.orders().is_empty());
    assert_eq!(shop.names("orders/inbox"), ["a.csv"]);
}

#[test]
fn a_second_dropsheet_is_told_who_the_first_is() {
    let shop = Shop::new();
    let config = dropsheet::config::load(Some(&shop.path("dropsheet.toml"))).unwrap();
    let first = dropsheet::daemon::open_ledger(&config, "the first one").unwrap();
    shop.run(&["run", "--once"])
        .says(4, &["another dropsheet", "the first one"]);
    shop.run(&["import", "orders.csv"])
        .says(4, &["the first one", "drop the sheet into", "orders/inbox"]);
    assert_eq!(shop.run(&["check", "orders.csv"]).status, 3);
    drop(first);
    assert_eq!(shop.run(&["run", "--once"]).status, 0);
}

#[test]
fn each_command_that_works_the_ledger_is_named_and_a_sheet_is_dropped_only_beside_one_that_takes_it() {
    let shop = Shop::new();
    let config = dropsheet::config::load(Some(&shop.path("dropsheet.toml"))).unwrap();
    for (doing, takes) in [
        ("dropsheet run", true),
        ("dropsheet run --once", false),
        ("dropsheet import", false),
        ("dropsheet ledger rebuild", false),
        ("dropsheet orders sync", false),
    ] {
        let first = dropsheet::daemon::open_ledger(&config, doing).unwrap();
        let named = format!(", {doing})");
        let ran = shop.run(&["import", "orders.csv"]);
        ran.says(4, &["another dropsheet is at work", &named]);
        assert_eq!(ran.err.contains("drop the sheet into"), takes, "{doing}: {ran:?}");
        drop(first);
    }
}

#[test]
fn a_command_is_named_to_whoever_finds_it_at_work() {
    let slow = Options {
        latency: Duration::from_secs(3),
        ..Options::default()
    };
    let shop = Shop::with(slow);
    let lock = shop.path("ledger.db.lock");
    for command in [
        &["import", "orders.csv"][..],
        &["run", "--once"],
        &["ledger", "rebuild"],
        &["orders", "sync"],
    ] {
        let named = format!(", dropsheet {}", command.join(" ").replace(" orders.csv", ""));
        let mut child = shop
            .command(command)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for(&named, || {
            let held = std::fs::read_to_string(&lock).unwrap_or_default();
            held.lines().next().is_some_and(|name| name.ends_with(&named))
        });
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn a_sheet_that_is_not_there_is_named() {
    let shop = Shop::new();
    for command in ["check", "quote", "import"] {
        shop.run(&[command, "nowhere.csv"]).says(1, &["nowhere.csv"]);
        shop.run(&[command, "orders"])
            .says(1, &["orders", "regular file"]);
    }
}

#[test]
fn a_pipe_is_waited_for_by_nothing_and_a_link_to_a_sheet_is_one() {
    let shop = Shop::new();
    shop.write("key", b"a-key-that-nobody-guesses");
    let config = shop
        .config()
        .replace("path = \"orders\"", "path = \"orders\"\nsku_map = \"map.csv\"")
        + "[webhook]\nlisten = \"127.0.0.1:0\"\naccess_key_file = \"key\"\npublic_url = \"https://shop.example.com\"\n";
    shop.write("dropsheet.toml", config.as_bytes());
    shop.write("map.csv", b"sku,item_sku\n");
    std::os::unix::fs::symlink("orders.csv", shop.path("link.csv")).unwrap();
    assert_eq!(
        shop.run(&["check", "link.csv"]).status,
        shop.run(&["check", "orders.csv"]).status
    );
    for (pipe, commands) in [
        ("f.csv", &["check f.csv", "quote f.csv", "import f.csv"][..]),
        ("map.csv", &["check orders.csv", "doctor --json"]),
        ("password", &["catalog refresh", "run --once", "doctor --json"]),
        ("key", &["webhooks register", "doctor --json"]),
    ] {
        let (path, aside) = (shop.path(pipe), shop.path("aside"));
        let was_there = path.exists();
        if was_there {
            move_new(&path, &aside).unwrap();
        }
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        for command in commands {
            let words: Vec<&str> = command.split(' ').collect();
            let said = ran(shop.command(&words));
            let all = format!("{}{}", said.said, said.logged);
            assert!(all.contains("no regular file"), "{pipe} {command}: {said:?}");
            assert!(said.status > 0, "{pipe} {command}: {said:?}");
        }
        if pipe == "map.csv" {
            let orders = std::fs::read(shop.path("orders.csv")).unwrap();
            shop.write("orders/inbox/orders.csv", &orders);
            assert_eq!(ran(shop.command(&["run", "--once"])).status, 3);
            assert!(shop.service.orders().is_empty());
        }
        std::fs::remove_file(&path).unwrap();
        if was_there {
            move_new(&aside, &path).unwrap();
        }
    }
}

#[test]
fn a_list_of_held_orders_in_the_inbox_is_told_where_it_belongs() {
    let shop = Shop::new();
    shop.write(
        "dropsheet.toml",
        format!("{}approval = \"required\"\n", shop.config()).as_bytes(),
    );
    shop.write(
        "orders/inbox/orders.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    shop.run(&["run", "--once"]);
    let [held] = &shop.names("orders/held")[..] else {
        panic!("{:?}", shop.names("orders/held"))
    };
    let moved = |from: &str, to: &str, name: &str| {
        let (from, to) = (shop.path(from).join(name), shop.path(to).join(name));
        move_new(&from, &to).unwrap();
    };
    moved("orders/held", "orders/inbox", held);
    let said = "Move it into approved/ to approve the orders that are listed in it, or into declined/";
    shop.run(&["run", "--once"]).says(3, &["rejected", said]);
    let rejected = shop.names("orders/rejected");
    let reason = rejected.iter().find(|name| name.ends_with(".error.txt")).unwrap();
    let read = |name: &str| std::fs::read_to_string(shop.path(name)).unwrap();
    let told = read(&format!("orders/rejected/{reason}"));
    assert!(
        told.contains("a list of held orders") && told.contains(said),
        "{told}"
    );
    assert!(!told.contains("Add a column"), "{told}");
    let status = read("orders/STATUS.txt");
    let belongs = "A list of held orders belongs in approved/ or declined/: move it there from rejected/";
    assert!(status.contains(belongs), "{status}");
    // From there it is as good as from held/.
    let list = rejected.iter().find(|name| *name != reason).unwrap();
    moved("orders/rejected", "orders/approved", list);
    shop.run(&["run", "--once"]);
    assert!(!shop.service.orders().is_empty());
}

#[test]
fn of_two_files_of_one_name_that_are_rejected_in_a_minute_each_is_told_with_its_own_reason() {
    let shop = Shop::new();
    for name in ["orders.pdf", "orders.xlsx"] {
        shop.write(&format!("orders/inbox/{name}"), "nothing of a sheet\n".as_bytes());
    }
    shop.run(&["run", "--once"]).says(3, &["rejected"]);
    let status = std::fs::read_to_string(shop.path("orders/STATUS.txt")).unwrap();
    let reasons = shop.names("orders/rejected");
    for reason in reasons.iter().filter(|name| name.ends_with(".error.txt")) {
        let text = std::fs::read_to_string(shop.path("orders/rejected").join(reason)).unwrap();
        let (name, _) = text.split_once(" was not worked").unwrap();
        let stem = reason.strip_suffix(".error.txt").unwrap();
        let (_, ending) = name.split_once('.').unwrap();
        assert!(reasons.contains(&format!("{stem}.{ending}")), "{reasons:?}");
        // What was taken is told by its stem, what was not by its own name.
        let told = status
            .lines()
            .find(|line| line.contains(name))
            .unwrap_or_default();
        assert!(told.contains(stem), "{name} is told by {stem}: {status}");
    }
}

#[test]
fn a_row_that_a_line_break_has_cut_is_not_sent_in_half_by_what_came_back_of_it_either() {
    let mut world = World::new();
    let note = |text: &str, note: &str| format!("{text},{note}");
    let cut = note(&row("1001", 1), "Happy birthday\nfrom all of us");
    let whole = note(&row("1002", 1), "Hello");
    world.drop_csv("monday.csv", &format!("{HEADER},variant_note\n{cut}\n{whole}\n"));
    assert_eq!(world.run_once().status, 3);
    let files = world.files("results");
    let to_fix = files.iter().find(|name| name.ends_with(".to-fix.xlsx")).unwrap();
    let to_fix = std::fs::read(world.orders_path("results").join(to_fix)).unwrap();
    let result = std::fs::read_to_string(world.result_path("monday.csv").unwrap()).unwrap();
    // Nothing is corrected: neither half is sent, and each says so again, however often it comes.
    for (name, bytes) in [
        ("uncorrected.xlsx", &to_fix[..]),
        ("again.csv", result.as_bytes()),
    ] {
        world.drop_bytes(name, bytes);
        assert_eq!(world.run_once().status, 3, "{name}");
        let table = world.result(name);
        assert_eq!(table.column("result_status")[..2], ["invalid"; 2], "{name}");
        let said = table.column("result_message");
        assert!(said[0].contains("is cut here and goes on in row 3"), "{said:?}");
        assert!(said[1].contains("This is the rest of row 2"), "{said:?}");
    }
    let again = world.files("results");
    let again = again
        .iter()
        .find(|name| name.ends_with("_uncorrected.to-fix.xlsx"))
        .unwrap();
    let again = std::fs::read(world.orders_path("results").join(again)).unwrap();
    world.drop_bytes("still.xlsx", &again);
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("still.xlsx").column("result_status"), ["invalid"; 2]);
    assert_eq!(world.creates(), 1, "1002 alone");
    // What stood in both halves is brought into the first, and the other is deleted.
    let lines: Vec<&str> = result.lines().collect();
    let mended = lines[1].replacen("Happy birthday", "Happy birthday from all of us", 1);
    assert!(lines[2].starts_with("from all of us"), "{result}");
    world.drop_csv("mended.csv", &format!("{}\n{mended}\n", lines[0]));
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("mended.csv").column("result_status"), ["created"]);
    world.end();
}
