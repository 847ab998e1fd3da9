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
use crate::causes;
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

/// A file of dropsheet's own that nothing needs any more cannot be removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// It lies where it was.
    #[error("cannot remove {path}, which is out of date; let dropsheet write there")]
    Stays {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It lies aside.
    #[error(
        "cannot remove {lies}, as which the earlier {home} was moved out of the way; let dropsheet write there"
    )]
    Aside {
        /// The file.
        lies: PathBuf,
        /// Where it was.
        home: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// A file that lies aside.
#[derive(Debug)]
#[must_use = "what lies aside is missed where people look for it"]
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

/// The hash of a file that turns out to be dropsheet's own: of what it held before that was looked at, so that [`take`] finds
/// a person's that takes its place meanwhile to be another. None where it is somebody else's.
///
/// # Errors
/// It cannot be read.
pub fn hash_if(path: &Path, is_ours: impl FnOnce(&Path) -> io::Result<bool>) -> io::Result<Option<String>> {
    let found = spool::hash_of(path)?;
    Ok(is_ours(path)?.then_some(found))
}

/// Removes a file if it is dropsheet's own, as [`take`] tells it; true where none lies there then.
///
/// # Errors
/// It cannot be moved, read or removed.
pub fn remove(path: &Path, hash: &str, owner: Owner) -> Result<bool, RemoveError> {
    let removed = match take(path, hash, owner) {
        Ok(Moved::Gone) => Ok(true),
        Ok(Moved::Theirs(_)) => Ok(false),
        Ok(Moved::Ours(aside)) => match std::fs::remove_file(&aside.lies) {
            Ok(()) => Ok(true),
            Err(error) => Err(aside.put_back_after(error)),
        },
        Err(error) => Err(error),
    };
    removed.map_err(|source| RemoveError::Stays {
        path: path.to_owned(),
        source,
    })
}

/// As [`take`], though somebody may write into it at this moment.
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

    /// Has a newer file put where this one was, and removes this one then. Where that fails this one is back there at once:
    /// an old one is better than none. What `put` may have noted of the newer one is not true then, so `note` notes this
    /// one again, before it can be taken for somebody else's.
    ///
    /// # Errors
    /// Why none could be put there; or it was, and this one cannot be removed.
    pub fn replaced<T, E>(
        self,
        put: impl FnOnce() -> Result<T, E>,
        note: impl FnOnce() -> Result<(), E>,
    ) -> Result<T, E>
    where
        E: From<RemoveError> + std::error::Error + 'static,
    {
        let failed = match put() {
            Ok(put) => {
                self.end()?;
                return Ok(put);
            }
            Err(failed) => failed,
        };
        match std::fs::symlink_metadata(&self.home) {
            // It is the newer one, and what failed came after; or somebody's own, which is never replaced.
            Ok(_there) => {
                if let Err(error) = self.end() {
                    tracing::warn!("{}", causes::chain(&error));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Err(error) = note() {
                    tracing::warn!(
                        file = %self.home.display(),
                        "it is put back, and cannot be noted as dropsheet's own again: {}",
                        causes::chain(&error)
                    );
                }
                self.put_back_or_say();
            }
            Err(error) => self.say_not_back(&error),
        }
        Err(failed)
    }

    /// Removes it: nothing needs it any more.
    ///
    /// # Errors
    /// Whatever the disk says.
    pub(super) fn remove(&self) -> io::Result<()> {
        std::fs::remove_file(&self.lies)
    }

    fn end(&self) -> Result<(), RemoveError> {
        self.remove().map_err(|source| RemoveError::Aside {
            lies: self.lies.clone(),
            home: self.home.clone(),
            source,
        })
    }

    /// Puts it back to where it was, or under the next free name where something has come to lie there; gives where it lies.
    ///
    /// # Errors
    /// Whatever the disk says; it stays aside.
    pub(super) fn put_back(&self) -> io::Result<PathBuf> {
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

    /// Puts it back for a reason, and gives that: it cannot be told whose it is, or not be removed.
    fn put_back_after(&self, why: io::Error) -> io::Error {
        self.put_back_or_say();
        why
    }

    fn put_back_or_say(&self) {
        if let Err(error) = self.put_back() {
            self.say_not_back(&error);
        }
    }

    fn say_not_back(&self, error: &io::Error) {
        tracing::warn!(
            file = %self.home.display(),
            lies = %self.lies.display(),
            %error,
            "a file is moved aside and cannot be put back; the next start sees to it"
        );
    }
}

#[cfg(test)]
mod tests;
