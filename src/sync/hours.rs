//! The moments of a window where this machine's clock and the service's are far apart: a window that ends a day ago
//! shows nothing of today, and what it does not show would be sent again. Which of the two is wrong cannot be told, so
//! that a window covers now by both. Pure.

use jiff::{SignedDuration, Timestamp};

/// How far the clocks may be apart: windows are widened by a day in any case.
const TOLERATED: SignedDuration = SignedDuration::from_hours(12);

/// How far this machine's clock is behind the service's; none where that is tolerated, or the service has told nothing.
pub(super) fn behind(wall: Timestamp, service: Option<Timestamp>) -> Option<SignedDuration> {
    let behind = service?.duration_since(wall);
    (behind.abs() > TOLERATED).then_some(behind)
}

/// A window from a moment until now. The moment may have been read off either clock: the earlier of both counts, and
/// the later now.
pub(super) fn covering(
    from: Timestamp,
    wall: Timestamp,
    service: Option<Timestamp>,
) -> (Timestamp, Timestamp) {
    let Some((service, behind)) = service.zip(behind(wall, service)) else {
        return (from.min(wall), wall);
    };
    let shifted = from.checked_add(behind).unwrap_or(Timestamp::MIN);
    (from.min(shifted).min(service).min(wall), wall.max(service))
}

/// Now by the earlier of the clocks, where they are far apart: until then the list is known once a window until now was read,
/// and from then on what is sent now is in it.
pub(crate) fn known_to(wall: Timestamp, service: Option<Timestamp>) -> Timestamp {
    match service.filter(|_| behind(wall, service).is_some()) {
        Some(service) => wall.min(service),
        None => wall,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_window_covers_now_by_both_clocks() {
        let [noon, month_before] = ["2026-11-21T12:00:00Z", "2026-10-21T12:00:00Z"].map(at);
        let near = at("2026-11-21T01:00:00Z");
        assert_eq!(covering(month_before, near, Some(noon)), (month_before, near));
        assert_eq!(covering(month_before, near, None), (month_before, near));
        let days = |days: i64| SignedDuration::from_hours(24 * days);
        for wrong in [-2, -1100, 100] {
            let wall = noon + days(wrong);
            let (from, to) = covering(wall - days(31), wall, Some(noon));
            assert!(to >= noon && to >= wall, "{wrong} days: {to}");
            assert!(from <= month_before, "{wrong} days: {from}");
            assert_eq!(known_to(wall, Some(noon)), wall.min(noon));
            // A moment that was noted while the clock was right.
            let (from, to) = covering(month_before, wall, Some(noon));
            assert!(from <= month_before && to >= noon, "{wrong} days: {from}");
        }
        assert_eq!(known_to(near, Some(noon)), near);
        assert_eq!(known_to(near, None), near);
        // One that was noted while it was ahead.
        let (from, to) = covering(noon + days(100), noon, None);
        assert!(from <= to);
    }
}
