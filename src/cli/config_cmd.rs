//! `dropsheet config`: the config's keys, from their one definition.

use super::args::Config;
use super::exit::Exit;
use super::print;
use crate::config;

/// Prints every default, or the schema.
pub(super) fn run(args: &Config) -> anyhow::Result<Exit> {
    if args.schema {
        print::json(&config::schema())?;
    } else {
        print::text(&config::defaults())?;
    }
    Ok(Exit::Done)
}
