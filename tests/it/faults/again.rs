//! What is sent once more is what was agreed to: at no higher price, and with the service's own words to it.

use crate::world::{HEADER, Setup, World, row, sheet, wait_for};

/// A world in which an order was promised and never left, and the list is proved to show what is sent.
fn lost(setup: Setup<'_>) -> World {
    let mut world = World::with(setup);
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert!(world.run_once_crashing("intent-written").crashed());
    world
}

/// What monday's result says of its order.
fn told(world: &World) -> (String, String) {
    let result = world.result("monday.csv");
    let cell = |column| result.of("1001", column).to_owned();
    (cell("result_status"), cell("result_message"))
}

#[test]
fn at_a_price_that_has_risen_it_is_a_persons_to_say() {
    let mut world = lost(Setup::default());
    let dear = "99.00".parse().unwrap();
    assert!(world.service.set_cost("TEE-CLASSIC-BLK-S", dear));
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 3, "{ran:?}");
    let (status, message) = told(&world);
    assert_eq!(status, "unresolved");
    assert!(message.contains("its price has risen from"), "{message}");
    assert_eq!(world.creates(), 1, "the other's");
    // Who was told of it and says so, has it sent at the price of now.
    let ran = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    world.run_until_settled();
    assert_eq!(told(&world).0, "created");
    let total = |sheet: &str, id: &str| world.result(sheet).of(id, "result_quoted_total").to_owned();
    assert_eq!(total("monday.csv", "1001"), total("tuesday.csv", "1002"));
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn at_a_price_that_has_fallen_it_goes_by_itself_and_is_told_at_that() {
    let mut world = lost(Setup::default());
    assert!(
        world
            .service
            .set_cost("TEE-CLASSIC-BLK-S", "0.50".parse().unwrap())
    );
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 0, "{ran:?}");
    let total = |sheet: &str, id: &str| world.result(sheet).of(id, "result_quoted_total").to_owned();
    assert_eq!(total("monday.csv", "1001"), total("tuesday.csv", "1002"));
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn at_a_price_other_than_its_sheet_expects_it_is_a_persons_to_say_though_it_has_fallen() {
    let mut world = World::new();
    world.drop_csv("sunday.csv", &sheet(&["1000"]));
    assert_eq!(world.run_once().status, 0);
    let total = world
        .result("sunday.csv")
        .of("1000", "result_quoted_total")
        .to_owned();
    let expects = format!("{HEADER},expected_total\n{},{total}\n", row("1001", 1));
    world.drop_csv("monday.csv", &expects);
    assert!(world.run_once_crashing("intent-written").crashed());
    assert!(
        world
            .service
            .set_cost("TEE-CLASSIC-BLK-S", "0.50".parse().unwrap())
    );
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    let ran = world.run_until_settled();
    assert_eq!(ran.status, 3, "{ran:?}");
    let (status, message) = told(&world);
    assert_eq!(status, "unresolved");
    let said = format!("its price has fallen from {total} to ");
    assert!(message.contains(&said), "{message}");
    assert_eq!(world.creates(), 2, "the others'");
    let ran = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    world.run_until_settled();
    assert_eq!(told(&world).0, "created");
    assert_eq!(world.creates(), 3);
    world.end();
}

#[test]
fn a_refusal_of_its_price_or_of_its_second_create_is_told_in_the_services_words() {
    let mut world = lost(Setup::default());
    let other = sheet(&["1002"]).replace("TEE-CLASSIC-BLK-S", "TEE-CLASSIC-BLK-M");
    assert!(world.service.remove_sku("TEE-CLASSIC-BLK-S"));
    world.drop_csv("tuesday.csv", &other);
    world.run_until_settled();
    let (status, message) = told(&world);
    assert_eq!(status, "unresolved");
    assert!(message.contains("refuses to price it now: "), "{message}");
    assert_eq!(world.creates(), 1);
    world.end();

    let mut world = lost(Setup::default());
    world.service.set_fault("refuse=on:2").unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    world.run_until_settled();
    assert_eq!(world.creates(), 2, "it was sent again, and refused");
    // What is sent after it, and shows, tells that it would show too.
    world.drop_csv("wednesday.csv", &sheet(&["1003"]));
    wait_for("it is absent for long enough", || {
        world.run_once();
        told(&world).1.contains("the service refused it: “")
    });
    assert_eq!(world.creates(), 3);
    assert_eq!(told(&world).0, "unresolved");
    let shown = world.dropsheet(&["orders", "show", "1001"]).said;
    assert!(shown.contains("the service refused it: "), "{shown}");
    world.end();
}

#[test]
fn where_the_second_create_is_answered_in_vain_the_person_is_told_what_the_service_said() {
    let mut world = lost(Setup::default());
    // The first is the other's, which shows that the list is live.
    world.service.set_fault("error-500-create=on:2").unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    world.run_until_settled();
    assert_eq!(world.service.count("create-new-order"), 2);
    world.drop_csv("wednesday.csv", &sheet(&["1003"]));
    assert_eq!(world.run_until_settled().status, 3);
    let (status, message) = told(&world);
    assert_eq!(status, "unresolved");
    let said = "it was sent twice and is not at the service, and the last answer proves nothing: \
                create-new-order: HTTP 500, “";
    assert!(message.contains(said), "{message}");
    let ran = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    world.run_until_settled();
    assert_eq!(told(&world).0, "created");
    world.end();
}

#[test]
fn an_absent_order_that_is_never_priced_is_put_to_a_person() {
    let mut world = lost(Setup::default());
    world.service.set_fault("error-500-quote=after:1").unwrap();
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("a person is asked", || {
        world.run_once();
        told(&world)
            .1
            .contains("which answers, and gives no price for it: ")
    });
    assert_eq!(told(&world).0, "unresolved");
    assert!(
        !told(&world).1.contains("cannot be reached"),
        "{:?}",
        told(&world)
    );
    assert!(!told(&world).1.contains(".."), "{:?}", told(&world));
    assert_eq!(world.creates(), 1, "the other's");
    world.service.clear_faults();
    let ran = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    world.run_until_settled();
    assert_eq!(told(&world).0, "created");
    world.end();
}

#[test]
fn what_a_person_was_asked_of_a_create_is_not_asked_of_the_next_one() {
    let mut world = lost(Setup::default());
    let dear = "99.00".parse().unwrap();
    assert!(world.service.set_cost("TEE-CLASSIC-BLK-S", dear));
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    world.run_until_settled();
    assert!(told(&world).1.contains("--resend"), "{:?}", told(&world));
    world.service.set_fault("drop-after-create=first:1").unwrap();
    let ran = world.dropsheet(&["orders", "resolve", "1001", "--resend"]);
    assert_ne!(ran.status, 0, "its answer was lost: {ran:?}");
    let shown = world.dropsheet(&["orders", "show", "1001"]).said;
    assert!(
        !shown.contains("--resend` sends it"),
        "it may be on its way: {shown}"
    );
    world.run_until_settled();
    assert_eq!(told(&world).0, "created");
    assert_eq!(world.creates(), 2);
    world.end();
}
