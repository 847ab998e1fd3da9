//! What waits in the ledger for an account or an inbox that the config does not have, as `doctor` finds it.

use std::fs;

use dropsheet::files::move_new;
use dropsheet::sandbox::{self, Options};

use crate::world::{Setup, World, sheet, write};

/// The config with some words for others.
fn replaced(world: &World, words: &[(&str, &str)]) -> String {
    let mut config = fs::read_to_string(world.path("dropsheet.toml")).unwrap();
    for (from, to) in words {
        assert!(config.contains(from), "{from}: {config}");
        config = config.replace(from, to);
    }
    config
}

/// What `doctor` says of a config, and that it ends with this status. The config is put back.
fn doctor(world: &World, config: &str, status: i32) -> String {
    let path = world.path("dropsheet.toml");
    let before = fs::read(&path).unwrap();
    write(&path, config.as_bytes());
    let said = world.dropsheet(&["doctor"]);
    assert_eq!(said.status, status, "{said:?}");
    write(&path, &before);
    said.said
}

fn says(said: &str, words: &[&str]) {
    for words in words {
        assert!(said.contains(words), "`{words}` is missing: {said}");
    }
}

/// With the inbox in another folder under another name, which is there and marked.
fn without_its_inbox(world: &World) -> String {
    let path = world.path("dropsheet.toml");
    let before = fs::read(&path).unwrap();
    let config = replaced(
        world,
        &[(
            "[inbox.main]\npath = \"orders\"",
            "[inbox.other]\npath = \"others\"",
        )],
    );
    write(&path, config.as_bytes());
    assert_eq!(world.dropsheet(&["init"]).status, 0);
    write(&path, &before);
    config
}

#[test]
fn doctor_finds_an_account_that_the_ledger_knows_otherwise() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    doctor(&world, &replaced(&world, &[]), 0);
    let renamed = replaced(&world, &[("[account.main]", "[account.neu]")]);
    let said = doctor(&world, &renamed, 1);
    says(
        &said,
        &[
            "WRONG  account neu: ledger: account `neu` is called `main` in this ledger; call it that",
            "`dropsheet run` does not start",
        ],
    );
    let other = replaced(&world, &[("shop@example.com", "other@example.com")]);
    let said = doctor(&world, &other, 1);
    says(
        &said,
        &["WRONG  account main: ledger: account `main` is shop@example.com at "],
    );
    // Whoever writes it so means the same.
    let capital = replaced(&world, &[("shop@example.com", "Shop@example.com")]);
    write(&world.path("dropsheet.toml"), capital.as_bytes());
    let said = world.dropsheet(&["doctor"]).said;
    assert!(!said.contains("account main: ledger"), "{said}");
    world.end();
}

#[test]
fn doctor_finds_orders_that_nobody_asks_about() {
    let mut world = World::new();
    world.service.set_fault("error-500-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    doctor(&world, &replaced(&world, &[]), 0);
    let second = sandbox::start_on_thread(Options::default()).unwrap();
    let (own, others) = (world.service.base_url(), second.base_url());
    let left = replaced(&world, &[("[account.main]", "[account.neu]"), (&own, &others)]);
    let said = doctor(&world, &left, 1);
    says(
        &said,
        &[
            "WRONG  account main: orders: 1001: No answer came when it was ordered",
            "nobody asks the service: its account `main` is not in the config any more.",
            "Put [account.main] back, as it was, and start dropsheet again.",
            "note   account main: 1 order of account `main`, which is not in the config any more, is not followed",
        ],
    );
    assert!(said.contains("1 wrong"), "{said}");
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    assert_eq!(world.run_until_settled().status, 0);
    // What only has no news is no fault.
    let said = doctor(&world, &left, 0);
    says(&said, &["note   account main: 2 orders of account `main`"]);
    world.end();
}

#[test]
fn doctor_finds_approved_orders_that_nobody_sends() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_once();
    assert_eq!(world.dropsheet(&["pause"]).status, 0);
    let held = world.files("held").remove(0);
    let [from, to] = ["held", "approved"].map(|part| world.orders_path(part).join(&held));
    move_new(&from, &to).unwrap();
    world.run_once();
    assert_eq!(world.dropsheet(&["resume"]).status, 0);
    doctor(&world, &replaced(&world, &[]), 0);
    let renamed = replaced(&world, &[("[inbox.main]", "[inbox.other]")]);
    doctor(&world, &renamed, 0);
    let said = doctor(&world, &without_its_inbox(&world), 1);
    says(
        &said,
        &[
            "WRONG  inbox main: orders: 1001 and 1 more: It was approved for account `main` and is not sent: its inbox \
             `main` is not in the config any more.",
            "Put [inbox.main] back, with account = \"main\", and start dropsheet again",
        ],
    );
    assert_eq!(world.run_until_settled().status, 0);
    doctor(&world, &without_its_inbox(&world), 0);
    world.end();
}

#[test]
fn what_waits_for_approval_in_an_inbox_that_left_the_config_is_told_with_every_pass() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let (path, left) = (world.path("dropsheet.toml"), without_its_inbox(&world));
    let before = fs::read(&path).unwrap();
    let said = doctor(&world, &left, 1);
    let why =
        "It waits for approval, and nobody looks for that: its inbox `main` is not in the config any more.";
    says(&said, &["WRONG  inbox main: orders: 1001:", why]);
    write(&path, left.as_bytes());
    for _pass in 0..2 {
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        says(&ran.said, &["inbox `main`: orders that nobody sends"]);
    }
    says(&world.dropsheet(&["status"]).said, &[why]);
    assert_eq!(world.dropsheet(&["orders", "cancel", "1001"]).status, 0);
    assert_eq!(world.run_once().status, 0);
    write(&path, &before);
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn doctor_finds_a_sheet_that_nobody_works() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("claimed").crashed());
    doctor(&world, &replaced(&world, &[]), 0);
    let renamed = replaced(&world, &[("[inbox.main]", "[inbox.other]")]);
    doctor(&world, &renamed, 0);
    let said = doctor(&world, &without_its_inbox(&world), 1);
    says(
        &said,
        &[
            "WRONG  inbox main: sheets: 1 sheet waits in inbox `main`, which is not in the config",
            "Put [inbox.main] back to have them finished.",
        ],
    );
    assert_eq!(world.run_until_settled().status, 0);
    doctor(&world, &without_its_inbox(&world), 0);
    world.end();
}
