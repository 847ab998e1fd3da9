//! Starts and ends the program: nothing more.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use dropsheet::cli::exit::{self, Exit};
use dropsheet::cli::{self, args::Cli};
use dropsheet::defect;
use dropsheet::memory;
use dropsheet::result::scratch_panic;
use dropsheet::sheet::apart;

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
    let is_set = std::env::var_os(memory::ARENAS).is_some();
    if cli.works_sheets()
        && let Err(error) = memory::keep_in_one_arena(is_set, std::env::args_os())
    {
        drop(writeln!(
            anstream::stderr(),
            "dropsheet: it takes more memory than it needs: {error}"
        ));
    }
    cli::start_logging(&cli)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let ended = runtime.block_on(cli::dispatch(cli));
    // A call to a share that does not answer is not waited for.
    runtime.shutdown_timeout(LAST_CALLS);
    ended
}

/// How long calls to the disk that are under way at the end may take.
const LAST_CALLS: Duration = Duration::from_millis(500);
