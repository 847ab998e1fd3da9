//! Shares that go and come back, and disks that are full: real mounts, where this machine lets a test make some.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use dropsheet::files::move_new;
use dropsheet::sandbox::Options;

use super::{is_done, many, slow_world};
use crate::world::{Setup, World, names, sheet, wait_for, write};

/// Runs `mount` or `umount`; false where it is refused.
fn ran(program: &str, options: &[&str], paths: &[&Path]) -> bool {
    let mut command = Command::new(program);
    command.args(options).args(paths);
    command.output().is_ok_and(|done| done.status.success())
}

fn skip() {
    println!("SKIPPED: this machine does not let a test mount a file system");
}

/// A file system in memory over a folder, taken away again when it is dropped.
struct Mounted(PathBuf);

impl Mounted {
    /// None where this machine does not let us mount: the test says so and is passed over.
    fn over(folder: &Path, size: &str) -> Option<Self> {
        let size = format!("size={size}");
        let mounted = ran("mount", &["-t", "tmpfs", "-o", &size, "tmpfs"], &[folder]);
        if !mounted {
            skip();
        }
        mounted.then(|| Self(folder.to_owned()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let away = ran("umount", &["-l"], &[&self.0]);
        assert!(away, "{} stays", self.0.display());
    }
}

#[test]
fn a_folder_that_goes_away_amid_a_pass_ends_no_other_s() {
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::from_millis(100),
            ..Setup::default().service
        },
        account: "max_in_flight = 1",
        inbox: "[inbox.other]\npath = \"other\"\nstable_for = \"4s\"\nresult_format = \"csv\"",
        ..Setup::default()
    });
    assert_eq!(world.run_once().status, 0);
    let ids: Vec<String> = (1001..1013).map(|id| id.to_string()).collect();
    world.drop_csv(
        "monday.csv",
        &sheet(&ids.iter().map(String::as_str).collect::<Vec<_>>()),
    );
    write(
        &world.path("other/inbox/tuesday.csv"),
        sheet(&["2001"]).as_bytes(),
    );
    let ran = std::thread::scope(|scope| {
        let pass = scope.spawn(|| world.run_once());
        wait_for("the first is sent", || world.creates() > 0);
        move_new(&world.path("other"), &world.path("away")).unwrap();
        pass.join().unwrap()
    });
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.said.contains("inbox `other`"), "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["created"; 12]
    );
    assert!(world.at_service("2001").is_empty());
    move_new(&world.path("away"), &world.path("other")).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.at_service("2001").len(), 1);
    world.excused.push("2001".to_owned());
    world.end();
}

#[test]
fn results_that_do_not_fit_are_written_later_and_nothing_is_sent_again() {
    let mut world = World::new();
    let Some(full) = Mounted::over(&world.orders_path("results"), "4k") else {
        return world.end();
    };
    world.drop_csv("monday.csv", &many(1000, 40));
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(world.creates(), 40);
    assert_eq!(world.files("processing").len(), 1);
    drop(full);
    let ran = world.run_once();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(
        world.result("monday.csv").column("result_status"),
        ["created"; 40]
    );
    assert_eq!(world.creates(), 40);
    world.end();
}

#[test]
fn a_share_that_goes_and_comes_back_is_waited_for_and_nothing_is_made_in_its_place() {
    let mut world = World::new();
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it works", || is_done(&world, &["monday.csv"]));
    // What is written amid it would stay where nobody sees it.
    wait_for("its help is written", || {
        world.files("help") == ["catalog.xlsx", "template.xlsx"]
    });
    let log = |what: &str| {
        fs::read_to_string(world.path("daemon.log"))
            .unwrap()
            .contains(what)
    };
    let Some(away) = Mounted::over(&world.orders_path(""), "1m") else {
        assert_eq!(daemon.terminate().0, 0);
        return world.end();
    };
    wait_for("it says that the marker is missing", || {
        log("Is the share mounted?")
    });
    assert_eq!(world.files(""), [""; 0]);
    drop(away);
    wait_for("it says that it is back", || log("its folder is back"));
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    wait_for("it works again", || is_done(&world, &["tuesday.csv"]));
    assert_eq!(daemon.terminate().0, 0);
    world.end();
}

/// The inbox's folder as a share: what is in it lies elsewhere, and is there while it is mounted. Another machine still
/// writes to it while it is away.
struct Share {
    content: PathBuf,
    place: PathBuf,
    mounted: bool,
}

impl Share {
    /// None where this machine does not let us mount.
    fn of(world: &World) -> Option<Self> {
        let (content, place) = (world.path("share"), world.orders_path(""));
        move_new(&place, &content).unwrap();
        fs::create_dir(&place).unwrap();
        let mut share = Self {
            content,
            place,
            mounted: false,
        };
        if ran("mount", &["--bind"], &[&share.content, &share.place]) {
            share.mounted = true;
            return Some(share);
        }
        skip();
        share.put_back();
        None
    }

    fn come(&mut self) {
        assert!(ran("mount", &["--bind"], &[&self.content, &self.place]));
        self.mounted = true;
    }

