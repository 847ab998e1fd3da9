//! The state on disk: one JSON line for each thing that changed, the last word about it counting. Enough to stop the
//! sandbox and start it again with its orders; it is not synced, for a sandbox promises nobody's money.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::operation::Hook;
use super::order::Order;
use super::state::Registration;

/// Something that changed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Entry {
    /// An order, as it now is.
    Order(Box<Order>),
    /// A token, and when it ends.
    Token(String, Option<Timestamp>),
    /// All tokens ended.
    TokensEnded,
    /// A registration, or none any more.
    Hook(Hook, Option<Registration>),
}

/// An open journal.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens or makes a journal, and reads what it holds.
    ///
    /// # Errors
    /// What the disk says, or `InvalidData` with the line's number. A last line without its end is cut off: the
    /// sandbox was killed amid it.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, Vec<Entry>)> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let mut reader = BufReader::new(&file);
        let (mut entries, mut line, mut whole) = (Vec::new(), String::new(), 0_u64);
        loop {
            line.clear();
            let read = reader.read_line(&mut line)?;
            if !line.ends_with('\n') {
                break;
            }
            let entry = serde_json::from_str(&line).map_err(|error| {
                let place = format!("{}, line {}: {error}", path.display(), entries.len() + 1);
                io::Error::new(io::ErrorKind::InvalidData, place)
            })?;
            entries.push(entry);
            whole += u64::try_from(read).map_err(io::Error::other)?;
        }
        file.set_len(whole)?;
        let path = path.to_owned();
        Ok((Self { file, path }, entries))
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reopened(text: &str) -> io::Result<(Journal, Vec<Entry>)> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("state");
        File::create(&path)?.write_all(text.as_bytes())?;
        Journal::open(&path)
    }

    #[test]
    fn a_line_cut_by_a_kill_is_left_out_and_overwritten() {
        let (mut journal, entries) = reopened("\"tokens_ended\"\n{\"token\":[\"a").unwrap();
        assert!(matches!(entries[..], [Entry::TokensEnded]));
        journal.add(&Entry::TokensEnded).unwrap();
        assert_eq!(journal.file.metadata().unwrap().len(), 2 * 15);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_an_error_with_its_number() {
        let error = reopened("\"tokens_ended\"\n{\"sheet\":1}\n").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
