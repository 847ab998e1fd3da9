//! Where an account's password comes from. It is read when a client is made, so that commands which ask the service
//! nothing need no password.

use std::path::{Path, PathBuf};

use secrecy::SecretString;

/// The place of a password.
#[derive(Clone, Debug)]
pub(super) enum Password {
    /// A file that holds it, with or without a newline at its end.
    File(PathBuf),
    /// A variable of the environment, read when the config was; none where it was not set.
    Variable(String, Option<SecretString>),
    /// None of the three ways, of keys that begin so.
    Nowhere(&'static str),
}

/// Why there is no password.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoPassword {
    #[error("cannot read the password file {}: {reason}", .path.display())]
    File { path: PathBuf, reason: std::io::Error },
    #[error("the password file {} is empty", .path.display())]
    EmptyFile { path: PathBuf },
    #[error("the environment variable {0} that should hold the password is not set")]
    Variable(String),
    #[error(
        "no password: set {keys}password_file = \"FILE\" or {keys}password_env = \"NAME\", or let systemd load the \
         credential `{of}.password`"
    )]
    Nowhere { keys: &'static str, of: String },
}

impl Password {
    /// What to do where it cannot be read.
    pub(super) fn remedy(&self) -> String {
        match self {
            Self::File(path) => format!(
                "Write the password into {}, and let dropsheet's user read that.",
                path.display()
            ),
            Self::Variable(name, _) => {
                format!("Set {name} where dropsheet is started, or name a `password_file` instead.")
            }
            Self::Nowhere(keys) => {
                format!("Set {keys}password_file or {keys}password_env, or let systemd load the credential.")
            }
        }
    }

    /// Whether a program that was started as this one was has none, however often it looks.
    pub(super) fn is_missing(&self) -> bool {
        match self {
            Self::File(_) | Self::Variable(_, Some(_)) => false,
            Self::Variable(_, None) | Self::Nowhere(_) => true,
        }
    }

    /// The password of the account with this name.
    pub(super) fn read(&self, account: &str) -> Result<SecretString, NoPassword> {
        match self {
            Self::File(path) => read_file(path),
            Self::Variable(_, Some(password)) => Ok(password.clone()),
            Self::Variable(name, None) => Err(NoPassword::Variable(name.clone())),
            Self::Nowhere(keys) => Err(NoPassword::Nowhere {
                keys,
                of: account.to_owned(),
            }),
        }
    }
}

fn read_file(path: &Path) -> Result<SecretString, NoPassword> {
    let text = super::text_of(path).map_err(|reason| NoPassword::File {
        path: path.to_owned(),
        reason,
    })?;
    // Some editors begin a file with a byte-order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let line = text.strip_suffix('\n').unwrap_or(text);
    let password = line.strip_suffix('\r').unwrap_or(line);
    if password.trim_matches(['\r', '\n']).is_empty() {
        return Err(NoPassword::EmptyFile {
            path: path.to_owned(),
        });
    }
    Ok(password.into())
}
