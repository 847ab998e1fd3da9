//! Single passes that are told to end amid their work.

use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::slow_world;
use crate::world::{World, sheet, wait_for, write};

/// What each request takes.
const LATENCY: Duration = Duration::from_millis(100);

/// Orders of the sheet: far more than leave before the pass hears that it is to end.
const ORDERS: usize = 200;

fn ids() -> Vec<String> {
    (0..ORDERS).map(|n| format!("{}", 1000 + n)).collect()
}

fn all() -> String {
    sheet(&ids().iter().map(String::as_str).collect::<Vec<_>>())
}

/// Starts a command, tells it to end when some orders were created, and gives what it said.
fn told_amid_its_creates(world: &World, arguments: &[&str]) -> String {
    let mut command = world.command(arguments);
    let child = command.stdout(Stdio::piped()).spawn().unwrap();
    wait_for("some are created", || world.creates() >= 4);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(3), "{said}");
    let created = world.creates();
    assert!(created < 100, "{created} left after it was told to end");
    said
}

/// The orders that a sheet's line counts: `monday.csv: 16 created, 184 waiting`.
fn orders_in(said: &str) -> usize {
    let line = said
        .lines()
        .find_map(|line| line.strip_prefix("monday.csv: "))
        .unwrap();
    let counts = line.split(['.', ';']).next().unwrap().split(", ");
    let counts = counts.map(|count| count.split_once(' ').unwrap().0.parse::<usize>().unwrap());
    counts.sum()
}

fn the_next_run_sends_the_rest_once(world: &World) {
    assert_eq!(world.run_once().status, 0);
    for id in ids() {
        assert_eq!(world.at_service(&id).len(), 1, "{id}");
    }
}

#[test]
fn a_pass_that_is_told_to_end_sends_nothing_more_and_the_next_one_goes_on() {
    let mut world = slow_world(LATENCY);
    world.drop_csv("monday.csv", &all());
    let said = told_amid_its_creates(&world, &["run", "--once"]);
    assert!(said.contains("the next run goes on"), "{said}");
    assert_eq!(orders_in(&said), ORDERS, "{said}");
    the_next_run_sends_the_rest_once(&world);
    world.end();
}

#[test]
fn an_import_that_is_told_to_end_sends_nothing_more_and_the_next_run_goes_on() {
    let mut world = slow_world(LATENCY);
    world.excused = ids();
    write(&world.path("monday.csv"), all().as_bytes());
    let said = told_amid_its_creates(&world, &["import", "monday.csv"]);
    assert!(said.contains("the next run goes on"), "{said}");
    the_next_run_sends_the_rest_once(&world);
    world.end();
}

/// Orders of one of several sheets.
fn few(first: usize) -> String {
    let ids: Vec<String> = (first..first + 5).map(|n| n.to_string()).collect();
    sheet(&ids.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn sheets_that_were_not_begun_when_a_pass_was_told_to_end_are_named_and_worked_by_the_next_one() {
    let mut world = slow_world(LATENCY);
    for (name, first) in [("a.csv", 1000), ("b.csv", 2000), ("c.csv", 3000)] {
        world.drop_csv(name, &few(first));
    }
    let said = told_amid_its_creates(&world, &["run", "--once"]);
    assert!(
        said.contains("c.csv: not begun, for dropsheet was told to end. The next run works it."),
        "{said}"
    );
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 15);
    world.end();
}

#[test]
fn sheets_that_an_import_has_not_begun_when_it_was_told_to_end_are_named() {
    let mut world = slow_world(LATENCY);
    world.excused = (1000..1005).map(|id| id.to_string()).collect();
    write(&world.path("a.csv"), few(1000).as_bytes());
    write(&world.path("b.csv"), few(2000).as_bytes());
    let said = told_amid_its_creates(&world, &["import", "a.csv", "b.csv"]);
    assert!(
        said.contains("b.csv: not begun, for dropsheet was told to end. Import it again."),
        "{said}"
    );
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 5, "what was not taken is nobody's");
    world.end();
}
