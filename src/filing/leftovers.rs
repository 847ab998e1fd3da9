//! What a killed process left half done in an inbox's folders: temporary files, and files of dropsheet's own that were
//! moved aside while newer ones were to take their places.

use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};

use super::aside::{Aside, Named};
use super::finish::{FinishError, Finisher};
use super::take::{TakeError, claim_of};
use crate::files::{self, TEMPORARY};
use crate::inbox::Folder;
use crate::ledger::record::{Claim, ClaimRef, ClaimState};
use crate::ledger::{Ledger, LedgerError};

/// The folders that dropsheet writes into; in the others lie files of other people alone.
const WRITTEN: [&str; 6] = ["", "results", "held", "done", "rejected", "help"];

/// Removes what a killed process left. Only the process that holds the ledger may call it, before it works the folder.
///
/// # Errors
/// A folder cannot be listed, or the ledger not written. A file that cannot be seen to stays.
pub fn sweep(ledger: &Ledger, folder: &Folder) -> Result<(), TakeError> {
    WRITTEN
        .iter()
        .try_for_each(|part| sweep_folder(ledger, &folder.part(part)))
}

fn sweep_folder(ledger: &Ledger, folder: &Path) -> Result<(), TakeError> {
    let failed = |source| TakeError::Folder {
        path: folder.to_owned(),
        source,
    };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        match settle(ledger, &entry) {
            Err(TakeError::Folder { path, source }) => {
                tracing::warn!(?path, %source, "what a killed process left cannot be seen to; it stays");
            }
            settled => settled?,
        }
    }
    Ok(())
}

/// Sees to one file in a folder, if it is one that was left.
fn settle(ledger: &Ledger, entry: &DirEntry) -> Result<(), TakeError> {
    let failed = |source| TakeError::Folder {
        path: entry.path(),
        source,
    };
    let name = entry.file_name().to_string_lossy().into_owned();
    match Named::read(&name) {
        Some(Named::Claim(claim, hash)) => settle_aside(ledger, &entry.path(), claim, hash),
        Some(Named::Own(hash, own)) => settle_own_aside(&entry.path(), hash, own).map_err(failed),
        None if name.starts_with(TEMPORARY) => remove(entry).map_err(failed),
        None => Ok(()),
    }
}

/// The same beside the result of a sheet that is in no inbox. A folder that is gone is left at that.
///
/// # Errors
/// As [`sweep`].
pub fn sweep_beside(ledger: &Ledger, claim: &Claim) -> Result<(), TakeError> {
    let Some(out) = claim.new.out_path.as_deref().map(Path::new) else {
        return Ok(());
    };
    let folder = if out.is_dir() { out } else { files::folder_of(out) };
    if folder.is_dir() {
        sweep_folder(ledger, folder)?;
    }
    Ok(())
}

/// Moves the originals of ended sheets to `done/` that could not be moved there when their sheets ended; false where nothing
/// can be put there, and nothing was tried.
///
/// # Errors
/// The folder cannot be listed, or the ledger not kept. A file that still cannot be moved stays.
pub fn archive(finisher: &Finisher<'_>) -> Result<bool, TakeError> {
    // To try costs a reading of the whole original.
    if !files::may_be_written(&finisher.folder.part("done")) {
        return Ok(false);
    }
    let processing = finisher.folder.part("processing");
    let failed = |source| TakeError::Folder {
        path: processing.clone(),
        source,
    };
    for entry in std::fs::read_dir(&processing).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let claim = claim_of(finisher.ledger(), &finisher.inbox.name, &name.to_string_lossy())?;
        archive_done(finisher, claim.as_slice())?;
    }
    Ok(true)
}

/// The originals of ended sheets that still lie in `processing/`, and why: that one cannot be moved is nothing that a person
/// would see elsewhere.
///
/// # Errors
/// As [`archive`].
pub fn not_archived(finisher: &Finisher<'_>) -> Result<Vec<(PathBuf, String)>, TakeError> {
    let processing = finisher.folder.part("processing");
    let failed = |source| TakeError::Folder {
        path: processing.clone(),
        source,
    };
    let mut left = Vec::new();
    for entry in std::fs::read_dir(&processing).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let claim = claim_of(finisher.ledger(), &finisher.inbox.name, &name.to_string_lossy())?;
        if claim.is_some_and(|claim| claim.state == ClaimState::Done) {
            let why = "it is worked, and cannot be moved to done/: let dropsheet write there";
            left.push((entry.path(), why.to_owned()));
        }
    }
    Ok(left)
}

