//! What follows from the service's order list after a create without an answer.

use std::time::Duration;

use dropsheet::sandbox::{ItemsShown, NewLine, NewOrder, Options, Repeated};

use super::ledgers::{backup, restore};
use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// An order as another client would make it, with the content that [`sheet`] gives its orders.
pub(crate) fn placed(world: &World, like: &str, name: &str) -> NewOrder {
    let order = &world.at_service(like)[0].order;
    let line = |item: &dropsheet::sandbox::Item| NewLine {
        sku: item.sku.clone(),
        quantity: item.quantity,
        ..NewLine::default()
    };
    NewOrder {
        order_name: name.to_owned(),
        address: order.address.clone(),
        shipping_service: None,
        lines: order.items.iter().map(line).collect(),
    }
}

/// So many orders that another client makes, with the content of one of ours and names that begin so.
pub(crate) fn place_others(world: &mut World, like: &str, name: &str, count: usize) {
    let like = placed(world, like, "");
    for n in 0..count {
        let order_name = format!("{name}-{n}");
        world.excused.push(order_name.clone());
        world.service.insert_order(&NewOrder {
            order_name,
            ..like.clone()
        });
    }
}

#[test]
fn killed_between_intent_and_send_is_looked_up_and_sent_once() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    assert_eq!(world.creates(), 0);
    // Nothing but another order that is answered shows that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn killed_between_intent_and_send_is_not_sent_while_nothing_shows_that_the_list_is_live() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.creates(), 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["unresolved"]);
    world.end();
}

#[test]
fn a_run_ends_in_its_time_though_a_round_of_look_ups_takes_longer_than_what_is_left_of_it() {
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::from_millis(600),
            ..Setup::default().service
        },
        timeout: "10s",
        ..Setup::default()
    });
    world.service.set_fault("drop-before=first:3").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["unresolved"; 3]
    );
    assert_eq!(world.creates(), 3, "each was sent once, and lost");
    world.end();
}

