//! `dropsheet config`: the config's keys, from their one definition.

use super::args::Config;
use super::exit::Exit;
use super::print;
use crate::config;

/// Prints every default, the schema, or the variables.
pub(super) fn run(args: &Config) -> anyhow::Result<Exit> {
    if args.schema {
        print::json(&config::schema())?;
    } else if args.variables {
        let lines: Vec<String> = config::variables()
            .into_iter()
            .map(|(name, key)| format!("{name}  {key}"))
            .collect();
        print::line(&lines.join("\n"))?;
    } else {
        print::text(&config::defaults())?;
    }
    Ok(Exit::Done)
}
