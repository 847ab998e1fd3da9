//! The program stopped at every durable write, move and request, as a pulled plug would, or failing there once or for
//! ever, and started again: each order is at the service exactly once, and the result names it.
//!
//! Usually each point is tried at its first, second, third, fifth, eighth, … time. `DROPSHEET_CRASHES=times` tries every
//! time, `DROPSHEET_CRASHES=pairs` every pair of points besides: a second crash while the first is recovered from.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dropsheet::sandbox::Options;

use calamine::Reader;

use crate::world::run::Ran;
use crate::world::{HEADER, Setup, World, row, sheet, write};

/// How many orders the sheet has that is worked, beside one that cannot be sent and one that is canceled.
const ORDERS: u32 = 20;

/// How many worlds are crashed side by side: they wait more than they work.
const SIDE_BY_SIDE: usize = 4;

/// The most times that a run can come to one point.
const MOST: usize = 400;

/// The times at which a point is tried in a usual run: each about as far again as the ones before.
const USUAL: [usize; 9] = [1, 2, 3, 5, 8, 13, 21, 34, 55];

/// The times at which it is made to fail once.
const FAILING: [usize; 8] = [1, 2, 3, 4, 5, 6, 8, 16];

/// The times from which on it is made to fail for ever.
const BROKEN: [usize; 4] = [1, 3, 5, 16];

/// The times at which the first crash of a pair strikes; the second strikes half as far into the recovery.
const PAIRED: [usize; 3] = [1, 3, 8];

/// How often the program is stopped while it recovers.
const AGAIN_AND_AGAIN: usize = 3;

/// A test for each point: stopped there for the first, the second, … time, until a run does not come there so often.
macro_rules! points {
    ($($test:ident $point:literal $kind:ident;)*) => {
        /// Every point at which the program can be stopped, and whether something can fail there.
        const POINTS: &[(&str, Kind)] = &[$(($point, Kind::$kind)),*];

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

        mod failing_at {
            $(
                #[test]
                fn $test() {
                    super::each_order_is_made_once_after_failures_at($point, super::Kind::$kind);
                }
            )*
        }
    };
}

/// What can happen at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The program can be stopped there.
    Stops,
    /// What is done there can fail besides.
    Fails,
}

points! {
    answer "answer" Fails;
    cancel_answered "cancel-answered" Stops;
    claimed "claimed" Stops;
    create_answered "create-answered" Stops;
    decided "decided" Stops;
    decision_filed "decision-filed" Stops;
    file_move "file-move" Fails;
    file_sync "file-sync" Fails;
    folder_sync "folder-sync" Fails;
    held_sheet_away "held-sheet-away" Stops;
    intent_written "intent-written" Stops;
    ledger_commit "ledger-commit" Fails;
    ledger_committed "ledger-committed" Fails;
    lock_named "lock-named" Fails;
    moved_to_processing "moved-to-processing" Stops;
    outcome_written "outcome-written" Stops;
    own_placed "own-placed" Stops;
    own_written "own-written" Stops;
    request "request" Fails;
    result_aside "result-aside" Stops;
    result_placed "result-placed" Stops;
    result_recorded "result-recorded" Stops;
    result_replaced "result-replaced" Stops;
    result_written "result-written" Stops;
    spool_copied "spool-copied" Stops;
    token_replace "token-replace" Fails;
}

/// Points that a run over a sheet does not come to: those of commands that write a file over an earlier one, and those
/// that have a story of their own in `after.rs` or `costs.rs`.
const ELSEWHERE: [&str; 6] = [
    "cancels-heard",
    "file-replace",
    "month-written",
    "own-aside",
    "request-done",
    "sync-window",
];

#[test]
fn every_point_of_the_source_is_tested() {
    let mut points = Vec::new();
    points_in(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")),
        &mut points,
    );
    points.sort();
    points.dedup();
    points.retain(|point| !ELSEWHERE.contains(&point.0.as_str()));
    let named: Vec<_> = points.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    assert_eq!(named, POINTS);
}