    /// Is unmounted: as soon as nobody has a file of it open, or at once.
    fn go(&mut self, at_once: bool) {
        let options: &[&str] = if at_once { &["--lazy"] } else { &[] };
        wait_for("it can be unmounted", || ran("umount", options, &[&self.place]));
        self.mounted = false;
        assert_eq!(names(&self.place), [""; 0], "nothing was made beneath it");
    }

    /// Makes it a folder like any other.
    fn end(mut self) {
        self.go(false);
        self.put_back();
    }

    fn put_back(&self) {
        fs::remove_dir(&self.place).unwrap();
        move_new(&self.content, &self.place).unwrap();
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.mounted {
            ran("umount", &["--lazy"], &[&self.place]);
        }
    }
}

fn said(world: &World, what: &str) -> usize {
    let log = fs::read_to_string(world.path("daemon.log")).unwrap();
    log.matches(what).count()
}

/// What is said of an inbox without its marker.
const AWAY: &str = "Is the share mounted?";

#[test]
fn a_share_that_is_unmounted_and_mounted_again_is_waited_for_and_nothing_is_made_beneath_it() {
    let mut world = World::new();
    let Some(mut share) = Share::of(&world) else {
        return world.end();
    };
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    wait_for("it works", || is_done(&world, &["monday.csv"]));
    for (time, at_once) in [(1, false), (2, true)] {
        share.go(at_once);
        wait_for("it says that the marker is missing", || {
            said(&world, AWAY) == time
        });
        let (name, id) = (format!("away{time}.csv"), format!("200{time}"));
        let text = sheet(&[&id]);
        world.expect_csv(&name, &text);
        write(&share.content.join("inbox").join(&name), text.as_bytes());
        let told = share.content.join("STATUS.txt");
        let before = fs::read(&told).unwrap();
        assert_eq!(names(&share.place), [""; 0], "the mount point stays empty");
        assert_eq!(fs::read(&told).unwrap(), before);
        share.come();
        wait_for("the sheet that came meanwhile is worked", || {
            is_done(&world, &[&name])
        });
    }
    assert_eq!(daemon.terminate().0, 0);
    // What it took away half written is swept by the next start.
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.creates(), 3);
    share.end();
    world.end();
}

#[test]
fn a_share_that_goes_amid_creates_stops_them_and_the_sheet_is_finished_when_it_is_back() {
    let mut world = slow_world(Duration::from_millis(20));
    let Some(mut share) = Share::of(&world) else {
        return world.end();
    };
    let daemon = world.daemon();
    world.drop_csv("monday.csv", &many(10_000, 150));
    wait_for("it is under way", || world.creates() > 5);
    share.go(true);
    wait_for("it says that the marker is missing", || said(&world, AWAY) > 0);
    wait_for("creates have ceased", || {
        let before = world.creates();
        std::thread::park_timeout(Duration::from_millis(300));
        world.creates() == before
    });
    assert!(world.creates() < 150);
    assert_eq!(names(&share.place), [""; 0], "the mount point stays empty");
    share.come();
    wait_for("it is finished", || is_done(&world, &["monday.csv"]));
    let result = world.result("monday.csv");
    assert_eq!(result.column("result_status"), ["created"; 150]);
    assert_eq!(world.creates(), 150);
    assert_eq!(daemon.terminate().0, 0);
    assert_eq!(world.run_once().status, 0);
    share.end();
    world.end();
}

#[test]
fn a_ledgers_disk_that_is_full_is_told_of_once_without_the_ledger() {
    let mut world = World::new();
    let disk = world.path("disk");
    fs::create_dir(&disk).unwrap();
    let Some(mounted) = Mounted::over(&disk, "2m") else {
        return world.end();
    };
    let config = world.path("dropsheet.toml");
    let text = fs::read_to_string(&config).unwrap();
    let more =
        "[ledger]\npath = \"disk/ledger.db\"\n[notify]\ncommand = [\"sh\", \"-c\", \"cat >> told.json\"]\n";
    write(&config, format!("{text}\n{more}").as_bytes());
    // It is the folder of that ledger from here on.
    fs::remove_file(world.orders_path(".dropsheet")).unwrap();
    assert_eq!(world.dropsheet(&["init"]).status, 0);
    world.drop_csv("sunday.csv", &sheet(&["999"]));
    assert_eq!(world.run_once().status, 0);
    let told_to = world.path("told.json");
    let told = || fs::read_to_string(&told_to).unwrap_or_default();
    let (before, filler) = (told().lines().count(), disk.join("filler"));
    let mut file = fs::File::create(&filler).unwrap();
    while std::io::Write::write_all(&mut file, &[0; 512]).is_ok() {}
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    for _start in 0..3 {
        let ran = world.run_once();
        assert_eq!(ran.status, 1, "{ran:?}");
    }
    let news: Vec<String> = told().lines().skip(before).map(str::to_owned).collect();
    let stopped: Vec<&String> = news.iter().filter(|line| line.contains("\"stopped\"")).collect();
    assert_eq!(stopped.len(), 1, "{news:?}");
    assert!(stopped[0].contains("make room"), "{stopped:?}");
    drop(file);
    fs::remove_file(&filler).unwrap();
    assert_eq!(world.run_once().status, 0);
    assert_eq!(world.result("monday.csv").column("result_status"), ["created"]);
    drop(mounted);
    world.end();
}
