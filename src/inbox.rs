//! An inbox's folders and the files in them. The look is the truth: what lies there is decided by listing, never by
//! events and never by a file's dates.

pub mod look;
pub mod marker;
pub mod names;
pub mod spool;

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::geteuid;

use crate::clock::STAMP;
use crate::files::folder_of;

/// The bit of a folder by which what is made in it has its group.
const SETGID: u32 = 0o2000;

/// The folders of an inbox.
pub const FOLDERS: [&str; 10] = [
    "inbox",
    "try",
    "processing",
    "results",
    "held",
    "approved",
    "declined",
    "done",
    "rejected",
    "help",
];

/// A call on a folder, or on a file that may lie on a share, is waited for by others for so long: then it does not answer.
pub const NO_ANSWER: Duration = Duration::from_secs(30);

/// A call that takes longer is no large file on a slow share any more: at 256 MiB, that would be 0.3 MB a second.
pub const SILENT_FOR_GOOD: Duration = Duration::from_mins(15);

/// An inbox's folder, which holds `inbox/`, `results/` and the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at a path; nothing is looked at.
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// One of its [`FOLDERS`].
    pub fn part(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Makes those of its folders that are missing; gives them.
    ///
    /// # Errors
    /// A folder cannot be made; the error names it.
    pub fn make(&self) -> io::Result<Vec<PathBuf>> {
        let mut made = Vec::new();
        for folder in FOLDERS.map(|name| self.part(name)) {
            let named =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
            let link = std::fs::symlink_metadata(&folder)
                .ok()
                .filter(|there| there.is_symlink());
            if link.is_some_and(|link| !may_link(link.uid(), geteuid().as_raw())) {
                return Err(named(io::Error::other("it is a link of somebody else's")));
            }
            if folder.is_dir() {
                continue;
            }
            std::fs::create_dir_all(&folder).map_err(named)?;
            self.open_like_root(&folder);
            made.push(folder);
        }
        Ok(made)
    }

    /// Lets those drop and move files in a folder who may write to the inbox's own, such as its group. Where it is so open
    /// already it is left: who is not of its group would take the bit away by which its files have that group.
    fn open_like_root(&self, folder: &Path) {
        let told = std::fs::metadata(&self.root).and_then(|root| {
            let made = std::fs::metadata(folder)?;
            if made.permissions() == root.permissions() {
                return Ok(());
            }
            std::fs::set_permissions(folder, root.permissions())?;
            let is_lost = root.mode() & SETGID != 0 && std::fs::metadata(folder)?.mode() & SETGID == 0;
            if is_lost {
                tracing::warn!(
                    folder = %folder.display(),
                    "dropsheet's user is not of the inbox's group: what it writes there does not get that group. Let \
                     somebody of the group, or root, run `chmod g+s` on the folder"
                );
            }
            Ok(())
        });
        if let Err(error) = told {
            // A share that knows no such rights has rules of its own.
            tracing::debug!(folder = %folder.display(), %error, "a folder keeps the rights that it was made with");
        }
    }

    /// Whether a file named `STOP`, with any ending, forbids creates.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn is_stopped(&self) -> io::Result<bool> {
        Ok(!self.stops()?.is_empty())
    }

    /// The files named `STOP`, with any ending.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn stops(&self) -> io::Result<Vec<PathBuf>> {
        let mut stops = Vec::new();
        for entry in std::fs::read_dir(&self.root)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if names::is_stop(&name) {
                stops.push(path);
            }
        }
        Ok(stops)
    }
}

/// Most bytes of a sheet's name in the names of its files.
const NAME_BYTES: usize = 160;

/// What dropsheet's own files are called after their stem.
const OWN_SUFFIXES: [&str; 4] = [".to-fix", ".result", ".quote", ".held"];

/// What a sheet of SKUs that are asked for is called after its stem: it holds no orders, and its result tells that by its
/// name.
const SKU_MAP: &str = ".sku-map";

/// Whether a link in the place of a folder is followed, by whose it is: one of whoever else may write into an inbox would
/// lead to what they may not read or move themselves.
fn may_link(owner: u32, own: u32) -> bool {
    owner == 0 || owner == own
}

/// Whether a program has a file open, as the lock beside it says.
pub fn is_open(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    std::fs::read_dir(folder_of(path)).is_ok_and(|entries| {
        entries
            .filter_map(Result::ok)
            .any(|entry| names::is_lock_of(&entry.file_name().to_string_lossy(), &name))
    })
}

/// The name of a sheet's files: `2026-11-21_0914_monday` for `monday.csv` taken at that time. A file of dropsheet's own
/// that is dropped again, `2026-11-20_0800_monday.to-fix.xlsx`, belongs to `monday` too.
pub fn stem(taken_at: &jiff::Zoned, sheet_name: &str) -> String {
    let name = Path::new(sheet_name)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let name = shortened(own_name(&name).unwrap_or(&name));
    format!("{}_{name}", taken_at.strftime(STAMP))
}

