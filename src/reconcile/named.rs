//! What makes an order at the service, of our name, one that our creates may have made.

use std::time::Duration;

use jiff::Timestamp;

use super::{Signature, zips_agree};

/// How much older than the first attempt a candidate may be, by the service's own clock.
const OLDER: Duration = Duration::from_hours(1);

/// An order of exactly our name, as the service lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The service's id.
    pub pw_order_id: String,
    /// What it holds.
    pub signature: Signature,
    /// Where it goes.
    pub zip: Option<String>,
    /// When it was entered, by the service's clock.
    pub entered_at: Option<Timestamp>,
}

/// What of an order of ours tells it from another of its name.
#[derive(Clone, Copy, Debug)]
pub struct Ours<'a> {
    /// What it holds, and its country.
    pub signature: &'a Signature,
    /// Where it goes; none where that is not known any more.
    pub zip: Option<&'a str>,
}

impl Named {
    /// Whether it holds what an order of ours does and goes to the same zip: two shops may each have a `1001` of the same
    /// shirt. A zip that one side does not tell is no difference.
    pub fn is_like(&self, ours: Ours<'_>) -> bool {
        let zips = self.zip.as_deref().zip(ours.zip);
        self.signature.matches(ours.signature) && zips.is_none_or(|(a, b)| zips_agree(a, b))
    }
}

/// Whether an order of our name can be what our attempts have made: it holds the same, goes to the same place, and is not
/// from before them.
pub fn of_the_attempt(named: &Named, ours: Ours<'_>, first_attempt: Timestamp) -> bool {
    named.is_like(ours) && is_recent(named.entered_at, first_attempt)
}

/// Whether an order was entered late enough to be what an attempt has made.
pub fn is_recent(entered_at: Option<Timestamp>, first_attempt: Timestamp) -> bool {
    let oldest = first_attempt.checked_sub(OLDER).unwrap_or(Timestamp::MIN);
    entered_at.is_none_or(|at| at >= oldest)
}
