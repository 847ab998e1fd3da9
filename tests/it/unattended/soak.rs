//! The daemon under one sheet a second: its memory and its open files stay what they were. Twenty seconds, unless
//! `DROPSHEET_SOAK_MINUTES` asks for more:
//!
//! `DROPSHEET_SOAK_MINUTES=10 cargo test --test it soak -- --nocapture`

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use dropsheet::sandbox::Options;

use super::is_done;
use crate::world::{Setup, World, sheet, wait_for};

/// The short mode: enough to see a file left open with each sheet.
const SHORT: Duration = Duration::from_secs(20);

/// How many seconds are looked back at: in one of them no sheet is under way.
const CALM: usize = 15;

/// Orders of each sheet.
const ORDERS: u32 = 5;

/// What memory may grow by between the first third and the end, in KiB: the allocator's slack, not a leak.
const SLACK: u64 = 8 * 1024;

#[test]
fn soak_memory_and_open_files_stay_flat() {
    let minutes = std::env::var_os("DROPSHEET_SOAK_MINUTES").map_or(SHORT, |minutes| {
        Duration::from_mins(minutes.to_str().unwrap().parse().expect("whole minutes"))
    });
    let mut world = World::with(Setup {
        service: Options {
            list_lag: Duration::ZERO,
            ..Setup::default().service
        },
        ..Setup::default()
    });
    let daemon = world.daemon();
    let begun = Instant::now();
    let (mut early, mut calm, mut sheets) = (None, Calm::default(), 0_u32);
    while begun.elapsed() < minutes {
        let ids: Vec<String> = (0..ORDERS).map(|n| format!("{sheets}-{n}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        world.drop_csv(&format!("sheet{sheets}.csv"), &sheet(&ids));
        sheets += 1;
        std::thread::park_timeout(
            (begun + Duration::from_secs(1) * sheets).saturating_duration_since(Instant::now()),
        );
        calm.see(daemon.id());
        if early.is_none() && begun.elapsed() > minutes / 3 {
            early = Some(calm.least());
        }
    }
    let (early, late) = (early.unwrap(), calm.least());
    println!(
        "{sheets} sheets, {} orders: memory {} KiB after a third, {} KiB at the end; open files {} and {}",
        sheets * ORDERS,
        early.0,
        late.0,
        early.1,
        late.1
    );
    wait_for("every sheet is done", || is_done(&world, &[]));
    assert!(late.0 < early.0 + SLACK, "memory grows");
    assert!(late.1 <= early.1 + 8, "files stay open");
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.creates(), u64::from(sheets * ORDERS));
    world.end();
}

/// What was seen in the last seconds: the least of it is what stays while nothing is under way.
#[derive(Default)]
struct Calm(VecDeque<(u64, usize)>);

impl Calm {
    fn see(&mut self, process: u32) {
        self.0.push_back((resident(process), open_files(process)));
        if self.0.len() > CALM {
            self.0.pop_front();
        }
    }

    /// Memory in KiB, and open files.
    fn least(&self) -> (u64, usize) {
        let memory = self.0.iter().map(|(memory, _files)| *memory).min();
        let files = self.0.iter().map(|(_memory, files)| *files).min();
        (memory.unwrap(), files.unwrap())
    }
}

/// The memory of a process that is in use, in KiB.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn open_files(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd")).unwrap().count()
}
