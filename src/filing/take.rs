//! Taking a sheet: its copy into the spool, the claim into the ledger, then the original out of the inbox. Killed
//! between any two of these, the next start goes on from there.

mod left;
mod originals;
mod renamed;
mod unfinished;

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use originals::original;
pub(super) use originals::{claim_of, processing};
use renamed::look_and_rename;
pub(super) use unfinished::incomplete;
use unfinished::not_whole;

use super::rejected::RejectedFile;
use crate::clock::{BootTime, Now};
use crate::config::Inbox;
use crate::files;
use crate::finding::Rejection;
use crate::inbox::look::Found;
use crate::inbox::spool::{self, CopyError};
use crate::inbox::{Folder, names, stem};
use crate::ledger::record::{AccountRef, Claim, ClaimRef, ClaimState, NewClaim, Purpose};
use crate::ledger::{Ledger, LedgerError, Store};
use crate::sheet::{self, Ending};

/// How long an incomplete sheet may stay before it is rejected.
pub(super) const INCOMPLETE: Duration = Duration::from_mins(15);

/// The least time for which a file on a network mount must be unchanged.
const STABLE_ON_NETWORK: Duration = Duration::from_secs(30);

/// Most sheets that one look takes; the next look follows at once. The first of thousands are worked meanwhile.
const TAKEN_AT_ONCE: usize = 100;

/// Most files that are waited for which are named; all are counted.
const WAITING_NAMED: usize = 10;

/// Why a file is not taken yet.
const CHANGING: &str = "it came or changed only now";

/// Most sheets of one name in one minute.
pub(super) const SAME_STEMS: u32 = 100_000;

/// Why a look could not be followed.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// The inbox's folder cannot be listed, or a file in it not moved.
    #[error("cannot work the folder {path}")]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The spool cannot be written: nothing is taken.
    #[error("cannot take a sheet")]
    Spool(#[source] CopyError),
    /// The ledger cannot be kept: the program stops.
    #[error("cannot keep the ledger")]
    Ledger(#[from] LedgerError),
}

/// What a look came to.
#[derive(Debug, Default)]
pub struct Taken {
    /// Sheets taken now, oldest first.
    pub claims: Vec<ClaimRef>,
    /// Files that are not taken yet: still changing, incomplete, or unchanged for too short a time.
    pub waiting: usize,
    /// The first of those, and why.
    pub waiting_files: Vec<(PathBuf, Cow<'static, str>)>,
    /// How long a file had to be unchanged.
    pub stable_for: Duration,
    /// Held sheets in `approved/` and `declined/` that are not read yet, or cannot be read now.
    pub decisions_waiting: usize,
    /// Of the files that wait, how long until the first may be taken.
    pub ready_in: Option<Duration>,
    /// What a person has to know of decisions that were followed.
    pub troubles: Vec<String>,
    /// Files rejected by their name, or because they stayed incomplete.
    pub rejected: Vec<RejectedFile>,
    /// Files left alone, and why.
    pub left_alone: Vec<(PathBuf, String)>,
    /// How many of those are sheets that are open in another program, or cannot be read for the moment.
    pub open: usize,
    /// Sheets that cannot be read, folders that cannot be seen into, and why: no later look mends that.
    pub unreadable: Vec<(PathBuf, String)>,
    /// Sheets taken earlier whose originals could be moved to `processing/` only now.
    pub moved: Vec<Claim>,
}

/// What follows from a file that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// Whoever took it away meant to.
    Gone,
    /// A later look may read it.
    ForNow,
    /// No later look mends that: a person has to.
    Lasting,
}

impl Unread {
    /// Of one that has been as it is now for so long.
    pub(super) fn of(error: &io::Error, unchanged: Duration) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Gone,
            // Whoever writes it still has not let go of it.
            io::ErrorKind::ResourceBusy | io::ErrorKind::ExecutableFileBusy => Self::ForNow,
            // Its share may be away for a moment.
            other if other != io::ErrorKind::PermissionDenied && unchanged < INCOMPLETE => Self::ForNow,
            _lasting => Self::Lasting,
        }
    }
}

