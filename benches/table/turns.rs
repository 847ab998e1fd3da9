//! Bare loop, dropsheet, bare loop: what is compared was measured within one run, on a machine that stayed as it was.

use crate::Result;
use crate::process::Taken;

/// How often a run is tried until its two baselines agree.
const TRIES: u32 = 3;

/// How far apart they may be.
const APART: f64 = 0.05;

/// A measurement between two baselines.
#[derive(Debug)]
pub(crate) struct Between<T> {
    /// The baselines' times, in seconds.
    bare: [f64; 2],
    /// And their processor times.
    bare_cpu: [f64; 2],
    pub(crate) ours: T,
}

/// Measures until the baselines agree, or says that they did not.
pub(crate) fn between<T>(
    bare: &mut dyn FnMut() -> Result<Taken>,
    ours: &mut dyn FnMut() -> Result<T>,
) -> Result<Between<T>> {
    let mut tries = 0;
    loop {
        tries += 1;
        let (before, ours, after) = (bare()?, ours()?, bare()?);
        let between = Between {
            bare: [before.seconds(), after.seconds()],
            bare_cpu: [before.cpu.as_secs_f64(), after.cpu.as_secs_f64()],
            ours,
        };
        if between.is_calm() || tries == TRIES {
            return Ok(between);
        }
        eprintln!("thrown away: the baselines took {:.2?} s", between.bare);
    }
}

impl<T> Between<T> {
    fn is_calm(&self) -> bool {
        let [before, after] = self.bare;
        (before - after).abs() <= APART * before.min(after)
    }

    /// What a bare loop takes, in seconds.
    pub(crate) fn bare(&self) -> f64 {
        self.bare.iter().sum::<f64>() / 2.0
    }

    /// And its processor time.
    pub(crate) fn bare_cpu(&self) -> f64 {
        self.bare_cpu.iter().sum::<f64>() / 2.0
    }

    /// What has to be said beside a figure.
    pub(crate) fn doubt(&self) -> String {
        if self.is_calm() {
            return String::new();
        }
        let [before, after] = self.bare;
        format!(" (unquiet machine: the baselines took {before:.2} and {after:.2} s)")
    }
}
