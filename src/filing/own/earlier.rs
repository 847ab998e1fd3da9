//! Earlier ones of a file of dropsheet's own that were open when there was news: the newest lies beside them under a number.
//! When the one with the first name is closed, and nobody has changed it, the newest takes its place, and those with numbers
//! go.

use std::path::{Path, PathBuf};

use super::{Paper, digest};
use crate::files;
use crate::filing::aside::{self, Owner};
use crate::filing::finish::{FinishError, is_untouched};
use crate::inbox::{is_open, spool};
use crate::ledger::record::OwnFile;
use crate::ledger::{Ledger, LedgerError};
use crate::result::is_unsaved;

impl Paper<'_> {
    /// The file with the first name as it was written last, where the newest has another one and the first is free to be
    /// written again, or to be written; none else.
    pub(super) fn first_again(
        &self,
        ledger: &Ledger,
        newest: Option<&OwnFile>,
    ) -> Result<Option<OwnFile>, LedgerError> {
        let first = self.folder.join(format!("{}.{}", self.name, self.ending));
        if newest.is_none_or(|newest| Path::new(&newest.path) == first) {
            return Ok(self.unnoted(&first, newest));
        }
        let is_gone = std::fs::symlink_metadata(&first)
            .is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
        if is_gone && self.folder.is_dir() {
            return Ok(Some(OwnFile {
                path: first.to_string_lossy().into_owned(),
                hash: String::new(),
                content: String::new(),
            }));
        }
        let mut earlier = self.earlier(ledger)?.into_iter();
        let known = earlier.find(|file| Path::new(&file.path) == first);
        let known = known.filter(|known| is_untouched(&first, &known.hash));
        Ok(known.or_else(|| self.unnoted(&first, None)))
    }

    /// The file with the first name where another ledger has noted it: it is dropsheet's own, and no other program has saved
    /// it. It is looked at only where this ledger has no news that lie there.
    fn unnoted(&self, first: &Path, newest: Option<&OwnFile>) -> Option<OwnFile> {
        let title = self.title?;
        let is_told = newest.is_some_and(|newest| newest.content == digest(self.content));
        if is_told || is_open(first) {
            return None;
        }
        let hash = aside::hash_if(first, |file| is_unsaved(file, title)).ok()??;
        let is_noted = newest.is_some_and(|newest| newest.hash == hash);
        (!is_noted).then(|| OwnFile {
            path: first.to_string_lossy().into_owned(),
            hash,
            content: String::new(),
        })
    }

    /// Notes the newest as one that may have to stay beside the next, where it is as it was written.
    pub(super) fn note_earlier(&self, ledger: &Ledger, newest: &OwnFile) -> Result<(), LedgerError> {
        if !is_as_written(newest) {
            return Ok(());
        }
        let mut earlier = self.earlier(ledger)?;
        earlier.retain(|file| file.path != newest.path);
        earlier.push(newest.clone());
        self.set_earlier(ledger, &earlier)
    }

    /// Removes those with numbers that nobody has open or has changed, where the newest has the first name again, and
    /// forgets what is not dropsheet's any more.
    pub(super) fn end_earlier(&self, ledger: &Ledger, newest: &Path) -> Result<(), FinishError> {
        let before = self.earlier(ledger)?;
        if before.is_empty() {
            return Ok(());
        }
        let is_first = newest == self.folder.join(format!("{}.{}", self.name, self.ending));
        let mut left = Vec::new();
        for file in &before {
            let path = PathBuf::from(&file.path);
            if path == newest || !is_as_written(file) {
                continue;
            }
            if !is_first || !aside::remove(&path, &file.hash, Owner::Own)? {
                left.push(file.clone());
            }
        }
        if left.len() < before.len() {
            self.set_earlier(ledger, &left)?;
        }
        Ok(())
    }

    fn earlier(&self, ledger: &Ledger) -> Result<Vec<OwnFile>, LedgerError> {
        let known = ledger.read(|store| store.own_file(self.inbox, &self.key()))?;
        let lines = known.map(|known| known.content).unwrap_or_default();
        let files = lines.lines().filter_map(|line| {
            let (hash, name) = line.split_once(' ')?;
            Some(OwnFile {
                path: files::now_in(self.folder, name).to_string_lossy().into_owned(),
                hash: hash.to_owned(),
                content: String::new(),
            })
        });
        Ok(files.collect())
    }

    fn set_earlier(&self, ledger: &Ledger, files: &[OwnFile]) -> Result<(), LedgerError> {
        let line = |file: &OwnFile| format!("{} {}", file.hash, file.path);
        let lines: Vec<String> = files.iter().map(line).collect();
        let file = OwnFile {
            path: String::new(),
            hash: String::new(),
            content: lines.join("\n"),
        };
        let (inbox, key) = (self.inbox.to_owned(), self.key());
        ledger.write_blocking(move |store| store.set_own_file(&inbox, &key, &file))
    }

    /// What names the list among the inbox's own files.
    fn key(&self) -> String {
        format!("earlier {}", self.name)
    }
}

fn is_as_written(file: &OwnFile) -> bool {
    spool::hash_of(Path::new(&file.path)).is_ok_and(|hash| hash == file.hash)
}
