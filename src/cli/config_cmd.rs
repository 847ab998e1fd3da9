//! `dropsheet config`: the config's keys, from their one definition.

use super::args::Config;
use super::exit::Exit;
use super::print;
use crate::config;

/// Prints every default, the schema, or the variables.
pub(super) fn run(args: &Config) -> anyhow::Result<Exit> {
    if args.schema {
        print::json(&config::schema())?;
    } else if args.variables && args.listing.json {
        let all = config::variables().into_iter();
        let all = all.map(|(name, key)| serde_json::json!({"variable": name, "key": key}));
        print::json(&all.collect::<Vec<_>>())?;
    } else if args.variables {
        let lines: Vec<String> = config::variables()
            .into_iter()
            .map(|(name, key)| format!("{name}  {key}"))
            .collect();
        print::line(&lines.join("\n"))?;
    } else if args.listing.json {
        print::json(&toml::from_str::<serde_json::Value>(&config::defaults())?)?;
    } else {
        print::text(&config::defaults())?;
    }
    Ok(Exit::Done)
}
