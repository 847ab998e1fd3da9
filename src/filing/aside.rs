//! A file of dropsheet's own taken out of the way of a newer one, or away for good. Whether a person has edited it is known
//! for certain only where nobody can write into it any more: it is moved aside first, under a hidden name, and looked at
//! there. What is not, byte for byte, what dropsheet wrote is put back, and replaces nothing.
//!
//! The hidden name tells whose file it is and what was written into it: what a killed process left aside is removed or put
//! back by the next one, see [`super::leftovers`].

use std::io;
use std::path::{Path, PathBuf};

use super::finish::is_untouched;
use super::take::free_path;
use crate::files::{self, TEMPORARY};
use crate::inbox::spool;
use crate::ledger::record::ClaimRef;

/// How the names of files that are moved aside end.
const ENDING: &str = ".old";

/// How the names of those that belong to no claim go on.
const OWN: &str = "own-";

/// Hexadecimal digits of a hash in a name that has to have room for another name: more than chance could meet.
const DIGITS: usize = 16;

/// What a file belongs to.
#[derive(Clone, Copy, Debug)]
pub enum Owner {
    /// A taken sheet, whose place for it is in the ledger: its result, or its held sheet.
    Claim(ClaimRef),
    /// No sheet that was taken: where it was is told by its name.
    Own,
}

impl Owner {
    /// Where a file waits while its successor takes its place.
    pub(super) fn aside(self, path: &Path, hash: &str) -> PathBuf {
        let name = match self {
            Self::Claim(claim) => format!("{TEMPORARY}{}-{hash}{ENDING}", claim.0),
            Self::Own => {
                let (name, hash) = (files::name_of(path), hash.get(..DIGITS).unwrap_or(hash));
                format!("{TEMPORARY}{OWN}{hash}-{name}{ENDING}")
            }
        };
        path.with_file_name(name)
    }
}

/// What the name of a file tells that was moved aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named<'a> {
    /// The sheet that it belongs to, and the hash of what was written.
    Claim(ClaimRef, &'a str),
    /// The beginning of that hash, and where it was.
    Own(&'a str, &'a str),
}

impl<'a> Named<'a> {
    /// Reads a name; none where it is not that of such a file.
    pub(super) fn read(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix(TEMPORARY)?.strip_suffix(ENDING)?;
        if let Some((hash, name)) = rest.strip_prefix(OWN).and_then(|own| own.split_once('-')) {
            return Some(Self::Own(hash, name));
        }
        let (claim, hash) = rest.split_once('-')?;
        Some(Self::Claim(ClaimRef(claim.parse().ok()?), hash))
    }
}

/// What came of taking a file away.
#[derive(Debug)]
pub enum Moved {
    /// None lies there: a person was quicker.
    Gone,
    /// It is dropsheet's own, and lies aside.
    Ours(Aside),
    /// It is somebody else's by now, open in another program, or cannot be read; where it lies.
    Theirs(PathBuf),
}

/// A file that lies aside.
#[derive(Debug)]
pub struct Aside {
    lies: PathBuf,
    /// Where it was.
    home: PathBuf,
}

/// Moves a file aside if it is byte for byte as it was written, with this hash, and nobody has it open. One that turns out
/// to be somebody else's, or that cannot be read, is put back.
///
/// # Errors
/// It cannot be moved or read, or not be put back.
pub fn take(path: &Path, hash: &str, owner: Owner) -> io::Result<Moved> {
    if is_untouched(path, hash) {
        return take_at_once(path, hash, owner);
    }
    Ok(if is_gone(path) {
        Moved::Gone
    } else {
        Moved::Theirs(path.to_owned())
    })
}

/// The same, though somebody may write into it at this moment.
fn take_at_once(path: &Path, hash: &str, owner: Owner) -> io::Result<Moved> {
    let aside = Aside {
        lies: owner.aside(path, hash),
        home: path.to_owned(),
    };
    match files::move_new(path, &aside.lies) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Moved::Gone),
        // Nothing has happened, unless it was moved though that was said to have failed; what lies in the way is another.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists || !is_gone(path) => return Err(error),
        Err(error) => return Err(aside.put_back_after(error)),
    }
    crate::crash::point("result-aside");
    match aside.hash() {
        Ok(found) if found == hash => Ok(Moved::Ours(aside)),
        Ok(_another) => aside.put_back().map(Moved::Theirs),
        Err(error) => Err(aside.put_back_after(error)),
    }
}

