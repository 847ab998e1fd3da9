//! Originals that could not be moved to `processing/` when they were taken, and those whose move a crash has prevented.

use std::io;
use std::path::Path;

use super::{TakeError, Taker, is_open, place, processing};
use crate::files;
use crate::inbox::look::{Found, Stamp};
use crate::inbox::spool;
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimState, NewClaim};

impl Taker<'_> {
    /// A sheet that was worked where it lay, and does not lie there any more, may be dropped anew.
    pub(super) fn forget_gone(&self) -> Result<(), LedgerError> {
        for claim in self
            .ledger
            .read(|store| store.all_left_in_place(&self.inbox.name))?
        {
            let path = Path::new(&claim.new.place);
            let is_gone = std::fs::symlink_metadata(path)
                .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
                && files::folder_of(path).is_dir();
            if is_gone {
                self.ledger
                    .write_blocking(move |store| store.set_left_in_place(claim.id, false))?;
            }
        }
        Ok(())
    }

    /// The claim of a sheet that was worked where it lies. Rights that were mended since, or another number of its disk, make
    /// no other sheet of it: its bytes decide.
    pub(super) fn worked_here(&self, found: &Found) -> Result<Option<Claim>, LedgerError> {
        let mut left = self
            .ledger
            .read(|store| store.left_in_place(&place(&found.path)))?;
        let stamp = found.stamp.to_string();
        if let Some(at) = left.iter().position(|claim| claim.new.stamp == stamp) {
            return Ok(Some(left.swap_remove(at)));
        }
        left.retain(|claim| found.stamp.is_written_as(&claim.new.stamp));
        if left.is_empty() {
            return Ok(None);
        }
        // One that cannot be read is not taken either, which says why.
        let Ok(hash) = spool::hash_of(&found.path) else {
            return Ok(None);
        };
        let Some(same) = left.into_iter().find(|claim| claim.new.hash == hash) else {
            return Ok(None);
        };
        let id = same.id;
        self.ledger
            .write_blocking(move |store| store.set_stamp(id, &stamp))?;
        Ok(Some(same))
    }

    /// Moves an original away that could not be when it was taken, if that can be done by now: the rights to its folder may
    /// have been mended. That it cannot is in the list of what is left alone, and no news.
    pub(super) fn moves_now(&self, claim: &Claim) -> Result<bool, LedgerError> {
        let is_ours = is_open(claim) || claim.state == ClaimState::Done;
        let target = processing(self.folder, &claim.new);
        if !is_ours || files::move_new(Path::new(&claim.new.place), &target).is_err() {
            return Ok(false);
        }
        tracing::info!(sheet = claim.new.sheet_name, "it could be moved away by now");
        let id = claim.id;
        self.ledger
            .write_blocking(move |store| store.set_left_in_place(id, false))?;
        Ok(true)
    }

    /// After a start: moves the originals of claims whose move did not happen.
    pub fn finish_moves(&self) -> Result<(), TakeError> {
        let open: Vec<Claim> = self.ledger.read(|store| store.open_claims())?;
        for claim in open.iter().filter(|claim| claim.new.inbox == self.inbox.name) {
            if is_as_taken(&claim.new) && !claim.left_in_place && claim.new.out_path.is_none() {
                self.move_to_processing(claim.id, &claim.new)?;
            }
        }
        Ok(())
    }
}

/// Whether the original of a sheet lies where it was taken from, as it was taken.
fn is_as_taken(claim: &NewClaim) -> bool {
    let place = Path::new(&claim.place);
    std::fs::symlink_metadata(place).is_ok_and(|file| {
        let written = [Stamp::of(&file), Stamp::without_inode(&file)];
        Stamp::was(&claim.stamp, &file)
            || written.iter().any(|stamp| stamp.is_written_as(&claim.stamp))
                && spool::hash_of(place).is_ok_and(|hash| hash == claim.hash)
    })
}
