//! An inbox's folder: the share behind it, its marker, each folder by writing, renaming and removing in it, and what
//! lies there without being taken.

use std::io;
use std::path::Path;

use super::machine::Named;
use super::{Line, PATIENCE};
use crate::config::Inbox;
use crate::daemon::in_the_way;
use crate::files;
use crate::inbox::look::look;
use crate::inbox::marker::{self, Marker};
use crate::inbox::spool::open_plain;
use crate::inbox::{FOLDERS, Folder};

/// The most files left alone, and the most that cannot be read, that are told of a folder.
const TOLD: usize = 20;

/// The most files that are opened in a folder: it may hold thousands.
const OPENED: usize = 1000;

/// The moves that a sheet makes on its way, and a decision.
const MOVES: [(&str, &str); 6] = [
    ("inbox", "processing"),
    ("try", "processing"),
    ("processing", "done"),
    ("processing", "rejected"),
    ("approved", "done"),
    ("declined", "done"),
];

/// A name that every look leaves alone.
const TRIAL: &str = ".dropsheet-doctor";

/// What a folder has shown.
#[derive(Debug)]
pub(super) struct Examined {
    pub(super) lines: Vec<Line>,
    /// As what it was worked, where the config has another name for the inbox.
    pub(super) former_name: Option<String>,
}

/// Tries an inbox's folder, in a thread of its own: a share that does not answer keeps nobody waiting.
pub(super) async fn examined(inbox: &Inbox, ledger: &Named) -> Examined {
    let (tell, told) = tokio::sync::oneshot::channel();
    let (own, ledger) = (inbox.clone(), ledger.clone());
    std::thread::spawn(move || {
        // Nobody listens any more where it took too long.
        drop(tell.send(Examined {
            lines: examine(&own, &ledger),
            former_name: former_name(&own, &ledger),
        }));
    });
    match tokio::time::timeout(PATIENCE, told).await {
        Ok(Ok(examined)) => examined,
        Ok(Err(_)) | Err(_) => Examined {
            lines: vec![Line::wrong(
                format!("inbox {}", inbox.name),
                format!(
                    "{} has not answered for {} s",
                    inbox.path.display(),
                    PATIENCE.as_secs()
                ),
                "Check the share and its server; `umount -l` lets go of a dead one.",
            )],
            former_name: None,
        },
    }
}

/// The name by which the ledger knows the inbox whose folder this is, where that is another one.
fn former_name(inbox: &Inbox, ledger: &Named) -> Option<String> {
    let Named::As(id) = ledger else {
        return None;
    };
    match (marker::read(&inbox.path, id), marker::inbox_in(&inbox.path)) {
        (Ok(Marker::Ours), Ok(named)) => named.filter(|name| *name != inbox.name),
        // The marker's own line says what is wrong with it.
        _others => None,
    }
}

fn examine(inbox: &Inbox, ledger: &Named) -> Vec<Line> {
    let mut lines = examine_folder(inbox, ledger);
    lines.extend(inbox.sku_map.as_deref().map(|map| sku_map(&inbox.name, map)));
    lines.extend(unreadable_map(inbox));
    lines
}

/// What keeps the SKU map from being read, without which no order of the inbox is sent; none where it can be, or is not
/// there yet.
fn unreadable_map(inbox: &Inbox) -> Option<Line> {
    let part = format!("inbox {}: sku_map", inbox.name);
    let scratch = match tempfile::tempdir() {
        Ok(scratch) => scratch,
        Err(error) => {
            let found = format!("it cannot be tried: no temporary folder can be made ({error})");
            return Some(Line::wrong(
                part,
                found,
                "Make room in the folder for temporary files.",
            ));
        }
    };
    let map = crate::import::sku_map::load(inbox, scratch.path());
    let (why, _of_an_order) = map.unreadable()?;
    if map.wait.is_some() {
        return Some(Line::wrong(part, why, "Let dropsheet's user read it."));
    }
    Some(Line::wrong(
        part,
        why,
        "Its first row names the columns sku and item_sku; save it as CSV or as a workbook.",
    ))
}

/// Whether a SKU-map sheet that is dropped could be taken into the map, which is replaced whole.
fn sku_map(inbox: &str, map: &Path) -> Line {
    let part = format!("inbox {inbox}: sku_map");
    let folder = files::folder_of(map);
    if folder.is_dir() {
        return tried(&part, folder);
    }
    Line::wrong(
        part,
        format!(
            "the folder {} is not there: the map cannot be written",
            folder.display()
        ),
        format!(
            "Make the folder, with the right to write for dropsheet's user, or correct `inbox.{inbox}.sku_map`."
        ),
    )
}