fn points_in(folder: &Path, points: &mut Vec<(String, Kind)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            points_in(&path, points);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (call, kind) in [("crash::point(\"", Kind::Stops), ("crash::fails(\"", Kind::Fails)] {
            let named = text.split(call).skip(1);
            points.extend(named.map(|rest| (rest.split_once('"').unwrap().0.to_owned(), kind)));
        }
    }
}

/// Whether a person asks for a longer run: `times` or `pairs`.
#[expect(clippy::disallowed_methods, reason = "a person asks for the long run")]
fn is_asked(which: &str) -> bool {
    std::env::var("DROPSHEET_CRASHES").is_ok_and(|asked| asked == which)
}

/// The times at which a point is tried.
fn times(usual: &[usize]) -> Vec<usize> {
    if is_asked("times") {
        (1..MOST).collect()
    } else {
        usual.to_vec()
    }
}

fn each_order_is_made_once_after_a_crash_at(point: &'static str) {
    let crashes = try_times(&times(&USUAL), move |nth| crash_once(&format!("{point}:{nth}")));
    assert!(crashes > 0, "the run does not come to {point}");
    println!("{point}: {crashes} crashes");
    if is_asked("pairs") {
        let pairs = each_order_is_made_once_after_a_second_crash(point);
        println!("{point}: {pairs} pairs of crashes");
    }
}

fn each_order_is_made_once_after_failures_at(point: &'static str, kind: Kind) {
    if kind == Kind::Stops {
        return;
    }
    for (how, usual) in [("error", &FAILING[..]), ("errors", &BROKEN)] {
        let failures = try_times(&times(usual), move |nth| {
            crash_once(&format!("{point}:{nth}:{how}"))
        });
        assert!(failures > 0, "the run does not come to {point}");
        println!("{point}: {failures} times {how}");
    }
}

/// Tries one time after the other, some side by side, until the run does not come there so often.
fn try_times(times: &[usize], comes_there: impl Fn(usize) -> bool + Clone + Send + 'static) -> usize {
    let workers: Vec<_> = (0..SIDE_BY_SIDE)
        .map(|first| {
            let times: Vec<_> = times.iter().copied().skip(first).step_by(SIDE_BY_SIDE).collect();
            let comes_there = comes_there.clone();
            std::thread::spawn(move || times.into_iter().take_while(|nth| comes_there(*nth)).count())
        })
        .collect();
    workers.into_iter().map(|worker| worker.join().unwrap()).sum()
}

/// Stops a run once, or has it fail, and settles; false where the run did not come there.
fn crash_once(at: &str) -> bool {
    let mut world = world();
    let came_there = world.run_once_crashing(at).came_to_its_point();
    settle(&mut world, at);
    world.end();
    came_there
}

/// Stops a run at a point, and the run that recovers at each of the others; gives how often both came about.
fn each_order_is_made_once_after_a_second_crash(first: &'static str) -> usize {
    let both = Arc::new(AtomicUsize::new(0));
    for (second, _) in POINTS {
        let both = Arc::clone(&both);
        try_times(&PAIRED, move |nth| {
            let mut world = world();
            let came_there = world.run_once_crashing(&format!("{first}:{nth}")).crashed();
            let again = world.run_once_crashing(&format!("{second}:{}", 1 + nth / 2));
            settle(&mut world, &format!("{first}:{nth}, then {second}"));
            world.end();
            both.fetch_add(usize::from(came_there && again.crashed()), Ordering::Relaxed);
            came_there
        });
    }
    both.load(Ordering::Relaxed)
}

fn each_order_is_made_once_after_crashes_at(point: &'static str) {
    let mut world = world();
    for _again in 0..AGAIN_AND_AGAIN {
        world.run_once_crashing(point);
    }
    settle(&mut world, point);
    world.end();
}

