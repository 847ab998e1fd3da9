//! The `.dropsheet` file that marks an inbox's folder and names its ledger and the inbox. A share that is not mounted looks
//! like an empty folder: without the marker nothing is created there.

use std::io::{self, Read};
use std::path::Path;

use crate::files;

/// The marker's name.
pub const NAME: &str = ".dropsheet";

/// The most bytes of a marker that are read: ours are a few lines.
const LONGEST: u64 = 4096;

/// The most former names that a marker keeps, the newest ones: no backup from before more renamings is put back.
const MOST_FORMER: usize = 16;

/// What begins the line of each name by which the inbox was called before.
const FORMER: &str = "formerly = ";

/// What the marker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// The folder belongs to this ledger.
    Ours,
    /// There is none.
    Missing,
    /// It names another ledger; none, by an empty name, where what it says cannot be read.
    Other(String),
}

/// What is said of a folder whose marker names another ledger.
pub const OTHERS: &str = "belongs to another ledger";

/// What to do where a folder's ledger is not the one that is worked.
pub const RESTORE: &str =
    "Set `ledger.path` to that one, or restore it; if it is lost, run `dropsheet ledger rebuild`.";

impl Marker {
    /// What is wrong with a folder that is marked so, and what to do about it; none where it is this ledger's.
    pub fn wrong(&self) -> Option<(String, &'static str)> {
        match self {
            Self::Ours => None,
            Self::Missing => Some((
                format!("`{NAME}` is missing"),
                "Is the share mounted? For a new inbox run `dropsheet init`.",
            )),
            Self::Other(named) if named.is_empty() => Some((
                format!("`{NAME}` cannot be read: it may be that it {OTHERS}"),
                "Put the file back as it was; if the inbox is this ledger's, move the file aside and run `dropsheet init`.",
            )),
            Self::Other(named) => Some((format!("it {OTHERS} ({named})"), RESTORE)),
        }
    }
}

/// Reads the marker of an inbox's folder.
///
/// # Errors
/// It is there and cannot be read.
pub fn read(root: &Path, ledger: &str) -> io::Result<Marker> {
    match text_of(root) {
        Ok(text) => Ok(
            match text.lines().find_map(|line| line.strip_prefix("ledger = ")) {
                Some(named) if named.trim() == ledger => Marker::Ours,
                Some(named) => Marker::Other(named.trim().to_owned()),
                None => Marker::Other(String::new()),
            },
        ),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(Marker::Missing)
        }
        Err(error) => Err(error),
    }
}

/// The inbox as which a folder was worked; none where there is no marker, or one that names none.
///
/// # Errors
/// The marker is there and cannot be read.
pub fn inbox_in(root: &Path) -> io::Result<Option<String>> {
    Ok(named(root, "inbox = ")?.pop())
}

/// The inboxes as which a folder was worked before, newest first: a ledger that is put back from a backup may know it by one
/// of them.
///
/// # Errors
/// As of [`inbox_in`].
pub fn former_in(root: &Path) -> io::Result<Vec<String>> {
    named(root, FORMER)
}

