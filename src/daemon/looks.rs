//! What the last look at an inbox has shown, kept in the ledger for those who ask from outside.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Span;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::clock::{BootTime, Now};
use crate::files;
use crate::filing::grown::{self, Places};
use crate::filing::take::Taken;
use crate::inbox::Folder;
use crate::inbox::names::may_be_sheet;
use crate::ledger::record::{Claim, ClaimRef, Fate, LookRecord, NotTaken};
use crate::ledger::{Ledger, LedgerError};

/// A look that shows the same as the last one is written down again after this time.
const AGAIN: Duration = Duration::from_secs(5);

/// The most files left alone that are kept of an inbox.
const LEFT_ALONE: usize = 200;

/// The most rejected files that are remembered of an inbox.
const REJECTED: usize = 200;

/// The most rejected files that are told of with their reasons; `rejected/` has them all.
const REJECTED_TOLD: usize = 10;

/// They are told for so long, as rejected sheets are.
const REJECTED_DAYS: i64 = 14;

/// The last look that was written down.
#[derive(Debug, Default)]
pub struct Looks {
    last: Mutex<Option<(LookRecord, i64)>>,
    /// The names of rejected files: as they came, and in `rejected/`.
    rejected: Mutex<Vec<(String, String)>>,
    /// The newest rejected files that still lie where they were put; none before the ledger was asked for them.
    lying: Mutex<Option<Vec<NotTaken>>>,
    /// When archived originals were last looked at, and what could not be sent back.
    archived: Mutex<Option<LastLook>>,
    /// Sheets whose results cannot be written, and why.
    unwritten: Mutex<BTreeMap<ClaimRef, Unwritten>>,
}

/// Why the result of a sheet cannot be written.
#[derive(Debug, PartialEq, Eq)]
struct Unwritten {
    why: String,
    /// Its folder is none of the inbox's, whose trouble it is not.
    is_outside: bool,
}

/// When archived originals were looked at, and what could not be sent back, with why.
type LastLook = (BootTime, Vec<(PathBuf, String)>);

impl Looks {
    /// Notes that a folder cannot be worked. Waits for the disk.
    pub(super) fn trouble(
        &self,
        ledger: &Ledger,
        (inbox, why): (&str, &str),
        now: &Now,
    ) -> Result<(), LedgerError> {
        let look = LookRecord {
            trouble: Some(why.to_owned()),
            not_taken: self.lying(ledger, inbox, |_as_they_were| {})?,
            ..blank(inbox, now)
        };
        self.put(ledger, look, now)
    }

    /// Notes why a sheet does not come to its end; what lies in its folder is as it was seen.
    pub(super) fn stuck(
        &self,
        ledger: &Ledger,
        (inbox, why): (&str, &str),
        now: &Now,
    ) -> Result<(), LedgerError> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = last.as_ref().map(|(look, _at)| look.clone());
        drop(last);
        let Some(seen) = seen else {
            return self.trouble(ledger, (inbox, why), now);
        };
        let look = LookRecord {
            trouble: Some(why.to_owned()),
            ..seen
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
        let names = taken.rejected.iter();
        let names = names.map(|file| (file.name(), file.name_there()));
        let mut rejected = self.rejected.lock().unwrap_or_else(PoisonError::into_inner);
        rejected.extend(names);
        let too_many = rejected.len().saturating_sub(REJECTED);
        rejected.drain(..too_many);
        drop(rejected);
        let look = LookRecord {
            waiting: u32::try_from(taken.waiting).unwrap_or(u32::MAX),
            not_taken: self.not_taken(ledger, inbox, taken, now)?,
            room: files::room(folder.root()),
            trouble: self.trouble_of_results(),
            ..blank(inbox, now)
        };
        self.put(ledger, look, now)
    }

    /// The files that a look has not taken, and those that were rejected not long ago.
    fn not_taken(
        &self,
        ledger: &Ledger,
        inbox: &str,
        taken: &Taken,
        now: &Now,
    ) -> Result<Vec<NotTaken>, LedgerError> {
        let of = |path: &Path, why: &str, fate: Fate| NotTaken {
            path: path.display().to_string(),
            why: why.to_owned(),
            fate,
        };
        let mut left: Vec<_> = taken.left_alone.iter().collect();
        // Somebody waits for what may be a sheet, and for no other file.
        left.sort_by_key(|(path, _why)| !may_be_sheet(path));
        let left = left.into_iter().take(LEFT_ALONE);
        let left = left.map(|(path, why)| of(path, why, Fate::LeftAlone));
        let unreadable = taken.unreadable.iter().take(LEFT_ALONE);
        let unreadable = unreadable.map(|(path, why)| of(path, why, Fate::Unreadable));
        let waiting = taken.waiting_files.iter();
        let waiting = waiting.map(|(path, why)| of(path, why, Fate::Waiting));
        let rejected = taken.rejected.iter();
        let rejected = rejected.map(|file| of(&file.place, &file.why, Fate::Rejected));
        let lying = self.lying(ledger, inbox, |lying| {
            lying.extend(rejected);
            let is_there = |file: &NotTaken| std::fs::symlink_metadata(&file.path).is_ok();
            lying.retain(|file| is_recent(&file.path, now) && is_there(file));
            let too_many = lying.len().saturating_sub(REJECTED_TOLD);
            lying.drain(..too_many);
        })?;
        Ok(left.chain(unreadable).chain(waiting).chain(lying).collect())
    }

