//! When the service says that it has entered an order, against when the ledger knows that it was made. A date that cannot
//! be so would put the order's costs into a month that nobody looks at.

use std::time::Duration;

use jiff::Timestamp;

use super::{Store, moment_or_null};
use crate::ledger::LedgerError;
use crate::ledger::record::{OrderRecord, OrderRef};

/// How far the service's date may lie from when the order was made: more than zones and clocks differ by.
const FAR: Duration = Duration::from_hours(48);

/// A machine whose clock is further back was never set, and knows no dates.
const UNSET: Timestamp = Timestamp::constant(946_684_800, 0); // 2000-01-01

impl Store<'_> {
    /// When an order was entered, where the service shows this date of it: none where no date that it gave can be so.
    pub(super) fn entered_at(
        &self,
        order: &OrderRecord,
        shown: Option<Timestamp>,
    ) -> Result<Option<Timestamp>, LedgerError> {
        let shown = shown.map(in_millis);
        if shown == order.entered_at {
            return Ok(shown);
        }
        let mut dates = shown.into_iter().chain(order.entered_at);
        let Some((first, last)) = self.made_within(order.id)? else {
            return Ok(dates.next());
        };
        Ok(dates.find(|at| is_so(*at, (first, last))))
    }

    /// From when until when an order was made, by the machine's clock or the service's: its creates, and when the ledger
    /// came to know that the service has it. None where nothing was sent.
    fn made_within(&self, id: OrderRef) -> Result<Option<(Timestamp, Timestamp)>, LedgerError> {
        let sql = "SELECT min(least) AS first_at,
                          max(max(most),
                              coalesce((SELECT min(at) FROM event WHERE order_id = ?1 AND new = 'created'), 0)) AS last_at
                   FROM (SELECT min(intended_at, coalesce(service_date_at, intended_at)) AS least,
                                max(coalesce(ended_at, intended_at), coalesce(service_date_at, intended_at)) AS most
                         FROM attempt WHERE order_id = ?1 AND answer IS NOT 'not-sent')";
        let span = self.one("find when an order was made", sql, [id.0], |row| {
            let first = moment_or_null(row, "attempt", "first_at")?;
            Ok(first.zip(moment_or_null(row, "attempt", "last_at")?))
        })?;
        Ok(span.flatten())
    }
}

/// Whether an order that was made within this time may have been entered then.
fn is_so(entered: Timestamp, (first, last): (Timestamp, Timestamp)) -> bool {
    let earliest = first.checked_sub(FAR).unwrap_or(Timestamp::MIN);
    let latest = last.checked_add(FAR).unwrap_or(Timestamp::MAX);
    last < UNSET || (earliest..=latest).contains(&entered)
}

/// As the ledger keeps it.
fn in_millis(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_counts_where_clocks_and_zones_explain_how_far_it_lies_from_when_the_order_was_made() {
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let made = (at("2026-11-21T09:14:00Z"), at("2026-11-21T09:14:02Z"));
        for (entered, expected) in [
            ("2026-11-21T09:14:01Z", true),
            ("2026-11-20T19:14:00Z", true),
            ("2026-11-22T23:14:00Z", true),
            ("2026-11-19T09:14:00Z", true),
            ("2026-11-23T09:14:02Z", true),
            ("2026-11-18T09:14:00Z", false),
            ("2026-11-24T09:14:00Z", false),
            ("2025-11-21T09:14:00Z", false),
            ("2027-11-21T09:14:00Z", false),
            ("2001-01-01T00:00:00Z", false),
        ] {
            assert_eq!(is_so(at(entered), made), expected, "{entered}");
        }
        let unset = (at("1970-01-01T00:03:00Z"), at("1970-01-01T00:03:01Z"));
        assert!(is_so(made.0, unset), "a machine whose clock was never set");
    }
}
