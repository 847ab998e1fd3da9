//! What makes an order at the service, of our name, one that our creates may have made.

use std::time::Duration;

use jiff::Timestamp;

use super::{Signature, plain, zips_agree};

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
    /// shirt. A zip that one side does not tell is no difference; but where it is not told what is in the order, the zip has
    /// to be, for something has to say that it is ours.
    pub fn is_like(&self, ours: Ours<'_>) -> bool {
        let is_told = |zip: &&str| !plain(zip).is_empty();
        let theirs = self.zip.as_deref().filter(is_told);
        let zips = theirs.zip(ours.zip.filter(is_told));
        let are_enough = self.signature.is_told() && ours.signature.is_told();
        self.signature.matches(ours.signature)
            && zips.map_or(are_enough, |(theirs, ours)| zips_agree(theirs, ours))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_of_which_the_content_is_not_told_is_ours_where_it_goes_to_our_zip_and_nowhere_else() {
        let of = |items: &[(&str, u32)]| Signature::new(items.iter().copied(), Some("US"));
        let ours = of(&[("TEE-M", 2)]);
        for (items, zip, our_zip, is_like) in [
            (&[("TEE-M", 2)][..], Some("43004"), Some("43004"), true),
            (&[("TEE-M", 2)], None, Some("43004"), true),
            (&[("TEE-M", 2)], Some(""), Some("43004"), true),
            (&[("TEE-M", 2)], Some("43004"), None, true),
            (&[("TEE-M", 1)], Some("43004"), Some("43004"), false),
            (&[], Some("43004-1234"), Some("43004"), true),
            (&[], Some("99999"), Some("43004"), false),
            (&[], Some("-"), Some("43004"), false),
            (&[], None, Some("43004"), false),
            (&[], Some("43004"), None, false),
        ] {
            let named = Named {
                pw_order_id: "PW-1".to_owned(),
                signature: of(items),
                zip: zip.map(str::to_owned),
                entered_at: None,
            };
            let ours = Ours {
                signature: &ours,
                zip: our_zip,
            };
            assert_eq!(named.is_like(ours), is_like, "{items:?} {zip:?} {our_zip:?}");
        }
    }
}
