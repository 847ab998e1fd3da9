//! The spool: copies of taken sheets on the local disk, named by the SHA-256 of their bytes. Only the copy is read.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

use super::look::Stamp;
use crate::ahead::both;
use crate::files;

pub use crate::files::open_plain;

/// How the names of copies begin that are not whole yet.
const TEMPORARY: &str = ".copy-";

/// How many bytes are read and written at once.
const AT_ONCE: usize = 256 << 10;

/// A copied file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// SHA-256 of its bytes, and its name in the spool.
    pub hash: String,
    /// Bytes.
    pub bytes: u64,
}

/// Why a file was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// It changed while it was copied, or it is gone: it is looked at again.
    #[error("{0} changed while it was copied")]
    Changed(PathBuf),
    /// It cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The spool cannot be written.
    #[error("cannot write the copy of {path} into the spool {spool}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The spool.
        spool: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Copies a file into the spool, synced, if it is and stays as its stamp says.
pub fn copy(path: &Path, stamp: &Stamp, spool: &Path) -> Result<Copied, CopyError> {
    let unread = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => CopyError::Changed(path.to_owned()),
        _ => CopyError::Read {
            path: path.to_owned(),
            source,
        },
    };
    let unwritten = |source| CopyError::Write {
        path: path.to_owned(),
        spool: spool.to_owned(),
        source,
    };
    let original = open_plain(path).map_err(unread)?;
    fs::create_dir_all(spool).map_err(unwritten)?;
    let staged = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempfile_in(spool)
        .map_err(unwritten)?;
    let mut reading = Reading {
        file: &original,
        failed: false,
    };
    // One that grows while it is copied has changed, and is copied no further.
    let most = stamp.size().saturating_add(1);
    write_all((&mut reading).take(most), staged.as_file()).map_err(|error| {
        if reading.failed {
            unread(error)
        } else {
            unwritten(error)
        }
    })?;
    let (hash, bytes) = sync_and_hash(staged.as_file()).map_err(unwritten)?;
    let still = original.metadata().map_err(unread)?;
    let at_its_place = fs::symlink_metadata(path).map_err(unread)?;
    if !stamp.is_still(&still) || !stamp.is_still(&at_its_place) || bytes != stamp.size() {
        return Err(CopyError::Changed(path.to_owned()));
    }
    crate::crash::point("spool-copied");
    let _kept = KEEPING.lock().unwrap_or_else(PoisonError::into_inner);
    let place = spool.join(&hash);
    match hash_of(&place) {
        Ok(found) if found == hash => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Ok(_) | Err(_) => {
            tracing::warn!(copy = %place.display(), "its bytes are not those that were taken; it is made anew");
            fs::remove_file(&place).map_err(unwritten)?;
        }
    }
    match files::place(staged, &place) {
        Ok(()) => Ok(Copied { hash, bytes }),
        // The same bytes were taken before: their copy is as good as new.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            touch(&place).map_err(unwritten)?;
            Ok(Copied { hash, bytes })
        }
        Err(error) => Err(unwritten(error)),
    }
}

/// Writes all that is read.
fn write_all(mut from: impl Read, to: &File) -> io::Result<()> {
    let mut to = BufWriter::with_capacity(AT_ONCE, to);
    io::copy(&mut from, &mut to)?;
    to.flush()
}

/// A file being copied, which knows whether an error of the copying is its own: a file that cannot be read is left alone,
/// and a spool that cannot be written ends everything.
struct Reading<'a> {
    file: &'a File,
    failed: bool,
}

impl Read for Reading<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer);
        self.failed = read.is_err();
        read
    }
}

/// Syncs a copy, and gives the SHA-256 and the number of its bytes: what is worked is what was hashed.
fn sync_and_hash(copy: &File) -> io::Result<(String, u64)> {
    (&*copy).rewind()?;
    // The disk is as slow as the hash, and asks nothing of the processor.
    let (hashed, synced) = both(|| files::hash(copy), || files::sync(copy));
    synced?;
    hashed
}

/// Held while a copy is made to stay, or removed: a sheet is claimed only after it was copied, and until then nothing
/// else says that its copy is needed. One process works a spool, see the ledger's lock.
static KEEPING: Mutex<()> = Mutex::new(());

/// A copy that was made or found within this time may belong to a sheet that is about to be claimed.
const JUST_COPIED: SignedDuration = SignedDuration::from_hours(1);

fn touch(copy: &Path) -> io::Result<()> {
    let times = rustix::fs::Timestamps {
        last_access: NOW,
        last_modification: NOW,
    };
    Ok(rustix::fs::utimensat(
        rustix::fs::CWD,
        copy,
        &times,
        rustix::fs::AtFlags::empty(),
    )?)
}

/// Stands for this moment in a call that sets times.
const NOW: rustix::fs::Timespec = rustix::fs::Timespec {
    tv_sec: 0,
    tv_nsec: rustix::fs::UTIME_NOW,
};

