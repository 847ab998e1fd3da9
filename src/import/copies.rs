//! Which copies of the spool need no look at their bytes: one that this process has made was hashed a moment ago. Of any
//! other a disk may have lost some, or somebody has written into it.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use crate::ledger::record::{Claim, ClaimRef};

/// So many sheets are remembered, the youngest; more are never between their copy and their first reading.
const REMEMBERED: usize = 4096;

/// The copies that were read by this process.
#[derive(Debug)]
pub struct Copies {
    since: Timestamp,
    read: Mutex<Read>,
}

#[derive(Debug, Default)]
struct Read {
    sheets: BTreeSet<ClaimRef>,
    /// The youngest that is not remembered any more: it and all before it count as read.
    forgotten: Option<ClaimRef>,
}

impl Copies {
    /// None yet; `since` is when the process began to take sheets.
    pub fn new(since: Timestamp) -> Self {
        Self {
            since,
            read: Mutex::default(),
        }
    }

    /// Whether a sheet's copy was made by this process, and is read for the first time.
    pub(super) fn is_fresh(&self, claim: &Claim) -> bool {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        claim.new.taken_at >= self.since && read.is_first(claim.id)
    }
}

impl Read {
    /// Whether a sheet is read for the first time.
    fn is_first(&mut self, sheet: ClaimRef) -> bool {
        if self.forgotten.is_some_and(|forgotten| sheet <= forgotten) {
            return false;
        }
        let is_first = self.sheets.insert(sheet);
        if self.sheets.len() > REMEMBERED {
            self.forgotten = self.sheets.pop_first();
        }
        is_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_more_sheets_than_are_remembered_the_eldest_count_as_read() {
        let mut read = Read::default();
        let last = i64::try_from(REMEMBERED).unwrap() * 2;
        assert!(read.is_first(ClaimRef(1)));
        assert!(!read.is_first(ClaimRef(1)));
        assert!((2..=last).all(|sheet| read.is_first(ClaimRef(sheet))));
        assert_eq!(read.sheets.len(), REMEMBERED);
        assert!((1..=last).all(|sheet| !read.is_first(ClaimRef(sheet))));
        assert!(read.is_first(ClaimRef(last + 1)));
    }
}
