//! The reader of workbooks in a process of its own, so that a hostile workbook costs its own sheet and never the
//! program: what makes a reading library ask for more memory than there is ends a process, and nothing can catch that.
//!
//! The process is this program again, asked with the hidden command `ASKED`. It gets the workbook as its standard
//! input and a socket as its standard output, no environment, and limits that it sets itself before it reads a byte:
//! memory, processor time, no core dump. Rows come back over the socket (see `workbook/frames.rs`); what ends the
//! process is a rejection.
//!
//! - It is told apart who ended it: memory and time are the workbook's fault and reject it; a signal from outside
//!   (somebody ends dropsheet, or the machine is short of memory) is not, and the sheet can be read again.
//! - It is in a process group of its own: a Ctrl-C ends dropsheet, not the reading of a good sheet.
//! - Where dropsheet ends first, the socket is closed and the reader with it.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};

use super::reject::{broken, needs_too_much, reader_failed, reader_stopped, takes_too_long};
use super::workbook::serve;
use crate::finding::Rejection;

/// The hidden command of the reader: `dropsheet read-workbook MEBIBYTES SECONDS`.
const ASKED: &str = "read-workbook";
/// Memory of the reader of any workbook, in bytes of address space: the program itself, and room to unpack in.
const MEMORY: u64 = 384 << 20;
/// More of it for each byte of the file: kinds that are read as a whole take so much in honest sheets.
const MEMORY_A_BYTE: u64 = 48;
/// The most of it, in bytes, whatever the file's size.
const MOST_MEMORY: u64 = 4 << 30;
/// Processor time of the reader of any workbook, in seconds: a sheet of a million rows takes ten.
const SECONDS: u64 = 20;
/// More of it for each MiB of the file, in seconds.
const SECONDS_A_MIB: u64 = 2;
/// How many times its processor time the reader may be silent: it shares the machine, and may wait for a slow disk.
const PATIENCE: u64 = 6;
/// Seconds of processor time between the word that a reader has had its time, and its end.
const GRACE: u64 = 5;

/// This program's own file, once it has said in [`begin`] that it can be asked.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// What a program calls first of all in its `main`, with its arguments: gives an exit code where the program was started
/// as the reader of a workbook, to end with at once. Otherwise workbooks are read apart from then on.
///
/// A program that calls neither it nor [`read_with`] reads workbooks in a thread of its own process: with the same limits on rows, columns
/// and cells, but a workbook that makes the reading library ask for too much memory then ends the whole program.
pub fn begin(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    match asked(arguments) {
        Asked::ForItself => {}
        Asked::ToRead { memory, seconds } => {
            let read = read_here(memory << 20, seconds);
            return Some(read.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS));
        }
        Asked::Wrongly => return Some(ExitCode::FAILURE),
    }
    // The file of the running program even where a newer one has taken its name.
    let own = Path::new("/proc/self/exe");
    let program = if own.exists() {
        Some(own.to_owned())
    } else {
        std::env::current_exe().ok()
    };
    if let Some(program) = program {
        read_with(program);
    }
    None
}

/// What a program was started for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// For what it is.
    ForItself,
    /// To read a workbook, with so much memory in MiB and time in seconds.
    ToRead { memory: u64, seconds: u64 },
    /// To read one, but without its limits.
    Wrongly,
}

fn asked(mut arguments: impl Iterator<Item = OsString>) -> Asked {
    let (_program, command) = (arguments.next(), arguments.next());
    if command.is_none_or(|command| command != ASKED) {
        return Asked::ForItself;
    }
    let mut number = || arguments.next()?.to_str()?.parse::<u64>().ok();
    match (number(), number()) {
        (Some(memory), Some(seconds)) => Asked::ToRead { memory, seconds },
        _ => Asked::Wrongly,
    }
}

/// Names a program that calls [`begin`] first of all, to read workbooks from then on: for a program whose own `main` is
/// somebody else's, as that of tests is. What was named first stays.
pub fn read_with(program: PathBuf) {
    PROGRAM.get_or_init(|| program);
}

/// The reader's own side: standard input is the workbook, standard output the socket.
fn read_here(memory: u64, seconds: u64) -> io::Result<()> {
    limit(Resource::As, memory, memory)?;
    // The system says why it ends a reader at the first, and only kills it at the second.
    limit(Resource::Cpu, seconds, seconds.saturating_add(GRACE))?;
    limit(Resource::Core, 0, 0)?;
    // A panic is answered with a rejection; there is nobody to read of it.
    std::panic::set_hook(Box::new(|_panic| {}));
    let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let link = UnixStream::from(io::stdout().as_fd().try_clone_to_owned()?);
    serve(&Arc::new(file), &link)
}

fn limit(what: Resource, told: u64, most: u64) -> io::Result<()> {
    let now = getrlimit(what).maximum.unwrap_or(u64::MAX);
    setrlimit(
        what,
        Rlimit {
            current: Some(now.min(told)),
            maximum: Some(now.min(most)),
        },
    )?;
    Ok(())
}

