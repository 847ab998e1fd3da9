//! The moments of a window by the service's clock, where this machine's is wrong: a window that ends a day ago shows
//! nothing of today, and what it does not show would be sent again. Pure.

use jiff::{SignedDuration, Timestamp};

/// How far this machine's clock may be off before it is not believed: windows are widened by a day in any case.
const TOLERATED: SignedDuration = SignedDuration::from_hours(12);

/// How far this machine's clock is behind the service's; none where that is tolerated, or the service has told nothing.
pub(super) fn behind(wall: Timestamp, service: Option<Timestamp>) -> Option<SignedDuration> {
    let behind = service?.duration_since(wall);
    (behind.abs() > TOLERATED).then_some(behind)
}

/// A window from a moment until now. The moment may have been read off the wrong clock, or off one that was right then:
/// the earlier of both counts.
pub(super) fn corrected(
    from: Timestamp,
    wall: Timestamp,
    service: Option<Timestamp>,
) -> (Timestamp, Timestamp) {
    let Some((service, behind)) = service.zip(behind(wall, service)) else {
        return (from.min(wall), wall);
    };
    let shifted = from.checked_add(behind).unwrap_or(Timestamp::MIN);
    (from.min(shifted).min(service), service)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_window_ends_now_by_the_clock_that_is_right() {
        let [noon, month_before] = ["2026-11-21T12:00:00Z", "2026-10-21T12:00:00Z"].map(at);
        let near = at("2026-11-21T01:00:00Z");
        assert_eq!(corrected(month_before, near, Some(noon)), (month_before, near));
        assert_eq!(corrected(month_before, near, None), (month_before, near));
        let days = |days: i64| SignedDuration::from_hours(24 * days);
        for wrong in [-2, -1100, 100] {
            let wall = noon + days(wrong);
            let (from, to) = corrected(wall - days(31), wall, Some(noon));
            assert_eq!(to, noon, "{wrong} days");
            assert!(from <= month_before, "{wrong} days: {from}");
            // A moment that was noted while the clock was right.
            let (from, to) = corrected(month_before, wall, Some(noon));
            assert!(from <= month_before && to == noon, "{wrong} days: {from}");
        }
        // One that was noted while it was ahead.
        let (from, to) = corrected(noon + days(100), noon, None);
        assert!(from <= to);
    }
}
