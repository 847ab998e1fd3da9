//! Originals that a program still writes into after their sheets have ended: a file that was open when it was taken is
//! open in `done/` too. For a while each is looked at again where it lies; one that has come to hold other bytes goes
//! back to where it was dropped, as a new sheet, and its place gets the copy that was worked.
//!
//! What the file system says of a file is only a bell: its bytes decide.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::take::free_path;
use crate::clock::Now;
use crate::files;
use crate::inbox::look::Stamp;
use crate::inbox::{Folder, is_open, spool};
use crate::ledger::record::{NewClaim, Purpose};
use crate::ledger::{Archived, Ledger, LedgerError};

/// How long an original is looked at again after it was archived: what is changed later is a person's own business. The
/// first look after that still counts, however late a run makes it.
const WATCHED: Duration = Duration::from_mins(15);

/// Most originals of a folder that one look asks for, eldest first; the others have their turn when those are done with.
const MOST: u32 = 1000;

/// What stands in the place of a stamp while an original goes back: killed in between, the next look puts its copy there.
const GOING_BACK: &str = "going back";

/// Where a look at archived originals takes place, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The ledger.
    pub ledger: &'a Ledger,
    /// The inbox's folders.
    pub folder: &'a Folder,
    /// Where the copies of taken sheets lie.
    pub spool: &'a Path,
}

/// What is to become of an archived original.
enum Fate {
    /// It stands as it was archived.
    Same,
    /// It stands otherwise, with the same bytes.
    Stands(String),
    /// It holds other bytes.
    Grown,
    /// It holds other bytes, and a program has it open: there may be more to come.
    Open,
    /// A person took it away.
    Gone,
    /// It cannot be read.
    Unreadable(io::Error),
}

/// Looks again at what was archived a while ago, and sends back what has changed since. Gives what could not be sent back,
/// and why. Waits for the disk.
///
/// # Errors
/// The ledger cannot be kept.
pub fn send_back(places: Places<'_>, now: &Now) -> Result<Vec<(PathBuf, String)>, LedgerError> {
    let mut left_alone = Vec::new();
    for part in ["done", "rejected"] {
        let below = format!("{}/", places.folder.part(part).display());
        let archived = places.ledger.read(|store| store.archived(&below, MOST))?;
        for one in archived {
            let path = PathBuf::from(&one.place);
            if let Err(why) = look_again(places, one, now)? {
                left_alone.push((path, why));
            }
        }
    }
    Ok(left_alone)
}

/// Looks at one; in the inner error, why it lies where it should not.
fn look_again(places: Places<'_>, one: Archived, now: &Now) -> Result<Result<(), String>, LedgerError> {
    let Places {
        ledger,
        folder,
        spool,
    } = places;
    let path = PathBuf::from(&one.place);
    let Some(claim) = ledger.read(|store| store.claim(one.claim))? else {
        return forget(ledger, one).map(Ok);
    };
    // A boot ends who wrote; so does a look that comes too late to tell.
    let is_over = now.boot.since(&one.since).is_none_or(|since| since >= WATCHED);
    match fate(&path, &one.stamp, &claim.new.hash) {
        Fate::Same | Fate::Stands(_) if is_over => forget(ledger, one)?,
        Fate::Same => {}
        Fate::Stands(stamp) => {
            let again = Archived { stamp, ..one };
            ledger.write_blocking(move |store| store.put_archived(&again))?;
        }
        Fate::Gone => {
            if one.stamp == GOING_BACK
                && let Err(why) = keep_copy(spool, &claim.new, &path)
            {
                return Ok(Err(why));
            }
            forget(ledger, one)?;
        }
        Fate::Open => {
            return Ok(Err(
                "it has changed since it was worked, and is open in another program; when that closes it, it comes back as \
                 a new sheet"
                    .to_owned(),
            ));
        }
        Fate::Unreadable(error) => {
            if is_over {
                forget(ledger, one)?;
            }
            return Ok(Err(format!("whether it has grown cannot be read: {error}")));
        }
        Fate::Grown => {
            let back = place_for(folder, &claim.new);
            let going = Archived {
                stamp: GOING_BACK.to_owned(),
                ..one.clone()
            };
            ledger.write_blocking(move |store| store.put_archived(&going))?;
            if let Err(error) = files::move_new(&path, &back) {
                return Ok(Err(format!(
                    "it has changed since it was worked and cannot be moved back to {}: {error}; move it there",
                    files::folder_of(&back).display()
                )));
            }
            tracing::warn!(
                sheet = claim.new.sheet_name,
                "it changed after it was archived; it comes back as a new sheet"
            );
            if let Err(why) = keep_copy(spool, &claim.new, &path) {
                return Ok(Err(why));
            }
            forget(ledger, one)?;
        }
    }
    Ok(Ok(()))
}

