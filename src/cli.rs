//! The commands: what can be typed, and one file a command that does it. They hold no logic of their own.

pub mod args;
mod catalog;
mod check;
mod config_cmd;
mod demo;
pub mod exit;
mod explain;
mod import;
mod init;
pub mod orders;
mod preview;
mod progress;
pub mod print;
mod quote;
mod report;
mod run;
mod sandbox;
mod shown;
mod status;
mod template;
mod webhooks;
mod work;

use args::{Cli, Command, LogFormat};
use exit::{Exit, UsageError};

use crate::logging::{self, Logging};

/// Starts logging as it was asked for: `-v`, `--log-format`, `DROPSHEET_LOG`, `NO_COLOR`.
///
/// # Errors
/// `DROPSHEET_LOG` is no filter.
pub fn start_logging(cli: &Cli) -> anyhow::Result<()> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let logging = Logging {
        format: match cli.log_format {
            LogFormat::Human => logging::Format::Human,
            LogFormat::Json => logging::Format::Json,
        },
        verbosity: cli.verbose,
        filter: variable("DROPSHEET_LOG").map(|filter| filter.to_string_lossy().into_owned()),
        colours: variable("NO_COLOR").is_none(),
    };
    logging::start(&logging).map_err(|error| match error {
        wrong @ logging::LoggingError::Filter { .. } => UsageError(wrong.to_string()).into(),
        other @ logging::LoggingError::Started(_) => other.into(),
    })
}

/// Does what was typed.
///
/// # Errors
/// What could not be done; [`exit::of_error`] knows its exit status.
pub async fn dispatch(cli: Cli) -> anyhow::Result<Exit> {
    let config = cli.config.as_deref();
    match cli.command {
        Command::Init(args) => init::run(&args, config),
        Command::Explain(args) => explain::run(&args),
        Command::Config(args) => config_cmd::run(&args),
        Command::Demo(_) => demo::run().await,
        Command::Run(args) => run::run(&args, config).await,
        Command::Check(args) => check::run(&args, config).await,
        Command::Quote(args) => quote::run(&args, config).await,
        Command::Import(args) => import::run(&args, config).await,
        Command::Status(args) => status::run(&args, config),
        Command::Orders(args) => orders::run(&args, config).await,
        Command::Catalog(args) => catalog::run(&args, config).await,
        Command::Report(args) => report::run(&args, config).await,
        Command::Template(args) => template::run(&args, config).await,
        Command::Webhooks(args) => webhooks::run(&args, config).await,
        Command::Sandbox(args) => sandbox::run(*args).await.map(|()| Exit::Done),
    }
}
