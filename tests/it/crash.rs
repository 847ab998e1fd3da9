//! The program stopped at every durable write and request, as a pulled plug would, and started again: each order is
//! at the service exactly once, and the result names it.

use std::path::Path;
use std::time::Duration;

use dropsheet::sandbox::Options;

use crate::world::{HEADER, Setup, World, row, sheet};

/// The orders of the sheet that is worked, beside one that cannot be sent and one that is canceled.
const ORDERS: [&str; 6] = ["1001", "1002", "1003", "1004", "1005", "1006"];

/// How many worlds are crashed side by side: they wait more than they work.
const SIDE_BY_SIDE: usize = 4;

/// The most times that a run can come to one point.
const MOST: usize = 200;

/// How often the program is stopped while it recovers.
const AGAIN_AND_AGAIN: usize = 3;

/// A test for each point: stopped there for the first, the second, … time, until a run does not come there so often.
macro_rules! points {
    ($($test:ident $point:literal;)*) => {
        /// Every point at which the program can be stopped.
        const POINTS: &[&str] = &[$($point),*];

        mod killed_at {
            $(
                #[test]
                fn $test() {
                    super::each_order_is_made_once_after_a_crash_at($point);
                }
            )*
        }

        mod killed_while_recovering_at {
            $(
                #[test]
                fn $test() {
                    super::each_order_is_made_once_after_crashes_at($point);
                }
            )*
        }
    };
}

points! {
    cancel_answered "cancel-answered";
    claimed "claimed";
    create_answered "create-answered";
    file_place "file-place";
    intent_written "intent-written";
    ledger_commit "ledger-commit";
    ledger_committed "ledger-committed";
    moved_to_processing "moved-to-processing";
    outcome_written "outcome-written";
    own_placed "own-placed";
    own_written "own-written";
    result_aside "result-aside";
    result_placed "result-placed";
    result_recorded "result-recorded";
    result_written "result-written";
    spool_copied "spool-copied";
}

/// Points that a run over a sheet does not come to; each has a story of its own in `after.rs`.
const ELSEWHERE: [&str; 3] = ["own-aside", "request-done", "sync-window"];

#[test]
fn every_point_of_the_source_is_tested() {
    let mut points = Vec::new();
    points_in(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")),
        &mut points,
    );
    points.sort();
    points.dedup();
    points.retain(|point| !ELSEWHERE.contains(&point.as_str()));
    assert_eq!(points, POINTS);
}

fn points_in(folder: &Path, points: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            points_in(&path, points);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let named = text.split("crash::point(\"").skip(1);
        points.extend(named.map(|rest| rest.split_once('"').unwrap().0.to_owned()));
    }
}

fn each_order_is_made_once_after_a_crash_at(point: &'static str) {
    let workers: Vec<_> = (1..=SIDE_BY_SIDE)
        .map(|first| {
            std::thread::spawn(move || {
                (first..MOST)
                    .step_by(SIDE_BY_SIDE)
                    .take_while(|nth| crash_once(&format!("{point}:{nth}")))
                    .count()
            })
        })
        .collect();
    let crashes: usize = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
    assert!(crashes > 0, "the run does not come to {point}");
}

/// Stops a run once, and settles; false where the run did not come there.
fn crash_once(at: &str) -> bool {
    let mut world = world();
    let crashed = world.run_once_crashing(at).crashed();
    settle(&mut world, at);
    world.end();
    crashed
}

fn each_order_is_made_once_after_crashes_at(point: &'static str) {
    let mut world = world();
    for _again in 0..AGAIN_AND_AGAIN {
        world.run_once_crashing(point);
    }
    settle(&mut world, point);
    world.end();
}

/// A world in which an earlier sheet was worked, with a sheet whose run comes to every point.
fn world() -> World {
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::from_millis(100),
            ..Setup::default().service
        },
        absent_after: "400ms",
        account: "max_in_flight = 2",
        ..Setup::default()
    });
    world.drop_csv("sunday.csv", &sheet(&["900"]));
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    let mut rows: Vec<String> = ORDERS.iter().map(|id| format!("{},", row(id, 1))).collect();
    rows.push(format!("{},", row("bad", 0)));
    rows.push(format!("{},cancel", row("900", 1)));
    // A second line of the last order.
    rows.push(format!("{},", row("1006", 3)));
    world.drop_csv("monday.csv", &format!("{HEADER},action\n{}\n", rows.join("\n")));
    world
}

/// Drops an order that is answered now, which shows that the list is live, and runs until nothing is open.
fn settle(world: &mut World, at: &str) {
    world.drop_csv("tuesday.csv", &sheet(&["2001"]));
    let mut ran = world.run_once();
    for _again in 0..2 {
        if is_open(world) {
            ran = world.run_once();
        }
    }
    assert!(ran.status == 0 || ran.status == 3, "{at}: {ran:?}");
    let result = world.result("monday.csv");
    for id in ORDERS {
        assert_eq!(result.of(id, "result_status"), "created", "{at}: {id} {ran:?}");
        assert_eq!(world.at_service(id).len(), 1, "{at}: {id}");
    }
    assert_eq!(result.of("bad", "result_status"), "invalid", "{at}");
    assert_eq!(result.of("900", "result_status"), "canceled", "{at}");
    let sunday = world.result("sunday.csv");
    assert_eq!(sunday.of("900", "result_status"), "canceled", "{at}");
    assert_eq!(world.at_service("2001").len(), 1, "{at}");
}

fn is_open(world: &World) -> bool {
    !world.files("processing").is_empty()
        || world.find_result("monday.csv").is_none_or(|result| {
            result
                .column("result_status")
                .iter()
                .any(|status| ["unresolved", "canceling", "waiting"].contains(status))
        })
}
