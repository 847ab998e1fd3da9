//! After the kills, with a service that does nothing wrong: an operator does what is left for one, and what the service
//! has, what was dropped and what the results say are compared.
//!
//! An order that was sent twice without an answer and is not at the service waits for a person, by design. The person
//! looks into the service's list and says `--resend`, as the README tells one to.

use std::time::{Duration, Instant};

use dropsheet::sandbox::Amount;

use crate::world::{Table, World, sheet};

/// How long every order may take to have its fate.
const PATIENCE: Duration = Duration::from_mins(8);

/// How often the operator looks.
const PAUSE: Duration = Duration::from_millis(500);

/// Whether every sheet that was dropped is worked to its end: no order of it is still to be sent.
pub(super) fn is_worked(world: &World) -> bool {
    world.files("inbox").is_empty() && world.files("processing").is_empty()
}

/// Works on until every order of `monday.csv`, which is dropped once more as `tuesday.csv`, is at the service: once.
/// Gives how many orders waited for a person.
pub(super) fn settle(world: &mut World, ids: &[String], again: &str) -> u64 {
    let calm = world.daemon();
    // An order that is answered now shows that the list is live.
    world.drop_csv("last.csv", &sheet(&["last"]));
    let mut by_person = settled(world, &["monday.csv", "last.csv"]);
    let monday = world.result("monday.csv");
    for id in ids {
        let (is, there) = (monday.of(id, "result_status"), world.at_service(id).len());
        match is {
            "created" | "already_created" => {
                assert_eq!(there, 1, "{id}, which is {is}, is at the service once");
            }
            "refused" => assert_eq!(there, 0, "{id}, which is refused, is not at the service"),
            _ => panic!("{id} ends as {is}"),
        }
    }
    // What the service has refused is asked for again; everything else is known.
    world.drop_csv("tuesday.csv", again);
    by_person += settled(world, &["monday.csv", "last.csv", "tuesday.csv"]);
    // What was created a moment ago, the list shows by now.
    world.service.set_list_lag(Duration::ZERO);
    let read = world.dropsheet(&["orders", "sync"]);
    assert_eq!(read.status, 0, "{read:?}");
    compare(world, ids);
    assert_eq!(calm.terminate().0, 0);
    by_person
}

/// Waits until no order of these sheets is open, and does what is for a person meanwhile.
fn settled(world: &World, sheets: &[&str]) -> u64 {
    let give_up = Instant::now() + PATIENCE;
    let mut by_person = 0;
    while !sheets.iter().all(|sheet| is_settled(world, sheet)) {
        assert!(
            Instant::now() < give_up,
            "some order has no fate: {}",
            world.dropsheet(&["status"]).said
        );
        by_person += for_a_person(world)
            .iter()
            .filter(|id| sent_by_person(world, id))
            .count();
        std::thread::park_timeout(PAUSE);
    }
    by_person.try_into().unwrap()
}

fn is_settled(world: &World, sheet: &str) -> bool {
    world.find_result(sheet).is_some_and(|result| {
        let statuses = result.column("result_status");
        !statuses
            .iter()
            .any(|status| ["unresolved", "waiting"].contains(status))
    })
}

/// The orders that `status` names to the operator as waiting for a decision.
fn for_a_person(world: &World) -> Vec<String> {
    let status = world.dropsheet(&["status", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&status.said).unwrap();
    let unresolved = status["unresolved"].as_array().unwrap();
    let waits = unresolved.iter().filter(|order| order["needs_person"] == true);
    waits
        .map(|order| order["order_id"].as_str().unwrap().to_owned())
        .collect()
}

/// Looks into the service's list, and has an order sent again; false where dropsheet will not do it yet.
fn sent_by_person(world: &World, id: &str) -> bool {
    assert!(
        world.at_service(id).is_empty(),
        "{id} is at the service, and a person is asked"
    );
    let told = world.dropsheet(&["orders", "resolve", id, "--resend"]);
    told.status == 0
}

/// Compares the service's orders with the sheet and with the results: each once, under its id, at its total.
fn compare(world: &World, ids: &[String]) {
    let (monday, tuesday) = (world.result("monday.csv"), world.result("tuesday.csv"));
    for id in ids {
        let both = [monday.of(id, "result_status"), tuesday.of(id, "result_status")];
        let is_told = matches!(
            both,
            ["created", "already_created"] | ["refused" | "already_created", "created"]
        ) || both == ["already_created"; 2];
        assert!(is_told, "{id} ends as {both:?}");
        let there = world.at_service(id);
        let [order] = &there[..] else {
            panic!("{id} is {} times at the service", there.len())
        };
        assert_eq!(tuesday.of(id, "result_pw_order_id"), order.pw_order_id, "{id}");
    }
    assert_eq!(world.service.orders().len(), ids.len() + 1, "no order but these");
    let charged: Amount = world.service.orders().iter().map(|order| order.total).sum();
    let results = [monday, tuesday, world.result("last.csv")];
    for column in ["result_quoted_total", "result_service_total"] {
        assert_eq!(sum(&results, column), charged, "the sum of {column}");
    }
}

fn sum(results: &[Table], column: &str) -> Amount {
    results
        .iter()
        .flat_map(|result| result.column(column))
        .filter(|amount| !amount.is_empty())
        .map(|amount| amount.parse::<Amount>().unwrap())
        .sum()
}
