//! Approving and declining: a held sheet that a person has moved to `approved/` or `declined/` is read, what it lists is
//! decided in one transaction, and the file goes to `done/` with a receipt in `results/`.
//!
//! It counts by its keys, whatever it is called and however it was saved; an order whose row says no is not approved. Deciding the same again changes nothing,
//! so that a crash at any point only makes it be read once more.

mod edits;
mod foresee;
mod listed;
mod receipt;
mod refused;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

use super::rejected::RejectedFile;
use super::take::{
    INCOMPLETE, TakeError, Unread, free_path, how_it_ends, incomplete, stable_for, unchanged_for,
};
use crate::clock::Now;
use crate::config::Inbox;
use crate::files;
use crate::finding::{Code, Rejection};
use crate::inbox::look::{Found, look};
use crate::inbox::names::{self, Name};
use crate::inbox::{Folder, spool, stem};
use crate::ledger::{DecisionResult, Ledger, LedgerError};
use crate::sheet::{Ending, Limits};

pub use foresee::{Foreseen, foresee};
use listed::ReturnedSheet;

/// What a person has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The orders listed are sent.
    Approve,
    /// They are not.
    Decline,
}

impl Decision {
    /// The folder that a held sheet is moved to.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Approve => "approved",
            Self::Decline => "declined",
        }
    }
}

/// What a look at `approved/` and `declined/` came to.
#[derive(Debug, Default)]
pub struct Decisions {
    /// Orders approved now.
    pub approved: usize,
    /// Orders declined now.
    pub declined: usize,
    /// Files that are not read yet: still changing, or unchanged for too short a time.
    pub waiting: usize,
    /// Sheets that cannot be read now: somebody has them open, say.
    pub unread: usize,
    /// Sheets that cannot be read, what cannot be seen and may be one, and why: no later look mends that.
    pub unreadable: Vec<(PathBuf, String)>,
    /// How long until the first of those that wait may be read.
    pub ready_in: Option<Duration>,
    /// What a person has to know of files that were followed: rows of theirs that name no order here.
    pub troubles: Vec<String>,
    /// Files rejected, for they are no held sheets.
    pub rejected: Vec<RejectedFile>,
    /// Files left alone, and why.
    pub left_alone: Vec<(PathBuf, String)>,
}

impl Decisions {
    fn wait(&mut self, ready_in: Duration) {
        self.waiting += 1;
        self.ready_in = Some(self.ready_in.map_or(ready_in, |first| first.min(ready_in)));
    }

    /// Something that may be a held sheet, and for how long it has been as it is now.
    fn cannot_read(&mut self, path: &Path, error: &io::Error, unchanged: Duration) {
        let told = (path.to_owned(), error.to_string());
        match Unread::of(error, unchanged) {
            Unread::Gone => {}
            Unread::ForNow => {
                self.unread += 1;
                self.left_alone.push(told);
            }
            Unread::Lasting => self.unreadable.push(told),
        }
    }

    /// Whether all that lies there is read.
    fn is_all_read(&self) -> bool {
        self.waiting == 0 && self.unread == 0 && self.unreadable.is_empty()
    }
}

/// What is needed to follow a person's decisions in an inbox.
#[derive(Debug)]
pub struct Decider<'a> {
    /// The ledger.
    pub ledger: &'a Ledger,
    /// The inbox.
    pub inbox: &'a Inbox,
    /// Its folders.
    pub folder: &'a Folder,
    /// A folder on the local disk for unpacked rows.
    pub scratch: &'a Path,
    /// The zone of file names and shown times.
    pub zone: &'a TimeZone,
}

