//! One look at a folder where sheets are dropped: what may be taken, what is left alone, what is to be rejected.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::names::{self, Name};
use crate::files;

/// What tells whether a file is still as it was: never used to tell its age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    /// None where the file system gives a file another one now and then.
    inode: Option<(u64, u64)>,
}

impl Stamp {
    /// The stamp of a file.
    pub fn of(file: &Metadata) -> Self {
        Self {
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
            changed: (file.ctime(), file.ctime_nsec()),
            inode: Some((file.dev(), file.ino())),
        }
    }

    /// The stamp of a file on a network mount, whose inodes may change from look to look.
    pub fn without_inode(file: &Metadata) -> Self {
        Self {
            inode: None,
            ..Self::of(file)
        }
    }

    /// The stamp of a file that may be moved within the file system of a place: a move changes the one of its times that
    /// tells of its name too.
    pub fn but_for_moves(file: &Metadata, place: &Path) -> Self {
        let on_network = files::network_mount(files::folder_of(place)).is_some();
        let stamp = if on_network {
            Self::without_inode(file)
        } else {
            Self::of(file)
        };
        Self {
            changed: (0, 0),
            ..stamp
        }
    }

    /// Whether a file still is as this stamp says.
    pub fn is_still(&self, file: &Metadata) -> bool {
        let now = Self {
            inode: self.inode.and(Self::of(file).inode),
            ..Self::of(file)
        };
        *self == now
    }

    /// Whether a file still is as a stamp says that was kept as text.
    pub fn was(kept: &str, file: &Metadata) -> bool {
        [Self::of(file), Self::without_inode(file)]
            .iter()
            .any(|stamp| stamp.to_string() == kept)
    }

    /// Whether a file has the size that a stamp says which was kept as text, was last written when that one was, and has its
    /// number on its disk. The rest of a stamp changes with a file's rights, or with the number of the disk: the file's
    /// bytes then tell whether it is the same.
    pub fn is_written_as(&self, kept: &str) -> bool {
        let inode = |place: &str| place.split_once(':').map(|(_disk, inode)| inode.to_owned());
        let written = |stamp: &str| {
            let parts: Vec<&str> = stamp.split(' ').collect();
            match parts[..] {
                [size, modified, _changed, place] => {
                    Some((size.to_owned(), modified.to_owned(), inode(place)))
                }
                _ => None,
            }
        };
        let own = written(&self.to_string());
        own.is_some() && own == written(kept)
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// When it was last written, by its own file system: only an order among files, never a wait.
    pub fn modified(&self) -> (i64, i64) {
        self.modified
    }
}

/// As it is kept in the ledger.
impl std::fmt::Display for Stamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            size,
            modified,
            changed,
            inode,
        } = self;
        write!(
            f,
            "{size} {}.{} {}.{} ",
            modified.0, modified.1, changed.0, changed.1
        )?;
        match inode {
            Some((device, inode)) => write!(f, "{device}:{inode}"),
            None => f.write_str("-"),
        }
    }
}

/// A file that may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it lies.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// How it stands.
    pub stamp: Stamp,
    /// Its name says that it is no sheet: rejected when it stays.
    pub reject: bool,
}

/// What a look has shown.
#[derive(Debug, Default)]
pub struct Look {
    /// Files that may be taken, oldest first.
    pub found: Vec<Found>,
    /// Files left alone, and why.
    pub left_alone: Vec<(PathBuf, String)>,
    /// How many of those are sheets that are open in another program.
    pub open: usize,
    /// What cannot be seen, or be seen into, and why: it may be a sheet, or have some in it.
    pub unseen: Vec<(PathBuf, io::Error)>,
    /// The folder lies on a network mount.
    pub on_network: bool,
}

impl Look {
    /// Something that is there and cannot be seen. What was there a moment ago, whoever took it away meant to.
    fn cannot_see(&mut self, path: &Path, error: io::Error) {
        if error.kind() != io::ErrorKind::NotFound {
            self.unseen.push((path.to_owned(), error));
        }
    }
}

/// Looks at a folder and at the folders in it, one deep.
///
/// # Errors
/// The folder itself cannot be listed. An entry that cannot be looked at is unseen; it never ends the listing.
pub fn look(folder: &Path) -> io::Result<Look> {
    let mut look = Look {
        on_network: files::network_mount(folder).is_some(),
        ..Look::default()
    };
    list(folder, true, &mut look)?;
    look.found
        .sort_by(|a, b| (a.stamp.modified(), &a.path).cmp(&(b.stamp.modified(), &b.path)));
    Ok(look)
}

fn list(folder: &Path, with_folders: bool, look: &mut Look) -> io::Result<()> {
    let entries: Vec<(PathBuf, String)> = fs::read_dir(folder)?
        .filter_map(|entry| match entry {
            Ok(entry) => Some((entry.path(), entry.file_name().to_string_lossy().into_owned())),
            Err(error) => {
                let error = io::Error::new(error.kind(), format!("an entry cannot be listed: {error}"));
                look.unseen.push((folder.to_owned(), error));
                None
            }
        })
        .collect();
    // Thousands of files may lie there: each is held against these alone.
    let locks: Vec<&str> = entries
        .iter()
        .map(|(_path, name)| name.as_str())
        .filter(|name| names::is_lock(name))
        .collect();
    for (path, name) in &entries {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => {
                look.cannot_see(path, error);
                continue;
            }
        };
        if metadata.is_dir() {
            if name.starts_with('.') {
                continue;
            }
            if !with_folders {
                let why = "a folder in a folder, which is not looked into: move its sheets one folder up";
                look.left_alone.push((path.clone(), why.to_owned()));
            } else if let Err(error) = list(path, false, look) {
                look.cannot_see(path, error);
            }
            continue;
        }
        judge(path, name, &metadata, &locks, look);
    }
    Ok(())
}

