//! Files that appear whole and moves that replace nothing.
//!
//! A file is written beside its place under a hidden name, synced, and renamed without replacing; then its folder is
//! synced. A reader never sees half of it, and a file of somebody else's is never overwritten.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use rustix::fs::{CWD, Mode, OFlags, RenameFlags};
use sha2::{Digest, Sha256};

/// How the names of dropsheet's own unfinished files and folders begin: what is left of them after a crash is removed.
pub const TEMPORARY: &str = ".dropsheet-";

/// A digest's bytes as lower-case hexadecimal digits, two a byte.
pub fn hex_digest(digest: impl AsRef<[u8]>) -> String {
    HEXLOWER.encode(digest.as_ref())
}

/// Reads to the end and gives the SHA-256 and the number of bytes.
pub fn hash(mut reader: impl Read) -> io::Result<(String, u64)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 128 * 1024];
    let mut bytes = 0_u64;
    loop {
        let read = match reader.read(&mut buffer) {
            Ok(0) => return Ok((hex_digest(hasher.finalize()), bytes)),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(buffer.get(..read).unwrap_or_default());
        bytes = bytes.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
    }
}

/// Opens a regular file, where links lead to one. A pipe is not waited for: nobody may ever write into it.
///
/// # Errors
/// `InvalidInput` when it is something else; else whatever the disk says.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open(path, OFlags::empty())
}

/// The same without following a link.
///
/// # Errors
/// As [`open_regular`].
pub fn open_plain(path: &Path) -> io::Result<File> {
    open(path, OFlags::NOFOLLOW)
}

fn open(path: &Path, links: OFlags) -> io::Result<File> {
    let flags = links | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no regular file",
        ))
    }
}

/// The bytes of a regular file.
///
/// # Errors
/// As [`open_regular`].
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a whole new file at `path`, by way of a hidden file beside it.
///
/// # Errors
/// `AlreadyExists` when something stands there already; else whatever the disk says.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let staged = stage(path)?;
    staged.as_file().write_all(bytes)?;
    place(staged, path)
}

/// Writes a whole file at `path`, in place of dropsheet's own earlier one.
///
/// # Errors
/// Whatever the disk says.
pub fn write_over(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let staged = stage(path)?;
    staged.as_file().write_all(bytes)?;
    sync(staged.as_file())?;
    crate::crash::fails("file-replace")?;
    staged.persist(path).map_err(|failed| failed.error)?;
    sync_folder(folder_of(path))
}

/// Writes over what stands in a file of dropsheet's own, within the room on the disk that it has already: for what has to
/// be said where the disk is full, and [`write_over`] finds no room.
///
/// # Errors
/// `StorageFull` when it needs more room; else whatever the disk says, such as that there is no such file.
pub fn write_within(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let there = file.metadata()?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if !there.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if there.blocks().saturating_mul(512) < length {
        return Err(io::ErrorKind::StorageFull.into());
    }
    file.write_all(bytes)?;
    file.set_len(length)?;
    sync(&file)
}

/// A hidden, empty file beside `path`, removed again unless it is placed.
pub fn stage(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let suffix = path
        .extension()
        .map_or_else(String::new, |ending| format!(".{}.tmp", ending.to_string_lossy()));
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY).suffix(&suffix);
    // As other programs make files: readable by whom the umask lets, for accountants read what the daemon writes.
    builder.permissions(fs::Permissions::from_mode(0o666));
    builder.tempfile_in(folder_of(path))
}

/// Syncs a staged file and moves it to its place without replacing anything.
///
/// # Errors
/// `AlreadyExists` when something stands there already; else whatever the disk says.
pub fn place(staged: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    sync(staged.as_file())?;
    let staged = staged.into_temp_path();
    move_new(&staged, path)?;
    // It has another name now, so there is nothing left to remove.
    staged.keep().map(drop).map_err(|kept| kept.error)
}

/// Moves a file without replacing anything, and syncs both folders.
///
/// # Errors
/// `AlreadyExists` when something stands at `to`; else whatever the disk says.
pub fn move_new(from: &Path, to: &Path) -> io::Result<()> {
    crate::crash::fails("file-move")?;
    match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => {}
        // Some network file systems know no rename without replacing: a link to the new name refuses to replace too.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP) => {
            move_without_flag((from, to), |path| fs::remove_file(path))?;
        }
        Err(error) => return Err(error.into()),
    }
    sync_folder(folder_of(to))?;
    if folder_of(from) != folder_of(to) {
        sync_folder(folder_of(from))?;
    }
    Ok(())
}

