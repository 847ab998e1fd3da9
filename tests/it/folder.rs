//! What is decided of files that come, grow, change and go: the cases of `tests/it/folder/`, each a list of what happens
//! at a time and of what a look then decides. The files are real, the clock is the case's.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use dropsheet::clock::{BootTime, Now};
use dropsheet::config::{self, Inbox};
use dropsheet::filing::take::Taker;
use dropsheet::inbox::Folder;
use dropsheet::ledger::Ledger;
use dropsheet::ledger::record::{AccountRef, Purpose};
use jiff::{SignedDuration, Timestamp};

use crate::world::{names, write};

/// A folder, a ledger, and the case's clock.
struct Stage {
    root: tempfile::TempDir,
    ledger: Ledger,
    account: AccountRef,
    inbox: Inbox,
    folder: Folder,
    seconds: i64,
}

#[test]
fn every_case_is_decided_as_it_says() {
    let cases = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/folder"));
    let mut wrong = Vec::new();
    for name in names(cases) {
        let text = fs::read_to_string(cases.join(&name)).unwrap();
        let mut stage = Stage::new();
        for (number, line) in (1..).zip(text.lines()) {
            if let Err(said) = stage.follow(line) {
                wrong.push(format!("{name}:{number}: `{line}`: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(names(cases).len() >= 10);
}

impl Stage {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        write(&root.path().join("password"), b"x");
        let config = root.path().join("dropsheet.toml");
        write(
            &config,
            b"[account.main]\nbase_url = \"http://127.0.0.1:1\"\nemail = \"shop@example.com\"\n\
              password_file = \"password\"\n[inbox.main]\npath = \"orders\"\n",
        );
        let inbox = config::load(Some(&config)).unwrap().inboxes.remove(0);
        let folder = Folder::new(root.path().join("orders"));
        folder.make().unwrap();
        let ledger = Ledger::open(&root.path().join("ledger.db"), "a test").unwrap();
        let account = ledger
            .write_blocking(|store| store.account("main", "http://127.0.0.1:1", "shop@example.com"))
            .unwrap();
        Self {
            root,
            ledger,
            account,
            inbox,
            folder,
            seconds: 0,
        }
    }

    /// Does what a line says; what is otherwise where it says what is decided.
    fn follow(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let Some(at) = words.next().filter(|word| !word.starts_with('#')) else {
            return Ok(());
        };
        self.seconds = at.strip_suffix('s').unwrap().parse().unwrap();
        let (what, rest) = (words.next().unwrap(), words.collect::<Vec<_>>());
        match (what, &rest[..]) {
            ("write", [name, text]) => write(&self.path(name), unescaped(text).as_bytes()),
            ("append", [name, text]) => {
                let mut file = File::options().append(true).open(self.path(name)).unwrap();
                file.write_all(unescaped(text).as_bytes()).unwrap();
            }
            ("rename", [from, to]) => {
                // As a program that saves does: what was there is replaced.
                if self.path(to).exists() {
                    fs::remove_file(self.path(to)).unwrap();
                }
                dropsheet::files::move_new(&self.path(from), &self.path(to)).unwrap();
            }
            ("remove", [name]) => fs::remove_file(self.path(name)).unwrap(),
            ("dated", [name, year]) => {
                let years: u64 = year.parse().unwrap();
                let date = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * (years - 1970));
                let file = File::options().append(true).open(self.path(name)).unwrap();
                file.set_modified(date).unwrap();
            }
            ("folder", [name]) => fs::create_dir(self.path(name)).unwrap(),
            ("link", [name]) => std::os::unix::fs::symlink("elsewhere.csv", self.path(name)).unwrap(),
            ("look", decided) => return self.look(decided),
            _ => panic!("what is `{line}`?"),
        }
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.part("inbox").join(name)
    }

    /// Looks once, and compares what is decided with what is said: `NAME=take`, `wait`, `left` or `reject`.
    fn look(&self, said: &[&str]) -> Result<(), String> {
        let zone = jiff::tz::TimeZone::UTC;
        let spool = self.root.path().join("spool");
        let taker = Taker {
            ledger: &self.ledger,
            account: self.account,
            inbox: &self.inbox,
            spool: &spool,
            zone: &zone,
            folder: &self.folder,
            changed_until: None,
        };
        let before = files_in(&self.folder.part("inbox"));
        let taken = taker.look(Purpose::Send, &self.now()).unwrap();
        let mut decided: BTreeMap<String, &str> = before
            .into_iter()
            .map(|path| (self.name(&path), "wait"))
            .collect();
        for claim in &taken.claims {
            let claim = self.ledger.read(|store| store.claim(*claim)).unwrap().unwrap();
            decided.insert(self.name(Path::new(&claim.new.place)), "take");
        }
        for (path, _why) in &taken.left_alone {
            decided.insert(self.name(path), "left");
        }
        for file in &taken.rejected {
            decided.insert(self.name(&file.from), "reject");
        }
        let waiting = decided.values().filter(|decision| **decision == "wait").count();
        let decided: Vec<String> = decided
            .iter()
            .map(|(name, what)| format!("{name}={what}"))
            .collect();
        if decided != said {
            return Err(format!("it is {}", decided.join(" ")));
        }
        if waiting != taken.waiting || (waiting > 0) != taken.ready_in.is_some() {
            return Err(format!("{} wait, until {:?}", taken.waiting, taken.ready_in));
        }
        Ok(())
    }

    fn name(&self, path: &Path) -> String {
        let inbox = self.folder.part("inbox");
        path.strip_prefix(inbox).unwrap().to_string_lossy().into_owned()
    }

    fn now(&self) -> Now {
        let start: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
        Now {
            wall: start + SignedDuration::from_secs(self.seconds),
            boot: BootTime {
                id: "boot-1".into(),
                millis: self.seconds * 1000,
            },
        }
    }
}

/// Every file, link and empty folder below a folder, one deep.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for name in names(folder) {
        let path = folder.join(name);
        if path.is_dir() && !names(&path).is_empty() {
            found.extend(names(&path).into_iter().map(|name| path.join(name)));
        } else if !path.is_dir() {
            found.push(path);
        }
    }
    found
}

fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace('_', " ")
}
