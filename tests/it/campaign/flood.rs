//! Thousands of sheets moved into an inbox at once, while the kernel keeps no more than sixteen events for the watcher:
//! most are lost, and a look finds what they would have told of. Periodic looks are an hour apart, so that nothing but
//! the overflow itself can ring.
//!
//! The length of that queue is the whole machine's, and only root may change it: it is set for as long as the watcher
//! takes to be made, and put back.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use dropsheet::files::move_new;
use dropsheet::sandbox::Options;
use rustix::process::{Pid, Signal, kill_process};

use crate::world::{Setup, Table, World, names, sheet, wait_for, write};

/// How many events the kernel keeps for a watcher.
const QUEUE: &str = "/proc/sys/fs/inotify/max_queued_events";

/// The queue of the test.
const SHORT: &str = "16";

/// No sheet for so long: something is lost.
const PATIENCE: Duration = Duration::from_mins(2);

/// The length of the machine's queue, put back when it is dropped.
struct Queue(String);

impl Queue {
    fn short() -> Self {
        let before = fs::read_to_string(QUEUE).expect("inotify, as Linux has it");
        let queue = Self(before);
        assert!(
            fs::metadata(QUEUE).is_ok_and(|_| set(SHORT)),
            "only root may set {QUEUE}: run this as root, in a machine of your own"
        );
        queue
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        assert!(set(self.0.trim()), "{QUEUE} was {}", self.0);
    }
}

fn set(events: &str) -> bool {
    use std::io::Write;
    let file = fs::File::options().write(true).open(QUEUE);
    file.is_ok_and(|mut file| file.write_all(events.as_bytes()).is_ok())
}

/// Moves so many sheets of one order each into an inbox, and asserts that each is worked once.
pub(crate) fn run(sheets: usize) {
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::ZERO,
            ..Setup::default().service
        },
        ..Setup::default()
    });
    let config = world.path("dropsheet.toml");
    let text = fs::read_to_string(&config).unwrap();
    write(
        &config,
        text.replace("look = \"200ms\"", "look = \"1h\"").as_bytes(),
    );
    let staged = world.path("staged");
    fs::create_dir(&staged).unwrap();
    for n in 0..sheets {
        write(&staged.join(name(n)), sheet(&[&order(n)]).as_bytes());
    }
    let queue = Queue::short();
    let daemon = world.daemon();
    let log = || fs::read_to_string(world.path("daemon.log")).unwrap();
    wait_for("the folder is watched", || {
        log().contains("the folder is watched")
    });
    drop(queue);
    // Asleep, it reads no event: the queue overflows however quick it is.
    signal(daemon.id(), Signal::STOP);
    let begun = Instant::now();
    for n in 0..sheets {
        move_new(&staged.join(name(n)), &world.orders_path("inbox").join(name(n))).unwrap();
    }
    signal(daemon.id(), Signal::CONT);
    println!("{sheets} sheets moved in within {:?}", begun.elapsed());
    all_done(&world, sheets, begun);
    let overflows = log()
        .matches("more happened than its queue of events holds")
        .count();
    println!(
        "{sheets} sheets worked in {:?}; the queue of {SHORT} events overflowed {overflows} times",
        begun.elapsed()
    );
    assert!(overflows > 0, "no event was lost, so that nothing was shown");
    assert_eq!(daemon.terminate().0, 0);
    each_once(&world, sheets);
    // Compared above, at once: looking for each result by its name would take longer than the work.
    world.excused.extend((0..sheets).map(order));
    world.end();
}

fn signal(process: u32, signal: Signal) {
    let process = Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    kill_process(process, signal).unwrap();
}

fn name(n: usize) -> String {
    format!("sheet{n}.csv")
}

fn order(n: usize) -> String {
    format!("{}", 100_000 + n)
}

fn all_done(world: &World, sheets: usize, begun: Instant) {
    let (mut done, mut since) = (0, Instant::now());
    while done < sheets {
        std::thread::park_timeout(Duration::from_secs(1));
        let now = count(&world.orders_path("done"));
        if now > done {
            if now / 1000 > done / 1000 {
                println!("{now} done after {:?}", begun.elapsed());
            }
            (done, since) = (now, Instant::now());
        }
        assert!(since.elapsed() < PATIENCE, "{done} of {sheets}, and no more come");
    }
    assert_eq!(world.files("inbox"), [""; 0]);
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// Each order is once at the service, and one result says so.
fn each_once(world: &World, sheets: usize) {
    let placed = world.service.orders();
    let at_service: HashSet<&str> = placed.iter().map(|order| order.order_name.as_str()).collect();
    assert_eq!((placed.len(), at_service.len()), (sheets, sheets));
    let results = world.orders_path("results");
    let mut told = HashSet::new();
    for name in names(&results)
        .iter()
        .filter(|name| name.ends_with(".result.csv"))
    {
        let result = Table::read(&results.join(name)).unwrap();
        assert_eq!(result.column("result_status"), ["created"], "{name}");
        for id in result.column("result_order_id") {
            assert!(told.insert(id.to_owned()), "{id} is told twice");
        }
    }
    assert_eq!(told.len(), sheets, "each sheet has a result");
}
