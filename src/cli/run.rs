//! `dropsheet run`: every inbox, once or until it is told to end.

use std::path::Path;
use std::sync::Arc;

use super::args::Run;
use super::exit::Exit;
use super::work::{exit_of, until_told};
use super::worked::print_report;
use crate::config;
use crate::daemon;

pub(super) async fn run(args: &Run, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    if config.inboxes.is_empty() {
        return Err(super::work::no_inbox(&config).into());
    }
    if !args.once {
        until_told(async |ending| daemon::run(config, ending).await).await?;
        return Ok(Exit::Done);
    }
    let progress = Arc::default();
    let drawn = super::progress::draw(&progress, "orders");
    let report = until_told(async |ending| daemon::run_once(&config, progress, &ending).await).await?;
    drop(drawn);
    let Some(report) = report else {
        return Ok(Exit::Attention);
    };
    if report.inboxes == 0 {
        anyhow::bail!("no inbox could be worked: {}", report.troubles.join("; "));
    }
    print_report(&report, args.json)?;
    Ok(exit_of(&report))
}
