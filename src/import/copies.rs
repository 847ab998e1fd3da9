//! Which copies of the spool need no look at their bytes: one that this process has made was hashed a moment ago. Of any
//! other a disk may have lost some, or somebody has written into it.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use crate::ledger::record::{Claim, ClaimRef};

/// The copies that were read by this process.
#[derive(Debug)]
pub struct Copies {
    since: Timestamp,
    read: Mutex<BTreeSet<ClaimRef>>,
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
        read.insert(claim.id) && claim.new.taken_at >= self.since
    }
}
