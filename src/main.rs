//! Starts and ends the program: nothing more.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use dropsheet::cli::exit::{self, Exit};
use dropsheet::cli::{self, args::Cli};
use dropsheet::defect;
use dropsheet::result::scratch_panic;
use dropsheet::sheet::apart;
use tokio::signal::unix::SignalKind;

/// A sheet passes through half a dozen threads. The system's allocator either gives each of them an arena, and what is
/// freed in one is not used again by another, or has them wait for one another at a single one. How this one is set
/// up, one arena and little kept, is in `.cargo/config.toml`.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    if let Some(read) = apart::begin(std::env::args_os()) {
        return read;
    }
    let cli = Cli::parse();
    match start(cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            // Not `{:?}`, which prints a backtrace where RUST_BACKTRACE is set. Where standard error is closed too,
            // there is nobody left to tell: the exit status says it.
            drop(writeln!(anstream::stderr(), "dropsheet: {error:#}"));
            exit::of_error(&error).into()
        }
    }
}

fn start(cli: Cli) -> anyhow::Result<Exit> {
    defect::end_the_program(Exit::Failed.status().into(), |panic| {
        scratch_panic(panic.payload()).is_some()
    });
    cli::start_logging(&cli)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let ended = runtime.block_on(async {
        let_writes_fail()?;
        cli::dispatch(cli).await
    });
    // A call to a share that does not answer is not waited for.
    runtime.shutdown_timeout(LAST_CALLS);
    ended
}

/// Has a write past the limit on the size of files (`ulimit -f`, systemd's `LimitFSIZE`) fail as one on a full disk does,
/// which is told: by itself its signal ends the program without a word. It is caught until the program ends.
fn let_writes_fail() -> std::io::Result<()> {
    let passed = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    tokio::signal::unix::signal(passed).map(drop)
}

/// How long calls to the disk that are under way at the end may take.
const LAST_CALLS: Duration = Duration::from_millis(500);