/// What the lines of a marker name that begin so.
fn named(root: &Path, line: &str) -> io::Result<Vec<String>> {
    match text_of(root) {
        Ok(text) => {
            let named = text.lines().filter_map(|one| one.strip_prefix(line));
            Ok(named.map(|named| named.trim().to_owned()).collect())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// What a marker says. One that is no plain file, or longer than any, is none of ours.
fn text_of(root: &Path) -> io::Result<String> {
    let mut text = String::new();
    super::spool::open_plain(&root.join(NAME))?
        .take(LONGEST)
        .read_to_string(&mut text)?;
    Ok(text)
}

fn text(ledger: &str, inbox: &str, former: &[String]) -> String {
    let former = former.iter().filter(|name| *name != inbox).take(MOST_FORMER);
    let former: String = former.flat_map(|name| [FORMER, name, "\n"]).collect();
    format!(
        "This folder is an inbox of dropsheet. Leave this file here: without it, nothing is taken.\nledger = \
         {ledger}\ninbox = {inbox}\n{former}"
    )
}

/// Marks a folder whatever its marker says; false where it names this ledger and this inbox already. For a person who has
/// decided that this ledger takes the folder over.
///
/// # Errors
/// It cannot be read or written.
pub fn write_over(root: &Path, ledger: &str, inbox: &str) -> io::Result<bool> {
    if read(root, ledger)? == Marker::Ours && inbox_in(root)?.as_deref() == Some(inbox) {
        return Ok(false);
    }
    write_named(root, ledger, inbox, &former_in(root)?).map(|()| true)
}

/// Marks a folder, whatever its marker says, for an inbox that was called otherwise before.
///
/// # Errors
/// It cannot be written.
pub fn write_named(root: &Path, ledger: &str, inbox: &str, former: &[String]) -> io::Result<()> {
    files::write_over(&root.join(NAME), text(ledger, inbox, former).as_bytes())
}

/// Marks a folder that has no marker; false where it has one.
///
/// # Errors
/// It cannot be written.
pub fn write(root: &Path, ledger: &str, inbox: &str) -> io::Result<bool> {
    match files::write_new(&root.join(NAME), text(ledger, inbox, &[]).as_bytes()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_names_its_ledger_and_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path(), "a1").unwrap(), Marker::Missing);
        assert_eq!(inbox_in(folder.path()).unwrap(), None);
        assert!(write(folder.path(), "a1", "main").unwrap());
        assert_eq!(read(folder.path(), "a1").unwrap(), Marker::Ours);
        assert_eq!(inbox_in(folder.path()).unwrap().as_deref(), Some("main"));
        assert!(!write(folder.path(), "b2", "main").unwrap());
        assert_eq!(read(folder.path(), "b2").unwrap(), Marker::Other("a1".into()));
        assert_eq!(read(&folder.path().join("gone"), "a1").unwrap(), Marker::Missing);
        files::write_over(&folder.path().join(NAME), b"\0garbage").unwrap();
        assert_eq!(read(folder.path(), "a1").unwrap(), Marker::Other(String::new()));
    }

    #[test]
    fn each_wrong_marker_says_what_to_do() {
        assert_eq!(Marker::Ours.wrong(), None);
        for (marker, says, command) in [
            (Marker::Missing, "`.dropsheet` is missing", "`dropsheet init`"),
            (
                Marker::Other("a1".into()),
                "it belongs to another ledger (a1)",
                "`dropsheet ledger rebuild`",
            ),
            (
                Marker::Other(String::new()),
                "`.dropsheet` cannot be read: it may be that it belongs to another ledger",
                "`dropsheet init`",
            ),
        ] {
            let (what, remedy) = marker.wrong().unwrap();
            assert_eq!(what, says);
            assert!(remedy.contains(command), "{remedy}");
        }
    }

    #[test]
    fn a_marker_is_replaced_when_a_person_says_so() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_over(folder.path(), "a1", "main").unwrap());
        assert!(!write_over(folder.path(), "a1", "main").unwrap());
        assert!(write_over(folder.path(), "b2", "main").unwrap());
        assert_eq!(read(folder.path(), "b2").unwrap(), Marker::Ours);
        assert!(write_over(folder.path(), "b2", "shop").unwrap());
        assert_eq!(inbox_in(folder.path()).unwrap().as_deref(), Some("shop"));
    }

    #[test]
    fn a_marker_keeps_the_names_by_which_its_inbox_was_called_before() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(former_in(root).unwrap(), [""; 0]);
        write(root, "a1", "main").unwrap();
        assert_eq!(former_in(root).unwrap(), [""; 0]);
        let former: Vec<String> = (0..40).map(|n| format!("shop-{n}")).collect();
        write_named(root, "a1", "shop-1", &former).unwrap();
        assert_eq!(inbox_in(root).unwrap().as_deref(), Some("shop-1"));
        let kept = former_in(root).unwrap();
        assert_eq!(kept.len(), MOST_FORMER);
        assert_eq!(
            kept[..2],
            ["shop-0", "shop-2"],
            "the newest ones, and not its own"
        );
        write_over(root, "b2", "main").unwrap();
        assert_eq!(
            (read(root, "b2").unwrap(), former_in(root).unwrap()),
            (Marker::Ours, kept)
        );
    }
}
