//! How many answers have come: who has failed sees by it whether the service was there meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A count of a service's good answers, shared by all who ask it.
#[derive(Clone, Debug, Default)]
pub struct Answers(Arc<AtomicU64>);

impl Answers {
    /// One has come.
    pub fn note(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// How many have come.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