/// The beginning of a name that leaves room for what its files are called besides: a file system's names have 255 bytes.
fn shortened(name: &str) -> &str {
    name.get(..name.floor_char_boundary(NAME_BYTES)).unwrap_or(name)
}

/// `monday` in `2026-11-20_0800_monday.to-fix`, `monday.sku-map` in `2026-11-20_0800_monday.sku-map`; none where the name
/// is none of dropsheet's own.
fn own_name(name: &str) -> Option<&str> {
    /// `2026-11-20_0800_`
    const TIME: &[u8] = b"dddd-dd-dd_dddd_";
    let (time, rest) = name.split_at_checked(TIME.len())?;
    let bare = |suffix: &&str| rest.strip_suffix(*suffix).filter(|name| !name.is_empty());
    let name = OWN_SUFFIXES
        .iter()
        .find_map(bare)
        .or_else(|| bare(&SKU_MAP).map(|_name| rest))?;
    let is_time = time.bytes().zip(TIME).all(|(byte, form)| match form {
        b'd' => byte.is_ascii_digit(),
        other => byte == *other,
    });
    is_time.then_some(name)
}

/// The ending of a sheet's name, with its dot; empty where it has none.
pub fn ending(sheet_name: &str) -> String {
    Path::new(sheet_name)
        .extension()
        .map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_of_somebody_else_s_is_not_followed() {
        for (owner, own, followed) in [
            (0, 1000, true),
            (1000, 1000, true),
            (1001, 1000, false),
            (1000, 0, false),
        ] {
            assert_eq!(may_link(owner, own), followed, "{owner} {own}");
        }
    }

    #[test]
    fn stop_counts_with_any_ending_and_in_any_case() {
        for (name, stops) in [
            ("STOP", true),
            ("stop.txt", true),
            ("STOP.txt.txt", true),
            ("STOP.", true),
            ("STOPPED.txt", false),
            ("a.stop", false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            crate::files::write_new(&folder.path().join(name), b"").unwrap();
            assert_eq!(
                Folder::new(folder.path().to_owned()).is_stopped().unwrap(),
                stops,
                "{name}"
            );
        }
    }

    #[test]
    fn the_files_of_a_sheet_with_a_long_name_have_room_for_theirs() {
        let at = jiff::civil::date(2026, 11, 21)
            .at(9, 14, 0, 0)
            .in_tz("UTC")
            .unwrap();
        let long = stem(&at, &format!("{}.csv", "注文".repeat(41)));
        assert!(long.starts_with("2026-11-21_0914_注文"), "{long}");
        assert_eq!(long.len(), "2026-11-21_0914_".len() + 159);
        assert_eq!(stem(&at, "monday.csv"), "2026-11-21_0914_monday");
    }

    #[test]
    fn who_may_write_to_the_inbox_may_drop_and_move_files_in_its_folders() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        std::fs::set_permissions(root.path(), std::fs::Permissions::from_mode(0o2770)).unwrap();
        let folder = Folder::new(root.path().to_owned());
        for made in folder.make().unwrap() {
            assert_eq!(mode(&made), 0o2770, "{}", made.display());
        }
        let inbox = folder.part("inbox");
        std::fs::set_permissions(&inbox, std::fs::Permissions::from_mode(0o700)).unwrap();
        assert!(folder.make().unwrap().is_empty());
        assert_eq!(mode(&inbox), 0o700, "what is there is left as it is");
    }

    #[test]
    fn a_stem_is_the_time_and_the_name() {
        let at: jiff::Zoned = "2026-11-21T09:14:59[UTC]".parse().unwrap();
        assert_eq!(stem(&at, "monday.morning.csv"), "2026-11-21_0914_monday.morning");
        assert_eq!(ending("monday.morning.CSV"), ".CSV");
        for (name, named) in [
            ("2026-11-20_0800_monday.to-fix.xlsx", "monday"),
            ("2026-11-20_0800_monday.result.csv", "monday"),
            ("2026-11-20_0800_monday.result.tsv", "monday"),
            ("2026-11-20_0800_monday-2.result.xlsx", "monday-2"),
            ("2026-11-20_0800_monday.sku-map.xlsx", "monday.sku-map"),
            ("2026-11-20_0800_monday.sku-map.result.xlsx", "monday.sku-map"),
            ("monday.sku-map.xlsx", "monday.sku-map"),
            ("2026-11-20_0800_.sku-map.xlsx", "2026-11-20_0800_.sku-map"),
            ("2026-11-20_0800_monday.csv", "2026-11-20_0800_monday"),
            ("mine.to-fix.xlsx", "mine.to-fix"),
            ("2026-11-20_0800_.to-fix.xlsx", "2026-11-20_0800_.to-fix"),
        ] {
            assert_eq!(stem(&at, name), format!("2026-11-21_0914_{named}"));
        }
    }
}
