//! Accounts of the config with which `dropsheet run` does not start, for the ledger knows them otherwise.

use crate::config::Config;
use crate::ledger::{LedgerError, Store};

/// Their names, each with why.
pub fn refused<'c>(store: &Store<'_>, config: &'c Config) -> Result<Vec<(&'c str, String)>, LedgerError> {
    let mut refused = Vec::new();
    for account in &config.accounts {
        match store.known_account(&account.name, &account.base_url, &account.email) {
            Ok(_known) => {}
            Err(error @ (LedgerError::OtherAccount { .. } | LedgerError::RenamedAccount { .. })) => {
                refused.push((account.name.as_str(), error.to_string()));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(refused)
}