#[test]
fn a_pass_asks_for_as_long_as_the_config_says() {
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::from_secs(3),
            ..Setup::default().service
        },
        settle_for: "0s",
        ..Setup::default()
    });
    world.service.set_fault("drop-after-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["unresolved"]);
    let config = world.path("dropsheet.toml");
    let longer = std::fs::read_to_string(&config)
        .unwrap()
        .replace("settle_for = \"0s\"", "settle_for = \"1m\"");
    write(&config, longer.as_bytes());
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn an_order_for_which_the_service_does_not_answer_keeps_no_other_from_being_settled() {
    let forever = Duration::from_mins(10);
    let mut world = World::with(Setup {
        service: Options {
            slow: forever,
            ..Setup::default().service
        },
        timeout: "10m",
        settle_for: "2s",
        ..Setup::default()
    });
    world.service.set_fault("drop-after-create=first:3").unwrap();
    world.service.freeze_list(true);
    let ids = ["1001", "1002", "1003"];
    world.drop_csv("monday.csv", &sheet(&ids));
    assert_eq!(world.run_once().status, 3);
    assert_eq!(world.creates(), 3);
    let statuses = |world: &World| {
        let result = world.result("monday.csv");
        ids.map(|id| result.of(id, "result_status").to_owned())
    };
    assert_eq!(statuses(&world), ["unresolved"; 3]);
    world.service.freeze_list(false);
    wait_for("the list shows them", || {
        ids.iter().all(|id| world.at_service(id)[0].visible)
    });
    // The first look-up's first page.
    world.service.set_fault("slow-list=on:1").unwrap();
    let daemon = world.daemon();
    wait_for("the others are settled", || {
        let found = world.find_result("monday.csv");
        found.is_some_and(|result| {
            let all = result.column("result_status");
            all.iter().filter(|status| **status == "created").count() == 2
        })
    });
    assert_eq!(
        statuses(&world)
            .iter()
            .filter(|status| *status == "unresolved")
            .count(),
        1,
        "its look-up is still under way"
    );
    assert_eq!(daemon.terminate().0, 0);
    world.service.clear_faults();
    assert_eq!(world.creates(), 3);
    let daemon = world.daemon();
    wait_for("it is settled too", || {
        let found = world.find_result("monday.csv");
        found.is_some_and(|result| result.column("result_status") == ["created"; 3])
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn with_resend_never_an_absent_order_waits_for_a_person() {
    let mut world = World::with(Setup {
        account: "resend = \"never\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let decide =
        "1 order is without an answer of the service, and a person has to decide: see `dropsheet status`";
    assert!(
        ran.said.contains(decide) && !ran.said.contains("looked up again"),
        "{ran:?}"
    );
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["unresolved"]);
    assert_eq!(result.column("result_codes"), ["person-needed"]);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn killed_after_the_service_made_it_is_adopted() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("create-answered").crashed());
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn a_list_that_stands_still_counts_no_absence() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is sent", || world.creates() == 2);
    // An answered order that was sent afterwards would show a live list; this list does not show it either.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("the other is sent", || world.creates() == 3);
    // Far more look-ups than prove an absence, over a time that is longer than `absent_after`.
    let looks = world.service.count("orders-list");
    wait_for("it is looked up again and again", || {
        world.service.count("orders-list") > looks + 40
    });
    assert_eq!(world.creates(), 3, "nothing was sent again");
    world.service.freeze_list(false);
    wait_for("it is found", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.column("result_status") == ["created"])
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn an_order_without_an_id_in_the_list_keeps_none_but_its_own_from_being_sent() {
    let mut world = World::new();
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    world.service.list_without_id(Some("1001"));
    world.drop_csv("again.csv", &sheet(&["1001", "1002", "1003"]));
    let statuses = |world: &World| {
        let ran = world.run_once();
        let result = world.find_result("again.csv");
        (
            ran.status,
            result.map(|result| result.column("result_status").join(" ")),
        )
    };
    let waiting = (3, Some("waiting already_created created".to_owned()));
    wait_for("what it has forgotten must show by now", || {
        statuses(&world) == waiting
    });
    assert_eq!(world.creates(), 3);
    // It is read from there on again, so that each pass is as careful as the one before it; and news are read all the same.
    wait_for("the list shows it", || world.at_service("1003")[0].visible);
    assert!(world.service.fulfil(&world.at_service("1003")[0].pw_order_id));
    let synced = world.dropsheet(&["orders", "sync"]);
    assert!(synced.said.contains("TRK"), "{synced:?}");
    assert_eq!(statuses(&world), waiting);
    world.service.list_without_id(None);
    let done = (0, Some("already_created already_created created".to_owned()));
    assert_eq!(statuses(&world), done);
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn an_order_that_the_list_shows_without_its_id_and_name_is_not_sent_again_after_a_restore() {
    let mut world = World::new();
    let before = backup(&world);
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 0);
    restore(&world, &before);
    // There is none with an id beside them: the list is read all the same.
    world.service.list_without_id_or_name(Some("1001"));
    world.service.list_without_id(Some("1002"));
    let again = [row("1001", 1), row("1002", 1), row("1003", 2)].join("\n");
    world.drop_csv("again.csv", &format!("{HEADER}\n{again}\n"));
    wait_for("what it has forgotten must show by now", || {
        world.run_once();
        let result = world.find_result("again.csv");
        result.is_some_and(|result| result.column("result_status") == ["waiting", "waiting", "created"])
    });
    assert_eq!(world.creates(), 3);
    world.service.list_without_id_or_name(None);
    world.service.list_without_id(None);
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    let result = world.result("again.csv");
    assert_eq!(
        result.column("result_status"),
        ["already_created", "already_created", "created"]
    );
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn a_daemon_hears_that_an_order_has_its_id_again() {
    let mut world = World::with(Setup {
        account: "sync = \"50ms\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_list_lag(Duration::ZERO);
    world.service.list_without_id_or_name(Some("1001"));
    let daemon = world.daemon();
    // The same to the same address: it may be what is shown without an id.
    world.drop_csv("again.csv", &sheet(&["1001-R1"]));
    let is = |status: &str| {
        let result = world.find_result("again.csv");
        result.is_some_and(|result| result.column("result_status") == [status])
    };
    wait_for("it may be the one without an id", || is("waiting"));
    assert_eq!(world.creates(), 1);
    world.service.list_without_id_or_name(None);
    wait_for("the other has its id again", || is("created"));
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn the_second_of_a_lost_first_create_is_refused_and_the_first_adopted() {
    // The first create commits late, and stays out of the list until after the second was sent and refused.
    let mut world = World::with(Setup {
        service: Options {
            repeated_create: Repeated::Refused,
            ..Setup::default().service
        },
        ..Setup::default()
    });
    world.service.set_fault("late-create=on:1").unwrap();
    world.service.leave_out_of_list(Some("1001"));
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it is sent", || world.creates() == 1);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("the other is done, and it is sent again", || {
        world.find_result("tuesday.csv").is_some() && world.creates() == 3
    });
    world.service.leave_out_of_list(None);
    wait_for("it is found", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.column("result_status") == ["created"])
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), 3, "it was sent a second time, and refused");
    world.end();
}

#[test]
fn of_two_orders_of_one_name_the_eldest_is_adopted_and_none_is_canceled() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("create-answered").crashed());
    let eldest = world.at_service("1001")[0].pw_order_id.clone();
    let second = placed(&world, "1001", "1001");
    world.service.insert_order(&second);
    world.excused.push("1001".to_owned());
    // Both have to be in the list when it is looked up, or the first alone is seen.
    wait_for("the list shows both", || {
        world.at_service("1001").iter().filter(|o| o.visible).count() == 2
    });
    let ran = world.run_until_settled();
    assert!(ran.status == 0 || ran.status == 3, "{ran:?}");
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["created"]);
    assert_eq!(result.of("1001", "result_pw_order_id"), eldest);
    assert!(
        result.of("1001", "result_codes").contains("several-at-service"),
        "{result:?}"
    );
    let both = world.at_service("1001").into_iter();
    let other = both
        .map(|one| one.pw_order_id.clone())
        .find(|id| *id != eldest)
        .unwrap();
    let status = world.dropsheet(&["status"]);
    assert!(status.said.contains(&other), "a person is told which: {status:?}");
    assert_eq!(world.service.count("cancel-order"), 0);
    assert_eq!(world.creates(), 1);
    world.end();
}

#[test]
fn an_order_of_the_same_name_with_other_content_is_not_adopted() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    let mut other = placed(&world, "999", "1001");
    other.lines[0].quantity = 7;
    world.service.insert_order(&other);
    world.excused.push("1001".to_owned());
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["unresolved"]);
    assert_eq!(result.column("result_codes"), ["person-needed"]);
    assert_eq!(world.creates(), 1, "only that of 999");
    world.end();
}

