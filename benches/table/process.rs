//! A process from its start to its end, and what the kernel says that it took. Linux only.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

/// How often a running process is looked at: its memory is gone with it.
const LOOK: Duration = Duration::from_millis(5);

/// `/proc` counts processor time in hundredths of a second (`USER_HZ`).
const TICK: Duration = Duration::from_millis(10);

/// What a process took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// From its start to its end.
    pub(crate) time: Duration,
    /// Processor time, in the kernel too, of it and of the processes that it waited for.
    pub(crate) cpu: Duration,
    /// Its peak memory and that of its largest child, in KB.
    pub(crate) peak_kb: u64,
}

impl Taken {
    pub(crate) fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }

    pub(crate) fn megabytes(&self) -> String {
        format!("{} MB", self.peak_kb.div_ceil(1000))
    }
}

/// Runs a command to its end, its standard error into a file.
pub(crate) fn run(command: &mut Command, log: &Path) -> Result<Taken> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(File::create(log)?).spawn()?;
    let id = child.id();
    let (mut own, mut of_child) = (0, 0);
    let cpu = loop {
        let stat = fs::read_to_string(format!("/proc/{id}/stat"))?;
        let (state, cpu) = parse(&stat).ok_or("no /proc/PID/stat as it should be")?;
        // Ended and not yet waited for: all that it took stands here, and will be gone.
        if state == "Z" {
            break cpu;
        }
        own = own.max(peak_kb(id));
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|id| id.parse().ok());
        of_child = children.map(peak_kb).fold(of_child, u64::max);
        std::thread::park_timeout(LOOK);
    };
    let time = start.elapsed();
    let ended = child.wait()?;
    if !ended.success() {
        return Err(format!("{command:?} ended with {ended}:\n{}", fs::read_to_string(log)?).into());
    }
    Ok(Taken {
        time,
        cpu,
        peak_kb: own + of_child,
    })
}

/// The state, and the times `utime`, `stime`, `cutime` and `cstime`, which follow the name in brackets: see proc(5).
fn parse(stat: &str) -> Option<(&str, Duration)> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let ticks: u32 = fields
        .skip(10)
        .take(4)
        .filter_map(|ticks| ticks.parse::<u32>().ok())
        .sum();
    Some((state, TICK * ticks))
}

fn peak_kb(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kb = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    kb.unwrap_or(0)
}