/// A reader at work on one workbook.
pub(super) struct Apart {
    link: UnixStream,
    /// None where it is a thread of this process.
    process: Option<Child>,
    memory: u64,
    seconds: u64,
}

impl Apart {
    /// Starts reading a workbook.
    pub(super) fn start(file: &Arc<File>, bytes: u64) -> Result<Self, Rejection> {
        let memory = MEMORY_A_BYTE.saturating_mul(bytes).saturating_add(MEMORY);
        let mut apart = Self {
            link: UnixStream::pair().map_err(|error| reader_failed(&error))?.0,
            process: None,
            memory: memory.min(MOST_MEMORY),
            seconds: SECONDS_A_MIB.saturating_mul(bytes >> 20).saturating_add(SECONDS),
        };
        apart.connect(file).map_err(|error| reader_failed(&error))?;
        Ok(apart)
    }

    fn connect(&mut self, file: &Arc<File>) -> io::Result<()> {
        let (ours, theirs) = UnixStream::pair()?;
        let silence = Duration::from_secs(self.seconds.saturating_mul(PATIENCE));
        ours.set_read_timeout(Some(silence))?;
        self.link = ours;
        if let Some(program) = PROGRAM.get() {
            let process = Command::new(program)
                .arg(ASKED)
                .arg((self.memory >> 20).to_string())
                .arg(self.seconds.to_string())
                .env_clear()
                .stdin(Stdio::from(file.try_clone()?))
                .stdout(Stdio::from(OwnedFd::from(theirs)))
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()?;
            self.process = Some(process);
        } else {
            let file = Arc::clone(file);
            std::thread::Builder::new().spawn(move || serve(&file, &theirs))?;
        }
        Ok(())
    }

    /// What the reader says, and what it is told.
    pub(super) fn link(&self) -> &UnixStream {
        &self.link
    }

    /// Why the reader did not say all that it should have, from what was seen at this end.
    pub(super) fn why(mut self, seen: &io::Error) -> Rejection {
        match seen.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                return reader_stopped("it gave no answer in time");
            }
            io::ErrorKind::InvalidData => return broken("its reader says what makes no sense"),
            _ => {}
        }
        let ended = match self.process.take() {
            None => return reader_failed(seen),
            Some(process) => end_of(process),
        };
        match ended {
            Err(error) => reader_failed(&error),
            Ok(status) => self.judge(status, seen),
        }
    }

    fn judge(&self, status: ExitStatus, seen: &io::Error) -> Rejection {
        let outside = [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT, Signal::KILL];
        match status.signal() {
            Some(signal) if signal == Signal::XCPU.as_raw() => takes_too_long(self.seconds),
            Some(signal) if outside.iter().any(|one| one.as_raw() == signal) => {
                reader_stopped(&format!("signal {signal} ended it"))
            }
            Some(_abort) => needs_too_much(self.memory >> 20),
            None => reader_failed(seen),
        }
    }
}

/// The end of a process that has closed its socket: it is over, or about to be.
fn end_of(mut process: Child) -> io::Result<ExitStatus> {
    process.wait()
}

impl Drop for Apart {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // It may be over already; then there is nothing to end, and only its status to be fetched.
            drop(process.kill());
            drop(process.wait());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;

    #[test]
    fn who_ended_the_reader_decides_whether_the_workbook_is_rejected() {
        let apart = Apart {
            link: UnixStream::pair().unwrap().0,
            process: None,
            memory: 384 << 20,
            seconds: 20,
        };
        let lost = io::Error::from(io::ErrorKind::UnexpectedEof);
        for (signal, code, words) in [
            (Signal::ABORT, Code::SheetTooLarge, "384 MiB of memory"),
            (Signal::SEGV, Code::SheetTooLarge, "384 MiB of memory"),
            (Signal::XCPU, Code::SheetTooLarge, "20 seconds"),
            (Signal::TERM, Code::UnreadableFile, "signal 15"),
            (Signal::KILL, Code::UnreadableFile, "signal 9"),
        ] {
            let why = apart.judge(ExitStatus::from_raw(signal.as_raw()), &lost);
            assert_eq!(why.code, code, "{signal:?}");
            assert!(why.message.contains(words), "{}", why.message);
        }
        assert_eq!(
            apart.judge(ExitStatus::from_raw(0), &lost).code,
            Code::UnreadableFile
        );
    }

    #[test]
    fn a_program_that_was_started_for_itself_is_told_to_go_on() {
        let asked = |arguments: &[&str]| asked(arguments.iter().map(OsString::from));
        assert_eq!(asked(&["dropsheet"]), Asked::ForItself);
        assert_eq!(asked(&["dropsheet", "run", "--once"]), Asked::ForItself);
        assert_eq!(asked(&["dropsheet", ASKED]), Asked::Wrongly);
        let (memory, seconds) = (384, 20);
        assert_eq!(
            asked(&["dropsheet", ASKED, "384", "20"]),
            Asked::ToRead { memory, seconds }
        );
    }
}
