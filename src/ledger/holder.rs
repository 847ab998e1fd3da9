//! Who works a ledger, as its lock file says.

/// What stands before the fingerprint of a config, in a line of its own below the name.
const CONFIG: &str = "config ";

/// A process that works a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Which process it is and what it does, for a person.
    pub name: String,
    /// The fingerprint of the config that it began with; none where it has told none.
    pub config: Option<String>,
}

impl Holder {
    /// The words of a lock file.
    pub fn words(&self) -> String {
        match &self.config {
            Some(config) => format!("{}\n{CONFIG}{config}", self.name),
            None => self.name.clone(),
        }
    }

    /// The same, read again.
    pub(super) fn of_words(words: &str) -> Self {
        let (name, below) = words.split_once('\n').unwrap_or((words, ""));
        Self {
            name: name.to_owned(),
            config: below.trim_end().strip_prefix(CONFIG).map(str::to_owned),
        }
    }

    /// Whether it began with another config than that of this fingerprint.
    pub fn began_with_another(&self, fingerprint: &str) -> bool {
        self.config.as_ref().is_some_and(|config| config != fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for config in [None, Some("ab12".to_owned())] {
            let name = "process 7, dropsheet run".to_owned();
            let holder = Holder { name, config };
            assert_eq!(Holder::of_words(&holder.words()), holder);
        }
    }

    #[test]
    fn only_a_config_that_is_told_is_another() {
        let with = |config: Option<&str>| Holder {
            name: "process 7".to_owned(),
            config: config.map(str::to_owned),
        };
        assert!(with(Some("ab12")).began_with_another("cd34"));
        assert!(!with(Some("ab12")).began_with_another("ab12"));
        assert!(!with(None).began_with_another("ab12"));
    }
}
