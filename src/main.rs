//! Starts and ends the program: nothing more.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use dropsheet::cli::{self, args::Cli, exit};
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

fn start(cli: Cli) -> anyhow::Result<exit::Exit> {
    // A panic in a parser costs one sheet, which says so; nobody is helped by a backtrace.
    std::panic::set_hook(Box::new(|defect| {
        if scratch_panic(defect.payload()).is_none() {
            tracing::error!(%defect, "a defect of dropsheet");
        }
    }));
    cli::start_logging(&cli)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let ended = runtime.block_on(cli::dispatch(cli));
    // A call to a share that does not answer is not waited for.
    runtime.shutdown_timeout(LAST_CALLS);
    ended
}

/// How long calls to the disk that are under way at the end may take.
const LAST_CALLS: Duration = Duration::from_millis(500);
