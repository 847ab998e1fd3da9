//! Files that are not worked: moved to `rejected/`, each with a text beside it that carries its name and says why.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::take::SAME_STEMS;
use crate::files::{self, plain};
use crate::finding::Rejection;
use crate::inbox::look::Found;
use crate::inbox::{Folder, ending, spool};

/// Moves a file to `rejected/` and writes the reason beside it, for a person. Gives where it lies then.
fn put_rejected(
    folder: &Folder,
    from: &Path,
    stem: &str,
    name: &str,
    why: &Rejection,
) -> io::Result<PathBuf> {
    Spot::choose(folder, (stem, name), why)?.put(from)
}

/// Writes the reason alone, of a file that is gone. Where one of its name lies there, it was put there before, with its
/// reason.
pub(super) fn put_reason(folder: &Folder, (stem, name): (&str, &str), why: &Rejection) -> io::Result<()> {
    let target = folder.part("rejected").join(format!("{stem}{}", ending(name)));
    if std::fs::symlink_metadata(target).is_ok() {
        return Ok(());
    }
    Spot::choose(folder, (stem, name), why).map(drop)
}

/// A file that was rejected without being taken.
#[derive(Clone, Debug)]
pub struct RejectedFile {
    /// Where it came.
    pub from: PathBuf,
    /// Where it lies now.
    pub place: PathBuf,
    /// Why, and what to do.
    pub why: String,
}

impl RejectedFile {
    /// Puts a file into `rejected/` under a stem; in the error, that it stays, and why.
    pub(super) fn put(
        folder: &Folder,
        found: &Found,
        why: &Rejection,
        stem: &str,
    ) -> Result<Self, (PathBuf, String)> {
        let from = found.path.clone();
        match put_rejected(folder, &from, stem, &found.name, why) {
            Ok(place) => Ok(Self {
                from,
                place,
                why: why.to_string(),
            }),
            Err(error) => Err((from, format!("{why} It cannot be moved away: {error}"))),
        }
    }

    /// Its name as it came.
    pub fn name(&self) -> String {
        files::name_of(&self.from)
    }

    /// Its name in `rejected/`, which no other file has.
    pub fn name_there(&self) -> String {
        files::name_of(&self.place)
    }
}

/// A place in `rejected/` beside which the reason is written already.
#[derive(Debug)]
pub(super) struct Spot {
    /// Where the file goes.
    pub(super) target: PathBuf,
    reason: PathBuf,
}

impl Spot {
    /// Moves the file there, and gives where it lies then.
    pub(super) fn put(self, from: &Path) -> io::Result<PathBuf> {
        if let Err(error) = files::move_new(from, &self.target) {
            // It is tried again at each look, and by another name.
            std::fs::remove_file(&self.reason)?;
            return Err(error);
        }
        Ok(self.target)
    }

    /// Writes the reason beside the first place that is free.
    pub(super) fn choose(folder: &Folder, (stem, name): (&str, &str), why: &Rejection) -> io::Result<Self> {
        let rejected = folder.part("rejected");
        let text = format!(
            "{} was not worked, and nothing of it was sent.\r\n\r\n{}\r\n{}\r\n\r\nCode: {} (dropsheet explain {})\r\n",
            plain(name),
            plain(&why.message),
            plain(&why.hint),
            why.code,
            why.code
        );
        let mut number = 1;
        loop {
            // Both carry one name, by which a person finds the reason: it is that of no other file.
            let own = if number == 1 {
                stem.to_owned()
            } else {
                format!("{stem}-{number}")
            };
            let target = rejected.join(format!("{own}{}", ending(name)));
            let reason = rejected.join(format!("{own}.error.txt"));
            if std::fs::symlink_metadata(&target).is_err() && is_written(&reason, text.as_bytes())? {
                return Ok(Self { target, reason });
            }
            number += 1;
            if number > SAME_STEMS {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
        }
    }
}

/// Longer than any reason.
const LONGEST: u64 = 64 * 1024;

/// Writes a reason, unless another stands there: false then. The same one was written at an earlier try.
fn is_written(reason: &Path, text: &[u8]) -> io::Result<bool> {
    match files::write_new(reason, text) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let mut there = Vec::new();
            // It may be anything, by somebody else.
            let read = spool::open_plain(reason).and_then(|file| file.take(LONGEST).read_to_end(&mut there));
            Ok(read.is_ok() && there == text)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;

    fn why(message: &str) -> Rejection {
        Rejection {
            code: Code::UnknownEnding,
            message: message.to_owned(),
            hint: "Drop another.".to_owned(),
        }
    }

    #[test]
    fn each_rejected_file_has_a_reason_of_its_own_that_carries_its_name() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(root.path().to_owned());
        folder.make().unwrap();
        let reject = |name: &str, message: &str| {
            let from = folder.part("inbox").join(name);
            files::write_new(&from, b"x").unwrap();
            let place = put_rejected(&folder, &from, "0914_mon", name, &why(message)).unwrap();
            let reason = std::fs::read_to_string(place.with_extension("error.txt")).unwrap();
            assert!(reason.starts_with(name) && reason.contains(message), "{reason}");
            place.file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(reject("mon.pdf", "No sheet."), "0914_mon.pdf");
        assert_eq!(reject("mon.csv", "No header."), "0914_mon-2.csv");
        assert_eq!(reject("mon.csv", "No header."), "0914_mon-3.csv");
        assert_eq!(reject("mon.doc", "No sheet."), "0914_mon-4.doc");
    }

    #[test]
    fn a_file_that_could_not_be_moved_away_leaves_no_reason_behind() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(root.path().to_owned());
        folder.make().unwrap();
        let gone = folder.part("inbox").join("mon.csv");
        for _try in 0..3 {
            put_rejected(&folder, &gone, "0914_mon", "mon.csv", &why("No header.")).unwrap_err();
        }
        assert_eq!(std::fs::read_dir(folder.part("rejected")).unwrap().count(), 0);
    }

    #[test]
    fn the_reason_of_a_file_that_is_gone_is_written_once_and_not_beside_one_that_was_put_there() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(root.path().to_owned());
        folder.make().unwrap();
        let there = || {
            let files = std::fs::read_dir(folder.part("rejected")).unwrap();
            let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let put_reason = |stem| put_reason(&folder, (stem, "mon.csv"), &why("No header.")).unwrap();
        for _killed_in_between in 0..2 {
            put_reason("0914_mon");
            assert_eq!(there(), ["0914_mon.error.txt"]);
        }
        let from = folder.part("inbox").join("mon.csv");
        files::write_new(&from, b"x").unwrap();
        put_rejected(&folder, &from, "0915_mon", "mon.csv", &why("No header.")).unwrap();
        put_reason("0915_mon");
        assert_eq!(
            there(),
            ["0914_mon.error.txt", "0915_mon.csv", "0915_mon.error.txt"]
        );
    }
}
