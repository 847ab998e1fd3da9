//! The profiles of the config: each `[profile.NAME]` is checked as the built-in ones are, and each inbox chooses.

use std::collections::BTreeMap;

use super::ConfigError;
use super::source::Source;
use crate::order::profile::written::Written;
use crate::order::{Profile, Profiles};

/// The words that choose no profile.
const RESERVED: [&str; 2] = ["auto", "native"];

/// Checks the profiles of the file; `names` are theirs, in the order of the file.
pub(super) fn profiles(
    names: &[&String],
    written: &BTreeMap<String, Written>,
    source: &Source<'_>,
) -> Result<Profiles, ConfigError> {
    let mut own = Vec::new();
    for name in names {
        let key = format!("profile.{name}");
        if RESERVED.contains(&name.as_str()) {
            return Err(source.wrong(&key, "the name has a meaning already; expected another one"));
        }
        let Some(table) = written.get(*name) else { continue };
        let checked = Profile::new(name, table.clone());
        own.push(checked.map_err(|wrong| source.wrong(&format!("{key}.{}", wrong.key), &wrong.message))?);
    }
    Ok(Profiles::with(own))
}

/// The profiles with the one that an inbox names.
pub(super) fn choose(
    profiles: &Profiles,
    (key, name): (&str, &str),
    source: &Source<'_>,
) -> Result<Profiles, ConfigError> {
    profiles.choose(name).ok_or_else(|| {
        let message = format!(
            "there is no profile `{name}`; expected one of {}",
            profiles.names().join(", ")
        );
        source.wrong(key, &message)
    })
}
