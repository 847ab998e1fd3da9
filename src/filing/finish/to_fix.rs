//! The to-fix sheet put beside its result: once, and again where more rows have come to be fixed since.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::beside::Spot;
use super::{FinishError, Finisher, Place, Worked, is_untouched, scratch_in, source_of};
use crate::files;
use crate::import::sends;
use crate::inbox::spool;
use crate::ledger::record::{Claim, ClaimState};
use crate::result::{self, Title};

/// The to-fix sheet that a result names.
#[derive(Debug)]
pub(super) struct Listed {
    /// The name of its file.
    pub(super) name: Option<String>,
    /// Where it is, if it was written just now.
    pub(super) written: Option<PathBuf>,
}

impl Finisher<'_> {
    /// Has the to-fix sheet of an ended sheet hold the rows that are to be fixed now: more may have come to be, as those of
    /// an order that was approved and is refused. One that a person has in hand is left to them, and another one is put
    /// beside it unless rows have only gone. None is named where none lies there: a person may have moved it into the inbox.
    pub(super) fn list_to_fix(
        &self,
        claim: &Claim,
        (worked, title, rows): (&Worked, &Title, &[u32]),
        spot: &Spot,
        place: &Place<'_>,
    ) -> Result<Listed, FinishError> {
        let as_before = Ok(Listed {
            name: title.to_fix.clone(),
            written: None,
        });
        let is_ended = claim.state == ClaimState::Done && worked.waiting.is_none();
        if !is_ended || !sends(claim.new.purpose) || rows.is_empty() {
            return as_before;
        }
        let mut spot = spot.clone();
        if let Some(known) = &spot.known {
            let count = |holds: &str| holds.split(' ').next().and_then(|n| n.parse::<usize>().ok());
            // An older dropsheet has not noted what it holds.
            let Some(before) = count(&known.content).filter(|_n| known.content != holds(rows)) else {
                return as_before;
            };
            let is_in_hand = !is_untouched(&spot.path, &known.hash);
            if is_in_hand && rows.len() < before {
                return as_before;
            }
            if is_in_hand {
                spot.path = files::free_name(place.folder, place.name, place.suffix);
            }
            spot.is_there = false;
        } else if spot.is_there {
            return as_before;
        }
        let written = self.write_to_fix(claim, (worked, title, rows), &spot, place)?;
        let name = written.as_deref().and_then(Path::file_name);
        Ok(Listed {
            name: name.map(|name| name.to_string_lossy().into_owned()),
            written,
        })
    }

    /// Writes the to-fix sheet where there is something to fix and none lies there.
    pub(super) fn write_to_fix(
        &self,
        claim: &Claim,
        (worked, title, rows): (&Worked, &Title, &[u32]),
        spot: &Spot,
        place: &Place<'_>,
    ) -> Result<Option<PathBuf>, FinishError> {
        if spot.is_there {
            return Ok(Some(spot.path.clone()));
        }
        let (folder, sheet) = (place.folder, &claim.new.sheet_name);
        let catalog = self.catalog();
        let source = source_of(worked, catalog.as_deref());
        let scratch = scratch_in(folder, sheet)?;
        let new = scratch.path().join("to-fix");
        let listed = self
            .with_views(claim, worked, &mut |views| {
                result::write_to_fix(&source, views, title, rows, &new)
            })
            .map_err(|source| FinishError::result(sheet, folder, source))?;
        if listed == 0 {
            return Ok(None);
        }
        let mut spot = spot.clone();
        spot.holds = holds(rows);
        if let Some(known) = &spot.known
            && spot.path.exists()
            && !take_away(&spot.path, &known.hash, &scratch.path().join("before"))?
        {
            spot.path = files::free_name(place.folder, place.name, place.suffix);
        }
        self.put_beside(claim, &spot, &new, place).map(Some)
    }
}

/// What a to-fix sheet with these rows holds: how many, and which.
fn holds(rows: &[u32]) -> String {
    let mut which = Sha256::new();
    for row in rows {
        which.update(row.to_le_bytes());
    }
    format!("{} {}", rows.len(), files::hex_digest(which.finalize()))
}

/// Moves a file of dropsheet's own out of the way of a newer one; false, and it stays, where it is somebody else's by now.
fn take_away(path: &Path, hash: &str, aside: &Path) -> Result<bool, FinishError> {
    let failed = |error: io::Error| FinishError::place(path, error);
    files::move_new(path, aside).map_err(failed)?;
    // Only now can nobody write into it any more.
    let is_ours = spool::hash_of(aside).map_err(failed)? == hash;
    if !is_ours {
        files::move_new(aside, path).map_err(failed)?;
    }
    Ok(is_ours)
}
