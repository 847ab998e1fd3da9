//! Files of dropsheet's own in `results/` that are written again and again: put over their earlier selves while those
//! are byte for byte as they were written and not open, else under a name that is free. One that was only open comes back to
//! its first name when it is closed.

mod earlier;

use std::path::{Path, PathBuf};

use super::aside::{self, Moved, Owner};
use super::finish::{FinishError, is_put, scratch_in};
use crate::files;
use crate::inbox::{is_open, spool};
use crate::ledger::record::OwnFile;
use crate::ledger::{Ledger, LedgerError};
use crate::result::ResultError;

/// A file of dropsheet's own.
#[derive(Debug)]
pub struct Paper<'a> {
    /// The inbox.
    pub inbox: &'a str,
    /// The folder that it is put into.
    pub folder: &'a Path,
    /// What it is, and its name: `attention`.
    pub name: &'a str,
    /// Its ending: `xlsx`.
    pub ending: &'a str,
    /// What it tells, to know whether that is new.
    pub content: &'a str,
    /// Whether it is written again when a person has removed it, though nothing is new.
    pub always: bool,
    /// The title of its workbook, where it always takes the place of one that no other program has saved, whoever's ledger
    /// has noted that.
    pub title: Option<&'a str>,
}

impl Paper<'_> {
    /// Writes the file where it tells something new. Gives where it is, if it was written. Waits for the disk.
    ///
    /// # Errors
    /// When it cannot be written; it is tried again.
    pub fn put(
        &self,
        ledger: &Ledger,
        write: impl FnOnce(&Path) -> Result<(), ResultError>,
    ) -> Result<Option<PathBuf>, FinishError> {
        let content = digest(self.content);
        let known = ledger.read(|store| store.own_file(self.inbox, self.name))?;
        let known = known.map(|known| OwnFile {
            path: files::now_in(self.folder, &known.path)
                .to_string_lossy()
                .into_owned(),
            ..known
        });
        let back = self.first_again(ledger, known.as_ref())?;
        let is_told = known.as_ref().is_some_and(|known| {
            known.content == content && (!self.always || Path::new(&known.path).exists())
        });
        if let Some(known) = known.as_ref().filter(|_known| is_told && back.is_none()) {
            self.end_earlier(ledger, Path::new(&known.path))?;
            return Ok(None);
        }
        let scratch = scratch_in(self.folder, self.name)?;
        let new = scratch.path().join("new");
        write(&new).map_err(|source| FinishError::result(self.name, self.folder, source))?;
        crate::crash::point("own-written");
        let hash = spool::hash_of(&new).map_err(|error| FinishError::place(&new, error))?;
        // The content is noted last: a file that a crash kept from its place is written again.
        let on_its_way = |path: &Path| OwnFile {
            path: path.to_string_lossy().into_owned(),
            hash: hash.clone(),
            content: String::new(),
        };
        // What is beside the next one has to be known to go later.
        let stays = |known: &&OwnFile| back.is_some() || is_open(Path::new(&known.path));
        if let Some(known) = known.as_ref().filter(stays) {
            self.note_earlier(ledger, known)?;
        }
        let before = back.as_ref().or(known.as_ref());
        let path = self.place(ledger, &new, before, &on_its_way)?;
        crate::crash::point("own-placed");
        let told = OwnFile {
            content,
            ..on_its_way(&path)
        };
        self.note(ledger, told)?;
        self.end_earlier(ledger, &path)?;
        Ok(Some(path))
    }

    fn note(&self, ledger: &Ledger, file: OwnFile) -> Result<(), LedgerError> {
        let (inbox, name) = (self.inbox.to_owned(), self.name.to_owned());
        ledger.write_blocking(move |store| store.set_own_file(&inbox, &name, &file))
    }

    fn place(
        &self,
        ledger: &Ledger,
        new: &Path,
        known: Option<&OwnFile>,
        on_its_way: &dyn Fn(&Path) -> OwnFile,
    ) -> Result<PathBuf, FinishError> {
        if let Some(known) = known {
            let path = PathBuf::from(&known.path);
            let failed = |error| FinishError::place(&path, error);
            let put = || {
                self.note(ledger, on_its_way(&path))?;
                crate::crash::point("own-aside");
                is_put(new, &path)
            };
            let is_put = match aside::take(&path, &known.hash, Owner::Own).map_err(failed)? {
                Moved::Gone | Moved::Theirs(_) => false,
                Moved::Ours(aside) => aside.replaced(put, || Ok(self.note(ledger, known.clone())?))?,
            };
            if is_put {
                return Ok(path);
            }
        }
        // A name may be taken between the look and the move: then the next one is tried.
        loop {
            let path = files::free_name(self.folder, self.name, self.ending);
            self.note(ledger, on_its_way(&path))?;
            if is_put(new, &path)? {
                return Ok(path);
            }
        }
    }
}

fn digest(content: &str) -> String {
    use sha2::Digest;
    files::hex_digest(sha2::Sha256::digest(content.as_bytes()))
}
