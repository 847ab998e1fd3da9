//! A wished cancel that the service's own list confirms: its answer may have been lost, or be one that cannot be believed, and
//! be carried out all the same.

use super::Store;
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{OrderRecord, Seen};
use crate::ledger::state::{Event, State};
use crate::standing;

/// By what such a cancel is confirmed.
pub(super) const SHOWN_CANCELED: &str = "the service shows it as canceled";

impl Store<'_> {
    /// Ends the wished cancel of an order that is shown under its own id as canceled, all of it; true where it does. Nobody
    /// asks for it any more, nor does a person have to decide.
    pub(super) fn confirm_as_shown(
        &self,
        before: &OrderRecord,
        seen: &Seen,
        now: &Now,
    ) -> Result<bool, LedgerError> {
        if before.state != State::Canceling || !standing::says_canceled(seen.order_status.as_deref()) {
            return Ok(false);
        }
        // Of an id that was given out twice its name tells whose it is.
        let is_named = before.names().any(|name| name == seen.order_name);
        if !is_named && self.shares_its_id(before)?.is_some() {
            return Ok(false);
        }
        let order = self.known(before.id)?;
        self.step(&order, Event::CancelConfirmed, SHOWN_CANCELED, now)?;
        // A note would be told as the service's answer to the cancel, of which there is none.
        self.note(before.id, "")?;
        Ok(true)
    }
}
