//! Why a person could not be told by mail or by the command, when that was last tried.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Store, json, to_json};
use crate::ledger::LedgerError;

/// The key of the list.
const NOT_TOLD: &str = "not_told";

/// A way of telling that failed when it was last used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotTold {
    /// The way: `mail`, `command`.
    pub by: String,
    /// The one address that is not reached; none where nobody is.
    pub to: Option<String>,
    /// Since when it fails.
    pub since: Timestamp,
    /// Why.
    pub why: String,
}

impl Store<'_> {
    /// The ways of telling that failed when they were last used.
    pub fn not_told(&self) -> Result<Vec<NotTold>, LedgerError> {
        let sql = "SELECT value FROM meta WHERE key = ?1";
        let noted = self.one("read who could not be told", sql, [NOT_TOLD], |row| {
            json(row, "meta", "value")
        })?;
        Ok(noted.unwrap_or_default())
    }

    /// Notes how a way of telling has just failed: the address, where others were reached, and why. What failed before has
    /// failed since then; what is not among them does not fail any more.
    pub fn set_not_told(
        &self,
        by: &str,
        failed: &[(Option<String>, String)],
        at: Timestamp,
    ) -> Result<(), LedgerError> {
        let known = self.not_told()?;
        let since = |to: &Option<String>| {
            let before = known.iter().find(|one| one.by == by && one.to == *to);
            before.map_or(at, |one| one.since)
        };
        let mut all: Vec<NotTold> = known.iter().filter(|one| one.by != by).cloned().collect();
        all.extend(failed.iter().map(|(to, why)| NotTold {
            by: by.to_owned(),
            to: to.clone(),
            since: since(to),
            why: why.clone(),
        }));
        if all == known {
            return Ok(());
        }
        self.set_meta("note who could not be told", NOT_TOLD, &to_json(&all)?)
    }
}
