//! What the config takes from the environment, read once: where to look for the file, what is put over it, and
//! passwords.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The environment of the process, as far as it is text.
#[derive(Clone, Default)]
pub(super) struct Environment {
    variables: BTreeMap<String, String>,
    /// Relative `--config` and `./dropsheet.toml` start here.
    pub(super) folder: PathBuf,
}

/// A key that a variable sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Override {
    /// The variable: `DROPSHEET_ACCOUNT__MAIN__EMAIL`.
    pub(super) variable: String,
    /// Its parts, in the case they came in: `ACCOUNT`, `MAIN`, `EMAIL`.
    pub(super) key: Vec<String>,
    /// What it sets.
    pub(super) value: String,
}

impl Environment {
    /// The process's own.
    pub(super) fn of_process() -> std::io::Result<Self> {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            // What is not text can be no name, path or password that a config file could hold either.
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Ok(Self {
            variables: std::env::vars_os().filter_map(text).collect(),
            folder: std::env::current_dir()?,
        })
    }

    /// One without a variable, in the process's working folder.
    pub(super) fn of_nobody() -> std::io::Result<Self> {
        Ok(Self {
            variables: BTreeMap::new(),
            folder: std::env::current_dir()?,
        })
    }

    #[cfg(test)]
    pub(super) fn of_test(folder: &Path, variables: &[(&str, &str)]) -> Self {
        Self {
            variables: variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            folder: folder.to_owned(),
        }
    }

    /// A variable that is set to something.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Whether `$DROPSHEET_CONFIG` names the config.
    pub(super) fn is_named(&self) -> bool {
        self.variable("DROPSHEET_CONFIG").is_some()
    }

    /// The places of the config, in order; `given` or `$DROPSHEET_CONFIG` is the only one where it is there.
    pub(super) fn places(&self, given: Option<&Path>) -> Vec<PathBuf> {
        let named = given.or_else(|| self.variable("DROPSHEET_CONFIG").map(Path::new));
        if let Some(path) = named {
            return vec![self.folder.join(path)];
        }
        let configs = self
            .variable("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .or_else(|| self.variable("HOME").map(|home| Path::new(home).join(".config")));
        let mut places = vec![self.folder.join("dropsheet.toml")];
        places.extend(configs.map(|folder| folder.join("dropsheet/dropsheet.toml")));
        places.push(super::SYSTEM_CONFIG.into());
        places
    }

    /// The variables that set keys: `DROPSHEET_ZONE`, and all that begin with `DROPSHEET_` and have a `__` for each
    /// dot of the key. A variable that an account names for its password is none.
    pub(super) fn overrides(&self, passwords: &[String]) -> Vec<Override> {
        let read = |(variable, value): (&String, &String)| {
            let key = variable.strip_prefix("DROPSHEET_")?;
            let sets = key == "ZONE" || key.contains("__");
            (sets && !passwords.contains(variable)).then(|| Override {
                variable: variable.clone(),
                key: key.split("__").map(str::to_owned).collect(),
                value: value.clone(),
            })
        };
        self.variables.iter().filter_map(read).collect()
    }
}

/// The names alone: the values may be secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}