/// A move by a link to the new name, whose old name is taken away by `unlink`. Where that fails the file has its old name
/// alone, and nothing has happened.
fn move_without_flag((from, to): (&Path, &Path), unlink: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => unlink(from).inspect_err(|_first| {
            if let Err(error) = unlink(to) {
                tracing::warn!(from = %from.display(), to = %to.display(), %error, "a file has two names now");
            }
        }),
        // One that was killed between the two.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_one_file(from, to) => unlink(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // No links either: look, then rename. Only another program that takes the very name in between could lose.
        Err(_no_links) => {
            if fs::symlink_metadata(to).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            #[expect(clippy::disallowed_methods, reason = "this is the file that moves belong to")]
            fs::rename(from, to)
        }
    }
}

/// Whether two names are those of one file.
fn is_one_file(one: &Path, other: &Path) -> bool {
    let of = |path: &Path| fs::symlink_metadata(path).map(|file| (file.dev(), file.ino(), file.nlink()));
    matches!((of(one), of(other)), (Ok(one), Ok(other)) if one == other && one.2 > 1)
}

/// Makes a file's bytes durable.
///
/// # Errors
/// Whatever the disk says.
pub fn sync(file: &File) -> io::Result<()> {
    crate::crash::fails("file-sync")?;
    file.sync_all()
}

/// Makes a folder's entries durable where its file system can: some network mounts refuse, and are left at that, as is a
/// folder that this user may write into and not list.
///
/// # Errors
/// An I/O error of the disk.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    crate::crash::fails("folder-sync")?;
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}

/// The kind of network file system that a path lies on, if it does. One that cannot be asked counts as local.
pub fn network_mount(path: &Path) -> Option<&'static str> {
    match rustix::fs::statfs(path) {
        Ok(stat) => network_kind(stat.f_type),
        Err(_no_answer) => None,
    }
}

/// The name of a network file system by the magic number that `statfs` gives (see `statfs(2)`).
pub fn network_kind(magic: i64) -> Option<&'static str> {
    match magic {
        0x6969 => Some("NFS"),
        0xFF53_4D42 | 0xFE53_4D42 | 0x517B => Some("SMB"),
        0x6573_5546 => Some("FUSE"),
        0x0102_1997 => Some("9p"),
        0x00C3_6400 => Some("Ceph"),
        0x5346_414F => Some("AFS"),
        _ => None,
    }
}

/// The room on a disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Free for dropsheet's user.
    pub free: u64,
    /// In all.
    pub total: u64,
}

/// A disk with less room than this is nearly full, however large it is; of a smaller one it is a tenth.
const LEAST_ROOM: u64 = 1 << 30;

impl Room {
    /// Whether the next sheets may not fit: less than a tenth of the disk is free, and less than a gibibyte.
    pub fn is_nearly_full(self) -> bool {
        self.free < LEAST_ROOM.min(self.total / 10)
    }
}

/// The room on the disk of a path; none where the file system does not tell.
pub fn room(path: &Path) -> Option<Room> {
    let Ok(disk) = rustix::fs::statvfs(path) else {
        return None;
    };
    Some(Room {
        free: disk.f_bavail.saturating_mul(disk.f_frsize),
        total: disk.f_blocks.saturating_mul(disk.f_frsize),
    })
}

/// Whether this user may make files in a folder.
pub fn may_be_written(folder: &Path) -> bool {
    let access = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    rustix::fs::accessat(CWD, folder, access, rustix::fs::AtFlags::EACCESS).is_ok()
}

/// Those of some files that this user cannot read and write, and why; nothing of one that is not there. None is opened: to
/// close a database's file again would let go of this process's locks on it.
pub fn closed(files: impl IntoIterator<Item = PathBuf>) -> Vec<(PathBuf, io::Error)> {
    let access = rustix::fs::Access::READ_OK | rustix::fs::Access::WRITE_OK;
    let tried = files.into_iter().filter_map(|path| {
        let error = rustix::fs::accessat(CWD, &path, access, rustix::fs::AtFlags::EACCESS).err()?;
        Some((path, io::Error::from(error)))
    });
    tried
        .filter(|(_path, error)| error.kind() != io::ErrorKind::NotFound)
        .collect()
}

/// A path's last name, as text; empty where it has none.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A text of somebody else's on one line, without what a terminal would obey, and without what turns the order of letters
/// round.
pub fn plain(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars()
        .map(|c| if c.is_control() || turns(c) { ' ' } else { c })
        .collect()
}

/// The folder that a path lies in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The first of `NAME.END`, `NAME-2.END`, `NAME-3.END`, … that is free in a folder, for a whole ending such as
/// `result.xlsx`; a name may have none.
pub fn free_name(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let dot = if ending.is_empty() { "" } else { "." };
    let first = folder.join(format!("{name}{dot}{ending}"));
    if fs::symlink_metadata(&first).is_err() {
        return first;
    }
    (2..u32::MAX)
        .map(|n| folder.join(format!("{name}-{n}{dot}{ending}")))
        .find(|path| fs::symlink_metadata(path).is_err())
        .unwrap_or(first)
}

