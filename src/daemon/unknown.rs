//! Inboxes that a running daemon does not know: it reads its config once, when it begins.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use crate::config::Config;
use crate::ledger::{self, LedgerError, Reader};

/// What is said of such an inbox.
pub const UNKNOWN: &str =
    "the running dropsheet does not know it, so nothing is taken: end that and start it again";

/// After so long a daemon has looked at each inbox that it knows.
const KNOWN: SignedDuration = SignedDuration::from_mins(2);

/// Whether a daemon has worked a ledger for so long that it has looked at each inbox that it knows.
pub fn has_looked_at_all(ledger: &Path, now: Timestamp) -> bool {
    // Where nobody can look, the ledger's own line says why.
    let held_by = ledger::holder(ledger).ok().flatten();
    let is_daemon = held_by.is_some_and(|held_by| held_by.name.ends_with(", dropsheet run"));
    is_daemon && ledger::held_since(ledger).is_some_and(|since| since <= now - KNOWN)
}

/// The names of the config's inboxes that a running daemon does not know.
///
/// # Errors
/// Where the ledger cannot be read.
pub fn unknown_inboxes(config: &Config, now: Timestamp) -> Result<Vec<String>, LedgerError> {
    if !has_looked_at_all(&config.ledger, now) {
        return Ok(Vec::new());
    }
    Reader::open(&config.ledger)?.read(|store| {
        let mut unknown = Vec::new();
        for inbox in &config.inboxes {
            if store.last_look(&inbox.name)?.is_none() {
                unknown.push(inbox.name.clone());
            }
        }
        Ok(unknown)
    })
}
