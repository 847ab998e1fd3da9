//! The service away for a long time amid many orders.

use std::time::{Duration, Instant};

use dropsheet::sandbox::{self, Options, RetryAfter};

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// A sheet of so many orders.
fn many(count: usize) -> String {
    let ids: Vec<String> = (0..count).map(|n| format!("{}", 10_000 + n)).collect();
    sheet(&ids.iter().map(String::as_str).collect::<Vec<_>>())
}

fn all_created(world: &World, count: usize) -> bool {
    world.find_result("monday.csv").is_some_and(|result| {
        let statuses = result.column("result_status");
        statuses.len() == count && statuses.iter().all(|status| *status == "created")
    })
}

#[test]
fn refusals_and_then_time_outs_amid_500_orders_cost_no_order_and_nobody_is_called() {
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::from_millis(5),
            slow: Duration::from_millis(900),
            ..Setup::default().service
        },
        timeout: "400ms",
        ..Setup::default()
    });
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &many(500));
    wait_for("some are sent", || world.service.orders().len() > 60);
    world.service.go_away_now().unwrap();
    assert!(world.service.orders().len() < 450, "it goes away amid the sheet");
    // When it comes back, it does what it is asked, but answers too late for a while: to some that leave together, and to
    // some that leave one by one to try it.
    world.service.set_fault("slow-create=first:12").unwrap();
    world.service.come_back_now().unwrap();
    wait_for("all are told to be created", || all_created(&world, 500));
    wait_for("it is done", || world.files("processing").is_empty());
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn while_creates_alone_are_away_few_orders_are_left_without_an_answer() {
    let mut world = World::with(Setup {
        account: "max_in_flight = 10",
        ..Setup::default()
    });
    // What only reads works on: it proves nothing of creates.
    world.service.set_fault("drop-before-create=after:20").unwrap();
    world.drop_csv("monday.csv", &many(100));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let result = world.result("monday.csv");
    let count = |status| {
        result
            .column("result_status")
            .iter()
            .filter(|one| **one == status)
            .count()
    };
    // Those that were under way together, and one a trial, with pauses that grow.
    let unresolved = count("unresolved");
    assert!((3..=20).contains(&unresolved), "{unresolved}");
    assert_eq!(count("created") + unresolved + count("waiting"), 100, "{ran:?}");
    world.service.clear_faults();
    assert_eq!(world.run_until_settled().status, 0);
    assert!(all_created(&world, 100));
    assert_eq!(world.service.orders().len(), 100);
    world.end();
}

#[test]
fn while_creates_alone_are_away_each_further_run_leaves_an_order_more_without_an_answer_at_most() {
    let mut world = World::with(Setup {
        settle_for: "2s",
        ..Setup::default()
    });
    world.service.set_fault("drop-before-create=after:0").unwrap();
    world.drop_csv("monday.csv", &many(100));
    let unresolved = || {
        assert_eq!(world.run_once().status, 3);
        let result = world.result("monday.csv");
        let all = result.column("result_status").into_iter();
        all.filter(|one| *one == "unresolved").count()
    };
    let first = unresolved();
    let later = [unresolved(), unresolved(), unresolved(), unresolved()];
    assert!(first >= 3 && later[3] <= first + 4, "{first}, then {later:?}");
    world.service.clear_faults();
    wait_for("the next trial", || {
        world.run_once();
        all_created(&world, 100)
    });
    assert_eq!(world.service.orders().len(), 100);
    world.end();
}

#[test]
fn an_order_for_which_there_is_no_catalog_yet_says_so_and_is_checked_and_sent_afterwards() {
    let mut world = World::new();
    world.service.go_away_now().unwrap();
    let wrong = row("1002", 1).replace("TEE-CLASSIC", "TEE-NOBODY-HAS");
    world.drop_csv("monday.csv", &format!("{}{wrong}\n", sheet(&["1001"])));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.said.contains("dropsheet explain service-away"), "{ran:?}");
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["waiting"; 2]);
    assert_eq!(result.column("result_codes"), ["catalog-missing"; 2]);
    let message = result.of("1002", "result_message");
    assert!(message.contains("sent where nothing is wrong"), "{message}");
    world.service.come_back_now().unwrap();
    assert_eq!(world.run_once().status, 3, "one is wrong");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["created", "invalid"]
    );
    world.end();
}