/// Where a file of dropsheet's own lies that was last written to `path`: in its folder, which may have been moved since,
/// or copied to where it is worked now.
pub fn now_in(folder: &Path, path: &str) -> PathBuf {
    folder.join(Path::new(path).file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_name_is_numbered_with_and_without_an_ending() {
        let folder = tempfile::tempdir().unwrap();
        for (stem, ending, names) in [
            ("a", "csv", ["a.csv", "a-2.csv"]),
            ("README", "", ["README", "README-2"]),
        ] {
            for name in names {
                let free = free_name(folder.path(), stem, ending);
                assert_eq!(free, folder.path().join(name));
                write_new(&free, b"").unwrap();
            }
        }
    }

    #[test]
    fn a_new_file_never_replaces_one_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write_new(&path, b"mine").unwrap();
        let error = write_new(&path, b"theirs").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "nothing staged is left"
        );
    }

    #[test]
    fn a_file_is_written_over_within_its_room_and_no_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.txt"), folder.path().join("link"));
        let gone = write_within(&path, b"1").unwrap_err();
        assert_eq!(gone.kind(), io::ErrorKind::NotFound, "none is made");
        write_new(&path, b"all is well, and has been for a while").unwrap();
        write_within(&path, b"it has stopped").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"it has stopped");
        let large = vec![b'x'; 1 << 20];
        let full = write_within(&path, &large).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(write_within(&link, b"2").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"it has stopped");
    }

    /// What lies in a folder: names with bytes.
    fn lies(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<_> = entries
            .map(|path| (name_of(&path), fs::read(path).unwrap()))
            .collect();
        all.sort();
        all
    }

    #[test]
    fn a_move_without_the_flag_replaces_nothing_and_is_whole_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let moved = |unlink: fn(&Path) -> io::Result<()>| move_without_flag((&from, &to), unlink);
        let unlink = |path: &Path| fs::remove_file(path);
        write_new(&from, b"1").unwrap();
        write_new(&to, b"2").unwrap();
        assert_eq!(moved(unlink).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let both = [
            ("from".to_owned(), b"1".to_vec()),
            ("to".to_owned(), b"2".to_vec()),
        ];
        assert_eq!(lies(folder.path()), both);

        // A folder may let a file be linked, and not be taken out of it.
        fs::remove_file(&to).unwrap();
        let sticks = |path: &Path| match name_of(path).as_str() {
            "from" => Err(io::ErrorKind::PermissionDenied.into()),
            _ => fs::remove_file(path),
        };
        assert_eq!(moved(sticks).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(lies(folder.path()), both[..1]);

        // Killed with both names, it is done when it is done again.
        fs::hard_link(&from, &to).unwrap();
        moved(unlink).unwrap();
        assert_eq!(lies(folder.path()), [("to".to_owned(), b"1".to_vec())]);
        write_new(&from, b"3").unwrap();
        fs::remove_file(&to).unwrap();
        moved(unlink).unwrap();
        assert_eq!(lies(folder.path()), [("to".to_owned(), b"3".to_vec())]);
    }

    #[test]
    fn a_disk_is_nearly_full_below_a_tenth_and_below_a_gibibyte() {
        const GIB: u64 = 1 << 30;
        for (free, total, is) in [
            (GIB - 1, 100 * GIB, true),
            (GIB, 100 * GIB, false),
            (GIB / 20, GIB, true),
            (GIB / 5, GIB, false),
        ] {
            assert_eq!(Room { free, total }.is_nearly_full(), is, "{free} of {total}");
        }
        assert!(room(Path::new("/")).is_some_and(|room| room.total > 0));
    }

    #[test]
    fn the_last_name_of_a_path_is_text() {
        for (path, name) in [
            ("a/b.csv", "b.csv"),
            ("b.csv", "b.csv"),
            ("a/", "a"),
            ("/", ""),
            ("", ""),
        ] {
            assert_eq!(name_of(Path::new(path)), name, "{path}");
        }
    }

    #[test]
    fn the_hash_is_of_the_bytes() {
        let (hex, bytes) = hash(&b"abc"[..]).unwrap();
        assert_eq!(
            hex,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(bytes, 3);
    }

    #[test]
    fn a_taken_name_is_numbered() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            free_name(folder.path(), "a", "result.xlsx"),
            folder.path().join("a.result.xlsx")
        );
        write_new(&folder.path().join("a.result.xlsx"), b"").unwrap();
        assert_eq!(
            free_name(folder.path(), "a", "result.xlsx"),
            folder.path().join("a-2.result.xlsx")
        );
    }
}