impl Decider<'_> {
    /// Looks once at `declined/` and `approved/` and follows what is whole and has been unchanged for long enough. Waits
    /// for the disk.
    pub fn look(&self, now: &Now) -> Result<Decisions, TakeError> {
        let mut decisions = Decisions::default();
        // What is in both is not sent: as long as a file in `declined/` cannot be read, nothing is approved.
        self.part(Decision::Decline, now, &mut decisions)?;
        if decisions.is_all_read() {
            self.part(Decision::Approve, now, &mut decisions)?;
        }
        // What lies there unread may be a held sheet that a person has moved.
        if decisions.is_all_read() {
            self.miss_held_sheets()?;
        }
        Ok(decisions)
    }

    fn part(&self, decision: Decision, now: &Now, decisions: &mut Decisions) -> Result<(), TakeError> {
        let part = self.folder.part(decision.folder());
        let seen = look(&part).map_err(|source| TakeError::Folder {
            path: part.clone(),
            source,
        })?;
        let sheets = seen.left_alone.iter().filter(|(path, _why)| is_sheet(path));
        decisions.unread += sheets.count();
        decisions.left_alone.extend(seen.left_alone);
        let stable_for = stable_for(self.inbox, seen.on_network);
        let (unseen, unchanged) = unchanged_for(self.ledger, (&part, &seen.unseen, &seen.found), now)?;
        for ((path, error), unchanged) in seen.unseen.iter().zip(unseen) {
            decisions.cannot_read(path, error, unchanged);
        }
        for (found, unchanged) in seen.found.iter().zip(unchanged) {
            match stable_for.checked_sub(unchanged).filter(|left| !left.is_zero()) {
                Some(left) => decisions.wait(left),
                None => self.one(found, (decision, unchanged), now, decisions)?,
            }
        }
        Ok(())
    }

    fn one(
        &self,
        found: &Found,
        (decision, unchanged): (Decision, Duration),
        now: &Now,
        decisions: &mut Decisions,
    ) -> Result<(), TakeError> {
        let read = match how_it_ends(found, self.inbox.limits.max_bytes) {
            Ok(Ending::Whole | Ending::Doubtful) => self.read(found),
            Ok(Ending::Missing | Ending::InQuotes { .. }) if unchanged < INCOMPLETE => {
                decisions.wait(INCOMPLETE.saturating_sub(unchanged));
                return Ok(());
            }
            Ok(ending @ (Ending::Missing | Ending::InQuotes { .. })) => {
                Ok(Err(incomplete(&found.name, ending)))
            }
            Err(unreadable) => Err(unreadable),
        };
        match read {
            Ok(Ok(listed)) => {
                let listed = match decision {
                    Decision::Approve => {
                        let held_by = |key: &_| self.ledger.read(|store| store.held_by(key));
                        refused::set_apart(listed, &held_by, self.zone)?
                    }
                    Decision::Decline => listed,
                };
                self.follow(found, (decision, &listed), now, decisions)
            }
            // Not the file's fault: it is read again at the next look.
            Ok(Err(why)) if why.code == Code::UnreadableFile => {
                decisions.unread += 1;
                let why = format!("{} It is read again.", why.message);
                decisions.left_alone.push((found.path.clone(), why));
                Ok(())
            }
            Ok(Err(why)) => {
                self.reject(found, &why, now, decisions);
                Ok(())
            }
            Err(error) => {
                decisions.cannot_read(&found.path, &error, unchanged);
                Ok(())
            }
        }
    }

    /// What a file lists; an error where it cannot be read now, or has changed meanwhile.
    fn read(&self, found: &Found) -> io::Result<Result<ReturnedSheet, Rejection>> {
        let file = spool::open_plain(&found.path)?;
        let listed = listed::read(file, &found.name, self.inbox.limits, self.scratch);
        let still = std::fs::symlink_metadata(&found.path)?;
        if !found.stamp.is_still(&still) {
            return Err(io::Error::other("it changed while it was read"));
        }
        Ok(listed)
    }

    fn follow(
        &self,
        found: &Found,
        (decision, listed): (Decision, &ReturnedSheet),
        now: &Now,
        decisions: &mut Decisions,
    ) -> Result<(), TakeError> {
        let decided = self.decide(decision, listed, now)?;
        let still_held = self.ledger.read(|store| store.held_of(&self.inbox.name))?;
        crate::crash::point("decided");
        let taken = decided
            .iter()
            .filter(|decided| matches!(decided, DecisionResult::Taken(..)))
            .count();
        match decision {
            Decision::Approve => decisions.approved += taken,
            Decision::Decline => decisions.declined += taken,
        }
        tracing::info!(
            inbox = self.inbox.name,
            file = found.name,
            orders = taken,
            decision = decision.folder(),
            "a person has decided"
        );
        let done = free_path(&self.folder.part("done"), &found.name);
        let moved = files::move_new(&found.path, &done);
        crate::crash::point("decision-filed");
        if let Err(error) = &moved {
            let why = format!("it was followed and cannot be moved away: {error}");
            decisions.left_alone.push((found.path.clone(), why));
        }
        if taken > 0 || moved.is_ok() {
            self.hand_receipt(found, decision, (listed, &decided, still_held), now);
            decisions
                .troubles
                .extend(self.say_unknown(found, decision, &decided));
        }
        Ok(())
    }

    fn decide(
        &self,
        decision: Decision,
        listed: &ReturnedSheet,
        now: &Now,
    ) -> Result<Vec<DecisionResult>, LedgerError> {
        let (inbox, now) = (self.inbox.name.clone(), now.clone());
        let keys: Vec<_> = listed.rows.iter().map(|row| row.key.clone()).collect();
        self.ledger.write_blocking(move |store| {
            keys.iter()
                .map(|key| match (key, decision) {
                    (None, _) => Ok(DecisionResult::Unknown),
                    (Some(key), Decision::Approve) => store.approve(&inbox, key, &now),
                    (Some(key), Decision::Decline) => store.decline(&inbox, key, &now),
                })
                .collect()
        })
    }

    /// What is to be said of rows that name no order of this inbox.
    fn say_unknown(&self, found: &Found, decision: Decision, decided: &[DecisionResult]) -> Option<String> {
        let is_strange = |decided: &&DecisionResult| {
            matches!(decided, DecisionResult::Elsewhere(_) | DecisionResult::Unknown)
        };
        let rows = match decided.iter().filter(is_strange).count() {
            0 => return None,
            1 => "1 row has".to_owned(),
            n => format!("{n} rows have"),
        };
        let said = format!(
            "{}/{}: {rows} an approval_key that is none of this inbox, and nothing was done with what it stands for. {}",
            decision.folder(),
            found.name,
            receipt::advice(decided, decision).join(" ")
        );
        tracing::warn!(inbox = self.inbox.name, "{said}");
        Some(format!("inbox `{}`: {said}", self.inbox.name))
    }

    /// Writes down for the person what became of the decision. Where that fails, the log and the results say it.
    fn hand_receipt(
        &self,
        found: &Found,
        decision: Decision,
        (listed, decided, still_held): (&ReturnedSheet, &[DecisionResult], u64),
        now: &Now,
    ) {
        let at = now.wall.to_zoned(self.zone.clone());
        let text = receipt::text(&found.name, decision, (listed, decided), still_held, &at);
        let path = receipt_of(self.folder, &found.name, decision);
        if let Err(error) = files::write_new(&path, text.as_bytes()) {
            tracing::warn!(path = %path.display(), %error, "the receipt of a decision cannot be written");
        }
    }

    fn reject(&self, found: &Found, why: &Rejection, now: &Now, decisions: &mut Decisions) {
        match RejectedFile::put(
            self.folder,
            found,
            why,
            &stem(&now.wall.to_zoned(self.zone.clone()), &found.name),
        ) {
            Ok(rejected) => decisions.rejected.push(rejected),
            Err(left) => decisions.left_alone.push(left),
        }
    }

    /// A held sheet that is gone without a decision is written again: nothing that waits is out of sight.
    fn miss_held_sheets(&self) -> Result<(), LedgerError> {
        let sheets = self.ledger.read(|store| store.held_sheets(&self.inbox.name))?;
        let folder = self.folder.part("held");
        let gone = |path: &str| {
            std::fs::symlink_metadata(files::now_in(&folder, path))
                .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        let missing: Vec<_> = sheets.into_iter().filter(|(_, path)| gone(path)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        self.ledger.write_blocking(move |store| {
            missing
                .iter()
                .try_for_each(|(claim, _path)| store.mark_held_sheet(*claim))
        })
    }
}

/// Where the receipt of a decision comes to lie.
pub fn receipt_of(folder: &Folder, file: &str, decision: Decision) -> PathBuf {
    let ending = format!("{}.txt", decision.folder());
    files::free_name(&folder.part("results"), receipt::stem_of(file), &ending)
}

/// Whether a file is a held sheet, whatever it is called.
pub(super) fn is_held_sheet(path: &Path, limits: Limits, scratch: &Path) -> io::Result<bool> {
    let file = spool::open_plain(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(match listed::read(file, &name, limits, scratch) {
        Ok(_listed) => true,
        Err(why) => why.code == Code::HeldOnTwoSheets,
    })
}

/// Whether a file that was left alone may be a held sheet: it is open in a program, say.
fn is_sheet(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    names::judge(&name) == Name::Take && std::fs::symlink_metadata(path).is_ok_and(|file| file.is_file())
}
