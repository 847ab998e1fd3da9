//! The daemon over a long time: who waits for whom, what the service manager hears, real writers, and folders that fill
//! or go away.

mod examined;
mod rights;
mod shares;
mod soak;
mod told;

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use dropsheet::files::move_new;
use dropsheet::sandbox::Options;

use crate::world::{HEADER, Setup, World, row, sheet, wait_for, write};

/// A service that takes a while for each request.
fn slow_world(latency: Duration) -> World {
    World::with(Setup {
        service: Options {
            latency,
            list_lag: Duration::ZERO,
            ..Setup::default().service
        },
        account: "max_in_flight = 2",
        ..Setup::default()
    })
}

fn many(first: u32, orders: u32) -> String {
    let ids: Vec<String> = (first..first + orders).map(|id| id.to_string()).collect();
    sheet(&ids.iter().map(String::as_str).collect::<Vec<_>>())
}

fn is_done(world: &World, sheets: &[&str]) -> bool {
    world.files("processing").is_empty()
        && world.files("inbox").is_empty()
        && sheets.iter().all(|name| world.find_result(name).is_some())
}

#[test]
fn a_stop_amid_a_pass_holds_for_the_sheets_that_come_after_it() {
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::from_millis(100),
            ..Setup::default().service
        },
        account: "max_in_flight = 1",
        ..Setup::default()
    });
    world.drop_csv("1.csv", &sheet(&["1001", "1002"]));
    world.drop_csv("2.csv", &sheet(&["2001"]));
    let ran = std::thread::scope(|scope| {
        let pass = scope.spawn(|| world.run_once());
        wait_for("the first is sent", || world.creates() > 0);
        write(&world.orders_path("STOP"), b"");
        pass.join().unwrap()
    });
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.result("2.csv").column("result_status"), ["waiting"]);
    assert!(world.at_service("2001").is_empty());
    fs::remove_file(world.orders_path("STOP")).unwrap();
    assert_eq!(world.run_once().status, 0);
    world.end();
}

#[test]
fn a_small_sheet_does_not_wait_for_a_large_one_of_the_same_inbox() {
    let mut world = slow_world(Duration::from_millis(20));
    let daemon = world.daemon();
    world.drop_csv("large.csv", &many(10_000, 300));
    wait_for("the large one is under way", || world.creates() > 5);
    world.drop_csv("small.csv", &sheet(&["1", "2", "3"]));
    wait_for("the small one is done", || {
        world.find_result("small.csv").is_some()
    });
    assert!(world.creates() < 300, "the large one is still under way");
    assert!(world.find_result("large.csv").is_none());
    wait_for("both are done", || is_done(&world, &["large.csv", "small.csv"]));
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn a_sheet_with_an_order_of_an_older_one_comes_after_it() {
    let mut world = slow_world(Duration::from_millis(10));
    let last = "10099";
    world.drop_csv("large.csv", &many(10_000, 100));
    let daemon = world.daemon();
    wait_for("the large one is under way", || world.creates() > 2);
    world.drop_csv(
        "cancel.csv",
        &format!("{HEADER},action\n{},cancel\n", row(last, 1)),
    );
    wait_for("both are done", || is_done(&world, &["large.csv", "cancel.csv"]));
    assert_eq!(world.result("cancel.csv").of(last, "result_status"), "canceled");
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

#[test]
fn the_service_manager_hears_that_it_is_ready_alive_and_stopping() {
    let world = World::new();
    let path = world.path("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let hears = |wanted: &str| {
        let mut heard = [0; 512];
        loop {
            let length = socket.recv(&mut heard).unwrap();
            if std::str::from_utf8(&heard[..length]).unwrap().contains(wanted) {
                return;
            }
        }
    };
    let daemon = world.daemon_with(&[
        ("NOTIFY_SOCKET", path.to_str().unwrap()),
        ("WATCHDOG_USEC", "4000000"),
    ]);
    hears("READY=1");
    hears("STATUS=inboxes: 1, sheets under way: 0");
    hears("WATCHDOG=1");
    hears("WATCHDOG=1");
    let (status, _took) = daemon.terminate();
    hears("STOPPING=1");
    assert_eq!(status, 0);
    world.end();
}

#[test]
fn told_to_end_amid_slow_creates_it_ends_in_time_and_the_next_start_goes_on() {
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::ZERO,
            slow: Duration::from_mins(1),
            ..Setup::default().service
        },
        timeout: "60s",
        ..Setup::default()
    });
    world.service.set_fault("slow-create=1").unwrap();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    let daemon = world.daemon();
    wait_for("the creates are under way", || world.creates() == 2);
    let (status, took) = daemon.terminate();
    assert_eq!(status, 0);
    assert!(took < Duration::from_secs(10), "{took:?}");
    world.service.clear_faults();
    // One that is answered shows that the list is live.
    world.drop_csv("tuesday.csv", &sheet(&["2001"]));
    let daemon = world.daemon();
    wait_for("both are settled", || {
        world
            .find_result("monday.csv")
            .is_some_and(|result| result.column("result_status") == ["created"; 2])
            && world.find_result("tuesday.csv").is_some()
            && world.files("processing").is_empty()
    });
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.at_service("1001").len(), 1);
    world.end();
}

/// What a writer does to a file in the inbox, step by step.
type Step = Box<dyn Fn(&Path)>;