/// A thread that panics would leave the others waiting for it.
#[test]
fn a_defect_in_any_thread_ends_the_program_and_the_next_run_takes_up_its_work() {
    // Of the ledger's thread, of the one for files, of an order's task.
    for point in ["ledger-commit:3", "file-move:1", "answer:2"] {
        let mut world = world();
        let ran = world.run_once_crashing(&format!("{point}:panic"));
        assert_eq!(ran.status, 1, "{point}: {ran:?}");
        assert!(ran.logged.contains("a defect of dropsheet"), "{point}: {ran:?}");
        settle(&mut world, point);
        world.end();
    }
}

fn order_ids() -> Vec<String> {
    (1001..1001 + ORDERS).map(|id| id.to_string()).collect()
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
    // One order is sent, two are held, of which one is approved.
    let held = ["901", "902"].map(|id| format!("{},1.00", row(id, 1)));
    let sent = format!("{},", row("900", 1));
    world.drop_csv(
        "sunday.csv",
        &format!("{HEADER},expected_total\n{sent}\n{}\n", held.join("\n")),
    );
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    approve_one(&world);
    // So that the run logs in.
    std::fs::remove_dir_all(world.path("tokens")).unwrap();
    let mut rows: Vec<String> = order_ids().iter().map(|id| format!("{},", row(id, 1))).collect();
    rows.push(format!("{},", row("bad", 0)));
    rows.push(format!("{},cancel", row("900", 1)));
    // A second line of the last order.
    rows.push(format!("{},", row("1020", 3)));
    world.drop_csv("monday.csv", &format!("{HEADER},action\n{}\n", rows.join("\n")));
    world
}

/// Approves 901 alone: its row of the held sheet, saved by another program.
fn approve_one(world: &World) {
    let [name] = &world.files("held")[..] else {
        panic!("one held sheet, not {:?}", world.files("held"))
    };
    let held = world.orders_path("held").join(name);
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(&held).unwrap();
    let page = book.worksheet_range_at(0).unwrap().unwrap();
    let key = page.rows().find(|row| row[0] == "901").unwrap()[8].to_string();
    std::fs::remove_file(held).unwrap();
    write(
        &world.orders_path("approved").join("sunday.held.csv"),
        format!("order_id,approval_key\n901,{key}\n").as_bytes(),
    );
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
    if is_asked("pairs") && is_open(world) {
        ran = decide_as_a_person(world);
    }
    assert!(ran.status == 0 || ran.status == 3, "{at}: {ran:?}");
    let result = world.result("monday.csv");
    for id in order_ids() {
        assert_eq!(result.of(&id, "result_status"), "created", "{at}: {id} {ran:?}");
        assert_eq!(world.at_service(&id).len(), 1, "{at}: {id}");
    }
    assert_eq!(result.of("bad", "result_status"), "invalid", "{at}");
    assert_eq!(result.of("900", "result_status"), "canceled", "{at}");
    let sunday = world.result("sunday.csv");
    assert_eq!(sunday.of("900", "result_status"), "canceled", "{at}");
    assert_eq!(sunday.of("901", "result_status"), "created", "{at}");
    assert_eq!(sunday.of("902", "result_status"), "held", "{at}");
    assert_eq!(world.at_service("2001").len(), 1, "{at}");
    let held = world.files("held");
    assert!(
        held.len() == 1 && held[0].ends_with("_sunday.held.xlsx"),
        "{at}: {held:?}"
    );
    assert_eq!(world.files("approved"), [""; 0], "{at}");
}

/// An order that two crashes struck waits for a person, who finds nothing of it at the service.
fn decide_as_a_person(world: &World) -> Ran {
    let result = world.result("monday.csv");
    for id in order_ids() {
        if result.of(&id, "result_status") == "unresolved" && world.at_service(&id).is_empty() {
            let said = world.dropsheet(&["orders", "resolve", &id, "--resend"]);
            println!("{id}: {}", said.said);
        }
    }
    world.run_once()
}

fn is_open(world: &World) -> bool {
    !world.files("processing").is_empty()
        || world.result("sunday.csv").of("901", "result_status") != "created"
        || world.find_result("monday.csv").is_none_or(|result| {
            result
                .column("result_status")
                .iter()
                .any(|status| ["unresolved", "canceling", "waiting"].contains(status))
        })
}