#[test]
fn a_pass_that_ends_while_the_service_is_away_says_what_its_sheet_waits_for_and_promises_no_time() {
    let mut world = World::new();
    let is_told = |world: &World, what: &str| {
        let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
        for part in [
            "dropsheet made a pass: ",
            "Waiting:",
            "The print service",
            what,
            "it waits, see above",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
        let status = world.dropsheet(&["status"]);
        assert!(
            status.said.contains("its orders wait: The print service") && status.said.contains("it waits"),
            "{status:?}"
        );
        let status = world.dropsheet(&["status", "--json"]).said;
        let status: serde_json::Value = serde_json::from_str(&status).unwrap();
        let pace = &status["under_way"][0]["pace"];
        for unknown in ["per_minute", "ends_at"] {
            assert!(pace.is_null() || pace[unknown].is_null(), "{pace}");
        }
    };
    world.service.go_away_now().unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 3);
    is_told(&world, "monday.csv: taken ");
    world.service.come_back_now().unwrap();
    assert_eq!(world.run_once().status, 0);
    let told = std::fs::read_to_string(world.orders_path("STATUS.txt")).unwrap();
    assert!(!told.contains("Waiting:"), "{told}");

    // With a catalog, one of its orders is at its end.
    world.service.go_away_now().unwrap();
    let wrong = row("1003", 1).replace("TEE-CLASSIC", "TEE-NOBODY-HAS");
    world.drop_csv("tuesday.csv", &format!("{}{wrong}\n", sheet(&["1002"])));
    assert_eq!(world.run_once().status, 3);
    is_told(&world, "tuesday.csv: ");
    world.service.come_back_now().unwrap();
    world.run_once();
    world.end();
}

#[test]
fn while_the_service_says_no_to_everything_it_is_asked_ever_more_rarely() {
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::from_millis(5),
            ..Setup::default().service
        },
        // Half as many orders again are under way.
        account: "max_in_flight = 10",
        ..Setup::default()
    });
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &many(200));
    wait_for("some are sent", || world.service.orders().len() > 20);
    world.service.set_fault("unavailable-all=1").unwrap();
    let refused = || {
        let log = world.service.calls().log;
        log.iter()
            .filter(|call| call.status == 503)
            .map(|call| call.at)
            .collect::<Vec<_>>()
    };
    wait_for("two requests are more than a second apart", || {
        let refused = refused();
        let newest = refused.last().zip(refused.iter().rev().nth(1));
        newest.is_some_and(|(last, before)| last.duration_since(*before).as_millis() > 1000)
    });
    // Those of the orders that were under way together, then one at a time: after 0.1, 0.2, 0.4, 0.8 and 1.6 seconds.
    let asked = refused().len();
    assert!(asked <= 15 + 8, "{asked} requests for nothing");
    world.service.clear_faults();
    wait_for("all are told to be created", || all_created(&world, 200));
    wait_for("it is done", || world.files("processing").is_empty());
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_storm_of_pauses_is_obeyed_and_ends_with_every_order_made_once() {
    let mut world = World::with(Setup {
        service: Options {
            retry_after: RetryAfter::Text("1".to_owned()),
            ..Setup::default().service
        },
        // However many leave together first: that many pauses, each as long as the service asks.
        settle_for: "2m",
        ..Setup::default()
    });
    world.service.set_fault("rate-limit-create=first:8").unwrap();
    world.drop_csv("monday.csv", &many(40));
    let begun = Instant::now();
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.creates(),
        48,
        "8 were told to wait, and were not sent before"
    );
    assert!(begun.elapsed() > Duration::from_secs(1));
    world.end();
}

/// Creates without answers stop further ones until a look-up and a quote have succeeded. Here no quote ever does.
#[test]
fn a_service_that_still_lists_but_prices_nothing_any_more_keeps_no_run_from_its_end() {
    let mut world = World::new();
    world.service.set_fault("error-500=1").unwrap();
    world.service.set_fault("error-500-quote=after:1").unwrap();
    world.drop_csv("monday.csv", &many(100));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let calls = world.service.calls();
    let prices = calls
        .counts
        .get("calculate-price-order")
        .copied()
        .unwrap_or_default();
    assert!(prices < 20, "prices were asked for {prices} times");
    assert!(world.creates() < 30, "those that were under way, and no further");
    world.service.clear_faults();
    world.run_until_settled();
    assert_eq!(world.service.orders().len(), 100);
    world.end();
}

