//! What was written into the inboxes' `help/`: so that a file of a person's there is known from one of ours.

use super::Store;
use crate::ledger::LedgerError;

impl Store<'_> {
    /// What was noted of an inbox's `help/`; none where nothing was.
    pub fn help(&self, inbox: &str) -> Result<Option<String>, LedgerError> {
        self.meta("read what help/ holds", &key(inbox))
    }

    /// Notes what an inbox's `help/` holds.
    pub fn set_help(&self, inbox: &str, noted: &str) -> Result<(), LedgerError> {
        self.set_meta("note what help/ holds", &key(inbox), noted)
    }
}

fn key(inbox: &str) -> String {
    format!("help of {inbox}")
}