fn is_gone(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

impl Aside {
    /// One that a killed process has left, which was in the same folder under a name.
    pub(super) fn left(lies: &Path, name: &str) -> Self {
        Self {
            lies: lies.to_owned(),
            home: lies.with_file_name(name),
        }
    }

    /// The SHA-256 of what it holds.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn hash(&self) -> io::Result<String> {
        spool::hash_of(&self.lies)
    }

    /// Removes it.
    ///
    /// # Errors
    /// Whatever the disk says.
    pub fn remove(self) -> io::Result<()> {
        std::fs::remove_file(&self.lies)
    }

    /// Puts it back to where it was, or under the next free name where something has come to lie there; gives where it lies.
    ///
    /// # Errors
    /// Whatever the disk says; it stays aside.
    pub fn put_back(&self) -> io::Result<PathBuf> {
        let (folder, name) = (files::folder_of(&self.home), files::name_of(&self.home));
        loop {
            let back = free_path(folder, &name);
            match files::move_new(&self.lies, &back) {
                Ok(()) => return Ok(back),
                // A name may be taken between the look and the move: then the next one is tried.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Puts it back for a reason, and gives that: it cannot be told whose it is, or nothing can be put in its place.
    pub fn put_back_after(&self, why: io::Error) -> io::Error {
        if let Err(error) = self.put_back() {
            tracing::warn!(
                file = %self.home.display(),
                lies = %self.lies.display(),
                %error,
                "a file is moved aside and cannot be put back; the next start sees to it"
            );
        }
        why
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIM: Owner = Owner::Claim(ClaimRef(12));

    /// A file in a folder, and the hash of what was written there.
    fn written(bytes: &[u8]) -> (tempfile::TempDir, PathBuf, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("monday.result.csv");
        files::write_new(&path, bytes).unwrap();
        let (hash, _bytes) = files::hash(bytes).unwrap();
        (folder, path, hash)
    }

    fn names(folder: &tempfile::TempDir) -> Vec<String> {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| files::name_of(&entry.unwrap().path()))
            .collect();
        names.sort();
        names
    }

    /// Where it lies, of what was put back.
    fn theirs(moved: io::Result<Moved>) -> String {
        match moved.unwrap() {
            Moved::Theirs(path) => files::name_of(&path),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_name_of_a_file_aside_leads_back_to_its_owner_and_hash() {
        let name = |owner: Owner, path: &str, hash: &str| files::name_of(&owner.aside(Path::new(path), hash));
        let result = name(CLAIM, "results/monday.result.csv", "ab01");
        assert_eq!(result, ".dropsheet-12-ab01.old");
        assert_eq!(Named::read(&result), Some(Named::Claim(ClaimRef(12), "ab01")));
        let own = name(Owner::Own, "results/trackings-2026-11-21.xlsx", "ab01");
        assert_eq!(own, ".dropsheet-own-ab01-trackings-2026-11-21.xlsx.old");
        assert_eq!(
            Named::read(&own),
            Some(Named::Own("ab01", "trackings-2026-11-21.xlsx"))
        );
        // A name that a file may have leaves room for what is put before it.
        let (hash, _bytes) = files::hash(&b"as written"[..]).unwrap();
        let hash_begins: String = hash.chars().take(16).collect();
        let longest = format!("{}.to-fix.xlsx", "x".repeat(200));
        let own = name(Owner::Own, &longest, &hash);
        assert!(own.len() <= 255, "{}", own.len());
        assert_eq!(Named::read(&own), Some(Named::Own(&hash_begins, &longest)));
        for other in [
            ".dropsheet-Xy12Zz",
            ".dropsheet-1.old",
            ".dropsheet-x-ab.old",
            ".dropsheet",
        ] {
            assert_eq!(Named::read(other), None, "{other}");
        }
    }

    #[test]
    fn a_file_that_is_as_it_was_written_lies_aside_until_it_is_removed() {
        let (folder, path, hash) = written(b"own");
        let Moved::Ours(aside) = take(&path, &hash, CLAIM).unwrap() else {
            panic!("it is as it was written");
        };
        assert_eq!(names(&folder), [format!(".dropsheet-12-{hash}.old")]);
        aside.remove().unwrap();
        assert!(matches!(take(&path, &hash, CLAIM), Ok(Moved::Gone)));
        assert!(matches!(take_at_once(&path, &hash, CLAIM), Ok(Moved::Gone)));
        assert_eq!(names(&folder), [""; 0]);
    }

    #[test]
    fn a_file_that_is_a_persons_or_open_is_not_moved() {
        let (folder, path, hash) = written(b"a person's");
        let (other, _bytes) = files::hash(&b"own"[..]).unwrap();
        let same = names(&folder);
        assert_eq!(theirs(take(&path, &other, CLAIM)), same[0]);
        let lock = folder.path().join("~$nday.result.csv");
        files::write_new(&lock, b"").unwrap();
        assert_eq!(theirs(take(&path, &hash, CLAIM)), same[0]);
        std::fs::remove_file(lock).unwrap();
        assert!(matches!(take(&path, &hash, CLAIM), Ok(Moved::Ours(_))));
    }

    #[test]
    fn what_was_edited_in_the_last_moment_is_put_back_and_replaces_nothing() {
        let (folder, path, _hash) = written(b"a person's");
        let (own, _bytes) = files::hash(&b"own"[..]).unwrap();
        assert_eq!(theirs(take_at_once(&path, &own, CLAIM)), "monday.result.csv");
        assert_eq!(std::fs::read(&path).unwrap(), b"a person's");
        // Meanwhile a file may have come to lie in its place.
        let lies = CLAIM.aside(&path, &own);
        files::move_new(&path, &lies).unwrap();
        files::write_new(&path, b"another").unwrap();
        let back = Aside { lies, home: path }.put_back().unwrap();
        assert_eq!(files::name_of(&back), "monday.result-2.csv");
        assert_eq!(std::fs::read(back).unwrap(), b"a person's");
        assert_eq!(names(&folder), ["monday.result-2.csv", "monday.result.csv"]);
    }

    #[test]
    fn what_cannot_be_read_aside_is_put_back() {
        let (folder, path, hash) = written(b"own");
        let elsewhere = folder.path().join("elsewhere.csv");
        files::move_new(&path, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        for owner in [CLAIM, Owner::Own] {
            take_at_once(&path, &hash, owner).unwrap_err();
            assert_eq!(names(&folder), ["elsewhere.csv", "monday.result.csv"]);
        }
    }

    #[test]
    fn what_lies_aside_already_is_in_the_way_and_stays() {
        let (_folder, path, hash) = written(b"own");
        let lies = CLAIM.aside(&path, &hash);
        files::write_new(&lies, b"an earlier one").unwrap();
        let error = take(&path, &hash, CLAIM).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&path).unwrap(), b"own");
        assert_eq!(std::fs::read(&lies).unwrap(), b"an earlier one");
    }
}