/// Puts the copy that was worked where an original has lain that went back; in the error, why that has to be tried again.
fn keep_copy(spool: &Path, claim: &NewClaim, path: &Path) -> Result<(), String> {
    match put_copy(spool, &claim.hash, path) {
        Ok(()) => Ok(()),
        // `keep.spool` may have removed it: to try again is of no use.
        Err(error) if !spool.join(&claim.hash).exists() => {
            tracing::warn!(sheet = claim.sheet_name, %error, "there is no copy of what was worked any more");
            Ok(())
        }
        Err(error) => Err(format!(
            "it came back as a new sheet, and the copy that was worked cannot be put in its place: {error}"
        )),
    }
}

fn fate(path: &Path, stood: &str, hash: &str) -> Fate {
    let stamp = match std::fs::symlink_metadata(path) {
        Ok(file) if file.is_file() => Stamp::but_for_moves(&file, path).to_string(),
        Ok(_no_file) => return Fate::Gone,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Fate::Gone,
        Err(error) => return Fate::Unreadable(error),
    };
    if stamp == stood {
        return Fate::Same;
    }
    match spool::hash_of(path) {
        Ok(found) if found == hash => Fate::Stands(stamp),
        Ok(_other) if is_open(path) => Fate::Open,
        Ok(_other) => Fate::Grown,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Fate::Gone,
        Err(error) => Fate::Unreadable(error),
    }
}

fn forget(ledger: &Ledger, one: Archived) -> Result<(), LedgerError> {
    ledger.write_blocking(move |store| store.forget_archived(&one.place))
}

/// Where an original goes that comes back as a new sheet.
pub(super) fn place_for(folder: &Folder, claim: &NewClaim) -> PathBuf {
    let part = match claim.purpose {
        Purpose::Send => "inbox",
        Purpose::Try => "try",
    };
    free_path(&folder.part(part), &claim.sheet_name)
}

