//! Exit statuses: a contract with scripts and timers.

use std::process::ExitCode;

use crate::config::ConfigError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All done.
    Done,
    /// It could not be done; the message says why.
    Failed,
    /// Wrong usage or config.
    Usage,
    /// Done, and some orders need a person or another run.
    Attention,
    /// Another dropsheet is at work on this ledger.
    Busy,
}

impl Exit {
    /// What the process ends with.
    pub fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Attention => 3,
            Self::Busy => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}

/// What was typed cannot be done as it was typed. Exit status 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Another dropsheet is at work on the ledger. Exit status 4.
#[derive(Debug, thiserror::Error)]
#[error("{said}")]
pub struct BusyError {
    /// The whole message, which names it.
    pub said: String,
    /// The one that is at work, in its own words.
    pub holder: String,
}

/// The exit status of an error, by what stands anywhere in its chain.
pub fn of_error(error: &anyhow::Error) -> Exit {
    if error.chain().any(<dyn std::error::Error>::is::<BusyError>) {
        Exit::Busy
    } else if error
        .chain()
        .any(|cause| cause.is::<UsageError>() || cause.is::<ConfigError>())
    {
        Exit::Usage
    } else {
        Exit::Failed
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn an_error_keeps_its_status_under_context() {
        let usage = Err::<(), _>(UsageError("no".into()))
            .context("outer")
            .unwrap_err();
        assert_eq!(of_error(&usage), Exit::Usage);
        let busy = BusyError {
            said: "no".into(),
            holder: "process 7".into(),
        };
        let busy = Err::<(), _>(busy).context("outer").unwrap_err();
        assert_eq!(of_error(&busy), Exit::Busy);
        assert_eq!(of_error(&anyhow::anyhow!("no")), Exit::Failed);
    }
}
