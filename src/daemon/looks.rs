//! What the last look at an inbox has shown, kept in the ledger for those who ask from outside.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::{BootTime, Now};
use crate::import::grown::{self, Places};
use crate::import::take::Taken;
use crate::inbox::Folder;
use crate::ledger::record::{ClaimRef, LookRecord, Room};
use crate::ledger::{Ledger, LedgerError};

/// A look that shows the same as the last one is written down again after this time.
const AGAIN: Duration = Duration::from_secs(5);

/// The most files left alone that are kept of an inbox.
const LEFT_ALONE: usize = 200;

/// The most rejected files that are remembered of an inbox.
const REJECTED: usize = 200;

/// The last look that was written down.
#[derive(Debug, Default)]
pub struct Looks {
    last: Mutex<Option<(LookRecord, i64)>>,
    rejected: Mutex<Vec<String>>,
    /// When archived originals were last looked at, and what could not be sent back.
    archived: Mutex<Option<LastLook>>,
    /// Sheets whose results cannot be written, and why.
    unwritten: Mutex<BTreeMap<ClaimRef, String>>,
}

/// When archived originals were looked at, and what could not be sent back, with why.
type LastLook = (BootTime, Vec<(PathBuf, String)>);

impl Looks {
    /// Notes that a folder cannot be worked.
    pub(super) fn trouble(
        &self,
        ledger: &Ledger,
        (inbox, why): (&str, &str),
        now: &Now,
    ) -> Result<(), LedgerError> {
        let look = LookRecord {
            trouble: Some(why.to_owned()),
            ..blank(inbox, now)
        };
        self.put(ledger, look, now)
    }

    /// Notes what lies in a folder.
    pub(super) fn seen(
        &self,
        ledger: &Ledger,
        (inbox, folder): (&str, &Folder),
        taken: &Taken,
        now: &Now,
    ) -> Result<(), LedgerError> {
        let names = taken.rejected.iter().filter_map(|path| path.file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let mut rejected = self.rejected.lock().unwrap_or_else(PoisonError::into_inner);
        rejected.extend(names);
        let too_many = rejected.len().saturating_sub(REJECTED);
        rejected.drain(..too_many);
        drop(rejected);
        let left = taken.left_alone.iter().take(LEFT_ALONE);
        let look = LookRecord {
            waiting: u32::try_from(taken.waiting).unwrap_or(u32::MAX),
            left_alone: left
                .map(|(path, why)| (path.display().to_string(), why.clone()))
                .collect(),
            room: room(folder.root()),
            trouble: self.unwritten().values().next().cloned(),
            ..blank(inbox, now)
        };
        self.put(ledger, look, now)
    }

    /// Looks again at archived originals, where that was not done within the time between two looks. Gives what should
    /// have come back and could not, and why.
    pub(super) fn at_archived(
        &self,
        places: Places<'_>,
        every: Duration,
        now: &Now,
    ) -> Result<Vec<(PathBuf, String)>, LedgerError> {
        let mut last = self.archived.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last
            .as_ref()
            .is_none_or(|(at, _)| now.boot.since(at).is_none_or(|since| since >= every));
        if is_due {
            *last = Some((now.boot.clone(), grown::send_back(places, now)?));
        }
        Ok(last.as_ref().map(|(_at, left)| left.clone()).unwrap_or_default())
    }

    /// Notes that the result of a sheet cannot be written, for every look until it is [`Looks::written`].
    pub(super) fn not_written(&self, claim: ClaimRef, why: &str) {
        self.unwritten().insert(claim, why.to_owned());
    }

    /// Notes that a sheet's result is where it belongs, or is no longer owed.
    pub(super) fn written(&self, claim: ClaimRef) {
        self.unwritten().remove(&claim);
    }

    fn unwritten(&self) -> MutexGuard<'_, BTreeMap<ClaimRef, String>> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the folder could not be worked at the last look, if it could not.
    pub fn trouble_now(&self) -> Option<String> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().and_then(|(look, _at)| look.trouble.clone())
    }

    /// The newest files that were rejected without being taken.
    pub(super) fn rejected(&self) -> Vec<String> {
        self.rejected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn put(&self, ledger: &Ledger, look: LookRecord, now: &Now) -> Result<(), LedgerError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let again = i64::try_from(AGAIN.as_millis()).unwrap_or(i64::MAX);
        let is_news = last.as_ref().is_none_or(|(known, at)| {
            let same = known.trouble == look.trouble
                && known.waiting == look.waiting
                && known.left_alone == look.left_alone;
            !same || now.boot.millis.saturating_sub(*at) >= again
        });
        if is_news {
            *last = Some((look.clone(), now.boot.millis));
            drop(last);
            ledger.write_blocking(move |store| store.put_look(&look))?;
        }
        Ok(())
    }
}

fn blank(inbox: &str, now: &Now) -> LookRecord {
    LookRecord {
        inbox: inbox.to_owned(),
        looked_at: now.wall,
        trouble: None,
        trouble_since: None,
        waiting: 0,
        left_alone: Vec::new(),
        room: None,
    }
}

/// The room on the disk of a path; none where the file system does not tell.
pub fn room(path: &std::path::Path) -> Option<Room> {
    let Ok(disk) = rustix::fs::statvfs(path) else {
        return None;
    };
    Some(Room {
        free: disk.f_bavail.saturating_mul(disk.f_frsize),
        total: disk.f_blocks.saturating_mul(disk.f_frsize),
    })
}