impl Taken {
    /// How many files a later look takes or reads.
    pub fn left_for_later(&self) -> usize {
        self.waiting + self.open + self.decisions_waiting
    }

    /// A file that cannot be read, or a folder, and for how long it has been as it is now.
    fn cannot_read(&mut self, path: &Path, error: &io::Error, unchanged: Duration) {
        match Unread::of(error, unchanged) {
            Unread::Gone => {}
            Unread::ForNow => self.is_open(path, error),
            Unread::Lasting => self.unreadable.push((path.to_owned(), error.to_string())),
        }
    }

    /// A file that a later look may read.
    fn is_open(&mut self, path: &Path, error: &io::Error) {
        self.open += 1;
        self.left_alone.push((path.to_owned(), error.to_string()));
    }
}

/// What is needed to take sheets from an inbox.
#[derive(Debug)]
pub struct Taker<'a> {
    /// The ledger.
    pub ledger: &'a Ledger,
    /// The inbox's account.
    pub account: AccountRef,
    /// The inbox.
    pub inbox: &'a Inbox,
    /// Where copies go.
    pub spool: &'a Path,
    /// The zone of file names.
    pub zone: &'a jiff::tz::TimeZone,
    /// Where refused files lie, and results go.
    pub folder: &'a Folder,
    /// Files that have changed after this moment are left for a later look, as if they were not there.
    pub changed_until: Option<&'a BootTime>,
}