#[test]
fn an_order_that_is_never_priced_keeps_no_other_from_being_sent() {
    let mut world = World::new();
    // As often as one order's price is asked for.
    world.service.set_fault("error-500-quote=first:9").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.drop_csv("tuesday.csv", &sheet(&["1002", "1003"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let monday = world.result("monday.csv");
    assert_eq!(monday.column("result_status"), ["waiting"]);
    assert_eq!(monday.column("result_codes"), ["unusable-answer"]);
    let why = monday.of("1001", "result_message");
    assert!(
        why.contains("answers, and gives no price for this order: "),
        "{why}"
    );
    assert_eq!(
        world.result("tuesday.csv").column("result_status"),
        ["created"; 2]
    );
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn a_product_line_without_prices_at_the_head_of_a_sheet_keeps_none_behind_it_from_being_sent() {
    let mut world = World::with(Setup {
        account: "max_in_flight = 4",
        // As where the config names none.
        settle_for: "20s",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let skus =
        ["BLK-M", "BLK-L", "BLK-XL", "WHT-S", "WHT-M", "WHT-L"].map(|sku| format!("TEE-CLASSIC-{sku}"));
    let mut rows = vec![HEADER.to_owned()];
    for (id, sku) in (1001..).zip(&skus) {
        assert!(world.service.set_has_price(sku, false), "{sku}");
        rows.push(row(&id.to_string(), 1).replace("TEE-CLASSIC-BLK-S", sku));
    }
    rows.push(row("1010", 1));
    world.drop_csv("monday.csv", &rows.join("\n"));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let result = world.result("monday.csv");
    let statuses = result.column("result_status");
    assert_eq!(statuses[..6], ["waiting"; 6]);
    assert_eq!(statuses[6], "created");
    for sku in &skus {
        world.service.set_has_price(sku, true);
    }
    world.run_until_settled();
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 7]);
    world.end();
}

#[test]
fn a_moment_in_which_nothing_of_the_service_is_there_costs_no_order_and_stops_nothing() {
    for fault in ["error-404-all=first:2", "error-404-create=first:2"] {
        // Where one create waits for the other's second try, that is a pause more.
        let mut world = World::with(Setup {
            settle_for: "30s",
            ..Setup::default()
        });
        world.service.set_fault(fault).unwrap();
        world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
        let ran = world.run_once();
        assert_eq!(ran.status, 0, "{fault}: {ran:?}");
        assert!(all_created(&world, 2), "{fault}");
        assert!(!world.files("results").is_empty());
        world.end();
    }
}

#[test]
fn where_nothing_of_the_service_is_no_order_is_refused_and_all_wait() {
    let mut world = World::new();
    world.service.set_fault("error-404-all=after:0").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["waiting"; 2]);
    assert_eq!(result.column("result_codes"), ["wrong-setup"; 2]);
    assert_eq!(world.creates(), 0);
    world.service.clear_faults();
    assert_eq!(world.run_once().status, 0);
    assert!(all_created(&world, 2));
    world.end();
}

#[test]
fn an_order_that_the_service_does_not_find_is_refused_and_the_others_go_on() {
    for (operation, code) in [("quote", "quote-refused"), ("create", "refused-by-service")] {
        let mut world = World::with(Setup {
            account: "quote_reuse = \"0s\"",
            ..Setup::default()
        });
        let daemon = world.daemon();
        world.drop_csv("monday.csv", &sheet(&["1001"]));
        wait_for("one is created", || all_created(&world, 1));
        world
            .service
            .set_fault(&format!("error-404-{operation}=on:1"))
            .unwrap();
        world.drop_csv("tuesday.csv", &sheet(&["1002"]));
        wait_for("the next has its result", || {
            world.find_result("tuesday.csv").is_some()
        });
        world.drop_csv("wednesday.csv", &sheet(&["1003"]));
        wait_for("so has the last", || world.find_result("wednesday.csv").is_some());
        assert_eq!(daemon.terminate().0, 0);
        let refused = world.result("tuesday.csv");
        assert_eq!(refused.column("result_status"), ["refused"], "{operation}");
        assert!(
            refused
                .of("1002", "result_message")
                .contains("something went wrong")
        );
        assert_eq!(refused.of("1002", "result_codes"), code);
        assert_eq!(world.result("wednesday.csv").column("result_status"), ["created"]);
        world.end();
    }
}

#[test]
fn an_account_whose_service_is_away_takes_no_time_of_another_one_s() {
    let abroad = sandbox::start_on_thread(Options {
        slow: Duration::from_hours(1),
        ..Options::default()
    });
    let abroad = abroad.unwrap();
    // Before `main` by its name, with a second look-up amid which the time for them is over.
    let other = format!(
        "[account.abroad]\nbase_url = \"{}\"\nemail = \"shop@example.com\"\npassword_file = \"password\"\n\
         timeout = \"3s\"\nsettle_for = \"5s\"\n[inbox.abroad]\naccount = \"abroad\"\npath = \"abroad\"\nstable_for = \"50ms\"\n",
        abroad.base_url()
    );
    let mut world = World::with(Setup {
        inbox: &format!("account = \"main\"\n{other}"),
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    write(
        &world.path("abroad/inbox/abroad.csv"),
        sheet(&["2001"]).as_bytes(),
    );
    assert!(world.run_once_crashing("intent-written").crashed());
    abroad.set_fault("slow-list=1").unwrap();
    world.service.set_fault("drop-before-cancel=on:1").unwrap();
    let asked = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(
        (asked.status, world.service.count("cancel-order")),
        (3, 1),
        "{asked:?}"
    );
    let ran = world.run_once();
    assert!(
        ran.said.contains("1 order is without an answer of the service"),
        "{ran:?}"
    );
    assert_eq!(world.result("monday.csv").column("result_status"), ["canceled"]);
    world.end();
}
