//! The originals of taken sheets in `processing/`: what they are called there, whose each is, and those that no claim
//! of this ledger has put there.

use std::path::{Path, PathBuf};

use super::{TakeError, Taker, free_path};
use crate::files;
use crate::inbox::names::{self, Name};
use crate::inbox::{Folder, ending};
use crate::ledger::record::{Claim, NewClaim, Purpose};
use crate::ledger::{Ledger, LedgerError};

/// What marks the original of a sheet that is only priced, so that it never gets among those that are sent.
const TRIED: &str = ".try";

/// A claim's original in `processing/`.
pub(in crate::filing) fn processing(folder: &Folder, claim: &NewClaim) -> PathBuf {
    original(folder, (&claim.stem, &claim.sheet_name), claim.purpose)
}

/// The original of a sheet with this stem and this name in `processing/`.
pub(super) fn original(folder: &Folder, (stem, sheet_name): (&str, &str), purpose: Purpose) -> PathBuf {
    let mark = if purpose == Purpose::Try { TRIED } else { "" };
    let name = format!("{stem}{mark}{}", ending(sheet_name));
    folder.part("processing").join(name)
}

/// The claim of an original in `processing/`, by its name. A sheet that is sent may be called as a priced one is
/// marked.
pub(in crate::filing) fn claim_of(
    ledger: &Ledger,
    inbox: &str,
    name: &str,
) -> Result<Option<Claim>, LedgerError> {
    let stem = name.strip_suffix(&ending(name)).unwrap_or(name);
    ledger.read(|store| {
        let tried = match stem.strip_suffix(TRIED) {
            Some(tried) => store.claim_of_stem(inbox, tried)?,
            None => None,
        };
        match tried.filter(|claim| claim.new.purpose == Purpose::Try) {
            Some(tried) => Ok(Some(tried)),
            None => store.claim_of_stem(inbox, stem),
        }
    })
}

impl Taker<'_> {
    /// The files in `processing/` that no claim of this ledger has put there: a sign that it is older than it thinks.
    pub fn unclaimed(&self) -> Result<Vec<PathBuf>, TakeError> {
        let processing = self.folder.part("processing");
        let failed = |source| TakeError::Folder {
            path: processing.clone(),
            source,
        };
        let mut unclaimed = Vec::new();
        for entry in std::fs::read_dir(&processing).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // A program that looks into an original leaves its lock beside it, and a folder view its thumbnails.
            let is_beside = matches!(names::judge(&name), Name::LeaveAlone(_));
            if is_beside || !entry.file_type().map_err(failed)?.is_file() {
                continue;
            }
            if claim_of(self.ledger, &self.inbox.name, &name)?.is_none() {
                unclaimed.push(entry.path());
            }
        }
        Ok(unclaimed)
    }

    /// Sends a file without a claim back to where such files are dropped.
    pub fn send_back(&self, file: &Path) -> Result<(), TakeError> {
        let name = files::name_of(file);
        let tried = name
            .strip_suffix(&ending(&name))
            .is_some_and(|stem| stem.ends_with(TRIED));
        let part = if tried { "try" } else { "inbox" };
        let back = free_path(&self.folder.part(part), &name);
        tracing::warn!(
            file = name,
            "it lies in processing/ and is unknown to the ledger; it goes back to {part}/"
        );
        files::move_new(file, &back).map_err(|source| TakeError::Folder {
            path: back.clone(),
            source,
        })
    }
}