impl Taker<'_> {
    /// Looks once at `inbox/` or `try/` and takes what is whole and has been unchanged for long enough. Waits for the
    /// disk.
    pub fn look(&self, purpose: Purpose, now: &Now) -> Result<Taken, TakeError> {
        let part = self.folder.part(match purpose {
            Purpose::Send => "inbox",
            Purpose::Try => "try",
        });
        let seen = look_and_rename(&part, &self.inbox.name).map_err(|source| TakeError::Folder {
            path: part.clone(),
            source,
        })?;
        let mut taken = Taken {
            stable_for: stable_for(self.inbox, seen.on_network),
            left_alone: seen.left_alone,
            open: seen.open,
            ..Taken::default()
        };
        self.forget_gone()?;
        let (unseen, unchanged) = unchanged_for(self.ledger, (&part, &seen.unseen, &seen.found), now)?;
        for ((path, error), unchanged) in seen.unseen.iter().zip(unseen) {
            taken.cannot_read(path, error, unchanged);
        }
        let too_late = self.changed_until.and_then(|until| now.boot.since(until));
        for (found, unchanged) in seen.found.iter().zip(unchanged) {
            if too_late.is_some_and(|too_late| unchanged < too_late) {
                continue;
            }
            if taken.claims.len() >= TAKEN_AT_ONCE {
                taken.ready_in = Some(Duration::ZERO);
                break;
            }
            self.one(found, (unchanged, purpose, now), &mut taken)?;
        }
        Ok(taken)
    }

    fn one(
        &self,
        found: &Found,
        (unchanged, purpose, now): (Duration, Purpose, &Now),
        taken: &mut Taken,
    ) -> Result<(), TakeError> {
        if let Some(claim) = self.worked_here(found)? {
            if self.moves_now(&claim)? {
                taken.moved.push(claim);
            } else {
                let why = "it was worked and could not be moved away".to_owned();
                taken.left_alone.push((found.path.clone(), why));
            }
            return Ok(());
        }
        let wait = |taken: &mut Taken, ready_in: Duration, why: Cow<'static, str>| {
            taken.waiting += 1;
            if taken.waiting_files.len() < WAITING_NAMED {
                taken.waiting_files.push((found.path.clone(), why));
            }
            taken.ready_in = Some(
                taken
                    .ready_in
                    .map_or(ready_in, |first: Duration| first.min(ready_in)),
            );
        };
        if unchanged < taken.stable_for {
            wait(taken, taken.stable_for.saturating_sub(unchanged), CHANGING.into());
            return Ok(());
        }
        if found.reject {
            self.reject(found, &names::unknown_ending(&found.name), now, taken);
            return Ok(());
        }
        // Before it is copied: it may be larger than the disk.
        if let Some(why) = self.inbox.limits.refuse(found.stamp.size()) {
            self.reject(found, &why, now, taken);
            return Ok(());
        }
        match how_it_ends(found, self.inbox.limits.max_bytes) {
            Ok(Ending::Whole) => {}
            Ok(Ending::Doubtful) if unchanged >= INCOMPLETE => {}
            Ok(ending) if unchanged < INCOMPLETE => {
                wait(taken, INCOMPLETE.saturating_sub(unchanged), not_whole(ending));
                return Ok(());
            }
            Ok(ending) => {
                self.reject(found, &incomplete(&found.name, ending), now, taken);
                return Ok(());
            }
            Err(error) => {
                taken.cannot_read(&found.path, &error, unchanged);
                return Ok(());
            }
        }
        match self.take(found, purpose, now, None) {
            Ok(claim) => taken.claims.push(claim),
            Err(TakeError::Spool(CopyError::Changed(_))) => {
                wait(taken, taken.stable_for, CHANGING.into());
            }
            // It could be opened just now: another program has locked a part of it.
            Err(TakeError::Spool(CopyError::Read { path, source }))
                if source.kind() == io::ErrorKind::PermissionDenied =>
            {
                taken.is_open(&path, &source);
            }
            Err(TakeError::Spool(CopyError::Read { path, source })) => {
                taken.cannot_read(&path, &source, unchanged);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Takes one file: copy, claim, move.
    pub fn take(
        &self,
        found: &Found,
        purpose: Purpose,
        now: &Now,
        out_path: Option<String>,
    ) -> Result<ClaimRef, TakeError> {
        let copied = spool::copy(&found.path, &found.stamp, self.spool).map_err(TakeError::Spool)?;
        let stays = out_path.is_some();
        let new = NewClaim {
            account: self.account,
            inbox: self.inbox.name.clone(),
            purpose,
            place: place(&found.path),
            sheet_name: found.name.clone(),
            stem: self.free_stem(&found.name, purpose, now.wall)?,
            hash: copied.hash,
            stamp: found.stamp.to_string(),
            taken_at: now.wall,
            out_path,
        };
        let written = new.clone();
        let id = self.ledger.write_blocking(move |store| store.take(&written))?;
        crate::crash::point("claimed");
        tracing::info!(
            inbox = self.inbox.name,
            sheet = found.name,
            stem = new.stem,
            "taken"
        );
        if !stays {
            self.move_to_processing(id, &new)?;
        }
        Ok(id)
    }

    /// The first stem that no sheet has, nor the reason of a file that was not taken: a person finds that of this sheet by it.
    fn free_stem(&self, name: &str, purpose: Purpose, at: Timestamp) -> Result<String, LedgerError> {
        let first = stem(&at.to_zoned(self.zone.clone()), name);
        let numbered = (2..SAME_STEMS).map(|n| format!("{first}-{n}"));
        for candidate in std::iter::once(first.clone()).chain(numbered) {
            let in_ledger = self
                .ledger
                .read(|store| store.stem_is_taken(&self.inbox.name, &candidate))?;
            // On a share that does not tell case apart, `Monday` stands in the way of `monday`.
            let in_the_way = original(self.folder, (&candidate, name), purpose);
            let reason = self
                .folder
                .part("rejected")
                .join(format!("{candidate}.error.txt"));
            if !in_ledger && is_free(&in_the_way) && is_free(&reason) {
                return Ok(candidate);
            }
        }
        Ok(first)
    }

    fn move_to_processing(&self, id: ClaimRef, claim: &NewClaim) -> Result<(), LedgerError> {
        let target = processing(self.folder, claim);
        match files::move_new(Path::new(&claim.place), &target) {
            Ok(()) => {}
            Err(error) => {
                tracing::warn!(sheet = claim.sheet_name, %error, "it cannot be moved away; it is worked and not taken again");
                self.ledger
                    .write_blocking(move |store| store.set_left_in_place(id, true))?;
            }
        }
        crate::crash::point("moved-to-processing");
        Ok(())
    }

    /// Rejects a file that is not taken: out of the inbox, with a reason beside it.
    fn reject(&self, found: &Found, why: &Rejection, now: &Now, taken: &mut Taken) {
        let stem = stem(&now.wall.to_zoned(self.zone.clone()), &found.name);
        match RejectedFile::put(self.folder, found, why, &stem) {
            Ok(rejected) => taken.rejected.push(rejected),
            Err(left) => taken.left_alone.push(left),
        }
    }
}

fn is_free(place: &Path) -> bool {
    std::fs::symlink_metadata(place).is_err()
}

/// How long a file must be unchanged in an inbox: over a network longer, for there a writer may be held up.
pub(super) fn stable_for(inbox: &Inbox, on_network: bool) -> Duration {
    if on_network {
        inbox.stable_for.max(STABLE_ON_NETWORK)
    } else {
        inbox.stable_for
    }
}

/// What a look at a folder has shown: the folder, what is unseen in it, and the files.
type Seen<'a> = (&'a Path, &'a [(PathBuf, io::Error)], &'a [Found]);

