//! An order that was declined, given up or refused may be taken anew by a later sheet with other content. What the ledger
//! has of it then is the later sheet's: the older one keeps the end that its own content came to. What was refused and
//! came again in the same inbox is the same order, mended.

use std::collections::HashMap;

use super::Worked;
use crate::finding::Rejection;
use crate::ledger::record::{EventRecord, OrderRecord, Outcome};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};
use crate::order::{Draft, Grouper};
use crate::outcome::Status;
use crate::result::ResultError;
use crate::sheet::Row;

/// An end after which an order may be taken anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Declined,
    Abandoned,
    /// By the service, in these words.
    Refused(String),
}

/// How an order had ended when the sheet that it is of now took it anew; none where it had not, or no sheet younger than
/// the outcome's has taken it.
pub(super) fn end_before(
    store: &Store<'_>,
    outcome: &Outcome,
    order: &OrderRecord,
) -> Result<Option<End>, LedgerError> {
    if order.claim <= outcome.claim || outcome.status == Status::Canceling {
        return Ok(None);
    }
    let Some(later) = store.claim(order.claim)? else {
        return Ok(None);
    };
    let events = store.events(order.id)?;
    let mut since = events.iter().filter(|event| event.at >= later.new.taken_at);
    let ended = since.find_map(|event| {
        event
            .old
            .parse()
            .ok()
            .filter(|state: &State| state.is_taken_anew())
    });
    Ok(match ended {
        Some(State::Declined) => Some(End::Declined),
        Some(State::Abandoned) => Some(End::Abandoned),
        Some(State::Refused) => {
            let own = store.claim(outcome.claim)?;
            let is_elsewhere = own.is_some_and(|own| own.new.inbox != later.new.inbox);
            let mut before = events.iter().rev().filter(|event| event.at < later.new.taken_at);
            let words = before.find_map(EventRecord::refusal);
            is_elsewhere.then(|| End::Refused(words.unwrap_or_default().to_owned()))
        }
        Some(_) | None => None,
    })
}

/// What the orders of a sheet are, read from it when it is first asked for.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    worked: &'a Worked,
    /// The inbox that it came into.
    pub(super) inbox: &'a str,
    /// By first row: the fingerprint.
    read: Option<HashMap<u32, String>>,
}

impl<'a> Contents<'a> {
    pub(super) fn of(worked: &'a Worked, inbox: &'a str) -> Self {
        Self {
            worked,
            inbox,
            read: None,
        }
    }

    /// Whether the sheet has other content under a row than the ledger has now. Fingerprints of two versions cannot be
    /// compared, and say nothing.
    pub(super) fn is_other(&mut self, first_row: u32, order: &OrderRecord) -> Result<bool, ResultError> {
        let read = match self.read.take() {
            Some(read) => read,
            None => self.fingerprints().map_err(ResultError::Sheet)?,
        };
        let own = self.read.insert(read).get(&first_row);
        let version = |whole: &str| whole.split_once(':').map(|(version, _hash)| version.to_owned());
        Ok(own.is_some_and(|own| version(own) == version(&order.fingerprint) && *own != order.fingerprint))
    }

    fn fingerprints(&self) -> Result<HashMap<u32, String>, Rejection> {
        let mut contents = HashMap::new();
        self.each_draft(&mut |draft| {
            if let Some(first) = draft.rows().first() {
                contents.insert(*first, draft.fingerprint().whole);
            }
        })?;
        Ok(contents)
    }

    /// Reads the sheet again and has a look taken at each of its orders.
    pub(super) fn each_draft(&self, look: &mut dyn FnMut(Draft)) -> Result<(), Rejection> {
        let Worked {
            sheet, layout, index, ..
        } = self.worked;
        let header = sheet.header().number();
        let mut grouper = Grouper::new(layout.clone(), index);
        let mut rows = sheet.rows()?;
        let mut row = Row::default();
        while rows.next(&mut row)? {
            if row.number() > header
                && let Some(draft) = grouper.push(&row)
            {
                look(draft);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
