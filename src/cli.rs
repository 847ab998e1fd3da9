//! The commands: what can be typed, and one file a command that does it. They ask and tell; what is done, others do.

pub mod args;
mod catalog;
mod check;
mod config_cmd;
mod demo;
pub mod doctor;
pub mod exit;
mod explain;
pub mod hold;
mod import;
mod init;
pub mod ledger;
pub mod orders;
pub mod pages;
mod preview;
mod progress;
pub mod print;
mod quote;
mod report;
mod run;
mod sandbox;
mod shown;
mod status;
mod target;
mod template;
mod webhooks;
mod work;
mod worked;

use args::{Cli, Command, LogFormat};
use exit::{Exit, UsageError};

use crate::filing::approve::Decision;
use crate::logging::{self, Logging};

/// Starts logging as it was asked for: `-v`, `--log-format`, `DROPSHEET_LOG`, `NO_COLOR`.
///
/// # Errors
/// `DROPSHEET_LOG` is no filter.
pub fn start_logging(cli: &Cli) -> anyhow::Result<()> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let logging = Logging {
        format: match cli.log_format {
            Some(LogFormat::Human) => logging::Format::Human,
            Some(LogFormat::Json) => logging::Format::Json,
            Some(LogFormat::Journald) => logging::Format::Journald,
            None => logging::Format::detect(
                variable("JOURNAL_STREAM")
                    .as_deref()
                    .and_then(std::ffi::OsStr::to_str),
            ),
        },
        verbosity: cli.verbose,
        filter: variable("DROPSHEET_LOG").map(|filter| filter.to_string_lossy().into_owned()),
        colours: logging::may_use_colours(variable("NO_COLOR").as_deref(), variable("TERM").as_deref()),
    };
    logging::start(&logging).map_err(|error| match error {
        wrong @ logging::LoggingError::Filter { .. } => UsageError(wrong.to_string()).into(),
        other @ (logging::LoggingError::Started(_) | logging::LoggingError::Journal(_)) => other.into(),
    })
}

/// Who runs this, for what is written down of it.
fn user() -> Option<String> {
    ["SUDO_USER", "USER", "LOGNAME"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|name| !name.is_empty())
        .map(|name| name.to_string_lossy().into_owned())
}

/// Does what was typed.
///
/// # Errors
/// What could not be done; [`exit::of_error`] knows its exit status.
pub async fn dispatch(cli: Cli) -> anyhow::Result<Exit> {
    let config = cli.config.as_deref();
    // In boxes: what works orders is deep, and its type would be one with everything above it.
    match cli.command {
        Command::Init(args) => init::run(&args, config),
        Command::Explain(args) => explain::run(&args),
        Command::Config(args) => config_cmd::run(&args),
        Command::Completions(args) => pages::completions(&args),
        Command::Man(args) => pages::manual(&args),
        Command::Demo(_) => Box::pin(demo::run()).await,
        Command::Run(args) => Box::pin(run::run(&args, config)).await,
        Command::Check(args) => check::run(&args, config).await,
        Command::Quote(args) => Box::pin(quote::run(&args, config)).await,
        Command::Import(args) => Box::pin(import::run(&args, config)).await,
        Command::Approve(args) => hold::decide(&args, Decision::Approve, config),
        Command::Decline(args) => hold::decide(&args, Decision::Decline, config),
        Command::Pause(args) => hold::pause(&args, config),
        Command::Resume(args) => hold::resume(&args, config),
        Command::Status(args) => status::run(&args, config),
        Command::Doctor(args) => doctor::run(&args, config).await,
        Command::Orders(args) => Box::pin(orders::run(&args, config)).await,
        Command::Catalog(args) => catalog::run(&args, config).await,
        Command::Report(args) => report::run(&args, config).await,
        Command::Template(args) => template::run(&args, config).await,
        Command::Ledger(args) => ledger::run(&args, config).await,
        Command::Webhooks(args) => webhooks::run(&args, config).await,
        Command::Sandbox(args) => sandbox::run(*args).await.map(|()| Exit::Done),
    }
}
