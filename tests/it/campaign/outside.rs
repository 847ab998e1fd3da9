//! A run under `strace`, which kills it at its N-th system call of a kind, or has that call fail: for N = 1, 2, … until
//! a run never comes there. Calls are counted by thread, as strace counts them.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dropsheet::sandbox::Options;

use crate::world::ran;
use crate::world::{Setup, World, row, sheet};

/// The orders of the sheet that is worked.
const ORDERS: std::ops::Range<u32> = 1001..1013;

/// How many worlds are harmed side by side: they wait more than they work.
const SIDE_BY_SIDE: usize = 4;

/// The system calls of a kind, the ways in which they are harmed, and the times in the short form.
const HARMS: [(&str, &[&str], usize); 4] = [
    // Every sync of the ledger, of files and of folders.
    ("fsync,fdatasync", &DISK, 34),
    ("rename,renameat,renameat2,link,linkat,unlink,unlinkat", &DISK, 13),
    ("pwrite64,write,ftruncate,openat", &DISK, 55),
    // Every request.
    ("sendto,sendmsg,writev,connect,recvfrom", &WIRE, 34),
];

/// Killed; failing once; failing from then on. `@` is N.
const DISK: [&str; 5] = [
    "signal=SIGKILL:when=@",
    "error=EIO:when=@",
    "error=ENOSPC:when=@",
    "error=EIO:when=@+",
    "error=ENOSPC:when=@+",
];
const WIRE: [&str; 3] = [
    "signal=SIGKILL:when=@",
    "error=EIO:when=@",
    "error=ECONNRESET:when=@",
];

/// The most times that one thread makes a call of a kind.
const MOST: usize = 2000;

/// Harms one run after the other, in the ways whose name holds a text.
pub(crate) fn run(whole: bool, only: &str) {
    let begun = Instant::now();
    let strace = Command::new("strace").arg("--version").output();
    assert!(strace.is_ok(), "strace is needed: apt-get install strace");
    work_where_rights_cannot_be_set();
    let mut all = 0;
    let ways = HARMS
        .iter()
        .flat_map(|(calls, harms, most)| harms.iter().map(move |harm| (*calls, *harm, *most)))
        .filter(|(calls, harm, _most)| format!("{calls}: {harm}").contains(only));
    for (calls, harm, most) in ways {
        let harmed = harm_all(calls, harm, if whole { None } else { Some(most) });
        println!("{calls}: {harm}: {harmed} runs harmed");
        assert!(harmed > 0, "no run came to {calls}");
        all += harmed;
    }
    println!(
        "{all} runs of {} orders harmed from outside in {:?}: no order twice, none lost",
        ORDERS.len(),
        begun.elapsed()
    );
}

/// A share that knows no rights refuses to set them: the folders are made and worked all the same.
fn work_where_rights_cannot_be_set() {
    let mut world = World::new();
    // More open than a folder is made, so that its rights have to be set.
    let open_to_a_group = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(world.orders_path(""), open_to_a_group).unwrap();
    for part in ["inbox", "results"] {
        std::fs::remove_dir_all(world.orders_path(part)).unwrap();
    }
    let trace = world.path("strace.log");
    let made = ran(under_strace(
        &world,
        &["init"],
        &trace,
        "?chmod,fchmodat:error=EPERM",
    ));
    assert_eq!(made.status, 0, "{made:?}");
    let refused = std::fs::read_to_string(&trace)
        .unwrap()
        .matches("(INJECTED)")
        .count();
    assert_eq!(refused, 2, "for each folder that was made");
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    let worked = world.run_once();
    assert_eq!(worked.status, 0, "{worked:?}");
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    world.end();
}

/// Every time, or up to a time those that are each about as far again as the ones before.
fn times(most: Option<usize>) -> Vec<usize> {
    let Some(most) = most else {
        return (1..MOST).collect();
    };
    let mut times = vec![1, 2];
    while let [.., before, last] = times[..]
        && before + last <= most
    {
        times.push(before + last);
    }
    times
}

fn harm_all(calls: &str, harm: &str, most: Option<usize>) -> usize {
    let (times, next, harmed) = (times(most), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(nth) = times.get(next.fetch_add(1, Ordering::SeqCst)) {
            let inject = format!("{calls}:{}", harm.replace('@', &nth.to_string()));
            if harm_one(&inject) {
                harmed.fetch_add(1, Ordering::SeqCst);
            } else {
                next.store(times.len(), Ordering::SeqCst);
            }
        }
    };
    std::thread::scope(|scope| {
        for worker in 0..SIDE_BY_SIDE {
            // A world takes how its service pages and sorts from its thread's name.
            let name = format!("{calls} {harm} {worker}");
            std::thread::Builder::new()
                .name(name)
                .spawn_scoped(scope, work)
                .unwrap();
        }
    });
    harmed.into_inner()
}

/// Harms one run and settles; false where the run did not come there.
fn harm_one(inject: &str) -> bool {
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::from_millis(100),
            ..Setup::default().service
        },
        absent_after: "400ms",
        account: "max_in_flight = 2",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &monday());
    let trace = world.path("strace.log");
    let mut command = under_strace(&world, &["run", "--once"], &trace, inject);
    command.stdin(std::process::Stdio::null());
    let harmed = ran(command);
    let text = std::fs::read(&trace).unwrap();
    let text = String::from_utf8_lossy(&text);
    let came_there = text.contains("(INJECTED)") || text.contains("killed by SIGKILL");
    settle(&mut world, &format!("{inject}: {harmed:?}"));
    world.end();
    came_there
}

fn under_strace(world: &World, arguments: &[&str], trace: &PathBuf, inject: &str) -> Command {
    let plain = world.command(arguments);
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-o"])
        .arg(trace)
        .args(["-e", &format!("trace={}", inject.split(':').next().unwrap())])
        .args(["-e", &format!("inject={inject}")])
        .arg(plain.get_program())
        .args(plain.get_args())
        .current_dir(world.path(""));
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap());
    }
    command
}

fn monday() -> String {
    let ids: Vec<String> = ORDERS.map(|id| id.to_string()).collect();
    let good = sheet(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    format!("{good}{}\n", row("bad", 0))
}

/// Drops an order that is answered now, which shows that the list is live, and runs until nothing is open.
fn settle(world: &mut World, what: &str) {
    world.drop_csv("tuesday.csv", &sheet(&["2001"]));
    let mut last = world.run_once();
    for _again in 0..3 {
        let is_open = world.find_result("monday.csv").is_none_or(|result| {
            let open = ["unresolved", "waiting", "canceling"];
            result.column("result_status").iter().any(|s| open.contains(s))
        });
        if is_open || !world.files("processing").is_empty() {
            last = world.run_once();
        }
    }
    let result = world.find_result("monday.csv");
    let result = result.unwrap_or_else(|| panic!("{what}: monday.csv has no result: {last:?}"));
    for id in ORDERS.map(|id| id.to_string()) {
        assert_eq!(world.at_service(&id).len(), 1, "{what}: {id}: {last:?}");
        assert_eq!(
            result.of(&id, "result_status"),
            "created",
            "{what}: {id}: {last:?}"
        );
    }
    assert_eq!(result.of("bad", "result_status"), "invalid", "{what}");
    assert_eq!(world.at_service("2001").len(), 1, "{what}");
}
