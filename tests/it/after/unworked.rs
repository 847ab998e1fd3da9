//! Orders of an account that the config has no more: what a person may decide of them though nobody can be asked.

use std::fs;

use dropsheet::files::move_new;
use dropsheet::sandbox::{Options, Running, start_on_thread};

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// A world in which 1001 is held and approved, and 1002 has no answer; both wait.
fn waiting() -> World {
    let mut world = World::with(Setup {
        inbox: "max_order_total = 20",
        ..Setup::default()
    });
    world.service.set_fault("error-500-create=on:1").unwrap();
    world.drop_csv(
        "monday.csv",
        &format!("{HEADER}\n{}\n{}\n", row("1001", 5), row("1002", 1)),
    );
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world), ["held", "unresolved"]);
    approve_amid_stop(&world);
    world
}

/// Approves what is held while nothing may be sent: it is known as approved, and waits.
fn approve_amid_stop(world: &World) {
    world.stop();
    let name = world.files("held").remove(0);
    let from = world.orders_path("held").join(&name);
    move_new(&from, &world.orders_path("approved").join(&name)).unwrap();
    assert_eq!(world.run_once().status, 3);
    world.go_on();
}

fn statuses(world: &World) -> Vec<String> {
    let result = world.result("monday.csv");
    result
        .column("result_status")
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// Puts another account, at a service of its own, in the place of the inbox's. Gives the config as it was.
fn without_account(world: &World, other: &Running) -> String {
    let path = world.path("dropsheet.toml");
    let config = fs::read_to_string(&path).unwrap();
    let replaced = config
        .replace("[account.main]", "[account.second]")
        .replace(&world.service.base_url(), &other.base_url());
    write(&path, replaced.as_bytes());
    config
}

/// What the result says of both orders.
fn messages(world: &World) -> [String; 2] {
    let result = world.result("monday.csv");
    ["1001", "1002"].map(|id| result.of(id, "result_message").to_owned())
}

#[test]
fn the_result_says_of_an_order_that_nobody_carries_on_what_status_says_and_is_written_again_for_it() {
    let world = waiting();
    let promised = "will be sent without you";
    assert!(messages(&world)[0].contains(promised), "{:?}", messages(&world));
    let second = start_on_thread(Options::default()).unwrap();
    let path = world.path("dropsheet.toml");
    let config = without_account(&world, &second);
    let gone = fs::read_to_string(&path).unwrap();
    let (of_main, _inbox) = config.split_once("[inbox.main]").unwrap();
    let moved = format!("{of_main}{}", gone.split_once("\n\n").unwrap().1)
        .replace("[inbox.main]", "[inbox.main]\naccount = \"second\"");
    for (config, sent, unanswered) in [
        (
            moved,
            "It was approved for account `main` and is not sent: its inbox `main` belongs to account `second` in the \
             config by now.",
            "No answer came when it was ordered; the service is asked. Should it not have the order, nobody sends it: its \
             inbox `main` belongs to account `second` in the config by now.",
        ),
        (
            gone,
            "It was approved for account `main` and is not sent: its inbox `main` belongs to account `second` in the \
             config by now.",
            "No answer came when it was ordered, and nobody asks the service: its account `main` is not in the config any \
             more.",
        ),
    ] {
        write(&path, config.as_bytes());
        assert_eq!(world.run_once().status, 3);
        assert_eq!(statuses(&world), ["held", "unresolved"]);
        let told = fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
        for (message, said) in messages(&world).into_iter().zip([sent, unanswered]) {
            assert!(message.contains(said), "{message}");
            assert!(message.contains("Tell the operator"), "{message}");
            assert!(
                !message.contains(promised) && !message.contains("this sheet will be updated"),
                "{message}"
            );
            assert!(told.contains(said), "{told}");
        }
        let written = || {
            fs::metadata(world.result_path("monday.csv").unwrap())
                .unwrap()
                .modified()
                .unwrap()
        };
        let before = written();
        assert_eq!(world.run_once().status, 3);
        assert_eq!(written(), before, "it is told once");
    }
    // Somebody carries it on again, and it waits for something else.
    world.stop();
    write(&path, config.as_bytes());
    assert_eq!(world.run_once().status, 3);
    let [held, unanswered] = messages(&world);
    assert!(
        held.contains(promised) && !held.contains("Tell the operator"),
        "{held}"
    );
    assert!(unanswered.contains("we are asking the service"), "{unanswered}");
    world.go_on();
    wait_for("both are sent", || world.run_once().status == 0);
    assert_eq!(statuses(&world), ["created", "created"]);
    assert_eq!((world.creates(), second.count("create-new-order")), (3, 0));
    world.end();
}

#[test]
fn an_order_of_an_account_that_left_the_config_can_be_given_up_and_is_sent_with_no_other() {
    let mut world = waiting();
    let second = start_on_thread(Options::default()).unwrap();
    without_account(&world, &second);
    let say = |words: &[&str], status, said: &str| {
        let ran = world.dropsheet(&[&["orders"], words].concat());
        let told = format!("{}{}", ran.said, ran.logged);
        assert_eq!(
            (ran.status, told.contains(said)),
            (status, true),
            "{words:?}: {ran:?}"
        );
    };
    let back = "put [account.main] back, as it was";
    say(&["cancel", "1002"], 1, back);
    say(&["resolve", "1002", "--created", "PW-100001"], 1, back);
    say(&["resolve", "1002", "--resend"], 1, back);
    say(&["resolve", "1001", "--abandon"], 1, back);
    assert_eq!(statuses(&world), ["held", "unresolved"]);
    say(
        &["cancel", "1001"],
        0,
        "it was held and is declined; nothing was sent",
    );
    say(&["cancel", "1001"], 0, "nothing to cancel: it was declined");
    for _asked in 0..2 {
        say(&["resolve", "1002", "--abandon"], 0, "its service was not asked");
    }
    assert_eq!(statuses(&world), ["declined", "abandoned"]);
    world.drop_csv("again.csv", &sheet(&["1002"]));
    world.run_once();
    let again = world.result("again.csv");
    assert_eq!(again.column("result_status"), ["changed"], "{again:?}");
    let said = again.of("1002", "result_message");
    assert!(
        said.contains("with another account than this inbox has now"),
        "{said}"
    );
    assert_eq!((world.creates(), second.count("create-new-order")), (1, 0));
    world.end();
}

#[test]
fn an_order_without_an_answer_that_was_given_up_with_its_account_away_is_looked_up_when_that_is_back() {
    let mut world = World::new();
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(statuses(&world), ["unresolved"]);
    let second = start_on_thread(Options::default()).unwrap();
    let config = without_account(&world, &second);
    let gone = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(gone.status, 0, "{gone:?}");
    assert_eq!(statuses(&world), ["abandoned"]);
    write(&world.path("dropsheet.toml"), config.as_bytes());
    world.service.freeze_list(false);
    world.pw("1001");
    world.drop_csv("again.csv", &sheet(&["1001"]));
    assert_eq!(world.run_until_settled().status, 0);
    assert_eq!(statuses(&world), ["created"]);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn an_order_whose_reason_stands_at_its_own_row_says_too_that_nobody_sends_it() {
    let mut world = World::new();
    let twice = row("1001", 1);
    world.drop_csv("monday.csv", &format!("{HEADER}\n{twice}\n{twice}\n"));
    assert_eq!(world.run_once().status, 3);
    approve_amid_stop(&world);
    let second = start_on_thread(Options::default()).unwrap();
    let config = without_account(&world, &second);
    world.run_once();
    let said = world.result("monday.csv").of("1001", "result_message").to_owned();
    assert!(
        said.contains("It was approved for account `main` and is not sent"),
        "{said}"
    );
    write(&world.path("dropsheet.toml"), config.as_bytes());
    assert_eq!(world.run_until_settled().status, 0);
    world.end();
}
