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

    /// What there is of variables.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().map(String::as_str)
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

/// A variable that was meant to set a key, and sets none: it begins as one that does, and no two underscores stand in it. A
/// variable that holds a password is none.
pub(super) fn misspelt<'a>(names: impl Iterator<Item = &'a str>, passwords: &[String]) -> Option<String> {
    let names = names.filter(|name| !name.contains("__") && !passwords.iter().any(|one| one == name));
    let mut names = names.filter_map(|name| Some((name, name.strip_prefix("DROPSHEET_")?)));
    names.find_map(|(name, rest)| {
        let (section, _key) = rest.split_once('_')?;
        let known = super::variables().into_iter().map(|(variable, _key)| variable);
        let in_section = format!("DROPSHEET_{section}__");
        let mut known = known.filter(|known| known.starts_with(&in_section)).peekable();
        known.peek()?;
        let meant = known.filter_map(|known| as_meant(name, &known));
        // Of two keys that it may end in, the longer one.
        let meant = meant.min_by_key(|(own, _written)| *own);
        let written = meant.map_or_else(
            || {
                "two underscores stand for each dot of a key: `dropsheet config --variables` lists every one"
                    .to_owned()
            },
            |(_own, written)| format!("write {written}, with two underscores for each dot of the key"),
        );
        Some(format!("the environment variable {name} sets no key; {written}"))
    })
}

/// A name as a known variable is written, and how many characters the operator's own name in it has.
fn as_meant(name: &str, known: &str) -> Option<(usize, String)> {
    let Some((section, key)) = known.split_once("__X__") else {
        return (known.replace("__", "_") == name).then(|| (0, known.to_owned()));
    };
    let own = name.strip_prefix(section)?.strip_prefix('_')?;
    let own = own
        .strip_suffix(key)?
        .strip_suffix('_')
        .filter(|own| !own.is_empty())?;
    Some((own.len(), format!("{section}__{own}__{key}")))
}

/// The names alone: the values may be secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}
