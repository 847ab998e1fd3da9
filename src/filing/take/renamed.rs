//! Files whose names are not UTF-8, as older programs write them. Names of sheets are text, in the ledger and wherever a
//! sheet is told of: such a file gets a name that is before it is taken.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::free_path;
use crate::files;
use crate::inbox::look::{Look, look};

/// Looks at a folder of an inbox, and gives each file that may be taken a name that is text: it is seen under that name
/// from then on. One that cannot be renamed is left alone.
///
/// # Errors
/// As of [`look`].
pub(super) fn look_and_rename(part: &Path, inbox: &str) -> io::Result<Look> {
    let mut seen = look(part)?;
    let misnamed = take_misnamed(part, &mut seen);
    if misnamed.is_empty() {
        return Ok(seen);
    }
    let left: Vec<(PathBuf, String)> = misnamed
        .into_iter()
        .filter_map(|path| rename(part, &path, inbox).err().map(|why| (path, why)))
        .collect();
    let mut seen = look(part)?;
    // One that came between the two looks is the next one's.
    take_misnamed(part, &mut seen);
    seen.left_alone.extend(left);
    Ok(seen)
}

/// Takes those files out of what was seen whose paths in the folder are not text.
fn take_misnamed(part: &Path, seen: &mut Look) -> Vec<PathBuf> {
    let is_text = |path: &Path| path.strip_prefix(part).unwrap_or(path).to_str().is_some();
    let misnamed = seen.found.extract_if(.., |found| !is_text(&found.path));
    misnamed.map(|found| found.path).collect()
}

/// Renames a file within its folder; in the error, why it stays as it is.
fn rename(part: &Path, path: &Path, inbox: &str) -> Result<(), String> {
    let folder = files::folder_of(path);
    if folder.strip_prefix(part).unwrap_or(folder).to_str().is_none() {
        return Err("the name of its folder is not UTF-8: rename the folder".to_owned());
    }
    let to = free_path(folder, &as_text(path.file_name().unwrap_or_default()));
    files::move_new(path, &to)
        .map_err(|error| format!("its name is not UTF-8, and it cannot be renamed: {error}"))?;
    tracing::info!(
        inbox,
        from = %path.display(),
        to = %to.display(),
        "renamed: its name was not UTF-8"
    );
    Ok(())
}

/// A name with `_` for each piece of it that is not UTF-8.
fn as_text(name: &OsStr) -> String {
    let mut text = String::new();
    for piece in name.as_bytes().utf8_chunks() {
        text.push_str(piece.valid());
        if !piece.invalid().is_empty() {
            text.push('_');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_new;

    fn put(folder: &Path, name: &[u8]) -> PathBuf {
        let path = folder.join(OsStr::from_bytes(name));
        write_new(&path, name).unwrap();
        path
    }

    fn names(seen: &Look) -> Vec<&str> {
        let mut names: Vec<&str> = seen.found.iter().map(|found| found.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn what_is_not_utf_8_in_a_name_becomes_an_underscore_and_nothing_is_replaced() {
        let root = tempfile::tempdir().unwrap();
        put(root.path(), b"Auftr_ge.csv");
        put(root.path(), b"Auftr\xe4ge.csv");
        put(root.path(), b"Auftr\xf6ge.csv");
        put(root.path(), "Aufträge.csv".as_bytes());
        let seen = look_and_rename(root.path(), "main").unwrap();
        assert_eq!(
            names(&seen),
            ["Auftr_ge-2.csv", "Auftr_ge-3.csv", "Auftr_ge.csv", "Aufträge.csv"]
        );
        let there = std::fs::read(root.path().join("Auftr_ge.csv")).unwrap();
        assert_eq!(there, b"Auftr_ge.csv", "what had the name keeps it");
    }

    #[test]
    fn a_file_that_is_never_taken_keeps_its_name() {
        let root = tempfile::tempdir().unwrap();
        let temporary = put(root.path(), b"Auftr\xe4ge.csv.part");
        let open = put(root.path(), b"Auftr\xe4ge.xlsx");
        put(root.path(), b".~lock.Auftr\xe4ge.xlsx#");
        let seen = look_and_rename(root.path(), "main").unwrap();
        assert!(seen.found.is_empty());
        assert!(temporary.exists() && open.exists());
    }

    #[test]
    fn a_file_in_a_folder_whose_name_is_not_utf_8_is_left_alone_with_the_reason() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(OsStr::from_bytes(b"J\xfcrgen"));
        std::fs::create_dir(&folder).unwrap();
        let path = put(&folder, b"monday.csv");
        let seen = look_and_rename(root.path(), "main").unwrap();
        assert!(seen.found.is_empty());
        let [(left, why)] = &seen.left_alone[..] else {
            panic!("it is told once: {:?}", seen.left_alone);
        };
        assert_eq!(*left, path);
        assert!(why.contains("rename the folder"), "{why}");
    }
}