fn judge(path: &Path, name: &str, metadata: &Metadata, locks: &[&str], look: &mut Look) {
    let verdict = names::judge(name);
    // An ending would not make a sheet of a link.
    let is_named_link = verdict == Name::LeaveAlone(names::NO_ENDING) && !metadata.is_file();
    if let Name::LeaveAlone(why) = verdict
        && !is_named_link
    {
        look.left_alone.push((path.to_owned(), why.to_owned()));
    } else if !metadata.is_file() {
        let why = "a link or device, not a file: drop the file itself";
        look.left_alone.push((path.to_owned(), why.to_owned()));
    } else if let Some(lock) = locks.iter().find(|lock| names::is_lock_of(lock, name)) {
        look.open += 1;
        look.left_alone
            .push((path.to_owned(), format!("it is open in another program ({lock})")));
    } else {
        look.found.push(Found {
            path: path.to_owned(),
            name: name.to_owned(),
            stamp: if look.on_network {
                Stamp::without_inode(metadata)
            } else {
                Stamp::of(metadata)
            },
            reject: verdict == Name::Reject,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_new;

    #[test]
    fn on_a_network_mount_another_inode_is_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write_new(&path, b"x").unwrap();
        let file = fs::symlink_metadata(&path).unwrap();
        let (local, network) = (Stamp::of(&file), Stamp::without_inode(&file));
        assert!(local.is_still(&file) && network.is_still(&file));
        assert!(Stamp::was(&local.to_string(), &file) && Stamp::was(&network.to_string(), &file));
        let other = Stamp {
            inode: Some((0, 0)),
            ..local
        };
        assert!(!other.is_still(&file) && !Stamp::was(&other.to_string(), &file));
    }

    #[test]
    fn rights_and_another_number_of_its_disk_leave_a_file_written_as_it_was() {
        let stamp = Stamp {
            size: 7,
            modified: (1, 2),
            changed: (3, 4),
            inode: Some((5, 6)),
        };
        let (changed, inode) = ((9, 9), Some((9, 6)));
        let mended = Stamp {
            changed,
            inode,
            ..stamp
        };
        assert!(mended.is_written_as(&stamp.to_string()));
        let on_network = Stamp { inode: None, ..stamp };
        let mended = Stamp {
            changed,
            ..on_network
        };
        assert!(mended.is_written_as(&on_network.to_string()));
        for other in [
            Stamp { size: 8, ..stamp },
            Stamp {
                modified: (1, 3),
                ..stamp
            },
            Stamp {
                inode: Some((5, 7)),
                ..stamp
            },
        ] {
            assert!(!other.is_written_as(&stamp.to_string()), "{other}");
        }
        assert!(!stamp.is_written_as("7 1.2"));
    }

    #[test]
    fn a_look_takes_sheets_one_folder_deep_and_leaves_the_rest_alone() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            write_new(&path, b"x").unwrap();
        };
        for name in [
            "b.csv",
            "open.xlsx",
            ".~lock.open.xlsx#",
            "anna/c.csv",
            "anna/deep/d.csv",
            "e.pdf",
            "._b.csv",
        ] {
            put(name);
        }
        fs::create_dir(root.path().join("folder.csv")).unwrap();
        std::os::unix::fs::symlink("b.csv", root.path().join("link.csv")).unwrap();
        let look = look(root.path()).unwrap();
        let mut found: Vec<_> = look.found.iter().map(|f| (f.name.as_str(), f.reject)).collect();
        found.sort_unstable();
        assert_eq!(found, [("b.csv", false), ("c.csv", false), ("e.pdf", true)]);
        let mut alone: Vec<_> = look
            .left_alone
            .iter()
            .map(|(p, _)| p.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        alone.sort_unstable();
        assert_eq!(
            alone,
            ["._b.csv", ".~lock.open.xlsx#", "deep", "link.csv", "open.xlsx"]
        );
        assert_eq!(look.open, 1);
        for (name, mend) in [
            ("deep", "move its sheets one folder up"),
            ("link.csv", "drop the file itself"),
        ] {
            let (_path, why) = look
                .left_alone
                .iter()
                .find(|(path, _)| path.ends_with(name))
                .unwrap();
            assert!(why.contains(mend), "{name}: {why}");
        }
    }

    #[test]
    fn a_link_without_an_ending_is_told_as_a_link() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/", folder.path().join("done")).unwrap();
        let mut look = Look::default();
        list(folder.path(), true, &mut look).unwrap();
        let [(_path, why)] = look.left_alone.as_slice() else {
            panic!("{look:?}");
        };
        assert!(why.contains("a link"), "{why}");
    }
}