fn examine_folder(inbox: &Inbox, ledger: &Named) -> Vec<Line> {
    let part = format!("inbox {}", inbox.name);
    let folder = Folder::new(inbox.path.clone());
    let mut lines = vec![mount(&part, folder.root())];
    if lines.iter().any(|line| line.state == super::State::Wrong) {
        return lines;
    }
    lines.extend(marked(&part, folder.root(), ledger));
    if lines.iter().any(|line| line.state == super::State::Wrong) {
        return lines;
    }
    lines.extend(disk(&part, folder.root()));
    lines.push(tried(&format!("{part}: folder"), folder.root()));
    let tried = FOLDERS.map(|name| tried(&format!("{part}: {name}/"), &folder.part(name)));
    if tried.iter().all(|line| line.state == super::State::Ok) {
        lines.extend(
            MOVES
                .iter()
                .filter_map(|between| cannot_move(&part, &folder, *between)),
        );
    }
    lines.extend(tried);
    match folder.is_stopped() {
        Ok(false) => {}
        Ok(true) => lines.push(Line::warning(
            &part,
            "a file named STOP lies in it: nothing is sent",
            "Remove it to go on.",
        )),
        Err(error) => lines.push(Line::wrong(
            &part,
            format!("it cannot be listed: {error}"),
            "Let dropsheet's user read it.",
        )),
    }
    lines.extend(in_the_way(folder.root()).map(|error| {
        Line::warning(
            format!("{part}: STATUS.txt"),
            format!("it is not written: {error}"),
            "Rename what lies there: nobody who drops sheets is told how they do.",
        )
    }));
    lines.extend(
        ["inbox", "try", "approved", "declined"]
            .into_iter()
            .flat_map(|name| lying(&part, &folder.part(name))),
    );
    lines
}

fn mount(part: &str, root: &Path) -> Line {
    match rustix::fs::statfs(root) {
        Ok(stat) => match files::network_kind(stat.f_type) {
            None => Line::ok(part, format!("{} lies on a local disk", root.display())),
            Some(kind) => Line::ok(
                part,
                format!(
                    "{} lies on a network mount ({kind}): it is looked at, not watched",
                    root.display()
                ),
            ),
        },
        Err(error) => Line::wrong(
            part,
            format!("{} cannot be reached: {error}", root.display()),
            "Mount the share, or run `dropsheet init` for a new folder.",
        ),
    }
}

/// What the marker says; nothing where it names a ledger, and the ledger's own name cannot be read.
fn marked(part: &str, root: &Path, ledger: &Named) -> Option<Line> {
    let part = format!("{part}: marker");
    let id = match ledger {
        Named::As(id) => id.as_str(),
        Named::Missing | Named::Unreadable => "",
    };
    Some(match (marker::read(root, id), ledger) {
        (Ok(Marker::Other(_)), Named::Unreadable) => return None,
        (Ok(Marker::Other(named)), Named::Missing) if !named.is_empty() => Line::wrong(
            part,
            ".dropsheet names a ledger that is not here",
            marker::RESTORE,
        ),
        (Ok(marker), _) => match marker.wrong() {
            None => Line::ok(part, ".dropsheet names this ledger"),
            Some((what, remedy)) => Line::wrong(part, format!("{what}: nothing is taken here"), remedy),
        },
        (Err(error), _) => Line::wrong(
            part,
            format!(".dropsheet cannot be read: {error}"),
            "Let dropsheet's user read it.",
        ),
    })
}

/// Whether a disk has room.
pub(super) fn disk(part: &str, path: &Path) -> Option<Line> {
    let room = files::room(path)?;
    let part = format!("{part}: disk");
    let found = format!("{} MiB of {} MiB are free", room.free >> 20, room.total >> 20);
    Some(if room.is_nearly_full() {
        Line::wrong(part, found, "Make room: a sheet needs its copy and its results.")
    } else {
        Line::ok(part, found)
    })
}

/// Tries a folder by writing, renaming and removing in it.
pub(super) fn tried(part: &str, folder: &Path) -> Line {
    match trial(folder, folder) {
        Ok(()) => Line::ok(part, "can be written to"),
        Err(error) if error.kind() == io::ErrorKind::StorageFull => Line::wrong(
            part,
            format!("cannot be worked: {error}"),
            "Make room on its disk; where dropsheet has stopped, start it again then.",
        ),
        Err(error) => Line::wrong(
            part,
            format!("cannot be worked: {error}"),
            "Let dropsheet's user write, rename and remove in it (chown, or the share's rights); under systemd \
             name it in ReadWritePaths=.",
        ),
    }
}

/// What keeps files from being moved from one folder to another, such as a link to another disk; none where nothing does.
fn cannot_move(part: &str, folder: &Folder, (from, to): (&str, &str)) -> Option<Line> {
    let error = trial(&folder.part(from), &folder.part(to)).err()?;
    Some(Line::wrong(
        format!("{part}: {from}/ to {to}/"),
        format!("no file can be moved there: {error}"),
        "Let all folders of the inbox lie on one file system: a link or a mount in the place of one cannot be.",
    ))
}