/// How long each thing that is unseen, and each file, has been as it is now, by our own clock; it is remembered from when
/// on, and what is gone is forgotten.
pub(super) fn unchanged_for(
    ledger: &Ledger,
    (folder, unseen, found): Seen<'_>,
    now: &Now,
) -> Result<(Vec<Duration>, Vec<Duration>), LedgerError> {
    // Nothing is known of what is unseen but that it is there.
    let unseen: Vec<_> = unseen
        .iter()
        .map(|(path, _why)| (place(path), String::new()))
        .collect();
    let found = found
        .iter()
        .map(|found| (place(&found.path), found.stamp.to_string()));
    let first_found = unseen.len();
    let seen: Vec<(String, String)> = unseen.into_iter().chain(found).collect();
    let (boot, below) = (now.boot.clone(), place(folder));
    let sight = move |store: &Store<'_>| {
        let places: Vec<String> = seen.iter().map(|(place, _stamp)| place.clone()).collect();
        store.forget_sightings(&below, &places)?;
        let since = seen.iter().map(|(at, stamp)| store.sight(at, stamp, &boot));
        since.collect::<Result<Vec<BootTime>, LedgerError>>()
    };
    let since = ledger.write_blocking(sight)?.into_iter();
    let unchanged = since.map(|since| now.boot.since(&since).unwrap_or(Duration::ZERO));
    let mut unseen: Vec<Duration> = unchanged.collect();
    let found = unseen.split_off(first_found);
    Ok((unseen, found))
}

/// How a sheet ends; what cannot be read as a sheet at all is left to the import to say.
pub(super) fn how_it_ends(found: &Found, max_bytes: u64) -> io::Result<Ending> {
    if found.stamp.size() > max_bytes {
        return Ok(Ending::Whole);
    }
    let file = spool::open_plain(&found.path)?;
    Ok(sheet::ending(file, &found.name).unwrap_or(Ending::Whole))
}

/// A free place for a file of this name in a folder: numbered before its ending where the name is taken.
pub fn free_path(folder: &Path, name: &str) -> PathBuf {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => files::free_name(folder, stem, ending),
        _ => files::free_name(folder, name, ""),
    }
}

fn place(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Whether a claim is not at its end.
pub fn is_open(claim: &Claim) -> bool {
    matches!(claim.state, ClaimState::Taken | ClaimState::Worked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_waited_for_and_what_stays_is_for_a_person() {
        let young = Duration::from_secs(30);
        for (kind, unchanged, (open, unreadable)) in [
            (io::ErrorKind::NotFound, INCOMPLETE, (0, 0)),
            (io::ErrorKind::ResourceBusy, INCOMPLETE, (1, 0)),
            (io::ErrorKind::PermissionDenied, young, (0, 1)),
            (io::ErrorKind::StaleNetworkFileHandle, young, (1, 0)),
            (io::ErrorKind::StaleNetworkFileHandle, INCOMPLETE, (0, 1)),
            (io::ErrorKind::Other, young, (1, 0)),
        ] {
            let mut taken = Taken::default();
            taken.cannot_read(Path::new("inbox/monday.csv"), &kind.into(), unchanged);
            let counted = (taken.open, taken.unreadable.len());
            assert_eq!(counted, (open, unreadable), "{kind}");
            assert_eq!(taken.left_alone.len(), open, "{kind}");
        }
    }
}