    /// Changes the list of rejected files that still lie where they were put, and gives it.
    pub(super) fn lying(
        &self,
        ledger: &Ledger,
        inbox: &str,
        change: impl FnOnce(&mut Vec<NotTaken>),
    ) -> Result<Vec<NotTaken>, LedgerError> {
        let mut known = self.lying.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lying = if let Some(lying) = known.take() {
            lying
        } else {
            let last = ledger.read(|store| store.last_look(inbox))?;
            let files = last.into_iter().flat_map(|look| look.not_taken);
            files.filter(|file| file.fate == Fate::Rejected).collect()
        };
        change(&mut lying);
        *known = Some(lying.clone());
        Ok(lying)
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

    /// Notes that the result of a sheet cannot be written, for every look until it is [`Looks::written`]. Gives whether
    /// that, or why, is new.
    pub(super) fn not_written(&self, claim: &Claim, why: &str) -> bool {
        let unwritten = Unwritten {
            why: why.to_owned(),
            is_outside: claim.new.out_path.is_some(),
        };
        let mut known = self.unwritten();
        let is_new = known.get(&claim.id) != Some(&unwritten);
        known.insert(claim.id, unwritten);
        is_new
    }

    /// Notes that a sheet's result is where it belongs, or is no longer owed. Gives why it was not, where that was the
    /// inbox's trouble.
    pub(super) fn written(&self, claim: ClaimRef) -> Option<String> {
        let written = self.unwritten().remove(&claim)?;
        (!written.is_outside).then_some(written.why)
    }

    /// Notes that a trouble is over, where none has come after it: who asks before the next look, or when none comes, is not
    /// told of it.
    pub(super) fn mended(
        &self,
        ledger: &Ledger,
        (why, folder): (&str, &Folder),
        now: &Now,
    ) -> Result<(), LedgerError> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = last.as_ref().map(|(look, _at)| look.clone());
        drop(last);
        let Some(seen) = seen.filter(|seen| seen.trouble.as_deref() == Some(why)) else {
            return Ok(());
        };
        let look = LookRecord {
            trouble: self.trouble_of_results(),
            room: files::room(folder.root()),
            ..seen
        };
        self.put(ledger, look, now)
    }

    /// Why the result of a sheet of the inbox is not written yet, where one is not: of several the eldest sheet's.
    pub(super) fn trouble_of_results(&self) -> Option<String> {
        let unwritten = self.unwritten();
        let mut own = unwritten.values().filter(|one| !one.is_outside);
        own.next().map(|one| one.why.clone())
    }

    fn unwritten(&self) -> MutexGuard<'_, BTreeMap<ClaimRef, Unwritten>> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the folder could not be worked at the last look, if it could not.
    pub fn trouble_now(&self) -> Option<String> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().and_then(|(look, _at)| look.trouble.clone())
    }

    /// The newest files that were rejected without being taken: their names as they came, and in `rejected/`.
    pub(super) fn rejected(&self) -> Vec<(String, String)> {
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
                && known.not_taken == look.not_taken;
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
        not_taken: Vec::new(),
        room: None,
    }
}

/// Whether a rejected file was put where it lies not long ago, by the day in its name.
fn is_recent(path: &str, now: &Now) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let day = name.get(..10).and_then(|day| day.parse::<Date>().ok());
    let today = now.wall.to_zoned(TimeZone::UTC).date();
    let first = today
        .checked_sub(Span::new().days(REJECTED_DAYS))
        .unwrap_or(today);
    day.is_some_and(|day| day >= first)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_rejected_file_is_told_of_for_two_weeks() {
        let now = Now {
            wall: "2026-11-22T10:00:00Z".parse::<Timestamp>().unwrap(),
            boot: BootTime {
                id: "boot-1".into(),
                millis: 0,
            },
        };
        for (name, is) in [
            ("2026-11-22_0914_x.pdf", true),
            ("2026-11-08_0914_x.pdf", true),
            ("2026-11-07_0914_x.pdf", false),
            ("x.pdf", false),
        ] {
            assert_eq!(is_recent(&format!("/orders/rejected/{name}"), &now), is, "{name}");
        }
    }
}