#[test]
fn an_order_of_which_the_list_does_not_show_the_content_is_settled_by_its_page_or_by_id_and_address() {
    for items in [ItemsShown::ById, ItemsShown::Nowhere] {
        let mut world = World::new();
        world.service.show_items(items);
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        assert!(world.run_once_crashing("create-answered").crashed());
        let ran = world.run_until_settled();
        assert_eq!(ran.status, 0, "{items:?}: {ran:?}");
        let result = world.result("monday.csv");
        assert_eq!(result.column("result_status"), ["created"], "{items:?}");
        assert_eq!(result.column("result_codes"), [""], "{items:?}");
        assert_eq!(world.creates(), 1);
        world.end();
    }
}

#[test]
fn an_order_of_the_same_name_that_holds_or_goes_to_something_else_is_not_adopted_where_the_list_does_not_show_it()
 {
    for (items, words) in [
        (ItemsShown::ById, "with other content"),
        (ItemsShown::Nowhere, "does not show what is in it"),
    ] {
        let mut world = World::new();
        world.drop_csv("sunday.csv", &sheet(&["999"]));
        assert_eq!(world.run_once().status, 0);
        world.service.show_items(items);
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        assert!(world.run_once_crashing("intent-written").crashed());
        let mut other = placed(&world, "999", "1001");
        other.lines[0].quantity = 7;
        other.address.address1 = "14 Oak Street".to_owned();
        world.service.insert_order(&other);
        world.excused.push("1001".to_owned());
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{items:?}: {ran:?}");
        let result = world.result("monday.csv");
        assert_eq!(result.column("result_status"), ["unresolved"], "{items:?}");
        assert_eq!(result.column("result_codes"), ["person-needed"]);
        let message = result.of("1001", "result_message");
        assert!(message.contains(words), "{items:?}: {message}");
        assert_eq!(world.creates(), 1, "only that of 999");
        world.end();
    }
}

#[test]
fn an_order_at_whose_search_the_service_fails_is_found_in_its_list_and_keeps_no_other_waiting() {
    let mut world = World::new();
    world.service.fail_search_for(Some("1001"));
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("create-answered").crashed());
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    for name in ["monday.csv", "tuesday.csv"] {
        assert_eq!(world.result(name).column("result_status"), ["created"]);
    }
    assert!(!ran.logged.contains("does not answer as it should"), "{ran:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn an_order_at_which_the_service_fails_each_time_is_for_a_person_who_is_told_that_and_not_that_it_is_away() {
    let mut world = World::new();
    world.service.fail_search_for(Some("1001"));
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(!ran.said.contains("service-away"), "{ran:?}");
    assert_eq!(world.result("tuesday.csv").column("result_status"), ["created"]);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["unresolved"]);
    assert_eq!(result.column("result_codes"), ["person-needed"]);
    let message = result.of("1001", "result_message");
    assert!(
        message.contains("answers, but fails each time it is asked for this order")
            && message.contains("index is damaged"),
        "{message}"
    );
    for told in [
        std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap(),
        world.dropsheet(&["status"]).said,
    ] {
        assert!(!told.contains("cannot be reached"), "{told}");
        assert!(told.contains("1001"), "{told}");
    }
    assert_eq!(world.creates(), 1, "1001 is not sent again");
    world.service.fail_search_for(None);
    let resent = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(resent.status, 0, "{resent:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn names_that_contain_the_one_looked_for_are_not_taken_for_it_and_every_page_is_read() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.service.set_list_lag(Duration::ZERO);
    assert!(world.run_once_crashing("create-answered").crashed());
    // Three pages of orders whose names contain the one looked for, older and newer ones.
    place_others(&mut world, "999", "1001", 450);
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn more_orders_than_a_window_is_read_of_may_have_been_entered_within_a_minute() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_list_lag(Duration::ZERO);
    place_others(&mut world, "999", "other", 10_100);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_page_that_does_not_come_is_asked_for_again_and_the_list_is_not_begun_anew() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world.service.set_list_lag(Duration::ZERO);
    place_others(&mut world, "999", "other", 450);
    let asked = world.service.count("orders-list");
    for fault in ["html-list=on:2", "cut-body-list=on:3"] {
        world.service.set_fault(fault).unwrap();
    }
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(!ran.logged.contains("read again later"), "{ran:?}");
    assert!(world.service.count("orders-list") > asked, "{ran:?}");
    world.end();
}

