//! What was asked of the service: counts by operation, and the newest calls one by one.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;
use serde::Serialize;

/// Calls remembered one by one; counts go on beyond it.
const MOST_CALLS: usize = 100_000;

/// One call, as far as it got.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    /// In the interface's words: `create-new-order`.
    pub operation: &'static str,
    /// The `order_id` of a create, the `order_name` of a cancel.
    pub order_id: Option<String>,
    /// When it was answered or dropped, latency not counted.
    pub at: Timestamp,
    /// The envelope's status of what the operation came to, before a fault spoiled the answer.
    pub status: u16,
    /// The fault it met.
    pub fault: Option<String>,
}

/// Counts and the newest calls.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Calls {
    /// Calls by operation.
    pub counts: BTreeMap<&'static str, u64>,
    /// The newest 100 000, oldest first.
    pub log: VecDeque<Call>,
}

impl Calls {
    pub(crate) fn note(&mut self, call: Call) {
        *self.counts.entry(call.operation).or_default() += 1;
        if self.log.len() == MOST_CALLS {
            self.log.pop_front();
        }
        self.log.push_back(call);
    }

    /// How often an operation was asked for.
    pub fn of(&self, operation: &str) -> u64 {
        self.counts.get(operation).copied().unwrap_or(0)
    }
}
