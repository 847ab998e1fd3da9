//! Whether a result is still as dropsheet wrote it: only then is it written again in its place.

use std::path::Path;

use crate::files;
use crate::inbox::{names, spool};

/// Whether a result is there, byte for byte as dropsheet wrote it, and not open in another program.
pub(in crate::import) fn is_untouched(path: &Path, hash: &str) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let is_open = std::fs::read_dir(files::folder_of(path)).is_ok_and(|entries| {
        entries
            .filter_map(Result::ok)
            .any(|entry| names::is_lock_of(&entry.file_name().to_string_lossy(), &name))
    });
    !is_open && spool::hash_of(path).is_ok_and(|found| found == hash)
}
