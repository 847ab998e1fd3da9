//! What the approval of a held sheet will come to, for who asks before it is followed. Nothing is written.

use std::path::Path;

use jiff::tz::TimeZone;

use super::{listed, refused};
use crate::config::Inbox;
use crate::inbox::spool;
use crate::ledger::{DecisionResult, LedgerError, Reader};

/// What becomes of the orders that a held sheet lists where it is approved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foreseen {
    /// Rows that name an order.
    pub listed: usize,
    /// Those whose orders the service has already.
    pub there: usize,
    /// Those with which nothing is done.
    pub others: usize,
}

impl Foreseen {
    /// How many are sent.
    pub fn sent(self) -> usize {
        self.listed.saturating_sub(self.there + self.others)
    }
}

/// Reads a held sheet and what the ledger has of its orders; none where the file cannot be read now.
///
/// # Errors
/// Where the ledger cannot be read.
pub fn foresee(
    file: &Path,
    (inbox, zone): (&Inbox, &TimeZone),
    ledger: &Reader,
    scratch: &Path,
) -> Result<Option<Foreseen>, LedgerError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let Ok(opened) = spool::open_plain(file) else {
        return Ok(None);
    };
    let Ok(listed) = listed::read(opened, &name, inbox.limits, scratch) else {
        return Ok(None);
    };
    ledger.read(|store| {
        let listed = refused::set_apart(listed, &|key| store.held_by(key), zone)?;
        let mut foreseen = Foreseen {
            listed: listed.rows.len() + listed.unmeant.len(),
            others: listed.unmeant.len(),
            ..Foreseen::default()
        };
        for row in &listed.rows {
            let key = row.key.as_ref();
            let decided = key.map(|key| store.foresee_approval(&inbox.name, key));
            match decided.transpose()? {
                Some(DecisionResult::Taken(held)) => foreseen.there += usize::from(!held.there.is_empty()),
                Some(
                    DecisionResult::Before(_)
                    | DecisionResult::HeldAgain(_)
                    | DecisionResult::NotHeld(..)
                    | DecisionResult::Elsewhere(_)
                    | DecisionResult::Unknown,
                )
                | None => foreseen.others += 1,
            }
        }
        Ok(Some(foreseen))
    })
}