#[test]
fn real_writers_lose_nothing_and_send_nothing_twice() {
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::ZERO,
            ..Setup::default().service
        },
        ..Setup::default()
    });
    let config = fs::read_to_string(world.path("dropsheet.toml")).unwrap();
    write(
        &world.path("dropsheet.toml"),
        config
            .replace("stable_for = \"50ms\"", "stable_for = \"1s\"")
            .as_bytes(),
    );
    let daemon = world.daemon();
    let inbox = world.orders_path("inbox");
    let mut writers = Vec::new();
    for writer in 0..4_u32 {
        let base = 1000 * (writer + 1);
        for (n, (name, text, steps)) in sheets_of(writer, base).into_iter().enumerate() {
            assert!(n < 10, "ids do not meet");
            world.expect_csv(&name, &text);
            writers.push((inbox.join(name), steps));
        }
    }
    let pause = || std::thread::park_timeout(Duration::from_millis(40));
    let longest = writers.iter().map(|(_, steps)| steps.len()).max().unwrap();
    for step in 0..longest {
        for (path, steps) in &writers {
            if let Some(step) = steps.get(step) {
                step(path);
            }
        }
        pause();
    }
    let names: Vec<String> = writers
        .iter()
        .map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    wait_for("every sheet is done", || {
        world.files("processing").is_empty()
            && names.iter().all(|name| {
                world
                    .find_result(name)
                    .is_some_and(|result| result.column("result_status").iter().all(|s| *s == "created"))
            })
    });
    assert_eq!(daemon.terminate().0, 0);
    // Each writer: three slow rows, two after a stall, one saved over another, one renamed in.
    assert_eq!(world.creates(), 4 * 7);
    world.end();
}

/// A writer's sheets: name, the final text, and the steps that lead to it.
fn sheets_of(writer: u32, base: u32) -> Vec<(String, String, Vec<Step>)> {
    let append = |text: String| -> Step {
        Box::new(move |path| {
            let mut file = File::options().append(true).create(true).open(path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        })
    };
    let wait = || -> Step { Box::new(|_path| {}) };
    let line = |id: u32| format!("{}\n", row(&id.to_string(), 1));
    let head = format!("{HEADER}\n");
    // Slow: a piece of a row at a time, never as long still as a sheet must be.
    let slow = format!("{head}{}{}{}", line(base), line(base + 1), line(base + 2));
    let pieces = slow
        .as_bytes()
        .chunks(120)
        .map(|piece| String::from_utf8(piece.to_vec()).unwrap());
    let slow_steps = pieces.map(append).collect();
    // Stalled inside a quoted cell for longer than that.
    let quoted = |id: u32| line(id).replace("Ada Example", "\"Ada Example\"");
    let stalled = format!("{head}{}{}", quoted(base + 10), quoted(base + 11));
    let (before, after) = stalled.rsplit_once("a Example\"").unwrap();
    let mut stalled_steps = vec![append(before.to_owned())];
    stalled_steps.extend((0..40).map(|_| wait()));
    stalled_steps.push(append(format!("a Example\"{after}")));
    // Saved over: a first content stands only while a lock is there.
    let saved = format!("{head}{}", line(base + 20));
    let (first, last) = (format!("{head}{}", line(base + 29)), saved.clone());
    let lock =
        |path: &Path| path.with_file_name(format!("~${}", path.file_name().unwrap().to_str().unwrap()));
    let mut saved_steps: Vec<Step> = vec![Box::new(move |path| {
        write(&lock(path), b"lock");
        write(path, first.as_bytes());
    })];
    saved_steps.extend((0..40).map(|_| wait()));
    saved_steps.push(Box::new(move |path| {
        let temporary = path.with_extension("tmp");
        write(&temporary, last.as_bytes());
        fs::remove_file(path).unwrap();
        move_new(&temporary, path).unwrap();
        fs::remove_file(lock(path)).unwrap();
    }));
    // Renamed in.
    let renamed = format!("{head}{}", line(base + 30));
    let whole = renamed.clone();
    let renamed_steps: Vec<Step> = vec![Box::new(move |path| {
        let part = path.with_extension("csv.part");
        write(&part, whole.as_bytes());
        move_new(&part, path).unwrap();
    })];
    vec![
        (format!("slow{writer}.csv"), slow, slow_steps),
        (format!("stalled{writer}.csv"), stalled, stalled_steps),
        (format!("saved{writer}.csv"), saved, saved_steps),
        (format!("renamed{writer}.csv"), renamed, renamed_steps),
    ]
}

/// Drops a file every so often, until it is told to end.
fn keep_dropping(inbox: &Path, told: &Receiver<()>) {
    let mut dropped = 0_u32;
    while told.recv_timeout(Duration::from_millis(40)) == Err(RecvTimeoutError::Timeout) {
        let path = inbox.join(format!("sheet{dropped}.csv"));
        write(&path, b"no order sheet\n");
        dropped += 1;
    }
}

#[test]
fn files_that_keep_coming_keep_no_single_pass_from_its_end() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let (end, told) = channel();
    let inbox = world.path("orders/inbox");
    let dropping = std::thread::spawn(move || keep_dropping(&inbox, &told));
    let ran = world.run_once();
    drop(end);
    dropping.join().unwrap();
    assert!(ran.said.contains("monday.csv: 1 created"), "{ran:?}");
    assert!(
        !world.files("inbox").is_empty(),
        "the last ones are the next pass's"
    );
    world.end();
}

#[test]
fn of_many_files_at_once_none_is_missed() {
    const FILES: u32 = 150;
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::ZERO,
            ..Setup::default().service
        },
        ..Setup::default()
    });
    let daemon = world.daemon();
    let names: Vec<String> = (0..FILES).map(|n| format!("sheet{n}.csv")).collect();
    for (n, name) in (0..).zip(&names) {
        world.drop_csv(name, &many(10_000 + n, 1));
    }
    wait_for("every sheet is done", || {
        is_done(&world, &[]) && world.files("done").len() == usize::try_from(FILES).unwrap()
    });
    assert_eq!(world.creates(), u64::from(FILES));
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}
