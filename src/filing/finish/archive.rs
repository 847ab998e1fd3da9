//! The original of an ended sheet: out of `processing/`, to `done/` or `rejected/`. One that has changed since it was
//! taken goes back to where it was dropped, and its place gets the copy that was worked.

use std::io;
use std::path::{Path, PathBuf};

use super::{FinishError, Finisher};
use crate::files;
use crate::filing::aside::{self, Owner};
use crate::filing::grown;
use crate::filing::rejected::{self, Spot};
use crate::filing::take::{free_path, processing};
use crate::finding::Rejection;
use crate::inbox::ending;
use crate::inbox::look::Stamp;
use crate::inbox::spool::{self, CopyError};
use crate::ledger::record::{Claim, ClaimState};
use crate::ledger::{Archived, LedgerError};

impl Finisher<'_> {
    /// Moves the original of a worked sheet to `done/`. One that has changed since it was taken goes back to the inbox
    /// as a new sheet, and `done/` gets the copy that was worked.
    pub(in crate::filing) fn archive(&self, claim: &Claim) -> Result<(), FinishError> {
        if claim.new.out_path.is_some() {
            return Ok(());
        }
        let new = &claim.new;
        let name = format!("{}{}", new.stem, ending(&new.sheet_name));
        let done = free_path(&self.folder.part("done"), &name);
        // A move may have happened although it was said to have failed.
        let moved = processing(self.folder, new);
        let in_place = claim.left_in_place && !moved.exists();
        let original = if in_place {
            PathBuf::from(&new.place)
        } else {
            moved
        };
        let stamp = std::fs::symlink_metadata(&original).map(|file| Stamp::but_for_moves(&file, &done));
        let hash = match spool::hash_of(&original) {
            Ok(hash) => hash,
            // A person took it out of processing/, or this was done before a crash: the spool has its bytes.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return self.leave(claim, in_place, &error),
        };
        let moved = match stamp {
            Ok(stamp) if hash == new.hash => self.move_watched(claim, &stamp, (&original, &done))?,
            Ok(_changed) => {
                let back = (!in_place).then(|| grown::place_for(self.folder, new));
                tracing::warn!(
                    sheet = new.sheet_name,
                    "it changed after it was taken; it comes back as a new sheet"
                );
                // The copy first: killed in between, the next start comes here again, and finds it.
                let is_there = spool::hash_of(&self.folder.part("done").join(&name))
                    .is_ok_and(|found| found == new.hash);
                let kept = if is_there {
                    Ok(())
                } else {
                    grown::put_copy(&self.importer.spool, &new.hash, &done)
                };
                kept.and_then(|()| back.map_or(Ok(()), |back| files::move_new(&original, &back)))
            }
            Err(error) => Err(error),
        };
        match moved {
            Ok(()) => {
                let id = claim.id;
                self.ledger()
                    .write_blocking(move |store| store.set_left_in_place(id, false))?;
                Ok(())
            }
            Err(error) => self.leave(claim, in_place, &error),
        }
    }

    /// Copies the original of a taken sheet into the spool once more; false where there is none that is as it was taken.
    ///
    /// # Errors
    /// The spool cannot be written.
    pub fn copy_anew(&self, claim: &Claim) -> Result<bool, CopyError> {
        let new = &claim.new;
        for original in self.originals(claim) {
            let Ok(file) = std::fs::symlink_metadata(&original) else {
                continue;
            };
            if spool::hash_of(&original).is_ok_and(|hash| hash == new.hash) {
                spool::copy(&original, &Stamp::of(&file), &self.importer.spool)?;
                return Ok(spool::open_whole(&self.importer.spool.join(&new.hash), &new.hash).is_ok());
            }
        }
        Ok(false)
    }

    /// Whether an original of a taken sheet may still be there, be it another file by now. Waits for the disk.
    pub fn has_original(&self, claim: &Claim) -> bool {
        let is_gone = |path: &PathBuf| {
            let found = std::fs::symlink_metadata(path);
            found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        !self.originals(claim).iter().all(is_gone)
    }

    /// Where the original of a sheet may lie.
    fn originals(&self, claim: &Claim) -> [PathBuf; 3] {
        let new = &claim.new;
        let done = format!("{}{}", new.stem, ending(&new.sheet_name));
        [
            processing(self.folder, new),
            PathBuf::from(&new.place),
            self.folder.part("done").join(done),
        ]
    }

    /// Moves an original to its last place, where it is looked at again for a while. That is written down first: killed
    /// in between, the next start comes here again.
    fn move_watched(
        &self,
        claim: &Claim,
        stamp: &Stamp,
        (from, to): (&Path, &Path),
    ) -> Result<io::Result<()>, LedgerError> {
        self.watch(claim, stamp.to_string(), to)?;
        let moved = files::move_new(from, to);
        if moved.is_err() {
            self.unwatch(to)?;
        }
        Ok(moved)
    }

    /// What somebody else puts there is not ours to look at.
    fn unwatch(&self, place: &Path) -> Result<(), LedgerError> {
        let place = place.to_string_lossy().into_owned();
        self.ledger()
            .write_blocking(move |store| store.forget_archived(&place))
    }

    fn watch(&self, claim: &Claim, stamp: String, place: &Path) -> Result<(), LedgerError> {
        let archived = Archived {
            place: place.to_string_lossy().into_owned(),
            claim: claim.id,
            stamp,
            since: self.importer.submitter.now().boot,
        };
        self.ledger()
            .write_blocking(move |store| store.put_archived(&archived))
    }

    /// The original cannot be moved: it stays, and is not taken again. From `processing/` the next start moves it.
    fn leave(&self, claim: &Claim, in_place: bool, error: &io::Error) -> Result<(), FinishError> {
        tracing::warn!(sheet = claim.new.sheet_name, %error, "the original cannot be moved away; it is not taken again");
        let id = claim.id;
        self.ledger()
            .write_blocking(move |store| store.set_left_in_place(id, in_place))?;
        Ok(())
    }

    /// Rejects a taken sheet: out of `processing/`, with the reason beside it; that alone where somebody has taken the sheet
    /// away.
    pub fn reject(&self, claim: &Claim, why: &Rejection) -> Result<PathBuf, FinishError> {
        let new = &claim.new;
        self.take_back_result(claim)?;
        // A later look may have moved it since the claim was read.
        let moved = processing(self.folder, new);
        let original = if claim.left_in_place && !moved.exists() {
            PathBuf::from(&new.place)
        } else {
            moved
        };
        if claim.new.out_path.is_none() {
            self.put_rejected(claim, &original, why)?;
        }
        let id = claim.id;
        self.ledger()
            .write_blocking(move |store| store.set_claim_state(id, ClaimState::Rejected))?;
        tracing::warn!(
            sheet = new.sheet_name,
            code = why.code.name(),
            "rejected: {} {}",
            why.message,
            why.hint
        );
        Ok(self.folder.part("rejected"))
    }

    /// Removes the result of a sheet that waited: it says that the sheet will be sent, which is not so any more. One that a
    /// person has changed, or has open, stays. Before the sheet is rejected: killed in between, the next start comes here again.
    pub(super) fn take_back_result(&self, claim: &Claim) -> Result<(), FinishError> {
        let id = claim.id;
        let Some((path, hash)) = self.newest(claim)?.result else {
            return Ok(());
        };
        aside::remove(Path::new(&path), &hash, Owner::Claim(id))?;
        // Not before it is gone: by the ledger's word it is known for ours where it lies aside.
        self.ledger()
            .write_blocking(move |store| store.forget_result(id))?;
        Ok(())
    }

    fn put_rejected(&self, claim: &Claim, original: &Path, why: &Rejection) -> Result<(), FinishError> {
        let failed = |error| FinishError::place(original, error);
        let names = (claim.new.stem.as_str(), claim.new.sheet_name.as_str());
        if !is_there(original)? {
            return rejected::put_reason(self.folder, names, why).map_err(failed);
        }
        let spot = Spot::choose(self.folder, names, why).map_err(failed)?;
        let place = spot.target.clone();
        // As if it stood otherwise, so that its bytes are compared once: it may have changed in processing/.
        self.watch(claim, String::new(), &place)?;
        if let Err(error) = spot.put(original) {
            self.unwatch(&place)?;
            return Err(failed(error));
        }
        Ok(())
    }
}

/// Whether an original is where it was put. Where its folder is gone, as with a share that is away, it may be there all
/// the same.
fn is_there(original: &Path) -> Result<bool, FinishError> {
    match std::fs::symlink_metadata(original) {
        Ok(_file) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound && files::folder_of(original).is_dir() => {
            Ok(false)
        }
        Err(error) => Err(FinishError::place(original, error)),
    }
}
