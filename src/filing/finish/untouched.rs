//! Whether a result is still as dropsheet wrote it: only then is it written again in its place.

use std::path::{Path, PathBuf};

use super::{FinishError, Worked};
use crate::inbox::{is_open, spool};
use crate::ledger::record::Claim;
use crate::result::{Counts, Title};

/// Whether a result is there, byte for byte as dropsheet wrote it, and not open in another program.
pub(in crate::filing) fn is_untouched(path: &Path, hash: &str) -> bool {
    !is_open(path) && spool::hash_of(path).is_ok_and(|found| found == hash)
}

/// Leaves the result of a sheet that waits as it lies, where nothing in it would be new but the time: such a sheet is
/// worked at every look. Gives where it lies and what it counts; none where it is to be written.
pub(super) fn left_as_it_lies(
    claim: &Claim,
    worked: &Worked,
    (title, again): (&Title, &Path),
    write: &dyn Fn(&Title, &Path) -> Result<Counts, FinishError>,
) -> Result<Option<(PathBuf, Counts)>, FinishError> {
    let Some(written_at) = claim.result_at.filter(|_at| worked.waiting.is_some()) else {
        return Ok(None);
    };
    let mut as_before = title.clone();
    as_before.written_at = written_at;
    let counts = write(&as_before, again)?;
    Ok(lies_there(claim, again).map(|path| (path, counts)))
}

/// Where a sheet's result lies, where it holds what was written here, byte for byte. Somebody may look at it.
fn lies_there(claim: &Claim, written: &Path) -> Option<PathBuf> {
    let (path, hash) = claim.result.as_ref()?;
    let is_same = |file: &Path| spool::hash_of(file).is_ok_and(|found| found == *hash);
    (is_same(written) && is_same(Path::new(path))).then(|| PathBuf::from(path))
}