/// Removes the copies that nobody needs; gives how many. Only who holds the ledger may call it.
///
/// # Errors
/// The spool cannot be listed or a copy not removed, or what `is_needed` says of the SHA-256 of a copy's bytes.
pub fn remove_old<E: From<io::Error>>(
    spool: &Path,
    now: Timestamp,
    mut is_needed: impl FnMut(&str) -> Result<bool, E>,
) -> Result<usize, E> {
    let mut removed = 0;
    let entries = match fs::read_dir(spool) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error.into()),
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Anything else is somebody else's.
        let is_copy = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_copy || is_needed(&name)? {
            continue;
        }
        let _kept = KEEPING.lock().unwrap_or_else(PoisonError::into_inner);
        let made = Timestamp::from_second(entry.metadata()?.mtime()).unwrap_or(now);
        if now.duration_since(made) > JUST_COPIED {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// A place for an unfinished file of another kind; where a killed process leaves it, [`sweep`] removes it.
pub fn scratch(spool: &Path, name: &str) -> PathBuf {
    spool.join(format!("{TEMPORARY}{name}"))
}

/// Removes the unfinished copies of a killed process. Only who holds the ledger may call it.
pub fn sweep(spool: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(spool) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        // A workbook that was being saved to such a place is staged beside it.
        let is_unfinished = |prefix: &str| name.to_string_lossy().starts_with(prefix);
        if is_unfinished(TEMPORARY) || is_unfinished(files::TEMPORARY) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Opens a copy, if its bytes are those that were taken.
///
/// # Errors
/// It cannot be read, or its bytes have another SHA-256.
pub fn open_whole(copy: &Path, hash: &str) -> io::Result<File> {
    let mut file = open_plain(copy)?;
    let (found, _bytes) = files::hash(&file)?;
    if found != hash {
        let why = "its bytes are not those that were taken: is the disk failing?";
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    file.rewind()?;
    Ok(file)
}

/// The SHA-256 of a file's bytes.
pub fn hash_of(path: &Path) -> io::Result<String> {
    files::hash(open_plain(path)?).map(|(hash, _bytes)| hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_since_the_look_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let (path, spool) = (folder.path().join("a.csv"), folder.path().join("spool"));
        files::write_new(&path, b"one").unwrap();
        let stamp = Stamp::of(&fs::symlink_metadata(&path).unwrap());
        assert_eq!(copy(&path, &stamp, &spool).unwrap().bytes, 3);
        assert_eq!(
            copy(&path, &stamp, &spool).unwrap().bytes,
            3,
            "the same bytes again are no error"
        );
        fs::remove_file(&path).unwrap();
        assert!(matches!(copy(&path, &stamp, &spool), Err(CopyError::Changed(_))));
        files::write_new(&path, b"more").unwrap();
        assert!(matches!(copy(&path, &stamp, &spool), Err(CopyError::Changed(_))));
    }

    #[test]
    fn a_copy_that_is_not_what_was_taken_is_not_opened_and_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (path, spool) = (folder.path().join("a.csv"), folder.path().join("spool"));
        files::write_new(&path, b"one").unwrap();
        let stamp = Stamp::of(&fs::symlink_metadata(&path).unwrap());
        let hash = copy(&path, &stamp, &spool).unwrap().hash;
        let place = spool.join(&hash);
        let text = || io::read_to_string(open_whole(&place, &hash)?);
        assert_eq!(text().unwrap(), "one");
        files::write_over(&place, b"two").unwrap();
        assert_eq!(text().unwrap_err().kind(), io::ErrorKind::InvalidData);
        copy(&path, &stamp, &spool).unwrap();
        assert_eq!(text().unwrap(), "one");
        // One that cannot even be read.
        fs::remove_file(&place).unwrap();
        std::os::unix::fs::symlink("nowhere", &place).unwrap();
        assert!(text().is_err());
        copy(&path, &stamp, &spool).unwrap();
        assert_eq!(text().unwrap(), "one");
    }

    #[test]
    fn a_file_that_opens_and_cannot_be_read_is_no_trouble_of_the_spool() {
        let folder = tempfile::tempdir().unwrap();
        // A regular file that anybody may open, and nothing can be read at its beginning.
        let path = Path::new("/proc/self/mem");
        let stamp = Stamp::of(&fs::symlink_metadata(path).unwrap());
        let unread = copy(path, &stamp, &folder.path().join("spool")).unwrap_err();
        assert!(matches!(unread, CopyError::Read { .. }), "{unread:?}");
    }

    #[test]
    fn a_copy_is_removed_when_nobody_needs_it_and_it_was_not_just_made() {
        let folder = tempfile::tempdir().unwrap();
        let (path, spool) = (folder.path().join("a.csv"), folder.path().join("spool"));
        files::write_new(&path, b"one").unwrap();
        let stamp = Stamp::of(&fs::symlink_metadata(&path).unwrap());
        let hash = copy(&path, &stamp, &spool).unwrap().hash;
        files::write_new(&spool.join("README"), b"mine").unwrap();
        let made = fs::metadata(spool.join(&hash)).unwrap().mtime();
        let remove = |hours: i64, needed: bool| {
            let now = Timestamp::from_second(made + hours * 3600).unwrap();
            remove_old::<io::Error>(&spool, now, |_hash| Ok(needed)).unwrap()
        };
        assert_eq!((remove(2000, true), remove(0, false)), (0, 0));
        assert_eq!(remove(2, false), 1);
        assert!(!spool.join(&hash).exists());
        assert!(spool.join("README").exists());
        // Copied again, it is found again.
        assert_eq!(copy(&path, &stamp, &spool).unwrap().hash, hash);
    }

    #[test]
    fn what_a_killed_process_left_unfinished_is_swept_and_copies_stay() {
        let folder = tempfile::tempdir().unwrap();
        let place = scratch(folder.path(), "help-main.xlsx");
        let staged = files::stage(&place).unwrap().into_temp_path();
        files::write_new(&place, b"half").unwrap();
        for kept in ["0b5b", "README"] {
            files::write_new(&folder.path().join(kept), b"whole").unwrap();
        }
        sweep(folder.path()).unwrap();
        assert!(!staged.exists() && !place.exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_link_and_a_pipe_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link, pipe) = (
            folder.path().join("a"),
            folder.path().join("link"),
            folder.path().join("pipe"),
        );
        files::write_new(&target, b"1").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        assert!(open_plain(&target).is_ok() && open_plain(&link).is_err() && open_plain(&pipe).is_err());
    }
}
