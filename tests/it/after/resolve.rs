//! Orders without an answer, settled by a person: never without asking the service once more.

use dropsheet::sandbox::{NewLine, NewOrder};

use crate::world::run::Daemon;
use crate::world::{Setup, World, sheet, wait_for};

/// A world with an order whose create never left, as far as anybody knows.
fn unresolved() -> World {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("monday.csv").column("result_status"), ["unresolved"]);
    world
}

#[test]
fn an_order_that_is_not_there_is_sent_once_more_and_not_taken_for_created() {
    let world = unresolved();
    let no = world.dropsheet(&["orders", "resolve", "1001", "--created", "PW-100001"]);
    assert_eq!(
        (no.status, no.said.contains("does not know")),
        (1, true),
        "{no:?}"
    );
    assert_eq!(world.creates(), 0);
    let sent = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(
        (sent.status, sent.said.contains("created")),
        (0, true),
        "{sent:?}"
    );
    assert_eq!(world.creates(), 1);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    let settled = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(settled.status, 1, "{settled:?}");
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_resend_that_was_done_before_a_crash_is_not_done_again() {
    let world = unresolved();
    let crashed = world.crashing("create-answered", &["orders", "resolve", "1001", "--resend"]);
    assert!(crashed.crashed());
    assert_eq!(world.creates(), 1);
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    world.run_until_settled();
    assert_eq!(
        world.creates(),
        1,
        "the request stands in the ledger, and is too late"
    );
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn an_order_that_is_there_is_neither_sent_again_nor_given_up() {
    let mut world = World::new();
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.result("monday.csv").column("result_status"), ["unresolved"]);
    world.service.freeze_list(false);
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    let no = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!((no.status, no.said.contains("--created")), (1, true), "{no:?}");
    assert_eq!(world.creates(), 1);
    let kept = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(
        (kept.status, kept.said.contains("not given up")),
        (0, true),
        "{kept:?}"
    );
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn an_order_that_is_not_there_is_given_up_and_says_so() {
    let world = unresolved();
    let gone = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(
        (gone.status, gone.said.contains("given up")),
        (0, true),
        "{gone:?}"
    );
    assert_eq!(world.result("monday.csv").column("result_status"), ["abandoned"]);
    let again = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(again.status, 0, "it is so already: {again:?}");
    let canceled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(canceled.status, 1, "{canceled:?}");
    assert_eq!(world.creates(), 0);
    world.end();
}

/// A daemon that waits for a person to decide about 1001, which is not at the service, and would look again in an hour.
fn waits_for_a_person() -> (World, Daemon) {
    let mut world = World::with(Setup {
        account: "resend = \"never\"",
        absent_after: "300ms",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    // An order that is answered afterwards shows that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let daemon = world.daemon();
    wait_for("a person is asked", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.column("result_codes") == ["person-needed"])
    });
    (world, daemon)
}

#[test]
fn an_order_sent_by_a_persons_word_whose_answer_is_lost_is_looked_up_at_once() {
    let (world, daemon) = waits_for_a_person();
    world.service.set_fault("drop-after-create=on:1").unwrap();
    let sent = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(sent.status, 3, "{sent:?}");
    wait_for("it is found", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.column("result_status") == ["created"])
    });
    assert_eq!(world.at_service("1001").len(), 1);
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn an_order_that_waits_for_a_person_is_ruled_out_at_once_when_its_cancel_is_wished() {
    let (world, daemon) = waits_for_a_person();
    let asked = world.dropsheet(&["orders", "cancel", "1001"]);
    assert!([0, 3].contains(&asked.status), "{asked:?}");
    wait_for("it is canceled", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.column("result_status") == ["canceled"])
    });
    assert_eq!(world.creates(), 1);
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

/// A world with an order without an answer, under whose id the service has somebody else's: a person has to decide. Gives
/// the service's id of that one.
fn beside_a_stranger() -> (World, String) {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    let like = world.at_service("900").remove(0).order;
    let line = NewLine {
        sku: like.items[0].sku.clone(),
        quantity: 7,
        ..NewLine::default()
    };
    world.service.insert_order(&NewOrder {
        order_name: "1001".to_owned(),
        address: like.address.clone(),
        shipping_service: None,
        lines: vec![line],
    });
    world.excused.push("1001".to_owned());
    wait_for("the list shows it", || world.at_service("1001")[0].visible);
    let stranger = world.at_service("1001")[0].pw_order_id.clone();
    assert_eq!(world.run_once().status, 3);
    assert_eq!(
        world.result("monday.csv").column("result_codes"),
        ["person-needed"]
    );
    (world, stranger)
}

#[test]
fn a_cancel_that_waits_for_a_person_says_why_and_ends_when_the_order_is_given_up() {
    let (mut world, _) = beside_a_stranger();
    world.drop_csv("cancel.csv", "order_id,action\n1001,cancel\n");
    assert_eq!(world.run_once().status, 3);
    for sheet in ["monday.csv", "cancel.csv"] {
        let result = world.result(sheet);
        assert_eq!(result.column("result_status"), ["canceling"]);
        let message = &result.column("result_message")[0];
        assert!(
            message.contains("an order of this id with other content"),
            "{sheet}: {message}"
        );
    }
    let text = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(text.contains("resolve 1001 --created PW…"), "{text}");
    for told in [text, world.dropsheet(&["status"]).said] {
        assert!(told.contains("an order of this id with other content"), "{told}");
    }
    let ended = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(
        (ended.status, ended.said.contains("canceled")),
        (0, true),
        "{ended:?}"
    );
    for sheet in ["monday.csv", "cancel.csv"] {
        assert_eq!(world.result(sheet).column("result_status"), ["canceled"]);
    }
    let again = world.dropsheet(&["orders", "resolve", "1001", "--abandon"]);
    assert_eq!(again.status, 0, "it is so already: {again:?}");
    assert_eq!(
        world.service.count("cancel-order"),
        0,
        "the stranger's order stays"
    );
    world.end();
}

#[test]
fn a_cancel_is_asked_for_as_soon_as_a_person_says_which_order_it_is() {
    let (mut world, stranger) = beside_a_stranger();
    let daemon = world.daemon();
    let looks = world.service.count("orders-list");
    world.drop_csv("cancel.csv", "order_id,action\n1001,cancel\n");
    wait_for("it is looked for, and next in an hour", || {
        let result = world.find_result("cancel.csv");
        result.is_some_and(|result| result.column("result_status") == ["canceling"])
            && world.service.count("orders-list") > looks
    });
    let found = world.dropsheet(&["orders", "resolve", "1001", "--created", &stranger]);
    assert_eq!(found.status, 0, "{found:?}");
    wait_for("it is canceled", || {
        world.result("cancel.csv").column("result_status") == ["canceled"]
    });
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}