#[test]
fn an_order_whose_name_only_begins_with_ours_is_not_adopted() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    // A reprint that somebody else has made, with the same content.
    world.service.insert_order(&placed(&world, "999", "1001-R1"));
    world.excused.push("1001-R1".to_owned());
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    let ours = world.at_service("1001");
    assert_eq!(ours.len(), 1);
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_pw_order_id"), [&ours[0].pw_order_id]);
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn an_order_that_the_list_shows_behind_another_name_is_for_a_person_and_not_sent_again() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    // It was made, and the service writes its shop in front; other orders it shows by our names.
    world.service.insert_order(&placed(&world, "999", "SHOP-1001"));
    wait_for("the list shows it", || world.at_service("SHOP-1001")[0].visible);
    let there = world.at_service("SHOP-1001").remove(0).pw_order_id;
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    world.run_until_settled();
    for _again in 0..2 {
        world.run_once();
        let result = world.result("monday.csv");
        let said = result.column("result_message");
        assert!(said[0].contains(&there), "{said:?}");
    }
    let resend = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(resend.status, 1, "{resend:?}");
    assert_eq!(world.creates(), 2, "1001 is not sent again");
    let found = world.dropsheet(&["orders", "resolve", "1001", "--created", &there]);
    assert_eq!(found.status, 0, "{found:?}");
    world.run_once();
    assert_eq!(world.result("monday.csv").column("result_pw_order_id"), [&there]);
    // Its name at the service is no sheet's.
    world.excused.extend(["1001".to_owned(), "SHOP-1001".to_owned()]);
    world.end();
}

#[test]
fn a_list_that_does_not_answer_proves_nothing() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("create-answered").crashed());
    world.service.set_fault("unavailable-list=first:4").unwrap();
    world.service.set_fault("cut-body-list=on:5").unwrap();
    world.service.set_fault("html-list=on:6").unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn a_result_that_a_person_has_edited_is_left_as_it_is() {
    let mut world = World::new();
    world.service.freeze_list(true);
    world.service.set_fault("drop-after-create=on:1").unwrap();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("the result is there", || {
        world.files("processing").is_empty() && world.find_result("monday.csv").is_some()
    });
    let [name] = &world.files("results")[..] else {
        panic!("{:?}", world.files("results"))
    };
    let path = world.orders_path("results").join(name);
    write(&path, b"order_id,my notes\n1001,call Ada\n");
    world.service.freeze_list(false);
    wait_for("the news are there", || world.files("results").len() == 2);
    assert_eq!(
        std::fs::read(&path).unwrap(),
        b"order_id,my notes\n1001,call Ada\n"
    );
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

#[test]
fn an_answer_that_does_not_say_whether_the_order_is_there_is_told_as_one() {
    let mut world = World::with(Setup {
        settle_for: "0s",
        ..Setup::default()
    });
    world.service.set_fault("error-500-create=on:1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    let result = world.result("monday.csv");
    let said = result.of("1001", "result_message");
    for words in [
        "The service's answer does not say whether it has the order (create-new-order: HTTP 500, “",
        "do not order this again; we are asking the service",
    ] {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(result.column("result_codes"), ["no-answer"]);
    // What is sent after it shows that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let mut pass = world.command(&["run", "--once"]);
    pass.env("DROPSHEET_ACCOUNT__MAIN__SETTLE_FOR", "6s");
    let ran = crate::world::ran(pass);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(world.at_service("1001").len(), 1);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}
