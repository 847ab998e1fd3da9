//! `dropsheet template`: a blank order sheet with drop-downs from the catalog.

use std::path::{Path, PathBuf};

use super::catalog::Shelf;
use super::exit::Exit;
use super::print;
use super::target::target;
use crate::config;
use crate::template;

/// `template`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The .xlsx file to write, or a folder for it [default: template.xlsx in this folder]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// The account whose catalog fills the drop-downs [default: the only one]
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
}

pub(super) async fn run(args: &Args, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let shelf = Shelf::of(&config, args.account.as_deref())?;
    let out = target(args.out.as_deref(), "template", &["xlsx"])?;
    // Orders can be written without drop-downs too.
    let served = match shelf.served().await {
        Ok(served) => Some(served.snapshot),
        Err(error) => {
            print::line(&format!(
                "The drop-downs for SKUs are missing, for there is no catalog: {error:#}"
            ))?;
            None
        }
    };
    template::write(served.as_deref(), &config.zone, &out)?;
    print::line(&format!("wrote {}", out.display()))?;
    Ok(Exit::Done)
}
