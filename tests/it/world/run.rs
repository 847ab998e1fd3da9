//! The program as a process of its own: one run, one run that is to be killed, or a daemon.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{PATIENCE, World, wait_for};

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit status; -1 where a signal ended it.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) said: String,
    /// Standard error.
    pub(crate) logged: String,
}

impl Ran {
    /// Whether it came to the point where it was to be stopped, or to fail.
    pub(crate) fn came_to_its_point(&self) -> bool {
        self.crashed() || self.logged.contains("a test asked for")
    }

    /// Whether it came to its crash point.
    pub(crate) fn crashed(&self) -> bool {
        self.status == -1
    }
}

/// A running `dropsheet run`. It is killed when it is dropped.
pub(crate) struct Daemon {
    child: Child,
}

impl Daemon {
    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it as a pulled plug would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, and gives its exit status and how long it took.
    pub(crate) fn terminate(mut self) -> (i32, Duration) {
        let begun = Instant::now();
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let status = self.child.wait().unwrap();
        (status.code().unwrap_or(-1), begun.elapsed())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to kill.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl World {
    /// Runs a command of the program to its end.
    pub(crate) fn dropsheet(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments))
    }

    /// `dropsheet run --once`
    pub(crate) fn run_once(&self) -> Ran {
        self.dropsheet(&["run", "--once"])
    }

    /// `dropsheet run --once`, stopped where it comes to a crash point: `NAME` or `NAME:N`.
    pub(crate) fn run_once_crashing(&self, at: &str) -> Ran {
        self.crashing(at, &["run", "--once"])
    }

    /// Any command, stopped where it comes to a crash point.
    pub(crate) fn crashing(&self, at: &str, arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        command.env("DROPSHEET_CRASH_AT", at);
        ran(command)
    }

    /// `dropsheet run --once` where no file may grow beyond so many blocks of 512 bytes: every write further on fails, as
    /// on a disk that has failed.
    pub(crate) fn run_once_with_small_files(&self, blocks: u32) -> Ran {
        let inner = self.command(&["run", "--once"]);
        let mut command = Command::new("sh");
        command
            .env_clear()
            .env("HOME", self.path(""))
            .env("TMPDIR", self.path(""))
            .current_dir(self.path(""))
            .stdin(Stdio::null())
            .args(["-c", "ulimit -f \"$0\"; exec \"$@\"", &blocks.to_string()])
            .arg(inner.get_program())
            .args(inner.get_args());
        ran(command)
    }

    /// The same where standard error cannot be written: the disk with the log is full.
    pub(crate) fn run_once_with_full_log(&self) -> i32 {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = self.command(&["run", "--once"]);
        let status = command.stdout(Stdio::null()).stderr(full).status();
        status.unwrap().code().unwrap_or(-1)
    }

    /// Runs until a run needs no further one: its exit status is 0, or two runs say the same.
    pub(crate) fn run_until_settled(&self) -> Ran {
        let first = self.run_once();
        if first.status == 0 { first } else { self.run_once() }
    }

    /// A running daemon, once it has said that it works.
    pub(crate) fn daemon(&self) -> Daemon {
        self.daemon_with(&[])
    }

    /// The same, with variables of the environment, as a service manager sets them.
    pub(crate) fn daemon_with(&self, variables: &[(&str, &str)]) -> Daemon {
        let mut command = self.command(&["run", "-v"]);
        command.envs(variables.iter().copied());
        self.started(command)
    }

    /// The same, held to the rights of files as everybody is, whom root is not. None, and said, where that cannot be.
    pub(crate) fn daemon_held_to_rights(&self) -> Option<Daemon> {
        Some(self.started(self.held_to_rights(&["run", "-v"])?))
    }

    /// A pass that is held to the rights of files in the same way.
    pub(crate) fn run_once_held_to_rights(&self) -> Option<Ran> {
        self.dropsheet_held_to_rights(&["run", "--once"])
    }

    /// Any command that is.
    pub(crate) fn dropsheet_held_to_rights(&self, arguments: &[&str]) -> Option<Ran> {
        Some(ran(self.held_to_rights(arguments)?))
    }

    fn held_to_rights(&self, arguments: &[&str]) -> Option<Command> {
        if !rustix::process::geteuid().is_root() {
            return Some(self.command(arguments));
        }
        let without = ["--bounding-set=-dac_override,-dac_read_search,-fowner,-fsetid"];
        let tried = Command::new("setpriv").args(without).arg("true").status();
        if !tried.is_ok_and(|tried| tried.success()) {
            println!("SKIPPED: `setpriv` cannot take root's rights away here");
            return None;
        }
        let plain = self.command(arguments);
        let mut command = Command::new("setpriv");
        command
            .args(without)
            .arg(plain.get_program())
            .args(plain.get_args())
            .env_clear()
            .env("HOME", self.path(""))
            .env("TMPDIR", self.path(""))
            .current_dir(self.path(""))
            .stdin(Stdio::null());
        Some(command)
    }

    fn started(&self, mut command: Command) -> Daemon {
        let log = self.path("daemon.log");
        command
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).unwrap());
        let daemon = Daemon {
            child: command.spawn().unwrap(),
        };
        wait_for("the daemon works", || {
            std::fs::read_to_string(&log).unwrap().contains("dropsheet works")
        });
        daemon
    }

    /// A command of the program, not started yet.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dropsheet"));
        command
            .env_clear()
            .env("HOME", self.path(""))
            .env("TMPDIR", self.path(""))
            .current_dir(self.path(""))
            .stdin(Stdio::null())
            .arg("--config")
            .arg(self.path("dropsheet.toml"))
            .args(arguments);
        command
    }
}

/// Waits for a process's end, for as long as a test waits for anything.
pub(crate) fn ran(mut command: Command) -> Ran {
    let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command
        .stdout(out.try_clone().unwrap())
        .stderr(err.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    let give_up = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > give_up {
            child.kill().unwrap();
            panic!("{command:?} does not end; it logged {}", text(err));
        }
        std::thread::park_timeout(Duration::from_millis(5));
    };
    Ran {
        status: status.code().unwrap_or(-1),
        said: text(out),
        logged: text(err),
    }
}

fn text(mut file: std::fs::File) -> String {
    use std::io::{Read, Seek};
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}