fn trial(folder: &Path, to: &Path) -> io::Result<()> {
    let named = |doing: &'static str| {
        move |error: io::Error| io::Error::new(error.kind(), format!("{doing} a file in it failed: {error}"))
    };
    let name = format!("{TRIAL}-{}", std::process::id());
    let one = folder.join(format!("{name}.tmp"));
    let other = to.join(format!("{name}.renamed.tmp"));
    files::write_new(&one, b"dropsheet doctor\n").map_err(named("writing"))?;
    let moved = files::move_new(&one, &other).map_err(named("renaming"));
    let left = if moved.is_ok() { &other } else { &one };
    let removed = std::fs::remove_file(left).map_err(named("removing"));
    moved.and(removed)
}

/// What lies in a folder and cannot be read, or is left alone.
fn lying(part: &str, folder: &Path) -> Vec<Line> {
    let Ok(seen) = look(folder) else {
        // Its own line says that it cannot be worked.
        return Vec::new();
    };
    let found = seen.found.iter().take(OPENED);
    let found = found.filter_map(|found| Some((found.path.clone(), open_plain(&found.path).err()?)));
    let unread = found
        .chain(seen.unseen)
        .filter(|(_path, error)| error.kind() != io::ErrorKind::NotFound);
    let unread = unread.map(|(path, error)| {
        Line::wrong(
            format!("{part}: unread"),
            format!("{} cannot be read: {error}", path.display()),
            "Let dropsheet's user read it, or take it away.",
        )
    });
    let left_alone = seen.left_alone.iter().map(|(path, why)| {
        Line::warning(
            format!("{part}: left alone"),
            format!("{}: {why}", path.display()),
            "Rename or remove it if it should be taken or gone.",
        )
    });
    unread.take(TOLD).chain(left_alone.take(TOLD)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn a_trial_leaves_nothing_and_a_missing_folder_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(tried("results/", folder.path()).state, State::Ok);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let line = tried("results/", &folder.path().join("gone"));
        assert_eq!(line.state, State::Wrong);
        assert!(line.found.contains("writing a file in it failed"), "{line:?}");
    }

    #[test]
    fn a_sku_map_has_its_folder_tried() {
        let folder = tempfile::tempdir().unwrap();
        let line = sku_map("main", &folder.path().join("map.csv"));
        assert_eq!(
            (line.state, line.part.as_str()),
            (State::Ok, "inbox main: sku_map")
        );
        let line = sku_map("main", &folder.path().join("maps/map.csv"));
        assert_eq!(line.state, State::Wrong);
        assert!(line.found.contains("/maps is not there"), "{line:?}");
    }

    #[test]
    fn a_sku_map_that_cannot_be_read_is_wrong_and_one_that_is_not_there_yet_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("map.csv");
        let text = format!(
            "[account.main]\nbase_url = \"http://127.0.0.1:1\"\nemail = \"a@example.com\"\npassword_file = \"p\"\n\
             [inbox.main]\npath = \"{0}/orders\"\nsku_map = \"{0}/map.csv\"\n",
            folder.path().display()
        );
        let config = folder.path().join("dropsheet.toml");
        files::write_new(&config, text.as_bytes()).unwrap();
        let config = crate::config::load(Some(&config)).unwrap();
        let inbox = config.inbox("main").unwrap();
        assert!(unreadable_map(inbox).is_none());
        files::write_new(&map, b"foo,bar\n1,2\n").unwrap();
        let line = unreadable_map(inbox).unwrap();
        assert_eq!(line.state, State::Wrong);
        assert!(line.found.contains("cannot be read"), "{line:?}");
        std::fs::remove_file(&map).unwrap();
        files::write_new(&map, b"sku,item_sku\na,B\n").unwrap();
        assert!(unreadable_map(inbox).is_none());
    }

    #[test]
    fn a_marker_is_wrong_where_it_is_known_not_to_name_the_ledger() {
        let root = tempfile::tempdir().unwrap();
        let state = |ledger: &Named| marked("inbox main", root.path(), ledger).map(|line| line.state);
        let named = |id: &str| Named::As(id.to_owned());
        for ledger in [named("a1"), Named::Missing, Named::Unreadable] {
            assert_eq!(state(&ledger), Some(State::Wrong), "{ledger:?}");
        }
        marker::write(root.path(), "a1", "main").unwrap();
        assert_eq!(state(&named("a1")), Some(State::Ok));
        assert_eq!(state(&named("b2")), Some(State::Wrong));
        assert_eq!(state(&Named::Missing), Some(State::Wrong));
        assert_eq!(state(&Named::Unreadable), None, "it may well name the ledger");
    }
}
