//! The last words of a run: what has stopped it, told without the ledger, whose disk may be the very thing that is full.
//!
//! That it was told is kept as the times of an empty file, which are set on a full disk too. A service manager may start
//! the program anew every few seconds: a person is told once, as of everything that lasts.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps};

use super::concern::Concern;
use super::{Notifier, is_due};

/// Telling may take so long; then the program ends without.
const LIMIT: Duration = Duration::from_secs(45);

/// Where it is kept when a channel told that the program has stopped.
#[derive(Debug)]
pub struct StopMemory {
    /// What the files' names begin with; the first place that takes them is the one.
    places: Vec<PathBuf>,
}

impl StopMemory {
    /// Beside the ledger, or in the service manager's folder for a running program: that one is in memory, where the
    /// ledger's disk may let nothing be changed at all.
    pub fn new(ledger: &Path, runtime: Option<&Path>) -> Self {
        let runtime = runtime.and_then(|folder| Some(folder.join(ledger.file_name()?)));
        Self {
            places: [ledger.to_owned()].into_iter().chain(runtime).collect(),
        }
    }

    fn files(&self, channel: &str) -> impl Iterator<Item = PathBuf> {
        self.places.iter().map(move |place| {
            let mut name = place.clone().into_os_string();
            name.push(format!(".told-{channel}"));
            name.into()
        })
    }

    /// When it was told, and when it was last so.
    fn known(&self, channel: &str) -> Option<(Timestamp, Timestamp)> {
        let times = |file: PathBuf| {
            // A file that cannot be looked at tells nothing: rather told twice than not at all.
            let file = std::fs::symlink_metadata(file).ok()?;
            let at = |second| Timestamp::from_second(second).ok();
            Some((at(file.mtime())?, at(file.atime())?))
        };
        self.files(channel).filter_map(times).max()
    }

    fn note(&self, channel: &str, (told, seen): (Timestamp, Timestamp)) -> io::Result<()> {
        let mut noted = Ok(());
        for file in self.files(channel) {
            noted = set_times(&file, told, seen);
            if noted.is_ok() {
                break;
            }
        }
        noted
    }
}

fn set_times(file: &Path, told: Timestamp, seen: Timestamp) -> io::Result<()> {
    let time = |at: Timestamp| Timespec {
        tv_sec: at.as_second(),
        tv_nsec: 0,
    };
    let times = Timestamps {
        last_access: time(seen),
        last_modification: time(told),
    };
    let set = || rustix::fs::utimensat(CWD, file, &times, AtFlags::SYMLINK_NOFOLLOW);
    match set() {
        Err(rustix::io::Errno::NOENT) => {
            OpenOptions::new().write(true).create_new(true).open(file)?;
            Ok(set()?)
        }
        done => Ok(done?),
    }
}

impl Notifier {
    /// Tells what has stopped the program, unless that was told already.
    pub async fn last_words(&self, stopped: &Concern, memory: &StopMemory, now: Timestamp) {
        if tokio::time::timeout(LIMIT, self.tell_stopped(stopped, memory, now))
            .await
            .is_err()
        {
            tracing::error!("a person could not be told within {} s", LIMIT.as_secs());
        }
    }

    async fn tell_stopped(&self, stopped: &Concern, memory: &StopMemory, now: Timestamp) {
        for channel in &self.channels {
            let by = channel.name;
            // Whether the program has worked since is not kept: what was long ago counts as over.
            let looked = now;
            let told = match memory.known(by) {
                Some((told, seen))
                    if !is_due(Some((told, seen)), stopped.lasts, looked, (self.repeat, now)) =>
                {
                    told
                }
                _anew => match channel.way.send(&[stopped], &self.host, now).await {
                    Ok(_missed) => now,
                    Err(error) => {
                        let error = crate::causes::chain(&error);
                        tracing::error!(by, "a person could not be told: {error}");
                        continue;
                    }
                },
            };
            if told == now {
                tracing::info!(by, "a person was told that dropsheet has stopped");
            }
            if let Err(error) = memory.note(by, (told, now)) {
                tracing::warn!(%error, "it cannot be kept that a person was told; the next start tells it again");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_is_remembered_in_the_first_place_that_takes_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |second| Timestamp::from_second(second).unwrap();
        let gone = folder.path().join("gone");
        let memory = StopMemory::new(&gone.join("ledger.db"), Some(folder.path()));
        assert_eq!(memory.known("mail"), None);
        memory.note("mail", (at(1000), at(2000))).unwrap();
        assert_eq!(memory.known("mail"), Some((at(1000), at(2000))));
        assert_eq!(memory.known("command"), None, "each has its own");
        assert!(folder.path().join("ledger.db.told-mail").exists());
        // The place beside the ledger is there again.
        std::fs::create_dir(&gone).unwrap();
        memory.note("mail", (at(3000), at(3000))).unwrap();
        assert_eq!(memory.known("mail"), Some((at(3000), at(3000))));
        let nowhere = StopMemory::new(&folder.path().join("nowhere/ledger.db"), None);
        assert!(nowhere.note("mail", (at(1), at(1))).is_err());
        assert_eq!(nowhere.known("mail"), None);
    }
}