/// Moves the originals of those among these sheets that have ended from `processing/` to `done/`.
///
/// # Errors
/// The ledger cannot be kept. A file that cannot be moved stays.
pub fn archive_done(finisher: &Finisher<'_>, claims: &[Claim]) -> Result<(), TakeError> {
    for claim in claims.iter().filter(|claim| claim.state == ClaimState::Done) {
        match finisher.archive(claim) {
            Ok(()) => {}
            Err(FinishError::Ledger(error)) => return Err(error.into()),
            Err(error) => tracing::warn!(%error, sheet = claim.new.sheet_name, "its original stays"),
        }
    }
    Ok(())
}

fn remove(entry: &DirEntry) -> io::Result<()> {
    if entry.file_type()?.is_dir() {
        std::fs::remove_dir_all(entry.path())
    } else {
        std::fs::remove_file(entry.path())
    }
}

/// A result of dropsheet's own is written again, wherever the crash was; one that a person has changed goes back.
fn settle_aside(ledger: &Ledger, path: &Path, claim: ClaimRef, hash: &str) -> Result<(), TakeError> {
    let failed = |source| TakeError::Folder {
        path: path.to_owned(),
        source,
    };
    let (known, held) =
        ledger.read(|store| Ok::<_, LedgerError>((store.claim(claim)?, store.held_sheet(claim)?.own)))?;
    let result = known.and_then(|claim| claim.result);
    let is_held = held.as_ref().is_some_and(|(_place, of)| of == hash);
    let Some((place, _hash)) = held.filter(|_| is_held).or(result) else {
        // Of another ledger: not ours to touch.
        return Ok(());
    };
    let aside = Aside::left(path, &files::name_of(Path::new(&place)));
    if aside.hash().map_err(failed)? == hash {
        ledger.write_blocking(move |store| {
            if is_held {
                store.mark_held_sheet(claim)
            } else {
                store.mark_stale(claim)
            }
        })?;
        return aside.remove().map_err(failed);
    }
    aside.put_back().map(drop).map_err(failed)
}

/// A file of dropsheet's own is written again by itself; one that a person has changed goes back.
fn settle_own_aside(path: &Path, hash: &str, name: &str) -> io::Result<()> {
    let aside = Aside::left(path, name);
    if aside.hash()?.starts_with(hash) {
        return aside.remove();
    }
    aside.put_back().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filing::aside::Owner;
    use crate::ledger::record::NewClaim;

    #[test]
    fn a_file_of_our_own_aside_goes_and_one_that_a_person_has_changed_goes_back() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(root.path().join("orders"));
        folder.make().unwrap();
        let ledger = Ledger::open(&root.path().join("ledger.db"), "a test").unwrap();
        let path = folder.part("results").join("monday.to-fix.xlsx");
        let (hash, _bytes) = files::hash(&b"as written"[..]).unwrap();
        let left = Owner::Own.aside(&path, &hash);
        for (bytes, comes_back) in [(&b"as written"[..], false), (b"a person's", true)] {
            files::write_new(&left, bytes).unwrap();
            sweep(&ledger, &folder).unwrap();
            assert!(!left.exists());
            assert_eq!(std::fs::read(&path).ok(), comes_back.then(|| bytes.to_vec()));
        }
    }

    #[test]
    fn a_held_sheet_aside_is_written_again_or_goes_back_under_its_own_name() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(root.path().join("orders"));
        folder.make().unwrap();
        let held = folder.part("held");
        let ledger = Ledger::open(&root.path().join("ledger.db"), "a test").unwrap();
        let (hash, _bytes) = files::hash(&b"as written"[..]).unwrap();
        let (place, own) = (held.join("monday.held.xlsx"), hash.clone());
        let named = place.to_string_lossy().into_owned();
        let claim = ledger
            .write_blocking(move |store| {
                let account = store.account("main", "http://127.0.0.1:1", "shop@example.com")?;
                let claim = store.take(&NewClaim::sample(account, "monday", jiff::Timestamp::UNIX_EPOCH))?;
                store.set_held_sheet(claim, Some((&named, &own)))?;
                Ok::<_, LedgerError>(claim)
            })
            .unwrap();
        let left = Owner::Claim(claim).aside(&place, &hash);
        files::write_new(&left, b"as written").unwrap();
        sweep(&ledger, &folder).unwrap();
        assert!(!left.exists() && !place.exists());
        assert_eq!(ledger.read(|store| store.held_sheet(claim)).unwrap().stale, 1);
        files::write_new(&left, b"a person's").unwrap();
        sweep(&ledger, &folder).unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"a person's");
        assert!(!left.exists());
    }
}
