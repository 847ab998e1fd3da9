//! Moments: the wall clock for people and the service, the boot clock for waits.
//!
//! The boot clock goes on through suspends and is never set back, but starts anew with each boot; a boot id tells
//! two boots apart, so that a wait begun by one process can be ended by another.

use std::ops::Add;
use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// How names of files have a moment, `2026-11-21_0914`.
pub const STAMP: &str = "%Y-%m-%d_%H%M";

/// A moment as a clock on the wall of that zone shows it.
pub fn moment(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// A time in its two largest units: `3 d 4 h`, `12 min`.
pub fn span(age: Duration) -> String {
    let seconds = age.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, 0, _) => format!("{days} d"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

/// No service shows a moment before this one, when there was no dropsheet yet that could have asked it.
const EARLIEST: Timestamp = Timestamp::constant(1_735_689_600, 0);

/// Nor one from this on, 2100.
const LATEST: Timestamp = Timestamp::constant(4_102_444_800, 0);

/// A moment that a service has told as its time; none where no clock that goes can have shown it: a gateway may tell 1970.
pub fn credible(told: Timestamp) -> Option<Timestamp> {
    (EARLIEST..LATEST).contains(&told).then_some(told)
}

/// One moment on both clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// The wall clock: may jump.
    pub wall: Timestamp,
    /// The boot clock: never jumps.
    pub boot: BootTime,
}

/// A moment on the boot clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootTime {
    /// Names the boot.
    pub id: Arc<str>,
    /// Milliseconds since that boot.
    pub millis: i64,
}

impl BootTime {
    /// The time from `earlier` to this moment; none where the machine was booted in between.
    pub fn since(&self, earlier: &Self) -> Option<Duration> {
        if self.id != earlier.id {
            return None;
        }
        Some(Duration::from_millis(
            u64::try_from(self.millis - earlier.millis).unwrap_or(0),
        ))
    }
}

impl Add<Duration> for &BootTime {
    type Output = BootTime;

    /// The moment so much later.
    fn add(self, time: Duration) -> BootTime {
        let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        BootTime {
            id: Arc::clone(&self.id),
            millis: self.millis.saturating_add(millis),
        }
    }
}

/// Reads both clocks of this machine.
#[derive(Clone, Debug)]
pub struct Clock {
    boot_id: Arc<str>,
    /// For how many milliseconds a test has had the machine sleep.
    #[cfg(test)]
    slept: Arc<AtomicU64>,
}

impl Clock {
    /// The machine's clocks. Where the kernel names no boot, every process counts as a boot of its own, so that
    /// waits start anew rather than end early.
    pub fn system() -> Self {
        let boot_id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").map_or_else(
            |_no_proc| {
                format!(
                    "process-{}-{}",
                    std::process::id(),
                    Timestamp::now().as_millisecond()
                )
            },
            |id| id.trim().to_owned(),
        );
        Self {
            boot_id: boot_id.into(),
            #[cfg(test)]
            slept: Arc::default(),
        }
    }

    /// Lets so much time pass on both clocks, and on those that were cloned from them, as a machine's sleep does.
    #[cfg(test)]
    pub(crate) fn sleep(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).unwrap();
        self.slept.fetch_add(millis, Ordering::SeqCst);
    }

    /// This moment.
    pub fn now(&self) -> Now {
        let boot = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        let millis = boot
            .tv_sec
            .saturating_mul(1000)
            .saturating_add(boot.tv_nsec / 1_000_000);
        let boot = BootTime {
            id: Arc::clone(&self.boot_id),
            millis,
        };
        let wall = Timestamp::now();
        #[cfg(test)]
        let (wall, boot) = {
            let slept = Duration::from_millis(self.slept.load(Ordering::SeqCst));
            (wall + slept, &boot + slept)
        };
        Now { wall, boot }
    }
}