/// Puts the copy that was worked where its original should lie.
pub(super) fn put_copy(spool: &Path, hash: &str, place: &Path) -> io::Result<()> {
    let mut copy = spool::open_whole(&spool.join(hash), hash)?;
    let staged = files::stage(place)?;
    io::copy(&mut copy, &mut staged.as_file())?;
    files::place(staged, place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::BootTime;
    use crate::files::{hash, write_new};
    use crate::ledger::record::ClaimRef;

    /// A ledger, an inbox, and one sheet that lies in `done/` since the beginning.
    struct Stage {
        root: tempfile::TempDir,
        ledger: Ledger,
        folder: Folder,
        claim: ClaimRef,
    }

    fn at(boot: &str, minutes: i64) -> Now {
        Now {
            wall: jiff::Timestamp::from_second(1_790_000_000 + minutes * 60).unwrap(),
            boot: BootTime {
                id: boot.into(),
                millis: minutes * 60_000,
            },
        }
    }

    impl Stage {
        fn new(purpose: Purpose) -> Self {
            let root = tempfile::tempdir().unwrap();
            let folder = Folder::new(root.path().join("orders"));
            folder.make().unwrap();
            let (hash, _bytes) = hash(&b"one"[..]).unwrap();
            std::fs::create_dir(root.path().join("spool")).unwrap();
            write_new(&root.path().join("spool").join(&hash), b"one").unwrap();
            let ledger = Ledger::open(&root.path().join("ledger.db"), "a test").unwrap();
            let place = folder.part("done").join("a.csv").to_string_lossy().into_owned();
            let claim = ledger
                .write_blocking(move |store| {
                    store.take(&NewClaim {
                        account: store.account("main", "http://127.0.0.1:1", "shop@example.com")?,
                        inbox: "main".to_owned(),
                        purpose,
                        place,
                        sheet_name: "monday.csv".to_owned(),
                        stem: "a".to_owned(),
                        hash,
                        stamp: String::new(),
                        taken_at: at("one", 0).wall,
                        out_path: None,
                    })
                })
                .unwrap();
            let stage = Self {
                root,
                ledger,
                folder,
                claim,
            };
            write_new(&stage.done(), b"one").unwrap();
            let file = std::fs::symlink_metadata(stage.done()).unwrap();
            let archived = Archived {
                place: stage.done().to_string_lossy().into_owned(),
                claim: stage.claim,
                stamp: Stamp::but_for_moves(&file, &stage.done()).to_string(),
                since: at("one", 0).boot,
            };
            stage
                .ledger
                .write_blocking(move |store| store.put_archived(&archived))
                .unwrap();
            stage
        }

        fn done(&self) -> PathBuf {
            self.folder.part("done").join("a.csv")
        }

        /// The copy that was worked.
        fn copy(&self) -> PathBuf {
            let (hash, _bytes) = hash(&b"one"[..]).unwrap();
            self.root.path().join("spool").join(hash)
        }

        /// What it comes to hold is written over it.
        fn holds(&self, bytes: &[u8]) {
            std::fs::remove_file(self.done()).unwrap();
            write_new(&self.done(), bytes).unwrap();
        }

        fn look(&self, now: &Now) -> Vec<(PathBuf, String)> {
            let spool = self.root.path().join("spool");
            let places = Places {
                ledger: &self.ledger,
                folder: &self.folder,
                spool: &spool,
            };
            send_back(places, now).unwrap()
        }

        fn came_back(&self, part: &str) -> bool {
            self.folder.part(part).join("monday.csv").exists()
        }

        fn is_watched(&self) -> bool {
            let below = self.folder.part("done").to_string_lossy().into_owned();
            !self
                .ledger
                .read(|store| store.archived(&below, 9))
                .unwrap()
                .is_empty()
        }
    }

    #[test]
    fn one_with_other_bytes_goes_back_and_its_copy_takes_its_place() {
        for (purpose, part) in [(Purpose::Send, "inbox"), (Purpose::Try, "try")] {
            let stage = Stage::new(purpose);
            assert!(stage.look(&at("one", 1)).is_empty() && stage.is_watched());
            stage.holds(b"one and two");
            assert!(stage.look(&at("one", 2)).is_empty());
            assert!(stage.came_back(part) && !stage.is_watched());
            assert_eq!(std::fs::read(stage.done()).unwrap(), b"one");
        }
    }

    #[test]
    fn killed_between_the_way_back_and_the_copy_the_next_look_puts_the_copy_there() {
        let stage = Stage::new(Purpose::Send);
        let below = format!("{}/", stage.folder.part("done").display());
        let going = stage
            .ledger
            .read(|store| store.archived(&below, 9))
            .unwrap()
            .remove(0);
        let going = Archived {
            stamp: GOING_BACK.to_owned(),
            ..going
        };
        stage
            .ledger
            .write_blocking(move |store| store.put_archived(&going))
            .unwrap();
        std::fs::remove_file(stage.done()).unwrap();
        assert!(stage.look(&at("one", 1)).is_empty() && !stage.is_watched());
        assert_eq!(std::fs::read(stage.done()).unwrap(), b"one");
    }

    #[test]
    fn one_with_the_same_bytes_stays_whatever_its_dates_say() {
        let stage = Stage::new(Purpose::Send);
        stage.holds(b"one");
        for minute in [1, 2] {
            stage.look(&at("one", minute));
            assert!(!stage.came_back("inbox") && stage.is_watched());
        }
    }

    #[test]
    fn after_a_quarter_of_an_hour_one_more_look_counts_and_then_it_is_a_persons() {
        let stage = Stage::new(Purpose::Send);
        stage.look(&at("one", 14));
        assert!(stage.is_watched());
        stage.look(&at("one", 15));
        assert!(!stage.is_watched());
        stage.holds(b"a person's");
        stage.look(&at("one", 16));
        assert!(!stage.came_back("inbox"));

        for late in [at("one", 600), at("two", 1)] {
            let stage = Stage::new(Purpose::Send);
            stage.holds(b"one and two");
            stage.look(&late);
            assert!(stage.came_back("inbox"));
        }
    }

    #[test]
    fn one_that_is_open_comes_back_when_it_is_closed_however_late() {
        let stage = Stage::new(Purpose::Send);
        stage.holds(b"one and half a row");
        let lock = stage.folder.part("done").join(".~lock.a.csv#");
        write_new(&lock, b"").unwrap();
        for minute in [1, 20] {
            let left = stage.look(&at("one", minute));
            assert!(left[0].1.contains("open in another program"), "{left:?}");
            assert!(!stage.came_back("inbox") && stage.is_watched());
        }
        std::fs::remove_file(lock).unwrap();
        assert!(stage.look(&at("one", 21)).is_empty() && stage.came_back("inbox"));
    }

    #[test]
    fn nothing_in_the_inbox_is_replaced_and_what_is_taken_away_is_forgotten() {
        let stage = Stage::new(Purpose::Send);
        write_new(&stage.folder.part("inbox").join("monday.csv"), b"another").unwrap();
        stage.holds(b"one and two");
        stage.look(&at("one", 1));
        let inbox = stage.folder.part("inbox");
        assert_eq!(std::fs::read(inbox.join("monday.csv")).unwrap(), b"another");
        assert_eq!(std::fs::read(inbox.join("monday-2.csv")).unwrap(), b"one and two");

        let stage = Stage::new(Purpose::Send);
        std::fs::remove_file(stage.done()).unwrap();
        assert!(stage.look(&at("one", 1)).is_empty() && !stage.is_watched());
    }

    #[test]
    fn a_copy_that_cannot_be_put_in_its_place_is_told_and_put_there_later() {
        let stage = Stage::new(Purpose::Send);
        stage.holds(b"one and two");
        let copy = stage.copy();
        let sound = std::fs::read(&copy).unwrap();
        files::write_over(&copy, b"not one").unwrap();
        for minute in [1, 20] {
            let left = stage.look(&at("one", minute));
            assert!(left[0].1.contains("cannot be put in its place"), "{left:?}");
            assert!(stage.came_back("inbox") && stage.is_watched());
        }
        files::write_over(&copy, &sound).unwrap();
        assert!(stage.look(&at("one", 21)).is_empty() && !stage.is_watched());
        assert_eq!(std::fs::read(stage.done()).unwrap(), b"one");

        // One that is no longer kept is not asked for again and again.
        let stage = Stage::new(Purpose::Send);
        stage.holds(b"one and two");
        std::fs::remove_file(stage.copy()).unwrap();
        assert!(stage.look(&at("one", 1)).is_empty() && !stage.is_watched());
    }

    #[test]
    fn one_that_cannot_be_moved_back_is_told_and_tried_again() {
        let stage = Stage::new(Purpose::Send);
        stage.holds(b"one and two");
        std::fs::remove_dir(stage.folder.part("inbox")).unwrap();
        let left = stage.look(&at("one", 1));
        assert!(left[0].1.contains("cannot be moved back"), "{left:?}");
        std::fs::create_dir(stage.folder.part("inbox")).unwrap();
        assert!(stage.look(&at("one", 20)).is_empty() && stage.came_back("inbox"));
    }
}
