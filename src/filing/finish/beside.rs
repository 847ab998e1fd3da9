//! The sheets that are put beside a result: the to-fix sheet and the SKU-map sheet. Where each was put, and what it holds,
//! is in the ledger, for in a folder of a person's another file may have its name.

use std::io;
use std::path::{Path, PathBuf};

use super::{Destination, FinishError, Finisher};
use crate::files;
use crate::inbox::spool;
use crate::ledger::LedgerError;
use crate::ledger::record::{Beside, Claim, ClaimState, OwnFile};

/// Noted of a sheet that was about to be put to its place: it holds no row that there is.
pub(super) const NOTHING: &str = "0";

/// Where a sheet beside a result is, or is to be put.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) which: Beside,
    /// The place; nothing stands there unless it is the sheet's own.
    pub(super) path: PathBuf,
    /// It is there.
    pub(super) is_there: bool,
    /// What was put there before.
    pub(super) known: Option<OwnFile>,
    /// What it holds, to know whether there is more by now; empty where that does not matter.
    pub(super) holds: String,
}

impl Spot {
    /// The name of its file.
    pub(super) fn name(&self) -> String {
        files::name_of(&self.path)
    }
}

impl Finisher<'_> {
    /// Where the sheet of this kind is that belongs beside a claim's result.
    pub(super) fn spot(
        &self,
        claim: &Claim,
        which: Beside,
        place: &Destination<'_>,
    ) -> Result<Spot, LedgerError> {
        let known = self
            .ledger()
            .read(|store| store.own_file(&claim.new.inbox, &which.key(claim.id)))?;
        let first = place.folder.join(format!("{}.{}", place.name, place.suffix));
        // In an inbox no other sheet's file has this stem, so that of an ended one is its own though nothing is noted.
        let is_old = claim.new.out_path.is_none() && claim.state == ClaimState::Done;
        let path = match &known {
            Some(known) => files::now_in(place.folder, &known.path),
            None if is_old => first,
            None => {
                return Ok(Spot {
                    which,
                    path: files::free_name(place.folder, place.name, place.suffix),
                    is_there: false,
                    known: None,
                    holds: String::new(),
                });
            }
        };
        Ok(Spot {
            which,
            is_there: path.exists(),
            path,
            known,
            holds: String::new(),
        })
    }

    /// Puts a written sheet to its spot, or to the next name where somebody was quicker. Gives where it is; what is about
    /// to be there is in the ledger before it is.
    pub(super) fn put_beside(
        &self,
        claim: &Claim,
        spot: &Spot,
        new: &Path,
        place: &Destination<'_>,
    ) -> Result<PathBuf, FinishError> {
        let hash = spool::hash_of(new).map_err(|error| FinishError::place(new, error))?;
        let mut path = spot.path.clone();
        // What it holds is noted when it is there: what a crash kept from its place is written again.
        let before = spot.known.as_ref().map(|known| known.content.clone());
        let before = before.unwrap_or_else(|| NOTHING.to_owned());
        loop {
            let file = OwnFile {
                path: path.to_string_lossy().into_owned(),
                hash: hash.clone(),
                content: before.clone(),
            };
            let told = OwnFile {
                content: spot.holds.clone(),
                ..file.clone()
            };
            self.note_beside(claim, spot.which, file)?;
            match files::move_new(new, &path) {
                Ok(()) => {
                    self.note_beside(claim, spot.which, told)?;
                    return Ok(path);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    path = files::free_name(place.folder, place.name, place.suffix);
                }
                Err(error) => return Err(FinishError::place(&path, error)),
            }
        }
    }

    /// Notes where the sheet of this kind is, and what it holds.
    pub(super) fn note_beside(&self, claim: &Claim, which: Beside, file: OwnFile) -> Result<(), LedgerError> {
        let (inbox, key) = (claim.new.inbox.clone(), which.key(claim.id));
        self.ledger()
            .write_blocking(move |store| store.set_own_file(&inbox, &key, &file))
    }
}
